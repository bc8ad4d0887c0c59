//! One answer, whatever a shipper put around the records.
//!
//! Every file of `fixtures/wrappers/` is `groundtruth/nginx/timed.log` in
//! the wrapper it is named after.

use crate::program::run;

const ARGS: [&str; 4] = ["--bin", "5s", "-o", "json"];
const PLAIN: &str = "fixtures/groundtruth/nginx/timed.log";

fn with(file: &str) -> Vec<&str> {
    [&[file][..], &ARGS].concat()
}

#[test]
fn a_log_is_the_same_in_every_wrapper() {
    let plain = run(&with(PLAIN)).answer();
    assert_eq!(plain["streams"]["ended"], 10, "of the lab's requests");
    let folder = std::fs::read_dir("fixtures/wrappers").expect("a folder");
    let mut wrapped = 0;
    for file in folder {
        let path = file.expect("a file").path();
        let path = path.to_str().expect("UTF-8");
        assert!(run(&with(path)).answer() == plain, "{path}");
        wrapped += 1;
    }
    assert!(wrapped > 30, "{wrapped} files");
}

//! One answer, whatever a shipper put around the records.
//!
//! Every file of `fixtures/wrappers/` is `groundtruth/nginx/timed.log` in
//! the wrapper it is named after.

use crate::program::{Folder, run, run_on};

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

/// A record of nginx, wrapped as one piece or as two.
fn pieces(n: usize, output: &str, at: Option<usize>) -> [String; 2] {
    let record = format!(
        "10.0.0.1 - - [29/Nov/2026:13:{:02}:{:02} +0000] \"GET \
         /subscriptions/listen?again=/subscriptions/listen HTTP/1.1\" 200 9 \
         \"-\" \"node\" rt=5.000",
        n / 60,
        n % 60
    );
    let wrapped = |tag: &str, text: &str| {
        format!("2026-11-29T13:00:00.1Z {output} {tag} {text}\n")
    };
    match at {
        None => [String::new(), wrapped("F", &record)],
        Some(at) => [wrapped("P", &record[..at]), wrapped("F", &record[at..])],
    }
}

#[test]
fn pieces_that_stand_between_each_other_are_each_taken_once() {
    // Both pieces name the path, and so does the record between them.
    let mut log = String::new();
    for n in 0..100 {
        let [first, last] = pieces(2 * n, "stdout", Some(75));
        let [_, other] = pieces(2 * n + 1, "stderr", None);
        log += &[first, other, last].concat();
    }
    let folder = Folder::new();
    let file = folder.write("cri.log", log.as_bytes());
    let whole = run(&with(&file)).answer();
    assert_eq!(whole["streams"]["ended"], 200);
    for file in ["cri-pieces.log", "docker-pieces.log"] {
        let file = format!("fixtures/wrappers/{file}");
        let mapped = run(&with(&file)).answer();
        let log = std::fs::read(&file).expect("a file");
        let piped = run_on(&log, &with("-")).answer();
        assert_eq!(mapped, piped, "{file}");
    }
}

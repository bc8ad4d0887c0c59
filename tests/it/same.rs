//! One answer, however the same log reaches the program.

use std::io::Write;

use crate::fixture::read;
use crate::program::{Folder, run, run_on};

const LOG: &str = "real-logs/leak/nginx-rt.log";
const ARGS: [&str; 4] = ["--bin", "5s", "-o", "json"];

fn with<'a>(files: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [files, &ARGS, more].concat()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut to =
        flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    to.write_all(bytes).expect("memory");
    to.finish().expect("memory")
}

#[test]
fn threads_maps_pipes_and_compression_do_not_show() {
    let log = read(LOG);
    let folder = Folder::new();
    let plain = folder.write("access.log", log.as_bytes());
    let whole = run(&with(&[&plain], &["-j", "1"])).answer();
    assert_eq!(whole["verdict"], "climbing");
    for more in [["-j", "8"], ["--mmap", "never"], ["--mmap", "always"]] {
        let same = run(&with(&[&plain], &more)).answer();
        assert!(same == whole, "{more:?}");
    }
    assert!(run_on(log.as_bytes(), &with(&["-"], &[])).answer() == whole);
    assert!(run_on(log.as_bytes(), &with(&[], &[])).answer() == whole);

    let half = log.len() / 2;
    let members =
        [gzip(&log.as_bytes()[..half]), gzip(&log.as_bytes()[half..])];
    let bzip2 = {
        let level = bzip2::Compression::fast();
        let mut to = bzip2::write::BzEncoder::new(Vec::new(), level);
        to.write_all(log.as_bytes()).expect("memory");
        to.finish().expect("memory")
    };
    let xz = {
        let mut to = liblzma::write::XzEncoder::new(Vec::new(), 1);
        to.write_all(log.as_bytes()).expect("memory");
        to.finish().expect("memory")
    };
    let zstd = zstd::encode_all(log.as_bytes(), 1).expect("memory");
    // Names say nothing: what is inside does.
    for (name, bytes) in [
        ("members.gz", members.concat()),
        ("really-gzip.log", gzip(log.as_bytes())),
        ("access.bz2", bzip2),
        ("access.txt", xz),
        ("access.log.1", zstd),
    ] {
        let path = folder.write(name, &bytes);
        assert!(run(&with(&[&path], &[])).answer() == whole, "{name}");
        let piped = run_on(&bytes, &with(&["-"], &[])).answer();
        assert!(piped == whole, "{name} piped");
    }
}

#[test]
fn parts_in_any_order_and_line_ends_do_not_show() {
    let log = read(LOG);
    let folder = Folder::new();
    let plain = folder.write("access.log", log.as_bytes());
    let whole = run(&with(&[&plain], &[])).answer();
    let middle = log.len() / 2;
    let cut = middle + log[middle..].find('\n').expect("a line") + 1;
    let old = folder.write("access.log.1", &log.as_bytes()[..cut]);
    let new = folder.write("access.log.0", &log.as_bytes()[cut..]);
    assert!(run(&with(&[&old, &new], &[])).answer() == whole);
    assert!(run(&with(&[&new, &old], &[])).answer() == whole);
    // A file named twice is still one file.
    let link = folder.path("link.log");
    std::os::unix::fs::symlink(&plain, &link).expect("a link");
    let link = link.to_str().expect("UTF-8");
    assert!(run(&with(&[&plain, link, &plain], &[])).answer() == whole);

    let crlf = log.replace('\n', "\r\n");
    let bom = format!("\u{feff}{log}");
    let padded = [&[0; 5000][..], log.as_bytes()].concat();
    for (name, bytes) in [
        ("crlf", crlf.as_bytes()),
        ("no-newline", log.trim_end().as_bytes()),
        ("bom", bom.as_bytes()),
        ("nul-padding", &padded),
    ] {
        let path = folder.write(name, bytes);
        assert!(run(&with(&[&path], &[])).answer() == whole, "{name}");
        let piped = run_on(bytes, &with(&["-"], &[])).answer();
        assert!(piped == whole, "{name} piped");
    }
}

#[test]
fn invalid_bytes_and_endless_lines_are_counted_and_hide_nothing() {
    let log = read(LOG);
    let middle = log.len() / 2;
    let cut = middle + log[middle..].find('\n').expect("a line") + 1;
    let long = vec![b'z'; 3 << 20];
    let bytes = [
        &log.as_bytes()[..cut],
        b"\xff\xfe\x80 subscriptions/listen \xc3\n",
        &long,
        b"\n",
        &log.as_bytes()[cut..],
    ]
    .concat();
    let folder = Folder::new();
    let plain = folder.write("access.log", log.as_bytes());
    let whole = run(&with(&[&plain], &[])).answer();
    let broken = folder.write("broken.log", &bytes);
    for ran in
        [run(&with(&[&broken], &[])), run_on(&bytes, &with(&["-"], &[]))]
    {
        assert_eq!(ran.status, 1);
        let report = ran.report();
        assert_eq!(report["inputs"][0]["rejected"]["long"], 1);
        assert_eq!(report["inputs"][0]["rejected"]["shape"], 1);
        assert_eq!(report["streams"], whole["streams"]);
        assert_eq!(report["series"], whole["series"]);
    }
}

#[test]
fn records_before_the_first_stream_are_counted_alike_in_a_file_and_a_pipe() {
    let log: String = (0..60)
        .map(|n| {
            let path = if n < 30 { "/a" } else { "/subscriptions/listen" };
            let junk = if n % 7 == 3 { "no request\n" } else { "" };
            format!(
                "10.0.0.1 - - [29/Nov/2026:13:{n:02}:00 +0000] \"GET {path} \
                 HTTP/1.1\" 200 9 \"-\" \"node\" rt=5.000\n{junk}"
            )
        })
        .collect();
    let folder = Folder::new();
    let file = folder.write("access.log", log.as_bytes());
    let mapped = run(&with(&[&file], &[])).report();
    let piped = run_on(log.as_bytes(), &with(&["-"], &[])).report();
    assert_eq!(mapped["findings"], piped["findings"]);
    let rejected =
        |report: &serde_json::Value| report["inputs"][0]["rejected"].clone();
    assert_eq!(rejected(&mapped), rejected(&piped));
    // With no stream at all, both tell what there is instead.
    let log = log.replace("/subscriptions/listen", "/b");
    let file = folder.write("other.log", log.as_bytes());
    let mapped = run(&with(&[&file], &[])).report();
    let piped = run_on(log.as_bytes(), &with(&["-"], &[])).report();
    assert_eq!(mapped["findings"], piped["findings"]);
    assert!(mapped["findings"].to_string().contains("nothing-selected"));
}

#[test]
fn what_a_short_part_leaves_open_the_rest_of_its_log_tells() {
    // Whole seconds from the start on: only where streams of different
    // lengths overlap does the order of the records show that.
    let line = |second: u64, hold: u64| {
        format!(
            "10.0.0.1 - - [29/Nov/2026:13:{:02}:{:02} +0000] \"GET \
             /subscriptions/listen HTTP/1.1\" 200 9 \"-\" \"node\" {hold}000000\n",
            second / 60,
            second % 60
        )
    };
    let mut ended: Vec<(u64, u64)> =
        (0..30).map(|n| (n * 20, if n % 3 == 0 { 100 } else { 30 })).collect();
    ended.sort_by_key(|(start, hold)| start + hold);
    let lines: Vec<String> = ended.iter().map(|(s, h)| line(*s, *h)).collect();
    let folder = Folder::new();
    let whole = folder.write("access.log", lines.concat().as_bytes());
    let old = folder.write("old.log", lines[..29].concat().as_bytes());
    let new = folder.write("new.log", lines[29..].concat().as_bytes());
    let whole = run(&with(&[&whole], &[])).answer();
    let parts = run(&with(&[&new, &old], &[])).report();
    let reasons = parts["inputs"].to_string();
    assert!(reasons.contains("by all inputs of this format"), "{reasons}");
    assert_eq!(parts["streams"], whole["streams"]);
    assert_eq!(parts["findings"], whole["findings"]);
    assert_eq!(parts["series"], whole["series"]);
}

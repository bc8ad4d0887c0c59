//! Records dated years off: the answer is that of the others.

use crate::fixture::read;
use crate::program::{Ran, run_on};

/// A healthy log with this line before it and that one behind it.
fn with(before: &str, behind: &str) -> Ran {
    let log = read("logs/healthy.log");
    let log = format!("{before}{log}{behind}");
    run_on(log.as_bytes(), &["-o", "json", "-"])
}

/// A line of that log, dated otherwise.
fn line(date: &str, path: &str) -> String {
    format!(
        "10.0.0.6 - - [{date} +0000] \"GET {path} HTTP/1.1\" 200 1199 \"-\" \
         \"mcp-client/1.5\" rt=59.999\n"
    )
}

#[test]
fn a_date_that_is_years_off_changes_no_answer() {
    let right = with("", "").answer();
    let stream = "/subscriptions/listen";
    let lines = [
        (line("01/Jan/1970:00:00:07", stream), String::new(), 1),
        (String::new(), line("29/Nov/2099:12:00:00", stream), 1),
        (String::new(), line("29/Nov/2027:12:00:00", "/"), 0),
    ];
    for (before, behind, streams) in lines {
        let ran = with(&before, &behind);
        assert_eq!((ran.status, &*ran.err), (0, ""));
        let found = ran.answer();
        for part in ["verdict", "summary", "window", "streams", "series"] {
            assert_eq!(found[part], right[part], "{before}{behind}");
        }
        let findings = found["findings"].as_array().expect("findings");
        let astray = findings.iter().find(|f| f["code"] == "astray-times");
        let astray = astray.unwrap_or_else(|| panic!("{before}{behind}"));
        assert_eq!(astray["evidence"]["streams"], streams);
    }
}

#[test]
fn logs_of_two_times_are_both_read() {
    let log = read("logs/healthy.log");
    let both = log.replace("Nov/2026", "Jan/2026") + &log;
    let ran = run_on(both.as_bytes(), &["-o", "json", "--bin", "1h", "-"]);
    let report = ran.report();
    assert_eq!(report["streams"]["ended"], 2 * 353);
    let first = report["window"]["start"].as_str().expect("a time");
    assert!(first.starts_with("2026-01-29"), "{first}");
}

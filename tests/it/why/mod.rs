//! `--why`: the numbers behind a verdict, and the verdict redone from them.

mod redo;

use serde_json::{Value, json};

use crate::fixture::read;
use crate::program::{Folder, Ran, run, run_on};
use crate::simulated::{cases, run_case};
use redo::{Redone, list, number};

const LEAK: &str = "fixtures/real-logs/leak/nginx-rt.log";

fn why(more: &[&str]) -> Ran {
    run(&[&["--why", "--bin", "5s", LEAK], more].concat())
}

/// The workings of a case.
fn workings(name: &str) -> Value {
    run_case(name, &["--why", "-o", "json"]).report()
}

/// What of two numbers differs, if they do.
fn apart(what: &str, found: f64, expected: f64) -> Option<String> {
    let near = (found - expected).abs() <= 1e-9 * expected.abs().max(1.0);
    (!near).then(|| format!("{what}: {found:e}, expected {expected:e}"))
}

/// What of a climb differs from what its own slices come to.
fn redone(name: &str, climb: &Value, rules: &Value) -> Vec<String> {
    let redone = Redone::of(climb, rules);
    let test = &climb["test"];
    let mut all = vec![
        ("rise", redone.rise, &test["rise"]),
        ("level", redone.level, &test["level"]),
        ("threshold", redone.threshold, &climb["threshold"]),
    ];
    // Where a line fits exactly t is rounding over the least error.
    if number(&test["se"]) * number(&test["length"]) > 2e-9 {
        all.push(("t", redone.t, &test["t"]));
        all.push(("p", redone.p, &test["p"]));
    }
    let wrong = all.into_iter().filter_map(|(what, redone, found)| {
        apart(&format!("{name} {what}"), number(found), redone)
    });
    let mut wrong: Vec<String> = wrong.collect();
    let alpha = number(&climb["alpha"]);
    if !climb["shape"].is_null() && !redone.rises(alpha) {
        wrong.push(format!("{name}: a shape without a rise"));
    }
    wrong
}

#[test]
fn every_case_can_be_redone_from_the_json_alone() {
    let mut wrong = Vec::new();
    let mut climbs = 0;
    let mut flagged = 0;
    for name in cases().as_object().expect("cases by name").keys() {
        let why = workings(name);
        for endpoint in list(&why["detector"]["endpoints"]) {
            let redone_verdict = redo::verdict(endpoint);
            if endpoint["verdict"] != redone_verdict {
                let said = &endpoint["verdict"];
                wrong.push(format!("{name}: {said}, not {redone_verdict}"));
            }
            let analysis = &endpoint["analysis"];
            flagged += list(&analysis["flagged"]).len();
            for climb in list(&analysis["climbs"]) {
                wrong.extend(redone(name, climb, &why["settings"]));
                climbs += 1;
            }
        }
    }
    assert!(climbs >= 40 && flagged >= 5, "{climbs} {flagged}");
    assert_eq!(wrong, [""; 0], "{wrong:#?}");
}

#[test]
fn the_page_is_the_one_that_was_looked_at() {
    let ran = why(&[]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    let page = include_str!("page.txt");
    assert!(ran.out == page, "{}", ran.out);
}

#[test]
fn the_exit_status_is_that_of_the_report() {
    for args in [
        &[LEAK, "--bin", "5s"][..],
        &[LEAK],
        &["fixtures/logs/healthy.log"],
        &["fixtures/real-logs/leak/nginx-combined.log"],
        &["/nowhere/at.all"],
        &[LEAK, "--path", "/nothing/here", "--none-ok"],
    ] {
        let plain = run(args);
        let page = run(&[args, &["--why"]].concat());
        let document = run(&[args, &["--why", "-o", "json"]].concat());
        assert_eq!(
            (page.status, document.status),
            (plain.status, plain.status)
        );
        assert_eq!((&page.err, &document.err), (&plain.err, &plain.err));
        assert!(page.out.starts_with("the numbers behind "), "{}", page.out);
        let fits = page.out.lines().all(|line| line.len() <= 80);
        assert!(fits, "{}", page.out);
        assert_eq!(document.report()["schema"], 2);
    }
}

#[test]
fn it_is_quiet_goes_to_a_file_and_is_no_table_of_bins() {
    let healthy = "fixtures/logs/healthy.log";
    assert_eq!(run(&[healthy, "--why", "--quiet"]).out, "");
    let folder = Folder::new();
    let path = folder.write("why.txt", b"");
    let ran = why(&["--output-file", &path]);
    assert_eq!((ran.status, ran.out.as_str()), (1, ""));
    let written = std::fs::read_to_string(&path).expect("the page");
    assert_eq!(written, why(&[]).out);
    for output in ["csv", "nagios"] {
        let refused = why(&["-o", output]);
        assert!(refused.out.is_empty() && refused.err.contains("--why"));
    }
    assert_eq!(why(&["--explain"]).status, 2);
}

#[test]
fn a_pipe_and_several_files_have_the_numbers_of_one_file() {
    let text = read("real-logs/leak/nginx-rt.log");
    let numbers = |ran: &Ran| {
        let report = ran.report();
        assert_eq!(ran.status, 1);
        (report["detector"].clone(), report["log"]["inputs"].clone())
    };
    let json = ["--why", "--bin", "5s", "-o", "json"];
    let (one, _) = numbers(&run(&[&json[..], &[LEAK]].concat()));
    let (piped, inputs) =
        numbers(&run_on(text.as_bytes(), &[&json[..], &["-"]].concat()));
    assert_eq!(piped, one);
    assert_eq!(inputs[0]["name"], "-");
    let middle = text.match_indices('\n').nth(400).expect("a line").0 + 1;
    let (head, tail) = text.split_at(middle);
    let folder = Folder::new();
    let head = folder.write("a.log", head.as_bytes());
    let tail = folder.write("b.log", tail.as_bytes());
    let (split, inputs) =
        numbers(&run(&[&json[..], &[&tail, &head]].concat()));
    assert_eq!(split, one);
    let records = |at: usize| inputs[at]["records"].as_u64().expect("a count");
    assert_eq!((records(0), records(1)), (401, 827 - 401));
}

#[test]
fn what_a_log_is_held_against_is_shown() {
    let healthy = "fixtures/logs/healthy.log";
    let args = ["--why", "-o", "json", "--baseline", healthy, healthy];
    let why = run(&args).report();
    assert_eq!(why["log"]["baseline"]["name"], healthy);
    let level = &why["detector"]["level"];
    assert_eq!((&level["p"], &level["higher"]), (&json!(0.5), &json!(false)));
    assert_eq!(why["detector"]["basis"], "judge");
}

#[test]
fn what_clients_log_is_shown_and_not_obeyed() {
    let hostile = "\\x1B]0;owned\\x07\\xC2\\x9B31m\\xE2\\x80\\xAE";
    let text = read("real-logs/leak/nginx-rt.log");
    let log =
        text.replace("claude-code/2.1.231 (cli)\"", &format!("{hostile}\""));
    assert_ne!(log, text);
    for output in ["table", "json"] {
        let args = ["--why", "--bin", "5s", "-", "-o", output];
        let ran = run_on(log.as_bytes(), &args);
        assert_eq!(ran.status, 1, "{}", ran.err);
        let obeyed = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!ran.out.contains(obeyed), "{}", ran.out);
        assert!(ran.out.contains("owned"), "{}", ran.out);
        assert!(ran.out.is_ascii(), "{}", ran.out);
    }
}

//! `--why`: the numbers behind a verdict, and the verdict redone from them.

mod redo;

use serde_json::{Value, json};

use crate::fixture::read;
use crate::program::{Folder, Ran, run, run_on};
use crate::simulated::{cases, log, run_case, run_log};
use redo::{Redone, list, number, unexplained};

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

/// What of a window differs from what its own slices and keys come to.
fn redone(name: &str, window: &Value, rules: &Value) -> Vec<String> {
    let redone = Redone::of(window, rules);
    let (slope, size) = (&window["slope"], &window["size"]);
    // Where a line fits exactly t is rounding over the least error.
    let exact = redone.se * number(&window["slices"][0]["slice_s"]) < 1.2e-7;
    let mut all = vec![
        ("slope", redone.slope, &slope["slope_per_min"]),
        ("se", redone.se, &slope["se_per_min"]),
        ("rise", redone.rise, &size["rise"]),
        ("level", redone.level, &size["level"]),
        ("threshold", redone.threshold, &size["threshold"]),
    ];
    if !exact {
        all.push(("t", redone.t, &slope["t"]));
        all.push(("p", redone.p, &slope["p"]));
        all.push(("still", redone.still, &window["shape"]["still"]));
    }
    let opens = &window["opens"];
    if let Some(l) = opens.is_object().then(|| unexplained(opens)).flatten() {
        all.push(("L", l, &opens["unexplained"]));
    }
    let wrong = all.into_iter().filter_map(|(what, redone, found)| {
        apart(&format!("{name} {what}"), number(found), redone)
    });
    wrong.collect()
}

// The numbers are those of the detector's reference; see
// `fixtures/reference/README.md`.
#[test]
fn every_case_of_the_reference_can_be_redone_from_the_json_alone() {
    let mut wrong = Vec::new();
    let mut asked = 0;
    for (name, case) in cases().as_object().expect("cases by name") {
        let why = workings(name);
        let (rules, detector) = (&why["thresholds"], &why["detector"]);
        let decided = &detector["decision"]["decided"];
        let verdict = case["verdict"].as_str().expect("a verdict");
        if verdict == "insufficient" {
            assert_eq!(decided["rule"], "enough", "{name}");
            continue;
        }
        let parts = [("E", "superseded"), ("N", "total")];
        for (part, key) in parts {
            let windows = list(&detector[key]);
            assert_eq!(windows.len(), list(&case[part]).len(), "{name}");
            for (window, block) in windows.iter().zip(list(&case[part])) {
                let name = format!("{name} {part} {}", window["name"]);
                wrong.extend(redone(&name, window, rules));
                wrong.extend(unlike(&name, window, block));
                asked += u32::from(window["opens"].is_object());
            }
        }
        // The reference knows nothing of cycling and what came after it.
        let class = redo::class(&why);
        let verdict = match verdict {
            "leak" => "climbing",
            "saturated" => "stacked",
            "growth" => "growing",
            "step" => "stepped",
            other => other,
        };
        if verdict != class {
            wrong.push(format!("{name}: {class}, expected {verdict}"));
        }
        let rule = decided["rule"].as_str().expect("a rule");
        let said = match (rule, decided["class"].as_str().expect("a class")) {
            (_, "cycling" | "storm") | ("rhythm" | "level", "stacked") => {
                "flat"
            }
            (_, class) => class,
        };
        if said != class {
            wrong.push(format!("{name}: {said}, redone {class}"));
        }
    }
    assert!(asked >= 10, "{asked}");
    assert_eq!(wrong, [""; 0], "{wrong:#?}");
}

/// What of a window differs from the reference.
fn unlike(name: &str, window: &Value, block: &Value) -> Vec<String> {
    let (slope, size) = (&window["slope"], &window["size"]);
    let exact = number(&block["se"]) * number(&block["m"]) < 2e-9;
    let mut all = vec![
        ("slope", &slope["slope_per_min"]),
        ("rise", &size["rise"]),
        ("level", &size["level"]),
        ("thr", &size["threshold"]),
        ("occ", &window["shape"]["occupancy"]),
        ("step_r2", &window["step"]["r2"]),
    ];
    if !exact {
        all.extend([("se", &slope["se_per_min"]), ("rho", &slope["rho"])]);
    }
    if block.get("L").is_some() {
        let opens = &window["opens"];
        all.push(("L", &opens["unexplained"]));
        all.push(("Lseg", &opens["segment_unexplained"]));
    }
    let wrong = all.into_iter().filter_map(|(what, found)| {
        let expected = number(&block[what]);
        let near =
            (number(found) - expected).abs() < 1e-7 * expected.abs().max(1.0);
        (!near).then(|| format!("{name} {what}: {found}, not {expected}"))
    });
    wrong.collect()
}

// One of them with its numbers as the reference has them: the last quarter
// of `leak_late` in `fixtures/reference/cases_expected.json`.
#[test]
fn the_quarter_in_which_a_late_leak_shows_has_the_references_numbers() {
    let why = workings("leak_late");
    let windows = list(&why["detector"]["superseded"]);
    let window = windows.iter().find(|w| w["opens"].is_object());
    let window = window.expect("a window that climbs");
    assert_eq!(
        (&window["name"], &window["class"]),
        (&json!("4/4"), &json!("climbing"))
    );
    assert_eq!(window["slope"]["shared_by"], 8);
    let redone = Redone::of(window, &why["thresholds"]);
    let l = unexplained(&window["opens"]).expect("all of its keys");
    for (what, redone, reference) in [
        ("slope", redone.slope, 0.453_459_080_886_655_2),
        ("se", redone.se, 0.031_124_394_032_920_336),
        ("t", redone.t, 14.569_250_100_324_222),
        ("p", redone.p, 2.312_274_275_308_603e-8),
        ("rise", redone.rise, 38.997_480_956_252_35),
        ("level", redone.level, 0.0),
        ("still", redone.still, 0.542_769_465_752_575_2),
        ("threshold", redone.threshold, 3.0),
        ("L", l, 21.376_965_832_347_92),
    ] {
        let error = (redone - reference).abs();
        assert!(error <= 1e-6 * reference.abs(), "{what}: {redone}");
    }
}

// A stream more every 40 s, and a restart every ten minutes.
#[test]
fn the_common_slope_between_restarts_can_be_redone() {
    let tooth = |tooth: i32| {
        let stop = f64::from(tooth * 600 + 590);
        let opened = (0..14).map(move |k| tooth * 600 + k * 37 + k * k % 7);
        opened.map(f64::from).map(move |at| (at, stop - at, "a"))
    };
    let streams: Vec<_> = (0..8).flat_map(tooth).collect();
    let why = ["--why", "-o", "json"];
    let why = run_log(&log(&streams, 4_800.0), &why).report();
    let pooled = &why["detector"]["pooled"];
    assert_eq!(list(&pooled["slices"]).len(), 8);
    assert_eq!(pooled["class"], "climbing");
    let [slope, se, df, rise] = redo::pooled(pooled);
    let (test, size) = (&pooled["slope"], &pooled["size"]);
    let wrong: Vec<String> = [
        apart("slope", number(&test["slope_per_min"]), slope),
        apart("se", number(&test["se_plain_per_min"]), se),
        apart("df", number(&test["df"]), df),
        apart("rise", number(&size["rise"]), rise),
    ]
    .into_iter()
    .flatten()
    .collect();
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
        assert_eq!(document.report()["schema"], 1);
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
    let (total, level) =
        (&why["detector"]["total"][0], &why["detector"]["level"]);
    let (slope, base) = (&total["slope"], &total["slope"]["baseline"]);
    // A fall in the baseline is none: t is held against 0 then.
    let of = |value: &Value, name: &str| number(&value[name]);
    let error = of(slope, "se_per_min").hypot(of(base, "se_per_min"));
    let t = (of(slope, "slope_per_min") - of(base, "slope_per_min")) / error;
    assert_eq!(apart("t", of(slope, "t"), t), None);
    assert_eq!(slope["df"], 20.0);
    assert_eq!((&level["p"], &level["higher"]), (&json!(0.5), &json!(false)));
    let said = list(&why["detector"]["decision"]["rules"]);
    let level = said.iter().find(|rule| rule["rule"] == "level");
    assert!(level.is_some_and(|rule| rule["class"].is_null()));
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

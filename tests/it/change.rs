//! What would change a verdict is said with every one of them.

use serde_json::Value;

use crate::program::{Ran, run, run_on};
use crate::simulated::{log, run_case, run_log};

const LEAK: &str = "fixtures/real-logs/leak/nginx-rt.log";

/// The verdict and what would change it.
fn said(ran: &Ran) -> (String, String) {
    let report = ran.report();
    let text = |name: &str| match &report[name] {
        Value::String(text) => text.clone(),
        other => panic!("{name}: {other}"),
    };
    (text("verdict"), text("would_change"))
}

fn case(name: &str, more: &[&str]) -> (String, String) {
    said(&run_case(name, &[&["-o", "json"], more].concat()))
}

#[track_caller]
fn check(found: (String, String), verdict: &str, change: &str) {
    assert_eq!((found.0.as_str(), found.1.as_str()), (verdict, change));
}

#[test]
fn a_quiet_log_says_which_climb_would_have_been_one() {
    check(
        case("flat_nat_mginf", &[]),
        "flat",
        "Would be a leak if superseded streams rose by >= 14.0 in 5 h 25 min \
         with p < 0.0014 (here -3.18, p = 0.82)",
    );
    check(
        case("flat_deploys_nat", &[]),
        "cycling",
        "Would be a leak if superseded streams rose by >= 13.6 in 1 h 17 min \
         with p < 0.0005 (here -0.03, p = 0.77)",
    );
}

#[test]
fn growth_says_how_little_opens_would_have_to_explain() {
    check(
        case("growth_nat_diurnal", &[]),
        "growing",
        "Would be a leak if more opens explained <= 30% of the rise (here 95%)",
    );
    let (verdict, change) = case("growth_diurnal", &[]);
    assert_eq!(verdict, "growing");
    let needs = "Would be a leak if superseded streams rose by >= 3.0 in ";
    assert!(change.starts_with(needs), "{change}");
}

#[test]
fn a_step_says_which_climb_would_have_been_a_leak() {
    let (verdict, change) = case("step_two_streams", &[]);
    assert_eq!(verdict, "stepped");
    let needs = "Would be a leak if ";
    assert!(change.starts_with(needs), "{change}");
}

#[test]
fn a_climb_says_what_would_clear_it() {
    check(
        case("leak_plus5", &[]),
        "climbing",
        "Would not be a leak if p >= 0.0013, or the rise were < 3.0",
    );
    // A least rise above that of the window is not enough, as the common
    // slope of all segments decides then; one above both is.
    let with = |least: &str| case("leak_plus5", &["--min-rise", least]).0;
    assert_eq!(with("4.9"), "climbing");
    assert_ne!(with("5"), "climbing");
    check(
        case("leak_article_10min", &[]),
        "climbing",
        "Would not be a leak if p >= 0.01, or the rise were < 3.0",
    );
}

#[test]
fn a_plateau_says_what_would_clear_it() {
    let (verdict, change) = case("saturated_cap", &[]);
    assert_eq!(verdict, "stacked");
    assert!(change.starts_with("Would not be a leak if p >= "), "{change}");
    // Five at once all along, one every minute.
    let streams: Vec<_> =
        (-5..60).map(|k| (f64::from(k) * 60.0, 300.0, "a")).collect();
    let log = log(&streams, 3_600.0);
    check(
        said(&run_log(&log, &["-o", "json"])),
        "stacked",
        "Would not be a leak if the openings were so uneven that p >= 0.001",
    );
}

#[test]
fn a_storm_says_how_much_slower_would_be_none() {
    let streams: Vec<_> =
        (0..600).map(|k| (f64::from(k) * 3.0, 0.5, "a")).collect();
    check(
        said(&run_log(&log(&streams, 1_800.0), &["-o", "json"])),
        "storm",
        "Would not be a storm if streams lasted > 2 s, or were opened again \
         > 4.5 s later",
    );
}

#[test]
fn streams_that_multiply_say_how_few_would_not() {
    // Each stream of 300 s begets two a second after it ends.
    let mut streams = Vec::new();
    let mut waiting = vec![10.0];
    while let Some(at) = waiting.pop() {
        if at < 2_400.0 {
            streams.push((at, 300.0, "a"));
            waiting.extend([at + 301.0, at + 301.3]);
        }
    }
    let ran = run_log(&log(&streams, 2_700.0), &["-o", "json"]);
    let (verdict, change) = said(&ran);
    assert_eq!(verdict, "climbing");
    let told = "opened beyond one for each that ended";
    assert!(change.contains(told), "{change}");
    let summary = ran.report()["summary"].to_string();
    assert!(summary.contains("multiply"), "{summary}");
}

#[test]
fn a_log_that_cannot_answer_says_what_is_missing() {
    check(
        case("insufficient_3", &[]),
        "unknown",
        "Could be judged with 5 streams or more (here 3)",
    );
    check(
        case("insufficient_3min", &[]),
        "unknown",
        "Could be judged with about 4 min more of the log",
    );
    let bare = "fixtures/real-logs/leak/nginx-combined.log";
    for (ran, told) in [
        (run(&[bare, "-o", "json"]), "a log that tells how long "),
        (run_on(b"", &["-", "-o", "json"]), "a log with records in it"),
        (run_on(b"%PDF\n", &["-", "-o", "json"]), "a --log-format that "),
        (run(&[LEAK, "--path", "/x", "-o", "json"]), "the --path or "),
        (run(&[LEAK, "--min-hold", "9h", "-o", "json"]), "a shorter --min-"),
    ] {
        let (verdict, change) = said(&ran);
        assert_eq!(verdict, "unknown");
        let needs = format!("Could be judged with {told}");
        assert!(change.starts_with(&needs), "{change}");
    }
}

#[test]
fn it_stands_in_the_table_below_the_verdict() {
    let table = run(&[LEAK, "--bin", "5s", "--no-plot"]).out;
    let mut lines = table.lines();
    let below = lines.find(|line| line.starts_with("what if     "));
    let below = below.unwrap_or_else(|| panic!("{table}"));
    assert!(below.ends_with("if p >= 0.0033, or the rise were < 3.8"));
    let place = table.find(below).expect("the line");
    assert!(table.starts_with("CLIMBING: "), "{table}");
    assert!(place < table.find("\nfault ").unwrap_or(table.len()), "{table}");
}

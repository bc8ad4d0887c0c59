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
        "superseded streams that rise by 14.0 or more in the 5 h 25 min to \
         2026-11-29T17:25:35.049Z with a p below 0.0014 (here -3.2, p = \
         0.8173), and no more opens to explain it",
    );
    check(
        case("flat_deploys_nat", &[]),
        "cycling",
        "superseded streams that rise by 13.6 or more in the 77 min to \
         2026-11-29T17:55:00Z with a p below 0.0005 (here +0.0, p = 0.7706), \
         and no more opens to explain it; to flat alone, fewer than 70 % of \
         the streams at the ceiling of 5 min (97 % are) or fewer than 70 % \
         of them opened again (99 % are)",
    );
}

#[test]
fn growth_says_how_little_opens_would_have_to_explain() {
    check(
        case("growth_nat_diurnal", &[]),
        "growing",
        "opens that explain no more than 30 % of the rise (they explain 95 \
         %) and no more than 50 % of that of the whole stretch (95 %); \
         --silent-clients tells whether the new clients ask for anything \
         beside streams",
    );
    let (verdict, change) = case("growth_diurnal", &["--silent-clients"]);
    assert_eq!(verdict, "growing");
    assert!(change.starts_with("superseded streams that rise by 3.0 or more"));
    assert!(!change.contains("--silent-clients"), "{change}");
}

#[test]
fn a_step_says_what_must_happen_after_it_and_how_long_that_takes() {
    check(
        case("step_two_streams", &[]),
        "stepped",
        "a level that itself climbs after 2026-11-29T14:59:30Z: superseded \
         streams that rise by 3.0 or more, which the log is long enough to \
         show",
    );
    // The same log, cut 34 min after the step and 24 min later: its last
    // quarter must come to lie after the step.
    let cut = |until: &str| {
        let until = format!("2026-11-29T{until}:00Z");
        let (verdict, change) = case("step_two_streams", &["--until", &until]);
        assert_eq!(verdict, "stepped");
        change
    };
    let (short, long) = (cut("15:34"), cut("15:58"));
    let shows = ", which about 24 min more of the log can show";
    assert!(short.ends_with(shows), "{short}");
    assert!(long.ends_with(" the log is long enough to show"), "{long}");
}

#[test]
fn a_climb_says_what_would_clear_it() {
    check(
        case("leak_plus5", &[]),
        "climbing",
        "opens that explain more than 30 % of it (they explain 0 %), or a p \
         of 0.0013 or more (p < 0.0001), or a rise below 3.0 (4.8), or a \
         healthy --baseline that climbs as steeply; and the same of the \
         common slope of all stretches",
    );
    // A least rise above that of the window is not enough; one above both
    // is.
    let with = |least: &str| case("leak_plus5", &["--min-rise", least]).0;
    assert_eq!(with("4.9"), "climbing");
    assert_ne!(with("5"), "climbing");
    check(
        case("leak_article_10min", &[]),
        "climbing",
        "a p of 0.01 or more (p < 0.0001), or a rise below 3.0 (8.9), or a \
         healthy --baseline that climbs as steeply; it would be growing \
         then; no number of opens, while 5 of 5 superseded streams stay open for half the time",
    );
}

#[test]
fn a_plateau_asks_for_a_finer_key() {
    check(
        case("saturated_cap", &[]),
        "stacked",
        "opens that explain more than 30 % of it (they explain 0 %), or a \
         finer key, such as --key session, of which each holds one stream; \
         to climbing, a rise that goes on after 2026-11-29T14:50:58Z",
    );
    // Five at once all along, one every minute.
    let streams: Vec<_> =
        (-5..60).map(|k| (f64::from(k) * 60.0, 300.0, "a")).collect();
    let log = log(&streams, 3_600.0);
    let (verdict, change) = said(&run_log(&log, &["-o", "json"]));
    assert_eq!(verdict, "stacked");
    let needs = "openings so uneven that p is 0.001 or more (p < 0.0001), or \
                 a finer key, such as --key session, of";
    assert!(change.starts_with(needs), "{change}");
    let key = ["--key", "session", "-o", "json"];
    let (_, change) = said(&run_log(&log, &key));
    assert!(change.contains("a key finer than the session"), "{change}");
}

#[test]
fn a_storm_says_how_much_slower_would_be_none() {
    let streams: Vec<_> =
        (0..600).map(|k| (f64::from(k) * 3.0, 0.5, "a")).collect();
    let (verdict, change) =
        said(&run_log(&log(&streams, 1_800.0), &["-o", "json"]));
    assert_eq!(verdict, "storm");
    let told = "streams that are held for more than 2.0 s or opened again \
                more than 4.5 s later (the worst opened one every 3.0 s), or \
                fewer than 60 in a row";
    assert_eq!(change, told);
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
    let told = "openings beyond one for each stream that ended";
    assert!(change.contains(told), "{change}");
    let summary = ran.report()["summary"].to_string();
    assert!(summary.contains("multiply"), "{summary}");
}

#[test]
fn a_log_that_cannot_answer_says_what_is_missing() {
    check(
        case("insufficient_3", &[]),
        "unknown",
        "5 streams or more; here are 3",
    );
    check(
        case("insufficient_3min", &[]),
        "unknown",
        "about 4 min more of the log",
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
        assert!(change.starts_with(told), "{change}");
    }
}

#[test]
fn it_stands_in_the_table_below_the_verdict() {
    let table = run(&[LEAK, "--bin", "5s", "--no-plot"]).out;
    let mut lines = table.lines();
    let below = lines.find(|line| line.starts_with("changed by  "));
    let below = below.unwrap_or_else(|| panic!("{table}"));
    assert!(below.starts_with("changed by  a p of 0.00"), "{below}");
    let place = table.find(below).expect("the line");
    assert!(table.starts_with("CLIMBING: "), "{table}");
    assert!(place < table.find("\nfault ").unwrap_or(table.len()), "{table}");
}

//! What the streams cost, and when a limit is reached.

use serde_json::Value;
use streamleak::internal::time::{Micros, rfc3339};

use crate::program::{Ran, run_on};

/// 2026-11-29T00:00:00Z, the start of the logs below.
const MIDNIGHT: Micros = Micros::from_secs(1_795_910_400);

/// The record of a request by this client that was over at this second.
fn record(end: u64, hold: u64, path: &str, client: u64) -> (u64, String) {
    let (hour, minute, second) = (end / 3600, end / 60 % 60, end % 60);
    let text = format!(
        "10.0.{}.{} - - [29/Nov/2026:{hour:02}:{minute:02}:{second:02} \
         +0000] \"GET {path} HTTP/1.1\" 200 9 \"-\" \"node\" {hold}.000\n",
        client / 200,
        client % 200
    );
    (end, text)
}

/// Analyses the records, in their order, between a first and a last request
/// that are no streams.
fn analysed(
    mut records: Vec<(u64, String)>,
    seconds: u64,
    args: &[&str],
) -> Ran {
    records.push(record(0, 0, "/", 0));
    records.push(record(seconds, 0, "/", 0));
    records.sort_by_key(|(end, _)| *end);
    let log: String = records.into_iter().map(|(_, text)| text).collect();
    run_on(log.as_bytes(), &[&["-"], args].concat())
}

const LISTEN: &str = "/subscriptions/listen";

/// Four hours of a client that holds one stream after the other for a minute
/// each, and of one that opens one every 10 minutes and holds it for 30: one
/// and three are open all along, two of them superseded. Of the last half
/// hour it is not known.
fn steady(args: &[&str]) -> Ran {
    let minutes = (0..=240).map(|n| record(n * 60, 60, LISTEN, 1));
    let tens = (0..=24).map(|n| record(n * 600, 1800, LISTEN, 2));
    analysed(minutes.chain(tens).collect(), 4 * 3600, args)
}

/// Slices of five minutes, in each of which so many clients hold a stream
/// each; the last one is not known.
fn slices(open: &[u64], args: &[&str]) -> Value {
    let one = |(slice, open): (usize, &u64)| {
        let end = (slice as u64 + 1) * 300;
        let clients = 1..=*open;
        let streams = clients.map(move |n| record(end, 300, LISTEN, end + n));
        streams.collect::<Vec<_>>()
    };
    let records = open.iter().enumerate().flat_map(one).collect();
    let seconds = (open.len() as u64 + 1) * 300;
    analysed(records, seconds, &[args, &["-o", "json"]].concat()).report()
}

/// How long after midnight a time in a report is.
fn since(time: &Value) -> Micros {
    let clock = rfc3339(time.as_str().expect("a time").as_bytes());
    clock.expect("RFC 3339").at - MIDNIGHT
}

#[track_caller]
fn near(found: &Value, expected: f64) {
    let found = found.as_f64().expect("a number");
    assert!((found - expected).abs() < 1e-9, "{found}, not {expected}");
}

#[test]
fn stream_hours_and_what_they_cost_are_those_a_hand_counts() {
    let priced = ["--price-per-hour", "0.25", "-o", "json"];
    let report = steady(&priced).report();
    let trusted = since(&report["window"]["trusted_until"]);
    assert_eq!(trusted, Micros::from_secs(12_600));
    // Three hours and a half of four streams, two of them superseded.
    for (name, expected) in [
        ("stream_hours", 14.0),
        ("superseded_hours", 7.0),
        ("stream_hours_per_day", 96.0),
        ("superseded_hours_per_day", 48.0),
        ("price_per_hour", 0.25),
        ("price", 3.5),
        ("wasted", 1.75),
        ("wasted_per_day", 12.0),
    ] {
        near(&report["cost"][name], expected);
    }
    let table = steady(&["--price-per-hour", "0.25", "--no-plot"]).out;
    let lines = "\ncost        7.0 of 14.0 trusted stream hours were \
                 superseded (50%): 48.0 a day\n            at 0.25 an \
                 hour: 1.75 of 3.50 wasted, 12.00 a day\n";
    assert!(table.contains(lines), "{table}");
    let nagios = steady(&["-o", "nagios"]).out;
    assert!(nagios.ends_with(" superseded_hours=48;;;0\n"), "{nagios}");
}

#[test]
fn without_a_price_there_is_no_money_and_without_streams_no_cost() {
    let report = steady(&["-o", "json"]).report();
    near(&report["cost"]["superseded_hours"], 7.0);
    for name in ["price_per_hour", "price", "wasted", "wasted_per_day"] {
        assert!(report["cost"][name].is_null(), "{name}");
    }
    let none = steady(&["-o", "json", "--path", "/nothing/here"]).report();
    assert!(none["cost"].is_null());
}

#[test]
fn a_price_that_is_none_is_refused() {
    for price in ["-1", "-0.01", "nan", "inf", "cheap", ""] {
        let ran = steady(&["--price-per-hour", price]);
        assert_eq!((ran.status, &*ran.out), (2, ""), "{price}");
        assert!(ran.err.contains("--price-per-hour"), "{}", ran.err);
    }
    let free = steady(&["--price-per-hour", "0", "-o", "json"]).report();
    near(&free["cost"]["wasted_per_day"], 0.0);
}

// Expected: where the edges of the 95 % band for a new observation around
// the line through these numbers, by statsmodels 0.15.0 (`OLS`,
// `get_prediction`), meet the limit, by scipy 1.17.1 (`brentq`).
#[test]
fn a_limit_has_the_interval_that_statsmodels_band_gives_it() {
    let open = [3, 5, 5, 8, 7, 9, 9, 11, 14, 13, 15, 15];
    let total = &slices(&open, &["--limit", "30"])["total"];
    for (name, expected) in [
        ("limit_at", 3696.5624999999995),
        ("limit_from", 2813.6626446255714),
        ("limit_until", 4828.21577877736),
    ] {
        let found = since(&total[name]).as_secs();
        let off = (found - 3600.0 - expected).abs();
        assert!(off < 1e-5, "{name}: {found}");
    }
    assert_eq!(total["limit_reached"], false);
}

#[test]
fn a_climb_that_may_be_none_may_never_reach_it() {
    let open = [5, 7, 4, 6, 8, 4, 5, 8, 6, 4, 8, 7];
    let report = slices(&open, &["--limit", "20"]);
    let total = &report["total"];
    assert!(total["ci_low"].as_f64() < Some(0.0));
    for (name, expected) in
        [("limit_at", 35737.50000000004), ("limit_from", 7847.510284400821)]
    {
        let off = (since(&total[name]).as_secs() - 3600.0 - expected).abs();
        assert!(off < 1e-5, "{name}");
    }
    assert!(total["limit_until"].is_null());
    let summary = report["summary"].as_str().expect("a sentence");
    let never = "The limit of 20 may never be reached (95%: not before \
                 2026-11-29T03:10:47Z).";
    assert!(summary.ends_with(never), "{summary}");
}

#[test]
fn a_limit_that_was_reached_has_the_time_it_first_was() {
    let open = [3, 5, 5, 8, 7, 9, 9, 11, 14, 13, 15, 15];
    let report = slices(&open, &["--limit", "11"]);
    let total = &report["total"];
    for name in ["limit_at", "limit_from", "limit_until"] {
        // The eighth slice of five minutes.
        assert_eq!(since(&total[name]), Micros::from_secs(2100), "{name}");
    }
    assert_eq!(total["limit_reached"], true);
    let summary = report["summary"].as_str().expect("a sentence");
    let told = "The limit of 11 was first reached at 2026-11-29T00:35:00Z.";
    assert!(summary.ends_with(told), "{summary}");
}

#[test]
fn a_number_that_does_not_climb_reaches_no_limit() {
    let report = steady(&["-o", "json", "--limit", "5"]).report();
    for name in ["limit_at", "limit_from", "limit_until"] {
        assert!(report["total"][name].is_null(), "{name}");
    }
    assert_eq!(report["total"]["limit_reached"], false);
    let table = steady(&["--limit", "5", "--no-plot"]).out;
    let words = table.split_whitespace().collect::<Vec<_>>().join(" ");
    let told = "is not reached at this rate";
    assert_eq!(words.matches(told).count(), 2, "{table}");
    let report = steady(&["-o", "json"]).report();
    assert!(report["total"]["limit_reached"].is_null());
    assert!(!report["summary"].to_string().contains("limit"));
}

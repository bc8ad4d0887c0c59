//! Logs made of streams by number: the cases of the reference, and others.

use serde_json::{Value, json};
use streamleak::internal::time::Micros;

use crate::fixture::read;
use crate::program::{Ran, run_on};

/// 2026-11-29T12:00:00Z.
pub(crate) const NOON: i64 = 1_795_953_600;

/// One line of a log of any JSON: when the request ended, how long it took
/// (both in seconds, from noon on), its path and its client.
pub(crate) fn line(end: f64, took: f64, path: &str, client: &str) -> String {
    let ts = Micros::from_secs(NOON) + Micros::from_secs_f64(end);
    let line = json!({
        "ts": ts.to_rfc3339(), "took": took, "url": path, "ip": client,
    });
    format!("{line}\n")
}

/// A log of these streams, opened, held, by whom; another request begins
/// it and another ends it.
pub(crate) fn log(streams: &[(f64, f64, &str)], length: f64) -> String {
    let path = "/subscriptions/listen";
    let stream = |&(opened, hold, client): &(f64, f64, &str)| {
        line(opened + hold, hold, path, client)
    };
    let streams: String = streams.iter().map(stream).collect();
    let other = |at: f64| line(at, 0.0, "/", "-");
    format!("{}{streams}{}", other(0.0), other(length))
}

/// Runs the program on such a log.
pub(crate) fn run_log(log: &str, more: &[&str]) -> Ran {
    let fields = "time=ts,duration=took,path=url,client=ip";
    let how = ["--field", fields, "--timestamp", "end"];
    let unit = ["--duration-unit", "s", "-"];
    run_on(log.as_bytes(), &[&how[..], &unit, more].concat())
}

/// The cases of the reference (see `fixtures/reference/README.md`).
pub(crate) fn cases() -> Value {
    let cases = read("reference/cases_expected.json");
    serde_json::from_str(&cases).expect("JSON")
}

/// Runs the program on one of them.
pub(crate) fn run_case(name: &str, more: &[&str]) -> Ran {
    let rows = read(&format!("reference/cases/{name}.ndjson"));
    let rows: Vec<Value> = rows
        .lines()
        .map(|row| serde_json::from_str(row).expect("a row of JSON"))
        .collect();
    let number = |value: &Value| value.as_f64().expect("a number");
    let clients: Vec<String> =
        rows.iter().map(|row| format!("client {}", row["client"])).collect();
    let stream = |(row, client)| {
        let (row, client): (&Value, &String) = (row, client);
        let (start, end) = (number(&row["start"]), number(&row["end"]));
        // Ends are whole seconds, holds whole milliseconds.
        let hold = ((end - start) * 1e3).round() / 1e3;
        (end - hold, hold, client.as_str())
    };
    let streams: Vec<_> = rows.iter().zip(&clients).map(stream).collect();
    run_log(&log(&streams, number(&cases()[name]["T1"])), more)
}

//! A real leak behind nginx, with what its clients saw.

use serde_json::Value;

use crate::fixture::read;
use crate::program::{Folder, Ran, run};

/// One stream as its client saw it.
struct Seen {
    start: f64,
    end: f64,
    /// Its target, which tells the client apart.
    path: String,
}

fn truth() -> Vec<Seen> {
    let rows: Vec<Value> =
        serde_json::from_str(&read("real-logs/leak/nginx.truth.json"))
            .expect("JSON");
    rows.iter()
        .filter_map(|row| {
            let path = row["path"].as_str()?.to_owned();
            let seen = Seen {
                start: row["start"].as_f64()?,
                end: row["end"].as_f64()?,
                path,
            };
            seen.path.starts_with("/subscriptions/listen?").then_some(seen)
        })
        .collect()
}

fn analysed(args: &[&str]) -> Ran {
    let all = [args, &["--bin", "5s", "-o", "json"]].concat();
    run(&all)
}

/// Seconds since 1970 of a time in a report.
fn seconds(text: &Value) -> f64 {
    let text = text.as_str().expect("a time");
    let clock = streamleak::internal::time::rfc3339(text.as_bytes());
    clock.expect("RFC 3339").at.as_secs()
}

/// The mean number open over `[from, until]`.
fn mean(truth: &[Seen], from: f64, until: f64) -> f64 {
    let part = |s: &Seen| (s.end.min(until) - s.start.max(from)).max(0.0);
    truth.iter().map(part).sum::<f64>() / (until - from)
}

/// The greatest difference between a report's means and the truth, over the
/// bins in which no more than five streams end within a second.
fn worst_bin(report: &Value) -> f64 {
    let truth = truth();
    let window = &report["window"];
    let (start, end) = (seconds(&window["start"]), seconds(&window["end"]));
    let bins = report["series"].as_array().expect("a series");
    assert!(bins.len() >= 36);
    let mut judged = 0;
    let mut worst = 0.0_f64;
    for bin in bins {
        let from = seconds(&bin["t"]);
        let ending = |at: f64| {
            let near = |s: &&Seen| s.end >= at && s.end < at + 1.0;
            truth.iter().filter(near).count()
        };
        // A stamp of a whole second may put an end into the bin before.
        if (-1..5).any(|n| ending(from + f64::from(n)) > 5) {
            continue;
        }
        let (from, until) = (from.max(start), (from + 5.0).min(end));
        let got = bin["mean"].as_f64().expect("a mean");
        worst = worst.max((got - mean(&truth, from, until)).abs());
        judged += 1;
    }
    assert!(judged >= 33, "{judged} bins could be judged");
    worst
}

#[test]
fn the_leak_is_climbing_and_its_client_is_named_first() {
    for (log, tolerance) in [("nginx-rt", 0.6), ("nginx-json", 0.05)] {
        let path = format!("fixtures/real-logs/leak/{log}.log");
        let ran = analysed(&[&path]);
        let report = ran.report();
        assert_eq!((ran.status, &*ran.err), (1, ""), "{log}");
        assert_eq!(report["verdict"], "climbing", "{log}");
        let first = &report["clients"][0]["user_agent"];
        assert_eq!(first, "claude-code/2.1.231 (cli)", "{log}");
        // The client opens as often all along.
        let summary = report["summary"].as_str().expect("a sentence");
        let share = "more opens explain none of it";
        assert!(summary.contains(share), "{log}: {summary}");
        let resets = report["window"]["resets"].as_array().expect("resets");
        let end = seconds(&report["window"]["end"]);
        assert!(resets.iter().any(|at| end - seconds(at) < 10.0), "{log}");
        let worst = worst_bin(&report);
        assert!(worst < tolerance, "{log}: off by {worst}");
    }
}

#[test]
fn a_limit_was_reached_when_its_clients_had_as_many_open() {
    let log = "fixtures/real-logs/leak/nginx-json.log";
    let report = analysed(&[log, "--limit", "20"]).report();
    let truth = truth();
    let open =
        |at: f64| truth.iter().filter(|s| s.start <= at && s.end > at).count();
    let starts = truth.iter().map(|s| s.start);
    let reached = starts.filter(|at| open(*at) >= 20);
    let reached = reached.fold(f64::INFINITY, f64::min);
    let at = seconds(&report["total"]["limit_at"]);
    assert!((at - reached).abs() < 0.05, "{at}, and clients {reached}");
    assert_eq!(report["total"]["limit_reached"], true);
}

#[test]
fn without_durations_the_same_capture_cannot_answer() {
    let ran = analysed(&["fixtures/real-logs/leak/nginx-combined.log"]);
    let report = ran.report();
    assert_eq!((ran.status, &report["verdict"]), (3, &"unknown".into()));
    let opens = report["series"].as_array().expect("a series").iter();
    let opens: u64 = opens.filter_map(|bin| bin["opens"].as_u64()).sum();
    assert_eq!(opens, 114);
    let finding = report["findings"].as_array().expect("findings");
    let finding = finding.iter().find(|f| f["code"] == "no-durations");
    let text = finding.expect("it is said")["text"].as_str();
    assert!(text.expect("a text").contains("streamleak setup nginx"));
}

/// The lines of the log that were written in its first two minutes.
fn two_minutes() -> Vec<String> {
    let text = read("real-logs/leak/nginx-json.log");
    let msec = |line: &str| -> f64 {
        let row: Value = serde_json::from_str(line).expect("JSON");
        row["msec"].as_str().expect("msec").parse().expect("seconds")
    };
    let end = msec(text.lines().next().expect("a line")) + 120.0;
    text.lines().filter(|line| msec(line) <= end).map(str::to_owned).collect()
}

/// The openings the clients made in the same two minutes, as nginx would
/// have mirrored them: with the request id of the line that ends them.
fn openings() -> String {
    let whole = read("real-logs/leak/nginx-json.log");
    let ends: Vec<Value> = whole
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let number = |row: &Value, key: &str| -> f64 {
        let value = &row[key];
        let text = value.as_str().map(|text| text.parse().expect("a number"));
        text.or_else(|| value.as_f64()).expect("a number")
    };
    let first = number(&ends[0], "msec");
    let started =
        |row: &Value| number(row, "msec") - number(row, "request_time");
    let of = |seen: &Seen| {
        let off = |row: &Value| (started(row) - seen.start).abs();
        ends.iter()
            .filter(|row| row["request_uri"] == *seen.path)
            .min_by(|a, b| off(a).total_cmp(&off(b)))
            .filter(|row| off(row) < 0.05)
            .expect("every stream was logged in the end")
    };
    let opened: Vec<Seen> = truth()
        .into_iter()
        .filter(|seen| seen.start <= first + 120.0)
        .collect();
    let line = |seen: &Seen| {
        let end = of(seen);
        format!(
            "{{\"msec\":\"{:.3}\",\"remote_addr\":\"127.0.0.1\",\
             \"request\":\"GET {} HTTP/1.1\",\"status\":204,\
             \"request_time\":0.000,\"http_user_agent\":{},\
             \"request_id\":{},\"ev\":\"open\"}}\n",
            seen.start, seen.path, end["http_user_agent"], end["request_id"]
        )
    };
    opened.iter().map(line).collect()
}

#[test]
fn cut_while_the_leak_is_open_the_log_is_quiet_and_says_what_it_cannot_show() {
    let folder = Folder::new();
    let cut =
        folder.write("cut.log", (two_minutes().join("\n") + "\n").as_bytes());
    let ran = analysed(&[&cut]);
    let report = ran.report();
    assert_eq!((ran.status, &report["verdict"]), (0, &"cycling".into()));
    let findings = report["findings"].as_array().expect("findings");
    assert!(findings.iter().any(|f| f["code"] == "never-closed"));
}

#[test]
fn with_the_openings_the_same_cut_log_is_climbing() {
    let folder = Folder::new();
    let cut =
        folder.write("cut.log", (two_minutes().join("\n") + "\n").as_bytes());
    let opens = folder.write("open.log", openings().as_bytes());
    let ran = analysed(&[&cut, &opens]);
    let report = ran.report();
    assert_eq!((ran.status, &report["verdict"]), (1, &"climbing".into()));
    let first = &report["clients"][0]["user_agent"];
    assert_eq!(first, "claude-code/2.1.231 (cli)");
    let open = report["streams"]["open"].as_u64().expect("a count");
    assert!(open >= 20, "{open} are known to be open");
    // The clients know what was open just before the cut.
    let end = seconds(&report["window"]["end"]);
    let there = truth();
    let there = there.iter().filter(|s| s.start <= end && s.end > end);
    assert!((there.count() as i64 - open as i64).abs() <= 1);
}

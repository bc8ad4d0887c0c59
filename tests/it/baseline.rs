//! A log held against a healthy one, or against a healthy stretch of itself.

use serde_json::Value;

use crate::program::{Folder, Ran, run, run_on};

const LISTEN: &str = "/subscriptions/listen";

/// A request that was over at this second of 2026-11-29.
fn record(end: u64, hold: u64, client: u64, path: &str) -> (u64, String) {
    let (hour, minute, second) = (end / 3600, end / 60 % 60, end % 60);
    let text = format!(
        "10.0.0.{client} - - [29/Nov/2026:{hour:02}:{minute:02}:{second:02} \
         +0000] \"GET {path} HTTP/1.1\" 200 9 \"-\" \"node\" {hold}.000\n"
    );
    (end, text)
}

/// The log of these requests, with one at both ends that is no stream.
fn log(mut records: Vec<(u64, String)>, from: u64, until: u64) -> String {
    records.retain(|(end, _)| (from..=until).contains(end));
    records.push(record(from, 0, 250, "/"));
    records.push(record(until, 0, 250, "/"));
    records.sort_by_key(|(end, _)| *end);
    records.into_iter().map(|(_, text)| text).collect()
}

/// Ten clients that hold one stream after the other, for a minute each.
fn minutes(until: u64) -> Vec<(u64, String)> {
    let one = |n: u64| {
        (0..=until / 60).map(move |m| record(m * 60 + 5 * n, 60, n, LISTEN))
    };
    (1..=10).flat_map(one).collect()
}

/// A client that opens a stream every two minutes and holds each for half an
/// hour, from this second on: 14 superseded ones once it has come so far.
fn stacked(from: u64, until: u64) -> Vec<(u64, String)> {
    let opened = (from..until).step_by(120);
    opened.map(|at| record(at + 1800, 1800, 99, LISTEN)).collect()
}

const HOUR: u64 = 3600;

/// Four hours of the minutes only.
fn healthy() -> String {
    log(minutes(4 * HOUR), 0, 4 * HOUR)
}

/// The four hours after them, in which 14 are superseded all along.
fn plateau() -> String {
    let records = [minutes(8 * HOUR), stacked(3 * HOUR, 8 * HOUR)].concat();
    log(records, 4 * HOUR, 8 * HOUR)
}

fn finding<'a>(report: &'a Value, code: &str) -> Option<&'a Value> {
    let findings = report["findings"].as_array().expect("findings");
    findings.iter().find(|finding| finding["code"] == code)
}

fn against(base: &str, log: &str, more: &[&str]) -> Ran {
    let folder = Folder::new();
    let base = folder.write("base.log", base.as_bytes());
    let args = ["-", "-o", "json", "--baseline", &base];
    run_on(log.as_bytes(), &[&args, more].concat())
}

#[test]
fn a_leak_that_had_levelled_off_shows_against_a_healthy_log() {
    let ran = against(&healthy(), &plateau(), &[]);
    let report = ran.report();
    assert_eq!((ran.status, &report["verdict"]), (1, &"stacked".into()));
    let summary = report["summary"].as_str().expect("a sentence");
    let told = "14.0 superseded streams are open on average, in the baseline \
                0.0 (p < 0.0001)";
    assert!(summary.starts_with(told), "{summary}");
    let base = &report["baseline"];
    assert!(base["name"].as_str().is_some_and(|n| n.ends_with("base.log")));
    assert_eq!(base["from"], "2026-11-29T00:00:00Z");
    // The last minute of the four hours is not all logged yet.
    assert_eq!(base["until"], "2026-11-29T03:59:00Z");
    assert_eq!(
        (&base["level"], &base["slope_per_hour"]),
        (&0.0.into(), &0.0.into())
    );
    let told = finding(&report, "baseline").expect("it is told");
    assert_eq!(told["severity"], "info");
    assert_eq!(told["evidence"]["level_here"], 14.0);
    assert!(finding(&report, "baseline-climbs").is_none());
}

#[test]
fn the_same_log_against_itself_is_quiet() {
    for log in [healthy(), plateau()] {
        let ran = against(&log, &log, &[]);
        let report = ran.report();
        let told = finding(&report, "baseline").expect("it is told");
        assert_eq!(told["evidence"]["level_p"], 0.5);
        let summary = report["summary"].as_str().expect("a sentence");
        assert!(!summary.contains("in the baseline 14"), "{summary}");
    }
    let ran = against(&healthy(), &healthy(), &[]);
    assert_eq!((ran.status, &ran.report()["verdict"]), (0, &"cycling".into()));
}

#[test]
fn more_people_behind_the_same_addresses_are_no_leak() {
    // Ten addresses, of which people hold one stream after the other.
    let people = |count: u64| {
        let one = |n: u64| {
            let minutes = 0..=240_u64;
            minutes
                .map(move |m| record(m * 60 + n * n % 60, 60, n % 10, LISTEN))
        };
        log((0..count).flat_map(one).collect(), 0, 4 * HOUR)
    };
    let report = against(&people(12), &people(50), &[]).report();
    assert_eq!(report["verdict"], "cycling");
    let evidence = &finding(&report, "baseline").expect("it")["evidence"];
    let of = |name: &str| evidence[name].as_f64().expect("a number");
    // Surely and largely higher: only the opens explain it.
    assert!(of("level_p") < 1e-6);
    assert!(of("level_here") - of("level") > of("level_least"));
    assert!(of("level_unexplained") < 1.0);
}

#[test]
fn a_stretch_of_the_log_is_held_against_what_comes_after_it() {
    let records = [minutes(8 * HOUR), stacked(4 * HOUR, 8 * HOUR)].concat();
    let log = log(records, 0, 8 * HOUR);
    let stretch = "2026-11-29 00:30..2026-11-29T04:00:00Z";
    let args = ["-", "-o", "json"];
    let with = |more: &[&str]| {
        run_on(log.as_bytes(), &[&args, more].concat()).report()
    };
    let report = with(&["--baseline", stretch]);
    assert_eq!(report["verdict"], "stacked");
    let base = &report["baseline"];
    assert!(base["name"].is_null());
    assert_eq!(base["from"], "2026-11-29T00:30:00Z");
    assert_eq!(base["until"], "2026-11-29T04:00:00Z");
    // What is judged is the log that begins where the stretch ends.
    let rest = with(&["--since", "2026-11-29T04:00:00Z"]);
    for name in ["window", "streams", "clients", "series", "cost"] {
        assert_eq!(report[name], rest[name], "{name}");
    }
    assert_eq!(report["window"]["start"], "2026-11-29T04:00:00Z");
}

#[test]
fn a_stretch_is_known_to_its_end_because_the_log_goes_on() {
    // Two of three streams of a client are superseded all along.
    let tens = (0..=48).map(|n| record(n * 600, 1800, 7, LISTEN));
    let log = log(tens.collect(), 0, 8 * HOUR);
    let stretch = "2026-11-29T00:00:00Z..2026-11-29T04:00:00Z";
    let args = ["-", "-o", "json", "--baseline", stretch];
    let report = run_on(log.as_bytes(), &args).report();
    let base = &report["baseline"];
    assert_eq!(base["until"], "2026-11-29T04:00:00Z");
    assert_eq!(
        (&base["level"], &base["slope_per_hour"]),
        (&2.0.into(), &0.0.into())
    );
}

/// A client that opens a stream a minute and closes them all at the end.
fn climb() -> String {
    let end = 4 * HOUR;
    let one = |m: u64| record(end, end - m * 60, 7, LISTEN);
    log((0..240).map(one).collect(), 0, end)
}

#[test]
fn a_baseline_that_climbs_as_steeply_silences_the_climb_and_is_warned_of() {
    let plain = run_on(climb().as_bytes(), &["-", "-o", "json"]).report();
    assert_eq!(plain["verdict"], "climbing");
    let ran = against(&climb(), &climb(), &[]);
    let report = ran.report();
    assert_eq!((ran.status, &report["verdict"]), (0, &"flat".into()));
    let p = report["trend"]["p_value"].as_f64().expect("a number");
    assert!((p - 0.5).abs() < 1e-9, "{p}");
    let warning = finding(&report, "baseline-climbs").expect("a warning");
    assert_eq!(warning["severity"], "warning");
    let slope = report["baseline"]["slope_per_hour"].as_f64();
    assert!((slope.expect("a number") - 60.0).abs() < 1.0, "{slope:?}");
    let summary = report["summary"].as_str().expect("a sentence");
    let told = "climbs no faster than in the baseline";
    assert!(summary.ends_with(told), "{summary}");
}

#[test]
fn a_stretch_that_falls_makes_no_climb_of_what_stays_level() {
    // One of 240 streams closed a minute; then two superseded all along.
    let fall = (1..240).map(|m| record(m * 60, m * 60 + 600 + m, 7, LISTEN));
    let tens = (0..=48).map(|n| record(n * 600, 1800, 9, LISTEN));
    let log = log(fall.chain(tens).collect(), 0, 8 * HOUR);
    let stretch = "2026-11-29..2026-11-29T04:00:00Z";
    let args = ["-", "-o", "json", "--baseline", stretch];
    let report = run_on(log.as_bytes(), &args).report();
    let slope = report["baseline"]["slope_per_hour"].as_f64();
    assert!((slope.expect("a number") + 60.0).abs() < 1.0, "{slope:?}");
    let p = report["trend"]["p_value"].as_f64().expect("a number");
    assert!((p - 0.5).abs() < 0.01, "{p}");
}

/// Four hours of a client that opens a stream every 20 s, and of a server
/// that closes all in a restart every quarter of an hour.
fn saw() -> String {
    let restarts = 1..=16_u64;
    let tooth = |n: u64| {
        let end = n * 900;
        (1..44).map(move |k| record(end, k * 20, 99, LISTEN))
    };
    log(restarts.flat_map(tooth).collect(), 0, 4 * HOUR)
}

#[test]
fn a_climb_between_restarts_is_held_against_the_baselines_too() {
    let plain = run_on(saw().as_bytes(), &["-", "-o", "json"]).report();
    assert_eq!(plain["verdict"], "climbing");
    let report = against(&saw(), &saw(), &[]).report();
    assert_ne!(report["verdict"], "climbing", "{}", report["summary"]);
}

#[test]
fn a_climb_stays_one_against_a_healthy_log() {
    let ran = against(&healthy(), &climb(), &[]);
    let report = ran.report();
    assert_eq!((ran.status, &report["verdict"]), (1, &"climbing".into()));
}

#[test]
fn the_baseline_is_read_with_the_same_options_and_never_cut_by_time() {
    let moved = healthy().replace(LISTEN, "/events");
    let ran = against(&moved, &plateau(), &[]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("no stream was found"), "{}", ran.err);
    let log = plateau().replace(LISTEN, "/events");
    let ran = against(&moved, &log, &["--path", "/events"]);
    assert_eq!(ran.report()["verdict"], "stacked");
    let since = ["--since", "2026-11-29T04:30:00Z"];
    let report = against(&healthy(), &plateau(), &since).report();
    assert_eq!(report["window"]["start"], "2026-11-29T04:30:00Z");
    assert_eq!(report["baseline"]["from"], "2026-11-29T00:00:00Z");
}

#[test]
fn a_baseline_that_cannot_be_judged_is_refused_with_the_reason() {
    let folder = Folder::new();
    let path = folder.write("access.log", plateau().as_bytes());
    let brief =
        folder.write("brief.log", log(minutes(120), 0, 120).as_bytes());
    // Ends of eight streams of half an hour, beside 33 minutes of others.
    let held = (0..8).map(|n| record(1800 + n * 20, 1800, 99, LISTEN));
    let held = [minutes(2000), held.collect()].concat();
    let long = folder.write("long.log", log(held, 0, 2000).as_bytes());
    let empty = folder.write("empty.log", b"");
    let garbage = folder.write("garbage.log", b"%PDF-1.7\n");
    let bare = "fixtures/real-logs/leak/nginx-combined.log";
    for (base, told) in [
        (&*brief, "cannot be judged: only"),
        (&*long, "cannot be judged: superseded streams are held for so"),
        (&*empty, "has no record with a time"),
        (&*garbage, "its format is not known"),
        (bare, "does not tell how long streams were held"),
        ("/nowhere/at.all", "neither a file nor two times"),
        ("/", "is a directory"),
        ("2026-11-29T00:00:00Z..soon", "neither a file nor two times"),
        ("2026-11-29T05:00:00Z..2026-11-29T04:00:00Z", "before it begins"),
        ("2026-11-28..2026-11-29", "is before the log, which begins at"),
        ("2026-11-29..2026-11-30", "leaves nothing to judge"),
        ("2026-11-29..2026-11-29T04:03:00Z", "cannot be judged: the last"),
    ] {
        let ran = run(&[&path, "--baseline", base]);
        assert_eq!((ran.status, &*ran.out), (2, ""), "{base}");
        let line = ran.err.lines().next().expect("a line");
        assert!(line.starts_with("streamleak: --baseline "), "{line}");
        assert!(ran.err.contains(told), "{base}: {}", ran.err);
        let nagios = run(&[&path, "--baseline", base, "-o", "nagios"]);
        assert_eq!(nagios.status, 3, "{base}");
    }
    let twice = run_on(b"", &["-", "--baseline", "-"]);
    assert_eq!(twice.status, 2);
    assert!(twice.err.contains("is the log already"), "{}", twice.err);
}

/// The openings and ends of ten clients that hold streams of five minutes for
/// four hours, with a restart in the first of them that closes all but a
/// stream of which no end was logged.
fn events() -> String {
    let restart = 1800;
    let line = |at: u64, what: &str, client: u64, id: &str| {
        let text = format!(
            "{{\"ts\":{},\"url\":\"{LISTEN}\",\"ip\":\"10.0.0.{client}\",\
             \"msg\":\"{what}\",\"sid\":\"{id}\"}}\n",
            1_795_910_400 + at
        );
        (at, text)
    };
    let mut lines = vec![line(1000, "open", 99, "lost")];
    for client in 1..=10 {
        let mut at = client * 29;
        while at < 4 * HOUR {
            let whole = at + 300;
            let cut = at < restart && whole > restart;
            let end = if cut { restart } else { whole };
            let id = format!("{client}-{at}");
            lines.push(line(at, "open", client, &id));
            if end <= 4 * HOUR {
                lines.push(line(end, "closed", client, &id));
            }
            at = end + if cut { client * 7 } else { 1 };
        }
    }
    lines.sort();
    lines.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn what_a_restart_in_the_stretch_closed_is_not_open_after_it() {
    let args = [
        "-",
        "-o",
        "json",
        "--field",
        "time=ts,path=url,client=ip,event=msg",
        "--open-event",
        "open",
        "--end-event",
        "closed",
        "--id-field",
        "sid",
        "--baseline",
        "2026-11-29..2026-11-29T02:00:00Z",
    ];
    let report = run_on(events().as_bytes(), &args).report();
    assert_eq!(report["verdict"], "cycling", "{}", report["summary"]);
    assert_eq!(report["streams"]["open"], 10);
    assert_eq!(report["streams"]["clients"], 10);
    assert!(finding(&report, "lost-at-restart").is_some());
}

//! Logs of several formats in one file, wherever the change stands.

use serde_json::Value;

use crate::program::{Folder, Ran, run, run_on};

/// More records than are looked at to tell the format, and more bytes than
/// one chunk.
const MANY: u32 = 30_000;

fn path(n: u32) -> &'static str {
    if n.is_multiple_of(100) { "/subscriptions/listen" } else { "/other" }
}

/// nginx `combined`, with what people append.
fn nginx(n: u32, tail: &str) -> String {
    let (minute, second) = (n / 60 % 60, n % 60);
    format!(
        "192.0.2.1 - - [29/Nov/2026:{:02}:{minute:02}:{second:02} +0000] \
         \"GET {} HTTP/1.1\" 200 9 \"-\" \"node\"{tail}\n",
        n / 3600,
        path(n),
    )
}

fn caddy(n: u32) -> String {
    format!(
        "{{\"level\":\"info\",\"ts\":{}.5,\"logger\":\"http.log.access\",\
         \"msg\":\"handled request\",\"request\":{{\"remote_ip\":\
         \"192.0.2.1\",\"proto\":\"HTTP/1.1\",\"method\":\"GET\",\"host\":\
         \"h\",\"uri\":\"{}\",\"headers\":{{\"User-Agent\":[\"node\"]}}}},\
         \"duration\":30.5,\"size\":9,\"status\":200}}\n",
        1_795_910_400 + n,
        path(n),
    )
}

/// The same log as a file and as a pipe, on one thread and on many.
fn every_way(log: &str) -> Value {
    let folder = Folder::new();
    let file = folder.write("access.log", log.as_bytes());
    let ran: [Ran; 3] = [
        run(&[&file, "-o", "json", "-j1"]),
        run(&[&file, "-o", "json", "-j8"]),
        run_on(log.as_bytes(), &["-", "-o", "json"]),
    ];
    let reports = ran.map(|ran| ran.report());
    for part in ["streams", "series"] {
        let same = |other: &Value| reports[0][part] == other[part];
        assert!(reports.iter().all(same), "{part}");
    }
    let [report, ..] = reports;
    report
}

#[test]
fn a_server_told_to_log_durations_may_go_on_in_the_same_file() {
    let log: String = (0..MANY)
        .map(|n| nginx(n, ""))
        .chain((MANY..2 * MANY).map(|n| nginx(n, " rt=30.000")))
        .collect();
    let report = every_way(&log);
    let input = &report["inputs"][0];
    assert_eq!(input["selected"], 2 * MANY / 100);
    let format = input["format"].as_str().expect("a name");
    assert!(format.contains("combined, combined + named"), "{format}");
    // The chunk the change is in may be read as what it began with.
    let ended = report["streams"]["ended"].as_u64().expect("a number");
    let lines = u64::from(MANY / 100);
    assert!((lines - 200..=lines).contains(&ended), "{ended} of {lines}");
    // What came before must not look like a time when nothing was open.
    assert_eq!(report["verdict"], "flat");
    let first = (0..3).map(|bin| report["series"][bin]["mean"].as_f64());
    assert!(first.max_by(|a, b| a.partial_cmp(b).unwrap()) > Some(Some(0.1)));
}

#[test]
fn a_second_server_in_the_file_is_read_wherever_it_begins() {
    let log: String = (0..MANY)
        .map(|n| nginx(n, " 30.000"))
        .chain((MANY..2 * MANY).map(caddy))
        .collect();
    let report = every_way(&log);
    assert_eq!(report["streams"]["ended"], 2 * MANY / 100);
    let input = &report["inputs"][0];
    assert_eq!(input["format"], "combined + trailing duration (s), caddy");
    assert_eq!(input["rejected"]["shape"], 0);
}

#[test]
fn records_of_two_servers_may_take_turns() {
    let log: String = (0..MANY)
        .map(|n| match n % 200 {
            0..100 => nginx(n, " 30.000"),
            _ => caddy(n),
        })
        .collect();
    let report = every_way(&log);
    assert_eq!(report["streams"]["ended"], MANY / 100);
    let reason = &report["inputs"][0]["format_reason"];
    let reason = reason.as_str().expect("a sentence");
    assert!(reason.contains("; of the rest "), "{reason}");
}

#[test]
fn a_json_array_is_read_like_its_elements() {
    let rows: Vec<String> = (0..MANY).map(caddy).collect();
    let lines = run_on(rows.concat().as_bytes(), &["-", "-o", "json"]);
    assert_eq!(lines.report()["streams"]["ended"], MANY / 100);
    let rows: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
    let folder = Folder::new();
    for log in [
        format!("[{}]", rows.join(",")),
        format!("[\n  {}\n]\n", rows.join(",\n  ")),
        format!("{{\"records\":[{}]}}", rows.join(",")),
        rows.concat(),
    ] {
        let file = folder.write("export.json", log.as_bytes());
        for ran in [
            run(&[&file, "-o", "json"]),
            run_on(log.as_bytes(), &["-", "-o", "json"]),
        ] {
            assert_eq!(ran.status, lines.status, "{}", ran.err);
            let (own, other) = (ran.report(), lines.report());
            for part in ["streams", "series", "verdict"] {
                assert!(own[part] == other[part], "{part}: {log:.40}");
            }
        }
    }
}

#[test]
fn two_layers_of_one_traffic_count_once_and_it_is_said() {
    let folder = Folder::new();
    let front: String = (0..MANY).map(|n| nginx(n, " rt=30.000")).collect();
    let back: String = (0..MANY).map(caddy).collect();
    let front = folder.write("nginx.log", front.as_bytes());
    let back = folder.write("caddy.log", back.as_bytes());
    let report = run(&[&front, &back, "-o", "json"]).report();
    assert_eq!(report["streams"]["ended"], MANY / 100);
    let findings = report["findings"].as_array().expect("a list");
    let code = |finding: &&Value| finding["code"] == "same-streams";
    let text = findings.iter().find(code).expect("it is said")["text"].clone();
    let text = text.as_str().expect("a text");
    assert!(text.contains("nginx.log") && text.contains("caddy.log"));
}

#[test]
fn what_an_app_prints_of_its_streams_hides_no_second_server() {
    let said = |n: u32| {
        format!("app: stream {n} on /subscriptions/listen begins\n").repeat(2)
    };
    let listen = |n: u32| n * 100;
    // Caddy's first record comes behind more of what is no request than is
    // looked at once, and most of what nginx does not write is none.
    let log: String = (0..550)
        .map(|n| nginx(listen(n), " rt=30.000") + &said(n))
        .chain((550..850).map(|n| {
            nginx(listen(n), " rt=30.000") + &said(n) + &caddy(listen(n))
        }))
        .collect();
    let report = every_way(&log);
    assert_eq!(report["inputs"][0]["selected"], 1_150);
    assert_eq!(report["inputs"][0]["rejected"]["shape"], 1_700);
}

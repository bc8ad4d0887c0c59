//! Openings logged beside the ends, and ends told by a record's arrival.

use streamleak::internal::collect::Harvester;
use streamleak::internal::collect::Overrides;
use streamleak::internal::input::{Input, MmapChoice};
use streamleak::internal::streams::Log;
use streamleak::internal::time::Micros;

use crate::fixture::read;
use crate::program::{Folder, run, run_on};
use crate::reader::harvester;

/// The format of `real-logs/open-and-end`, as its server has it.
const MIRROR: &str = "$msec $request_time  $status \"$request\" \
    \"$http_mcp_method\" $remote_addr $request_id \"$http_user_agent\" $uri";

const OPENS: &str = "fixtures/real-logs/open-and-end/opens.log";
const ENDS: &str = "fixtures/real-logs/open-and-end/streams.log";

#[test]
fn the_two_records_of_a_stream_are_one_stream() {
    let report = run(&["-f", MIRROR, OPENS, ENDS, "-o", "json"]).report();
    assert_eq!(report["streams"]["ended"], 2);
    assert_eq!(report["streams"]["open"], 0);
    assert_eq!(report["streams"]["hold_s"]["max"], 3.004);
    // With the end of one of them not written yet it is known to be open.
    let ends = read("real-logs/open-and-end/streams.log");
    let folder = Folder::new();
    let first = ends.lines().next().expect("a line").to_owned() + "\n";
    let first = folder.write("streams.log", first.as_bytes());
    let report = run(&["-f", MIRROR, OPENS, &first, "-o", "json"]).report();
    assert_eq!(report["streams"]["ended"], 1);
    assert_eq!(report["streams"]["open"], 1);
    let findings = report["findings"].to_string();
    assert!(findings.contains("openings-logged"), "{findings}");
    assert!(!findings.contains("never-closed"), "{findings}");
}

/// A line of nginx's set-up: an opening, or an end with its hold.
fn line(second: i64, client: i64, id: &str, hold: Option<i64>) -> String {
    let at = 1_795_959_600 + second;
    let what = match hold {
        Some(hold) => format!("rt={hold}.000 msec={at}.000 rc=\"OK\""),
        None => format!("rt=0.000 msec={at}.000"),
    };
    let event = if hold.is_none() { " ev=open" } else { "" };
    let (minute, second) = (second / 60, second % 60);
    format!(
        "10.0.0.{client} - - [29/Nov/2026:13:{minute:02}:{second:02} +0000] \
         \"GET /subscriptions/listen HTTP/1.1\" 200 9 \"-\" \"node\" {what} \
         mm=\"-\" sid=\"-\" rid={id}{event}\n"
    )
}

#[test]
fn a_request_logged_twice_counts_once_and_a_shared_id_does_not_join() {
    let twice = line(60, 1, "aa", Some(50));
    let log = [
        twice.clone(),
        twice,
        // The same id of a client that names its own, at other times.
        line(130, 1, "aa", Some(60)),
        line(200, 2, "aa", Some(60)),
    ];
    let report =
        run_on(log.concat().as_bytes(), &["-", "-o", "json"]).report();
    assert_eq!(report["streams"]["ended"], 3);
    assert!(report["findings"].to_string().contains("repeated-records"));
}

#[test]
fn a_client_that_always_sends_one_id_loses_no_stream_and_alarms_nobody() {
    // A dozen opened one after the other, then none for as long; each is
    // held for a minute.
    let at = |n: i64| n + n / 12 * 12;
    let ends = (0..900).map(|n| line(at(n) + 60, 1, "same", Some(60)));
    let opens = (0..900).map(|n| line(at(n), 1, "same", None));
    let log: String = ends.chain(opens).collect();
    let ran = run_on(log.as_bytes(), &["-", "-o", "json"]);
    let report = ran.report();
    assert_eq!(report["streams"]["ended"], 900);
    assert_eq!(report["streams"]["open"], 0);
    assert_eq!((ran.status, &report["verdict"]), (0, &"cycling".into()));
    assert!(!report["findings"].to_string().contains("repeated-records"));
}

#[test]
fn openings_that_a_restart_swallowed_end_with_it() {
    let mut log = String::new();
    // Ten clients open every half minute and never close.
    for n in 0..60 {
        log += &line(n * 30, n % 10, &format!("{n:02x}"), None);
    }
    // At 1500 s the server is restarted: all but ten are logged then.
    for n in 0..40 {
        let hold = 1500 - n * 30;
        log += &line(1500, n % 10, &format!("{n:02x}"), Some(hold));
    }
    let report = run_on(log.as_bytes(), &["-", "-o", "json"]).report();
    assert_eq!(report["window"]["resets"].as_array().map(Vec::len), Some(1));
    // 50 were opened before it; ten of them it swallowed; 10 came after.
    assert_eq!(report["streams"]["ended"], 50);
    assert_eq!(report["streams"]["open"], 10);
    assert!(report["findings"].to_string().contains("lost-at-restart"));
}

#[test]
fn worker_events_without_their_end_are_unknown_never_streams_of_no_length() {
    let tail = "fixtures/real-logs/workers-tail/tail.json";
    let ran = run(&[tail, "-o", "json"]);
    let report = ran.report();
    assert_eq!((ran.status, &report["verdict"]), (3, &"unknown".into()));
    assert_eq!(report["streams"]["ended"], 0);
    assert_eq!(report["inputs"][0]["selected"], 5);
    let refused = run(&["--arrival", tail]);
    assert_eq!(refused.status, 2);
    assert!(refused.err.contains("live pipe"), "{}", refused.err);
}

/// When the events of `workers-tail` are taken to arrive: at the last one's
/// true arrival.
fn arrival() -> Micros {
    Micros(1_795_965_969_569_000)
}

#[test]
fn read_live_the_arrival_of_an_event_is_the_end_of_its_stream() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("fixtures/real-logs/workers-tail/tail.json");
    let harvester = Harvester {
        // Read like a pipe.
        mmap: MmapChoice::Never,
        arrivals: Some(arrival),
        ..harvester()
    };
    let (harvests, rows) = harvester.read_all(&[Input::File(path)]);
    assert_eq!(harvests[0].error, None);
    let log =
        Log::join(&harvests, rows, &harvester.selector, Overrides::default());
    assert_eq!(log.streams.len(), 5);
    for stream in &log.streams {
        assert_eq!(stream.closed, Some(arrival()));
    }
    // The three that were held for three seconds.
    let holds = log.streams.iter().filter_map(|stream| stream.hold());
    let near = holds.filter(|hold| (hold.as_secs() - 3.0).abs() < 0.05);
    assert_eq!(near.count(), 5);
}

#[test]
fn a_live_pipe_is_understood_from_its_first_event() {
    let tail = read("real-logs/workers-tail/tail.json");
    let ran = run_on(tail.as_bytes(), &["--arrival", "-", "-o", "json"]);
    let report = ran.report();
    assert_eq!(ran.err, "");
    assert_eq!(report["streams"]["ended"], 5);
    assert!(report["streams"]["hold_s"]["min"].as_f64() > Some(0.0));
}

/// Two hours of openings, one a minute, in a log that never tells of an end,
/// beside another log whose requests end but are no streams.
fn beside_ends(opening: impl Fn(i64) -> String) -> crate::program::Ran {
    let folder = Folder::new();
    let opens: String = (0..120).map(|n| opening(60 * n)).collect();
    let opens = folder.write("app.log", opens.as_bytes());
    let others = (0..120).map(|n| {
        line(60 * n, 9, "bb", Some(1)).replace("/subscriptions/listen", "/a")
    });
    let others: String = others.collect();
    let others = folder.write("proxy.log", others.as_bytes());
    run(&[&opens, &others, "-o", "json"])
}

/// The clock of a second after one o'clock.
fn clock(second: i64) -> String {
    let (hour, minute) = (13 + second / 3600, second / 60 % 60);
    format!("{hour}:{minute:02}:{:02}", second % 60)
}

#[test]
fn openings_whose_ends_no_log_tells_are_no_leak_whatever_else_is_read() {
    let uvicorn = beside_ends(|second| {
        format!(
            "2026-11-29T{}.000000001Z INFO:     10.0.0.1:{} - \"GET \
             /subscriptions/listen HTTP/1.1\" 200 OK\n",
            clock(second),
            40_000 + second
        )
    });
    // HAProxy's logasap, and a frontend without it in the same log.
    let logasap = |second: i64, path: &str, total: &str| {
        format!(
            "192.0.2.7:{} [29/Nov/2026:{}.262] http b/s 0/0/0/1/{total} 200 \
             9 - - ---- 1/1/0/0/0 0/0 \"GET {path} HTTP/1.1\"\n",
            40_000 + second,
            clock(second)
        )
    };
    let haproxy = beside_ends(|second| {
        logasap(second, "/subscriptions/listen", "+1")
            + &logasap(second, "/other", "20")
    });
    // Rails without a logger's time: its second line has none at all.
    let rails = beside_ends(|second| {
        format!(
            "Started GET \"/subscriptions/listen\" for 10.0.0.1 at \
             2026-11-29 {} +0000\nCompleted 200 OK in 30000ms\n",
            clock(second)
        )
    });
    for ran in [uvicorn, haproxy, rails] {
        let report = ran.report();
        let format = &report["inputs"][0]["format"];
        assert_eq!(report["verdict"], "unknown", "{format}");
        assert_eq!(report["streams"]["open"], 0, "{format}");
        assert_eq!(report["inputs"][0]["selected"], 120, "{format}");
    }
}

#[test]
fn openings_in_one_format_are_joined_to_ends_in_another() {
    let folder = Folder::new();
    let opens = (0..60).map(|n| line(60 * n, 1, &format!("{n:02x}"), None));
    let opens =
        folder.write("opens.log", opens.collect::<String>().as_bytes());
    // One of them has ended.
    let end = "{\"time_iso8601\":\"2026-11-29T13:41:00+00:00\",\
        \"request_method\":\"GET\",\"request_uri\":\
        \"/subscriptions/listen\",\"status\":\"200\",\"request_time\":\
        \"60.000\",\"request_id\":\"00\",\"remote_addr\":\"10.0.0.1\",\
        \"http_user_agent\":\"node\"}\n";
    let ends = folder.write("ends.log", end.as_bytes());
    let report = run(&[&opens, &ends, "-o", "json"]).report();
    assert_eq!(report["streams"]["ended"], 1);
    assert_eq!(report["streams"]["open"], 59);
}

#[test]
fn closes_that_no_opening_explains_take_no_stream_away() {
    // A proxy's log of streams, and the reports of the functions behind it,
    // which end as they do and name no path.
    let id = |n: i64| format!("f08bb4c8-d6b2-4f05-ac17-{n:012x}");
    let at = |n: i64| 300 * n + n * n;
    let streams = (0..11).map(|n| line(at(n) + 40 + n, 1, "", Some(40 + n)));
    let report = |end: i64, id: String, hold: i64| {
        // The hour that `line` counts from begins at 13:40.
        let end = end + 2_400;
        format!(
            "2026-11-29T{}:{:02}:{:02}.000Z REPORT RequestId: {id}\t\
             Duration: {}.00 ms\tBilled Duration: 1 ms\n",
            13 + end / 3_600,
            end / 60 % 60,
            end % 60,
            1_000 * hold
        )
    };
    let reports = (0..11).map(|n| report(at(n) + 40 + n, id(n), 40 + n));
    let more = (20..40).map(|n| report(60 * n + 30, id(n), 0));
    let streams: String = streams.collect();
    let reports: String = reports.chain(more).collect();
    let folder = Folder::new();
    let streams = folder.write("proxy.log", streams.as_bytes());
    let reports = folder.write("reports.log", reports.as_bytes());
    let report = run(&[&streams, &reports, "-o", "json"]).report();
    assert_eq!(report["inputs"][1]["format"], "lambda");
    assert_eq!(report["streams"]["ended"], 11);
}

#[test]
fn an_opening_logged_twice_is_one_stream() {
    let log = [
        line(10, 1, "aa", None),
        line(10, 1, "aa", None),
        line(20, 2, "bb", None),
        line(70, 1, "aa", Some(60)),
        line(90, 2, "bb", Some(70)),
    ];
    let report =
        run_on(log.concat().as_bytes(), &["-", "-o", "json"]).report();
    assert_eq!(report["streams"]["ended"], 2);
    assert_eq!(report["streams"]["open"], 0);
}

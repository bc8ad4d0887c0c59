//! Openings logged beside the ends, and ends told by a record's arrival.

use std::collections::hash_map::RandomState;

use streamleak::client::KeyField;
use streamleak::format::Choice;
use streamleak::harvest::Harvester;
use streamleak::input::{Input, MmapChoice};
use streamleak::join::{Given, Log};
use streamleak::layout::Layout;
use streamleak::select::Selector;
use streamleak::time::Micros;

use crate::fixture::read;
use crate::program::{Folder, run, run_on};

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
    // One opened every two seconds, each held for a minute.
    let ends = (0..900).map(|n| line(n * 2 + 60, 1, "same", Some(60)));
    let opens = (0..900).map(|n| line(n * 2, 1, "same", None));
    let log: String = ends.chain(opens).collect();
    let ran = run_on(log.as_bytes(), &["-", "-o", "json"]);
    let report = ran.report();
    assert_eq!(report["streams"]["ended"], 900);
    assert_eq!(report["streams"]["open"], 0);
    assert_eq!((ran.status, &report["verdict"]), (0, &"flat".into()));
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
    let paths = ["/subscriptions/listen".to_owned()];
    let harvester = Harvester {
        selector: Selector::new(&paths, "subscriptions/listen"),
        key: KeyField::Client,
        reader: Box::new(|sample| {
            Layout::of(&Choice::Auto, Default::default(), sample)
        }),
        marked: None,
        // Read like a pipe.
        mmap: MmapChoice::Never,
        survey: false,
        arrivals: Some(arrival),
        hasher: RandomState::new(),
    };
    let mut harvests = harvester.read_all(&[Input::File(path)]);
    assert_eq!(harvests[0].error, None);
    let log = Log::join(&mut harvests, &harvester.selector, Given::default());
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

//! Every format with a file of its own in `fixtures/formats`: told from its
//! bytes, and its streams with their times.

use std::collections::hash_map::RandomState;

use streamleak::client::KeyField;
use streamleak::format::{Choice, EndedBy};
use streamleak::harvest::Harvester;
use streamleak::input::{Input, MmapChoice};
use streamleak::join::{Given, Log};
use streamleak::layout::Layout;
use streamleak::select::Selector;
use streamleak::stream::Stream;

use crate::program::run;

/// A format; its records and the streams among them; when the first of those
/// opened and its hold in microseconds; how many its client ended.
type Row = (&'static str, u64, usize, &'static str, i64, usize);

/// The servers of applications. All have the same three streams, the times
/// of three of them cut to seconds; only hypercorn and pino log that a client
/// left.
const ROWS: [Row; 6] = [
    ("pino", 11, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("hypercorn", 6, 3, "2026-08-01T11:59:59.999Z", 60_001_000, 1),
    ("actix", 7, 3, "2026-08-01T11:59:59.999Z", 60_001_000, 0),
    ("uwsgi", 5, 3, "2026-08-01T12:00:00Z", 60_001_000, 0),
    ("rails", 15, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 0),
    ("aspnet", 11, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 0),
];

/// The streams of a file, joined.
fn streams(file: &str) -> Log {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let paths = ["/subscriptions/listen".to_owned()];
    let harvester = Harvester {
        selector: Selector::new(&paths, "subscriptions/listen"),
        key: KeyField::Client,
        reader: Box::new(|sample| {
            Layout::of(&Choice::Auto, Default::default(), sample)
        }),
        marked: None,
        mmap: MmapChoice::Auto,
        survey: false,
        arrivals: None,
        hasher: RandomState::new(),
    };
    let mut harvests = harvester.read_all(&[Input::File(root.join(file))]);
    assert_eq!(harvests[0].error, None, "{file}");
    Log::join(&mut harvests, &harvester.selector, Given::default())
}

#[test]
fn every_format_is_told_and_its_streams_have_their_times() {
    for (name, records, count, first, hold, left) in ROWS {
        let file = format!("fixtures/formats/{name}.log");
        let report = run(&[&file, "-o", "json"]).report();
        assert_eq!(report["inputs"][0]["format"], name);
        assert_eq!(report["inputs"][0]["records"], records, "{name}");
        let rejected = &report["inputs"][0]["rejected"];
        assert_eq!(rejected["shape"], 0, "{name}: {rejected}");
        let log = streams(&file);
        assert_eq!(log.streams.len(), count, "{name}");
        assert_eq!(log.unheld, [], "{name}");
        let opened = log.streams.iter().min_by_key(|s| s.opened);
        let opened = opened.expect("a stream");
        assert_eq!(opened.opened.to_rfc3339(), first, "{name}");
        let held = opened.closed.map(|closed| (closed - opened.opened).0);
        assert_eq!(held, Some(hold), "{name}");
        let client = |s: &&Stream| s.ended_by == EndedBy::Client;
        assert_eq!(log.streams.iter().filter(client).count(), left, "{name}");
    }
}

#[test]
fn fastifys_closes_find_their_openings() {
    let file = "fixtures/formats/pino-fastify.log";
    let report = run(&[file, "-o", "json"]).report();
    assert_eq!(report["inputs"][0]["format"], "pino");
    let log = streams(file);
    assert!(log.opens_known);
    let mut holds: Vec<i64> = log
        .streams
        .iter()
        .filter_map(|s| Some((s.closed? - s.opened).0))
        .collect();
    holds.sort_unstable();
    assert_eq!(holds, [30_002_000, 45_250_000, 60_001_000]);
    let ended_by = &report["streams"]["ended_by"];
    assert_eq!(
        (&ended_by["client"], &ended_by["server"]),
        (&1.into(), &2.into())
    );
}

#[test]
fn servers_that_log_no_time_are_told_and_not_believed() {
    for (name, selected) in [("uvicorn", 3), ("morgan", 4)] {
        let file = format!("fixtures/formats/{name}.log");
        let report = run(&[&file, "-o", "json"]).report();
        let input = &report["inputs"][0];
        assert_eq!(
            (&input["format"], &input["selected"]),
            (&name.into(), &selected.into())
        );
        assert_eq!(report["verdict"], "unknown", "{name}");
        assert_eq!(report["streams"]["ended"], 0, "{name}");
    }
}

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

/// What AWS and Heroku log. All but Lambda's have the same five streams;
/// Heroku's clock is finer, and no client of a function is known to have
/// left.
const ROWS: [Row; 5] = [
    ("alb", 8, 5, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("cloudfront-json", 8, 5, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("heroku", 10, 5, "2026-08-01T12:00:00.123456Z", 60_001_000, 1),
    ("lambda", 17, 3, "2026-08-01T12:00:00.124Z", 60_001_000, 0),
    ("lambda-json", 17, 3, "2026-08-01T12:00:00.124Z", 60_001_000, 0),
];

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
fn a_load_balancer_that_logs_no_streams_is_told_and_found_lacking() {
    for (name, selected) in [("elb", 5), ("nlb", 0)] {
        let file = format!("fixtures/formats/{name}.log");
        let report = run(&[&file, "-o", "json"]).report();
        assert_eq!(report["inputs"][0]["format"], name);
        assert_eq!(report["inputs"][0]["selected"], selected, "{name}");
        assert_eq!(report["streams"]["ended"], 0, "{name}");
        assert_eq!(report["verdict"], "unknown", "{name}");
    }
}

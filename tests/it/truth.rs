//! Streams rebuilt from logs of real servers, without any option, against
//! what the clients saw.

use std::collections::hash_map::RandomState;

use streamleak::client::KeyField;
use streamleak::format::Choice;
use streamleak::harvest::Harvester;
use streamleak::input::{Input, MmapChoice};
use streamleak::join::{Given, Log};
use streamleak::layout::Layout;
use streamleak::reading::Marked;
use streamleak::select::Selector;

use crate::fixture::{Truth, lab, mixed};

/// One log and how near its streams must come to the truth.
struct Case {
    log: &'static str,
    format: Option<&'static str>,
    marked: Marked,
    /// How much earlier than the truth a start or an end may be, in seconds:
    /// the grain of the log's clock.
    early: f64,
    /// How much later than the truth an end may be that the client made: how
    /// long the server takes to notice.
    notice: f64,
}

/// A case whose format is detected.
const fn case(
    log: &'static str,
    marked: Marked,
    early: f64,
    notice: f64,
) -> Case {
    Case { log, format: None, marked, early, notice }
}

/// The streams of a log, as (start, end) in seconds, and what the time was
/// taken for.
fn streams(case: &Case) -> (Vec<(f64, f64)>, Marked) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("fixtures").join(case.log);
    let choice = Choice::from_arg(case.format).expect("a format");
    let paths = ["/subscriptions/listen".to_owned(), "/mcp".to_owned()];
    let harvester = Harvester {
        selector: Selector::new(&paths, "subscriptions/listen"),
        key: KeyField::Client,
        reader: Box::new(move |sample| {
            Layout::of(&choice, Default::default(), sample)
        }),
        marked: None,
        mmap: MmapChoice::Auto,
        survey: false,
        arrivals: None,
        hasher: RandomState::new(),
    };
    let mut harvests = harvester.read_all(&[Input::File(path)]);
    assert_eq!(harvests[0].error, None, "{}", case.log);
    let log = Log::join(&mut harvests, &harvester.selector, Given::default());
    let streams = log.streams.iter().map(|stream| {
        let closed = stream.closed.expect("it was logged when it ended");
        (stream.opened.as_secs(), closed.as_secs())
    });
    (streams.collect(), log.inputs[0].readings[0].marked)
}

/// Whether a stream may be the request that a client saw so.
fn may_be(case: &Case, truth: &Truth, (start, end): (f64, f64)) -> bool {
    let late = if truth.aborted { case.notice } else { 0.02 };
    (-case.early..=0.02).contains(&(start - truth.start))
        && (-case.early..=late).contains(&(end - truth.end))
}

/// Every stream of a log is another request of the truth.
fn check(case: &Case, truth: &[Truth], count: usize) {
    let (streams, marked) = streams(case);
    assert_eq!(streams.len(), count, "{}", case.log);
    assert_eq!(marked, case.marked, "{}", case.log);
    let mut left = truth.to_vec();
    for stream in streams {
        let off = |truth: &Truth| (truth.end - stream.1).abs();
        let found = (0..left.len())
            .filter(|&at| may_be(case, &left[at], stream))
            .min_by(|&a, &b| off(&left[a]).total_cmp(&off(&left[b])));
        let found = found.unwrap_or_else(|| {
            panic!("{}: {stream:?} is none of {left:#?}", case.log)
        });
        left.swap_remove(found);
    }
}

#[test]
fn nginx_agrees_with_its_clients() {
    for case in [
        case("groundtruth/nginx/timed.log", Marked::End, 1.005, 0.02),
        case("groundtruth/nginx/timed_bare.log", Marked::End, 1.005, 0.02),
        case("groundtruth/nginx/json.log", Marked::End, 0.005, 0.02),
        case(
            "groundtruth/nginx/json_escape_default.log",
            Marked::End,
            1.005,
            0.02,
        ),
        case(
            "groundtruth/nginx/ingress_upstreaminfo.log",
            Marked::End,
            1.005,
            0.02,
        ),
        Case {
            format: Some("@fixtures/groundtruth/conf/nginx.conf"),
            ..case("groundtruth/nginx/mcp.log", Marked::End, 0.005, 0.02)
        },
    ] {
        check(&case, &lab("nginx"), 11);
    }
}

#[test]
fn apache_agrees_with_its_clients_and_its_time_is_seen_to_be_the_start() {
    // It notices that a client left at its next write, or at the time limit
    // of the server behind it.
    let late = 7.05;
    for case in [
        case("groundtruth/apache/combined_D.log", Marked::Start, 1.005, late),
        case("groundtruth/apache/combined_T.log", Marked::Start, 1.005, late),
        Case {
            format: Some("@fixtures/groundtruth/conf/apache.conf"),
            ..case(
                "groundtruth/apache/begin_end.log",
                Marked::End,
                0.005,
                late,
            )
        },
    ] {
        check(&case, &lab("apache"), 10);
    }
}

#[test]
fn caddy_agrees_with_its_clients() {
    for (log, server) in [
        ("groundtruth/caddy/access.log", "caddy"),
        ("groundtruth/caddy/access_iso_string.log", "caddy_iso"),
    ] {
        let case = case(log, Marked::End, 0.005, 25.1);
        check(&case, &lab(server), 10);
    }
}

#[test]
fn varnish_agrees_with_its_clients() {
    // It notices that a client left at its next write, or at the time limit
    // of the server behind it.
    let log = "groundtruth/varnish/ncsa_timed.log";
    check(&case(log, Marked::End, 0.005, 7.05), &lab("varnish"), 11);
}

#[test]
fn lighttpd_agrees_with_its_clients() {
    let log = "groundtruth/lighttpd/access.log";
    check(&case(log, Marked::End, 0.005, 25.1), &lab("lighttpd"), 10);
}

#[test]
fn gunicorn_agrees_with_its_clients() {
    let log = "groundtruth/py/gunicorn_timed.log";
    check(&case(log, Marked::End, 1.005, 3.1), &lab("gunicorn_timed"), 8);
}

#[test]
fn node_agrees_with_its_clients_whose_leaving_it_sees_at_once() {
    let log = "groundtruth/node/pino_http.log";
    check(&case(log, Marked::End, 0.005, 0.02), &lab("node"), 9);
}

#[test]
fn the_mixed_run_is_read_alike() {
    let late = 16.1;
    for case in [
        case("real-logs/mixed/nginx-rt.log", Marked::End, 1.005, 0.02),
        case("real-logs/mixed/nginx-ingress.log", Marked::End, 1.005, 0.02),
        case("real-logs/mixed/nginx-json.log", Marked::End, 0.005, 0.02),
        case("real-logs/mixed/nginx-plus.log", Marked::End, 1.005, 0.02),
    ] {
        check(&case, &mixed("nginx"), 13);
    }
    for case in [
        case(
            "real-logs/mixed/apache-combined-us.log",
            Marked::Start,
            1.005,
            late,
        ),
        case("real-logs/mixed/apache-vhost.log", Marked::Start, 1.005, late),
    ] {
        check(&case, &mixed("apache"), 13);
    }
    let caddy = case("real-logs/mixed/caddy.log", Marked::End, 0.005, 70.0);
    check(&caddy, &mixed("caddy"), 12);
}

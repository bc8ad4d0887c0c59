//! Every format with a file of its own in `fixtures/formats`: told from its
//! bytes, and its streams with their times.

use streamleak::internal::collect::Answer;
use streamleak::internal::collect::Overrides;
use streamleak::internal::format::EndedBy;
use streamleak::internal::input::Input;
use streamleak::internal::streams::{Log, Stream};

use crate::fixture::read;
use crate::program::{Folder, run, run_on};
use crate::reader::harvester;

/// A format; its records and the streams among them; when the first of those
/// opened and its hold in microseconds; how many its client ended.
type Row = (&'static str, u64, usize, &'static str, i64, usize);

/// The ten that log what a cloud sees. All have the same three streams; the
/// times of Azure's gateway are cut to seconds, and no client of a portal, a
/// function or an API server is known to have left.
const ROWS: &[Row] = &[
    ("tower-http", 11, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 0),
    ("squid", 6, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("gin", 7, 3, "2026-08-01T11:59:59.5Z", 20_500_000, 0),
    ("gcp", 7, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("azure-gateway", 7, 3, "2026-08-01T11:59:59.999Z", 60_001_000, 1),
    ("azure-front-door", 7, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("vercel", 14, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 0),
    ("railway", 6, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("workers-logs", 8, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("websocket-analytics", 6, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("mcp-portal", 6, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 0),
    ("kubernetes-audit", 16, 4, "2026-08-01T12:00:00.123Z", 60_001_000, 0),
    ("api-gateway", 8, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    // What AWS and Heroku log. All but Lambda's have the same five streams;
    // Heroku's clock is finer, and no client of a function is known to have
    // left.
    ("alb", 8, 5, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("cloudfront-json", 8, 5, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("heroku", 10, 5, "2026-08-01T12:00:00.123456Z", 60_001_000, 1),
    ("lambda", 17, 3, "2026-08-01T12:00:00.124Z", 60_001_000, 0),
    ("lambda-json", 17, 3, "2026-08-01T12:00:00.124Z", 60_001_000, 0),
    // The servers of applications. All have the same three streams, the times
    // of three of them cut to seconds; only hypercorn and pino log that a client
    // left.
    ("pino", 11, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("hypercorn", 6, 3, "2026-08-01T11:59:59.999Z", 60_001_000, 1),
    ("actix", 7, 3, "2026-08-01T11:59:59.999Z", 60_001_000, 0),
    ("uwsgi", 5, 3, "2026-08-01T12:00:00Z", 60_001_000, 0),
    ("rails", 15, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 0),
    ("aspnet", 11, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 0),
    // What proxies log. Traefik's and Kong's have a fourth stream, whose
    // client left before it was answered.
    ("haproxy", 11, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("haproxy-json", 6, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("envoy", 10, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("envoy-json", 6, 3, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("traefik", 6, 4, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
    ("kong", 6, 4, "2026-08-01T12:00:00.123Z", 60_001_000, 1),
];

/// What the first stream of each was answered with: the status, and the bytes
/// sent; 0 where no status is logged.
const ANSWERS: &[(&str, u16, Option<u64>)] = &[
    ("tower-http", 0, None),
    ("squid", 200, Some(480)),
    ("gin", 200, None),
    ("gcp", 200, Some(480)),
    ("azure-gateway", 200, Some(480)),
    ("azure-front-door", 200, Some(480)),
    ("vercel", 200, None),
    ("railway", 200, Some(480)),
    ("workers-logs", 200, None),
    ("websocket-analytics", 0, Some(480)),
    ("mcp-portal", 0, None),
    ("kubernetes-audit", 200, None),
    ("api-gateway", 200, Some(480)),
    ("alb", 200, Some(480)),
    ("cloudfront-json", 200, Some(703)),
    ("heroku", 200, Some(480)),
    ("lambda", 0, None),
    ("lambda-json", 0, None),
    ("pino", 200, None),
    ("hypercorn", 200, None),
    ("actix", 200, Some(480)),
    ("uwsgi", 200, Some(480)),
    ("rails", 200, None),
    ("aspnet", 200, None),
    ("haproxy", 200, Some(583)),
    ("haproxy-json", 200, Some(583)),
    ("envoy", 200, Some(480)),
    ("envoy-json", 200, Some(480)),
    ("traefik", 200, Some(480)),
    ("kong", 200, Some(480)),
];

/// The streams of a file, joined.
fn streams(file: &str) -> Log {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let harvester = harvester();
    let (harvests, rows) = harvester.read_all(&[Input::File(root.join(file))]);
    assert_eq!(harvests[0].error, None, "{file}");
    Log::join(&harvests, rows, &harvester.selector, Overrides::default())
}

#[test]
fn every_format_is_told_and_its_streams_have_their_times() {
    for (name, records, count, first, hold, left) in ROWS.iter().copied() {
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
fn every_format_tells_what_its_streams_were_answered_with() {
    assert_eq!(ANSWERS.len(), ROWS.len());
    for (name, status, bytes) in ANSWERS.iter().copied() {
        let log = streams(&format!("fixtures/formats/{name}.log"));
        let first = log.streams.iter().min_by_key(|s| s.opened);
        let answer = first.expect("a stream").answer;
        let told = Answer::new(status, bytes, answer.session().unwrap_or(0));
        assert_eq!(answer, told, "{name}");
    }
}

#[test]
fn instant_logs_are_rows_of_http_requests() {
    let file = "fixtures/formats/cloudflare-instant-logs.log";
    let report = run(&[file, "-o", "json"]).report();
    assert_eq!(report["inputs"][0]["format"], "cloudflare");
    assert_eq!(report["inputs"][0]["selected"], 3);
    assert_eq!(report["streams"]["ended_by"]["client"], 1);
    let sampled = |report: &serde_json::Value| {
        let findings = report["findings"].as_array().expect("a list");
        let sampled = findings.iter().find(|f| f["code"] == "sampled");
        sampled.map(|finding| finding["evidence"]["one_in"].clone())
    };
    assert_eq!(sampled(&report), None, "one row a request");
    let all = "\"sampleInterval\":1";
    let some = read("formats/cloudflare-instant-logs.log")
        .replace(all, "\"sampleInterval\":10");
    let report = run_on(some.as_bytes(), &["-", "-o", "json"]).report();
    assert_eq!(sampled(&report), Some(10.into()));
}

/// Logs of the W3C extended format: the name they are told by, their records
/// with the directives, the streams, and how many a client ended.
const COLUMNS: [(&str, &str, u64, u64, u64); 3] = [
    ("iis", "iis", 17, 6, 2),
    ("iis-advanced", "iis", 12, 5, 1),
    ("cloudfront", "cloudfront", 10, 5, 1),
];

#[test]
fn logs_with_named_columns_are_told_and_their_streams_found() {
    for (file, name, records, streams, left) in COLUMNS {
        let file = format!("fixtures/formats/{file}.log");
        let report = run(&[&file, "-o", "json"]).report();
        assert_eq!(report["inputs"][0]["format"], name, "{file}");
        assert_eq!(report["inputs"][0]["records"], records, "{file}");
        assert_eq!(report["inputs"][0]["rejected"]["shape"], 0, "{file}");
        assert_eq!(report["streams"]["ended"], streams, "{file}");
        assert_eq!(report["streams"]["ended_by"]["client"], left, "{file}");
        let log = self::streams(&file);
        let opened = log.streams.iter().min_by_key(|s| s.opened);
        let opened = opened.expect("a stream");
        let late = opened.opened.0 - 1_785_585_600_123_000;
        assert!((-1_000_000..=0).contains(&late), "{file}: {late}");
        let held = opened.closed.map(|closed| (closed - opened.opened).0);
        assert_eq!(held, Some(60_001_000), "{file}");
        let sent = (name == "cloudfront").then_some(703);
        assert_eq!(opened.answer, Answer::new(200, sent, 0), "{file}");
    }
}

/// More rows than one chunk holds.
const MANY: u64 = 60_000;

#[test]
fn columns_that_change_in_a_long_log_are_read_by_place() {
    let row = |n: u64| {
        let (hour, minute, second) = (n / 3600, n / 60 % 60, n % 60);
        let time = format!("2026-08-01 {hour:02}:{minute:02}:{second:02}");
        let path = match n % 1_000 {
            0 => "/subscriptions/listen",
            _ => "/other",
        };
        if n % 20_000 < 10_000 {
            format!("{time} GET {path} 192.0.2.1 mcp/1.0 200 64 30500\n")
        } else {
            format!("{time} 30500 {path} GET 64 200 - 192.0.2.1\n")
        }
    };
    let one = "date time cs-method cs-uri-stem c-ip cs(User-Agent) sc-status sc-win32-status time-taken";
    let two = "date time time-taken cs-uri-stem cs-method sc-win32-status sc-status cs(User-Agent) c-ip";
    let log: String = (0..MANY)
        .map(|n| match n % 20_000 {
            0 => format!("#Fields: {one}\n{}", row(n)),
            10_000 => format!("#Fields: {two}\n{}", row(n)),
            _ => row(n),
        })
        .collect();
    assert!(log.len() > 3 << 20, "two chunks");
    let folder = Folder::new();
    let file = folder.write("u_ex.log", log.as_bytes());
    let ran = [
        run(&[&file, "-o", "json", "-j1"]),
        run(&[&file, "-o", "json", "-j8"]),
        run_on(log.as_bytes(), &["-", "-o", "json"]),
    ];
    for report in ran.map(|ran| ran.report()) {
        assert_eq!(report["inputs"][0]["format"], "iis");
        assert_eq!(report["inputs"][0]["selected"], MANY / 1_000);
        assert_eq!(report["streams"]["ended"], MANY / 1_000);
        assert_eq!(report["streams"]["hold_s"]["min"], 30.5);
        assert_eq!(report["streams"]["hold_s"]["max"], 30.5);
        let client = &report["streams"]["ended_by"]["client"];
        assert_eq!(*client, MANY / 1_000);
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

#[test]
fn the_longer_forms_of_a_proxys_text_are_the_same_format() {
    let first = "2026-08-01T12:00:00.123Z";
    for (file, name) in [("haproxy-clf", "haproxy"), ("envoy-istio", "envoy")]
    {
        let file = format!("fixtures/formats/{file}.log");
        let report = run(&[&file, "-o", "json"]).report();
        assert_eq!(report["inputs"][0]["format"], name);
        assert_eq!(report["inputs"][0]["rejected"]["shape"], 0);
        let log = streams(&file);
        let opened = log.streams.iter().min_by_key(|s| s.opened);
        let opened = opened.expect("a stream");
        assert_eq!(opened.opened.to_rfc3339(), first, "{file}");
        let mut holds: Vec<i64> =
            log.streams.iter().filter_map(|s| Some(s.hold()?.0)).collect();
        holds.sort_unstable();
        assert_eq!(holds, [20_501_000, 45_004_000, 60_001_000], "{file}");
        let client = |s: &&Stream| s.ended_by == EndedBy::Client;
        assert_eq!(log.streams.iter().filter(client).count(), 1, "{file}");
    }
}

#[test]
fn envoys_starts_find_their_ends() {
    let log = streams("fixtures/formats/envoy.log");
    assert!(log.opens_known);
    assert_eq!(log.repeated, 0);
}

#[test]
fn what_haproxy_logs_as_a_stream_opens_has_no_end() {
    let file = "fixtures/formats/haproxy-logasap.log";
    let report = run(&[file, "-o", "json"]).report();
    assert_eq!(report["inputs"][0]["format"], "haproxy");
    assert_eq!(report["inputs"][0]["selected"], 2);
    assert_eq!(report["streams"]["ended"], 0);
    assert_eq!(report["verdict"], "unknown");
}

//! The JSON formats against what the clients themselves measured.

mod oracle;

use std::fs;

use serde::Deserialize;
use streamleak::internal::format::json::{
    Caddy, Json, NOT_ACCESS, WorkersTail,
};
use streamleak::internal::format::{Choice, EndedBy, Format, Record, Reject};
use streamleak::internal::time::{Micros, Unit};

/// The bytes of a fixture.
fn fixture(name: &str) -> Vec<u8> {
    let root = env!("CARGO_MANIFEST_DIR");
    let path = format!("{root}/fixtures/{name}");
    fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The JSON format most of these records have.
fn detect(records: &[&[u8]]) -> Option<Json> {
    match Choice::Auto.formats(records).formats.into_iter().next()? {
        Format::Json(json) => Some(json),
        _ => None,
    }
}

/// The records of a log that has one a line.
fn lines(log: &[u8]) -> Vec<&[u8]> {
    let lines = log.split(|&byte| byte == b'\n');
    lines.filter(|line| !line.is_empty()).collect()
}

/// The records of pretty-printed objects one after the other.
fn objects(log: &[u8]) -> Vec<&[u8]> {
    let mut objects = serde_json::Deserializer::from_slice(log)
        .into_iter::<serde_json::Value>();
    let mut found = Vec::new();
    loop {
        let from = objects.byte_offset();
        match objects.next() {
            Some(object) => object.expect("an object"),
            None => return found,
        };
        found.push(&log[from..objects.byte_offset()]);
    }
}

/// A log read in the format it is detected to have.
fn read<'a>(records: &[&'a [u8]], format: &str) -> Vec<Record<'a>> {
    let json = detect(records).expect("a known format");
    assert_eq!(json.name(), format);
    let read = records.iter().map(|record| json.parse(record));
    read.collect::<Result<_, _>>().expect("sound records")
}

/// What a client measured of one request, in seconds since 1970.
#[derive(Clone, Debug, Deserialize)]
struct Truth {
    #[serde(default)]
    server: String,
    #[serde(default)]
    scenario: String,
    #[serde(default)]
    path: String,
    start: f64,
    end: f64,
    #[serde(default, alias = "ended_by")]
    why: String,
}

impl Truth {
    fn client_left(&self) -> bool {
        self.why.starts_with("client")
    }
}

/// The truth of one server of the ground-truth run, with the target each
/// scenario asked for.
fn ground_truth(server: &str) -> Vec<Truth> {
    let text = fixture("groundtruth/truth.jsonl");
    let rows = lines(&text).into_iter();
    let rows = rows.map(serde_json::from_slice::<Truth>);
    let rows = rows.map(|row| row.expect("a row of truth"));
    let rows = rows.filter(|row| row.server == server);
    rows.map(|row| Truth { path: target(&row.scenario).into(), ..row })
        .collect()
}

fn target(scenario: &str) -> &'static str {
    match scenario.split(' ').next().expect("a name") {
        "S1" => "/subscriptions/listen?d=60",
        "S1b" => "/subscriptions/listen?d=60&n=2",
        "S2" => "/subscriptions/listen?d=60&abort=1",
        "S2b" => "/subscriptions/listen?d=60&rst=1",
        "S3" => "/subscriptions/listen?d=40&mode=silent",
        "S4" => "/subscriptions/listen?d=30&mode=nohdr",
        "S5" => "/subscriptions/listen?d=30&mode=nohdr&to=1",
        "S6" => "/subscriptions/listen?d=3&x=\"q\"\\z|{}é%22",
        "S7" => "/mcp?d=30",
        "S8.0" => "/healthz?d=0.1",
        "S8.1" => "/subscriptions/listen?d=10&k=1",
        "S10" => "/retry/subscriptions/listen?d=20",
        other => panic!("no target known for {other}"),
    }
}

/// A record's interval less the true one, in seconds.
struct Off {
    truth: Truth,
    start: f64,
    end: f64,
}

/// Pairs each record with the request of its path that began nearest to it,
/// no request twice.
fn compare(records: &[Record<'_>], mut truths: Vec<Truth>) -> Vec<Off> {
    let one = |record: &Record<'_>| {
        let end = record.end.expect("an end").at;
        let hold = record.duration.expect("a duration");
        let (start, end) = ((end - hold).as_secs(), end.as_secs());
        let apart = |truth: &Truth| (truth.start - start).abs();
        let same = |truth: &&Truth| truth.path.as_bytes() == &*record.target;
        let nearest = truths
            .iter()
            .filter(same)
            .min_by(|a, b| apart(a).total_cmp(&apart(b)))
            .expect("a request of this path")
            .clone();
        truths
            .retain(|truth| truth.start.to_bits() != nearest.start.to_bits());
        Off {
            start: start - nearest.start,
            end: end - nearest.end,
            truth: nearest,
        }
    };
    records.iter().map(one).collect()
}

/// Asserts that a number of seconds lies in a range.
fn within(what: &str, off: &Off, seconds: f64, low: f64, high: f64) {
    let right = (low..=high).contains(&seconds);
    assert!(right, "{what} off by {seconds} s: {:?}", off.truth);
}

#[test]
fn nginx_agrees_with_its_clients() {
    let log = fixture("groundtruth/nginx/json.log");
    let records = read(&lines(&log), "nginx-json");
    assert_eq!(records.len(), 12);
    for off in compare(&records, ground_truth("nginx")) {
        within("start", &off, off.start, -0.003, 0.003);
        within("end", &off, off.end, -0.003, 0.003);
    }
    for (record, truth) in records.iter().zip(ground_truth("nginx")) {
        // The proxy's own time limit ends the silent one.
        let expected = if truth.client_left() {
            EndedBy::Client
        } else {
            EndedBy::Server
        };
        assert_eq!(record.ended_by, expected, "{truth:?}");
    }
}

#[test]
fn nginx_without_escape_json_agrees_up_to_its_clocks_grain() {
    let log = fixture("groundtruth/nginx/json_escape_default.log");
    let records = read(&lines(&log), "nginx-json");
    assert_eq!(records.len(), 12);
    for off in compare(&records, ground_truth("nginx")) {
        within("start", &off, off.start, -1.003, 0.003);
        within("end", &off, off.end, -1.003, 0.003);
        within("hold", &off, off.end - off.start, -0.005, 0.005);
    }
}

#[test]
fn nginx_of_the_leak_and_of_the_mixed_run_agree_with_their_clients() {
    for (run, rows) in [("leak", 827), ("mixed", 14)] {
        let log = fixture(&format!("real-logs/{run}/nginx-json.log"));
        let truth = fixture(&format!("real-logs/{run}/nginx.truth.json"));
        let truth = serde_json::from_slice(&truth).expect("the truth");
        let records = read(&lines(&log), "nginx-json");
        assert_eq!(records.len(), rows);
        let compared = compare(&records, truth);
        let streams = compared
            .into_iter()
            .filter(|off| off.truth.path.contains("listen?"));
        for off in streams {
            // The clients were busy themselves: up to 40 ms late.
            within("start", &off, off.start, -0.003, 0.003);
            within("end", &off, off.end, -0.04, 0.003);
        }
    }
}

/// Caddy notices a client that left only at the next failed write: how late
/// it logged each scenario that the client ended.
fn caddy_lateness(server: &str, scenario: &str) -> f64 {
    match (server, scenario.split(' ').next()) {
        (_, Some("S2")) => 3.53,
        (_, Some("S2b")) => 3.03,
        ("caddy", Some("S4")) => 7.0,
        ("caddy_iso", Some("S4")) => 25.0,
        other => panic!("no lateness known for {other:?}"),
    }
}

#[test]
fn caddy_agrees_with_its_clients() {
    for (server, log, grain) in [
        ("caddy", "groundtruth/caddy/access.log", 0.0),
        ("caddy_iso", "groundtruth/caddy/access_iso_string.log", 0.001),
    ] {
        let log = fixture(log);
        let records = read(&lines(&log), "caddy");
        assert_eq!(records.len(), 11);
        for off in compare(&records, ground_truth(server)) {
            let late = if off.truth.client_left() {
                caddy_lateness(server, &off.truth.scenario)
            } else {
                0.0
            };
            within("start", &off, off.start, -0.002 - grain, 0.002);
            within("end", &off, off.end - late, -0.01 - grain, 0.01);
            if !off.truth.client_left() {
                within("end", &off, off.end, -0.002 - grain, 0.002);
            }
        }
    }
}

#[test]
fn caddy_of_the_mixed_run_agrees_and_is_only_ever_late() {
    let log = fixture("real-logs/mixed/caddy.log");
    let truth = fixture("real-logs/mixed/caddy.truth.json");
    let truth = serde_json::from_slice(&truth).expect("the truth");
    let records = read(&lines(&log), "caddy");
    assert_eq!(records.len(), 13);
    for off in compare(&records, truth) {
        let latest = if off.truth.client_left() { 70.0 } else { 0.002 };
        within("start", &off, off.start, -0.002, 0.002);
        within("end", &off, off.end, -0.003, latest);
    }
}

#[test]
fn hostile_bytes_come_out_as_they_were_sent() {
    let agent = "Evil \"quoted\" \\back\\ {br|pipe} é # end".as_bytes();
    for (log, format) in [
        ("groundtruth/nginx/json.log", "nginx-json"),
        ("groundtruth/nginx/json_escape_default.log", "nginx-json"),
        ("groundtruth/caddy/access.log", "caddy"),
        ("groundtruth/caddy/access_iso_string.log", "caddy"),
    ] {
        let bytes = fixture(log);
        let records = read(&lines(&bytes), format);
        let evil = records.iter().filter(|record| *record.agent == *agent);
        let evil: Vec<_> = evil.collect();
        assert_eq!(evil.len(), 1, "{log}");
        assert_eq!(*evil[0].target, *target("S6").as_bytes(), "{log}");
        assert_eq!(*evil[0].method, *b"GET", "{log}");
    }
}

#[test]
fn the_mcp_headers_and_the_rest_of_a_row_are_read() {
    for (log, format, address) in [
        ("groundtruth/nginx/json.log", "nginx-json", "127.0.0.1"),
        ("groundtruth/caddy/access.log", "caddy", "127.0.0.1"),
        ("logs/cloudflare/unixnano.ndjson", "cloudflare", "2001:db8::7"),
    ] {
        let bytes = fixture(log);
        let json = detect(&lines(&bytes)).expect("a known format");
        assert_eq!(json.name(), format);
        let records = lines(&bytes).into_iter();
        let records = records.filter_map(|record| json.parse(record).ok());
        let mcp = records.filter(|record| !record.mcp_method.is_empty());
        let mcp: Vec<_> = mcp.collect();
        assert_eq!(mcp.len(), 1, "{log}");
        assert_eq!(*mcp[0].mcp_method, *b"subscriptions/listen");
        assert!(mcp[0].session.starts_with(b"5f3c1d1e-7a2b"), "{log}");
        assert_eq!(*mcp[0].method, *b"POST");
        assert!(mcp[0].target.starts_with(b"/mcp"));
        assert_eq!(*mcp[0].address, *address.as_bytes());
        assert!(mcp[0].status == 200 || mcp[0].status == 499);
    }
}

#[test]
fn cloudflare_rows_hold_both_ends_in_every_timestamp_format() {
    for (format, grain) in [
        ("unix", Micros::SECOND),
        ("unixnano", Micros(1)),
        ("rfc3339", Micros::SECOND),
        ("rfc3339ms", Micros(1_000)),
        ("rfc3339ns", Micros(1)),
    ] {
        let log = fixture(&format!("logs/cloudflare/{format}.ndjson"));
        let json = detect(&lines(&log)).expect("a known format");
        assert_eq!(json.name(), "cloudflare");
        let records: Vec<_> =
            lines(&log).into_iter().map(|row| json.parse(row)).collect();
        // Cut to the grain as the edge cuts it. The second row is a
        // Worker's own request.
        let cut = |micros: i64| Micros(micros - micros % grain.0);
        let times = [
            (1_785_585_600_123_000, 1_785_585_660_124_000),
            (1_785_585_601_500_250, 1_785_585_631_999_999),
        ];
        assert_eq!(records[1], Err(Reject::shape(0, NOT_ACCESS)));
        for (row, (start, end)) in [0, 2].into_iter().zip(times) {
            let record = records[row].as_ref().expect("a visitor's row");
            let clocks = [record.start, record.end].map(Option::unwrap);
            assert_eq!(clocks.map(|clock| clock.at), [cut(start), cut(end)]);
            assert_eq!(clocks.map(|clock| clock.grain), [grain, grain]);
        }
        let client = records[2].as_ref().map(|record| record.ended_by);
        assert_eq!(client, Ok(EndedBy::Client));
    }
}

#[test]
fn workers_tail_events_start_when_their_clients_did() {
    let log = fixture("real-logs/workers-tail/tail.json");
    let truth = fixture("real-logs/workers-tail/truth.json");
    let truth: Vec<Truth> = serde_json::from_slice(&truth).expect("a truth");
    let records = read(&objects(&log), "workers-tail");
    assert_eq!(records.len(), 6);
    for record in &records {
        let same =
            |truth: &&Truth| record.target.ends_with(truth.path.as_bytes());
        let truth = truth.iter().find(same).expect("its request");
        // The client's times are in milliseconds here; the connection took
        // up to 14 of them.
        let start = record.start.expect("a start").at.as_secs() * 1e3;
        assert!((0.0..=20.0).contains(&(start - truth.start)), "{truth:?}");
        assert_eq!((record.end, record.duration), (None, None));
        assert_eq!(*record.address, *b"127.0.0.1");
    }
    let listen = records
        .iter()
        .filter(|record| *record.mcp_method == *b"subscriptions/listen");
    let agents: Vec<_> = listen.map(|record| &*record.agent).collect();
    assert_eq!(agents, [b"claude-code/2.1.231 (cli)"]);
}

#[test]
fn workers_trace_events_are_detected_and_timers_passed_over() {
    let log = fixture("logs/cloudflare/workers_trace_events.ndjson");
    let json = detect(&lines(&log)).expect("a known format");
    assert_eq!(json.name(), "workers-trace");
    let records = lines(&log).into_iter().map(|row| json.parse(row));
    let holds: Vec<_> = records.map(|read| read.map(|r| r.duration)).collect();
    let timer = Err(Reject::shape(0, NOT_ACCESS));
    assert_eq!(holds, [Ok(Some(Micros(60_001_000))), Ok(None), timer]);
}

#[test]
fn a_log_is_detected_by_most_of_its_records() {
    let caddy = fixture("groundtruth/caddy/access.log");
    let caddy = lines(&caddy);
    let nginx = fixture("groundtruth/nginx/json.log");
    let nginx = lines(&nginx);
    let name = |rows: &[&[u8]]| detect(rows).map(|json| json.name());
    let started =
        br#"{"level":"info","ts":1795960006.3,"msg":"using config"}"#;
    let start: &[u8] = started;
    let rows = [&[start; 30][..], &caddy[..2]].concat();
    assert_eq!(name(&rows), Some("caddy"));
    let rows = [&caddy[..3], &nginx[..5]].concat();
    assert_eq!(name(&rows), Some("nginx-json"));
    let rows = [&nginx[..3], &[&b"no object"[..]; 4][..]].concat();
    assert_eq!(name(&rows), None);
    assert_eq!(name(&[]), None);
    assert_eq!(name(&[start; 3]), None);
    // Pino's shape, from its documentation.
    let pino = br#"{"level":30,"time":1795959863784,"req":{"id":1,"method":"GET","url":"/x"},"res":{"statusCode":200},"responseTime":60003,"msg":"request completed"}"#;
    assert_eq!(name(&[&pino[..]; 3]), None);
}

#[test]
fn the_unit_of_caddys_whole_durations_is_learnt_from_the_log() {
    let log = fixture("groundtruth/caddy/access.log");
    let log = String::from_utf8(log).expect("text");
    // `duration_format ms` logs whole milliseconds.
    let whole = |text: &str| {
        let (head, tail) = text.split_once("\"duration\":")?;
        let (seconds, tail) = tail.split_once(',')?;
        let seconds: f64 = seconds.parse().ok()?;
        Some(format!("{head}\"duration\":{},{tail}", (seconds * 1e3) as u64))
    };
    let rows: Vec<String> = log.lines().filter_map(whole).collect();
    let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
    assert_eq!(rows.len(), 11);
    let json = detect(&rows).expect("a known format");
    assert_eq!(json.duration_unit(), Some(Unit::Millis));
    let last = json.parse(rows[10]).map(|record| record.duration);
    assert_eq!(last, Ok(Some(Micros(60_002_000))));
    // Two held streams alone could be 60 s or 60 µs: nothing is guessed.
    let json = detect(&rows[9..]).expect("a known format");
    assert_eq!(json.duration_unit(), None);
    assert!(json.parse(rows[10]).is_err());
    let told = Caddy::default().with_unit(Some(Unit::Millis));
    assert_eq!(told.parse(rows[10]).map(|record| record.duration), last);
}

#[test]
fn a_compact_tail_event_reads_like_a_pretty_one() {
    let log = fixture("real-logs/workers-tail/tail.json");
    let tail = WorkersTail::default();
    for pretty in objects(&log) {
        let value: serde_json::Value =
            serde_json::from_slice(pretty).expect("an object");
        let compact = value.to_string();
        assert_eq!(tail.parse(compact.as_bytes()), tail.parse(pretty));
    }
}

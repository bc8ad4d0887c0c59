use std::collections::HashMap;

use serde_json::Value;

use super::*;
use crate::format::EndedBy;
use crate::format::preset::haproxy_json;
use crate::time::Micros;

const HTTP: &str = r#"192.0.2.7:43068 [29/Nov/2026:13:43:23.262] front~ sse/srv1 0/0/0/1/60001 200 583 - - ---- 12/2/9/9/0 0/0 {subscriptions/listen|truth-client/1.0 (S)} "POST /mcp?d=60 HTTP/1.1""#;
const TCP: &str = "192.0.2.7:47480 [29/Nov/2026:13:43:23.517] tcp1 ssetcp/srv1 1/0/60003 599 CD 7/2/1/1/0 0/0";
const CLF: &str = r#"192.0.2.7 - - [29/Nov/2026:13:43:23 +0000] "GET /subscriptions/listen?d=60 HTTP/1.1" 200 583 "" "" 39830 362 "clf" "sse" "srv1" 0 0 0 1 60002 cD-- 10 2 7 7 0 0 0 "" "" "#;
const CONNECT: &str =
    "Connect from 192.0.2.7:39234 to 198.51.100.1:19034 (default_fmt/HTTP)";

fn read(text: &str) -> Record<'_> {
    let read = parse(text.as_bytes(), 0);
    read.unwrap_or_else(|reject| panic!("{text}: {reject:?}"))
}

fn start(record: &Record<'_>) -> String {
    record.start.unwrap().at.to_rfc3339()
}

#[test]
fn a_line_of_http_is_its_start_in_local_time_and_its_duration() {
    let record = parse(HTTP.as_bytes(), 3_600).unwrap();
    assert_eq!(start(&record), "2026-11-29T12:43:23.262Z");
    assert_eq!(record.duration, Some(Micros(60_001_000)));
    assert_eq!((&*record.method, record.status), (&b"POST"[..], 200));
    assert_eq!(record.bytes, Some(583));
    assert_eq!(*record.target, *b"/mcp?d=60");
    assert_eq!(*record.address, *b"192.0.2.7");
    assert_eq!(*record.mcp_method, *b"subscriptions/listen");
    assert_eq!(*record.agent, *b"truth-client/1.0 (S)");
    assert_eq!(record.ended_by, EndedBy::Server);
    // Streams of one HTTP/2 connection have one port.
    assert_eq!(*record.request_id, *b"");
}

#[test]
fn httpslog_and_two_groups_of_captures_are_httplog() {
    let line = HTTP.replace(r#"} "POST"#, r#"} {|srv/9} "POST"#);
    let line = format!("{line} 0/0000000000000000/0/0/0 -/TLSv1.3/AES");
    assert_eq!(read(&line), read(HTTP));
}

#[test]
fn the_request_begins_when_it_has_come_in() {
    let line = HTTP.replace("0/0/0/1/60001", "9000/0/0/1/69001");
    let record = read(&line);
    assert_eq!(start(&record), "2026-11-29T13:43:32.262Z");
    assert_eq!(record.duration, Some(Micros(60_001_000)));
}

#[test]
fn timers_that_were_not_reached_are_nothing() {
    let line = HTTP.replace("0/0/0/1/60001 200", "-1/-1/-1/-1/8000 -1");
    let record = read(&line);
    assert_eq!(start(&record), "2026-11-29T13:43:23.262Z");
    let all = (record.duration, record.status);
    assert_eq!(all, (Some(Micros(8_000_000)), 0));
}

#[test]
fn logasap_tells_only_of_an_opening() {
    let line = HTTP.replace("60001 200 583", "+1 200 +111");
    let record = read(&line);
    assert_eq!((record.event, record.duration), (Event::Open, None));
    assert_eq!((record.status, record.bytes), (200, None));
    assert_eq!(start(&record), "2026-11-29T13:43:23.262Z");
    assert_eq!(*record.request_id, *b"");
    assert_eq!(record.ended_by, EndedBy::Unknown);
    let line = CLF.replace(" 60002 ", " +1 ");
    let record = read(&line);
    assert_eq!((record.event, record.duration), (Event::Open, None));
    assert_eq!(*record.request_id, *b"");
    assert_eq!(record.ended_by, EndedBy::Unknown);
}

#[test]
fn a_connection_joins_its_opening_by_the_clients_port() {
    let end = read(TCP);
    assert_eq!(start(&end), "2026-11-29T13:43:23.517Z");
    assert_eq!(end.duration, Some(Micros(60_003_000)));
    assert_eq!(*end.request_id, *b"192.0.2.7:47480");
    assert_eq!(end.ended_by, EndedBy::Client);
    assert_eq!((end.status, end.bytes), (0, Some(599)));
    let open = read(CONNECT);
    assert_eq!(open.event, Event::Open);
    assert_eq!((open.start, open.end, open.stamp), (None, None, None));
    assert_eq!(*open.request_id, *b"192.0.2.7:39234");
    assert_eq!(*open.address, *b"192.0.2.7");
}

#[test]
fn clf_has_its_milliseconds_behind_the_port() {
    let record = parse(CLF.as_bytes(), 3_600).unwrap();
    assert_eq!(start(&record), "2026-11-29T13:43:23.362Z");
    assert_eq!(record.duration, Some(Micros(60_002_000)));
    assert_eq!(*record.target, *b"/subscriptions/listen?d=60");
    assert_eq!((record.status, record.bytes), (200, Some(583)));
    assert_eq!(*record.address, *b"192.0.2.7");
    assert_eq!(record.ended_by, EndedBy::Client);
    let captured =
        CLF.replace(r#" "" "" "#, r#" "" "" "subscriptions/listen" "a/1" "#);
    let captured =
        captured.replacen(r#" "subscriptions/listen" "a/1""#, "", 1);
    let record = read(&captured);
    assert_eq!(*record.mcp_method, *b"subscriptions/listen");
    assert_eq!(*record.agent, *b"a/1");
}

#[test]
fn an_address_of_ipv6_keeps_its_colons() {
    for (client, address) in [
        ("2001:db8::7:43068", "2001:db8::7"),
        ("::ffff:192.0.2.7:43068", "::ffff:192.0.2.7"),
        ("unix:1", "unix"),
    ] {
        let line = HTTP.replace("192.0.2.7:43068", client);
        assert_eq!(*read(&line).address, *address.as_bytes());
    }
}

#[test]
fn escapes_are_undone_and_a_cut_request_is_kept() {
    let line = HTTP.replace("/mcp?d=60", "/a#22b#23c#C3#A9#2x#");
    assert_eq!(*read(&line).target, *b"/a\"b#c\xC3\xA9#2x#");
    let line = HTTP.replace("(S)", "#7BS#7D");
    assert_eq!(*read(&line).agent, *b"truth-client/1.0 {S}");
    let cut = HTTP.find(" HTTP/1.1").unwrap();
    assert_eq!(*read(&HTTP[..cut]).target, *b"/mcp?d=60");
    let cut = HTTP.find(" (S)").unwrap();
    let record = read(&HTTP[..cut]);
    assert_eq!(*record.mcp_method, *b"subscriptions/listen");
    assert_eq!(record.duration, Some(Micros(60_001_000)));
}

#[test]
fn a_bad_request_names_no_path() {
    let record = read(
        r#"192.0.2.7:42492 [29/Nov/2026:13:43:33.162] h1 h1/<NOSRV> -1/-1/-1/-1/0 400 0 - - PR-- 43/8/0/0/0 0/0 "<BADREQ>""#,
    );
    assert_eq!((&*record.method, record.status), (&b""[..], 400));
    assert_eq!(*record.target, *b"<BADREQ>");
}

#[test]
fn what_is_no_request_is_passed_over() {
    for line in [
        "192.0.2.7:50033 [29/Nov/2026:02:43:10.123] fe/https: SSL handshake failure (error:0A0000C1:SSL routines::no shared cipher)",
        "192.0.2.7:50035 [29/Nov/2026:02:43:12.345] fe/1: Connection closed during SSL handshake",
        "Proxy prod_http_in started.",
        "Server sse/srv1 is DOWN, reason: Layer4 timeout. 0 active servers left.",
        "backend sse has no server available!",
    ] {
        let other = Err(Reject::shape(0, NOT_ACCESS));
        assert_eq!(parse(line.as_bytes(), 0), other, "{line}");
    }
}

#[test]
fn lines_of_others_are_refused_and_no_cut_panics() {
    for line in [
        r#"192.0.2.1 - - [29/Nov/2026:13:44:23 +0000] "GET /a HTTP/1.1" 200 7 "-" "ua" 60.002"#,
        r#"192.0.2.1 - - [29/Nov/2026:13:44:23 +0000] "GET /a HTTP/1.1" 200 7 "" "" 1 "a" "b" 1ms"#,
        "192.0.2.1:80 [29/Nov/2026:13:44:23.1] a b/c 1/2/3 4 -- 1/1/1/1/1 0/0",
        "192.0.2.1:80 [29/Nov/2026:13:44:23.100] a b/c 1/2/3/4 4 -- 1/1/1/1/1 0/0",
        "192.0.2.1:80 [29/Nov/2026:13:44:23.100] a b/c 1/2/3 4 OK 1/1/1/1/1 0/0",
        "192.0.2.1:80 [29/Nov/2026:13:44:23.100] a b/c 1/2/3 4 -- 1/1/1/1 0/0",
        "Connect from here",
        "Server started",
        "",
    ] {
        let read = parse(line.as_bytes(), 0);
        let reject = read.map(|_| ()).unwrap_err();
        assert_ne!(reject.expected, NOT_ACCESS, "{line}");
    }
    for line in [HTTP, TCP, CLF, CONNECT] {
        // The fewest bytes that say all that is asked for.
        let least = line.rfind("0/0").map(|at| at + 3);
        let least = least.unwrap_or(line.trim_end().len());
        for end in 0..line.len() {
            let read = parse(&line.as_bytes()[..end], 0);
            assert!(read.is_err() || end >= least, "{}", &line[..end]);
        }
    }
}

/// The clients of the ground-truth lab: by server and port, when each began
/// and ended, in seconds, and in which scenario.
fn truth() -> HashMap<(String, u64), (f64, f64, String)> {
    let rows = include_str!("../../../../fixtures/groundtruth/truth.jsonl");
    let rows = rows.lines().map(|row| {
        let row: Value = serde_json::from_str(row).unwrap();
        let text = |key: &str| row[key].as_str().unwrap_or("").to_owned();
        let secs = |key: &str| row[key].as_f64().unwrap();
        let port = row["client_port"].as_u64().unwrap_or(0);
        let seen = (secs("start"), secs("end"), text("scenario"));
        ((text("server"), port), seen)
    });
    rows.collect()
}

/// The frontend and the client's port of a line of the lab.
fn place(line: &str) -> (String, u64) {
    let words: Vec<&str> = line.split(' ').collect();
    let port = |text: &str| text.parse().unwrap();
    if let Some((_, rest)) = line.split_once("\"cp\":") {
        let port = port(rest.split(',').next().unwrap());
        return ("haproxy_json".to_owned(), port);
    }
    if let Some((_, rest)) = line.split_once("\"\" \"\" ") {
        let port = port(rest.split(' ').next().unwrap());
        return ("haproxy_clf".to_owned(), port);
    }
    let client = if words[0] == "Connect" { words[2] } else { words[0] };
    let name = match words[2] {
        "h1" => "haproxy_http",
        "asap" => "haproxy_asap",
        "tcp1" => "haproxy_tcp",
        _ => "haproxy_default",
    };
    (name.to_owned(), port(client.rsplit(':').next().unwrap()))
}

/// How late HAProxy saw an end: a client that has gone is noticed by the
/// next write, a second or two later, or by the server's silence.
fn latest(scenario: &str, name: &str) -> f64 {
    match &scenario[..2] {
        // The way out of a connection is the client's own.
        _ if name == "haproxy_tcp" && scenario.starts_with("S4") => 0.01,
        "S4" => 7.01,
        "S2" => 1.6,
        _ => 0.01,
    }
}

#[test]
fn the_labs_clients_saw_what_was_logged() {
    let log = include_str!(
        "../../../../fixtures/groundtruth/haproxy/syslog_raw.log"
    );
    let truth = truth();
    let (mut whole, mut opens) = (0, 0);
    for line in log.lines() {
        let (_, line) = line.split_once("]: ").unwrap();
        let read = parse(line.as_bytes(), 0)
            .or_else(|_| haproxy_json::parse(line.as_bytes(), 0));
        let read = read.unwrap_or_else(|e| panic!("{line}: {e:?}"));
        let place = place(line);
        let (began, ended, scenario) = &truth[&place];
        if let Some(start) = read.start {
            let off = start.at.as_secs() - began;
            // Milliseconds are cut, and a connection is accepted before
            // its request.
            let early = if place.0 == "haproxy_tcp" { 0.005 } else { 0.002 };
            assert!((-early..0.002).contains(&off), "{off} {line}");
        }
        if read.event == Event::Open {
            opens += 1;
            continue;
        }
        let end = read.start.unwrap().at + read.duration.unwrap();
        let late = end.as_secs() - ended;
        let latest = latest(scenario, &place.0);
        assert!((-0.01..latest).contains(&late), "{late} {line}");
        let left = scenario.starts_with("S2");
        let by = if left { EndedBy::Client } else { EndedBy::Server };
        assert_eq!(read.ended_by, by, "{line}");
        whole += 1;
    }
    assert_eq!((whole, opens), (40, 19));
}

//! Envoy's strings and dictionaries.

use super::*;
use crate::format::{NOT_ACCESS, Reject};

fn envoy(format: &str) -> Template {
    Template::envoy(format).unwrap()
}

/// What Envoy writes when no format is given.
/// <https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage#default-format-string>
const DEFAULT: &str = r#"[%START_TIME%] "%REQ(:METHOD)% %REQ(X-ENVOY-ORIGINAL-PATH?:PATH)% %PROTOCOL%" %RESPONSE_CODE% %RESPONSE_FLAGS% %BYTES_RECEIVED% %BYTES_SENT% %DURATION% %RESP(X-ENVOY-UPSTREAM-SERVICE-TIME)% "%REQ(X-FORWARDED-FOR)%" "%REQ(USER-AGENT)%" "%REQ(X-REQUEST-ID)%" "%REQ(:AUTHORITY)%" "%UPSTREAM_HOST%"\n"#;

const LINE: &[u8] = br#"[2026-11-29T13:44:23.164Z] "POST /mcp?a=1 HTTP/2" 200 DC 0 164 20501 3 "192.0.2.7,10.0.0.1" "curl "x" /8" "r-1" "mcp.example.com" "10.0.2.1:80""#;

#[test]
fn the_default_format_reads_its_lines() {
    for form in [
        DEFAULT.to_owned(),
        format!("inline_string: \"{}\"", DEFAULT.replace('"', "\\\"")),
        format!("format: '{DEFAULT}'"),
        DEFAULT.trim_end_matches("\\n").to_owned(),
    ] {
        let template = Template::new(&form).unwrap();
        assert_eq!(template.dialect(), Dialect::Envoy);
        let record = template.parse(LINE).unwrap();
        let start = Clock { at: AT + Micros(164_000), grain: Micros(1_000) };
        assert_eq!((record.start, record.end), (Some(start), None));
        assert_eq!(record.duration, Some(Micros(20_501_000)));
        assert_eq!(
            (&*record.method, &*record.target),
            (&b"POST"[..], &b"/mcp?a=1"[..])
        );
        assert_eq!(&*record.address, b"192.0.2.7");
        assert_eq!(&*record.agent, br#"curl "x" /8"#);
        assert_eq!(&*record.request_id, b"r-1");
        assert_eq!((record.status, record.bytes), (200, Some(164)));
        assert_eq!(record.ended_by, EndedBy::Client);
        assert_eq!(template.unit(), Some(Unit::Millis));
        assert_eq!(template.mark(), Mark::Start);
    }
}

/// A format of a time, what it writes, and its microseconds after [`AT`].
const TIMES: [(&str, &str, i64); 10] = [
    ("%START_TIME%", "2026-11-29T13:44:23.164Z", 164_000),
    ("%START_TIME(%s.%3f)%", "1795959863.164", 164_000),
    ("%START_TIME(%s%3f)%", "1795959863164", 164_000),
    ("%START_TIME(%s.%9f)%", "1795959863.164000001", 164_000),
    ("%START_TIME(%s)%", "1795959863", 0),
    (
        "%START_TIME(%Y-%m-%dT%H:%M:%S.%6fZ)%",
        "2026-11-29T13:44:23.164001Z",
        164_001,
    ),
    ("%START_TIME(%FT%T.%fZ)%", "2026-11-29T13:44:23.164001000Z", 164_001),
    (
        "%START_TIME(%Y-%m-%dT%H:%M:%E3S%z)%",
        "2026-11-29T15:44:23.164+0200",
        164_000,
    ),
    ("%START_TIME(%Y/%m/%d %H:%M:%S)%", "2026/11/29 13:44:23", 0),
    ("%START_TIME(%d/%b/%Y:%T %z)%", "29/Nov/2026:13:44:23 +0000", 0),
];

#[test]
fn times_are_read_as_they_are_written_and_in_utc() {
    for (format, text, micros) in TIMES {
        let template = envoy(&format!("{format} %DURATION%"));
        let template = template.with_zone(7_200);
        let line = format!("{text} 5");
        let record = template.parse(line.as_bytes());
        let record = record.unwrap_or_else(|e| panic!("{format}: {e:?}"));
        let start = record.start.expect(format).at;
        assert_eq!(start - AT, Micros(micros), "{format}");
    }
}

#[test]
fn a_dictionary_is_read_by_its_keys_in_any_order() {
    let template = Template::new(
        r#"{"start":"%START_TIME%","took":"%DURATION%","req":
            {"line":"%REQ(:METHOD)% %REQ(:PATH)% \"%PROTOCOL%\"",
             "mcp":"%REQ(MCP-METHOD)%"},
            "flags":"%RESPONSE_FLAGS%","ip":
            "%DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT%","n":5,"l":["a"],
            "status":"%RESPONSE_CODE%","sent":"%BYTES_SENT%",
            "received":"%BYTES_RECEIVED%","fixed":"x"}"#,
    )
    .unwrap();
    assert_eq!(template.dialect(), Dialect::Envoy);
    assert_eq!(template.values(), 11);
    assert!(template.has_interval());
    let line = br#"{"fixed":"x","flags":"UC,DR","ip":"192.0.2.7","req":
        {"mcp":"tools\/list","line":"POST /a\"b \"HTTP/2\""},
        "status":200,"received":7,"sent":164,"took":60001,"start":"2026-11-29T13:44:23.164Z"}"#;
    let record = template.parse(line).unwrap();
    assert_eq!(record.start.unwrap().at, AT + Micros(164_000));
    assert_eq!(record.duration, Some(Micros(60_001_000)));
    assert_eq!(
        (&*record.method, &*record.target),
        (&b"POST"[..], &b"/a\"b"[..])
    );
    assert_eq!(&*record.mcp_method, b"tools/list");
    assert_eq!((record.status, &*record.address), (200, &b"192.0.2.7"[..]));
    assert_eq!(record.bytes, Some(164));
    assert_eq!(record.ended_by, EndedBy::Client);
    let line = br#"{"took":null,"start":"2026-11-29T13:44:23.164Z"}"#;
    assert_eq!(template.parse(line).unwrap().duration, None);
    assert_eq!(rejected(&template, b"{\"a\":1}"), (Reason::Shape, 0));
    let line = br#"{"status":200,"took":"soon"}"#;
    assert_eq!(rejected(&template, line), (Reason::Duration, 22));
    let line = br#"{"req":{"line":"GET"}}"#;
    assert_eq!(rejected(&template, line), (Reason::Shape, 16));
}

#[test]
fn a_text_that_looks_like_json_is_read_as_text() {
    let template =
        envoy(r#"{"t":"%START_TIME%","d":%DURATION%,"p":"%REQ(:PATH)%"}\n"#);
    let line = br#"{"t":"2026-11-29T13:44:23.164Z","d":5,"p":"/a"}"#;
    let record = template.parse(line).unwrap();
    assert_eq!(
        (&*record.target, record.duration),
        (&b"/a"[..], Some(Micros(5_000)))
    );
}

#[test]
fn openings_are_told_and_records_in_between_are_none() {
    let template = envoy(
        "%START_TIME% %ACCESS_LOG_TYPE% %STREAM_ID% %REQ(X-REQUEST-ID)% \
         %DURATION%",
    );
    let event = |kind: &str, duration: &str| {
        let line =
            format!("2026-11-29T13:44:23.164Z {kind} s-1 r-1 {duration}");
        template.parse(line.as_bytes()).map(|record| {
            assert_eq!(&*record.request_id, b"s-1");
            record.event
        })
    };
    let none = Err(Reject::shape(0, NOT_ACCESS));
    for (kind, duration, expected) in [
        ("DownstreamStart", "-", Ok(Event::Open)),
        ("DownstreamEnd", "60001", Ok(Event::Whole)),
        ("NotSet", "60001", Ok(Event::Whole)),
        ("TcpConnectionEnd", "60001", Ok(Event::Whole)),
        ("DownstreamPeriodic", "5000", none),
        ("UpstreamEnd", "5000", none),
    ] {
        assert_eq!(event(kind, duration), expected, "{kind}");
    }
}

#[test]
fn who_ended_it_is_told_by_flags_and_details() {
    let template = envoy(
        "%START_TIME% %RESPONSE_CODE_DETAILS% %RESPONSE_FLAGS% \
         %REQ(MCP-METHOD):20%",
    );
    for (text, expected) in [
        ("via_upstream -", EndedBy::Server),
        ("via_upstream DC", EndedBy::Client),
        ("via_upstream UT,DR", EndedBy::Client),
        ("upstream_response_timeout UT", EndedBy::Server),
        ("http2.remote_reset -", EndedBy::Client),
        ("downstream_remote_disconnect -", EndedBy::Client),
    ] {
        let line = format!("2026-11-29T13:44:23.164Z {text} tools/list");
        let record = template.parse(line.as_bytes()).unwrap();
        assert_eq!(record.ended_by, expected, "{text}");
        assert_eq!(&*record.mcp_method, b"tools/list");
    }
}

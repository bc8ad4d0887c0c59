//! Envoy's JSON log: Envoy Gateway, Istio, Contour, and dictionaries of
//! one's own with keys like theirs.
//!
//! The values are those of the text log (`envoy.rs`), as strings or as
//! numbers; what was not logged is `null` or `-`. What tells the server is
//! a key for response flags, or one that begins with `x-envoy-`.
//! <https://gateway.envoyproxy.io/docs/tasks/observability/proxy-accesslog/>
//! <https://projectcontour.io/docs/main/config/access-logging/>

use std::sync::LazyLock;

use super::About;
use super::envoy::{ended_by, staged};
use super::object::noted;
use crate::format::json::{Keys, Note, Part, Texts};
use crate::format::{EndedBy, Field, Mark, Parsed, Record, Reject, Shape};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "envoy-json",
    server: "Envoy Gateway, Istio, Contour: JSON",
    mark: Mark::Start,
    unit: Some(Unit::Millis),
    duration: "ms",
    ended_by: "flag DC, DR",
    ..About::DEFAULT
};

/// `%START_TIME%`; Contour calls it `@timestamp`.
const TIMES: &str = "start_time|startTime|start|@timestamp|timestamp|time";

/// `%RESPONSE_FLAGS%`.
const FLAGS: &str = "response_flags|responseFlags|response_flags_long|flags";

/// `%ACCESS_LOG_TYPE%`.
const KINDS: &str = "access_log_type|accessLogType|log_type|access-log-type";

/// The other fields, the better name first: a path before it was rewritten,
/// the id of a stream before one that the client may have chosen.
const FIELDS: &[(&str, Field)] = &[
    (
        "x-envoy-origin-path|x-envoy-original-path|\
         x_envoy_original_path|x_envoy_origin_path|original_path|\
         path|:path|request_path|uri",
        Field::Target,
    ),
    ("method|:method|request_method|http_method", Field::Method),
    ("duration|duration_ms", Field::Duration(Unit::Millis)),
    ("response_code|responseCode|status|status_code", Field::Status),
    ("bytes_sent|bytesSent", Field::Bytes),
    (
        "downstream_remote_address|\
         downstream_direct_remote_address|\
         downstream_remote_address_without_port|client_ip",
        Field::Address,
    ),
    ("x_forwarded_for|x-forwarded-for|forwarded_for", Field::Forwarded),
    ("user_agent|user-agent|userAgent", Field::Agent),
    ("mcp_method|mcp-method|Mcp-Method", Field::McpMethod),
    ("mcp_session_id|mcp-session-id|Mcp-Session-Id", Field::Session),
    (
        "stream_id|streamId|x-request-id|x_request_id|request_id|\
         requestId",
        Field::RequestId,
    ),
];

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let notes =
        [(Note::Time, TIMES), (Note::Message, FLAGS), (Note::Source, KINDS)];
    let notes = notes.map(|(note, paths)| (paths, Part::Note(note)));
    let fields = FIELDS.iter().cloned();
    let fields = fields.map(|(paths, field)| (paths, Part::Field(field)));
    Keys::new(notes.into_iter().chain(fields))
});

/// Reads one object.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let keys = || Reject::shape(0, "Envoy's response_flags or x-envoy- key");
    if !record.starts_with(b"{") || !has_key(record) {
        return Err(keys());
    }
    let found = KEYS.find(record)?;
    let (who, kind) =
        (who(record, &found), noted(&found, Note::Source).to_vec());
    let start = found.note(Note::Time).map(|(text, at)| {
        Shape::Any.read(text).ok_or(Reject::time(at, "a time"))
    });
    let start = start.transpose()?;
    let mut read = found.into_record()?;
    if read.duration.is_none() && read.target.is_empty() {
        return Err(keys());
    }
    read.start = start;
    read.ended_by = who;
    staged(read, &kind)
}

/// Whether an object has a key that only Envoy's have.
fn has_key(record: &[u8]) -> bool {
    ["\"response_flags", "\"responseFlags\"", "\"x-envoy-", "\"x_envoy_"]
        .iter()
        .any(|key| memchr::memmem::find(record, key.as_bytes()).is_some())
}

/// Who ended it. Flags that the dictionary lacks tell nothing, but a key
/// without a flag says that all went well.
fn who(record: &[u8], found: &Texts<'_, '_>) -> EndedBy {
    let logged =
        |key: &str| memchr::memmem::find(record, key.as_bytes()).is_some();
    match found.note(Note::Message) {
        Some((flags, _)) => ended_by(flags),
        None if logged("\"response_flags") => ended_by(b"-"),
        None if logged("\"responseFlags\"") => ended_by(b"-"),
        None => EndedBy::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Event, NOT_ACCESS};
    use crate::time::Micros;

    const GATEWAY: &str = r#"{":authority":"mcp.example.com","bytes_received":7,"bytes_sent":480,"connection_termination_details":null,"downstream_remote_address":"192.0.2.7:59292","duration":60001,"method":"GET","protocol":"HTTP/2","response_code":200,"response_code_details":"via_upstream","response_flags":"-","start_time":"2026-08-01T12:00:00.123Z","upstream_cluster":"httproute/a/b/rule/0","user-agent":"mcp/1.0","x-envoy-origin-path":"/subscriptions/listen","x-envoy-upstream-service-time":null,"x-forwarded-for":"192.0.2.8","x-request-id":"3bbc0252"}"#;
    const ISTIO: &str = r#"{"authority":"mcp.example.com","bytes_sent":"164","downstream_remote_address":"192.0.2.7:59292","duration":"20501","method":"GET","path":"/subscriptions/listen","protocol":"HTTP/2","request_id":"3bbc0253","response_code":"200","response_flags":"DC","start_time":"2026-08-01T12:00:00.123Z","upstream_service_time":"3","user_agent":"mcp/1.0","x_forwarded_for":null}"#;

    fn read(text: &str) -> Record<'_> {
        parse(text.as_bytes(), 3_600).unwrap()
    }

    #[test]
    fn strings_and_numbers_are_read_alike() {
        let (one, two) = (read(GATEWAY), read(ISTIO));
        let start = one.start.unwrap().at.to_rfc3339();
        assert_eq!(start, "2026-08-01T12:00:00.123Z");
        assert_eq!(one.start, two.start);
        assert_eq!(one.duration, Some(Micros(60_001_000)));
        assert_eq!(two.duration, Some(Micros(20_501_000)));
        for record in [&one, &two] {
            assert_eq!(*record.target, *b"/subscriptions/listen");
            assert_eq!((&*record.method, record.status), (&b"GET"[..], 200));
            assert_eq!(*record.agent, *b"mcp/1.0");
        }
        assert_eq!((one.bytes, two.bytes), (Some(480), Some(164)));
        assert_eq!(*one.address, *b"192.0.2.8");
        assert_eq!(*two.address, *b"192.0.2.7");
        assert_eq!(*one.request_id, *b"3bbc0252");
        assert_eq!(one.ended_by, EndedBy::Server);
        assert_eq!(two.ended_by, EndedBy::Client);
        let unasked = GATEWAY.replace("response_flags", "other");
        assert_eq!(read(&unasked).ended_by, EndedBy::Unknown);
    }

    #[test]
    fn contour_calls_the_start_a_timestamp() {
        let text = ISTIO.replace("start_time", "@timestamp");
        assert_eq!(read(&text).start, read(ISTIO).start);
        // A shipper's time is not the start.
        let text = ISTIO.replace(
            "{\"auth",
            "{\"@timestamp\":\"2026-08-01T12:00:21.1Z\",\"auth",
        );
        assert_eq!(read(&text).start, read(ISTIO).start);
    }

    #[test]
    fn a_start_joins_on_the_streams_id_and_the_way_is_no_request() {
        let staged = |kind: &str| {
            GATEWAY.replace(
                "\"bytes_sent\"",
                &format!(
                    r#""access_log_type":"{kind}","stream_id":"s1","mcp-method":"subscriptions/listen","bytes_sent""#
                ),
            )
        };
        let open = staged("DownstreamStart");
        let open = read(&open);
        assert_eq!((open.event, open.duration), (Event::Open, None));
        assert_eq!(*open.request_id, *b"s1");
        assert_eq!(*open.mcp_method, *b"subscriptions/listen");
        let end = staged("DownstreamEnd");
        assert_eq!(read(&end).event, Event::Whole);
        assert_eq!(read(&end).duration, Some(Micros(60_001_000)));
        let way = staged("DownstreamPeriodic");
        let other = Err(Reject::shape(0, NOT_ACCESS));
        assert_eq!(parse(way.as_bytes(), 0), other);
    }

    #[test]
    fn objects_of_others_and_cut_ones_are_refused() {
        for text in [
            r#"{"time":"2026-08-01T12:00:00Z","method":"GET","path":"/x","duration":1}"#,
            r#"{"start_time":"2026-08-01T12:00:00Z","response_flags":"-"}"#,
            "[2026-08-01T12:00:00Z]",
        ] {
            assert!(parse(text.as_bytes(), 0).is_err(), "{text}");
        }
        for end in 0..GATEWAY.len() {
            assert!(parse(&GATEWAY.as_bytes()[..end], 0).is_err());
        }
    }
}

//! Cloudflare's Workers Logs: events of the dashboard, its API and
//! `wrangler`'s telemetry tail.
//!
//! Only events of the type `cf-worker-event` are invocations: what the
//! script printed is of the type `cf-worker` and has the request's URL too.
//! A Durable Object's invocation belongs to a request that a Worker's own
//! event tells of. The time is the start; the wall time ends with the
//! script's context, not with the last byte, and 0 is "unknown".
//! <https://developers.cloudflare.com/workers/observability/logs/workers-logs/>

use std::sync::LazyLock;

use super::About;
use super::object::{noted, object};
use crate::format::json::{Keys, Note, Part, start};
use crate::format::{Field, Mark, NOT_ACCESS, Parsed, Record, Reject};
use crate::time::{Micros, Unit};

pub(super) const ABOUT: About = About {
    name: "workers-logs",
    server: "Cloudflare Workers Logs",
    mark: Mark::Start,
    unit: Some(Unit::Millis),
    duration: "ms; 0 is unknown",
    ended_by: "outcome canceled",
    ..About::DEFAULT
};

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let (field, note) = (Part::Field, Part::Note);
    let header = |name| format!("$workers.event.request.headers.{name}");
    let headers = [
        (header("mcp-method"), field(Field::McpMethod)),
        (header("mcp-session-id"), field(Field::Session)),
        (header("user-agent"), field(Field::Agent)),
        (header("cf-connecting-ip"), field(Field::Address)),
    ];
    let keys = [
        ("timestamp", start()),
        ("$metadata.type", note(Note::Source)),
        ("$workers.eventType", note(Note::Message)),
        ("$workers.executionModel", note(Note::Inner)),
        ("$workers.wallTimeMs", field(Field::Duration(Unit::Millis))),
        ("$workers.outcome", field(Field::Outcome)),
        ("$workers.event.request.url", field(Field::Target)),
        ("$workers.event.request.path", field(Field::Target)),
        ("$workers.event.request.method", field(Field::Method)),
        ("$workers.event.response.status", field(Field::Status)),
        ("$workers.event.rayId", field(Field::RequestId)),
        ("$workers.requestId", field(Field::RequestId)),
    ];
    let headers = headers.iter().map(|(key, part)| (&key[..], part.clone()));
    Keys::new(keys.into_iter().chain(headers))
});

/// Reads one event.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let found = object(record, "\"$metadata\"", &KEYS)?;
    let kind = noted(&found, Note::Source);
    if !kind.starts_with(b"cf-") {
        return Err(Reject::shape(0, "a type of Workers Logs"));
    }
    let fetches = matches!(noted(&found, Note::Message), b"" | b"fetch");
    let object = noted(&found, Note::Inner) == b"durableObject";
    if kind != b"cf-worker-event" || !fetches || object {
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    let mut record = found.into_record()?;
    if record.target.is_empty() {
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    record.duration =
        record.duration.filter(|duration| *duration > Micros::ZERO);
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::EndedBy;

    fn event(kind: &str, workers: &str) -> Parsed<Record<'static>> {
        let event = format!(
            r#"{{"source":{{}},"dataset":"cloudflare-workers","timestamp":
            1785585600123,"$workers":{{"event":{{"request":{{"url":
            "https://mcp.example.com/mcp","method":"POST","headers":
            {{"mcp-method":"subscriptions/listen","cf-connecting-ip":
            "192.0.2.7"}}}},"rayId":"7e9a"}},"outcome":"canceled"{workers}}},
            "$metadata":{{"requestId":"7e9a","type":"{kind}"}}}}"#
        );
        parse(event.leak().as_bytes(), 0)
    }

    #[test]
    fn an_invocation_is_its_start_and_wall_time() {
        let fetch = r#","eventType":"fetch","wallTimeMs":60001"#;
        let read = event("cf-worker-event", fetch).unwrap();
        let start = read.start.unwrap().at;
        assert_eq!(start.to_rfc3339(), "2026-08-01T12:00:00.123Z");
        assert_eq!(read.duration, Some(Micros(60_001_000)));
        assert_eq!(read.ended_by, EndedBy::Client);
        assert_eq!(*read.mcp_method, *b"subscriptions/listen");
        assert_eq!(*read.address, *b"192.0.2.7");
        assert_eq!(*read.request_id, *b"7e9a");
        let read = event("cf-worker-event", r#","wallTimeMs":0"#).unwrap();
        assert_eq!(read.duration, None);
    }

    #[test]
    fn output_alarms_and_durable_objects_are_no_requests() {
        let other = Err(Reject::shape(0, NOT_ACCESS));
        assert_eq!(event("cf-worker", ""), other);
        for workers in [
            r#","eventType":"alarm""#,
            r#","eventType":"fetch","executionModel":"durableObject""#,
        ] {
            assert_eq!(event("cf-worker-event", workers), other, "{workers}");
        }
        let stateless = r#","executionModel":"stateless""#;
        assert!(event("cf-worker-event", stateless).is_ok());
        assert!(event("log", "").is_err_and(|e| e.expected != NOT_ACCESS));
    }
}

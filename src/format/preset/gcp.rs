//! Google Cloud's request logs: load balancers, Cloud Run, App Engine.
//!
//! Entries of Cloud Logging, written when the request has ended. `timestamp`
//! is when the first front end received the request, `latency` the time from
//! there to the last byte sent. Only logs of requests are: the program's own
//! lines, audit logs and the like share the export and are passed over.
//! <https://cloud.google.com/load-balancing/docs/https/https-logging-monitoring>
//! <https://cloud.google.com/logging/docs/reference/v2/rest/v2/LogEntry>

use std::sync::LazyLock;

use super::About;
use super::object::{noted, object};
use crate::format::json::{Keys, Note, Part, end, start};
use crate::format::{
    EndedBy, Field, Mark, NOT_ACCESS, Parsed, Record, Reject,
};
use crate::time::Micros;

pub(super) const ABOUT: About = About {
    name: "gcp",
    server: "Google Cloud: load balancers, Cloud Run, App Engine",
    mark: Mark::Start,
    duration: "60.001s",
    ended_by: "statusDetails",
    ..About::DEFAULT
};

/// App Engine logs a request of its own kind under `protoPayload`.
static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let field = Part::Field;
    Keys::new([
        ("logName", Part::Note(Note::Source)),
        ("timestamp|protoPayload.startTime", start()),
        ("protoPayload.endTime", end()),
        ("jsonPayload.statusDetails", Part::Note(Note::Message)),
        ("httpRequest.latency|protoPayload.latency", field(Field::Span)),
        ("httpRequest.requestUrl|protoPayload.resource", field(Field::Target)),
        (
            "httpRequest.requestMethod|protoPayload.method",
            field(Field::Method),
        ),
        ("httpRequest.remoteIp|protoPayload.ip", field(Field::Address)),
        ("httpRequest.userAgent|protoPayload.userAgent", field(Field::Agent)),
        ("httpRequest.status|protoPayload.status", field(Field::Status)),
        (
            "httpRequest.responseSize|protoPayload.responseSize",
            field(Field::Bytes),
        ),
        ("insertId", field(Field::RequestId)),
    ])
});

/// Reads one entry.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let found = object(record, "\"logName\"", &KEYS)?;
    let log = noted(&found, Note::Source);
    let slash = memchr::memmem::find(log, b"/logs/");
    let slash = slash.ok_or(Reject::shape(0, "a logName"))?;
    if !is_of_requests(&log[slash..]) {
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    let ended_by = ended_by(noted(&found, Note::Message));
    let mut record = found.into_record()?;
    if record.target.is_empty() {
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    // "0s" stands where none was measured.
    record.duration =
        record.duration.filter(|duration| *duration > Micros::ZERO);
    record.ended_by = match record.status {
        499 => EndedBy::Client,
        _ => ended_by,
    };
    Ok(record)
}

/// Whether a log is of requests: `requests`, `run.googleapis.com%2Frequests`,
/// `appengine.googleapis.com%2Frequest_log`, and not `stdout` or an audit.
fn is_of_requests(log: &[u8]) -> bool {
    memchr::memmem::find(log, b"request").is_some()
}

/// A load balancer's reason.
fn ended_by(details: &[u8]) -> EndedBy {
    if details.starts_with(b"client_disconnected") {
        return EndedBy::Client;
    }
    let server: [&[u8]; 3] =
        [b"response_sent", b"backend_", b"client_timed_out"];
    if server.iter().any(|reason| details.starts_with(reason)) {
        EndedBy::Server
    } else {
        EndedBy::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(rest: &str) -> Parsed<Record<'static>> {
        let entry = format!(
            r#"{{"httpRequest":{{"requestMethod":"GET","requestUrl":
            "https://mcp.example.com/subscriptions/listen?a","status":200,
            "requestSize":"220","responseSize":"480",
            "remoteIp":"192.0.2.7:51000","userAgent":"mcp/1.0"}},
            "insertId":"69a7d5","timestamp":"2026-08-01T12:00:00.123456Z",
            "receiveTimestamp":"2026-08-01T12:01:00.300Z"{rest}}}"#
        );
        parse(entry.leak().as_bytes(), 0)
    }

    const LB: &str = r#","logName":"projects/p/logs/requests""#;

    #[test]
    fn a_load_balancers_entry_is_its_start_and_says_who_ended_it() {
        for (details, who) in [
            ("client_disconnected_after_partial_response", EndedBy::Client),
            ("client_disconnected_before_any_response", EndedBy::Client),
            ("response_sent_by_backend", EndedBy::Server),
            ("backend_timeout", EndedBy::Server),
            ("client_timed_out", EndedBy::Server),
            ("websocket_closed", EndedBy::Unknown),
        ] {
            let rest = format!(
                r#"{LB},"jsonPayload":{{"statusDetails":"{details}"}},
                "httpRequest":{{"latency":"60.001000001s"}}"#
            );
            let read = entry(&rest).unwrap();
            assert_eq!(read.ended_by, who, "{details}");
            let start = read.start.unwrap().at;
            assert_eq!(start.to_rfc3339(), "2026-08-01T12:00:00.123456Z");
            assert_eq!(read.duration, Some(Micros(60_001_000)));
            assert_eq!((read.end, read.status), (None, 200));
            assert_eq!(read.bytes, Some(480));
            assert_eq!(*read.address, *b"192.0.2.7");
            assert_eq!(*read.request_id, *b"69a7d5");
            assert!(read.target.ends_with(b".com/subscriptions/listen?a"));
        }
    }

    #[test]
    fn no_latency_and_one_of_nought_are_unknown() {
        assert_eq!(entry(LB).unwrap().duration, None);
        let rest = format!(r#"{LB},"httpRequest":{{"latency":"0s"}}"#);
        assert_eq!(entry(&rest).unwrap().duration, None);
    }

    #[test]
    fn only_logs_of_requests_are_access_logs() {
        for (log, is) in [
            ("requests", true),
            ("run.googleapis.com%2Frequests", true),
            (
                "loadbalancing.googleapis.com%2Fexternal_regional_requests",
                true,
            ),
            ("run.googleapis.com%2Fstdout", false),
            ("cloudaudit.googleapis.com%2Factivity", false),
        ] {
            let rest = format!(r#","logName":"projects/requests/logs/{log}""#);
            assert_eq!(entry(&rest).is_ok(), is, "{log}");
        }
        let odd = entry(r#","logName":"access""#);
        assert_eq!(odd, Err(Reject::shape(0, "a logName")));
    }

    #[test]
    fn app_engine_logs_both_ends() {
        let entry = br#"{"protoPayload":{"@type":"type.googleapis.com/google.appengine.logging.v1.RequestLog","startTime":"2026-08-01T12:00:00.123456Z","endTime":"2026-08-01T12:01:00.124456Z","latency":"60.001s","ip":"192.0.2.7","method":"GET","resource":"/subscriptions/listen","status":200,"responseSize":"480","userAgent":"mcp/1.0"},"insertId":"a","httpRequest":{"status":200},"logName":"projects/p/logs/appengine.googleapis.com%2Frequest_log","timestamp":"2026-08-01T12:00:00.123456Z"}"#;
        let read = parse(entry, 0).unwrap();
        let (start, end) = (read.start.unwrap().at, read.end.unwrap().at);
        assert_eq!(Some(end - start), read.duration);
        assert_eq!(*read.target, *b"/subscriptions/listen");
        assert_eq!((&*read.method, read.status), (&b"GET"[..], 200));
        assert_eq!(read.bytes, Some(480));
    }
}

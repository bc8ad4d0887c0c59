//! AWS Lambda, JSON: the events the platform writes around an invocation.
//!
//! `{"time":…,"type":"platform.report","record":{"requestId":…,"metrics":
//! {"durationMs":60001.12},"status":"success"}}` is written when the
//! invocation has ended, which is `time`. It names no path: the app's own
//! `{"timestamp":…,"level":"INFO","requestId":…,"message":"GET /path"}` is
//! the opening it is joined to.
//! <https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html>
//! <https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html>

use std::sync::LazyLock;

use super::About;
use super::lambda::{LACKS, opening};
use crate::format::json::{Keys, Note, Part, end, start};
use crate::format::{
    EndedBy, Event, Field, Mark, NOT_ACCESS, Parsed, Record, Reject,
};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "lambda-json",
    server: "AWS Lambda, JSON",
    mark: Mark::End,
    unit: Some(Unit::Millis),
    duration: "ms",
    ended_by: "status timeout",
    closers: &["platform.report"],
    lacks: Some(LACKS),
};

/// Keys of an event of the platform.
static EVENT: LazyLock<Keys> = LazyLock::new(|| {
    let field = Part::Field;
    Keys::new([
        ("type", Part::Note(Note::Source)),
        ("time", end()),
        ("record.requestId", field(Field::RequestId)),
        ("record.metrics.durationMs", field(Field::Duration(Unit::Millis))),
        ("record.metrics.producedBytes", field(Field::Bytes)),
        ("record.status", Part::Note(Note::Message)),
    ])
});

/// Keys of what the app logs.
static APP: LazyLock<Keys> = LazyLock::new(|| {
    Keys::new([
        ("timestamp", start()),
        ("level", Part::Note(Note::Source)),
        ("requestId|AWSRequestId", Part::Field(Field::RequestId)),
        ("message", Part::Field(Field::Request)),
    ])
});

/// Reads one object.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let has = |key: &[u8]| memchr::memmem::find(record, key).is_some();
    let other = Reject::shape(0, "a platform.report");
    if !record.starts_with(b"{") {
        return Err(other);
    }
    if has(b"\"platform.") {
        return event(record);
    }
    let id = has(b"\"requestId\"") || has(b"\"AWSRequestId\"");
    if id && has(b"\"level\"") && has(b"\"message\"") {
        app_line(record)
    } else {
        Err(other)
    }
}

/// Reads an event of the platform.
fn event(record: &[u8]) -> Parsed<Record<'_>> {
    let found = EVENT.find(record)?;
    match found.note(Note::Source) {
        Some((b"platform.report", _)) => {}
        Some((kind, _)) if kind.starts_with(b"platform.") => {
            return Err(Reject::shape(0, NOT_ACCESS));
        }
        _ => return Err(Reject::shape(0, "a platform.report")),
    }
    let status = found.note(Note::Message).map(|(status, _)| status);
    let timeout = status == Some(b"timeout");
    let mut read = found.into_record()?;
    if read.request_id.is_empty() || read.duration.is_none() {
        return Err(Reject::shape(0, "record.metrics.durationMs"));
    }
    read.event = Event::Close;
    if timeout {
        read.ended_by = EndedBy::Server;
    }
    Ok(read)
}

/// Reads what the app logged: the opening, if it is a method and a path.
fn app_line(record: &[u8]) -> Parsed<Record<'_>> {
    let found = APP.find(record)?;
    if found.note(Note::Source).is_none() {
        return Err(Reject::shape(0, "a level"));
    }
    let read = found.into_record()?;
    // Vercel's rows have the same keys; a function's id is a UUID.
    let is_uuid = read.request_id.len() == 36 && read.request_id[8] == b'-';
    if read.start.is_none() || !is_uuid {
        return Err(Reject::shape(0, "a timestamp and a request id"));
    }
    opening(read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    const REPORT: &str = r#"{"time":"2026-08-01T12:01:00.123Z","type":"platform.report","record":{"requestId":"f08bb4c8-d6b2-4f05-ac17-af7e2ba005fb","metrics":{"durationMs":60001.12,"billedDurationMs":60002,"memorySizeMB":128,"maxMemoryUsedMB":118,"initDurationMs":301.5,"producedBytes":480},"spans":[{"name":"responseDuration","start":"2026-08-01T12:00:00Z","durationMs":7}],"status":"success"}}"#;
    const APP: &str = r#"{"timestamp":"2026-08-01T12:00:00.123Z","level":"INFO","requestId":"f08bb4c8-d6b2-4f05-ac17-af7e2ba005fb","message":"GET \/subscriptions/listen 192.0.2.7"}"#;

    fn refused(row: &str) -> &'static str {
        parse(row.as_bytes(), 0).unwrap_err().expected
    }

    #[test]
    fn a_report_closes_its_request_when_it_was_written() {
        let read = parse(REPORT.as_bytes(), 0).unwrap();
        assert_eq!(read.event, Event::Close);
        let end = read.end.unwrap().at.to_rfc3339();
        assert_eq!(end, "2026-08-01T12:01:00.123Z");
        assert_eq!(read.duration, Some(Micros(60_001_120)));
        assert_eq!((read.status, read.bytes), (0, Some(480)));
        let id = &b"f08bb4c8-d6b2-4f05-ac17-af7e2ba005fb"[..];
        assert_eq!(*read.request_id, *id);
        assert_eq!((read.start, read.target.len()), (None, 0));
        assert_eq!(read.ended_by, EndedBy::Unknown);
        assert!(REPORT.contains(ABOUT.closers[0]));
        let row = REPORT.replace("success", "timeout");
        let read = parse(row.as_bytes(), 0).unwrap();
        assert_eq!(read.ended_by, EndedBy::Server);
    }

    #[test]
    fn what_the_app_logs_of_a_path_is_the_opening() {
        let read = parse(APP.as_bytes(), 0).unwrap();
        assert_eq!(read.event, Event::Open);
        let start = read.start.unwrap().at.to_rfc3339();
        assert_eq!(start, "2026-08-01T12:00:00.123Z");
        assert_eq!(*read.target, *b"/subscriptions/listen");
        let id = &b"f08bb4c8-d6b2-4f05-ac17-af7e2ba005fb"[..];
        assert_eq!(*read.request_id, *id);
        let row = APP.replace("GET ", "got ");
        assert_eq!(refused(&row), NOT_ACCESS);
    }

    #[test]
    fn other_objects_are_refused_and_no_mangled_one_panics() {
        for kind in ["start", "runtimeDone", "initStart"] {
            let row =
                REPORT.replace("platform.report", &format!("platform.{kind}"));
            assert_eq!(refused(&row), NOT_ACCESS);
        }
        for row in [
            REPORT.replace("durationMs", "other"),
            REPORT.replace("\"type\"", "\"kind\""),
            APP.replace("\"requestId\"", "\"id\""),
            APP.replace("timestamp", "at"),
            r#"{"level":30,"time":1,"requestId":"1","msg":"GET /a"}"#
                .to_owned(),
            String::new(),
        ] {
            assert_ne!(refused(&row), NOT_ACCESS, "{row}");
        }
        for row in [REPORT, APP] {
            for end in 0..row.len() {
                assert!(parse(&row.as_bytes()[..end], 0).is_err());
            }
        }
    }
}

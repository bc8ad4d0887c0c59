//! Invocations of Cloudflare Workers: the Logpush data set
//! `workers_trace_events`, and what `wrangler tail --format json` prints.
//!
//! Both are written when the invocation ends, and their time is its start.
//! The wall time is how long the script's context was open: the local
//! runtime says 0 of every held stream, and a response that is passed
//! through outlives it. So 0 is "unknown" here, never a hold.
//! <https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/account/workers_trace_events/>

use super::NOT_ACCESS;
use super::keys::{Keys, Note, Part, Texts, start};
use crate::format::{Field, Parsed, Record, Reject};
use crate::time::{Micros, Unit, decimal};

/// Rows of the data set `workers_trace_events`. Time: start, milliseconds.
/// Duration: milliseconds, 0 for unknown.
#[derive(Clone, Debug)]
pub struct WorkersTrace {
    keys: Keys,
}

/// Events of `wrangler tail --format json`, one whole object each. Time and
/// duration as in [`WorkersTrace`].
#[derive(Clone, Debug)]
pub struct WorkersTail {
    keys: Keys,
}

fn trace_keys() -> [(&'static str, Part); 12] {
    let field = Part::Field;
    [
        ("EventTimestampMs", start()),
        ("WallTimeMs", Part::Note(Note::Duration)),
        ("EventType", Part::Note(Note::Source)),
        ("Outcome", field(Field::Outcome)),
        ("Event.Request.URL", field(Field::Target)),
        ("Event.Request.Method", field(Field::Method)),
        ("Event.Response.Status", field(Field::Status)),
        ("Event.RayID", field(Field::RequestId)),
        ("Event.Request.Headers.mcp-method", field(Field::McpMethod)),
        ("Event.Request.Headers.mcp-session-id", field(Field::Session)),
        ("Event.Request.Headers.user-agent", field(Field::Agent)),
        ("Event.Request.Headers.cf-connecting-ip", field(Field::Address)),
    ]
}

fn tail_keys() -> [(&'static str, Part); 12] {
    let field = Part::Field;
    [
        ("eventTimestamp", start()),
        ("wallTime", Part::Note(Note::Duration)),
        ("executionModel", Part::Note(Note::Inner)),
        ("outcome", field(Field::Outcome)),
        ("event.request.url", field(Field::Target)),
        ("event.request.method", field(Field::Method)),
        ("event.response.status", field(Field::Status)),
        ("event.request.headers.cf-ray", field(Field::RequestId)),
        ("event.request.headers.mcp-method", field(Field::McpMethod)),
        ("event.request.headers.mcp-session-id", field(Field::Session)),
        ("event.request.headers.user-agent", field(Field::Agent)),
        ("event.request.headers.cf-connecting-ip", field(Field::Address)),
    ]
}

impl Default for WorkersTrace {
    fn default() -> WorkersTrace {
        WorkersTrace { keys: Keys::new(trace_keys()) }
    }
}

impl Default for WorkersTail {
    fn default() -> WorkersTail {
        WorkersTail { keys: Keys::new(tail_keys()) }
    }
}

impl WorkersTrace {
    /// Reads one row.
    ///
    /// # Errors
    ///
    /// A [`Reject`] when it is no object, not of a request
    /// ([`NOT_ACCESS`]), or its time or duration cannot be read.
    pub fn parse<'a>(&self, record: &'a [u8]) -> Parsed<Record<'a>> {
        let found = self.keys.find(record)?;
        let kind = found.note(Note::Source).map(|(kind, _)| kind);
        match kind {
            None | Some(b"fetch") => invocation(found),
            Some(_) => Err(Reject::shape(0, NOT_ACCESS)),
        }
    }

    /// Whether this is a request's row of this data set.
    pub fn fits(&self, record: &[u8]) -> bool {
        self.parse(record).is_ok_and(|record| record.start.is_some())
    }
}

impl WorkersTail {
    /// Reads one event.
    ///
    /// A Durable Object is only ever called by a Worker, whose own event
    /// tells of the same request: its event is not an access record.
    ///
    /// # Errors
    ///
    /// As [`WorkersTrace::parse`].
    pub fn parse<'a>(&self, record: &'a [u8]) -> Parsed<Record<'a>> {
        let found = self.keys.find(record)?;
        let model = found.note(Note::Inner).map(|(model, _)| model);
        match model {
            Some(b"durableObject") => Err(Reject::shape(0, NOT_ACCESS)),
            _ => invocation(found),
        }
    }

    /// Whether this is the event of a request.
    pub fn fits(&self, record: &[u8]) -> bool {
        self.parse(record).is_ok_and(|record| record.start.is_some())
    }
}

/// The record of an invocation, if a request made it: timers, queues and
/// mail also invoke Workers.
fn invocation<'a>(found: Texts<'a, '_>) -> Parsed<Record<'a>> {
    let wall = found.note(Note::Duration).map(|(text, at)| {
        let wall = decimal(text, Unit::Millis);
        wall.map(|wall| (wall, at)).ok_or(Reject::duration(at, "a wall time"))
    });
    let wall = wall.transpose()?;
    let mut record = found.into_record()?;
    if record.target.is_empty() {
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    if let Some((wall, at)) = wall.filter(|(wall, _)| *wall > Micros::ZERO) {
        record.offer_duration(wall, at)?;
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::EndedBy;

    #[test]
    fn a_traced_request_is_read_whole() {
        let row = br#"{"Event":{"RayID":"7e9ae7157ac0c33a","Request":
            {"URL":"https://mcp.example.workers.dev/subscriptions/listen",
            "Method":"GET"},"Response":{"Status":200}},
            "EventTimestampMs":1785585600123,"EventType":"fetch",
            "Outcome":"canceled","ScriptName":"mcp","WallTimeMs":60001,
            "CPUTimeMs":4,"Exceptions":[],"Logs":[]}"#;
        let record = WorkersTrace::default().parse(row).unwrap();
        // 2026-08-01T12:00:00.123Z
        let start = record.start.unwrap();
        assert_eq!(start.at.to_rfc3339(), "2026-08-01T12:00:00.123Z");
        assert_eq!(record.duration, Some(Micros(60_001_000)));
        assert_eq!(record.end, None);
        assert_eq!(record.ended_by, EndedBy::Client);
        assert_eq!(*record.request_id, *b"7e9ae7157ac0c33a");
        assert_eq!(*record.method, *b"GET");
        assert_eq!(record.status, 200);
        assert!(record.target.ends_with(b".dev/subscriptions/listen"));
    }

    #[test]
    fn a_wall_time_of_nought_is_unknown() {
        let row = br#"{"eventTimestamp":1785585600123,"wallTime":0,
            "event":{"request":{"url":"http://x/"}}}"#;
        let record = WorkersTail::default().parse(row).unwrap();
        assert_eq!(record.duration, None);
        let row = br#"{"EventTimestampMs":1785585600123,"WallTimeMs":0,
            "Event":{"Request":{"URL":"http://x/"}}}"#;
        let record = WorkersTrace::default().parse(row).unwrap();
        assert_eq!(record.duration, None);
    }

    #[test]
    fn what_no_request_invoked_is_not_an_access_record() {
        let other = Err(Reject::shape(0, NOT_ACCESS));
        let tail = WorkersTail::default();
        for row in [
            r#"{"eventTimestamp":1785585600123,"event":
                {"cron":"* * * * *","scheduledTime":1785585600000}}"#,
            r#"{"eventTimestamp":1785585600123,"event":null}"#,
            r#"{"executionModel":"durableObject","event":
                {"request":{"url":"http://x/"}}}"#,
        ] {
            assert_eq!(tail.parse(row.as_bytes()), other, "{row}");
        }
        let trace = WorkersTrace::default();
        for row in [
            r#"{"EventTimestampMs":1785585600123,"EventType":"scheduled"}"#,
            r#"{"EventType":"rpc","Event":{"Request":{"URL":"http://x/"}}}"#,
        ] {
            assert_eq!(trace.parse(row.as_bytes()), other, "{row}");
        }
    }
}

//! Railway's HTTP logs, as `railway logs --http --json` prints them.
//!
//! `totalDuration` is the milliseconds from the request received to the
//! response sent; whether `timestamp` is its start or its end is not
//! documented, so the order of the file tells.
//! <https://docs.railway.com/guides/logs>

use std::sync::LazyLock;

use super::About;
use super::object::{noted, object};
use crate::format::json::{Keys, Note, Part};
use crate::format::{Field, Mark, Parsed, Record, Reject, Shape};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "railway",
    server: "Railway HTTP log",
    mark: Mark::Either,
    unit: Some(Unit::Millis),
    duration: "ms",
    ended_by: "status 499",
    ..About::DEFAULT
};

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let (field, note) = (Part::Field, Part::Note);
    Keys::new([
        ("timestamp", field(Field::Time(Mark::Either, Shape::Rfc3339))),
        ("totalDuration", field(Field::Duration(Unit::Millis))),
        (
            "edgeRegion|upstreamRqDuration|downstreamProto|\
             upstreamProto",
            note(Note::Source),
        ),
        ("path", field(Field::Target)),
        ("method", field(Field::Method)),
        ("srcIp", field(Field::Address)),
        ("clientUa", field(Field::Agent)),
        ("httpStatus", field(Field::Status)),
        ("txBytes", field(Field::Bytes)),
        ("requestId", field(Field::RequestId)),
    ])
});

/// Reads one row.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let found = object(record, "\"totalDuration\"", &KEYS)?;
    let is_edges = !noted(&found, Note::Source).is_empty();
    let record = found.into_record()?;
    if !is_edges || record.target.is_empty() {
        return Err(Reject::shape(0, "the keys of Railway's edge"));
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::EndedBy;
    use crate::time::Micros;

    #[test]
    fn a_row_is_a_time_and_milliseconds() {
        let row = br#"{"timestamp":"2026-08-01T12:00:00.123456789Z","requestId":"q1","method":"GET","path":"/subscriptions/listen","host":"mcp.example.com","httpStatus":499,"totalDuration":60001,"upstreamRqDuration":4,"rxBytes":220,"txBytes":480,"srcIp":"192.0.2.7","clientUa":"mcp/1.0","edgeRegion":"us-east4","upstreamErrors":""}"#;
        let read = parse(row, 0).unwrap();
        let stamp = read.stamp.unwrap().at;
        assert_eq!(stamp.to_rfc3339(), "2026-08-01T12:00:00.123456Z");
        assert_eq!((read.start, read.end), (None, None));
        // Not the 4 ms that the program took to begin its response.
        assert_eq!(read.duration, Some(Micros(60_001_000)));
        assert_eq!((read.status, read.ended_by), (499, EndedBy::Client));
        assert_eq!(read.bytes, Some(480));
        assert_eq!(*read.agent, *b"mcp/1.0");
    }

    #[test]
    fn a_total_duration_of_another_program_is_refused() {
        let health = br#"{"path":"/health","totalDuration":12.5}"#;
        assert!(parse(health, 0).is_err());
        let health = br#"{"edgeRegion":"a","totalDuration":12.5}"#;
        assert!(parse(health, 0).is_err());
    }
}

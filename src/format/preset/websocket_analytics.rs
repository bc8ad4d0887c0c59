//! Cloudflare's `websocket_analytics`, from Logpush.
//!
//! A row a connection, with both of its ends in the `timestamp_format` of
//! the job, and which side closed it. `downstream` is the client.
//! <https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/websocket_analytics/>

use std::sync::LazyLock;

use super::About;
use super::object::{noted, object};
use crate::format::json::{Keys, Note, Part, end, start};
use crate::format::{EndedBy, Field, Mark, Parsed, Record, Reject};

pub(super) const ABOUT: About = About {
    name: "websocket-analytics",
    server: "Cloudflare Logpush websocket_analytics",
    mark: Mark::End,
    duration: "end - start",
    ended_by: "ConnectionCloseSource",
    ..About::DEFAULT
};

/// In Logpush's spelling, then in the one its events had before.
static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let (field, note) = (Part::Field, Part::Note);
    Keys::new([
        ("EdgeStartTimestamp|timestampStartNanos", start()),
        ("EdgeEndTimestamp|timestampEndNanos", end()),
        ("ConnectionCloseSource|connectionCloseSource", note(Note::Source)),
        ("ConnectionCloseReason|connectionCloseReason", note(Note::Message)),
        ("ConnectionID|connectionId", note(Note::Inner)),
        ("ClientRequestPath|clientRequestPath", field(Field::Target)),
        ("ClientIP|clientIP", field(Field::Address)),
        ("ClientRequestUserAgent|clientRequestUserAgent", field(Field::Agent)),
        ("BytesSentClient|bytesSentClient", field(Field::Bytes)),
        ("RayID|rayId", field(Field::RequestId)),
    ])
});

/// Reads one row.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let found = object(record, "onnection", &KEYS)?;
    let source = noted(&found, Note::Source);
    let reason = noted(&found, Note::Message);
    let connection = noted(&found, Note::Inner).to_vec();
    if source.is_empty() && reason.is_empty() && connection.is_empty() {
        return Err(Reject::shape(0, "a connection's close"));
    }
    let ended_by = match (source, reason) {
        (b"downstream", _) => EndedBy::Client,
        (b"upstream" | b"me", _) | (b"", b"upstreamReset") => EndedBy::Server,
        _ => EndedBy::Unknown,
    };
    let mut record = found.into_record()?;
    if record.start.is_none() || record.end.is_none() {
        return Err(Reject::shape(0, "both ends of a connection"));
    }
    if record.request_id.is_empty() {
        record.request_id = connection.into();
    }
    record.ended_by = ended_by;
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    fn row(rest: &str) -> Record<'static> {
        let row = format!(
            r#"{{"EdgeStartTimestamp":1785585600123456789,
            "EdgeEndTimestamp":1785585660124456789,"ConnectionID":"c1",
            "BytesReceivedClient":9,"BytesReceivedOrigin":481,
            "BytesSentClient":480,"BytesSentOrigin":8,
            "ClientRequestPath":"/subscriptions/listen"{rest}}}"#
        );
        parse(row.leak().as_bytes(), 0).unwrap()
    }

    #[test]
    fn a_row_has_both_ends_and_who_closed_it() {
        let read = row("");
        let (start, end) = (read.start.unwrap().at, read.end.unwrap().at);
        assert_eq!(start, Micros(1_785_585_600_123_456));
        assert_eq!(end - start, Micros(60_001_000));
        assert_eq!(*read.request_id, *b"c1");
        assert_eq!((read.status, read.bytes), (0, Some(480)));
        assert_eq!(*row(r#","RayID":"r1""#).request_id, *b"r1");
        for (rest, who) in [
            (r#","ConnectionCloseSource":"downstream""#, EndedBy::Client),
            (r#","ConnectionCloseSource":"upstream""#, EndedBy::Server),
            (r#","ConnectionCloseSource":"me""#, EndedBy::Server),
            (r#","ConnectionCloseSource":"both""#, EndedBy::Unknown),
            (r#","ConnectionCloseReason":"upstreamReset""#, EndedBy::Server),
            (r#","ConnectionCloseReason":"peerReset""#, EndedBy::Unknown),
        ] {
            assert_eq!(row(rest).ended_by, who, "{rest}");
        }
    }

    #[test]
    fn a_row_of_http_requests_and_one_without_an_end_are_refused() {
        let http = br#"{"EdgeStartTimestamp":1785585600123456789,"EdgeEndTimestamp":1785585660124456789,"ClientRequestPath":"/connection"}"#;
        assert!(parse(http, 0).is_err());
        let half = br#"{"ConnectionID":"c","EdgeStartTimestamp":1785585600}"#;
        assert!(parse(half, 0).is_err());
    }
}

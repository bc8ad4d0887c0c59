//! Azure Front Door: its access log.
//!
//! `time` is when the edge had delivered the response, for a WebSocket when
//! the connection closed; `timeTaken` is the seconds from the first byte of
//! the request to the last of the response. A request that went through an
//! origin shield has a second record, of the shield.
//! <https://learn.microsoft.com/azure/frontdoor/monitor-front-door-reference>

use std::sync::LazyLock;

use super::About;
use super::object::{noted, object};
use crate::format::json::{Keys, Note, Part, end};
use crate::format::{
    EndedBy, Field, Mark, NOT_ACCESS, Parsed, Record, Reject,
};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "azure-front-door",
    server: "Azure Front Door",
    mark: Mark::End,
    unit: Some(Unit::Seconds),
    duration: "s",
    ended_by: "errorInfo",
    ..About::DEFAULT
};

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let (field, note) = (Part::Field, Part::Note);
    Keys::new([
        ("time", end()),
        ("category", note(Note::Source)),
        ("properties.errorInfo|properties.ErrorInfo", note(Note::Message)),
        ("properties.isReceivedFromClient", note(Note::Inner)),
        ("properties.timeTaken", field(Field::Duration(Unit::Seconds))),
        ("properties.requestUri", field(Field::Target)),
        ("properties.httpMethod", field(Field::Method)),
        (
            "properties.clientIp|properties.clientIP|\
             properties.socketIp",
            field(Field::Address),
        ),
        ("properties.userAgent", field(Field::Agent)),
        ("properties.httpStatusCode", field(Field::Status)),
        ("properties.responseBytes", field(Field::Bytes)),
        ("properties.trackingReference", field(Field::RequestId)),
    ])
});

/// Reads one record.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let found = object(record, "\"category\"", &KEYS)?;
    let category = noted(&found, Note::Source).to_ascii_lowercase();
    if !category.starts_with(b"frontdoor") {
        return Err(Reject::shape(0, "a FrontDoorAccessLog"));
    }
    // The classic ones write false as "False".
    let shield = noted(&found, Note::Inner).eq_ignore_ascii_case(b"false");
    if category != b"frontdooraccesslog" || shield {
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    let left = noted(&found, Note::Message) == b"ClientDisconnected";
    let mut record = found.into_record()?;
    if left {
        record.ended_by = EndedBy::Client;
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    fn access(category: &str, properties: &str) -> Parsed<Record<'static>> {
        let line = format!(
            r#"{{"time":"2026-08-01T12:01:00.1234567Z","category":
            "{category}","properties":{{"requestUri":
            "https://mcp.example.com:443/subscriptions/listen",
            "requestBytes":"220","responseBytes":"480",
            "timeTaken":"60.001","clientIp":"192.0.2.7",
            "trackingReference":"0mMx"{properties}}}}}"#
        );
        parse(line.leak().as_bytes(), 0)
    }

    #[test]
    fn a_record_is_its_end_in_seconds() {
        let rest = r#","httpStatusCode":"200","errorInfo":"NoError""#;
        for category in ["FrontDoorAccessLog", "FrontdoorAccessLog"] {
            let read = access(category, rest).unwrap();
            let end = read.end.unwrap().at;
            assert_eq!(end.to_rfc3339(), "2026-08-01T12:01:00.123456Z");
            assert_eq!(read.duration, Some(Micros(60_001_000)));
            assert_eq!((read.status, read.ended_by), (200, EndedBy::Unknown));
            assert_eq!(*read.request_id, *b"0mMx");
            assert_eq!(read.bytes, Some(480));
        }
        let left = r#","httpStatusCode":"0","errorInfo":"ClientDisconnected""#;
        let left = access("FrontDoorAccessLog", left).unwrap();
        assert_eq!(left.ended_by, EndedBy::Client);
    }

    #[test]
    fn the_shields_copy_and_other_logs_are_passed_over() {
        let other = Err(Reject::shape(0, NOT_ACCESS));
        let shield = r#","isReceivedFromClient":false"#;
        assert_eq!(access("FrontDoorAccessLog", shield), other);
        assert_eq!(access("FrontDoorHealthProbeLog", ""), other);
        let client = r#","isReceivedFromClient":true"#;
        assert!(access("FrontDoorAccessLog", client).is_ok());
        assert!(access("AzureFirewall", "").is_err());
    }
}

//! Cloudflare's `mcp_portal_logs`, from Logpush.
//!
//! A row a JSON-RPC request that came through an MCP server portal: when it
//! was made, its method and session, and the milliseconds the server behind
//! the portal took to respond. Whether that goes on to the last byte of a
//! stream is not documented; 0 says nothing.
//! <https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/account/mcp_portal_logs/>

use std::sync::LazyLock;

use super::About;
use super::object::{noted, object};
use crate::format::json::{Keys, Note, Part, start};
use crate::format::{Field, Mark, Parsed, Record, Reject};
use crate::time::{Micros, Unit};

pub(super) const ABOUT: About = About {
    name: "mcp-portal",
    server: "Cloudflare Logpush mcp_portal_logs",
    mark: Mark::Start,
    unit: Some(Unit::Millis),
    duration: "ms; 0 is unknown",
    ..About::DEFAULT
};

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let (field, note) = (Part::Field, Part::Note);
    Keys::new([
        ("Datetime", start()),
        ("PortalID|PortalAUD|ServerAUD", note(Note::Inner)),
        ("ServerResponseDurationMs", field(Field::Duration(Unit::Millis))),
        ("Method", field(Field::McpMethod)),
        ("SessionID", field(Field::Session)),
        ("ServerURL", field(Field::Target)),
        ("ClientIP", field(Field::Address)),
    ])
});

/// Reads one row.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let found = object(record, "\"Datetime\"", &KEYS)?;
    let is_portals = !noted(&found, Note::Inner).is_empty();
    let mut record = found.into_record()?;
    if record.mcp_method.is_empty()
        || !(is_portals || record.duration.is_some())
    {
        return Err(Reject::shape(0, "the keys of mcp_portal_logs"));
    }
    record.duration =
        record.duration.filter(|duration| *duration > Micros::ZERO);
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_its_start_its_method_and_its_session() {
        let row = br#"{"ClientIP":"192.0.2.7","Datetime":"2026-08-01T12:00:00Z","Method":"subscriptions/listen","PortalID":"p","ServerResponseDurationMs":60001,"ServerURL":"https://mcp.example.com/mcp","SessionID":"s1","Success":true}"#;
        let read = parse(row, 0).unwrap();
        let start = read.start.unwrap().at;
        assert_eq!(start.to_rfc3339(), "2026-08-01T12:00:00Z");
        assert_eq!(read.duration, Some(Micros(60_001_000)));
        assert_eq!(*read.mcp_method, *b"subscriptions/listen");
        assert_eq!((&*read.session, &*read.method), (&b"s1"[..], &b""[..]));
        assert_eq!(*read.target, *b"https://mcp.example.com/mcp");
    }

    #[test]
    fn nought_is_unknown_and_other_data_sets_are_refused() {
        let row = br#"{"Datetime":1785585600123000000,"Method":"tools/call","PortalAUD":"p","ServerResponseDurationMs":0}"#;
        assert_eq!(parse(row, 0).unwrap().duration, None);
        // gateway_http has these two.
        let other = br#"{"Datetime":1785585600123000000,"Method":"GET"}"#;
        assert!(parse(other, 0).is_err());
        let other = br#"{"Datetime":1785585600123000000,"PortalID":"p"}"#;
        assert!(parse(other, 0).is_err());
    }
}

//! Kong's log plugins (`file-log`, `http-log`, `tcp-log`, ...): one object a
//! request. (Its proxy log is nginx's.)
//!
//! Written when the request has ended. `started_at` is its start in
//! milliseconds since 1970, `latencies.request` how long it all took;
//! `latencies.proxy` is only the time to the upstream's headers. Names of
//! headers are in lower case.
//! <https://developer.konghq.com/gateway/logs/>

use std::sync::LazyLock;

use super::About;
use super::object::object;
use crate::format::json::{Keys, Part, start};
use crate::format::{Field, Mark, Parsed, Record, Reject};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "kong",
    server: "Kong file-log, http-log, tcp-log",
    mark: Mark::Start,
    unit: Some(Unit::Millis),
    duration: "ms",
    ended_by: "status 499",
    ..About::DEFAULT
};

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let field = Part::Field;
    Keys::new([
        ("started_at", start()),
        (
            "latencies.request|latencies.session",
            field(Field::Duration(Unit::Millis)),
        ),
        ("request.uri|request.url", field(Field::Target)),
        ("request.method", field(Field::Method)),
        ("response.status", field(Field::Status)),
        ("response.size", field(Field::Bytes)),
        ("client_ip", field(Field::Address)),
        ("request.headers.user-agent", field(Field::Agent)),
        ("request.headers.mcp-method", field(Field::McpMethod)),
        ("request.headers.mcp-session-id", field(Field::Session)),
        ("request.id", field(Field::RequestId)),
    ])
});

/// Reads one object.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let found = object(record, "\"latencies\"", &KEYS)?;
    let read = found.into_record()?;
    if read.start.is_none() || read.duration.is_none() {
        return Err(Reject::shape(0, "Kong's started_at and latencies"));
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::EndedBy;
    use crate::time::Micros;

    const ROW: &str = r#"{"latencies":{"kong":2,"proxy":3,"receive":59996,"request":60001},"request":{"id":"f3a1","method":"GET","uri":"/subscriptions/listen?a","url":"https://mcp.example.com:8443/subscriptions/listen","headers":{"mcp-session-id":"5f3c","mcp-method":"subscriptions/listen","user-agent":["mcp/1.0","b"]},"size":200},"response":{"status":200,"headers":{},"size":480},"client_ip":"192.0.2.7","upstream_status":"200","tries":[{"ip":"10.0.0.2","port":80}],"started_at":1785585600123}"#;

    fn read(text: &str) -> Record<'_> {
        parse(text.as_bytes(), 0).unwrap()
    }

    #[test]
    fn a_row_is_its_start_and_the_whole_requests_latency() {
        let record = read(ROW);
        let start = record.start.unwrap().at.to_rfc3339();
        assert_eq!(start, "2026-08-01T12:00:00.123Z");
        assert_eq!(record.duration, Some(Micros(60_001_000)));
        assert_eq!(*record.target, *b"/subscriptions/listen?a");
        assert_eq!((&*record.method, record.status), (&b"GET"[..], 200));
        assert_eq!(record.bytes, Some(480));
        assert_eq!(*record.address, *b"192.0.2.7");
        assert_eq!(*record.agent, *b"mcp/1.0");
        assert_eq!(*record.mcp_method, *b"subscriptions/listen");
        assert_eq!(*record.session, *b"5f3c");
        assert_eq!(*record.request_id, *b"f3a1");
        assert_eq!(record.ended_by, EndedBy::Unknown);
        let left = ROW.replace("\"status\":200", "\"status\":499");
        assert_eq!(read(&left).ended_by, EndedBy::Client);
    }

    #[test]
    fn objects_of_others_and_cut_ones_are_refused() {
        for text in [
            r#"{"latencies":{"p50":1},"request":{"uri":"/a"}}"#,
            r#"{"started_at":1785585600123,"request":{"uri":"/a"}}"#,
            r#"{"level":30,"time":1795959863784,"req":{"url":"/x"}}"#,
        ] {
            assert!(parse(text.as_bytes(), 0).is_err(), "{text}");
        }
        for end in 0..ROW.len() {
            assert!(parse(&ROW.as_bytes()[..end], 0).is_err());
        }
    }
}

//! Traefik's JSON access log. (Its other form is the common log format.)
//!
//! Written when the handler has returned. `StartUTC` and `StartLocal` are
//! the start, to the nanosecond; `time` is when it was logged, in whole
//! seconds; `Duration` is whole nanoseconds. Headers are `request_` and
//! their name, and may be kept out or redacted.
//! <https://doc.traefik.io/traefik/observability/access-logs/>

use std::sync::LazyLock;

use super::About;
use crate::format::json::{Keys, Note, Part, end, start};
use crate::format::{EndedBy, Field, Mark, Parsed, Record, Reject};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "traefik",
    server: "Traefik JSON",
    mark: Mark::End,
    unit: Some(Unit::Nanos),
    duration: "ns",
    ended_by: "status 499, 0",
    ..About::DEFAULT
};

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let field = Part::Field;
    Keys::new([
        ("StartUTC|StartLocal", start()),
        ("time", end()),
        ("Duration", field(Field::Duration(Unit::Nanos))),
        ("RequestPath", field(Field::Target)),
        ("RequestMethod", field(Field::Method)),
        ("DownstreamStatus", Part::Note(Note::Source)),
        ("DownstreamContentSize", field(Field::Bytes)),
        ("ClientHost", field(Field::Forwarded)),
        ("ClientAddr", field(Field::Address)),
        ("request_User-Agent", field(Field::Agent)),
        ("request_Mcp-Method", field(Field::McpMethod)),
        ("request_Mcp-Session-Id", field(Field::Session)),
        ("request_X-Request-Id", field(Field::RequestId)),
    ])
});

/// Reads one object.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let keys = || Reject::shape(0, "Traefik's RequestPath and Duration");
    if !record.starts_with(b"{") || !has_keys(record) {
        return Err(keys());
    }
    let found = KEYS.find(record)?;
    let status = found.note(Note::Source);
    let status = status.map(|(text, at)| (text.to_vec(), at));
    let mut read = found.into_record()?;
    if read.target.is_empty()
        || read.start.is_none() && read.duration.is_none()
    {
        return Err(keys());
    }
    if let Some((status, at)) = status {
        // Nothing was sent before the client left.
        if matches!(&status[..], b"499" | b"0") {
            read.ended_by = EndedBy::Client;
        }
        Field::Status.put(&mut read, status.into(), at)?;
    }
    for header in
        [&mut read.mcp_method, &mut read.session, &mut read.request_id]
    {
        if **header == *b"REDACTED" {
            *header = Default::default();
        }
    }
    Ok(read)
}

/// Whether an object has keys that only Traefik's have.
fn has_keys(record: &[u8]) -> bool {
    let has =
        |key: &str| memchr::memmem::find(record, key.as_bytes()).is_some();
    has("\"RequestPath\"")
        && (has("\"StartUTC\"")
            || has("\"StartLocal\"")
            || has("\"DownstreamStatus\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::When;
    use crate::time::Micros;

    const ROW: &str = r#"{"ClientAddr":"10.0.0.1:39490","ClientHost":"192.0.2.7, 10.0.0.1","DownstreamContentSize":480,"DownstreamStatus":200,"Duration":60001234567,"OriginContentSize":481,"OriginDuration":204708,"OriginStatus":201,"Overhead":10855,"RequestMethod":"GET","RequestPath":"/subscriptions/listen?a","RouterName":"mcp@docker","ServiceURL":{"Scheme":"http","Path":"/x"},"StartLocal":"2026-08-01T14:00:00.123456789+02:00","StartUTC":"2026-08-01T12:00:00.123456789Z","level":"info","msg":"","request_Mcp-Method":"subscriptions/listen","request_Mcp-Session-Id":"5f3c","request_User-Agent":"mcp/1.0","time":"2026-08-01T12:01:00Z"}"#;

    fn read(text: &str) -> Record<'_> {
        parse(text.as_bytes(), 0).unwrap()
    }

    #[test]
    fn the_fine_start_and_the_nanoseconds_give_the_end() {
        let record = read(ROW);
        let end = Micros(1_785_585_660_124_690);
        let duration = Micros(60_001_234);
        assert_eq!(When::of(&record, None), Some(When::Held(end, duration)));
        assert_eq!(*record.target, *b"/subscriptions/listen?a");
        assert_eq!((&*record.method, record.status), (&b"GET"[..], 200));
        assert_eq!(record.bytes, Some(480));
        assert_eq!(*record.address, *b"192.0.2.7");
        assert_eq!(*record.mcp_method, *b"subscriptions/listen");
        assert_eq!(*record.session, *b"5f3c");
        assert_eq!(*record.agent, *b"mcp/1.0");
        assert_eq!(record.ended_by, EndedBy::Unknown);
    }

    #[test]
    fn fields_that_were_dropped_are_made_up_for() {
        let text = ROW
            .replace("\"StartUTC\"", "\"a\"")
            .replace("\"StartLocal\"", "\"b\"");
        let record = read(&text);
        let (end, duration) =
            (Micros(1_785_585_660_000_000), Micros(60_001_234));
        assert_eq!(When::of(&record, None), Some(When::Held(end, duration)));
        let local = ROW.replace("\"StartUTC\"", "\"a\"");
        assert_eq!(read(&local).start, read(ROW).start);
        let redacted = ROW.replace("\"subscriptions/listen\"", "\"REDACTED\"");
        assert!(read(&redacted).mcp_method.is_empty());
    }

    #[test]
    fn a_client_that_left_first_has_499_or_nothing() {
        for (status, who) in [
            ("499", EndedBy::Client),
            ("0", EndedBy::Client),
            ("504", EndedBy::Unknown),
        ] {
            let text = ROW.replace(":200,", &format!(":{status},"));
            assert_eq!(read(&text).ended_by, who, "{status}");
        }
    }

    #[test]
    fn its_own_log_and_the_objects_of_others_are_refused() {
        for text in [
            r#"{"level":"info","msg":"Starting provider","time":"2026-08-01T12:01:00Z"}"#,
            r#"{"RequestPath":"/a","DownstreamStatus":200}"#,
            r#"{"ClientRequestPath":"/a","EdgeStartTimestamp":1785585600}"#,
        ] {
            assert!(parse(text.as_bytes(), 0).is_err(), "{text}");
        }
        for end in 0..ROW.len() {
            assert!(parse(&ROW.as_bytes()[..end], 0).is_err());
        }
    }
}

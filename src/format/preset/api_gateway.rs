//! Amazon API Gateway: access logs in JSON, under the names of `$context`.
//!
//! The log's format is the user's, but the examples of the documentation
//! name each key after its variable, and most logs do. `requestTime` and
//! `requestTimeEpoch` are when the request came, `responseLatency` how many
//! milliseconds it took, mostly as strings, `-` where there is none.
//!
//! A WebSocket API logs a connection when it is made and when it ends, joined
//! by `connectionId`, and its messages between. It has no paths: log one as a
//! text of its own (`"path":"/subscriptions/listen"`), or pick connections by
//! their route, `$connect`.
//! <https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html>
//! <https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-logging.html>

use std::sync::LazyLock;

use super::About;
use super::object::{noted, object};
use crate::format::json::{Keys, Note, Part, Texts};
use crate::format::{
    Event, Field, Mark, NOT_ACCESS, Parsed, Record, Reject, Shape,
};
use crate::time::{Clock, Micros, Unit, epoch};

pub(super) const ABOUT: About = About {
    name: "api-gateway",
    server: "Amazon API Gateway, JSON",
    mark: Mark::Start,
    unit: Some(Unit::Millis),
    duration: "ms",
    ended_by: "status 499",
    closers: &["DISCONNECT", "$disconnect"],
    ..About::DEFAULT
};

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let (field, note) = (Part::Field, Part::Note);
    Keys::new([
        ("requestTimeEpoch", note(Note::Time)),
        ("requestTime", note(Note::Time)),
        ("connectedAt", note(Note::Duration)),
        ("eventType", note(Note::Source)),
        ("routeKey", note(Note::Message)),
        ("resourcePath", note(Note::Parent)),
        ("extendedRequestId", note(Note::Inner)),
        ("apiId", note(Note::Inner)),
        ("integrationLatency", note(Note::Inner)),
        ("integrationStatus", note(Note::Inner)),
        ("responseLatency", field(Field::Duration(Unit::Millis))),
        ("path", field(Field::Target)),
        ("httpMethod", field(Field::Method)),
        ("ip", field(Field::Address)),
        ("sourceIp", field(Field::Address)),
        ("userAgent", field(Field::Agent)),
        ("status", field(Field::Status)),
        ("responseLength", field(Field::Bytes)),
        ("requestId", field(Field::RequestId)),
        // Of a WebSocket API; no session of the client's.
        ("connectionId", field(Field::Session)),
    ])
});

/// What a record is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ApiEvent {
    Request,
    Connect,
    Disconnect,
    Message,
}

/// Reads one record.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let found = object(record, "equestId\"", &KEYS)?;
    let kind = kind(&found);
    if kind == ApiEvent::Message {
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    let own = [Note::Source, Note::Message, Note::Parent, Note::Inner];
    let own = own.iter().any(|note| !noted(&found, *note).is_empty());
    let time = found.note(Note::Time).map(|(text, at)| {
        Shape::Any.read(text).ok_or(Reject::time(at, "a requestTime"))
    });
    let time = time.transpose()?;
    let connected = epoch(noted(&found, Note::Duration));
    let target = target(&found);
    let mut record = found.into_record()?;
    if !own && record.bytes.is_none() {
        return Err(Reject::shape(0, "the names of API Gateway's $context"));
    }
    if record.target.is_empty() {
        record.target = target.into();
    }
    let connection = std::mem::take(&mut record.session);
    match kind {
        ApiEvent::Connect if record.status < 400 => {
            record.request_id = connection;
            record.event = Event::Open;
            (record.start, record.duration) = (connected.or(time), None);
        }
        ApiEvent::Disconnect => {
            record.request_id = connection;
            record.event = Event::Close;
            (record.end, record.duration) = (time, since(connected, time));
        }
        // One that was refused is a request that has ended.
        _ => record.start = time,
    }
    Ok(record)
}

/// How long a connection was held, where its end says when it was made. The
/// latency is only that of telling its end.
fn since(connected: Option<Clock>, end: Option<Clock>) -> Option<Micros> {
    let duration = end?.at - connected?.at;
    (duration >= Micros::ZERO).then_some(duration)
}

/// What a record is of. The routes `$connect` and `$disconnect` are set; any
/// other of a connection is of a message.
fn kind(found: &Texts<'_, '_>) -> ApiEvent {
    let route = noted(found, Note::Message);
    match (noted(found, Note::Source), route) {
        (b"CONNECT", _) | (b"", b"$connect") => ApiEvent::Connect,
        (b"DISCONNECT", _) | (b"", b"$disconnect") => ApiEvent::Disconnect,
        (b"MESSAGE", _) => ApiEvent::Message,
        _ => ApiEvent::Request,
    }
}

/// What stands in for a path: that of the resource or route with its
/// placeholders, `/topics/{id}` or `GET /topics/{id}`.
fn target(found: &Texts<'_, '_>) -> Vec<u8> {
    let resource = noted(found, Note::Parent);
    let route = noted(found, Note::Message);
    match (resource, memchr::memchr(b' ', route)) {
        (b"", Some(blank)) => route[blank + 1..].to_vec(),
        (b"", None) => route.to_vec(),
        _ => resource.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::EndedBy;

    fn read(record: &'static str) -> Record<'static> {
        parse(record.as_bytes(), 0).unwrap()
    }

    #[test]
    fn a_request_is_its_start_and_its_latency() {
        let rest = read(
            r#"{"requestId":"q1","ip":"192.0.2.7","requestTime":"01/Aug/2026:12:00:00 +0000","requestTimeEpoch":"1785585600123","httpMethod":"GET","resourcePath":"/{proxy+}","path":"/prod/subscriptions/listen","status":"200","protocol":"HTTP/1.1","responseLength":"480","responseLatency":"60001"}"#,
        );
        let start = rest.start.unwrap().at;
        assert_eq!(start.to_rfc3339(), "2026-08-01T12:00:00.123Z");
        assert_eq!(rest.duration, Some(Micros(60_001_000)));
        assert_eq!(*rest.target, *b"/prod/subscriptions/listen");
        assert_eq!((&*rest.request_id, rest.status), (&b"q1"[..], 200));
        assert_eq!(rest.bytes, Some(480));
        let http = read(
            r#"{"requestId":"q2","ip":"192.0.2.7","requestTime":"01/Aug/2026:12:00:00 +0000","httpMethod":"GET","routeKey":"GET /subscriptions/listen","status":"499","responseLatency":"-"}"#,
        );
        assert_eq!(*http.target, *b"/subscriptions/listen");
        assert_eq!((http.duration, http.ended_by), (None, EndedBy::Client));
        assert_eq!(http.start.unwrap().grain, Micros::SECOND);
    }

    #[test]
    fn a_connection_is_opened_and_closed_under_its_id() {
        let open = read(
            r#"{"requestId":"q1","requestTimeEpoch":"1785585600123","eventType":"CONNECT","routeKey":"$connect","status":"200","connectionId":"c1="}"#,
        );
        assert_eq!(open.event, Event::Open);
        assert_eq!(
            (&*open.request_id, &*open.session),
            (&b"c1="[..], &b""[..])
        );
        assert_eq!(*open.target, *b"$connect");
        let close = read(
            r#"{"requestId":"q9","requestTimeEpoch":"1785585660124","eventType":"DISCONNECT","routeKey":"$disconnect","connectedAt":"1785585600123","status":"200","connectionId":"c1="}"#,
        );
        assert_eq!((close.event, close.start), (Event::Close, None));
        assert_eq!(*close.request_id, *b"c1=");
        assert_eq!(close.duration, Some(Micros(60_001_000)));
        let end = close.end.unwrap().at;
        assert_eq!(end.to_rfc3339(), "2026-08-01T12:01:00.124Z");
        let by_route = read(
            r#"{"requestId":"q9","requestTime":"01/Aug/2026:12:01:00 +0000","routeKey":"$disconnect","connectionId":"c1="}"#,
        );
        assert_eq!((by_route.event, by_route.duration), (Event::Close, None));
    }

    #[test]
    fn messages_are_no_requests_and_a_refused_connection_is_not_open() {
        let message = br#"{"requestId":"q","eventType":"MESSAGE","routeKey":"$default","connectionId":"c1="}"#;
        assert_eq!(parse(message, 0), Err(Reject::shape(0, NOT_ACCESS)));
        let refused = read(
            r#"{"requestId":"q","eventType":"CONNECT","status":"403","connectionId":"c1=","requestTimeEpoch":"1785585600123"}"#,
        );
        assert_eq!(
            (refused.event, &*refused.request_id),
            (Event::Whole, &b"q"[..])
        );
    }

    #[test]
    fn the_length_of_the_response_tells_it_like_any_other_name() {
        let row = r#"{"requestId":"q","path":"/","responseLength":"480"}"#;
        assert_eq!(read(row).bytes, Some(480));
    }

    #[test]
    fn objects_with_a_request_id_of_others_are_refused() {
        let other =
            br#"{"requestId":"q","path":"/","status":200,"method":"GET"}"#;
        assert!(parse(other, 0).is_err());
        let late = br#"{"requestId":"q","apiId":"a","requestTime":"noon"}"#;
        assert_eq!(parse(late, 0), Err(Reject::time(44, "a requestTime")));
    }
}

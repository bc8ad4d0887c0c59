//! HAProxy, with a `log-format` that builds an object.
//!
//! There is no such format of HAProxy's own: the keys are whatever people
//! call them, mostly the names of its variables. What tells the server is a
//! termination state (`%tsc`, `%ts`) beside a total time (`%Ta`, `%Tt`).
//! Milliseconds come as three digits (`"ms":018`), which is no JSON.
//! <https://docs.haproxy.org/3.0/configuration.html#8.2.6>

use std::sync::LazyLock;

use super::About;
use super::haproxy::{Timers, clock, is_state};
use crate::format::json::{Keys, Note, Part, Texts};
use crate::format::{Field, Mark, Parsed, Record, Reject};
use crate::time::{self, Clock, Micros, Unit};

pub(super) const ABOUT: About = About {
    name: "haproxy-json",
    server: "HAProxy, a log-format of JSON with %tsc and %Ta",
    mark: Mark::Start,
    unit: Some(Unit::Millis),
    duration: "ms",
    ended_by: "state C., c.",
    ..About::DEFAULT
};

/// When the connection was accepted: `%Ts`, `%t`, `%T`, `%Tl`; and when the
/// request came, `%tr`. A count since 1970 needs no zone.
const TIMES: &str = "Ts|timestamp|Tl|T|gmt_date_time|local_date_time|tr|\
    request_date|t|time|date_time|accept_date|date";

/// `%ms`, of the connection.
const MILLIS: &str = "ms|accept_date_ms|milliseconds";

/// `%Ta`: from the first byte of the request on.
const ACTIVE: &str = "Ta|ta|time_active|time.ta|haproxy.time.ta|duration_ms";

/// `%Tt`: from the connection on.
const TOTAL: &str = "Tt|tt|time_total|total_time|session_duration|time.tt|\
    haproxy.time.tt";

/// `%TR` and `%Tq`.
const REQUEST: &str = "TR|Tq|tq|time_request|client_request_send_time|time.tq|\
    haproxy.time.tq";

/// `%tsc` and `%ts`.
const STATES: &str = "tsc|ts|term|termination|termination_state|\
    termination_state_with_cookie_status|\
    request_termination_state|haproxy.term|\
    haproxy.termination_state";

/// The other fields, the better name first.
const FIELDS: &[(&str, Field)] = &[
    ("r|http_request|http_req|request|request_line", Field::Request),
    (
        "HU|uri|request_uri|http_request_uri|http_uri|url|hu|HP|\
         path|http_request_path|http_path|http.path|\
         haproxy.request.hu",
        Field::Target,
    ),
    (
        "HM|method|http_method|request_method|http.verb|\
         haproxy.request.method",
        Field::Method,
    ),
    (
        "ST|status|status_code|http_status|http_status_code|\
         http.status|haproxy.response.status_code",
        Field::Status,
    ),
    (
        "B|bytes|bytes_read|bytes_sent|bytes.read|\
         network.bytes_read|haproxy.bytes_read|haproxy.bytes.read",
        Field::Bytes,
    ),
    (
        "ci|client_ip|client_addr|client|remote_addr|src|src_ip|\
         network.client_ip|haproxy.network.client_ip",
        Field::Address,
    ),
    (
        "x_forwarded_for|x-forwarded-for|xff|\
         haproxy.request.header.xforwardfor",
        Field::Forwarded,
    ),
    ("user_agent|http_user_agent|user-agent|ua|agent", Field::Agent),
    ("mcp_method|mcp-method|http_mcp_method", Field::McpMethod),
    ("mcp_session_id|mcp-session-id|http_mcp_session_id", Field::Session),
    ("ID|unique_id|request_id|uuid", Field::RequestId),
];

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let notes = [
        (Note::Time, TIMES),
        (Note::Message, MILLIS),
        (Note::Duration, ACTIVE),
        (Note::Parent, TOTAL),
        (Note::Inner, REQUEST),
        (Note::Source, STATES),
    ];
    let notes = notes.map(|(note, paths)| (paths, Part::Note(note)));
    let fields = FIELDS.iter().cloned();
    let fields = fields.map(|(paths, field)| (paths, Part::Field(field)));
    Keys::new(notes.into_iter().chain(fields))
});

/// Reads one object.
pub(super) fn parse(record: &[u8], zone: i64) -> Parsed<Record<'_>> {
    let state = Reject::shape(0, "HAProxy's termination state");
    if !record.starts_with(b"{") || !has_state_key(record) {
        return Err(state);
    }
    let found = KEYS.find(record)?;
    let ended = found.note(Note::Source).map(|(text, _)| text);
    let ended = ended.filter(|text| is_state(text)).ok_or(state)?.to_vec();
    let when = when(&found, zone)?;
    let mut read = found.into_record()?;
    Field::Termination.put(&mut read, ended.into(), 0)?;
    let (timers, clock, at) = when;
    timers.put(&mut read, clock.unwrap_or(UNTIMED), at)?;
    if clock.is_none() {
        read.start = None;
    }
    Ok(read)
}

/// A clock that is only reckoned with, of a record that has none.
const UNTIMED: Clock = Clock { at: Micros::ZERO, grain: Micros::SECOND };

/// Whether one of the keys of a termination state may be in it.
fn has_state_key(record: &[u8]) -> bool {
    ["\"tsc\"", "\"ts\"", "termination", "\"term\""]
        .iter()
        .any(|key| memchr::memmem::find(record, key.as_bytes()).is_some())
}

/// The timers, what they count from, and where the total stood.
///
/// The total of a connection counts from when it was accepted, an earlier
/// moment than the request's by as much as it exceeds the request's own.
fn when(
    found: &Texts<'_, '_>,
    zone: i64,
) -> Parsed<(Timers, Option<Clock>, usize)> {
    let active = found.note(Note::Duration);
    let total = found.note(Note::Parent);
    let missing = Reject::shape(0, "HAProxy's total time");
    let (text, at) = active.or(total).ok_or(missing)?;
    let first = found.note(Note::Inner).map(|(text, _)| text);
    let timers = Timers::of(first, text);
    let timers = timers.ok_or(Reject::duration(at, "milliseconds"))?;
    let Some((date, place)) = found.note(Note::Time) else {
        return Ok((timers, None, at));
    };
    let unread = Reject::time(place, "HAProxy's time");
    let (mut date, accepted) = date_of(date, zone).ok_or(unread)?;
    if accepted {
        date = with_millis(date, found);
        let total = total.and_then(|(text, _)| Timers::of(None, text));
        let total = total.and_then(|total| total.total);
        if let (Some(whole), Some(active)) = (total, timers.total) {
            date.at = date.at + (whole - active).max(Micros::ZERO);
        }
    }
    Ok((timers, Some(date), at))
}

/// A date, and whether it is known to be the connection's: a count since
/// 1970 is.
fn date_of(text: &[u8], zone: i64) -> Option<(Clock, bool)> {
    if let Some(clock) = time::epoch(text) {
        return Some((clock, true));
    }
    let clock = clock(text, zone).or_else(|| time::rfc3339(text))?;
    Some((clock, false))
}

/// A date in whole seconds with the milliseconds beside it.
fn with_millis(date: Clock, found: &Texts<'_, '_>) -> Clock {
    let millis = found.note(Note::Message).and_then(|(text, _)| {
        time::decimal(text, Unit::Millis).filter(|ms| *ms < Micros::SECOND)
    });
    match millis {
        Some(millis) if date.grain == Micros::SECOND => {
            Clock { at: date.at + millis, grain: Micros(1_000) }
        }
        _ => date,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{EndedBy, Event};

    /// Of the ground-truth lab.
    const LAB: &str = r#"{"Ts":1795959812,"ms":018,"tr":"29/Nov/2026:13:43:32.018","ci":"127.0.0.1","cp":50218,"ft":"js","b":"sse","s":"srv1","TR":0,"Tw":0,"Tc":0,"Tr":-1,"Ta":12003,"Tt":12003,"status":504,"bytes":198,"tsc":"sH--","method":"GET","uri":"/subscriptions/listen?d=30","ac":27,"rt":39}"#;

    fn read(text: &str) -> Record<'_> {
        parse(text.as_bytes(), 0).unwrap()
    }

    fn start(record: &Record<'_>) -> String {
        record.start.unwrap().at.to_rfc3339()
    }

    #[test]
    fn the_labs_object_is_read_though_it_is_no_json() {
        let record = parse(LAB.as_bytes(), 3_600).unwrap();
        assert_eq!(start(&record), "2026-11-29T13:43:32.018Z");
        assert_eq!(record.duration, Some(Micros(12_003_000)));
        assert_eq!(*record.target, *b"/subscriptions/listen?d=30");
        assert_eq!((&*record.method, record.status), (&b"GET"[..], 504));
        assert_eq!(record.bytes, Some(198));
        assert_eq!(*record.address, *b"127.0.0.1");
        assert_eq!(record.ended_by, EndedBy::Server);
    }

    #[test]
    fn the_connections_idle_time_is_not_the_streams() {
        let record = read(
            r#"{"timestamp":1795959800,"tsc":"CD--","Tt":70005,"Ta":60002}"#,
        );
        assert_eq!(start(&record), "2026-11-29T13:43:30.003Z");
        assert_eq!(record.duration, Some(Micros(60_002_000)));
        assert_eq!(record.ended_by, EndedBy::Client);
        let record =
            read(r#"{"Ts":1795959800,"ts":"--","Tq":9000,"Tt":9500}"#);
        assert_eq!(start(&record), "2026-11-29T13:43:29Z");
        assert_eq!(record.duration, Some(Micros(500_000)));
    }

    #[test]
    fn other_peoples_names_of_the_variables_are_known() {
        let record = parse(
            br#"{"request_date":"29/Nov/2026:13:43:32.018","client_addr":"192.0.2.7:40000","http_req":"GET /a HTTP/1.1","http_status":200,"bytes_uploaded":7,"bytes_read":480,"termination_state":"cD","session_duration":"7","user_agent":"node"}"#,
            3_600,
        )
        .unwrap();
        assert_eq!(start(&record), "2026-11-29T12:43:32.018Z");
        assert_eq!(*record.target, *b"/a");
        assert_eq!((record.status, record.bytes), (200, Some(480)));
        assert_eq!(*record.address, *b"192.0.2.7");
        let nested = read(
            r#"{"host":"h","ident":"haproxy","time":"29/Nov/2026:13:43:32 +0100","haproxy":{"time":{"tq":0,"tt":5},"termination_state":"----","network":{"client_ip":"192.0.2.8"},"request":{"method":"GET","hu":"/b"},"response":{"status_code":200},"bytes":{"uploaded":7,"read":481}}}"#,
        );
        assert_eq!(start(&nested), "2026-11-29T12:43:32Z");
        assert_eq!((&*nested.target, nested.status), (&b"/b"[..], 200));
        assert_eq!(nested.bytes, Some(481));
    }

    #[test]
    fn what_is_logged_as_a_stream_opens_is_its_opening() {
        let record =
            read(r#"{"Ts":1795959800,"ms":500,"tsc":"----","Ta":+1}"#);
        assert_eq!((record.event, record.duration), (Event::Open, None));
        assert_eq!(start(&record), "2026-11-29T13:43:20.5Z");
    }

    #[test]
    fn an_object_without_a_time_takes_that_of_its_wrapper() {
        let record = read(r#"{"tsc":"----","Ta":5,"uri":"/a"}"#);
        assert_eq!((record.start, record.end), (None, None));
        assert_eq!(record.duration, Some(Micros(5_000)));
    }

    #[test]
    fn objects_of_others_are_refused() {
        for text in [
            r#"{"level":"info","ts":1795960053.4,"duration":60.0}"#,
            r#"{"ts":"2026-11-29T13:43:32Z","status":200,"tt":5}"#,
            r#"{"tsc":"----","uri":"/a"}"#,
            r#"{"termination_state":"none","Tt":5}"#,
            r#"{"tsc":"----","Ta":5"#,
            "GET / HTTP/1.1",
        ] {
            assert!(parse(text.as_bytes(), 0).is_err(), "{text}");
        }
        for end in 0..LAB.len() {
            assert!(parse(&LAB.as_bytes()[..end], 0).is_err());
        }
    }
}

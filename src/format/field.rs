//! What a logged value means: the one place that turns a named field into a
//! part of a [`Record`]. Formats that are described by data (a `log_format`,
//! JSON keys, a pattern's groups) all end here.

use super::record::{EndedBy, Event, Parsed, Record, Reject, Text};
use crate::time::{self, Clock, Unit};

/// What a field of a log holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// A time, and what it marks.
    Time(Mark, Shape),
    /// How long the request took, a bare number of this unit.
    Duration(Unit),
    /// How long it took, with its unit written: `1m0.002s`, `60001ms`; a
    /// bare number is seconds.
    Span,
    /// The request line, `GET /path HTTP/1.1`.
    Request,
    /// `GET`.
    Method,
    /// A path, with or without its query, or a URL.
    Target,
    /// A path that is taken only when no better target was logged: nginx's
    /// `$uri`, which internal redirects change. `/_open`, the location of
    /// the `mirror` set-up, marks the record of an opening.
    InternalPath,
    /// The header `Mcp-Method`.
    McpMethod,
    /// The client's address; a port behind it is dropped.
    Address,
    /// The header `X-Forwarded-For`: the first address of the list, taken
    /// when it names one, in place of the peer's.
    Forwarded,
    /// The user agent.
    Agent,
    /// The session.
    Session,
    /// The request id.
    RequestId,
    /// The status.
    Status,
    /// The bytes sent.
    Bytes,
    /// Apache's `%b`: the bytes sent, `-` in place of 0.
    BytesOrDash,
    /// nginx's `$request_completion`: `OK`, or empty when the client left.
    Completion,
    /// Apache's and lighttpd's `%X`: `X` when the client left, `+` or `-`
    /// when the response was completed.
    Aborted,
    /// HAProxy's termination state: its first letter is `C` or `c` when the
    /// client ended the stream or stopped reading.
    Termination,
    /// Cloudflare Workers' outcome: `canceled` when the client left.
    Outcome,
    /// What was logged: `open` marks the record of an opening.
    Event,
}

/// What a time marks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mark {
    /// The start of the request.
    Start,
    /// Its end.
    End,
    /// One of the two: the format does not tell.
    #[default]
    Either,
}

/// How a time is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `29/Nov/2026:13:44:23 +0000`, with or without brackets.
    Clf,
    /// RFC 3339.
    Rfc3339,
    /// A count since 1970; its unit from its digits.
    Epoch,
    /// Any of the three above.
    Any,
    /// A `strftime` pattern, and the seconds east of UTC to take when it
    /// shows no zone.
    Pattern(String, i64),
}

impl Shape {
    /// Reads a time of this shape.
    pub fn read(&self, text: &[u8]) -> Option<Clock> {
        match self {
            Shape::Clf => time::clf(unbracketed(text)),
            Shape::Rfc3339 => time::rfc3339(text),
            Shape::Epoch => time::epoch(text),
            Shape::Any => time::epoch(text)
                .or_else(|| time::rfc3339(text))
                .or_else(|| time::clf(unbracketed(text))),
            Shape::Pattern(pattern, zone) => {
                time::strftime(text, pattern, *zone)
            }
        }
    }
}

/// The text without the brackets around it.
fn unbracketed(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"[")
        .and_then(|text| text.strip_suffix(b"]"))
        .unwrap_or(text)
}

impl Field {
    /// Puts this field's text, which stood at byte `at` of the record, into
    /// its place. A text that says "not logged" (empty or `-`) puts nothing.
    ///
    /// # Errors
    ///
    /// A [`Reject`] when a time or a duration cannot be read. Any other
    /// field takes whatever was logged.
    pub fn put<'a>(
        &self,
        record: &mut Record<'a>,
        text: Text<'a>,
        at: usize,
    ) -> Parsed<()> {
        let absent = text.is_empty() || *text == *b"-";
        match self {
            Field::Completion => record.ended_by = completion(&text),
            Field::Aborted => record.ended_by = aborted(&text),
            _ if absent => self.put_absent(record, &text),
            Field::Bytes | Field::BytesOrDash => record.bytes = count(&text),
            Field::Time(mark, shape) => {
                let clock = shape
                    .read(&text)
                    .ok_or_else(|| Reject::time(at, "a time"))?;
                put_time(record, *mark, clock);
            }
            Field::Duration(unit) => {
                let duration = time::decimal(&text, *unit);
                put_duration(record, duration, at)?;
            }
            Field::Span => put_duration(record, span(&text), at)?,
            _ => self.put_text(record, text),
        }
        Ok(())
    }

    /// What says "not logged", but for the dash of Apache's `%b`.
    fn put_absent(&self, record: &mut Record<'_>, text: &[u8]) {
        if matches!((self, text), (Field::BytesOrDash, b"-")) {
            record.bytes = Some(0);
        }
    }

    /// The fields that take any text.
    fn put_text<'a>(&self, record: &mut Record<'a>, text: Text<'a>) {
        match self {
            Field::Request => record.set_request(text),
            Field::Method => record.method = text,
            Field::Target => record.target = text,
            Field::InternalPath => put_internal(record, text),
            Field::McpMethod => record.mcp_method = text,
            Field::Address => record.address = trimmed(text, address),
            Field::Forwarded => record.address = trimmed(text, forwarded),
            Field::Agent => record.agent = text,
            Field::Session => record.session = text,
            Field::RequestId => record.request_id = text,
            Field::Status => {
                record.status = status(&text);
                record.mind_status();
            }
            Field::Termination => record.ended_by = termination(&text),
            Field::Outcome if text.eq_ignore_ascii_case(b"canceled") => {
                record.ended_by = EndedBy::Client;
            }
            Field::Event if text.eq_ignore_ascii_case(b"open") => {
                record.event = Event::Open;
            }
            _ => {}
        }
    }
}

/// Puts a clock where its mark says.
fn put_time(record: &mut Record<'_>, mark: Mark, clock: Clock) {
    match mark {
        Mark::Start => record.offer_start(clock),
        Mark::End => record.offer_end(clock),
        Mark::Either => record.offer_stamp(clock),
    }
}

/// Puts a duration, or says where one should have stood.
fn put_duration(
    record: &mut Record<'_>,
    duration: Option<crate::time::Micros>,
    at: usize,
) -> Parsed<()> {
    let duration =
        duration.ok_or_else(|| Reject::duration(at, "a duration"))?;
    record.offer_duration(duration, at)
}

/// A span with its unit, or bare seconds.
fn span(text: &[u8]) -> Option<crate::time::Micros> {
    time::span(text).or_else(|| time::decimal(text, Unit::Seconds))
}

/// nginx's `$uri`: a fallback target, and the mark of an opening.
fn put_internal<'a>(record: &mut Record<'a>, text: Text<'a>) {
    if *text == *b"/_open" {
        record.event = Event::Open;
    } else if record.target.is_empty() {
        record.target = text;
    }
}

/// `OK` says that the response was completed; nginx leaves the field empty
/// when the client went away first.
fn completion(text: &[u8]) -> EndedBy {
    match text {
        b"OK" | b"." => EndedBy::Server,
        _ => EndedBy::Client,
    }
}

/// `X` says that the client went away before the response was completed.
fn aborted(text: &[u8]) -> EndedBy {
    match text {
        b"X" => EndedBy::Client,
        b"+" | b"-" => EndedBy::Server,
        _ => EndedBy::Unknown,
    }
}

/// HAProxy's state: who caused the end stands first.
fn termination(text: &[u8]) -> EndedBy {
    match text.first() {
        Some(b'C' | b'c') => EndedBy::Client,
        Some(_) => EndedBy::Server,
        None => EndedBy::Unknown,
    }
}

/// A status of three digits, else 0.
pub(super) fn status(text: &[u8]) -> u16 {
    match text {
        [a, b, c] if text.iter().all(u8::is_ascii_digit) => {
            u16::from(a - b'0') * 100
                + u16::from(b - b'0') * 10
                + u16::from(c - b'0')
        }
        _ => 0,
    }
}

/// A number of up to 19 digits, which always fits; nothing for any other
/// text, such as HAProxy's `+111` of a response that went on.
pub(super) fn count(text: &[u8]) -> Option<u64> {
    let mut sum = 0;
    if !(1..=19).contains(&text.len()) {
        return None;
    }
    for byte in text {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        sum = sum * 10 + u64::from(digit);
    }
    Some(sum)
}

/// Applies a shortening to a text without copying it when it is borrowed.
fn trimmed(text: Text<'_>, shorten: fn(&[u8]) -> &[u8]) -> Text<'_> {
    match text {
        Text::Borrowed(text) => Text::Borrowed(shorten(text)),
        Text::Owned(text) => Text::Owned(shorten(&text).to_vec()),
    }
}

/// An address without the port or the brackets around it.
pub(super) fn address(text: &[u8]) -> &[u8] {
    if let Some(text) = text.strip_prefix(b"[") {
        let end = text.iter().position(|&b| b == b']').unwrap_or(text.len());
        return &text[..end];
    }
    let mut colons = text.iter().enumerate().filter(|(_, b)| **b == b':');
    match (colons.next(), colons.next()) {
        (Some((at, _)), None) => &text[..at],
        _ => text,
    }
}

/// The first address of an `X-Forwarded-For` list.
fn forwarded(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|&b| b == b',').unwrap_or(text.len());
    address(text[..end].trim_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(field: &Field, text: &'static str) -> Record<'static> {
        let mut record = Record::default();
        let put = field.put(&mut record, text.as_bytes().into(), 0);
        put.unwrap_or_else(|reject| panic!("{text}: {reject:?}"));
        record
    }

    #[test]
    fn who_ended_it_is_told_by_each_servers_own_mark() {
        let (client, server) = (EndedBy::Client, EndedBy::Server);
        for (field, text, who) in [
            (Field::Completion, "OK", server),
            (Field::Completion, "", client),
            (Field::Aborted, "X", client),
            (Field::Aborted, "+", server),
            (Field::Aborted, "-", server),
            (Field::Termination, "CD--", client),
            (Field::Termination, "cD", client),
            (Field::Termination, "sD--", server),
            (Field::Termination, "--", server),
            (Field::Outcome, "canceled", client),
            (Field::Outcome, "ok", EndedBy::Unknown),
        ] {
            assert_eq!(put(&field, text).ended_by, who, "{field:?} {text}");
        }
    }

    #[test]
    fn an_address_loses_its_port_and_its_brackets() {
        for (text, address) in [
            ("192.0.2.7", "192.0.2.7"),
            ("192.0.2.7:44740", "192.0.2.7"),
            ("2001:db8::7", "2001:db8::7"),
            ("[2001:db8::7]:443", "2001:db8::7"),
            ("host.example:80", "host.example"),
        ] {
            let record = put(&Field::Address, text);
            assert_eq!(*record.address, *address.as_bytes());
        }
        let listed = put(&Field::Forwarded, "192.0.2.7, 10.0.0.1");
        assert_eq!(*listed.address, *b"192.0.2.7");
    }

    #[test]
    fn the_status_499_says_that_the_client_left_unless_a_field_tells() {
        assert_eq!(put(&Field::Status, "499").ended_by, EndedBy::Client);
        assert_eq!(put(&Field::Status, "504").ended_by, EndedBy::Unknown);
        for fields in [
            [(Field::Status, "499"), (Field::Completion, "OK")],
            [(Field::Completion, "OK"), (Field::Status, "499")],
        ] {
            let mut record = Record::default();
            for (field, text) in fields {
                field.put(&mut record, text.as_bytes().into(), 0).unwrap();
            }
            assert_eq!(record.ended_by, EndedBy::Server);
        }
    }

    #[test]
    fn bytes_are_a_count_and_only_apaches_dash_is_nought() {
        for (text, bytes) in [
            ("480", Some(480)),
            ("0", Some(0)),
            ("9999999999999999999", Some(9_999_999_999_999_999_999)),
            ("99999999999999999999", None),
            ("+111", None),
            ("-1", None),
            ("48:0", None),
            ("4.8", None),
        ] {
            assert_eq!(put(&Field::Bytes, text).bytes, bytes, "{text}");
            assert_eq!(put(&Field::BytesOrDash, text).bytes, bytes, "{text}");
        }
        assert_eq!(put(&Field::BytesOrDash, "-").bytes, Some(0));
        assert_eq!(put(&Field::BytesOrDash, "").bytes, None);
    }

    #[test]
    fn what_was_not_logged_fills_nothing() {
        let all = [
            Field::Time(Mark::End, Shape::Any),
            Field::Duration(Unit::Seconds),
            Field::Span,
            Field::McpMethod,
            Field::RequestId,
            Field::Status,
            Field::Bytes,
        ];
        for field in all {
            for absent in ["", "-"] {
                assert_eq!(put(&field, absent), Record::default());
            }
        }
    }

    #[test]
    fn a_time_or_a_hold_that_cannot_be_read_rejects_the_record() {
        let reject = |field: Field| {
            let text = b"soon"[..].into();
            field.put(&mut Record::default(), text, 3).unwrap_err()
        };
        let time = reject(Field::Time(Mark::End, Shape::Any));
        assert_eq!(time, Reject::time(3, "a time"));
        let duration = reject(Field::Duration(Unit::Seconds));
        assert_eq!(duration, Reject::duration(3, "a duration"));
        assert_eq!(reject(Field::Span), duration);
    }

    #[test]
    fn the_location_of_the_mirror_marks_an_opening() {
        let open = put(&Field::InternalPath, "/_open");
        assert_eq!((open.event, open.target.len()), (Event::Open, 0));
        let other = put(&Field::InternalPath, "/mcp");
        assert_eq!(
            (other.event, &*other.target),
            (Event::Whole, &b"/mcp"[..])
        );
        assert_eq!(put(&Field::Event, "open").event, Event::Open);
        assert_eq!(put(&Field::Event, "end").event, Event::Whole);
    }
}

//! Heroku's router.
//!
//! `at=info method=GET path="/a" host=h request_id=i fwd="192.0.2.7"
//! dyno=web.1 connect=1ms service=60001ms status=200 bytes=480
//! protocol=https`, behind `TIME heroku[router]: ` unless a wrapper was
//! stripped off. It is written when the request has ended; it lasted for
//! `connect` and `service` together, which are empty where they were not
//! reached. H27 is a client that left; the other H codes are the router's or
//! the app's doing.
//! <https://devcenter.heroku.com/articles/http-routing#heroku-router-log-format>
//! <https://devcenter.heroku.com/articles/error-codes>

use super::About;
use super::cursor::Cursor;
use crate::format::record::EndedBy;
use crate::format::{Field, Mark, NOT_ACCESS, Parsed, Record, Reject, Shape};
use crate::time::{self, Micros};

pub(super) const ABOUT: About = About {
    name: "heroku",
    server: "Heroku router",
    mark: Mark::End,
    duration: "connect=1ms service=60001ms",
    ended_by: "code H27, status 499",
    ..About::DEFAULT
};

/// Reads one line.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let mut read = Record::default();
    let mut at = Cursor::new(record);
    if record.first().is_some_and(u8::is_ascii_digit) {
        source(&mut at, &mut read)?;
    }
    if at.accept("sock=") {
        at.word("client or backend")?;
    }
    if !at.rest().starts_with(b"at=") {
        return Err(at.stop("at="));
    }
    let mut request = Request::default();
    while !at.rest().is_empty() {
        pair(&mut at, &mut read, &mut request)?;
    }
    if !request.routed {
        return Err(at.stop("dyno= and service="));
    }
    read.ended_by = request.ended_by(read.status);
    if let Some(service) = request.service {
        let connect = request.connect.unwrap_or_default();
        read.offer_duration(connect + service, 0)?;
    }
    Ok(read)
}

/// Reads the time and who wrote the line: other processes of Heroku, and the
/// app itself, write into the same log.
fn source(at: &mut Cursor<'_>, read: &mut Record<'_>) -> Parsed<()> {
    let place = at.at();
    let text = at.word("a time")?;
    let time = Shape::Rfc3339.read(text);
    read.end = Some(time.ok_or_else(|| Reject::shape(place, "a time"))?);
    if at.accept("heroku[router]: ") {
        return Ok(());
    }
    let rest = at.rest();
    let other = rest.starts_with(b"heroku[") || rest.starts_with(b"app[");
    if other && memchr::memmem::find(rest, b"]: ").is_some() {
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    Err(at.stop("heroku[router]: "))
}

/// What is kept of the pairs until the line is read.
#[derive(Debug, Default)]
struct Request<'a> {
    code: &'a [u8],
    connect: Option<Micros>,
    service: Option<Micros>,
    /// Whether the keys that only this router writes were there.
    routed: bool,
}

impl Request<'_> {
    fn ended_by(&self, status: u16) -> EndedBy {
        match self.code {
            b"H27" => EndedBy::Client,
            _ if status == 499 => EndedBy::Client,
            b"" => EndedBy::Unknown,
            _ => EndedBy::Server,
        }
    }
}

/// Reads one `key=value` and the blanks behind it. Of a key that stands
/// twice the last value is the router's: only texts the client chose stand
/// before.
fn pair<'a>(
    at: &mut Cursor<'a>,
    read: &mut Record<'a>,
    request: &mut Request<'a>,
) -> Parsed<()> {
    let key = at.until(b'=', "a key before =")?;
    let place = at.at();
    let value = match at.rest().first() {
        Some(b'"') => at.quoted("a quoted value")?,
        Some(b' ') | None => &b""[..],
        Some(_) => at.word("a value")?,
    };
    at.blanks();
    let field = match key {
        b"connect" => {
            request.connect = span(value, place)?;
            return Ok(());
        }
        b"service" => {
            request.service = span(value, place)?;
            return Ok(());
        }
        b"code" => {
            request.code = value;
            return Ok(());
        }
        b"dyno" => {
            request.routed = true;
            return Ok(());
        }
        b"method" => Field::Method,
        b"path" => Field::Target,
        b"fwd" => Field::Forwarded,
        b"status" => Field::Status,
        b"bytes" => Field::Bytes,
        b"request_id" => Field::RequestId,
        _ => return Ok(()),
    };
    field.put(read, value.into(), place)
}

/// A span such as `60001ms`; none where it is empty.
fn span(value: &[u8], at: usize) -> Parsed<Option<Micros>> {
    match value {
        b"" | b"-" => Ok(None),
        _ => match time::span(value) {
            Some(span) => Ok(Some(span)),
            None => Err(Reject::duration(at, "a duration")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PREFIX: &str = "2026-08-01T12:01:00.123456+00:00 heroku[router]: ";
    const LINE: &str = r#"at=info method=GET path="/subscriptions/listen" host=mcp.example.com request_id=546c7c39 fwd="192.0.2.7" dyno=web.1 connect=1ms service=60001ms status=200 bytes=480 protocol=https"#;
    const LEFT: &str = r#"sock=client at=warning code=H27 desc="Client Request Interrupted" method=GET path="/subscriptions/listen" host=mcp.example.com request_id=546c7c40 fwd="192.0.2.7, 10.0.0.1" dyno=web.1 connect=1ms service=29043ms status=499 bytes= protocol=https"#;

    #[test]
    fn a_line_is_its_end_and_two_spans() {
        let line = format!("{PREFIX}{LINE}");
        let read = parse(line.as_bytes(), 0).unwrap();
        let end = read.end.unwrap();
        assert_eq!(end.at.to_rfc3339(), "2026-08-01T12:01:00.123456Z");
        assert_eq!(read.duration, Some(Micros(60_002_000)));
        assert_eq!(*read.target, *b"/subscriptions/listen");
        assert_eq!((&*read.method, read.status), (&b"GET"[..], 200));
        assert_eq!(read.bytes, Some(480));
        assert_eq!(*read.address, *b"192.0.2.7");
        assert_eq!(*read.request_id, *b"546c7c39");
        assert_eq!(read.ended_by, EndedBy::Unknown);
        let unwrapped = parse(LINE.as_bytes(), 0).unwrap();
        assert_eq!(unwrapped, Record { end: None, ..read.clone() });
    }

    #[test]
    fn who_ended_it_is_told_by_the_code() {
        let read = parse(LEFT.as_bytes(), 0).unwrap();
        assert_eq!(read.ended_by, EndedBy::Client);
        assert_eq!(read.duration, Some(Micros(29_044_000)));
        assert_eq!(*read.address, *b"192.0.2.7");
        let idle = LEFT.replace("H27", "H15").replace("499", "503");
        let read = parse(idle.as_bytes(), 0).unwrap();
        assert_eq!((read.status, read.ended_by), (503, EndedBy::Server));
    }

    #[test]
    fn empty_and_bare_values_are_read() {
        let line = "at=error code=H10 desc=\"App crashed\" method=GET path=/a host=h request_id=i fwd=\"192.0.2.7\" dyno= connect= service= status=503 bytes=";
        let read = parse(line.as_bytes(), 0).unwrap();
        assert_eq!((read.duration, read.status), (None, 503));
        assert_eq!(read.bytes, None);
        assert_eq!(*read.target, *b"/a");
        let line = LINE.replace("connect=1ms", "connect=");
        let read = parse(line.as_bytes(), 0).unwrap();
        assert_eq!(read.duration, Some(Micros(60_001_000)));
    }

    #[test]
    fn what_else_is_in_the_log_is_no_request() {
        let not_access = Err(Reject::shape(0, NOT_ACCESS));
        for rest in ["app[web.1]: GET /a", "heroku[web.1]: State changed"] {
            let line = format!("2026-08-01T12:01:00.123456+00:00 {rest}");
            assert_eq!(parse(line.as_bytes(), 0), not_access, "{rest}");
        }
        for line in [
            "at=info msg=\"hello\"",
            "level=info method=GET path=/a dyno=1",
            "2026-08-01T12:01:00Z stdout F at=info",
            "{\"at\":\"info\"}",
            "",
        ] {
            let refused = parse(line.as_bytes(), 0).unwrap_err();
            assert_ne!(refused.expected, NOT_ACCESS, "{line}");
        }
    }

    #[test]
    fn a_span_that_is_none_rejects_the_line() {
        let line = LINE.replace("60001ms", "long");
        let refused = parse(line.as_bytes(), 0).unwrap_err();
        let at = LINE.find("60001ms").unwrap();
        assert_eq!(refused, Reject::duration(at, "a duration"));
    }

    #[test]
    fn no_mangled_line_panics() {
        let line = format!("{PREFIX}{LEFT}");
        for end in 0..line.len() {
            let _read = parse(&line.as_bytes()[..end], 0);
            let _read = parse(&line.as_bytes()[end..], 0);
        }
    }

    #[test]
    fn the_fixture_is_read_but_for_what_the_app_wrote() {
        let log = include_str!("../../../fixtures/formats/heroku.log");
        let count = |line: &str| match parse(line.as_bytes(), 0) {
            Ok(_) => 1,
            Err(why) => {
                assert_eq!(why.expected, NOT_ACCESS, "{line}");
                0
            }
        };
        let (read, all) = (log.lines().map(count).sum(), log.lines().count());
        assert_eq!((read, all), (8, 10));
    }
}

//! ASP.NET Core: its hosting diagnostics, and Serilog's request logging.
//!
//! `Request finished HTTP/1.1 GET http://host/path - - - 200 -
//! text/event-stream 60001.1234ms`, wherever it stands: alone on the second
//! line of the simple console, behind a time and a category, or as the
//! `Message` of the JSON console. It tells the whole request. `Request
//! starting HTTP/1.1 GET http://host/path - - -` is an opening, where the
//! scopes show a `RequestId` to join it by. Before .NET 5 the end named no
//! URL: `Request finished in 60001.1234ms 200 text/event-stream`. Serilog
//! writes `HTTP GET /path responded 200 in 60001.1234 ms` at the end, or the
//! parts of it as JSON.
//! <https://github.com/dotnet/aspnetcore/blob/main/src/Hosting/Hosting/src/Internal/HostingRequestFinishedLog.cs>
//! <https://github.com/serilog/serilog-aspnetcore>

use std::sync::LazyLock;

use memchr::memmem;

use super::About;
use super::cursor::Cursor;
use super::prefix::leading_time;
use crate::format::json::{Keys, Part, end};
use crate::format::{Event, Field, Mark, NOT_ACCESS, Parsed, Record, Reject};
use crate::time::{self, Clock, Unit};

pub(super) const ABOUT: About = About {
    name: "aspnet",
    server: "ASP.NET Core, Serilog",
    mark: Mark::End,
    duration: "60001.1234ms",
    closers: &["Request finished in "],
    ..About::DEFAULT
};

const STARTING: &[u8] = b"Request starting ";
const FINISHED: &[u8] = b"Request finished ";
const RESPONDED: &[u8] = b" responded ";

/// Serilog's properties, in its compact form or its own.
static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let field = Part::Field;
    Keys::new([
        ("@t|Timestamp", end()),
        ("Elapsed", field(Field::Duration(Unit::Millis))),
        ("RequestMethod", field(Field::Method)),
        ("RequestPath", field(Field::Target)),
        ("StatusCode", field(Field::Status)),
        ("RequestId", field(Field::RequestId)),
        ("Properties.Elapsed", field(Field::Duration(Unit::Millis))),
        ("Properties.RequestMethod", field(Field::Method)),
        ("Properties.RequestPath", field(Field::Target)),
        ("Properties.StatusCode", field(Field::Status)),
        ("Properties.RequestId", field(Field::RequestId)),
    ])
});

/// Reads one line.
pub(super) fn parse(record: &[u8], zone: i64) -> Parsed<Record<'_>> {
    if is_properties(record) {
        return KEYS.find(record)?.into_record();
    }
    let mut read = Record::default();
    let clock = clock(record, zone);
    read.request_id = request_id(record).into();
    let behind =
        |text: &[u8]| memmem::find(record, text).map(|at| at + text.len());
    let (at, outcome) = if let Some(at) = behind(FINISHED) {
        read.end = clock;
        (at, finished(message(record, at), &mut read))
    } else if let Some(at) = behind(STARTING) {
        read.start = clock;
        (at, starting(message(record, at), &mut read))
    } else if let Some(at) = memmem::find(record, RESPONDED) {
        read.end = clock;
        (0, responded(record, at, &mut read))
    } else {
        (0, Err(other(record)))
    };
    outcome.map_err(|reject| match reject.expected {
        NOT_ACCESS => reject,
        _ => Reject { at: reject.at + at, ..reject },
    })?;
    Ok(read)
}

/// Whether this is Serilog's line as JSON.
fn is_properties(record: &[u8]) -> bool {
    let has = |text: &[u8]| memmem::find(record, text).is_some();
    record.starts_with(b"{")
        && has(b"\"RequestPath\":")
        && has(b"\"Elapsed\":")
        && (has(b"\"@t\":") || has(b"\"MessageTemplate\":"))
}

/// The message from this place on: up to the end of the line or, within
/// JSON, of its string.
fn message(record: &[u8], at: usize) -> &[u8] {
    let rest = &record[at..];
    let end = match record.first() {
        Some(b'{') => memchr::memchr(b'"', rest),
        _ => None,
    };
    rest[..end.unwrap_or(rest.len())].trim_ascii_end()
}

/// What is refused: another line of the same server, or of another.
fn other(record: &[u8]) -> Reject {
    let own = [&b"Microsoft.AspNetCore."[..], b"Microsoft.Hosting."];
    let is_own = |name: &&[u8]| memmem::find(record, name).is_some();
    Reject::shape(
        0,
        if own.iter().any(is_own) {
            NOT_ACCESS
        } else {
            "Request starting, Request finished or responded"
        },
    )
}

/// Reads `HTTP/1.1 GET http://host/path - - -`.
fn starting<'a>(text: &'a [u8], read: &mut Record<'a>) -> Parsed<()> {
    request(&mut Cursor::new(text), read)?;
    if read.request_id.is_empty() {
        // Nothing joins it to the end, which tells it all.
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    read.event = Event::Open;
    Ok(())
}

/// Reads `HTTP/1.1 GET http://host/path `.
fn request<'a>(at: &mut Cursor<'a>, read: &mut Record<'a>) -> Parsed<()> {
    at.literal("HTTP/")?;
    at.word("a protocol")?;
    read.method = at.word("a method")?.into();
    let url = at.word("a URL")?;
    if memmem::find(url, b"://").is_none() {
        return Err(at.stop("a URL"));
    }
    read.target = url.into();
    Ok(())
}

/// Reads `HTTP/1.1 GET http://host/path - - - 200 - text/plain 60001.1234ms`
/// or the older `in 60001.1234ms 200 text/plain`. A content type's blanks
/// are logged as `+`, by old releases as they are.
fn finished<'a>(text: &'a [u8], read: &mut Record<'a>) -> Parsed<()> {
    let mut at = Cursor::new(text);
    if at.accept("in ") {
        let place = at.at();
        let duration = at.word("a duration")?;
        put_duration(duration, place, read)?;
        let place = at.at();
        let status = at.word("a status")?;
        Field::Status.put(read, status.into(), place)?;
        read.event = Event::Close;
        return Ok(());
    }
    request(&mut at, read)?;
    let place = at.at();
    let duration = at.rest().rsplit(|&b| b == b' ').next().unwrap_or_default();
    put_duration(duration, place, read)?;
    let response = response(at.rest()).ok_or_else(|| at.stop("a status"))?;
    Field::Status.put(read, response.0.into(), place)?;
    Field::Bytes.put(read, response.1.into(), place)
}

/// The status and the length in `- 200 480 text/plain 60001.1234ms`; `-` or
/// `null` stands for a length that the head did not tell. From the right:
/// what the request's content type holds is its own.
fn response(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let digits = |word: &[u8]| word.iter().all(u8::is_ascii_digit);
    let is_status = |word: &[u8]| word.len() == 3 && digits(word);
    let is_length = |word| digits(word) || matches!(word, b"-" | b"null");
    let mut words = text.rsplit(|&b| b == b' ');
    let (mut length, mut status) = (words.next()?, words.next()?);
    for word in words {
        if word == b"-" && is_status(status) && is_length(length) {
            return Some((status, length));
        }
        (length, status) = (status, word);
    }
    let status = text.rsplit(|&b| b == b' ').find(|word| is_status(word))?;
    Some((status, b"-"))
}

/// Puts `60001.1234ms`.
fn put_duration(text: &[u8], at: usize, read: &mut Record<'_>) -> Parsed<()> {
    let number = text.strip_suffix(b"ms");
    let duration = number.and_then(|n| time::decimal(n, Unit::Millis));
    let duration =
        duration.ok_or_else(|| Reject::duration(at, "60001.1234ms"))?;
    read.offer_duration(duration, at)
}

/// Reads `HTTP GET /path responded 200 in 60001.1234 ms`, ` responded `
/// standing at this place.
fn responded<'a>(
    record: &'a [u8],
    middle: usize,
    read: &mut Record<'a>,
) -> Parsed<()> {
    let shape = |at| Reject::shape(at, "HTTP GET /path responded 200 in");
    let lead = &record[..middle];
    let http = memmem::rfind(lead, b"HTTP ").ok_or_else(|| shape(0))?;
    let mut words = lead[http + 5..].splitn(2, |&b| b == b' ');
    let (method, target) = (words.next(), words.next());
    let (Some(method), Some(target)) = (method, target) else {
        return Err(shape(http));
    };
    if !target.starts_with(b"/") || !method.iter().all(u8::is_ascii_uppercase)
    {
        return Err(shape(http));
    }
    (read.method, read.target) = (method.into(), target.into());
    let from = middle + RESPONDED.len();
    let mut at = Cursor::new(&record[from..]);
    let status = at.word("a status")?;
    Field::Status.put(read, status.into(), from)?;
    at.literal("in ")?;
    let place = from + at.at();
    let duration = at.word("a duration")?;
    let unit = at.rest().starts_with(b"ms");
    let duration = time::decimal(duration, Unit::Millis).filter(|_| unit);
    let duration =
        duration.ok_or_else(|| Reject::duration(place, "60001.1 ms"))?;
    read.offer_duration(duration, place)
}

/// The time a line shows: the first thing on it, or the `Timestamp` of the
/// JSON console, Serilog's `@t`.
fn clock(record: &[u8], zone: i64) -> Option<Clock> {
    const KEYS: [&[u8]; 2] = [b"\"Timestamp\":\"", b"\"@t\":\""];
    if !record.starts_with(b"{") {
        return leading_time(record, zone).map(|(clock, _)| clock);
    }
    let behind =
        |key: &[u8]| memmem::find(record, key).map(|at| at + key.len());
    let at = KEYS.into_iter().find_map(behind)?;
    leading_time(&record[at..], zone).map(|(clock, _)| clock)
}

/// The request's id, of the scopes that a line shows; empty without one.
fn request_id(record: &[u8]) -> &[u8] {
    const KEYS: [&[u8]; 2] = [b"\"RequestId\":\"", b"RequestId:"];
    let behind =
        |key: &[u8]| memmem::find(record, key).map(|at| at + key.len());
    let Some(at) = KEYS.into_iter().find_map(behind) else { return b"" };
    let rest = &record[at..];
    let ends = |b: &u8| matches!(b, b'"' | b' ' | b',' | b'\\');
    let end = rest.iter().position(ends).unwrap_or(rest.len());
    &rest[..end]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    const STARTING: &str = "Request starting HTTP/1.1 GET \
        http://mcp.example.com/subscriptions/listen?d=60 - - -";
    const FINISHED: &str = "Request finished HTTP/1.1 GET \
        http://mcp.example.com/subscriptions/listen?d=60 - - - 200 - \
        text/event-stream 60001.1234ms";
    const URL: &[u8] = b"http://mcp.example.com/subscriptions/listen?d=60";
    const HOSTING: &str = "Microsoft.AspNetCore.Hosting.Diagnostics";

    fn read(line: &str) -> Record<'_> {
        parse(line.as_bytes(), 0).unwrap_or_else(|e| panic!("{line}: {e:?}"))
    }

    fn at(clock: Option<Clock>) -> Option<String> {
        clock.map(|clock| clock.at.to_rfc3339())
    }

    #[test]
    fn an_end_is_the_whole_request_wherever_it_stands() {
        let time = Some("2026-08-01T12:01:00.123Z");
        for (line, end) in [
            (format!("      {FINISHED}"), None),
            (format!("<6>{HOSTING}[2] {FINISHED}"), None),
            (
                format!(
                    "2026-08-01T12:01:00.123Z info: {HOSTING}[2] {FINISHED}"
                ),
                time,
            ),
            (format!("2026-08-01 12:01:00.123 +00:00 [INF] {FINISHED}"), time),
            (
                format!(
                    r#"{{"Timestamp":"2026-08-01T12:01:00.123Z ","EventId":2,"LogLevel":"Information","Category":"{HOSTING}","Message":"{FINISHED}","State":{{"Message":"{FINISHED}","ElapsedMilliseconds":60001.1234,"StatusCode":200}},"Scopes":[]}}"#
                ),
                time,
            ),
        ] {
            let read = read(&line);
            assert_eq!(read.duration, Some(Micros(60_001_123)), "{line}");
            assert_eq!((&*read.target, read.status), (URL, 200));
            assert_eq!(
                (&*read.method, read.event),
                (&b"GET"[..], Event::Whole)
            );
            assert_eq!(at(read.end).as_deref(), end);
        }
    }

    #[test]
    fn a_content_type_with_blanks_hides_no_status() {
        let line = "Request finished HTTP/2 POST https://h/mcp \
                    application/json;+charset=utf-8 68 - 200 - \
                    text/event-stream;+charset=utf-8 0.5ms";
        let whole = read(line);
        assert_eq!((whole.status, whole.duration), (200, Some(Micros(500))));
        let line = "Request finished HTTP/2 GET https://h/mcp - 200 0.5ms";
        assert_eq!(read(line).status, 200, "nothing behind it");
    }

    #[test]
    fn the_length_behind_the_status_is_not_taken_for_it() {
        for (response, status, bytes) in [
            ("200 - text/event-stream", 200, None),
            ("200 480 application/json", 200, Some(480)),
            ("404 0 -", 404, Some(0)),
            ("301 null null", 301, None),
            ("200 480 application/json; charset=utf-8", 200, Some(480)),
        ] {
            let line = format!(
                "Request finished HTTP/1.1 POST http://h/mcp \
                 application/json 681 - {response} 4.0ms"
            );
            let read = read(&line);
            assert_eq!((read.status, read.bytes), (status, bytes), "{line}");
        }
    }

    #[test]
    fn a_start_opens_what_shows_the_same_id() {
        let scope = "=> ConnectionId:0HMV => RequestPath:/x RequestId:0HMV:07 \
                     ";
        let json = |message: &str| {
            format!(
                r#"{{"EventId":1,"Message":"{message}","Scopes":[{{"Message":"RequestId:0HMV:07","RequestId":"0HMV:07"}}]}}"#
            )
        };
        for (start, end) in [
            (
                format!("2026-08-01T12:00:00Z info: {scope}{STARTING}"),
                format!("2026-08-01T12:01:00Z info: {scope}{FINISHED}"),
            ),
            (json(STARTING), json(FINISHED)),
        ] {
            let (open, whole) = (read(&start), read(&end));
            assert_eq!((open.event, &*open.target), (Event::Open, URL));
            assert_eq!(*open.request_id, *b"0HMV:07");
            assert_eq!(open.request_id, whole.request_id);
            assert_eq!(open.duration, None);
        }
        // Without an id it would stay open for ever.
        let refused = parse(STARTING.as_bytes(), 0).unwrap_err();
        assert_eq!(refused.expected, NOT_ACCESS);
    }

    #[test]
    fn an_old_end_closes_by_its_id() {
        let line = "info: => RequestId:0HMV:07 Request finished in \
                    60001.1234ms 200 text/event-stream";
        let close = read(line);
        assert_eq!((close.event, close.status), (Event::Close, 200));
        assert_eq!(close.duration, Some(Micros(60_001_123)));
        assert_eq!(*close.request_id, *b"0HMV:07");
        let has = |text: &&str| line.contains(text);
        assert!(ABOUT.closers.iter().any(has));
    }

    #[test]
    fn serilogs_line_is_the_whole_request() {
        let line = "2026-08-01 12:01:00.123 +00:00 [INF] HTTP GET \
                    /subscriptions/listen responded 200 in 60001.1234 ms";
        let whole = read(line);
        assert_eq!(whole.duration, Some(Micros(60_001_123)));
        assert_eq!(*whole.target, *b"/subscriptions/listen");
        assert_eq!((&*whole.method, whole.status), (&b"GET"[..], 200));
        let end = at(whole.end);
        assert_eq!(end.as_deref(), Some("2026-08-01T12:01:00.123Z"));
    }

    #[test]
    fn serilogs_json_is_read_by_its_properties() {
        let parts = r#""RequestMethod":"GET","RequestPath":"/subscriptions/listen","StatusCode":200,"Elapsed":60001.1234,"RequestId":"0HMV:07""#;
        for line in [
            format!(
                r#"{{"@t":"2026-08-01T12:01:00.1234567Z","@mt":"HTTP {{RequestMethod}} {{RequestPath}} responded {{StatusCode}} in {{Elapsed:0.0000}} ms",{parts}}}"#
            ),
            format!(
                r#"{{"Timestamp":"2026-08-01T12:01:00.1234567Z","Level":"Information","MessageTemplate":"HTTP","Properties":{{{parts}}}}}"#
            ),
        ] {
            let whole = read(&line);
            assert_eq!(whole.duration, Some(Micros(60_001_123)), "{line}");
            assert_eq!(*whole.target, *b"/subscriptions/listen");
            assert_eq!((&*whole.method, whole.status), (&b"GET"[..], 200));
            assert_eq!(*whole.request_id, *b"0HMV:07");
            let end = at(whole.end);
            assert_eq!(end.as_deref(), Some("2026-08-01T12:01:00.123456Z"));
        }
    }

    #[test]
    fn other_lines_are_not_access_or_refused() {
        let line = format!("info: {HOSTING}[14] Now listening on: x");
        let refused = parse(line.as_bytes(), 0).unwrap_err();
        assert_eq!(refused.expected, NOT_ACCESS);
        for line in [
            "",
            "the host responded quickly",
            "HTTP GET responded 200 in 1 ms",
            "HTTP GET /a responded 200 in 1 s",
            "Request finished",
            "Request finished HTTP/1.1 GET /path - - - 200 - - 1ms",
            "Request starting the engine",
            "192.0.2.7 - - [29/Nov/2026:13:44:23 +0000] \"GET / HTTP/1.1\" 200 8",
        ] {
            let refused = parse(line.as_bytes(), 0).unwrap_err();
            assert_ne!(refused.expected, NOT_ACCESS, "{line}");
        }
    }

    #[test]
    fn no_part_of_a_line_makes_it_panic() {
        let serilog = "HTTP GET /a responded 200 in 60001.1234 ms";
        for line in [FINISHED, STARTING, serilog] {
            for end in 0..line.len() {
                let _read = parse(&line.as_bytes()[..end], 0);
                let _read = parse(&line.as_bytes()[end..], 0);
            }
        }
    }
}

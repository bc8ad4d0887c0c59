//! uvicorn, the ASGI server.
//!
//! `INFO:     192.0.2.7:37798 - "GET /path HTTP/1.1" 200 OK`, written as the
//! response starts: an opening, without a time unless a logging
//! configuration puts one in front, and nothing when the stream ends.
//! <https://github.com/encode/uvicorn/blob/master/uvicorn/logging.py>

use memchr::memmem;

use super::About;
use super::cursor::Cursor;
use super::prefix::{leading_time, without_colours};
use crate::format::{Event, Field, Mark, NOT_ACCESS, Parsed, Record, Reject};

pub(super) const ABOUT: About = About {
    name: "uvicorn",
    server: "uvicorn (Python)",
    mark: Mark::Start,
    duration: "none",
    lacks: Some(
        "uvicorn writes a line when a response starts and none when it \
         ends; read the log of the proxy in front of it, or serve with \
         hypercorn and L=%(L)s at the end of its --access-logformat",
    ),
    ..About::DEFAULT
};

/// The levels, as uvicorn pads them.
const LEVELS: [(&[u8], &[u8]); 5] = [
    (b"INFO", b":     "),
    (b"WARNING", b":  "),
    (b"ERROR", b":    "),
    (b"DEBUG", b":    "),
    (b"CRITICAL", b": "),
];

/// Reads one line.
pub(super) fn parse(record: &[u8], zone: i64) -> Parsed<Record<'_>> {
    let quote = memmem::find(record, b" - \"");
    let Some(quote) = quote.filter(|&at| is_lead(&record[..at], zone)) else {
        return Err(Reject::shape(
            0,
            if is_console(record) {
                NOT_ACCESS
            } else {
                "uvicorn's level, an address and a quoted request"
            },
        ));
    };
    let mut read = Record { event: Event::Open, ..Record::default() };
    read.start = leading_time(record, zone).map(|(clock, _)| clock);
    let address = address(&record[..quote]);
    if !is_peer(address) {
        return Err(Reject::shape(0, "an address with its port"));
    }
    Field::Address.put(&mut read, address.into(), 0)?;
    let rest = quote + 3;
    request(&record[rest..], &mut read)
        .map_err(|reject| Reject { at: reject.at + rest, ..reject })?;
    Ok(read)
}

/// Reads `"GET /path HTTP/1.1" 200 OK`.
fn request<'a>(text: &'a [u8], read: &mut Record<'a>) -> Parsed<()> {
    let mut at = Cursor::new(text);
    let request = without_colours(at.quoted("a quoted request")?);
    if request.starts_with(b"WebSocket ") {
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    if memmem::find(request, b" HTTP/").is_none() {
        return Err(Reject::shape(0, "a request with its protocol"));
    }
    read.set_request(request.into());
    let place = at.at();
    let status = without_colours(at.word("a status")?);
    Field::Status.put(read, status.into(), place)?;
    // Only the words for the status may follow.
    let words = without_colours(at.rest());
    if read.status == 0 || words.iter().any(u8::is_ascii_digit) {
        return Err(Reject::shape(place, "a status and its words"));
    }
    Ok(())
}

/// Whether this is what a logger puts before an access line: a time or none,
/// then the level or the logger's name. What another program put in front is
/// for it to be unwrapped of.
fn is_lead(lead: &[u8], zone: i64) -> bool {
    let time = leading_time(lead, zone).map_or(0, |(_, end)| end);
    let first = lead[time..]
        .split(|&byte| byte == b' ')
        .map(plain)
        .find(|word| !word.is_empty() && !is_number(word));
    first.is_some_and(|word| {
        word == b"INFO"
            || word.starts_with(b"INFO:uvicorn.")
            || word.starts_with(b"uvicorn.")
    })
}

/// A word without its colours and what parts it from others.
fn plain(word: &[u8]) -> &[u8] {
    let text = without_colours(word);
    let is_mark = |byte: &u8| b"[]():|-".contains(byte);
    let start = text.iter().position(|byte| !is_mark(byte));
    let end = text.iter().rposition(|byte| !is_mark(byte));
    match (start, end) {
        (Some(start), Some(end)) => &text[start..=end],
        _ => b"",
    }
}

/// Whether this may be the number of a process or a thread.
fn is_number(word: &[u8]) -> bool {
    word.iter().all(u8::is_ascii_digit)
}

/// Whether this is another line of uvicorn's own.
fn is_console(record: &[u8]) -> bool {
    let starts = |(level, pad): &(&[u8], &[u8])| {
        let text = record.strip_prefix(b"\x1b[").map_or(record, |text| {
            let end = memchr::memchr(b'm', text).map_or(0, |at| at + 1);
            &text[end..]
        });
        let rest = text.strip_prefix(*level);
        let plain = |rest: &'_ [u8]| {
            rest.strip_prefix(b"\x1b[0m").unwrap_or(rest).starts_with(pad)
        };
        rest.is_some_and(plain)
    };
    LEVELS.iter().any(starts)
        || memmem::find(record, b"uvicorn.error").is_some()
}

/// The client's address and port: the last word before the request.
fn address(lead: &[u8]) -> &[u8] {
    let start = memchr::memrchr2(b' ', b']', lead).map_or(0, |at| at + 1);
    let word = &lead[start..];
    let logger = b"INFO:uvicorn.access:";
    word.strip_prefix(logger).unwrap_or(word)
}

/// Whether this is an address and a port, or nothing, of a Unix socket.
fn is_peer(text: &[u8]) -> bool {
    let colon = memchr::memrchr(b':', text);
    let port = colon.map(|at| &text[at + 1..]);
    text.is_empty()
        || port.is_some_and(|port| !port.is_empty() && is_number(port))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REST: &str =
        "192.0.2.7:37798 - \"GET /subscriptions/listen?d=60 HTTP/1.1\" 200 OK";

    #[test]
    fn a_line_is_an_opening_without_a_time() {
        let line = format!("INFO:     {REST}");
        let read = parse(line.as_bytes(), 0).unwrap();
        assert_eq!(*read.address, *b"192.0.2.7");
        assert_eq!((&*read.method, read.status), (&b"GET"[..], 200));
        assert_eq!(*read.target, *b"/subscriptions/listen?d=60");
        assert_eq!((read.event, read.start), (Event::Open, None));
        assert_eq!((read.end, read.duration), (None, None));
    }

    #[test]
    fn a_time_in_front_is_the_start() {
        for (lead, at) in [
            ("2026-11-29 13:43:34,123 INFO:     ", "2026-11-29T11:43:34.123Z"),
            ("2026-11-29 13:43:34,123 - INFO - ", "2026-11-29T11:43:34.123Z"),
            ("[2026-11-29 13:43:34] INFO: ", "2026-11-29T11:43:34Z"),
            ("2026-11-29T13:43:34.5Z INFO ", "2026-11-29T13:43:34.5Z"),
            (
                "2026-11-29 13:43:34,123 - uvicorn.access - INFO - ",
                "2026-11-29T11:43:34.123Z",
            ),
            (
                "2026-11-29 13:43:34.123 | INFO     | \
                 uvicorn.protocols.http.httptools_impl:send:476 - ",
                "2026-11-29T11:43:34.123Z",
            ),
            ("2026-11-29 13:43:34 [12] [INFO] ", "2026-11-29T11:43:34Z"),
        ] {
            let line = format!("{lead}{REST}");
            let read = parse(line.as_bytes(), 7_200).unwrap();
            let start = read.start.map(|start| start.at.to_rfc3339());
            assert_eq!(start.as_deref(), Some(at), "{lead}");
            assert_eq!(*read.address, *b"192.0.2.7", "{lead}");
        }
    }

    #[test]
    fn what_a_shipper_puts_in_front_is_not_uvicorns() {
        for head in [
            "2026-11-29T13:43:34.1Z stdout F ",
            "<134>Nov 29 13:43:34 web uvicorn[12]: ",
            "2026-11-29T13:43:34+00:00 web uvicorn[12]: ",
            "web-1  | ",
            "[pod/web/uvicorn] ",
        ] {
            let line = format!("{head}INFO:     {REST}");
            let refused = parse(line.as_bytes(), 0).unwrap_err();
            assert_ne!(refused.expected, NOT_ACCESS, "{line}");
        }
    }

    #[test]
    fn colours_and_other_loggers_are_read() {
        for line in [
            "\x1b[32mINFO\x1b[0m:     192.0.2.7:37798 - \"\x1b[1mGET \
             /subscriptions/listen?d=60 HTTP/1.1\x1b[0m\" \x1b[32m200 \
             OK\x1b[0m"
                .to_owned(),
            format!("INFO:uvicorn.access:{REST}"),
            format!("      INFO   {}", REST.trim_end_matches(" OK")),
        ] {
            let read = parse(line.as_bytes(), 0).unwrap();
            assert_eq!(*read.address, *b"192.0.2.7", "{line}");
            assert_eq!(*read.target, *b"/subscriptions/listen?d=60");
            assert_eq!((&*read.method, read.status), (&b"GET"[..], 200));
        }
    }

    #[test]
    fn its_console_is_not_access_and_other_lines_are_refused() {
        for line in [
            "INFO:     Started server process [10629]",
            "WARNING:  Invalid HTTP request received.",
            "\x1b[32mINFO\x1b[0m:     Application startup complete.",
            "INFO:     192.0.2.7:37798 - \"WebSocket /ws\" [accepted]",
        ] {
            let refused = parse(line.as_bytes(), 0).unwrap_err();
            assert_eq!(refused.expected, NOT_ACCESS, "{line}");
        }
        for line in [
            "127.0.0.1 - - [29/Nov/2026:13:44:23 +0000] \"GET / HTTP/1.1\" 200 8",
            "INFO something - \"GET / HTTP/1.1\" 200 OK",
            "INFO:     192.0.2.7:1 - \"GET / HTTP/1.1\" 200 8",
            "INFO:     192.0.2.7:1 - \"GET /\" 200 OK",
        ] {
            let refused = parse(line.as_bytes(), 0).unwrap_err();
            assert_ne!(refused.expected, NOT_ACCESS, "{line}");
        }
    }

    #[test]
    fn no_part_of_a_line_makes_it_panic() {
        let line = format!("2026-11-29 13:43:34,123 INFO:     {REST}");
        for end in 0..line.len() {
            let _read = parse(&line.as_bytes()[..end], 0);
        }
    }
}

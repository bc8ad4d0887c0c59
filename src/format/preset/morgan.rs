//! morgan's `tiny`, `dev` and `short`, for Express.
//!
//! Written when the response has ended, without any time, and with a
//! duration that ends when the headers were written: 0.8 ms for a stream of
//! a minute. So a row is worth only the time of whatever took it up, and its
//! duration is passed over. A row without a status is of a request whose
//! client left before the headers. Its `combined` and `common` are the
//! common log format.
//! <https://github.com/expressjs/morgan>

use super::About;
use super::cursor::Cursor;
use super::prefix::without_colours;
use crate::format::{EndedBy, Field, Mark, Parsed, Record, Reject};
use crate::time::{self, Unit};

pub(super) const ABOUT: About = About {
    name: "morgan",
    server: "morgan tiny, dev, short (Node)",
    mark: Mark::End,
    duration: "none",
    lacks: Some(
        "morgan's tiny, dev and short log no time, and a duration that ends \
         at the headers; log morgan's combined format with :total-time ms \
         behind it",
    ),
    ..About::DEFAULT
};

/// The words of a row, without their colours.
type Words<'a> = Vec<&'a [u8]>;

/// Reads one line.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let mut at = Cursor::new(record);
    if !record.trim_ascii_end().ends_with(b"ms")
        && !record.contains(&b'\x1b')
        && memchr::memmem::find(record, b" ms - ").is_none()
    {
        return Err(at.stop("a line that ends with ms"));
    }
    let mut words = Words::new();
    while !at.rest().is_empty() && words.len() < 12 {
        words.push(without_colours(at.word("a word")?));
    }
    if !at.rest().is_empty() {
        return Err(at.stop("the end of the line"));
    }
    let mut read = Record::default();
    let (method, target, status, sent) = match words[..] {
        // :method :url :status :res[content-length] - :response-time ms
        [method, target, status, size, b"-", time, b"ms"]
            if is_count(size) && is_millis(time) =>
        {
            (method, target, status, size)
        }
        // :method :url :status :response-time ms - :res[content-length]
        [method, target, status, time, b"ms", b"-", size]
            if is_count(size) && is_millis(time) =>
        {
            (method, target, status, size)
        }
        // :remote-addr :remote-user :method :url HTTP/:http-version …
        [
            address,
            _,
            method,
            target,
            proto,
            status,
            size,
            b"-",
            time,
            b"ms",
        ] if proto.starts_with(b"HTTP/")
            && is_count(size)
            && is_millis(time) =>
        {
            Field::Address.put(&mut read, address.into(), 0)?;
            (method, target, status, size)
        }
        _ => return Err(Reject::shape(0, "morgan's tiny, dev or short")),
    };
    if !method.iter().all(u8::is_ascii_uppercase) || !is_target(target) {
        return Err(Reject::shape(0, "a method and a path"));
    }
    (read.method, read.target) = (method.into(), target.into());
    // The length the response's head told of, which a stream's does not.
    Field::Bytes.put(&mut read, sent.into(), 0)?;
    match status {
        b"-" => read.ended_by = EndedBy::Client,
        _ => Field::Status.put(&mut read, status.into(), 0)?,
    }
    if read.status == 0 && status != b"-" {
        return Err(Reject::shape(0, "a status of three digits"));
    }
    Ok(read)
}

/// A count of bytes, or none.
fn is_count(text: &[u8]) -> bool {
    let digits = !text.is_empty() && text.iter().all(u8::is_ascii_digit);
    digits || text == b"-"
}

/// A duration with three decimals, or none.
fn is_millis(text: &[u8]) -> bool {
    time::decimal(text, Unit::Millis).is_some() || text == b"-"
}

/// A path, a URL, or `*`.
fn is_target(text: &[u8]) -> bool {
    text.starts_with(b"/") || text.starts_with(b"http") || text == b"*"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_forms_are_read_and_their_duration_is_passed_over() {
        let dev = "\x1b[0mGET /subscriptions/listen?d=60 \x1b[32m200\x1b[0m \
                   4.645 ms - -\x1b[0m";
        for (line, address, bytes) in [
            ("GET /subscriptions/listen?d=60 200 - - 4.645 ms", "", None),
            ("GET /subscriptions/listen?d=60 200 7 - 4.645 ms", "", Some(7)),
            (dev, "", None),
            ("GET /subscriptions/listen?d=60 200 4.645 ms - 12", "", Some(12)),
            (
                "192.0.2.7 - GET /subscriptions/listen?d=60 HTTP/1.1 200 9 - \
                 4.645 ms",
                "192.0.2.7",
                Some(9),
            ),
        ] {
            let read = parse(line.as_bytes(), 0).unwrap();
            assert_eq!(*read.method, *b"GET", "{line}");
            assert_eq!(*read.target, *b"/subscriptions/listen?d=60");
            assert_eq!(
                (read.status, read.duration, read.end),
                (200, None, None)
            );
            assert_eq!(*read.address, *address.as_bytes());
            assert_eq!(read.bytes, bytes, "{line}");
            assert_eq!(read.ended_by, EndedBy::Unknown);
        }
    }

    #[test]
    fn no_status_says_that_the_client_left() {
        for line in [
            "GET /subscriptions/listen - - - - ms",
            "\x1b[0mGET /subscriptions/listen \x1b[0m-\x1b[0m - ms - -\x1b[0m",
            "192.0.2.7 - GET /subscriptions/listen HTTP/1.1 - - - - ms",
        ] {
            let read = parse(line.as_bytes(), 0).unwrap();
            let detected = (read.status, read.ended_by);
            assert_eq!(detected, (0, EndedBy::Client), "{line}");
        }
    }

    #[test]
    fn other_lines_are_refused() {
        for line in [
            "",
            "took 12 ms",
            "Completed 200 OK in 58ms",
            "GET /a 200 in 12 ms",
            "get /a 200 - - 4.645 ms",
            "GET a 200 - - 4.645 ms",
            "GET /a OK - - 4.645 ms",
            "GET /a 200 - - 4.645 ms more",
            "\x1b[",
            "\x1b[0m \x1b",
        ] {
            assert!(parse(line.as_bytes(), 0).is_err(), "{line}");
        }
    }
}

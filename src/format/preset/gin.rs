//! gin, the Go web framework: its default logger.
//!
//! `[GIN] 2026/08/01 - 12:01:00 | 200 |   1m0s |  192.0.2.7 | GET  "/path"`,
//! written when the handler has returned, in local time without a zone. A
//! duration above a second is cut to ten milliseconds, above a minute to ten
//! seconds.
//! <https://github.com/gin-gonic/gin/blob/master/logger.go>

use super::About;
use super::cursor::Cursor;
use crate::format::{Field, Mark, NOT_ACCESS, Parsed, Record, Reject, Shape};

pub(super) const ABOUT: About = About {
    name: "gin",
    server: "gin (Go)",
    mark: Mark::End,
    duration: "1m0s",
    ..About::DEFAULT
};

/// Reads one line.
pub(super) fn parse(record: &[u8], zone: i64) -> Parsed<Record<'_>> {
    let mut read = Record::default();
    let mut at = Cursor::new(record);
    // What it says of itself, and of an error below the request's line.
    if at.accept("[GIN-debug] ") || at.accept("Error #") {
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    at.literal("[GIN] ")?;
    let time = Shape::Pattern("%Y/%m/%d - %H:%M:%S".to_owned(), zone);
    for (field, expected) in [
        (Field::Time(Mark::End, time), "a time before |"),
        (Field::Status, "a status before |"),
        (Field::Span, "a duration before |"),
        (Field::Address, "an address before |"),
    ] {
        let place = at.at();
        let text = at.until(b'|', expected)?.trim_ascii();
        field.put(&mut read, text.into(), place)?;
    }
    at.blanks();
    read.method = at.word("a method")?.into();
    at.blanks();
    read.target = at.quoted("a quoted path")?.into();
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    #[test]
    fn a_line_is_its_end_in_local_time() {
        let line = br#"[GIN] 2026/08/01 - 12:01:00 | 200 |          1m0s |       192.0.2.7 | GET      "/subscriptions/listen?a=1""#;
        let read = parse(line, 7200).unwrap();
        let end = read.end.unwrap().at;
        assert_eq!(end.to_rfc3339(), "2026-08-01T10:01:00Z");
        assert_eq!(read.duration, Some(Micros::MINUTE));
        assert_eq!((&*read.method, read.status), (&b"GET"[..], 200));
        assert_eq!(*read.target, *b"/subscriptions/listen?a=1");
        assert_eq!(*read.address, *b"192.0.2.7");
    }
}

//! Squid's native log.
//!
//! `1785585660.124  60001 192.0.2.7 TCP_MISS/200 480 GET
//! http://host/path - HIER_DIRECT/10.0.2.1 text/event-stream`: the time in
//! front is the end, the milliseconds behind it how long the request took.
//! `_ABORTED` in the result says that the client left.
//! <https://wiki.squid-cache.org/Features/LogFormat>

use super::About;
use super::cursor::Cursor;
use crate::format::{EndedBy, Field, Mark, Parsed, Record, Reject, Shape};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "squid",
    server: "Squid, native",
    mark: Mark::End,
    unit: Some(Unit::Millis),
    duration: "ms",
    ended_by: "_ABORTED",
    ..About::DEFAULT
};

/// Reads one line.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    // Seconds and milliseconds, whatever follows.
    if record.get(10) != Some(&b'.') || record.get(14) != Some(&b' ') {
        return Err(Reject::shape(0, "a time in seconds with milliseconds"));
    }
    let mut read = Record::default();
    let mut at = Cursor::new(record);
    let time = Field::Time(Mark::End, Shape::Epoch);
    time.put(&mut read, at.word("a time")?.into(), 0)?;
    at.blanks();
    for (field, expected) in [
        (Field::Duration(Unit::Millis), "milliseconds"),
        (Field::Address, "an address"),
    ] {
        let place = at.at();
        field.put(&mut read, at.word(expected)?.into(), place)?;
    }
    let result = at.until(b'/', "a result and a status")?;
    if !(result.starts_with(b"TCP_") || result.starts_with(b"NONE")) {
        return Err(at.stop("a result such as TCP_MISS"));
    }
    let aborted = memchr::memmem::find(result, b"_ABORTED").is_some();
    let place = at.at();
    Field::Status.put(&mut read, at.word("a status")?.into(), place)?;
    Field::Bytes.put(&mut read, at.word("a size")?.into(), 0)?;
    read.method = at.word("a method")?.into();
    read.target = at.word("a URL")?.into();
    if aborted {
        read.ended_by = EndedBy::Client;
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    const LINE: &str = "1785585660.124  60001 192.0.2.7 TCP_MISS/200 480 GET http://mcp.example.com/subscriptions/listen - HIER_DIRECT/10.0.2.1 text/event-stream";

    #[test]
    fn the_time_in_front_is_the_end() {
        let read = parse(LINE.as_bytes(), 0).unwrap();
        let end = read.end.unwrap().at.to_rfc3339();
        assert_eq!(end, "2026-08-01T12:01:00.124Z");
        assert_eq!(read.duration, Some(Micros(60_001_000)));
        assert_eq!((&*read.address, read.status), (&b"192.0.2.7"[..], 200));
        assert_eq!(read.bytes, Some(480));
        assert!(read.target.ends_with(b"/subscriptions/listen"));
        assert_eq!(read.ended_by, EndedBy::Unknown);
    }

    #[test]
    fn an_aborted_request_was_left_by_its_client() {
        let line = LINE.replace("TCP_MISS", "TCP_MISS_ABORTED");
        let read = parse(line.as_bytes(), 0).unwrap();
        assert_eq!(read.ended_by, EndedBy::Client);
        let line = LINE.replace("TCP_MISS", "200");
        assert!(parse(line.as_bytes(), 0).is_err());
    }
}

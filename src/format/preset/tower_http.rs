//! tower-http's `TraceLayer`, which axum and the MCP SDK for Rust stand on,
//! as `tracing-subscriber` prints it, in text or JSON.
//!
//! Three lines a request: `started processing request`, `finished processing
//! request latency=3 ms` when the head was sent, and, of a body that is a
//! stream, `end of stream stream_duration=60001 ms`. Only the last tells how
//! long the stream was held, counted from its head. It is written when the
//! server ends the stream; one that a client leaves has none. Without an id
//! in them the first two cannot be joined to it, and are passed over.
//! <https://docs.rs/tower-http/latest/tower_http/trace/index.html>

use std::sync::LazyLock;

use memchr::memmem;

use super::About;
use super::prefix::leading_time;
use crate::format::json::{Keys, Note, Part, end};
use crate::format::{
    EndedBy, Field, Mark, NOT_ACCESS, Parsed, Record, Reject,
};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "tower-http",
    server: "tower-http TraceLayer, axum (Rust)",
    mark: Mark::End,
    duration: "stream_duration=60001 ms",
    ended_by: "server only",
    ..About::DEFAULT
};

/// What every line of it names.
const TARGET: &[u8] = b"tower_http::trace::";
/// What the line of a stream's end names.
const END: &[u8] = b"on_eos";

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let field = Part::Field;
    Keys::new([
        ("timestamp", end()),
        ("target", Part::Note(Note::Source)),
        ("fields.stream_duration", Part::Note(Note::Duration)),
        ("span.method", field(Field::Method)),
        ("span.uri", field(Field::Target)),
        ("span.request_id", field(Field::RequestId)),
    ])
});

/// Reads one line or one object.
pub(super) fn parse(record: &[u8], zone: i64) -> Parsed<Record<'_>> {
    let target = memmem::find(record, TARGET);
    let Some(target) = target.map(|at| at + TARGET.len()) else {
        return Err(Reject::shape(0, "tower_http::trace"));
    };
    if !record[target..].starts_with(END) {
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    let mut read = match record.first() {
        Some(b'{') => object(record)?,
        _ => line(record, target, zone)?,
    };
    // A client that leaves ends no stream here.
    read.ended_by = EndedBy::Server;
    Ok(read)
}

/// Reads an object.
fn object(record: &[u8]) -> Parsed<Record<'_>> {
    let found = KEYS.find(record)?;
    let (duration, at) = match found.note(Note::Duration) {
        Some((text, at)) => (duration(text, at)?, at),
        None => return Err(Reject::shape(0, "a stream_duration")),
    };
    let mut read = found.into_record()?;
    read.offer_duration(duration, at)?;
    Ok(read)
}

/// Reads a line whose event's name begins at byte `target`.
fn line(record: &[u8], target: usize, zone: i64) -> Parsed<Record<'_>> {
    let mut read = Record::default();
    if let Some((clock, _)) = leading_time(record, zone) {
        read.offer_end(clock);
    }
    let span = &record[..target];
    if let Some(method) = value(span, b"method=") {
        read.method = method.into();
    }
    if let Some(uri) = value(span, b"uri=") {
        read.target = uri.into();
    }
    let name = b"stream_duration=";
    let at = memmem::find(&record[target..], name);
    let at = at.map(|at| target + at + name.len());
    let at = at.ok_or(Reject::shape(target, "a stream_duration"))?;
    read.offer_duration(duration(&record[at..], at)?, at)?;
    Ok(read)
}

/// What stands behind this name, up to a blank or the end of the span.
fn value<'a>(span: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let from = memmem::find(span, name)? + name.len();
    let rest = &span[from..];
    let end = rest.iter().position(|b| matches!(b, b' ' | b'}'));
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// A number and its unit behind a blank, `60001 ms`.
fn duration(text: &[u8], at: usize) -> Parsed<crate::time::Micros> {
    let mut words = text.split(|b| *b == b' ');
    let number = words.next().unwrap_or_default();
    let unit = words.next().unwrap_or_default();
    let unit = match unit {
        b"s" => Some(Unit::Seconds),
        b"ms" => Some(Unit::Millis),
        b"ns" => Some(Unit::Nanos),
        _ if unit.ends_with(b"s") => Some(Unit::Micros),
        _ => None,
    };
    unit.and_then(|unit| crate::time::decimal(number, unit))
        .ok_or(Reject::duration(at, "a duration and its unit"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    const LINE: &str = "2026-08-01T12:01:00.124000Z DEBUG request{method=GET uri=/subscriptions/listen?a=1 version=HTTP/1.1}: tower_http::trace::on_eos: end of stream stream_duration=60001 ms";

    #[test]
    fn the_end_of_a_stream_is_the_whole_request() {
        let read = parse(LINE.as_bytes(), 0).unwrap();
        let end = read.end.unwrap().at.to_rfc3339();
        assert_eq!(end, "2026-08-01T12:01:00.124Z");
        assert_eq!(read.duration, Some(Micros(60_001_000)));
        assert_eq!(*read.target, *b"/subscriptions/listen?a=1");
        assert_eq!(*read.method, *b"GET");
        let object = r#"{"timestamp":"2026-08-01T12:01:00.124000Z","level":"DEBUG","fields":{"message":"end of stream","stream_duration":"60001 ms"},"target":"tower_http::trace::on_eos","span":{"method":"GET","uri":"/subscriptions/listen?a=1","version":"HTTP/1.1","name":"request"}}"#;
        assert_eq!(parse(object.as_bytes(), 0), Ok(read));
    }

    #[test]
    fn units_are_those_of_its_latency_unit() {
        for (text, duration) in [
            ("60 s", 60_000_000),
            ("60001 ms", 60_001_000),
            ("60001000 μs", 60_001_000),
            ("60001000000 ns", 60_001_000),
        ] {
            let line = LINE.replace("60001 ms", text);
            let read = parse(line.as_bytes(), 0).unwrap();
            assert_eq!(read.duration, Some(Micros(duration)), "{text}");
        }
        let line = LINE.replace("60001 ms", "60001");
        assert!(parse(line.as_bytes(), 0).is_err());
    }

    #[test]
    fn a_head_is_not_a_stream() {
        let line = LINE.replace(
            "on_eos: end of stream stream_",
            "on_response: finished ",
        );
        let reject = parse(line.as_bytes(), 0).unwrap_err();
        assert_eq!(reject.expected, NOT_ACCESS);
        assert_ne!(parse(b"INFO x: up", 0).unwrap_err().expected, NOT_ACCESS);
    }
}

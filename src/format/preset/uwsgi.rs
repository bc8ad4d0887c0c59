//! uWSGI's own request log.
//!
//! `[pid: 7|app: 0|req: 1/1] 192.0.2.7 () {38 vars in 696 bytes} [Sun Mar 13
//! 22:49:12 2016] GET /path => generated 47 bytes in 129 msecs (HTTP/1.1
//! 200) …`, written at the end. The time is the start, local, without a
//! zone; the duration shows its unit.
//! <https://uwsgi-docs.readthedocs.io/en/latest/LogFormat.html>

use super::About;
use super::cursor::Cursor;
use crate::format::{Field, Mark, Parsed, Record, Reject, Shape};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "uwsgi",
    server: "uWSGI",
    mark: Mark::Start,
    duration: "msecs, micros, secs",
    ..About::DEFAULT
};

/// Reads one line.
pub(super) fn parse(record: &[u8], zone: i64) -> Parsed<Record<'_>> {
    let mut at = Cursor::new(record);
    let mut read = Record::default();
    if !at.accept("[pid: ") {
        // `--logdate`: the end, no finer than the start.
        at.until(b'-', "[pid: ")?;
        at.literal(" [pid: ")?;
    }
    read.process = at.until(b'|', "a process id before |")?.into();
    at.literal("app: ")?;
    at.until(b']', "the end of a bracket")?;
    at.literal(" ")?;
    let place = at.at();
    // None of a Unix socket's.
    let address = at.until(b' ', "an address and a blank")?;
    Field::Address.put(&mut read, address.into(), place)?;
    at.until(b'{', "a count of variables in braces")?;
    at.until(b'[', "a time in brackets")?;
    let place = at.at();
    let time = at.until(b']', "a time in brackets")?;
    let shape = Shape::Pattern("%a %b %e %H:%M:%S %Y".to_owned(), zone);
    Field::Time(Mark::Start, shape).put(&mut read, time.into(), place)?;
    at.literal(" ")?;
    read.method = at.word("a method")?.into();
    read.target = at.word("a path")?.into();
    response(&mut at, &mut read)?;
    Ok(read)
}

/// Reads `=> generated 47 bytes in 129 msecs (HTTP/1.1 200)`.
fn response<'a>(at: &mut Cursor<'a>, read: &mut Record<'a>) -> Parsed<()> {
    at.literal("=> generated ")?;
    let sent = at.word("a count of bytes")?;
    Field::Bytes.put(read, sent.into(), 0)?;
    at.literal("bytes in ")?;
    let place = at.at();
    let duration = at.word("a duration")?;
    let unit = match at.word("the unit of a duration")? {
        b"msecs" => Unit::Millis,
        b"micros" => Unit::Micros,
        b"secs" => Unit::Seconds,
        _ => return Err(Reject::duration(place, "msecs, micros or secs")),
    };
    Field::Duration(unit).put(read, duration.into(), place)?;
    // `via sendfile()` may stand between.
    while !at.accept("(HTTP/") {
        at.word("a protocol and a status")?;
    }
    at.word("a protocol and a status")?;
    let place = at.at();
    let status = at.until(b')', "a status before )")?;
    Field::Status.put(read, status.into(), place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    const LINE: &str = "[pid: 88185|app: 0|req: 1/1] 192.0.2.7 () {38 vars in \
        696 bytes} [Sat Aug  1 12:00:00 2026] GET /subscriptions/listen?d=60 \
        => generated 480 bytes in 60001 msecs (HTTP/1.1 200) 9 headers in 378 \
        bytes (1 switches on core 3)";

    #[test]
    fn a_line_is_its_start_in_local_time_and_its_duration() {
        let read = parse(LINE.as_bytes(), 7_200).unwrap();
        let start = read.start.map(|start| start.at.to_rfc3339());
        assert_eq!(start.as_deref(), Some("2026-08-01T10:00:00Z"));
        assert_eq!(read.duration, Some(Micros(60_001_000)));
        assert_eq!((&*read.method, read.status), (&b"GET"[..], 200));
        assert_eq!(read.bytes, Some(480));
        assert_eq!(*read.target, *b"/subscriptions/listen?d=60");
        assert_eq!(*read.address, *b"192.0.2.7");
        assert_eq!(*read.process, *b"88185");
        assert_eq!((read.end, read.stamp), (None, None));
    }

    #[test]
    fn every_unit_is_read_by_its_word() {
        for (text, duration) in [
            ("68 micros", 68),
            ("35 msecs via sendfile()", 35_000),
            ("60 secs", 60_000_000),
        ] {
            let line = LINE.replace("60001 msecs", text);
            let read = parse(line.as_bytes(), 0).unwrap();
            assert_eq!(read.duration, Some(Micros(duration)), "{text}");
        }
    }

    #[test]
    fn a_date_in_front_and_a_missing_address_do_no_harm() {
        let line = LINE.replace("192.0.2.7", "");
        let line = format!("Sat Aug  1 12:01:00 2026 - {line}");
        let read = parse(line.as_bytes(), 0).unwrap();
        assert_eq!(read.address.len(), 0);
        let start = read.start.map(|start| start.at.to_rfc3339());
        assert_eq!(start.as_deref(), Some("2026-08-01T12:00:00Z"));
    }

    #[test]
    fn other_lines_are_refused() {
        for line in [
            "*** Starting uWSGI 2.0.20 (64bit) ***",
            "[pid: 7|app: 0|req: 1/1] hello",
            &LINE.replace("msecs", "ages"),
            &LINE.replace("Sat Aug  1", "1 August"),
            &LINE["[pid: ".len()..],
        ] {
            assert!(parse(line.as_bytes(), 0).is_err(), "{line}");
        }
    }

    #[test]
    fn no_part_of_a_line_makes_it_panic() {
        for end in 0..LINE.len() {
            let _read = parse(&LINE.as_bytes()[..end], 0);
        }
    }
}

//! hypercorn, the ASGI server.
//!
//! `[2026-11-29 13:43:34 +0000] [10647] [INFO] ` and the common log format
//! with a port behind the address and `GET /path 1.1` for the request,
//! written at the end. Without `%(L)s`, `%(D)s` or `%(T)s` no duration.
//!
//! When the client leaves, it writes a row with the status `-` at once, and
//! another with the status sent, and a longer duration, if the application
//! still finishes its response. Both carry the client's address and port as
//! their request id: of two rows of one id that began together the one
//! without a status is right.

use super::About;
use super::cursor::Cursor;
use super::prefix::leading_time;
use crate::format::{
    EndedBy, Field, Mark, NOT_ACCESS, Parsed, Record, Reject, Shape,
};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "hypercorn",
    server: "hypercorn (Python)",
    mark: Mark::End,
    duration: "L= s, D= us, T= s",
    ended_by: "status -",
    ..About::DEFAULT
};

/// Reads one line.
pub(super) fn parse(record: &[u8], zone: i64) -> Parsed<Record<'_>> {
    let mut at = Cursor::new(record);
    let mut read =
        Record { process: pid(&mut at, zone)?.into(), ..Record::default() };
    if at.rest().first().is_some_and(u8::is_ascii_uppercase) {
        // What it says as it starts and stops.
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    head(&mut at, &mut read)?;
    if at.rest().starts_with(b"\"") {
        at.quoted("a referrer")?;
        let agent = at.quoted("a user agent")?;
        Field::Agent.put(&mut read, agent.into(), at.at())?;
    }
    tail(&mut at, &mut read)?;
    Ok(read)
}

/// Reads `[time] [pid] [INFO] `.
fn pid<'a>(at: &mut Cursor<'a>, zone: i64) -> Parsed<&'a [u8]> {
    let time = leading_time(at.rest(), zone);
    if time.is_none() || !at.accept("[") {
        return Err(at.stop("a time in brackets"));
    }
    at.until(b']', "a time in brackets")?;
    at.literal(" [")?;
    let pid = at.until(b']', "a process id in brackets")?;
    if pid.is_empty() || !pid.iter().all(u8::is_ascii_digit) {
        return Err(at.stop("a process id in brackets"));
    }
    at.literal(" [")?;
    at.until(b']', "a level in brackets")?;
    at.literal(" ")?;
    Ok(pid)
}

/// Reads the common log format's fields.
fn head<'a>(at: &mut Cursor<'a>, read: &mut Record<'a>) -> Parsed<()> {
    let peer = at.word("an address and a port")?;
    let port = peer.rsplit(|&b| b == b':').next().unwrap_or_default();
    if port.len() == peer.len() || !port.iter().all(u8::is_ascii_digit) {
        return Err(at.stop("an address and a port"));
    }
    Field::Address.put(read, peer.into(), 0)?;
    read.request_id = peer.into();
    at.until(b'[', "a time in brackets")?;
    let place = at.at();
    let time = at.until(b']', "a time in brackets")?;
    Field::Time(Mark::End, Shape::Clf).put(read, time.into(), place)?;
    at.literal(" ")?;
    let request = at.quoted("a quoted request")?;
    if request.windows(6).any(|part| part == b" HTTP/") {
        return Err(Reject::shape(place, "a request without HTTP/"));
    }
    let end = memchr::memrchr(b' ', request).unwrap_or(request.len());
    read.set_request(request[..end].into());
    let place = at.at();
    let status = at.word("a status")?;
    Field::Status.put(read, status.into(), place)?;
    match (read.status, status) {
        (0, b"-") => read.ended_by = EndedBy::Client,
        (0, _) => return Err(Reject::shape(place, "a status")),
        _ => {}
    }
    Field::Bytes.put(read, at.word("a count of bytes")?.into(), 0)
}

/// Reads the durations behind the head, the finest of them.
fn tail<'a>(at: &mut Cursor<'a>, read: &mut Record<'a>) -> Parsed<()> {
    let mut finest = None;
    while !at.rest().is_empty() {
        let place = at.at();
        let Ok(word) = at.word("a field") else {
            at.blanks();
            continue;
        };
        let (name, value) = match memchr::memchr(b'=', word) {
            Some(equals) => (&word[..equals], &word[equals + 1..]),
            // `%(L)s` alone has six decimals.
            None if word.iter().rev().position(|&b| b == b'.') == Some(6) => {
                (&b"L"[..], word)
            }
            None => continue,
        };
        let (rank, unit) = match name {
            b"L" => (0, Unit::Seconds),
            b"D" => (1, Unit::Micros),
            b"T" => (2, Unit::Seconds),
            _ => continue,
        };
        if finest.is_none_or(|there| rank < there) {
            finest = Some(rank);
            Field::Duration(unit).put(read, value.into(), place)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    const LINE: &str = "[2026-11-29 13:44:24 +0000] [10645] [INFO] \
        192.0.2.7:45404 - - [29/Nov/2026:13:44:24 +0000] \
        \"GET /subscriptions/listen 1.1\" 200 - \"-\" \"client/1.0 (S)\" \
        T=60 D=60002252 L=60.002253";

    #[test]
    fn a_line_is_its_end_and_its_finest_duration() {
        let read = parse(LINE.as_bytes(), 0).unwrap();
        let end = read.end.map(|end| end.at.to_rfc3339());
        assert_eq!(end.as_deref(), Some("2026-11-29T13:44:24Z"));
        assert_eq!(read.duration, Some(Micros(60_002_253)));
        assert_eq!((&*read.method, read.status), (&b"GET"[..], 200));
        assert_eq!(read.bytes, None);
        let sized = LINE.replace(" 200 - ", " 200 480 ");
        assert_eq!(parse(sized.as_bytes(), 0).unwrap().bytes, Some(480));
        assert_eq!(*read.target, *b"/subscriptions/listen");
        assert_eq!(*read.address, *b"192.0.2.7");
        assert_eq!(*read.request_id, *b"192.0.2.7:45404");
        assert_eq!(*read.process, *b"10645");
        assert_eq!(*read.agent, *b"client/1.0 (S)");
        assert_eq!(read.ended_by, EndedBy::Unknown);
    }

    #[test]
    fn durations_are_read_by_any_name_or_none() {
        for (tail, duration) in [
            (" D=60002252", Some(Micros(60_002_252))),
            (" T=60", Some(Micros(60_000_000))),
            (" 60.002253", Some(Micros(60_002_253))),
            ("  x=1 - ", None),
            ("", None),
        ] {
            let line = LINE.replace(" T=60 D=60002252 L=60.002253", tail);
            let read = parse(line.as_bytes(), 0).unwrap();
            assert_eq!(read.duration, duration, "{tail}");
        }
    }

    #[test]
    fn no_status_says_that_the_client_left() {
        let line = LINE.replace(" 200 ", " - ");
        let read = parse(line.as_bytes(), 0).unwrap();
        assert_eq!((read.status, read.ended_by), (0, EndedBy::Client));
    }

    #[test]
    fn its_console_is_not_access_and_other_lines_are_refused() {
        let line = "[2026-11-29 13:43:23 +0000] [10645] [INFO] Running on \
                    http://127.0.0.1:19084 (CTRL + C to quit)";
        let refused = parse(line.as_bytes(), 0).unwrap_err();
        assert_eq!(refused.expected, NOT_ACCESS);
        let clf = &LINE[LINE.find("192.").unwrap()..];
        for line in [
            clf.to_owned(),
            LINE.replace(" 1.1\"", " HTTP/1.1\""),
            LINE.replace(":45404", ""),
            LINE.replace(" 200 ", " OK "),
            "[2026-08-01T12:01:00Z INFO  actix_server] x".to_owned(),
        ] {
            let refused = parse(line.as_bytes(), 0).unwrap_err();
            assert_ne!(refused.expected, NOT_ACCESS, "{line}");
        }
    }

    #[test]
    fn no_part_of_a_line_makes_it_panic() {
        for end in 0..LINE.len() {
            let _read = parse(&LINE.as_bytes()[..end], 0);
        }
    }
}

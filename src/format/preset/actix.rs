//! actix-web's `Logger`, behind `env_logger` or `tracing`.
//!
//! `[2026-08-01T12:01:00Z INFO  actix_web::middleware::logger] 192.0.2.7
//! "GET /path HTTP/1.1" 200 480 "-" "agent" 60.001234`, written when the
//! body was sent or dropped: the time in front is the end, `%T` at the end
//! of its default format the duration in seconds.
//! <https://docs.rs/actix-web/latest/actix_web/middleware/struct.Logger.html>

use memchr::memmem;

use super::About;
use super::cursor::Cursor;
use super::prefix::leading_time;
use crate::format::{Field, Mark, NOT_ACCESS, Parsed, Record, Reject};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "actix",
    server: "actix-web Logger (Rust)",
    mark: Mark::End,
    unit: Some(Unit::Seconds),
    duration: "60.001234, s",
    ..About::DEFAULT
};

/// The logger, which stands before every access line.
const LOGGER: &[u8] = b"actix_web::middleware::logger";

/// Reads one line.
pub(super) fn parse(record: &[u8], zone: i64) -> Parsed<Record<'_>> {
    let Some(logger) = memmem::find(record, LOGGER) else {
        let own = memmem::find(record, b" actix_server::").is_some();
        return Err(Reject::shape(
            0,
            if own { NOT_ACCESS } else { "actix_web::middleware::logger" },
        ));
    };
    let after = logger + LOGGER.len();
    let mut read = Record::default();
    if let Some((clock, _)) = leading_time(record, zone) {
        read.offer_end(clock);
    }
    message(&record[after..], &mut read)
        .map_err(|reject| Reject { at: reject.at + after, ..reject })?;
    Ok(read)
}

/// Reads `] address "request" status bytes "referrer" "agent" seconds`.
fn message<'a>(text: &'a [u8], read: &mut Record<'a>) -> Parsed<()> {
    let mut at = Cursor::new(text);
    if !at.accept("] ") {
        at.literal(": ")?;
    }
    let place = at.at();
    let address = at.word("an address")?;
    Field::Address.put(read, address.into(), place)?;
    read.set_request(at.quoted("a quoted request")?.into());
    let place = at.at();
    let status = at.word("a status")?;
    Field::Status.put(read, status.into(), place)?;
    if read.status == 0 {
        return Err(Reject::shape(place, "a status of three digits"));
    }
    let sent = at.word("a count of bytes")?;
    Field::Bytes.put(read, sent.into(), 0)?;
    at.quoted("a quoted referrer")?;
    let place = at.at();
    let agent = at.quoted("a quoted user agent")?;
    Field::Agent.put(read, agent.into(), place)?;
    let place = at.at();
    if !at.rest().is_empty() {
        let duration = at.word("a duration")?;
        Field::Duration(Unit::Seconds).put(read, duration.into(), place)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    const REST: &str = "192.0.2.7 \"GET /subscriptions/listen?d=60 HTTP/1.1\" \
                        200 480 \"-\" \"client/1.0 (S)\" 60.001234";

    #[test]
    fn a_line_is_its_end_and_its_seconds() {
        for (lead, at) in [
            (
                "[2026-08-01T12:01:00Z INFO  actix_web::middleware::logger] ",
                "2026-08-01T12:01:00Z",
            ),
            (
                "2026-08-01T12:01:00.123456Z  INFO \
                 actix_web::middleware::logger: ",
                "2026-08-01T12:01:00.123456Z",
            ),
        ] {
            let line = format!("{lead}{REST}");
            let read = parse(line.as_bytes(), 0).unwrap();
            assert_eq!(read.end.unwrap().at.to_rfc3339(), at);
            assert_eq!(read.duration, Some(Micros(60_001_234)));
            assert_eq!((&*read.method, read.status), (&b"GET"[..], 200));
            assert_eq!(read.bytes, Some(480));
            assert_eq!(*read.target, *b"/subscriptions/listen?d=60");
            assert_eq!(*read.address, *b"192.0.2.7");
            assert_eq!(*read.agent, *b"client/1.0 (S)");
        }
    }

    #[test]
    fn other_lines_are_not_access_or_refused() {
        let line = "[2026-08-01T12:00:00Z INFO  actix_server::builder] \
                    starting 2 workers";
        let refused = parse(line.as_bytes(), 0).unwrap_err();
        assert_eq!(refused.expected, NOT_ACCESS);
        for line in [
            REST.to_owned(),
            "[2026-08-01T12:01:00Z INFO  my_app] hello".to_owned(),
            format!("[INFO  actix_web::middleware::logger] x {REST}"),
        ] {
            let refused = parse(line.as_bytes(), 0).unwrap_err();
            assert_ne!(refused.expected, NOT_ACCESS, "{line}");
        }
    }

    #[test]
    fn no_part_of_a_line_makes_it_panic() {
        let line = format!(
            "[2026-08-01T12:01:00Z INFO  actix_web::middleware::logger] {REST}"
        );
        for end in 0..line.len() {
            let _read = parse(&line.as_bytes()[..end], 0);
        }
    }
}

//! AWS Network Load Balancer: its TLS listeners, which alone are logged.
//!
//! `tls version time elb listener client:port target:port connection
//! handshake received sent …`. The time is the end of the connection in UTC,
//! `connection` how long it was open in milliseconds. It is the connection,
//! of which nothing inside was seen: no path, no status.
//! <https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-access-logs.html>

use super::About;
use super::cursor::Cursor;
use crate::format::{Field, Mark, Parsed, Record, Shape};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "nlb",
    server: "AWS Network Load Balancer (TLS)",
    mark: Mark::End,
    unit: Some(Unit::Millis),
    duration: "ms",
    lacks: Some(
        "a Network Load Balancer logs connections and sees no requests in \
         them, so no stream can be told from another request; read the log \
         of the servers behind it",
    ),
    ..About::DEFAULT
};

/// Reads one line.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let mut read = Record::default();
    let mut at = Cursor::new(record);
    at.literal("tls ")?;
    at.word("a version")?;
    let time = Shape::Pattern("%Y-%m-%dT%H:%M:%S".to_owned(), 0);
    let place = at.at();
    let text = at.word("a time")?;
    Field::Time(Mark::End, time).put(&mut read, text.into(), place)?;
    at.literal("net/")?;
    at.word("the name of the load balancer")?;
    at.word("a listener")?;
    let client = at.word("a client and its port")?;
    let port = memchr::memrchr(b':', client);
    let port = port.ok_or_else(|| at.stop("a client and its port"))?;
    read.address = client[..port].into();
    at.word("a target and its port")?;
    let place = at.at();
    let duration = at.word("a duration in milliseconds")?;
    Field::Duration(Unit::Millis).put(&mut read, duration.into(), place)?;
    at.word("a handshake's duration")?;
    sent(&mut at, &mut read)?;
    Ok(read)
}

/// Reads the bytes received and sent, as far as the line goes.
fn sent<'a>(at: &mut Cursor<'a>, read: &mut Record<'a>) -> Parsed<()> {
    if at.rest().is_empty() {
        return Ok(());
    }
    at.word("bytes received")?;
    if at.rest().is_empty() {
        return Ok(());
    }
    Field::Bytes.put(read, at.word("bytes sent")?.into(), 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    const LINE: &str = "tls 2.0 2026-08-01T12:01:00 net/mcp/c6e77e28c25b2234 g3d4b5e8bb8464cd 192.0.2.7:51341 10.0.0.185:443 60001 2 98 246 - arn:aws:acm:us-east-2:123456789012:certificate/2a10 - ECDHE-RSA-AES128-SHA tlsv12 - mcp.example.com h2 h2 \"h2\" 2026-08-01T12:00:00";

    #[test]
    fn a_connection_is_its_end_in_utc_and_names_no_path() {
        let read = parse(LINE.as_bytes(), 7_200).unwrap();
        let end = read.end.unwrap();
        assert_eq!(end.at.to_rfc3339(), "2026-08-01T12:01:00Z");
        assert_eq!(end.grain, Micros::SECOND);
        assert_eq!(read.duration, Some(Micros(60_001_000)));
        assert_eq!(*read.address, *b"192.0.2.7");
        assert_eq!(read.target.len() + read.method.len(), 0);
        assert_eq!((read.status, read.bytes), (0, Some(246)));
        assert!(ABOUT.lacks.is_some());
    }

    #[test]
    fn a_duration_that_was_not_logged_is_none() {
        let line = LINE.replace(" 60001 ", " - ");
        assert_eq!(parse(line.as_bytes(), 0).unwrap().duration, None);
    }

    #[test]
    fn other_lines_are_refused_and_no_mangled_one_panics() {
        for line in [
            "tls 1.3 handshake failed",
            "tls 2.0 2026-08-01T12:01:00 app/mcp/1 l 192.0.2.7:1 10.0.0.1:2 5",
            "https 2026-08-01T12:01:00.1Z app/mcp/1 192.0.2.7:1 - -1 -1 -1",
            "",
        ] {
            assert!(parse(line.as_bytes(), 0).is_err(), "{line}");
        }
        for end in 0..LINE.len() {
            let _read = parse(&LINE.as_bytes()[..end], 0);
        }
    }
}

//! AWS Application Load Balancer.
//!
//! `type time elb client:port target:port T T T status status in out
//! "request" "agent" cipher protocol group "trace" "domain" "certificate"
//! rule created …`, with more columns behind from time to time. `time` is
//! when the response or the connection had ended, `created` when the request
//! came. The three durations end with the response's headers, so they are
//! not looked at. Rows from before 2018 have no `created`.
//! <https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html>

use super::About;
use super::cursor::Cursor;
use super::elb::{exchange, time};
use crate::format::{Field, Mark, Parsed, Record};

pub(super) const ABOUT: About = About {
    name: "alb",
    server: "AWS Application Load Balancer",
    mark: Mark::End,
    duration: "end - start",
    ended_by: "status 460",
    ..About::DEFAULT
};

/// What a line may begin with.
const TYPES: [&str; 6] = ["http ", "https ", "h2 ", "grpcs ", "ws ", "wss "];

/// Reads one line.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let mut read = Record::default();
    let mut at = Cursor::new(record);
    if !TYPES.iter().any(|kind| at.accept(kind)) {
        return Err(at.stop("http, https, h2, grpcs, ws or wss"));
    }
    time(&mut at, &mut read, Mark::End)?;
    at.word("the name of the load balancer")?;
    exchange(&mut at, &mut read)?;
    at.word("a cipher")?;
    at.word("a TLS version")?;
    if !at.rest().is_empty() {
        routing(&mut at, &mut read)?;
    }
    Ok(read)
}

/// Reads what follows the TLS version.
fn routing<'a>(at: &mut Cursor<'a>, read: &mut Record<'a>) -> Parsed<()> {
    at.word("a target group")?;
    let trace = at.quoted("a quoted trace id")?;
    Field::RequestId.put(read, trace.into(), 0)?;
    if at.rest().is_empty() {
        return Ok(());
    }
    at.quoted("a quoted domain")?;
    at.quoted("a quoted certificate")?;
    at.word("a rule's number")?;
    time(at, read, Mark::Start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::EndedBy;
    use crate::time::Micros;

    const LINE: &str = r#"h2 2026-08-01T12:01:00.124000Z app/mcp/50dc6c495c0c9188 192.0.2.7:44740 10.0.0.66:9000 0.000 0.003 0.000 200 201 250 480 "GET https://mcp.example.com:443/subscriptions/listen HTTP/2.0" "mcp/1.0" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2 arn:aws:elasticloadbalancing:us-east-2:123456789012:targetgroup/mcp/73e2 "Root=1-58337327-72bd00b0343d75b906739c42" "mcp.example.com" "-" 1 2026-08-01T12:00:00.123000Z "forward" "-" "-" "10.0.0.66:9000" "200" "-" "-" TID_1234abcd"#;

    #[test]
    fn a_stream_lasts_from_its_creation_to_its_end() {
        let read = parse(LINE.as_bytes(), 0).unwrap();
        let (start, end) = (read.start.unwrap().at, read.end.unwrap().at);
        assert_eq!(end.to_rfc3339(), "2026-08-01T12:01:00.124Z");
        assert_eq!(end - start, Micros(60_001_000));
        assert_eq!(read.duration, None, "the three times are not the stream");
        assert_eq!((&*read.method, read.status), (&b"GET"[..], 200));
        assert_eq!(read.bytes, Some(480));
        assert_eq!(*read.address, *b"192.0.2.7");
        assert_eq!(*read.agent, *b"mcp/1.0");
        let id = &b"Root=1-58337327-72bd00b0343d75b906739c42"[..];
        assert_eq!(*read.request_id, *id);
        assert_eq!(read.ended_by, EndedBy::Unknown);
    }

    #[test]
    fn status_460_is_a_client_that_left() {
        let line = LINE.replace(" 200 201 ", " 460 - ");
        let read = parse(line.as_bytes(), 0).unwrap();
        assert_eq!((read.status, read.ended_by), (460, EndedBy::Client));
    }

    #[test]
    fn older_rows_end_early() {
        for (cut, starts) in [(" TID", true), (" \"mcp.ex", false)] {
            let line = LINE.split(cut).next().unwrap();
            let read = parse(line.as_bytes(), 0).unwrap();
            assert_eq!(read.start.is_some(), starts, "{cut}");
            assert!(read.end.is_some());
        }
        let line = LINE.split(" arn:").next().unwrap();
        assert!(parse(line.as_bytes(), 0).is_ok());
    }

    #[test]
    fn other_lines_are_refused_and_no_mangled_one_panics() {
        for line in [
            "tls 2.0 2026-08-01T12:01:00 net/mcp/1 l 192.0.2.7:1 10.0.0.1:2 5",
            "http 2026-08-01T12:01:00Z GET /a 200",
            "https://example.com/",
            "2026-08-01T12:00:00.559871Z lb 192.0.2.7:4586 - -1 -1 -1 200",
            "{}",
            "",
        ] {
            assert!(parse(line.as_bytes(), 0).is_err(), "{line}");
        }
        for end in 0..LINE.len() {
            let _read = parse(&LINE.as_bytes()[..end], 0);
        }
    }
}

//! AWS Classic Load Balancer.
//!
//! `time elb client:port backend:port T T T status status in out "request"
//! "agent" cipher protocol`. The time is when the request was received; the
//! three durations end with the response's headers, so nothing tells when a
//! stream closed.
//! <https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/access-log-collection.html>

use super::About;
use super::cursor::Cursor;
use crate::format::{EndedBy, Field, Mark, Parsed, Record, Reject, Shape};

pub(super) const ABOUT: About = About {
    name: "elb",
    server: "AWS Classic Load Balancer",
    mark: Mark::Start,
    duration: "none",
    lacks: Some(
        "a Classic Load Balancer logs when a request came and how long its \
         response's headers took, not when the response ended; read the log \
         of the servers behind it, or move to an Application Load Balancer",
    ),
    ..About::DEFAULT
};

/// Reads one line.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let mut read = Record::default();
    let mut at = Cursor::new(record);
    if !record.first().is_some_and(u8::is_ascii_digit) {
        return Err(at.stop("a time"));
    }
    time(&mut at, &mut read, Mark::Start)?;
    at.word("the name of the load balancer")?;
    exchange(&mut at, &mut read)?;
    at.word("a cipher")?;
    at.word("a TLS version")?;
    Ok(read)
}

/// Reads a time.
pub(super) fn time<'a>(
    at: &mut Cursor<'a>,
    read: &mut Record<'a>,
    mark: Mark,
) -> Parsed<()> {
    let place = at.at();
    let text = at.word("a time")?;
    Field::Time(mark, Shape::Rfc3339).put(read, text.into(), place)?;
    match (read.start, read.end) {
        (None, None) => Err(Reject::time(place, "a time")),
        _ => Ok(()),
    }
}

/// Reads what all load balancers of requests log alike: from the client's
/// address to its agent. Quotes in texts are written as `\"` or `\x22`.
pub(super) fn exchange<'a>(
    at: &mut Cursor<'a>,
    read: &mut Record<'a>,
) -> Parsed<()> {
    let client = at.word("a client and its port")?;
    // An IPv6 address has no brackets here.
    let port = memchr::memrchr(b':', client);
    let port = port.ok_or_else(|| at.stop("a client and its port"))?;
    read.address = client[..port].into();
    at.word("a target and its port")?;
    for _ in 0..3 {
        number(at, "a time in seconds, or -1")?;
    }
    Field::Status.put(read, at.word("a status")?.into(), 0)?;
    at.word("the target's status")?;
    number(at, "bytes received")?;
    let sent = number(at, "bytes sent")?;
    Field::Bytes.put(read, sent.into(), 0)?;
    let request = at.quoted("a quoted request")?;
    if !request.starts_with(b"- ") {
        read.set_request(request.into());
    }
    let agent = at.quoted("a quoted user agent")?;
    Field::Agent.put(read, agent.into(), 0)?;
    if read.status == 460 {
        read.ended_by = EndedBy::Client;
    }
    Ok(())
}

/// Passes over a number, which may be -1 or missing.
fn number<'a>(
    at: &mut Cursor<'a>,
    expected: &'static str,
) -> Parsed<&'a [u8]> {
    let stop = at.stop(expected);
    let word = at.word(expected)?;
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    let numeric = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    if digits.iter().all(numeric) { Ok(word) } else { Err(stop) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"2026-08-01T12:00:00.559871Z mcp-elb 192.0.2.7:4586 10.0.0.215:80 0.000036 60.001035 0.000025 200 200 250 42355 "GET https://mcp.example.com:443/subscriptions/listen HTTP/1.1" "mcp/1.0 (x)" ECDHE-RSA-AES128-GCM-SHA256 TLSv1.2"#;

    #[test]
    fn a_line_tells_its_start_and_no_end() {
        let read = parse(LINE.as_bytes(), 0).unwrap();
        let start = read.start.unwrap().at.to_rfc3339();
        assert_eq!(start, "2026-08-01T12:00:00.559871Z");
        assert_eq!((read.end, read.duration), (None, None));
        let target = b"https://mcp.example.com:443/subscriptions/listen";
        assert_eq!(*read.target, target[..]);
        assert_eq!((&*read.method, read.status), (&b"GET"[..], 200));
        assert_eq!(read.bytes, Some(42_355));
        assert_eq!(*read.address, *b"192.0.2.7");
        assert_eq!(*read.agent, *b"mcp/1.0 (x)");
        assert!(ABOUT.lacks.is_some());
    }

    #[test]
    fn quotes_in_an_agent_are_escaped() {
        let line = LINE.replace("(x)", r#"(\"x\")"#);
        let read = parse(line.as_bytes(), 0).unwrap();
        assert_eq!(*read.agent, *br#"mcp/1.0 (\"x\")"#);
        let cut = line.replace(r#"\""#, "\"");
        assert!(parse(cut.as_bytes(), 0).is_ok_and(|r| r.agent.len() == 9));
    }

    #[test]
    fn a_connection_without_a_request_has_no_path() {
        let line = br#"2026-08-01T12:00:00.945958Z lb 2001:db8::7:2817 10.0.0.1:80 -1 -1 -1 - - -1 -1 "- - - " "-" - -"#;
        let read = parse(line, 0).unwrap();
        assert_eq!(*read.address, *b"2001:db8::7");
        assert_eq!((read.target.len(), read.agent.len()), (0, 0));
        assert_eq!((read.status, read.bytes), (0, None));
    }

    #[test]
    fn other_lines_are_refused_where_they_part() {
        for line in [
            r#"192.0.2.1 - - [29/Nov/2026:13:44:23 +0000] "GET / HTTP/1.1" 200 7"#,
            "2026-08-01T12:00:00.559871Z stdout F text of an app",
            "2026-08-01 12:01:00 10.0.0.4 GET / - 443 - 192.0.2.7 x - 200",
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

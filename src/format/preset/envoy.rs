//! Envoy's text log, and Istio's longer form of it.
//!
//! `[START_TIME] "METHOD PATH PROTOCOL" CODE FLAGS RECEIVED SENT DURATION
//! UPSTREAM "FORWARDED FOR" "AGENT" "REQUEST ID" "AUTHORITY" "UPSTREAM"`;
//! Istio has details between FLAGS and RECEIVED, and addresses at the end.
//! Contour and Envoy Gateway write the first. A record is written when the
//! stream has ended, and where it is asked for, one at its start and some
//! on the way: `%ACCESS_LOG_TYPE%` at the end tells them apart. Nothing is
//! escaped. UPSTREAM is the time to the headers, no measure of a stream.
//! <https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage>

use super::cursor::Cursor;
use super::{About, capture};
use crate::format::{
    EndedBy, Event, Field, Mark, NOT_ACCESS, Parsed, Record, Reject,
};
use crate::time::{self, Micros, Unit};

pub(super) const ABOUT: About = About {
    name: "envoy",
    server: "Envoy, Istio, Contour: text",
    mark: Mark::Start,
    unit: Some(Unit::Millis),
    duration: "ms",
    ended_by: "flag DC, DR",
    ..About::DEFAULT
};

/// Reads one line.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let mut at = Cursor::new(record);
    let mut read = Record::default();
    // Emissary puts a word in front.
    at.accept("ACCESS ");
    at.literal("[")?;
    let place = at.at();
    let start = time::rfc3339(at.until(b']', "a time before ]")?);
    let start = start.ok_or(Reject::time(place, "a time"))?;
    read.offer_start(start);
    at.literal(" \"")?;
    read.set_request(request(&mut at)?.into());
    status(&mut at, &mut read)?;
    let is_istio = counts(&mut at, &mut read)?;
    let place = at.at();
    let duration = at.word("a duration")?;
    Field::Duration(Unit::Millis).put(&mut read, duration.into(), place)?;
    at.word("the upstream's time")?;
    for field in [
        Some(Field::Forwarded),
        Some(Field::Agent),
        Some(Field::RequestId),
        None,
        None,
    ] {
        let text = loose(&mut at)?;
        if let Some(field) = field {
            field.put(&mut read, text.into(), 0)?;
        }
    }
    let kind = tail(&mut at, &mut read, is_istio);
    staged(read, kind)
}

/// The request line up to the quote that a status follows.
fn request<'a>(at: &mut Cursor<'a>) -> Parsed<&'a [u8]> {
    let rest = at.rest();
    let ends = memchr::memmem::find_iter(rest, b"\" ");
    for end in ends {
        let status = rest[end + 2..].split(|&byte| byte == b' ').next();
        if status.is_some_and(is_status) {
            at.skip(end + 2);
            return Ok(&rest[..end]);
        }
    }
    Err(at.stop("a quoted request and a status"))
}

fn is_status(text: &[u8]) -> bool {
    text == b"0" || text.len() == 3 && text.iter().all(u8::is_ascii_digit)
}

/// The status and the flags.
fn status<'a>(at: &mut Cursor<'a>, read: &mut Record<'a>) -> Parsed<()> {
    let place = at.at();
    let status = at.word("a status")?;
    Field::Status.put(read, status.into(), place)?;
    let place = at.at();
    let flags = at.word("response flags")?;
    let known = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b',';
    if flags != b"-" && !flags.iter().all(known) {
        return Err(Reject::shape(place, "response flags"));
    }
    read.ended_by = ended_by(flags);
    Ok(())
}

/// Who ended a stream with these flags. Without any it was completed, which
/// is the server's doing; a timeout is Envoy's.
pub(super) fn ended_by(flags: &[u8]) -> EndedBy {
    let client = |flag: &[u8]| {
        matches!(
            flag,
            b"DC"
                | b"DR"
                | b"DownstreamConnectionTermination"
                | b"DownstreamRemoteReset"
        )
    };
    if flags.split(|&byte| byte == b',').any(client) {
        EndedBy::Client
    } else {
        EndedBy::Server
    }
}

/// The bytes received and sent, behind Istio's details of words and quoted
/// texts; says whether there were any.
fn counts<'a>(at: &mut Cursor<'a>, read: &mut Record<'a>) -> Parsed<bool> {
    let mut detailed = false;
    for _ in 0..16 {
        if at.rest().starts_with(b"\"") {
            detailed = true;
            loose(at)?;
            continue;
        }
        let word = at.word("a count of bytes")?;
        if word.iter().all(u8::is_ascii_digit) {
            let place = at.at();
            let sent = at.word("a count of bytes")?;
            if !sent.iter().all(u8::is_ascii_digit) {
                return Err(Reject::shape(place, "a count of bytes"));
            }
            Field::Bytes.put(read, sent.into(), place)?;
            return Ok(detailed);
        }
        detailed = true;
    }
    Err(at.stop("a count of bytes"))
}

/// A quoted text in which quotes are not escaped: it ends at the first that
/// a blank or the end follows.
fn loose<'a>(at: &mut Cursor<'a>) -> Parsed<&'a [u8]> {
    at.literal("\"")?;
    let rest = at.rest();
    let mut quotes = memchr::memchr_iter(b'"', rest);
    let ends = |end: &usize| matches!(rest.get(end + 1), None | Some(b' '));
    let end = quotes.find(ends).ok_or_else(|| at.stop("a closing quote"))?;
    at.skip(end + 2);
    Ok(&rest[..end])
}

/// What stands behind the known fields, as far as it can be told: the kind
/// of record, an MCP method, the address of Istio's downstream.
fn tail<'a>(
    at: &mut Cursor<'a>,
    read: &mut Record<'a>,
    is_istio: bool,
) -> &'a [u8] {
    let mut kind = &b""[..];
    let words = at.tail().split(|&byte| byte == b' ');
    for (index, word) in words.enumerate() {
        let word = word.strip_prefix(b"\"").unwrap_or(word);
        let word = word.strip_suffix(b"\"").unwrap_or(word);
        match word {
            _ if LogType::of(word).is_some() => kind = word,
            _ if is_istio && index == 3 && read.address.is_empty() => {
                // It takes any text.
                let _taken = Field::Address.put(read, word.into(), 0);
            }
            _ => capture::put(read, word.into(), false),
        }
    }
    kind
}

/// What a record is written at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LogType {
    Start,
    OnTheWay,
    End,
}

impl LogType {
    /// The kind of this `%ACCESS_LOG_TYPE%`.
    fn of(text: &[u8]) -> Option<LogType> {
        match text {
            b"DownstreamStart" => Some(LogType::Start),
            b"DownstreamEnd" | b"TcpConnectionEnd" | b"NotSet" => {
                Some(LogType::End)
            }
            b"DownstreamPeriodic"
            | b"DownstreamTunnelSuccessfullyEstablished"
            | b"TcpUpstreamConnected"
            | b"TcpPeriodic"
            | b"UpstreamPoolReady"
            | b"UpstreamPeriodic"
            | b"UpstreamEnd"
            | b"UdpTunnelUpstreamConnected"
            | b"UdpPeriodic"
            | b"UdpSessionEnd" => Some(LogType::OnTheWay),
            _ => None,
        }
    }
}

/// The record as what it was written at makes it.
///
/// Where the kind is not logged, a record of no status, no flags and no
/// duration can only be one of a start: a client that left before it was
/// answered has a flag. A start without an id would never find its end.
pub(super) fn staged<'a>(
    mut read: Record<'a>,
    kind: &[u8],
) -> Parsed<Record<'a>> {
    let untouched = read.status == 0
        && read.ended_by == EndedBy::Server
        && !read.target.is_empty()
        && read.duration.unwrap_or_default() == Micros::ZERO;
    let kind = LogType::of(kind).unwrap_or(if untouched {
        LogType::Start
    } else {
        LogType::End
    });
    match kind {
        LogType::End => Ok(read),
        LogType::Start if !read.request_id.is_empty() => {
            read.event = Event::Open;
            read.duration = None;
            read.ended_by = EndedBy::Unknown;
            Ok(read)
        }
        _ => Err(Reject::shape(0, NOT_ACCESS)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DEFAULT: &str = r#"[2026-08-01T12:00:00.123Z] "GET /subscriptions/listen HTTP/2" 200 - 0 480 60001 3 "192.0.2.7" "mcp/1.0" "cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2" "mcp.example.com" "10.0.2.1:80""#;
    const ISTIO: &str = r#"[2026-08-01T12:00:00.123Z] "POST /mcp HTTP/1.1" 200 DC via_upstream - "-" 11 164 20501 3 "-" "say "hi"/1 \" "cc21" "mcp.example.com" "10.0.2.1:80" inbound|80|| 127.0.0.6:41 10.0.2.1:80 192.0.2.9:5000 outbound_.80 default "subscriptions/listen""#;

    fn read(text: &str) -> Record<'_> {
        parse(text.as_bytes(), 3_600).unwrap()
    }

    #[test]
    fn the_default_text_is_a_start_and_its_duration() {
        let record = read(DEFAULT);
        let start = record.start.unwrap().at.to_rfc3339();
        assert_eq!(start, "2026-08-01T12:00:00.123Z");
        assert_eq!(record.duration, Some(Micros(60_001_000)));
        assert_eq!(*record.target, *b"/subscriptions/listen");
        assert_eq!((&*record.method, record.status), (&b"GET"[..], 200));
        assert_eq!(record.bytes, Some(480));
        assert_eq!(*record.address, *b"192.0.2.7");
        assert_eq!(*record.agent, *b"mcp/1.0");
        assert_eq!(record.request_id.len(), 36);
        assert_eq!(record.ended_by, EndedBy::Server);
        assert_eq!(record.event, Event::Whole);
        assert!(parse(format!("ACCESS {DEFAULT}").as_bytes(), 0).is_ok());
    }

    #[test]
    fn istio_puts_details_in_the_middle_and_addresses_at_the_end() {
        let record = read(ISTIO);
        assert_eq!((record.status, record.bytes), (200, Some(164)));
        assert_eq!(record.duration, Some(Micros(20_501_000)));
        assert_eq!(*record.address, *b"192.0.2.9");
        assert_eq!(*record.agent, *br#"say "hi"/1 \"#);
        assert_eq!(*record.request_id, *b"cc21");
        assert_eq!(*record.mcp_method, *b"subscriptions/listen");
        assert_eq!(record.ended_by, EndedBy::Client);
        let before = ISTIO.replace(r#"via_upstream - "-""#, r#""-" "-""#);
        assert_eq!(read(&before).duration, record.duration, "Istio 1.6");
    }

    #[test]
    fn a_path_may_hold_quotes_and_blanks() {
        let line = DEFAULT.replace("listen HTTP", r#"li"s" ten HTTP"#);
        let target = br#"/subscriptions/li"s" ten"#;
        assert_eq!(*read(&line).target, *target);
    }

    #[test]
    fn flags_tell_who_ended_it() {
        for (flags, who) in [
            ("-", EndedBy::Server),
            ("DC", EndedBy::Client),
            ("UC,DC", EndedBy::Client),
            ("DR", EndedBy::Client),
            ("DownstreamConnectionTermination", EndedBy::Client),
            ("UC", EndedBy::Server),
            ("SI", EndedBy::Server),
            ("DT", EndedBy::Server),
            ("UMSDR", EndedBy::Server),
        ] {
            let line = DEFAULT.replace("200 - 0", &format!("200 {flags} 0"));
            assert_eq!(read(&line).ended_by, who, "{flags}");
        }
    }

    #[test]
    fn a_start_is_an_opening_and_what_comes_on_the_way_is_no_request() {
        let line = |kind: &str| format!("{DEFAULT} {kind}");
        let open = line("DownstreamStart");
        let open = read(&open);
        assert_eq!((open.event, open.duration), (Event::Open, None));
        assert_eq!(open.ended_by, EndedBy::Unknown);
        assert_eq!(read(&line("DownstreamEnd")), read(DEFAULT));
        for kind in ["DownstreamPeriodic", "\"UpstreamEnd\""] {
            let line = line(kind);
            let other = Err(Reject::shape(0, NOT_ACCESS));
            assert_eq!(parse(line.as_bytes(), 0), other, "{kind}");
        }
        let bare = DEFAULT.replace("200 - 0 480 60001 3", "0 - 0 0 0 -");
        assert_eq!(read(&bare).event, Event::Open);
        let nameless =
            bare.replace("cc21d9b0-cf5c-432b-8c7e-98aeb7988cd2", "-");
        assert!(parse(nameless.as_bytes(), 0).is_err());
        let left = DEFAULT.replace("200 - 0 480 60001 3", "0 DC 0 0 0 -");
        assert_eq!(read(&left).event, Event::Whole);
    }

    #[test]
    fn a_tcp_connection_is_read_without_a_path() {
        let record = read(
            r#"[2026-08-01T12:00:00.123Z] "- - -" 0 - 78 1367 60001 - "-" "-" "-" "-" "10.0.2.1:80""#,
        );
        assert_eq!(record.duration, Some(Micros(60_001_000)));
        assert_eq!(record.event, Event::Whole);
    }

    #[test]
    fn lines_of_others_and_cut_ones_are_refused() {
        for text in [
            r#"192.0.2.1 - - [29/Nov/2026:13:44:23 +0000] "GET /a HTTP/1.1" 200 7 "-" "ua""#,
            "[GIN] 2026/08/01 - 12:01:00 | 200 |",
            r#"[2026-08-01T12:00:00Z] "GET / HTTP/1.1" 200 7 "-" "ua""#,
            "[2026-08-01T12:00:00Z] INFO started",
            r#"[29/Nov/2026:13:44:23 +0000] "GET / HTTP/1.1" 200 - 0 1 2 3 "a""#,
        ] {
            assert!(parse(text.as_bytes(), 0).is_err(), "{text}");
        }
        for line in [DEFAULT, ISTIO] {
            let upstream = line.find("10.0.2.1").unwrap();
            for end in 0..line.len() {
                let read = parse(&line.as_bytes()[..end], 0);
                assert!(read.is_err() || end > upstream, "{end}");
            }
        }
    }
}

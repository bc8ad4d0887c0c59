//! A time that was put before a line, with or without a name behind it.
//!
//! Many servers' own lines begin with a time too, and anybody's format
//! string may. A log is taken for stamped only when its times are finer than
//! servers write them, or what follows them is known to be a whole line.

use std::borrow::Cow;

use super::Unwrapped;
use super::words::{is_level, past_blanks, time, word};
use crate::time::month;

/// A line of `logcli query`: time, labels, line. The labels may be padded.
pub(super) fn loki(line: &[u8]) -> Option<Unwrapped<'_>> {
    let (clock, at) = time(line, 0)?;
    let end = labels(line.get(at..)?)?;
    let labels = &line[at..at + end];
    let from = past_blanks(line, at + end);
    let unwrapped = Unwrapped::from(line, from)?;
    let process = Cow::Borrowed(labels);
    Some(Unwrapped { time: Some(clock), process, ..unwrapped })
}

/// The end of the label set this begins with: `{}` or `{name="value", …}`,
/// which no JSON object looks like.
fn labels(text: &[u8]) -> Option<usize> {
    let mut at = 1;
    if !text.starts_with(b"{") {
        return None;
    }
    while text.get(at) != Some(&b'}') {
        let name = text[at..].iter().position(|&byte| byte == b'=')?;
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        if name == 0 || !text[at..at + name].iter().all(plain) {
            return None;
        }
        at += name + 1;
        at += quoted(&text[at..])?;
        if text[at..].starts_with(b", ") {
            at += 2;
        } else if text.get(at) == Some(&b',') {
            at += 1;
        }
    }
    Some(at + 1)
}

/// The length of the quoted string this begins with.
fn quoted(text: &[u8]) -> Option<usize> {
    let inside = text.strip_prefix(b"\"")?;
    let mut from = 0;
    loop {
        let rest = inside.get(from..)?;
        let at = from + memchr::memchr2(b'"', b'\\', rest)?;
        if inside[at] == b'"' {
            return Some(at + 2);
        }
        from = at + 2;
    }
}

/// A line of `aws logs tail`: time, log stream, message.
pub(super) fn cloudwatch(line: &[u8]) -> Option<Unwrapped<'_>> {
    let (clock, at) = time(line, 0)?;
    let (stream, at) = word(line, at)?;
    if !is_log_stream(stream) {
        return None;
    }
    let process = Cow::Borrowed(stream);
    Some(Unwrapped {
        time: Some(clock),
        process,
        ..Unwrapped::from(line, at)?
    })
}

/// Whether AWS names log streams so: `ecs/web/` and a task's id,
/// `2026/08/01/[$LATEST]` and a container's, `i-` and an instance's.
fn is_log_stream(name: &[u8]) -> bool {
    let id = name.iter().rev().take_while(|byte| byte.is_ascii_hexdigit());
    let named = name.starts_with(b"i-") || name.contains(&b'/');
    let own = |byte: &u8| !matches!(byte, b'"' | b'?' | b'=' | b':' | b'{');
    id.count() >= 8
        && named
        && name.iter().all(own)
        && name.first().is_some_and(u8::is_ascii_alphanumeric)
}

/// A line with nothing but a time before it.
pub(super) fn bare(line: &[u8]) -> Option<Unwrapped<'_>> {
    let (clock, at) = time(line, 0)?;
    if is_its_own(line, at) {
        return None;
    }
    Some(Unwrapped { time: Some(clock), ..Unwrapped::from(line, at)? })
}

/// Whether a line's time was put there by another: by a container runtime,
/// with its nine decimals, or before what has a time of its own, or is known
/// to be written without one.
pub(super) fn is_given(line: &[u8]) -> bool {
    let Some((_, at)) = time(line, 0) else { return false };
    let decimals = line.get(20..29).unwrap_or_default();
    let by_runtime =
        decimals.len() == 9 && decimals.iter().all(u8::is_ascii_digit);
    by_runtime || is_whole(line, at)
}

/// Whether the line of a known program begins here.
fn is_whole(line: &[u8], at: usize) -> bool {
    const LEADS: [&[u8]; 11] = [
        // An object; syslog; gin; uWSGI; AWS Lambda; Rails; ASP.NET.
        b"{",
        b"<",
        b"[GIN] ",
        b"[pid: ",
        b"START RequestId: ",
        b"END RequestId: ",
        b"REPORT RequestId: ",
        b"Started ",
        b"Completed ",
        b"Request starting ",
        b"Request finished ",
    ];
    let rest = line.get(at..).unwrap_or_default();
    let Some((first, next)) = word(line, at) else { return false };
    // uvicorn.
    let level = first.strip_suffix(b":").is_some_and(is_level);
    // AWS's load balancer names the protocol before the time.
    let protocol = first.iter().all(u8::is_ascii_alphanumeric);
    level
        || month(first).is_some()
        || LEADS.iter().any(|lead| rest.starts_with(lead))
        || (rest.starts_with(b"[") && rest.get(1).is_some_and(is_digit))
        || time(line, at).is_some()
        || (protocol && time(line, next).is_some())
        || is_common(rest)
}

fn is_digit(byte: &u8) -> bool {
    byte.is_ascii_digit()
}

/// Whether a line begins as the common log format does: an address or host,
/// two names, and a time in brackets. HAProxy's has no names.
fn is_common(text: &[u8]) -> bool {
    let Some(open) = memchr::memmem::find(text, b" [") else { return false };
    let (head, date) = (&text[..open], &text[open + 2..]);
    let names = head.split(|&byte| byte == b' ').count();
    let address = |byte: &u8| matches!(byte, b'.' | b':');
    let first = head.split(|&byte| byte == b' ').next().unwrap_or(head);
    let dated = date.get(2) == Some(&b'/')
        && date.get(3..6).is_some_and(|name| month(name).is_some());
    dated && (1..=4).contains(&names) && first.iter().any(address)
}

/// Whether the time belongs to the line that goes on here: a blank pads a
/// level, as Rust's `tracing` writes it; Heroku writes a name with its
/// process in brackets; AWS's classic load balancer its own name, and both
/// ends of the connection.
fn is_its_own(line: &[u8], at: usize) -> bool {
    let Some((first, next)) = word(line, past_blanks(line, at)) else {
        return true;
    };
    let heroku = first.ends_with(b"]:") && !first.starts_with(b"[");
    heroku || is_level(first) || is_classic(line, next)
}

/// Whether `192.0.2.7:44740 10.0.0.66:9000 0.000` begins here, or with `-`
/// for a backend that was not reached.
fn is_classic(line: &[u8], at: usize) -> bool {
    let ends = || {
        let (client, at) = word(line, at)?;
        let (backend, at) = word(line, at)?;
        let (spent, _) = word(line, at)?;
        Some([client, backend, spent])
    };
    let port = |end: &[u8]| {
        let colon = end.iter().rposition(|&byte| byte == b':');
        colon.is_some_and(|at| end[at + 1..].iter().all(u8::is_ascii_digit))
    };
    ends().is_some_and(|[client, backend, spent]| {
        let number = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
        port(client)
            && (port(backend) || backend == b"-")
            && (spent == b"-1" || spent.iter().all(number))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: &str = "2026-08-01T12:01:00.123Z";

    #[test]
    fn a_servers_own_time_is_no_stamp() {
        for line in [
            "  INFO request{method=GET uri=/}: tower_http: finished",
            "INFO listening",
            "warn listening",
            "heroku[router]: at=info method=GET path=\"/\"",
            "app[web.1]: listening",
            "my-elb 192.0.2.7:2817 10.0.0.1:80 0.000073 0.001 0.00 200 200",
            "my-elb 192.0.2.7:2817 - -1 -1 -1 504 0 0 0",
        ] {
            let line = format!("{TIME} {line}");
            assert_eq!(bare(line.as_bytes()), None, "{line}");
        }
        for line in [
            "192.0.2.7 - - [01/Aug/2026:12:01:00 +0000] \"GET / HTTP/1.1\"",
            "INFO:     192.0.2.7:37798 - \"GET / HTTP/1.1\" 200 OK",
            "[GIN] 2026/08/01 - 12:01:00 | 200 |",
            "{\"level\":30}",
            "2026-08-01T12:01:00.1Z  INFO listening",
            "h2 2026-08-01T12:01:00Z app/mcp/50dc 192.0.2.7:44740 10.0.0.6:1",
        ] {
            let whole = format!("{TIME} {line}");
            let unwrapped = bare(whole.as_bytes()).expect(line);
            assert_eq!(&*unwrapped.message, line.as_bytes());
            assert!(is_given(whole.as_bytes()), "{line}");
        }
    }

    #[test]
    fn a_format_string_that_begins_with_a_time_is_no_stamp() {
        for line in [
            "GET /subscriptions/listen 200 rt=1.845 tt=105.460",
            "192.0.2.7 \"GET / HTTP/1.1\" 200 60.001",
            "1795959814.164 conn=9/1 rid=989d \"GET / HTTP/1.1\" 200",
            "1795959813113 17959 [29/Nov/2026:13:43:36 +0000] 192.0.2.7:1",
        ] {
            let own = format!("{TIME} {line}");
            assert!(!is_given(own.as_bytes()), "{line}");
            let by_runtime = format!("2026-08-01T12:01:00.123456789Z {line}");
            assert!(is_given(by_runtime.as_bytes()), "{line}");
        }
    }

    #[test]
    fn lokis_labels_are_told_from_an_object() {
        let line = format!("{TIME} {{a=\"x\\\"}}\", b_2=\"\"}}   the line");
        let unwrapped = loki(line.as_bytes()).unwrap();
        assert_eq!(&*unwrapped.message, b"the line");
        let line = format!("{TIME} {{}} the line");
        assert_eq!(&*loki(line.as_bytes()).unwrap().message, b"the line");
        for rest in ["{\"a\":1}", "{a}", "{a=1}", "{a=\"x", "a{}"] {
            let line = format!("{TIME} {rest}");
            assert_eq!(loki(line.as_bytes()), None, "{line}");
        }
    }

    #[test]
    fn a_log_stream_is_told_from_the_first_word_of_a_line() {
        for (stream, is) in [
            ("ecs/web/0a1b2c3d4e5f60718293a4b5c6d7e8f9", true),
            ("2026/08/01/[$LATEST]0a1b2c3d4e5f60718293a4b5c6d7e8f9", true),
            ("i-0a1b2c3d4e5f60718", true),
            ("192.0.2.7", false),
            ("/deadbeef", false),
            ("GET", false),
            ("http://h/deadbeef", false),
        ] {
            let line = format!("{TIME} {stream} x");
            let unwrapped = cloudwatch(line.as_bytes());
            assert_eq!(unwrapped.is_some(), is, "{stream}");
            if let Some(unwrapped) = unwrapped {
                assert_eq!(*unwrapped.process, *stream.as_bytes());
                assert_eq!(&*unwrapped.message, b"x");
            }
        }
    }
}

//! The forms of syslog.
//!
//! Over TCP a message may follow the count of its bytes, `267 <34>…`
//! (RFC 6587 §3.4.1). In files the priority is mostly gone. Blanks that the
//! daemon puts before the message go too: no access record begins with one.

use std::borrow::Cow;

use super::words::{is_level, past_blanks, time, word};
use super::{Calendar, Unwrapped};
use crate::time;

/// RFC 5424: `<34>1 TIME host app procid msgid [sd@1 k="v"] message`.
///
/// Heroku's drains leave the structured data out:
/// <https://devcenter.heroku.com/articles/log-drains#syslog-drains>
pub(super) fn rfc5424(line: &[u8]) -> Option<Unwrapped<'_>> {
    let at = priority(line, past_count(line))?;
    let (version, at) = word(line, at)?;
    if version != b"1" {
        return None;
    }
    let (stamp, host) = word(line, at)?;
    let clock = time::rfc3339(stamp);
    if clock.is_none() && stamp != b"-" {
        return None;
    }
    let (_, app) = word(line, host)?;
    let (_, procid) = word(line, app)?;
    let (process, msgid) = word(line, procid)?;
    let named = procid + process.len();
    let (_, data) = word(line, msgid).filter(|(id, _)| !id.is_empty())?;
    let at = structured_data(line, data).unwrap_or(data);
    let at = past_blanks(line, at);
    let bom = line.get(at..)?.starts_with(b"\xef\xbb\xbf");
    let unwrapped = Unwrapped::from(line, if bom { at + 3 } else { at })?;
    let process = Cow::Borrowed(&line[host..named]);
    Some(Unwrapped { time: clock, process, ..unwrapped })
}

/// The end of the structured data that begin here, `-` or elements in
/// brackets: RFC 5424 §6.3. `None`: it is the message that begins here.
fn structured_data(line: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    if line.get(at) == Some(&b'-') {
        at += 1;
    }
    while at != from + 1 && line.get(at) == Some(&b'[') {
        at = element(line, at)?;
    }
    let ends = matches!(line.get(at), None | Some(b' '));
    (ends && at > from).then_some(at)
}

/// The end of the element that begins here: `[id name="value" …]`, where a
/// backslash hides a quote, a bracket or itself.
fn element(line: &[u8], from: usize) -> Option<usize> {
    let name = |from: usize| {
        let rest = line.get(from..)?;
        let end = memchr::memchr3(b' ', b']', b'=', rest)?;
        (end > 0 && !rest[..end].contains(&b'"')).then_some(from + end)
    };
    let mut at = name(from + 1)?;
    while line.get(at) == Some(&b' ') {
        at = name(at + 1)?;
        at = line[at..].starts_with(b"=\"").then_some(at + 2)?;
        loop {
            at += memchr::memchr2(b'"', b'\\', line.get(at..)?)?;
            if line[at] == b'"' {
                break;
            }
            at += 2;
        }
        at += 1;
    }
    (line.get(at) == Some(&b']')).then_some(at + 1)
}

/// RFC 3164: `<134>Nov 29 13:44:23 host tag[pid]: message`. The priority and
/// the host may be missing.
pub(super) fn rfc3164<'a>(
    line: &'a [u8],
    calendar: Calendar,
) -> Option<Unwrapped<'a>> {
    let counted = past_count(line);
    let at = priority(line, counted).unwrap_or(counted);
    let end = yearless_end(line, at)?;
    let now = calendar.now.unwrap_or_default();
    let clock = time::yearless(&line[at..end], calendar.zone, now)?;
    let host = end + 1;
    let (process, colon) = match word(line, host)? {
        (word, _) if word.ends_with(b":") => tag(line, host)?,
        (_, next) => {
            let (_, colon) = tag(line, next)?;
            (&line[host..colon], colon)
        }
    };
    let unwrapped = Unwrapped::from(line, past_blanks(line, colon + 1))?;
    let process = Cow::Borrowed(process);
    Some(Unwrapped { time: calendar.now.map(|_| clock), process, ..unwrapped })
}

/// The end of the `Nov 29 13:44:23` that begins here, if a blank ends it.
fn yearless_end(line: &[u8], from: usize) -> Option<usize> {
    time::month(line.get(from..from + 3)?)?;
    let (_, day) = word(line, from)?;
    let (_, clock) = word(line, past_blanks(line, day))?;
    let (text, _) = word(line, clock)?;
    let end = clock + text.len();
    (line.get(end) == Some(&b' ')).then_some(end)
}

/// Syslog with a full time, as rsyslog writes its files and forwards, and
/// `journalctl -o short-iso` prints: `TIME host tag[pid]: message`.
///
/// Without a host a process id is demanded, or the name might be the first
/// word of a program's own line: Heroku's `heroku[router]:` has none.
pub(super) fn full_time(line: &[u8]) -> Option<Unwrapped<'_>> {
    let from = priority(line, 0).unwrap_or(0);
    let (clock, host) = time(line, from)?;
    let (name, next) = word(line, host)?;
    let (process, colon) = if name.ends_with(b":") {
        tag(line, host).filter(|(tag, _)| has_pid(tag))?
    } else {
        let (_, colon) = tag(line, next).filter(|_| is_host(name))?;
        (&line[host..colon], colon)
    };
    let unwrapped = Unwrapped::from(line, past_blanks(line, colon + 1))?;
    let process = Cow::Borrowed(process);
    Some(Unwrapped { time: Some(clock), process, ..unwrapped })
}

/// The `tag` or `tag[pid]` that begins here and the place of its colon.
fn tag(line: &[u8], from: usize) -> Option<(&[u8], usize)> {
    let (word, _) = word(line, from)?;
    let tag = word.strip_suffix(b":")?;
    let name = tag.split(|&byte| byte == b'[').next().unwrap_or(tag);
    let letter =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_./-@()+".contains(byte);
    let named = !name.is_empty() && name.iter().all(letter);
    let closed = name.len() == tag.len() || tag.ends_with(b"]");
    (named && closed && !is_level(name)).then_some((tag, from + tag.len()))
}

fn has_pid(tag: &[u8]) -> bool {
    let open = tag.iter().position(|&byte| byte == b'[');
    let pid = open.and_then(|at| tag[at + 1..].strip_suffix(b"]"));
    pid.is_some_and(|pid| {
        !pid.is_empty() && pid.iter().all(u8::is_ascii_digit)
    })
}

/// Whether a machine may be called this.
fn is_host(name: &[u8]) -> bool {
    let letter =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_.-:".contains(byte);
    name.first().is_some_and(u8::is_ascii_alphanumeric)
        && name.iter().all(letter)
        && !is_level(name)
}

/// The place behind the count of bytes that stands before a priority.
fn past_count(line: &[u8]) -> usize {
    let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match line.get(digits..) {
        Some([b' ', b'<', ..]) if digits > 0 => digits + 1,
        _ => 0,
    }
}

/// The place behind the priority that begins here.
fn priority(line: &[u8], from: usize) -> Option<usize> {
    let rest = line.get(from..)?.strip_prefix(b"<")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let right = (1..=3).contains(&digits) && rest.get(digits) == Some(&b'>');
    right.then_some(from + digits + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    /// What a line holds: message, process, time.
    fn detected(unwrapped: Option<Unwrapped<'_>>) -> Option<[String; 3]> {
        let unwrapped = unwrapped?;
        let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let at = unwrapped.time.map(|clock| clock.at.to_rfc3339());
        let (message, process) = (&unwrapped.message, &unwrapped.process);
        Some([text(message), text(process), at.unwrap_or_default()])
    }

    fn parts(parts: [&str; 3]) -> Option<[String; 3]> {
        Some(parts.map(str::to_owned))
    }

    #[test]
    fn every_shape_of_rfc_3164_is_read() {
        let now = time::rfc3339(b"2026-12-01T00:00:00Z").map(|c| c.at);
        let calendar = Calendar { zone: 0, now };
        let old = |line: &str| detected(rfc3164(line.as_bytes(), calendar));
        let time = "2026-11-29T13:44:23Z";
        for lead in ["<190>", "", "51 <190>"] {
            let line = format!("{lead}Nov 29 13:44:23 vm nginx: a b");
            assert_eq!(old(&line), parts(["a b", "vm nginx", time]), "{line}");
            let line =
                format!("{lead}Nov 29 13:44:23 haproxy[10292]: Connect");
            assert_eq!(old(&line), parts(["Connect", "haproxy[10292]", time]));
        }
        let line = "Nov  9 13:44:23 2001:db8::7 CRON[1]:   (root)";
        let cron =
            parts(["(root)", "2001:db8::7 CRON[1]", "2026-11-09T13:44:23Z"]);
        assert_eq!(old(line), cron);
        for line in [
            "Nov 29 13:44:23 vm Job `cron.daily' terminated",
            "Nov 29 13:44:23: --- last message repeated 5 times ---",
            "Nov 29 13:44 vm nginx: a",
            "Nov 29 25:44:23 vm nginx: a",
            "Nov 29 13:44:23 vm \"nginx\": a",
            "Nov 29 13:44:23",
            "<1900>Nov 29 13:44:23 vm nginx: a",
        ] {
            assert_eq!(old(line), None, "{line}");
        }
    }

    #[test]
    fn without_a_year_to_take_there_is_no_time() {
        let line = b"Nov 29 13:44:23 vm nginx: a";
        let unwrapped = rfc3164(line, Calendar::default()).unwrap();
        assert_eq!((unwrapped.time, &*unwrapped.message), (None, &b"a"[..]));
        let now = Some(Micros::from_secs(1_800_000_000));
        assert!(rfc3164(line, Calendar { zone: 0, now }).is_some_and(
            |unwrapped| {
                unwrapped.time.is_some_and(|c| c.grain == Micros::SECOND)
            }
        ));
    }

    #[test]
    fn structured_data_end_where_their_escapes_say() {
        let new = |rest: &str| {
            let line = format!("<34>1 2026-08-01T12:01:00.003Z h a 7 {rest}");
            detected(rfc5424(line.as_bytes()))
        };
        let is =
            |message| parts([message, "h a 7", "2026-08-01T12:01:00.003Z"]);
        for rest in [
            "- - m m",
            "ID47 -  m m",
            "- [a@1] m m",
            "- [a@1 k=\"\\\"\\]\\\\\" l=\"] x\"][b] m m",
            "- - \u{feff}m m",
            // Heroku leaves the data out.
            "- m m",
        ] {
            assert_eq!(new(rest), is("m m"), "{rest}");
        }
        assert_eq!(new("- -"), is(""));
        // What only begins like an element is the message.
        assert_eq!(new("- [x=\"y\""), is("[x=\"y\""));
        assert_eq!(new("- [2026-08-01 12:00] x"), is("[2026-08-01 12:00] x"));
    }

    #[test]
    fn what_is_not_rfc_5424_is_refused() {
        for line in [
            "<34>2 2026-08-01T12:01:00Z h a 7 - - m",
            "<34>1 now h a 7 - - m",
            "1 2026-08-01T12:01:00Z h a 7 - - m",
            "<34>1 2026-08-01T12:01:00Z h",
            "with another line",
        ] {
            assert_eq!(rfc5424(line.as_bytes()), None, "{line}");
        }
        let timeless = rfc5424(b"267 <158>1 - host heroku router - - at=info");
        let detected = detected(timeless);
        assert_eq!(detected, parts(["at=info", "host heroku router", ""]));
    }

    #[test]
    fn a_full_time_needs_a_host_or_a_process_behind_it() {
        let full = |line: &str| {
            let line = format!("2026-08-01T12:01:00.123456+00:00 {line}");
            detected(full_time(line.as_bytes()))
        };
        let is =
            |process| parts(["a", process, "2026-08-01T12:01:00.123456Z"]);
        assert_eq!(full("vm nginx: a"), is("vm nginx"));
        assert_eq!(full("vm haproxy[7]: a"), is("vm haproxy[7]"));
        assert_eq!(full("haproxy[7]: a"), is("haproxy[7]"));
        for line in [
            "heroku[router]: at=info",
            "app[web.1]: x",
            "INFO:     192.0.2.7:37798 - \"GET / HTTP/1.1\" 200 OK",
            "INFO access: x",
            " INFO tower_http: finished",
            "192.0.2.7 - - [01/Aug/2026:12:01:00 +0000]: x",
            "[GIN] x: y",
        ] {
            assert_eq!(full(line), None, "{line}");
        }
        let forwarded = b"<13>2026-08-01T12:01:00Z vm nginx: a";
        assert_eq!(
            detected(full_time(forwarded)),
            parts(["a", "vm nginx", "2026-08-01T12:01:00Z"])
        );
    }
}

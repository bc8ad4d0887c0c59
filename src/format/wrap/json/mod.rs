//! Objects with another program's line in them.
//!
//! An access record may be an object with a message too: Caddy's
//! `"msg":"handled request"`, pino's `"msg":"request completed"`. Three
//! things tell a wrapper from it. None of the keys under which servers log a
//! request's method, target, status or duration stands in a wrapper. A key
//! only shippers write stands in most of them, if only the message's own:
//! `log`, `_raw`, `MESSAGE`. And where none does, the message must tell of
//! a request itself.

use std::borrow::Cow;

use super::{Stream, Unwrapped};
use crate::format::object::{Broken, Raw, Value, unescape, walk};
use crate::time::{self, Clock};

mod keys;

use keys::{KEYS, KeyMeaning};

/// What one object tells.
#[derive(Debug, Default)]
struct Texts<'a> {
    line: Option<Line<'a>>,
    time: Option<(u8, Clock)>,
    process: Option<(u8, Cow<'a, [u8]>)>,
    stream: Stream,
    /// A text `time` is there, readable or not.
    timed: bool,
    /// The journal's own time is there.
    journal: bool,
    /// A whole number of milliseconds is the time.
    counted: bool,
    /// A key of `CloudWatch` is there.
    event: bool,
    /// A key only shippers write is there.
    shipper: bool,
    /// A key of an access record is there.
    access: bool,
    /// It goes on in the next.
    partial: bool,
}

/// The line in an object.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    rank: u8,
    value: Value<'a>,
    at: usize,
}

/// Ranks of the keys a line may stand under, the best first.
const LOG: u8 = 0;
const JOURNAL: u8 = 1;
const OWN: u8 = 2;
const MESSAGE: u8 = 3;

/// Docker's `json-file`. It writes a long line in pieces, of which only the
/// last ends with a line feed.
///
/// <https://docs.docker.com/engine/logging/drivers/json-file/>
pub(super) fn docker(record: &[u8]) -> Option<Unwrapped<'_>> {
    let found = Texts::of(record, b"\"stream\"")?;
    let own = found.stream != Stream::Unknown && found.timed;
    let line = found.line.filter(|line| own && line.rank == LOG)?;
    let Value::String(raw) = line.value else { return None };
    if found.access || found.shipper {
        return None;
    }
    let (message, ended) = undone(raw);
    Some(found.unwrapped(message, line.at, !ended))
}

/// `journalctl -o json`. A message that is not UTF-8 is an array of bytes,
/// one that was too long `null`.
///
/// <https://systemd.io/JOURNAL_EXPORT_FORMATS/>
pub(super) fn journald(record: &[u8]) -> Option<Unwrapped<'_>> {
    let found = Texts::of(record, b"\"__REALTIME_TIMESTAMP\"")?;
    let own = found.journal;
    let line = found.line.filter(|line| own && line.rank == JOURNAL)?;
    let message = match line.value {
        Value::String(raw) => undone(raw).0,
        Value::Number(_) => Cow::Owned(bytes(record, line.at)?),
        Value::Bool(_) | Value::Null => return None,
    };
    Some(found.unwrapped(message, line.at, false))
}

/// The bytes of the array whose first element begins here.
fn bytes(record: &[u8], at: usize) -> Option<Vec<u8>> {
    let list = record.get(at..)?;
    let end = memchr::memchr(b']', list)?;
    if !record[..at].trim_ascii_end().ends_with(b"[") {
        return None;
    }
    let mut bytes = Vec::with_capacity(end / 3);
    for number in list[..end].split(|&byte| byte == b',') {
        let number = std::str::from_utf8(number.trim_ascii()).ok()?;
        bytes.push(number.parse().ok()?);
    }
    Some(bytes)
}

/// An event of `CloudWatch` Logs, of a subscription (`id`) or of
/// `filter-log-events` (`eventId`, `ingestionTime`).
///
/// <https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_FilteredLogEvent.html>
pub(super) fn cloudwatch(record: &[u8]) -> Option<Unwrapped<'_>> {
    let found = Texts::of(record, b"\"message\"")?;
    let own = found.event && found.counted && !found.access;
    let line = found.line.filter(|line| own && line.rank == MESSAGE)?;
    let Value::String(raw) = line.value else { return None };
    Some(found.unwrapped(undone(raw).0, line.at, false))
}

/// Any other object around a line.
pub(super) fn message(record: &[u8]) -> Option<Unwrapped<'_>> {
    let found = Texts::of(record, b"")?;
    let line = found.line.filter(|_| !found.access)?;
    let Value::String(raw) = line.value else { return None };
    let (message, _) = undone(raw);
    let detected = line.rank < MESSAGE || found.shipper;
    if !detected && !tells_a_request(&message) {
        return None;
    }
    let partial = found.partial;
    Some(found.unwrapped(message, line.at, partial))
}

impl<'a> Texts<'a> {
    /// What an object tells that has this text in it.
    fn of(record: &'a [u8], text: &[u8]) -> Option<Texts<'a>> {
        let opened = record.trim_ascii_start().starts_with(b"{");
        if !opened || memchr::memmem::find(record, text).is_none() {
            return None;
        }
        let mut found = Texts::default();
        let walked = walk(record, &KEYS, |key, value, at| {
            found.take(*key, value, at);
            Ok::<_, Broken>(())
        });
        walked.is_ok().then_some(found)
    }

    fn take(&mut self, key: KeyMeaning, value: Value<'a>, at: usize) {
        match key {
            KeyMeaning::Line(rank) => self.take_line(rank, value, at),
            KeyMeaning::Time(rank) => self.take_time(rank, value),
            KeyMeaning::Process(rank) => self.take_process(rank, value),
            KeyMeaning::Output => self.take_output(value),
            KeyMeaning::Shipper => self.shipper = true,
            KeyMeaning::Event => self.event = true,
            KeyMeaning::EventId => self.event |= is_event_id(value),
            KeyMeaning::Access => self.access = true,
            KeyMeaning::Status => self.access |= is_status(value),
            KeyMeaning::Split => {
                self.shipper = true;
                self.partial = is(value, b"P");
            }
            KeyMeaning::Last => self.partial = is(value, b"false"),
        }
    }

    fn take_line(&mut self, rank: u8, value: Value<'a>, at: usize) {
        let text = match value {
            Value::String(_) => true,
            Value::Number(_) => rank == JOURNAL,
            Value::Bool(_) | Value::Null => false,
        };
        let best = self.line.as_ref().is_none_or(|line| rank < line.rank);
        if text && best {
            self.line = Some(Line { rank, value, at });
        }
    }

    fn take_time(&mut self, rank: u8, value: Value<'a>) {
        self.timed |= matches!(value, Value::String(_));
        self.journal |= rank == keys::JOURNAL_TIME;
        self.counted |= matches!(value, Value::Number(text)
            if text.len() == 13 && text.iter().all(u8::is_ascii_digit));
        let better = self.time.is_none_or(|(best, _)| rank < best);
        let read =
            |text: &[u8]| time::rfc3339(text).or_else(|| time::epoch(text));
        if better && let Some(text) = value.into_text() {
            self.time = read(&text).map(|time| (rank, time)).or(self.time);
        }
    }

    fn take_process(&mut self, rank: u8, value: Value<'a>) {
        let better =
            self.process.as_ref().is_none_or(|(best, _)| rank < *best);
        if better && let Some(text) = value.into_text() {
            self.process = Some((rank, text));
        }
        self.shipper |= rank < keys::PROCESS_OF_ANY;
    }

    fn take_output(&mut self, value: Value<'a>) {
        let Value::String(name) = value else { return };
        self.stream = Stream::named(name.bytes).unwrap_or(self.stream);
    }

    fn unwrapped(
        self,
        message: Cow<'a, [u8]>,
        at: usize,
        partial: bool,
    ) -> Unwrapped<'a> {
        Unwrapped {
            message,
            time: self.time.map(|(_, clock)| clock),
            process: self.process.map(|(_, text)| text).unwrap_or_default(),
            stream: self.stream,
            partial,
            at,
        }
    }
}

/// A string without its line feed, and whether it had one. That of every
/// line Docker writes is escaped: a string with no other escape is borrowed.
fn undone(raw: Raw<'_>) -> (Cow<'_, [u8]>, bool) {
    if !raw.escaped {
        return (Cow::Borrowed(raw.bytes), false);
    }
    let (text, ended) = without_escape(raw.bytes, b'n');
    let (text, _) =
        if ended { without_escape(text, b'r') } else { (text, false) };
    match memchr::memchr(b'\\', text) {
        Some(_) => (Cow::Owned(unescape(text)), ended),
        None => (Cow::Borrowed(text), ended),
    }
}

/// The text without the escape of this letter at its end, and whether it was
/// there: a backslash before the letter that no other one hides.
fn without_escape(text: &[u8], letter: u8) -> (&[u8], bool) {
    let Some(body) = text.strip_suffix(&[letter]) else {
        return (text, false);
    };
    let slashes = body.iter().rev().take_while(|&&byte| byte == b'\\');
    match slashes.count() % 2 {
        1 => (&body[..body.len() - 1], true),
        _ => (text, false),
    }
}

fn is(value: Value<'_>, text: &[u8]) -> bool {
    matches!(value, Value::String(raw) if raw.bytes == text)
}

/// `CloudWatch`'s ids have 56 digits, more than anybody else's.
fn is_event_id(value: Value<'_>) -> bool {
    matches!(value, Value::String(raw)
        if raw.bytes.len() > 40 && raw.bytes.iter().all(u8::is_ascii_digit))
}

/// A status as servers log it; a shipper's `"status":"info"` is none.
fn is_status(value: Value<'_>) -> bool {
    let digits =
        |text: &[u8]| text.len() == 3 && text.iter().all(u8::is_ascii_digit);
    match value {
        Value::String(raw) => digits(raw.bytes),
        Value::Number(text) => digits(text),
        Value::Bool(_) | Value::Null => false,
    }
}

/// Whether a text is an object, or names a method and its target with more
/// behind it: `GET /path 200`, `"GET http://h/path HTTP/1.1"`.
fn tells_a_request(text: &[u8]) -> bool {
    let text = text.trim_ascii();
    let object = text.starts_with(b"{") && text.ends_with(b"}");
    let mut slashes = memchr::memchr_iter(b'/', text);
    object || slashes.any(|at| is_target(text, at))
}

/// Whether the target of a request, to which something is added, has its
/// first slash here.
fn is_target(text: &[u8], at: usize) -> bool {
    const METHODS: [&[u8]; 7] =
        [b"GET", b"POST", b"DELETE", b"PUT", b"HEAD", b"PATCH", b"OPTIONS"];
    let head = &text[..at];
    let head = head.strip_suffix(b"http:").unwrap_or(head);
    let head = head.strip_suffix(b"https:").unwrap_or(head);
    let head = head.strip_suffix(b"\"").unwrap_or(head);
    let Some(end) = head.iter().rposition(|byte| !byte.is_ascii_whitespace())
    else {
        return false;
    };
    let gap = end + 1 < head.len();
    let method = METHODS.iter().any(|method| head[..=end].ends_with(method));
    let more = || text[at..].iter().any(u8::is_ascii_whitespace);
    gap && method && more()
}

#[cfg(test)]
mod tests;

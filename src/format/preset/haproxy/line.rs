//! `httplog`, `httpslog` and `tcplog`: they share their head.

use std::borrow::Cow;

use super::{Timers, address, clock, is_state};
use crate::format::preset::capture;
use crate::format::preset::cursor::Cursor;
use crate::format::{Field, NOT_ACCESS, Parsed, Record, Reject, Text};

/// Reads a line such as
/// `192.0.2.7:44740 [29/Nov/2026:13:43:23.262] front back/srv 0/0/0/1/60001
/// 200 583 - - ---- 12/2/9/9/0 0/0 {captured|} "GET /path HTTP/1.1"`.
pub(super) fn parse(record: &[u8], zone: i64) -> Parsed<Record<'_>> {
    let mut at = Cursor::new(record);
    let mut read = Record::default();
    let client = at.word("a client")?;
    let named = address(client);
    let named = named.ok_or(Reject::shape(0, "an address and a port"))?;
    at.literal("[")?;
    let place = at.at();
    let date = at.until(b']', "a time before ]")?;
    at.literal(" ")?;
    let date = clock(date, zone);
    let date = date.ok_or(Reject::time(place, "HAProxy's time"))?;
    is_request(at.word("a frontend")?)?;
    part(&mut at, "BACKEND/SERVER", |text| text.contains(&b'/'))?;
    let place = at.at();
    let text = at.word("timers")?;
    let (timers, is_http) =
        timers(text).ok_or(Reject::shape(place, "timers"))?;
    if is_http {
        http(&mut at, &mut read)?;
    } else {
        tcp(&mut at, &mut read)?;
    }
    timers.put(&mut read, date, place)?;
    // A connection is one request only in TCP mode. What is logged early is
    // not logged again at its end, so that nothing is to be joined.
    if !is_http && !timers.early {
        read.request_id = client.into();
    }
    read.address = named.into();
    Ok(read)
}

/// That the word behind the time names a frontend. `front/1:` has a message
/// behind it instead of a request, such as a TLS handshake that failed.
fn is_request(frontend: &[u8]) -> Parsed<()> {
    match frontend {
        [name @ .., b':'] if name.contains(&b'/') => {
            Err(Reject::shape(0, NOT_ACCESS))
        }
        _ => Ok(()),
    }
}

/// `TR/Tw/Tc/Tr/Ta` of HTTP, or `Tw/Tc/Tt`, and which.
fn timers(text: &[u8]) -> Option<(Timers, bool)> {
    let mut parts = text.split(|&byte| byte == b'/');
    let first = parts.next()?;
    let total = parts.next_back()?;
    let is_http = match parts.count() {
        3 => true,
        1 => false,
        _ => return None,
    };
    let timers = Timers::of(is_http.then_some(first), total)?;
    Some((timers, is_http))
}

/// A word of a kind.
fn part<'a>(
    at: &mut Cursor<'a>,
    expected: &'static str,
    is: impl Fn(&[u8]) -> bool,
) -> Parsed<&'a [u8]> {
    let place = at.at();
    let text = at.word(expected)?;
    if is(text) { Ok(text) } else { Err(Reject::shape(place, expected)) }
}

/// What a line of HTTP has behind its timers.
fn http<'a>(at: &mut Cursor<'a>, read: &mut Record<'a>) -> Parsed<()> {
    let is_status =
        |text: &[u8]| text == b"-1" || text.len() == 3 && is_count(text);
    let place = at.at();
    let status = part(at, "a status", is_status)?;
    Field::Status.put(read, status.into(), place)?;
    sent(at, read)?;
    at.word("a captured cookie")?;
    at.word("a captured cookie")?;
    state(at, read, 4)?;
    let captured = captured(at);
    for (index, group) in captured.iter().enumerate() {
        for value in group.split(|&byte| byte == b'|') {
            capture::put(read, unhashed(value), index == 0);
        }
    }
    request(at, read)
}

/// What a line of TCP has behind its timers.
fn tcp<'a>(at: &mut Cursor<'a>, read: &mut Record<'a>) -> Parsed<()> {
    sent(at, read)?;
    state(at, read, 2)
}

/// The bytes sent, the response's head among them.
fn sent<'a>(at: &mut Cursor<'a>, read: &mut Record<'a>) -> Parsed<()> {
    let sent = part(at, "a count of bytes", is_count)?;
    Field::Bytes.put(read, sent.into(), 0)
}

/// The termination state, and the connections and queues behind it.
fn state<'a>(
    at: &mut Cursor<'a>,
    read: &mut Record<'a>,
    length: usize,
) -> Parsed<()> {
    let place = at.at();
    let state = part(at, "a termination state", |text| {
        text.len() == length && is_state(text)
    })?;
    Field::Termination.put(read, state.into(), place)?;
    part(at, "counts of connections", |text| are_counts(text, 5))?;
    part(at, "lengths of queues", |text| are_counts(text, 2))?;
    Ok(())
}

/// Whether this is a number, perhaps one that was still growing.
fn is_count(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"+").unwrap_or(text);
    !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}

/// Whether these are so many numbers with slashes between.
fn are_counts(text: &[u8], count: usize) -> bool {
    let mut parts = text.split(|&byte| byte == b'/');
    parts.by_ref().take(count).filter(|part| is_count(part)).count() == count
        && parts.next().is_none()
}

/// Captured headers: `{request} {response}`, each there only when the
/// frontend captures some. The last may be cut by the line's greatest
/// length.
fn captured<'a>(at: &mut Cursor<'a>) -> [&'a [u8]; 2] {
    let mut groups = [&b""[..]; 2];
    for group in &mut groups {
        if at.accept("{") {
            *group = at.until(b'}', "}").unwrap_or_else(|_| at.tail());
            at.blanks();
        }
    }
    groups
}

/// The request line between quotes, the closing one missing where the line
/// was cut. A quote in it is logged as `#22`.
fn request<'a>(at: &mut Cursor<'a>, read: &mut Record<'a>) -> Parsed<()> {
    if at.rest().is_empty() {
        return Ok(());
    }
    at.literal("\"")?;
    let text = at.until(b'"', "\"").unwrap_or_else(|_| at.tail());
    read.set_request(unhashed(text));
    Ok(())
}

/// The text with HAProxy's escapes undone: `#` and two hexadecimal digits
/// for a byte that cannot be printed or that ends a field, and for `#`.
pub(super) fn unhashed(text: &[u8]) -> Text<'_> {
    let Some(first) = memchr::memchr(b'#', text) else {
        return Cow::Borrowed(text);
    };
    let (plain, mut rest) = text.split_at(first);
    let mut out = plain.to_vec();
    while let Some((&byte, tail)) = rest.split_first() {
        let escaped = tail.split_at_checked(2).and_then(|(hex, tail)| {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let value = digit(hex[0])? * 16 + digit(hex[1])?;
            Some((u8::try_from(value).ok()?, tail))
        });
        let plain = (byte, tail);
        let (byte, tail) = match byte {
            b'#' => escaped.unwrap_or(plain),
            _ => plain,
        };
        out.push(byte);
        rest = tail;
    }
    Cow::Owned(out)
}

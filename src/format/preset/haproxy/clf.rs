//! `option httplog clf`: the common log format with HAProxy's own fields
//! behind it, one a word.

use super::line::unhashed;
use super::{Timers, is_state};
use crate::format::preset::capture;
use crate::format::preset::cursor::Cursor;
use crate::format::{Field, Parsed, Record, Reject};
use crate::time::{self, Clock, Unit};

/// Reads a line such as
/// `192.0.2.7 - - [29/Nov/2026:13:43:23 +0000] "GET /path HTTP/1.1" 200 583
/// "" "" 39830 362 "front" "back" "srv" 0 0 0 1 60002 ---- 10 2 7 7 0 0 0
/// "" "" "captured"`.
///
/// The referrer and the agent are always empty. The time is the request's
/// own, cut to seconds, but the milliseconds behind the port are those of
/// the connection: they fit its first request and are as good as any for
/// the others.
pub(super) fn parse(record: &[u8]) -> Parsed<Record<'_>> {
    let mut at = Cursor::new(record);
    let mut read =
        Record { address: at.word("an address")?.into(), ..Record::default() };
    at.literal("- - [")?;
    let place = at.at();
    let date = time::clf(at.until(b']', "a time before ]")?);
    let date = date.ok_or(Reject::time(place, "a time"))?;
    at.literal(" ")?;
    at.literal("\"")?;
    let request = at.until(b'"', "a closing quote")?;
    at.literal(" ")?;
    let status = at.word("a status")?;
    let sent = at.word("a count of bytes")?;
    at.literal("\"\" \"\" ")?;
    read.set_request(unhashed(request));
    Field::Status.put(&mut read, status.into(), 0)?;
    Field::Bytes.put(&mut read, sent.into(), 0)?;
    number(&mut at)?;
    let millis = number(&mut at)?;
    for expected in ["a frontend", "a backend", "a server"] {
        at.quoted(expected)?;
    }
    let place = at.at();
    let timers = timers(&mut at)?;
    let millis = time::decimal(millis, Unit::Millis).unwrap_or_default();
    let date = Clock { at: date.at + millis, ..date };
    tail(&mut at, &mut read)?;
    timers.put(&mut read, date, place)?;
    Ok(read)
}

/// A whole number.
fn number<'a>(at: &mut Cursor<'a>) -> Parsed<&'a [u8]> {
    let place = at.at();
    let text = at.word("a number")?;
    if text.iter().all(u8::is_ascii_digit) {
        Ok(text)
    } else {
        Err(Reject::shape(place, "a number"))
    }
}

/// `TR Tw Tc Tr Ta`.
fn timers(at: &mut Cursor<'_>) -> Parsed<Timers> {
    let place = at.at();
    let first = at.word("timers")?;
    for _ in 0..3 {
        at.word("timers")?;
    }
    let total = at.word("timers")?;
    Timers::of(Some(first), total).ok_or(Reject::shape(place, "timers"))
}

/// The state, seven counts, two cookies, and captured headers.
fn tail<'a>(at: &mut Cursor<'a>, read: &mut Record<'a>) -> Parsed<()> {
    let place = at.at();
    let state = at.word("a termination state")?;
    if !is_state(state) {
        return Err(Reject::shape(place, "a termination state"));
    }
    Field::Termination.put(read, state.into(), place)?;
    for _ in 0..7 {
        at.word("a count")?;
    }
    at.quoted("a captured cookie")?;
    at.quoted("a captured cookie")?;
    while at.accept("\"") {
        let value = at.until(b'"', "\"").unwrap_or_else(|_| at.tail());
        capture::put(read, unhashed(value), true);
        at.blanks();
    }
    Ok(())
}

//! One entry under the names the W3C extended format gives its columns,
//! whether they stand in a row or are the keys of an object.

use crate::format::{Field, Parsed, Record, Reject, Text, record::EndedBy};
use crate::input::unescaped;
use crate::time::{self, Clock, Micros, Unit};

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::format) enum Column {
    /// The day in UTC.
    Date,
    /// The time of day in UTC.
    Time,
    /// The day in local time.
    LocalDate,
    /// The time of day in local time.
    LocalTime,
    /// When the request began, a count since 1970.
    Start,
    /// When it ended, a count since 1970.
    End,
    /// How long it took.
    Taken,
    /// The method.
    Method,
    /// The path.
    Stem,
    /// The path or the URL, with its query.
    Uri,
    /// The client's address.
    Address,
    /// The header `X-Forwarded-For`.
    Forwarded,
    /// The user agent.
    Agent,
    /// The status.
    Status,
    /// The bytes sent, the response's head among them.
    Bytes,
    /// What Windows made of the last write to the client.
    Win32,
    /// How CloudFront classes the response.
    EdgeResult,
    /// The request id.
    RequestId,
    /// The header `Mcp-Method`.
    McpMethod,
    /// The header `Mcp-Session-Id`.
    Session,
    /// What is not looked at.
    Other,
}

/// The names, in lower case. Those without a prefix are IIS's custom columns
/// and CloudFront's fields; `TimeTakenMS` is IIS Advanced Logging's.
const NAMES: &[(&str, Column)] = &[
    ("date", Column::Date),
    ("time", Column::Time),
    ("date-utc", Column::Date),
    ("time-utc", Column::Time),
    ("date-local", Column::LocalDate),
    ("time-local", Column::LocalTime),
    ("cs-start", Column::Start),
    ("timestamp(ms)", Column::End),
    ("timestamp", Column::End),
    ("time-taken", Column::Taken),
    ("timetakenms", Column::Taken),
    ("cs-method", Column::Method),
    ("cs-uri-stem", Column::Stem),
    ("cs-uri", Column::Uri),
    ("c-ip", Column::Address),
    ("x-forwarded-for", Column::Forwarded),
    ("user-agent", Column::Agent),
    ("sc-status", Column::Status),
    ("sc-bytes", Column::Bytes),
    ("sc-win32-status", Column::Win32),
    ("x-edge-detailed-result-type", Column::EdgeResult),
    ("x-edge-request-id", Column::RequestId),
    ("x-request-id", Column::RequestId),
    ("mcp-method", Column::McpMethod),
    ("mcp-session-id", Column::Session),
];

impl Column {
    /// Every name and what stands under it, for the keys of an object.
    pub(in crate::format) fn keys()
    -> impl Iterator<Item = (&'static str, Column)> {
        let headers = [
            ("cs(User-Agent)", Column::Agent),
            ("cs(X-Forwarded-For)", Column::Forwarded),
            ("cs(Mcp-Method)", Column::McpMethod),
            ("cs(Mcp-Session-Id)", Column::Session),
        ];
        NAMES.iter().copied().chain(headers)
    }

    /// What stands under this name. `cs(Name)` and `sc(Name)` are headers of
    /// the request and of the response.
    pub(super) fn named(name: &[u8]) -> Column {
        let header = ["cs(", "sc("].into_iter().find_map(|side| {
            name.strip_prefix(side.as_bytes())?.strip_suffix(b")")
        });
        let name = header.unwrap_or(name);
        let known = NAMES
            .iter()
            .find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name));
        known.map_or(Column::Other, |(_, column)| *column)
    }
}

/// How the values of an entry are meant, beyond their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::format) struct Meaning {
    /// The unit of the duration; `None`: seconds when it has decimals, else
    /// milliseconds.
    pub(in crate::format) unit: Option<Unit>,
    /// Whether values are percent-encoded; else `+` stands for a blank.
    pub(in crate::format) percent: bool,
    /// Whether date and time are those of the start.
    pub(in crate::format) starts: bool,
    /// Seconds east of UTC of local times.
    pub(in crate::format) zone: i64,
}

/// The values of one entry that are looked at.
#[derive(Debug, Default)]
pub(in crate::format) struct Entry<'a> {
    values: [Option<(Text<'a>, usize)>; Column::Other as usize],
    /// The day a `#Date` directive gives to rows that show none.
    day: Option<[u8; 10]>,
}

impl<'a> Entry<'a> {
    /// An entry of this day, if it shows none itself.
    pub(super) fn of(day: Option<[u8; 10]>) -> Entry<'a> {
        Entry { day, ..Entry::default() }
    }

    /// Takes the value of a column, which stood at byte `at` of the record.
    /// `-` and nothing are no values; of two the first is kept.
    pub(in crate::format) fn take(
        &mut self,
        column: Column,
        text: Text<'a>,
        at: usize,
    ) {
        let absent = text.is_empty() || *text == *b"-";
        if let Some(slot) = self.values.get_mut(column as usize)
            && slot.is_none()
            && !absent
        {
            *slot = Some((text, at));
        }
    }

    /// The record these values make.
    ///
    /// # Errors
    ///
    /// A [`Reject`] when no time or not the duration can be read.
    pub(in crate::format) fn into_record(
        mut self,
        meaning: Meaning,
    ) -> Parsed<Record<'a>> {
        let ended_by = self.ended_by();
        let mut record = Record { ended_by, ..Record::default() };
        self.times(&mut record, meaning)?;
        if let Some((text, at)) = self.pull(Column::Taken) {
            let duration = taken(&text, meaning.unit);
            let duration =
                duration.ok_or_else(|| Reject::duration(at, "a duration"));
            record.offer_duration(duration?, at)?;
        }
        for (column, field) in [
            (Column::Method, Field::Method),
            (Column::Uri, Field::Target),
            (Column::Stem, Field::Target),
            (Column::Address, Field::Address),
            (Column::Forwarded, Field::Forwarded),
            (Column::Status, Field::Status),
            (Column::Bytes, Field::Bytes),
            (Column::RequestId, Field::RequestId),
        ] {
            if let Some((text, at)) = self.pull(column) {
                field.put(&mut record, text, at)?;
            }
        }
        let mut readable = |column| {
            let value = self.pull(column);
            value.map_or(Text::default(), |(t, _)| plain(t, meaning.percent))
        };
        record.agent = readable(Column::Agent);
        record.mcp_method = readable(Column::McpMethod);
        record.session = readable(Column::Session);
        Ok(record)
    }

    fn pull(&mut self, column: Column) -> Option<(Text<'a>, usize)> {
        self.values.get_mut(column as usize)?.take()
    }

    fn see(&self, column: Column) -> Option<&[u8]> {
        let slot = self.values.get(column as usize)?.as_ref();
        slot.map(|(text, _)| &**text)
    }

    /// Puts the times; there must be one.
    fn times(&self, record: &mut Record<'_>, meaning: Meaning) -> Parsed<()> {
        let date = self.see(Column::Date);
        let date = date.or(self.day.as_ref().map(|day| &day[..]));
        let utc = joined(date, self.see(Column::Time));
        let shift = Micros::from_secs(meaning.zone);
        let days = [Column::LocalDate, Column::Date];
        let local = days.into_iter().find_map(|day| {
            joined(self.see(day), self.see(Column::LocalTime))
        });
        let local = local.map(|c| Clock { at: c.at - shift, ..c });
        let written = utc.or(local);
        match written {
            Some(clock) if meaning.starts => record.offer_start(clock),
            Some(clock) => record.offer_end(clock),
            None => {}
        }
        if let Some(clock) = self.see(Column::Start).and_then(time::epoch) {
            record.offer_start(clock);
        }
        if let Some(clock) = self.see(Column::End).and_then(time::epoch) {
            record.offer_end(clock);
        }
        if (record.start, record.end) == (None, None) {
            return Err(Reject::time(0, "a date and a time"));
        }
        Ok(())
    }

    /// The client ended it when writing to it failed, for Windows with one
    /// of: 64 the name was deleted, 121 the semaphore timed out, 995 the
    /// operation was aborted, 1236 the connection was aborted, 10054 it was
    /// reset. CloudFront says so, or has no status for it.
    /// <https://learn.microsoft.com/windows/win32/debug/system-error-codes>
    fn ended_by(&self) -> EndedBy {
        let win32 = self.see(Column::Win32);
        let gone = matches!(
            win32,
            Some(b"64" | b"121" | b"995" | b"1236" | b"10054")
        );
        let edge = self.see(Column::EdgeResult) == Some(b"ClientCommError");
        let unsent = self.see(Column::Status) == Some(b"000");
        if gone || edge || unsent { EndedBy::Client } else { EndedBy::Unknown }
    }
}

/// A duration of this unit; without one, decimals say that it is seconds.
fn taken(text: &[u8], unit: Option<Unit>) -> Option<Micros> {
    let seconds = memchr::memchr(b'.', text).is_some();
    let guess = if seconds { Unit::Seconds } else { Unit::Millis };
    time::decimal(text, unit.unwrap_or(guess))
}

/// A day and a time of day in UTC, in one.
fn joined(date: Option<&[u8]>, time: Option<&[u8]>) -> Option<Clock> {
    let (date, time) = (date?, time?);
    let mut text = [0; 40];
    let length = date.len() + time.len() + 2;
    let slot = text.get_mut(..length).filter(|_| date.len() == 10)?;
    slot[..10].copy_from_slice(date);
    slot[10] = b'T';
    slot[11..length - 1].copy_from_slice(time);
    slot[length - 1] = b'Z';
    time::rfc3339(slot)
}

/// A value as it was sent: `%20` or `+` made a blank again.
fn plain(text: Text<'_>, percent: bool) -> Text<'_> {
    let mark = if percent { b'%' } else { b'+' };
    if memchr::memchr(mark, &text).is_none() {
        return text;
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(&byte) = rest.first() {
        let escape = unescaped(rest, false).filter(|_| percent);
        let blank = if byte == mark { b' ' } else { byte };
        let byte = if percent { byte } else { blank };
        let (byte, length) = escape.unwrap_or((byte, 1));
        out.push(byte);
        rest = &rest[length..];
    }
    Text::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known_in_any_case_and_as_headers() {
        for (name, column) in [
            ("cs-uri-stem", Column::Stem),
            ("cs(User-Agent)", Column::Agent),
            ("cs(Mcp-Method)", Column::McpMethod),
            ("cs(MCP-Session-Id)", Column::Session),
            ("sc(Mcp-Session-Id)", Column::Session),
            ("Mcp-Method", Column::McpMethod),
            ("X-Forwarded-For", Column::Forwarded),
            ("TimeTakenMS", Column::Taken),
            ("cs(Cookie)", Column::Other),
            ("cs(", Column::Other),
            ("", Column::Other),
        ] {
            assert_eq!(Column::named(name.as_bytes()), column, "{name}");
        }
    }

    #[test]
    fn values_are_made_as_they_were_sent() {
        let of = |text: &'static str, percent| {
            let text = plain(text.as_bytes().into(), percent);
            String::from_utf8(text.into_owned()).unwrap()
        };
        assert_eq!(of("mcp/1.0+(x;+y)", false), "mcp/1.0 (x; y)");
        assert_eq!(of("a%20b+c", false), "a%20b c");
        assert_eq!(of("a%20b+c%", true), "a b+c%");
    }

    #[test]
    fn decimals_say_seconds_where_nothing_else_does() {
        for (text, unit, micros) in [
            (&b"60001"[..], None, 60_001_000),
            (b"60.001", None, 60_001_000),
            (b"60.001", Some(Unit::Seconds), 60_001_000),
            (b"60", Some(Unit::Seconds), 60_000_000),
            (b"60", Some(Unit::Millis), 60_000),
        ] {
            assert_eq!(taken(text, unit), Some(Micros(micros)));
        }
    }

    #[test]
    fn a_day_and_a_time_make_an_instant_or_nothing() {
        let of = |date: &'static str, time: &'static str| {
            let clock = joined(Some(date.as_bytes()), Some(time.as_bytes()));
            clock.map(|c| (c.at.to_rfc3339(), c.grain))
        };
        let whole = ("2026-08-01T12:01:00Z".to_owned(), Micros::SECOND);
        assert_eq!(of("2026-08-01", "12:01:00"), Some(whole));
        let fine = ("2026-08-01T12:01:00.363Z".to_owned(), Micros(1_000));
        assert_eq!(of("2026-08-01", "12:01:00.363"), Some(fine));
        let long = "12:01:00.363000000000000000000000000000000";
        for (date, time) in
            [("", ""), ("2026-08-1", "12:01:00"), ("2026-08-01", long)]
        {
            assert_eq!(of(date, time), None, "{date} {time}");
        }
    }
}

//! The W3C extended log format: IIS, CloudFront's standard log version 1,
//! and others.
//!
//! A `#Fields` directive names the columns of the rows behind it. IIS writes
//! a new one whenever it starts, and the columns may be others then: which
//! hold for a row is told by where it stands. Rows are written when the
//! request has ended, and their date and time are that end in UTC.
//! `time-taken` is milliseconds for IIS, seconds for CloudFront.
//! <https://www.w3.org/TR/WD-logfile.html>
//! <https://learn.microsoft.com/windows/win32/http/w3c-logging>
//! <https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html>

use std::net::IpAddr;

mod columns;
mod entry;

pub(in crate::format) use entry::{Column, Entry, Meaning};

use columns::{Columns, Writer};

use super::{Mark, NOT_ACCESS, Parsed, Record, Reject};
use crate::time::Unit;

/// How many layouts of the first records are tried before it is known where
/// each begins.
const FIRST: usize = 16;

/// A log of this format.
#[derive(Clone, Debug)]
pub struct W3c {
    /// The columns, and the byte of the input their directive stands at; in
    /// the order of the input.
    layouts: Vec<(u64, Columns)>,
    /// The days `#Date` directives tell, where the rows may not.
    days: Vec<(u64, [u8; 10])>,
    /// Whether the places of the layouts are not known yet.
    unplaced: bool,
    writer: Writer,
    mark: Mark,
    has_duration: bool,
    unit: Option<Unit>,
    zone: i64,
}

impl W3c {
    /// The format of a log with these first records, its directives among
    /// them; `None` when fewer than half of the rows have the columns these
    /// name. Without a directive, rows of IIS's or CloudFront's usual
    /// columns are known.
    ///
    /// Until [`note`](W3c::note) is called, a record is read by whichever
    /// of the columns fit it.
    pub fn detect(records: &[&[u8]]) -> Option<W3c> {
        let mut layouts: Vec<Columns> = Vec::new();
        for names in records.iter().filter_map(|record| fields(record)) {
            let columns = Columns::new(names);
            let new = columns.suffice() && !layouts.contains(&columns);
            if new && layouts.len() < FIRST {
                layouts.push(columns);
            }
        }
        let day = records.iter().find_map(|record| day(record));
        let rows = records.iter().filter(|record| !is_directive(record));
        let rows: Vec<&[u8]> = rows.copied().collect();
        if layouts.is_empty() {
            let usual = Columns::usual().into_iter();
            let mut usual = usual.map(|c| W3c::new(vec![c], None, false));
            return usual.find(|w3c| w3c.is_of(&rows));
        }
        let w3c = W3c::new(layouts, day, true);
        let read = rows.iter().filter(|row| w3c.parse(row, 0).is_ok());
        (read.count() * 2 >= rows.len()).then_some(w3c)
    }

    fn new(
        layouts: Vec<Columns>,
        day: Option<[u8; 10]>,
        unplaced: bool,
    ) -> W3c {
        let has_duration = layouts.iter().any(Columns::has_duration);
        let first = layouts.first();
        let starts = first.is_some_and(Columns::starts);
        W3c {
            writer: first.map_or(Writer::Other, |first| first.writer),
            mark: if starts { Mark::Start } else { Mark::End },
            layouts: layouts.into_iter().map(|c| (0, c)).collect(),
            days: day.map(|day| (0, day)).into_iter().collect(),
            unplaced,
            has_duration,
            unit: None,
            zone: 0,
        }
    }

    /// Whether most of these rows, whose columns nothing names, are requests
    /// when read by these. An address where another column would stand says
    /// that as many columns are no others.
    fn is_of(&self, rows: &[&[u8]]) -> bool {
        let sound = |row: &&&[u8]| {
            self.parse(row, 0).is_ok_and(|read| {
                read.method.first().is_some_and(u8::is_ascii_uppercase)
                    && read.target.first() == Some(&b'/')
                    && is_address(&read.address)
            })
        };
        !rows.is_empty() && rows.iter().filter(sound).count() * 2 >= rows.len()
    }

    /// Takes up the directives in these bytes, which begin at byte `offset`
    /// of the input and at the start of a line. Parts of an input are noted
    /// in their order. Takes time linear in the bytes.
    pub fn note(&mut self, bytes: &[u8], offset: u64) {
        if std::mem::take(&mut self.unplaced) {
            self.layouts.clear();
            self.days.clear();
        }
        let marks = memchr::memmem::find_iter(bytes, b"\n#").map(|at| at + 1);
        for start in [0].into_iter().chain(marks) {
            let line = &bytes[start..];
            let end = memchr::memchr(b'\n', line).unwrap_or(line.len());
            self.note_line(&line[..end], offset + start as u64);
        }
    }

    fn note_line(&mut self, line: &[u8], at: u64) {
        if let Some(names) = fields(line) {
            let columns = Columns::new(names);
            let last = self.layouts.last();
            if last.is_none_or(|(_, last)| *last != columns) {
                self.has_duration |= columns.has_duration();
                self.layouts.push((at, columns));
            }
        } else if let Some(day) = day(line)
            && self.days.last().is_none_or(|(_, last)| *last != day)
        {
            self.days.push((at, day));
        }
    }

    /// Reads one record, which stands at byte `offset` of the input.
    ///
    /// # Errors
    ///
    /// A [`Reject`]; one that expected [`NOT_ACCESS`] is of a directive.
    pub fn parse<'a>(
        &self,
        record: &'a [u8],
        offset: u64,
    ) -> Parsed<Record<'a>> {
        if is_directive(record) {
            return Err(Reject::shape(0, NOT_ACCESS));
        }
        let day = before(&self.days, offset).copied();
        let read = |columns: &Columns| {
            columns.parse(record, day, self.unit, self.zone)
        };
        let none = Err(Reject::shape(0, "a #Fields directive before it"));
        if !self.unplaced {
            return before(&self.layouts, offset).map_or(none, read);
        }
        let mut reads = self.layouts.iter().map(|(_, columns)| read(columns));
        let first = reads.next().unwrap_or(none);
        first.or_else(|why| reads.find_map(Result::ok).ok_or(why))
    }

    /// The name it is chosen by: `iis`, `cloudfront` or `w3c`.
    pub fn name(&self) -> &'static str {
        match self.writer {
            Writer::Iis => "iis",
            Writer::CloudFront => "cloudfront",
            Writer::Other => "w3c",
        }
    }

    /// What its times mark.
    pub fn mark(&self) -> Mark {
        self.mark
    }

    /// Whether it logs how long requests took.
    pub fn has_duration(&self) -> bool {
        self.has_duration
    }

    /// The unit its durations are read in; `None` when there are none.
    /// Those of an unknown writer that have decimals are seconds.
    pub fn unit(&self) -> Option<Unit> {
        let own = match self.writer {
            Writer::CloudFront => Unit::Seconds,
            Writer::Iis | Writer::Other => Unit::Millis,
        };
        self.has_duration.then_some(self.unit.unwrap_or(own))
    }

    /// The same format with its durations in this unit.
    #[must_use]
    pub fn with_unit(self, unit: Unit) -> W3c {
        W3c { unit: Some(unit), ..self }
    }

    /// The same format with its local times taken to be this many seconds
    /// east of UTC.
    #[must_use]
    pub fn with_zone(self, zone: i64) -> W3c {
        W3c { zone, ..self }
    }
}

/// What the last directive at or before this byte says.
fn before<T>(directives: &[(u64, T)], offset: u64) -> Option<&T> {
    let count = directives.partition_point(|(at, _)| *at <= offset);
    directives[..count].last().map(|(_, said)| said)
}

/// Whether this is an address, which may name the zone it is of.
fn is_address(text: &[u8]) -> bool {
    let zone = text.iter().position(|&byte| byte == b'%');
    let text = str::from_utf8(&text[..zone.unwrap_or(text.len())]);
    text.is_ok_and(|text| text.parse::<IpAddr>().is_ok())
}

/// A line without the mark of UTF-8 that Windows puts before a file.
fn bare(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
}

fn is_directive(line: &[u8]) -> bool {
    bare(line).starts_with(b"#")
}

/// The names of a `#Fields` directive.
fn fields(line: &[u8]) -> Option<&[u8]> {
    bare(line).strip_prefix(b"#Fields:")
}

/// The day of a `#Date` directive.
fn day(line: &[u8]) -> Option<[u8; 10]> {
    let date = bare(line).strip_prefix(b"#Date:")?.trim_ascii_start();
    let day = *date.first_chunk::<10>()?;
    (day[4] == b'-' && day[7] == b'-').then_some(day)
}

#[cfg(test)]
mod tests;

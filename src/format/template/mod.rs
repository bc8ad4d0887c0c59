//! Formats described by a string: nginx's `log_format`, Apache's `LogFormat`.
//!
//! The string is compiled once, with nom, into the texts that stand in every
//! line and the values between them; lines are then read without nom and
//! without allocating, but for values of `escape=json` with an escape in
//! them. There is no backtracking: a value ends where the text behind it
//! first stands, so a line costs one pass whatever it holds.

mod apache;
mod clock;
mod draft;
mod error;
mod literal;
mod nginx;
mod source;

use std::borrow::Cow;

use super::json::unescape;
use super::{Field, Mark, Record, Reject, Shape, Text};
use crate::time::{self, Micros, Unit};

pub use error::TemplateError;
use literal::Literal;
pub(super) use source::{quoted, space};

/// A compiled format string.
#[derive(Clone, Debug)]
pub struct Template {
    source: String,
    lead: Literal,
    slots: Vec<Slot>,
    escape: Escape,
}

/// A value and the text behind it.
#[derive(Clone, Debug)]
struct Slot {
    take: Take,
    end: End,
    after: Literal,
}

/// What is done with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Take {
    /// It is passed over.
    Nothing,
    /// It fills a field.
    Field(Field),
    /// A list of seconds, summed up: the duration when no better is logged.
    Sum,
}

/// Where a value ends.
#[derive(Clone, Copy, Debug)]
enum End {
    /// Where the text behind it first stands.
    Literal,
    /// The same, but not inside the list that the value is.
    List,
    /// At the first blank, behind which the text goes on.
    Blank,
    /// At the first quote that is not escaped.
    Quote,
    /// So that the text behind it ends the line.
    Suffix,
    /// Before the next slash.
    Slash,
    /// After so many bytes.
    Width(usize),
    /// With the line; it has no blanks.
    Word,
    /// With the line.
    Rest,
}

/// How the server escapes what it puts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    /// A quote never stands bare: Apache writes `\"`, nginx `\x22`.
    Backslash,
    /// As in a JSON string.
    Json,
    /// Not at all.
    None,
}

impl Template {
    /// Compiles an nginx `log_format`, as it stands in the configuration:
    /// with or without `log_format NAME`, `escape=`, quotes and semicolon.
    ///
    /// nginx writes a record when the request has ended, so all its times
    /// are ends. Texts stay as logged (`\x22`), except that the escapes of
    /// `escape=json` are undone.
    /// Source: <https://nginx.org/en/docs/http/ngx_http_log_module.html>.
    ///
    /// # Errors
    ///
    /// A [`TemplateError`] that shows the place.
    pub fn nginx(format: &str) -> Result<Template, TemplateError> {
        nginx::compile(format)
    }

    /// Compiles an Apache `LogFormat`, as it stands in the configuration or
    /// with its quotes and escapes undone. Nicknames are not resolved here.
    ///
    /// Apache's times are when the request was received, unless `end:` says
    /// otherwise. Texts stay as logged (`\"`).
    /// Source: <https://httpd.apache.org/docs/2.4/mod/mod_log_config.html>.
    ///
    /// # Errors
    ///
    /// A [`TemplateError`] that shows the place.
    pub fn apache(format: &str) -> Result<Template, TemplateError> {
        apache::compile(format)
    }

    /// The same format for a server whose times without a zone are this many
    /// seconds east of UTC.
    #[must_use]
    pub fn with_zone(mut self, seconds: i64) -> Template {
        for slot in &mut self.slots {
            if let Take::Field(Field::Time(_, Shape::Pattern(_, zone))) =
                &mut slot.take
            {
                *zone = seconds;
            }
        }
        self
    }

    /// The format string, as it was given.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The values it takes from a line, for people: `client, end, request`.
    pub fn describe(&self) -> String {
        draft::words(&self.slots)
    }

    /// Whether it logs how long a request took.
    pub fn has_hold(&self) -> bool {
        self.slots.iter().any(|slot| {
            matches!(slot.take, Take::Sum | Take::Field(Field::Hold(_)))
        })
    }

    /// Whether it logs any time.
    pub fn has_time(&self) -> bool {
        self.marks().next().is_some()
    }

    /// Whether start and end can be told: a time and a duration, or both
    /// times.
    pub fn has_interval(&self) -> bool {
        let both = self.marks().any(|mark| mark == Mark::Start)
            && self.marks().any(|mark| mark == Mark::End);
        both || (self.has_hold() && self.has_time())
    }

    /// How many values stand in a line: of two formats that fit it, the one
    /// with more of them says more about it.
    pub fn values(&self) -> usize {
        self.slots.len()
    }

    /// What its times mark: the end where it logs one.
    pub fn mark(&self) -> Mark {
        match self.marks().any(|mark| mark == Mark::End) {
            true => Mark::End,
            false => self.marks().next().unwrap_or(Mark::Either),
        }
    }

    /// The unit of its duration.
    pub fn unit(&self) -> Option<Unit> {
        self.slots.iter().find_map(|slot| match slot.take {
            Take::Field(Field::Hold(unit)) => Some(unit),
            Take::Sum => Some(Unit::Seconds),
            _ => None,
        })
    }

    /// The same format with its duration in this unit.
    #[must_use]
    pub fn with_unit(mut self, unit: Unit) -> Template {
        for slot in &mut self.slots {
            if let Take::Field(Field::Hold(there)) = &mut slot.take {
                *there = unit;
            }
        }
        self
    }

    /// What its times mark.
    fn marks(&self) -> impl Iterator<Item = Mark> {
        self.slots.iter().filter_map(|slot| match slot.take {
            Take::Field(Field::Time(mark, _)) => Some(mark),
            _ => None,
        })
    }

    /// Reads one line, without its line end.
    ///
    /// # Errors
    ///
    /// [`Reject`] when the whole line has not this format's shape, or a time
    /// or duration in it cannot be read.
    pub fn parse<'a>(&self, line: &'a [u8]) -> Result<Record<'a>, Reject> {
        let mut record = Record::default();
        let mut at = self.lead.pass(line, 0)?;
        for slot in &self.slots {
            let end = slot.end(line, at)?;
            let text = line.get(at..end).unwrap_or(b"");
            slot.take.put(&mut record, text, at, self.escape)?;
            at = slot.after.pass(line, end)?;
        }
        if at < line.len() {
            return Err(Reject::shape(at, "the end of the record"));
        }
        Ok(record)
    }
}

/// The text with the escapes of `escape=json` undone, borrowed when it has
/// none.
fn unescaped(text: &[u8]) -> Text<'_> {
    match memchr::memchr(b'\\', text) {
        Some(_) => Text::Owned(unescape(text)),
        None => Text::Borrowed(text),
    }
}

impl Slot {
    /// Where the value that starts at `at` ends.
    fn end(&self, line: &[u8], at: usize) -> Result<usize, Reject> {
        match self.end {
            End::Literal => self.after.find(line, at),
            End::List => self.after.find_past_list(line, at),
            End::Blank => {
                let rest = line.get(at..).unwrap_or(b"");
                let blank = memchr::memchr(b' ', rest);
                Ok(at + blank.unwrap_or(rest.len()))
            }
            End::Quote => quote(line, at),
            End::Suffix => self.after.suffix(line, at),
            End::Slash => slash(line, at),
            End::Width(width) if line.len() - at < width => {
                Err(Reject::time(at, "a time"))
            }
            End::Width(width) => Ok(at + width),
            End::Word => word(line, at),
            End::Rest => Ok(line.len()),
        }
    }
}

/// The first quote from `at` on that no backslash escapes.
fn quote(line: &[u8], at: usize) -> Result<usize, Reject> {
    let mut from = at;
    while let Some(rest) = line.get(from..) {
        let Some(found) = memchr::memchr2(b'"', b'\\', rest) else {
            break;
        };
        if rest[found] == b'"' {
            return Ok(from + found);
        }
        from += found + 2;
    }
    Err(Reject::shape(line.len(), "a closing quote"))
}

/// The first slash from `at` on.
fn slash(line: &[u8], at: usize) -> Result<usize, Reject> {
    memchr::memchr(b'/', line.get(at..).unwrap_or(b""))
        .map(|found| at + found)
        .ok_or_else(|| Reject::shape(at, "a path"))
}

/// The end of the line, if no blank stands before it.
fn word(line: &[u8], at: usize) -> Result<usize, Reject> {
    match memchr::memchr(b' ', line.get(at..).unwrap_or(b"")) {
        Some(blank) => Err(Reject::shape(at + blank, "the end of the record")),
        None => Ok(line.len()),
    }
}

impl Take {
    /// Puts a value that stood at `at` where it belongs.
    fn put<'a>(
        &self,
        record: &mut Record<'a>,
        text: &'a [u8],
        at: usize,
        escape: Escape,
    ) -> Result<(), Reject> {
        match self {
            Take::Nothing => Ok(()),
            // The address that a proxy forwarded names the client wherever
            // it stands in the line.
            Take::Field(Field::Address) if !record.address.is_empty() => {
                Ok(())
            }
            Take::Field(field) if escape == Escape::Json => {
                field.put(record, unescaped(text), at)
            }
            Take::Field(field) => field.put(record, Cow::Borrowed(text), at),
            Take::Sum => match sum(text, at)? {
                Some(hold) => record.offer_hold(hold, at),
                None => Ok(()),
            },
        }
    }
}

/// The sum of nginx's `$upstream_response_time`: several upstreams that were
/// tried in turn are parted by `, `, internal redirects by ` : `, and `-`
/// stands for one that never answered. `None` when none did.
fn sum(text: &[u8], at: usize) -> Result<Option<Micros>, Reject> {
    let mut sum = None;
    for item in text.split(|&byte| byte == b',' || byte == b':') {
        let item = item.trim_ascii();
        if item.is_empty() || item == b"-" {
            continue;
        }
        let hold = time::decimal(item, Unit::Seconds)
            .ok_or_else(|| Reject::duration(at, "a list of seconds"))?;
        sum = Some(sum.unwrap_or(Micros::ZERO) + hold);
    }
    Ok(sum)
}

#[cfg(test)]
mod tests;

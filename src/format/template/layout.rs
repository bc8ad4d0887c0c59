//! A text with values in it, as it stands in every line, and how a line is
//! taken apart by it.

use crate::format::{Parsed, Record, Reject};

use super::literal::{Escape, Literal};
use super::take::Take;

/// The texts of a format and the values between them.
#[derive(Clone, Debug)]
pub(super) struct LineLayout {
    /// The text before the first value.
    pub(super) lead: Literal,
    pub(super) slots: Vec<Slot>,
    pub(super) escape: Escape,
}

/// A value and the text behind it.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    pub(super) take: Take,
    pub(super) end: End,
    pub(super) after: Literal,
}

/// Where a value ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// Where the text behind it first stands.
    Literal,
    /// Where the text behind it first stands outside the list that the
    /// value is.
    List,
    /// Where the text behind it first stands outside the request line that
    /// the value is.
    Request,
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
    /// Behind the braces it stands in, if it stands in any; else it is
    /// empty. `true`: the blank behind the braces is part of it.
    Braces(bool),
    /// With the line; it has no blanks.
    Word,
    /// With the line.
    Rest,
}

impl LineLayout {
    /// Puts the values of a text, which begins at byte `from` of the record,
    /// where they belong.
    ///
    /// # Errors
    ///
    /// [`Reject`] when the whole text has not this shape, or a value in it
    /// cannot be read.
    pub(super) fn fill<'a>(
        &self,
        record: &mut Record<'a>,
        text: &'a [u8],
        from: usize,
    ) -> Parsed<()> {
        self.read(record, text)
            .map_err(|reject| Reject { at: from + reject.at, ..reject })
    }

    fn read<'a>(&self, record: &mut Record<'a>, line: &'a [u8]) -> Parsed<()> {
        let mut at = self.lead.pass(line, 0)?;
        for slot in &self.slots {
            let end = slot.end(line, at)?;
            let text = line.get(at..end).unwrap_or(b"");
            slot.take.put(record, text, at, self.escape)?;
            at = slot.after.pass(line, end)?;
        }
        if at < line.len() {
            return Err(Reject::shape(at, "the end of the record"));
        }
        Ok(())
    }
}

impl Slot {
    /// Where the value that starts at `at` ends.
    fn end(&self, line: &[u8], at: usize) -> Parsed<usize> {
        match self.end {
            End::Literal => self.after.find(line, at),
            End::List => self.after.find_past_list(line, at),
            End::Request => self.after.find(line, protocol(line, at)),
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
            End::Braces(blank) => Ok(braces(line, at, blank)),
            End::Word => word(line, at),
            End::Rest => Ok(line.len()),
        }
    }
}

/// The first quote from `at` on that no backslash escapes.
pub(super) fn quote(line: &[u8], at: usize) -> Parsed<usize> {
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

/// Where a request line from `at` on has its protocol; `at` without one.
fn protocol(line: &[u8], at: usize) -> usize {
    let rest = line.get(at..).unwrap_or(b"");
    memchr::memmem::find(rest, b" HTTP/").map_or(at, |found| at + found + 1)
}

/// The first slash from `at` on.
fn slash(line: &[u8], at: usize) -> Parsed<usize> {
    memchr::memchr(b'/', line.get(at..).unwrap_or(b""))
        .map(|found| at + found)
        .ok_or_else(|| Reject::shape(at, "a path"))
}

/// Behind the braces that begin at `at`, perhaps in quotes; `at` without any.
fn braces(line: &[u8], at: usize, blank: bool) -> usize {
    let rest = line.get(at..).unwrap_or(b"");
    let quoted = rest.starts_with(b"\"{");
    if !quoted && !rest.starts_with(b"{") {
        return at;
    }
    let Some(end) = memchr::memchr(b'}', rest) else {
        return at;
    };
    let end = at + end + 1 + usize::from(quoted);
    end + usize::from(blank && line.get(end) == Some(&b' '))
}

/// The end of the line, if no blank stands before it.
fn word(line: &[u8], at: usize) -> Parsed<usize> {
    match memchr::memchr(b' ', line.get(at..).unwrap_or(b"")) {
        Some(blank) => Err(Reject::shape(at + blank, "the end of the record")),
        None => Ok(line.len()),
    }
}

//! The fixed text between two values, and how it is found in a line.

use memchr::memmem::Finder;

use crate::format::{Parsed, Reject};

/// How the server escapes what it puts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escape {
    /// A quote never stands bare: Apache writes `\"`, nginx `\x22`.
    Backslash,
    /// As in a JSON string.
    Json,
    /// Not at all.
    None,
}

/// A text that stands in every line.
#[derive(Clone, Debug)]
pub(super) struct Literal {
    finder: Finder<'static>,
    /// Its length without the blanks at its end.
    core: usize,
    /// Whether a line may end before those blanks: whatever trims a line's
    /// end takes them away when the values behind them are empty.
    trimmable: bool,
}

impl Literal {
    /// This text; `trimmable` if nothing but blanks need follow it.
    pub(super) fn new(text: String, trimmable: bool) -> Literal {
        let core = text.trim_end_matches(' ').len();
        let finder = Finder::new(text.as_bytes()).into_owned();
        Literal { finder, core, trimmable }
    }

    /// The text.
    fn text(&self) -> &[u8] {
        self.finder.needle()
    }

    /// The text without the blanks at its end.
    fn core(&self) -> &[u8] {
        &self.text()[..self.core]
    }

    /// The byte behind this text, which must stand at `at`.
    pub(super) fn pass(&self, line: &[u8], at: usize) -> Parsed<usize> {
        let rest = line.get(at..).unwrap_or(b"");
        if rest.starts_with(self.text()) {
            Ok(at + self.text().len())
        } else if self.trimmable && rest == self.core() {
            Ok(line.len())
        } else {
            let alike = rest.iter().zip(self.text());
            let alike = alike.take_while(|(is, should)| is == should).count();
            Err(self.missing(alike, at + alike))
        }
    }

    /// Where this text stands first from `at` on.
    pub(super) fn find(&self, line: &[u8], at: usize) -> Parsed<usize> {
        let rest = line.get(at..).unwrap_or(b"");
        match self.finder.find(rest) {
            Some(found) => Ok(at + found),
            None => self.trimmed(rest, at),
        }
    }

    /// Where this text ends the line.
    pub(super) fn suffix(&self, line: &[u8], at: usize) -> Parsed<usize> {
        let rest = line.get(at..).unwrap_or(b"");
        match rest.strip_suffix(self.text()) {
            Some(value) => Ok(at + value.len()),
            None => self.trimmed(rest, at),
        }
    }

    /// Where this text stands first from `at` on, passing over the blanks
    /// inside a list: nginx parts addresses and times with `, ` and ` : `.
    pub(super) fn find_past_list(
        &self,
        line: &[u8],
        at: usize,
    ) -> Parsed<usize> {
        let mut from = at;
        loop {
            let found = self.find(line, from)?;
            let inside = line[at..found].ends_with(b",")
                || line[at..found].ends_with(b" :")
                || line[found..].starts_with(b" : ");
            if !inside || found >= line.len() {
                return Ok(found);
            }
            from = found + 1;
        }
    }

    /// Where this text ends a line that lost the blanks at its end.
    fn trimmed(&self, rest: &[u8], at: usize) -> Parsed<usize> {
        match rest.strip_suffix(self.core()) {
            Some(value) if self.trimmable => Ok(at + value.len()),
            _ => Err(self.missing(0, at)),
        }
    }

    /// The rejection of a line that at `at` has not what this text has from
    /// its byte `from` on.
    fn missing(&self, from: usize, at: usize) -> Reject {
        let expected = match self.text().get(from) {
            Some(b'"') => "a quote and what follows it",
            Some(b' ') => "a blank and what follows it",
            Some(b'[') => "an opening bracket",
            Some(b']') => "a closing bracket and what follows it",
            Some(_) => "the format's own text",
            None => "the end of the record",
        };
        Reject::shape(at, expected)
    }
}

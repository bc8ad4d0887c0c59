//! Format strings as configuration files hold them: in quotes, with escapes,
//! in several pieces.

use nom::branch::alt;
use nom::bytes::complete::is_not;
use nom::character::complete::{anychar, char, multispace1, not_line_ending};
use nom::combinator::{recognize, value};
use nom::multi::many0_count;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Offset, Parser};

use super::dialect::Dialect;
use super::error::{Fault, TemplateError};

/// A format's text with quotes and escapes undone, and the place of each of
/// its bytes in what the user gave: errors are shown there.
pub(super) struct Source<'f> {
    dialect: Dialect,
    given: &'f str,
    text: String,
    places: Vec<usize>,
}

impl<'f> Source<'f> {
    /// Nothing yet of what was given.
    pub(super) fn new(dialect: Dialect, given: &'f str) -> Source<'f> {
        Source { dialect, given, text: String::new(), places: Vec::new() }
    }

    /// Joins pieces of `given`, undoing the escapes in them.
    pub(super) fn join(
        dialect: Dialect,
        given: &'f str,
        pieces: &[&'f str],
    ) -> Source<'f> {
        let mut source = Source::new(dialect, given);
        for piece in pieces {
            source.unescape(piece);
        }
        source
    }

    /// The text to compile.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// What the user gave.
    pub(super) fn given(&self) -> &str {
        self.given
    }

    /// A fault at byte `at` of the text.
    pub(super) fn error(&self, at: usize, fault: Fault) -> TemplateError {
        let end = self.given.trim_end().len();
        let place = self.places.get(at).copied().unwrap_or(end);
        TemplateError::new(self.dialect, self.given, place, fault)
    }

    /// Adds a piece of what was given, undoing the escapes in it.
    pub(super) fn unescape(&mut self, piece: &'f str) {
        let from = self.given.offset(piece);
        let mut chars = piece.char_indices().peekable();
        while let Some((at, one)) = chars.next() {
            let next = chars.peek().filter(|_| one == '\\');
            let meant = next.and_then(|(_, next)| self.meant(*next));
            if meant.is_some() {
                chars.next();
            }
            self.push(meant.unwrap_or(one), from + at);
        }
    }

    /// Adds a piece of what was given as it stands.
    pub(super) fn verbatim(&mut self, piece: &'f str) {
        let from = self.given.offset(piece);
        for (at, one) in piece.char_indices() {
            self.push(one, from + at);
        }
    }

    /// What is meant by a backslash before this. All servers undo quotes, the
    /// backslash and the three usual control characters, HAProxy also what
    /// parts its words; a backslash before anything else stays.
    fn meant(&self, next: char) -> Option<char> {
        match next {
            '"' | '\'' | '\\' => Some(next),
            't' => Some('\t'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            ' ' | '#' | '$' if self.dialect == Dialect::Haproxy => Some(next),
            _ => None,
        }
    }

    /// Takes away the line ends at the end.
    pub(super) fn trim_line_ends(&mut self) {
        let length = self.text.trim_end_matches(['\n', '\r']).len();
        self.text.truncate(length);
        self.places.truncate(length);
    }

    /// Adds one character that stood at `place`.
    fn push(&mut self, one: char, place: usize) {
        self.text.push(one);
        self.places.resize(self.text.len(), place);
    }
}

/// A string in single or double quotes; yields what is between them.
pub(in crate::format) fn quoted(input: &str) -> IResult<&str, &str> {
    let single = recognize(many0_count(alt((is_not("\\'"), escape))));
    let double = recognize(many0_count(alt((is_not("\\\""), escape))));
    alt((
        delimited(char('\''), single, char('\'')),
        delimited(char('"'), double, char('"')),
    ))
    .parse(input)
}

/// A backslash and what it escapes.
fn escape(input: &str) -> IResult<&str, &str> {
    recognize(preceded(char('\\'), anychar)).parse(input)
}

/// Blanks, line ends and comments, possibly none.
pub(in crate::format) fn space(input: &str) -> IResult<&str, ()> {
    let comment = recognize(preceded(char('#'), not_line_ending));
    value((), many0_count(alt((multispace1, comment)))).parse(input)
}

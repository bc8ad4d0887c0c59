//! Format strings as configuration files hold them: in quotes, with escapes,
//! in several pieces.

use nom::branch::alt;
use nom::bytes::complete::is_not;
use nom::character::complete::{anychar, char, multispace1, not_line_ending};
use nom::combinator::{recognize, value};
use nom::multi::many0_count;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Offset, Parser};

use super::error::{Fault, TemplateError};

/// A format's text with quotes and escapes undone, and the place of each of
/// its bytes in what the user gave: errors are shown there.
pub(super) struct Source<'f> {
    given: &'f str,
    text: String,
    places: Vec<usize>,
}

impl<'f> Source<'f> {
    /// Joins pieces of `given`, undoing the escapes in them.
    pub(super) fn join(given: &'f str, pieces: &[&'f str]) -> Source<'f> {
        let mut source =
            Source { given, text: String::new(), places: Vec::new() };
        for piece in pieces {
            source.unescape(piece, given.offset(piece));
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
        TemplateError::new(self.given, place, fault)
    }

    /// Adds a piece that stood at `from`. Both servers undo the same
    /// escapes: quotes, the backslash and the three usual control
    /// characters; a backslash before anything else stays.
    fn unescape(&mut self, piece: &str, from: usize) {
        let mut chars = piece.char_indices().peekable();
        while let Some((at, one)) = chars.next() {
            let next = chars.peek().map(|(_, next)| *next);
            let meant = match (one, next) {
                ('\\', Some(quoted @ ('"' | '\'' | '\\'))) => quoted,
                ('\\', Some('t')) => '\t',
                ('\\', Some('n')) => '\n',
                ('\\', Some('r')) => '\r',
                _ => {
                    self.push(one, from + at);
                    continue;
                }
            };
            chars.next();
            self.push(meant, from + at);
        }
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

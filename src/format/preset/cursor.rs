//! A place in a record that moves from left to right.

use crate::format::{Parsed, Reject};

/// A place in a record of text.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    line: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// At the first byte of a record.
    pub(super) fn new(line: &'a [u8]) -> Cursor<'a> {
        Cursor { line, at: 0 }
    }

    /// The byte it stands at, from 0.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// What is not read yet.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.line[self.at..]
    }

    /// That something else should have stood here.
    pub(super) fn stop(&self, expected: &'static str) -> Reject {
        Reject::shape(self.at, expected)
    }

    /// Passes over this text if it stands here; says whether it did.
    pub(super) fn accept(&mut self, text: &str) -> bool {
        let here = self.rest().starts_with(text.as_bytes());
        if here {
            self.at += text.len();
        }
        here
    }

    /// Passes over a text that must stand here.
    pub(super) fn literal(&mut self, text: &'static str) -> Parsed<()> {
        if self.accept(text) { Ok(()) } else { Err(self.stop(text)) }
    }

    /// Passes over blanks, if there are any.
    pub(super) fn blanks(&mut self) {
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
        self.at += self.rest().iter().take_while(blank).count();
    }

    /// What stands before the next of these bytes; it passes over that byte.
    pub(super) fn until(
        &mut self,
        byte: u8,
        expected: &'static str,
    ) -> Parsed<&'a [u8]> {
        let end = memchr::memchr(byte, self.rest());
        let end = end.ok_or_else(|| self.stop(expected))?;
        let text = &self.rest()[..end];
        self.at += end + 1;
        Ok(text)
    }

    /// Passes over so many bytes, or all that are left.
    pub(super) fn skip(&mut self, count: usize) {
        self.at = self.line.len().min(self.at.saturating_add(count));
    }

    /// What is not read yet; it passes over it.
    pub(super) fn tail(&mut self) -> &'a [u8] {
        let rest = self.rest();
        self.at = self.line.len();
        rest
    }

    /// The text up to the next blank, or to the end of the record; it passes
    /// over the blank. There must be some.
    pub(super) fn word(&mut self, expected: &'static str) -> Parsed<&'a [u8]> {
        let rest = self.rest();
        let end = memchr::memchr(b' ', rest).unwrap_or(rest.len());
        if end == 0 {
            return Err(self.stop(expected));
        }
        self.at += (end + 1).min(rest.len());
        Ok(&rest[..end])
    }

    /// The text between the quote that must stand here and the next one that
    /// no backslash escapes, as it was logged. It passes over the closing
    /// quote and one blank behind it.
    pub(super) fn quoted(
        &mut self,
        expected: &'static str,
    ) -> Parsed<&'a [u8]> {
        if !self.accept("\"") {
            return Err(self.stop(expected));
        }
        let rest = self.rest();
        let mut end = 0;
        loop {
            let next =
                memchr::memchr2(b'"', b'\\', &rest[end.min(rest.len())..]);
            end += next.ok_or_else(|| self.stop("a closing quote"))?;
            if rest[end] == b'"' {
                break;
            }
            end += 2;
        }
        self.at += end + 1;
        self.accept(" ");
        Ok(&rest[..end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_taken_from_left_to_right() {
        let mut at = Cursor::new(br#"one [two] "th\"ree\\" four"#);
        assert_eq!(at.word("a word").unwrap(), b"one");
        assert!(!at.accept("("));
        at.literal("[").unwrap();
        assert_eq!(at.until(b']', "a bracket").unwrap(), b"two");
        at.blanks();
        assert_eq!(at.quoted("a text").unwrap(), br#"th\"ree\\"#);
        assert_eq!(at.word("a word").unwrap(), b"four");
        assert_eq!(at.rest(), b"");
        assert_eq!(at.word("more"), Err(Reject::shape(26, "more")));
        let mut at = Cursor::new(b"abc");
        at.skip(1);
        assert_eq!(at.tail(), b"bc");
        at.skip(1);
        assert_eq!((at.at(), at.rest()), (3, &b""[..]));
    }

    #[test]
    fn what_is_missing_is_named_with_its_place() {
        let mut at = Cursor::new(b"a \"open\\");
        at.word("a word").unwrap();
        assert_eq!(at.literal("("), Err(Reject::shape(2, "(")));
        assert_eq!(at.until(b')', "a )"), Err(Reject::shape(2, "a )")));
        let quote = Reject::shape(3, "a closing quote");
        assert_eq!(at.quoted("a text"), Err(quote));
    }
}

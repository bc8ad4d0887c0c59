//! Texts in quotes, which head and tail of a line both have.

use super::{Parsed, Reject};

/// The text between the quote at `from` and the next one that no backslash
/// escapes, and where the line goes on.
pub(super) fn quoted(line: &[u8], from: usize) -> Parsed<(&[u8], usize)> {
    let open = past(line, from, b'"', "a quote")?;
    let mut at = open;
    loop {
        let rest = line.get(at..).unwrap_or_default();
        let Some(stop) = memchr::memchr2(b'"', b'\\', rest) else {
            return Err(Reject::shape(line.len(), "a closing quote"));
        };
        if rest[stop] == b'"' {
            let close = at + stop;
            return Ok((&line[open..close], close + 1));
        }
        at += stop + 2;
    }
}

/// The place behind this byte.
pub(super) fn past(
    line: &[u8],
    from: usize,
    byte: u8,
    expected: &'static str,
) -> Parsed<usize> {
    match line.get(from) {
        Some(&there) if there == byte => Ok(from + 1),
        _ => Err(Reject::shape(from, expected)),
    }
}

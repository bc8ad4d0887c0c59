//! The words of a line, one blank apart.

use crate::time::{self, Clock};

/// The word that begins at `from`, and where the one behind its blank
/// begins; at the end of the line that is the line's length.
pub(super) fn word(line: &[u8], from: usize) -> Option<(&[u8], usize)> {
    let rest = line.get(from..)?;
    match memchr::memchr(b' ', rest) {
        Some(end) => Some((&rest[..end], from + end + 1)),
        None => Some((rest, line.len())),
    }
}

/// The RFC 3339 time that begins at `from`, and where the word behind it
/// begins.
pub(super) fn time(line: &[u8], from: usize) -> Option<(Clock, usize)> {
    /// `2026-08-01T12:01:00.123456789+00:00`
    const LONGEST: usize = 35;
    let rest = line.get(from..)?;
    if !rest.first()?.is_ascii_digit() || rest.get(4) != Some(&b'-') {
        return None;
    }
    let head = &rest[..rest.len().min(LONGEST + 1)];
    let end = memchr::memchr(b' ', head).unwrap_or(head.len());
    let clock = time::rfc3339(&head[..end])?;
    Some((clock, (from + end + 1).min(line.len())))
}

/// The place of the first byte from `from` on that is no blank.
pub(super) fn past_blanks(line: &[u8], from: usize) -> usize {
    let rest = line.get(from..).unwrap_or_default();
    let blanks = rest.iter().take_while(|&&byte| byte == b' ');
    from + blanks.count()
}

/// Whether a program's own line begins with this word: how grave it is.
pub(super) fn is_level(word: &[u8]) -> bool {
    const LEVELS: [&[u8]; 14] = [
        b"TRACE",
        b"DEBUG",
        b"INFO",
        b"NOTICE",
        b"WARN",
        b"WARNING",
        b"ERROR",
        b"ERR",
        b"CRIT",
        b"CRITICAL",
        b"ALERT",
        b"EMERG",
        b"FATAL",
        b"PANIC",
    ];
    LEVELS.iter().any(|level| level.eq_ignore_ascii_case(word))
}

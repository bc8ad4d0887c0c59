//! What loggers put before a message: a time, colours.

use crate::time::{self, Clock, Micros};

/// The time a line begins with, perhaps in a bracket, and where it ends:
/// `2026-11-29 13:43:34`, with `T` for the blank, decimals behind a comma or
/// a point, and a zone or none, perhaps behind a blank. `zone` is taken when
/// it shows none, in seconds east of UTC.
pub(super) fn leading_time(line: &[u8], zone: i64) -> Option<(Clock, usize)> {
    const WHOLE: usize = 19;
    let bracket = usize::from(line.starts_with(b"["));
    let text = &line[bracket..];
    if !text.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let mut end = WHOLE;
    if matches!(text.get(end), Some(b'.' | b',')) {
        let digits = text.iter().skip(end + 1);
        end += 1 + digits.take_while(|b| b.is_ascii_digit()).count();
    }
    let bare = text.get(..end)?;
    let (offset, length) = offset(&text[end..]);
    let mut zoned = [0; 40];
    zoned.get_mut(..end)?.copy_from_slice(bare);
    *zoned.get_mut(end)? = b'Z';
    let mut clock = time::rfc3339(zoned.get(..=end)?)?;
    clock.at = clock.at - Micros::from_secs(offset.unwrap_or(zone));
    Some((clock, bracket + end + length))
}

/// The zone a text begins with, and how long it is.
fn offset(text: &[u8]) -> (Option<i64>, usize) {
    let blank = usize::from(text.starts_with(b" "));
    let zone = &text[blank..];
    for length in [6, 5, 1] {
        let east = zone.get(..length).and_then(time::zone_offset);
        let after = zone.get(length);
        // `ZONE` or `+01000` is none.
        let ends = !after.is_some_and(u8::is_ascii_alphanumeric);
        if east.is_some() && ends {
            return (east, blank + length);
        }
    }
    (None, 0)
}

/// A text without the colours it begins and ends with.
pub(super) fn without_colours(mut text: &[u8]) -> &[u8] {
    while let Some(rest) = text.strip_prefix(b"\x1b[") {
        let end = memchr::memchr(b'm', rest).map_or(rest.len(), |at| at + 1);
        text = &rest[end..];
    }
    let end = memchr::memchr(b'\x1b', text).unwrap_or(text.len());
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_as_loggers_write_them() {
        for (line, at, rest) in [
            ("2026-11-29 13:43:34 x", "2026-11-29T11:43:34Z", " x"),
            ("2026-11-29 13:43:34,123 x", "2026-11-29T11:43:34.123Z", " x"),
            ("[2026-11-29 13:43:34 +0100] x", "2026-11-29T12:43:34Z", "] x"),
            ("2026-11-29T13:43:34.1Z x", "2026-11-29T13:43:34.1Z", " x"),
            (
                "2026-11-29 13:43:34.123 +00:00 [INF]",
                "2026-11-29T13:43:34.123Z",
                " [INF]",
            ),
            ("2026-11-29 13:43:34 ZOO", "2026-11-29T11:43:34Z", " ZOO"),
        ] {
            let (clock, end) = leading_time(line.as_bytes(), 7_200).unwrap();
            assert_eq!(clock.at.to_rfc3339(), at, "{line}");
            assert_eq!(&line[end..], rest);
        }
    }

    #[test]
    fn what_is_no_time_is_none_whatever_the_bytes() {
        let line = "[2026-11-29 13:43:34,123456789012345678901234567890 +0100";
        for end in 0..line.len() {
            let _read = leading_time(&line.as_bytes()[..end], 0);
        }
        for line in
            ["", "[", "x", "2026-11-29", "12:43:34 INF", "2026-13-01 00:00:00"]
        {
            assert_eq!(leading_time(line.as_bytes(), 0), None, "{line}");
        }
    }

    #[test]
    fn colours_go_from_both_ends() {
        for (text, plain) in [
            ("\x1b[32mINFO\x1b[0m", "INFO"),
            ("\x1b[1m\x1b[32ma b\x1b[0m rest", "a b"),
            ("plain", "plain"),
            ("\x1b[", ""),
            ("", ""),
        ] {
            assert_eq!(without_colours(text.as_bytes()), plain.as_bytes());
        }
    }
}

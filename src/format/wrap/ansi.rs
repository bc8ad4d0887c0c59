//! The colours and cursor movements of a terminal.

use std::borrow::Cow;

use super::Unwrapped;

const ESCAPE: u8 = 0x1b;

/// Whether a line has any.
pub(super) fn is_coloured(line: &[u8]) -> bool {
    memchr::memmem::find(line, b"\x1b[").is_some()
}

/// The line without them. Copied only when some stand inside it.
pub(super) fn strip(line: &[u8]) -> Unwrapped<'_> {
    let at = line.len() - past_sequences(line).len();
    let text = &line[at..];
    let end = memchr::memchr(ESCAPE, text).unwrap_or(text.len());
    let message = match past_sequences(&text[end..]) {
        [] => Cow::Borrowed(&text[..end]),
        _ => Cow::Owned(without_sequences(text)),
    };
    Unwrapped { message, at, ..Unwrapped::default() }
}

fn without_sequences(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr::memchr(ESCAPE, rest) {
        plain.extend_from_slice(&rest[..at]);
        rest = past_sequences(&rest[at..]);
    }
    plain.extend_from_slice(rest);
    plain
}

/// What follows the sequences that this begins with.
fn past_sequences(text: &[u8]) -> &[u8] {
    let mut text = text;
    while let [ESCAPE, rest @ ..] = text {
        text = past_sequence(rest);
    }
    text
}

/// What follows one sequence, of which this is behind the escape: ECMA-48
/// §5.4 for control sequences, which begin with `[`, and §8.3.89 for
/// operating system commands, which begin with `]` and end with the string
/// terminator or, as xterm has it, a bell. One that is cut takes the rest.
fn past_sequence(text: &[u8]) -> &[u8] {
    match text {
        [b'[', rest @ ..] => {
            let end = rest.iter().position(|byte| matches!(byte, 0x40..=0x7e));
            end.map_or(&[], |end| &rest[end + 1..])
        }
        [b']', rest @ ..] => match memchr::memchr2(7, ESCAPE, rest) {
            Some(end) if rest[end] == 7 => &rest[end + 1..],
            Some(end) => rest.get(end + 2..).unwrap_or_default(),
            None => &[],
        },
        [_, rest @ ..] => rest,
        [] => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_go_and_the_text_stays() {
        for (line, text, at) in [
            ("\x1b[2Kweb-1  | x", "web-1  | x", 4),
            ("\x1b[31m\x1b[1mx\x1b[0m", "x", 9),
            ("\x1b[32mINFO\x1b[0m:     x", "INFO:     x", 5),
            ("\x1b]0;root@h: /\x07root# ls", "root# ls", 14),
            ("\x1b]8;;http://h/\x1b\\link", "link", 16),
            ("plain [31m", "plain [31m", 0),
            ("cut\x1b[3", "cut", 0),
            ("\x1b", "", 1),
        ] {
            let unwrapped = strip(line.as_bytes());
            assert_eq!(&*unwrapped.message, text.as_bytes(), "{line:?}");
            assert_eq!(unwrapped.at, at, "{line:?}");
        }
    }

    #[test]
    fn only_colours_inside_the_line_are_copied_out() {
        let borrowed = |line: &'static str| {
            matches!(strip(line.as_bytes()).message, Cow::Borrowed(_))
        };
        assert!(borrowed("plain") && borrowed("\x1b[31mred\x1b[0m"));
        assert!(!borrowed("\x1b[31mred\x1b[0m."));
    }
}

//! What a log says, made safe to show.
//!
//! Clients choose their user agents and paths. A terminal obeys escape
//! sequences (also the one-character kind, U+0080 to U+009F), bidirectional
//! overrides reorder what is read, a line feed forges a line, and `|` starts
//! the numbers of a Nagios line. So every logged text passes one of these.

use std::borrow::Cow;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar;

/// Text for a terminal: what would not show as itself becomes `\n`, `\x1b`
/// or `\u{202e}`, and without `unicode` everything outside ASCII does.
///
/// Backslashes are left as they are, so escaping twice changes nothing.
pub fn terminal(text: &str, unicode: bool) -> Cow<'_, str> {
    let bad = |c: char| hidden(c) || !unicode && !c.is_ascii();
    if !text.contains(bad) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if bad(c) {
            push_escape(&mut safe, c);
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

/// Text of a Nagios line: as for a terminal, in ASCII since the readers of
/// these lines are old, with `/` for the `|` that would end it.
pub(super) fn nagios(text: &str) -> String {
    terminal(text, false).replace('|', "/")
}

/// A JSON document with what a terminal would obey written as `\u009b`.
///
/// JSON itself only asks that for bytes below 0x20. The characters replaced
/// occur inside strings only, where both spellings mean the same.
pub(super) fn json(document: &str) -> Cow<'_, str> {
    let bad = |c: char| c != '\n' && hidden(c);
    if !document.contains(bad) {
        return Cow::Borrowed(document);
    }
    let mut safe = String::with_capacity(document.len() + 16);
    for c in document.chars() {
        if bad(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(c);
        }
    }
    Cow::Owned(safe)
}

/// Whether a character does something other than show itself: controls,
/// bidirectional marks and overrides, anything of no width.
fn hidden(c: char) -> bool {
    matches!(c.width(), None | Some(0))
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Appends a character as Rust and most shells would spell it.
fn push_escape(text: &mut String, c: char) {
    let _ = match c {
        '\n' => write!(text, "\\n"),
        '\r' => write!(text, "\\r"),
        '\t' => write!(text, "\\t"),
        '\0'..='\u{ff}' => write!(text, "\\x{:02x}", u32::from(c)),
        _ => write!(text, "\\u{{{:x}}}", u32::from(c)),
    };
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_terminal_gets_no_byte_it_would_obey() {
        let logged = "a\x1b[2J\r\nb\u{9b}31mc\x7f\u{202e}d\u{2066}e\u{200b}";
        let shown = r"a\x1b[2J\r\nb\x9b31mc\x7f\u{202e}d\u{2066}e\u{200b}";
        assert_eq!(terminal(logged, true), shown);
        assert_eq!(terminal(logged, false), shown);
    }

    #[test]
    fn letters_of_the_world_show_unless_only_ascii_may() {
        assert_eq!(terminal("naïve 端末", true), "naïve 端末");
        assert_eq!(
            terminal("naïve 端末", false),
            r"na\xefve \u{7aef}\u{672b}"
        );
    }

    #[test]
    fn combining_marks_show_as_escapes_since_they_pile_up() {
        assert_eq!(terminal("e\u{301}", true), r"e\u{301}");
    }

    #[test]
    fn a_nagios_text_cannot_start_the_perfdata() {
        assert_eq!(nagios("a | open=0\nb é"), r"a / open=0\nb \xe9");
    }

    #[test]
    fn json_means_the_same_after_its_hidden_characters_are_spelled_out() {
        let text = "\\\u{9b}\u{202e}\u{e0041}\x7f\"\n";
        let document = serde_json::to_string(text).unwrap();
        let safe = json(&document);
        assert_eq!(safe, r#""\\\u009b\u202e\udb40\udc41\u007f\"\n""#);
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
    }

    proptest! {
        #[test]
        fn no_escaped_text_holds_a_hidden_character(text in any::<String>()) {
            let spaced = |c: char| !c.is_control() && c.width() > Some(0);
            prop_assert!(terminal(&text, true).chars().all(spaced));
            let plain = |b: u8| b == b' ' || b.is_ascii_graphic();
            prop_assert!(terminal(&text, false).bytes().all(plain));
            prop_assert!(!nagios(&text).contains(['|', '\n']));
        }

        #[test]
        fn escaping_twice_is_escaping_once(text in any::<String>()) {
            let once = terminal(&text, true);
            prop_assert_eq!(&terminal(&once, true), &once);
        }

        #[test]
        fn json_keeps_its_meaning(text in any::<String>()) {
            let document = serde_json::to_string(&text).unwrap();
            let back: String = serde_json::from_str(&json(&document)).unwrap();
            prop_assert_eq!(back, text);
        }
    }
}

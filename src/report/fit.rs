//! Text fitted into columns of a terminal.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What stands behind a number on its line: `2 min`, `1.2 MB`.
const UNITS: [&str; 10] =
    ["ms", "s", "min", "h", "d", "B", "kB", "MB", "GB", "TB"];

/// How many columns a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// The text if it fits, else its beginning with `mark` at the cut.
pub(super) fn cut(text: &str, columns: usize, mark: &str) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(width(mark));
    let (head, _) = split(text, room);
    let mut short = head.trim_end().to_owned();
    short.push_str(mark);
    short
}

/// The text if it fits, else two thirds of its beginning and a third of its
/// end with `mark` between.
pub(super) fn cut_middle(text: &str, columns: usize, mark: &str) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let room = columns.saturating_sub(width(mark));
    let (head, _) = split(text, room - room / 3);
    let mut taken = 0;
    let fits = |&(_, c): &(usize, char)| {
        taken += c.width().unwrap_or(0);
        taken <= room / 3
    };
    let tail = text.char_indices().rev().take_while(fits).last();
    format!("{head}{mark}{}", tail.map_or("", |(at, _)| &text[at..]))
}

/// The longest beginning that fits, and what is left.
fn split(text: &str, columns: usize) -> (&str, &str) {
    let mut taken = 0;
    for (at, c) in text.char_indices() {
        taken += c.width().unwrap_or(0);
        if taken > columns {
            return text.split_at(at);
        }
    }
    (text, "")
}

/// The text in lines of at most `columns`, broken at blanks, and inside a
/// word only where the word alone is longer than a line.
pub(super) fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(2);
    let mut lines = vec![String::new()];
    for words in together(text) {
        let mut rest = words.as_str();
        while !rest.is_empty() {
            rest = append(&mut lines, rest, columns);
        }
    }
    lines
}

/// The words of a text, those that share a line as one.
fn together(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match all.last_mut() {
            Some(last) if belongs(last, word) => {
                last.push(' ');
                last.push_str(word);
            }
            _ => all.push(word.to_owned()),
        }
    }
    all
}

/// Whether a word is the unit of the number before it, or the p-value of the
/// `p` before it.
fn belongs(before: &str, word: &str) -> bool {
    let unit = word.trim_end_matches([',', ';', ':', '.', ')']);
    let is_unit = before.ends_with(|c: char| c.is_ascii_digit())
        && UNITS.contains(&unit);
    let p = before.trim_start_matches('(');
    let is_sign = p == "p" && ["=", "<", ">="].contains(&word);
    is_unit || is_sign || ["p =", "p <", "p >="].contains(&p)
}

/// Puts a word on the last line, or on a new one; gives back what did not
/// fit on that either.
fn append<'a>(
    lines: &mut Vec<String>,
    word: &'a str,
    columns: usize,
) -> &'a str {
    let Some(line) = lines.last_mut() else {
        return "";
    };
    let gap = usize::from(!line.is_empty());
    if width(line) + gap + width(word) <= columns {
        line.push_str(&" "[..gap]);
        line.push_str(word);
        return "";
    }
    if gap == 1 {
        lines.push(String::new());
        return word;
    }
    let (head, rest) = split(word, columns);
    line.push_str(head);
    lines.push(String::new());
    rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_text_is_cut_by_columns_and_not_by_bytes() {
        assert_eq!(cut("mcp-client/1.0", 14, "…"), "mcp-client/1.0");
        assert_eq!(cut("mcp-client/1.0", 13, "…"), "mcp-client/1…");
        assert_eq!(cut("mcp-client/1.0", 10, "..."), "mcp-cli...");
        assert_eq!(cut("端末端末", 6, "…"), "端末…");
        assert_eq!(cut("a bc", 3, "…"), "a…");
    }

    #[test]
    fn a_text_cut_in_the_middle_keeps_both_ends() {
        assert_eq!(cut_middle("abcdefghijkl", 12, "…"), "abcdefghijkl");
        assert_eq!(cut_middle("abcdefghijkl", 10, "…"), "abcdef…jkl");
        assert_eq!(cut_middle("端末端末端末", 8, "…"), "端末…末");
    }

    #[test]
    fn words_are_kept_whole_where_a_line_can_hold_them() {
        let lines = wrap("old streams are never closed", 12);
        assert_eq!(lines, ["old streams", "are never", "closed"]);
    }

    #[test]
    fn a_number_and_its_unit_stay_together() {
        assert_eq!(wrap("held 2 min, 5", 9), ["held", "2 min, 5"]);
        assert_eq!(wrap("so (p = 0.42)", 12), ["so", "(p = 0.42)"]);
    }

    #[test]
    fn a_word_longer_than_a_line_is_broken() {
        assert_eq!(wrap("a abcdefgh b", 3), ["a", "abc", "def", "gh", "b"]);
        assert_eq!(wrap("abcdef", 3), ["abc", "def"]);
    }

    proptest! {
        #[test]
        fn no_line_is_wider_than_asked(
            text in "[a-z端 ]{0,60}", columns in 2_usize..30,
        ) {
            let lines = wrap(&text, columns);
            prop_assert!(lines.iter().all(|line| width(line) <= columns));
            let kept: String = lines.concat().replace(' ', "");
            prop_assert_eq!(kept, text.replace(' ', ""));
        }

        #[test]
        fn a_cut_text_fits(text in "[a-z端 ]{0,60}", columns in 3_usize..30) {
            prop_assert!(width(&cut(&text, columns, "...")) <= columns);
            let middle = cut_middle(&text, columns, "...");
            prop_assert!(width(&middle) <= columns);
        }
    }
}

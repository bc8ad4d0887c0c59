//! A place in a record, shown to people.

/// How many columns a line may fill, without its indentation.
const COLUMNS: usize = 77;

/// How many columns stand before the place at most, when not all of the
/// record fits.
const BEFORE: usize = 50;

/// How many bytes are looked at on each side of the place: enough to fill a
/// line, however long the record is.
const REACH: usize = 4 * COLUMNS;

/// Two lines, indented by two: the record, and a caret under its byte `at`.
///
/// Control bytes and bytes that are no UTF-8 are escaped, and of a long
/// record only what stands around the place is shown, within 79 columns.
/// Behind the record's end the caret stands behind its last byte.
pub fn pointed(record: &[u8], at: usize) -> String {
    let at = at.min(record.len());
    let (from, to) = around(record, at);
    let cells = cells(&record[from..to]);
    let place = cells
        .iter()
        .rposition(|(byte, _)| from + byte <= at)
        .filter(|_| at < to)
        .unwrap_or(cells.len());
    let (first, last) = window(&cells, place, from > 0, to < record.len());
    let cut_left = first > 0 || from > 0;
    let cut_right = last < cells.len() || to < record.len();
    let text = |cells: &[(usize, String)]| -> String {
        cells.iter().map(|(_, text)| text.as_str()).collect()
    };
    let left = if cut_left { "…" } else { "" };
    let right = if cut_right { "…" } else { "" };
    let column = width(&cells[first..place]) + left.chars().count();
    let shown = text(&cells[first..last]);
    format!("  {left}{shown}{right}\n  {:column$}^", "")
}

/// The bytes around the place that may be shown, cut between characters.
fn around(record: &[u8], at: usize) -> (usize, usize) {
    let goes_on = |at: usize| {
        record.get(at).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000)
    };
    let mut from = at.saturating_sub(REACH);
    let mut to = (at + REACH).min(record.len());
    // A character has at most three bytes behind its first.
    for _ in 0..3 {
        from += usize::from(from > 0 && from < at && goes_on(from));
        to += usize::from(to < record.len() && goes_on(to));
    }
    (from, to)
}

/// Each character as it is shown, with the byte it begins at.
fn cells(bytes: &[u8]) -> Vec<(usize, String)> {
    let mut cells = Vec::new();
    let mut at = 0;
    for chunk in bytes.utf8_chunks() {
        for one in chunk.valid().chars() {
            cells.push((at, shown(one)));
            at += one.len_utf8();
        }
        for byte in chunk.invalid() {
            cells.push((at, format!("\\x{byte:02x}")));
            at += 1;
        }
    }
    cells
}

/// A character, escaped when it would move or colour what follows.
fn shown(one: char) -> String {
    match one {
        '\t' => "\\t".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        _ if one.is_ascii_control() => format!("\\x{:02x}", u32::from(one)),
        _ if one.is_control() || is_invisible(one) => {
            format!("\\u{{{:x}}}", u32::from(one))
        }
        _ => one.to_string(),
    }
}

/// Marks of the direction of writing and of joining, which show nothing.
fn is_invisible(one: char) -> bool {
    matches!(
        one,
        '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
    )
}

/// How many columns these fill.
fn width(cells: &[(usize, String)]) -> usize {
    cells
        .iter()
        .map(|(_, text)| unicode_width::UnicodeWidthStr::width(&**text))
        .sum()
}

/// Which cells are shown: all of them if they fit, else those around the
/// place.
fn window(
    cells: &[(usize, String)],
    place: usize,
    more_left: bool,
    more_right: bool,
) -> (usize, usize) {
    // Room for the two dots, and for the caret behind the end.
    let room = COLUMNS - 2;
    let mut first = place;
    while first > 0 && width(&cells[first - 1..place]) <= BEFORE {
        first -= 1;
    }
    let whole = width(cells) < COLUMNS && !more_left && !more_right;
    if whole {
        return (0, cells.len());
    }
    let mut last = first;
    while last < cells.len() && width(&cells[first..=last]) <= room {
        last += 1;
    }
    // Near the end there is room left for more of what stands before.
    while first > 0 && width(&cells[first - 1..last]) <= room {
        first -= 1;
    }
    (first, last.max(place))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_caret_stands_under_the_byte() {
        assert_eq!(pointed(b"a b c", 2), "  a b c\n    ^");
        assert_eq!(pointed(b"a b c", 9), "  a b c\n       ^");
        assert_eq!(pointed(b"", 0), "  \n  ^");
        let text = "\u{e9}\t\x1b[\u{4e16}x".as_bytes();
        let at = text.len() - 1;
        let expected = "  \u{e9}\\t\\x1b[\u{4e16}x\n            ^";
        assert_eq!(pointed(text, at), expected);
        assert_eq!(pointed(b"a\xffb", 2), "  a\\xffb\n       ^");
    }

    #[test]
    fn of_a_long_record_only_the_surroundings_are_shown() {
        let record = format!("{}X{}", "a".repeat(1_000), "b".repeat(1_000));
        let shown = pointed(record.as_bytes(), 1_000);
        let (text, caret) = shown.split_once('\n').unwrap();
        assert_eq!(text.chars().count(), 79);
        let place = caret.chars().position(|one| one == '^').unwrap();
        assert_eq!(text.chars().nth(place), Some('X'));
        let end = pointed(record.as_bytes(), record.len());
        assert!(end.starts_with("  …") && end.contains("bb\n"), "{end}");
        let start = pointed(record.as_bytes(), 0);
        assert!(start.starts_with("  aa") && start.contains("…\n  ^"));
    }

    proptest! {
        #[test]
        fn no_record_is_too_odd_to_show(
            record in proptest::collection::vec(any::<u8>(), 0..900),
            at in 0_usize..1_000,
        ) {
            let shown = pointed(&record, at);
            let lines: Vec<&str> = shown.split('\n').collect();
            prop_assert_eq!(lines.len(), 2);
            for line in lines {
                let width = unicode_width::UnicodeWidthStr::width(line);
                prop_assert!(width <= 79, "{} in {:?}", width, line);
            }
        }
    }
}

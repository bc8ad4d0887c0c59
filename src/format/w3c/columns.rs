//! The columns one `#Fields` directive names, and how a row is cut to them.

use super::entry::{Column, Entry, Meaning};
use crate::format::{Parsed, Record, Reject};
use crate::time::Unit;

/// Who writes such columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Writer {
    /// IIS.
    Iis,
    /// CloudFront's standard log, version 1.
    CloudFront,
    /// Another one.
    Other,
}

/// The columns one directive names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Columns {
    columns: Box<[Column]>,
    pub(super) writer: Writer,
}

/// IIS since version 8.
const IIS: &str = "date time s-ip cs-method cs-uri-stem cs-uri-query s-port \
    cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus \
    sc-win32-status time-taken";

/// IIS with every column it has.
const IIS_ALL: &str = "date time s-sitename s-computername s-ip cs-method \
    cs-uri-stem cs-uri-query s-port cs-username c-ip cs-version \
    cs(User-Agent) cs(Cookie) cs(Referer) cs-host sc-status sc-substatus \
    sc-win32-status sc-bytes cs-bytes time-taken";

/// What is added to them behind a proxy. IIS writes headers last.
const FORWARDED: &str = "X-Forwarded-For";

/// CloudFront's version 1, which has no choice of columns.
const CLOUDFRONT: &str = "date time x-edge-location sc-bytes c-ip cs-method \
    cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query \
    cs(Cookie) x-edge-result-type x-edge-request-id x-host-header \
    cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher \
    x-edge-response-result-type cs-protocol-version fle-status \
    fle-encrypted-fields c-port time-to-first-byte \
    x-edge-detailed-result-type sc-content-type sc-content-len \
    sc-range-start sc-range-end";

impl Columns {
    /// The columns these names stand for.
    pub(super) fn new(names: &[u8]) -> Columns {
        let columns = words(names).map(Column::named).collect();
        Columns { columns, writer: writer(names) }
    }

    /// Whether a request can be read from them: there is a time, perhaps of
    /// a day that a directive tells, and a method or a path.
    pub(super) fn suffice(&self) -> bool {
        let has = |wanted: &[Column]| {
            wanted.iter().any(|column| self.columns.contains(column))
        };
        has(&[Column::Time, Column::LocalTime, Column::Start, Column::End])
            && has(&[Column::Stem, Column::Uri, Column::Method])
    }

    /// Those of the rows of a log whose directive is not there, because it
    /// was cut or sent on line by line: what IIS and CloudFront write when
    /// nobody chose others, and what else is common.
    pub(super) fn usual() -> [Columns; 5] {
        let proxied = |names| format!("{names} {FORWARDED}");
        let [short, long] = [IIS, IIS_ALL].map(proxied);
        [IIS, &short, IIS_ALL, &long, CLOUDFRONT]
            .map(|names| Columns::new(names.as_bytes()))
    }

    /// Whether it is logged how long requests took.
    pub(super) fn has_duration(&self) -> bool {
        self.columns.contains(&Column::Taken)
    }

    /// Whether date and time are those of the start: Incapsula writes the
    /// start a second time as a count of milliseconds.
    pub(super) fn starts(&self) -> bool {
        self.columns.contains(&Column::Start)
    }

    /// The unit of the duration, where the writer is known.
    pub(super) fn unit(&self) -> Option<Unit> {
        match self.writer {
            Writer::Iis => Some(Unit::Millis),
            Writer::CloudFront => Some(Unit::Seconds),
            Writer::Other => None,
        }
    }

    /// Reads one row; `day` is what a `#Date` directive said.
    pub(super) fn parse<'a>(
        &self,
        row: &'a [u8],
        day: Option<[u8; 10]>,
        unit: Option<Unit>,
        zone: i64,
    ) -> Parsed<Record<'a>> {
        let width = self.columns.len();
        let cut = Cut::ALL.into_iter().find(|cut| {
            // No more is counted than could fit.
            Cells { row, at: 0, cut: *cut }.take(width + 1).count() == width
        });
        let cut = cut.ok_or_else(|| {
            Reject::shape(0, "as many values as #Fields has names")
        })?;
        let mut entry = Entry::of(day);
        let cells = Cells { row, at: 0, cut };
        for (column, (text, at)) in self.columns.iter().zip(cells) {
            entry.take(*column, text.into(), at);
        }
        entry.into_record(Meaning {
            unit: unit.or(self.unit()),
            percent: self.writer == Writer::CloudFront,
            starts: self.starts(),
            zone,
        })
    }
}

/// The words of a text.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Who writes columns of these names.
fn writer(names: &[u8]) -> Writer {
    const IIS: [&[u8]; 4] =
        [b"sc-win32-status", b"sc-substatus", b"s-sitename", b"timetakenms"];
    let iis = |word: &[u8]| IIS.iter().any(|n| n.eq_ignore_ascii_case(word));
    if words(names).any(|word| word.starts_with(b"x-edge-")) {
        Writer::CloudFront
    } else if words(names).any(iis) {
        Writer::Iis
    } else {
        Writer::Other
    }
}

/// How a row is cut into values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// At every tab.
    Tabs,
    /// At runs of blanks.
    Blanks,
    /// At runs of blanks outside quotes.
    Quotes,
}

impl Cut {
    /// In the order they are tried. Values of IIS may begin with a quote
    /// that nothing closes, so quotes come last.
    const ALL: [Cut; 3] = [Cut::Tabs, Cut::Blanks, Cut::Quotes];
}

/// The values of a row, and where they stand in it.
#[derive(Clone, Debug)]
struct Cells<'a> {
    row: &'a [u8],
    at: usize,
    cut: Cut,
}

impl<'a> Iterator for Cells<'a> {
    type Item = (&'a [u8], usize);

    fn next(&mut self) -> Option<(&'a [u8], usize)> {
        if self.cut == Cut::Tabs {
            return self.tabbed();
        }
        let rest = self.row.get(self.at..)?;
        let skip = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        let (rest, at) = (&rest[skip..], self.at + skip);
        if self.cut == Cut::Quotes
            && let Some(length) = quoted(rest)
        {
            self.at = at + length;
            return Some((&rest[1..length - 1], at + 1));
        }
        let end = rest.iter().position(u8::is_ascii_whitespace);
        let text = &rest[..end.unwrap_or(rest.len())];
        self.at = at + text.len();
        match text {
            [b'"', inner @ .., b'"'] => Some((inner, at + 1)),
            _ => Some((text, at)),
        }
    }
}

impl<'a> Cells<'a> {
    fn tabbed(&mut self) -> Option<(&'a [u8], usize)> {
        let (rest, at) = (self.row.get(self.at..)?, self.at);
        let end = memchr::memchr(b'\t', rest).unwrap_or(rest.len());
        self.at += end + 1;
        Some((&rest[..end], at))
    }
}

/// The length of the quoted value this begins with: its closing quote is one
/// that a blank or the end follows. Quotes inside it are doubled.
fn quoted(rest: &[u8]) -> Option<usize> {
    let inner = rest.strip_prefix(b"\"")?;
    let closes = |at: &usize| {
        inner.get(at + 1).is_none_or(u8::is_ascii_whitespace)
            && !doubled(&inner[..*at])
    };
    let close = memchr::memchr_iter(b'"', inner).find(closes)?;
    Some(close + 2)
}

/// Whether the quote behind this text is the second of a pair.
fn doubled(before: &[u8]) -> bool {
    let quotes = before.iter().rev().take_while(|byte| **byte == b'"');
    quotes.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(row: &str, cut: Cut) -> Vec<String> {
        let cells = Cells { row: row.as_bytes(), at: 0, cut };
        cells
            .map(|(text, at)| {
                assert!(row.as_bytes()[at..].starts_with(text));
                String::from_utf8_lossy(text).into_owned()
            })
            .collect()
    }

    #[test]
    fn a_row_is_cut_at_tabs_blanks_and_quotes() {
        assert_eq!(cells("a b\t\tc", Cut::Tabs), ["a b", "", "c"]);
        assert_eq!(
            cells(" a  \"b\" \"c d", Cut::Blanks),
            ["a", "b", "\"c", "d"]
        );
        let row = r#"a "b c" " ""d"" e " "f"#;
        assert_eq!(
            cells(row, Cut::Quotes),
            ["a", "b c", " \"\"d\"\" e ", "\"f"]
        );
        assert_eq!(cells(r#""" "x"""#, Cut::Quotes), ["", "x\""]);
    }

    #[test]
    fn the_writer_is_told_by_its_columns() {
        for (names, writer) in [
            ("date time sc-win32-status time-taken", Writer::Iis),
            ("date-local TimeTakenMS", Writer::Iis),
            ("date time x-edge-location time-taken", Writer::CloudFront),
            ("date time c-ip time-taken", Writer::Other),
        ] {
            assert_eq!(Columns::new(names.as_bytes()).writer, writer);
        }
    }
}

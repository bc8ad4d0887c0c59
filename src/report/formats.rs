//! The formats that are read, as a table.

use super::Style;
use super::fit::width;
use super::grid::{self, Column};
use crate::format::Entry;

/// What the columns hold.
const HEAD: [&str; 6] = [
    "FORMAT",
    "WRITTEN BY",
    "TIME IS THE",
    "DURATION",
    "WHO ENDED IT",
    "FOUND BY ITSELF",
];

/// The cells of one format.
fn cells(entry: &Entry) -> [&'static str; 6] {
    let Entry { name, server, time, duration, ended_by, found, .. } = *entry;
    [name, server, time, duration, ended_by, found]
}

/// The formats, ready to print, in no more columns than there are: where
/// they are too few for the table, one line a cell.
pub(crate) fn formats(entries: &[Entry], room: Option<usize>) -> String {
    let table = table(entries);
    let widest = table.iter().map(|line| width(line)).max();
    let table = if room.is_some() && room < widest {
        entries.iter().map(stacked).collect()
    } else {
        table.join("\n") + "\n"
    };
    format!(
        "{table}\nA record is written when its request ends, so a time that is \
         the start is not in\nthe order of the file: that is how start and end \
         are told apart where a format\nleaves it open. --timestamp and \
         --duration-unit decide.\n{}",
        lacking(entries)
    )
}

/// A line a format, as wide as it is.
fn table(entries: &[Entry]) -> Vec<String> {
    let style = Style { width: usize::MAX, ..Style::default() };
    let column = |(at, head): (usize, &'static str)| {
        let cells = entries.iter().map(|entry| cells(entry)[at]);
        Column::texts(head, 0, 0, &style, cells)
    };
    let columns = HEAD.into_iter().enumerate().map(column).collect();
    grid::lines(columns, &style)
}

/// A line a cell, with what it is.
fn stacked(entry: &Entry) -> String {
    let cells = cells(entry);
    let facts = HEAD.iter().zip(cells).skip(1);
    let facts: String = facts
        .map(|(head, cell)| {
            format!("    {:15}  {cell}\n", head.to_lowercase())
        })
        .collect();
    format!("{}\n{facts}", entry.name)
}

/// The formats that cannot answer by themselves, and why.
fn lacking(entries: &[Entry]) -> String {
    let why: String = entries
        .iter()
        .filter_map(|entry| Some((entry.name, entry.lacks?)))
        .map(|(name, lacks)| format!("  {name}: {lacks}\n"))
        .collect();
    if why.is_empty() {
        return why;
    }
    format!("\nThese cannot answer by themselves:\n{why}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::catalogue;

    #[test]
    fn a_wide_table_has_a_line_a_format_and_says_what_each_lacks() {
        let table = formats(&catalogue(), None);
        for entry in catalogue() {
            let mut lines = table.lines();
            let line = lines.find(|line| {
                line.starts_with(entry.name) && line.contains(entry.server)
            });
            assert!(line.is_some(), "{}", entry.name);
            let lacks = entry.lacks.unwrap_or_default();
            assert!(table.contains(lacks), "{lacks}");
        }
    }

    #[test]
    fn a_narrow_terminal_gets_a_line_for_each_cell() {
        let all = catalogue();
        let (wide, narrow) = (formats(&all, None), formats(&all, Some(80)));
        assert_eq!(formats(&all, Some(1000)), wide);
        let rows = narrow.split("\nA record is").next().unwrap();
        assert!(rows.lines().all(|line| line.chars().count() <= 80));
        for entry in all {
            assert!(cells(&entry).iter().all(|cell| rows.contains(cell)));
        }
    }
}

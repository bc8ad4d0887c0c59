//! Tables: columns cut to fit, never wrapped, set by comfy-table.

use std::cmp::Reverse;

use comfy_table::{
    Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle,
};

use super::Style;
use super::escape;
use super::fit::{cut, cut_middle, width};

/// Blanks between two columns.
const GAP: usize = 2;

/// One column.
pub(super) struct Column {
    head: &'static str,
    align: CellAlignment,
    /// How narrow it may be cut; `None`: it is never cut.
    least: Option<usize>,
    /// When even cut columns do not fit, the highest of these goes first.
    rank: u8,
    /// Whether it is left out unless all columns fit uncut.
    spare: bool,
    cells: Vec<String>,
}

impl Column {
    /// Numbers, at the right of their column and never cut.
    pub(super) fn numbers(
        head: &'static str,
        rank: u8,
        cells: impl Iterator<Item = String>,
    ) -> Column {
        let align = CellAlignment::Right;
        let (least, spare, cells) = (None, false, cells.collect());
        Column { head, align, least, rank, spare, cells }
    }

    /// Texts, escaped, at the left, cut to no less than `least` columns.
    pub(super) fn texts<'a>(
        head: &'static str,
        rank: u8,
        least: usize,
        style: &Style,
        cells: impl Iterator<Item = &'a str>,
    ) -> Column {
        let cells = cells.map(|text| {
            let text = if text.is_empty() { "-" } else { text };
            escape::terminal(text, style.unicode).into_owned()
        });
        let align = CellAlignment::Left;
        let (least, spare, cells) = (Some(least), false, cells.collect());
        Column { head, align, least, rank, spare, cells }
    }

    /// The column, shown only where that takes nothing from the others.
    pub(super) fn spare(self) -> Column {
        Column { spare: true, ..self }
    }

    /// Cuts the cells to a width, at their ends unless that makes some look
    /// alike that are not: then in the middle.
    fn cut(&mut self, width: usize, style: &Style) {
        let mark = style.ellipsis();
        let at_end = self.cells.iter().map(|cell| cut(cell, width, mark));
        let at_end: Vec<String> = at_end.collect();
        let mut kept: Vec<(&String, &String)> =
            at_end.iter().zip(&self.cells).collect();
        kept.sort();
        kept.dedup();
        let alike = kept.windows(2).any(|pair| pair[0].0 == pair[1].0);
        self.cells = if alike {
            let cells = self.cells.iter();
            cells.map(|cell| cut_middle(cell, width, mark)).collect()
        } else {
            at_end
        };
    }

    /// How wide it would like to be.
    fn natural(&self) -> usize {
        let cells = self.cells.iter().map(|cell| width(cell));
        cells.max().unwrap_or(0).max(width(self.head))
    }
}

/// The table in lines: its head, a rule, one line a row.
pub(super) fn lines(mut columns: Vec<Column>, style: &Style) -> Vec<String> {
    if natural(&columns) > style.columns() {
        columns.retain(|column| !column.spare);
    }
    let widths = loop {
        match layout(&columns, style.columns()) {
            Some(widths) => break widths,
            None => drop_one(&mut columns),
        }
    };
    for (column, width) in columns.iter_mut().zip(&widths) {
        column.cut(*width, style);
    }
    let table = set(&columns, style);
    table.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// How wide the columns are together when none is cut.
fn natural(columns: &[Column]) -> usize {
    let gaps = GAP * columns.len().saturating_sub(1);
    columns.iter().map(Column::natural).sum::<usize>() + gaps
}

/// The widths at which the columns fit, the texts cut from left to right:
/// the first says what, the next who, and half an address is no address.
fn layout(columns: &[Column], room: usize) -> Option<Vec<usize>> {
    let mut widths: Vec<usize> = columns.iter().map(Column::natural).collect();
    let gaps = GAP * columns.len().saturating_sub(1);
    while widths.iter().sum::<usize>() + gaps > room {
        let cut = |(column, width): &(&Column, &mut usize)| {
            let least = column.least.map(|it| it.max(column.head.len()));
            least.is_some_and(|least| **width > least)
        };
        let (_, width) = columns.iter().zip(&mut widths).find(cut)?;
        *width -= 1;
    }
    Some(widths)
}

/// Gives up the column that matters least.
fn drop_one(columns: &mut Vec<Column>) {
    let last = (0..columns.len()).min_by_key(|&at| Reverse(columns[at].rank));
    if let Some(at) = last {
        columns.remove(at);
    }
}

/// The table with nothing but a rule below its head.
fn set(columns: &[Column], style: &Style) -> Table {
    let rule = if style.unicode { '─' } else { '-' };
    let rule = LineStyle::none().fill(rule);
    let mut table = Table::new();
    table.load_style(TableStyle::new().header_separator(rule));
    table.set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(
        columns
            .iter()
            .map(|column| Cell::new(column.head).set_alignment(column.align)),
    );
    let rows = columns.first().map_or(0, |column| column.cells.len());
    for row in 0..rows {
        table.add_row(columns.iter().map(|column| {
            Cell::new(column.cells.get(row).map_or("", String::as_str))
                .set_alignment(column.align)
        }));
    }
    let last = columns.len().saturating_sub(1);
    for (at, column) in table.column_iter_mut().enumerate() {
        let gap = if at == last { 0 } else { GAP as u16 };
        column.set_padding((0, gap));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table of three columns at this width.
    fn table(width: usize, unicode: bool) -> String {
        let style = Style { width, unicode, ..Style::default() };
        let agents = ["mcp-remote/0.9 (a client with a long name)", "=x\n"];
        let counts = ["12", "1,234"].map(str::to_owned);
        let means = ["1.0", "61.3"].map(str::to_owned);
        let columns = vec![
            Column::texts("user agent", 0, 12, &style, agents.into_iter()),
            Column::numbers("streams", 2, counts.into_iter()),
            Column::numbers("superseded", 1, means.into_iter()),
        ];
        lines(columns, &style).join("\n")
    }

    #[test]
    fn long_texts_are_cut_and_hostile_ones_escaped() {
        let expected = "\
user agent             streams  superseded
──────────────────────────────────────────
mcp-remote/0.9 (a cl…       12         1.0
=x\\n                     1,234        61.3";
        assert_eq!(table(42, true), expected);
    }

    #[test]
    fn texts_that_differ_at_their_ends_look_different() {
        let style = Style { width: 40, ..Style::default() };
        let head = "claude-code/2.1.240 (cli), a long story";
        let agents = ["0", "1", "1"].map(|end| format!("{head} h{end}"));
        let column = |agents: &[String]| {
            let agents = agents.iter().map(String::as_str);
            let column = Column::texts("agent", 0, 12, &style, agents);
            lines(vec![column], &style).split_off(2)
        };
        let all = column(&agents);
        assert_eq!(all[0], "claude-code/2.1.240 (cli)...ong story h0");
        assert!(all[1].ends_with("story h1") && all[1] == all[2]);
        let one = column(&agents[1..]);
        assert!(one[0].ends_with("a long sto..."), "{}", one[0]);
    }

    #[test]
    fn ascii_says_where_it_cut_in_ascii() {
        let line = table(60, false);
        let expected = "mcp-remote/0.9 (a client with a long...";
        assert!(line.contains(expected), "{line}");
        assert!(line.is_ascii());
    }

    #[test]
    fn the_column_that_matters_least_goes_first_when_room_is_short() {
        let style = Style { width: 40, ..Style::default() };
        let wide = |head, rank| {
            let cell = "1".repeat(15);
            Column::numbers(head, rank, std::iter::once(cell))
        };
        let columns = vec![wide("a", 0), wide("b", 2), wide("c", 1)];
        let head = lines(columns, &style).swap_remove(0);
        assert_eq!(head.split_whitespace().collect::<Vec<_>>(), ["a", "c"]);
    }

    #[test]
    fn a_spare_column_takes_nothing_from_the_others() {
        let head = |width| {
            let style = Style { width, ..Style::default() };
            let agent = "claude-code/2.1.240 (cli), a long story";
            let one = || std::iter::once("34".to_owned());
            let columns = vec![
                Column::texts("agent", 0, 12, &style, [agent].into_iter()),
                Column::numbers("streams", 1, one()),
                Column::numbers("overlaps", 2, one()).spare(),
            ];
            lines(columns, &style).swap_remove(0)
        };
        // 39, 7 and 8 columns, two blanks between them.
        assert!(head(58).ends_with("streams  overlaps"));
        assert!(head(57).ends_with("streams"));
    }
}

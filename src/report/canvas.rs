//! The plot's area: bars of two parts, cell by cell.

use super::paint::Ink;

/// What one column of the plot shows, heights in rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bar {
    /// Up to where it is the newest stream of each client.
    pub(super) clients: f64,
    /// Its whole height; what is above `clients` is superseded.
    pub(super) total: f64,
    /// Whether the log can show all of it.
    pub(super) trusted: bool,
    /// Whether a restart fell in it.
    pub(super) reset: bool,
}

/// What one character cell of the area shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Nothing.
    Empty,
    /// The newest stream of each client.
    Clients,
    /// Superseded streams, filling so many eighths of the cell.
    Superseded(u8),
    /// Open streams, of which the log cannot show all.
    Censored,
    /// Nothing, at the time of a restart.
    Restart,
}

impl Bar {
    /// The cell in a row, counted from the bottom row 0.
    ///
    /// Only superseded streams are drawn finer than a cell: they are what
    /// the plot is for. The bottom cell shows even the least, so that few
    /// streams differ from none.
    pub(super) fn cell(&self, row: usize) -> Cell {
        let inside = |height: f64| (height - row as f64).clamp(0.0, 1.0);
        let (all, clients) = (inside(self.total), inside(self.clients));
        let eighths = (all * 8.0).round() as u8;
        let filled = all >= 0.5 || row == 0 && self.total > 0.0;
        if self.trusted && clients * 2.0 < all && eighths > 0 {
            Cell::Superseded(eighths)
        } else if filled && self.trusted {
            Cell::Clients
        } else if filled {
            Cell::Censored
        } else if self.reset {
            Cell::Restart
        } else {
            Cell::Empty
        }
    }
}

impl Cell {
    /// The character it is drawn with.
    pub(super) fn glyph(self, unicode: bool) -> char {
        const EIGHTHS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
        match (self, unicode) {
            (Cell::Empty, _) => ' ',
            (Cell::Clients, true) => '░',
            (Cell::Clients, false) => ':',
            (Cell::Superseded(eighths), true) => {
                EIGHTHS[usize::from(eighths.clamp(1, 8)) - 1]
            }
            (Cell::Superseded(0..4), false) => ' ',
            (Cell::Superseded(_), false) => '#',
            (Cell::Censored, true) => '·',
            (Cell::Censored, false) => '.',
            (Cell::Restart, true) => '┆',
            (Cell::Restart, false) => '|',
        }
    }

    /// The ink it is drawn in.
    pub(super) fn ink(self) -> Ink {
        match self {
            Cell::Empty => Ink::Plain,
            Cell::Clients => Ink::Clients,
            Cell::Superseded(_) => Ink::Superseded,
            Cell::Censored | Cell::Restart => Ink::Dim,
        }
    }
}

/// One row of the area, neighbours of one ink painted at once.
pub(super) fn row(
    bars: &[Bar],
    row: usize,
    unicode: bool,
    color: bool,
) -> String {
    let cells: Vec<Cell> = bars.iter().map(|bar| bar.cell(row)).collect();
    cells
        .chunk_by(|one, next| one.ink() == next.ink())
        .map(|run| {
            let text: String =
                run.iter().map(|cell| cell.glyph(unicode)).collect();
            run[0].ink().paint(color, &text)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A trusted bar.
    fn bar(clients: f64, total: f64) -> Bar {
        Bar { clients, total, trusted: true, reset: false }
    }

    /// A bar from the bottom up.
    fn drawn(bar: Bar, rows: usize) -> String {
        (0..rows).map(|row| bar.cell(row).glyph(true)).collect()
    }

    #[test]
    fn superseded_streams_stand_on_the_clients_to_an_eighth() {
        assert_eq!(drawn(bar(1.0, 2.5), 4), "░█▄ ");
        assert_eq!(drawn(bar(0.0, 1.125), 3), "█▁ ");
        assert_eq!(drawn(bar(3.0, 3.0), 4), "░░░ ");
    }

    #[test]
    fn a_cell_goes_to_the_part_that_fills_more_of_it() {
        assert_eq!(drawn(bar(1.4, 3.0), 3), "░██");
        assert_eq!(drawn(bar(1.6, 3.0), 3), "░░█");
    }

    #[test]
    fn the_least_number_of_streams_is_not_none() {
        assert_eq!(drawn(bar(0.01, 0.01), 2), "░ ");
        assert_eq!(drawn(bar(0.0, 0.0), 2), "  ");
    }

    #[test]
    fn what_the_log_cannot_show_is_drawn_differently() {
        let censored = Bar { trusted: false, ..bar(1.0, 2.0) };
        assert_eq!(drawn(censored, 3), "·· ");
    }

    #[test]
    fn a_restart_shows_above_its_bar() {
        let restart = Bar { reset: true, ..bar(0.0, 1.0) };
        assert_eq!(drawn(restart, 3), "█┆┆");
    }

    #[test]
    fn neighbours_of_one_ink_share_one_escape_sequence() {
        let bars = [bar(0.0, 1.0), bar(0.0, 1.0), bar(1.0, 1.0)];
        let painted = row(&bars, 0, false, true);
        assert_eq!(painted.matches("\x1b[0m").count(), 2, "{painted:?}");
        assert_eq!(row(&bars, 0, false, false), "##:");
    }
}

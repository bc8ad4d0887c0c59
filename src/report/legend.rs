//! The legend below the plot.

use super::canvas::{Bar, Cell};
use super::fit::width;
use super::paint::Ink;
use super::style::Style;

/// What the signs of these bars mean, those that occur, in lines that begin
/// below the area.
pub(super) fn lines(
    bars: &[Bar],
    rows: usize,
    indent: usize,
    style: &Style,
) -> Vec<String> {
    let shown = |wanted: fn(&Cell) -> bool| {
        bars.iter().any(|bar| (0..rows).any(|row| wanted(&bar.cell(row))))
    };
    let entries = [
        (
            shown(|cell| matches!(cell, Cell::Superseded(_))),
            Cell::Superseded(8),
            "superseded by a newer one",
        ),
        (
            shown(|cell| *cell == Cell::Clients),
            Cell::Clients,
            "one per client",
        ),
        (
            shown(|cell| *cell == Cell::Censored),
            Cell::Censored,
            "not all logged yet",
        ),
    ];
    let mut lines = Lines::new(indent, style.columns());
    for (_, cell, text) in entries.iter().filter(|(shown, ..)| *shown) {
        let sign = cell.glyph(style.unicode).to_string();
        lines.push(&sign, cell.ink(), text, style);
    }
    if bars.iter().any(|bar| bar.reset) {
        lines.push("R", Ink::Plain, "restart", style);
    }
    lines.done
}

/// Legend entries set one after the other, in as many lines as they take.
struct Lines {
    done: Vec<String>,
    indent: usize,
    room: usize,
    taken: usize,
}

impl Lines {
    fn new(indent: usize, room: usize) -> Lines {
        Lines { done: Vec::new(), indent, room, taken: room }
    }

    /// Adds `sign text`, on a new line where the last is full.
    fn push(&mut self, sign: &str, ink: Ink, text: &str, style: &Style) {
        let needed = 3 + width(sign) + 1 + width(text);
        let sign = ink.paint(style.color, sign);
        match self.done.last_mut() {
            Some(line) if self.taken + needed <= self.room => {
                line.push_str(&format!("   {sign} {text}"));
                self.taken += needed;
            }
            _ => {
                let indent = self.indent.min(self.room - (needed - 3).min(40));
                self.done.push(format!("{:indent$}{sign} {text}", ""));
                self.taken = indent + needed - 3;
            }
        }
    }
}

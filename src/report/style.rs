//! How a report is to be written.

/// How a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// For people: a plot, the verdict in words, tables.
    Table,
    /// One document with everything, the contract for programs.
    Json,
    /// The series, one row a bin, for spreadsheets.
    Csv,
    /// One line for Nagios and its kin.
    Nagios,
}

/// What the reader's terminal can show, and how much is wanted.
///
/// Only [`Output::Table`] looks beyond `output`: what programs read is the
/// same wherever it is written to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// The renderer.
    pub output: Output,
    /// Whether escape sequences for colours may be written.
    pub color: bool,
    /// Whether characters outside ASCII may be written.
    pub unicode: bool,
    /// Columns a line may take; below 40 it is taken as 40.
    pub width: usize,
    /// Rows the plot's area may take, without its axis and captions.
    pub height: usize,
    /// Whether to draw the plot.
    pub plot: bool,
    /// How many clients and inputs to list.
    pub top: usize,
}

impl Default for Style {
    /// The table for a plain terminal of 80 columns.
    fn default() -> Style {
        Style {
            output: Output::Table,
            color: false,
            unicode: false,
            width: 80,
            height: 12,
            plot: true,
            top: 10,
        }
    }
}

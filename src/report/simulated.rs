//! What a simulation prints: the open streams of each kind of client side by
//! side, as the server counted them, and what its access log says.

use std::io;

use super::escape::terminal;
use super::facts;
use super::grid::{self, Column};
use super::page::Page;
use super::paint::Ink;
use super::plot;
use super::words::count;
use super::{Report, Style};

/// The most rows of the table; a longer run shows every so many seconds.
const MOST_ROWS: usize = 60;

/// What a simulation came to.
#[derive(Clone, Debug)]
pub(crate) struct SimulationReport {
    /// What was run, in a sentence.
    pub(crate) title: String,
    /// Whose streams are counted in each column.
    pub(crate) columns: Vec<&'static str>,
    /// For each second, how many of them were open, a number a column.
    pub(crate) rows: Vec<Vec<u64>>,
    /// What held the run down that no server of its kind would, a sentence
    /// each.
    pub(crate) lacking: Vec<String>,
    /// What its log says; `None` when that could not be written or read.
    pub(crate) log: Option<LogReport>,
}

/// What the log of a simulation says.
#[derive(Clone, Debug)]
pub(crate) struct LogReport {
    /// All of it.
    pub(crate) whole: Report,
    /// The streams of the clients of each habit alone, if there are several.
    pub(crate) each: Vec<(&'static str, Report)>,
    /// Whether log and server agree, in a sentence.
    pub(crate) agreement: String,
    /// The files that were written.
    pub(crate) files: Vec<String>,
    /// What to type next.
    pub(crate) next: String,
}

/// Writes it, ending in a line feed.
///
/// # Errors
///
/// Those of `out`.
pub(crate) fn write_simulation(
    report: &SimulationReport,
    style: &Style,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut page = Page::new(style);
    page.fact("simulated", Ink::Strong, &report.title);
    page.gap();
    page.heading("open streams at each second");
    for line in grid::lines(columns(report), style) {
        page.line(&line);
    }
    page.gap();
    for lacking in &report.lacking {
        page.fact("lacking", Ink::Warning, lacking);
    }
    if let Some(log) = &report.log {
        page.gap();
        said(&mut page, log);
    }
    out.write_all(page.into_text().as_bytes())
}

/// What the log says.
fn said(page: &mut Page<'_>, log: &LogReport) {
    if page.style().plot {
        plot::write(page, &log.whole);
        page.gap();
    }
    page.heading("what the access log says");
    facts::answer(page, &log.whole);
    for (habit, report) in &log.each {
        page.gap();
        page.heading(&format!("the same of the clients that {habit}"));
        facts::answer(page, report);
    }
    page.gap();
    page.fact("agreement", Ink::Strong, &log.agreement);
    page.fact("written", Ink::Strong, &log.files.join(", "));
    page.heading("next");
    page.line(&terminal(&log.next, page.style().unicode));
}

/// The columns of the table: the second, then one a habit.
fn columns(report: &SimulationReport) -> Vec<Column> {
    let every = report.rows.len().div_ceil(MOST_ROWS).max(1);
    let shown = |second: &usize| second.is_multiple_of(every);
    let seconds: Vec<usize> = (1..=report.rows.len()).filter(shown).collect();
    let second = seconds.iter().map(|second| count(*second as u64));
    let mut columns = vec![Column::numbers("second", 0, second)];
    for (rank, (at, habit)) in (1..).zip(report.columns.iter().enumerate()) {
        let open =
            seconds.iter().map(|second| count(report.rows[second - 1][at]));
        columns.push(Column::numbers(habit, rank, open));
    }
    columns
}

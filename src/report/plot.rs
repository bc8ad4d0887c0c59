//! The plot: how many streams were open over time.
//!
//! At the right edge the streams that are still open are not logged yet, so
//! the curve falls whatever happens. That part is drawn with other signs, and
//! says so, lest it be taken for the end of the trouble.

use super::canvas::{self, Bar, Cell};
use super::fit::width;
use super::human::{self, Days};
use super::page::Page;
use super::paint::Ink;
use super::scale::{Counts, Times};
use super::{BinReport, Report, Style};
use crate::time::Micros;

/// A plot laid out on the page.
struct Plot {
    bars: Vec<Bar>,
    counts: Counts,
    /// `None` when the report's times cannot be read.
    times: Option<Times>,
    /// Columns of the labels at the left, with the axis.
    gutter: usize,
}

/// Writes the plot; nothing when there is no bin.
pub(super) fn write(page: &mut Page<'_>, report: &Report) {
    if report.series.is_empty() {
        return;
    }
    let style = page.style();
    let plot = Plot::new(report, style);
    page.heading(&caption(report, plot.bars.len()));
    if let Some(mark) = plot.mark(style) {
        page.line(&mark);
    }
    for row in (0..plot.counts.rows()).rev() {
        page.line(&plot.row(row, style));
    }
    page.line(&plot.axis(style));
    page.line(&plot.time_labels());
    for line in plot.legend(style) {
        page.line(&line);
    }
}

/// What is plotted, and of which days.
fn caption(report: &Report, columns: usize) -> String {
    let ends = report.series.first().zip(report.series.last());
    let days = ends.map(|(first, last)| {
        match (human::date(&first.t), human::date(&last.t)) {
            (one, other) if one == other => one.to_owned(),
            (one, other) => format!("{one} to {other}"),
        }
    });
    let days = days.unwrap_or_default();
    let spikes = if report.series.len() > columns {
        ", highest bin per column"
    } else {
        ""
    };
    format!("open streams, {days} UTC{spikes}")
}

impl Plot {
    /// Lays the report's series out.
    fn new(report: &Report, style: &Style) -> Plot {
        let series = &report.series;
        let most = series.iter().map(|bin| bin.mean).fold(0.0, f64::max);
        let counts = Counts::fit(most, style.height.clamp(4, 60));
        let top = (counts.step * counts.steps as u64).to_string();
        let gutter = top.len() + 2;
        let columns = style.columns() - gutter;
        let times = times(report);
        let mut bars: Vec<Bar> = (0..columns)
            .map(|at| bar(of_column(series, at, columns), &counts))
            .collect();
        for at in reset_columns(report, times, columns) {
            if let Some(bar) = bars.get_mut(at) {
                bar.reset = true;
            }
        }
        Plot { bars, counts, times, gutter }
    }

    /// The line above the area that says where the log ends to be whole.
    fn mark(&self, style: &Style) -> Option<String> {
        let from = self.bars.iter().rposition(|bar| bar.trusted);
        let from = from.map_or(0, |last| last + 1);
        if from == self.bars.len() {
            return None;
        }
        let text = if style.unicode {
            "not all logged yet →"
        } else {
            "not all logged yet ->"
        };
        let start = if from >= width(text) { from - width(text) } else { 0 };
        let text = Ink::Strong.paint(style.color, text);
        Some(format!("{:1$}{text}", "", self.gutter + start))
    }

    /// One row of the area with its label.
    fn row(&self, row: usize, style: &Style) -> String {
        let label = self.counts.label(row);
        let text = label.map(|label| label.to_string()).unwrap_or_default();
        let axis = match (label.is_some(), style.unicode) {
            (true, true) => '┤',
            (false, true) => '│',
            (true, false) => '+',
            (false, false) => '|',
        };
        let area = canvas::row(&self.bars, row, style.unicode, style.color);
        format!("{text:>pad$} {axis}{area}", pad = self.gutter - 2)
    }

    /// The axis of time: ticks, restarts, and dots where it is censored.
    fn axis(&self, style: &Style) -> String {
        let (corner, line, tick, dots) = match style.unicode {
            true => ('└', '─', '┴', '·'),
            false => ('+', '-', '+', '.'),
        };
        let mut axis: Vec<char> = self
            .bars
            .iter()
            .map(|bar| if bar.trusted { line } else { dots })
            .collect();
        for (at, _) in self.labels() {
            axis[at] = tick;
        }
        for (sign, bar) in axis.iter_mut().zip(&self.bars) {
            if bar.reset {
                *sign = 'R';
            }
        }
        let axis: String = axis.into_iter().collect();
        format!("{:>pad$} {corner}{axis}", 0, pad = self.gutter - 2)
    }

    /// The times below the axis, each centred on its tick.
    fn time_labels(&self) -> String {
        let mut line = String::new();
        for (at, label) in self.labels() {
            let middle = self.gutter + at;
            let start = middle.saturating_sub(label.len() / 2);
            let last = self.gutter + self.bars.len() - label.len();
            let start = start.min(last);
            if line.is_empty() || line.len() < start {
                let pad = start - line.len();
                line.push_str(&format!("{:pad$}{label}", ""));
            }
        }
        line
    }

    /// The columns that have a time, with it.
    fn labels(&self) -> Vec<(usize, String)> {
        let Some(times) = self.times else {
            return Vec::new();
        };
        let columns = self.bars.len();
        let short = times.step(columns / 8);
        let step = if short < Micros::MINUTE {
            times.step(columns / 11)
        } else {
            short
        };
        let ticks = times.ticks(step);
        ticks
            .filter_map(|at| Some((times.column(at, columns)?, at)))
            .map(|(column, at)| (column, time_label(at, step)))
            .collect()
    }

    /// What the signs mean, those that occur.
    fn legend(&self, style: &Style) -> Vec<String> {
        let rows = self.counts.rows();
        let shown = |wanted: fn(&Cell) -> bool| {
            let mut bars = self.bars.iter();
            bars.any(|bar| (0..rows).any(|row| wanted(&bar.cell(row))))
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
        let mut lines = Lines::new(self.gutter, style.columns());
        for (_, cell, text) in entries.iter().filter(|(shown, ..)| *shown) {
            let sign = cell.glyph(style.unicode).to_string();
            lines.push(&sign, cell.ink(), text, style);
        }
        if self.bars.iter().any(|bar| bar.reset) {
            lines.push("R", Ink::Plain, "restart", style);
        }
        lines.done
    }
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

/// The bins of a column: several share one, or one fills several.
fn of_column(
    series: &[BinReport],
    column: usize,
    columns: usize,
) -> &[BinReport] {
    let from = column * series.len() / columns;
    let until = (column + 1) * series.len() / columns;
    series.get(from..until.max(from + 1)).unwrap_or_default()
}

/// A column's bar: its highest bin, so that spikes survive. It is trusted if
/// its last bin is: what is censored lies at the right.
fn bar(bins: &[BinReport], counts: &Counts) -> Bar {
    let highest = bins.iter().fold(None, |best: Option<&BinReport>, bin| {
        let higher = best.is_none_or(|best| bin.mean > best.mean);
        if higher { Some(bin) } else { best }
    });
    let height = |value: f64| counts.height(value);
    Bar {
        clients: highest.map_or(0.0, |bin| height(bin.clients)),
        total: highest.map_or(0.0, |bin| height(bin.mean)),
        trusted: bins.last().is_none_or(|bin| bin.trusted),
        reset: false,
    }
}

/// The axis of time, if the report's times can be read.
fn times(report: &Report) -> Option<Times> {
    let from = human::read(&report.series.first()?.t)?;
    let bin = Micros::from_secs_f64(report.window.as_ref()?.bin_s);
    let bins = i64::try_from(report.series.len()).ok()?;
    let span = bin.0.checked_mul(bins).filter(|span| *span > 0)?;
    Some(Times { from, span: Micros(span) })
}

/// The columns in which a restart falls.
fn reset_columns(
    report: &Report,
    times: Option<Times>,
    columns: usize,
) -> Vec<usize> {
    let resets = report.window.iter().flat_map(|window| &window.resets);
    resets.filter_map(|at| times?.column(human::read(at)?, columns)).collect()
}

/// A tick's label: the day at midnight, else the time of day.
fn time_label(at: Micros, step: Micros) -> String {
    let text = at.to_rfc3339();
    let clock = Days::One.time(&text);
    if clock == "00:00:00" {
        human::day(&text)
    } else if step < Micros::MINUTE {
        clock
    } else {
        clock.get(..5).unwrap_or(&clock).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::example;
    use super::*;

    /// The plot alone.
    fn plotted(report: &Report, style: &Style) -> String {
        let mut page = Page::new(style);
        write(&mut page, report);
        page.into_text()
    }

    /// Bins of one minute from noon with 1, 2, 3 … streams of one client,
    /// the last of them censored.
    fn stairs(bins: usize) -> Report {
        let mut report = example::leak();
        report.series.truncate(bins);
        for (at, bin) in report.series.iter_mut().enumerate() {
            bin.superseded = at as f64;
            (bin.clients, bin.mean) = (1.0, 1.0 + bin.superseded);
            bin.trusted = at + 1 < bins;
        }
        report
    }

    /// 40 columns and 4 rows.
    fn small(unicode: bool) -> Style {
        Style { width: 40, height: 4, unicode, ..Style::default() }
    }

    #[test]
    fn bars_stand_over_their_time_and_beside_their_number() {
        let expected = "\
open streams, 2026-11-29 UTC
           not all logged yet →
4 ┤                            ·········
  │                   █████████·········
2 ┤          ██████████████████·········
  │░░░░░░░░░░░░░░░░░░░░░░░░░░░░·········
0 └┴────────┴────────┴────────┴·········
 12:00    12:01    12:02    12:03
   █ superseded by a newer one
   ░ one per client
   · not all logged yet
";
        assert_eq!(plotted(&stairs(4), &small(true)), expected);
    }

    #[test]
    fn the_same_in_ascii() {
        let expected = "\
open streams, 2026-11-29 UTC
          not all logged yet ->
4 +                            .........
  |                   #########.........
2 +          ##################.........
  |::::::::::::::::::::::::::::.........
0 ++--------+--------+--------+.........
 12:00    12:01    12:02    12:03
   # superseded by a newer one
   : one per client
   . not all logged yet
";
        assert_eq!(plotted(&stairs(4), &small(false)), expected);
    }

    #[test]
    fn a_spike_of_one_bin_survives_ten_thousand_bins() {
        let mut report = example::flat_of(10_000);
        report.series[7_123].mean = 100.0;
        let text = plotted(&report, &small(false));
        // 71.23 % of 35 columns, below the caption and the mark.
        let top = text.lines().nth(2).unwrap();
        assert_eq!(top.find('#'), Some(5 + 24), "{text}");
    }

    #[test]
    fn a_restart_is_marked_on_the_axis_at_its_time() {
        let text = plotted(&example::restarted(), &small(false));
        let axis = text.lines().find(|line| line.contains('R')).unwrap();
        // 130 of 240 bins along 36 columns.
        assert_eq!(axis.find('R'), Some(4 + 19), "{text}");
        assert!(text.contains("R restart"));
        assert!(!plotted(&example::leak(), &small(false)).contains('R'));
    }

    #[test]
    fn midnight_shows_as_its_day() {
        let style = Style { unicode: true, ..Style::default() };
        let text = plotted(&example::days(), &style);
        assert!(
            text.starts_with("open streams, 2026-11-29 to 2026-12-01 UTC")
        );
        let expected = "12:00         Nov 30          12:00         Dec 01";
        assert!(text.contains(expected), "{text}");
    }

    #[test]
    fn a_log_that_shows_everything_has_no_mark() {
        let mut report = example::leak();
        report.series.iter_mut().for_each(|bin| bin.trusted = true);
        let text = plotted(&report, &small(true));
        assert!(!text.contains("not all logged yet"));
        assert!(!text.contains('·'));
    }

    #[test]
    fn a_log_that_shows_nothing_is_all_dots() {
        let mut report = example::leak();
        report.series.iter_mut().for_each(|bin| bin.trusted = false);
        let text = plotted(&report, &small(true));
        assert!(text.contains("not all logged yet →"));
        assert!(!text.contains(['█', '░']), "{text}");
    }

    #[test]
    fn times_that_cannot_be_read_leave_the_axis_bare() {
        let mut report = stairs(4);
        report.series[0].t = "99999999999us".to_owned();
        let text = plotted(&report, &small(true));
        assert!(text.contains("0 └────────"), "{text}");
        report.window = None;
        assert!(plotted(&report, &small(true)).contains("0 └────────"));
    }

    #[test]
    fn no_bins_no_plot() {
        assert_eq!(plotted(&example::empty(), &small(true)), "");
    }
}

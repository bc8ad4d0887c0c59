//! The plot: how many streams were open over time.
//!
//! At the right edge the streams that are still open are not logged yet, so
//! the curve falls whatever happens. That part is drawn with other signs, and
//! says so, so that it is not read as recovery.

use super::canvas::{self, Bar};
use super::fit::width;
use super::legend;
use super::page::Page;
use super::paint::Ink;
use super::scale::{Counts, Times};
use super::words::{Days, date, day};
use super::{BinReport, Report, Style};
use crate::time::Micros;

/// Why there is none.
const NOT_KNOWN: &str =
    "this log does not tell how many streams were open at a time";

/// A plot laid out on the page.
struct Plot {
    bars: Vec<Bar>,
    counts: Counts,
    times: Times,
    /// Columns of the labels at the left, with the axis.
    gutter: usize,
}

/// Writes the plot; nothing when there is no stream, and why there is no
/// plot when the log cannot tell how many were open.
pub(super) fn write(page: &mut Page<'_>, report: &Report) {
    if !report.has_streams() {
        return;
    }
    if report.series.iter().all(|bin| bin.mean.is_none()) {
        page.paragraph("no plot:", Ink::Strong, NOT_KNOWN);
        return;
    }
    let style = page.style();
    let plot = Plot::new(report, style);
    page.heading(&caption(report, plot.bars.len()));
    if let Some(mark) = plot.mark(style) {
        page.line(&mark);
    }
    let rows = plot.counts.rows();
    for row in (0..rows).rev() {
        page.line(&plot.row(row, style));
    }
    page.line(&plot.axis(style));
    page.line(&plot.time_labels());
    for line in legend::lines(&plot.bars, rows, plot.gutter, style) {
        page.line(&line);
    }
}

/// What is plotted, and of which days.
fn caption(report: &Report, columns: usize) -> String {
    let ends = report.series.first().zip(report.series.last());
    let days = ends.map(|(first, last)| match (date(first.t), date(last.t)) {
        (one, other) if one == other => one,
        (one, other) => format!("{one} to {other}"),
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
        let most = series.iter().map(mean).fold(0.0, f64::max);
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
        let (corner, line, tick, dots) = if style.unicode {
            ('└', '─', '┴', '·')
        } else {
            ('+', '-', '+', '.')
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
        let times = self.times;
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
}

/// The bins of a column, those whose start [`Times::column`] puts there:
/// several share one, or one fills several.
fn of_column(
    series: &[BinReport],
    column: usize,
    columns: usize,
) -> &[BinReport] {
    let from = (column * series.len()).div_ceil(columns);
    let until = ((column + 1) * series.len()).div_ceil(columns);
    series.get(from.min(until.saturating_sub(1))..until).unwrap_or_default()
}

/// A column's bar: its highest bin, so that spikes survive. It is trusted if
/// all its bins are.
fn bar(bins: &[BinReport], counts: &Counts) -> Bar {
    let highest = bins.iter().fold(None, |best: Option<&BinReport>, bin| {
        let higher = best.is_none_or(|best| mean(bin) > mean(best));
        if higher { Some(bin) } else { best }
    });
    let height = |value: Option<f64>| counts.height(value.unwrap_or(0.0));
    Bar {
        clients: height(highest.and_then(|bin| bin.clients)),
        total: height(highest.and_then(|bin| bin.mean)),
        trusted: bins.iter().all(|bin| bin.trusted),
        reset: false,
    }
}

/// How high a bin stands.
fn mean(bin: &BinReport) -> f64 {
    bin.mean.unwrap_or(0.0)
}

/// The axis of time.
fn times(report: &Report) -> Times {
    let series = &report.series;
    let bin = report.window.as_ref().map_or(Micros::ZERO, |it| it.bin_s.0);
    let span = bin.0.saturating_mul(series.len() as i64);
    Times {
        from: series.first().map_or(Micros::ZERO, |bin| bin.t),
        span: Micros(span),
    }
}

/// The columns in which a restart falls.
fn reset_columns(
    report: &Report,
    times: Times,
    columns: usize,
) -> impl Iterator<Item = usize> {
    let resets = report.window.iter().flat_map(|window| &window.resets);
    resets.filter_map(move |at| times.column(*at, columns))
}

/// A tick's label: the day at midnight, else the time of day.
fn time_label(at: Micros, step: Micros) -> String {
    let clock = Days::One.time(at);
    if clock == "00:00:00" {
        day(at)
    } else if step < Micros::MINUTE {
        clock
    } else {
        clock.get(..5).unwrap_or(&clock).to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::example::{
        empty, flat, leak, restarted, time, unknown,
    };
    use super::*;

    /// The plot of a report, without what follows it.
    fn plotted(report: &Report, style: &Style) -> String {
        let mut page = Page::new(style);
        write(&mut page, report);
        page.into_text()
    }

    /// Eight minutes of a stream each, on which superseded ones pile up, a
    /// restart at the fifth minute and a censored end.
    fn small() -> Report {
        let mut report = flat();
        report.series.truncate(8);
        let levels = [
            // clients, superseded
            (1.0, 0.0),
            (1.0, 0.5),
            (1.0, 1.0),
            (1.0, 3.0),
            (1.0, 2.0),
            (0.0, 0.0),
            (1.0, 0.0),
            (1.0, 1.0),
        ];
        for (at, bin) in report.series.iter_mut().enumerate() {
            let (clients, superseded) = levels[at];
            bin.mean = Some(clients + superseded);
            bin.clients = Some(clients);
            bin.superseded = Some(superseded);
            bin.trusted = at < 7;
        }
        if let Some(window) = &mut report.window {
            window.resets = vec![time(5, 60)];
        }
        report
    }

    /// The narrowest page, the lowest plot.
    fn style(unicode: bool) -> Style {
        Style { width: 40, height: 4, unicode, ..Style::default() }
    }

    // 37 columns for 8 bins: bin n begins at column n * 37 / 8, so they are
    // 4 5 4 5 5 4 5 5 wide. The axis ends at 4 streams, a row each.
    #[test]
    fn a_small_series_is_drawn_as_it_is_in_unicode() {
        let expected = "\
open streams, 2026-11-29 UTC
               not all logged yet →
4 ┤             █████     ┆
  │             ██████████┆
2 ┤    ▄▄▄▄▄██████████████┆        ·····
  │░░░░░░░░░░░░░░░░░░░░░░░┆   ░░░░░·····
0 └┴──────────────────────R────────·····
 12:00                  12:05
   █ superseded by a newer one
   ░ one per client
   · not all logged yet   R restart
";
        assert_eq!(plotted(&small(), &style(true)), expected);
    }

    #[test]
    fn a_small_series_is_drawn_as_it_is_in_ascii() {
        let expected = "\
open streams, 2026-11-29 UTC
              not all logged yet ->
4 +             #####     |
  |             ##########|
2 +    ###################|        .....
  |:::::::::::::::::::::::|   :::::.....
0 ++----------------------R--------.....
 12:00                  12:05
   # superseded by a newer one
   : one per client
   . not all logged yet   R restart
";
        assert_eq!(plotted(&small(), &style(false)), expected);
    }

    #[test]
    fn every_bin_is_in_the_column_of_its_start() {
        for bins in [1, 2, 7, 36, 37, 38, 100, 1_000] {
            let mut report = flat();
            let bin = report.series[0].clone();
            report.series = (0..bins)
                .map(|at| BinReport { opens: at, ..bin.clone() })
                .collect();
            let span = Micros::from_secs(60 * bins as i64);
            let axis = Times { from: Micros::ZERO, span };
            for at in 0..bins {
                let start = Micros::from_secs(60 * at as i64);
                let column = axis.column(start, 37).expect("a column");
                let here = of_column(&report.series, column, 37);
                assert!(here.iter().any(|bin| bin.opens == at), "{bins}");
            }
            let all = (0..37).map(|at| of_column(&report.series, at, 37));
            assert!(all.clone().all(|column| !column.is_empty()));
            let shown = all.map(<[BinReport]>::len).sum::<usize>();
            assert_eq!(shown, 37.max(bins as usize));
        }
    }

    #[test]
    fn a_column_shows_its_highest_bin_and_says_so() {
        let mut report = flat();
        report.series = vec![report.series[0].clone(); 1_000];
        for bin in &mut report.series {
            (bin.mean, bin.clients) = (Some(1.0), Some(1.0));
        }
        report.series[517].mean = Some(4.0);
        let text = plotted(&report, &style(false));
        assert!(text.contains("UTC, highest...\n"), "{text}");
        // Column 517 * 37 / 1000 = 19.
        let top = format!("4 +{:19}#\n", "");
        assert!(text.contains(&top), "{text}");
    }

    #[test]
    fn what_is_not_logged_yet_differs_from_what_is() {
        let mut whole = leak();
        whole.series.iter_mut().for_each(|bin| bin.trusted = true);
        for unicode in [true, false] {
            let style = Style { unicode, ..Style::default() };
            let text = plotted(&leak(), &style);
            assert!(text.contains("not all logged yet"), "{text}");
            let text = plotted(&whole, &style);
            assert!(!text.contains("not all logged yet"), "{text}");
            assert!(!text.contains(['.', '·']), "{text}");
        }
    }

    #[test]
    fn restarts_are_marked_where_they_fell() {
        let text = plotted(&restarted(), &Style::default());
        let axis = text.lines().find(|line| line.contains('R'));
        let axis = axis.expect("a mark");
        // 76 columns after the labels: 130 * 76 / 240 = 41.
        assert_eq!(axis.find('R'), Some(4 + 41), "{text}");
        assert!(text.contains("R restart"), "{text}");
        assert!(!plotted(&leak(), &Style::default()).contains('R'));
    }

    #[test]
    fn without_streams_there_is_no_plot_and_without_levels_it_says_why() {
        assert_eq!(plotted(&empty(), &Style::default()), "");
        let text = plotted(&unknown(), &Style::default());
        let expected = "no plot: this log does not tell how many streams \
                        were open at a time\n";
        assert_eq!(text, expected);
    }
}

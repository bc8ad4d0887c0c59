//! Which stretches of a log may be tested, and the windows cut from them.

use std::fmt;
use std::ops::Range;

use crate::detect::trend::{Slices, SlopeTest};
use crate::series::{Means, Part, Restart, Row, Timeline, within_restart};
use crate::stats::quantile;
use crate::time::Micros;

/// A stretch of time, in seconds from the origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Its start.
    pub from: f64,
    /// Its end.
    pub until: f64,
}

impl Span {
    /// The edges of so many equal parts.
    pub(crate) fn edges(self, parts: u64) -> Vec<f64> {
        let length = self.until - self.from;
        let edge = |k: u64| self.from + length * k as f64 / parts as f64;
        (0..=parts).map(edge).collect()
    }
}

/// How windows are cut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowRule {
    /// The bin: one minute.
    pub bin: Micros,
    /// Equal slices a window is cut into: 12, fewer if it has fewer bins.
    pub slices: usize,
    /// Bins that a window needs at least: 6.
    pub least: usize,
    /// Bins left out after a reset, while clients come back: 5.
    pub settle: u32,
}

impl Default for WindowRule {
    fn default() -> WindowRule {
        WindowRule { bin: Micros::MINUTE, slices: 12, least: 6, settle: 5 }
    }
}

impl WindowRule {
    /// The bin in seconds.
    pub fn bin_secs(&self) -> f64 {
        self.bin.max(Micros(1)).as_secs()
    }

    /// How many whole bins a stretch holds.
    pub(crate) fn bins(&self, span: Span) -> u64 {
        // A float's cast saturates; the bound keeps products in range.
        const MOST: f64 = 1e15;
        let bins = (span.until - span.from) / self.bin_secs();
        (bins + 1e-9).floor().min(MOST) as u64
    }
}

/// How much of a log's end it cannot show yet, because streams still open
/// are not logged: seconds in which 95 % of the streams that it does show
/// had been closed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Censored {
    /// For all streams.
    pub total: f64,
    /// For the superseded ones, which may be held longer.
    pub superseded: f64,
    /// How many holds the first is the quantile of.
    pub holds: usize,
    /// The same for the second; of fewer than three nothing can be told.
    pub superseded_holds: usize,
}

/// Of fewer superseded streams nothing can be told.
const LEAST_HOLDS: usize = 3;

impl Censored {
    /// Takes the `trust` quantile of the holds that no reset cut short.
    pub fn of(
        timeline: &Timeline,
        resets: &[Restart],
        trust: f64,
    ) -> Censored {
        let counts =
            |row: &&Row| !row.open && !within_restart(resets, row.closed);
        let of = |mut holds: Vec<Micros>| {
            holds.sort_unstable();
            let nth = |k: usize| holds[k].as_secs();
            quantile(holds.len(), trust, nth).unwrap_or(0.0)
        };
        let rows = timeline.rows().iter().filter(counts);
        let all: Vec<Micros> = rows.map(Row::hold).collect();
        let superseded: Vec<Micros> =
            timeline.superseded().filter(counts).map(Row::hold).collect();
        let (holds, superseded_holds) = (all.len(), superseded.len());
        let total = of(all);
        let superseded = if superseded_holds < LEAST_HOLDS {
            total
        } else {
            total.max(of(superseded))
        };
        Censored { total, superseded, holds, superseded_holds }
    }
}

/// How long a client takes to come back: the median time from one opening of
/// a key to its next, else the median hold; in seconds.
pub fn cycle(timeline: &Timeline) -> f64 {
    let gap = |pair: &[Row]| pair[1].opened - pair[0].opened;
    let keys = timeline.keys();
    let mut spans: Vec<Micros> =
        keys.flat_map(|rows| rows.windows(2)).map(gap).collect();
    if spans.is_empty() {
        let closed = timeline.rows().iter().filter(|row| !row.open);
        spans = closed.map(Row::hold).collect();
    }
    spans.sort_unstable();
    let nth = |k: usize| spans[k].as_secs();
    quantile(spans.len(), 0.5, nth).unwrap_or(0.0)
}

/// The stretches between resets, within a log of `length` seconds of which
/// the last `censored` cannot be trusted. Only the last one loses them:
/// before a reset everything is known. Some may be empty or reversed.
pub fn segments(
    resets: &[Restart],
    length: f64,
    censored: f64,
    rule: &WindowRule,
) -> Vec<Span> {
    let settle = f64::from(rule.settle) * rule.bin_secs();
    let mut spans = Vec::new();
    let mut from = 0.0;
    for reset in resets {
        let over = reset.until.as_secs();
        if over > 0.0 && over < length {
            spans.push(Span { from, until: reset.at.as_secs() });
            from = over + settle;
        }
    }
    spans.push(Span { from, until: length - censored });
    spans
}

/// Which part of its segment a window is: `1/1` the whole, `2/4` the second
/// quarter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// Which one, from 1.
    pub number: u8,
    /// Of how many equal ones.
    pub of: u8,
}

impl Share {
    /// Whether it is the whole segment.
    pub fn is_whole(self) -> bool {
        self.of == 1
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// A window to be tested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// Which part of its segment it is.
    pub share: Share,
    /// Where it lies.
    pub span: Span,
    /// The segment it is cut from.
    pub segment: Span,
    /// Whether it ends where its segment ends.
    pub trailing: bool,
    /// Its first and last edge, counted in bins back from the segment's end.
    back: (u64, u64),
}

/// The windows of all segments that are long enough. Bins are aligned to a
/// segment's end, where a climb has come furthest.
///
/// For [`Part::Superseded`] that is the whole segment, its halves and its
/// quarters, so that a climb that starts late or is stopped early is found;
/// else the whole only.
pub fn windows(
    segments: &[Span],
    part: Part,
    rule: &WindowRule,
) -> Vec<Window> {
    let shares: &[u8] = match part {
        Part::Superseded => &[1, 2, 4],
        Part::Total | Part::Clients => &[1],
    };
    let mut windows = Vec::new();
    for &segment in segments {
        let bins = rule.bins(segment);
        if bins < rule.least as u64 {
            continue;
        }
        for (of, number) in
            shares.iter().flat_map(|&of| (1..=of).map(move |n| (of, n)))
        {
            let edge = |n: u8| u64::from(n) * bins / u64::from(of);
            let cut = edge(number - 1)..edge(number);
            if of == 1 || cut.end - cut.start >= rule.slices as u64 {
                let share = Share { number, of };
                windows.push(Window::cut(segment, share, cut, bins, rule));
            }
        }
    }
    windows
}

/// More bins than this are joined before they are looked at.
const MOST_BINS: u64 = 1 << 17;

impl Window {
    /// All of a stretch that is not cut any further.
    pub(crate) fn whole(span: Span) -> Window {
        let share = Share { number: 1, of: 1 };
        Window { share, span, segment: span, trailing: true, back: (0, 0) }
    }

    fn cut(
        segment: Span,
        share: Share,
        cut: Range<u64>,
        bins: u64,
        rule: &WindowRule,
    ) -> Window {
        let back = (bins - cut.start, bins - cut.end);
        let edge = |back: u64| segment.until - rule.bin_secs() * back as f64;
        Window {
            share,
            span: Span { from: edge(back.0), until: edge(back.1) },
            segment,
            trailing: cut.end == bins,
            back,
        }
    }

    /// Tests the slope of one of the numbers in this window, and tells the
    /// slices that it tested. `rho_cap` as in [`SlopeTest::of`].
    pub fn test(
        &self,
        means: &Means,
        part: Part,
        rule: &WindowRule,
        rho_cap: f64,
    ) -> Option<(SlopeTest, Slices)> {
        let bins = means.means(part, &self.bin_edges(rule));
        let slices = self.slices(means, part, rule);
        let (means, length) = (&slices.means, slices.length);
        let test = SlopeTest::of(means, &bins, length, rho_cap)?;
        Some((test, slices))
    }

    /// The equal slices whose means are tested.
    fn slices(&self, means: &Means, part: Part, rule: &WindowRule) -> Slices {
        let slices = (rule.slices as u64).min(self.back.0 - self.back.1);
        let Span { from, until } = self.span;
        let means = means.means(part, &self.span.edges(slices));
        Slices { means, length: (until - from) / slices as f64 }
    }

    fn bin_edges(&self, rule: &WindowRule) -> Vec<f64> {
        let (first, last) = self.back;
        let joined = ((first - last) / MOST_BINS + 1) as usize;
        let inner = (last + 1..=first).rev().step_by(joined);
        let edge =
            |back: u64| self.segment.until - rule.bin_secs() * back as f64;
        inner.chain([last]).map(edge).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::Sign;

    fn reset(secs: i64) -> Restart {
        let at = Micros::from_secs(secs);
        let until = at + Micros::from_secs(5);
        Restart { at, until, sign: Sign::AtOnce, closed: 9, open: 9 }
    }

    #[test]
    fn only_the_last_segment_loses_the_censored_end() {
        let spans =
            segments(&[reset(4000)], 10_000.0, 60.0, &WindowRule::default());
        let expected = [
            Span { from: 0.0, until: 4000.0 },
            Span { from: 4305.0, until: 9940.0 },
        ];
        assert_eq!(spans, expected);
    }

    #[test]
    fn a_reset_that_is_not_over_in_the_log_cuts_nothing() {
        let spans = segments(
            &[reset(-7), reset(9996)],
            10_000.0,
            0.0,
            &WindowRule::default(),
        );
        assert_eq!(spans, [Span { from: 0.0, until: 10_000.0 }]);
    }

    #[test]
    fn windows_are_the_whole_its_halves_and_its_quarters() {
        let whole = Span { from: 0.0, until: 3000.0 };
        let names = |part| {
            let windows = windows(&[whole], part, &WindowRule::default());
            let name = |w: &Window| {
                format!("{} {}..{}", w.share, w.span.from, w.span.until)
            };
            windows.iter().map(name).collect::<Vec<_>>()
        };
        assert_eq!(names(Part::Total), ["1/1 0..3000"]);
        let parts = names(Part::Superseded);
        assert_eq!(parts[..2], ["1/1 0..3000", "1/2 0..1500"]);
        // 50 bins: quarters of 12, 13, 12 and 13.
        assert_eq!(parts[5], "3/4 1500..2220");
        assert_eq!(parts.len(), 7);
    }

    #[test]
    fn short_parts_and_segments_are_left_out() {
        let of = |secs| {
            let span = Span { from: 0.0, until: secs };
            windows(&[span], Part::Superseded, &WindowRule::default()).len()
        };
        assert_eq!(of(-5.0), 0);
        assert_eq!(of(359.0), 0);
        assert_eq!(of(360.0), 1);
        assert_eq!(of(24.0 * 60.0), 3);
    }

    #[test]
    fn many_bins_are_joined_to_bounded_ones_without_a_gap() {
        let rule = WindowRule { bin: Micros(1), ..WindowRule::default() };
        let span = Span { from: 0.0, until: 10.0 };
        let window = windows(&[span], Part::Total, &rule)[0];
        let edges = window.bin_edges(&rule);
        assert!(edges.len() < MOST_BINS as usize + 2);
        assert_eq!((edges[0], edges[edges.len() - 1]), (0.0, 10.0));
        assert!(edges.is_sorted());
    }
}

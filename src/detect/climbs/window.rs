// COPIED from src/window.rs: `Span`, `Share`, `Window`; here windows are cut
// into eighths too, and a window tests one `Level`
//! The windows that are cut from a stretch of the log.

use serde::Serialize;

use std::fmt;
use std::ops::Range;

use crate::detect::climbs::level::Level;
use crate::detect::settings::ClimbRule;
use crate::detect::trend::SlopeTest;

/// A stretch of time, in seconds from the log's first line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Span {
    /// Its start.
    pub from: f64,
    /// Its end.
    pub until: f64,
}

impl Span {
    /// The edges of so many equal parts.
    pub(crate) fn edges(self, parts: usize) -> Vec<f64> {
        let length = self.until - self.from;
        let edge = |k: usize| self.from + length * k as f64 / parts as f64;
        (0..=parts).map(edge).collect()
    }

    /// How long it is, in seconds.
    pub fn length(self) -> f64 {
        self.until - self.from
    }
}

/// Which part of its segment a window is: `1/1` the whole, `2/4` the second
/// quarter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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

/// Which parts of a segment are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    /// The whole only.
    Whole,
    /// The whole, its halves, its quarters and its eighths, so that a climb
    /// that starts late or is stopped early is found.
    All,
}

impl Parts {
    fn shares(self) -> &'static [u8] {
        match self {
            Parts::Whole => &[1],
            Parts::All => &[1, 2, 4, 8],
        }
    }
}

/// A window to be tested.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Window {
    /// Which part of its segment it is.
    pub(crate) share: Share,
    /// Where it lies.
    pub(crate) span: Span,
    /// The segment it is cut from.
    pub(crate) segment: Span,
    /// Whether it ends where its segment ends.
    pub(crate) trailing: bool,
    /// Its first and last edge, counted in bins back from the segment's end.
    back: (usize, usize),
}

/// How many whole bins a stretch holds.
fn bins(span: Span, rule: &ClimbRule) -> usize {
    // A float's cast saturates; the bound keeps products in range.
    const MOST: f64 = 1e12;
    let bins = span.length() / rule.bin_secs();
    (bins + 1e-9).floor().min(MOST) as usize
}

/// The windows of all segments that are long enough. Bins are aligned to a
/// segment's end, where a climb has come furthest.
pub(crate) fn windows(
    segments: &[Span],
    parts: Parts,
    rule: &ClimbRule,
) -> Vec<Window> {
    let mut windows = Vec::new();
    for &segment in segments {
        let bins = bins(segment, rule);
        if bins >= rule.least {
            windows.extend(cut_all(segment, bins, parts, rule));
        }
    }
    windows
}

/// The windows of one segment of so many bins.
fn cut_all(
    segment: Span,
    bins: usize,
    parts: Parts,
    rule: &ClimbRule,
) -> impl Iterator<Item = Window> + '_ {
    let shares = parts.shares().iter();
    let shares =
        shares.flat_map(|&of| (1..=of).map(move |n| Share { number: n, of }));
    shares.filter_map(move |share| {
        let edge = |n: u8| usize::from(n) * bins / usize::from(share.of);
        let cut = edge(share.number - 1)..edge(share.number);
        let enough = share.is_whole() || cut.len() >= rule.slices;
        enough.then(|| Window::cut(segment, share, cut, bins, rule))
    })
}

/// More bins than this are joined before they are looked at.
const MOST_BINS: usize = 1 << 17;

impl Window {
    fn cut(
        segment: Span,
        share: Share,
        cut: Range<usize>,
        bins: usize,
        rule: &ClimbRule,
    ) -> Window {
        let back = (bins - cut.start, bins - cut.end);
        let edge = |back: usize| segment.until - rule.bin_secs() * back as f64;
        Window {
            share,
            span: Span { from: edge(back.0), until: edge(back.1) },
            segment,
            trailing: cut.end == bins,
            back,
        }
    }

    /// The edges of the equal slices whose means are tested.
    pub(crate) fn slice_edges(&self, rule: &ClimbRule) -> Vec<f64> {
        self.span.edges(rule.slices.min(self.back.0 - self.back.1))
    }

    fn bin_edges(&self, rule: &ClimbRule) -> Vec<f64> {
        let (first, last) = self.back;
        let joined = (first - last) / MOST_BINS + 1;
        let inner = (last + 1..=first).rev().step_by(joined);
        let edge =
            |back: usize| self.segment.until - rule.bin_secs() * back as f64;
        inner.chain([last]).map(edge).collect()
    }

    /// Tests the slope of a number in this window, and tells the slices'
    /// means.
    pub(crate) fn test(
        &self,
        level: &Level,
        rule: &ClimbRule,
    ) -> Option<(SlopeTest, Vec<f64>)> {
        let edges = self.slice_edges(rule);
        let slices = level.means(&edges);
        let bins = level.means(&self.bin_edges(rule));
        let length = self.span.length() / (edges.len() - 1) as f64;
        let test = SlopeTest::of(&slices, &bins, length, rule.rho_cap)?;
        Some((test, slices))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(until: f64, parts: Parts) -> Vec<String> {
        let whole = Span { from: 0.0, until };
        let windows = windows(&[whole], parts, &ClimbRule::default());
        let name = |w: &Window| {
            format!("{} {}..{}", w.share, w.span.from, w.span.until)
        };
        windows.iter().map(name).collect()
    }

    #[test]
    fn windows_are_the_whole_and_what_halving_leaves_long_enough() {
        assert_eq!(names(3000.0, Parts::Whole), ["1/1 0..3000"]);
        let parts = names(3000.0, Parts::All);
        assert_eq!(parts[..2], ["1/1 0..3000", "1/2 0..1500"]);
        // 50 bins: quarters of 12, 13, 12 and 13, eighths of 6.
        assert_eq!(parts[5], "3/4 1500..2220");
        assert_eq!(parts.len(), 7);
        assert_eq!(names(96.0 * 60.0, Parts::All).len(), 15);
    }

    #[test]
    fn many_bins_are_joined_to_bounded_ones_without_a_gap() {
        let span = Span { from: 0.0, until: 1e12 };
        let rule = ClimbRule::default();
        let window = windows(&[span], Parts::Whole, &rule)[0];
        let edges = window.bin_edges(&rule);
        assert!(edges.len() < MOST_BINS + 2 && edges.is_sorted());
        assert!((edges[0] - window.span.from).abs() < 1.0);
        assert!((edges[edges.len() - 1] - 1e12).abs() < 1.0);
    }

    #[test]
    fn short_parts_and_segments_are_left_out() {
        assert_eq!(names(-5.0, Parts::All).len(), 0);
        assert_eq!(names(359.0, Parts::All).len(), 0);
        assert_eq!(names(360.0, Parts::All).len(), 1);
        assert_eq!(names(24.0 * 60.0, Parts::All).len(), 3);
    }
}

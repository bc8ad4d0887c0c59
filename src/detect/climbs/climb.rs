//! A climb: the test of one window of a series, and the shape of what it
//! finds (version 1, 2.4, 2.5, 2.7 and 2.8).

use serde::Serialize;

use crate::detect::climbs::level::Level;
use crate::detect::climbs::window::{self, Parts, Share, Span, Window};
use crate::detect::ends::restarts::Restart;
use crate::detect::settings::Settings;
use crate::detect::trend::SlopeTest;

/// A level below this is nothing to divide by.
const NO_LEVEL: f64 = 1e-9;

/// Which number a window is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Series {
    /// Superseded streams of the units that are suspected. (Z)
    Flagged,
    /// Old superseded streams of all other units.
    Spread,
    /// All open streams. (N)
    Total,
}

/// What a rise looks like.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// It goes on to the end of the segment.
    Climbing,
    /// It has levelled off.
    Stacked,
    /// It came at one jump.
    Stepped,
}

/// One window of a series and the test of its slope.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Climb {
    /// Which number it is of.
    pub series: Series,
    /// Which part of its segment the window is.
    pub share: Share,
    /// Where the window lies.
    pub span: Span,
    /// The segment between restarts that it is cut from.
    pub segment: Span,
    /// Whether it ends where its segment ends.
    pub trailing: bool,
    /// The means of its equal slices, in streams.
    pub slices: Vec<f64>,
    /// The slope of those and its test.
    pub test: SlopeTest,
    /// The level that the test's p must stay below, after sharing it out.
    pub alpha: f64,
    /// The rise that counts as large from its level, in streams.
    pub threshold: f64,
    /// The share of the rise that the number of units with a stream open
    /// does not explain. Asked only of the spread series, where it rises.
    pub beyond_units: Option<f64>,
    /// The shape of the rise; `None` if there is none that counts.
    pub shape: Option<Shape>,
}

impl Climb {
    /// Whether its rise is significant and large.
    pub fn rises(&self) -> bool {
        self.test.p < self.alpha && self.test.rise >= self.threshold
    }

    /// How much the last slice has gained over the first, in streams: what a
    /// verdict's line shows.
    pub fn gained(&self) -> f64 {
        let first = self.slices.first();
        self.last() - first.copied().unwrap_or(0.0)
    }

    /// The mean of its last slice, in streams.
    pub fn last(&self) -> f64 {
        self.slices.last().copied().unwrap_or(0.0)
    }
}

/// A series to be tested.
pub(crate) struct Tested<'a> {
    pub(crate) series: Series,
    pub(crate) level: &'a Level,
    pub(crate) segments: &'a [Span],
    pub(crate) parts: Parts,
    /// The number of units with a stream open, if a rise must be beyond
    /// that.
    pub(crate) units: Option<&'a Level>,
    /// The chance of a false alarm left to the series.
    pub(crate) alpha: f64,
}

impl Tested<'_> {
    /// Tests all windows of the series.
    pub(crate) fn climbs(&self, settings: &Settings) -> Vec<Climb> {
        let windows =
            window::windows(self.segments, self.parts, &settings.climb);
        let alpha = self.alpha / windows.len().max(1) as f64;
        let test = |w: &Window| self.climb(w, alpha, settings);
        windows.iter().filter_map(test).collect()
    }

    fn climb(
        &self,
        window: &Window,
        alpha: f64,
        settings: &Settings,
    ) -> Option<Climb> {
        let rule = &settings.climb;
        let (test, slices) = window.test(self.level, rule)?;
        let mut climb = Climb {
            series: self.series,
            share: window.share,
            span: window.span,
            segment: window.segment,
            trailing: window.trailing,
            slices,
            alpha,
            threshold: rule.threshold(test.level),
            test,
            beyond_units: None,
            shape: None,
        };
        if climb.rises() {
            climb.beyond_units = self.beyond_units(window, &climb, settings);
            let beyond = climb.beyond_units;
            let counts = beyond.is_none_or(|b| b >= settings.beyond_units);
            climb.shape = counts.then(|| shape(&climb, settings));
        }
        Some(climb)
    }

    /// The share of a rise that is left when the series' mean for each unit
    /// with a stream open is given to the rise of their number.
    fn beyond_units(
        &self,
        window: &Window,
        climb: &Climb,
        settings: &Settings,
    ) -> Option<f64> {
        let rule = &settings.climb;
        let units = self.units?.means(&window.slice_edges(rule));
        let test = SlopeTest::of(&units, &units, 1.0, rule.rho_cap)?;
        let each = climb.test.mean / test.mean.max(NO_LEVEL);
        let explained = each * test.rise.max(0.0);
        Some((climb.test.rise - explained) / climb.test.rise)
    }
}

fn shape(climb: &Climb, settings: &Settings) -> Shape {
    let rule = &settings.climb;
    if climb.test.occupancy < rule.step_occupancy {
        Shape::Stepped
    } else if !climb.trailing || climb.test.still < rule.levelled {
        Shape::Stacked
    } else {
        Shape::Climbing
    }
}

/// The stretches between restarts, up to an instant in seconds; the bins
/// after each restart are left out.
pub(crate) fn segments(
    cuts: &[Restart],
    until: f64,
    settings: &Settings,
) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut from = 0.0;
    for cut in cuts {
        spans.push(Span { from, until: cut.from.as_secs() });
        from = cut.until.as_secs() + settings.climb.settle_secs();
    }
    spans.push(Span { from, until });
    spans.retain(|span| span.until > span.from);
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    fn spans(cuts: &[(i64, i64)], until: f64) -> Vec<(f64, f64)> {
        let restart = |&(from, until): &(i64, i64)| Restart {
            from: Micros::from_secs(from),
            until: Micros::from_secs(until),
        };
        let cuts: Vec<Restart> = cuts.iter().map(restart).collect();
        segments(&cuts, until, &Settings::default())
            .iter()
            .map(|span| (span.from, span.until))
            .collect()
    }

    #[test]
    fn segments_begin_five_minutes_after_a_restart() {
        let expected = [(0.0, 4000.0), (4305.0, 9940.0)];
        assert_eq!(spans(&[(4000, 4005)], 9940.0), expected);
        assert_eq!(spans(&[(4000, 4005)], 4100.0), [(0.0, 4000.0)]);
        assert_eq!(spans(&[], 60.0), [(0.0, 60.0)]);
    }

    fn climbs(pieces: &[(i64, i64)], units: Option<&Level>) -> Vec<Climb> {
        let micros = |&(a, b): &(i64, i64)| {
            (Micros::from_secs(a), Micros::from_secs(b))
        };
        let level = Level::of(pieces.iter().map(micros));
        let segments = [Span { from: 0.0, until: 7200.0 }];
        let tested = Tested {
            series: Series::Flagged,
            level: &level,
            segments: &segments,
            parts: Parts::Whole,
            units,
            alpha: 0.01,
        };
        tested.climbs(&Settings::default())
    }

    #[test]
    fn a_leak_climbs_a_jump_steps_and_a_plateau_is_stacked() {
        let shape = |opened: fn(i64) -> i64| {
            let all: Vec<(i64, i64)> =
                (0..60).map(|k| (opened(k), 9999)).collect();
            climbs(&all, None)[0].shape
        };
        assert_eq!(shape(|k| k * 120), Some(Shape::Climbing));
        assert_eq!(shape(|k| k * 60), Some(Shape::Stacked));
        assert_eq!(shape(|k| 3000 + k), Some(Shape::Stepped));
        assert_eq!(shape(|k| -k), None);
    }

    #[test]
    fn a_rise_that_the_number_of_units_explains_does_not_count() {
        let all: Vec<(i64, i64)> = (0..60).map(|k| (k * 120, 9999)).collect();
        let pieces = all
            .iter()
            .map(|&(a, b)| (Micros::from_secs(a), Micros::from_secs(b)));
        let as_many = Level::of(pieces);
        let found = &climbs(&all, Some(&as_many))[0];
        assert!(found.beyond_units.unwrap().abs() < 1e-9);
        assert_eq!(found.shape, None);
        assert!(found.rises() && found.gained() > 50.0);
    }
}

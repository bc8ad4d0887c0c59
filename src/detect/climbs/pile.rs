//! Piles: superseded streams put into a series, and piles that stand.

use serde::Serialize;

use crate::detect::climbs::climb::{self, Climb, Series, Shape, Tested};
use crate::detect::climbs::level::Level;
use crate::detect::climbs::window::{Parts, Span};
use crate::detect::ends::held::Held;
use crate::detect::ends::restarts::{self, Restart, Whose};
use crate::detect::log::{Log, Openings};
use crate::detect::rates::holds::Holds;
use crate::detect::settings::Settings;
use crate::time::Micros;

/// Cuts of a pile that follow each other within this are one.
const JOINED: Micros = Micros::MINUTE;

/// The number of slices in which a standing pile must have been seen: one
/// may be a chance.
const SEEN: usize = 2;

/// One superseded stream, from when it counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) from: Micros,
    pub(crate) until: Micros,
    /// How long the whole stream was held.
    pub(crate) hold: Micros,
    /// Whether it ended in the log.
    pub(crate) ended: bool,
}

/// Some superseded streams, to be tested for a climb.
pub(crate) struct Pile<'a> {
    pub(crate) series: Series,
    pub(crate) pieces: &'a [Piece],
    /// The restarts of the endpoint.
    pub(crate) restarts: &'a [Restart],
    /// As for [`Tested`].
    pub(crate) units: Option<&'a Level>,
    pub(crate) alpha: f64,
}

impl Pile<'_> {
    /// Tests the number of these streams over time (specification, step 9).
    pub(crate) fn climbs(
        &self,
        log: &Log<'_>,
        settings: &Settings,
    ) -> Vec<Climb> {
        let cuts = self.cuts(log.length());
        let until = self.trusted_until(&cuts, log, settings);
        let level = Level::of(self.pieces.iter().map(|p| (p.from, p.until)));
        let segments = climb::segments(&cuts, until, settings);
        let tested = Tested {
            series: self.series,
            level: &level,
            segments: &segments,
            parts: Parts::All,
            units: self.units,
            alpha: self.alpha,
        };
        tested.climbs(settings)
    }

    /// Restarts of all, and those that only the pile shows: one worker's,
    /// say.
    fn cuts(&self, length: Micros) -> Vec<Restart> {
        let held = |piece: &Piece| Held {
            from: piece.from,
            until: piece.until,
            unit: 0,
            counts: piece.ended,
        };
        let held: Vec<Held> = self.pieces.iter().map(held).collect();
        let mut cuts = restarts::find(&held, length, Whose::Anybody);
        cuts.extend(self.restarts);
        restarts::joined(cuts, JOINED)
    }

    /// Up to when the pile is known, in seconds: to the last cut, or to
    /// where its streams that are still open would be missed.
    fn trusted_until(
        &self,
        cuts: &[Restart],
        log: &Log<'_>,
        settings: &Settings,
    ) -> f64 {
        let counts = |p: &&Piece| p.ended && !restarts::within(cuts, p.until);
        let pieces = self.pieces.iter().filter(counts);
        let hidden = match log.openings {
            Openings::Logged => 0.0,
            Openings::Unlogged => {
                Holds::of(pieces.map(|p| p.hold)).equilibrium(settings.trust)
            }
        };
        let until = log.length().as_secs() - hidden;
        cuts.last().map_or(until, |last| until.max(last.from.as_secs()))
    }
}

/// A pile that stood before the log began, or came at one jump
/// (specification, step 10).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// Where it was looked at.
    pub span: Span,
    /// The means of equal slices of that, in streams.
    pub slices: Vec<f64>,
}

impl Standing {
    /// Of these streams in the longest segment, if it stands.
    pub(crate) fn of(
        pieces: &[Piece],
        segments: &[Span],
        settings: &Settings,
    ) -> Option<Standing> {
        let rule = &settings.climb;
        let longest = |a: Span, b: Span| {
            if b.length() > a.length() { b } else { a }
        };
        let span = segments.iter().copied().reduce(longest)?;
        if span.length() < rule.least as f64 * rule.bin_secs() {
            return None;
        }
        let level = Level::of(pieces.iter().map(|p| (p.from, p.until)));
        let slices = level.means(&span.edges(rule.slices));
        let least = settings.least_peak as f64;
        let high = slices.iter().filter(|mean| **mean >= least).count();
        (high >= SEEN).then_some(Standing { span, slices })
    }

    /// Whether it stood when the log began.
    pub fn from_the_start(&self, least: f64) -> bool {
        self.slices.first().is_some_and(|first| *first >= least)
    }
}

/// What a rise of the flagged units' pile amounts to: one that came at one
/// jump and still stands at the window's end is a pile as well.
pub(crate) fn standing_steps(climbs: &mut [Climb], least: f64) {
    for climb in climbs {
        let stands = climb.last() >= least;
        if climb.shape == Some(Shape::Stepped) && stands {
            climb.shape = Some(Shape::Stacked);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(count: i64, from: i64) -> Vec<Piece> {
        let piece = Piece {
            from: Micros::from_secs(from),
            until: Micros::from_secs(99_999),
            hold: Micros::from_secs(99_999 - from),
            ended: false,
        };
        vec![piece; count as usize]
    }

    fn standing(pieces: &[Piece], until: f64) -> Option<Standing> {
        let segments =
            [Span { from: 0.0, until: 100.0 }, Span { from: 400.0, until }];
        Standing::of(pieces, &segments, &Settings::default())
    }

    #[test]
    fn four_that_are_open_in_two_slices_stand() {
        let found = standing(&pieces(4, -9), 4000.0).unwrap();
        assert!(found.from_the_start(4.0));
        // The last two slices of twelve begin at 3400 s.
        let late = standing(&pieces(4, 3400), 4000.0).unwrap();
        assert!(!late.from_the_start(4.0));
        assert_eq!(standing(&pieces(4, 3401), 4000.0), None);
        assert_eq!(standing(&pieces(3, -9), 4000.0), None);
        assert_eq!(standing(&pieces(4, -9), 500.0), None);
    }
}

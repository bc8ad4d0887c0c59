//! Observed and expected: how many superseded streams ended, and how many
//! would have at the rate of current streams of their age (specification,
//! step 7).

use serde::Serialize;

use crate::detect::ends::{End, Ends};
use crate::detect::rates::hazard::Hazard;
use crate::detect::rates::horizon::Horizon;
use crate::detect::rows::{Row, Rows};
use crate::stats;

/// The most expected ends that one stream may contribute.
const MOST: f64 = 5.0;

/// The ends of some superseded streams against those expected of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Observed {
    /// How many streams were followed.
    pub streams: u64,
    /// How many of them ended before the horizon. (O)
    pub observed: u64,
    /// How many would have, at the rate of current streams. (X)
    pub expected: f64,
    /// How many ended by choice until the log's end: all that such a log
    /// shows has ended.
    pub by_choice: u64,
    /// How long they were followed, in seconds, summed.
    pub followed: f64,
}

impl Observed {
    /// How likely so few ends are if superseded streams end at least `ratio`
    /// times as fast as current ones.
    pub fn p(&self, ratio: f64) -> f64 {
        stats::poisson_at_most(self.observed, self.expected * ratio)
    }
}

/// Which ends are counted as what.
#[derive(Clone, Copy)]
pub(crate) struct Counting<'a> {
    pub(crate) hazard: &'a Hazard,
    /// The age from which streams are followed, in seconds.
    pub(crate) from: f64,
    /// The ends that are observed.
    pub(crate) event: fn(End) -> bool,
    /// The ends that count as chosen, until the log's end.
    pub(crate) by_choice: fn(End) -> bool,
}

/// The ages, in seconds, through which a stream was superseded and in sight
/// before the horizon, if there are any.
pub(crate) fn ages(row: &Row, horizon: &Horizon) -> Option<(f64, f64)> {
    let opened = row.opened.as_secs();
    if opened >= horizon.until || !row.is_superseded() {
        return None;
    }
    let superseded = (row.superseded - row.opened).as_secs();
    let from = superseded.max(-opened).max(0.0);
    let until = row.hold().as_secs().min(horizon.until - opened);
    (until > from).then_some((from, until))
}

/// Follows the rows of such numbers.
pub(crate) fn observe(
    rows: &Rows,
    ends: &Ends,
    horizon: &Horizon,
    numbers: impl Iterator<Item = usize>,
    counting: Counting<'_>,
) -> Observed {
    let mut all = Observed::default();
    for at in numbers {
        let (row, end) = (&rows.rows[at], ends.ends[at]);
        let Some((from, until)) = ages(row, horizon) else { continue };
        let from = from.max(counting.from);
        if until > from {
            all.follow(row, end, (from, until), horizon, counting);
        }
    }
    all
}

impl Observed {
    fn follow(
        &mut self,
        row: &Row,
        end: End,
        (from, until): (f64, f64),
        horizon: &Horizon,
        counting: Counting<'_>,
    ) {
        let hazard = counting.hazard;
        let expected = hazard.until(until) - hazard.until(from);
        let seen = row.closed.as_secs() <= horizon.until;
        self.streams += 1;
        self.observed += u64::from((counting.event)(end) && seen);
        self.expected += expected.min(MOST);
        self.by_choice += u64::from((counting.by_choice)(end));
        self.followed += until - from;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::rows::tests::rows;

    fn horizon(until: f64) -> Horizon {
        Horizon { hidden: 0.0, until, hidden_shown: 0.0 }
    }

    #[test]
    fn a_stream_is_followed_from_being_superseded_to_the_horizon() {
        let all = [(0, -50, 300), (0, -20, 400), (0, 100, 500)];
        let rows = rows(&all, 1000);
        let ages = |at: usize, until| ages(&rows.rows[at], &horizon(until));
        // Superseded at an age of 30 s, in sight from one of 50 s.
        assert_eq!(ages(0, 1000.0), Some((50.0, 350.0)));
        assert_eq!(ages(1, 1000.0), Some((120.0, 420.0)));
        assert_eq!(ages(1, 150.0), Some((120.0, 170.0)));
        assert_eq!(ages(1, 90.0), None);
        assert_eq!(ages(1, -20.0), None);
        assert_eq!(ages(2, 1000.0), None);
    }

    // Expected: scipy 1.17.1, `stats.poisson.cdf(3, 36 / 3)`.
    #[test]
    fn the_null_is_that_they_end_a_third_as_fast() {
        let expected = 36.0;
        let few = Observed { observed: 3, expected, ..Observed::default() };
        assert!((few.p(1.0 / 3.0) - 0.002291791207791423).abs() < 1e-12);
        assert!((Observed::default().p(0.5) - 1.0).abs() < 1e-12);
    }
}

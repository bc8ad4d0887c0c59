//! Releases of a unit's own: much of what it left behind ends at once,
//! because a tab was closed or a worker died (specification, step 3). And
//! how many superseded streams a unit held at once.

use std::collections::VecDeque;

use crate::detect::rows::{Row, Rows};
use crate::time::Micros;

/// How long a release takes.
const WIDTH: Micros = Micros::from_secs(5);

/// Streams of a release, at least.
const LEAST: usize = 5;

/// A release must spread over ages by more than this share of the oldest:
/// one age is a ceiling's.
const ONE_AGE: f64 = 0.1;

/// What a look at the superseded streams of each unit tells.
#[derive(Clone, Debug)]
pub(crate) struct Releases {
    /// By row: whether it ended in a release of its unit's own.
    pub(crate) released: Vec<bool>,
    /// By unit: the most superseded streams at once.
    pub(crate) peaks: Vec<usize>,
}

impl Releases {
    /// Of all units.
    pub(crate) fn of(rows: &Rows) -> Releases {
        let mut released = vec![false; rows.len()];
        let mut peaks = Vec::with_capacity(rows.units.len());
        for unit in &rows.units {
            let by_end = &rows.by_end[unit.rows.clone()];
            let pile = Pile::of(&rows.rows, by_end);
            peaks.push(pile.peak());
            for at in pile.released() {
                released[at] = true;
            }
        }
        Releases { released, peaks }
    }
}

/// The superseded streams of one unit.
struct Pile {
    /// In order of closing.
    streams: Vec<Left>,
    /// When each became superseded, in order.
    since: Vec<Micros>,
}

/// A superseded stream.
struct Left {
    row: usize,
    closed: Micros,
    age: Micros,
}

impl Pile {
    fn of(rows: &[Row], by_end: &[usize]) -> Pile {
        let superseded = |at: &&usize| rows[**at].is_superseded();
        let left = |&row: &usize| {
            let Row { closed, .. } = rows[row];
            Left { row, closed, age: rows[row].hold() }
        };
        let streams: Vec<Left> =
            by_end.iter().filter(superseded).map(left).collect();
        let mut since: Vec<Micros> =
            streams.iter().map(|left| rows[left.row].superseded).collect();
        since.sort_unstable();
        Pile { streams, since }
    }

    fn peak(&self) -> usize {
        let mut begun = 0;
        let mut peak = 0;
        for (ended, left) in self.streams.iter().enumerate() {
            while self.since.get(begun).is_some_and(|at| *at < left.closed) {
                begun += 1;
            }
            peak = peak.max(begun - ended);
        }
        peak
    }

    /// The rows that ended in releases.
    fn released(&self) -> Vec<usize> {
        let mut all = Vec::new();
        if self.streams.len() < LEAST {
            return all;
        }
        let mut ages = Extremes::default();
        let (mut from, mut until) = (0, 0);
        while from < self.streams.len() {
            until = self.take_in(until, self.streams[from].closed, &mut ages);
            if self.is_release(from, until, &ages) {
                let run = &self.streams[from..until];
                all.extend(run.iter().map(|left| left.row));
                from = until;
            } else {
                from += 1;
            }
            ages.drop_before(from);
        }
        all
    }

    /// Takes in what ends within the width after an instant.
    fn take_in(
        &self,
        mut next: usize,
        at: Micros,
        ages: &mut Extremes,
    ) -> usize {
        while next < self.streams.len()
            && self.streams[next].closed <= at + WIDTH
        {
            ages.push(next, self.streams[next].age);
            next += 1;
        }
        next
    }

    /// Whether these streams end together: at least half of what the unit
    /// had left open, and not of one age.
    fn is_release(&self, from: usize, until: usize, ages: &Extremes) -> bool {
        let at = self.streams[from].closed;
        let begun = self.since.partition_point(|since| *since < at);
        until - from >= LEAST
            && 2 * (until - from) >= begun.saturating_sub(from)
            && ages.differ_by(ONE_AGE)
    }
}

/// The least and the greatest age of a window that slides over streams.
#[derive(Default)]
struct Extremes {
    /// Streams that may be the youngest of a later window, ages ascending.
    youngest: VecDeque<(usize, Micros)>,
    /// The same of the oldest, ages descending.
    oldest: VecDeque<(usize, Micros)>,
}

impl Extremes {
    fn push(&mut self, number: usize, age: Micros) {
        while self.youngest.back().is_some_and(|last| last.1 >= age) {
            self.youngest.pop_back();
        }
        while self.oldest.back().is_some_and(|last| last.1 <= age) {
            self.oldest.pop_back();
        }
        self.youngest.push_back((number, age));
        self.oldest.push_back((number, age));
    }

    /// Lets go of the streams before this one.
    fn drop_before(&mut self, first: usize) {
        for ages in [&mut self.youngest, &mut self.oldest] {
            while ages.front().is_some_and(|front| front.0 < first) {
                ages.pop_front();
            }
        }
    }

    /// Whether the ages spread by more than a share of the oldest.
    fn differ_by(&self, share: f64) -> bool {
        let ends = self.youngest.front().zip(self.oldest.front());
        ends.is_some_and(|((_, young), (_, old))| {
            (*old - *young).as_secs() > share * old.as_secs()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::rows::tests::rows;

    fn releases(streams: &[(u32, i64, i64)]) -> (Vec<bool>, usize) {
        let found = Releases::of(&rows(streams, 10_000));
        (found.released, found.peaks[0])
    }

    /// Streams opened a minute apart; each is superseded by the next.
    fn tab(count: i64, closed: impl Fn(i64) -> i64) -> Vec<(u32, i64, i64)> {
        (0..count).map(|k| (0, k * 60, closed(k))).collect()
    }

    #[test]
    fn a_tab_that_closes_releases_all_it_left_behind() {
        let (released, peak) = releases(&tab(8, |k| 2000 + k / 3));
        assert_eq!(peak, 7);
        // The last one was never superseded.
        assert_eq!(released.iter().filter(|r| **r).count(), 7);
        assert!(!released[7]);
    }

    #[test]
    fn less_than_half_or_than_five_are_no_release() {
        let four = releases(&tab(5, |_| 2000));
        assert!(!four.0.contains(&true));
        // Five of the eleven that were left behind.
        let closed = |k| if k < 5 { 2000 } else { 2100 + 60 * k };
        assert!(!releases(&tab(12, closed)).0.contains(&true));
    }

    #[test]
    fn ends_at_one_age_are_a_ceilings() {
        let page: Vec<(u32, i64, i64)> =
            (0..9).map(|k| (0, k, 1000 + k / 3)).collect();
        let (released, peak) = releases(&page);
        assert_eq!(peak, 6);
        assert!(!released.contains(&true));
    }

    #[test]
    fn streams_that_touch_were_never_at_once() {
        assert_eq!(releases(&tab(5, |k| k * 60 + 60)).1, 0);
        assert_eq!(releases(&tab(5, |k| k * 60 + 61)).1, 1);
    }
}

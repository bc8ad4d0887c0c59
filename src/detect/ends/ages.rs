//! The ages of the streams that close together, kept in order while a window
//! slides over closings.
//!
//! The search for restarts asks for quantiles of the ages in many windows
//! that overlap. To sort each window would take quadratic time in a log that
//! closes much within minutes; a Fenwick tree over the order of openings
//! ("A new data structure for cumulative frequency tables", Softw. Pract.
//! Exper. 24, 1994) answers in logarithmic time. The order of ages is that of
//! openings at every instant, so the tree need not be built again.

use std::ops::Range;

use crate::detect::ends::held::Closing;
use crate::stats::quantile;
use crate::time::Micros;

/// The streams of a window of closings that had been opened before an
/// instant. Windows and instants may only move
/// on, unless they are rewound.
pub(crate) struct Ages<'a> {
    closings: &'a [Closing],
    /// The closings in order of opening, the oldest first.
    order: Vec<usize>,
    /// Where in that order each closing is.
    ranks: Vec<usize>,
    /// How many of the order had been opened before the instant.
    reached: usize,
    window: Range<usize>,
    /// By closing: whether it is counted.
    counted: Vec<bool>,
    tree: Tree,
    /// By unit: how many of its closings are counted.
    of_unit: Vec<u32>,
    units: usize,
    len: usize,
}

impl<'a> Ages<'a> {
    /// Before the first of these closings.
    pub(crate) fn new(closings: &'a [Closing]) -> Ages<'a> {
        let mut order: Vec<usize> = (0..closings.len()).collect();
        order.sort_unstable_by_key(|&at| closings[at].opened);
        let mut ranks = vec![0; closings.len()];
        for (rank, &at) in order.iter().enumerate() {
            ranks[at] = rank;
        }
        let units = closings.iter().map(|closing| closing.unit as usize + 1);
        Ages {
            closings,
            order,
            ranks,
            reached: 0,
            window: 0..0,
            counted: vec![false; closings.len()],
            tree: Tree::new(closings.len()),
            of_unit: vec![0; units.max().unwrap_or(0)],
            units: 0,
            len: 0,
        }
    }

    /// Goes back before the first closing.
    pub(crate) fn rewind(&mut self) {
        for at in self.window.clone() {
            self.let_go(at);
        }
        self.window = 0..0;
        self.reached = 0;
    }

    /// Counts the closings of this window whose streams had been opened
    /// before an instant, and no others.
    pub(crate) fn slide(&mut self, window: Range<usize>, before: Micros) {
        let gone = self.window.start..window.start.min(self.window.end);
        for at in gone {
            self.let_go(at);
        }
        let new = self.window.end.max(window.start)..window.end;
        self.window = window;
        for at in new {
            if self.ranks[at] < self.reached {
                self.take_in(at);
            }
        }
        while let Some(&at) = self.order.get(self.reached)
            && self.closings[at].opened < before
        {
            self.reached += 1;
            if self.window.contains(&at) {
                self.take_in(at);
            }
        }
    }

    fn take_in(&mut self, at: usize) {
        let Closing { opened, unit, .. } = self.closings[at];
        self.counted[at] = true;
        self.tree.add(self.ranks[at], 1, opened);
        self.len += 1;
        let of_unit = &mut self.of_unit[unit as usize];
        self.units += usize::from(*of_unit == 0);
        *of_unit += 1;
    }

    fn let_go(&mut self, at: usize) {
        if !self.counted[at] {
            return;
        }
        let Closing { opened, unit, .. } = self.closings[at];
        self.counted[at] = false;
        self.tree.add(self.ranks[at], -1, opened);
        self.len -= 1;
        let of_unit = &mut self.of_unit[unit as usize];
        *of_unit -= 1;
        self.units -= usize::from(*of_unit == 0);
    }

    /// How many streams are counted.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// How many units they belong to.
    pub(crate) fn units(&self) -> usize {
        self.units
    }

    /// The last closing that is counted.
    pub(crate) fn last(&self) -> Option<Micros> {
        let counted = |at: &usize| self.counted[*at];
        let last = self.window.clone().rev().find(counted)?;
        Some(self.closings[last].at)
    }

    /// When the stream of this rank among those counted was opened, the
    /// oldest being 0.
    fn opened(&self, nth: usize) -> Micros {
        let rank = self.tree.before(|count, _| count <= nth as i64);
        let at = self.order.get(rank).copied();
        at.map_or(Micros::ZERO, |at| self.closings[at].opened)
    }

    /// The quantile of the ages at an instant, in seconds.
    pub(crate) fn quantile(&self, at: Micros, q: f64) -> f64 {
        let age = |k: usize| (at - self.opened(self.len - 1 - k)).as_secs();
        quantile(self.len, q, age).unwrap_or(0.0)
    }

    /// The age at an instant with half of all that is held by streams this
    /// old or older.
    pub(crate) fn weighted_median(&self, at: Micros) -> Micros {
        let held = |count: i64, opened: i128| {
            i128::from(count) * i128::from(at.0) - opened
        };
        let all = held(self.len as i64, self.tree.sum());
        let older =
            self.tree.before(|count, opened| 2 * held(count, opened) <= all);
        let at_rank = self.order.get(older).copied();
        at_rank.map_or(Micros::ZERO, |n| at - self.closings[n].opened)
    }
}

/// A Fenwick tree of how many openings there are and their sum.
struct Tree {
    /// The number and the sum over the ranks that a node stands for.
    nodes: Vec<(i64, i128)>,
}

impl Tree {
    fn new(ranks: usize) -> Tree {
        Tree { nodes: vec![(0, 0); ranks + 1] }
    }

    /// Adds an opening at a rank so many times.
    fn add(&mut self, rank: usize, times: i64, opened: Micros) {
        let mut node = rank + 1;
        while let Some((count, sum)) = self.nodes.get_mut(node) {
            *count += times;
            *sum += i128::from(times) * i128::from(opened.0);
            node += node & node.wrapping_neg();
        }
    }

    /// The sum of all openings.
    fn sum(&self) -> i128 {
        let mut node = self.nodes.len() - 1;
        let mut sum = 0;
        while node > 0 {
            sum += self.nodes[node].1;
            node &= node - 1;
        }
        sum
    }

    /// The first rank with which the number and the sum up to and with it
    /// are no longer such; the number of ranks if they always are.
    fn before(&self, such: impl Fn(i64, i128) -> bool) -> usize {
        let mut rank = 0;
        let (mut count, mut sum) = (0, 0);
        let mut step = self.nodes.len().next_power_of_two();
        while step > 0 {
            if let Some(node) = self.nodes.get(rank + step)
                && such(count + node.0, sum + node.1)
            {
                rank += step;
                count += node.0;
                sum += node.1;
            }
            step /= 2;
        }
        rank
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Streams by whole seconds: when opened, when closed, whose.
    fn closings(streams: &[(i64, i64, u32)]) -> Vec<Closing> {
        let closing = |&(opened, at, unit): &(i64, i64, u32)| Closing {
            at: Micros::from_secs(at),
            opened: Micros::from_secs(opened),
            unit,
        };
        streams.iter().map(closing).collect()
    }

    #[test]
    fn ages_are_those_of_the_window_opened_before() {
        let all = closings(&[
            (0, 100, 0),
            (90, 101, 1),
            (60, 102, 1),
            (101, 103, 2),
            (20, 104, 0),
        ]);
        let mut ages = Ages::new(&all);
        ages.slide(0..4, Micros::from_secs(99));
        let at = Micros::from_secs(100);
        // Ages 100, 10 and 40; the fourth was opened later.
        assert_eq!((ages.len(), ages.units()), (3, 2));
        assert!((ages.quantile(at, 0.5) - 40.0).abs() < 1e-12);
        assert!((ages.quantile(at, 1.0) - 100.0).abs() < 1e-12);
        // 10 + 40 of 150 held by younger ones: the oldest holds most.
        assert_eq!(ages.weighted_median(at), Micros::from_secs(100));
        assert_eq!(ages.last(), Some(Micros::from_secs(102)));
        ages.slide(1..5, Micros::from_secs(102));
        assert_eq!((ages.len(), ages.units()), (4, 3));
        assert_eq!(ages.last(), Some(Micros::from_secs(104)));
        ages.rewind();
        assert_eq!((ages.len(), ages.units(), ages.last()), (0, 0, None));
        ages.slide(0..1, Micros::from_secs(99));
        assert_eq!((ages.len(), ages.units()), (1, 1));
    }

    /// The same by sorting each window.
    fn sorted(window: &[Closing], before: Micros) -> Vec<Micros> {
        let old = window.iter().filter(|c| c.opened < before);
        let mut opened: Vec<Micros> = old.map(|c| c.opened).collect();
        opened.sort_unstable_by(|a, b| b.cmp(a));
        opened
    }

    #[test]
    fn a_sliding_window_is_as_if_sorted_anew() {
        // A walk that meets equal openings and equal closings.
        let mut seed = 7_u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005) + 1;
            ((seed >> 33) % below) as i64
        };
        let mut streams: Vec<(i64, i64, u32)> = (0..300)
            .map(|_| (next(200), 150 + next(100), next(9) as u32))
            .collect();
        streams.sort_by_key(|stream| stream.1);
        let all = closings(&streams);
        let mut ages = Ages::new(&all);
        for first in (0..250).step_by(3) {
            let at = all[first].at;
            let window = first..(first + 40).min(all.len());
            ages.slide(window.clone(), at - Micros::SECOND);
            let expected = sorted(&all[window], at - Micros::SECOND);
            assert_eq!(ages.len(), expected.len());
            for (nth, opened) in expected.iter().rev().enumerate() {
                assert_eq!(ages.opened(nth), *opened);
            }
            let total: i64 = expected.iter().map(|o| (at - *o).0).sum();
            let mut sum = 0;
            let median = expected.iter().find(|opened| {
                sum += (at - **opened).0;
                2 * sum >= total
            });
            let median = median.map(|opened| at - *opened);
            assert_eq!(Some(ages.weighted_median(at)), median);
        }
    }
}

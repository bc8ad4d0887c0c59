//! How old the streams were that a run of closings ended.

use std::ops::Range;

use super::events::Events;

use crate::stats::quantile;
use crate::time::Micros;

/// The ages in a window that slides over closings, in order of age: a
/// Fenwick tree over their ranks, so that many overlapping candidates cost
/// no more than a sort.
pub(super) struct Ages {
    sorted: Vec<Micros>,
    ranks: Vec<usize>,
    tree: Vec<usize>,
    base: usize,
    window: Range<usize>,
}

impl Ages {
    /// For windows among these, which overlap.
    pub(super) fn of(ends: &Events, windows: &[Range<usize>]) -> Ages {
        let base = windows.first().map_or(0, |window| window.start);
        let end = windows.last().map_or(base, |window| window.end);
        let holds = &ends.closings[base..end];
        let mut order: Vec<usize> = (0..holds.len()).collect();
        order.sort_unstable_by_key(|&at| holds[at].1);
        let mut ranks = vec![0; holds.len()];
        for (rank, &at) in order.iter().enumerate() {
            ranks[at] = rank;
        }
        let sorted = order.iter().map(|&at| holds[at].1).collect();
        let tree = vec![0; holds.len() + 1];
        Ages { sorted, ranks, tree, base, window: base..base }
    }

    /// Whether the ages in this window are those of a restart: half of them
    /// `least` or older, and apart by this share of their median.
    pub(super) fn spread(
        &mut self,
        window: Range<usize>,
        least: Micros,
        share: f64,
    ) -> bool {
        self.slide(window);
        let of = |q| quantile(self.window.len(), q, |k| self.nth(k));
        match (of(0.1), of(0.5), of(0.9)) {
            (Some(low), Some(mid), Some(high)) => {
                mid >= least.as_secs() && high - low >= share * mid
            }
            _ => false,
        }
    }

    /// Moves the window on; neither end may move back.
    fn slide(&mut self, window: Range<usize>) {
        for at in self.window.end..window.end {
            self.add(at, usize::wrapping_add);
        }
        for at in self.window.start..window.start {
            self.add(at, usize::wrapping_sub);
        }
        self.window = window;
    }

    fn add(&mut self, at: usize, change: fn(usize, usize) -> usize) {
        let mut node = self.ranks[at - self.base] + 1;
        while let Some(count) = self.tree.get_mut(node) {
            *count = change(*count, 1);
            node += node & node.wrapping_neg();
        }
    }

    /// The k-th smallest age in the window, from 0, in seconds.
    fn nth(&self, mut k: usize) -> f64 {
        let mut rank = 0;
        let mut step = self.tree.len().next_power_of_two();
        while step > 0 {
            match self.tree.get(rank + step) {
                Some(&count) if count <= k => {
                    k -= count;
                    rank += step;
                }
                _ => {}
            }
            step /= 2;
        }
        self.sorted[rank.min(self.sorted.len() - 1)].as_secs()
    }
}

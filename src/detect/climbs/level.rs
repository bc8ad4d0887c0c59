// COPIED from src/means.rs: `Level` and what it is made of; `Level::means` is
// the project's `Means::means` of one number
//! Exact time-weighted means of how many of some intervals are open.
//!
//! With I(t) the time held until t, summed over the streams, the mean over
//! `[a, b)` is (I(b) - I(a)) / (b - a). I(t) needs only how many streams had
//! opened and closed by t and the sums of those instants, so one mean costs
//! a few binary searches, however many streams there are. The sums are whole
//! microseconds.

use crate::time::Micros;

/// A number that steps up at some instants and down at others.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    up: Sums,
    down: Sums,
}

impl Level {
    /// The number that each interval `[up, down)` raises by one.
    pub(crate) fn of(
        intervals: impl Iterator<Item = (Micros, Micros)>,
    ) -> Level {
        let (up, down) = intervals.map(|(up, down)| (up.0, down.0)).unzip();
        Level { up: Sums::of(up), down: Sums::of(down) }
    }

    /// The time-weighted mean of the number in each slice between neighbouring
    /// `edges`: seconds from the origin, in ascending order. One mean fewer
    /// than there are edges; 0 for a slice of no length.
    pub(crate) fn means(&self, edges: &[f64]) -> Vec<f64> {
        let marks = self.marks(edges);
        marks.windows(2).map(|pair| mean(pair[0], pair[1])).collect()
    }

    /// What I(t) is made of at these instants, quickest in their order.
    fn marks(&self, secs: &[f64]) -> Vec<Mark> {
        let (mut opened, mut closed) = (0, 0);
        let mark = |secs: &f64| {
            let at = secs * 1e6;
            opened = self.up.until(at, opened);
            closed = self.down.until(at, closed);
            let open = opened as i64 - closed as i64;
            let sum = self.down.sum(closed) - self.up.sum(opened);
            Mark { at, open, sum }
        };
        secs.iter().map(mark).collect()
    }
}

/// What I(t) is made of at one instant: I(t) = open · t + sum.
#[derive(Clone, Copy, Debug)]
struct Mark {
    /// The instant in microseconds.
    at: f64,
    /// How many are open.
    open: i64,
    /// Instants of closing less those of opening, summed.
    sum: i128,
}

/// (I(b) - I(a)) / (b - a).
fn mean(a: Mark, b: Mark) -> f64 {
    let length = b.at - a.at;
    if length > 0.0 { area(a, b) / length } else { 0.0 }
}

/// I(b) - I(a) in stream microseconds, with the large parts taken off as
/// integers: time is counted from the whole microsecond before a.
fn area(a: Mark, b: Mark) -> f64 {
    let zero = a.at.floor();
    let shift = i128::from(zero as i64) * i128::from(b.open - a.open);
    let inner = (b.sum - a.sum + shift) as f64;
    let edges = b.open as f64 * (b.at - zero) - a.open as f64 * (a.at - zero);
    edges + inner
}

/// Sorted instants and their running sums, one sum kept per block.
#[derive(Clone, Debug)]
struct Sums {
    times: Vec<i64>,
    blocks: Vec<i128>,
}

/// How many instants share one running sum: 8 bits of sum an instant instead
/// of 128.
const BLOCK: usize = 16;

impl Sums {
    fn of(mut times: Vec<i64>) -> Sums {
        times.sort_unstable();
        let mut sum = 0;
        let mut blocks = vec![0];
        for block in times.chunks(BLOCK) {
            sum += total(block);
            blocks.push(sum);
        }
        Sums { times, blocks }
    }

    /// How many instants are not after this many microseconds; `near` is
    /// where to look first.
    fn until(&self, at: f64, near: usize) -> usize {
        let at = at.floor() as i64;
        let passed = |time: &i64| *time <= at;
        let from = match self.times[..near].last() {
            Some(last) if !passed(last) => 0,
            _ => near,
        };
        let rest = &self.times[from..];
        let mut step = 1;
        while rest.get(step).is_some_and(passed) {
            step *= 2;
        }
        from + rest[..step.min(rest.len())].partition_point(passed)
    }

    /// The sum of the first instants.
    fn sum(&self, count: usize) -> i128 {
        let block = count / BLOCK;
        self.blocks[block] + total(&self.times[block * BLOCK..count])
    }
}

fn total(times: &[i64]) -> i128 {
    times.iter().map(|&time| i128::from(time)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn level(intervals: &[(i64, i64)]) -> Level {
        let micros = |&(up, down): &(i64, i64)| {
            (Micros::from_secs(up), Micros::from_secs(down))
        };
        Level::of(intervals.iter().map(micros))
    }

    #[test]
    fn an_interval_counts_for_the_part_of_a_slice_it_is_open() {
        let level = level(&[(5, 25), (-50, 12)]);
        let means = level.means(&[0.0, 10.0, 20.0, 30.0, 40.0]);
        let expected = [1.5, 1.2, 0.5, 0.0];
        for (found, expected) in means.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{means:?}");
        }
    }

    // A century of offset costs no digit: the sums are integers.
    #[test]
    fn means_far_from_the_origin_keep_their_digits() {
        let far = 3_200_000_000;
        let chain: Vec<(i64, i64)> =
            (0..1000).map(|k| (far + k, far + k + 1)).collect();
        let edges = [far as f64 + 0.5, far as f64 + 999.5];
        assert_eq!(level(&chain).means(&edges), [1.0]);
    }
}

//! Exact time-weighted means of how many streams were open, and of the two
//! parts of that number.
//!
//! Open streams N(t) are the keys that have one open, A(t), plus the
//! superseded streams, E(t): those still open although their key holds
//! another. N = A + E at every instant, and so for every mean and slope.
//!
//! With I(t) the time held until t, summed over the streams, the mean over
//! `[a, b)` is (I(b) - I(a)) / (b - a). I(t) needs only how many streams had
//! opened and closed by t and the sums of those instants, so one mean costs
//! a few binary searches, however many streams there are. The sums are whole
//! microseconds: E is exactly 0 where nothing overlaps.

use std::ops::Sub;

use crate::series::timeline::{Timeline, union};
use crate::streams::Stream;
use crate::time::Micros;

/// Which number of open streams is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Open streams, N.
    Total,
    /// Keys with at least one open stream, A.
    Clients,
    /// Open streams beyond the first of their key, E = N - A.
    Superseded,
}

/// Exact means of the three numbers over any slices of time.
#[derive(Clone, Debug)]
pub struct Means {
    total: Level,
    clients: Level,
}

impl Means {
    /// Prepares the means of these streams. See [`Timeline::new`].
    pub fn new(streams: &[Stream], origin: Micros, horizon: Micros) -> Means {
        Means::of(&Timeline::new(streams, origin, horizon))
    }

    /// Prepares the means of the streams on a timeline.
    pub fn of(timeline: &Timeline) -> Means {
        let total = timeline.rows().iter();
        let total = total.map(|row| (row.opened, row.closed));
        Means {
            total: Level::of(total),
            clients: Level::of(covered(timeline).into_iter()),
        }
    }

    /// The time-weighted mean of a number in each slice between neighbouring
    /// `edges`: seconds from the origin, in ascending order. One mean fewer
    /// than there are edges; 0 for a slice of no length.
    pub fn means(&self, part: Part, edges: &[f64]) -> Vec<f64> {
        let marks = self.marks(part, edges);
        marks.windows(2).map(|pair| mean(pair[0], pair[1])).collect()
    }

    /// How long streams were held between two instants, seconds from the
    /// origin: the number integrated over time, in stream seconds.
    pub fn held(&self, part: Part, from: f64, until: f64) -> f64 {
        let marks = self.marks(part, &[from, until]);
        area(marks[0], marks[1]) / 1e6
    }

    fn marks(&self, part: Part, edges: &[f64]) -> Vec<Mark> {
        match part {
            Part::Total => self.total.marks(edges),
            Part::Clients => self.clients.marks(edges),
            Part::Superseded => {
                let pairs = self
                    .total
                    .marks(edges)
                    .into_iter()
                    .zip(self.clients.marks(edges));
                pairs.map(|(total, clients)| total - clients).collect()
            }
        }
    }

    /// When the number of open streams, or of keys with one, goes up and
    /// when it goes down: microseconds from the origin, in order.
    pub(crate) fn steps(&self, part: Part) -> (&[i64], &[i64]) {
        let level = match part {
            Part::Clients => &self.clients,
            Part::Total | Part::Superseded => &self.total,
        };
        (&level.up.times, &level.down.times)
    }
}

/// The stretches in which a key has a stream open, for each key.
fn covered(timeline: &Timeline) -> Vec<(Micros, Micros)> {
    let mut stretches = Vec::new();
    for rows in timeline.keys() {
        stretches.extend(union(rows.iter().map(|r| (r.opened, r.closed))));
    }
    stretches
}

/// A number that steps up at some instants and down at others.
#[derive(Clone, Debug)]
struct Level {
    up: Sums,
    down: Sums,
}

impl Level {
    fn of(intervals: impl Iterator<Item = (Micros, Micros)>) -> Level {
        let (up, down) = intervals.map(|(up, down)| (up.0, down.0)).unzip();
        Level { up: Sums::of(up), down: Sums::of(down) }
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

impl Sub for Mark {
    type Output = Mark;

    fn sub(self, other: Mark) -> Mark {
        Mark {
            at: self.at,
            open: self.open - other.open,
            sum: self.sum - other.sum,
        }
    }
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
    use proptest::prelude::*;

    use super::*;
    use crate::collect::KeyId;

    /// A stream by whole seconds.
    fn stream(opened: i64, closed: Option<i64>, key: u32) -> Stream {
        Stream::new(
            Micros::from_secs(opened),
            closed.map(Micros::from_secs),
            KeyId(key),
        )
    }

    /// Streams of whole seconds between 0 and 60 by a few keys; some open.
    fn streams() -> impl Strategy<Value = Vec<Stream>> {
        let one =
            (0..60_i64, 0..40_i64, 0..4_u32).prop_map(|(s, hold, key)| {
                stream(s, (hold < 39).then_some(s + hold), key)
            });
        proptest::collection::vec(one, 0..150)
    }

    /// The mean of a part over seconds a to b, by counting each second.
    fn counted(streams: &[Stream], part: Part, a: i64, b: i64) -> f64 {
        let mut sum = 0;
        for second in (a..b).map(Micros::from_secs) {
            let mut open = [0_u32; 4];
            for stream in streams {
                let over = stream.closed.is_some_and(|end| end <= second);
                if stream.opened <= second && !over {
                    open[stream.key.0 as usize] += 1;
                }
            }
            sum += match part {
                Part::Total => open.iter().sum::<u32>(),
                Part::Clients => open.map(|n| n.min(1)).iter().sum(),
                Part::Superseded => {
                    open.map(|n| n.saturating_sub(1)).iter().sum()
                }
            };
        }
        f64::from(sum) / (b - a) as f64
    }

    proptest! {
        #[test]
        fn means_are_those_of_counting_every_second(
            streams in streams(), width in 1..20_i64,
        ) {
            let means =
                Means::new(&streams, Micros::ZERO, Micros::from_secs(1000));
            let edges: Vec<i64> = (0..=60 / width).map(|k| k * width).collect();
            let secs: Vec<f64> = edges.iter().map(|&e| e as f64).collect();
            for part in [Part::Total, Part::Clients, Part::Superseded] {
                let found = means.means(part, &secs);
                for (pair, found) in edges.windows(2).zip(found) {
                    let expected = counted(&streams, part, pair[0], pair[1]);
                    prop_assert!((found - expected).abs() < 1e-12);
                }
            }
        }

        #[test]
        fn total_is_clients_plus_superseded_on_any_edges(
            streams in streams(), a in 0.0..50.0, width in 0.001..9.0,
        ) {
            let means =
                Means::new(&streams, Micros::ZERO, Micros::from_secs(1000));
            let edges = [a, a + width];
            let of = |part| means.means(part, &edges)[0];
            let parts = of(Part::Clients) + of(Part::Superseded);
            prop_assert!((of(Part::Total) - parts).abs() < 1e-9);
        }
    }

    #[test]
    fn streams_that_touch_supersede_nothing() {
        let streams = [stream(0, Some(60), 0), stream(60, Some(120), 0)];
        let timeline =
            Timeline::new(&streams, Micros::ZERO, Micros::from_secs(999));
        assert_eq!(timeline.superseded().count(), 0);
        let means = Means::of(&timeline);
        assert_eq!(means.means(Part::Superseded, &[0.0, 120.0]), [0.0]);
        assert_eq!(means.means(Part::Clients, &[0.0, 240.0]), [0.5]);
    }

    // A century of offset costs no digit: the sums are integers.
    #[test]
    fn means_far_from_the_origin_keep_their_digits() {
        let far = 3_200_000_000;
        let streams: Vec<Stream> =
            (0..1000).map(|k| stream(far + k, Some(far + k + 1), 0)).collect();
        let means =
            Means::new(&streams, Micros::ZERO, Micros::from_secs(2 * far));
        let edges = [far as f64 + 0.5, far as f64 + 999.5];
        assert_eq!(means.means(Part::Total, &edges), [1.0]);
        assert_eq!(means.means(Part::Superseded, &edges), [0.0]);
    }

    #[test]
    fn nonsense_edges_do_not_panic() {
        let means = Means::new(
            &[stream(0, None, 0)],
            Micros(i64::MIN),
            Micros(i64::MAX),
        );
        let edges = [f64::NEG_INFINITY, f64::NAN, f64::INFINITY, 0.0];
        assert_eq!(means.means(Part::Total, &edges).len(), 3);
    }
}

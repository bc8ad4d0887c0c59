//! How much of a rise the clients' own opens explain.
//!
//! By Little's law the number of open streams is the rate of opens times the
//! hold. When more people arrive behind an address its superseded streams
//! climb, and so do its opens, in proportion; when old streams are not
//! closed the opens stay as they were.

use std::collections::BTreeMap;

use crate::collect::KeyId;
use crate::detect::window::Span;
use crate::series::{Row, Timeline, union};
use crate::time::Micros;

/// What of a window's rise more opens do not explain.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attribution {
    /// In streams, summed over the keys that hold superseded ones: the mean
    /// number open in the second half of a key's time in the window, less
    /// what its opens let expect from the first half.
    pub unexplained: f64,
    /// How far it strays by chance: its standard deviation if streams are
    /// opened at random, in streams.
    pub sd: f64,
    /// These keys, the largest term first.
    pub suspects: Vec<Suspect>,
    /// Superseded streams that were open in the middle of a key's time.
    pub held: u64,
    /// Those of them that were still open at its end. Where opens speed up
    /// with the streams they leave behind, opens seem to explain the rise;
    /// but of streams that are closed in the end some are closed by then.
    pub held_on: u64,
}

/// One key of an [`Attribution`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Suspect {
    /// Whose streams.
    pub key: KeyId,
    /// Its term of the sum, in streams.
    pub unexplained: f64,
    /// The variance of that term if it opens streams at random.
    pub variance: f64,
    /// Mean number open in the first half of its time in the window.
    pub open_first: f64,
    /// Mean number open in the second half.
    pub open_second: f64,
    /// Streams it opened in the first half.
    pub opens_first: u64,
    /// Streams it opened in the second half.
    pub opens_second: u64,
    /// As [`Attribution::held`], of this key.
    pub held: u64,
    /// As [`Attribution::held_on`], of this key.
    pub held_on: u64,
}

/// A key counts only if in one half of its time it has at least this many
/// superseded streams in the mean.
const LEAST_SUPERSEDED: f64 = 0.25;

/// A key counts only if its time in the window is at least this many bins.
const LEAST_BINS: f64 = 4.0;

/// The streams of the keys that ever held a superseded one.
#[derive(Clone, Debug)]
pub struct Stacks<'a> {
    keys: Vec<&'a [Row]>,
}

impl<'a> Stacks<'a> {
    /// Picks them from a timeline.
    pub fn of(timeline: &'a Timeline) -> Stacks<'a> {
        let stacks = |rows: &&[Row]| rows.iter().any(|row| row.superseded);
        Stacks { keys: timeline.keys().filter(stacks).collect() }
    }

    /// Attributes what happened in a window; `bin` in seconds.
    pub fn attribute(&self, window: Span, bin: f64) -> Attribution {
        let suspects: Vec<Suspect> = self
            .keys
            .iter()
            .filter_map(|rows| suspect(rows, window, bin))
            .collect();
        Attribution::of(suspects)
    }

    /// Attributes what happened in several windows together.
    pub fn attribute_all(&self, windows: &[Span], bin: f64) -> Attribution {
        let mut keys: BTreeMap<KeyId, Suspect> = BTreeMap::new();
        for window in windows {
            for suspect in self.attribute(*window, bin).suspects {
                keys.entry(suspect.key)
                    .and_modify(|sum| sum.add(&suspect))
                    .or_insert(suspect);
            }
        }
        Attribution::of(keys.into_values().collect())
    }
}

impl Attribution {
    /// The part of what is unexplained that belongs to clients of whose
    /// superseded streams this share, and two at least, stayed open for half
    /// their time.
    pub fn staying(&self, share: f64) -> f64 {
        let stays = |suspect: &&Suspect| {
            let Suspect { held, held_on, .. } = **suspect;
            held >= 2 && held_on as f64 >= share * held as f64
        };
        let staying = self.suspects.iter().filter(stays);
        staying.map(|suspect| suspect.unexplained).sum()
    }

    /// The sums over these keys.
    fn of(mut suspects: Vec<Suspect>) -> Attribution {
        suspects.sort_by(|a, b| {
            let order = b.unexplained.total_cmp(&a.unexplained);
            order.then(a.key.cmp(&b.key))
        });
        Attribution {
            unexplained: suspects.iter().map(|key| key.unexplained).sum(),
            sd: suspects.iter().map(|key| key.variance).sum::<f64>().sqrt(),
            held: suspects.iter().map(|key| key.held).sum(),
            held_on: suspects.iter().map(|key| key.held_on).sum(),
            suspects,
        }
    }
}

impl Suspect {
    /// Adds what another window tells of the same key. Opens are few in
    /// short windows, and their ratio is taken once of all of them.
    fn add(&mut self, other: &Suspect) {
        self.variance += other.variance;
        self.open_first += other.open_first;
        self.open_second += other.open_second;
        self.opens_first += other.opens_first;
        self.opens_second += other.opens_second;
        let ratio = ratio(self.opens_first, self.opens_second);
        self.unexplained = self.open_second - self.open_first * ratio;
        self.held += other.held;
        self.held_on += other.held_on;
    }
}

/// The term of one key, if it counts.
fn suspect(rows: &[Row], window: Span, bin: f64) -> Option<Suspect> {
    let key = rows.first()?.key;
    let streams = || {
        let spans = rows.iter().map(seconds);
        spans.filter(|s| s.until > window.from && s.from < window.until)
    };
    let first = streams().map(|s| s.from).fold(f64::INFINITY, f64::min);
    let last = streams().map(|s| s.until).fold(-f64::INFINITY, f64::max);
    let (from, until) = (first.max(window.from), last.min(window.until));
    if until - from < LEAST_BINS * bin {
        return None;
    }
    let mid = (from + until) / 2.0;
    let first = Half::of(streams(), Span { from, until: mid });
    let second = Half::of(streams(), Span { from: mid, until });
    let ratio = ratio(first.opens, second.opens);
    let stacked = first.superseded.max(second.superseded);
    let over = |at: f64| {
        let rows = rows.iter().filter(|row| row.superseded).map(seconds);
        rows.filter(move |s| s.from < mid && s.until >= at).count() as u64
    };
    (stacked >= LEAST_SUPERSEDED).then_some(Suspect {
        key,
        unexplained: second.open - first.open * ratio,
        variance: second.variance() + ratio * ratio * first.scaled(&second),
        open_first: first.open,
        open_second: second.open,
        opens_first: first.opens,
        opens_second: second.opens,
        held: over(mid),
        held_on: over(until),
    })
}

/// How many times as many the second opens are.
fn ratio(first: u64, second: u64) -> f64 {
    (second as f64 + 0.5) / (first as f64 + 0.5)
}

fn seconds(row: &Row) -> Span {
    Span { from: row.opened.as_secs(), until: row.closed.as_secs() }
}

/// One key's streams in half of its time.
struct Half {
    /// The mean number open.
    open: f64,
    /// The mean number of superseded ones.
    superseded: f64,
    /// How many were opened in it.
    opens: u64,
}

impl Half {
    /// The variance of the mean number open, if streams are opened at
    /// random. Of a Poisson number n looked at for a time T it is n·2h/T
    /// where T is long beside the hold h, which is n·T/opens (Little), and
    /// never above n.
    fn variance(&self) -> f64 {
        let looks = self.opens as f64 / (2.0 * self.open).max(1e-9);
        self.open / looks.max(1.0)
    }

    /// The variance of this half's mean, scaled by the ratio of two numbers
    /// of opens that are themselves chance (Gauss's law of propagation), as
    /// a multiple of the ratio's square.
    fn scaled(&self, other: &Half) -> f64 {
        let relative = |half: &Half| 1.0 / (half.opens as f64 + 0.5);
        let opens = relative(self) + relative(other);
        self.variance() + self.open * self.open * opens
    }

    fn of(streams: impl Iterator<Item = Span> + Clone, half: Span) -> Half {
        let length = (half.until - half.from).max(Micros(1).as_secs());
        let inside = |span: Span| {
            (span.until.min(half.until) - span.from.max(half.from)).max(0.0)
        };
        let held: f64 = streams.clone().map(inside).sum();
        let opened = |s: &Span| s.from >= half.from && s.from < half.until;
        let opens = streams.clone().filter(opened).count() as u64;
        let covered: f64 = union(streams.map(|s| (s.from, s.until)))
            .map(|(from, until)| inside(Span { from, until }))
            .sum();
        Half {
            open: held / length,
            superseded: (held - covered) / length,
            opens,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;

    const WINDOW: Span = Span { from: 0.0, until: 1200.0 };

    fn attribute(streams: &[(i64, i64)]) -> Attribution {
        let stream = |&(opened, closed): &(i64, i64)| {
            Stream::new(
                Micros::from_secs(opened),
                Some(Micros::from_secs(closed)),
                KeyId(0),
            )
        };
        let streams: Vec<Stream> = streams.iter().map(stream).collect();
        let timeline = Timeline::new(&streams, Micros::ZERO, Micros::HOUR);
        Stacks::of(&timeline).attribute(WINDOW, 60.0)
    }

    // Worked by hand. Opens at 0, 100, ..., 1100, none closed before 1200:
    // the first half holds 600+500+...+100 = 2100 s, 3.5 streams in the
    // mean, the second 6 whole ones and 2100 s, 9.5; six opens each.
    #[test]
    fn a_climb_with_even_opens_is_unexplained() {
        let streams: Vec<(i64, i64)> =
            (0..12).map(|k| (k * 100, 1200)).collect();
        let found = attribute(&streams);
        let expected = Suspect {
            key: KeyId(0),
            unexplained: 6.0,
            // 9.5 + 3.5 + 3.5² · 2 / 6.5; six opens are too few a look.
            variance: 13.0 + 12.25 / 3.25,
            open_first: 3.5,
            open_second: 9.5,
            opens_first: 6,
            opens_second: 6,
            held: 6,
            held_on: 6,
        };
        assert_eq!(found.suspects, [expected]);
        assert!((found.unexplained - 6.0).abs() < 1e-12);
    }

    // One stream a 100 s, then two at a time: opens and level double.
    #[test]
    fn a_rise_in_proportion_to_opens_is_explained() {
        let mut streams: Vec<(i64, i64)> =
            (0..12).map(|k| (k * 100, k * 100 + 100)).collect();
        streams.extend((6..12).map(|k| (k * 100, k * 100 + 100)));
        let found = attribute(&streams);
        assert_eq!(found.suspects.len(), 1);
        let one = found.suspects[0];
        assert_eq!((one.open_first, one.open_second), (1.0, 2.0));
        assert_eq!((one.opens_first, one.opens_second), (6, 12));
        // 2 - 1 * 12.5 / 6.5
        assert!((found.unexplained - (2.0 - 12.5 / 6.5)).abs() < 1e-12);
    }

    #[test]
    fn a_key_that_stacks_nothing_or_is_brief_does_not_count() {
        assert_eq!(attribute(&[(0, 600), (600, 1200)]).suspects, []);
        assert_eq!(attribute(&[(0, 239), (0, 239)]).suspects, []);
        assert_eq!(attribute(&[(0, 240), (0, 240)]).suspects.len(), 1);
    }
}

//! Restarts that drain: the open streams are closed one after another over
//! minutes, as a rolling deploy or a worker that shuts down slowly does it.
//!
//! What is open at an instant and old is closed soon after, and soon means
//! within a small part of its age. Chance does not do that: of streams that
//! end at chance times, only a small part ends within a small part of their
//! age, and streams that run into one ceiling together are all of one age.

use super::events::Events;
use super::sudden::{Restart, Sign, SuddenRule, sudden_restarts};
use crate::series::timeline::Timeline;
use crate::stats::quantile;
use crate::time::Micros;

/// What makes closings a drain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrainRule {
    /// How long a drain may take, the shorter ones first: 1, 5, 15, 30 min.
    pub lengths: [Micros; 4],
    /// Streams are old that are held for this many times its length: 4.
    pub old: i64,
    /// So many old ones are closed at least: 5.
    pub least: usize,
    /// And at least this share of all that are open when it begins, or
    /// usually are, whichever is more: 0.5. Near the end of a log those that
    /// live on are not logged, and the few that are all seem to be closed.
    pub share: f64,
    /// As [`SuddenRule::spread`]: 0.25.
    pub spread: f64,
}

impl Default for DrainRule {
    fn default() -> DrainRule {
        DrainRule {
            lengths: [1, 5, 15, 30].map(|m| Micros::from_secs(m * 60)),
            old: 4,
            least: 5,
            share: 0.5,
            spread: 0.25,
        }
    }
}

/// All restarts, at once or drained, in order. No drain overlaps another
/// restart.
pub fn restarts(
    timeline: &Timeline,
    at_once: &SuddenRule,
    rule: &DrainRule,
) -> Vec<Restart> {
    let all = Events::of(timeline.rows().iter());
    let superseded = Events::of(timeline.superseded());
    let mut found = sudden_restarts(&all, &superseded, at_once);
    for length in rule.lengths {
        let all = drains(&all, length, rule, Sign::Drain);
        let superseded =
            drains(&superseded, length, rule, Sign::SupersededDrain);
        for drain in all.into_iter().chain(superseded) {
            // What a shorter look found is not looked at again.
            if found.iter().all(|known| apart(known, &drain)) {
                found.push(drain);
            }
        }
    }
    found.sort_unstable();
    found
}

fn apart(one: &Restart, two: &Restart) -> bool {
    one.until < two.at || two.until < one.at
}

/// The drains of this length.
fn drains(
    ends: &Events,
    length: Micros,
    rule: &DrainRule,
    sign: Sign,
) -> Vec<Restart> {
    let aged = Aged::of(ends, Micros(length.0 * rule.old));
    let usual = aged.usually_open();
    let mut found: Vec<Restart> = Vec::new();
    let mut at = 0;
    while let Some(first) = aged.next(at, length, rule, usual) {
        let drain = aged.sharpest(first, length, usual, sign);
        let over = aged.old.partition_point(|(at, _)| *at <= drain.until);
        at = over.max(first + 1);
        if aged.spread(&drain) >= rule.spread {
            found.push(drain);
        }
    }
    found
}

/// The closings of old streams.
struct Aged<'a> {
    ends: &'a Events,
    /// When they were closed, and their ages in seconds.
    old: Vec<(Micros, f64)>,
}

impl Aged<'_> {
    fn of(ends: &Events, age: Micros) -> Aged<'_> {
        let old = ends.closings.iter().filter(|(_, hold)| *hold >= age);
        let old = old.map(|(closed, hold)| (*closed, hold.as_secs()));
        Aged { ends, old: old.collect() }
    }

    /// How many streams are open when an old one closes: the median.
    fn usually_open(&self) -> usize {
        let open = self.old.iter().map(|(closed, _)| self.ends.open(*closed));
        let mut open: Vec<usize> = open.collect();
        open.sort_unstable();
        open.get(open.len() / 2).copied().unwrap_or(0)
    }

    /// How many old ones are closed from this one on.
    fn closed(&self, from: usize, length: Micros) -> usize {
        let until = self.old[from].0 + length;
        self.old.partition_point(|(closed, _)| *closed <= until) - from
    }

    /// The first old closing from `at` on with which a drain may begin.
    fn next(
        &self,
        at: usize,
        length: Micros,
        rule: &DrainRule,
        usual: usize,
    ) -> Option<usize> {
        (at..self.old.len()).find(|&from| {
            let closed = self.closed(from, length);
            let open = self.ends.open(self.old[from].0).max(usual);
            closed >= rule.least && closed as f64 >= rule.share * open as f64
        })
    }

    /// The drain that closes most, of those that begin within the length of
    /// the first one.
    fn sharpest(
        &self,
        first: usize,
        length: Micros,
        usual: usize,
        sign: Sign,
    ) -> Restart {
        let last = first + self.closed(first, length);
        let most = (first..last)
            .map(|from| (self.closed(from, length), from))
            .max_by_key(|(closed, from)| (*closed, std::cmp::Reverse(*from)));
        let (closed, from) = most.unwrap_or((1, first));
        let (at, until) = (self.old[from].0, self.old[from + closed - 1].0);
        let open = self.ends.open(at).max(usual);
        let until = until + Micros::SECOND;
        Restart { at, until, sign, closed, open }
    }

    /// How far the ages spread that a drain closes, as a share of their
    /// median.
    fn spread(&self, drain: &Restart) -> f64 {
        let from = self.old.partition_point(|(at, _)| *at < drain.at);
        let end = self.old.partition_point(|(at, _)| *at <= drain.until);
        let mut ages: Vec<f64> =
            self.old[from..end].iter().map(|(_, age)| *age).collect();
        ages.sort_by(f64::total_cmp);
        let of = |share| quantile(ages.len(), share, |nth| ages[nth]);
        match (of(0.1), of(0.5), of(0.9)) {
            (Some(low), Some(mid), Some(high)) => (high - low) / mid,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::KeyId;
    use crate::streams::Stream;

    fn timeline(streams: &[(u32, f64, f64)]) -> Timeline {
        let one = |&(key, opened, closed): &(u32, f64, f64)| {
            Stream::new(
                Micros::from_secs_f64(opened),
                Some(Micros::from_secs_f64(closed)),
                KeyId(key),
            )
        };
        let streams: Vec<Stream> = streams.iter().map(one).collect();
        let horizon = Micros::from_secs(1_000_000);
        Timeline::new(&streams, Micros::ZERO, horizon)
    }

    fn found(streams: &[(u32, f64, f64)]) -> Vec<Restart> {
        let timeline = timeline(streams);
        restarts(&timeline, &SuddenRule::default(), &DrainRule::default())
    }

    /// Twenty clients with streams of an hour, opened at all times, which
    /// are closed within so many seconds from 10,000 s on.
    fn drained(over: f64) -> Vec<(u32, f64, f64)> {
        let of = |client: u32| {
            let place = f64::from(client * 7 % 20) / 20.0;
            let first = place * 3600.0;
            let mut opened = first;
            let mut chain = Vec::new();
            while opened < 20_000.0 {
                let stop = 10_000.0 + f64::from(client) / 20.0 * over;
                let mut closed = opened + 3600.0;
                if opened < stop && closed > stop {
                    closed = stop;
                }
                chain.push((client, opened, closed));
                opened = closed + 1.0;
            }
            chain
        };
        (0..20).flat_map(of).collect()
    }

    #[test]
    fn a_drain_is_found_however_long_it_takes() {
        for over in [2.0, 40.0, 240.0] {
            let found = found(&drained(over));
            assert_eq!(found.len(), 1, "{over} s: {found:?}");
            let drain = found[0];
            let secs = (drain.at.as_secs(), drain.until.as_secs());
            assert!((9_900.0..=10_020.0).contains(&secs.0), "{secs:?}");
            assert!(secs.1 >= 10_000.0 + over * 0.7, "{secs:?}");
            assert!(secs.1 <= 10_000.0 + over + 60.0, "{secs:?}");
        }
    }

    #[test]
    fn ceilings_chance_and_churn_are_none() {
        // Each client's own ceiling of an hour, all through the log.
        let apart: Vec<(u32, f64, f64)> = (0..2_000)
            .map(|k| {
                (k % 20, f64::from(k) * 180.0, f64::from(k) * 180.0 + 3600.0)
            })
            .collect();
        assert_eq!(found(&apart), []);
        // Clients that were started together and run into it together.
        let together: Vec<(u32, f64, f64)> = (0..100)
            .map(|k| {
                let round = f64::from(k / 20) * 3_601.0;
                let place = f64::from(k % 20);
                (k % 20, round + place, round + place + 3_600.0)
            })
            .collect();
        assert_eq!(found(&together), []);
        // Holds of any length.
        let churn: Vec<(u32, f64, f64)> = (0..3_000)
            .map(|k| {
                let hold = -(f64::from(k * 7919 % 1000 + 1) / 1001.0).ln();
                (
                    k % 50,
                    f64::from(k) * 20.0,
                    f64::from(k) * 20.0 + hold * 600.0,
                )
            })
            .collect();
        assert_eq!(found(&churn), []);
    }
}

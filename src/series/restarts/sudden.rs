//! Restarts and deploys: instants at which most of what is open is closed at
//! once.
//!
//! Before a reset everything is known, since the streams that were open then
//! were logged by it; after it the count starts anew. So a reset cuts the
//! series into segments, and the streams it closed say nothing about how
//! long streams are held.

use std::ops::Range;

use super::ages::Ages;
use super::events::Events;
use crate::stats::median;
use crate::time::Micros;

/// What makes closings a reset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SuddenRule {
    /// At least this share of the open streams is closed: 0.5.
    pub share: f64,
    /// At least this many streams are closed: 5.
    pub least: usize,
    /// So quickly: 5 s.
    pub within: Micros,
    /// The ages at closing, from the 10th to the 90th percentile, spread by
    /// at least this share of their median: 0.25. Clients that run into one
    /// ceiling together are all closed at the same age.
    pub spread: f64,
}

impl Default for SuddenRule {
    fn default() -> SuddenRule {
        SuddenRule {
            share: 0.5,
            least: 5,
            within: Micros::from_secs(5),
            spread: 0.25,
        }
    }
}

/// A reset, in the time of its timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Restart {
    /// Its first closing.
    pub at: Micros,
    /// When it is taken to be over.
    pub until: Micros,
    /// What it was told by.
    pub sign: Sign,
    /// How many streams it closed.
    pub closed: usize,
    /// Of how many: those that were open when it began, or usually are,
    /// where that counts as well.
    pub open: usize,
}

/// What a reset is told by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// Streams of all ages are closed at once.
    AtOnce,
    /// Superseded ones of all ages are.
    SupersededAtOnce,
    /// Streams of one age are, of another age each time.
    Deploys,
    /// Old ones are closed one after another.
    Drain,
    /// Old superseded ones are.
    SupersededDrain,
}

impl Restart {
    /// Whether it was over in seconds: a process that ended, and no drain
    /// that let some streams live.
    pub fn is_sudden(&self) -> bool {
        self.until - self.at <= Micros::from_secs(15)
    }
}

/// The resets of all streams together and of the superseded ones alone (the
/// restart of the one worker that keeps them), in order.
///
/// Two that were found both ways may overlap.
pub fn sudden_restarts(
    all: &Events,
    superseded: &Events,
    rule: &SuddenRule,
) -> Vec<Restart> {
    let mut found = scan(all, rule, Sign::AtOnce);
    found.extend(deploys(all, rule));
    found.extend(scan(superseded, rule, Sign::SupersededAtOnce));
    found.sort_unstable();
    found.dedup_by_key(|reset| (reset.at, reset.until));
    found
}

/// Whether this instant lies in one of the resets, which are in order and
/// equally long, or apart from all others.
pub fn within_restart(resets: &[Restart], at: Micros) -> bool {
    // Either way the last to begin is the last to be over.
    let begun = resets.partition_point(|reset| reset.at <= at);
    begun.checked_sub(1).is_some_and(|last| at <= resets[last].until)
}

fn scan(ends: &Events, rule: &SuddenRule, sign: Sign) -> Vec<Restart> {
    let mut found: Vec<Restart> = Vec::new();
    for candidates in overlapping(&ends.candidates(rule)) {
        let mut ages = Ages::of(ends, candidates);
        for window in candidates {
            let at = ends.closings[window.start].0;
            let over = found.last().is_none_or(|last| at > last.until);
            if over && ages.spread(window.clone(), rule.within, rule.spread) {
                found.push(ends.reset(window, rule, sign));
            }
        }
    }
    found
}

/// Closings of most of what is open whose ages are all alike, yet differ
/// from one time to the next: deploys that end streams which were all opened
/// after the deploy before. At a ceiling they would be alike each time.
fn deploys(ends: &Events, rule: &SuddenRule) -> Vec<Restart> {
    let mut found: Vec<(Restart, f64)> = Vec::new();
    for candidates in overlapping(&ends.candidates(rule)) {
        let first = candidates[0].clone();
        let reset = ends.reset(&first, rule, Sign::Deploys);
        let ages = ends.closings[first].iter().map(|c| c.1.as_secs());
        found.push((reset, median(ages.collect()).unwrap_or(0.0)));
    }
    let differ = |a: f64, b: f64| (a - b).abs() > ALIKE * a.max(b);
    let all_differ = found.iter().enumerate().all(|(n, (_, one))| {
        found[..n].iter().all(|(_, two)| differ(*one, *two))
    });
    let deploys = found.len() >= 2 && found.len() <= MOST_DEPLOYS;
    if deploys && all_differ {
        found.into_iter().map(|(reset, _)| reset).collect()
    } else {
        Vec::new()
    }
}

/// Ages that differ by less than this share are those of one ceiling.
const ALIKE: f64 = 0.04;

/// More times than this all differ by chance at most.
const MOST_DEPLOYS: usize = 100;

impl Events {
    /// The reset that these closings are.
    fn reset(
        &self,
        run: &Range<usize>,
        rule: &SuddenRule,
        sign: Sign,
    ) -> Restart {
        let at = self.closings[run.start].0;
        let (closed, open) = (run.len(), self.open(at));
        Restart { at, until: at + rule.within, sign, closed, open }
    }

    /// The runs of closings, by index, that are quick and large enough. Each
    /// begins at the first of the closings of its instant.
    fn candidates(&self, rule: &SuddenRule) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let (mut end, mut opened) = (0, 0);
        for (start, &(at, _)) in self.closings.iter().enumerate() {
            if start > 0 && self.closings[start - 1].0 == at {
                continue;
            }
            end += run(&self.closings[end..], |c| c.0 <= at + rule.within);
            opened += run(&self.openings[opened..], |&time| time < at);
            let closed = end - start;
            let open = opened as f64 - start as f64;
            if closed >= rule.least && closed as f64 >= rule.share * open {
                found.push(start..end);
            }
        }
        found
    }
}

/// How many of the first values are such.
fn run<T>(values: &[T], such: impl Fn(&T) -> bool) -> usize {
    values.iter().take_while(|value| such(value)).count()
}

/// Splits runs where one does not reach the next.
fn overlapping(
    runs: &[Range<usize>],
) -> impl Iterator<Item = &[Range<usize>]> {
    runs.chunk_by(|a, b| b.start < a.end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::collect::KeyId;
    use crate::series::timeline::Timeline;
    use crate::stats::quantile;
    use crate::streams::Stream;

    /// A timeline of streams of one key each, by seconds.
    fn timeline(streams: &[(f64, f64)]) -> Timeline {
        let streams: Vec<Stream> = (0..)
            .zip(streams)
            .map(|(key, &(opened, closed))| {
                Stream::new(
                    Micros::from_secs_f64(opened),
                    Some(Micros::from_secs_f64(closed)),
                    KeyId(key),
                )
            })
            .collect();
        Timeline::new(&streams, Micros::ZERO, Micros::HOUR)
    }

    /// The seconds at which resets begin, and what they were told by.
    fn found(streams: &[(f64, f64)]) -> Vec<(i64, Sign)> {
        let timeline = timeline(streams);
        let all = Events::of(timeline.rows().iter());
        let superseded = Events::of(timeline.superseded());
        let found = sudden_restarts(&all, &superseded, &SuddenRule::default());
        let one = |reset: &Restart| (reset.at.as_secs() as i64, reset.sign);
        found.iter().map(one).collect()
    }

    fn at(secs: i64) -> Restart {
        let at = Micros::from_secs(secs);
        let until = at + Micros::from_secs(5);
        Restart { at, until, sign: Sign::AtOnce, closed: 10, open: 10 }
    }

    #[test]
    fn closing_all_ages_at_once_is_a_reset() {
        let streams: Vec<(f64, f64)> =
            (0..10).map(|k| (f64::from(k) * 10.0, 200.0)).collect();
        assert_eq!(found(&streams), [(200, Sign::AtOnce)]);
    }

    #[test]
    fn a_ceiling_that_clients_reach_together_is_none() {
        let streams: Vec<(f64, f64)> = (0..10)
            .map(|k| (f64::from(k) * 0.1, 60.0 + f64::from(k) * 0.1))
            .collect();
        assert_eq!(found(&streams), []);
    }

    #[test]
    fn closing_less_than_half_is_none() {
        let mut streams: Vec<(f64, f64)> =
            (0..10).map(|k| (f64::from(k) * 10.0, 200.0)).collect();
        for k in 0..11 {
            streams.push((f64::from(k), 300.0 + f64::from(k) * 100.0));
        }
        assert_eq!(found(&streams), []);
        streams.pop();
        assert_eq!(found(&streams), [(200, Sign::AtOnce)]);
    }

    // Opened together after the deploy before, closed together by the next.
    #[test]
    fn deploys_that_end_streams_of_one_age_each_are_resets() {
        let of = |ages: [f64; 3]| {
            let mut streams = Vec::new();
            let mut at = 0.0;
            for age in ages {
                let one = |n: i32| (at + f64::from(n) * 0.2, at + age);
                streams.extend((0..10).map(one));
                at += age;
            }
            found(&streams)
        };
        let deploys = [900, 2200, 3200].map(|at| (at, Sign::Deploys));
        assert_eq!(of([900.0, 1300.0, 1000.0]), deploys);
        assert_eq!(of([900.0, 900.0, 900.0]), []);
        assert_eq!(of([900.0, 910.0, 1300.0]), []);
    }

    #[test]
    fn an_instant_is_in_a_reset_up_to_its_end() {
        let resets = [at(10), at(12), at(30)];
        let in_one = |secs| within_restart(&resets, Micros::from_secs(secs));
        let found: Vec<i64> = (0..40).filter(|&secs| in_one(secs)).collect();
        let expected: Vec<i64> = (10..=17).chain(30..=35).collect();
        assert_eq!(found, expected);
    }

    /// The rule of the specification, closing by closing.
    fn plainly(streams: &[(f64, f64)]) -> Vec<Restart> {
        let mut ends: Vec<f64> = streams.iter().map(|s| s.1).collect();
        ends.sort_by(f64::total_cmp);
        ends.dedup();
        let (mut found, mut last) = (Vec::new(), f64::MIN);
        for r in ends {
            let closed = |s: &&(f64, f64)| s.1 >= r && s.1 <= r + 5.0;
            let mut ages: Vec<f64> =
                streams.iter().filter(closed).map(|s| s.1 - s.0).collect();
            let open = streams.iter().filter(|s| s.0 < r).count() as f64
                - streams.iter().filter(|s| s.1 < r).count() as f64;
            ages.sort_by(f64::total_cmp);
            let q = |q| quantile(ages.len(), q, |k| ages[k]).unwrap();
            let hit = r > last
                && ages.len() >= 5
                && ages.len() as f64 >= 0.5 * open
                && q(0.5) >= 5.0
                && q(0.9) - q(0.1) >= 0.25 * q(0.5);
            if hit {
                let (closed, open) = (ages.len(), open as usize);
                found.push(Restart { closed, open, ..at(r as i64) });
                last = r + 5.0;
            }
        }
        found
    }

    proptest! {
        #[test]
        fn the_sliding_scan_finds_what_the_plain_rule_finds(
            streams in proptest::collection::vec(
                (0..60_i32, 0..40_i32).prop_map(|(opened, hold)| {
                    (f64::from(opened), f64::from(opened + hold))
                }),
                0..120,
            ),
        ) {
            let timeline = timeline(&streams);
            let ends = Events::of(timeline.rows().iter());
            let scanned = scan(&ends, &SuddenRule::default(), Sign::AtOnce);
            prop_assert_eq!(scanned, plainly(&streams));
        }
    }
}

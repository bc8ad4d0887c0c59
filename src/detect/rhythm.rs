//! How steadily a client opens its streams: what tells one client that
//! holds several from several clients behind one name.
//!
//! A client that abandons its streams opens a new one whenever its timer
//! runs out, all the while the old ones are held: openings come at one
//! interval T, and k = hold / T streams are open at once. k people behind
//! one address, each with one stream that is cut at a ceiling and opened
//! again, hold as many and open as often; but where in the ceiling each of
//! them stands is chance, and openings at chance places are not evenly
//! spaced.
//!
//! How unevenly is the coefficient of variation c of the intervals. If k
//! places are thrown at random on a circle, the chance of a c so small is
//! that of the k spacings, uniform on a simplex, to fall into a ball of
//! radius c/√k around its middle:
//!
//! ```text
//! P(c) = V(k-1) (c/√k)^(k-1) (k-1)! / √k,   V(n) the volume of the unit ball
//! ```
//!
//! as long as the ball lies within the simplex, and less beyond. (Spacings
//! of uniform points: Pyke, "Spacings", J. R. Stat. Soc. B 27, 1965.) Where
//! the places drift from one round to the next the chance is smaller still,
//! so that the test errs on the quiet side.

use crate::collect::KeyId;
use crate::detect::reopen::WITHIN;
use crate::series::{Row, Timeline};
use crate::stats::median;
use crate::time::Micros;

/// What makes a client one that stacks its streams.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RhythmRule {
    /// It holds this many at once at least, on average: 1.9.
    pub at_once: f64,
    /// So many openings must be seen: 12, and half as many again as it holds
    /// at once.
    pub openings: usize,
    /// At most this share of the intervals may be left out as pauses: 0.1.
    pub pauses: f64,
    /// How often a log of many people behind few addresses may be taken for
    /// one, as a share of the chance of a false alarm in all: 0.1.
    pub alpha_share: f64,
}

impl Default for RhythmRule {
    fn default() -> RhythmRule {
        RhythmRule {
            at_once: 1.9,
            openings: 12,
            pauses: 0.1,
            alpha_share: 0.1,
        }
    }
}

/// The share of a rise that counts that is nearly one.
pub const NEARLY: f64 = 0.8;

/// How one client opens its streams.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rhythm {
    /// The client.
    pub key: KeyId,
    /// The time from one opening to the next, without pauses: seconds.
    pub interval: f64,
    /// How long a stream is held: the median, in seconds.
    pub hold: f64,
    /// How many are open at once: mean hold over mean interval.
    pub at_once: f64,
    /// The intervals' coefficient of variation.
    pub variation: f64,
    /// The chance that as many clients, each with one stream, open so
    /// evenly.
    pub p: f64,
}

/// The clients that hold several streams at once, and how evenly they open
/// them.
#[derive(Clone, Debug, PartialEq)]
pub struct Rhythms {
    /// The most even first.
    pub all: Vec<Rhythm>,
    /// The chance that so many clients are together so even: the smaller of
    /// Bonferroni's and Fisher's, doubled; 1 without any client.
    pub p: f64,
}

impl Default for Rhythms {
    fn default() -> Rhythms {
        Rhythms { all: Vec::new(), p: 1.0 }
    }
}

impl Rhythms {
    /// Looks at the streams that were opened in `[0, until)`, in the time of
    /// the timeline.
    pub fn of(
        timeline: &Timeline,
        until: Micros,
        rule: &RhythmRule,
    ) -> Rhythms {
        let keys = timeline.keys();
        let mut all: Vec<Rhythm> =
            keys.filter_map(|rows| rhythm(rows, until, rule)).collect();
        all.sort_by(|one, two| {
            one.p.total_cmp(&two.p).then(one.key.cmp(&two.key))
        });
        let p = together(&all);
        Rhythms { all, p }
    }

    /// Whether chance is no explanation, `alpha` being the chance of a false
    /// alarm in all, and as many streams are superseded as nearly make a
    /// rise that counts.
    pub fn stack(&self, rule: &RhythmRule, alpha: f64, min_rise: f64) -> bool {
        self.p < rule.alpha_share * alpha
            && self.superseded() >= NEARLY * min_rise
    }

    /// How many superseded streams these clients hold at once.
    pub fn superseded(&self) -> f64 {
        self.all.iter().map(|rhythm| rhythm.at_once - 1.0).sum()
    }
}

/// The rhythm of one client's streams, in the order of their opening; `None`
/// where it holds one at a time, or ends them itself.
fn rhythm(rows: &[Row], until: Micros, rule: &RhythmRule) -> Option<Rhythm> {
    let seen = |row: &&Row| row.opened >= Micros::ZERO && row.opened < until;
    let rows: Vec<&Row> = rows.iter().filter(seen).collect();
    if rows.len() < rule.openings.max(2) {
        return None;
    }
    let left = rows.iter().filter(|row| row.by_client).count();
    let gaps = rows.windows(2).map(|two| two[1].opened - two[0].opened);
    // One that is open has been held so far.
    let held = |row: &&Row| (row.closed.min(until) - row.opened).as_secs();
    let holds: Vec<f64> = rows
        .iter()
        .map(|row| if row.open { held(row) } else { row.hold().as_secs() })
        .collect();
    let hold = mean(&holds);
    let gaps = gaps.map(Micros::as_secs).collect();
    let (gaps, dropped) = without_pauses(gaps, hold, rule);
    let interval = mean(&gaps);
    let at_once = hold / interval;
    let rounds = rows.len() as f64 / at_once;
    // What a client leaves behind is not ended by it.
    if at_once < rule.at_once || rounds < 1.5 || left * 2 > rows.len() {
        return None;
    }
    // Where most are over at once, refused ones say, the mean hold is that
    // of a few others, and the interval is not theirs.
    let usual = median(holds).unwrap_or(0.0);
    if usual * 2.0 < hold {
        return None;
    }
    let squares = gaps.iter().map(|gap| (gap - interval).powi(2));
    let spread = (squares.sum::<f64>() / gaps.len() as f64).sqrt();
    let variation = spread / interval;
    Some(Rhythm {
        key: rows[0].key,
        interval,
        hold: usual,
        at_once,
        variation,
        p: (chance(variation, at_once) * choices(at_once, dropped)).min(1.0),
    })
}

/// The intervals without pauses, and how many of the places on the circle
/// went with them.
///
/// A pause is longer than half as much again as usual: a machine that was
/// asleep, a person at rest. A tenth of the intervals may be; and those in
/// which streams were held on must not be most of the time, as they are
/// where many come back together at each round of a ceiling.
fn without_pauses(
    gaps: Vec<f64>,
    hold: f64,
    rule: &RhythmRule,
) -> (Vec<f64>, usize) {
    let longest = 1.5 * median(gaps.clone()).unwrap_or(0.0);
    let round = hold * 1.05 + WITHIN.as_secs();
    let (pauses, short): (Vec<f64>, Vec<f64>) =
        gaps.iter().partition(|gap| **gap > longest);
    let few = pauses.len() as f64 <= rule.pauses * gaps.len() as f64;
    let within: f64 = pauses.iter().filter(|gap| **gap <= round).sum();
    if pauses.is_empty() || !few || within * 2.0 > gaps.iter().sum() {
        return (gaps, 0);
    }
    let at_once = hold / mean(&short);
    (short, (rule.pauses * at_once).floor() as usize)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// The least chance that is told apart from none.
const LEAST_CHANCE: f64 = 1e-12;

/// The chance that the spacings of as many random places on a circle vary
/// so little; see the top of this file.
pub fn chance(variation: f64, at_once: f64) -> f64 {
    // Beyond this many the chance only gets smaller.
    let places = (at_once.round().max(2.0) as usize).min(40);
    let k = places as f64;
    let radius = variation / k.sqrt();
    // V(n) = V(n-2) 2π/n, taken with the factorial and the power so that
    // nothing overflows.
    let n = places - 1;
    let unit = |n: usize| if n.is_multiple_of(2) { 1.0 } else { 2.0 };
    let volume = (2..=n)
        .filter(|m| m % 2 == n % 2)
        .fold(unit(n), |v, m| v * std::f64::consts::TAU / m as f64);
    let scale = (1..=n).fold(1.0, |scale, m| scale * m as f64 * radius);
    (volume * scale / k.sqrt()).clamp(LEAST_CHANCE, 1.0)
}

/// In how many ways so many of the places may have been left out: the
/// binomial coefficient, bounded.
fn choices(at_once: f64, dropped: usize) -> f64 {
    let places = at_once.round().max(2.0);
    let one = |n: usize| (places - n as f64).max(1.0) / (n as f64 + 1.0);
    (0..dropped).map(one).product::<f64>().min(1e12)
}

/// One chance out of those of several clients, the most even first.
fn together(all: &[Rhythm]) -> f64 {
    let Some(best) = all.first() else { return 1.0 };
    let bonferroni = best.p * all.len() as f64;
    let statistic: f64 = all.iter().map(|r| -2.0 * r.p.ln()).sum();
    let fisher = even_chi_square_tail(statistic, all.len());
    (2.0 * bonferroni.min(fisher)).min(1.0)
}

/// P(X > x) for chi-square with 2 m degrees of freedom: e^(-x/2) times the
/// sum of the first m terms of e^(x/2) (Abramowitz and Stegun 26.4.21).
fn even_chi_square_tail(x: f64, m: usize) -> f64 {
    let half = x / 2.0;
    let mut term = -half;
    let mut logs = vec![term];
    for n in 1..m {
        term += (half / n as f64).ln();
        logs.push(term);
    }
    let sum: f64 = logs.iter().map(|log| log.exp()).sum();
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::EndedBy;
    use crate::streams::Stream;

    fn streams(key: u32, opened: &[f64], hold: f64) -> Vec<Stream> {
        let one = |at: &f64| {
            Stream::new(
                Micros::from_secs_f64(*at),
                Some(Micros::from_secs_f64(at + hold)),
                KeyId(key),
            )
        };
        opened.iter().map(one).collect()
    }

    fn rhythms(streams: &[Stream]) -> Rhythms {
        let horizon = Micros::from_secs(10_000_000);
        let timeline = Timeline::new(streams, Micros::ZERO, horizon);
        let until = Micros::from_secs(1_000_000);
        Rhythms::of(&timeline, until, &RhythmRule::default())
    }

    /// Places, their variation, the chance that it is smaller.
    const CHANCES: [(f64, f64, f64); 7] = [
        (2.0, 0.05, 0.0498805),
        (2.0, 0.2, 0.1996605),
        (3.0, 0.1, 0.01205),
        (3.0, 0.2, 0.04812575),
        (4.0, 0.2, 0.0126485),
        (5.0, 0.3, 0.017247),
        (8.0, 0.35, 0.00371),
    ];

    /// Chi-square, half its degrees of freedom, the tail above it.
    const CHI_SQUARE: [(f64, usize, f64); 4] = [
        (3.0, 1, 0.22313016014842982),
        (20.0, 4, 0.010336050675925726),
        (116.0, 20, 2.5020167138058096e-09),
        (900.0, 300, 2.1783391685863907e-14),
    ];

    // Expected: the share of 4,000,000 draws (numpy 2.4.6, seed 1) of k
    // uniform places on a circle whose spacings vary by less than c. The
    // simulation's own error is 1 % to 3 %.
    #[test]
    fn the_chance_of_even_spacings_is_that_of_a_simulation() {
        for (k, c, expected) in CHANCES {
            let error = chance(c, k) / expected - 1.0;
            assert!(error.abs() < 0.05, "k {k}, c {c}: off by {error}");
        }
    }

    #[test]
    fn refused_streams_make_no_rhythm_of_those_that_are_held() {
        let second = |n: i32| f64::from(n) * 10.0;
        let refused: Vec<f64> = (2..60).map(second).collect();
        let held = streams(0, &[0.0, 10.0], 600.0);
        let all = [held, streams(0, &refused, 0.001)].concat();
        assert_eq!(rhythms(&all), Rhythms::default());
        let stacked = streams(0, &refused, 20.0);
        assert_eq!(rhythms(&stacked).all.len(), 1);
    }

    // Expected: scipy 1.17.1, `stats.chi2.sf(x, 2 * m)`.
    #[test]
    fn the_tail_of_chi_square_is_scipys() {
        for (x, m, expected) in CHI_SQUARE {
            let error = even_chi_square_tail(x, m) / expected - 1.0;
            assert!(error.abs() < 1e-9, "x {x}, m {m}: off by {error:e}");
        }
    }

    #[test]
    fn a_client_that_opens_every_minute_for_five_stacks_its_streams() {
        let every = |k: i32| f64::from(k) * 61.0 + f64::from(k % 3);
        let opened: Vec<f64> = (0..60).map(every).collect();
        let found = rhythms(&streams(7, &opened, 300.0));
        assert!(found.stack(&RhythmRule::default(), 0.01, 3.0), "{found:?}");
        let one = &found.all[0];
        assert_eq!(one.key, KeyId(7));
        assert!((one.at_once - 300.0 / 61.0).abs() < 0.1, "{one:?}");
        assert!(one.variation < 0.03, "{one:?}");
    }

    #[test]
    fn a_stream_that_is_open_at_the_end_is_not_held_for_ever() {
        let opened: Vec<f64> = (0..60).map(|k| f64::from(k) * 60.0).collect();
        let mut all = streams(0, &opened, 59.0);
        all[59].closed = None;
        let horizon = Micros::from_secs(10_000_000);
        let timeline = Timeline::new(&all, Micros::ZERO, horizon);
        let until = Micros::from_secs(3_600);
        let found = Rhythms::of(&timeline, until, &RhythmRule::default());
        assert_eq!(found.all, []);
    }

    #[test]
    fn a_night_asleep_does_not_hide_it() {
        let late = |k: i32| if k > 30 { 30_000.0 } else { 0.0 };
        let opened: Vec<f64> =
            (0..60).map(|k| f64::from(k) * 60.0 + late(k)).collect();
        assert!(rhythms(&streams(0, &opened, 300.0)).stack(
            &RhythmRule::default(),
            0.01,
            3.0
        ));
    }

    #[test]
    fn five_people_behind_one_address_do_not() {
        // Each stands somewhere else in the ceiling of 300 s.
        let opened: Vec<f64> = (0..20)
            .flat_map(|round| {
                let places = [3.0, 41.0, 160.0, 171.0, 280.0];
                places.map(|place| f64::from(round) * 300.0 + place)
            })
            .collect();
        let found = rhythms(&streams(0, &opened, 300.0));
        assert_eq!(found.all.len(), 1);
        assert!(found.p > 0.5, "{found:?}");
    }

    #[test]
    fn one_stream_after_the_other_and_what_the_client_ends_are_no_stack() {
        let opened: Vec<f64> = (0..60).map(|k| f64::from(k) * 60.0).collect();
        assert_eq!(
            rhythms(&streams(0, &opened, 60.0)),
            Rhythms { all: Vec::new(), p: 1.0 }
        );
        let mut own = streams(0, &opened, 300.0);
        for stream in &mut own {
            stream.ended_by = EndedBy::Client;
        }
        assert_eq!(rhythms(&own).all, []);
    }
}

//! Rhythm: whether a unit opens by a timer (specification, step 8).
//!
//! A timer opens the same number each time, evenly spaced. People who keep
//! to a clock do not.

use serde::Serialize;

use crate::stats::{self, median, quantile};
use crate::time::Micros;

/// Births that a rhythm needs.
pub(crate) const LEAST_BIRTHS: usize = 5;

/// Spacings that a rhythm needs.
const LEAST_SPACINGS: usize = 4;

/// The share of the births that must be of one size.
const ONE_SIZE: f64 = 0.8;

/// A spacing of more medians is a pause ...
const PAUSE: f64 = 2.5;

/// ... of which this share of the spacings may be left out.
const PAUSES: f64 = 0.2;

/// A rhythm's spacing is so many grains of the clock at least.
const GRAINS: f64 = 10.0;

/// Spacings that a rhythm of which some beats are missing needs.
const LEAST_LATTICE: usize = 10;

/// How far such a spacing may be off, as a share of the beat.
const OFF: f64 = 0.12;

/// The chance of that for openings at chance: the most that
/// e^-0.88x - e^-1.12x can be.
const OFF_CHANCE: f64 = 0.09;

/// The share of the spacings that must be as long as one beat.
const HITS: f64 = 0.5;

/// How many lengths of a beat are tried: the deciles of the spacings.
const BEATS: u32 = 9;

/// Some streams that a unit opened at one go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Birth {
    pub(crate) at: Micros,
    pub(crate) streams: u32,
}

/// How evenly a unit's births are spaced.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rhythm {
    /// How likely births at chance are spaced as evenly.
    pub p: f64,
    /// The median spacing, in seconds.
    pub every: f64,
    /// How far spacings vary: their standard deviation over their mean,
    /// without pauses.
    pub varies: f64,
    /// How many births there are.
    pub births: usize,
}

impl Rhythm {
    /// No rhythm, of so many births.
    pub(crate) fn none(births: usize) -> Rhythm {
        Rhythm { p: 1.0, every: 0.0, varies: 0.0, births }
    }

    /// Of these births, in order of time. `grain` is the clock's, in
    /// seconds.
    pub(crate) fn of(births: &[Birth], grain: f64) -> Rhythm {
        let none = Rhythm::none(births.len());
        if births.len() < LEAST_BIRTHS || !are_of_one_size(births) {
            return none;
        }
        let spacings = births.windows(2).map(|pair| pair[1].at - pair[0].at);
        let mut spacings: Vec<f64> = spacings
            .filter(|spacing| *spacing > Micros::ZERO)
            .map(Micros::as_secs)
            .collect();
        if spacings.len() < LEAST_SPACINGS {
            return none;
        }
        spacings.sort_by(f64::total_cmp);
        let even = evenness(&spacings, grain);
        let p = 2.0 * even.p.min(lattice_p(&spacings, grain));
        Rhythm { p: p.min(1.0), births: births.len(), ..even }
    }

    /// Of the window as long as `length` that holds the most births, the
    /// first such; its p times the number of such windows that births fill.
    /// A ceiling repeats a pattern each round: one round is judged.
    pub(crate) fn busiest(
        births: &[Birth],
        length: f64,
        grain: f64,
    ) -> Rhythm {
        let [first, .., last] = births else {
            return Rhythm::none(births.len());
        };
        let rounds = (last.at - first.at).as_secs() / length.max(1.0);
        let rhythm = Rhythm::of(busiest(births, length), grain);
        Rhythm { p: (rhythm.p * rounds.max(1.0)).min(1.0), ..rhythm }
    }
}

fn are_of_one_size(births: &[Birth]) -> bool {
    let mut sizes: Vec<u32> = births.iter().map(|b| b.streams).collect();
    sizes.sort_unstable();
    let most = sizes.chunk_by(|a, b| a == b).map(<[u32]>::len).max();
    most.unwrap_or(0) as f64 >= ONE_SIZE * births.len() as f64
}

/// The births of the busiest window, the first of such.
fn busiest(births: &[Birth], length: f64) -> &[Birth] {
    let length = Micros((length * 1e6) as i64);
    let mut best = 0..0;
    let mut until = 0;
    for (from, birth) in births.iter().enumerate() {
        let after = births[until..].iter();
        until += after.take_while(|b| b.at <= birth.at + length).count();
        if until - from > best.len() {
            best = from..until;
        }
    }
    &births[best]
}

/// The chance that so many spacings vary as little as these, which are
/// sorted, if the births between them are strewn at chance. (P(c) of version
/// 1: the share of a simplex that lies so near its middle.)
fn evenness(spacings: &[f64], grain: f64) -> Rhythm {
    let every = middle(spacings);
    let kept = spacings.partition_point(|d| *d <= PAUSE * every);
    let pauses = spacings.len() - kept;
    let varies = variation(&spacings[..kept]);
    let too_many = pauses as f64 > PAUSES * spacings.len() as f64;
    let rhythm = Rhythm { p: 1.0, every, varies, births: 0 };
    if kept < LEAST_SPACINGS || too_many || every < GRAINS * grain {
        return rhythm;
    }
    let varies = varies.max(grain / every);
    let p = if varies > 0.0 { even_p(kept, pauses, varies) } else { 0.0 };
    Rhythm { p, ..rhythm }
}

/// As [`evenness`]: of `kept` spacings with such variation, any `pauses` of
/// all having been left out.
fn even_p(kept: usize, pauses: usize, varies: f64) -> f64 {
    let (kept, pauses) = (kept as f64, pauses as f64);
    let half = (kept - 1.0) / 2.0;
    let ball = half * std::f64::consts::PI.ln() - stats::log_gamma(half + 1.0);
    let near = (kept - 1.0) * (varies / kept.sqrt()).ln()
        + stats::log_gamma(kept)
        - 0.5 * kept.ln();
    let choices = stats::log_gamma(kept + pauses + 1.0)
        - stats::log_gamma(pauses + 1.0)
        - stats::log_gamma(kept + 1.0);
    (ball + near + choices).min(0.0).exp()
}

/// The chance that most spacings are as long as one beat if births are at
/// chance: a timer of whose beats some are not logged. Spacings are sorted.
fn lattice_p(spacings: &[f64], grain: f64) -> f64 {
    let count = spacings.len();
    if count < LEAST_LATTICE {
        return 1.0;
    }
    let mut best = 1.0_f64;
    for tenths in 1..=BEATS {
        let q = 0.1 * f64::from(tenths);
        let beat = quantile(count, q, |k| spacings[k]).unwrap_or(0.0);
        let is_hit = |d: &&f64| (*d / beat - 1.0).abs() <= OFF;
        let hits = spacings.iter().filter(is_hit).count();
        let long_enough = beat > 0.0 && beat >= GRAINS * grain;
        if long_enough && hits as f64 >= HITS * count as f64 {
            let (hits, all) = (hits as u64, count as u64);
            let p = stats::binomial_at_least(hits, all, OFF_CHANCE);
            best = best.min(f64::from(BEATS) * p);
        }
    }
    best
}

fn middle(sorted: &[f64]) -> f64 {
    median(sorted.to_vec()).unwrap_or(0.0)
}

/// The standard deviation over the mean.
fn variation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let square = |value: &f64| (value - mean).powi(2);
    let variance = values.iter().map(square).sum::<f64>() / count;
    if mean > 0.0 { variance.sqrt() / mean } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVEN: [f64; 8] = [60.0, 61.0, 59.0, 60.0, 62.0, 60.0, 58.0, 60.0];

    const LATTICE: [f64; 12] = [
        60.0, 120.0, 60.0, 60.0, 180.0, 60.0, 62.0, 60.0, 59.0, 60.0, 121.0,
        60.0,
    ];

    fn sorted(spacings: &[f64]) -> Vec<f64> {
        let mut sorted = spacings.to_vec();
        sorted.sort_by(f64::total_cmp);
        sorted
    }

    fn births(spacings: &[f64]) -> Vec<Birth> {
        let mut at = 0.0;
        let mut all = vec![Birth { at: Micros::ZERO, streams: 1 }];
        for spacing in spacings {
            at += spacing;
            all.push(Birth { at: Micros::from_secs_f64(at), streams: 1 });
        }
        all
    }

    fn near(found: f64, expected: f64) {
        let error = found / expected - 1.0;
        assert!(error.abs() < 1e-9, "{found:e}, not {expected:e}");
    }

    // Expected in all of these: the functions of the same purpose in
    // leakstat2.py.
    #[test]
    fn even_spacings_are_as_unlikely_as_the_reference_says() {
        let even = evenness(&sorted(&EVEN), 1.0);
        near(even.p, 4.53499886798707e-12);
        near(even.varies, 0.018633899812498248);
        let pause = [&EVEN[..], &[300.0]].concat();
        near(evenness(&sorted(&pause), 1.0).p, 4.081498981188359e-11);
        near(evenness(&sorted(&LATTICE), 1.0).p, 0.0029763092002724253);
    }

    #[test]
    fn a_timer_with_missing_beats_is_found_by_its_lattice() {
        near(lattice_p(&sorted(&LATTICE), 1.0), 5.955208612508395e-07);
        near(Rhythm::of(&births(&LATTICE), 1.0).p, 1.191041722501679e-06);
    }

    #[test]
    fn a_rhythm_is_even_in_number_too() {
        let mut births = births(&EVEN);
        near(Rhythm::of(&births, 1.0).p, 9.06999773597414e-12);
        births[7].streams = 2;
        births[8].streams = 3;
        near(Rhythm::of(&births, 1.0).p, 1.0);
    }

    #[test]
    fn what_a_coarse_clock_makes_even_is_no_rhythm() {
        near(Rhythm::of(&births(&EVEN), 10.0).p, 1.0);
        near(Rhythm::of(&births(&EVEN[..3]), 1.0).p, 1.0);
    }

    #[test]
    fn the_busiest_window_is_the_first_with_the_most() {
        let births = births(&[5.0, 100.0, 10.0, 10.0, 100.0, 10.0, 10.0]);
        let found = busiest(&births, 20.0);
        assert_eq!(found, &births[2..5]);
        assert_eq!(busiest(&births, 19.0).len(), 2);
    }
}

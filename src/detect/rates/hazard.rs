//! The reference hazard: how fast current streams end, by their age
//! (specification, step 6).

use crate::detect::rates::exposure::Exposure;

/// The ratio of neighbouring bin edges.
const STEP: f64 = 1.05;

/// The first bin holds the ages below this, in seconds.
const FIRST: f64 = 0.5;

/// With fewer streams at risk the hazard of an age is not known.
const LEAST_AT_RISK: i64 = 3;

/// With fewer ends there is no reference at all.
const LEAST_ENDS: usize = 10;

/// Old is what this share of current streams lives to become.
const OLD_SHARE: f64 = 0.05;

/// Old is a little more than the age that share reaches: so many times it
/// and so many seconds.
const OLD_MARGIN: (f64, f64) = (1.05, 2.0);

/// Beyond the oldest end the hazard is so much over that age: half the mean
/// hazard of streams of which 5 % get there.
const TAIL: f64 = 1.5;

/// Less weight at risk is rounding.
const NO_WEIGHT: f64 = 1e-12;

/// The cumulative hazard of current streams.
#[derive(Clone, Debug)]
pub(crate) struct Hazard {
    edges: Vec<f64>,
    /// Up to each edge.
    cumulative: Vec<f64>,
    /// The age from which a stream is old, in seconds; `None` if more than
    /// the share of streams that are old are never seen to end.
    pub(crate) old: Option<f64>,
    /// How many ends it was taken from.
    pub(crate) ends: usize,
}

impl Hazard {
    /// Of these stretches at risk; `is_event` says whether the end of one is
    /// an event. No stream of the log is older than `longest` seconds.
    pub(crate) fn of(
        exposures: &[Exposure],
        is_event: impl Fn(&Exposure) -> bool,
        longest: f64,
    ) -> Hazard {
        let bins = bin(longest.max(1.0)) + 2;
        let edges: Vec<f64> = (0..=bins).map(edge).collect();
        let mut risk = Risk::new(bins);
        let mut ends = 0;
        for exposure in exposures {
            let event = is_event(exposure);
            ends += usize::from(event);
            risk.add(exposure, event);
        }
        let events = risk.known_events(ends);
        let mut rates = risk.rates(&events);
        let reached = first_below(&rates, OLD_SHARE);
        if reached.is_some() {
            extend_tail(&mut rates, &events, &edges);
        }
        Hazard {
            old: reached.map(|bin| edges[bin + 1]).map(old),
            cumulative: cumulative(&rates),
            edges,
            ends,
        }
    }

    /// The hazard up to this age, linear inside a bin; the whole beyond the
    /// last one.
    pub(crate) fn until(&self, age: f64) -> f64 {
        let last = self.edges.len() - 1;
        if age >= self.edges[last] {
            return self.cumulative[last];
        }
        let bin = bin(age.max(0.0)).min(last - 1);
        let (from, until) = (self.edges[bin], self.edges[bin + 1]);
        let (low, high) = (self.cumulative[bin], self.cumulative[bin + 1]);
        low + (high - low) / (until - from) * (age - from)
    }
}

/// The bin of an age in seconds.
pub(crate) fn bin(age: f64) -> usize {
    if age < FIRST {
        return 0;
    }
    ((age / FIRST).ln() / STEP.ln()) as usize + 1
}

/// The lower edge of a bin, in seconds.
fn edge(bin: usize) -> f64 {
    if bin == 0 { 0.0 } else { FIRST * STEP.powf((bin - 1) as f64) }
}

fn old(reached: f64) -> f64 {
    reached * OLD_MARGIN.0 + OLD_MARGIN.1
}

/// What is at risk and what ends, by age.
struct Risk {
    /// The weight that begins to be at risk in a bin, less that which ceased
    /// to be in the bin before.
    weight: Vec<f64>,
    /// The same of the number of streams.
    streams: Vec<i64>,
    events: Vec<f64>,
}

impl Risk {
    fn new(bins: usize) -> Risk {
        Risk {
            weight: vec![0.0; bins + 1],
            streams: vec![0; bins + 1],
            events: vec![0.0; bins],
        }
    }

    /// A stream that enters inside a bin counts from the next one on, unless
    /// it ends in the same.
    fn add(&mut self, exposure: &Exposure, event: bool) {
        let highest = self.events.len() - 1;
        let (from, until) = exposure.bins;
        if from > highest {
            return;
        }
        let until = until.min(highest);
        let entered = from + usize::from(exposure.late);
        let from = entered.min(until);
        self.weight[from] += exposure.weight;
        self.weight[until + 1] -= exposure.weight;
        self.streams[from] += 1;
        self.streams[until + 1] -= 1;
        if event {
            self.events[until] += exposure.weight;
        }
    }

    /// The events, as far as enough is known of their hazard.
    fn known_events(&self, ends: usize) -> Vec<f64> {
        let mut at_risk = 0;
        let known = self.events.iter().zip(&self.streams).map(|(d, n)| {
            at_risk += n;
            if at_risk < LEAST_AT_RISK || ends < LEAST_ENDS { 0.0 } else { *d }
        });
        known.collect()
    }

    /// The share of what is at risk that ends, bin by bin.
    fn rates(&self, events: &[f64]) -> Vec<f64> {
        let mut at_risk = 0.0;
        let rates = events.iter().zip(&self.weight).map(|(event, weight)| {
            at_risk += weight;
            let rate = event / at_risk.max(NO_WEIGHT);
            if at_risk > NO_WEIGHT { rate.min(1.0) } else { 0.0 }
        });
        rates.collect()
    }
}

/// The first bin by whose end at most this share survives.
fn first_below(rates: &[f64], share: f64) -> Option<usize> {
    let mut surviving = 1.0;
    rates.iter().position(|rate| {
        surviving *= 1.0 - rate;
        surviving <= share
    })
}

/// Beyond the oldest end of a current stream nothing is measured.
fn extend_tail(rates: &mut [f64], events: &[f64], edges: &[f64]) {
    let Some(last) = events.iter().rposition(|event| *event > 0.0) else {
        return;
    };
    let hazard = TAIL / edges[last + 1];
    for bin in last + 1..rates.len() {
        rates[bin] = hazard * (edges[bin + 1] - edges[bin]);
    }
}

fn cumulative(rates: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    sums.extend(rates.iter().scan(0.0, |sum, rate| {
        *sum += rate;
        Some(*sum)
    }));
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exposure(from: f64, until: f64, ended: bool) -> Exposure {
        Exposure {
            bins: (bin(from), bin(until)),
            late: from > 0.0,
            weight: 1.0,
            unit: 0,
            ended,
            chosen: false,
        }
    }

    /// Two hundred holds as even as chance makes them on average, of a mean
    /// of 100 s.
    fn exponential() -> Vec<Exposure> {
        let hold = |k: i32| {
            let hold = -(1.0 - (f64::from(k) + 0.5) / 200.0).ln() * 100.0;
            (hold * 1e3).round() / 1e3
        };
        (0..200).map(|k| exposure(0.0, hold(k), true)).collect()
    }

    // Expected: `Reference` of leakstat2.py.
    #[test]
    fn the_hazard_of_exponential_holds_is_the_references() {
        let hazard = Hazard::of(&exponential(), |e| e.ended, 2000.0);
        let old = hazard.old.unwrap();
        assert!((old - 315.29789834269496).abs() < 1e-9, "{old}");
        for (age, expected) in [
            (10.0, 0.10173784112817914),
            (50.0, 0.5004281535031675),
            (100.0, 0.9869719338335493),
            (200.0, 1.9403993042693792),
            (1000.0, 6.202719844800833),
        ] {
            let found = hazard.until(age);
            assert!((found / expected - 1.0).abs() < 1e-12, "{age}: {found}");
        }
        assert_eq!(hazard.ends, 200);
    }

    #[test]
    fn nine_ends_are_no_reference() {
        let hazard = Hazard::of(&exponential()[..9], |e| e.ended, 2000.0);
        assert_eq!(hazard.old, None);
        assert!(hazard.until(1e9) <= 0.0);
    }

    #[test]
    fn streams_that_are_not_seen_to_end_never_grow_old() {
        let mut all = exponential();
        all.extend([exposure(0.0, 1500.0, false); 50]);
        let hazard = Hazard::of(&all, |e| e.ended, 2000.0);
        assert_eq!(hazard.old, None);
        // Nothing ends beyond what is seen.
        assert!((hazard.until(1900.0) - hazard.until(900.0)).abs() < 1e-12);
    }

    #[test]
    fn who_comes_into_sight_inside_a_bin_counts_from_the_next_on() {
        let bins = bin(1000.0) + 2;
        let mut risk = Risk::new(bins);
        risk.add(&exposure(100.0, 500.0, true), true);
        risk.add(&exposure(100.0, 100.1, true), false);
        assert_eq!(risk.streams[bin(100.0)], 1);
        assert_eq!(risk.streams[bin(100.0) + 1], 1 - 1);
        assert!(risk.events[bin(500.0)] > 0.0);
    }
}

//! Ceilings: ages at which streams are cut, whoever holds them.
//!
//! A timeout shows as an age that stands out of its neighbours in a
//! histogram of ages with bins of 1 % (specification, step 1).

use crate::time::Micros;

/// The ratio of neighbouring bin edges.
const STEP: f64 = 1.01;

/// How many times its neighbours' mean a ceiling's bin must hold.
const STANDS_OUT: f64 = 5.0;

/// How many ages in excess of its neighbours a ceiling needs, and how many
/// ages there must be for it to be looked for.
pub(crate) const LEAST: usize = 10;

/// Neighbours reach so many bins to each side ...
const REACH: usize = 12;

/// ... and begin beyond so many: an age may straddle two bins.
const GAP: usize = 2;

/// The lowest mean that neighbours are taken to have.
const LEAST_MEAN: f64 = 0.05;

/// An age at which streams are cut: a bin of 1 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ceiling(u32);

impl Ceiling {
    /// Its lower edge in seconds.
    pub fn lower_secs(self) -> f64 {
        STEP.powf(f64::from(self.0))
    }

    /// Its upper edge in seconds.
    pub fn upper_secs(self) -> f64 {
        STEP.powf(f64::from(self.0) + 1.0)
    }
}

/// The ceilings of a set of ages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ceilings(Vec<Ceiling>);

impl Ceilings {
    /// The ceilings among these ages; those of a second or less do not
    /// count.
    pub(crate) fn of(ages: impl Iterator<Item = Micros>) -> Ceilings {
        let bins: Vec<usize> = ages.filter_map(bin).collect();
        if bins.len() < LEAST {
            return Ceilings::default();
        }
        let most = bins.iter().max().map_or(0, |most| most + REACH);
        let mut counts = vec![0_u64; most];
        for &bin in &bins {
            counts[bin] += 1;
        }
        let counts = Counts::of(&counts);
        let bins = (0..most).filter(|&bin| counts.stands_out(bin));
        Ceilings(bins.map(|bin| Ceiling(bin as u32)).collect())
    }

    /// Whether this age lies at one of them.
    pub(crate) fn at(&self, age: Micros) -> bool {
        !self.0.is_empty()
            && bin(age).is_some_and(|bin| {
                self.0.binary_search(&Ceiling(bin as u32)).is_ok()
            })
    }

    /// In order of age.
    pub(crate) fn list(&self) -> &[Ceiling] {
        &self.0
    }
}

/// The bin of an age; `None` for a second or less.
fn bin(age: Micros) -> Option<usize> {
    let bin = || (age.as_secs().ln() / STEP.ln()).floor() as usize;
    (age > Micros::SECOND).then(bin)
}

/// A histogram with the sums of its first bins.
struct Counts(Vec<u64>);

impl Counts {
    fn of(counts: &[u64]) -> Counts {
        let mut sums = vec![0];
        sums.extend(counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }));
        Counts(sums)
    }

    /// How many bins there are.
    fn len(&self) -> usize {
        self.0.len() - 1
    }

    /// How many lie in the bins `[from, until)`, as far as there are such.
    fn between(&self, from: usize, until: usize) -> f64 {
        (self.0[until.min(self.len())] - self.0[from]) as f64
    }

    /// The mean of a bin's neighbours.
    fn near(&self, bin: usize) -> f64 {
        let from = bin.saturating_sub(REACH);
        let until = (bin + REACH + 1).min(self.len());
        let inner = self.between(bin.saturating_sub(GAP), bin + GAP + 1);
        let bins = (until - from).saturating_sub(2 * GAP + 1).max(1);
        (self.between(from, until) - inner) / bins as f64
    }

    /// Whether a bin is a ceiling: three bins must hold what stands out, the
    /// bin itself its share.
    fn stands_out(&self, bin: usize) -> bool {
        let near = self.near(bin);
        let own = self.between(bin.saturating_sub(1), bin + 2);
        let alone = self.between(bin, bin + 1);
        own >= STANDS_OUT * 3.0 * near.max(LEAST_MEAN)
            && own - 3.0 * near >= LEAST as f64
            && alone > STANDS_OUT * near
            && alone >= 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ceilings(secs: impl Iterator<Item = f64>) -> Ceilings {
        Ceilings::of(secs.map(Micros::from_secs_f64))
    }

    /// Two hundred ages from 20 to 400 s and some at one age.
    fn ages(count: usize, age: f64) -> impl Iterator<Item = f64> {
        let even = (0..200).map(|k| 20.0 + 380.0 * f64::from(k) / 199.0);
        even.chain(std::iter::repeat_n(age, count))
    }

    // Expected: `ceilings` of leakstat2.py.
    #[test]
    fn an_age_that_stands_out_is_a_ceiling() {
        let found = ceilings(ages(60, 300.2));
        let [ceiling] = found.list() else { panic!("{found:?}") };
        assert!((ceiling.lower_secs() - 299.327_885_286_126_6).abs() < 1e-9);
        assert!((ceiling.upper_secs() - 302.321_164_138_987_9).abs() < 1e-9);
        assert!(found.at(Micros::from_secs(300)));
        assert!(!found.at(Micros::from_secs(303)));
        assert!(!found.at(Micros::from_secs(299)));
    }

    #[test]
    fn a_few_of_one_age_or_any_number_of_various_are_none() {
        assert!(ceilings(ages(5, 300.2)).list().is_empty());
        assert!(ceilings(ages(0, 0.0)).list().is_empty());
    }

    #[test]
    fn ages_of_a_second_or_less_do_not_count() {
        let found = ceilings(std::iter::repeat_n(1.0, 500));
        assert!(found.list().is_empty());
        assert!(!found.at(Micros::SECOND));
    }
}

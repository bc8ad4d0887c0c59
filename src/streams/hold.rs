//! How long streams were held, and whether they pile up at a ceiling.

use std::ops::Range;

use crate::stats::quantile;
use crate::streams::stream::Stream;
use crate::time::Micros;

/// The least share of the ended streams that makes a pile a ceiling.
const CEILING_SHARE: f64 = 0.5;
/// The fewest streams that make one.
const CEILING_COUNT: usize = 5;
/// Holds this close to each other, or within 4 %, are one pile.
const CEILING_WIDTH: Micros = Micros(2_000_000);
/// Shorter holds are no ceiling but streams that end at once.
pub const CEILING_LEAST: Micros = Micros(2_000_000);

/// The holds of the ended streams.
#[derive(Clone, Debug, Default)]
pub struct Holds {
    sorted: Vec<Micros>,
    ceiling: Option<Ceiling>,
}

/// A hold at which streams pile up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ceiling {
    /// The median hold of the pile.
    pub hold: Micros,
    /// The pile's share of the ended streams, 0 to 1.
    pub share: f64,
}

impl Holds {
    /// The holds of those streams that have ended.
    pub fn of(streams: &[Stream]) -> Holds {
        let mut holds: Vec<Micros> =
            streams.iter().filter_map(Stream::hold).collect();
        holds.sort_unstable();
        Holds { ceiling: ceiling(&holds), sorted: holds }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    /// The quantile `share` (0 to 1), to the microsecond; `None` without any
    /// hold.
    pub fn quantile(&self, share: f64) -> Option<Micros> {
        let nth = |number: usize| self.sorted[number].0 as f64;
        let micros = quantile(self.sorted.len(), share, nth)?;
        Some(Micros(micros.round() as i64))
    }

    /// The greatest pile, if it is a ceiling: half of the streams or more
    /// end within 2 s or 4 % of each other.
    pub fn ceiling(&self) -> Option<Ceiling> {
        self.ceiling
    }

    /// All of them summed.
    pub fn sum(&self) -> Micros {
        self.sorted.iter().fold(Micros::ZERO, |sum, hold| sum + *hold)
    }
}

/// The ceiling of holds in their order.
fn ceiling(sorted: &[Micros]) -> Option<Ceiling> {
    let pile = pile(sorted, |hold| *hold, Micros::ZERO);
    let share = pile.len() as f64 / sorted.len().max(1) as f64;
    let hold = *sorted.get(pile.start + pile.len() / 2)?;
    let piled = pile.len() >= CEILING_COUNT
        && share >= CEILING_SHARE
        && hold >= CEILING_LEAST;
    piled.then_some(Ceiling { hold, share })
}

/// The most values, in the order of their holds, that are held for 2 s or
/// 4 % more than the first of them at most, which is held for `least` at
/// least.
pub fn pile<T>(
    sorted: &[T],
    hold: impl Fn(&T) -> Micros,
    least: Micros,
) -> Range<usize> {
    let (mut best, mut until) = (0..0, 0);
    for (from, low) in sorted.iter().map(&hold).enumerate() {
        let widest = low + CEILING_WIDTH.max(Micros(low.0 / 25));
        while sorted.get(until).is_some_and(|other| hold(other) <= widest) {
            until += 1;
        }
        if low >= least && until - from > best.len() {
            best = from..until;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::KeyId;

    fn holds(seconds: &[i64]) -> Holds {
        let stream = |s: &i64| {
            Stream::new(Micros::ZERO, Some(Micros::from_secs(*s)), KeyId(0))
        };
        Holds::of(&seconds.iter().map(stream).collect::<Vec<_>>())
    }

    #[test]
    fn quantiles_are_those_of_numpy() {
        // numpy.quantile([1, 2, 4, 8, 16], [0, .5, .9, .99, 1])
        let holds = holds(&[16, 1, 8, 2, 4]);
        for (share, seconds) in
            [(0.0, 1.0), (0.5, 4.0), (0.9, 12.8), (0.99, 15.68), (1.0, 16.0)]
        {
            let got = holds.quantile(share).unwrap().as_secs();
            assert!((got - seconds).abs() < 1e-6, "{share}: {got}");
        }
        assert_eq!(Holds::default().quantile(0.5), None);
    }

    #[test]
    fn a_pile_is_a_ceiling_and_a_spread_is_none() {
        let piled = holds(&[60, 60, 61, 60, 60, 3, 20, 60, 60]);
        let ceiling = piled.ceiling().unwrap();
        assert_eq!(ceiling.hold, Micros::from_secs(60));
        assert!((ceiling.share - 7.0 / 9.0).abs() < 1e-12);
        assert_eq!(holds(&[1, 5, 9, 14, 30, 60, 90, 140]).ceiling(), None);
        assert_eq!(holds(&[60, 60, 60, 60]).ceiling(), None);
        assert_eq!(holds(&[0; 50]).ceiling(), None);
        assert_eq!(holds(&[]).ceiling(), None);
    }
}

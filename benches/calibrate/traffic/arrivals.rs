//! Openings by chance: people come when they please.

use super::{Held, Hold, Random};

/// The instants of `[from, until)` at which something happens by chance, at
/// a rate (a second) that changes in time and never exceeds `most`; in
/// order. Thinning, after Lewis and Shedler,
/// <https://doi.org/10.1002/nav.3800260304>.
fn arrivals(
    random: &mut Random,
    rate: impl Fn(f64) -> f64,
    most: f64,
    (from, until): (f64, f64),
) -> Vec<f64> {
    let tries = random.poisson(most * (until - from));
    let mut at = random.uniforms(tries, (from, until));
    at.retain(|at| random.happens(rate(*at) / most));
    at.sort_by(f64::total_cmp);
    at
}

/// Streams opened by chance and not reopened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visits {
    /// The highest rate of openings, a second.
    rate: f64,
    /// How long each is held.
    hold: Hold,
    /// How many addresses they come from, at random; 0 when each has its
    /// own.
    addresses: u32,
    /// How long before the log they began, in seconds.
    burn: f64,
}

impl Visits {
    /// One in so many seconds at the highest rate, each from an address of
    /// its own.
    pub(crate) fn every(seconds: f64, hold: Hold) -> Visits {
        let burn = 8.0 * hold.mean();
        Visits { rate: 1.0 / seconds, hold, addresses: 0, burn }
    }

    /// From one of so many addresses.
    pub(crate) fn behind(self, addresses: u32) -> Visits {
        Visits { addresses, ..self }
    }

    /// The streams around a log of this length; `share` of the highest rate
    /// (0 to 1) at each instant.
    pub(crate) fn streams(
        &self,
        random: &mut Random,
        share: impl Fn(f64) -> f64,
        length: f64,
    ) -> Vec<Held> {
        let rate = |at| self.rate * share(at);
        let span = (-self.burn, length);
        let opened = arrivals(random, rate, self.rate, span);
        let stream = |(n, opened)| Held {
            opened,
            closed: opened + self.hold.draw(random),
            key: match self.addresses {
                0 => n,
                addresses => random.below(addresses),
            },
        };
        (0..).zip(opened).map(stream).collect()
    }
}

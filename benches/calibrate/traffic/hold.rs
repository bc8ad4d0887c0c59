//! How long streams are held.

use super::Random;

/// A law of holds, in seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hold {
    /// Always this long: a ceiling.
    Fixed(f64),
    /// Exponential with this mean.
    Exponential(f64),
    /// Lognormal.
    Lognormal {
        /// The median.
        median: f64,
        /// The standard deviation of the logarithm.
        sigma: f64,
    },
    /// Evenly between two.
    Uniform(f64, f64),
    /// A page with a ceiling: this long, unless it is left before, after
    /// so many seconds in the mean.
    Cut {
        /// The limit.
        limit: f64,
        /// The mean time until the page is left.
        after: f64,
    },
    /// A ceiling as servers keep it: this long and a little more, by a fifth
    /// of a second in the mean; `early` of the streams (0 to 1) are left
    /// before, at any moment.
    Ceiling {
        /// The limit.
        limit: f64,
        /// The share that ends before it.
        early: f64,
    },
}

/// By how much a server's timer is late in the mean, in seconds.
const LATE: f64 = 0.2;

impl Hold {
    /// One hold.
    pub(crate) fn draw(self, random: &mut Random) -> f64 {
        match self {
            Hold::Fixed(hold) => hold,
            Hold::Exponential(mean) => random.exponential(mean),
            Hold::Lognormal { median, sigma } => {
                median * (sigma * random.normal()).exp()
            }
            Hold::Uniform(low, high) => random.uniform(low, high),
            Hold::Cut { limit, after } => random.exponential(after).min(limit),
            Hold::Ceiling { limit, early } if random.happens(early) => {
                random.uniform(0.0, limit)
            }
            Hold::Ceiling { limit, .. } => limit + random.exponential(LATE),
        }
    }

    /// The mean hold.
    pub(crate) fn mean(self) -> f64 {
        match self {
            Hold::Fixed(hold) => hold,
            Hold::Exponential(mean) => mean,
            Hold::Lognormal { median, sigma } => {
                median * (sigma * sigma / 2.0).exp()
            }
            Hold::Uniform(low, high) => f64::midpoint(low, high),
            Hold::Cut { limit, after } => {
                after * (1.0 - (-limit / after).exp())
            }
            Hold::Ceiling { limit, early } => limit * (1.0 - early / 2.0),
        }
    }

    /// How long before the log clients must have begun so that it starts in
    /// the steady state.
    pub(crate) fn burn(self) -> f64 {
        let slow = match self {
            Hold::Fixed(_) | Hold::Ceiling { .. } => 1.0,
            Hold::Exponential(_)
            | Hold::Lognormal { .. }
            | Hold::Uniform(..)
            | Hold::Cut { .. } => 3.0,
        };
        (3.0 * slow * self.mean()).max(600.0)
    }
}

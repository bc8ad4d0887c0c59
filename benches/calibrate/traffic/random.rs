//! Chance, the same for the same seed on every machine.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Exp1, Poisson, StandardNormal};

/// A source of chance.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    /// The source of one log of a scenario: neither other scenarios nor
    /// other logs change what it draws.
    pub(crate) fn new(seed: u64, scenario: &str, log: u64) -> Random {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&log.to_le_bytes());
        bytes[16..24].copy_from_slice(&fnv(scenario).to_le_bytes());
        Random(ChaCha8Rng::from_seed(bytes))
    }

    /// Evenly between two numbers.
    pub(crate) fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.0.random::<f64>()
    }

    /// So many numbers, evenly between two.
    pub(crate) fn uniforms(
        &mut self,
        count: u32,
        (low, high): (f64, f64),
    ) -> Vec<f64> {
        (0..count).map(|_| self.uniform(low, high)).collect()
    }

    /// Exponentially with this mean.
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        let one: f64 = Exp1.sample(&mut self.0);
        mean * one
    }

    /// Normally with mean 0 and variance 1.
    pub(crate) fn normal(&mut self) -> f64 {
        StandardNormal.sample(&mut self.0)
    }

    /// How many, where this many are expected.
    pub(crate) fn poisson(&mut self, mean: f64) -> u32 {
        let count = Poisson::new(mean).map(|law| law.sample(&mut self.0));
        // There is no law of mean 0: it is always none.
        count.unwrap_or(0.0_f64) as u32
    }

    /// A whole number below a limit above 0.
    pub(crate) fn below(&mut self, limit: u32) -> u32 {
        self.0.random_range(0..limit)
    }

    /// Whether something of this chance, 0 to 1, happens.
    pub(crate) fn happens(&mut self, chance: f64) -> bool {
        self.0.random::<f64>() < chance
    }
}

/// Fowler, Noll and Vo's hash FNV-1a of a name, in 64 bits.
fn fnv(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

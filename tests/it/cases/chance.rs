//! Numbers by chance that are the same on every machine.

/// splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
#[derive(Clone, Debug)]
pub(super) struct Chance(u64);

impl Chance {
    /// The sequence of this seed.
    pub(super) fn seeded(seed: u64) -> Chance {
        Chance(seed)
    }

    /// 64 bits.
    pub(super) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Between two numbers, every one as likely; never the upper one.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        low + unit * (high - low)
    }

    /// In a pair of bounds.
    pub(super) fn within(&mut self, bounds: (f64, f64)) -> f64 {
        self.between(bounds.0, bounds.1)
    }

    /// A waiting time with this mean, exponentially distributed.
    pub(super) fn wait(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.between(0.0, 1.0)).ln()
    }

    /// A whole number from 0 to less than `count`.
    pub(super) fn below(&mut self, count: u64) -> u64 {
        self.between(0.0, count as f64) as u64
    }
}

// The first outputs for the seed 1234567, as the algorithm's page on Rosetta
// Code lists them.
#[test]
fn the_sequence_is_that_of_the_published_generator() {
    let mut chance = Chance::seeded(1_234_567);
    for bits in [
        6_457_827_717_110_365_317,
        3_203_168_211_198_807_973,
        9_817_491_932_198_370_423,
        4_593_380_528_125_082_431,
        16_408_922_859_458_223_821,
    ] {
        assert_eq!(chance.bits(), bits);
    }
}

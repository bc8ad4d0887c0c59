//! The level of the superseded streams over a stretch, and whether it is
//! higher than over a healthy one.
//!
//! A leak that had levelled off before the log began does not climb: only a
//! comparison shows it. The level is the mean of equal slices, its error that
//! of batch means with the guard for correlation that the slope has.

use serde::Serialize;

use crate::detect::trend::{
    LEAST_SE, allowed, lag_one, mean, welch, widening,
};

/// The mean number of superseded streams over a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Level {
    /// The mean, in streams.
    pub mean: f64,
    /// Its standard error, widened for the correlation `rho`.
    pub se: f64,
    /// Degrees of freedom of that: slices less one.
    pub df: f64,
    /// The correlation of neighbouring slices that `se` allows for.
    pub rho: f64,
    /// What was opened meanwhile.
    pub traffic: Traffic,
}

/// What the clients did over a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Traffic {
    /// How long it is, in seconds.
    pub length: f64,
    /// Streams opened in it.
    pub opens: u64,
    /// The mean number of streams open in it, superseded or not.
    pub open: f64,
    /// The median hold of those closed in it, in seconds; 0 without any.
    pub hold: f64,
}

impl Level {
    /// The level of equal slices, the correlation allowed for bounded by
    /// `rho_cap`. `None` with fewer than three.
    pub fn of(
        slices: &[f64],
        rho_cap: f64,
        traffic: Traffic,
    ) -> Option<Level> {
        let count = slices.len() as f64;
        if slices.len() < 3 {
            return None;
        }
        let mean = mean(slices);
        let off: Vec<f64> = slices.iter().map(|z| z - mean).collect();
        let rss: f64 = off.iter().map(|u| u * u).sum();
        let rho = allowed(lag_one(&off), count, rho_cap);
        let plain = (rss / (count - 1.0) / count).sqrt();
        Some(Level {
            mean,
            se: plain.max(LEAST_SE) * widening(rho).sqrt(),
            df: count - 1.0,
            rho,
            traffic,
        })
    }
}

/// What makes a level higher.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LevelRule {
    /// The chance of a false alarm that is accepted.
    pub alpha: f64,
    /// Streams that the level must be higher by.
    pub threshold: f64,
    /// The share of that which more opens must fail to explain.
    pub unexplained: f64,
}

/// A level compared with a baseline's.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LevelTest {
    /// The level.
    pub own: Level,
    /// The baseline's.
    pub base: Level,
    /// How many standard errors it is higher.
    pub t: f64,
    /// Degrees of freedom, after Welch and Satterthwaite.
    pub df: f64,
    /// How likely so high a `t` is if it is not higher (one-sided).
    pub p: f64,
    /// The difference that counts as large, in streams.
    pub threshold: f64,
    /// What of the difference more opens do not explain, in streams.
    pub unexplained: f64,
    /// Whether it is higher: significantly, by much, and for no more opens.
    pub higher: bool,
}

impl LevelTest {
    /// Tests whether a level is higher than the baseline's.
    pub fn of(own: Level, base: Level, rule: LevelRule) -> LevelTest {
        let found =
            welch([own.mean, own.se, own.df], [base.mean, base.se, base.df]);
        let difference = own.mean - base.mean;
        let unexplained = unexplained(&own, &base);
        let higher = found.p < rule.alpha
            && difference >= rule.threshold
            && unexplained >= rule.unexplained * difference;
        LevelTest {
            own,
            base,
            t: found.t,
            df: found.df,
            p: found.p,
            threshold: rule.threshold,
            unexplained,
            higher,
        }
    }

    /// By how many streams it is higher.
    pub fn difference(&self) -> f64 {
        self.own.mean - self.base.mean
    }
}

/// What of a level more opens do not explain, in streams above the baseline.
///
/// By Little's law r times as many opens hold r times as many streams. So r
/// times the superseded ones are expected where there are more clients; but
/// more people behind the same addresses supersede more than that, since an
/// address has one first stream only. Then all that is open tells how many
/// are too many. The lesser of the two is left.
fn unexplained(own: &Level, base: &Level) -> f64 {
    let times = own.traffic.times(&base.traffic);
    let superseded = own.mean - times * base.mean;
    let open = own.traffic.open - times * base.traffic.open;
    superseded.min(open)
}

impl Traffic {
    /// How many times as many streams as in the base these opens hold, if
    /// each is held as long. A shorter hold, as after another ceiling, counts:
    /// clients come back more often for it and hold no more. A longer one is
    /// what is asked about.
    fn times(&self, base: &Traffic) -> f64 {
        // Half an opening more, so that none is no division by zero.
        let rate =
            |of: &Traffic| (of.opens as f64 + 0.5) / of.length.max(1e-6);
        let shorter = match base.hold > 0.0 && self.hold > 0.0 {
            true => (self.hold / base.hold).min(1.0),
            false => 1.0,
        };
        rate(self) / rate(base) * shorter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOW: [f64; 12] =
        [4.1, 4.4, 3.9, 4.6, 4.0, 4.3, 4.2, 4.5, 3.8, 4.4, 4.1, 4.3];
    const HIGH: [f64; 12] =
        [9.0, 11.0, 8.0, 10.5, 9.5, 11.5, 8.5, 10.0, 9.0, 12.0, 8.0, 11.0];
    /// Its neighbours are alike.
    const SLOW: [f64; 12] =
        [6.0, 6.2, 6.5, 7.1, 7.4, 7.2, 6.9, 6.4, 6.1, 5.8, 5.9, 6.3];

    const HOUR: Traffic =
        Traffic { length: 3600.0, opens: 60, open: 20.0, hold: 1200.0 };

    fn level(slices: &[f64], traffic: Traffic) -> Level {
        Level::of(slices, 0.5, traffic).expect("a level")
    }

    /// As the detector asks, from this level on.
    fn against(own: Level, base: Level) -> LevelTest {
        let threshold = 3.0;
        let rule = LevelRule { alpha: 0.01, threshold, unexplained: 0.35 };
        LevelTest::of(own, base, rule)
    }

    #[track_caller]
    fn near(found: f64, expected: f64) {
        let error = (found - expected) / expected;
        assert!(error.abs() < 1e-9, "{found}, expected {expected}");
    }

    // Expected: numpy 2.4.6, the mean and `std(ddof=1) / sqrt(12)`, the
    // latter times sqrt(1.5 / 0.5) where neighbours are alike.
    #[test]
    fn a_level_has_the_mean_and_the_error_of_batch_means() {
        for (slices, mean, se, rho) in [
            (LOW, 4.216666666666666, 0.0705318897715599, 0.0),
            (HIGH, 9.833333333333334, 0.3956837835515332, 0.0),
            (SLOW, 6.483333333333334, 0.15610473044942255, 0.5),
        ] {
            let found = level(&slices, HOUR);
            near(found.mean, mean);
            near(found.se, se * ((1.0 + rho) / (1.0_f64 - rho)).sqrt());
            assert!((found.rho - rho).abs() < 1e-12);
            assert!((found.df - 11.0).abs() < 1e-12);
        }
        assert_eq!(Level::of(&[1.0, 2.0], 0.5, HOUR), None);
    }

    // Expected: scipy 1.17.1, `stats.ttest_ind_from_stats(…,
    // equal_var=False, alternative='greater')` of means and errors as above.
    #[test]
    fn levels_compare_as_in_scipys_welch_test() {
        for (own, base, t, p) in [
            (HIGH, LOW, 13.974557600222349, 5.883492815551083e-09),
            (SLOW, LOW, 8.111767760274981, 1.2529097914483453e-06),
            (HIGH, SLOW, 6.990223283293772, 5.153493014485412e-07),
            (LOW, SLOW, -8.111767760274981, 0.9999987470902085),
        ] {
            let found = against(level(&own, HOUR), level(&base, HOUR));
            near(found.t, t);
            near(found.p, p);
        }
    }

    #[test]
    fn a_level_is_higher_by_much_and_surely_or_not_at_all() {
        let low = level(&LOW, HOUR);
        let raised = |by: f64, noise: f64| {
            let slice = |(k, z): (usize, &f64)| {
                let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
                z + by + sign * noise
            };
            let slices: Vec<f64> = LOW.iter().enumerate().map(slice).collect();
            let open = HOUR.open + by;
            against(level(&slices, Traffic { open, ..HOUR }), low).higher
        };
        assert!(raised(3.1, 0.0));
        assert!(!raised(2.9, 0.0), "significant, and yet too little");
        assert!(!raised(3.1, 9.0), "large, and yet by chance");
    }

    // A base without any noise: 5 superseded ones of 20 open, 60 opens.
    #[test]
    fn what_more_opens_hold_is_no_leak() {
        let base = level(&[5.0; 12], HOUR);
        let test = |mean: f64, opens: u64, open: f64| {
            let traffic = Traffic { opens, open, ..HOUR };
            against(level(&[mean; 12], traffic), base)
        };
        // As many opens, 15 more: none of them is explained.
        let found = test(20.0, 60, 35.0);
        assert!(found.higher);
        near(found.unexplained, 15.0);
        // Twice the opens, twice of all.
        let found = test(10.0, 120, 40.0);
        assert!(!found.higher);
        near(found.unexplained, 10.0 - 5.0 * 120.5 / 60.5);
        // Twice the people behind the same 15 addresses: all that is open
        // doubles, and the superseded ones more than that.
        let found = test(25.0, 120, 40.0);
        assert!(!found.higher);
        near(found.unexplained, 40.0 - 20.0 * 120.5 / 60.5);
        // Twice the clients, and 15 streams left open.
        let found = test(25.0, 120, 55.0);
        assert!(found.higher);
        // As many in twice the time are half as many.
        let (length, opens, open) = (7200.0, 120, 35.0);
        let slow = Traffic { length, opens, open, ..HOUR };
        let found = against(level(&[20.0; 12], slow), base);
        near(found.unexplained, 20.0 - 5.0 * 120.5 / 121.0);
    }

    #[test]
    fn opens_that_only_make_up_for_a_shorter_hold_explain_nothing() {
        let base = level(&[0.0; 12], HOUR);
        let test = |hold: f64| {
            let traffic = Traffic { opens: 300, open: 35.0, hold, ..HOUR };
            against(level(&[15.0; 12], traffic), base)
        };
        // Five times the opens of a fifth of the hold: 20 open, as before.
        let found = test(240.0);
        assert!(found.higher);
        near(found.unexplained, 15.0);
        // Five times the opens, held as long or longer.
        assert!(!test(1200.0).higher && !test(9000.0).higher);
        near(test(9000.0).unexplained, test(1200.0).unexplained);
    }

    #[test]
    fn a_baseline_without_any_opening_explains_nothing() {
        let none = Traffic { opens: 0, open: 0.0, hold: 0.0, ..HOUR };
        let base = level(&[0.0; 12], none);
        let found = against(level(&[9.0; 12], HOUR), base);
        assert!(found.higher && found.p < 1e-12);
        near(found.unexplained, 9.0);
    }
}

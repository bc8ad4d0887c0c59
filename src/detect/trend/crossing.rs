//! When a climb reaches a level, with the interval that its errors leave.

use super::{SlopeTest, widening};
use crate::stats::t_quantile;

/// When a window's line reaches a level, in seconds from the window's end;
/// negative within it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// When the line does.
    pub at: f64,
    /// When the upper edge of the prediction band does; minus infinity where
    /// the whole window is too uncertain to say.
    pub from: f64,
    /// When the lower edge does; `None` when it never does, because the
    /// slope's own interval holds slopes that do not climb.
    pub until: Option<f64>,
}

impl SlopeTest {
    /// When the mean of one more slice of this window reaches a level.
    /// `confidence` is that of the interval, 0 to 1. `None` without a climb.
    ///
    /// The interval is Fieller's for a ratio, as in inverse regression: all
    /// times at which the level lies in the line's prediction band (Fieller,
    /// "Some problems in interval estimation", J. R. Statist. Soc. B 16,
    /// 1954; Draper and Smith, "Applied Regression Analysis", 3rd ed., §3.2).
    /// The errors of the line's mean and slope are widened as the slope's is.
    pub fn crossing(&self, level: f64, confidence: f64) -> Option<Crossing> {
        let count = self.slices as f64;
        let slope = self.slope * self.length;
        if slope <= 0.0 {
            return None;
        }
        // From the window's middle, in slices: the band is where
        // (slope x + off)² = t² (spread + se² x²).
        let off = self.mean - level;
        let (spread, se) = (self.spread(), self.se * self.length);
        let t = t_quantile((1.0 + confidence.clamp(0.0, 1.0)) / 2.0, self.df);
        let a = slope * slope - t * t * se * se;
        let b = slope * off;
        let c = off * off - t * t * spread;
        let root = (b * b - a * c).sqrt();
        let from =
            if root.is_nan() { f64::NEG_INFINITY } else { c / (root - b) };
        let until = (a > 0.0).then(|| (root - b) / a);
        let seconds = |x: f64| (x - count / 2.0) * self.length;
        Some(Crossing {
            at: seconds(-off / slope),
            from: seconds(from),
            until: until.map(seconds),
        })
    }

    /// The variance around the line's middle of one more slice: its own, and
    /// that of the mean.
    fn spread(&self) -> f64 {
        let count = self.slices as f64;
        let widened = widening(self.rho);
        let se = self.se * self.length;
        let sxx = count * (count * count - 1.0) / 12.0;
        se * se / widened * sxx * (1.0 + widened / count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOISY: [f64; 12] =
        [4.1, 4.9, 6.2, 6.4, 8.3, 8.1, 9.9, 11.2, 11.0, 12.9, 13.1, 14.8];
    /// Hardly a climb among its noise.
    const FLAT: [f64; 12] =
        [5.0, 7.5, 4.0, 6.5, 8.0, 4.5, 5.5, 8.5, 6.0, 4.5, 8.0, 7.0];
    /// Its neighbours lie on the same side of the line.
    const WAVY: [f64; 12] =
        [4.0, 5.6, 7.1, 8.2, 8.9, 9.3, 9.9, 10.8, 12.1, 13.7, 15.2, 16.3];

    /// When these slices of 300 s reach a level.
    fn crossing(slices: &[f64], level: f64) -> Crossing {
        let test = SlopeTest::of(slices, slices, 300.0, 0.5);
        let test = test.expect("a line");
        test.crossing(level, 0.95).expect("it climbs")
    }

    #[track_caller]
    fn near(found: f64, expected: f64) {
        let error = (found - expected) / expected;
        assert!(error.abs() < 1e-8, "{found}, expected {expected}");
    }

    // Expected: where the edges of statsmodels 0.15.0's
    // `OLS(…).fit().get_prediction(x).conf_int(obs=True)` meet the level, by
    // scipy 1.17.1's `brentq`.
    #[test]
    fn the_interval_is_where_statsmodels_prediction_band_holds_the_level() {
        for (level, at, from, until) in [
            (100.0, 26839.44464876793, 24467.059873353373, 29673.50804731716),
            (16.0, 332.640676719382, -36.60695641601812, 736.2672799550687),
        ] {
            let found = crossing(&NOISY, level);
            near(found.at, at);
            near(found.from, from);
            near(found.until.expect("an end"), until);
        }
        for (level, at, from) in [
            (100.0, 266325.0000000003, 68344.14286218298),
            (20.0, 37525.00000000004, 7990.8419402689315),
        ] {
            let found = crossing(&FLAT, level);
            near(found.at, at);
            near(found.from, from);
            assert_eq!(found.until, None);
        }
    }

    // Expected: the same band in numpy 2.4.6, the errors of mean and slope
    // widened by sqrt(1.5 / 0.5).
    #[test]
    fn correlated_residuals_widen_it() {
        let found = crossing(&WAVY, 50.0);
        near(found.at, 9858.614232209738);
        near(found.from, 8038.010300939537);
        near(found.until.expect("an end"), 12461.205965505513);
    }

    #[test]
    fn it_ends_exactly_where_the_slope_is_sure_to_climb() {
        for tilt in -20..60 {
            let tilted = |(k, y): (usize, &f64)| {
                y + 0.01 * (k as f64) * f64::from(tilt)
            };
            let slices: Vec<f64> =
                FLAT.iter().enumerate().map(tilted).collect();
            let test = SlopeTest::of(&slices, &slices, 300.0, 0.5);
            let test = test.expect("a line");
            let Some(found) = test.crossing(100.0, 0.95) else {
                assert!(test.slope <= 0.0);
                continue;
            };
            let sure = test.interval(0.95).0 > 0.0;
            assert_eq!(found.until.is_some(), sure, "{tilt}");
            assert!(found.from < found.at);
            assert!(found.until.is_none_or(|until| until > found.at));
        }
    }

    #[test]
    fn what_does_not_climb_reaches_nothing_and_a_level_long_passed_was_there()
    {
        let falling: Vec<f64> = NOISY.iter().rev().copied().collect();
        for slices in [&falling[..], &[3.0; 12]] {
            let test = SlopeTest::of(slices, slices, 300.0, 0.5);
            let test = test.expect("a line");
            assert_eq!(test.crossing(100.0, 0.95), None);
        }
        let passed = crossing(&NOISY, 9.0);
        assert!(passed.at < 0.0 && passed.from < passed.at);
        // Its noise is as high as that in the middle of the window.
        assert!(crossing(&FLAT, 7.0).from.is_infinite());
    }
}

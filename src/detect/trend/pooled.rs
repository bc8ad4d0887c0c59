//! One slope of several short windows, each with a level of its own.

use super::{LEAST_SE, NO_VARIANCE, mean};
use crate::stats::upper_tail;

/// The common slope of several windows, and its test.
///
/// Restarts cut a log into segments that may each be too short for a test.
/// What climbs in all of them climbs: one slope is fitted to all windows,
/// each with its own intercept (the "within" estimator of panel data, an
/// analysis of covariance; Wooldridge, "Econometric Analysis of Cross
/// Section and Panel Data", §10.5), and the residuals are put together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pooled {
    /// Streams gained a second.
    pub slope: f64,
    /// Its standard error, widened for the correlation `rho`.
    pub se: f64,
    /// `slope / se`.
    pub t: f64,
    /// How likely so high a `t` is without any climb (one-sided).
    pub p: f64,
    /// Degrees of freedom: slices, less one for each window and one.
    pub df: f64,
    /// The correlation of neighbouring residuals as they are.
    pub r1: f64,
    /// The correlation that `se` allows for.
    pub rho: f64,
    /// Streams gained over all windows together.
    pub rise: f64,
    /// The line's value where windows begin, on average; not below 0.
    pub level: f64,
    /// How many windows there are.
    pub windows: usize,
    /// How many slices they have together.
    pub slices: usize,
    /// How long a slice is on average, in seconds.
    pub length: f64,
}

/// A window's equal slices.
#[derive(Clone, Debug, PartialEq)]
pub struct Slices {
    /// The mean of each, in streams.
    pub means: Vec<f64>,
    /// How long each is, in seconds.
    pub length: f64,
}

impl Slices {
    /// Seconds from the window's middle to the middle of a slice.
    fn place(&self, at: usize) -> f64 {
        (at as f64 - (self.means.len() as f64 - 1.0) / 2.0) * self.length
    }

    /// Places and distances from the window's mean.
    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let mean = mean(&self.means);
        let point =
            move |(at, value): (usize, &f64)| (self.place(at), value - mean);
        self.means.iter().enumerate().map(point)
    }

    fn secs(&self) -> f64 {
        self.length * self.means.len() as f64
    }
}

impl Pooled {
    /// Fits and tests the windows' common slope. `rho_cap` as in
    /// [`super::SlopeTest::of`]. `None` with fewer than two windows, or
    /// fewer than two degrees of freedom.
    pub fn of(windows: &[Slices], rho_cap: f64) -> Option<Pooled> {
        let slices: usize = windows.iter().map(|w| w.means.len()).sum();
        let df = slices as f64 - windows.len() as f64 - 1.0;
        let points = || windows.iter().flat_map(Slices::points);
        let sxx: f64 = points().map(|(x, _)| x * x).sum();
        if windows.len() < 2 || df < 2.0 || sxx <= 0.0 {
            return None;
        }
        let slope = points().map(|(x, z)| x * z).sum::<f64>() / sxx;
        let rss: f64 = points().map(|(x, z)| (z - slope * x).powi(2)).sum();
        let each = slices as f64 / windows.len() as f64;
        // As for one window: a fit makes residuals look less alike.
        let r1 = correlation(windows, slope, rss);
        let rho = (r1 + 2.0 / each).max(0.0).min(rho_cap);
        let floor = LEAST_SE / windows[0].length;
        let plain = (rss / df / sxx).sqrt().max(floor);
        let se = plain * ((1.0 + rho) / (1.0 - rho)).sqrt();
        let secs: f64 = windows.iter().map(Slices::secs).sum();
        let level =
            |w: &Slices| (mean(&w.means) + slope * w.place(0)).max(0.0);
        let levels: Vec<f64> = windows.iter().map(level).collect();
        Some(Pooled {
            slope,
            se,
            t: slope / se,
            p: upper_tail(slope / se, df),
            df,
            r1,
            rho,
            rise: slope * secs,
            level: mean(&levels),
            windows: windows.len(),
            slices,
            length: secs / slices as f64,
        })
    }
}

/// The correlation of each residual with the one before it in its window.
fn correlation(windows: &[Slices], slope: f64, rss: f64) -> f64 {
    let lagged = |window: &Slices| -> f64 {
        let residuals: Vec<f64> =
            window.points().map(|(x, z)| z - slope * x).collect();
        residuals.windows(2).map(|two| two[0] * two[1]).sum()
    };
    let sum: f64 = windows.iter().map(lagged).sum();
    if rss > NO_VARIANCE { sum / rss } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(means: &[f64], length: f64) -> Slices {
        Slices { means: means.to_vec(), length }
    }

    const SLOPE: f64 = 0.016068627450978947;
    const SE: f64 = 0.0005154742023194818;
    const P: f64 = 2.1963710336654993e-12;

    // Expected: statsmodels 0.15.0, OLS of z on x and one dummy a window;
    // `params[0]`, `bse[0]`, `df_resid`; p by scipy 1.17.1.
    #[test]
    fn the_slope_is_that_of_a_regression_with_a_dummy_a_window() {
        let windows = [
            window(&[0.1, 1.3, 1.9, 3.2, 3.9], 60.0),
            window(&[1.0, 1.9, 2.8, 4.4], 60.0),
            window(&[0.4, 2.1, 4.0, 5.5, 8.4, 9.7], 120.0),
        ];
        let found = Pooled::of(&windows, 0.0).unwrap();
        let close = |got: f64, expected: f64| {
            let error = got / expected - 1.0;
            assert!(error.abs() < 1e-9, "{got} for {expected}");
        };
        close(found.slope, SLOPE);
        close(found.se, SE);
        close(found.p, P);
        assert_eq!((found.df, found.slices, found.windows), (11.0, 15, 3));
        close(found.rise, SLOPE * (300.0 + 240.0 + 720.0));
    }

    #[test]
    fn what_saws_up_and_down_climbs_in_every_tooth() {
        let tooth = window(&[0.0, 1.0, 2.0, 3.0, 4.0], 60.0);
        let found = Pooled::of(&vec![tooth; 9], 0.5).unwrap();
        assert!((found.rise - 45.0).abs() < 1e-9);
        assert!(found.level.abs() < 1e-9);
        assert!(found.p < 1e-9);
        let level = window(&[2.0, 3.0, 2.0, 3.0, 2.0], 60.0);
        let found = Pooled::of(&vec![level; 9], 0.5).unwrap();
        assert!((found.p - 0.5).abs() < 1e-9);
    }

    #[test]
    fn one_window_is_not_pooled() {
        assert_eq!(Pooled::of(&[window(&[0.0, 1.0, 2.0], 60.0)], 0.5), None);
        let short = window(&[0.0, 1.0], 60.0);
        assert_eq!(Pooled::of(&[short.clone(), short], 0.5), None);
    }
}

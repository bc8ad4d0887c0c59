//! The slope of a series and whether it is a climb.
//!
//! A window is cut into a dozen equal slices, and a line is fitted to their
//! exact means. Slices, because neighbouring one-minute bins see the same
//! streams and a regression over them is far too sure of itself; what
//! correlation is left between slices widens the slope's error. The null
//! hypothesis is "not climbing", the test one-sided.

mod crossing;

use serde::Serialize;

use crate::stats::{t_quantile, upper_tail};
pub use crossing::Crossing;

/// The confidence of the intervals that are shown.
pub const CONFIDENCE: f64 = 0.95;

/// The slope of a window and its test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SlopeTest {
    /// Streams gained a second.
    pub slope: f64,
    /// Its standard error, widened for the correlation `rho`.
    pub se: f64,
    /// `slope / se`.
    pub t: f64,
    /// How likely so high a `t` is without any climb (one-sided).
    pub p: f64,
    /// Degrees of freedom of `t`: slices less two.
    pub df: f64,
    /// Streams gained over the whole window, along the line.
    pub rise: f64,
    /// The line's value in the first slice, in streams; not below 0.
    pub level: f64,
    /// The mean over the whole window, in streams.
    pub mean: f64,
    /// How many slices the window was cut into.
    pub slices: usize,
    /// How long one of them is, in seconds.
    pub length: f64,
    /// How many bins the window holds.
    pub bins: usize,
    /// The correlation of neighbouring residuals as they are.
    pub r1: f64,
    /// The correlation that `se` allows for: `r1` and what a fit takes off
    /// it, not below 0 and not above the cap.
    pub rho: f64,
    /// The share of the bins between a quarter and three quarters of the way
    /// up, 0 to 1: about half in a steady climb, none in a step.
    pub occupancy: f64,
    /// The share of the rise that falls between the middle and the last
    /// third: about half in a steady climb, 0 when it has levelled off.
    pub still: f64,
    /// The best single jump.
    pub step: StepFit,
}

/// The single jump that fits the slices of a window best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct StepFit {
    /// The share of the variance it explains, 0 to 1.
    pub r2: f64,
    /// How many slices lie before it; 0 when there is no jump to be seen.
    pub at: usize,
    /// Streams gained in it.
    pub jump: f64,
    /// The mean before it, in streams.
    pub base: f64,
}

/// The least standard error, in streams a slice, where a line fits exactly.
pub(crate) const LEAST_SE: f64 = 1e-9;

/// Sums of squares below this are rounding.
const NO_VARIANCE: f64 = 1e-12;

impl SlopeTest {
    /// Tests the means of a window's equal `slices`, each `length` seconds
    /// long. `bins` are the window's finer means, for the occupancy only.
    /// `rho_cap` bounds the correlation allowed for (0 allows for none).
    ///
    /// `None` with fewer than three slices.
    pub fn of(
        slices: &[f64],
        bins: &[f64],
        length: f64,
        rho_cap: f64,
    ) -> Option<SlopeTest> {
        let fit = Fit::of(slices)?;
        let count = slices.len() as f64;
        let df = count - 2.0;
        let plain = (fit.rss / df / fit.sxx).sqrt();
        let rho = allowed(fit.r1, count, rho_cap);
        let se = plain.max(LEAST_SE) * widening(rho).sqrt();
        let t = fit.slope / se;
        Some(SlopeTest {
            slope: fit.slope / length,
            se: se / length,
            t,
            p: upper_tail(t, df),
            df,
            rise: fit.slope * count,
            level: (fit.mean - fit.slope * (count - 1.0) / 2.0).max(0.0),
            mean: fit.mean,
            slices: slices.len(),
            length,
            bins: bins.len(),
            r1: fit.r1,
            rho,
            occupancy: occupancy(slices, bins),
            still: still(slices),
            step: StepFit::of(slices, fit.mean),
        })
    }

    /// The slope's two-sided interval of this confidence (0 to 1, commonly
    /// 0.95), streams a second: b ± t·se.
    pub fn interval(&self, confidence: f64) -> (f64, f64) {
        let tail = (1.0 + confidence.clamp(0.0, 1.0)) / 2.0;
        let reach = t_quantile(tail, self.df) * self.se;
        (self.slope - reach, self.slope + reach)
    }
}

/// A number compared with a baseline's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Against {
    /// How many standard errors it is higher.
    pub t: f64,
    /// Degrees of freedom, after Welch and Satterthwaite.
    pub df: f64,
    /// How likely so high a `t` is if it is not higher (one-sided).
    pub p: f64,
}

/// Tests whether one estimate is higher than another; each is a value, its
/// standard error and the degrees of freedom of that (Welch, "The
/// generalization of 'Student's' problem when several different population
/// variances are involved", Biometrika 34, 1947).
pub fn welch(one: [f64; 3], other: [f64; 3]) -> Against {
    let ([value, se, df], [base, base_se, base_df]) = (one, other);
    let (own, its) = (se * se, base_se * base_se);
    let t = (value - base) / (own + its).sqrt().max(LEAST_SE / 60.0);
    let df = if its > 0.0 {
        (own + its).powi(2) / (own * own / df + its * its / base_df)
    } else {
        df
    };
    Against { t, df, p: upper_tail(t, df) }
}

/// The correlation to allow for where that of each of `count` residuals with
/// the one before it is `r1`. What was fitted makes residuals look less alike
/// than they are; 2/K makes up for it.
pub(crate) fn allowed(r1: f64, count: f64, cap: f64) -> f64 {
    (r1 + 2.0 / count).max(0.0).min(cap)
}

/// How many times as large the variance of a mean or a slope is when
/// neighbours are so correlated.
pub(crate) fn widening(rho: f64) -> f64 {
    (1.0 + rho) / (1.0 - rho)
}

/// The correlation of each residual with the one before it.
pub(crate) fn lag_one(residuals: &[f64]) -> f64 {
    let rss: f64 = residuals.iter().map(|u| u * u).sum();
    let lagged: f64 = residuals.windows(2).map(|u| u[1] * u[0]).sum();
    if rss > NO_VARIANCE { lagged / rss } else { 0.0 }
}

/// A line through equally spaced values, spaced by 1.
struct Fit {
    slope: f64,
    mean: f64,
    rss: f64,
    sxx: f64,
    /// Correlation of each residual with the one before it.
    r1: f64,
}

impl Fit {
    fn of(values: &[f64]) -> Option<Fit> {
        let count = values.len() as f64;
        if values.len() < 3 {
            return None;
        }
        let mean = mean(values);
        let from_middle = |at: usize| at as f64 - (count - 1.0) / 2.0;
        let sxx = count * (count * count - 1.0) / 12.0;
        let sxy: f64 = (0..)
            .zip(values)
            .map(|(at, value)| from_middle(at) * (value - mean))
            .sum();
        let slope = sxy / sxx;
        let residuals: Vec<f64> = (0..)
            .zip(values)
            .map(|(at, value)| value - mean - slope * from_middle(at))
            .collect();
        let rss: f64 = residuals.iter().map(|u| u * u).sum();
        Some(Fit { slope, mean, rss, sxx, r1: lag_one(&residuals) })
    }
}

impl StepFit {
    /// The best jump with at least two slices on each side.
    fn of(slices: &[f64], mean_of_all: f64) -> StepFit {
        let count = slices.len();
        let total: f64 =
            slices.iter().map(|z| (z - mean_of_all).powi(2)).sum();
        let mut best = StepFit::default();
        if total <= NO_VARIANCE {
            return best;
        }
        for at in 2..count.saturating_sub(1) {
            let (before, after) = slices.split_at(at);
            let base = mean(before);
            let jump = mean(after) - base;
            let weight = (at * (count - at)) as f64 / count as f64;
            let r2 = jump * jump * weight / total;
            if r2 > best.r2 {
                best = StepFit { r2, at, jump, base };
            }
        }
        best
    }
}

/// See [`SlopeTest::occupancy`]: the way up leads from the mean of the first
/// sixth of the slices to that of the last.
fn occupancy(slices: &[f64], bins: &[f64]) -> f64 {
    let sixth = (slices.len() / 6).max(1);
    let low = mean(&slices[..sixth]);
    let climb = mean(&slices[slices.len() - sixth..]) - low;
    if climb <= 0.0 || bins.is_empty() {
        return 0.0;
    }
    let (from, until) = (low + 0.25 * climb, low + 0.75 * climb);
    let between = bins.iter().filter(|&&y| y > from && y < until).count();
    between as f64 / bins.len() as f64
}

/// See [`SlopeTest::still`].
fn still(slices: &[f64]) -> f64 {
    let third = slices.len() / 3;
    let (first, rest) = slices.split_at(third);
    let (middle, last) = rest.split_at(rest.len() - third);
    let climb = mean(last) - mean(first);
    if climb > 1e-9 { (mean(last) - mean(middle)) / climb } else { 0.0 }
}

pub(crate) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

//! Ordinary least squares for a straight line.

use crate::stats::upper_tail;

/// A straight line fitted to points by ordinary least squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Rise of y for each unit of x.
    pub slope: f64,
    /// The line's y at x = 0.
    pub intercept: f64,
    /// Standard error of the slope.
    pub se_slope: f64,
    /// Standard error of the intercept.
    pub se_intercept: f64,
    /// Standard deviation of the residuals, with `df` in the denominator.
    pub residual_sd: f64,
    /// The share of y's variance that the line explains; NaN when y has
    /// none.
    pub r2: f64,
    /// Degrees of freedom: points less two.
    pub df: f64,
    /// `slope / se_slope`; infinite for an exact line that is not level.
    pub t: f64,
}

impl Line {
    /// Fits the points, pairing `x` and `y` as far as both go. `None` with
    /// fewer than three points or when all x are equal.
    ///
    /// Sums are taken around the means, which are found in two passes and
    /// kept as offsets from the first point, so that a large offset costs no
    /// digits (Higham, "Accuracy and Stability of Numerical Algorithms",
    /// §1.9).
    pub fn fit(x: &[f64], y: &[f64]) -> Option<Line> {
        let count = x.len().min(y.len());
        let (x_mid, y_mid) =
            (Middle::of(x.get(..count)?)?, Middle::of(y.get(..count)?)?);
        let points =
            || x.iter().zip(y).map(|(&x, &y)| (x_mid.to(x), y_mid.to(y)));
        let sxx: f64 = points().map(|(x, _)| x * x).sum();
        if count < 3 || sxx <= 0.0 {
            return None;
        }
        let slope = points().map(|(x, y)| x * y).sum::<f64>() / sxx;
        let rss: f64 = points().map(|(x, y)| (y - slope * x).powi(2)).sum();
        let syy: f64 = points().map(|(_, y)| y * y).sum();
        let df = count as f64 - 2.0;
        let residual_sd = (rss / df).sqrt();
        let se_slope = residual_sd / sxx.sqrt();
        let x_mean = x_mid.mean();
        let reach = 1.0 / count as f64 + x_mean * x_mean / sxx;
        Some(Line {
            slope,
            intercept: y_mid.mean() - slope * x_mean,
            se_slope,
            se_intercept: residual_sd * reach.sqrt(),
            residual_sd,
            r2: 1.0 - rss / syy,
            df,
            t: if slope == 0.0 { 0.0 } else { slope / se_slope },
        })
    }

    /// How likely so steep a climb is without one (one-sided).
    pub fn p_climb(&self) -> f64 {
        upper_tail(self.t, self.df)
    }

    /// How likely so steep a slope, up or down, is without one.
    pub fn p_two_sided(&self) -> f64 {
        2.0 * upper_tail(self.t.abs(), self.df)
    }
}

/// The mean of some values, as the first of them and what it lacks.
#[derive(Clone, Copy)]
struct Middle {
    first: f64,
    rest: f64,
}

impl Middle {
    fn of(values: &[f64]) -> Option<Middle> {
        let &first = values.first()?;
        let count = values.len() as f64;
        let mean = |zero: f64| {
            let offsets = values.iter().map(|value| value - first - zero);
            offsets.sum::<f64>() / count
        };
        let rough = mean(0.0);
        Some(Middle { first, rest: rough + mean(rough) })
    }

    fn mean(self) -> f64 {
        self.first + self.rest
    }

    /// From the mean to this value.
    fn to(self, value: f64) -> f64 {
        value - self.first - self.rest
    }
}

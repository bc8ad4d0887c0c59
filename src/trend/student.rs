//! Student's t distribution.

use statrs::distribution::{ContinuousCDF, StudentsT};
use statrs::function::beta::checked_beta_reg;

/// P(T > t) for Student's t with `df` degrees of freedom (above 0, need not
/// be whole), accurate far into the tail; 1 when `t` or `df` is no number.
///
/// It is half the regularised incomplete beta function I(df/2, 1/2) at
/// df/(df+t²) (Abramowitz and Stegun 26.7.1).
pub fn upper_tail(t: f64, df: f64) -> f64 {
    let square = t * t;
    let outside = if square < 1.0 {
        // Close to the middle df/(df+t²) is 1 but for its last digits: the
        // complement keeps them.
        let inside = checked_beta_reg(0.5, df / 2.0, square / (df + square));
        inside.map(|inside| 1.0 - inside)
    } else {
        checked_beta_reg(df / 2.0, 0.5, df / (df + square))
    };
    match outside {
        Ok(outside) if t > 0.0 => outside / 2.0,
        Ok(outside) => 1.0 - outside / 2.0,
        Err(_) => 1.0,
    }
}

/// The t that T stays below with probability `p` (0 to 1): the inverse of
/// 1 - [`upper_tail`]. Infinite at 0 and 1.
pub fn quantile(p: f64, df: f64) -> f64 {
    if p >= 1.0 || p <= 0.0 {
        return f64::INFINITY.copysign(p - 0.5);
    }
    StudentsT::new(0.0, 1.0, df).map_or(f64::NAN, |t| t.inverse_cdf(p))
}

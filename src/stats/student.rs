//! Student's t distribution.

use statrs::distribution::{Continuous, ContinuousCDF, StudentsT};
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
pub fn t_quantile(p: f64, df: f64) -> f64 {
    if p >= 1.0 || p <= 0.0 {
        return f64::INFINITY.copysign(p - 0.5);
    }
    let Ok(student) = StudentsT::new(0.0, 1.0, df) else { return f64::NAN };
    let rough = student.inverse_cdf(p);
    // The library's inverse is off by 1e-8 here and there; one step of
    // Newton's brings it to the last digits.
    let step = (upper_tail(rough, df) - (1.0 - p)) / student.pdf(rough);
    if step.is_finite() { rough + step } else { rough }
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected: scipy 1.17.1, `stats.t.sf(t, df)`.
    #[test]
    fn tails_keep_their_digits_near_the_middle_and_far_out() {
        for (t, df, expected) in [
            (1e-7, 10.0, 0.4999999610891616),
            (0.9999, 10.0, 0.17046960350176976),
            (1.0001, 10.0, 0.17042353110391004),
            (1e-9, 3.0, 0.4999999996324474),
            (0.999, 10078.0, 0.1589093382311392),
            (30.0, 1e5, 3.68926843611138e-197),
            (1e10, 10.0, 1.2304687500000003e-96),
        ] {
            let error = upper_tail(t, df) / expected - 1.0;
            assert!(error.abs() < 1e-9, "t {t}, df {df}: off by {error:e}");
        }
    }

    #[test]
    fn endless_and_missing_numbers_have_a_tail_too() {
        let ends = |t| upper_tail(t, 10.0);
        let high = [f64::INFINITY, 1e200].map(ends);
        assert!(high.iter().all(|&p| p <= 0.0), "{high:?}");
        let low = [f64::NEG_INFINITY, f64::NAN].map(ends);
        assert!(low.iter().all(|&p| p >= 1.0), "{low:?}");
        let no_df = [0.0, f64::NAN].map(|df| upper_tail(2.0, df));
        assert!(no_df.iter().all(|&p| p >= 1.0), "{no_df:?}");
    }

    // Expected: scipy 1.17.1, `stats.t.ppf(p, df)`.
    #[test]
    fn quantiles_are_scipys() {
        for (df, p, expected) in [
            (1.0, 0.975, 12.706204736174694),
            (4.0, 0.975, 2.7764451051977934),
            (10.0, 0.975, 2.228138851986274),
            (10.0, 0.025, -2.2281388519862753),
            (13.99, 0.995, 2.9771686758248563),
            (118.0, 0.6, 0.25391906835999895),
            (10078.0, 0.9, 1.2816355744170835),
            (10078.0, 0.9999, 3.720385189682553),
        ] {
            let found = t_quantile(p, df);
            let error = (found - expected) / expected;
            assert!(error.abs() < 1e-9, "p {p}, df {df}: {found}");
        }
        assert!(t_quantile(1.0, 4.0).is_infinite());
        assert!(t_quantile(0.9, f64::NAN).is_nan());
    }
}

//! Tails of the Poisson and the binomial distribution, accurate far out.

use statrs::function::beta::checked_beta_reg;
use statrs::function::gamma::{checked_gamma_ur, ln_gamma};

/// The logarithm of the gamma function, for arguments above 0.
pub fn log_gamma(x: f64) -> f64 {
    ln_gamma(x)
}

/// P(N <= count) for a Poisson N of this mean; 1 for a mean that is not above
/// 0. By the regularised upper incomplete gamma function Q(count + 1, mean)
/// (Abramowitz and Stegun 26.4.21).
pub fn poisson_at_most(count: u64, mean: f64) -> f64 {
    if mean.is_nan() || mean <= 0.0 {
        return 1.0;
    }
    checked_gamma_ur(count as f64 + 1.0, mean).unwrap_or(1.0)
}

/// P(K >= least) for a binomial K of so many trials with chance `chance`. By
/// the regularised incomplete beta function (Abramowitz and Stegun 26.5.24).
pub fn binomial_at_least(least: u64, trials: u64, chance: f64) -> f64 {
    if least == 0 {
        return 1.0;
    }
    if least > trials {
        return 0.0;
    }
    let (a, b) = (least as f64, (trials - least) as f64 + 1.0);
    checked_beta_reg(a, b, chance).unwrap_or(1.0)
}

/// P(K <= most) for a binomial K of so many trials with chance `chance`.
pub fn binomial_at_most(most: u64, trials: u64, chance: f64) -> f64 {
    binomial_at_least(trials.saturating_sub(most), trials, 1.0 - chance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: f64, expected: f64) {
        let error = found / expected - 1.0;
        assert!(error.abs() < 1e-11, "{found:e}, not {expected:e}");
    }

    // Expected: scipy 1.17.1, `stats.poisson.cdf(k, mu)`.
    #[test]
    fn poisson_tails_are_scipys() {
        for (count, mean, expected) in [
            (0, 2.5, 0.0820849986238988),
            (3, 12.0, 0.002291791207791423),
            (10, 4.0, 0.9971602338794863),
            (24, 100.0, 7.857610724654791e-20),
            (5, 400.0, 1.6549123561334402e-163),
            (2748, 4606.604855563763, 4.429110052446479e-193),
            (100, 100.0, 0.5265621985299985),
        ] {
            near(poisson_at_most(count, mean), expected);
        }
        near(poisson_at_most(0, 0.0), 1.0);
        near(poisson_at_most(3, f64::NAN), 1.0);
    }

    // Expected: scipy 1.17.1, `stats.binom.sf(k - 1, n, p)`.
    #[test]
    fn binomial_upper_tails_are_scipys() {
        for (least, trials, chance, expected) in [
            (5, 10, 0.09, 0.0010096021344364547),
            (10, 10, 0.09, 3.486784400999999e-11),
            (30, 60, 0.09, 3.271610341192924e-16),
            (1, 8, 0.5, 0.99609375),
            (200, 400, 0.09, 5.180319320192673e-99),
        ] {
            near(binomial_at_least(least, trials, chance), expected);
        }
        near(binomial_at_least(0, 8, 0.5), 1.0);
        assert!(binomial_at_least(9, 8, 0.5) <= 0.0);
    }

    // Expected: the sum of C(359, k) 0.09^k 0.91^(359-k) over k >= 321 in
    // whole numbers; scipy's survival function gives 0 there.
    #[test]
    fn a_tail_beyond_scipys_reach_keeps_its_digits() {
        let exact = 1.614_810_291_761_263e-285 / 9.0;
        near(binomial_at_least(321, 359, 0.09), exact);
    }

    // Expected: scipy 1.17.1, `stats.binom.cdf(k, n, p)`.
    #[test]
    fn binomial_lower_tails_are_scipys() {
        for (most, trials, expected) in [
            (0, 5, 0.03125),
            (3, 20, 0.0012884140014648438),
            (7, 7, 1.0),
            (40, 200, 1.6920079887576423e-18),
        ] {
            near(binomial_at_most(most, trials, 0.5), expected);
        }
    }
}

//! Quantiles of finite samples.

/// The `q` quantile (0 to 1) of `count` values, of which `nth` gives the
/// k-th smallest, counted from 0. `None` when there are no values.
///
/// Linear between neighbours: type 7 of Hyndman and Fan, "Sample Quantiles
/// in Statistical Packages" (1996), what R and numpy do unless told
/// otherwise.
pub fn quantile(
    count: usize,
    q: f64,
    mut nth: impl FnMut(usize) -> f64,
) -> Option<f64> {
    let last = count.checked_sub(1)?;
    let at = q.clamp(0.0, 1.0) * last as f64;
    let below = (at.floor() as usize).min(last);
    let low = nth(below);
    let high = nth((below + 1).min(last));
    let part = at - at.floor();
    // Counting from the nearer neighbour keeps the error below one unit.
    Some(if part < 0.5 {
        low + (high - low) * part
    } else {
        high - (high - low) * (1.0 - part)
    })
}

/// The median of values in any order; `None` when there are none.
pub fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    quantile(values.len(), 0.5, |nth| values[nth])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64], q: f64) -> Option<f64> {
        quantile(values.len(), q, |k| values[k])
    }

    // Expected: numpy.quantile of the same lists.
    #[test]
    fn quantiles_are_linear_between_neighbours() {
        let values = [1.0, 2.0, 4.0, 8.0, 16.0];
        let near = |q, expected: f64| {
            let found = of(&values, q).unwrap();
            assert!((found - expected).abs() < 1e-12, "{q}: {found}");
        };
        near(0.0, 1.0);
        near(0.1, 1.4);
        near(0.5, 4.0);
        near(0.9, 12.8);
        near(0.95, 14.4);
        near(1.0, 16.0);
    }

    #[test]
    fn one_value_is_every_quantile_and_none_has_none() {
        assert_eq!(of(&[7.0], 0.95), Some(7.0));
        assert_eq!(of(&[], 0.5), None);
    }
}

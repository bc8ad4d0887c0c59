//! Numbers with six digits: enough to redo a sum by hand, few enough to
//! read.

/// The number in six significant digits, without zeros at its end: `34.016`,
/// `1.5e-26`.
pub(super) fn digits(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        // Adding zero turns -0.0 into 0.0.
        return (number + 0.0).to_string();
    }
    let rounded = format!("{number:.5e}");
    let (mantissa, exponent) = rounded.split_once('e').unwrap_or_default();
    match exponent.parse::<i32>() {
        Ok(power @ -4..=8) => {
            let decimals = (5 - power).max(0) as usize;
            trimmed(&format!("{number:.decimals$}")).to_owned()
        }
        _ => format!("{}e{exponent}", trimmed(mantissa)),
    }
}

fn trimmed(text: &str) -> &str {
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.'),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_digits_are_kept_and_no_zero_that_says_nothing() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (3.0, "3"),
            (34.016_62, "34.0166"),
            (-0.5, "-0.5"),
            (0.000_123_456_7, "0.000123457"),
            (0.000_012_345, "1.2345e-5"),
            (999_999.7, "1000000"),
            (123_456_789.0, "123456789"),
            (1.5e-26, "1.5e-26"),
            (1e12, "1e12"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(digits(number), text);
        }
    }
}

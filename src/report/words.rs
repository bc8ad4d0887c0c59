//! Numbers and times as people read them, in one style everywhere and always
//! in the C locale: `1 h 32 min`, `12,345`, `93%`, `p = 0.0033`.

use serde::Serialize;
use serde_json::Value;

use crate::time::Micros;

/// A span in the two largest units it needs: `250 ms`, `93.5 s`,
/// `2 min 50 s`, `1 h 32 min`, `3 d 2 h`.
pub fn span(span: Micros) -> String {
    let sign = if span < Micros::ZERO { "-" } else { "" };
    let secs = span.as_secs().abs();
    let whole = |unit: f64| (secs / unit).round() as u64;
    let text = if secs < 0.9995 && secs > 0.0 {
        format!("{} ms", tenths(secs * 1e3))
    } else if secs < 119.95 {
        format!("{} s", tenths(secs))
    } else if whole(1.0) < 3_600 {
        two_units(whole(1.0), 60, "min", "s")
    } else if whole(60.0) < 48 * 60 {
        two_units(whole(60.0), 60, "h", "min")
    } else {
        two_units(whole(3_600.0), 24, "d", "h")
    };
    format!("{sign}{text}")
}

/// `whole` of the smaller unit as so many of the larger and the rest.
fn two_units(whole: u64, size: u64, large: &str, small: &str) -> String {
    match whole % size {
        0 => format!("{} {large}", whole / size),
        rest => format!("{} {large} {rest} {small}", whole / size),
    }
}

/// A number to its tenth, without a `.0` that says nothing.
fn tenths(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// A count, its thousands grouped: `12,345`.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + 6);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with its noun: `1 stream`, `2 streams`.
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}

/// A mean number of streams: `4.3`, `1,204`.
pub fn mean(number: f64) -> String {
    if !number.is_finite() {
        "?".to_owned()
    } else if number.abs() >= 999.95 {
        grouped(number)
    } else {
        // Adding zero turns -0.0 into 0.0.
        format!("{:.1}", (number * 10.0).round() / 10.0 + 0.0)
    }
}

/// An amount of money: `1,204.50`, `0.0031`; what it is counted in, nobody
/// said.
pub fn money(amount: f64) -> String {
    match amount {
        _ if !amount.is_finite() => "?".to_owned(),
        ..=0.0 => "0".to_owned(),
        ..0.01 => {
            let digits = (1.0 - amount.log10().floor()).min(12.0);
            format!("{amount:.0$}", digits as usize)
        }
        ..1e12 => {
            let cents = (amount * 100.0).round() as u64;
            format!("{}.{:02}", count(cents / 100), cents % 100)
        }
        _ => format!("{amount:e}"),
    }
}

/// A whole number of either sign, its thousands grouped.
fn grouped(number: f64) -> String {
    let sign = if number < 0.0 { "-" } else { "" };
    format!("{sign}{}", count(number.abs().round() as u64))
}

/// A rate that is not negative, in three digits: `0.98`, `12.4`, `1,235`.
pub fn rate(number: f64) -> String {
    match number {
        ..9.995 => format!("{number:.2}"),
        ..99.95 => format!("{number:.1}"),
        _ => grouped(number),
    }
}

/// A change, always with its sign, in three digits: `+0.98`, `-12.4`.
pub fn change(number: f64) -> String {
    if !number.is_finite() {
        return "?".to_owned();
    }
    let text = rate(number.abs());
    if text == "0.00" {
        return "0".to_owned();
    }
    let sign = if number < 0.0 { '-' } else { '+' };
    format!("{sign}{text}")
}

/// A p-value, never said to be 0: `p = 0.0031`, `p < 0.0001`.
pub fn chance(p: f64) -> String {
    match p {
        _ if !p.is_finite() => "p unknown".to_owned(),
        ..0.0001 => "p < 0.0001".to_owned(),
        _ => format!("p = {}", odds(p)),
    }
}

/// A chance alone: `0.0031`, `0.42`, `1e-9`.
pub fn odds(chance: f64) -> String {
    match chance {
        ..0.0001 => format!("{chance:.0e}"),
        ..0.01 => format!("{chance:.4}").trim_end_matches('0').to_owned(),
        _ => format!("{chance:.2}"),
    }
}

/// A share of 0 to 1 in per cent; only all is `100%`, only none `0%`.
pub fn share(part: f64) -> String {
    let percent = part * 100.0;
    if !part.is_finite() {
        "?%".to_owned()
    } else if percent > 0.0 && percent < 1.0 {
        "< 1%".to_owned()
    } else if percent > 99.0 && percent < 100.0 {
        "> 99%".to_owned()
    } else {
        format!("{percent:.0}%")
    }
}

/// So many of so many, in per cent; of none it is `0%`.
pub fn percent(part: usize, whole: usize) -> String {
    share(part as f64 / whole.max(1) as f64)
}

/// A size: `812 B`, `1.2 MB`.
pub fn bytes(number: u64) -> String {
    if number < 1_000 {
        return format!("{number} B");
    }
    let (mut size, mut unit) = (number as f64 / 1e3, "kB");
    for next in ["MB", "GB", "TB", "PB"] {
        if size < 999.5 {
            break;
        }
        (size, unit) = (size / 1e3, next);
    }
    let decimals = usize::from(size < 9.95);
    format!("{size:.decimals$} {unit}")
}

/// An instant to the second, as RFC 3339: `2026-11-29T13:44:23Z`.
pub fn instant(at: Micros) -> String {
    at.format("%Y-%m-%dT%H:%M:%SZ")
}

/// The date of an instant: `2026-11-29`.
pub fn date(at: Micros) -> String {
    at.format("%Y-%m-%d")
}

/// The day of an instant: `Nov 29`.
pub fn day(at: Micros) -> String {
    at.format("%b %d")
}

/// Whether times are shown with their day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Days {
    /// All times are of one day, named once.
    One,
    /// Each time says its day.
    Many,
}

impl Days {
    /// What the stretch between two instants asks for.
    pub fn between(start: Micros, end: Micros) -> Days {
        if date(start) == date(end) { Days::One } else { Days::Many }
    }

    /// A time of day, `13:44:23`, with `Nov 29` before it where needed.
    pub fn time(self, at: Micros) -> String {
        match self {
            Days::One => at.format("%H:%M:%S"),
            Days::Many => at.format("%b %d %H:%M:%S"),
        }
    }
}

/// The name that a value of an enum without data has in the JSON.
pub fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_keep_the_two_units_that_matter() {
        let cases = [
            (0.0, "0 s"),
            (0.25, "250 ms"),
            (0.0004, "0.4 ms"),
            (0.9999, "1 s"),
            (59.94, "59.9 s"),
            (60.0, "60 s"),
            (119.94, "119.9 s"),
            (119.96, "2 min"),
            (245.2, "4 min 5 s"),
            (3_599.7, "1 h"),
            (3_840.0, "1 h 4 min"),
            (5_520.0, "1 h 32 min"),
            (86_399.0, "24 h"),
            (266_400.0, "3 d 2 h"),
            (-90.0, "-90 s"),
        ];
        for (secs, text) in cases {
            assert_eq!(span(Micros::from_secs_f64(secs)), text, "{secs}");
        }
    }

    #[test]
    fn counts_are_grouped_by_thousands() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(1_000), "1,000");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(counted(1, "stream"), "1 stream");
        assert_eq!(counted(0, "stream"), "0 streams");
    }

    #[test]
    fn means_and_changes_have_the_digits_that_matter() {
        assert_eq!(mean(4.25), "4.3");
        assert_eq!(mean(-0.01), "0.0");
        assert_eq!(mean(1_203.6), "1,204");
        assert_eq!(mean(f64::INFINITY), "?");
        assert_eq!(change(0.984), "+0.98");
        assert_eq!(change(-12.44), "-12.4");
        assert_eq!(change(1_234.5), "+1,235");
        assert_eq!(change(-0.001), "0");
    }

    #[test]
    fn money_has_cents_and_what_is_less_two_digits() {
        assert_eq!(money(0.0), "0");
        assert_eq!(money(0.0031416), "0.0031");
        assert_eq!(money(0.01), "0.01");
        assert_eq!(money(12.5), "12.50");
        assert_eq!(money(1_234.567), "1,234.57");
        assert_eq!(money(2e300), "2e300");
        assert_eq!(money(f64::INFINITY), "?");
    }

    #[test]
    fn a_share_is_only_all_or_none_when_it_is() {
        assert_eq!(share(0.0), "0%");
        assert_eq!(share(0.001), "< 1%");
        assert_eq!(share(0.942), "94%");
        assert_eq!(share(0.9999), "> 99%");
        assert_eq!(share(1.0), "100%");
    }

    #[test]
    fn chances_never_claim_zero() {
        assert_eq!(chance(0.0), "p < 0.0001");
        assert_eq!(chance(0.00031), "p = 0.0003");
        assert_eq!(chance(0.42), "p = 0.42");
        assert_eq!(chance(f64::NAN), "p unknown");
    }

    #[test]
    fn sizes_are_decimal() {
        assert_eq!(bytes(999), "999 B");
        assert_eq!(bytes(1_230_000), "1.2 MB");
        assert_eq!(bytes(999_900), "1.0 MB");
        assert_eq!(bytes(48_000_000_000), "48 GB");
    }

    #[test]
    fn times_show_their_day_only_when_there_are_several() {
        let at = |text: &[u8]| crate::time::rfc3339(text).unwrap().at;
        let start = at(b"2026-11-29T23:59:01Z");
        let end = at(b"2026-11-30T00:04:00.5Z");
        assert_eq!(Days::between(start, start).time(start), "23:59:01");
        assert_eq!(Days::between(start, end).time(end), "Nov 30 00:04:00");
        assert_eq!(instant(end), "2026-11-30T00:04:00Z");
        // No calendar reaches that far.
        assert_eq!(
            Days::One.time(Micros(i64::MAX)),
            format!("{}us", i64::MAX)
        );
    }
}

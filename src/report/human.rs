//! Numbers and times as people read them, always in the C locale.

use super::fit::GLUE;
use crate::time::{self, Micros};

/// A span: `250 ms`, `59.9 s`, `4m 05s`, `1h 04m`, `3d 02h`.
pub(super) fn span(secs: f64) -> String {
    if !secs.is_finite() {
        return "?".to_owned();
    }
    let sign = if secs < 0.0 { "-" } else { "" };
    let secs = secs.abs();
    let whole = secs.round() as u64;
    let minutes = (secs / 60.0).round() as u64;
    let hours = (secs / 3_600.0).round() as u64;
    let text = if secs < 0.9995 && secs > 0.0 {
        format!("{} ms", trim(format!("{:.1}", secs * 1e3)))
    } else if secs < 119.95 {
        format!("{} s", trim(format!("{secs:.1}")))
    } else if whole < 3_600 {
        format!("{}m {:02}s", whole / 60, whole % 60)
    } else if minutes < 24 * 60 {
        format!("{}h {:02}m", minutes / 60, minutes % 60)
    } else {
        format!("{}d {:02}h", hours / 24, hours % 24)
    };
    glued(&format!("{sign}{text}"))
}

/// A number and its unit, not to be parted.
fn glued(text: &str) -> String {
    text.replace(' ', GLUE.encode_utf8(&mut [0; 2]))
}

/// Without the `.0` that says nothing.
fn trim(number: String) -> String {
    number.strip_suffix(".0").map(str::to_owned).unwrap_or(number)
}

/// A count, its thousands grouped: `12,345`.
pub(super) fn count(number: u64) -> String {
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
pub(super) fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", count(number))
}

/// A mean number of streams: `4.3`, `1,204`.
pub(super) fn mean(number: f64) -> String {
    match number {
        _ if !number.is_finite() => "?".to_owned(),
        _ if number.abs() >= 999.95 => grouped(number),
        // Adding zero turns -0.0 into 0.0.
        _ => format!("{:.1}", (number * 10.0).round() / 10.0 + 0.0),
    }
}

/// An amount of money: `1,204.50`, `0.0031`; what it is counted in, nobody
/// said.
pub(super) fn money(amount: f64) -> String {
    match amount {
        _ if !amount.is_finite() => "?".to_owned(),
        _ if amount <= 0.0 => "0".to_owned(),
        _ if amount < 0.01 => {
            let digits = (1.0 - amount.log10().floor()).min(12.0);
            format!("{amount:.0$}", digits as usize)
        }
        _ if amount < 1e12 => {
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

/// A change, always with its sign, in three digits: `+0.98`, `-12.4`.
pub(super) fn change(number: f64) -> String {
    if !number.is_finite() {
        return "?".to_owned();
    }
    let text = match number.abs() {
        size if size < 9.995 => format!("{size:.2}"),
        size if size < 99.95 => format!("{size:.1}"),
        size => grouped(size),
    };
    let nothing = text == "0.00";
    match number {
        _ if nothing => "0".to_owned(),
        _ if number < 0.0 => format!("-{text}"),
        _ => format!("+{text}"),
    }
}

/// A p-value: `p = 0.031`, `p < 0.0001`.
pub(super) fn chance(p: f64) -> String {
    glued(&match p {
        _ if !p.is_finite() => "p unknown".to_owned(),
        _ if p < 0.0001 => "p < 0.0001".to_owned(),
        _ if p < 0.01 => format!("p = {p:.4}"),
        _ => format!("p = {p:.2}"),
    })
}

/// A share of 0 to 1 in per cent; only all is `100 %`, only none `0 %`.
pub(super) fn share(part: f64) -> String {
    let percent = part * 100.0;
    glued(&match percent {
        _ if !part.is_finite() => "? %".to_owned(),
        _ if percent > 0.0 && percent < 1.0 => "< 1 %".to_owned(),
        _ if percent > 99.0 && percent < 100.0 => "> 99 %".to_owned(),
        _ => format!("{percent:.0} %"),
    })
}

/// A size: `812 B`, `1.2 MB`.
pub(super) fn bytes(number: u64) -> String {
    let mut size = number as f64;
    if number < 1_000 {
        return glued(&format!("{number} B"));
    }
    let mut unit = "kB";
    size /= 1e3;
    for next in ["MB", "GB", "TB", "PB"] {
        if size < 999.5 {
            break;
        }
        (size, unit) = (size / 1e3, next);
    }
    let decimals = usize::from(size < 9.95);
    glued(&format!("{size:.decimals$} {unit}"))
}

/// Whether times are shown with their day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Days {
    /// All times are of one day, named once.
    One,
    /// Each time says its day.
    Many,
}

impl Days {
    /// What the stretch between two RFC 3339 times asks for.
    pub(super) fn between(start: &str, end: &str) -> Days {
        if date(start) == date(end) { Days::One } else { Days::Many }
    }

    /// A time of day, `13:44:23`, with `Nov 29` before it where needed.
    ///
    /// What is not RFC 3339 in UTC is shown as it is.
    pub(super) fn time(self, at: &str) -> String {
        let (Some(clock), true) = (at.get(11..19), read(at).is_some()) else {
            return at.to_owned();
        };
        match self {
            Days::One => clock.to_owned(),
            Days::Many => format!("{} {clock}", day(at)),
        }
    }
}

/// The date of an RFC 3339 time: `2026-11-29`.
pub(super) fn date(at: &str) -> &str {
    at.get(..10).unwrap_or(at)
}

/// The day of an RFC 3339 time: `Nov 29`.
pub(super) fn day(at: &str) -> String {
    const NAMES: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct",
        "Nov", "Dec",
    ];
    let month = at.get(5..7).and_then(|month| month.parse::<usize>().ok());
    let name = month.and_then(|month| NAMES.get(month.wrapping_sub(1)));
    match (name, at.get(8..10)) {
        (Some(name), Some(day)) => format!("{name} {day}"),
        _ => date(at).to_owned(),
    }
}

/// The instant that a time of the report names.
pub(super) fn read(at: &str) -> Option<Micros> {
    time::rfc3339(at.as_bytes()).map(|clock| clock.at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it shows once it is on a line.
    fn shown(text: String) -> String {
        text.replace(GLUE, " ")
    }

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
            (119.96, "2m 00s"),
            (245.2, "4m 05s"),
            (3_599.7, "1h 00m"),
            (3_840.0, "1h 04m"),
            (86_399.0, "1d 00h"),
            (266_400.0, "3d 02h"),
            (-90.0, "-90 s"),
            (f64::NAN, "?"),
        ];
        for (secs, text) in cases {
            assert_eq!(shown(span(secs)), text, "{secs}");
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
        assert_eq!(shown(share(0.0)), "0 %");
        assert_eq!(shown(share(0.001)), "< 1 %");
        assert_eq!(shown(share(0.942)), "94 %");
        assert_eq!(shown(share(0.9999)), "> 99 %");
        assert_eq!(shown(share(1.0)), "100 %");
    }

    #[test]
    fn chances_never_claim_zero() {
        assert_eq!(shown(chance(0.0)), "p < 0.0001");
        assert_eq!(shown(chance(0.00031)), "p = 0.0003");
        assert_eq!(shown(chance(0.42)), "p = 0.42");
        assert_eq!(shown(chance(f64::NAN)), "p unknown");
    }

    #[test]
    fn sizes_are_decimal() {
        assert_eq!(shown(bytes(999)), "999 B");
        assert_eq!(shown(bytes(1_230_000)), "1.2 MB");
        assert_eq!(shown(bytes(999_900)), "1.0 MB");
        assert_eq!(shown(bytes(48_000_000_000)), "48 GB");
    }

    #[test]
    fn times_show_their_day_only_when_there_are_several() {
        let (start, end) = ("2026-11-29T23:59:01Z", "2026-11-30T00:04:00.5Z");
        assert_eq!(Days::between(start, start).time(start), "23:59:01");
        assert_eq!(Days::between(start, end).time(end), "Nov 30 00:04:00");
        assert_eq!(Days::One.time("123us"), "123us");
        assert_eq!(Days::Many.time("naïve times of é"), "naïve times of é");
    }
}

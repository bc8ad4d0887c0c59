//! Numbers as a sentence says them.

use crate::time::Micros;

/// A p-value, never said to be 0.
pub fn chance(p: f64) -> String {
    match p < 0.0001 {
        true => "p < 0.0001".to_owned(),
        false => format!("p = {p:.4}"),
    }
}

/// A count with its noun: `1 stream`, `2 streams`.
pub fn counted(number: u64, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A span in the two largest units it needs.
pub fn brief(span: Micros) -> String {
    let seconds = span.as_secs();
    let whole = seconds.round() as i64;
    match whole {
        ..10 => format!("{seconds:.1} s"),
        10..120 => format!("{whole} s"),
        120..7_200 => two(whole, 60, "min", "s"),
        7_200..172_800 => two(whole / 60, 60, "h", "min"),
        _ => two(whole / 3_600, 24, "d", "h"),
    }
}

/// `whole` of the smaller unit as so many of the larger and the rest.
fn two(whole: i64, size: i64, large: &str, small: &str) -> String {
    match whole % size {
        0 => format!("{} {large}", whole / size),
        rest => format!("{} {large} {rest} {small}", whole / size),
    }
}

/// A span with no more digits than an estimate has: whole minutes from two
/// on, never less than it is.
pub(super) fn about(span: Micros) -> Micros {
    let minutes = (span.as_secs() / 60.0).ceil();
    match minutes > 2.0 {
        true => Micros::from_secs_f64(minutes * 60.0),
        false => span,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_said_in_the_singular() {
        assert_eq!(counted(0, "client"), "0 clients");
        assert_eq!(counted(1, "client"), "1 client");
        assert_eq!(counted(2, "client"), "2 clients");
    }

    #[test]
    fn how_long_to_wait_is_no_exact_science_and_never_too_short() {
        for (seconds, text) in [
            (40, "40 s"),
            (121, "3 min"),
            (662, "12 min"),
            (7_201, "2 h 1 min"),
        ] {
            assert_eq!(brief(about(Micros::from_secs(seconds))), text);
        }
    }

    #[test]
    fn spans_are_said_in_the_units_they_need() {
        for (seconds, text) in [
            (1.5, "1.5 s"),
            (60.0, "60 s"),
            (150.0, "2 min 30 s"),
            (600.0, "10 min"),
            (3.0 * 3600.0 + 60.0, "3 h 1 min"),
            (3.0 * 86_400.0, "3 d"),
        ] {
            assert_eq!(brief(Micros::from_secs_f64(seconds)), text);
        }
    }
}

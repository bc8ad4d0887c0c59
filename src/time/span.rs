//! Spans as servers write them.

use super::{Micros, Unit};

/// A plain decimal number such as `60.002` in this unit; signs, exponents
/// and anything after the digits are refused. Digits finer than a
/// microsecond are cut.
pub fn decimal(text: &[u8], unit: Unit) -> Option<Micros> {
    number(text, unit).map(|(micros, _)| micros)
}

/// As [`decimal`], with the number of decimals that were written.
pub(super) fn number(text: &[u8], unit: Unit) -> Option<(Micros, i32)> {
    let mut value: i64 = 0;
    let mut decimals: i32 = -1;
    // Digits past the microsecond say nothing more.
    let keep = 6 - unit.places();
    for &byte in text {
        match byte {
            b'0'..=b'9' if decimals >= keep.max(0) => decimals += 1,
            b'0'..=b'9' => {
                let digit = i64::from(byte - b'0');
                value = value.checked_mul(10)?.checked_add(digit)?;
                decimals += i32::from(decimals >= 0);
            }
            b'.' if decimals < 0 => decimals = 0,
            _ => return None,
        }
    }
    if text.is_empty() || text == b"." {
        return None;
    }
    let written = decimals.max(0);
    let shift = keep - written.min(keep.max(0));
    let micros = if shift >= 0 {
        value.checked_mul(10_i64.checked_pow(shift as u32)?)?
    } else {
        value / 10_i64.pow(-shift as u32)
    };
    Some((Micros(micros), written))
}

/// A span with its units, as Go prints them and people type them: `1m0.002s`,
/// `60001ms`, `1h30m`, `2d`. A bare `0` is allowed.
pub fn span(text: &[u8]) -> Option<Micros> {
    if text == b"0" {
        return Some(Micros::ZERO);
    }
    let mut rest = text;
    let mut sum = Micros::ZERO;
    while !rest.is_empty() {
        let end =
            rest.iter().position(|b| !matches!(b, b'0'..=b'9' | b'.'))?;
        let (value, tail) = rest.split_at(end);
        let letters = tail
            .iter()
            .position(|b| matches!(b, b'0'..=b'9' | b'.'))
            .unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(letters);
        let unit = std::str::from_utf8(unit).ok()?;
        sum = sum + one_span(value, unit)?;
        rest = tail;
    }
    (!text.is_empty()).then_some(sum)
}

/// One number of a span with its unit.
fn one_span(value: &[u8], unit: &str) -> Option<Micros> {
    if let Some(unit) = Unit::from_name(unit) {
        return decimal(value, unit);
    }
    let times = match unit {
        "m" | "min" => 60,
        "h" => 3_600,
        "d" => 86_400,
        "w" => 7 * 86_400,
        _ => return None,
    };
    let seconds = decimal(value, Unit::Seconds)?;
    seconds.0.checked_mul(times).map(Micros)
}

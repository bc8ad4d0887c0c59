//! Instants as servers write them.

use chrono::{DateTime, Datelike, NaiveDateTime};

use super::span::{decimal, number};
use super::{Clock, Micros, Unit};

/// Seconds, milliseconds, microseconds or nanoseconds since 1970, told apart
/// by the number of digits before the point: 10, 13, 16 or 19 for every
/// instant between 2001 and 2286. Decimals are allowed.
pub fn epoch(text: &[u8]) -> Option<Clock> {
    let whole = text.iter().position(|&b| b == b'.').unwrap_or(text.len());
    let unit = match whole {
        9..=11 => Unit::Seconds,
        12..=14 => Unit::Millis,
        15..=17 => Unit::Micros,
        18..=20 => Unit::Nanos,
        _ => return None,
    };
    let (at, decimals) = number(text, unit)?;
    let places = (unit.places() + decimals).min(6);
    Some(Clock { at, grain: Micros(10_i64.pow(6 - places as u32)) })
}

/// The common log format's time, `29/Nov/2026:13:44:23 +0000`, without its
/// brackets.
pub fn clf(text: &[u8]) -> Option<Clock> {
    let (date, zone) = text.split_at_checked(20)?;
    let day = digits(&date[0..2])?;
    let month = month(&date[3..6])?;
    let year = digits(&date[7..11])?;
    let right = date[2] == b'/' && date[6] == b'/' && date[11] == b':';
    if !right {
        return None;
    }
    let secs = civil(year, month, day)? + clock(&date[12..20])?;
    let offset = match zone {
        [b' ', zone @ ..] => zone_offset(zone)?,
        _ => return None,
    };
    Some(Clock { at: Micros::from_secs(secs - offset), grain: Micros::SECOND })
}

/// RFC 3339, `2026-11-29T13:44:23.164+00:00`: `T` may be a blank, the
/// fraction may follow a comma and have up to nine digits, the zone may be
/// `Z`, `+hh:mm` or `+hhmm`.
pub fn rfc3339(text: &[u8]) -> Option<Clock> {
    let (date, rest) = text.split_at_checked(19)?;
    let right = date[4] == b'-'
        && date[7] == b'-'
        && matches!(date[10], b'T' | b't' | b' ');
    if !right {
        return None;
    }
    let year = digits(&date[0..4])?;
    let days = civil(year, digits(&date[5..7])?, digits(&date[8..10])?)?;
    let secs = days + clock(&date[11..19])?;
    let (fraction, zone) = match rest {
        [b'.' | b',', rest @ ..] => {
            let end = rest.iter().position(|b| !b.is_ascii_digit())?;
            rest.split_at(end)
        }
        _ => (&b""[..], rest),
    };
    if fraction.len() > 9 {
        return None;
    }
    let micros = match fraction.len() {
        0 => 0,
        n if n <= 6 => digits(fraction)? * 10_i64.pow(6 - n as u32),
        _ => digits(&fraction[..6])?,
    };
    let places = fraction.len().min(6) as u32;
    let secs = secs - zone_offset(zone)?;
    let at = Micros::from_secs(secs) + Micros(micros);
    Some(Clock { at, grain: Micros(10_i64.pow(6 - places)) })
}

/// RFC 3164's time, `Nov 29 13:44:23` with or without decimals, which shows
/// neither zone nor year. `zone` is the offset in seconds east of UTC to
/// take; the year is the latest that puts it no more than a day after `now`:
/// a log is not written ahead, but clocks are set a little wrong.
pub fn yearless(text: &[u8], zone: i64, now: Micros) -> Option<Clock> {
    let (name, rest) = text.split_at_checked(3)?;
    let rest = rest.strip_prefix(b" ")?;
    // The day is padded to two columns, by rsyslog with a blank.
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    let blank = rest.iter().take(3).position(|&b| b == b' ')?;
    let (month, day) = (month(name)?, digits(&rest[..blank])?);
    let (time, fraction) = rest[blank + 1..].split_at_checked(8)?;
    let micros = match fraction {
        [] => Micros::ZERO,
        [b'.', ..] => decimal(fraction, Unit::Seconds)?,
        _ => return None,
    };
    let of_day = clock(time)? - zone;
    let this_year = DateTime::from_timestamp_micros(now.0)?.year();
    // Some of any eight years in a row have a 29 February.
    let years = (0..=9).map(|back| i64::from(this_year) + 1 - back);
    let at = years
        .filter_map(|year| civil(year, month, day))
        .map(|days| Micros::from_secs(days + of_day) + micros)
        .find(|at| *at <= now + Micros(86_400_000_000))?;
    let places = fraction.len().saturating_sub(1).min(6) as u32;
    Some(Clock { at, grain: Micros(10_i64.pow(6 - places)) })
}

/// A time in a `strftime` pattern, through chrono. `zone` is the offset in
/// seconds east of UTC to take when the pattern shows none.
pub fn strftime(text: &[u8], pattern: &str, zone: i64) -> Option<Clock> {
    let text = std::str::from_utf8(text).ok()?;
    let at = match DateTime::parse_from_str(text, pattern) {
        Ok(at) => Micros(at.timestamp_micros()),
        Err(_) => {
            let at = NaiveDateTime::parse_from_str(text, pattern).ok()?;
            Micros(at.and_utc().timestamp_micros()) - Micros::from_secs(zone)
        }
    };
    let grain = if pattern.contains("f") { Micros(1) } else { Micros::SECOND };
    Some(Clock { at, grain })
}

/// A run of decimal digits.
fn digits(text: &[u8]) -> Option<i64> {
    let mut value = 0;
    for &byte in text {
        if !byte.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(byte - b'0');
    }
    Some(value)
}

/// The number of a month by its English three letters.
pub(crate) fn month(name: &[u8]) -> Option<i64> {
    const NAMES: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    let at = NAMES.chunks_exact(3).position(|known| known == name)?;
    Some(at as i64 + 1)
}

/// `13:44:23` in seconds; `:60` is a leap second, counted as the next one.
fn clock(text: &[u8]) -> Option<i64> {
    let (hour, minute) = (digits(&text[0..2])?, digits(&text[3..5])?);
    let second = digits(&text[6..8])?;
    let right = text[2] == b':' && text[5] == b':';
    let right = right && hour < 24 && minute < 60 && second <= 60;
    right.then_some(hour * 3_600 + minute * 60 + second)
}

/// Seconds from 1970 to the start of this day of the Gregorian calendar.
///
/// The day count is Howard Hinnant's `days_from_civil`,
/// <https://howardhinnant.github.io/date_algorithms.html>.
fn civil(year: i64, month: i64, day: i64) -> Option<i64> {
    if !(1..=12).contains(&month)
        || !(1..=month_days(year, month)).contains(&day)
    {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    Some((era * 146_097 + day_of_era - 719_468) * 86_400)
}

/// How many days a month has.
fn month_days(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// `Z`, `+hh:mm` or `+hhmm` in seconds east of UTC.
pub fn zone_offset(zone: &[u8]) -> Option<i64> {
    let (sign, hours, minutes) = match zone {
        b"Z" | b"z" => return Some(0),
        [sign, a, b, b':', c, d] | [sign, a, b, c, d] => {
            (sign, digits(&[*a, *b])?, digits(&[*c, *d])?)
        }
        _ => return None,
    };
    let offset = hours * 3_600 + minutes * 60;
    match sign {
        _ if hours > 23 || minutes > 59 => None,
        b'+' => Some(offset),
        b'-' => Some(-offset),
        _ => None,
    }
}

//! Instants and spans in whole microseconds, and the texts servers write
//! them in.
//!
//! No time passes through a float: a 19-digit count of nanoseconds does not
//! fit one. The fast readers below know the two texts that fill logs, the
//! common log format's `29/Nov/2026:13:44:23 +0000` and RFC 3339; everything
//! rarer goes through `chrono`, which is also their oracle in the tests.

use std::ops::{Add, Sub};
use std::time::SystemTime;

use chrono::{DateTime, Datelike, NaiveDateTime};

/// An instant (microseconds since 1970-01-01T00:00:00Z) or a span, in whole
/// microseconds.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash,
)]
pub struct Micros(pub i64);

impl Micros {
    /// No time at all, and the start of 1970.
    pub const ZERO: Micros = Micros(0);
    /// One second.
    pub const SECOND: Micros = Micros(1_000_000);
    /// One minute.
    pub const MINUTE: Micros = Micros(60_000_000);
    /// One hour.
    pub const HOUR: Micros = Micros(3_600_000_000);

    /// What time it is, by the system's clock; 1970 if that is set earlier.
    pub fn now() -> Micros {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        Micros(since.map_or(0, |since| since.as_micros() as i64))
    }

    /// This many whole seconds.
    pub const fn from_secs(secs: i64) -> Micros {
        Micros(secs.saturating_mul(1_000_000))
    }

    /// In seconds, for statistics and for people.
    pub fn as_secs(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The nearest microsecond to this many seconds.
    pub fn from_secs_f64(secs: f64) -> Micros {
        Micros((secs * 1e6).round() as i64)
    }

    /// This span, read as so many `was`, if they are `now` instead.
    pub fn rescaled(self, was: Unit, now: Unit) -> Micros {
        let nanos = |unit: Unit| 10_i128.pow(9 - unit.places() as u32);
        let scaled = i128::from(self.0) * nanos(now) / nanos(was);
        Micros(i64::try_from(scaled).unwrap_or(i64::MAX))
    }

    /// As RFC 3339 in UTC, with no more decimals than it needs.
    ///
    /// Instants outside the years chrono knows are printed as a bare count
    /// of microseconds.
    pub fn to_rfc3339(self) -> String {
        let Some(at) = DateTime::from_timestamp_micros(self.0) else {
            return format!("{}us", self.0);
        };
        let text = at.format("%Y-%m-%dT%H:%M:%S%.6f").to_string();
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{text}Z")
    }
}

impl Add for Micros {
    type Output = Micros;

    fn add(self, other: Micros) -> Micros {
        Micros(self.0.saturating_add(other.0))
    }
}

impl Sub for Micros {
    type Output = Micros;

    fn sub(self, other: Micros) -> Micros {
        Micros(self.0.saturating_sub(other.0))
    }
}

/// An instant as a log shows it: the step its clock was cut to says how far
/// off it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The instant.
    pub at: Micros,
    /// The smallest step this text can show: one second for the common log
    /// format, a millisecond for nginx's `$msec`.
    pub grain: Micros,
}

/// The unit of a bare number that is a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Seconds, possibly with decimals.
    Seconds,
    /// Milliseconds.
    Millis,
    /// Microseconds.
    Micros,
    /// Nanoseconds.
    Nanos,
}

impl Unit {
    /// The letters people write it with: `s`, `ms`, `us`, `ns`.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Seconds => "s",
            Unit::Millis => "ms",
            Unit::Micros => "us",
            Unit::Nanos => "ns",
        }
    }

    /// The unit these letters name.
    pub fn from_name(name: &str) -> Option<Unit> {
        match name {
            "s" | "sec" | "seconds" => Some(Unit::Seconds),
            "ms" | "millis" | "milliseconds" => Some(Unit::Millis),
            "us" | "µs" | "micros" | "microseconds" => Some(Unit::Micros),
            "ns" | "nanos" | "nanoseconds" => Some(Unit::Nanos),
            _ => None,
        }
    }

    /// How many decimal places a whole number of this unit has when it is
    /// written in seconds.
    fn places(self) -> i32 {
        match self {
            Unit::Seconds => 0,
            Unit::Millis => 3,
            Unit::Micros => 6,
            Unit::Nanos => 9,
        }
    }
}

/// A plain decimal number such as `60.002` in this unit; signs, exponents
/// and anything after the digits are refused. Digits finer than a
/// microsecond are cut.
pub fn decimal(text: &[u8], unit: Unit) -> Option<Micros> {
    number(text, unit).map(|(micros, _)| micros)
}

/// As [`decimal`], with the number of decimals that were written.
fn number(text: &[u8], unit: Unit) -> Option<(Micros, i32)> {
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

#[cfg(test)]
mod tests {
    use chrono::{FixedOffset, TimeZone, Utc};
    use proptest::prelude::*;

    use super::*;

    /// What chrono makes of a time in both texts.
    fn by_chrono(text: &str, pattern: &str) -> Micros {
        let at = DateTime::parse_from_str(text, pattern)
            .unwrap_or_else(|e| panic!("{text}: {e}"));
        Micros(at.timestamp_micros())
    }

    const CLF: &str = "%d/%b/%Y:%H:%M:%S %z";

    fn agree(at: DateTime<FixedOffset>) {
        let text = at.format(CLF).to_string();
        let got = clf(text.as_bytes()).map(|clock| clock.at);
        assert_eq!(got, Some(by_chrono(&text, CLF)), "{text}");
        let text = at.to_rfc3339();
        let got = rfc3339(text.as_bytes()).map(|clock| clock.at);
        assert_eq!(got, Some(Micros(at.timestamp_micros())), "{text}");
    }

    #[test]
    fn every_minute_of_a_leap_year_is_chronos() {
        let zone = FixedOffset::east_opt(0).unwrap();
        let first = zone.with_ymd_and_hms(2028, 1, 1, 0, 0, 0).unwrap();
        for minute in 0..366 * 24 * 60 {
            let second = minute % 60;
            agree(first + chrono::Duration::seconds(minute * 60 + second));
        }
    }

    #[test]
    fn month_ends_of_all_kinds_of_years_and_all_zones_are_chronos() {
        for year in [1900, 1970, 1999, 2000, 2024, 2026, 2100, 2400] {
            for month in 1..=12 {
                for day in [1, 28, 29, 30, 31] {
                    for minutes in (-14 * 60..=14 * 60).step_by(105) {
                        let zone =
                            FixedOffset::east_opt(minutes * 60).unwrap();
                        let at = zone
                            .with_ymd_and_hms(year, month, day, 23, 59, 59);
                        if let Some(at) = at.single() {
                            agree(at);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_leap_second_is_the_next_one() {
        let next = by_chrono("01/Jan/2017:00:00:00 +0000", CLF);
        let leap = clf(b"31/Dec/2016:23:59:60 +0000").unwrap();
        assert_eq!(leap.at, next);
        assert_eq!(rfc3339(b"2016-12-31T23:59:60Z").unwrap().at, next);
    }

    proptest! {
        #[test]
        fn damaged_times_are_read_as_chrono_reads_them_or_not_at_all(
            text in "[0-3][0-9]/(Jan|Feb|Jun|Xyz)/[0-9]{4}:[0-2][0-9]:[0-6][0-9]:[0-6][0-9] [+-][0-2][0-9][0-6][0-9]",
        ) {
            let ours = clf(text.as_bytes()).map(|clock| clock.at);
            let theirs = DateTime::parse_from_str(&text, CLF).ok();
            match (ours, theirs) {
                (Some(ours), Some(theirs)) if !text.contains(":60 ") => {
                    prop_assert_eq!(ours.0, theirs.timestamp_micros());
                }
                // chrono knows a leap second at the end of a minute.
                (Some(_), Some(_)) => {}
                (ours, theirs) => {
                    prop_assert_eq!(ours.is_some(), theirs.is_some());
                }
            }
        }

        #[test]
        fn no_bytes_make_a_reader_panic(
            bytes in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let _read = (clf(&bytes), rfc3339(&bytes), epoch(&bytes));
            let _read = (span(&bytes), decimal(&bytes, Unit::Nanos));
            let _read = (strftime(&bytes, "%Y %z", 0), zone_offset(&bytes));
            let _read = yearless(&bytes, 0, Micros::ZERO);
        }
    }

    #[test]
    fn the_finest_step_of_a_text_is_its_grain() {
        for (text, grain) in [
            ("2026-11-29T13:44:23Z", 1_000_000),
            ("2026-11-29T13:44:23.1Z", 100_000),
            ("2026-11-29 13:44:23,164+01:00", 1_000),
            ("2026-11-29T13:44:23.164123-0330", 1),
            ("2026-11-29T13:44:23.164123456Z", 1),
        ] {
            assert_eq!(rfc3339(text.as_bytes()).unwrap().grain, Micros(grain));
        }
        for text in ["2026-11-29T13:44:23", "2026-11-29T13:44:23.Z", "x"] {
            assert_eq!(
                rfc3339(text.as_bytes()).map(|c| c.grain),
                None.or_else(|| {
                    // A dot without digits says no more than none.
                    (text.ends_with(".Z")).then_some(Micros::SECOND)
                }),
                "{text}"
            );
        }
    }

    #[test]
    fn nineteen_digits_lose_nothing() {
        let at = epoch(b"1785585660124000999").unwrap();
        assert_eq!(
            at,
            Clock { at: Micros(1_785_585_660_124_000), grain: Micros(1) }
        );
        assert_eq!(
            epoch(b"1795959863.164").unwrap().at.0,
            1_795_959_863_164_000
        );
        assert_eq!(epoch(b"1795959863").unwrap().grain, Micros::SECOND);
        assert_eq!(epoch(b"1795959863164").unwrap().grain, Micros(1_000));
        assert_eq!(epoch(b"1795959863164007").unwrap().grain, Micros(1));
        assert_eq!(epoch(b"17959"), None);
        assert_eq!(epoch(b"99999999999999999999"), None);
    }

    #[test]
    fn numbers_are_whole_decimals_and_nothing_else() {
        let of = |text: &str, unit| decimal(text.as_bytes(), unit);
        assert_eq!(of("60.002", Unit::Seconds), Some(Micros(60_002_000)));
        assert_eq!(of("60.0020019", Unit::Seconds), Some(Micros(60_002_001)));
        assert_eq!(of("60001", Unit::Millis), Some(Micros(60_001_000)));
        assert_eq!(of("60001.5", Unit::Millis), Some(Micros(60_001_500)));
        assert_eq!(of("60001999", Unit::Nanos), Some(Micros(60_001)));
        assert_eq!(of("7.9", Unit::Micros), Some(Micros(7)));
        assert_eq!(of("5.", Unit::Seconds), Some(Micros(5_000_000)));
        for text in ["", ".", "-1", "+1", "1e3", "1,5", "0x10", "1.2.3"] {
            assert_eq!(of(text, Unit::Seconds), None, "{text}");
        }
        assert_eq!(of("99999999999999999999", Unit::Seconds), None);
    }

    #[test]
    fn spans_are_read_with_their_units() {
        let of = |text: &str| span(text.as_bytes()).map(|span| span.0);
        assert_eq!(of("1m0.00206173s"), Some(60_002_061));
        assert_eq!(of("60001ms"), Some(60_001_000));
        assert_eq!(of("1h30m"), Some(5_400_000_000));
        assert_eq!(of("2d"), Some(172_800_000_000));
        assert_eq!(of("1.5h"), Some(5_400_000_000));
        assert_eq!(of("12µs"), Some(12));
        assert_eq!(of("0"), Some(0));
        for text in ["", "5", "s", "5x", "-5s", "1m0"] {
            assert_eq!(of(text), None, "{text}");
        }
    }

    #[test]
    fn instants_are_printed_as_they_are_read() {
        for text in [
            "2026-11-29T13:44:23Z",
            "2026-11-29T13:44:23.164Z",
            "1969-12-31T23:59:59.999999Z",
        ] {
            let at = rfc3339(text.as_bytes()).unwrap().at;
            assert_eq!(at.to_rfc3339(), text);
        }
        assert_eq!(Micros(i64::MAX).to_rfc3339(), format!("{}us", i64::MAX));
    }

    #[test]
    fn a_time_without_a_year_is_of_the_last_one_it_can_be_of() {
        let now = rfc3339(b"2026-08-01T12:00:00Z").unwrap().at;
        let of = |text: &str, zone| {
            let clock = yearless(text.as_bytes(), zone, now);
            clock.map(|clock| clock.at.to_rfc3339()).unwrap_or_default()
        };
        assert_eq!(of("Aug  1 11:59:59", 0), "2026-08-01T11:59:59Z");
        assert_eq!(of("Aug 1 11:59:59", 0), "2026-08-01T11:59:59Z");
        assert_eq!(of("Aug  2 11:59:59", 0), "2026-08-02T11:59:59Z");
        assert_eq!(of("Aug  2 12:00:01", 0), "2025-08-02T12:00:01Z");
        assert_eq!(of("Aug  2 13:00:01", 7_200), "2026-08-02T11:00:01Z");
        assert_eq!(of("Dec 31 23:59:59.5", 0), "2025-12-31T23:59:59.5Z");
        assert_eq!(of("Jan 01 00:00:00", 0), "2026-01-01T00:00:00Z");
        assert_eq!(of("Feb 29 00:00:00", 0), "2024-02-29T00:00:00Z");
        for text in [
            "Aug 1",
            "Aug  1 11:59",
            "Aug 32 11:59:59",
            "Ago  1 11:59:59",
            "Aug  1 11:59:59 ",
            "Aug  11:59:59",
            "Aug 001 11:59:59",
        ] {
            assert_eq!(of(text, 0), "", "{text}");
        }
    }

    #[test]
    fn a_pattern_without_a_zone_takes_the_one_given() {
        let pattern = "%Y/%m/%d %H:%M:%S";
        let text = b"2026/11/29 13:44:23";
        let utc = Utc.with_ymd_and_hms(2026, 11, 29, 13, 44, 23).unwrap();
        let east = strftime(text, pattern, 7_200).unwrap().at;
        assert_eq!(east.0, utc.timestamp_micros() - 7_200_000_000);
    }
}

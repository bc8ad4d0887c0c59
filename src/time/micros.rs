//! Instants and spans in whole microseconds.

use std::ops::{Add, Sub};
use std::time::SystemTime;

use chrono::DateTime;

use super::unit::Unit;

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

    /// By a pattern of `strftime`, in UTC.
    ///
    /// Instants outside the years chrono knows are printed as a bare count
    /// of microseconds.
    pub fn format(self, pattern: &str) -> String {
        DateTime::from_timestamp_micros(self.0).map_or_else(
            || format!("{}us", self.0),
            |at| at.format(pattern).to_string(),
        )
    }

    /// As RFC 3339 in UTC, with no more decimals than it needs; instants
    /// that no calendar knows as for [`Micros::format`].
    pub fn to_rfc3339(self) -> String {
        let text = self.format("%Y-%m-%dT%H:%M:%S%.6f");
        if text.ends_with('s') {
            return text;
        }
        let text = text.trim_end_matches('0').trim_end_matches('.');
        format!("{text}Z")
    }

    /// As the common log format writes it, in UTC; instants that no calendar
    /// knows as for [`Micros::format`].
    pub fn to_clf(self) -> String {
        self.format("%d/%b/%Y:%H:%M:%S +0000")
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

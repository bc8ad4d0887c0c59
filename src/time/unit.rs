//! The units of bare numbers.

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
    pub(super) fn places(self) -> i32 {
        match self {
            Unit::Seconds => 0,
            Unit::Millis => 3,
            Unit::Micros => 6,
            Unit::Nanos => 9,
        }
    }
}

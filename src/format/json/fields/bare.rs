//! The unit of durations that are bare numbers.

use crate::time::{self, Micros, Unit};

/// The unit of a duration that is a bare number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bare {
    /// Seconds if it has decimals; else one of several, this the likeliest.
    /// It is read as microseconds until the order of the records has told.
    Open(Unit),
    /// This one.
    Known(Unit),
}

/// The likeliest unit of a whole number in JSON: most libraries count
/// milliseconds.
const LIKELIEST: Unit = Unit::Millis;

/// How the last part of a key names its unit.
const SUFFIXES: [(&str, Unit); 14] = [
    ("millis", Unit::Millis),
    ("milliseconds", Unit::Millis),
    ("micros", Unit::Micros),
    ("microseconds", Unit::Micros),
    ("nanos", Unit::Nanos),
    ("nanoseconds", Unit::Nanos),
    ("seconds", Unit::Seconds),
    ("secs", Unit::Seconds),
    ("_ms", Unit::Millis),
    ("_us", Unit::Micros),
    ("_ns", Unit::Nanos),
    ("_s", Unit::Seconds),
    ("_sec", Unit::Seconds),
    ("Ms", Unit::Millis),
];

/// The unit that a key names: `duration_ms`, `elapsedMs`, `took.seconds`.
fn unit_of(path: &str) -> Option<Unit> {
    let last = path.rsplit('.').next().unwrap_or(path);
    let named = |word: &str| {
        if word.starts_with(['_', 'M']) {
            last.ends_with(word)
        } else {
            last.to_ascii_lowercase().ends_with(word)
        }
    };
    SUFFIXES.iter().find(|(word, _)| named(word)).map(|(_, unit)| *unit)
}

impl Default for Bare {
    fn default() -> Bare {
        Bare::Open(LIKELIEST)
    }
}

impl Bare {
    /// The unit of the durations under this key.
    pub(super) fn of(path: &str) -> Bare {
        unit_of(path).map_or(Bare::default(), Bare::Known)
    }

    /// The unit whole numbers are read in.
    pub(super) fn unit(self) -> Unit {
        match self {
            Bare::Open(_) => Unit::Micros,
            Bare::Known(unit) => unit,
        }
    }

    /// A duration: a bare number, or a text with its unit.
    pub(super) fn read(self, text: &[u8]) -> Option<Micros> {
        let unit = match self {
            Bare::Open(_) if text.contains(&b'.') => Unit::Seconds,
            _ => self.unit(),
        };
        time::decimal(text, unit).or_else(|| time::span(text))
    }
}

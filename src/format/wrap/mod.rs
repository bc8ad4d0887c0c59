//! What a log shipper put around a record, stripped off before it is parsed.
//!
//! A container runtime, syslog, the journal or a shipper such as Fluent Bit
//! writes another's line inside a line of its own, and the next may do so
//! again. The wrappers are told from the first records of a log, and then
//! every record loses them in the same order.
//!
//! A record that is an access record already is no wrapper, although it may
//! begin with a time, or be an object that has a message: `stamp` and `json`
//! say how the two are told apart.

mod ansi;
mod container;
mod fluent;
mod json;
mod partial;
mod stamp;
mod syslog;
mod unwrapped;
mod words;
mod wrapper;

use std::borrow::Cow;

pub use unwrapped::{Stream, Unwrapped};
pub use wrapper::Wrapper;

use crate::time::Micros;

/// How many wrappers may lie around a record. Colours and a time in front of
/// the line count as one each: `docker compose logs -t` of a program that
/// writes to syslog's form has four.
const LAYERS: usize = 4;

/// How many of a log's first records tell its wrappers.
const LOOKED_AT: usize = 400;

/// The wrappers around the records of a log, outermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wrapping {
    layers: Vec<Wrapper>,
    calendar: Calendar,
}

/// What a time without zone and year is completed by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Calendar {
    /// Seconds east of UTC.
    zone: i64,
    /// An instant at or after the end of the log. Without one such a time is
    /// not read.
    now: Option<Micros>,
}

impl Wrapping {
    /// The wrappers that the first records of a log carry, at most four
    /// around each other: at each layer the first of [`Wrapper::ALL`] that at
    /// least half of what is left carries, around something.
    pub fn detect(records: &[&[u8]]) -> Wrapping {
        let mut wrapping = Wrapping::default();
        let first = records.iter().take(LOOKED_AT);
        let mut left: Vec<_> = first.map(|r| Cow::Borrowed(*r)).collect();
        while wrapping.layers.len() < LAYERS
            && let Some(wrapper) = Wrapper::around(&left)
        {
            left = left.iter().filter_map(|r| wrapper.inside(r)).collect();
            wrapping.layers.push(wrapper);
        }
        wrapping
    }

    /// The same wrappers, with times that show no zone taken to be `zone`
    /// seconds east of UTC, and times that show no year to be of the latest
    /// year in which they are no more than a day after `now`.
    ///
    /// Without this the times of [`Wrapper::Rfc3164`] are not read.
    #[must_use]
    pub fn with_clock(self, zone: i64, now: Micros) -> Wrapping {
        Wrapping { calendar: Calendar { zone, now: Some(now) }, ..self }
    }

    /// Whether the records are as they were written.
    pub fn is_empty(&self) -> bool {
        self.layers.is_empty()
    }

    /// The wrappers, outermost first.
    pub fn layers(&self) -> &[Wrapper] {
        &self.layers
    }

    /// What people call them, outermost first: `docker json-file > syslog
    /// (RFC 3164)`.
    pub fn names(&self) -> String {
        let names: Vec<_> = self.layers.iter().map(|w| w.name()).collect();
        names.join(" > ")
    }

    /// In how many JSON strings the message lies: each may have put
    /// backslashes before some of its bytes.
    pub fn escapes(&self) -> usize {
        self.layers.iter().filter(|wrapper| wrapper.is_string()).count()
    }

    /// Texts of which every record has one that may hold its message in a
    /// way no search finds: the journal writes bytes that are no UTF-8 as
    /// numbers.
    pub fn hides(&self) -> &'static [&'static str] {
        if self.layers.contains(&Wrapper::Journald) {
            &["\"MESSAGE\":[", "\"MESSAGE\" : ["]
        } else {
            &[]
        }
    }

    /// The message of one record. `None`: this record does not carry the
    /// wrappers, as a banner between the others.
    ///
    /// A record that is [`partial`](Unwrapped::partial) is unwrapped only down to
    /// what split it: [`joined`](Wrapping::joined) reads it whole.
    ///
    /// Takes time linear in the record's length, and allocates only where an
    /// escape or a colour had to go from inside the message.
    pub fn strip<'a>(&self, record: &'a [u8]) -> Option<Unwrapped<'a>> {
        let (unwrapped, layers) = self.outer(record, self.layers.len())?;
        self.inner(unwrapped, layers)
    }

    /// Unwraps so many layers, or down to the first that split the record, and
    /// says how many that was.
    fn outer<'a>(
        &self,
        record: &'a [u8],
        layers: usize,
    ) -> Option<(Unwrapped<'a>, usize)> {
        let mut unwrapped = Unwrapped::bare(record);
        for (at, wrapper) in self.layers.iter().take(layers).enumerate() {
            unwrapped = unwrapped.deeper(*wrapper, self.calendar)?;
            if unwrapped.partial {
                return Some((unwrapped, at + 1));
            }
        }
        Some((unwrapped, layers))
    }

    /// Unwraps the layers from this one on, unless it is but a piece.
    fn inner<'a>(
        &self,
        unwrapped: Unwrapped<'a>,
        from: usize,
    ) -> Option<Unwrapped<'a>> {
        let mut left = self.layers.get(from..).unwrap_or_default().iter();
        if unwrapped.partial {
            Some(unwrapped)
        } else {
            left.try_fold(unwrapped, |unwrapped, wrapper| {
                unwrapped.deeper(*wrapper, self.calendar)
            })
        }
    }
}

#[cfg(test)]
mod tests;

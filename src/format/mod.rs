//! The formats: what the bytes of one record mean.
//!
//! A closed list, one file each. Adding one touches its own file and the
//! list here, never another format.

mod clf;
mod clf_tail;
mod field;
mod record;

pub use clf::Clf;
pub use field::{Field, Mark, Shape};
pub use record::{EndedBy, Event, Reason, Record, Reject, Text};

use crate::time::Unit;

/// A format: how one record is read.
#[derive(Clone, Debug)]
pub enum Format {
    /// The common log format and its longer forms.
    Clf(Clf),
}

impl Format {
    /// The format of these first records of a log, told by how many of them
    /// it reads.
    pub fn detect(records: &[&[u8]]) -> Option<Format> {
        Clf::detect(records).map(Format::Clf)
    }

    /// Reads one record.
    ///
    /// # Errors
    ///
    /// A [`Reject`] that says why and where the record does not fit.
    pub fn parse<'a>(&self, record: &'a [u8]) -> Result<Record<'a>, Reject> {
        match self {
            Format::Clf(clf) => clf.parse(record),
        }
    }

    /// What people call it.
    pub fn name(&self) -> String {
        match self {
            Format::Clf(clf) => clf.name(),
        }
    }

    /// Whether a backslash may hide a byte of a path in its records.
    pub fn escapes(&self) -> bool {
        match self {
            Format::Clf(_) => false,
        }
    }

    /// The unit of its bare durations.
    pub fn unit(&self) -> Option<Unit> {
        match self {
            Format::Clf(clf) => clf.unit(),
        }
    }

    /// Whether that unit is only the likeliest of several.
    pub fn unit_is_guessed(&self) -> bool {
        match self {
            Format::Clf(clf) => clf.guessed_unit().is_some(),
        }
    }

    /// What its bare time marks, where its grammar decides; else
    /// [`Mark::Either`].
    pub fn mark(&self) -> Mark {
        match self {
            Format::Clf(clf) => clf.mark(),
        }
    }

    /// The same format with its bare durations in this unit.
    pub fn with_unit(self, unit: Unit) -> Format {
        match self {
            Format::Clf(clf) => Format::Clf(clf.with_unit(unit)),
        }
    }
}

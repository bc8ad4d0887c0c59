//! What was found in some records, and how it is put together.

use super::Harvest;
use super::others::{self, Asked};
use crate::collect::{
    client::{Clients, KeyField, KeyId},
    row::{Row, When},
    stamps::Order,
    survey::Requests,
};
use crate::format::{Format, Reason, Record, Reject, pointed};
use crate::input::Line;

/// What was found in some records.
#[derive(Default)]
pub struct Found {
    /// The formats they have; rows name theirs by its number.
    pub dialects: Vec<Dialect>,
    /// Their clients.
    pub clients: Clients,
    /// The clients of all requests, on a survey.
    pub everyone: Clients,
    /// What they asked for beside streams, by their numbers; nothing of
    /// those at the end that asked for nothing.
    pub asked: Vec<Asked>,
    /// When the first and the last records of each chunk were written,
    /// selected or not, and the number of their dialect.
    pub ends: Vec<(u16, When)>,
    /// How many requests the selected record that stands for most of them
    /// does; more than 1 says that the log is a sample.
    pub sampled: u32,
    /// Records counted.
    pub tally: Tally,
    /// The first rejected record.
    pub first_reject: Option<Rejected>,
    /// What requests there are, on a survey.
    pub requests: Requests,
}

/// What some records gave: the selected ones, and what was found out about
/// all of them.
#[derive(Default)]
pub(super) struct Haul {
    /// The selected records, in the order of the input, and those that only
    /// close a stream of whatever path.
    pub(super) rows: Vec<Row>,
    /// What was found out.
    pub(super) found: Found,
}

impl Haul {
    /// With what the following records gave.
    pub(super) fn followed_by(mut self, later: Haul) -> Haul {
        let keys = self.found.clients.absorb(&later.found.clients);
        let dialects = self.found.absorb_dialects(&later.found.dialects);
        self.rows.extend(later.rows.into_iter().map(|row| {
            let KeyId(old) = row.key;
            let dialect = dialects[usize::from(row.dialect)];
            Row { key: keys[old as usize], dialect, ..row }
        }));
        self.found.absorb(later.found, &dialects);
        self
    }
}

/// The records of one format in an input.
#[derive(Clone, Debug)]
pub struct Dialect {
    /// The format.
    pub format: Format,
    /// The order of their bare times.
    pub order: Order,
    /// How many were selected.
    pub selected: u64,
    /// How many of those looked at tell when a request had ended.
    pub ends: u64,
    /// How many tell that one had ended and not when.
    pub timeless_ends: u64,
}

/// A rejected record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The byte of the input it was left at.
    pub at: u64,
    /// What should have stood there.
    pub expected: &'static str,
    /// The record with the place under it, see [`pointed`].
    pub shown: String,
}

/// Records counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub records: u64,
    /// Those that were parsed, whatever they were.
    pub parsed: u64,
    /// Those that were picked.
    pub selected: u64,
    /// Rejected: not of the format's shape.
    pub shape: u64,
    /// Rejected: the time.
    pub time: u64,
    /// Rejected: the duration.
    pub duration: u64,
    /// Rejected: longer than [`crate::input::LONGEST`].
    pub long: u64,
    /// Sound records that tell of no client's request.
    pub other: u64,
}

impl Tally {
    /// The records of all inputs.
    pub fn of(harvests: &[Harvest]) -> Tally {
        let mut sum = Tally::default();
        for harvest in harvests {
            sum.add(harvest.found.tally);
        }
        sum
    }

    fn add(&mut self, other: Tally) {
        self.records += other.records;
        self.parsed += other.parsed;
        self.selected += other.selected;
        self.shape += other.shape;
        self.time += other.time;
        self.duration += other.duration;
        self.long += other.long;
        self.other += other.other;
    }

    fn reject(&mut self, reason: Reason) {
        *match reason {
            Reason::Shape => &mut self.shape,
            Reason::Time => &mut self.time,
            Reason::Duration => &mut self.duration,
            Reason::Long => &mut self.long,
        } += 1;
    }
}

impl Dialect {
    /// Nothing of this format yet.
    fn of(format: &Format) -> Dialect {
        let order = Order::default();
        Dialect {
            format: format.clone(),
            order,
            selected: 0,
            ends: 0,
            timeless_ends: 0,
        }
    }

    /// Whether times and durations of this format are read like its own.
    fn is_like(&self, format: &Format) -> bool {
        let own = &self.format;
        (own.unit(), own.guessed_unit(), own.mark())
            == (format.unit(), format.guessed_unit(), format.mark())
            && own.name() == format.name()
    }
}

impl Found {
    /// Where the first rejected record was left, and what should have stood
    /// there.
    pub fn first_rejected(&self) -> Option<String> {
        let Rejected { at, expected, .. } = self.first_reject.as_ref()?;
        Some(format!("byte {at}: expected {expected}"))
    }

    /// The dialect most of the selected records are in.
    pub fn main_dialect(&self) -> Option<usize> {
        let all = 0..self.dialects.len();
        all.rev().max_by_key(|&dialect| self.dialects[dialect].selected)
    }

    /// The number of this format's dialect, which is made if it is missing.
    pub(super) fn dialect(&mut self, format: &Format) -> u16 {
        let known =
            self.dialects.iter().position(|dialect| dialect.is_like(format));
        let known = known.unwrap_or(self.dialects.len());
        if known == self.dialects.len() {
            self.dialects.push(Dialect::of(format));
        }
        known as u16
    }

    /// Takes a record on a survey, `picked` as a stream or not.
    pub(super) fn survey(
        &mut self,
        record: &Record<'_>,
        field: KeyField,
        picked: bool,
    ) {
        self.requests.note(record);
        let key = self.everyone.of(record, field);
        if !picked || others::is_delete(record) {
            others::entry(&mut self.asked, key).note(record);
        }
    }

    /// Counts a rejected record.
    pub(super) fn reject(&mut self, line: Line<'_>, reject: Reject) {
        self.tally.reject(reject.reason);
        self.first_reject.get_or_insert_with(|| Rejected {
            at: line.offset + reject.at as u64,
            expected: reject.expected,
            shown: pointed(line.bytes, reject.at),
        });
    }

    /// Takes what the following records gave, whose dialects have these
    /// numbers here.
    fn absorb(&mut self, later: Found, dialects: &[u16]) {
        let ends = later.ends.into_iter();
        let ends =
            ends.map(|(dialect, when)| (dialects[usize::from(dialect)], when));
        self.ends.extend(ends);
        self.sampled = self.sampled.max(later.sampled);
        let everyone = self.everyone.absorb(&later.everyone);
        for (key, more) in everyone.into_iter().zip(later.asked) {
            others::entry(&mut self.asked, key).add(more);
        }
        self.tally.add(later.tally);
        if self.first_reject.is_none() {
            self.first_reject = later.first_reject;
        }
        self.requests.absorb(later.requests);
    }

    /// Takes the dialects of what follows; for each of them its number here.
    fn absorb_dialects(&mut self, later: &[Dialect]) -> Vec<u16> {
        let absorb = |dialect: &Dialect| {
            let number = self.dialect(&dialect.format);
            let own = &mut self.dialects[usize::from(number)];
            own.order.absorb(&dialect.order);
            own.selected += dialect.selected;
            own.ends += dialect.ends;
            own.timeless_ends += dialect.timeless_ends;
            number
        };
        later.iter().map(absorb).collect()
    }
}

//! What the bare times and durations of an input mean.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::astray;
use crate::collect::{
    Dialect, Found, Harvest, Marked, Order, Overrides, Reading, Row, When,
};
use crate::format::{Format, Mark};
use crate::time::{Micros, Unit};

/// The times of one input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputTimes {
    /// How the bare times of its dialects are read.
    pub readings: Vec<Reading>,
    /// The units their bare durations were read in.
    units: Vec<Unit>,
    /// When its first record was written.
    pub first: Option<Micros>,
    /// When its last one was.
    pub last: Option<Micros>,
}

/// The unit a dialect's bare durations were read in.
pub fn unit_of(dialect: &Dialect) -> Unit {
    dialect.format.unit().unwrap_or(Unit::Micros)
}

/// How a dialect's times are read.
pub fn reading(dialect: &Dialect, overrides: Overrides) -> Reading {
    let (was, order) = (unit_of(dialect), &dialect.order);
    let fixed = match dialect.format.mark() {
        Mark::Start => Some(Marked::Start),
        Mark::End => Some(Marked::End),
        Mark::Either => None,
    };
    match (overrides.marked, fixed, dialect.format.guessed_unit()) {
        (None, Some(marked), Some(likely)) => {
            order.decide(likely, true, Some(marked), marked)
        }
        (None, Some(marked), None) => Reading {
            marked,
            unit: was,
            reason: "fixed by the format".to_owned(),
            guessed: false,
        },
        (given, _, Some(unit)) => {
            // Whole numbers in text are most often Apache's, whose time is
            // the start; objects are most often written at the end.
            let likely = match dialect.format {
                Format::Clf(_) => Marked::Start,
                _ => Marked::End,
            };
            order.decide(unit, true, given, likely)
        }
        (given, _, None) => order.decide(was, false, given, Marked::End),
    }
}

/// The order of the records of all inputs, for each format.
pub(super) struct Orders(HashMap<String, Order>);

impl Orders {
    /// What all of these show together.
    pub(super) fn of(harvests: &[Harvest]) -> Orders {
        let mut orders: HashMap<String, Order> = HashMap::new();
        for dialect in harvests.iter().flat_map(|h| &h.found.dialects) {
            let name = dialect.format.name();
            orders.entry(name).or_default().add(&dialect.order);
        }
        Orders(orders)
    }
}

impl InputTimes {
    /// How an input's times are read; none is noted yet.
    ///
    /// Where its own records leave that open, those of all inputs of the
    /// format tell: the newest part of a log that is rotated is often short.
    pub(super) fn of(
        found: &Found,
        overrides: Overrides,
        orders: &Orders,
    ) -> InputTimes {
        let shared = |dialect: &Dialect| {
            let own = reading(dialect, overrides);
            if !own.is_undecided() && !own.guessed {
                return own;
            }
            let order = orders.0.get(&dialect.format.name()).copied();
            let order = order.unwrap_or_default();
            let all =
                reading(&Dialect { order, ..dialect.clone() }, overrides);
            let better = if own.is_undecided() {
                !all.is_undecided()
            } else {
                !all.guessed && all.marked == own.marked
            };
            let reason =
                format!("by all inputs of this format: {}", all.reason);
            if better { Reading { reason, ..all } } else { own }
        };
        let readings = found.dialects.iter().map(shared).collect();
        let units = found.dialects.iter().map(unit_of).collect();
        InputTimes { readings, units, first: None, last: None }
    }

    /// The time of a record of this input and dialect.
    pub(super) fn read(&self, dialect: u16, when: When) -> When {
        let dialect = usize::from(dialect);
        when.read(&self.readings[dialect], self.units[dialect])
    }

    /// The stretch in which it is plausible that its records were written.
    pub(super) fn plausible(
        &self,
        found: &Found,
        rows: &[Row],
    ) -> RangeInclusive<Micros> {
        let written =
            |(dialect, when): (u16, When)| self.read(dialect, when).written();
        let rows = rows.iter().map(|row| (row.dialect, row.when.into()));
        let ends = found.ends.iter().copied();
        let records = found.tally.records;
        astray::plausible(rows.map(written), ends.map(written), records)
    }

    /// Notes when a record was written.
    pub(super) fn note(&mut self, at: Micros) {
        self.first = least(self.first, Some(at));
        self.last = self.last.max(Some(at));
    }
}

impl When {
    /// With a bare time read as start or end; `was` is the unit its bare
    /// duration was read in.
    pub fn read(self, reading: &Reading, was: Unit) -> When {
        match self {
            When::Stamped(at, hold) => {
                let hold = reading.rescale(hold, was);
                match reading.marked {
                    Marked::End => When::Held(at, hold),
                    Marked::Start => When::Held(at + hold, hold),
                }
            }
            When::Seen(at) => match reading.marked {
                Marked::End => When::Ended(at),
                Marked::Start => When::Began(at),
            },
            known => known,
        }
    }
}

/// The earlier one of those that are known.
pub(super) fn least(
    one: Option<Micros>,
    two: Option<Micros>,
) -> Option<Micros> {
    match (one, two) {
        (Some(one), Some(two)) => Some(one.min(two)),
        (one, two) => one.or(two),
    }
}

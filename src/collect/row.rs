//! What is kept of a selected record: 48 bytes, whatever the log.

use std::hash::BuildHasher;

use crate::collect::{client::KeyId, response::Answer};
use crate::format::{EndedBy, Event, Record};
use crate::time::{Clock, Micros};

/// One selected record, its time not yet read as start or end where the
/// format leaves that open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it tells of time.
    pub when: Packed,
    /// Hash of its request id, 0 without one.
    pub id: u64,
    /// Whose it is.
    pub key: KeyId,
    /// The number of its input's dialect it belongs to.
    pub dialect: u16,
    /// Whether it only closes a stream, whose opening tells the rest.
    pub is_close: bool,
    /// Who ended it.
    pub ended_by: EndedBy,
    /// What the request was answered with.
    pub answer: Answer,
}

/// A [`When`] without the seven bytes of room between its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(Rust, packed)]
pub struct Packed {
    at: Micros,
    hold: Micros,
    kind: Kind,
}

/// What the times of a record are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Held,
    Stamped,
    Ended,
    Seen,
    Began,
    Opened,
}

impl From<When> for Packed {
    fn from(when: When) -> Packed {
        let (kind, hold) = match when {
            When::Held(_, hold) => (Kind::Held, hold),
            When::Stamped(_, hold) => (Kind::Stamped, hold),
            When::Ended(_) => (Kind::Ended, Micros::ZERO),
            When::Seen(_) => (Kind::Seen, Micros::ZERO),
            When::Began(_) => (Kind::Began, Micros::ZERO),
            When::Opened(_) => (Kind::Opened, Micros::ZERO),
        };
        Packed { at: when.written(), hold, kind }
    }
}

impl From<Packed> for When {
    fn from(packed: Packed) -> When {
        let Packed { at, hold, kind } = packed;
        match kind {
            Kind::Held => When::Held(at, hold),
            Kind::Stamped => When::Stamped(at, hold),
            Kind::Ended => When::Ended(at),
            Kind::Seen => When::Seen(at),
            Kind::Began => When::Began(at),
            Kind::Opened => When::Opened(at),
        }
    }
}

impl Row {
    /// Whether it was written as its stream opened.
    pub fn is_opening(&self) -> bool {
        self.when.kind == Kind::Opened
    }
}

/// What one record tells of a stream's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Its end and how long it was held.
    Held(Micros, Micros),
    /// A time that is its start or its end, and how long it was held.
    Stamped(Micros, Micros),
    /// Its end alone.
    Ended(Micros),
    /// A time that is its start or its end, alone.
    Seen(Micros),
    /// Its start, of a record that was written when it ended.
    Began(Micros),
    /// Its start, of a record that was written as it opened.
    Opened(Micros),
}

impl When {
    /// What this record tells; `None` when it has no time at all.
    ///
    /// Of two clocks the finer wins: a start and an end that are cut to
    /// whole seconds give way to one of them and the duration.
    pub fn of(record: &Record<'_>, arrival: Option<Micros>) -> Option<When> {
        if record.event == Event::Open {
            let at = record.start.or(record.end).or(record.stamp)?;
            return Some(When::Opened(at.at));
        }
        let arrived = |at| Clock { at, grain: Micros(1) };
        let hold = record.duration;
        let end = match (record.end, hold) {
            (None, None) => arrival.map(arrived),
            (end, _) => end,
        };
        Some(match (record.start, end, hold) {
            (Some(start), Some(end), hold) => both(start, end, hold),
            (Some(start), None, Some(hold)) => {
                When::Held(start.at + hold, hold)
            }
            (None, Some(end), Some(hold)) => When::Held(end.at, hold),
            (None, Some(end), None) => When::Ended(end.at),
            (Some(start), None, None) => When::Began(start.at),
            (None, None, hold) => bare(record.stamp?, hold),
        })
    }

    /// When the record was written, once it is read whether a bare time is
    /// its start or its end.
    pub fn written(self) -> Micros {
        match self {
            When::Held(at, _)
            | When::Stamped(at, _)
            | When::Ended(at)
            | When::Seen(at)
            | When::Began(at)
            | When::Opened(at) => at,
        }
    }
}

/// Both times are known, and perhaps the duration.
fn both(start: Clock, end: Clock, hold: Option<Micros>) -> When {
    let coarse = Micros(100_000);
    match hold {
        Some(hold) if end.grain >= coarse && start.grain < coarse => {
            When::Held(start.at + hold, hold)
        }
        Some(hold) if start.grain >= coarse => When::Held(end.at, hold),
        // A clock that was set back must not make a negative hold.
        _ => When::Held(end.at, (end.at - start.at).max(Micros::ZERO)),
    }
}

/// Only a bare stamp is known, and perhaps the duration.
fn bare(stamp: Clock, hold: Option<Micros>) -> When {
    match hold {
        Some(hold) => When::Stamped(stamp.at, hold),
        None => When::Seen(stamp.at),
    }
}

/// The hash of a request id; 0 says there is none.
pub fn id_hash(record: &Record<'_>, hasher: &impl BuildHasher) -> u64 {
    match &*record.request_id {
        b"" | b"-" => 0,
        id if record.process.is_empty() => hasher.hash_one(id).max(1),
        id => hasher.hash_one((id, &*record.process)).max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(at: i64, grain: i64) -> Option<Clock> {
        Some(Clock { at: Micros(at), grain: Micros(grain) })
    }

    #[test]
    fn a_row_is_small() {
        assert_eq!((size_of::<Row>(), size_of::<Packed>()), (48, 17));
    }

    #[test]
    fn times_are_packed_without_loss() {
        let (at, hold) = (Micros(i64::MIN + 7), Micros(i64::MAX - 7));
        for when in [
            When::Held(at, hold),
            When::Stamped(at, hold),
            When::Ended(at),
            When::Seen(at),
            When::Began(at),
            When::Opened(at),
        ] {
            assert_eq!(When::from(Packed::from(when)), when);
        }
    }

    #[test]
    fn the_finer_clock_wins() {
        let record = |start, end, hold: i64| Record {
            start,
            end,
            duration: Some(Micros(hold)),
            ..Record::default()
        };
        let second = 1_000_000;
        let of = |record| When::of(&record, None).unwrap();
        let fine = of(record(clock(5, 1), clock(25, 1), 19));
        assert_eq!(fine, When::Held(Micros(25), Micros(20)));
        let start = of(record(clock(5, 1), clock(25, second), 19));
        assert_eq!(start, When::Held(Micros(24), Micros(19)));
        let end = of(record(clock(5, second), clock(25, 1), 19));
        assert_eq!(end, When::Held(Micros(25), Micros(19)));
    }

    #[test]
    fn a_start_alone_waits_for_its_arrival_and_never_ends_at_once() {
        let record = Record { start: clock(5, 1), ..Record::default() };
        assert_eq!(When::of(&record, None), Some(When::Began(Micros(5))));
        let live = When::of(&record, Some(Micros(9)));
        assert_eq!(live, Some(When::Held(Micros(9), Micros(4))));
    }

    #[test]
    fn an_opening_is_its_start_whatever_its_time_is_called() {
        let end = Record {
            end: clock(7, 1),
            duration: Some(Micros::ZERO),
            event: Event::Open,
            ..Record::default()
        };
        assert_eq!(When::of(&end, None), Some(When::Opened(Micros(7))));
    }

    #[test]
    fn a_clock_set_back_makes_no_negative_hold() {
        let record = Record {
            start: clock(9, 1),
            end: clock(5, 1),
            ..Record::default()
        };
        let held = When::of(&record, None);
        assert_eq!(held, Some(When::Held(Micros(5), Micros::ZERO)));
    }
}

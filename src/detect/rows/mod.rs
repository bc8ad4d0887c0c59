//! The streams of one endpoint template, grouped by unit and in order.

pub(crate) mod bursts;

use std::ops::Range;

use crate::detect::log::Log;
use crate::format::EndedBy;
use crate::streams::Stream;
use crate::time::Micros;

/// How long after the log's end a stream that is still open is taken to
/// close: never in the log, and a number that arithmetic can bear.
const LATER: Micros = Micros::from_secs(10_000_000);

/// One stream. Its instants count from the log's first line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) opened: Micros,
    /// When it was closed; [`LATER`] after the log's end if it is open.
    pub(crate) closed: Micros,
    /// When the burst it belongs to began.
    pub(crate) burst: Micros,
    /// When its unit's next burst began, `Micros(i64::MAX)` if there is none.
    pub(crate) superseded: Micros,
    /// Its unit's number within the endpoint.
    pub(crate) unit: u32,
    /// Whether it is known to have ended.
    pub(crate) ended: bool,
    /// Whether its burst began a visit of the unit.
    pub(crate) visit: bool,
    pub(crate) ended_by: EndedBy,
}

impl Row {
    /// How long it was held.
    pub(crate) fn hold(&self) -> Micros {
        self.closed - self.opened
    }

    /// Whether its unit opened a newer burst while it was open.
    pub(crate) fn is_superseded(&self) -> bool {
        self.superseded < self.closed
    }

    /// How long it was open after it had been superseded.
    pub(crate) fn lag(&self) -> Option<Micros> {
        self.is_superseded().then(|| self.closed - self.superseded)
    }
}

/// A unit: the streams of one client at the endpoint.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    /// Its name in the log: the streams' key.
    pub(crate) name: u32,
    /// Where its rows are.
    pub(crate) rows: Range<usize>,
}

/// The streams of an endpoint by unit, each unit's in order of opening.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) rows: Vec<Row>,
    /// The units in order of their names.
    pub(crate) units: Vec<Unit>,
    /// The rows' numbers by unit, each unit's in order of closing.
    pub(crate) by_end: Vec<usize>,
    /// How long the log is.
    pub(crate) length: Micros,
}

impl Rows {
    /// Of the streams of one endpoint, which are in order of their units and
    /// of opening.
    pub(crate) fn new(log: &Log<'_>, streams: &[Stream]) -> Rows {
        let mut rows = Vec::with_capacity(streams.len());
        let mut units = Vec::new();
        for own in streams.chunk_by(|a, b| a.key == b.key) {
            let number = units.len() as u32;
            let from = rows.len();
            rows.extend(own.iter().map(|stream| row(stream, number, log)));
            bursts::mark(&mut rows[from..]);
            units.push(Unit { name: own[0].key.0, rows: from..rows.len() });
        }
        let by_end = by_end(&rows, &units);
        Rows { rows, units, by_end, length: log.length() }
    }

    /// How many streams there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// When the log ends, in seconds from its first line.
    pub(crate) fn end(&self) -> f64 {
        self.length.as_secs()
    }
}

fn row(stream: &Stream, unit: u32, log: &Log<'_>) -> Row {
    let opened = stream.opened - log.first;
    let closed = match stream.closed {
        Some(closed) => (closed - log.first).max(opened),
        None => (log.length() + LATER).max(opened),
    };
    Row {
        opened,
        closed,
        burst: opened,
        superseded: Micros(i64::MAX),
        unit,
        ended: stream.closed.is_some(),
        visit: true,
        ended_by: stream.ended_by,
    }
}

fn by_end(rows: &[Row], units: &[Unit]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    for unit in units {
        order[unit.rows.clone()].sort_by_key(|&at| rows[at].closed);
    }
    order
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::collect::KeyId;
    use crate::detect::log::Openings;

    /// Streams by whole seconds: whose, opened, closed; open where that is
    /// after the log's end.
    pub(crate) fn streams(all: &[(u32, i64, i64)], end: i64) -> Vec<Stream> {
        let stream = |&(unit, opened, closed): &(u32, i64, i64)| {
            let closed = (closed <= end).then(|| Micros::from_secs(closed));
            Stream::new(Micros::from_secs(opened), closed, KeyId(unit))
        };
        all.iter().map(stream).collect()
    }

    /// A log of so many seconds.
    pub(crate) fn log(streams: &[Stream], end: i64) -> Log<'_> {
        Log {
            streams,
            endpoints: &[],
            first: Micros::ZERO,
            last: Micros::from_secs(end),
            resolution: Micros::SECOND,
            openings: Openings::Unlogged,
        }
    }

    /// The rows of such streams.
    pub(crate) fn rows(all: &[(u32, i64, i64)], end: i64) -> Rows {
        let mut streams = streams(all, end);
        streams.sort_by_key(|stream| (stream.key, stream.opened));
        Rows::new(&log(&streams, end), &streams)
    }

    #[test]
    fn units_are_numbered_by_name_and_ends_put_in_order() {
        let rows = rows(&[(7, 5, 9), (3, 1, 50), (3, 2, 20)], 60);
        let names: Vec<u32> = rows.units.iter().map(|u| u.name).collect();
        assert_eq!(names, [3, 7]);
        assert_eq!(rows.units[0].rows, 0..2);
        assert_eq!(rows.by_end, [1, 0, 2]);
        assert_eq!(rows.rows[2].unit, 1);
    }

    #[test]
    fn an_open_stream_is_held_far_beyond_the_log() {
        let rows = rows(&[(0, 5, 99)], 60);
        assert!(!rows.rows[0].ended);
        assert_eq!(rows.rows[0].closed, rows.length + LATER);
    }

    #[test]
    fn an_end_before_its_opening_is_one_at_it() {
        let rows = rows(&[(0, 5, 3)], 60);
        assert_eq!(rows.rows[0].hold(), Micros::ZERO);
    }
}

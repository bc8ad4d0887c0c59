//! When streams were opened and closed: what restarts are looked for in.

use crate::series::timeline::Row;
use crate::time::Micros;

/// Closings and openings, each in order of time; instants are those of a
/// timeline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// When a stream was closed, and how long it had been held. Of those at
    /// one instant the shortest is first.
    pub closings: Vec<(Micros, Micros)>,
    /// When one was opened, ended or not.
    pub openings: Vec<Micros>,
}

impl Events {
    /// Those of these streams.
    pub fn of<'a>(rows: impl Iterator<Item = &'a Row> + Clone) -> Events {
        let mut openings: Vec<Micros> =
            rows.clone().map(|row| row.opened).collect();
        openings.sort_unstable();
        let mut closings: Vec<(Micros, Micros)> = rows
            .filter(|row| !row.open)
            .map(|row| (row.closed, row.hold()))
            .collect();
        closings.sort_unstable();
        Events { closings, openings }
    }

    /// How many streams are open just before this instant.
    pub fn open(&self, at: Micros) -> usize {
        let opened = self.openings.partition_point(|time| *time < at);
        let closed = self.closings.partition_point(|(time, _)| *time < at);
        opened.saturating_sub(closed)
    }
}

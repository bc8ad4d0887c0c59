//! Streams in the order of their keys, and which of them are superseded.

use crate::collect::KeyId;
use crate::format::EndedBy;
use crate::streams::Stream;
use crate::time::Micros;

/// One stream on a [`Timeline`]; its instants are relative to the timeline's
/// origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// When it was opened.
    pub opened: Micros,
    /// When it was closed, or the horizon if it never was.
    pub closed: Micros,
    /// Who it belongs to.
    pub key: KeyId,
    /// Whether it is known to be open at the log's end.
    pub open: bool,
    /// Whether its key opened another stream before this one was closed.
    pub superseded: bool,
    /// Whether its client is known to have ended it.
    pub by_client: bool,
}

impl Row {
    /// How long it was held; for an open one, up to the horizon.
    pub fn hold(&self) -> Micros {
        self.closed - self.opened
    }
}

/// Streams in the order of their keys, and of their opening within a key.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    rows: Vec<Row>,
}

impl Timeline {
    /// The timeline of streams, which stand in the order of
    /// [`Stream::order`] but for those of tests. Instants become relative to
    /// `origin`; a stream that is open ends at `horizon` (absolute), which
    /// must lie beyond every instant that will be asked about.
    pub fn new(
        streams: &[Stream],
        origin: Micros,
        horizon: Micros,
    ) -> Timeline {
        let row = |stream: &Stream| Row {
            opened: stream.opened - origin,
            closed: stream.closed.unwrap_or(horizon).max(stream.opened)
                - origin,
            key: stream.key,
            open: stream.closed.is_none(),
            superseded: false,
            by_client: stream.ended_by == EndedBy::Client,
        };
        let mut rows: Vec<Row> = streams.iter().map(row).collect();
        // The join has sorted them; a caller of the library may not have.
        rows.sort_by_key(|row| (row.key, row.opened, row.closed));
        mark_superseded(&mut rows);
        Timeline { rows }
    }

    /// All streams.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The streams of one key after another.
    pub fn keys(&self) -> impl Iterator<Item = &[Row]> {
        self.rows.chunk_by(|a, b| a.key == b.key)
    }

    /// The superseded streams.
    pub fn superseded(&self) -> impl Iterator<Item = &Row> + Clone {
        self.rows.iter().filter(|row| row.superseded)
    }
}

/// Marks the rows whose key opened another stream before they were closed.
/// If any later stream of the key overlaps, the very next one does.
fn mark_superseded(rows: &mut [Row]) {
    for at in 1..rows.len() {
        let next = rows[at];
        let row = &mut rows[at - 1];
        row.superseded = row.key == next.key && next.opened < row.closed;
    }
}

/// Joins the intervals of one key, in the order of their opening, where they
/// overlap or touch.
pub fn union<T: Copy + PartialOrd>(
    intervals: impl Iterator<Item = (T, T)>,
) -> impl Iterator<Item = (T, T)> {
    let mut intervals = intervals.peekable();
    std::iter::from_fn(move || {
        let (from, mut until) = intervals.next()?;
        while let Some((_, end)) = intervals.next_if(|next| next.0 <= until) {
            if end > until {
                until = end;
            }
        }
        Some((from, until))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream by whole seconds.
    fn stream(opened: i64, closed: i64, key: u32) -> Stream {
        Stream::new(
            Micros::from_secs(opened),
            Some(Micros::from_secs(closed)),
            KeyId(key),
        )
    }

    #[test]
    fn a_stream_is_superseded_by_a_later_one_of_its_own_key_only() {
        let streams = [stream(0, 60, 0), stream(10, 20, 1), stream(30, 90, 0)];
        let timeline =
            Timeline::new(&streams, Micros::ZERO, Micros::from_secs(999));
        let marks: Vec<_> =
            timeline.rows().iter().map(|r| (r.key.0, r.superseded)).collect();
        assert_eq!(marks, [(0, true), (0, false), (1, false)]);
    }
}

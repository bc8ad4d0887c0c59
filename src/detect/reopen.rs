//! Whether streams that are closed are opened again one for one.

use crate::series::{Row, Timeline};
use crate::stats::median;
use crate::time::Micros;

/// How long a client may take to open a stream again: 35 s, the longest
/// usual back-off of 30 s and a slow connection.
pub const WITHIN: Micros = Micros::from_secs(35);

/// Closings and what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reopenings {
    /// Streams whose closing was followed long enough to tell.
    pub closed: u64,
    /// Those of them whose client opened another within [`WITHIN`].
    pub reopened: u64,
    /// The median time between, in seconds; below 0 where the next stream
    /// is opened before the old one closes.
    pub gap: f64,
}

impl Reopenings {
    /// Pairs each closing up to `until` with one opening by the same client,
    /// first come first served; both in the timeline's time. An opening may
    /// come `early` before the closing: some clients open the next stream
    /// first.
    pub fn of(
        timeline: &Timeline,
        until: Micros,
        early: Micros,
    ) -> Reopenings {
        let mut found = Reopenings::default();
        let mut gaps = Vec::new();
        for rows in timeline.keys() {
            let closings = closings(rows, until - WITHIN);
            found.closed += closings.len() as u64;
            gaps.extend(pairs(rows, &closings, early));
        }
        found.reopened = gaps.len() as u64;
        Reopenings { gap: median(gaps).unwrap_or(0.0), ..found }
    }

    /// The share of the closings that were followed by an opening, 0 to 1.
    pub fn share(&self) -> f64 {
        self.reopened as f64 / self.closed.max(1) as f64
    }
}

/// When one client's streams were closed, in order.
fn closings(rows: &[Row], until: Micros) -> Vec<Micros> {
    let within = |at: &Micros| *at >= Micros::ZERO && *at <= until;
    let closed = rows.iter().filter(|row| !row.open).map(|row| row.closed);
    let mut closed: Vec<Micros> = closed.filter(within).collect();
    closed.sort_unstable();
    closed
}

/// The seconds from each closing to the opening it is paired with.
fn pairs(rows: &[Row], closings: &[Micros], early: Micros) -> Vec<f64> {
    let mut waiting = closings.iter().peekable();
    let mut gaps = Vec::new();
    for row in rows {
        let too_late = |at: &&Micros| **at + WITHIN < row.opened;
        while waiting.next_if(too_late).is_some() {}
        if let Some(at) = waiting.next_if(|at| **at <= row.opened + early) {
            gaps.push((row.opened - *at).as_secs());
        }
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::KeyId;
    use crate::streams::Stream;

    /// Streams by key, opening and closing in seconds.
    fn reopenings(streams: &[(u32, i64, i64)]) -> Reopenings {
        let one = |&(key, opened, closed): &(u32, i64, i64)| {
            Stream::new(
                Micros::from_secs(opened),
                Some(Micros::from_secs(closed)),
                KeyId(key),
            )
        };
        let streams: Vec<Stream> = streams.iter().map(one).collect();
        let timeline = Timeline::new(&streams, Micros::ZERO, Micros::HOUR);
        let early = Micros::from_secs(3);
        Reopenings::of(&timeline, Micros::from_secs(1_000), early)
    }

    #[test]
    fn a_chain_is_reopened_one_for_one() {
        let chain: Vec<(u32, i64, i64)> =
            (0..10).map(|k| (0, k * 62, k * 62 + 60)).collect();
        let found = reopenings(&chain);
        // The last one's is not followed by any.
        assert_eq!((found.closed, found.reopened), (10, 9));
        assert!((found.gap - 2.0).abs() < 1e-9);
        assert!((found.share() - 0.9).abs() < 1e-9);
    }

    #[test]
    fn an_opening_a_little_early_counts_and_one_much_earlier_does_not() {
        let of = |early: i64| {
            let chain: Vec<(u32, i64, i64)> = (0..10)
                .map(|k| (0, k * (60 - early), k * (60 - early) + 60))
                .collect();
            reopenings(&chain).reopened
        };
        assert_eq!((of(2), of(20)), (9, 8));
    }

    #[test]
    fn another_client_or_one_that_comes_late_reopens_nothing() {
        assert_eq!(reopenings(&[(0, 0, 60), (1, 61, 200)]).reopened, 0);
        assert_eq!(reopenings(&[(0, 0, 60), (0, 96, 200)]).reopened, 0);
        assert_eq!(reopenings(&[(0, 0, 60), (0, 95, 200)]).reopened, 1);
        // One opening answers for one closing.
        let two = [(0, 0, 60), (0, 0, 61), (0, 70, 200)];
        assert_eq!(reopenings(&two).reopened, 1);
    }

    #[test]
    fn closings_near_the_logs_end_are_not_asked() {
        assert_eq!(reopenings(&[(0, 0, 965)]).closed, 1);
        assert_eq!(reopenings(&[(0, 0, 966)]).closed, 0);
    }
}

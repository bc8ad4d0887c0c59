//! Bursts: what a unit opens at one go, such as the streams of one page.
//!
//! A stream is superseded when its unit begins a newer burst, not when it
//! opens any other stream: pages that open several at once replace nothing
//! (specification, section 2).

use crate::detect::rows::Row;
use crate::time::Micros;

/// How long after its first opening a burst still takes openings in.
const BURST: Micros = Micros::from_secs(2);

/// A burst begins a visit if its unit had had nothing open for longer.
const IDLE: Micros = Micros::from_secs(10);

/// Marks the bursts of one unit's rows, which are in order of opening: each
/// row's `burst`, `superseded` and `visit`.
pub(crate) fn mark(rows: &mut [Row]) {
    forwards(rows);
    backwards(rows);
}

/// Where bursts begin, and which of them begin a visit.
fn forwards(rows: &mut [Row]) {
    let Some(first) = rows.first() else { return };
    let (mut burst, mut visit) = (first.opened, true);
    let mut open_until = first.closed;
    for row in rows {
        if row.opened - burst > BURST {
            visit = row.opened > open_until + IDLE;
            burst = row.opened;
        }
        row.burst = burst;
        row.visit = visit;
        open_until = open_until.max(row.closed);
    }
}

/// When the next burst begins.
fn backwards(rows: &mut [Row]) {
    let Some(last) = rows.last() else { return };
    let (mut burst, mut next) = (last.burst, Micros(i64::MAX));
    for row in rows.iter_mut().rev() {
        if row.burst != burst {
            next = burst;
            burst = row.burst;
        }
        row.superseded = next;
    }
}

#[cfg(test)]
mod tests {
    use crate::detect::rows::Row;
    use crate::detect::rows::tests::rows;
    use crate::time::Micros;

    /// Of one unit: when each row's burst began and when it was superseded,
    /// in seconds, and whether it began a visit.
    fn marks(streams: &[(i64, i64)]) -> Vec<(i64, Option<i64>, bool)> {
        let all: Vec<(u32, i64, i64)> = streams
            .iter()
            .map(|&(opened, closed)| (0, opened, closed))
            .collect();
        let secs = |at: Micros| at.0 / 1_000_000;
        let rows = rows(&all, 10_000);
        let mark = |row: &Row| {
            let superseded = row.superseded < Micros(i64::MAX);
            let at = superseded.then(|| secs(row.superseded));
            (secs(row.burst), at, row.visit)
        };
        rows.rows.iter().map(mark).collect()
    }

    #[test]
    fn a_page_of_several_streams_replaces_none_of_its_own() {
        let page = [(0, 100), (1, 100), (2, 100), (60, 100)];
        assert_eq!(
            marks(&page),
            [
                (0, Some(60), true),
                (0, Some(60), true),
                (0, Some(60), true),
                (60, None, false),
            ]
        );
    }

    // 4 s is within 2 s of the opening before, not of the burst's first.
    #[test]
    fn a_burst_is_measured_from_its_first_opening() {
        let marks = marks(&[(0, 9), (2, 9), (4, 9), (6, 9)]);
        let bursts: Vec<i64> = marks.iter().map(|mark| mark.0).collect();
        assert_eq!(bursts, [0, 0, 4, 4]);
    }

    #[test]
    fn a_visit_begins_after_ten_seconds_of_nothing() {
        let marks = marks(&[(0, 50), (20, 30), (60, 70), (81, 90)]);
        let visits: Vec<bool> = marks.iter().map(|mark| mark.2).collect();
        assert_eq!(visits, [true, false, false, true]);
    }
}

//! What is known of the end of each stream, and what it is taken for
//! (specification, section 2 and steps 1 to 4).

pub(crate) mod ages;
pub(crate) mod ceilings;
pub(crate) mod crowds;
pub(crate) mod gaps;
pub(crate) mod held;
pub(crate) mod releases;
pub(crate) mod renewals;
pub(crate) mod restarts;

use crate::detect::ends::ceilings::Ceilings;
use crate::detect::ends::gaps::Gaps;
use crate::detect::ends::held::Held;
use crate::detect::ends::releases::Releases;
use crate::detect::ends::renewals::Renewals;
use crate::detect::ends::restarts::{Restart, Whose};
use crate::detect::rows::{Row, Rows};
use crate::format::EndedBy;
use crate::time::Micros;

/// After being superseded for a shorter time no stream is called reaped.
const LEAST_LAG: Micros = Micros::from_secs(30);

/// A ceiling exists for the whole endpoint if what it cut had held this
/// share of the time of all natural ends.
const CEILING_SHARE: f64 = 0.2;

/// The marks of one end. Several may hold at once: an end at a ceiling's age
/// may lie in a restart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct End {
    /// It is known to have ended.
    pub(crate) ended: bool,
    /// At a ceiling of all holds.
    pub(crate) cut: bool,
    /// In a restart.
    pub(crate) restarted: bool,
    /// In a restart or in a release of its unit's own.
    pub(crate) released: bool,
    /// Superseded for long, and ended neither so nor by a ceiling: it may
    /// have been reaped.
    pub(crate) lagging: bool,
    /// Lagging, and at a ceiling of the time since it was superseded.
    pub(crate) reaped: bool,
    /// Answered by an opening at once.
    pub(crate) renewed: bool,
    /// By choice of its client, as far as one can tell.
    pub(crate) chosen: bool,
}

impl End {
    /// Not closed with many others.
    pub(crate) fn natural(self) -> bool {
        self.ended && !self.released
    }

    /// Natural, and at no ceiling of any kind.
    pub(crate) fn uncut(self) -> bool {
        self.natural() && !self.cut && !self.reaped
    }
}

/// The ends of an endpoint's streams.
#[derive(Clone, Debug)]
pub(crate) struct Ends {
    /// By row.
    pub(crate) ends: Vec<End>,
    pub(crate) ceilings: Ceilings,
    pub(crate) restarts: Vec<Restart>,
    /// By unit: the most superseded streams at once.
    pub(crate) peaks: Vec<usize>,
    pub(crate) gaps: Gaps,
    pub(crate) renewals: Renewals,
    /// Whether ceilings cut so much that no end counts as renewed.
    pub(crate) has_ceiling: bool,
}

impl Ends {
    /// Of these streams, in a log whose clock has this resolution.
    pub(crate) fn of(rows: &Rows, resolution: Micros) -> Ends {
        let ended = rows.rows.iter().filter(|row| row.ended);
        let ceilings = Ceilings::of(ended.map(Row::hold));
        let cut = |row: &Row| is_cut(row, &ceilings);
        let mut ends: Vec<End> = rows
            .rows
            .iter()
            .map(|row| End {
                ended: row.ended,
                cut: cut(row),
                ..End::default()
            })
            .collect();
        let restarts = find_restarts(rows, &ends);
        let releases = Releases::of(rows);
        mark_released(&mut ends, rows, &restarts, &releases);
        mark_reaped(&mut ends, rows);
        let gaps = Gaps::of(rows, resolution);
        let renewals = Renewals::of(rows, &gaps, resolution);
        let has_ceiling = has_ceiling(rows, &ends);
        mark_chosen(&mut ends, rows, &renewals, has_ceiling);
        let peaks = releases.peaks;
        Ends { ends, ceilings, restarts, peaks, gaps, renewals, has_ceiling }
    }

    /// Whether renewals are what this endpoint's ends are like.
    pub(crate) fn renews(&self) -> bool {
        self.renewals.any() && !self.has_ceiling
    }
}

/// A log that says who ended a stream knows better than its age does.
fn is_cut(row: &Row, ceilings: &Ceilings) -> bool {
    row.ended
        && match row.ended_by {
            EndedBy::Client => false,
            EndedBy::Unknown | EndedBy::Server => ceilings.at(row.hold()),
        }
}

/// Looks for restarts in the first stream of each burst: the streams of a
/// page count once.
fn find_restarts(rows: &Rows, ends: &[End]) -> Vec<Restart> {
    let mut held: Vec<Held> = Vec::with_capacity(rows.len());
    let mut before: Option<(u32, Micros)> = None;
    for (row, end) in rows.rows.iter().zip(ends) {
        let burst = Some((row.unit, row.burst));
        if burst != before {
            held.push(Held {
                from: row.opened,
                until: row.closed,
                unit: row.unit,
                counts: in_log(row, rows.length) && !end.cut,
            });
        }
        before = burst;
    }
    restarts::find(&held, rows.length, Whose::Units)
}

/// Whether a stream ended in the log, which shows its last second's ends.
pub(crate) fn in_log(row: &Row, length: Micros) -> bool {
    row.ended && row.closed < length + Micros::SECOND
}

fn mark_released(
    ends: &mut [End],
    rows: &Rows,
    restarts: &[Restart],
    releases: &Releases,
) {
    for (at, (row, end)) in rows.rows.iter().zip(ends).enumerate() {
        end.restarted = end.ended && restarts::within(restarts, row.closed);
        end.released = end.restarted || releases.released[at];
    }
}

/// Marks what was closed a fixed time after it had been replaced.
fn mark_reaped(ends: &mut [End], rows: &Rows) {
    let mut lags = Vec::new();
    for (row, end) in rows.rows.iter().zip(ends.iter_mut()) {
        let Some(lag) = row.lag() else { continue };
        end.lagging = end.natural() && !end.cut && lag > LEAST_LAG;
        if end.lagging {
            lags.push(lag);
        }
    }
    let reapers = Ceilings::of(lags.into_iter());
    for (row, end) in rows.rows.iter().zip(ends) {
        let reaped = |lag| reapers.at(lag) && row.ended_by != EndedBy::Client;
        end.reaped = end.lagging && row.lag().is_some_and(reaped);
    }
}

fn has_ceiling(rows: &Rows, ends: &[End]) -> bool {
    let (mut cut, mut natural) = (0_i128, 0_i128);
    for (row, end) in rows.rows.iter().zip(ends) {
        let hold = i128::from(row.hold().0);
        cut += if end.cut { hold } else { 0 };
        natural += if end.natural() { hold } else { 0 };
    }
    let any = ends.iter().any(|end| end.cut);
    any && cut as f64 >= CEILING_SHARE * natural as f64
}

fn mark_chosen(
    ends: &mut [End],
    rows: &Rows,
    renewals: &Renewals,
    has_ceiling: bool,
) {
    for (at, (row, end)) in rows.rows.iter().zip(ends).enumerate() {
        end.renewed = renewals.renewed[at];
        let free =
            has_ceiling || !end.renewed || row.ended_by == EndedBy::Client;
        end.chosen = end.uncut() && free;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::rows::tests::{log, rows, streams};

    fn count(ends: &Ends, such: impl Fn(&End) -> bool) -> usize {
        ends.ends.iter().filter(|end| such(end)).count()
    }

    /// Streams 100 s apart, each closed so long after the next was opened.
    fn lagging(lag: i64) -> Vec<(u32, i64, i64)> {
        let opened = |k: i64| k * 100 + k * k % 40;
        (0..40).map(|k| (0, opened(k), opened(k + 1) + lag)).collect()
    }

    fn of(all: &[(u32, i64, i64)]) -> Ends {
        Ends::of(&rows(all, 100_000), Micros::SECOND)
    }

    #[test]
    fn what_is_closed_a_fixed_time_after_it_was_replaced_was_reaped() {
        let ends = of(&lagging(60));
        // The last one was never replaced.
        assert_eq!(count(&ends, |end| end.reaped), 39);
        assert_eq!(count(&ends, |end| end.chosen && end.reaped), 0);
        assert_eq!(count(&of(&lagging(28)), |end| end.lagging), 0);
        assert_eq!(count(&of(&lagging(31)), |end| end.lagging), 39);
    }

    /// Sixty streams of one unit, one after another, cut at a minute.
    fn cut(ended_by: EndedBy) -> Ends {
        let all: Vec<(u32, i64, i64)> =
            (0..60).map(|k| (0, k * 80, k * 80 + 60)).collect();
        let mut streams = streams(&all, 10_000);
        streams.iter_mut().for_each(|stream| stream.ended_by = ended_by);
        let rows = Rows::new(&log(&streams, 10_000), &streams);
        Ends::of(&rows, Micros::SECOND)
    }

    #[test]
    fn a_log_that_says_who_ended_a_stream_is_believed() {
        let cuts = |ended_by| count(&cut(ended_by), |end| end.cut);
        assert_eq!(cuts(EndedBy::Unknown), 60);
        assert_eq!(cuts(EndedBy::Server), 60);
        assert_eq!(cuts(EndedBy::Client), 0);
        let chosen = |ended_by| count(&cut(ended_by), |end| end.chosen);
        assert_eq!(chosen(EndedBy::Client), 60);
    }

    #[test]
    fn where_ceilings_cut_nearly_all_no_end_counts_as_renewed() {
        assert!(cut(EndedBy::Unknown).has_ceiling);
        assert!(!cut(EndedBy::Client).has_ceiling);
        assert!(!of(&lagging(60)).has_ceiling);
    }
}

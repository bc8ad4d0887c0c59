//! Abandoned: streams that a ceiling cut and that their client did not open
//! again, where others open theirs again (specification, step 8).

use serde::Serialize;

use std::ops::Range;

use crate::detect::ends::renewals;
use crate::detect::ends::{End, Ends};
use crate::detect::rates::exposure::References;
use crate::detect::rates::holds::Holds;
use crate::detect::rows::{Row, Rows, Unit};
use crate::stats;
use crate::stats::median;
use crate::time::Micros;

/// The gaps within which others may open again.
const GAPS: [Micros; 4] = [
    Micros(500_000),
    Micros::from_secs(2),
    Micros::from_secs(5),
    Micros::from_secs(35),
];

/// The share of current cut streams that must be opened again within one.
const SHARE: f64 = 0.8;

/// Current cut streams that this takes.
const LEAST_CURRENT: usize = 10;

/// Superseded cut streams that a unit needs.
const LEAST: usize = 5;

/// The most that chance may answer.
const CHANCE: f64 = 0.3;

/// Under the null hypothesis at least so many of them are opened again.
const ANSWERED: f64 = 0.5;

/// The share of holds that are over before the log's end: later ends may be
/// answered by a stream that has not ended.
const HELD: f64 = 0.99;

/// How soon current streams that were cut are opened again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reopening {
    /// The gap within which most are.
    pub within: Micros,
    /// The share that is, each client counting once.
    pub share: f64,
}

/// What became of a unit's superseded streams that were cut.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Abandoned {
    /// How many were cut.
    pub cut: u64,
    /// How many of those were opened again as soon as others'.
    pub answered: u64,
    /// The median age at which they were cut, in seconds.
    pub at: f64,
    /// How likely so few are if half of such streams are opened again.
    pub p: f64,
}

/// What abandoned streams of units are compared with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Others {
    pub(crate) reopening: Option<Reopening>,
    /// Ends after this instant, in seconds, are left out.
    known_until: f64,
    resolution: Micros,
}

impl Others {
    /// How all current cut streams are reopened, if most are soon. `holds` are
    /// those that no restart cut short.
    pub(crate) fn of(
        rows: &Rows,
        ends: &Ends,
        references: &References,
        holds: &Holds,
        resolution: Micros,
    ) -> Others {
        let known_until = rows.end() - holds.quantile(HELD);
        let is_current_cut = |(row, end): (&Row, &End)| {
            end.cut
                && !row.is_superseded()
                && row.closed.as_secs() <= known_until
        };
        let such =
            |&at: &usize| is_current_cut((&rows.rows[at], &ends.ends[at]));
        let cut: Vec<usize> = (0..rows.len()).filter(such).collect();
        let weight =
            |at: &usize| references.weights[rows.rows[*at].unit as usize];
        let all: f64 = cut.iter().map(weight).sum();
        let answered = |gap: Micros| -> f64 {
            let soon = |at: &&usize| ends.gaps.after_end[**at] <= gap;
            cut.iter().filter(soon).map(weight).sum()
        };
        let gaps = GAPS.map(|gap| gap + resolution).into_iter();
        let reopening = gaps
            .map(|within| (within, answered(within)))
            .find(|(_, answered)| *answered >= SHARE * all)
            .filter(|_| cut.len() >= LEAST_CURRENT)
            .map(|(within, answered)| Reopening {
                within,
                share: answered / all,
            });
        Others { reopening, known_until, resolution }
    }

    /// What became of the cut streams of one unit. `None` where others do
    /// not reopen, with too few, or where chance may answer.
    pub(crate) fn abandoned(
        &self,
        rows: &Rows,
        ends: &Ends,
        unit: &Unit,
    ) -> Option<Abandoned> {
        let within = self.reopening?.within;
        let gap = (within + self.resolution).as_secs();
        let span = renewals::span(rows, unit);
        let streams = unit.rows.len() as f64;
        let cut = self.cut(rows, ends, unit.rows.clone());
        if cut.len() < LEAST
            || renewals::by_chance(streams, span, gap) > CHANCE
        {
            return None;
        }
        let soon = |at: &&usize| ends.gaps.after_end[**at] <= within;
        let answered = cut.iter().filter(soon).count() as u64;
        let all = cut.len() as u64;
        let ages = cut.iter().map(|&at| rows.rows[at].hold().as_secs());
        Some(Abandoned {
            cut: all,
            answered,
            at: median(ages.collect()).unwrap_or(0.0),
            p: stats::binomial_at_most(answered, all, ANSWERED),
        })
    }

    /// The superseded streams among these that were cut in time.
    fn cut(
        &self,
        rows: &Rows,
        ends: &Ends,
        among: Range<usize>,
    ) -> Vec<usize> {
        let is_cut = |&at: &usize| {
            let row = &rows.rows[at];
            ends.ends[at].cut
                && row.is_superseded()
                && row.closed.as_secs() <= self.known_until
        };
        among.filter(is_cut).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::log::Openings;
    use crate::detect::rates::horizon::Horizon;
    use crate::detect::rows::tests::rows;
    use crate::detect::settings::Settings;

    /// Clients cut at five minutes that open again `gap` seconds later, and
    /// one that opens `every` so many seconds and lets its streams be cut.
    fn log(gap: i64, every: i64) -> Rows {
        let peer = |unit: u32| {
            let start = i64::from(unit) * 17;
            let open = move |k: i64| start + k * (300 + gap);
            (0..20).map(move |k| (unit, open(k), open(k) + 300))
        };
        let mut all: Vec<(u32, i64, i64)> = (0..5).flat_map(peer).collect();
        all.extend((0..50).map(|k| (9, k * every + 7, k * every + 307)));
        rows(&all, 8000)
    }

    fn found(rows: &Rows) -> (Option<Reopening>, Option<Abandoned>) {
        let ends = Ends::of(rows, Micros::SECOND);
        let holds = Holds::unrestarted(rows, &ends, |_| true);
        let settings = Settings::default();
        let openings = Openings::Unlogged;
        let horizon = Horizon::of(rows, &ends, &holds, openings, &settings);
        let references = References::of(rows, &ends, &horizon, &settings);
        let second = Micros::SECOND;
        let others = Others::of(rows, &ends, &references, &holds, second);
        let last = rows.units.last().unwrap();
        (others.reopening, others.abandoned(rows, &ends, last))
    }

    #[test]
    fn cut_streams_that_are_opened_later_than_others_are_abandoned() {
        let (reopening, abandoned) = found(&log(2, 120));
        assert_eq!(reopening.unwrap().within, Micros::from_secs(3));
        let abandoned = abandoned.unwrap();
        assert!((abandoned.at - 300.0).abs() < 1e-9);
        // Every opening comes a minute after an end.
        assert_eq!(abandoned.answered, 0);
        // The last one was never superseded.
        assert_eq!(abandoned.cut, 49);
        assert!(abandoned.p < 1e-14);
    }

    #[test]
    fn where_chance_answers_or_nobody_does_none_are() {
        // Of 50 openings in 6187 s chance gives 1 - e^(-37 * 50 / 6187).
        let (reopening, abandoned) = found(&log(30, 120));
        assert_eq!(reopening.unwrap().within, Micros::from_secs(36));
        assert!(abandoned.is_some());
        // 0.301 of 50 in 5151 s; within 36 s it would be 0.295.
        assert_eq!(found(&log(30, 99)).1, None);
        assert_eq!(found(&log(60, 120)), (None, None));
    }
}

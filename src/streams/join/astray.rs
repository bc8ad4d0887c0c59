//! Records dated far from all others of their log: a clock that was wrong,
//! at a machine's start say. One of them would stretch the log over years,
//! in which nothing climbs.

use std::ops::RangeInclusive;

use crate::time::Micros;

/// Less than this from the others is never far: a quiet month.
const FAR: Micros = Micros(30 * 24 * Micros::HOUR.0);
/// Nor is less than so many times what the others span.
const TIMES: i64 = 10;
/// Of so many records of the input at most one may be far from the others.
const OF: u64 = 100;

/// What was left out of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Astray {
    /// The input's number.
    pub input: usize,
    /// How many streams.
    pub streams: u64,
    /// The earliest record.
    pub first: Micros,
    /// The latest.
    pub last: Micros,
}

impl Astray {
    /// The first record, of so many streams.
    pub(super) fn new(input: usize, at: Micros, streams: u64) -> Astray {
        Astray { input, streams, first: at, last: at }
    }

    /// Another one.
    pub(super) fn add(&mut self, at: Micros, streams: u64) {
        self.streams += streams;
        self.first = self.first.min(at);
        self.last = self.last.max(at);
    }
}

/// The stretch of an input's times beyond which none is plausible; all of
/// time where none lies far off. `rows` are the times of what was selected,
/// `ends` those of the first and last records of chunks, and `records` is how
/// many there are in all. One record may be among both.
pub(super) fn plausible(
    rows: impl Iterator<Item = Micros> + Clone,
    ends: impl Iterator<Item = Micros> + Clone,
    records: u64,
) -> RangeInclusive<Micros> {
    let all = Micros(i64::MIN)..=Micros(i64::MAX);
    let times = || ends.clone().chain(rows.clone());
    let whole = times().fold(None, |whole: Option<(Micros, Micros)>, at| {
        let (first, last) = whole.unwrap_or((at, at));
        Some((first.min(at), last.max(at)))
    });
    // Nearly every log ends here.
    if whole.is_none_or(|(first, last)| last - first < FAR) {
        return all;
    }
    let mut times: Vec<Micros> = times().collect();
    times.sort_unstable();
    let groups = times.chunk_by(|one, two| *two - *one < FAR);
    let Some(main) = groups.max_by_key(|group| group.len()) else {
        return all;
    };
    let (first, last) = (main[0], main[main.len() - 1]);
    let is_other = |at: &Micros| !(first..=last).contains(at);
    let others = rows.filter(is_other).count();
    let others = others.max(ends.filter(is_other).count()) as u64;
    let far = (last - first).0.saturating_mul(TIMES);
    let before = times.iter().rev().find(|at| **at < first);
    let after = times.iter().find(|at| **at > last);
    let is_far = before.is_none_or(|at| (first - *at).0 >= far)
        && after.is_none_or(|at| (*at - last).0 >= far);
    if is_far && others * OF <= records { first..=last } else { all }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 86_400;

    /// The stretch of times in seconds, of so many records, of which the
    /// first and the last are among both.
    fn stretch(times: &[i64], records: u64) -> Option<(i64, i64)> {
        let rows = times.iter().map(|secs| Micros::from_secs(*secs));
        let ends = rows.clone().take(1).chain(rows.clone().next_back());
        let found = plausible(rows, ends, records);
        let limited = *found.start() > Micros(i64::MIN);
        let secs = |at: &Micros| at.0 / 1_000_000;
        limited.then(|| (secs(found.start()), secs(found.end())))
    }

    #[test]
    fn a_date_that_is_years_off_is_not_believed() {
        let hour: Vec<i64> = (0..100).map(|n| 900 * DAY + n * 36).collect();
        let with = |more: &[i64]| [&hour, more].concat();
        let main = Some((900 * DAY, 900 * DAY + 3564));
        assert_eq!(stretch(&with(&[9000 * DAY]), 1000), main);
        assert_eq!(stretch(&with(&[0]), 1000), main);
        assert_eq!(stretch(&with(&[0, 3, 9000 * DAY]), 1000), main);
        // One in a hundred, though it is an end and a row.
        assert_eq!(stretch(&with(&[9000 * DAY]), 101), main);
    }

    #[test]
    fn a_log_of_more_than_one_time_is_believed() {
        let hour: Vec<i64> = (0..100).map(|n| 900 * DAY + n * 36).collect();
        let with = |more: &[i64]| [&hour, more].concat();
        assert_eq!(stretch(&hour, 1000), None);
        // Not so far, or more than one in a hundred.
        assert_eq!(stretch(&with(&[929 * DAY]), 1000), None);
        assert_eq!(stretch(&with(&[0, 1]), 150), None);
        // A quiet month is nothing in a log of years.
        let year: Vec<i64> = (0..300).map(|n| n * DAY).collect();
        assert_eq!(stretch(&[&year[..], &[340 * DAY]].concat(), 1000), None);
        assert_eq!(stretch(&[], 0), None);
    }
}

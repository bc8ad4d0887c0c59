//! Renewals: ends that their unit answers at once with a new opening, as a
//! long poll does with each message (specification, step 4).

use crate::detect::ends::gaps::Gaps;
use crate::detect::rows::{Rows, Unit};
use crate::time::Micros;

/// The gaps within which answers are looked for.
const GAPS: [Micros; 5] = [
    Micros(50_000),
    Micros(500_000),
    Micros::from_secs(2),
    Micros::from_secs(5),
    Micros::from_secs(35),
];

/// Streams a unit needs.
const LEAST: usize = 4;

/// The share of a unit's ends that must be answered within a gap ...
const SHARE: f64 = 0.5;

/// ... of which chance alone may answer no more than this.
const CHANCE: f64 = 0.2;

/// Which ends were renewed and which openings continued an ended stream, by
/// row.
#[derive(Clone, Debug)]
pub(crate) struct Renewals {
    pub(crate) renewed: Vec<bool>,
    pub(crate) continued: Vec<bool>,
}

impl Renewals {
    /// Of all units. No gap is looked at that is finer than the clock's
    /// `resolution`.
    pub(crate) fn of(
        rows: &Rows,
        gaps: &Gaps,
        resolution: Micros,
    ) -> Renewals {
        let mut renewed = vec![false; rows.len()];
        let mut continued = vec![false; rows.len()];
        for unit in &rows.units {
            let Some(gap) = best_gap(rows, unit, gaps, resolution) else {
                continue;
            };
            for at in unit.rows.clone() {
                renewed[at] = gaps.after_end[at] <= gap;
                continued[at] = gaps.before_opening[at] <= gap;
            }
        }
        Renewals { renewed, continued }
    }

    /// Whether any end was renewed.
    pub(crate) fn any(&self) -> bool {
        self.renewed.contains(&true)
    }
}

/// The gap within which the most ends of a unit are answered beyond chance.
fn best_gap(
    rows: &Rows,
    unit: &Unit,
    gaps: &Gaps,
    resolution: Micros,
) -> Option<Micros> {
    if unit.rows.len() < LEAST {
        return None;
    }
    let streams = unit.rows.len() as f64;
    let span = span(rows, unit);
    let mut best = None;
    let mut most = 0.0;
    for gap in GAPS.map(|gap| gap.max(resolution)) {
        let ends = &gaps.after_end[unit.rows.clone()];
        let answered = ends.iter().filter(|&&after| after <= gap).count();
        let share = answered as f64 / streams;
        let chance = by_chance(streams, span, gap.as_secs());
        if chance <= CHANCE && share >= SHARE && share - chance > most {
            most = share - chance;
            best = Some(gap);
        }
    }
    best
}

/// From a unit's first opening to its last end, in seconds.
pub(crate) fn span(rows: &Rows, unit: &Unit) -> f64 {
    let first = rows.rows[unit.rows.start].opened;
    let own = &rows.by_end[unit.rows.clone()];
    let last = own.last().map_or(first, |&at| rows.rows[at].closed);
    (last - first).as_secs()
}

/// The chance that an instant is followed within `gap` seconds by one of so
/// many openings strewn over `span` seconds.
pub(crate) fn by_chance(streams: f64, span: f64, gap: f64) -> f64 {
    1.0 - (-streams / span.max(1.0) * gap).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::rows::tests::rows;

    /// Twenty streams one after another, each opened so long after the end
    /// of the one before.
    fn chain(gap: i64) -> Vec<(u32, i64, i64)> {
        let step = 30 + gap;
        (0..20).map(|k| (0, k * step, k * step + 30)).collect()
    }

    fn renewals(streams: &[(u32, i64, i64)]) -> Renewals {
        let rows = rows(streams, 100_000);
        let gaps = Gaps::of(&rows, Micros::SECOND);
        Renewals::of(&rows, &gaps, Micros::SECOND)
    }

    #[test]
    fn a_long_polls_ends_are_renewed_but_for_the_last() {
        let found = renewals(&chain(1));
        assert_eq!(found.renewed.iter().filter(|r| **r).count(), 19);
        assert!(!found.renewed[19] && !found.continued[0]);
    }

    // Within 35 s chance alone answers 1 - e^(-35 * 20 / 620) of them.
    #[test]
    fn answers_that_chance_gives_are_no_renewals() {
        assert!(!renewals(&chain(10)).any());
        assert!(renewals(&chain(4)).any());
    }

    #[test]
    fn three_streams_are_too_few() {
        assert!(!renewals(&chain(1)[..3]).any());
        assert!(renewals(&chain(1)[..4]).any());
    }
}

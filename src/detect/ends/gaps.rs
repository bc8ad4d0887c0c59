//! Gaps: how soon each end is answered by a new opening of its unit.

use crate::detect::rows::{Rows, Unit};
use crate::time::Micros;

/// The gap of an end that nothing answers.
pub(crate) const NEVER: Micros = Micros(i64::MAX);

/// Ends and openings matched first in, first out: each end with the next
/// opening of its unit that no earlier end has taken (specification, step 4).
#[derive(Clone, Debug)]
pub(crate) struct Gaps {
    /// By row: from its end to the opening that answers it.
    pub(crate) after_end: Vec<Micros>,
    /// By row: the same gap, of the opening that answers.
    pub(crate) before_opening: Vec<Micros>,
}

impl Gaps {
    /// Of all units. With clocks of whole seconds an opening may seem to come
    /// before the end it answers, by one step of the clock: `resolution`.
    /// That is a gap of nothing.
    pub(crate) fn of(rows: &Rows, resolution: Micros) -> Gaps {
        let mut gaps = Gaps {
            after_end: vec![NEVER; rows.len()],
            before_opening: vec![NEVER; rows.len()],
        };
        for unit in &rows.units {
            gaps.match_unit(rows, unit, resolution);
        }
        gaps
    }

    fn match_unit(&mut self, rows: &Rows, unit: &Unit, resolution: Micros) {
        let mut free = unit.rows.clone();
        for &end in &rows.by_end[unit.rows.clone()] {
            let closed = rows.rows[end].closed;
            let answers =
                |&at: &usize| rows.rows[at].opened >= closed - resolution;
            let Some(answer) = free.find(answers) else { break };
            let gap = (rows.rows[answer].opened - closed).max(Micros::ZERO);
            self.after_end[end] = gap;
            self.before_opening[answer] = gap;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::rows::tests::rows;

    fn after_end(streams: &[(u32, i64, i64)]) -> Vec<Option<i64>> {
        let gaps = Gaps::of(&rows(streams, 1000), Micros::SECOND);
        let secs = |gap: Micros| (gap != NEVER).then_some(gap.0 / 1_000_000);
        gaps.after_end.into_iter().map(secs).collect()
    }

    #[test]
    fn each_end_takes_the_next_opening_that_is_free() {
        // Two end at once, two open after 3 and 8 s.
        let found =
            after_end(&[(0, 0, 60), (0, 5, 60), (0, 63, 900), (0, 68, 950)]);
        assert_eq!(found, [Some(3), Some(8), None, None]);
    }

    #[test]
    fn an_opening_of_another_unit_answers_nothing() {
        assert_eq!(after_end(&[(0, 0, 60), (1, 61, 90)]), [None, None]);
    }

    #[test]
    fn an_opening_a_clock_step_early_is_a_gap_of_nothing() {
        let early = after_end(&[(0, 0, 60), (0, 59, 90)]);
        assert_eq!(early, [Some(0), None]);
        let earlier = after_end(&[(0, 0, 60), (0, 58, 90)]);
        assert_eq!(earlier, [None, None]);
    }
}

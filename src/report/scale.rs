//! Axes: round numbers and round times, and where they fall.

use crate::time::Micros;

/// An axis of counts from 0, cut to whole rows so that every label stands
/// beside the row it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// From one label to the next: 1, 2 or 5 times a power of ten.
    pub step: u64,
    /// How many steps there are up to the top.
    pub steps: usize,
    /// Rows from one label to the next.
    pub rows_a_step: usize,
}

impl Counts {
    /// The axis that wastes the least of at most `rows` rows (2 or more) on
    /// values up to `most`.
    pub fn fit(most: f64, rows: usize) -> Counts {
        let rows = rows.max(2);
        let most = if most.is_finite() { most.clamp(1.0, 1e18) } else { 1.0 };
        let mut best = Counts { step: 1, steps: 1, rows_a_step: rows };
        let mut fill = 0.0;
        for step in round_numbers() {
            let steps = (most / step as f64).ceil().max(1.0);
            if steps > rows as f64 {
                continue;
            }
            let steps = steps as usize;
            let axis = Counts { step, steps, rows_a_step: rows / steps };
            let roomy = axis.rows_a_step >= 2 || steps == 1;
            let filled = most / axis.top();
            if roomy && axis.rows() * 3 >= rows * 2 && filled > fill {
                (best, fill) = (axis, filled);
            }
            if steps == 1 {
                break;
            }
        }
        best
    }

    /// The value at the top edge.
    pub fn top(&self) -> f64 {
        self.step as f64 * self.steps as f64
    }

    /// Rows from 0 to the top.
    pub fn rows(&self) -> usize {
        self.steps * self.rows_a_step
    }

    /// A value's height in rows, not above the top.
    pub fn height(&self, value: f64) -> f64 {
        let share = (value / self.top()).clamp(0.0, 1.0);
        if share.is_nan() { 0.0 } else { share * self.rows() as f64 }
    }

    /// The label beside a row, counted from the bottom row 0: the value
    /// that just fills it.
    pub fn label(&self, row: usize) -> Option<u64> {
        let rows = row + 1;
        rows.is_multiple_of(self.rows_a_step)
            .then(|| self.step * (rows / self.rows_a_step) as u64)
    }
}

/// 1, 2, 5, 10, 20, 50 … up to 10¹⁸.
fn round_numbers() -> impl Iterator<Item = u64> {
    (0..=18).flat_map(|power| {
        let ten = 10_u64.pow(power);
        [ten, ten.saturating_mul(2), ten.saturating_mul(5)]
    })
}

/// An axis of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// The instant at the left edge.
    pub from: Micros,
    /// How long it is.
    pub span: Micros,
}

impl Times {
    /// The round step that gives at most `most` labels: 1, 5, 10, 15, 30
    /// seconds or minutes, 1, 3, 6, 12 hours, or 1, 2, 5 times a power of
    /// ten in days.
    pub fn step(&self, most: usize) -> Micros {
        const ROUND: [i64; 14] = [
            1, 5, 10, 15, 30, 60, 300, 600, 900, 1_800, 3_600, 10_800, 21_600,
            43_200,
        ];
        let days = round_numbers()
            .take(15)
            .map(|days| Micros::from_secs(days as i64 * 86_400));
        let mut steps = ROUND.into_iter().map(Micros::from_secs).chain(days);
        let most = most.max(1) as i128;
        let span = i128::from(self.span.0);
        steps
            .find(|step| span <= most * i128::from(step.0))
            .unwrap_or(Micros(i64::MAX))
    }

    /// The multiples of `step`, counted from midnight UTC, on the axis.
    pub fn ticks(&self, step: Micros) -> impl Iterator<Item = Micros> {
        let step = step.0.max(1);
        let end = self.from + self.span;
        let late = self.from.0.rem_euclid(step);
        let wait = if late == 0 { 0 } else { step - late };
        let first = self.from.0.checked_add(wait);
        std::iter::successors(first, move |at| at.checked_add(step))
            .take_while(move |&at| at < end.0)
            .map(Micros)
    }

    /// The column of an instant, `None` when it is off the axis. The last
    /// column also holds the instant at the right edge.
    pub fn column(&self, at: Micros, columns: usize) -> Option<usize> {
        let passed = i128::from((at - self.from).0);
        let span = i128::from(self.span.0);
        if passed < 0 || passed > span || span == 0 || columns == 0 {
            return None;
        }
        let column = (passed * columns as i128 / span) as usize;
        Some(column.min(columns - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2026-11-29T12:00:00Z.
    const NOON: Micros = Micros(1_795_953_600_000_000);

    #[test]
    fn labels_are_round_and_the_top_is_near_the_greatest_value() {
        let cases = [
            // most, rows: step, steps, rows a step
            (61.0, 12, 20, 4, 3),
            (61.0, 14, 10, 7, 2),
            (1.0, 12, 1, 1, 12),
            (3.0, 12, 1, 3, 4),
            (10.0, 12, 2, 5, 2),
            (1_440.0, 12, 500, 3, 4),
            (0.0, 12, 1, 1, 12),
            (7.0, 2, 10, 1, 2),
        ];
        for (most, rows, step, steps, rows_a_step) in cases {
            let axis = Counts { step, steps, rows_a_step };
            assert_eq!(Counts::fit(most, rows), axis, "{most} in {rows}");
        }
    }

    #[test]
    fn every_value_fits_every_height() {
        for rows in 2..60 {
            for most in [0.3, 1.0, 2.0, 9.9, 10.1, 61.0, 4_999.0, 1e17] {
                let axis = Counts::fit(most, rows);
                assert!(axis.top() >= most, "{axis:?} for {most}");
                assert!(axis.rows() <= rows && axis.rows() * 3 >= rows * 2);
            }
        }
    }

    #[test]
    fn a_label_stands_beside_the_row_its_value_fills() {
        let axis = Counts::fit(61.0, 12);
        assert_eq!(axis.label(11), Some(80));
        assert_eq!(axis.label(2), Some(20));
        assert_eq!(axis.label(1), None);
        assert!((axis.height(20.0) - 3.0).abs() < 1e-12);
        assert!((axis.height(1e9) - 12.0).abs() < 1e-12);
        assert!(axis.height(f64::NAN).abs() < 1e-12);
    }

    #[test]
    fn values_that_are_no_numbers_have_an_axis_all_the_same() {
        for most in [f64::NAN, f64::INFINITY, -5.0, f64::MAX] {
            assert!(Counts::fit(most, 12).rows() <= 12);
        }
    }

    #[test]
    fn time_steps_are_those_of_a_clock() {
        let cases = [
            (4, 5, 1),
            (600, 11, 60),
            (3_600, 7, 600),
            (14_400, 8, 1_800),
            (14_400, 5, 3_600),
            (86_400, 9, 10_800),
            (7 * 86_400, 8, 86_400),
            (7 * 86_400, 4, 2 * 86_400),
            (365 * 86_400, 9, 50 * 86_400),
        ];
        for (span, most, step) in cases {
            let axis = Times { from: NOON, span: Micros::from_secs(span) };
            let step = Micros::from_secs(step);
            assert_eq!(axis.step(most), step, "{span} s in {most}");
        }
    }

    #[test]
    fn ticks_fall_on_round_times_within_the_axis() {
        let from = NOON - Micros::from_secs(61);
        let axis = Times { from, span: Micros::from_secs(1_000) };
        let ticks: Vec<Micros> = axis.ticks(Micros::from_secs(300)).collect();
        let after = |secs| NOON + Micros::from_secs(secs);
        assert_eq!(ticks, [after(0), after(300), after(600), after(900)]);
    }

    #[test]
    fn instants_map_to_columns_and_those_outside_to_none() {
        let axis = Times { from: NOON, span: Micros::from_secs(100) };
        let at = |secs| axis.column(NOON + Micros::from_secs(secs), 50);
        assert_eq!(at(0), Some(0));
        assert_eq!(at(3), Some(1));
        assert_eq!(at(99), Some(49));
        assert_eq!(at(100), Some(49));
        assert_eq!((at(-1), at(101)), (None, None));
    }

    #[test]
    fn axes_at_the_ends_of_time_hold() {
        let axis = Times { from: Micros(i64::MIN), span: Micros(i64::MAX) };
        let step = axis.step(5);
        assert!(axis.ticks(step).count() <= 6);
        let axis = Times { from: Micros(i64::MAX), span: Micros(1) };
        assert_eq!(axis.ticks(axis.step(5)).count(), 0);
        assert_eq!(axis.column(Micros(i64::MIN), 9), None);
    }
}

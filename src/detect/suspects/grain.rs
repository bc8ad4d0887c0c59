//! The grain of the openings: the coarsest clock that they keep to.
//!
//! People and schedules open on the minute; a spacing that such a clock
//! makes is no rhythm (specification, section 2).

use crate::detect::rows::Rows;
use crate::time::Micros;

/// The clocks, in seconds, the coarsest first.
const CLOCKS: [i64; 8] = [3600, 900, 300, 60, 30, 10, 5, 1];

/// The share of the openings that must lie on a clock.
const SHARE: f64 = 0.95;

/// How far off they may lie.
const OFF: Micros = Micros(1000);

/// The grain in seconds: that of the log's own clock, or that which its
/// openings keep to. `first` is the instant that rows count from.
pub(crate) fn grain(rows: &Rows, first: Micros, resolution: Micros) -> f64 {
    let least = rows.len() as f64 * SHARE;
    let keeps = |clock: &i64| {
        let clock = Micros::from_secs(*clock).0;
        let on = rows.rows.iter().filter(|row| {
            let past =
                (row.opened.0.saturating_add(first.0)).rem_euclid(clock);
            past.min(clock - past) < OFF.0
        });
        on.count() as f64 >= least
    };
    let clock = CLOCKS.into_iter().find(keeps).unwrap_or(0);
    resolution.max(Micros::from_secs(clock)).as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::rows::tests::rows;

    fn of_steps(step: i64, first: Micros) -> f64 {
        let all: Vec<(u32, i64, i64)> =
            (0..100).map(|k| (0, k * step, k * step + 9)).collect();
        grain(&rows(&all, 10_000), first, Micros(1000))
    }

    #[test]
    fn the_coarsest_clock_that_is_kept_to_is_found() {
        assert!((of_steps(60, Micros::ZERO) - 60.0).abs() < 1e-9);
        assert!((of_steps(61, Micros::ZERO) - 1.0).abs() < 1e-9);
        assert!((of_steps(7200, Micros::ZERO) - 3600.0).abs() < 1e-9);
    }

    // A log that begins 7 s after a full minute.
    #[test]
    fn clocks_are_those_on_the_wall() {
        assert!((of_steps(60, Micros::from_secs(67)) - 1.0).abs() < 1e-9);
        assert!((of_steps(60, Micros(500_000)) - 1e-3).abs() < 1e-9);
    }
}

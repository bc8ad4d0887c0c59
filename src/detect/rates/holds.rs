//! Holds: how long streams were held, in order.

use crate::detect::ends::Ends;
use crate::detect::rows::Rows;
use crate::stats::quantile;
use crate::time::Micros;

/// Some holds, the shortest first.
#[derive(Clone, Debug)]
pub(crate) struct Holds(Vec<Micros>);

impl Holds {
    /// These.
    pub(crate) fn of(holds: impl Iterator<Item = Micros>) -> Holds {
        let mut holds: Vec<Micros> = holds.collect();
        holds.sort_unstable();
        Holds(holds)
    }

    /// Those that no restart cut short, of the streams opened at such an
    /// instant.
    pub(crate) fn unrestarted(
        rows: &Rows,
        ends: &Ends,
        such: impl Fn(Micros) -> bool,
    ) -> Holds {
        let counted = rows.rows.iter().zip(&ends.ends).filter(|(row, end)| {
            end.ended && !end.restarted && such(row.opened)
        });
        Holds::of(counted.map(|(row, _)| row.hold()))
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The quantile (0 to 1) in seconds; 0 without holds.
    pub(crate) fn quantile(&self, q: f64) -> f64 {
        let hold = |nth: usize| self.0[nth].as_secs();
        quantile(self.0.len(), q, hold).unwrap_or(0.0)
    }

    /// The x, in seconds, with sum(min(hold, x)) = q sum(hold): a log that
    /// ends at T still shows this share of the level at T - x, where what is
    /// open then is logged only once it has ended. 0 without holds.
    pub(crate) fn equilibrium(&self, q: f64) -> f64 {
        let total: i128 = self.0.iter().map(|hold| i128::from(hold.0)).sum();
        let wanted = q * total as f64;
        let least = wanted.ceil() as i128;
        let instants = self.0.partition_point(|hold| *hold <= Micros::ZERO);
        let mut shorter = 0_i128;
        let mut left = self.0.len() - instants;
        for hold in &self.0[instants..] {
            let shown = shorter + i128::from(hold.0) * left as i128;
            if shown >= least || left == 1 {
                return (wanted - shorter as f64) / left as f64 / 1e6;
            }
            shorter += i128::from(hold.0);
            left -= 1;
        }
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(secs: &[i64]) -> Holds {
        Holds::of(secs.iter().map(|&secs| Micros::from_secs(secs)))
    }

    // 10, 20 and 70 s: sum(min(hold, 60)) = 90 of 100.
    #[test]
    fn the_equilibrium_quantile_shows_its_share_of_what_is_held() {
        let holds = holds(&[70, 0, 10, 20]);
        assert!((holds.equilibrium(0.9) - 60.0).abs() < 1e-9);
        assert!((holds.equilibrium(0.3) - 10.0).abs() < 1e-9);
        assert!((holds.equilibrium(1.0) - 70.0).abs() < 1e-9);
    }

    #[test]
    fn equal_holds_hide_their_share_and_none_hide_nothing() {
        assert!((holds(&[60; 9]).equilibrium(0.9) - 54.0).abs() < 1e-9);
        assert!(holds(&[]).equilibrium(0.9).abs() < 1e-9);
        assert!(holds(&[0, 0]).equilibrium(0.9).abs() < 1e-9);
    }

    // Expected: numpy.quantile([0, 10, 20, 70], 0.5).
    #[test]
    fn quantiles_are_in_seconds() {
        assert!((holds(&[70, 0, 10, 20]).quantile(0.5) - 15.0).abs() < 1e-9);
        assert!(holds(&[]).quantile(0.99).abs() < 1e-9);
    }
}

//! Crowds: closings that are many more than usual, each perhaps a restart
//! (specification, step 2).

use std::ops::Range;

use crate::detect::ends::held::Cursor;
use crate::time::Micros;

/// Closings a restart has at least.
pub(crate) const LEAST: usize = 5;

/// The share of what is open that a restart of a worker closes, the least of
/// any.
pub(crate) const WORKER_SHARE: f64 = 0.2;

/// Closings must be so many times as many as usual ...
const TIMES_USUAL: f64 = 3.0;

/// ... of which there are never taken to be fewer than this ...
const LEAST_USUAL: f64 = 0.2;

/// ... and so unlikely as a chance of Poisson's, in nats.
const NATS: f64 = 18.0;

/// What is usual is taken from so many widths before a restart and after it.
const AROUND: i64 = 20;

/// The closings within some width after an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Crowd {
    /// The first of them.
    pub(crate) at: Micros,
    /// Their numbers in order of time.
    pub(crate) closings: Range<usize>,
    /// How many streams were open just before.
    pub(crate) open: usize,
}

/// The crowds of one width that stand out, by their first instants. `times`
/// are those of the closings, in order, and `open` tells how many streams
/// were open at each; the log is `length` long.
pub(crate) fn find(
    times: &[Micros],
    open: &[usize],
    length: Micros,
    width: Micros,
) -> Vec<Crowd> {
    let mut within = Cursor::new(times);
    let mut around = Around::new(times, length, width);
    let mut crowds = Vec::new();
    for (first, &at) in times.iter().enumerate() {
        let is_first = first == 0 || times[first - 1] < at;
        let after = within.before(at + width + Micros(1));
        let crowd = Crowd { at, closings: first..after, open: open[first] };
        if is_first && crowd.is_large() {
            let usual = around.usual(at, crowd.closings.len());
            if crowd.stands_out(usual) {
                crowds.push(crowd);
            }
        }
    }
    crowds
}

impl Crowd {
    fn is_large(&self) -> bool {
        let count = self.closings.len();
        count >= LEAST && count as f64 >= WORKER_SHARE * self.open as f64
    }

    /// Whether there are so many where `usual` are.
    fn stands_out(&self, usual: f64) -> bool {
        let count = self.closings.len() as f64;
        let unlikely = count * (count / usual).ln() - (count - usual);
        count >= TIMES_USUAL * usual && unlikely >= NATS
    }
}

/// What is usual around instants that move on.
struct Around<'a> {
    early: Cursor<'a>,
    late: Cursor<'a>,
    length: Micros,
    width: Micros,
}

impl<'a> Around<'a> {
    fn new(times: &'a [Micros], length: Micros, width: Micros) -> Around<'a> {
        let (early, late) = (Cursor::new(times), Cursor::new(times));
        Around { early, late, length, width }
    }

    /// How many closings are usual in a width around this instant, of which
    /// the width after it has `count`.
    fn usual(&mut self, at: Micros, count: usize) -> f64 {
        let reach = |widths: i64| Micros(self.width.0.saturating_mul(widths));
        let from = (at - reach(AROUND)).max(Micros::ZERO);
        let until = (at + reach(AROUND + 1)).min(self.length);
        let all = self.late.before(until + Micros(1)) as f64
            - self.early.before(from) as f64;
        let span = (until - from - self.width).max(self.width);
        let others = all - count as f64;
        (others * self.width.as_secs() / span.as_secs()).max(LEAST_USUAL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secs(times: &[i64]) -> Vec<Micros> {
        times.iter().map(|&secs| Micros::from_secs(secs)).collect()
    }

    fn found(times: &[i64], open: usize) -> Vec<Crowd> {
        let times = secs(times);
        let open = vec![open; times.len()];
        let hour = Micros::from_secs(3600);
        find(&times, &open, hour, Micros::from_secs(5))
    }

    #[test]
    fn twenty_at_once_where_few_close_are_a_crowd() {
        let mut times = vec![100, 900];
        times.extend([1000; 20]);
        times.push(1003);
        let crowds = found(&times, 40);
        assert_eq!(crowds.len(), 1);
        assert_eq!(crowds[0].at, Micros::from_secs(1000));
        assert_eq!(crowds[0].closings, 2..23);
        // Of 200 open they are less than a worker's share.
        assert_eq!(found(&times, 200), []);
    }

    #[test]
    fn what_closes_all_the_time_is_no_crowd() {
        let steady: Vec<i64> = (0..3600).flat_map(|t| [t; 4]).collect();
        assert_eq!(found(&steady, 5), []);
    }

    // 5 ln(5/mu) - (5 - mu) at the least mu of 0.2 is 11.3 nats, and
    // 7 ln(7/0.2) - 6.8 = 18.1 are enough.
    #[test]
    fn the_least_crowd_is_unlikely_by_eighteen_nats() {
        assert_eq!(found(&[1000; 6], 10), []);
        assert_eq!(found(&[1000; 7], 10).len(), 1);
    }
}

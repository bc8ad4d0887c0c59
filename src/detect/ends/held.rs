//! What was held and when: the plain intervals in which restarts are looked
//! for.

use crate::time::Micros;

/// One interval `(from, until]` in which a unit held something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) from: Micros,
    pub(crate) until: Micros,
    /// Its unit; intervals are grouped by unit, each unit's in order of
    /// `from`.
    pub(crate) unit: u32,
    /// Whether its end may belong to a restart: it ended in the log, and not
    /// at a ceiling.
    pub(crate) counts: bool,
}

/// One end that may belong to a restart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closing {
    pub(crate) at: Micros,
    pub(crate) opened: Micros,
    pub(crate) unit: u32,
}

/// The ends that count, in order of time.
pub(crate) fn closings(held: &[Held]) -> Vec<Closing> {
    let closing =
        |h: &Held| Closing { at: h.until, opened: h.from, unit: h.unit };
    let mut all: Vec<Closing> =
        held.iter().filter(|h| h.counts).map(closing).collect();
    all.sort_by_key(|closing| closing.at);
    all
}

/// Counts how many intervals are open, at instants that move on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Open {
    from: Vec<Micros>,
    until: Vec<Micros>,
}

impl Open {
    /// Of these intervals.
    pub(crate) fn of(
        intervals: impl Iterator<Item = (Micros, Micros)>,
    ) -> Open {
        let (mut from, mut until): (Vec<Micros>, Vec<Micros>) =
            intervals.unzip();
        from.sort_unstable();
        until.sort_unstable();
        Open { from, until }
    }

    /// How many began before this instant and ended at it or later.
    pub(crate) fn at(&self, at: Micros) -> usize {
        let began = self.from.partition_point(|from| *from < at);
        began - self.until.partition_point(|until| *until < at)
    }

    /// The same at each of these instants, which are in order.
    pub(crate) fn at_each(&self, instants: &[Micros]) -> Vec<usize> {
        let mut began = Cursor::new(&self.from);
        let mut ended = Cursor::new(&self.until);
        let open = |&at: &Micros| began.before(at) - ended.before(at);
        instants.iter().map(open).collect()
    }
}

/// Counts how many of some instants in order lie before others, which are
/// asked for in order.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    times: &'a [Micros],
    passed: usize,
}

impl<'a> Cursor<'a> {
    /// Before the first of these instants.
    pub(crate) fn new(times: &'a [Micros]) -> Cursor<'a> {
        Cursor { times, passed: 0 }
    }

    /// How many lie before this one.
    pub(crate) fn before(&mut self, at: Micros) -> usize {
        let rest = self.times[self.passed..].iter();
        self.passed += rest.take_while(|time| **time < at).count();
        self.passed
    }
}

/// The stretches in which a unit held anything, for each unit.
pub(crate) fn covered(held: &[Held]) -> Vec<(Micros, Micros)> {
    let mut stretches: Vec<(Micros, Micros)> = Vec::new();
    for own in held.chunk_by(|a, b| a.unit == b.unit) {
        let first = stretches.len();
        for interval in own {
            match stretches[first..].last_mut() {
                Some(last) if interval.from <= last.1 => {
                    last.1 = last.1.max(interval.until);
                }
                _ => stretches.push((interval.from, interval.until)),
            }
        }
    }
    stretches
}

/// Whether one unit holds this share of all that is held until `end`.
pub(crate) fn one_unit_holds(held: &[Held], share: f64, end: Micros) -> bool {
    let of = |own: &[Held]| -> i128 {
        own.iter().map(|h| i128::from((h.until.min(end) - h.from).0)).sum()
    };
    let most = held.chunk_by(|a, b| a.unit == b.unit).map(of).max();
    most.is_none_or(|most| most as f64 >= share * of(held) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(unit: u32, from: i64, until: i64) -> Held {
        let (from, until) =
            (Micros::from_secs(from), Micros::from_secs(until));
        Held { from, until, unit, counts: true }
    }

    #[test]
    fn stretches_of_a_unit_are_joined_where_they_touch() {
        let all = [held(0, 0, 9), held(0, 2, 5), held(0, 9, 12)]
            .into_iter()
            .chain([held(1, 3, 4), held(1, 6, 7)]);
        let all: Vec<Held> = all.collect();
        let secs = |(from, until): &(Micros, Micros)| {
            (from.0 / 1_000_000, until.0 / 1_000_000)
        };
        let found: Vec<(i64, i64)> = covered(&all).iter().map(secs).collect();
        assert_eq!(found, [(0, 12), (3, 4), (6, 7)]);
    }

    #[test]
    fn what_ends_at_an_instant_is_open_and_what_begins_is_not() {
        let all = [held(0, 0, 10), held(0, 10, 20)];
        let open = Open::of(all.iter().map(|h| (h.from, h.until)));
        assert_eq!(open.at(Micros::from_secs(10)), 1);
        let instants = [0, 10, 11, 20, 21].map(Micros::from_secs);
        assert_eq!(open.at_each(&instants), [0, 1, 1, 1, 0]);
    }

    #[test]
    fn one_unit_holds_eight_of_ten_seconds() {
        let all = [held(0, 0, 8), held(1, 0, 2)];
        let end = Micros::from_secs(100);
        assert!(one_unit_holds(&all, 0.8, end));
        assert!(!one_unit_holds(&all, 0.81, end));
        // Until 6 s it held 6 of 8.
        assert!(!one_unit_holds(&all, 0.8, Micros::from_secs(6)));
    }
}

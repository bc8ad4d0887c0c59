//! What the bare time of a file means, told by the order of its records.
//!
//! Records are appended when requests end. If the time logged is the end, it
//! never falls from one record to the next, while the time plus the duration
//! does whenever requests overlap; if it is the start, it is the other way
//! round. So the reading with fewer falls wins, and the same count tells the
//! unit of a bare whole number.

use crate::time::{Micros, Unit};

/// How far a time may fall without counting: whole-second stamps of
/// parallel workers do.
const TOLERANCE: Micros = Micros::SECOND;

/// The units a bare number may have, and what a microsecond of it really is.
const UNITS: [(Unit, i64); 3] =
    [(Unit::Micros, 1), (Unit::Millis, 1_000), (Unit::Seconds, 1_000_000)];

/// What a bare time marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marked {
    /// The start of the request.
    Start,
    /// Its end.
    End,
}

impl Marked {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Marked::Start => "start",
            Marked::End => "end",
        }
    }
}

/// Times of consecutive records: the falls under each reading.
///
/// A record falls when it lies below the highest before it, so that many
/// small steps down count too. Across two runs put together only the records
/// at the seam are compared: the count must not depend on which runs were
/// put together first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Order {
    /// The readings of the first record, and of the last one.
    edges: Option<[Readings; 2]>,
    /// The highest of each reading so far.
    peaks: Readings,
    /// Falls of each reading.
    falls: [u64; 4],
}

/// The time itself, and the time plus the duration for each of [`UNITS`].
type Readings = [Micros; 4];

impl Order {
    /// Takes the next record's bare time, and its duration as if its unit
    /// were microseconds when that is open.
    pub fn push(&mut self, at: Micros, hold: Micros) {
        let end = |(_, times): (Unit, i64)| {
            at + Micros(hold.0.saturating_mul(times))
        };
        let [micros, millis, seconds] = UNITS.map(end);
        let here = [at, micros, millis, seconds];
        let Some([first, _]) = self.edges else {
            (self.edges, self.peaks) = (Some([here, here]), here);
            return;
        };
        self.compare(self.peaks, here);
        self.edges = Some([first, here]);
        for (peak, here) in self.peaks.iter_mut().zip(here) {
            *peak = here.max(*peak);
        }
    }

    /// Takes the records that follow.
    pub fn absorb(&mut self, later: &Order) {
        let Some([first, last]) = later.edges else { return };
        let Some([own_first, own_last]) = self.edges else {
            *self = *later;
            return;
        };
        self.compare(own_last, first);
        self.edges = Some([own_first, last]);
        self.peaks = later.peaks;
        for (sum, more) in self.falls.iter_mut().zip(later.falls) {
            *sum += more;
        }
    }

    /// Takes the falls in another log, whose records do not follow.
    pub fn add(&mut self, other: &Order) {
        self.edges = self.edges.or(other.edges);
        for (sum, more) in self.falls.iter_mut().zip(other.falls) {
            *sum += more;
        }
    }

    /// Counts the falls from one record, or from a peak, to another.
    fn compare(&mut self, one: Readings, two: Readings) {
        for (fall, (one, two)) in
            self.falls.iter_mut().zip(one.iter().zip(two))
        {
            *fall += u64::from(two + TOLERANCE < *one);
        }
    }

    /// The reading these records speak for.
    ///
    /// `unit` is the unit of bare durations, `open` whether it may be
    /// another one; `given` is what the user says.
    pub fn decide(
        &self,
        unit: Unit,
        open: bool,
        given: Option<Marked>,
        likely: Marked,
    ) -> Reading {
        let place = |(known, _): &(Unit, i64)| *known == unit;
        let own = UNITS.iter().position(place).unwrap_or(0);
        let falls = |at: usize| self.falls[at + 1];
        let best = if open && given != Some(Marked::End) {
            (0..UNITS.len()).min_by_key(|&at| (falls(at), at != own))
        } else {
            Some(own)
        };
        let best = best.unwrap_or(own);
        let (marked, reason) = match given {
            Some(marked) => (marked, "as given".to_owned()),
            None => self.choose(falls(best), likely),
        };
        let unit = match marked {
            Marked::Start if open => UNITS[best].0,
            _ => unit,
        };
        let rivals = (0..UNITS.len()).filter(|at| *at != best);
        let clear = rivals.map(falls).all(|more| more > falls(best));
        let guessed = open && !(marked == Marked::Start && clear);
        Reading { marked, unit, reason, guessed }
    }

    /// The side with fewer falls, and why.
    fn choose(&self, summed: u64, likely: Marked) -> (Marked, String) {
        let bare = self.falls[0];
        let marked = match bare.cmp(&summed) {
            std::cmp::Ordering::Less => Marked::End,
            std::cmp::Ordering::Greater => Marked::Start,
            std::cmp::Ordering::Equal => {
                let why = match self.edges {
                    Some(_) => "both readings fit the order of the records",
                    None => "no record has a time and a duration to compare",
                };
                let reason = format!("undecided: {why}; --timestamp decides");
                return (likely, reason);
            }
        };
        let reason = format!(
            "file order: read as the end, times fall {bare} times; read as \
             the start, {summed} times"
        );
        (marked, reason)
    }
}

/// How bare times and durations are to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What a bare time marks.
    pub marked: Marked,
    /// The unit of a bare duration.
    pub unit: Unit,
    /// How that was decided, in a sentence.
    pub reason: String,
    /// Whether the unit is only the likeliest: several are possible and the
    /// order of the file does not tell.
    pub guessed: bool,
}

impl Reading {
    /// Whether the order of the records does not tell what is marked.
    pub fn is_undecided(&self) -> bool {
        self.reason.starts_with("undecided")
    }

    /// What a duration read as `was` really is.
    pub fn rescale(&self, hold: Micros, was: Unit) -> Micros {
        let times = |unit| {
            UNITS.iter().find(|(known, _)| *known == unit).map(|(_, n)| *n)
        };
        match (times(self.unit), times(was)) {
            (Some(now), Some(was)) => Micros(hold.0.saturating_mul(now) / was),
            _ => hold,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: i64 = 1_000_000;

    /// Overlapping requests, (start, hold) in seconds, in order of their
    /// ends.
    const REQUESTS: [(i64, i64); 6] =
        [(10, 5), (8, 9), (12, 7), (5, 20), (24, 2), (20, 30)];

    fn order(marked: Marked, unit: i64) -> Order {
        let mut order = Order::default();
        for (start, hold) in REQUESTS {
            let at = match marked {
                Marked::Start => start,
                Marked::End => start + hold,
            };
            order.push(Micros(at * S), Micros(hold * S / unit));
        }
        order
    }

    #[test]
    fn the_order_of_the_file_tells_start_from_end() {
        for marked in [Marked::Start, Marked::End] {
            for likely in [Marked::Start, Marked::End] {
                let order = order(marked, 1);
                let read = order.decide(Unit::Micros, false, None, likely);
                assert_eq!(read.marked, marked, "{}", read.reason);
            }
        }
    }

    #[test]
    fn the_order_of_the_file_tells_the_unit_of_a_start_log() {
        for (unit, times) in UNITS {
            let order = order(Marked::Start, times);
            let read = order.decide(Unit::Micros, true, None, Marked::End);
            assert_eq!((read.marked, read.unit), (Marked::Start, unit));
            assert!(!read.guessed);
            let hold = read.rescale(Micros(5 * S / times), Unit::Micros);
            assert_eq!(hold, Micros(5 * S));
        }
    }

    #[test]
    fn many_small_steps_down_count() {
        // Streams that one stop closed, the youngest first.
        let mut order = Order::default();
        for n in 0..9 {
            order.push(Micros(S * 100), Micros(50 * S - n * S / 2));
        }
        let ends = order.decide(Unit::Micros, false, None, Marked::Start);
        assert_eq!(ends.marked, Marked::End, "{}", ends.reason);
        let mut order = Order::default();
        for n in 0..9 {
            order.push(Micros(S * 100 - n * S / 2), Micros(n * S / 2));
        }
        let starts = order.decide(Unit::Micros, false, None, Marked::End);
        assert_eq!(starts.marked, Marked::Start, "{}", starts.reason);
    }

    #[test]
    fn a_tie_is_said_to_be_one() {
        let mut order = Order::default();
        for at in 0..9 {
            order.push(Micros(at * S), Micros(1));
        }
        let read = order.decide(Unit::Micros, false, None, Marked::Start);
        assert_eq!(read.marked, Marked::Start);
        assert!(read.reason.starts_with("undecided"), "{}", read.reason);
        let read = order.decide(Unit::Micros, true, None, Marked::Start);
        assert!(read.guessed);
    }

    #[test]
    fn the_user_has_the_last_word() {
        let order = order(Marked::End, 1);
        let given = Some(Marked::Start);
        let read = order.decide(Unit::Micros, false, given, Marked::End);
        assert_eq!((read.marked, &*read.reason), (Marked::Start, "as given"));
    }

    #[test]
    fn pieces_put_together_count_as_the_whole() {
        for cut in 0..REQUESTS.len() {
            let mut parts = [Order::default(), Order::default()];
            for (n, (start, hold)) in REQUESTS.into_iter().enumerate() {
                let part = &mut parts[usize::from(n >= cut)];
                part.push(Micros(start * S), Micros(hold * S));
            }
            let [mut whole, later] = parts;
            whole.absorb(&later);
            let once = order(Marked::Start, 1);
            // The seam hides what lies below a peak before it.
            let fewer = whole.falls.iter().zip(once.falls);
            assert!(fewer.clone().all(|(part, all)| *part <= all));
            let zeros = |falls: [u64; 4]| falls.map(|fall| fall == 0);
            assert_eq!(zeros(whole.falls), zeros(once.falls), "{cut}");
        }
    }
}

//! People who come and go, evenly or with the hours of the day.

use std::f64::consts::{PI, TAU};

use super::{DAY, HOUR, Held, Hold, Loop, Parallel, Random, Traffic, Visits};

/// How many come at each hour.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Day {
    /// As many at any.
    Even,
    /// From a fifth to all over the log, slowly at its ends.
    Morning,
    /// From a fifth to all over the log, evenly.
    Ramp,
    /// A fifth at midnight, when the log begins, and all at noon.
    Whole,
}

/// The share of people who come at the quietest time.
const QUIET: f64 = 0.2;

impl Day {
    /// The share of the highest rate, 0 to 1, at an instant.
    fn share(self, at: f64, length: f64) -> f64 {
        let part = (at / length).clamp(0.0, 1.0);
        let rise = match self {
            Day::Even => 1.0,
            Day::Morning => (1.0 - (PI * part).cos()) / 2.0,
            Day::Ramp => part,
            Day::Whole => (1.0 - (TAU * at / DAY).cos()) / 2.0,
        };
        QUIET + (1.0 - QUIET) * rise
    }
}

/// Visits, evenly.
pub(crate) fn visitors(
    random: &mut Random,
    visits: Visits,
    length: f64,
) -> Traffic {
    by_day(random, Day::Even, visits, length)
}

/// Visits, as the hours have it.
pub(crate) fn by_day(
    random: &mut Random,
    day: Day,
    visits: Visits,
    length: f64,
) -> Traffic {
    let share = |at| day.share(at, length);
    Traffic::new(length, visits.streams(random, share, length))
}

/// People who stay for 3 h in the mean, so many at the highest rate; each
/// keeps one stream with a ceiling of 60 s.
pub(crate) fn come_and_go(
    random: &mut Random,
    day: Day,
    people: u32,
    length: f64,
) -> Traffic {
    let stay = 3.0 * HOUR;
    let every = stay / f64::from(people);
    let visits = Visits::every(every, Hold::Exponential(stay));
    stays(random, day, visits, length)
}

/// People behind 8 addresses, one every 2 min, who stay for 40 min in the
/// mean; each keeps one stream with a ceiling of 60 s.
pub(crate) fn sessions(random: &mut Random, length: f64) -> Traffic {
    let visits = Visits::every(120.0, Hold::Exponential(2400.0));
    stays(random, Day::Even, visits, length).behind(8)
}

/// Visits of people who each keep one stream with a ceiling of 60 s.
fn stays(
    random: &mut Random,
    day: Day,
    visits: Visits,
    length: f64,
) -> Traffic {
    let share = |at| day.share(at, length);
    let people = visits.streams(random, share, length);
    let how = Loop::of(Hold::Fixed(60.0));
    let span = |person: &Held| (person.opened, person.closed);
    let held = how.each(random, 0, people.iter().map(span));
    Traffic::new(length, held)
}

/// Visits of people who keep streams as these clients do while they are
/// there.
pub(crate) fn wandering(
    random: &mut Random,
    visits: Visits,
    clients: &Parallel,
    length: f64,
) -> Traffic {
    let people = visits.streams(random, |_| 1.0, length);
    let held = people.iter().flat_map(|person| {
        let stay = (person.opened, person.closed);
        clients.client(random, person.key, stay)
    });
    Traffic::new(length, held.collect())
}

//! Clients that come and stay, each with one stream at a time.

use super::{HOUR, Held, Hold, Loop, MINUTE, Random, Traffic};

/// So many clients all along.
pub(crate) fn steady(
    random: &mut Random,
    clients: u32,
    length: f64,
    hold: Hold,
) -> Traffic {
    steady_loops(random, clients, length, &Loop::of(hold))
}

/// So many clients all along, who go on like this.
pub(crate) fn steady_loops(
    random: &mut Random,
    clients: u32,
    length: f64,
    how: &Loop,
) -> Traffic {
    let span = (how.hold.burn(), length);
    Traffic::new(length, how.all_along(random, 0, clients, span))
}

/// Clients that open the next stream 0.4 to 2 s before they close the last.
pub(crate) fn overlapping(
    random: &mut Random,
    clients: u32,
    length: f64,
) -> Traffic {
    let how = Loop::of(Hold::Fixed(60.0)).waiting(-2.0, -0.4);
    Traffic::new(length, how.all_along(random, 0, clients, (600.0, length)))
}

/// More and more clients with a ceiling of 60 s.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    /// How many there are before the log.
    pub(crate) first: u32,
    /// How many at its end.
    pub(crate) last: u32,
    /// How many streams each keeps.
    pub(crate) each: u32,
    /// The log's length in seconds.
    pub(crate) length: f64,
}

impl Default for Growth {
    fn default() -> Growth {
        Growth { first: 10, last: 40, each: 1, length: 6.0 * HOUR }
    }
}

/// The streams of more and more clients.
pub(crate) fn growing(random: &mut Random, growth: &Growth) -> Traffic {
    let Growth { first, last, each, length } = *growth;
    let mut comes = before(random, first);
    comes.extend(random.uniforms(last - first, (0.0, length)));
    let how = Loop::of(Hold::Fixed(60.0));
    let mut held = Vec::new();
    for _ in 0..each {
        let comes: Vec<f64> =
            comes.iter().map(|at| at + random.uniform(0.0, 5.0)).collect();
        held.extend(how.stay(random, 0, &comes, length));
    }
    Traffic::new(length, held)
}

/// 10 clients, and 20 more from the middle of the log on.
pub(crate) fn stepped(random: &mut Random) -> Traffic {
    let length = 6.0 * HOUR;
    let mut comes = before(random, 10);
    let middle = length / 2.0;
    comes.extend(random.uniforms(20, (middle, middle + MINUTE)));
    let how = Loop::of(Hold::Fixed(60.0));
    Traffic::new(length, how.stay(random, 0, &comes, length))
}

/// When clients came who are there before the log.
fn before(random: &mut Random, clients: u32) -> Vec<f64> {
    random.uniforms(clients, (-665.0, -600.0))
}

/// 10 clients, each of which keeps a second stream from the middle of the
/// log on: a new version of what they run.
pub(crate) fn doubled(random: &mut Random) -> Traffic {
    let length = 6.0 * HOUR;
    let how = Loop::of(Hold::Fixed(60.0));
    let first = how.all_along(random, 0, 10, (600.0, length));
    let middle = length / 2.0;
    let comes = random.uniforms(10, (middle, middle + MINUTE));
    let second = how.stay(random, 0, &comes, length);
    Traffic::new(length, first).and(second)
}

/// One address behind which sessions start, all within a multiple of `tau`
/// seconds of the log's beginning, and go on.
pub(crate) fn warming_up(
    random: &mut Random,
    (sessions, tau): (u32, f64),
    length: f64,
    ceiling: f64,
) -> Traffic {
    let how = Loop::of(Hold::Fixed(ceiling));
    let start = random.uniform(0.0, 300.0);
    let comes: Vec<f64> =
        (0..sessions).map(|_| start + random.exponential(tau)).collect();
    Traffic::new(length, how.stay(random, 0, &comes, length)).behind(1)
}

/// A log of an hour with so few streams that nothing can be said.
pub(crate) fn short(random: &mut Random, streams: u32) -> Traffic {
    let hold = 60.0;
    let stream = |_| {
        let opened = random.uniform(0.0, HOUR - hold);
        let closed = opened + hold * random.uniform(0.5, 1.0);
        Held { opened, closed, key: 0 }
    };
    Traffic::new(HOUR, (0..streams).map(stream).collect())
}

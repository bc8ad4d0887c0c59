//! Leaks that feed on themselves: the more streams a client has left open,
//! the faster it opens the next. And people who grow in number behind an
//! address, whose openings climb as fast.

use super::super::scenario::Family;
use super::super::scenario::{Kind, Scenario};
use super::super::traffic::{
    DAY, HOUR, Held, Hold, Loop, Random, Restart, Traffic, steady_loops,
};

/// Six hours.
const SIX: f64 = 6.0 * HOUR;
/// The ceiling of the healthy clients beside a leak.
const SIXTY: Hold = Hold::Fixed(60.0);

/// The family's scenarios.
pub(super) fn scenarios() -> Vec<Scenario> {
    [leaks(), doubling(), growing()].into_iter().flatten().collect()
}

/// A client whose openings quicken.
#[derive(Clone, Copy, Debug)]
struct Quickening {
    /// Seconds from its first opening to its second.
    every: f64,
    /// With so many streams open it opens twice as fast.
    twice: f64,
    /// The log's length in seconds.
    length: f64,
}

/// The most streams a client opens; its machine has no more.
const MOST: usize = 5000;

impl Quickening {
    /// Its streams, all closed by a restart; then it starts anew.
    fn streams(self, random: &mut Random, key: u32) -> Vec<Held> {
        let restart = 0.95 * self.length;
        let mut streams = Vec::new();
        for (from, until, closed) in [
            (0.0, restart, restart),
            (restart + 1.0, self.length, f64::INFINITY),
        ] {
            let mut opened = from + random.uniform(0.0, self.every);
            let mut open = 0.0;
            while opened < until && streams.len() < MOST {
                streams.push(Held { opened, closed, key });
                open += 1.0;
                let wait = self.every / (1.0 + open / self.twice);
                opened += wait * random.uniform(0.9, 1.1);
            }
        }
        streams
    }
}

fn leaks() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for (every, twice, length, hours) in [
        (300.0, 20.0, SIX, "6 h"),
        (120.0, 50.0, SIX, "6 h"),
        (60.0, 10.0, HOUR, "1 h"),
    ] {
        let leak = Quickening { every, twice, length };
        for (healthy, who) in
            [(0, "alone"), (19, "1 of 20"), (199, "1 of 200")]
        {
            let name =
                format!("{every} s, twice as fast at {twice}, {hours}, {who}");
            let draw = move |random: &mut Random| {
                let restart = Restart::sudden(0.95 * length);
                let how = Loop::of(SIXTY).restarted(&[restart]);
                let others = steady_loops(random, healthy, length, &how);
                others.and(leak.streams(random, healthy))
            };
            scenarios.push(Scenario::new(
                Family::Accelerating,
                Kind::Leak,
                name,
                draw,
            ));
        }
    }
    scenarios
}

/// Of each end the client now and then makes two beginnings. Its streams end
/// as they should, and so it looks like more and more people.
fn doubling() -> Vec<Scenario> {
    let of = |(healthy, who): (u32, &str)| {
        let name = format!("reconnects double, 300 s, {who}");
        let draw = move |random: &mut Random| {
            let hold = Hold::Ceiling { limit: 300.0, early: 0.0 };
            let others = steady_loops(random, healthy, SIX, &Loop::of(hold));
            others.and(doubled(random, hold, healthy))
        };
        Scenario::new(Family::Accelerating, Kind::Ambiguous, name, draw)
    };
    [(0, "alone"), (19, "1 of 20")].map(of).into()
}

/// One stream in twenty is followed by two.
fn doubled(random: &mut Random, hold: Hold, key: u32) -> Vec<Held> {
    let mut streams: Vec<Held> = Vec::new();
    let mut next = vec![-300.0 * random.uniform(0.0, 1.0)];
    while let Some(opened) = next.pop() {
        if opened > SIX || streams.len() >= MOST {
            continue;
        }
        let closed = opened + hold.draw(random);
        streams.push(Held { opened, closed, key });
        let followers = if random.happens(0.05) { 2 } else { 1 };
        for _ in 0..followers {
            next.push(closed + random.uniform(1.0, 1.2));
        }
    }
    streams
}

/// From 5 people behind each address to 50, at a rate that grows with them.
fn growing() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for (limit, length) in [(60.0, SIX), (300.0, SIX), (3600.0, DAY)] {
        for addresses in [1, 5] {
            let whence = super::super::scenario::addresses(addresses);
            let name = format!("5 to 50 people, {limit} s, {whence}");
            let draw = move |random: &mut Random| {
                crowd(random, limit, addresses, length)
            };
            scenarios.push(Scenario::new(
                Family::Accelerating,
                Kind::Healthy,
                name,
                draw,
            ));
        }
    }
    scenarios
}

fn crowd(
    random: &mut Random,
    limit: f64,
    addresses: u32,
    length: f64,
) -> Traffic {
    let hold = Hold::Ceiling { limit, early: 0.0 };
    let how = Loop::of(hold);
    let (first, last) = (5 * addresses, 50 * addresses);
    // The number grows tenfold over the log.
    let tau = length / 10.0_f64.ln();
    let comes = |person: u32, random: &mut Random| {
        if person < first {
            -hold.burn() + random.uniform(0.0, how.cycle())
        } else {
            let nth = f64::from(person) + random.uniform(0.0, 1.0);
            tau * (nth / f64::from(first)).ln()
        }
    };
    let comes: Vec<f64> =
        (0..last).map(|person| comes(person, random)).collect();
    Traffic::new(length, how.stay(random, 0, &comes, length)).behind(addresses)
}

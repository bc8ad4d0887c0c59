//! Leaks that had levelled off before the log began: a client opens the next
//! stream after a time and leaves the last one to the server's limit, so
//! that it holds as many as go into that limit, for ever.

use super::super::scenario::Family;
use super::super::scenario::{Kind, Scenario};
use super::super::traffic::{
    Close, DAY, HOUR, Hold, Leaker, Loop, Random, Traffic,
};
use streamleak::internal::detect::Verdict;

/// Such clients among healthy ones, which hold their streams for as long.
#[derive(Clone, Copy, Debug)]
struct Plateau {
    /// Healthy clients and leaking ones.
    clients: (u32, u32),
    /// What closes the streams.
    hold: Hold,
    /// How many streams each leaking client holds in the mean.
    stacked: f64,
    /// By how much of its time a client is early or late at most, 0 to 1.
    jitter: f64,
    /// How the clients go on.
    pace: Pace,
    /// The log's length in seconds.
    length: f64,
}

/// When a leaking client opens the next stream.
#[derive(Clone, Copy, Debug)]
enum Pace {
    /// After its time.
    Timer,
    /// So, for 20 min in the mean; then it rests for 10.
    Spells,
    /// By chance.
    Chance,
}

/// One alone, one of twenty, all twenty.
const CLIENTS: [(u32, u32, &str); 3] =
    [(0, 1, "1 of 1"), (19, 1, "1 of 20"), (0, 20, "20 of 20")];

/// A common limit, kept as servers do, and how long a log of it is.
const SHORT: (f64, f64) = (300.0, 6.0 * HOUR);
/// A long one.
const LONG: (f64, f64) = (3600.0, DAY);

/// The leaks of the family.
pub(super) fn scenarios() -> Vec<Scenario> {
    [grid(), reaped(), timed(), capped(), unclear()]
        .into_iter()
        .flatten()
        .collect()
}

fn ceiling(limit: f64) -> Hold {
    Hold::Ceiling { limit, early: 0.0 }
}

impl Plateau {
    fn of((limit, length): (f64, f64), stacked: f64) -> Plateau {
        Plateau {
            clients: (19, 1),
            hold: ceiling(limit),
            stacked,
            jitter: 0.1,
            pace: Pace::Timer,
            length,
        }
    }

    fn traffic(&self, random: &mut Random) -> Traffic {
        let (healthy, leaking) = self.clients;
        let span = (self.hold.burn(), self.length);
        let mut held = Loop::of(self.hold).all_along(random, 0, healthy, span);
        // Even reapers that go by chance have closed nearly all that is
        // older than six mean holds.
        let from = -6.0 * self.hold.mean();
        for key in healthy..healthy + leaking {
            for (from, until) in self.spells(random, from) {
                let leaker = Leaker {
                    jitter: self.jitter,
                    close: Close::After(self.hold),
                    ..Leaker::of(self.every(), (from, until))
                };
                held.extend(match self.pace {
                    Pace::Timer | Pace::Spells => leaker.streams(random, key),
                    Pace::Chance => leaker.by_chance(random, key),
                });
            }
        }
        Traffic::new(self.length, held)
    }

    /// Seconds from one opening of a leaking client to the next.
    fn every(&self) -> f64 {
        self.hold.mean() / self.stacked
    }

    /// When a client opens streams.
    fn spells(&self, random: &mut Random, from: f64) -> Vec<(f64, f64)> {
        let Pace::Spells = self.pace else { return vec![(from, self.length)] };
        let mut spells = Vec::new();
        let mut from = from;
        while from < self.length {
            let until = from + random.exponential(1200.0);
            spells.push((from, until.min(self.length)));
            from = until + random.exponential(600.0);
        }
        spells
    }

    fn scenario(self, kind: Kind, name: String) -> Scenario {
        let draw = move |random: &mut Random| self.traffic(random);
        Scenario::new(Family::Plateau, kind, name, draw)
    }

    fn leak(self, name: String) -> Scenario {
        self.scenario(Kind::Leak, name).wants(Verdict::Stacked)
    }
}

/// Every number of streams, every share of the clients.
///
/// Two or three at once of one client alone are out of reach: as many people
/// behind its address, each somewhere in the ceiling, open as evenly by
/// chance in one log of ten (a variation below c has the chance c with two,
/// 1.2 c² with three).
fn grid() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for limit in [SHORT, LONG] {
        for stacked in [2.0, 2.5, 4.0, 10.0, 60.0] {
            for (healthy, leaking, who) in CLIENTS {
                let clients = (healthy, leaking);
                let plateau =
                    Plateau { clients, ..Plateau::of(limit, stacked) };
                let name = format!("{} s / {stacked}, {who}", limit.0);
                scenarios.push(if stacked < 3.0 && leaking == 1 {
                    plateau.scenario(Kind::Ambiguous, name)
                } else {
                    plateau.leak(name)
                });
            }
        }
    }
    scenarios
}

/// Closed by chance, after half an hour in the mean.
fn reaped() -> Vec<Scenario> {
    let of = |(healthy, leaking, who): (u32, u32, &str)| {
        let clients = (healthy, leaking);
        let hold = Hold::Exponential(1800.0);
        let plateau = Plateau { clients, hold, ..Plateau::of(LONG, 10.0) };
        plateau.leak(format!("reaped, exp 1800 s / 10, {who}"))
    };
    CLIENTS.into_iter().map(of).collect()
}

/// Timers that are exact or not, and clients that rest. What two or three at
/// once of one client alone show is out of reach, as in the grid.
fn timed() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for (healthy, leaking, who) in CLIENTS {
        let clients = (healthy, leaking);
        let of = |stacked| Plateau { clients, ..Plateau::of(SHORT, stacked) };
        for (plateau, how) in [
            (Plateau { jitter: 0.005, ..of(3.7) }, "exact timer, 300 s / 3.7"),
            (Plateau { jitter: 0.3, ..of(2.5) }, "jitter 30 %, 300 s / 2.5"),
            (Plateau { jitter: 0.3, ..of(10.0) }, "jitter 30 %, 300 s / 10"),
            (Plateau { pace: Pace::Spells, ..of(4.0) }, "rests, 300 s / 4"),
            (Plateau { pace: Pace::Spells, ..of(10.0) }, "rests, 300 s / 10"),
        ] {
            let name = format!("{how}, {who}");
            let few = how.ends_with("2.5") || how == "rests, 300 s / 4";
            scenarios.push(if few && leaking == 1 {
                plateau.scenario(Kind::Ambiguous, name)
            } else {
                plateau.leak(name)
            });
        }
    }
    scenarios
}

/// The server closes the oldest of more than so many: each end goes with an
/// opening, as where as many are rightly held.
fn capped() -> Vec<Scenario> {
    let of = |cap: usize| {
        let name = format!("server cap {cap}, reached before, 1 of 20");
        let draw = move |random: &mut Random| capped_at(random, cap);
        Scenario::new(Family::Plateau, Kind::Ambiguous, name, draw)
    };
    [3, 10, 50].into_iter().map(of).collect()
}

fn capped_at(random: &mut Random, cap: usize) -> Traffic {
    let (limit, length) = SHORT;
    let how = Loop::of(ceiling(limit));
    let held = how.all_along(random, 0, 19, (900.0, length));
    let from = -130.0 * (cap as f64 + 1.0);
    let leaker = Leaker { cap, ..Leaker::of(120.0, (from, length)) };
    Traffic::new(length, held).and(leaker.streams(random, 19))
}

/// What looks like several streams rightly held, each reopened at its end:
/// the limit is a whole number of exact timers. And what looks like people
/// behind one address: openings by chance.
fn unclear() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for (healthy, leaking, who) in CLIENTS {
        let clients = (healthy, leaking);
        let of = |stacked| Plateau { clients, ..Plateau::of(SHORT, stacked) };
        for (plateau, how) in [
            (Plateau { jitter: 0.001, ..of(2.0) }, "exact timer, 300 s / 2"),
            (Plateau { jitter: 0.001, ..of(5.0) }, "exact timer, 300 s / 5"),
            (Plateau { pace: Pace::Chance, ..of(4.0) }, "chance, 300 s / 4"),
        ] {
            let name = format!("{how}, {who}");
            scenarios.push(plateau.scenario(Kind::Ambiguous, name));
        }
    }
    scenarios
}

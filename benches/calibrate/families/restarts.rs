//! Servers that are restarted so often that no stretch between two restarts
//! can be tested alone.

use super::super::scenario::Family;
use super::super::scenario::{Kind, Scenario};
use super::super::traffic::{
    HOUR, Hold, Leaker, Loop, MINUTE, Parallel, Random, Restart, Traffic, Way,
    steady_loops,
};

/// Minutes from one restart to the next.
const EVERY: [f64; 5] = [4.0, 6.0, 10.0, 20.0, 30.0];
/// Six hours.
const SIX: f64 = 6.0 * HOUR;
/// The ceiling of the clients.
const CEILING: Hold = Hold::Ceiling { limit: 300.0, early: 0.0 };

/// The family's scenarios.
pub(super) fn scenarios() -> Vec<Scenario> {
    [healthy(), leaking()].into_iter().flatten().collect()
}

/// Restarts after so many seconds, give or take a tenth, all the log.
fn restarts(random: &mut Random, every: f64) -> Vec<Restart> {
    let mut restarts = Vec::new();
    let mut at = every * random.uniform(0.0, 1.0);
    while at < SIX {
        restarts.push(Restart::sudden(at));
        at += every * random.uniform(0.9, 1.1);
    }
    restarts
}

fn healthy() -> Vec<Scenario> {
    let of = |name, draw: fn(&mut Random, &[Restart]) -> Traffic, every| {
        let draw = move |random: &mut Random| {
            let restarts = restarts(random, every);
            draw(random, &restarts)
        };
        Scenario::new(Family::Restarts, Kind::Healthy, name, draw)
    };
    let mut scenarios = Vec::new();
    for minutes in EVERY {
        let every = minutes * MINUTE;
        let name = |what| format!("every {minutes} min, {what}");
        scenarios.push(of(name("20 clients, 300 s"), plain, every));
        scenarios.push(of(name("20 clients, exp 3600 s"), long, every));
        scenarios.push(of(name("NAT5, 60 users, 300 s"), behind, every));
        scenarios.push(of(name("20 clients, 3 in parallel"), three, every));
    }
    scenarios
}

fn plain(random: &mut Random, restarts: &[Restart]) -> Traffic {
    steady_loops(random, 20, SIX, &Loop::of(CEILING).restarted(restarts))
}

fn long(random: &mut Random, restarts: &[Restart]) -> Traffic {
    let how = Loop::of(Hold::Exponential(3600.0)).restarted(restarts);
    steady_loops(random, 20, SIX, &how)
}

fn behind(random: &mut Random, restarts: &[Restart]) -> Traffic {
    let how = Loop::of(CEILING).restarted(restarts);
    steady_loops(random, 60, SIX, &how).behind(5)
}

fn three(random: &mut Random, restarts: &[Restart]) -> Traffic {
    let how = Loop::of(CEILING).restarted(restarts);
    let clients = Parallel { how, streams: 3, way: Way::Apart };
    clients.traffic(random, 20, SIX)
}

/// One of 20 clients leaks. Where it opens fewer than two streams between
/// restarts it never holds two, and nothing can be seen.
fn leaking() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for minutes in EVERY {
        for every in [60.0, 120.0, 300.0] {
            let period = minutes * MINUTE;
            // Less than four bins are left between restarts once clients
            // have come back: nothing is there to be fitted. And fewer than
            // five superseded streams between two restarts are below what a
            // leak is asked to add; where the healthy clients are all of one
            // age, too, the restart itself looks like their ceiling.
            let short = period < 9.5 * MINUTE;
            let kind = if short || period / every < 6.0 {
                Kind::Ambiguous
            } else {
                Kind::Leak
            };
            let name = format!("every {minutes} min, 1 of 20 leaks/{every} s");
            let draw = move |random: &mut Random| leak(random, period, every);
            scenarios.push(Scenario::new(Family::Restarts, kind, name, draw));
        }
    }
    scenarios
}

fn leak(random: &mut Random, period: f64, every: f64) -> Traffic {
    let restarts = restarts(random, period);
    let how = Loop::of(CEILING).restarted(&restarts);
    let healthy = steady_loops(random, 19, SIX, &how);
    let leaker = Leaker { restarts, ..Leaker::of(every, (-600.0, SIX)) };
    healthy.and(leaker.streams(random, 19))
}

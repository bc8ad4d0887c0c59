//! Restarts that take their time: the old server closes each of its streams
//! at some moment while it drains, and the client goes to the new one.

use super::super::scenario::Family;
use super::super::scenario::{Kind, Scenario};
use super::super::traffic::{
    DAY, Deploys, HOUR, Hold, Leaker, Loop, MINUTE, Random, Traffic, deploys,
};

/// How long servers drain, in minutes.
const MINUTES: [f64; 4] = [1.0, 5.0, 15.0, 30.0];

/// The family's scenarios.
pub(super) fn scenarios() -> Vec<Scenario> {
    [healthy(), leaking()].into_iter().flatten().collect()
}

fn ceiling(limit: f64) -> Hold {
    Hold::Ceiling { limit, early: 0.0 }
}

fn healthy() -> Vec<Scenario> {
    let short = (2.0 * HOUR, 12.0 * HOUR);
    let long = (6.0 * HOUR, DAY);
    let mut scenarios = Vec::new();
    for minutes in MINUTES {
        for (hold, what, (every, length)) in [
            (ceiling(300.0), "300 s", short),
            (ceiling(3600.0), "3600 s", long),
            (Hold::Exponential(3600.0), "exp 3600 s", long),
        ] {
            let over = minutes * MINUTE;
            let how =
                Deploys { hold, every, over, length, ..Deploys::default() };
            for (addresses, whose) in [(20, "20 addresses"), (5, "NAT5")] {
                let name = format!("over {minutes} min, {what}, {whose}");
                let draw = move |random: &mut Random| {
                    deploys(random, &how).behind(addresses)
                };
                scenarios.push(Scenario::new(
                    Family::Drain,
                    Kind::Healthy,
                    name,
                    draw,
                ));
            }
        }
    }
    scenarios
}

fn leaking() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for minutes in MINUTES {
        for every in [120.0, 300.0] {
            let name = format!("over {minutes} min, 1 of 20 leaks/{every} s");
            let draw = move |random: &mut Random| {
                leak(random, minutes * MINUTE, every)
            };
            scenarios.push(Scenario::new(
                Family::Drain,
                Kind::Leak,
                name,
                draw,
            ));
        }
    }
    scenarios
}

/// 19 healthy clients and one that leaks, on a server that is restarted
/// every 3 h.
fn leak(random: &mut Random, over: f64, every: f64) -> Traffic {
    let (length, period) = (12.0 * HOUR, 3.0 * HOUR);
    let hold = ceiling(300.0);
    let deploys = Deploys { hold, every: period, over, length, backoff: 0.0 };
    let restarts = deploys.restarts(random);
    let how = Loop::of(hold).restarted(&restarts);
    let held = how.all_along(random, 0, 19, (900.0, length));
    let leaker = Leaker { restarts, ..Leaker::of(every, (-600.0, length)) };
    Traffic::new(length, held).and(leaker.streams(random, 19))
}

//! How long a leak goes on before the first alarm, and the leak that no log
//! of ends can show.

use super::super::scenario::Family;
use super::super::scenario::{Kind, Scenario};
use super::super::traffic::{
    HOUR, Hold, Leaker, Loop, Random, Traffic, unclosed,
};

/// When the leak begins.
const BEGINS: f64 = HOUR;
/// How long all of it goes on.
const LENGTH: f64 = 9.0 * HOUR;

/// The family's scenarios.
pub(super) fn scenarios() -> Vec<Scenario> {
    vec![
        delay("article: 1 client alone, 60 s", (0, 1), 60.0),
        delay("1 of 20, every 60 s", (19, 1), 60.0),
        delay("1 of 20, every 300 s", (19, 1), 300.0),
        delay("1 of 200, every 60 s", (199, 1), 60.0),
        delay("1 of 20, every 1800 s", (19, 1), 1800.0),
        delay("all 20, every 300 s", (0, 20), 300.0),
        Scenario::new(
            Family::Delay,
            Kind::Ambiguous,
            "never closed, log cut while open",
            unclosed,
        ),
    ]
}

/// Openings are logged, and the log is judged every minute.
fn delay(name: &str, clients: (u32, u32), every: f64) -> Scenario {
    let draw = move |random: &mut Random| begins(random, clients, every);
    Scenario::new(Family::Delay, Kind::Leak, name, draw).live(BEGINS)
}

/// An hour of health, and then some clients no longer close their streams.
fn begins(
    random: &mut Random,
    (healthy, leaking): (u32, u32),
    every: f64,
) -> Traffic {
    let how = Loop::of(Hold::Fixed(60.0));
    let mut held = how.all_along(random, 0, healthy, (600.0, LENGTH));
    for key in healthy..healthy + leaking {
        let comes = random.uniform(-600.0, -600.0 + how.cycle());
        held.extend(how.client(random, key, (comes, BEGINS)));
        let leaker = Leaker::of(every, (BEGINS, LENGTH));
        held.extend(leaker.streams(random, key));
    }
    Traffic::new(LENGTH, held)
}

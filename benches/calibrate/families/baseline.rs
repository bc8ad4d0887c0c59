//! Logs judged against the slopes of a healthy one: healthy traffic against
//! more of the same, leaks against what the server was like without.

use super::super::scenario::Family;
use super::super::scenario::Scenario;
use super::super::traffic::{
    DAY, Day, HOUR, Hold, Random, Traffic, come_and_go, steady,
};
use super::{healthy, leaking};

/// Six hours.
const SIX: f64 = 6.0 * HOUR;
/// A ceiling of 60 s.
const SIXTY: Hold = Hold::Fixed(60.0);

/// The family's scenarios.
pub(super) fn scenarios() -> Vec<Scenario> {
    let healthy =
        healthy::scenarios().into_iter().map(Scenario::against_itself);
    let leaks = leaking::scenarios().into_iter().map(|leak| {
        let without = without(&leak.name);
        leak.against(without)
    });
    let moved = |scenario: Scenario| scenario.moved(Family::Baseline);
    healthy.chain(leaks).map(moved).collect()
}

/// The traffic of a server without its leak.
fn without(leak: &str) -> fn(&mut Random) -> Traffic {
    let has = |part| leak.contains(part);
    if has("article") {
        |random| steady(random, 1, SIX, SIXTY)
    } else if has("200") {
        |random| steady(random, 200, SIX, SIXTY)
    } else if has("NAT10") {
        |random| steady(random, 60, SIX, SIXTY).behind(10)
    } else if has("exp3600") {
        |random| steady(random, 20, DAY, Hold::Exponential(3600.0))
    } else if has("ramp") {
        |random| come_and_go(random, Day::Ramp, 60, SIX)
    } else {
        |random| steady(random, 20, SIX, SIXTY)
    }
}

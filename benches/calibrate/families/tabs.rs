//! Several tabs an address, without a ceiling, held for hours. Nothing in a
//! log tells whether somebody still looks at them; what the verdicts are is
//! reported, and no goal is set.

use super::super::scenario::Family;
use super::super::scenario::{Kind, Scenario};
use super::super::traffic::{
    DAY, HOUR, Held, Hold, Random, Traffic, Visits, visitors,
};

/// The family's scenarios.
pub(super) fn scenarios() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for addresses in [1, 10] {
        let whence = super::super::scenario::addresses(addresses);
        let name = format!("office day, 5 tabs, {whence}");
        scenarios.push(tabs(name, move |random| office(random, addresses)));
        for hours in [1.0, 4.0, 8.0] {
            let name = format!("exp {hours} h, 5 tabs, {whence}");
            scenarios.push(tabs(name, move |random| {
                let hold = Hold::Exponential(hours * HOUR);
                let every = hold.mean() / 5.0 / f64::from(addresses);
                let visits = Visits::every(every, hold).behind(addresses);
                visitors(random, visits, DAY)
            }));
        }
    }
    scenarios
}

fn tabs(
    name: String,
    draw: impl Fn(&mut Random) -> Traffic + Send + Sync + 'static,
) -> Scenario {
    Scenario::new(Family::Tabs, Kind::Ambiguous, name, draw)
}

/// Tabs opened between 8 and 12 and closed between 16 and 18.
fn office(random: &mut Random, addresses: u32) -> Traffic {
    let mut held = Vec::new();
    for key in 0..addresses {
        for _ in 0..=random.poisson(4.0) {
            let opened = random.uniform(8.0 * HOUR, 12.0 * HOUR);
            let closed = random.uniform(16.0 * HOUR, 18.0 * HOUR);
            held.push(Held { opened, closed, key });
        }
    }
    Traffic::new(DAY, held)
}

//! The healthy counterparts of a leak at its plateau: several people behind
//! one address, and clients that rightly hold several streams.

use super::super::scenario::Family;
use super::super::scenario::{Kind, Scenario};
use super::super::traffic::{
    DAY, HOUR, Held, Hold, Loop, Parallel, Random, Restart, Traffic, Visits,
    Way, steady_loops, visitors, wandering,
};

/// How many addresses people share.
const ADDRESSES: u32 = 4;

/// A common limit, and how long a log of it is.
const SHORT: (f64, f64) = (300.0, 6.0 * HOUR);
/// A long one.
const LONG: (f64, f64) = (3600.0, DAY);

/// The healthy scenarios of the family.
pub(super) fn scenarios() -> Vec<Scenario> {
    [
        users(),
        parallel(),
        overlapping(),
        sleepers(),
        pages(),
        visits(),
        offices(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn healthy(
    name: String,
    draw: impl Fn(&mut Random) -> Traffic + Send + Sync + 'static,
) -> Scenario {
    Scenario::new(Family::Plateau, Kind::Healthy, name, draw)
}

fn ceiling(limit: f64) -> Hold {
    Hold::Ceiling { limit, early: 0.0 }
}

/// People behind shared addresses, each with one stream and the same limit.
fn users() -> Vec<Scenario> {
    let gaps = [(0.0, 5.0), (1.0, 1.0), (0.0, 0.0)];
    let mut scenarios = Vec::new();
    for limit in [SHORT, LONG] {
        for people in [2, 3, 6, 20] {
            for (least, most) in gaps {
                for at_once in [false, true] {
                    let how = Loop::of(ceiling(limit.0)).waiting(least, most);
                    let start = if at_once { "deploy" } else { "random" };
                    let name = format!(
                        "{} s, {people} an address, gap {least}-{most} s, \
                         {start}",
                        limit.0
                    );
                    scenarios.push(healthy(name, move |random| {
                        behind(random, &how, (people, at_once), limit.1)
                    }));
                }
            }
        }
    }
    scenarios
}

/// So many people behind each address; after a deploy all are in step.
fn behind(
    random: &mut Random,
    how: &Loop,
    (people, at_once): (u32, bool),
    length: f64,
) -> Traffic {
    let deploy = Restart::sudden(0.2 * length);
    let restarts: &[Restart] = if at_once { &[deploy] } else { &[] };
    let how = how.clone().restarted(restarts);
    steady_loops(random, people * ADDRESSES, length, &how).behind(ADDRESSES)
}

/// Clients with a stream for each resource they listen to.
fn parallel() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for limit in [SHORT, LONG] {
        for streams in 2..=5 {
            for way in [Way::Together, Way::Drifting, Way::Apart] {
                for clients in [1, 20] {
                    let how = Loop::of(ceiling(limit.0));
                    let parallel = Parallel { how, streams, way };
                    let name = format!(
                        "{} s, {streams} in parallel, {}, {}",
                        limit.0,
                        way.word(),
                        super::super::scenario::clients(clients),
                    );
                    scenarios.push(healthy(name, move |random| {
                        parallel.traffic(random, clients, limit.1)
                    }));
                }
            }
        }
    }
    scenarios
}

/// Clients that open the next stream before they drop the last.
fn overlapping() -> Vec<Scenario> {
    let of = |streams| {
        let (limit, length) = SHORT;
        let how = Loop::of(ceiling(limit)).waiting(-2.0, -0.4);
        let parallel = Parallel { how, streams, way: Way::Apart };
        let name = format!("{limit} s, {streams} in parallel, overlap 2 s");
        healthy(name, move |random| parallel.traffic(random, 20, length))
    };
    [1, 3].into_iter().map(of).collect()
}

/// Clients that sleep now and then: one stream in twelve is left to the
/// limit while its client, awake again, has opened the next.
fn sleepers() -> Vec<Scenario> {
    let of = |(limit, length): (f64, f64)| {
        let name = format!("{limit} s, 1 in 12 left behind, 20 clients");
        healthy(name, move |random| {
            let sleeper = |key| slept(random, key, limit, length);
            Traffic::new(length, (0..20).flat_map(sleeper).collect())
        })
    };
    [SHORT, LONG].map(of).into()
}

/// The streams of such a client.
fn slept(random: &mut Random, key: u32, limit: f64, length: f64) -> Vec<Held> {
    let hold = ceiling(limit);
    let mut held = Vec::new();
    let mut opened = -hold.burn() - random.uniform(0.0, limit);
    while opened < length {
        let closed = opened + hold.draw(random);
        held.push(Held { opened, closed, key });
        opened = if random.happens(1.0 / 12.0) {
            random.uniform(opened, closed)
        } else {
            closed + random.uniform(0.0, 5.0)
        };
    }
    held
}

/// Browsers: tabs with a stream each, pages with a stream a channel. The
/// browser waits for 3 s.
fn pages() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for limit in [60.0, 300.0] {
        let name = format!("{limit} s, 10 people, 3 tabs each");
        let how = Loop::of(ceiling(limit)).waiting(3.0, 3.1);
        scenarios.push(healthy(name, move |random| {
            // 30 tabs at a time, an hour each.
            let tabs = Visits::every(120.0, Hold::Exponential(3600.0));
            let one =
                Parallel { how: how.clone(), streams: 1, way: Way::Apart };
            wandering(random, tabs.behind(10), &one, 6.0 * HOUR)
        }));
        for people in [1, 10] {
            let name =
                format!("{limit} s, 3 channels a page, {people} at a time");
            let how = Loop::of(Hold::Cut { limit, after: 600.0 });
            let page = Parallel {
                how: how.waiting(0.5, 3.0),
                streams: 3,
                way: Way::Together,
            };
            scenarios.push(healthy(name, move |random| {
                page.traffic(random, people, 6.0 * HOUR)
            }));
        }
    }
    scenarios
}

/// People behind shared addresses who come by chance.
fn visits() -> Vec<Scenario> {
    let logn = Hold::Lognormal { median: 300.0, sigma: 1.0 };
    let holds = [
        (Hold::Exponential(600.0), "exp 600 s", 6.0 * HOUR),
        (Hold::Exponential(3600.0), "exp 3600 s", DAY),
        (logn, "lognormal 300 s", 6.0 * HOUR),
        (ceiling(300.0), "fixed 300 s", 6.0 * HOUR),
        (ceiling(3600.0), "fixed 3600 s", DAY),
    ];
    let mut scenarios = Vec::new();
    for (hold, what, length) in holds {
        for addresses in [1, 8] {
            // Five at a time behind each.
            let every = hold.mean() / 5.0 / f64::from(addresses);
            let visits = Visits::every(every, hold).behind(addresses);
            let whence = super::super::scenario::addresses(addresses);
            let name = format!("visits, {what}, {whence}");
            scenarios.push(healthy(name, move |random| {
                visitors(random, visits, length)
            }));
        }
    }
    scenarios
}

/// A day in three offices with ten people each, who come between 8 and 10
/// and leave between 16 and 19.
fn offices() -> Vec<Scenario> {
    let of = |limit| {
        let how = Loop::of(ceiling(limit));
        let name = format!("office day, 10 an address, {limit} s");
        healthy(name, move |random| {
            let stay = |random: &mut Random| {
                let comes = random.uniform(8.0 * HOUR, 10.0 * HOUR);
                (comes, random.uniform(16.0 * HOUR, 19.0 * HOUR))
            };
            let stays: Vec<(f64, f64)> =
                (0..30).map(|_| stay(random)).collect();
            Traffic::new(DAY, how.each(random, 0, stays)).behind(3)
        })
    };
    [60.0, 300.0, 3600.0].into_iter().map(of).collect()
}

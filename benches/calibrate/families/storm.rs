//! Servers that end streams at once and clients that reopen them without
//! end; and healthy traffic with streams as short.

use streamleak::internal::detect::Verdict;

use super::super::scenario::Family;
use super::super::scenario::{Kind, Scenario};
use super::super::traffic::{
    DAY, Deploys, HOUR, Held, Hold, Loop, MINUTE, Random, Traffic, retries,
    steady, steady_loops,
};

/// Six hours.
const SIX: f64 = 6.0 * HOUR;
/// What the clients do that are served.
const SIXTY: Hold = Hold::Fixed(60.0);
/// A server that ends streams soon.
const SOON: Hold = Hold::Uniform(0.0, 1.5);
/// A server that ends streams at once, or refuses them.
const AT_ONCE: Hold = Hold::Uniform(0.002, 0.03);

/// One alone, all of twenty, one beside 19 that are served.
const CLIENTS: [(u32, u32, &str); 3] =
    [(0, 1, "1 client"), (0, 20, "20 clients"), (19, 1, "1 of 20")];

/// Clients whose streams end at once beside some that are served.
#[derive(Clone, Debug)]
struct Storm {
    /// Clients that are served, and not.
    clients: (u32, u32),
    /// What becomes of the streams of those that are not.
    how: Loop,
    /// When it begins, in seconds; they were served before.
    from: f64,
    /// The log's length in seconds.
    length: f64,
}

/// The family's scenarios.
pub(super) fn scenarios() -> Vec<Scenario> {
    [
        endless(),
        begun(),
        other_lengths(),
        backing_off(),
        polls(),
        brief(),
        checks(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Storm {
    fn traffic(&self, random: &mut Random) -> Traffic {
        let (served, stormy) = self.clients;
        let burn = 600.0;
        let well = Loop::of(SIXTY);
        let mut held = well.all_along(random, 0, served, (burn, self.length));
        for key in served..served + stormy {
            let comes = random.uniform(-burn, -burn + well.cycle());
            let before = (comes, self.from);
            if comes < self.from {
                held.extend(well.client(random, key, before));
            }
            let storm = (self.from.max(comes), self.how.after(self.length));
            held.extend(self.how.client(random, key, storm));
        }
        Traffic::new(self.length, held)
    }

    fn scenario(self, kind: Kind, name: String) -> Scenario {
        let draw = move |random: &mut Random| self.traffic(random);
        Scenario::new(Family::Storm, kind, name, draw)
    }

    fn storm(self, name: String) -> Scenario {
        self.scenario(Kind::Storm, name).wants(Verdict::Storm)
    }
}

/// No backoff at all (but the network's), that of most MCP clients, that of
/// browsers.
const GAPS: [(f64, f64, u32); 3] =
    [(0.01, 0.1, 0), (1.0, 1.2, 1), (3.0, 3.3, 3)];

/// Storms that go on all the log.
fn endless() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for (hold, what, gaps) in
        [(SOON, "held 0-1.5 s", &GAPS[..]), (AT_ONCE, "refused", &GAPS[1..])]
    {
        for &(least, most, gap) in gaps {
            for (served, stormy, who) in CLIENTS {
                let storm = Storm {
                    clients: (served, stormy),
                    how: Loop::of(hold).waiting(least, most),
                    from: -DAY,
                    length: HOUR,
                };
                let name = format!("{what}, gap {gap} s, {who}");
                scenarios.push(storm.storm(name));
            }
        }
    }
    scenarios
}

/// Storms that begin in the middle of the log.
fn begun() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for (least, most, gap) in &GAPS[1..3] {
        for (served, stormy, who) in CLIENTS {
            let storm = Storm {
                clients: (served, stormy),
                how: Loop::of(SOON).waiting(*least, *most),
                from: HOUR,
                length: 2.0 * HOUR,
            };
            let name = format!("half-way, gap {gap} s, {who}");
            scenarios.push(storm.storm(name));
        }
    }
    scenarios
}

/// A storm in a short log, and in one of a day.
fn other_lengths() -> Vec<Scenario> {
    let of = |(length, what): (f64, &str)| {
        let how = Loop::of(SOON).waiting(1.0, 1.2);
        let clients = (19, 1);
        let storm = Storm { clients, how, from: -DAY, length };
        storm.storm(format!("{what}, gap 1 s, 1 of 20"))
    };
    [(10.0 * MINUTE, "10 min"), (DAY, "24 h")].map(of).into()
}

/// Clients that wait longer each time, up to 30 s: no storm by its rate.
fn backing_off() -> Vec<Scenario> {
    let of = |(served, stormy, who): (u32, u32, &str)| {
        let storm = Storm {
            clients: (served, stormy),
            how: Loop::of(AT_ONCE).waiting(25.0, 30.0),
            from: -DAY,
            length: SIX,
        };
        let name = format!("refused, gap 25-30 s, {who}");
        storm.scenario(Kind::Ambiguous, name)
    };
    CLIENTS.map(of).into()
}

fn healthy(
    name: String,
    draw: impl Fn(&mut Random) -> Traffic + Send + Sync + 'static,
) -> Scenario {
    Scenario::new(Family::Storm, Kind::Healthy, name, draw)
}

/// Long polls: held for 25 to 30 s and asked again at once, some of them
/// answered at once.
fn polls() -> Vec<Scenario> {
    let held = Hold::Uniform(25.0, 30.0);
    let mut scenarios = Vec::new();
    for clients in [1, 20] {
        let who = super::super::scenario::clients(clients);
        let name = format!("long polls of 25-30 s, {who}");
        let how = Loop::of(held).waiting(0.0, 0.2);
        scenarios.push(healthy(name, move |random| {
            steady_loops(random, clients, SIX, &how)
        }));
        for (share, what) in [(0.1, "10 %"), (0.3, "30 %")] {
            let name = format!("long polls, {what} answered at once, {who}");
            scenarios.push(healthy(name, move |random| {
                answered(random, clients, (share, share))
            }));
        }
        let name = format!("long polls, ten answers in a row, {who}");
        scenarios.push(healthy(name, move |random| {
            answered(random, clients, (0.05, 0.9))
        }));
        let name = format!("long polls, an event in 5 s, {who}");
        let how = Loop::of(Hold::Cut { limit: 30.0, after: 5.0 });
        let how = how.waiting(0.0, 0.2);
        scenarios.push(healthy(name, move |random| {
            steady_loops(random, clients, SIX, &how)
        }));
    }
    scenarios
}

/// Long polls that are answered at once by chance: `rare` (0 to 1) after one
/// that was held, `often` after one that was not.
fn answered(
    random: &mut Random,
    clients: u32,
    (rare, often): (f64, f64),
) -> Traffic {
    let mut held = Vec::new();
    for key in 0..clients {
        let mut chance = rare;
        let mut opened = random.uniform(-60.0, -30.0);
        while opened < SIX {
            let at_once = random.happens(chance);
            chance = if at_once { often } else { rare };
            let (least, most) =
                if at_once { (0.0, 1.0) } else { (25.0, 30.0) };
            let closed = opened + random.uniform(least, most);
            held.push(Held { opened, closed, key });
            opened = closed + random.uniform(0.0, 0.2);
        }
    }
    Traffic::new(SIX, held)
}

/// Short streams now and then.
fn brief() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for hold in [60.0, 300.0, 3600.0] {
        let name = format!("5-20 tries within a minute of deploys, {hold} s");
        scenarios.push(healthy(name, move |random| tries(random, hold)));
    }
    scenarios.push(healthy("retries, 20 within a minute".to_owned(), retries));
    scenarios.push(healthy(
        "2000 clients, one short stream an hour each".to_owned(),
        |random| {
            let how = Loop::of(SOON).waiting(3000.0, 4200.0);
            let comes = random.uniforms(2000, (-3600.0, 0.0));
            Traffic::new(SIX, how.stay(random, 0, &comes, SIX))
        },
    ));
    scenarios
}

/// 20 clients on a server that is restarted every 2 h; each of them tries 5
/// to 20 times within the next minute before it is served again.
fn tries(random: &mut Random, hold: f64) -> Traffic {
    let deploys = Deploys { length: 12.0 * HOUR, ..Deploys::default() };
    let restarts = deploys.restarts(random);
    let how = Loop::of(Hold::Ceiling { limit: hold, early: 0.0 });
    let mut held = Vec::new();
    for key in 0..20 {
        let mut from = -3.0 * hold - random.uniform(0.0, hold);
        for restart in &restarts {
            held.extend(how.client(random, key, (from, restart.at)));
            let served = restart.at + MINUTE;
            let count = 5 + random.below(16);
            for opened in random.uniforms(count, (restart.at, served)) {
                let closed = opened + random.uniform(0.0, 1.0);
                held.push(Held { opened, closed, key });
            }
            from = served + random.uniform(1.0, 5.0);
        }
        let last = (from, how.after(deploys.length));
        held.extend(how.client(random, key, last));
    }
    Traffic::new(deploys.length, held)
}

/// Health checks that look whether streams can be opened.
fn checks() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for every in [5.0, 10.0, 30.0] {
        for clients in [0, 20] {
            let name =
                format!("3 health checks every {every} s, {clients} clients");
            let hold = Hold::Uniform(0.05, 0.5);
            let how = Loop::of(hold).waiting(every - 0.3, every - 0.2);
            scenarios.push(healthy(name, move |random| {
                let span = (600.0, SIX);
                let probes = how.all_along(random, 1000, 3, span);
                steady(random, clients, SIX, SIXTY).and(probes)
            }));
        }
    }
    scenarios
}

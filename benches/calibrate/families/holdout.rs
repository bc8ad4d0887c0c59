//! Scenarios that the thresholds of the detector were not set on: they were
//! written afterwards.

use super::super::scenario::Family;
use super::super::scenario::{Kind, Scenario};
use super::super::traffic::{
    DAY, Day, Growth, HOUR, Held, Hold, Loop, MINUTE, Mix, Random, Traffic,
    Visits, by_day, growing, sessions, steady, steady_loops, visitors,
    warming_up,
};

/// A ceiling of 60 s.
const SIXTY: Hold = Hold::Fixed(60.0);
/// Ten minutes in the mean.
const TEN_MINUTES: Hold = Hold::Exponential(600.0);
/// Six hours.
const SIX: f64 = 6.0 * HOUR;

/// The family's scenarios.
pub(super) fn scenarios() -> Vec<Scenario> {
    [proxied(), quiet(), unclear(), leaks()].into_iter().flatten().collect()
}

fn healthy(
    name: &str,
    draw: impl Fn(&mut Random) -> Traffic + Send + Sync + 'static,
) -> Scenario {
    Scenario::new(Family::Holdout, Kind::Healthy, name, draw)
}

fn leak(
    name: &str,
    draw: impl Fn(&mut Random) -> Traffic + Send + Sync + 'static,
) -> Scenario {
    Scenario::new(Family::Holdout, Kind::Leak, name, draw)
}

/// All behind a proxy: one address.
fn proxied() -> Vec<Scenario> {
    let visits = |seconds| Visits::every(seconds, TEN_MINUTES);
    let long = || Visits::every(300.0, Hold::Exponential(3600.0));
    vec![
        healthy("proxy: 1 address, const60 n20 6h", |r| {
            steady(r, 20, SIX, SIXTY).behind(1)
        }),
        healthy("proxy: 1 address, poisson exp600 6h", move |r| {
            visitors(r, visits(60.0), SIX).behind(1)
        }),
        healthy("proxy: 1 address, poisson exp3600 24h", move |r| {
            visitors(r, long(), DAY).behind(1)
        }),
        healthy("proxy: 1 address, diurnal ramp exp600", move |r| {
            by_day(r, Day::Morning, visits(20.0), SIX).behind(1)
        }),
        healthy("proxy: 1 address, client growth 6h", |r| {
            growing(r, &Growth::default()).behind(1)
        }),
        healthy("proxy: 1 address, sessions 6h", |r| {
            sessions(r, SIX).behind(1)
        }),
        healthy("proxy: 1 address, diurnal 24h", move |r| {
            by_day(r, Day::Whole, visits(20.0), DAY).behind(1)
        }),
    ]
}

fn quiet() -> Vec<Scenario> {
    vec![
        healthy("jittered holds 30..100 s", jittered),
        healthy("office day 3 per address 24h", office),
        healthy("refused 20 min, retry storm", refused),
        healthy("NAT5 closed exp600 n60 24h", |r| {
            let how = Loop::of(TEN_MINUTES).waiting(0.0, 10.0);
            steady_loops(r, 60, DAY, &how).behind(5)
        }),
        healthy("codex-like 15 sessions 30 s 90min", |r| {
            warming_up(r, (15, 600.0), 1.5 * HOUR, 30.0)
        }),
        healthy("clients leave 6h", leaving),
    ]
}

fn unclear() -> Vec<Scenario> {
    let of = |name, draw: fn(&mut Random) -> Traffic| {
        Scenario::new(Family::Holdout, Kind::Ambiguous, name, draw)
    };
    vec![
        of("hold ceiling x5 at half time (NAT5)", longer),
        of("tabs without ceiling, several per address", tabs),
        of("auggie-like 29 min, key=session (wrong key)", apart),
    ]
}

fn leaks() -> Vec<Scenario> {
    let of = |healthy| Mix { healthy, every: 120.0, ..Mix::default() };
    let mix = |name, mix: Mix| leak(name, move |r| mix.traffic(r));
    let (some, many, rolling) = (of(19), of(199), of(19));
    let weekly = Mix { every: 1200.0, length: 3.0 * DAY, ..of(49) };
    let few = Mix { leaking: 3, every: 6000.0, length: 12.0 * HOUR, ..of(97) };
    let fixed = Mix { every: 300.0, ..of(19) };
    let late = Mix { begins: 0.4, ..of(19) };
    vec![
        leak("proxy: 1 address, 1 of 20 leaks/120s 6h", move |r| {
            some.traffic(r).behind(1)
        }),
        leak("proxy: 1 address, 1 of 200 leaks/120s 6h", move |r| {
            many.traffic(r).behind(1)
        }),
        leak("auggie-like 29 min, key=address", sessions_only),
        mix("weekly deploy, 1 of 50 leaks/20 min, 3 d", weekly),
        mix("3 of 100 leak 1 % of reopens 12h", few),
        leak("leak ends at 60 %, restart 95 %", move |r| {
            let after = |s: &Held| (0.6 * SIX..0.95 * SIX).contains(&s.opened);
            fixed.traffic(r).only(|s| s.key != 19 || !after(s))
        }),
        leak("rolling restart over 60 s at 95 %", move |r| {
            let traffic = rolling.traffic(r);
            rolled(r, traffic)
        }),
        leak("new client arrives at 40 % and leaks", move |r| {
            late.traffic(r).only(|s| s.key != 19 || s.opened >= 0.4 * SIX)
        }),
    ]
}

/// 30 clients that hold for 30 to 100 s and wait for 3 s in the mean.
fn jittered(random: &mut Random) -> Traffic {
    let mut held = Vec::new();
    for key in 0..30 {
        let mut opened = random.uniform(-300.0, -240.0);
        while opened < SIX {
            let closed = opened + random.uniform(30.0, 100.0);
            held.push(Held { opened, closed, key });
            opened = closed + random.exponential(3.0);
        }
    }
    Traffic::new(SIX, held)
}

/// 45 people behind 15 addresses come between 8 and 10 and leave between 16
/// and 19; three are there all along.
fn office(random: &mut Random) -> Traffic {
    let how = Loop::of(SIXTY);
    let mut held = Vec::new();
    for person in 0..45 {
        let comes = random.uniform(8.0 * HOUR, 10.0 * HOUR);
        let leaves = random.uniform(16.0 * HOUR, 19.0 * HOUR);
        held.extend(how.client(random, person / 3, (comes, leaves)));
    }
    let night = how.all_along(random, 1000, 3, (600.0, DAY));
    Traffic::new(DAY, held).and(night)
}

/// 20 clients whose server refuses for 20 min: each tries again every 2 s.
fn refused(random: &mut Random) -> Traffic {
    let from = random.uniform(HOUR, 4.0 * HOUR);
    let until = from + 20.0 * MINUTE;
    let served =
        |stream: &Held| stream.opened <= from || stream.opened >= until;
    let traffic = steady(random, 20, SIX, SIXTY).only(served);
    let tries = random.uniforms(12_000, (from, until));
    let refusal =
        |opened| Held { opened, closed: opened + 0.1, key: random.below(20) };
    traffic.and(tries.into_iter().map(refusal).collect())
}

/// 40 clients that leave one after the other.
fn leaving(random: &mut Random) -> Traffic {
    let stay = |random: &mut Random| {
        (random.uniform(-300.0, -240.0), random.uniform(0.0, SIX))
    };
    let stays: Vec<(f64, f64)> = (0..40).map(|_| stay(random)).collect();
    Traffic::new(SIX, Loop::of(SIXTY).each(random, 0, stays))
}

/// Holds of 2 min in the mean, of 10 from the middle of the log on.
fn longer(random: &mut Random) -> Traffic {
    let visits = Visits::every(30.0, Hold::Exponential(120.0)).behind(5);
    let mut traffic = visitors(random, visits, SIX);
    for stream in &mut traffic.held {
        if stream.opened > SIX / 2.0 {
            let hold = stream.closed - stream.opened;
            stream.closed = stream.opened + 5.0 * hold;
        }
    }
    traffic
}

/// Pages that are opened in the morning and closed in the evening, about 5
/// behind each of 10 addresses.
fn tabs(random: &mut Random) -> Traffic {
    let mut held = Vec::new();
    for address in 0..10 {
        for _ in 0..=random.poisson(4.0) {
            let opened = random.uniform(8.0 * HOUR, 12.0 * HOUR);
            let closed = random.uniform(16.0 * HOUR, 18.0 * HOUR);
            held.push(Held { opened, closed, key: 100 + address });
        }
    }
    steady(random, 5, DAY, SIXTY).and(held)
}

/// One address that opens a new session at every reconnect and closes one
/// in twenty; a restart ends all.
fn sessions_only(random: &mut Random) -> Traffic {
    let length = 29.0 * MINUTE;
    let restart = 0.97 * length;
    let opened = random.poisson(287.0);
    let opened = random.uniforms(opened, (0.0, restart));
    let stream = |opened| {
        let kept = random.happens(0.95);
        let brief = opened + random.exponential(60.0);
        let closed = if kept { restart } else { restart.min(brief) };
        Held { opened, closed, key: 0 }
    };
    Traffic::new(length, opened.into_iter().map(stream).collect())
}

/// The same, with every session taken for a client.
fn apart(random: &mut Random) -> Traffic {
    let mut traffic = sessions_only(random);
    for (key, stream) in (0..).zip(&mut traffic.held) {
        stream.key = key;
    }
    traffic
}

/// What a restart at 95 % closes, closed within a minute instead.
fn rolled(random: &mut Random, mut traffic: Traffic) -> Traffic {
    let restart = 0.95 * traffic.length;
    for stream in &mut traffic.held {
        if (stream.closed - restart).abs() < 1e-6 {
            stream.closed += random.uniform(0.0, MINUTE);
        }
    }
    traffic
}

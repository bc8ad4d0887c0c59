//! Leaks: alone and among healthy clients, fast and slow, reaped and capped,
//! begun before the log and in it.

use super::super::scenario::Family;
use super::super::scenario::{Kind, Scenario};
use super::super::traffic::{
    Close, DAY, HOUR, Hold, Mix, Random, Traffic, alone, in_a_ramp,
    now_and_then, sawtooth,
};

/// Six hours.
const SIX: f64 = 6.0 * HOUR;

/// The family's scenarios.
pub(super) fn scenarios() -> Vec<Scenario> {
    [simple(), slow(), bounded(), elsewhere()].into_iter().flatten().collect()
}

fn leak(
    name: &str,
    draw: impl Fn(&mut Random) -> Traffic + Send + Sync + 'static,
) -> Scenario {
    Scenario::new(Family::Leaking, Kind::Leak, name, draw)
}

fn mix(name: &str, mix: Mix) -> Scenario {
    leak(name, move |random| mix.traffic(random))
}

/// One client, one of many, all of them.
fn simple() -> Vec<Scenario> {
    let of = |healthy, every| Mix { healthy, every, ..Mix::default() };
    vec![
        leak("article 1 client 10min", |r| alone(r, 600.0, 0.95)),
        leak("article 1 client 1h", |r| alone(r, HOUR, 0.9)),
        leak("article 1 client 6h", |r| alone(r, SIX, 0.9)),
        mix("all 20 leak/300s 6h", Mix { leaking: 20, ..of(0, 300.0) }),
        mix("1 of 20 leak/300s 6h", of(19, 300.0)),
        mix("1 of 200 leak/60s 6h", of(199, 60.0)),
        mix("1 of 200 leak/300s 6h", of(199, 300.0)),
    ]
}

/// A few streams in all the log.
fn slow() -> Vec<Scenario> {
    let of = |healthy, length: f64, streams: f64| Mix {
        healthy,
        length,
        every: 0.95 * length / (streams + 0.5),
        back: 0.0,
        ..Mix::default()
    };
    vec![
        mix("1 of 200 +5 streams 6h", of(199, SIX, 5.0)),
        mix("1 of 20 +5 streams 6h", of(19, SIX, 5.0)),
        mix("1 of 20 +10 streams 24h", of(19, DAY, 10.0)),
        leak("prob 0.2% per reconnect", |r| now_and_then(r, 0.002)),
    ]
}

/// Something closes the streams after all.
fn bounded() -> Vec<Scenario> {
    let of = |close, length| Mix {
        every: 120.0,
        close,
        restart: 0.0,
        back: 0.0,
        length,
        ..Mix::default()
    };
    let two = 2.0 * HOUR;
    let after = |mean| Close::After(Hold::Exponential(mean));
    vec![
        mix("reaped after 2h fixed 6h", of(Close::Fixed(two), SIX)),
        mix("reaped exp 2h 6h", of(after(two), SIX)),
        mix(
            "reaped exp 4h 24h 1/200",
            Mix { healthy: 199, ..of(after(4.0 * HOUR), DAY) },
        ),
        mix("reaped 2h fixed, 24h log", of(Close::Fixed(two), DAY)),
        mix(
            "server cap 50 6h",
            Mix { cap: 50, restart: 0.95, ..of(Close::Never, SIX) },
        ),
    ]
}

/// Begun in the log, on a busy server, behind an address, for a week.
fn elsewhere() -> Vec<Scenario> {
    let of = |begins| Mix { every: 120.0, begins, ..Mix::default() };
    let hours = Mix {
        hold: Hold::Exponential(3600.0),
        every: 900.0,
        length: DAY,
        ..Mix::default()
    };
    let week = Mix { every: 3600.0, length: 7.0 * DAY, ..Mix::default() };
    let crowd = Mix { healthy: 59, every: 120.0, ..Mix::default() };
    vec![
        mix("starts at 50% 6h", of(0.5)),
        mix("starts at 75% 6h", of(0.75)),
        leak("sawtooth restarts 12h", sawtooth),
        leak("leak in diurnal ramp", in_a_ramp),
        leak("leaker behind NAT10 6h", move |r| crowd.traffic(r).behind(10)),
        mix("leak in exp3600 holds 24h", hours),
        mix("1 of 20 leak 7d restart", week).rare(),
    ]
}

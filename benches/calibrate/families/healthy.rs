//! Healthy traffic: clients that keep one stream each, people who come and
//! go, mornings, growth, deploys, outages.

use super::super::scenario::Family;
use super::super::scenario::{Kind, Scenario};
use super::super::traffic::{
    DAY, Day, Deploys, Growth, HOUR, Hold, Loop, MINUTE, Random, Traffic,
    Visits, bursts, by_day, come_and_go, deploys, doubled, growing, outage,
    overlapping, retries, sessions, short, steady, steady_loops, stepped,
    visitors, warming_up,
};

/// A ceiling of 60 s.
const SIXTY: Hold = Hold::Fixed(60.0);
/// An hour in the mean.
const AN_HOUR: Hold = Hold::Exponential(3600.0);
/// Ten minutes in the mean.
const TEN_MINUTES: Hold = Hold::Exponential(600.0);
/// Six hours.
const SIX: f64 = 6.0 * HOUR;

/// The family's scenarios.
pub(super) fn scenarios() -> Vec<Scenario> {
    let parts = [kept(), visited(), growth(), incidents(), little()];
    parts.into_iter().flatten().collect()
}

fn healthy(
    name: &str,
    draw: impl Fn(&mut Random) -> Traffic + Send + Sync + 'static,
) -> Scenario {
    Scenario::new(Family::Healthy, Kind::Healthy, name, draw)
}

/// Clients that keep one stream each.
fn kept() -> Vec<Scenario> {
    let fixed = Hold::Fixed;
    let hour = Hold::Fixed(3600.0);
    let long = Hold::Lognormal { median: 300.0, sigma: 1.5 };
    vec![
        healthy("const60 n20 10min", |r| steady(r, 20, 10.0 * MINUTE, SIXTY)),
        healthy("const60 n20 1h", |r| steady(r, 20, HOUR, SIXTY)),
        healthy("const60 n20 6h", |r| steady(r, 20, SIX, SIXTY)),
        healthy("const60 n20 24h", |r| steady(r, 20, DAY, SIXTY)),
        healthy("const60 n20 7d", |r| steady(r, 20, 7.0 * DAY, SIXTY)).rare(),
        healthy("one client 0..1 1h", |r| steady(r, 1, HOUR, SIXTY)),
        healthy("one client 0..1 6h", |r| steady(r, 1, SIX, SIXTY)),
        healthy("const60 n500 6h", |r| steady(r, 500, SIX, SIXTY)),
        healthy("hold300 n20 6h", move |r| steady(r, 20, SIX, fixed(300.0))),
        healthy("hold3600 n20 6h", move |r| steady(r, 20, SIX, hour)),
        healthy("hold3600 n20 24h", move |r| steady(r, 20, DAY, hour)),
        healthy("hold exp3600 n20 24h", |r| {
            steady_loops(r, 20, DAY, &Loop::of(AN_HOUR).waiting(0.0, 60.0))
        }),
        healthy("hold logn300s1.5 6h", move |r| {
            steady_loops(r, 20, SIX, &Loop::of(long).waiting(0.0, 30.0))
        }),
        healthy("NAT10 60 users 6h", |r| steady(r, 60, SIX, SIXTY).behind(10)),
        healthy("reopen overlap 2s", |r| overlapping(r, 20, SIX)),
    ]
}

/// People who come and go.
fn visited() -> Vec<Scenario> {
    let long = Hold::Lognormal { median: 600.0, sigma: 1.5 };
    let (ten, hour) = (TEN_MINUTES, AN_HOUR);
    let visits = Visits::every;
    vec![
        healthy("poisson exp600 6h", move |r| {
            visitors(r, visits(60.0, ten), SIX)
        }),
        healthy("poisson exp600 24h", move |r| {
            visitors(r, visits(60.0, ten), DAY)
        }),
        healthy("poisson exp3600 24h", move |r| {
            visitors(r, visits(300.0, hour), DAY)
        }),
        healthy("poisson exp3600 6h", move |r| {
            visitors(r, visits(300.0, hour), SIX)
        }),
        healthy("poisson logn 24h", move |r| {
            visitors(r, visits(120.0, long), DAY)
        }),
        healthy("NAT20 pois exp600 6h", move |r| {
            visitors(r, visits(20.0, ten).behind(20), SIX)
        }),
        healthy("NAT20 pois exp600 24h", move |r| {
            visitors(r, visits(20.0, ten).behind(20), DAY)
        }),
        healthy("NAT8 pois exp3600 24h", move |r| {
            visitors(r, visits(120.0, hour).behind(8), DAY)
        }),
        healthy("NAT8 sessions 6h", |r| sessions(r, SIX)),
        healthy("NAT8 sessions 24h", |r| sessions(r, DAY)),
    ]
}

/// More and more clients.
fn growth() -> Vec<Scenario> {
    let visits = |seconds| Visits::every(seconds, TEN_MINUTES);
    vec![
        healthy("diurnal ramp 6h", move |r| {
            by_day(r, Day::Morning, visits(20.0), SIX)
        }),
        healthy("diurnal loop ramp 6h", |r| {
            come_and_go(r, Day::Ramp, 60, SIX)
        }),
        healthy("diurnal day 24h", move |r| {
            by_day(r, Day::Whole, visits(20.0), DAY)
        }),
        healthy("diurnal day 7d", |r| {
            come_and_go(r, Day::Whole, 20, 7.0 * DAY)
        })
        .rare(),
        healthy("diurnal ramp NAT20", move |r| {
            by_day(r, Day::Morning, visits(10.0).behind(20), SIX)
        }),
        healthy("client growth 6h", |r| growing(r, &Growth::default())),
        healthy("client growth 2/cl", |r| {
            growing(r, &Growth { each: 2, ..Growth::default() })
        }),
        healthy("client growth 24h", |r| {
            growing(r, &Growth { length: DAY, ..Growth::default() })
        }),
        healthy("NAT5 growth 6h", |r| {
            growing(r, &Growth::default()).behind(5)
        }),
        healthy("step clients 6h", stepped),
        healthy("step 2 streams/cl", doubled),
        healthy("warm-up plateau 6h", |r| {
            warming_up(r, (15, 900.0), SIX, 180.0)
        }),
    ]
}

/// Deploys, outages, bursts, retries.
fn incidents() -> Vec<Scenario> {
    vec![
        healthy("bursts 6h", bursts),
        healthy("deploys 300s 6h", |r| deploys(r, &Deploys::default())),
        healthy("deploys backoff 12h", |r| {
            let length = 12.0 * HOUR;
            deploys(
                r,
                &Deploys { backoff: 120.0, length, ..Deploys::default() },
            )
        }),
        healthy("deploys NAT5 6h", |r| {
            deploys(r, &Deploys { backoff: 60.0, ..Deploys::default() })
                .behind(5)
        }),
        healthy("deploys exp3600 24h", |r| {
            let (hold, every, length) = (AN_HOUR, SIX, DAY);
            deploys(r, &Deploys { hold, every, length, ..Deploys::default() })
        }),
        healthy("outage 6h", outage),
        healthy("retry storms 6h", retries),
    ]
}

/// Logs too short or too empty to judge.
fn little() -> Vec<Scenario> {
    vec![
        healthy("sparse 3 streams 1h", |r| short(r, 3)),
        healthy("sparse 3 min log", |r| steady(r, 3, 180.0, SIXTY)),
    ]
}

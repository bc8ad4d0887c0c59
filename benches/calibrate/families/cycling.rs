//! Streams that end at a ceiling and are reopened one for one: a cost, not a
//! leak. And streams without a ceiling, which must not be called so.

use streamleak::internal::detect::Verdict;

use super::super::scenario::Family;
use super::super::scenario::{Kind, Scenario};
use super::super::traffic::{
    DAY, HOUR, Hold, Loop, Visits, steady_loops, visitors,
};

/// Six hours.
const SIX: f64 = 6.0 * HOUR;

/// The family's scenarios.
pub(super) fn scenarios() -> Vec<Scenario> {
    [pinned(), early(), loose(), visited()].into_iter().flatten().collect()
}

/// So many clients that go on like this.
fn looping(name: String, clients: u32, length: f64, how: Loop) -> Scenario {
    Scenario::new(Family::Cycling, Kind::Healthy, name, move |random| {
        steady_loops(random, clients, length, &how)
    })
}

/// How long the log of a ceiling is.
fn length(limit: f64) -> f64 {
    if limit > HOUR / 2.0 { DAY } else { SIX }
}

/// Every stream ends at the ceiling.
fn pinned() -> Vec<Scenario> {
    let mut scenarios = Vec::new();
    for limit in [60.0, 300.0, 3600.0] {
        for (least, most, gap) in [(1.0, 1.2, "1"), (0.0, 35.0, "0-35")] {
            for count in [1, 5, 20, 200] {
                let hold = Hold::Ceiling { limit, early: 0.0 };
                let how = Loop::of(hold).waiting(least, most);
                let who = super::super::scenario::clients(count);
                let name = format!("{limit} s, gap {gap} s, {who}");
                scenarios.push(
                    looping(name, count, length(limit), how)
                        .wants(Verdict::Cycling),
                );
            }
        }
    }
    scenarios
}

/// 15 % of the streams end before it.
fn early() -> Vec<Scenario> {
    let of = |limit| {
        let how = Loop::of(Hold::Ceiling { limit, early: 0.15 });
        let name = format!("{limit} s, 15 % end before, 20 clients");
        looping(name, 20, length(limit), how).wants(Verdict::Cycling)
    };
    [60.0, 300.0, 3600.0].into_iter().map(of).collect()
}

/// There is no ceiling.
fn loose() -> Vec<Scenario> {
    let wide = Hold::Lognormal { median: 300.0, sigma: 1.5 };
    let narrow = Hold::Lognormal { median: 300.0, sigma: 0.5 };
    let holds = [
        (Hold::Exponential(60.0), "exp 60 s", SIX),
        (Hold::Exponential(600.0), "exp 600 s", SIX),
        (Hold::Exponential(3600.0), "exp 3600 s", DAY),
        (wide, "lognormal 300 s, sigma 1.5", SIX),
        (narrow, "lognormal 300 s, sigma 0.5", SIX),
        (Hold::Uniform(30.0, 100.0), "30-100 s", SIX),
    ];
    let mut scenarios = Vec::new();
    for (hold, what, length) in holds {
        for count in [1, 20, 200] {
            let name =
                format!("{what}, {}", super::super::scenario::clients(count));
            scenarios.push(
                looping(name, count, length, Loop::of(hold))
                    .never(Verdict::Cycling),
            );
        }
    }
    scenarios
}

/// There is no ceiling, and nobody comes back at once.
fn visited() -> Vec<Scenario> {
    let of = |(hold, what)| {
        let visits = Visits::every(60.0, hold);
        let name = format!("visits, {what}");
        Scenario::new(Family::Cycling, Kind::Healthy, name, move |random| {
            visitors(random, visits, DAY)
        })
        .never(Verdict::Cycling)
    };
    let wide = Hold::Lognormal { median: 300.0, sigma: 1.5 };
    [
        (Hold::Exponential(600.0), "exp 600 s"),
        (wide, "lognormal 300 s, sigma 1.5"),
        (Hold::Fixed(300.0), "fixed 300 s"),
    ]
    .map(of)
    .into()
}

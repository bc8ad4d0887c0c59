//! The calibration run in miniature: that its logs are what they claim to
//! be, and its arithmetic.

#[path = "../../benches/calibrate/families/mod.rs"]
mod families;
#[path = "../../benches/calibrate/scenario.rs"]
#[expect(dead_code, reason = "the table shows the rest")]
mod scenario;
#[path = "../../benches/calibrate/tally.rs"]
#[expect(dead_code, reason = "the table shows the rest")]
mod tally;
#[path = "../../benches/calibrate/traffic/mod.rs"]
mod traffic;

use std::collections::HashSet;

use streamleak::internal::detect::Verdict;

use scenario::{Family, Kind, Scenario};
use tally::{Goal, Rate, Tally};
use traffic::{DAY, Hold, Log, Logging, Random, Visits, visitors};

/// How the first logs of a scenario are judged.
fn tally(family: Family, name: &str) -> Tally {
    let of = |one: &Scenario| one.family == family && one.name == name;
    let scenario = families::all().into_iter().find(of);
    let scenario = scenario.expect("a scenario of this name");
    (0..20).map(|log| scenario.judge(7, log)).collect()
}

#[test]
fn health_growth_and_a_leak_are_called_so() {
    for (family, name, verdict) in [
        (Family::Healthy, "const60 n20 1h", Verdict::Cycling),
        (Family::Healthy, "diurnal ramp 6h", Verdict::Growing),
        (Family::Leaking, "article 1 client 1h", Verdict::Climbing),
    ] {
        let tally = tally(family, name);
        assert_eq!(tally.count(verdict), 20, "{name}: {tally:?}");
    }
}

#[test]
fn a_leak_judged_live_is_found_after_a_while() {
    let tally = tally(Family::Delay, "1 of 20, every 60 s");
    let median = tally.delay(0.5).expect("it is found");
    assert!((5.0..=20.0).contains(&median), "{median} min");
    assert_eq!(tally.goal(Kind::Leak, None), Goal::Met);
}

#[test]
fn a_log_follows_from_its_seed_scenario_and_number() {
    let visits = Visits::every(60.0, Hold::Exponential(600.0));
    let log = |seed, scenario, number| {
        let mut random = Random::new(seed, scenario, number);
        Log::of(&visitors(&mut random, visits, DAY), Logging::Ends).streams
    };
    assert_eq!(log(7, "one", 0), log(7, "one", 0));
    for other in [log(8, "one", 0), log(7, "two", 0), log(7, "one", 1)] {
        assert_ne!(log(7, "one", 0), other);
    }
}

// Little's law: one a minute, each held for ten, are ten at a time. The mean
// of 20 days has a standard error of 0.08.
#[test]
fn as_many_visitors_are_there_as_littles_law_has_it() {
    let visits = Visits::every(60.0, Hold::Exponential(600.0));
    let open = |number| {
        let mut random = Random::new(7, "Little", number);
        let traffic = visitors(&mut random, visits, DAY);
        Log::of(&traffic, Logging::OpensAndEnds).mean_open()
    };
    let mean = (0..20).map(open).sum::<f64>() / 20.0;
    assert!((mean - 10.0).abs() < 0.4, "{mean}");
}

#[test]
fn no_two_scenarios_of_a_family_share_a_name() {
    let mut seen = HashSet::new();
    for scenario in families::all() {
        let key = (scenario.family.word(), scenario.name);
        assert!(seen.insert(key.clone()), "{key:?}");
    }
}

// Expected: scipy 1.17.1, `binomtest(k, n).proportion_ci(0.95, 'exact')`.
#[test]
fn intervals_are_scipys() {
    for (count, of, low, high) in [
        (0, 500, 0.0, 0.007350610051907785),
        (1, 500, 5.0634334007487e-5, 0.011092476899002649),
        (3, 500, 0.0012390575435350217, 0.017433673726060524),
        (7, 500, 0.005646761070671558, 0.02863161618333614),
        (250, 500, 0.4552855693242274, 0.5447144306757725),
        (497, 500, 0.9825663262739395, 0.998760942456465),
        (500, 500, 0.9926493899480923, 1.0),
        (2, 100, 0.0024313368239247935, 0.07038393247107005),
    ] {
        let found = Rate { count, of }.interval(0.95);
        let error = (found.0 - low).abs().max((found.1 - high).abs());
        assert!(error < 1e-9, "{count} of {of}: {found:?}");
    }
}

#[test]
fn a_goal_is_missed_only_beyond_chance() {
    let goal = |alarms: u32, kind| {
        let logs = (0..500).map(|log| scenario::Judged {
            verdict: if log < alarms {
                Verdict::Stacked
            } else {
                Verdict::Flat
            },
            delay: None,
            streams: 0,
            open: 0.0,
        });
        logs.collect::<Tally>().goal(kind, None)
    };
    // The lower bound of 6 in 500 is 0.44 %, that of 7 is 0.56 %.
    let healthy = [2, 3, 6, 7].map(|alarms| goal(alarms, Kind::Healthy));
    use Goal::{Chance, Met, Missed};
    assert_eq!(healthy, [Met, Chance, Chance, Missed]);
    let leak = [498, 497, 494, 493].map(|alarms| goal(alarms, Kind::Leak));
    assert_eq!(leak, [Met, Chance, Chance, Missed]);
    assert_eq!(goal(250, Kind::Ambiguous), Goal::None);
}

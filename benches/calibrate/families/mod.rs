//! The families of scenarios.

mod accelerating;
mod baseline;
mod cycling;
mod delay;
mod drain;
mod healthy;
mod holdout;
mod known_open;
mod leaking;
mod plateau;
mod restarts;
mod shared;
mod storm;
mod tabs;

use clap::ValueEnum;

use super::scenario::Scenario;

/// A family of scenarios.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Family {
    /// Healthy traffic of all kinds.
    Healthy,
    /// Streams left open, in all ways.
    Leaking,
    /// Scenarios written after the detector's thresholds were set.
    Holdout,
    /// How long a leak goes on before the first alarm.
    Delay,
    /// Leaks that had levelled off before the log, and what looks like them.
    Plateau,
    /// Streams that end at a ceiling and are reopened one for one.
    Cycling,
    /// Streams that end at once and are reopened without end.
    Storm,
    /// Restarts that take their time.
    Drain,
    /// Restarts every few minutes.
    Restarts,
    /// Leaks that feed on themselves.
    Accelerating,
    /// Several tabs an address, held for hours.
    Tabs,
    /// Logs of openings and ends.
    KnownOpen,
    /// Logs judged against a healthy one.
    Baseline,
}

impl Family {
    /// Its name, as it is typed.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Family::Healthy => "healthy",
            Family::Leaking => "leaking",
            Family::Holdout => "holdout",
            Family::Delay => "delay",
            Family::Plateau => "plateau",
            Family::Cycling => "cycling",
            Family::Storm => "storm",
            Family::Drain => "drain",
            Family::Restarts => "restarts",
            Family::Accelerating => "accelerating",
            Family::Tabs => "tabs",
            Family::KnownOpen => "known-open",
            Family::Baseline => "baseline",
        }
    }
}

/// Every scenario, family by family.
pub(crate) fn all() -> Vec<Scenario> {
    [
        healthy::scenarios(),
        leaking::scenarios(),
        holdout::scenarios(),
        delay::scenarios(),
        plateau::scenarios(),
        shared::scenarios(),
        cycling::scenarios(),
        storm::scenarios(),
        drain::scenarios(),
        restarts::scenarios(),
        accelerating::scenarios(),
        tabs::scenarios(),
        known_open::scenarios(),
        baseline::scenarios(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// So many clients, in words.
fn clients(count: u32) -> String {
    match count {
        1 => "1 client".to_owned(),
        _ => format!("{count} clients"),
    }
}

/// So many addresses, in words.
fn addresses(count: u32) -> String {
    match count {
        1 => "1 address".to_owned(),
        _ => format!("{count} addresses"),
    }
}

//! The families of scenarios.

mod delay;
mod healthy;
mod holdout;
mod leaking;

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
}

impl Family {
    /// Its name.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Family::Healthy => "healthy",
            Family::Leaking => "leaking",
            Family::Holdout => "holdout",
            Family::Delay => "delay",
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
    ]
    .into_iter()
    .flatten()
    .collect()
}

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

use super::scenario::Scenario;

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

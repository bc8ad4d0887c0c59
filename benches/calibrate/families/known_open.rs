//! The healthy and the leaking traffic once more, in logs that show openings
//! too: streams still open at the log's end are known.

use super::super::scenario::Family;
use super::super::scenario::{Kind, Scenario};
use super::super::traffic::unclosed;
use super::{healthy, leaking};

/// The family's scenarios.
pub(super) fn scenarios() -> Vec<Scenario> {
    let unclosed = Scenario::new(
        Family::KnownOpen,
        Kind::Leak,
        "never closed, log cut while open",
        unclosed,
    );
    healthy::scenarios()
        .into_iter()
        .chain(leaking::scenarios())
        .chain([unclosed])
        .map(|scenario| scenario.moved(Family::KnownOpen).opens_known())
        .collect()
}

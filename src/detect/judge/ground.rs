//! What a verdict on an endpoint stands on.

use serde::Serialize;

/// What a verdict stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// A window of the flagged units' series or of the spread series: the
    /// number of that climb among the endpoint's.
    Window(usize),
    /// A pile of flagged units that stood.
    Standing,
    /// The climb of all open streams.
    Total,
    /// A single jump of all open streams.
    Shift,
    /// Most natural ends are cuts.
    Cuts,
    /// Nothing climbs.
    Nothing,
    /// Growth in which hardly any stream ended but by a release.
    HalfOpen,
    /// No segment of the log is long enough to be tested.
    TooShort,
}

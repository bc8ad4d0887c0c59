//! What the log was compared with.

use serde::Serialize;

use crate::time::Micros;

/// The healthy stretch that `--baseline` names.
#[derive(Clone, Debug, Serialize)]
pub struct BaselineReport {
    /// Its log; `null` for a stretch of the logs that are judged.
    pub name: Option<String>,
    /// Its start.
    pub from: Micros,
    /// Up to where it can be trusted.
    pub until: Micros,
    /// How fast its superseded streams climb, in streams an hour.
    pub slope_per_hour: f64,
    /// Its mean number of superseded streams.
    pub level: f64,
}

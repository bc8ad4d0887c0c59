//! Findings on the healthy stretch that the log was held against.

use serde_json::json;

use super::finding;
use crate::detect::Found;
use crate::report::{Finding, Severity, chance, change, instant, mean};

/// What the log was compared with, and how far it is above that.
pub(super) fn baseline(found: &Found) -> Option<Finding> {
    let base = found.baseline.as_ref()?;
    let name = base.name.as_ref();
    let of = name.map_or_else(String::new, |name| format!(" of {name}"));
    let slope = base.superseded.slope * 3600.0;
    let test = found.detection.as_ref().and_then(|d| d.level);
    let here = test.map_or_else(String::new, |test| {
        format!(
            "; here {} on average, {}",
            mean(test.own.mean),
            chance(test.p)
        )
    });
    finding(
        "baseline",
        Severity::Info,
        format!(
            "compared with {} to {}{of}: {} superseded streams on average, \
             {} an hour{here}",
            instant(base.from),
            instant(base.until),
            mean(base.level.mean),
            change(slope)
        ),
        [
            ("name", json!(base.name)),
            ("from", json!(base.from)),
            ("until", json!(base.until)),
            ("slope_per_hour", json!(slope)),
            ("level", json!(base.level.mean)),
            ("level_here", json!(test.map(|test| test.own.mean))),
            ("level_t", json!(test.map(|test| test.t))),
            ("level_df", json!(test.map(|test| test.df))),
            ("level_p", json!(test.map(|test| test.p))),
            ("level_least", json!(test.map(|test| test.threshold))),
            ("level_unexplained", json!(test.map(|test| test.unexplained))),
        ],
    )
}

/// A baseline that climbs itself, and so proves little.
pub(super) fn climbs(found: &Found) -> Option<Finding> {
    let base = found.baseline.as_ref().filter(|base| base.climbs())?;
    let slope = base.superseded.slope * 3600.0;
    finding(
        "baseline-climbs",
        Severity::Warning,
        format!(
            "streams climb in the baseline itself ({} superseded ones an \
             hour), so that a climb no steeper than that is not found: name \
             a stretch in which all was well",
            change(slope)
        ),
        [("slope_per_hour", json!(slope))],
    )
}

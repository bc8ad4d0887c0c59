//! Findings on the healthy stretch that the log was held against.

use serde_json::json;

use super::finding;
use crate::detect::Found;
use crate::explain::summary::chance;
use crate::report::{Finding, Severity};

/// What the log was compared with, and how far it is above that.
pub(super) fn baseline(found: &Found) -> Option<Finding> {
    let base = found.baseline.as_ref()?;
    let [from, until] = [base.from, base.until].map(|at| at.to_rfc3339());
    let of = match &base.name {
        Some(name) => format!(" of {name}"),
        None => String::new(),
    };
    let slope = base.superseded.slope * 3600.0;
    let test = found.detection.as_ref().and_then(|d| d.level);
    let here = test.map_or_else(String::new, |test| {
        let (level, p) = (test.own.mean, chance(test.p));
        format!("; here {level:.1} on average, {p}")
    });
    finding(
        "baseline",
        Severity::Info,
        format!(
            "compared with {from} to {until}{of}: {:.1} superseded streams \
             on average, {slope:+.1} an hour{here}",
            base.level.mean
        ),
        [
            ("name", json!(base.name)),
            ("from", json!(from)),
            ("until", json!(until)),
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

/// A baseline that is none.
pub(super) fn climbs(found: &Found) -> Option<Finding> {
    let base = found.baseline.as_ref().filter(|base| base.climbs())?;
    let slope = base.superseded.slope * 3600.0;
    finding(
        "baseline-climbs",
        Severity::Warning,
        format!(
            "streams climb in the baseline itself ({slope:+.1} superseded \
             ones an hour), so that a climb no steeper than that is not \
             found: name a stretch in which all was well"
        ),
        [("slope_per_hour", json!(slope))],
    )
}

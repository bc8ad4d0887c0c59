//! What else was seen: one observation with its evidence each.

mod baseline;
mod clients;
mod log;
mod shared;
mod streams;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::detect::Found;
use crate::report::{Finding, Severity};

/// All findings, gravest first.
pub fn findings(found: &Found) -> Vec<Finding> {
    let all = [
        log::no_durations(found),
        log::nothing_selected(found),
        log::rejected(found),
        log::outliers(found),
        log::undecided(found),
        log::guessed_unit(found),
        streams::censored(found),
        streams::never_closed(found),
        streams::refused(found),
        streams::largest_stack(found),
        streams::silent(found),
        streams::restarts(found),
        streams::storms(found),
        streams::only_begin(found),
        streams::suspects(found),
        streams::lost(found),
        log::assumed(found),
        log::repeated(found),
        log::same_streams(found),
        log::sampled(found),
        log::lacking(found),
        log::short_holds(found),
        log::below_min_hold(found),
        streams::opens_known(found),
        shared::shared_key(found),
        baseline::climbs(found),
        baseline::baseline(found),
    ];
    let mut all: Vec<Finding> = all.into_iter().flatten().collect();
    all.extend(clients::defects(found));
    all.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    all
}

/// Puts a finding together.
fn finding<const N: usize>(
    code: &'static str,
    severity: Severity,
    text: String,
    evidence: [(&'static str, Value); N],
) -> Option<Finding> {
    let evidence = BTreeMap::from(evidence);
    Some(Finding { code, severity, text, evidence })
}

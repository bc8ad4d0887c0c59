//! The detector's findings as one JSON value: spans in seconds, instants
//! within the log in seconds from its first record, others as UTC.

use serde_json::{Value, json};

use crate::collect::KeyId;
use crate::detect::{
    Analysis, Basis, Detection, Endpoint, Flagged, Found, Settings, Slope,
};

/// The settings that decide.
pub(super) fn settings(rules: &Settings) -> Value {
    let climb = &rules.climb;
    json!({
        "alpha": rules.alpha,
        "alpha_rhythm": rules.alpha_rhythm,
        "least_streams": rules.least_streams,
        "least_peak": rules.least_peak,
        "ratio": rules.ratio,
        "ratio_rhythm": rules.ratio_rhythm,
        "few": rules.few,
        "hardly": rules.hardly,
        "few_of_births": rules.few_of_births,
        "never_closes": rules.never_closes,
        "never_close_together": rules.never_close_together,
        "pool": rules.pool,
        "few_spread": rules.few_spread,
        "beyond_units": rules.beyond_units,
        "trust": rules.trust,
        "trust_shown": rules.trust_shown,
        "least_cycles": rules.least_cycles,
        "bin_s": climb.bin_secs(),
        "slices": climb.slices,
        "least_bins": climb.least,
        "settle_bins": climb.settle,
        "least_rise": climb.least_rise,
        "relative_rise": climb.relative_rise,
        "poisson_rise": climb.poisson_rise,
        "rho_cap": climb.rho_cap,
        "step_occupancy": climb.step_occupancy,
        "levelled": climb.levelled,
        "step_r2": climb.step_r2,
        "storm_held_s": rules.storm.held.as_secs(),
        "storm_again_s": rules.storm.again.as_secs(),
        "storm_streams": rules.storm.least,
        "storm_lasting_s": rules.storm.lasting.as_secs(),
        "storm_share": rules.storm.share,
        "branch_alpha": rules.branch.alpha,
        "unexplained": rules.unexplained,
    })
}

/// All that was found.
pub(super) fn of(found: &Found, detection: &Detection) -> Value {
    let Detection { storms, branchings, reopenings, level, .. } = detection;
    let storms = storms.all.iter().map(|storm| {
        json!({
            "key": key(found, storm.key.0),
            "from": storm.from,
            "until": storm.until,
            "streams": storm.streams,
        })
    });
    let branchings = branchings.iter().map(|it| {
        json!({
            "key": key(found, it.key.0),
            "surplus": it.surplus,
            "after_end": it.after_end,
            "children": it.children,
            "most": it.most,
            "covered": it.covered,
            "p": it.p,
        })
    });
    let endpoints = &detection.judged.endpoints;
    json!({
        "basis": basis(detection.basis),
        "judged": detection.judged.verdict,
        "trusted_until": detection.trusted_until,
        "restarts": detection.restarts.iter().map(|restart| json!({
            "from": restart.from,
            "until": restart.until,
        })).collect::<Vec<_>>(),
        "endpoints": endpoints.iter().map(|e| endpoint(found, e))
            .collect::<Vec<_>>(),
        "storms": storms.collect::<Vec<_>>(),
        "branchings": branchings.collect::<Vec<_>>(),
        "reopenings": {
            "closed": reopenings.closed,
            "reopened": reopenings.reopened,
            "gap_s": reopenings.gap,
        },
        "superseded": detection.superseded.as_ref().map(slope),
        "total": detection.total.as_ref().map(slope),
        "level": level,
    })
}

fn basis(basis: Basis) -> String {
    match basis {
        Basis::Judge => "judge".to_owned(),
        Basis::Branching => "branching".to_owned(),
        Basis::Level => "level".to_owned(),
        Basis::Storm => "storm".to_owned(),
        Basis::Unknown(why) => why.to_string(),
    }
}

fn slope(slope: &Slope) -> Value {
    json!({
        "from": slope.from,
        "until": slope.until,
        "test": slope.test,
    })
}

fn endpoint(found: &Found, endpoint: &Endpoint) -> Value {
    json!({
        "number": endpoint.number,
        "streams": endpoint.streams,
        "verdict": endpoint.verdict,
        "analysis": endpoint.analysis.as_ref().map(|it| analysis(found, it)),
    })
}

fn analysis(found: &Found, analysis: &Analysis) -> Value {
    let reference = analysis.reference;
    let ceilings = analysis.ceilings.iter();
    let ceilings =
        ceilings.map(|ceiling| [ceiling.lower_secs(), ceiling.upper_secs()]);
    let restarts = analysis.restarts.iter();
    let restarts = restarts.map(|it| [it.from.as_secs(), it.until.as_secs()]);
    json!({
        "ground": analysis.ground,
        "restarts_s": restarts.collect::<Vec<_>>(),
        "ceilings_s": ceilings.collect::<Vec<_>>(),
        "horizon": analysis.horizon,
        "reference": {
            "units": reference.units,
            "ends": reference.ends,
            "old_s": reference.old,
            "reopened_within_s":
                reference.reopening.map(|it| it.within.as_secs()),
            "reopened_share": reference.reopening.map(|it| it.share),
        },
        "units": analysis.units,
        "tested": analysis.tested,
        "flagged": analysis.flagged.iter().map(|it| flagged(found, it))
            .collect::<Vec<_>>(),
        "climbs": analysis.climbs,
        "standing": analysis.standing,
        "spread": analysis.spread,
        "findings": analysis.findings,
    })
}

fn flagged(found: &Found, flagged: &Flagged) -> Value {
    json!({
        "key": key(found, flagged.evidence.unit),
        "reason": flagged.reason.word(),
        "evidence": flagged.evidence,
    })
}

/// A client's key as text.
pub(super) fn key(found: &Found, unit: u32) -> String {
    let client = &found.log.clients[KeyId(unit).0 as usize];
    let both = [&client.address, &client.agent];
    let texts = both.map(|text| String::from_utf8_lossy(text));
    let named = texts.iter().filter(|text| !text.is_empty());
    named.map(|text| &**text).collect::<Vec<_>>().join(" ")
}

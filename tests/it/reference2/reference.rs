//! Verdicts, reasons, observed and expected ends against the reference.

use serde_json::Value;
use streamleak::internal::detect::{
    Analysis, Evidence, Flagged, JudgeFinding as Finding,
};

use super::case::{self, Case, Differences};

/// Sums of the same terms in the same order.
const SUMS: f64 = 1e-9;

fn finding_words(finding: &Finding) -> Value {
    match finding {
        Finding::OnlyBegins { unit, peak } => {
            serde_json::json!(["only begins, never closes", unit, peak])
        }
        Finding::Pool => Value::from(
            "a few clients came to hold several and no more: a pool, or a \
             leak that stopped",
        ),
        Finding::HalfOpen => Value::from(
            "grows, and nothing ended but by a restart: half-open \
             connections look like that",
        ),
    }
}

/// All that differs in one case, but for its windows.
pub(crate) fn compare(case: &Case) -> Differences {
    let mut differences = Differences::default();
    let (found, expect) = (case.detect(), &case.expect);
    let verdict = expect["verdict"].as_str().expect("a verdict");
    differences.same("verdict", found.verdict.word(), verdict);
    let analysis = case::analysis(&found);
    let analysed = expect.get("tau").is_some();
    differences.same("analysed", analysis.is_some(), analysed);
    if let Some(analysis) = analysis {
        compare_analysis(&mut differences, analysis, expect);
    }
    differences
}

fn compare_analysis(
    differences: &mut Differences,
    found: &Analysis,
    expect: &Value,
) {
    let number = |key: &str| expect[key].as_f64().expect("a number");
    let horizon = found.horizon;
    differences.near("tau", horizon.hidden, number("tau"), SUMS);
    let shown = horizon.hidden_shown;
    differences.near("tau_show", shown, number("tau_show"), SUMS);
    differences.same("tested", found.tested as f64, number("tested"));
    let restarts: Vec<Value> = found
        .restarts
        .iter()
        .map(|r| serde_json::json!([r.from.as_secs(), r.until.as_secs()]))
        .collect();
    differences.same("restarts", &Value::from(restarts), &expect["restarts"]);
    compare_ceilings(differences, found, &expect["ceilings"]);
    compare_findings(differences, found, &expect["findings"]);
    compare_spread(differences, found, expect.get("pool"));
    compare_flagged(differences, &found.flagged, &expect["flag"]);
}

fn compare_ceilings(
    differences: &mut Differences,
    found: &Analysis,
    expect: &Value,
) {
    let expect = expect.as_array().expect("ceilings");
    differences.same("ceilings", found.ceilings.len(), expect.len());
    for (ceiling, expect) in found.ceilings.iter().zip(expect) {
        let edge = |at: usize| expect[at].as_f64().expect("an edge");
        differences.near("ceiling", ceiling.lower_secs(), edge(0), SUMS);
        differences.near("ceiling", ceiling.upper_secs(), edge(1), SUMS);
    }
}

/// The reference tells of a pool once for every window.
fn compare_findings(
    differences: &mut Differences,
    found: &Analysis,
    expect: &Value,
) {
    let mut expect = expect.as_array().expect("findings").clone();
    expect.dedup();
    let found: Vec<Value> = found.findings.iter().map(finding_words).collect();
    differences.same("findings", found, expect);
}

fn compare_spread(
    differences: &mut Differences,
    found: &Analysis,
    expect: Option<&Value>,
) {
    let spread = found.spread.as_ref();
    differences.same("spread", spread.is_some(), expect.is_some());
    if let (Some(found), Some(expect)) = (spread, expect) {
        let number = |at: usize| expect[at].as_f64().expect("a number");
        let observed = found.observed;
        differences.same("spread O", observed.observed as f64, number(0));
        differences.near("spread X", observed.expected, number(1), SUMS);
        differences.same("spread B", observed.streams as f64, number(2));
    }
}

fn compare_flagged(
    differences: &mut Differences,
    found: &[Flagged],
    expect: &Value,
) {
    let expect = expect.as_object().expect("flagged units");
    let mut units: Vec<u32> =
        expect.keys().map(|unit| unit.parse().expect("a unit")).collect();
    units.sort_unstable();
    let flagged: Vec<u32> = found.iter().map(|f| f.evidence.unit).collect();
    differences.same("flagged units", &flagged, &units);
    for unit in found {
        if let Some(expect) = expect.get(&unit.evidence.unit.to_string()) {
            compare_unit(differences, unit, expect);
        }
    }
}

fn compare_unit(
    differences: &mut Differences,
    unit: &Flagged,
    expect: &Value,
) {
    let Evidence { peak, any, old, chosen, rhythm, .. } = &unit.evidence;
    let number = |key: &str| expect[key].as_f64().expect("a number");
    let reason = expect["reason"].as_str().expect("a reason");
    differences.same("reason", unit.reason.word(), reason);
    differences.same("peak", *peak as f64, number("peak"));
    for (part, observed) in [("S", any), ("old", old), ("C", chosen)] {
        let number = |what: &str| number(&format!("{what}_{part}"));
        let named =
            |what: &str| format!("{what}_{part} of {}", unit.evidence.unit);
        differences.same(&named("O"), observed.observed as f64, number("O"));
        differences.near(&named("X"), observed.expected, number("X"), SUMS);
        let p = observed.p(1.0 / 3.0);
        differences.near(&named("p"), p, number("p"), SUMS);
    }
    differences.near("p_rhythm", rhythm.p, number("p_rhythm"), SUMS);
}

#[test]
fn all_cases_are_the_references() {
    let cases = case::all();
    assert_eq!(cases.len(), 262);
    let compared: Vec<(String, Differences)> =
        cases.iter().map(|case| (case.name.clone(), compare(case))).collect();
    case::assert_none(&compared);
}

//! The windows tested, against those that the reference tests.

use serde_json::Value;
use streamleak::internal::detect::{Analysis, Climb, ClimbSeries, Shape};

use super::case::{self, Case, Differences};

/// Of means and what is linear in them, relative to the level that they are
/// the differences of.
const MEANS: f64 = 1e-12;

/// Of ratios of such differences.
const RATIOS: f64 = 1e-9;

fn series_word(series: ClimbSeries) -> &'static str {
    match series {
        ClimbSeries::Flagged => "units",
        ClimbSeries::Spread => "spread",
        ClimbSeries::Total => "total",
    }
}

fn compare(differences: &mut Differences, found: &Analysis, expect: &Value) {
    let expect = expect.as_array().expect("windows");
    let found = &found.climbs;
    differences.same("windows", found.len(), expect.len());
    for (climb, expect) in found.iter().zip(expect) {
        compare_window(differences, climb, expect);
    }
}

fn compare_window(
    differences: &mut Differences,
    climb: &Climb,
    expect: &Value,
) {
    let number = |key: &str| expect[key].as_f64().expect("a number");
    let series = series_word(climb.series);
    differences.same("series", Some(series), expect["series"].as_str());
    let share = climb.share.to_string();
    differences.same("share", Some(&share[..]), expect["win"].as_str());
    compare_shape(differences, climb, &expect["v"]);
    let test = &climb.test;
    let named = |what: &str| format!("{series} {share} {what}");
    let level = test.mean + test.rise.abs();
    for (what, found, scale) in [
        ("a", climb.span.from, climb.segment.until),
        ("b_", climb.span.until, climb.segment.until),
        ("rise", test.rise, level),
        ("level", test.level, level),
        ("last", climb.last(), level),
        ("se", test.se * test.length, level),
        ("step_jump", test.step.jump, level),
        ("step_base", test.step.base, level),
    ] {
        let expected = number(what);
        let apart = MEANS * (scale + expected.abs());
        differences.close(&named(what), found, expected, apart);
    }
    for (what, found) in [
        ("t", test.t),
        ("p", test.p),
        ("occ", test.occupancy),
        ("still", test.still),
        ("step_r2", test.step.r2),
    ] {
        differences.near(&named(what), found, number(what), RATIOS);
    }
    let beyond = climb.beyond_units;
    let beyond_a = expect.get("beyond_A").and_then(Value::as_f64);
    differences.same("asked", beyond.is_some(), beyond_a.is_some());
    if let Some((found, expected)) = beyond.zip(beyond_a) {
        differences.near(&named("beyond A"), found, expected, RATIOS);
    }
}

/// The shape that counts in the end; of a pool it does not.
fn compare_shape(differences: &mut Differences, climb: &Climb, v: &Value) {
    let expected = match v.as_str() {
        Some("climbing") => Some(Shape::Climbing),
        Some("stacked") => Some(Shape::Stacked),
        Some("stepped") => Some(Shape::Stepped),
        _ => None,
    };
    differences.same("shape", climb.shape, expected);
}

/// All that differs in the windows of one case.
pub(crate) fn compare_case(case: &Case) -> Differences {
    let mut differences = Differences::default();
    if let Some(found) = case::analysis(&case.detect()) {
        compare(&mut differences, found, &case.windows);
    }
    differences
}

#[test]
fn all_windows_are_the_references() {
    let cases = case::all();
    let compared = cases.iter().map(|c| (c.name.clone(), compare_case(c)));
    case::assert_none(&compared.collect::<Vec<_>>());
}

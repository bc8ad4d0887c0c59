//! The JSON report's contract: what it holds, and that it holds nothing else.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::{Value, json};

use super::{HEALTHY, LEAK, reports};
use crate::fixture::read;
use crate::program::run;

/// The report's schema, compiled.
struct Validator {
    schemas: Schemas,
    report: SchemaIndex,
}

impl Validator {
    /// What is wrong with a report.
    fn wrong(&self, report: &Value) -> Option<String> {
        let found = self.schemas.validate(report, self.report);
        found.err().map(|error| format!("{error:#}"))
    }

    fn is_valid(&self, report: &Value) -> bool {
        self.wrong(report).is_none()
    }
}

/// Compiled, which holds the schema against its own schema.
fn validator() -> Validator {
    let schema: Value =
        serde_json::from_str(&read("report.schema.json")).expect("JSON");
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    compiler.enable_format_assertions();
    compiler.add_resource("report.json", schema).expect("a schema");
    let report = compiler.compile("report.json", &mut schemas);
    Validator { report: report.expect("a sound schema"), schemas }
}

#[test]
fn every_report_is_what_the_schema_promises() {
    let validator = validator();
    for (name, ran) in reports() {
        assert_eq!(validator.wrong(&ran.report()), None, "{name}");
    }
}

#[test]
fn the_schema_describes_nothing_else() {
    let validator = validator();
    let report = run(&[LEAK, "--bin", "5s", "-o", "json"]).report();
    // Wrong in one place each: the place, and what stands there instead.
    for (place, value) in [
        ("/verdict", json!("leaking")),
        ("/verdict", json!("Climbing")),
        ("/schema", json!(2)),
        ("/exit_code", json!(4)),
        ("/summary", json!("")),
        ("/would_change", json!("")),
        ("/inputs/0/timestamp", json!("middle")),
        ("/inputs/0/duration_unit", json!("min")),
        ("/inputs/0/bytes", json!(-1)),
        ("/inputs/0/first", json!("2026-11-29 13:17:48")),
        ("/window/start", json!("2026-11-29T13:17:48+00:00")),
        ("/window/end", json!("2026-11-29T24:17:48Z")),
        ("/window/bin_s", json!(0)),
        ("/streams/hold_s/p50", json!(null)),
        ("/trend/metric", json!("total")),
        ("/trend/p_value", json!(1.5)),
        ("/total/slope_per_hour", json!(null)),
        ("/fault", json!({"side": "client", "confidence": "low"})),
        ("/findings/0/severity", json!("fatal")),
        ("/findings/0/code", json!("Two Words")),
        ("/clients/0/streams", json!(0.5)),
        ("/series/0/opens", json!(null)),
        ("/series/0/trusted", json!("yes")),
    ] {
        let mut report = report.clone();
        *report.pointer_mut(place).expect("a place") = value;
        assert!(!validator.is_valid(&report), "{place}");
    }
    let mut fault = json!({
        "side": "client", "cause": "idle-cut", "confidence": "low",
        "evidence": [], "next": [],
    });
    let mut report = report;
    report["fault"] = fault.clone();
    assert!(validator.is_valid(&report));
    fault["side"] = json!("nobody");
    report["fault"] = fault;
    assert!(!validator.is_valid(&report));
}

#[test]
fn no_key_is_missing_and_none_is_extra() {
    let validator = validator();
    let args = [LEAK, "--bin", "5s", "-o", "json", "--baseline", HEALTHY];
    let report = run(&args).report();
    let mut places = Vec::new();
    objects(&report, String::new(), &mut places);
    assert_eq!(places.len(), 16, "{places:?}");
    for place in places {
        let at = |report: &mut Value| {
            let object = report.pointer_mut(&place).map(Value::take);
            let Some(Value::Object(object)) = object else {
                panic!("{place} is an object")
            };
            object
        };
        let whole = at(&mut report.clone());
        let mut changed = report.clone();
        let mut extra = whole.clone();
        extra.insert("extra".to_owned(), Value::Null);
        *changed.pointer_mut(&place).expect("a place") = extra.into();
        assert!(!validator.is_valid(&changed), "extra key in {place}");
        for key in whole.keys() {
            let mut less = whole.clone();
            less.remove(key);
            *changed.pointer_mut(&place).expect("a place") = less.into();
            assert!(!validator.is_valid(&changed), "no {key} in {place}");
        }
    }
}

/// The places of the objects in a document, the first of each array only,
/// without the findings' evidence, whose names are their own.
fn objects(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(object) if !place.ends_with("/evidence") => {
            for (key, value) in object {
                objects(value, format!("{place}/{key}"), places);
            }
            places.push(place);
        }
        Value::Array(all) => {
            for (at, value) in all.iter().take(1).enumerate() {
                objects(value, format!("{place}/{at}"), places);
            }
        }
        _ => {}
    }
}

#[test]
fn the_document_is_whole_lines_of_plain_text() {
    for (name, ran) in reports() {
        assert!(ran.out.ends_with("}\n"), "{name}");
        assert_eq!(ran.out.matches("\n\n").count(), 0, "{name}");
        let obeyed = |c: char| c.is_control() && c != '\n';
        assert!(!ran.out.contains(obeyed), "{name}");
        // A number without end would be `null`, `inf` or `1e999`: the first
        // is what the schema forbids, the others are no JSON.
        let numbers = ran.report();
        assert!(finite(&numbers), "{name}");
    }
}

/// Whether all numbers are finite.
fn finite(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_some_and(f64::is_finite),
        Value::Array(all) => all.iter().all(finite),
        Value::Object(object) => object.values().all(finite),
        _ => true,
    }
}

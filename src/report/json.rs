//! The report as one JSON document: the contract for programs.
//!
//! Its shape is `fixtures/report.schema.json`. Keys stand in the order of
//! the fields of [`Report`]; a float that is no number becomes `null`.

use std::io;

use super::Report;
use super::escape;

/// Writes the document and a line feed.
pub(super) fn write(
    report: &Report,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let document = serde_json::to_string_pretty(report)?;
    out.write_all(escape::json(&document).as_bytes())?;
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::example::{self, HOSTILE, in_output};
    use super::super::{Output, Report};

    const SCHEMA: &str = include_str!("../../fixtures/report.schema.json");

    /// What the schema has against a document.
    fn complaints(document: &Value) -> Vec<String> {
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        let schema = jsonschema::draft202012::new(&schema).unwrap();
        let errors = schema.iter_errors(document);
        errors
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect()
    }

    /// The document of a report.
    fn document(report: &Report) -> Value {
        let text = in_output(report, Output::Json);
        serde_json::from_str(&text).unwrap()
    }

    /// The keys in the order they stand in, of a text without `": ` in its
    /// strings.
    fn keys(text: &str) -> Vec<&str> {
        let lines = text.lines().map(str::trim_start);
        lines
            .filter_map(|line| line.strip_prefix('"')?.split_once("\": "))
            .map(|(key, _)| key)
            .collect()
    }

    #[test]
    fn reports_are_valid_by_the_schema() {
        for report in [
            example::leak(),
            example::flat(),
            example::unknown(),
            example::empty(),
            example::restarted(),
            example::days(),
            example::hostile(),
        ] {
            let complaints = complaints(&document(&report));
            assert!(complaints.is_empty(), "{complaints:#?}");
        }
    }

    #[test]
    fn the_schema_refuses_what_is_missing_unknown_or_of_another_kind() {
        let right = document(&example::leak());
        for place in ["", "/window", "/streams", "/trend", "/series/0"] {
            let mut wrong = right.clone();
            let object = wrong.pointer_mut(place).unwrap();
            object["surprise"] = 1.into();
            assert!(!complaints(&wrong).is_empty(), "{place} with more");
            let mut wrong = right.clone();
            let object = wrong.pointer_mut(place).unwrap();
            let object = object.as_object_mut().unwrap();
            let first = object.keys().next().unwrap().clone();
            object.remove(&first);
            assert!(!complaints(&wrong).is_empty(), "{place} without {first}");
        }
        for (place, value) in [
            ("/verdict", "leaking".into()),
            ("/series/0/mean", Value::Null),
            ("/series/0/t", "2026-11-29 12:00:00".into()),
            ("/inputs/0/bytes", (-1).into()),
        ] {
            let mut wrong = right.clone();
            *wrong.pointer_mut(place).unwrap() = value;
            assert!(!complaints(&wrong).is_empty(), "{place}");
        }
    }

    #[test]
    fn keys_stand_in_the_order_of_the_contract() {
        let mut report = example::leak();
        report.series.truncate(1);
        report.clients.truncate(1);
        let text = in_output(&report, Output::Json);
        let contract = "schema verdict summary exit_code \
             inputs name format timestamp timestamp_reason duration_unit \
             bytes records selected rejected shape time duration long \
             first_rejected first last error \
             window start end bin_s bins trusted_from trusted_until resets \
             streams ended open clients stream_hours \
             hold_s min p50 p90 p99 max ended_by client server unknown \
             ceiling hold_s share \
             trend metric slope_per_hour ci_low ci_high p_value rise \
             unexplained from until \
             total slope_per_hour ci_low ci_high p_value rise limit_at \
             fault side confidence evidence next \
             findings code severity text evidence open \
             clients key address user_agent streams max_open superseded \
             unexplained \
             series t opens closes min mean max clients superseded trusted";
        let contract: Vec<&str> = contract.split_whitespace().collect();
        assert_eq!(keys(&text), contract);
    }

    #[test]
    fn the_schema_lists_the_keys_in_the_order_they_are_written() {
        let text = in_output(&example::empty(), Output::Json);
        let (_, properties) = SCHEMA.split_once("\"properties\": {").unwrap();
        let (properties, _) = properties.split_once("$defs\": {").unwrap();
        let listed = properties.lines().filter_map(|line| {
            line.strip_prefix("    \"")?.split_once('"').map(|(key, _)| key)
        });
        let top = text.lines().filter_map(|line| {
            line.strip_prefix("  \"")?.split_once('"').map(|(key, _)| key)
        });
        assert_eq!(listed.collect::<Vec<_>>(), top.collect::<Vec<_>>());
    }

    #[test]
    fn a_float_that_is_no_number_becomes_null() {
        let mut report = example::leak();
        if let Some(trend) = &mut report.trend {
            (trend.ci_low, trend.p_value) = (f64::NEG_INFINITY, f64::NAN);
        }
        let document = document(&report);
        assert!(document["trend"]["ci_low"].is_null());
        assert!(document["trend"]["p_value"].is_null());
        assert!(complaints(&document).is_empty());
    }

    #[test]
    fn hostile_texts_come_back_whole_and_never_raw() {
        let report = example::hostile();
        let text = in_output(&report, Output::Json);
        let raw = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!text.contains(raw));
        let document = document(&report);
        assert_eq!(document["clients"][0]["user_agent"], HOSTILE);
    }

    #[test]
    fn it_is_one_document_and_a_line_feed() {
        let text = in_output(&example::flat(), Output::Json);
        assert!(text.starts_with("{\n  \"schema\": 1,\n  \"verdict\""));
        assert!(text.ends_with("\n}\n"));
    }
}

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

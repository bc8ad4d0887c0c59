//! The report as one JSON document: the contract for programs.
//!
//! Its shape is `fixtures/report.schema.json`. Keys stand in the order of
//! the fields of [`super::Report`]; a float that is no number becomes `null`.

use std::io;

use serde::{Serialize, Serializer};

use super::escape;
use crate::collect::Marked;
use crate::detect::Verdict;
use crate::time::{Micros, Unit};

/// Writes the document and a line feed.
pub(crate) fn write(
    document: &impl Serialize,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let document = serde_json::to_string_pretty(document)?;
    out.write_all(escape::json(&document).as_bytes())?;
    out.write_all(b"\n")
}

/// A span, written in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seconds(pub Micros);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(self.0.as_secs())
    }
}

/// An instant, as RFC 3339.
impl Serialize for Micros {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.to_rfc3339())
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.word())
    }
}

impl Serialize for Marked {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.word())
    }
}

impl Serialize for Unit {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use crate::report::Output;
    use crate::report::tests::example::{HOSTILE, all, hostile, in_output};

    #[test]
    fn a_terminal_that_shows_it_has_nothing_to_obey() {
        for report in all() {
            let text = in_output(&report, Output::Json);
            assert!(text.ends_with("}\n"));
            let obeyed =
                |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
            assert!(!text.contains(obeyed), "{text}");
        }
    }

    #[test]
    fn a_program_that_reads_it_has_what_was_logged() {
        let text = in_output(&hostile(), Output::Json);
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(report["clients"][0]["user_agent"], HOSTILE);
        assert_eq!(report["findings"][0]["evidence"]["user_agent"], HOSTILE);
    }

    #[test]
    fn a_number_that_is_none_is_null() {
        let mut report = hostile();
        report.series[0].mean = Some(f64::INFINITY);
        report.series[1].mean = Some(f64::NAN);
        let text = in_output(&report, Output::Json);
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert!(report["series"][0]["mean"].is_null());
        assert!(report["series"][1]["mean"].is_null());
        assert!(report["series"][2]["mean"].is_f64());
    }
}

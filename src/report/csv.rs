//! The series as CSV (RFC 4180): a header, then one row a bin, for
//! spreadsheets and plots elsewhere.

use std::io::{self, BufWriter, Write};

use super::escape;
use super::{BinReport, Report};

/// The columns, named as in the JSON.
const HEADER: &str =
    "t,opens,closes,min,mean,max,clients,superseded,trusted\r\n";

/// Writes the series.
pub(super) fn write(report: &Report, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    out.write_all(HEADER.as_bytes())?;
    for bin in &report.series {
        row(bin, &mut out)?;
    }
    out.flush()
}

/// Writes one bin; a mean that is no number becomes an empty cell.
fn row(bin: &BinReport, out: &mut impl Write) -> io::Result<()> {
    let number = |value: f64| match value.is_finite() {
        true => value.to_string(),
        false => String::new(),
    };
    write!(
        out,
        "{},{},{},{},{},{},{},{},{}\r\n",
        escape::csv(&bin.t),
        bin.opens,
        bin.closes,
        bin.min,
        number(bin.mean),
        bin.max,
        number(bin.clients),
        number(bin.superseded),
        bin.trusted,
    )
}

#[cfg(test)]
mod tests {
    use super::super::example::{self, in_output};
    use super::super::{Output, Report};

    #[test]
    fn a_row_is_a_bin() {
        let mut report = example::leak();
        report.series = report.series.split_off(233);
        report.series.truncate(2);
        let expected = "\
t,opens,closes,min,mean,max,clients,superseded,trusted\r
2026-11-29T15:53:00Z,13,12,69,69.25,70,12,57.25,true\r
2026-11-29T15:54:00Z,13,12,63,63.5,64,12,51.5,false\r
";
        assert_eq!(in_output(&report, Output::Csv), expected);
    }

    #[test]
    fn a_report_without_bins_is_a_header() {
        let text = in_output(&example::empty(), Output::Csv);
        assert_eq!(text, super::HEADER);
    }

    #[test]
    fn means_that_are_no_numbers_are_empty_cells() {
        let mut report = example::leak();
        report.series.truncate(1);
        report.series[0].mean = f64::NAN;
        let text = in_output(&report, Output::Csv);
        let row = "2026-11-29T12:00:00Z,13,12,12,,12,12,0,true\r\n";
        assert!(text.ends_with(row), "{text}");
    }

    #[test]
    fn every_row_has_the_cells_of_the_header_whatever_was_logged() {
        let mut report: Report = example::hostile();
        report.series[0].t = example::HOSTILE.to_owned();
        let text = in_output(&report, Output::Csv);
        assert!(!text.contains(['\x1b', '\u{9b}', '\u{202e}']));
        let rows: Vec<&str> = text.split_terminator("\r\n").collect();
        assert_eq!(rows.len(), 241);
        assert!(rows[1].starts_with("\"'=cmd|'/C calc'!A0\\x1b]0;owned"));
        assert!(rows[1].contains("open=0,\"\"é\",13,12,"), "{}", rows[1]);
        assert!(rows[2..].iter().all(|row| row.matches(',').count() == 8));
    }
}

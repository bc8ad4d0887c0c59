//! The series as CSV (RFC 4180): a header, then one row a bin, for
//! spreadsheets and plots elsewhere.

use std::io::{self, BufWriter, Write};

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

/// Writes one bin; what is not known becomes an empty cell.
fn row(bin: &BinReport, out: &mut impl Write) -> io::Result<()> {
    let count = |value: Option<u64>| {
        value.map(|value| value.to_string()).unwrap_or_default()
    };
    let number = |value: Option<f64>| {
        let value = value.filter(|value| value.is_finite());
        value.map(|value| value.to_string()).unwrap_or_default()
    };
    write!(
        out,
        "{},{},{},{},{},{},{},{},{}\r\n",
        bin.t.to_rfc3339(),
        bin.opens,
        bin.closes,
        count(bin.min),
        number(bin.mean),
        count(bin.max),
        number(bin.clients),
        number(bin.superseded),
        bin.trusted,
    )
}

#[cfg(test)]
mod tests {
    use crate::report::Output;
    use crate::report::tests::example::{
        all, empty, flat, in_output, unknown,
    };

    /// The rows of a CSV text as RFC 4180 reads them.
    fn rows(text: &str) -> Vec<Vec<String>> {
        let (mut rows, mut row) = (Vec::new(), Vec::new());
        let (mut cell, mut quoted) = (String::new(), false);
        let mut chars = text.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '"' if quoted && chars.peek() == Some(&'"') => {
                    cell.extend(chars.next());
                }
                '"' => quoted = !quoted,
                ',' if !quoted => row.push(std::mem::take(&mut cell)),
                '\r' if !quoted => {
                    assert_eq!(chars.next(), Some('\n'));
                    row.push(std::mem::take(&mut cell));
                    rows.push(std::mem::take(&mut row));
                }
                c => cell.push(c),
            }
        }
        assert!(!quoted && row.is_empty() && cell.is_empty(), "{text}");
        rows
    }

    #[test]
    fn there_is_one_row_a_bin_under_one_header() {
        for report in all() {
            let rows = rows(&in_output(&report, Output::Csv));
            assert_eq!(rows.len(), report.series.len() + 1);
            assert!(rows.iter().all(|row| row.len() == 9));
            for (row, bin) in rows[1..].iter().zip(&report.series) {
                assert_eq!(row[0], bin.t.to_rfc3339());
                assert_eq!(row[1], bin.opens.to_string());
                assert_eq!(row[8], bin.trusted.to_string());
            }
        }
    }

    #[test]
    fn cells_hold_the_numbers_and_nothing_where_there_is_none() {
        let header =
            "t,opens,closes,min,mean,max,clients,superseded,trusted\r\n";
        assert_eq!(in_output(&empty(), Output::Csv), header);
        let mut report = flat();
        report.series.truncate(1);
        report.series[0].mean = Some(11.25);
        report.series[0].superseded = Some(f64::NAN);
        let row = "2026-11-29T12:00:00Z,13,12,12,11.25,12,12,,true\r\n";
        let expected = format!("{header}{row}");
        assert_eq!(in_output(&report, Output::Csv), expected);
        let bare = in_output(&unknown(), Output::Csv);
        assert!(bare.contains("12:59:00Z,13,0,,,,,,false\r\n"), "{bare}");
    }
}

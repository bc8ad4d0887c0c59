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

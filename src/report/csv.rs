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
        escape::csv(&bin.t),
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

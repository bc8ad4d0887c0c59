//! streamleak: whether old streams are ever closed, from the access log a
//! server already writes.
//!
//! ```
//! use std::time::Duration;
//! use streamleak::Options;
//!
//! let log = ["fixtures/real-logs/leak/nginx-rt.log"];
//! let options = Options::for_files(log).bin(Duration::from_secs(5));
//! let report = streamleak::analyse(&options)?;
//! println!("{:?}: {}", report.verdict, report.summary);
//! # Ok::<(), streamleak::Error>(())
//! ```
//!
//! # The house
//!
//! Data flows one way, up nine storeys: a file uses its own storey and those
//! below it. This table is the only list; `.ci/rooms` holds the code against
//! it, and names a dependency where it may be named (`std` aside).
//!
//! ```text
//! storey       what it makes of what                 dependencies
//! main         parse, run, exit code                 clap terminal_size
//! lib          the facade
//! error        what went wrong                       anyhow
//! 9 app        what was typed -> done -> written     anyhow clap ctrlc indicatif tempfile
//! 8 explain    what was found -> in words            anyhow memchr serde serde_json
//! 7 report     one result -> many renderers          anstyle comfy_table serde serde_json unicode_width
//! 6 detect     numbers -> a verdict                  anyhow serde
//! 5 series     streams -> numbers over time
//! 4 streams    rows -> streams, each once
//! 3 collect    records -> rows, on all cores         anyhow memchr regex
//! 2 format     the bytes of a record -> a record     anyhow memchr nom regex unicode_width
//! 1 input      any source -> whole records           anyhow bzip2 flate2 libc liblzma memchr memmap2 zstd
//! 0 threads    work spread over cores                anyhow rayon
//! 0 stats      quantiles, Student's t                statrs
//! 0 time       instants                              chrono
//! wing simulate  makes a log, reads none             httparse serde_json
//! ```
//!
//! The wing stands on `time`, `format` and `series`; only `app` enters it.
//! How a verdict is reached: [`method`].

mod app;
mod collect;
mod detect;
mod error;
mod explain;
mod format;
mod input;
mod report;
mod series;
mod simulate;
mod stats;
mod streams;
mod threads;
mod time;

#[doc(hidden)]
pub mod internal;

pub use detect::{Options, Verdict};
pub use error::{Error, Result};
pub use explain::method;
pub use report::{
    BaselineReport, BinReport, Cause, CeilingReport, ClientReport, Confidence,
    CostReport, EndedByReport, Fault, Finding, HoldsReport, InputReport,
    RejectedReport, Report, Seconds, Severity, Side, StreamsReport,
    TotalReport, TrendReport, WindowReport,
};
pub use time::Micros;

/// Reads, joins, judges, and puts into words.
///
/// An input that cannot be read is told in the report, beside what the others
/// gave.
///
/// # Errors
///
/// No threads could be had, the log's span has too many bins, or a log to
/// compare with cannot be judged.
pub fn analyse(options: &Options) -> Result<Report> {
    let found = detect::analyse(options)?;
    let status = found.verdict().exit_code();
    Ok(explain::report(&found, options, status)?)
}

//! The report: everything a renderer may show, computed before any of them
//! runs. Its shape in JSON is the contract (`fixtures/report.schema.json`).

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;

use super::style::{Output, Style};
use super::{
    BaselineReport, CostReport, Fault, Seconds, csv, json, nagios, table,
};
use crate::collect::Marked;
use crate::detect::{Nagios, Verdict};
use crate::time::{Micros, Unit};

/// Writes the report in the style's output, ending in a line feed.
///
/// The same report and style give the same bytes.
///
/// # Errors
///
/// Those of `out`.
pub fn write(
    report: &Report,
    style: &Style,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match style.output {
        Output::Table => table::write(report, style, out),
        Output::Json => json::write(report, out),
        Output::Csv => csv::write(report, out),
        Output::Nagios => nagios::write(report, out),
    }
}

/// The one result of an analysis. Keys are serialised in this order.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Version of this shape: 1. Fields may be added to it.
    pub schema: u32,
    /// The one-word answer.
    pub verdict: Verdict,
    /// The answer in a sentence, with the numbers that matter.
    pub summary: String,
    /// What would have made the answer another one, with its numbers.
    pub would_change: String,
    /// The exit status the verdict asks for.
    pub exit_code: u8,
    /// What was read, one entry an input.
    pub inputs: Vec<InputReport>,
    /// Which stretch of time was looked at.
    pub window: Option<WindowReport>,
    /// The streams in it.
    pub streams: StreamsReport,
    /// The climb of the superseded streams.
    pub trend: Option<TrendReport>,
    /// The climb of all open streams.
    pub total: Option<TotalReport>,
    /// What the streams cost; `null` without any that can be trusted.
    pub cost: Option<CostReport>,
    /// What it was compared with; `null` without `--baseline`.
    pub baseline: Option<BaselineReport>,
    /// Who is at fault. `null` until the diagnosis can tell.
    pub fault: Option<Fault>,
    /// What else was seen, gravest first.
    pub findings: Vec<Finding>,
    /// The clients that matter most, worst first.
    pub clients: Vec<ClientReport>,
    /// The series, bin by bin.
    pub series: Vec<BinReport>,
}

impl Report {
    /// The state for monitoring, in agreement with the exit status.
    ///
    /// `unknown` is fine where the report asks for status 0: an empty log,
    /// or a quiet server that was allowed to be. After an error (2) nothing
    /// is sure.
    pub fn nagios(&self) -> Nagios {
        match self.exit_code {
            0 => Nagios::Ok,
            2 => Nagios::Unknown,
            _ => self.verdict.nagios(),
        }
    }

    /// Whether there is any stream to show.
    pub(super) fn has_streams(&self) -> bool {
        let StreamsReport { ended, open, clients, .. } = self.streams;
        let opened = |bin: &BinReport| bin.opens > 0 || bin.max > Some(0);
        ended + open + clients > 0 || self.series.iter().any(opened)
    }
}

/// What was read of one input.
#[derive(Clone, Debug, Serialize)]
pub struct InputReport {
    /// The path, or `-` for standard input.
    pub name: String,
    /// The format it was read as, and the wrapper around it if any.
    pub format: String,
    /// How the format was told, in a sentence.
    pub format_reason: String,
    /// What its bare time means: `start` or `end`.
    pub timestamp: Marked,
    /// How that was decided, in a sentence.
    pub timestamp_reason: String,
    /// The unit of its bare durations, `null` when they carry their own.
    pub duration_unit: Option<Unit>,
    /// Bytes read, after decompression.
    pub bytes: u64,
    /// Records seen.
    pub records: u64,
    /// Records that the selector picked.
    pub selected: u64,
    /// Records that looked selectable and could not be read, by reason.
    pub rejected: RejectedReport,
    /// The first of them: where it was and what should have stood there.
    pub first_rejected: Option<String>,
    /// The time of its first record.
    pub first: Option<Micros>,
    /// The time of its last record.
    pub last: Option<Micros>,
    /// Why it was read only in part, or not at all.
    pub error: Option<String>,
}

/// Rejected records by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct RejectedReport {
    /// Not of the format's shape.
    pub shape: u64,
    /// The time could not be read.
    pub time: u64,
    /// The duration could not be read.
    pub duration: u64,
    /// Longer than 1 MiB.
    pub long: u64,
}

/// Which stretch of time was looked at.
#[derive(Clone, Debug, Serialize)]
pub struct WindowReport {
    /// The first record's time.
    pub start: Micros,
    /// The last record's time.
    pub end: Micros,
    /// The length of a bin in seconds.
    pub bin_s: Seconds,
    /// How many bins there are.
    pub bins: usize,
    /// From where the series was fitted, `null` when nothing was.
    pub trusted_from: Option<Micros>,
    /// Up to where the log can show all streams: later ones that are still
    /// open are not logged yet.
    pub trusted_until: Option<Micros>,
    /// Restarts: the instants at which most open streams were closed.
    pub resets: Vec<Micros>,
}

/// The streams of the window.
#[derive(Clone, Debug, Serialize)]
pub struct StreamsReport {
    /// Streams whose end is known.
    pub ended: u64,
    /// Streams known to be open at the log's end.
    pub open: u64,
    /// Clients that held one.
    pub clients: u64,
    /// Hours held, summed over the streams.
    pub stream_hours: f64,
    /// Holds of the ended streams in seconds; `null` without any.
    pub hold_s: Option<HoldsReport>,
    /// Who ended them.
    pub ended_by: EndedByReport,
    /// The hold at which they pile up.
    pub ceiling: Option<CeilingReport>,
}

/// Holds in seconds: the least, three quantiles, the greatest.
#[derive(Clone, Copy, Debug, Serialize)]
#[allow(missing_docs, reason = "the names say all there is")]
pub struct HoldsReport {
    pub min: Seconds,
    pub p50: Seconds,
    pub p90: Seconds,
    pub p99: Seconds,
    pub max: Seconds,
}

/// Who ended the streams, as counts.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "the names say all there is")]
pub struct EndedByReport {
    pub client: u64,
    pub server: u64,
    pub unknown: u64,
}

/// A hold at which streams pile up.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct CeilingReport {
    /// The hold in seconds.
    pub hold_s: Seconds,
    /// The share of the ended streams that end there, 0 to 1.
    pub share: f64,
}

/// The climb of the superseded streams, tested.
#[derive(Clone, Debug, Serialize)]
pub struct TrendReport {
    /// What was tested: `superseded`.
    pub metric: &'static str,
    /// Streams per hour.
    pub slope_per_hour: f64,
    /// Lower end of the slope's 95 % interval.
    pub ci_low: f64,
    /// Upper end of it.
    pub ci_high: f64,
    /// One-sided, against no climb or against the baseline's.
    pub p_value: f64,
    /// Streams gained over the window tested.
    pub rise: f64,
    /// No longer computed: always `null`.
    pub unexplained: Option<f64>,
    /// Start of the window tested.
    pub from: Micros,
    /// End of it.
    pub until: Micros,
}

/// The climb of all open streams: its size.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "as in TrendReport")]
pub struct TotalReport {
    pub slope_per_hour: f64,
    pub ci_low: f64,
    pub ci_high: f64,
    pub p_value: f64,
    pub rise: f64,
    /// When `--limit` is reached: at this slope, or was for the first time;
    /// `null` when their number does not climb.
    pub limit_at: Option<Micros>,
    /// The start of its 95 % interval.
    pub limit_from: Option<Micros>,
    /// The end of it; `null` when the limit may never be reached.
    pub limit_until: Option<Micros>,
    /// Whether it was reached already; `null` without `--limit`.
    pub limit_reached: Option<bool>,
}

/// One observation.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// A stable name, such as `censored-tail`.
    pub code: &'static str,
    /// How grave it is.
    pub severity: Severity,
    /// The observation in a sentence.
    pub text: String,
    /// Its numbers by name.
    pub evidence: BTreeMap<&'static str, serde_json::Value>,
}

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Worth acting on.
    Warning,
    /// Worth waking someone for.
    Critical,
}

/// One client.
#[derive(Clone, Debug, Serialize)]
pub struct ClientReport {
    /// The key as text; control bytes are not escaped here, renderers do.
    pub key: String,
    /// Its address.
    pub address: String,
    /// Its user agent.
    pub user_agent: String,
    /// How many streams it opened or held.
    pub streams: u64,
    /// The most it had open at an instant.
    pub max_open: u64,
    /// Mean number of superseded streams over the trusted window.
    pub superseded: f64,
    /// No longer computed: always `null`.
    pub unexplained: Option<f64>,
    /// Why its replaced streams are suspected of being left open; `null`
    /// where they are not.
    pub reason: Option<String>,
    /// The median time from one of its openings to the next, in seconds;
    /// `null` with a single one.
    pub reopen_s: Option<Seconds>,
    /// The share of its openings but the first, 0 to 1, that came while the
    /// stream it had opened just before was still open; `null` without any.
    pub overlaps: Option<f64>,
    /// A defect its version is known to have: the product, and the version
    /// it is fixed in.
    pub defect: Option<String>,
}

/// One bin of the series.
///
/// How many were open is `None` where the log cannot tell, because it holds
/// no durations: zeros would read as if nothing had been open.
#[derive(Clone, Debug, Serialize)]
pub struct BinReport {
    /// The bin's start.
    pub t: Micros,
    /// Streams opened in it.
    pub opens: u64,
    /// Streams closed in it.
    pub closes: u64,
    /// The fewest open at an instant of it.
    pub min: Option<u64>,
    /// The time-weighted mean open.
    pub mean: Option<f64>,
    /// The most open at an instant of it.
    pub max: Option<u64>,
    /// Mean number of clients with a stream open.
    pub clients: Option<f64>,
    /// Mean number of superseded streams.
    pub superseded: Option<f64>,
    /// Whether the log can show all of this bin.
    pub trusted: bool,
}

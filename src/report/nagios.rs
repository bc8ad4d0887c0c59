//! One line for Nagios, Icinga and their kin, as the monitoring plugins
//! guidelines ask: text, `|`, then numbers to draw,
//! <https://www.monitoring-plugins.org/doc/guidelines.html>.

use std::io;

use super::escape;
use super::{BinReport, Report};

/// The state of a service, as Nagios knows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Nothing to do.
    Ok,
    /// Look at it in the morning.
    Warning,
    /// Look at it now.
    Critical,
    /// It cannot be told.
    Unknown,
}

impl State {
    /// The state a report stands for.
    ///
    /// `unknown` is fine where the exit status says so: an empty log, or a
    /// quiet server that was allowed to be.
    pub fn of(report: &Report) -> State {
        match report.verdict {
            "flat" | "cycling" | "growing" | "stepped" => State::Ok,
            "climbing" => State::Critical,
            "stacked" | "storm" => State::Warning,
            _ if report.exit_code == 0 => State::Ok,
            _ => State::Unknown,
        }
    }

    /// The word on the line.
    pub fn name(self) -> &'static str {
        match self {
            State::Ok => "OK",
            State::Warning => "WARNING",
            State::Critical => "CRITICAL",
            State::Unknown => "UNKNOWN",
        }
    }

    /// The exit status of a plugin in this state.
    pub fn exit_code(self) -> u8 {
        match self {
            State::Ok => 0,
            State::Warning => 1,
            State::Critical => 2,
            State::Unknown => 3,
        }
    }
}

/// Writes the line.
///
/// Its numbers are those of the last bin that the log can show: `open` and
/// its parts `clients` and `superseded`; then the `slope` of the superseded
/// streams an hour, and its p-value `p`.
pub(super) fn write(
    report: &Report,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let state = State::of(report).name();
    let text = escape::nagios(&report.summary);
    let bin = report.series.iter().rfind(|bin| bin.trusted);
    let level = |of: fn(&BinReport) -> Option<f64>| number(bin.and_then(of));
    let (open, clients) = (level(|bin| bin.mean), level(|bin| bin.clients));
    let superseded = level(|bin| bin.superseded);
    let trend = report.trend.as_ref();
    let slope = number(trend.map(|trend| trend.slope_per_hour));
    let p = number(trend.map(|trend| trend.p_value));
    writeln!(
        out,
        "STREAMLEAK {state} - {text} | open={open};;;0 clients={clients};;;0 \
         superseded={superseded};;;0 slope={slope} p={p};;;0;1"
    )
}

/// A number without an exponent, `U` where there is none.
fn number(value: Option<f64>) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else {
        return "U".to_owned();
    };
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

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
    let level = |of: fn(&BinReport) -> f64| number(bin.map(of));
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

#[cfg(test)]
mod tests {
    use super::super::example::{self, in_output};
    use super::super::{Output, Report};
    use super::*;

    #[test]
    fn the_line_has_text_and_then_the_last_trusted_numbers() {
        let expected = "STREAMLEAK CRITICAL - old streams are not closed: the \
             streams that their own client had replaced climb by 15.0 an \
             hour, 57.3 so far, and more opens explain none of it | \
             open=69.25;;;0 clients=12;;;0 superseded=57.25;;;0 \
             slope=15.02 p=0;;;0;1\n";
        assert_eq!(in_output(&example::leak(), Output::Nagios), expected);
    }

    #[test]
    fn what_is_not_known_is_u() {
        let expected = "STREAMLEAK OK - nothing was read | open=U;;;0 \
             clients=U;;;0 superseded=U;;;0 slope=U p=U;;;0;1\n";
        assert_eq!(in_output(&example::empty(), Output::Nagios), expected);
    }

    #[test]
    fn each_verdict_has_its_state_and_status() {
        let cases = [
            ("flat", 0, State::Ok, "OK", 0),
            ("cycling", 0, State::Ok, "OK", 0),
            ("growing", 0, State::Ok, "OK", 0),
            ("stepped", 0, State::Ok, "OK", 0),
            ("climbing", 1, State::Critical, "CRITICAL", 2),
            ("stacked", 1, State::Warning, "WARNING", 1),
            ("storm", 1, State::Warning, "WARNING", 1),
            ("unknown", 3, State::Unknown, "UNKNOWN", 3),
            ("unknown", 0, State::Ok, "OK", 0),
        ];
        for (verdict, exit_code, state, name, status) in cases {
            let report = Report { verdict, exit_code, ..example::empty() };
            assert_eq!(State::of(&report), state, "{verdict}");
            assert_eq!(state.name(), name);
            assert_eq!(state.exit_code(), status);
        }
    }

    #[test]
    fn hostile_texts_cannot_forge_a_line_or_numbers() {
        let line = in_output(&example::hostile(), Output::Nagios);
        assert_eq!(line.matches('\n').count(), 1);
        assert_eq!(line.matches('|').count(), 1);
        assert!(line.contains(r"- see =cmd/'/C calc'!A0\x1b]0;owned\x07\x9b"));
        assert!(line.is_ascii());
    }

    #[test]
    fn numbers_have_no_exponent_and_no_sign_on_nothing() {
        assert_eq!(number(Some(1e-4)), "0.0001");
        assert_eq!(number(Some(1e-14)), "0");
        assert_eq!(number(Some(-1e-14)), "0");
        assert_eq!(number(Some(-2.5)), "-2.5");
        assert_eq!(number(Some(100.0)), "100");
        assert_eq!(number(Some(f64::INFINITY)), "U");
    }
}

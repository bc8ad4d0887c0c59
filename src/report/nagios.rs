//! One line for Nagios, Icinga and their kin, as the monitoring plugins
//! guidelines ask: text, `|`, then numbers to draw,
//! <https://www.monitoring-plugins.org/doc/guidelines.html>.

use std::io;

use super::escape;
use super::{BinReport, Report};

/// Writes the line.
///
/// Its numbers are those of the last bin that the log can show: `open` and
/// its parts `clients` and `superseded`; then the `slope` of the superseded
/// streams an hour, and its p-value `p`; then how many hours superseded
/// streams are held a day, `superseded_hours`.
pub(super) fn write(
    report: &Report,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let state = report.nagios().word();
    let text = escape::nagios(&report.summary);
    let bin = report.series.iter().rfind(|bin| bin.trusted);
    let level = |of: fn(&BinReport) -> Option<f64>| number(bin.and_then(of));
    let (open, clients) = (level(|bin| bin.mean), level(|bin| bin.clients));
    let superseded = level(|bin| bin.superseded);
    let trend = report.trend.as_ref();
    let slope = number(trend.map(|trend| trend.slope_per_hour));
    let p = number(trend.map(|trend| trend.p_value));
    let cost = report.cost.as_ref();
    let hours = number(cost.map(|cost| cost.superseded_hours_per_day));
    writeln!(
        out,
        "STREAMLEAK {state} - {text} | open={open};;;0 clients={clients};;;0 \
         superseded={superseded};;;0 slope={slope} p={p};;;0;1 \
         superseded_hours={hours};;;0"
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
    use super::*;
    use crate::detect::Verdict;
    use crate::report::{
        Output,
        tests::example::{
            HOSTILE, all, flat, hostile, in_output, leak, unknown,
        },
    };

    /// The line for a report.
    fn line(report: &Report) -> String {
        in_output(report, Output::Nagios)
    }

    /// A report with this verdict and exit status.
    fn with(verdict: Verdict, exit_code: u8) -> Report {
        Report { verdict, exit_code, ..flat() }
    }

    /// Whether a text is a number as the guidelines have it: a sign, digits
    /// and at most one point, or `U`.
    fn is_number(text: &str) -> bool {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let mut parts = digits.splitn(2, '.');
        let mut digits = |text: &str| {
            !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit())
        };
        text == "U" || parts.all(&mut digits)
    }

    #[test]
    fn every_verdict_has_its_state() {
        for (verdict, exit_code, state) in [
            (Verdict::Flat, 0, "OK"),
            (Verdict::Cycling, 0, "OK"),
            (Verdict::Growing, 0, "OK"),
            (Verdict::Stepped, 0, "OK"),
            (Verdict::Climbing, 1, "CRITICAL"),
            (Verdict::Stacked, 1, "WARNING"),
            (Verdict::Storm, 1, "WARNING"),
            (Verdict::Unknown, 3, "UNKNOWN"),
            // An empty log, or `--none-ok`.
            (Verdict::Unknown, 0, "OK"),
            // An input could not be read.
            (Verdict::Climbing, 2, "UNKNOWN"),
            (Verdict::Flat, 2, "UNKNOWN"),
        ] {
            let line = line(&with(verdict, exit_code));
            let start = format!("STREAMLEAK {state} - ");
            assert!(line.starts_with(&start), "{verdict:?}: {line}");
        }
        assert_eq!(Verdict::ALL.len(), 8, "a verdict is missing above");
    }

    #[test]
    fn it_is_one_line_with_one_bar_and_six_numbers() {
        for report in all() {
            let line = line(&report);
            assert!(line.ends_with('\n') && line.lines().count() == 1);
            assert!(line.is_ascii() && !line.contains('\x1b'), "{line}");
            let parts: Vec<&str> = line.trim_end().split(" | ").collect();
            let [text, data] = parts[..] else { panic!("{line}") };
            assert!(!text.contains('|') && !data.contains('|'), "{line}");
            let names = data.split(' ').map(|datum| {
                let (name, values) = datum.split_once('=').expect("a datum");
                let mut values = values.split(';');
                assert!(values.next().is_some_and(is_number), "{datum}");
                assert!(values.all(|v| v.is_empty() || is_number(v)));
                name
            });
            let names: Vec<&str> = names.collect();
            assert_eq!(names[..3], ["open", "clients", "superseded"]);
            assert_eq!(names[3..], ["slope", "p", "superseded_hours"]);
        }
    }

    #[test]
    fn the_numbers_are_those_of_the_last_bin_that_can_be_trusted() {
        // Bin 233 of the example: 12 clients and 233 / 4 - 1 superseded.
        let data = " | open=69.25;;;0 clients=12;;;0 superseded=57.25;;;0 \
                    slope=15.02 p=0;;;0;1 superseded_hours=661.32;;;0\n";
        assert!(line(&leak()).ends_with(data), "{}", line(&leak()));
        let data = " | open=U;;;0 clients=U;;;0 superseded=U;;;0 slope=U \
                    p=U;;;0;1 superseded_hours=U;;;0\n";
        assert!(line(&unknown()).ends_with(data), "{}", line(&unknown()));
    }

    #[test]
    fn a_hostile_text_forges_neither_state_nor_numbers() {
        let line = line(&hostile());
        assert!(HOSTILE.contains("\r\nOK - | open=0"));
        assert!(line.contains("\\r\\nOK - / open=0"), "{line}");
    }

    #[test]
    fn numbers_have_no_exponent() {
        assert_eq!(number(Some(1e21)), "1000000000000000000000");
        assert_eq!(number(Some(-1.5e-9)), "0");
        assert_eq!(number(Some(-12.5)), "-12.5");
        assert_eq!(number(Some(100.0)), "100");
        assert_eq!(number(Some(f64::NAN)), "U");
        assert_eq!(number(None), "U");
    }
}

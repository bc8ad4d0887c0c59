//! How long streams are held, and what that cuts off the log's end.

use serde::Serialize;

use super::Source;
use super::digits::digits;
use crate::detect::Settings;
use crate::report::{Ink, Page};
use crate::time::Micros;

/// The holds.
#[derive(Clone, Debug, Serialize)]
pub struct HoldsPart {
    /// Those of all streams, N.
    pub total: TailPart,
    /// Those of the superseded streams, E.
    pub superseded: TailPart,
    /// The median time from one opening of a key to its next, else the
    /// median hold.
    pub cycle_s: f64,
}

/// How much of the log's end is cut off.
#[derive(Clone, Debug, Serialize)]
pub struct TailPart {
    /// How many holds no restart cut short; 0 where openings are logged.
    pub holds: usize,
    /// The quantile of them that is cut off, tau; that of the superseded
    /// streams not below that of all.
    pub tau_s: f64,
    /// T1 less that.
    pub until: String,
}

impl HoldsPart {
    pub(super) fn of(source: Source<'_>) -> HoldsPart {
        let detection = source.detection;
        let tail = |holds: usize, tau: Micros| TailPart {
            holds,
            tau_s: tau.as_secs(),
            until: (source.until() - tau).to_rfc3339(),
        };
        let (total, superseded) = detection.holds;
        HoldsPart {
            total: tail(total, detection.censored_total),
            superseded: tail(superseded, detection.censored_superseded),
            cycle_s: detection.cycle.as_secs(),
        }
    }

    pub(super) fn page(&self, page: &mut Page<'_>, rules: &Settings) {
        page.gap();
        page.heading("3. holds, and the end that is cut off");
        let text = format!(
            "{} s from one opening of a key to its next (median); {} of them \
             must fit into the trusted log",
            digits(self.cycle_s),
            digits(rules.min_cycles)
        );
        page.fact("cycle", Ink::Strong, &text);
        if self.total.holds == 0 && self.total.tau_s == 0.0 {
            let text = "nothing: openings are logged, or no stream has ended";
            page.fact("cut off", Ink::Strong, text);
            return;
        }
        let why = "streams still open at T1 are not logged yet";
        let text = self.total.text(rules.trust);
        page.fact("tau_N", Ink::Strong, &format!("{text}: {why}"));
        let own = match self.superseded.holds {
            0..3 => "as tau_N: fewer than 3 superseded".to_owned(),
            _ => format!(
                "{}, not below tau_N",
                self.superseded.text(rules.trust)
            ),
        };
        page.fact("tau_E", Ink::Strong, &own);
    }
}

impl TailPart {
    fn text(&self, quantile: f64) -> String {
        format!(
            "{} s, the {} quantile of {} holds that no restart cut short; \
             trusted up to {}",
            digits(self.tau_s),
            digits(quantile),
            self.holds,
            self.until
        )
    }
}

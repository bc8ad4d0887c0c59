//! Restarts and drains, which cut the log into segments.

use serde::Serialize;

use super::digits::digits;
use crate::detect::Detection;
use crate::detect::Settings;
use crate::report::{Ink, Page};
use crate::series::{Restart, Sign};
use crate::time::Micros;

/// One restart.
#[derive(Clone, Debug, Serialize)]
pub struct RestartPart {
    /// Its first closing.
    pub from: String,
    /// When it is taken to be over.
    pub until: String,
    /// The time between.
    pub length_s: f64,
    /// What it was told by: `at-once`, `superseded-at-once`, `deploys`,
    /// `drain` or `superseded-drain`.
    pub sign: &'static str,
    /// How many streams it closed.
    pub closed: usize,
    /// Of how many that were open, or usually are.
    pub open: usize,
}

/// All of them.
pub(super) fn all(detection: &Detection) -> Vec<RestartPart> {
    detection.resets.iter().map(RestartPart::of).collect()
}

/// Their page.
pub(super) fn page(
    restarts: &[RestartPart],
    page: &mut Page<'_>,
    rules: &Settings,
) {
    page.gap();
    page.heading("2. restarts and drains");
    page.fact("rule", Ink::Strong, &rule(rules));
    for restart in restarts {
        page.fact("restart", Ink::Strong, &restart.text());
    }
    if restarts.is_empty() {
        page.fact("found", Ink::Strong, "none");
    }
}

fn rule(rules: &Settings) -> String {
    let (once, drain) = (&rules.reset, &rules.drain);
    format!(
        "at once: {} streams and {} of the open ones are closed within {} s, \
         their ages from the 10th to the 90th percentile {} of their median \
         apart, or alike and different each time (deploys); drain: {} held \
         for {} times its length, and {} of the open ones, within {} s",
        once.least,
        digits(once.share),
        digits(once.within.as_secs()),
        digits(once.spread),
        drain.least,
        drain.old,
        digits(drain.share),
        drain.lengths.map(Micros::as_secs).map(digits).join(", "),
    )
}

impl RestartPart {
    fn of(reset: &Restart) -> RestartPart {
        RestartPart {
            from: reset.at.to_rfc3339(),
            until: reset.until.to_rfc3339(),
            length_s: (reset.until - reset.at).as_secs(),
            sign: word(reset.sign),
            closed: reset.closed,
            open: reset.open,
        }
    }

    fn text(&self) -> String {
        format!(
            "{} for {} s, by {}: {} of {} closed",
            self.from,
            digits(self.length_s),
            self.sign,
            self.closed,
            self.open
        )
    }
}

fn word(sign: Sign) -> &'static str {
    match sign {
        Sign::AtOnce => "at-once",
        Sign::SupersededAtOnce => "superseded-at-once",
        Sign::Deploys => "deploys",
        Sign::Drain => "drain",
        Sign::SupersededDrain => "superseded-drain",
    }
}

//! The horizon: up to where a log of ends shows what was open
//! (specification, step 5).

use serde::Serialize;

use crate::detect::ends::Ends;
use crate::detect::log::Openings;
use crate::detect::rates::holds::Holds;
use crate::detect::rows::Rows;
use crate::detect::settings::Settings;
use crate::time::Micros;

/// Of fewer streams begun in a log's first half no quantile is taken.
const LEAST_EARLY: usize = 20;

/// No more of a log than this share may be hidden.
const MOST_HIDDEN: f64 = 0.5;

/// The horizon of an endpoint's log.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Horizon {
    /// How much of the log's end hides what was open then, in seconds.
    pub hidden: f64,
    /// Streams opened from here on take no part in what is expected: seconds
    /// from the log's first line.
    pub until: f64,
    /// How much of the end a plot should not be trusted on, in seconds.
    pub hidden_shown: f64,
}

impl Horizon {
    /// Of a log with such ends. `holds` are those that no restart cut short.
    pub(crate) fn of(
        rows: &Rows,
        ends: &Ends,
        holds: &Holds,
        openings: Openings,
        settings: &Settings,
    ) -> Horizon {
        let end = rows.end();
        let hidden_shown =
            hidden_shown(rows, ends, holds, settings.trust_shown);
        if openings == Openings::Logged {
            return Horizon { hidden: 0.0, until: end, hidden_shown };
        }
        let hidden = holds.equilibrium(settings.trust).min(MOST_HIDDEN * end);
        let last = ends.restarts.last().map(|r| r.from.as_secs());
        let until = last.unwrap_or(f64::NEG_INFINITY).max(end - hidden);
        Horizon { hidden, until, hidden_shown }
    }
}

/// Those begun in the second half had no time to be held long, so those of
/// the first half are asked as well.
fn hidden_shown(rows: &Rows, ends: &Ends, holds: &Holds, q: f64) -> f64 {
    let is_early = |opened: Micros| opened + opened <= rows.length;
    let early = Holds::unrestarted(rows, ends, is_early);
    let enough = early.len() >= LEAST_EARLY;
    let early = if enough { early.equilibrium(q) } else { 0.0 };
    holds.equilibrium(q).max(early)
}

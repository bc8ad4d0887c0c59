//! Whether streams that are closed are opened again, and whether they end
//! at a ceiling: what cycling is.

use serde::Serialize;

use super::Source;
use super::digits::digits;
use crate::detect::Settings;
use crate::detect::WITHIN;
use crate::report::{Ink, Page};

/// The reopenings of a log.
#[derive(Clone, Debug, Serialize)]
pub struct ReopeningsPart {
    /// Streams whose closing was followed long enough to tell.
    pub closed: u64,
    /// Those of them whose key opened another one soon.
    pub reopened: u64,
    /// The one over the other.
    pub share: f64,
    /// The median time between; below 0 where the next is opened first.
    pub gap_s: f64,
    /// The hold at which streams pile up; `null` without one.
    pub ceiling: Option<CeilingPart>,
}

/// A hold at which streams pile up.
#[derive(Clone, Debug, Serialize)]
pub struct CeilingPart {
    /// The hold.
    pub hold_s: f64,
    /// The share of the ended streams that end there.
    pub share: f64,
}

impl ReopeningsPart {
    pub(super) fn of(source: Source<'_>) -> ReopeningsPart {
        let reopenings = source.detection.reopenings;
        let ceiling = source.found.holds.ceiling();
        ReopeningsPart {
            closed: reopenings.closed,
            reopened: reopenings.reopened,
            share: reopenings.share(),
            gap_s: reopenings.gap,
            ceiling: ceiling.map(|ceiling| CeilingPart {
                hold_s: ceiling.hold.as_secs(),
                share: ceiling.share,
            }),
        }
    }

    pub(super) fn page(&self, page: &mut Page<'_>, rules: &Settings) {
        page.gap();
        page.heading("10. reopenings");
        let text = format!(
            "{} of {} closed streams within {} s, a share of {} (cycling \
             needs {}), after {} s (median)",
            self.reopened,
            self.closed,
            digits(WITHIN.as_secs()),
            digits(self.share),
            digits(rules.reopened),
            digits(self.gap_s)
        );
        page.fact("reopened", Ink::Strong, &text);
        let text = self.ceiling.as_ref().map(|ceiling| {
            format!(
                "{} s, at which a share of {} of the ended streams end \
                 (cycling needs {})",
                digits(ceiling.hold_s),
                digits(ceiling.share),
                digits(rules.ceiling)
            )
        });
        let text = text.unwrap_or("none".to_owned());
        page.fact("ceiling", Ink::Strong, &text);
    }
}

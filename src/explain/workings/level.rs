//! The level of the superseded streams, held against the baseline's.

use serde::Serialize;

use super::Source;
use super::digits::digits;
use crate::detect::Settings;
use crate::detect::{Level, LevelTest};
use crate::report::{Ink, Page};

/// A level compared with the baseline's.
#[derive(Clone, Debug, Serialize)]
pub struct LevelPart {
    /// The log's.
    pub own: StretchPart,
    /// The baseline's.
    pub base: StretchPart,
    /// How much higher the one is than the other.
    pub difference: f64,
    /// That over its standard error (Welch).
    pub t: f64,
    /// Its degrees of freedom (Satterthwaite).
    pub df: f64,
    /// P(T > t), one-sided.
    pub p: f64,
    /// What p must be below.
    pub alpha: f64,
    /// What the difference must reach.
    pub threshold: f64,
    /// What of it more opens do not explain.
    pub unexplained: f64,
    /// What that must reach.
    pub least: f64,
    /// Whether all three hold.
    pub higher: bool,
}

/// The level of a stretch, and what was opened in it.
#[derive(Clone, Debug, Serialize)]
pub struct StretchPart {
    /// The mean number of superseded streams: of its equal slices.
    pub mean: f64,
    /// Its standard error, widened for `rho`.
    pub se: f64,
    /// Slices less one.
    pub df: f64,
    /// The correlation of neighbouring slices that is allowed for.
    pub rho: f64,
    /// How long the stretch is.
    pub length_s: f64,
    /// Streams opened in it.
    pub opens: u64,
    /// The mean number of all open streams.
    pub open: f64,
    /// The median hold of those closed in it.
    pub hold_s: f64,
}

impl LevelPart {
    pub(super) fn of(source: Source<'_>) -> Option<LevelPart> {
        let settings = source.settings;
        let test: LevelTest = source.detection.level?;
        let difference = test.difference();
        Some(LevelPart {
            own: StretchPart::of(&test.own),
            base: StretchPart::of(&test.base),
            difference,
            t: test.t,
            df: test.df,
            p: test.p,
            alpha: settings.alpha,
            threshold: test.threshold,
            unexplained: test.unexplained,
            least: settings.unexplained * difference,
            higher: test.higher,
        })
    }

    pub(super) fn page(&self, page: &mut Page<'_>, rules: &Settings) {
        page.gap();
        page.heading("11. the level of E against the baseline's");
        page.fact("log", Ink::Strong, &self.own.text());
        page.fact("baseline", Ink::Strong, &self.base.text());
        let text = format!(
            "{} higher (needs {}), t {} on {} df, p {} (needs less than {}); \
             opens do not explain {} (needs {} = {} of it): {}",
            digits(self.difference),
            digits(self.threshold),
            digits(self.t),
            digits(self.df),
            digits(self.p),
            digits(self.alpha),
            digits(self.unexplained),
            digits(self.least),
            digits(rules.unexplained),
            if self.higher { "higher" } else { "not higher" }
        );
        page.fact("test", Ink::Plain, &text);
    }
}

impl StretchPart {
    fn of(level: &Level) -> StretchPart {
        StretchPart {
            mean: level.mean,
            se: level.se,
            df: level.df,
            rho: level.rho,
            length_s: level.traffic.length,
            opens: level.traffic.opens,
            open: level.traffic.open,
            hold_s: level.traffic.hold,
        }
    }

    fn text(&self) -> String {
        format!(
            "mean {}, se {} on {} df, rho {}; {} opens in {} s, {} open, \
             held for {} s (median)",
            digits(self.mean),
            digits(self.se),
            digits(self.df),
            digits(self.rho),
            self.opens,
            digits(self.length_s),
            digits(self.open),
            digits(self.hold_s)
        )
    }
}

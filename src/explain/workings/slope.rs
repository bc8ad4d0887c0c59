//! The slope of a window: the slices it is fitted to, and its test.

use serde::Serialize;

use super::digits::{digits, list};
use crate::detect::Settings;
use crate::detect::{BaselineSlope, Slices, WindowTest};
use crate::report::{Ink, Page};
use crate::time::Micros;

/// Seconds in the minute that slopes are given for.
const MINUTE: f64 = 60.0;

/// Equal slices of a stretch of time.
#[derive(Clone, Debug, Serialize)]
pub struct SlicesPart {
    /// The stretch's start.
    pub from: String,
    /// Its end.
    pub until: String,
    /// How long each slice is.
    pub slice_s: f64,
    /// The exact mean of each: what the line is fitted to.
    pub means: Vec<f64>,
}

/// A slope and its test.
#[derive(Clone, Debug, Serialize)]
pub struct SlopePart {
    /// Streams gained a minute.
    pub slope_per_min: f64,
    /// Its standard error by ordinary least squares, not below 1e-9 a
    /// slice.
    pub se_plain_per_min: f64,
    /// The correlation of neighbouring residuals.
    pub r1: f64,
    /// What of it is allowed for: r1 + 2/K, within 0 and the cap.
    pub rho: f64,
    /// The standard error times √((1 + rho) / (1 - rho)).
    pub se_per_min: f64,
    /// `slope_per_min / se_per_min`; against a baseline, Welch's.
    pub t: f64,
    /// Its degrees of freedom; against a baseline, Satterthwaite's.
    pub df: f64,
    /// P(T > t), one-sided.
    pub p: f64,
    /// What p must be below.
    pub alpha: f64,
    /// Among how many windows the log's alpha was shared out.
    pub shared_by: u64,
    /// Whether it is.
    pub significant: bool,
    /// The slope it was held against; `null` for none at all.
    pub baseline: Option<BaselinePart>,
}

/// The slope of a healthy stretch.
#[derive(Clone, Debug, Serialize)]
pub struct BaselinePart {
    /// Streams gained a minute.
    pub slope_per_min: f64,
    /// Its standard error.
    pub se_per_min: f64,
    /// Its degrees of freedom.
    pub df: f64,
}

impl SlicesPart {
    /// Those of a stretch.
    pub(super) fn of(
        (from, until): (Micros, Micros),
        slices: &Slices,
    ) -> SlicesPart {
        SlicesPart {
            from: from.to_rfc3339(),
            until: until.to_rfc3339(),
            slice_s: slices.length,
            means: slices.means.clone(),
        }
    }

    pub(super) fn text(&self) -> String {
        let (count, secs) = (self.means.len(), digits(self.slice_s));
        let means = list(self.means.iter().copied());
        format!("{count} of {secs} s, means {means}")
    }
}

impl SlopePart {
    /// That of a window; `alpha` is the whole log's.
    pub(super) fn of(
        window: &WindowTest,
        baseline: Option<BaselineSlope>,
        alpha: f64,
    ) -> SlopePart {
        let test = &window.test;
        let against = baseline.map(|baseline| test.against(&baseline));
        SlopePart {
            slope_per_min: test.slope * MINUTE,
            se_plain_per_min: test.se_plain() * MINUTE,
            r1: test.r1,
            rho: test.rho,
            se_per_min: test.se * MINUTE,
            t: against.map_or(test.t, |against| against.t),
            df: against.map_or(test.df, |against| against.df),
            p: window.p,
            alpha: window.alpha,
            shared_by: (alpha / window.alpha).round() as u64,
            significant: window.significant,
            baseline: baseline.map(|baseline| BaselinePart {
                slope_per_min: baseline.slope * MINUTE,
                se_per_min: baseline.se * MINUTE,
                df: baseline.df,
            }),
        }
    }

    pub(super) fn page(&self, page: &mut Page<'_>, rules: &Settings) {
        let text = format!(
            "{}; se {} = {} x sqrt((1 + rho) / (1 - rho)), rho {} = r1 {} + \
             2/K within 0 and {}",
            digits(self.slope_per_min),
            digits(self.se_per_min),
            digits(self.se_plain_per_min),
            digits(self.rho),
            digits(self.r1),
            digits(rules.rho_cap)
        );
        page.fact("slope", Ink::Plain, &text);
        let against = self.baseline.as_ref().map(|baseline| {
            format!(
                " against a baseline of {}, se {}",
                digits(baseline.slope_per_min),
                digits(baseline.se_per_min)
            )
        });
        let text = format!(
            "t {} on {} df{}, p {}; alpha {} = {} / {}: {}",
            digits(self.t),
            digits(self.df),
            against.unwrap_or_default(),
            digits(self.p),
            digits(self.alpha),
            digits(rules.alpha),
            self.shared_by,
            if self.significant { "significant" } else { "not significant" }
        );
        page.fact("test", Ink::Plain, &text);
    }
}

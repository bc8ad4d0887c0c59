//! How evenly clients that hold several streams open them.

use serde::Serialize;

use super::digits::digits;
use super::{SHOWN, Source, more};
use crate::detect::{NEARLY, Rhythm, Settings};
use crate::report::{Ink, Page};

/// The rhythms of a log.
#[derive(Clone, Debug, Serialize)]
pub struct RhythmsPart {
    /// Each key's, the most even first.
    pub keys: Vec<RhythmPart>,
    /// Their chance together: twice the smaller of Bonferroni's and
    /// Fisher's; 1 without any.
    pub p: f64,
    /// What that must be below.
    pub alpha: f64,
    /// The superseded streams that they hold: k - 1, summed.
    pub superseded: f64,
    /// What that must reach.
    pub least: f64,
    /// Whether both hold. With a baseline its level is asked instead.
    pub stack: bool,
}

/// The rhythm of one key.
#[derive(Clone, Debug, Serialize)]
pub struct RhythmPart {
    /// The key.
    pub key: String,
    /// The mean time from one opening to the next, without pauses.
    pub interval_s: f64,
    /// The median hold.
    pub hold_s: f64,
    /// k: mean hold over mean interval.
    pub at_once: f64,
    /// c: the intervals' coefficient of variation.
    pub variation: f64,
    /// The chance that k places on a circle are so evenly spaced, times the
    /// ways in which as many as pauses may hide were left out.
    pub p: f64,
}

impl RhythmsPart {
    pub(super) fn of(source: Source<'_>) -> RhythmsPart {
        let rhythms = &source.detection.rhythms;
        let Settings { rhythm: rule, alpha, min_rise, .. } = *source.settings;
        let one = |rhythm: &Rhythm| RhythmPart {
            key: source.key(rhythm.key),
            interval_s: rhythm.interval,
            hold_s: rhythm.hold,
            at_once: rhythm.at_once,
            variation: rhythm.variation,
            p: rhythm.p,
        };
        RhythmsPart {
            keys: rhythms.all.iter().map(one).collect(),
            p: rhythms.p,
            alpha: rule.alpha_share * alpha,
            superseded: rhythms.superseded(),
            least: NEARLY * min_rise,
            stack: rhythms.stack(&rule, alpha, min_rise),
        }
    }

    pub(super) fn page(&self, page: &mut Page<'_>, rules: &Settings) {
        let rule = &rules.rhythm;
        page.gap();
        page.heading("8. rhythms");
        let text = format!(
            "keys with {} open at once and {} openings at least, half as \
             many again as open at once; with a baseline its level is asked \
             instead",
            digits(rule.at_once),
            rule.openings
        );
        page.fact("rule", Ink::Strong, &text);
        for rhythm in self.keys.iter().take(SHOWN) {
            let key = page.short(&rhythm.key, 40);
            let text = format!("{key}: {}", rhythm.text());
            page.fact("key", Ink::Plain, &text);
        }
        page.fact("", Ink::Plain, &more(self.keys.len()));
        let so = if self.stack {
            "each of them holds several"
        } else {
            "no sure stack"
        };
        let text = format!(
            "p {} (needs less than {} = {} x alpha), {} superseded (needs {} \
             = {} x the least rise): {so}",
            digits(self.p),
            digits(self.alpha),
            digits(rule.alpha_share),
            digits(self.superseded),
            digits(self.least),
            digits(NEARLY)
        );
        page.fact("together", Ink::Strong, &text);
    }
}

impl RhythmPart {
    fn text(&self) -> String {
        format!(
            "one every {} s, each held for {} s, k {}, c {}, p {}",
            digits(self.interval_s),
            digits(self.hold_s),
            digits(self.at_once),
            digits(self.variation),
            digits(self.p)
        )
    }
}

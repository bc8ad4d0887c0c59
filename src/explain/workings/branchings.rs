//! Clients whose streams come back more than once for each that ended.

use serde::Serialize;

use super::digits::digits;
use super::{SHOWN, Source, more};
use crate::detect::Settings;
use crate::detect::{Branching, gained};
use crate::report::{Ink, Page};

/// The branchings of a log.
#[derive(Clone, Debug, Serialize)]
pub struct BranchingsPart {
    /// Each key's, the surest first.
    pub keys: Vec<BranchingPart>,
    /// The sum of their `after_end`: what they gained.
    pub gained: u64,
    /// What that must reach to be a climb.
    pub least: f64,
}

/// The branching of one key.
#[derive(Clone, Debug, Serialize)]
pub struct BranchingPart {
    /// The key.
    pub key: String,
    /// Opens for which no stream had been closed before.
    pub surplus: u64,
    /// Those of them that came soon after an end all the same.
    pub after_end: u64,
    /// n: at how many different times there were such opens.
    pub times: u64,
    /// At how many of them soon after an end.
    pub times_after: u64,
    /// q: the share of the time that lies soon after an end.
    pub covered: f64,
    /// e^(-n D), D the relative entropy of `times_after` / n and q.
    pub p: f64,
    /// Opens soon after an end, for each end that was followed by any.
    pub children: f64,
    /// The most it had open.
    pub most: u64,
}

impl BranchingsPart {
    pub(super) fn of(source: Source<'_>) -> BranchingsPart {
        let one = |branching: &Branching| BranchingPart {
            key: source.key(branching.key),
            surplus: branching.surplus,
            after_end: branching.after_end,
            times: branching.times,
            times_after: branching.times_after,
            covered: branching.covered,
            p: branching.p,
            children: branching.children,
            most: branching.most,
        };
        let all = &source.detection.branchings;
        BranchingsPart {
            keys: all.iter().map(one).collect(),
            gained: gained(all),
            least: source.settings.threshold(1.0),
        }
    }

    pub(super) fn page(&self, page: &mut Page<'_>, rules: &Settings) {
        let rule = &rules.branch;
        page.gap();
        page.heading("9. branchings");
        let text = format!(
            "keys with {} opens beyond one for each end at least, so many of \
         them within {} s of an end that the chance is below {}, shared out \
         among the keys",
            rule.least,
            digits((rule.soon + rule.slack).as_secs()),
            digits(rule.alpha)
        );
        page.fact("rule", Ink::Strong, &text);
        for branching in self.keys.iter().take(SHOWN) {
            let key = page.short(&branching.key, 40);
            let text = format!("{key}: {}", branching.text());
            page.fact("key", Ink::Plain, &text);
        }
        page.fact("", Ink::Plain, &more(self.keys.len()));
        let text = format!(
            "{} opens soon after an end (a climb needs {})",
            self.gained,
            digits(self.least)
        );
        page.fact("together", Ink::Strong, &text);
    }
}

impl BranchingPart {
    fn text(&self) -> String {
        format!(
            "{} of {} such opens came soon after an end, at {} of {} \
             different times; {} of the time lies there, p {}; {} for each \
             end, {} open at most",
            self.after_end,
            self.surplus,
            self.times_after,
            self.times,
            digits(self.covered),
            digits(self.p),
            digits(self.children),
            self.most
        )
    }
}

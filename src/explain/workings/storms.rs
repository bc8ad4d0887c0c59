//! Streams taken out because they belong to a storm.

use serde::Serialize;

use super::digits::digits;
use super::{SHOWN, Source, more};
use crate::detect::Settings;
use crate::detect::Storm;
use crate::report::{Ink, Page, counted};
use crate::time::Micros;

/// The storms of a log.
#[derive(Clone, Debug, Serialize)]
pub struct StormsPart {
    /// Each by itself, the one of most streams first.
    pub found: Vec<StormPart>,
    /// How long there was a storm of any key.
    pub lasted_s: f64,
    /// That as a share of the log.
    pub share: f64,
}

/// One storm.
#[derive(Clone, Debug, Serialize)]
pub struct StormPart {
    /// Whose.
    pub key: String,
    /// When its first stream was opened.
    pub from: String,
    /// When its last one was closed.
    pub until: String,
    /// How many streams it is.
    pub streams: u64,
}

impl StormsPart {
    pub(super) fn of(source: Source<'_>) -> StormsPart {
        let storms = &source.detection.storms;
        let mut all = storms.all.clone();
        all.sort_by_key(|storm| std::cmp::Reverse(storm.streams));
        let one = |storm: &Storm| StormPart {
            key: source.key(storm.key),
            from: storm.from.to_rfc3339(),
            until: storm.until.to_rfc3339(),
            streams: storm.streams,
        };
        let found = all.iter().map(one).collect();
        let lasted = storms.lasted().as_secs();
        let from = source.found.log.first.unwrap_or_default();
        let length = (source.until() - from).max(Micros(1)).as_secs();
        StormsPart { found, lasted_s: lasted, share: lasted / length }
    }

    pub(super) fn page(&self, page: &mut Page<'_>, rules: &Settings) {
        let rule = &rules.storm;
        page.gap();
        page.heading("1. storms, taken out");
        let text = format!(
            "{} of one key, each held for {} s at most and opened within {} \
             s of the close before, over {} s at least; they make the log a \
             storm if one goes on at T1 or all took {} of the log",
            rule.least,
            digits(rule.held.as_secs()),
            digits(rule.again.as_secs()),
            digits(rule.lasting.as_secs()),
            digits(rule.share)
        );
        page.fact("rule", Ink::Strong, &text);
        for storm in self.found.iter().take(SHOWN) {
            let key = page.short(&storm.key, 40);
            let StormPart { from, until, streams, .. } = storm;
            let streams = counted(*streams, "stream");
            let text = format!("{key}: {streams}, {from} to {until}");
            page.fact("storm", Ink::Strong, &text);
        }
        page.fact("", Ink::Plain, &more(self.found.len()));
        let text = if self.found.is_empty() {
            "none".to_owned()
        } else {
            format!(
                "{} s with any, {} of the log",
                digits(self.lasted_s),
                digits(self.share)
            )
        };
        page.fact("found", Ink::Strong, &text);
    }
}

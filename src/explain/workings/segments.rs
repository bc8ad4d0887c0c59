//! The stretches of the log that are left between restarts and its end.

use serde::Serialize;

use super::Source;
use super::digits::digits;
use crate::detect::Segment;
use crate::detect::Settings;
use crate::report::{Ink, Page};

/// The segments.
#[derive(Clone, Debug, Serialize)]
pub struct SegmentsPart {
    /// Of the superseded streams, E.
    pub superseded: Vec<SegmentPart>,
    /// Of all open streams, N.
    pub total: Vec<SegmentPart>,
}

/// One segment.
#[derive(Clone, Debug, Serialize)]
pub struct SegmentPart {
    /// Its start.
    pub from: String,
    /// Its end.
    pub until: String,
    /// How many whole bins it holds.
    pub bins: u64,
    /// Whether that is enough to be tested by itself.
    pub tested: bool,
}

impl SegmentsPart {
    pub(super) fn of(source: Source<'_>) -> SegmentsPart {
        let least = source.settings.window.least as u64;
        let one = |segment: &Segment| SegmentPart {
            from: segment.from.to_rfc3339(),
            until: segment.until.to_rfc3339(),
            bins: segment.bins,
            tested: segment.bins >= least,
        };
        let detection = source.detection;
        let superseded = detection.segments_superseded.iter();
        SegmentsPart {
            superseded: superseded.map(one).collect(),
            total: detection.segments_total.iter().map(one).collect(),
        }
    }

    pub(super) fn page(&self, page: &mut Page<'_>, rules: &Settings) {
        page.gap();
        page.heading("4. segments between restarts");
        let text = format!(
            "bins of {} s; {} to be tested, {} to be pooled, {} left out \
             after a restart; the last segment loses the end that is cut off",
            digits(rules.window.bin_secs()),
            rules.window.least,
            rules.pooled_bins,
            rules.window.settle
        );
        page.fact("rule", Ink::Strong, &text);
        let parts = [("E", &self.superseded), ("N", &self.total)];
        for (label, segments) in parts {
            for segment in segments {
                page.fact(label, Ink::Strong, &segment.text());
            }
            if segments.is_empty() {
                page.fact(label, Ink::Strong, "nothing is left");
            }
        }
    }
}

impl SegmentPart {
    fn text(&self) -> String {
        let SegmentPart { from, until, bins, .. } = self;
        let short = if self.tested { "" } else { ", too short" };
        let plural = if *bins == 1 { "" } else { "s" };
        format!("{from} to {until}: {bins} bin{plural}{short}")
    }
}

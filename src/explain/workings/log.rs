//! The log: what each input gave, and the span that is judged.

use serde::Serialize;

use super::digits::digits;
use crate::collect::Harvest;
use crate::detect::{BaselineLog, Found, Verdict};
use crate::report::{Ink, Page, counted};
use crate::streams::InputTimes;
use crate::time::Micros;

/// The log.
#[derive(Clone, Debug, Serialize)]
pub struct LogPart {
    /// T0: when its first record of any kind was written.
    pub from: Option<String>,
    /// T1: when its last one was.
    pub until: Option<String>,
    /// The time between.
    pub length_s: Option<f64>,
    /// The streams that are judged.
    pub streams: u64,
    /// Those of them known to be open at T1.
    pub open: u64,
    /// The keys they belong to.
    pub keys: u64,
    /// Whether openings are logged too, so that no end is censored.
    pub opens_known: bool,
    /// Streams of which only one end is logged.
    pub without_hold: u64,
    /// What each input gave.
    pub inputs: Vec<InputPart>,
    /// The healthy stretch it is held against; `null` without one.
    pub baseline: Option<HealthyPart>,
}

/// A healthy stretch.
#[derive(Clone, Debug, Serialize)]
pub struct HealthyPart {
    /// Its log; `null` for a stretch of the logs that are judged.
    pub name: Option<String>,
    /// Its start.
    pub from: String,
    /// Up to where it can be trusted.
    pub until: String,
    /// What it is called by itself.
    pub class: Verdict,
}

/// What one input gave.
#[derive(Clone, Debug, Serialize)]
pub struct InputPart {
    /// The path, or `-` for standard input.
    pub name: String,
    /// Records seen.
    pub records: u64,
    /// Records that the selector picked.
    pub selected: u64,
    /// Records that could not be read.
    pub rejected: u64,
    /// When its first record was written.
    pub first: Option<String>,
    /// When its last one was.
    pub last: Option<String>,
    /// Why it was read only in part, or not at all.
    pub error: Option<String>,
}

impl LogPart {
    pub(super) fn of(found: &Found) -> LogPart {
        let log = &found.log;
        let open = log.streams.iter().filter(|s| s.closed.is_none());
        let span = log.first.zip(log.last);
        let inputs = found.harvests.iter().zip(&log.inputs);
        LogPart {
            from: log.first.map(Micros::to_rfc3339),
            until: log.last.map(Micros::to_rfc3339),
            length_s: span.map(|(from, until)| (until - from).as_secs()),
            streams: log.streams.len() as u64,
            open: open.count() as u64,
            keys: found.standings.len() as u64,
            opens_known: log.opens_known,
            without_hold: log.unheld.len() as u64,
            inputs: inputs.map(|(h, times)| InputPart::of(h, times)).collect(),
            baseline: found.baseline.as_ref().map(HealthyPart::of),
        }
    }

    pub(super) fn page(&self, page: &mut Page<'_>) {
        page.heading("0. the log");
        for input in &self.inputs {
            page.fact("read", Ink::Strong, &input.text());
        }
        if let (Some(from), Some(until)) = (&self.from, &self.until) {
            let length = digits(self.length_s.unwrap_or_default());
            page.fact("T0", Ink::Strong, from);
            let text = format!("{until}, {length} s later");
            page.fact("T1", Ink::Strong, &text);
        }
        page.fact("streams", Ink::Strong, &self.text());
        if let Some(baseline) = &self.baseline {
            page.fact("baseline", Ink::Strong, &baseline.text());
        }
    }

    fn text(&self) -> String {
        let open = match self.opens_known {
            _ if self.streams == 0 => String::new(),
            true => format!("; {} known to be open at T1", self.open),
            false => "; any open at T1 are not logged yet".to_owned(),
        };
        let without = match self.without_hold {
            0 => String::new(),
            count => format!("; {count} without a hold are left out"),
        };
        let streams = counted(self.streams, "stream");
        let keys = counted(self.keys, "key");
        format!("{streams} of {keys}{open}{without}")
    }
}

impl HealthyPart {
    fn of(baseline: &BaselineLog) -> HealthyPart {
        HealthyPart {
            name: baseline.name.clone(),
            from: baseline.from.to_rfc3339(),
            until: baseline.until.to_rfc3339(),
            class: baseline.verdict,
        }
    }

    fn text(&self) -> String {
        let HealthyPart { name, from, until, class } = self;
        let name = name.as_deref().unwrap_or("of this log");
        format!("{name}, {from} to {until}, by itself {}", class.word())
    }
}

impl InputPart {
    fn of(harvest: &Harvest, times: &InputTimes) -> InputPart {
        let tally = &harvest.found.tally;
        InputPart {
            name: harvest.input.name(),
            records: tally.records,
            selected: tally.selected,
            rejected: tally.shape + tally.time + tally.duration + tally.long,
            first: times.first.map(Micros::to_rfc3339),
            last: times.last.map(Micros::to_rfc3339),
            error: harvest.error.clone(),
        }
    }

    fn text(&self) -> String {
        let span = self.first.as_ref().zip(self.last.as_ref());
        let span = span.map(|(from, until)| format!(", {from} to {until}"));
        let error = self.error.as_ref().map(|error| format!("; {error}"));
        format!(
            "{}: {}{}, {} selected, {} rejected{}",
            self.name,
            counted(self.records, "record"),
            span.unwrap_or_default(),
            self.selected,
            self.rejected,
            error.unwrap_or_default()
        )
    }
}

//! The numbers behind a verdict, in the order of the method, so that
//! someone else can redo it: by hand from the page, or in a script from the
//! JSON document.
//!
//! Nothing is judged here. What the detector kept is put in order, and what
//! follows from it by a plain formula is written out beside it.

mod branchings;
mod decision;
mod digits;
mod holds;
mod level;
mod log;
mod opens;
mod reopenings;
mod restarts;
mod rhythms;
mod segments;
mod slope;
mod storms;
mod window;

use std::io;

use serde::Serialize;
use serde_json::{Value, json};

use crate::collect::KeyId;
use crate::detect::{BaselineLog, Detection, Found, Settings, WindowTest};
use crate::explain::summary::summary;
use crate::report::{self, Ink, Output, Page, Style};
use crate::series::Part;
use crate::time::Micros;

pub use branchings::BranchingsPart;
pub use decision::DecisionPart;
pub use holds::HoldsPart;
pub use level::LevelPart;
pub use log::LogPart;
pub use reopenings::ReopeningsPart;
pub use restarts::RestartPart;
pub use rhythms::RhythmsPart;
pub use segments::SegmentsPart;
pub use storms::StormsPart;
pub use window::WindowPart;

/// The workings of a verdict. Keys are serialised in this order; times are
/// RFC 3339 in UTC, `_s` are seconds, levels and rises streams, shares 0
/// to 1. A number that is none is `null`.
#[derive(Clone, Debug, Serialize)]
pub struct Workings {
    /// Version of this shape: 1. Fields may be added to it.
    pub schema: u32,
    /// The one-word answer.
    pub verdict: &'static str,
    /// The answer in a sentence.
    pub summary: String,
    /// The exit status of the run.
    pub exit_code: u8,
    /// The log: what each input gave, and the span that is judged.
    pub log: LogPart,
    /// The numbers by which windows are judged.
    pub thresholds: Value,
    /// The same, for the page.
    #[serde(skip)]
    settings: Settings,
    /// What the detector made of the streams; `null` without any.
    pub detector: Option<DetectorPart>,
}

/// What the detector made of the streams, step by step.
#[derive(Clone, Debug, Serialize)]
pub struct DetectorPart {
    /// Streams taken out because they belong to a storm.
    pub storms: StormsPart,
    /// Restarts and drains, in order.
    pub restarts: Vec<RestartPart>,
    /// How long streams are held, and what that cuts off the log's end.
    pub holds: HoldsPart,
    /// The stretches that are left.
    pub segments: SegmentsPart,
    /// The windows of the superseded streams, E.
    pub superseded: Vec<WindowPart>,
    /// The common slope of E in all segments between restarts.
    pub pooled: Option<WindowPart>,
    /// The windows of all open streams, N.
    pub total: Vec<WindowPart>,
    /// How evenly clients that hold several streams open them.
    pub rhythms: RhythmsPart,
    /// Clients whose streams come back more than once for each that ended.
    pub branchings: BranchingsPart,
    /// Whether closed streams are opened again.
    pub reopenings: ReopeningsPart,
    /// The level of E against the baseline's; `null` without one.
    pub level: Option<LevelPart>,
    /// What each rule said, and which decided.
    pub decision: DecisionPart,
}

/// How many storms and keys of each kind the page lists.
const SHOWN: usize = 10;

/// What the page says of those that it does not list.
fn more(all: usize) -> String {
    match all.saturating_sub(SHOWN) {
        0 => String::new(),
        rest => format!("and {rest} more, which -o json lists"),
    }
}

/// What the parts are taken from.
#[derive(Clone, Copy)]
struct Source<'a> {
    found: &'a Found,
    detection: &'a Detection,
    settings: &'a Settings,
}

impl Source<'_> {
    /// A client's key as text.
    fn key(&self, key: KeyId) -> String {
        let client = &self.found.log.clients[key.0 as usize];
        let both = [&client.address, &client.agent];
        let texts = both.map(|text| String::from_utf8_lossy(text));
        let named = texts.iter().filter(|text| !text.is_empty());
        named.map(|text| &**text).collect::<Vec<_>>().join(" ")
    }

    /// When the log ends.
    fn until(&self) -> Micros {
        self.found.log.last.unwrap_or_default()
    }
}

/// The workings of what was found; `exit_code` is the run's.
pub fn workings(
    found: &Found,
    settings: &Settings,
    exit_code: u8,
) -> Workings {
    let baseline = found.baseline.as_ref().map(BaselineLog::numbers);
    let baseline = baseline.unwrap_or(settings.baseline);
    let settings = &Settings { baseline, ..*settings };
    let detection = found.detection.as_ref();
    let source =
        detection.map(|detection| Source { found, detection, settings });
    Workings {
        schema: 1,
        verdict: found.verdict().word(),
        summary: summary(found),
        exit_code,
        log: LogPart::of(found),
        thresholds: thresholds(settings),
        settings: *settings,
        detector: source.map(DetectorPart::of),
    }
}

impl DetectorPart {
    fn of(source: Source<'_>) -> DetectorPart {
        let detection = source.detection;
        let windows = |part: Part, tests: &[WindowTest]| {
            let one = |test| WindowPart::of(source, part, test);
            tests.iter().map(one).collect()
        };
        let pooled = detection.pooled.as_ref();
        let pooled =
            pooled.map(|test| WindowPart::of(source, Part::Superseded, test));
        DetectorPart {
            storms: StormsPart::of(source),
            restarts: restarts::all(detection),
            holds: HoldsPart::of(source),
            segments: SegmentsPart::of(source),
            superseded: windows(Part::Superseded, &detection.superseded),
            pooled,
            total: windows(Part::Total, &detection.total),
            rhythms: RhythmsPart::of(source),
            branchings: BranchingsPart::of(source),
            reopenings: ReopeningsPart::of(source),
            level: LevelPart::of(source),
            decision: DecisionPart::of(source),
        }
    }

    fn page(&self, page: &mut Page<'_>, rules: &Settings) {
        self.storms.page(page, rules);
        restarts::page(&self.restarts, page, rules);
        self.holds.page(page, rules);
        self.segments.page(page, rules);
        if self.decision.asked() {
            self.judged(page, rules);
        }
        self.decision.page(page);
    }

    /// What is asked of a log that shows enough.
    fn judged(&self, page: &mut Page<'_>, rules: &Settings) {
        let short = "no segment is long enough";
        page.gap();
        page.heading("5. windows of the superseded streams, E");
        window::page(("E", short), &self.superseded, page, rules);
        page.gap();
        page.heading("6. the common slope of E in all segments");
        let few = "fewer than two segments are long enough";
        window::page(("E", few), self.pooled.as_slice(), page, rules);
        page.gap();
        page.heading("7. windows of all open streams, N");
        window::page(("N", short), &self.total, page, rules);
        self.rhythms.page(page, rules);
        self.branchings.page(page, rules);
        self.reopenings.page(page, rules);
        if let Some(level) = &self.level {
            level.page(page, rules);
        }
    }
}

/// Writes the workings: one document in JSON, else as a page.
///
/// # Errors
///
/// Those of `out`.
pub fn write(
    workings: &Workings,
    style: &Style,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    match style.output {
        Output::Json => report::write_json(workings, out),
        Output::Table | Output::Csv | Output::Nagios => {
            out.write_all(workings.text(style).as_bytes())
        }
    }
}

impl Workings {
    /// The page.
    fn text(&self, style: &Style) -> String {
        let mut page = Page::new(style);
        let verdict = self.verdict.to_uppercase();
        page.heading(&format!("the numbers behind {verdict}"));
        let note = "in the order of the method, to six digits; -o json has \
                    all of them. Times are UTC, slopes streams a minute.";
        page.fact("", Ink::Plain, note);
        page.gap();
        page.fact("verdict", Ink::Strong, &self.summary);
        page.gap();
        self.log.page(&mut page);
        if let Some(detector) = &self.detector {
            detector.page(&mut page, &self.settings);
        }
        page.into_text()
    }
}

/// The numbers by which windows are judged, by the names of [`Settings`].
fn thresholds(s: &Settings) -> Value {
    let secs = Micros::as_secs;
    json!({
        "alpha": s.alpha,
        "min_rise": s.min_rise,
        "relative_rise": s.relative_rise,
        "chance_rise": s.chance_rise,
        "unexplained": s.unexplained,
        "unexplained_segment": s.unexplained_segment,
        "unexplained_sd": s.unexplained_sd,
        "climbing_sd": s.climbing_sd,
        "occupancy": s.occupancy,
        "still": s.still,
        "rho_cap": s.rho_cap,
        "step_r2": s.step_r2,
        "held_on": s.held_on,
        "ceiling": s.ceiling,
        "reopened": s.reopened,
        "min_streams": s.min_streams,
        "min_cycles": s.min_cycles,
        "trust": s.trust,
        "bin_s": s.window.bin_secs(),
        "slices": s.window.slices,
        "least_bins": s.window.least,
        "pooled_bins": s.pooled_bins,
        "settle_bins": s.window.settle,
        "storm": {
            "held_s": secs(s.storm.held),
            "again_s": secs(s.storm.again),
            "least": s.storm.least,
            "lasting_s": secs(s.storm.lasting),
            "share": s.storm.share,
        },
        "restart": {
            "share": s.reset.share,
            "least": s.reset.least,
            "within_s": secs(s.reset.within),
            "spread": s.reset.spread,
        },
        "drain": {
            "lengths_s": s.drain.lengths.map(secs),
            "old": s.drain.old,
            "least": s.drain.least,
            "share": s.drain.share,
            "spread": s.drain.spread,
        },
        "rhythm": {
            "at_once": s.rhythm.at_once,
            "openings": s.rhythm.openings,
            "pauses": s.rhythm.pauses,
            "alpha_share": s.rhythm.alpha_share,
        },
        "branch": {
            "soon_s": secs(s.branch.soon + s.branch.slack),
            "least": s.branch.least,
            "times": s.branch.times,
            "alpha": s.branch.alpha,
        },
    })
}

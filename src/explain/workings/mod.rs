//! The numbers behind a verdict, for people and for scripts that redo it.

mod detector;
mod digits;
mod log;
mod page;

use std::io;

use serde::Serialize;
use serde_json::Value;

use crate::detect::{Found, Settings, Verdict};
use crate::explain::summary::summary;
use crate::report::{self, Output, Page, Style};
use log::LogPart;

/// All numbers that a verdict came of.
#[derive(Clone, Debug, Serialize)]
pub struct Workings {
    schema: u8,
    verdict: Verdict,
    summary: String,
    exit_code: u8,
    log: LogPart,
    /// The settings that decide, by the names of the method.
    settings: Value,
    /// What the detector found; `null` where there was nothing to judge.
    detector: Option<Value>,
    #[serde(skip)]
    page: Vec<page::Line>,
}

/// The workings of what was found; `exit_code` is the run's.
pub fn workings(
    found: &Found,
    settings: &Settings,
    exit_code: u8,
) -> Workings {
    let detection = found.detection.as_ref();
    Workings {
        schema: 2,
        verdict: found.verdict(),
        summary: summary(found),
        exit_code,
        log: LogPart::of(found),
        settings: detector::settings(settings),
        detector: detection.map(|detection| detector::of(found, detection)),
        page: detection
            .map(|detection| page::lines(found, detection, settings))
            .unwrap_or_default(),
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
        let verdict = self.verdict.word().to_uppercase();
        page.heading(&format!("the numbers behind {verdict}"));
        page.gap();
        page.fact("verdict", report::Ink::Strong, &self.summary);
        page.gap();
        self.log.page(&mut page);
        page::write(&self.page, &mut page);
        page.into_text()
    }
}

//! The detector's findings as a short page.

use super::detector::key;
use super::digits::digits;
use crate::detect::{
    Analysis, Climb, ClimbSeries, Detection, Found, Settings, Shape,
};
use crate::explain::summary::sentence;
use crate::report::{Ink, Page, chance, counted, instant, mean, span};
use crate::time::Micros;

/// How many clients and windows the page lists.
const SHOWN: usize = 10;

/// One line of the page.
#[derive(Clone, Debug)]
pub(super) enum Line {
    Heading(String),
    Fact(&'static str, String),
}

/// Writes the lines.
pub(super) fn write(lines: &[Line], page: &mut Page<'_>) {
    for line in lines {
        match line {
            Line::Heading(text) => {
                page.gap();
                page.heading(text);
            }
            Line::Fact(name, text) => page.fact(name, Ink::Plain, text),
        }
    }
}

/// All of them.
pub(super) fn lines(
    found: &Found,
    detection: &Detection,
    settings: &Settings,
) -> Vec<Line> {
    let mut lines = Vec::new();
    for endpoint in &detection.judged.endpoints {
        if let Some(analysis) = &endpoint.analysis {
            lines.extend(ends(detection, analysis));
            lines.extend(suspects(found, analysis, settings));
            lines.extend(windows(detection, analysis));
        }
    }
    lines.push(Line::Heading("what else was asked".to_owned()));
    lines.extend(others(detection));
    lines
}

fn ends(detection: &Detection, analysis: &Analysis) -> Vec<Line> {
    let secs = |secs: f64| span(Micros::from_secs_f64(secs));
    let at = |it: &crate::detect::Restart| instant(detection.from + it.from);
    let restarts: Vec<String> =
        analysis.restarts.iter().take(SHOWN).map(at).collect();
    let ceilings: Vec<String> = analysis
        .ceilings
        .iter()
        .map(|it| secs((it.lower_secs() + it.upper_secs()) / 2.0))
        .collect();
    let old = analysis.reference.old.map_or("none".to_owned(), secs);
    vec![
        Line::Heading("how streams end".to_owned()),
        Line::Fact("restarts", list(&restarts)),
        Line::Fact("ceilings", list(&ceilings)),
        Line::Fact("hidden", secs(analysis.horizon.hidden)),
        Line::Fact(
            "reference",
            format!(
                "{} of {}; old from {old}",
                counted(analysis.reference.ends as u64, "end"),
                counted(analysis.reference.units as u64, "client"),
            ),
        ),
    ]
}

fn list(all: &[String]) -> String {
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

fn suspects(
    found: &Found,
    analysis: &Analysis,
    settings: &Settings,
) -> Vec<Line> {
    let mut lines = vec![
        Line::Heading("clients that hold several".to_owned()),
        Line::Fact(
            "tested",
            format!(
                "{} of {}, each at {}; {} flagged",
                analysis.tested,
                counted(analysis.units as u64, "client"),
                digits(settings.alpha / analysis.tested.max(1) as f64),
                analysis.flagged.len()
            ),
        ),
    ];
    for flagged in analysis.flagged.iter().take(SHOWN) {
        let name = key(found, flagged.evidence.unit);
        let why = sentence(flagged, Some(analysis.reference));
        let text = format!("{name}: {why}");
        lines.push(Line::Fact(flagged.reason.word(), text));
    }
    if let Some(spread) = &analysis.spread {
        let text = format!(
            "{} of {} old replaced streams ended, {} expected ({})",
            spread.observed.observed,
            spread.observed.streams,
            mean(spread.observed.expected),
            chance(spread.p)
        );
        lines.push(Line::Fact("the others", text));
    }
    lines
}

fn windows(detection: &Detection, analysis: &Analysis) -> Vec<Line> {
    let mut lines = vec![Line::Heading("windows".to_owned())];
    let shown = |climb: &&Climb| climb.shape.is_some() || climb.share.of == 1;
    let all = analysis.climbs.iter().filter(shown);
    for climb in all.take(SHOWN) {
        let series = match climb.series {
            ClimbSeries::Flagged => "flagged",
            ClimbSeries::Spread => "spread",
            ClimbSeries::Total => "total",
        };
        let shape = match climb.shape {
            Some(Shape::Climbing) => "climbing",
            Some(Shape::Stacked) => "levelled off",
            Some(Shape::Stepped) => "a step",
            None => "no climb",
        };
        let text = format!(
            "{} {} to {}: {} to {}, {} at {}, rise {} of {} needed: {shape}",
            climb.share,
            instant(detection.at(climb.span.from)),
            instant(detection.at(climb.span.until)),
            mean(climb.slices.first().copied().unwrap_or(0.0)),
            mean(climb.last()),
            chance(climb.test.p),
            digits(climb.alpha),
            mean(climb.test.rise),
            mean(climb.threshold),
        );
        lines.push(Line::Fact(series, text));
    }
    if let Some(standing) = &analysis.standing {
        let high = standing.slices.iter().copied().fold(0.0, f64::max);
        let text = format!("up to {} stood", mean(high));
        lines.push(Line::Fact("standing", text));
    }
    lines
}

fn others(detection: &Detection) -> Vec<Line> {
    let storms = &detection.storms;
    let mut lines = vec![
        Line::Fact(
            "storms",
            format!(
                "{}, {}",
                counted(storms.all.len() as u64, "run"),
                counted(storms.streams(), "stream")
            ),
        ),
        Line::Fact(
            "branching",
            counted(detection.branchings.len() as u64, "client"),
        ),
        Line::Fact(
            "reopened",
            format!(
                "{} of {} that closed",
                detection.reopenings.reopened, detection.reopenings.closed
            ),
        ),
    ];
    if let Some(level) = &detection.level {
        let text = format!(
            "{} superseded, {} in the baseline ({}); {} unexplained of {} \
             needed",
            mean(level.own.mean),
            mean(level.base.mean),
            chance(level.p),
            mean(level.unexplained),
            mean(level.threshold)
        );
        lines.push(Line::Fact("level", text));
    }
    lines
}

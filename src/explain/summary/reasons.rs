//! Why a client is suspected, in a sentence with its numbers.

use crate::detect::{Evidence, Flagged, Found, Reason, Reference};
use crate::report::{count, mean, share, span};
use crate::time::Micros;

/// How many clients the summary names.
const NAMED: usize = 3;

/// The worst of these, each with its reason.
pub(super) fn worst(found: &Found, flagged: &[&Flagged]) -> String {
    let one = |flagged: &&Flagged| {
        let client = &found.log.clients[flagged.evidence.unit as usize];
        let both = [&client.address, &client.agent];
        let texts = both.map(|text| String::from_utf8_lossy(text));
        let named = texts.iter().find(|text| !text.is_empty());
        let name = named.map_or("one client", |text| text.as_ref());
        let reference = reference(found, flagged.evidence.unit);
        format!(" {name}: {}.", sentence(flagged, reference))
    };
    flagged.iter().take(NAMED).map(one).collect()
}

/// What a unit was held against.
fn reference(found: &Found, unit: u32) -> Option<Reference> {
    let endpoints = &found.detection.as_ref()?.judged.endpoints;
    let analyses = endpoints.iter().filter_map(|e| e.analysis.as_ref());
    let has = |f: &Flagged| f.evidence.unit == unit;
    let mut own = analyses.filter(|a| a.flagged.iter().any(has));
    own.next().map(|analysis| analysis.reference)
}

/// What makes a client's replaced streams suspect.
pub fn sentence(flagged: &Flagged, reference: Option<Reference>) -> String {
    let evidence = &flagged.evidence;
    match flagged.reason {
        Reason::Outlives => outlives(evidence, reference),
        Reason::HoldsOn => holds_on(evidence),
        Reason::Abandoned => abandoned(evidence, reference),
        Reason::Reaped => format!(
            "{} of {} replaced streams ended {} after they had been replaced",
            count(evidence.reaped),
            count(evidence.lagging),
            secs(evidence.reaped_after)
        ),
        Reason::RhythmOutlives | Reason::RhythmOutlasts | Reason::Rhythm => {
            rhythm(evidence)
        }
        Reason::NeverCloses => format!(
            "up to {} replaced streams open at once, {} of its streams \
             closed by choice",
            evidence.peak,
            count(evidence.chosen_ends)
        ),
    }
}

fn outlives(evidence: &Evidence, reference: Option<Reference>) -> String {
    let old = reference.and_then(|reference| reference.old);
    match old.filter(|_| evidence.old.streams > 0) {
        Some(old) => format!(
            "{} of its replaced streams were open for more than {}, by when \
             nearly all streams in use have ended; at their rate {} would \
             have ended since, {} did",
            count(evidence.old.streams),
            secs(old),
            mean(evidence.old.expected),
            count(evidence.old.observed)
        ),
        None => format!(
            "of its {} replaced streams {} would have ended at the rate of \
             streams in use, {} did",
            count(evidence.any.streams),
            mean(evidence.any.expected),
            count(evidence.any.observed)
        ),
    }
}

fn holds_on(evidence: &Evidence) -> String {
    let chosen = &evidence.chosen;
    format!(
        "its replaced streams were closed by choice {} times in {} \
         stream-hours, at the others' rate {} times; up to {} at once",
        count(chosen.observed),
        mean(chosen.followed / 3600.0),
        mean(chosen.expected),
        evidence.peak
    )
}

fn abandoned(evidence: &Evidence, reference: Option<Reference>) -> String {
    let Some(abandoned) = evidence.abandoned else {
        return "its replaced streams are cut and not reopened".to_owned();
    };
    let others = reference.and_then(|reference| reference.reopening);
    let others = others.map_or_else(String::new, |reopening| {
        format!("; of the others' {}", share(reopening.share))
    });
    format!(
        "{} replaced streams were cut at {}, {} of them were opened \
         again{others}",
        count(abandoned.cut),
        secs(abandoned.at),
        count(abandoned.answered)
    )
}

fn rhythm(evidence: &Evidence) -> String {
    let rhythm = &evidence.rhythm;
    format!(
        "it opens one every {} (give or take {}) and leaves the one before \
         open: {} at once at most, {} closed by choice",
        secs(rhythm.every),
        share(rhythm.varies),
        evidence.peak,
        count(evidence.chosen_ends)
    )
}

fn secs(secs: f64) -> String {
    span(Micros::from_secs_f64(secs))
}

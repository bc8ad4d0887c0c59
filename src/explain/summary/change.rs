//! What would change the answer, in one of three forms: what a log that
//! cannot be judged needs, what an alarm rests on, what a leak would take.

use super::{about, missing, shorter_bin};
use crate::collect::Tally;
use crate::detect::{Basis, Detection, Found, Settings, Verdict, Why};
use crate::report::{counted, mean, odds, share, span};

/// What would have made the answer another one, in a sentence. Never empty.
pub fn would_change(found: &Found, settings: &Settings) -> String {
    let Some(detection) = &found.detection else {
        return format!("Could be judged with {}", needed(found));
    };
    if let Some(why) = detection.why_unknown() {
        return format!("Could be judged with {}", more_log(&why, found));
    }
    match detection.verdict {
        Verdict::Climbing | Verdict::Stacked => {
            let without = without_leak(detection, settings);
            format!("Would not be a leak if {without}")
        }
        Verdict::Storm => format!(
            "Would not be a storm if streams lasted > {}, or were opened \
             again > {} later",
            span(settings.storm.held),
            span(settings.storm.again)
        ),
        _ => with_leak(detection, settings),
    }
}

/// What a log without any stream that can be judged lacks.
fn needed(found: &Found) -> &'static str {
    let Tally { records, selected, .. } = Tally::of(&found.harvests);
    if found.empty() {
        "a log with records in it"
    } else if records == 0 {
        "a --log-format that its records have (`streamleak formats` lists \
         them)"
    } else if !found.log.unheld.is_empty() {
        "a log that tells how long each request took (`streamleak setup \
         nginx` prints the lines for nginx), or --assume-hold"
    } else if found.log.brief > 0 {
        "a shorter --min-hold"
    } else if selected > 0 {
        "records with a time that can be used"
    } else {
        "the --path or --path-regex of the streams"
    }
}

/// How much more of a log that shows too little is needed.
fn more_log(why: &Why, found: &Found) -> String {
    match (why, missing(why, found)) {
        (Why::FewStreams { found, needed }, _) => {
            let least = counted(*needed as u64, "stream");
            format!("{least} or more (here {found})")
        }
        (Why::HalfOpen, _) => "logged openings (`streamleak setup nginx` \
                               prints the lines for nginx), or the log of \
                               the hop before (--front FILE --back FILE)"
            .to_owned(),
        (Why::OnlyBegins, _) => "a --key that tells people behind one \
                                 address apart, or a --baseline"
            .to_owned(),
        (_, Some(wait)) => format!(
            "about {} more of the log{}",
            span(about(wait)),
            shorter_bin(why, found)
        ),
        (_, None) => "a longer log".to_owned(),
    }
}

/// What an alarm rests on.
fn without_leak(detection: &Detection, settings: &Settings) -> String {
    let level = detection.level.filter(|level| level.higher);
    match (detection.basis, level, detection.decisive()) {
        (Basis::Level, Some(level), _) => format!(
            "the baseline had >= {} superseded streams",
            mean(level.own.mean - level.threshold)
        ),
        (Basis::Branching, ..) => format!(
            "fewer than {:.0} streams had been opened beyond one for each \
             that ended",
            settings.climb.threshold(1.0).ceil()
        ),
        (.., Some(climb)) => format!(
            "p >= {}, or the rise were < {}",
            odds(climb.alpha),
            mean(climb.threshold)
        ),
        _ => format!(
            "fewer than {} replaced streams of these clients stayed open",
            settings.least_peak
        ),
    }
}

/// What a leak would have taken.
fn with_leak(detection: &Detection, settings: &Settings) -> String {
    let (flagged, tested) = detection
        .analysis()
        .map_or((0, 0), |found| (found.flagged.len(), found.tested));
    let rise = mean(settings.climb.least_rise);
    match (flagged, tested) {
        (0, 0) => format!(
            "Would be a leak if a client held >= {} replaced streams at once \
             (here none)",
            settings.least_peak
        ),
        (0, all) => format!(
            "Would be a leak if replaced streams of one of the {} that hold \
             several ended less than {} as fast as streams in use (here \
             none's do)",
            counted(all as u64, "client"),
            share(settings.ratio)
        ),
        (some, _) => format!(
            "Would be a leak if the replaced streams of the {} that stand \
             out rose by >= {rise}",
            counted(some as u64, "client")
        ),
    }
}

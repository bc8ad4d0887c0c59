//! What would change the answer, in one of three forms: what a log that
//! cannot be judged needs, what an alarm rests on, what a leak would take.

use super::{about, explained, missing, shorter_bin};
use crate::collect::Tally;
use crate::detect::{
    BaselineLog, Criterion, Detection, Found, Settings, Unexplained, Verdict,
    Why, WindowTest,
};
use crate::report::{chance, change, counted, mean, odds, share, span};
use crate::series::Part;

/// What would have made the answer another one, in a sentence. Never empty.
pub fn would_change(found: &Found, settings: &Settings) -> String {
    let Some(detection) = &found.detection else {
        return format!("Could be judged with {}", needed(found));
    };
    if let Some(why) = detection.why_unknown() {
        return format!("Could be judged with {}", more_log(&why, found));
    }
    match detection.verdict() {
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
        _ => with_leak(found, detection, settings),
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
        (Why::NoStreams, _) => "a log with streams in it".to_owned(),
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
    let rule = detection.decided().map(|ruling| ruling.rule);
    match (&detection.decisive, level, rule) {
        (_, Some(level), Some(Criterion::Level)) => format!(
            "the baseline had >= {} superseded streams",
            mean(level.own.mean - level.threshold)
        ),
        (_, _, Some(Criterion::Branching)) => format!(
            "fewer than {:.0} streams had been opened beyond one for each \
             that ended",
            settings.threshold(1.0).ceil()
        ),
        (Some(decisive), ..) if rule != Some(Criterion::Rhythm) => format!(
            "p >= {}, or the rise were < {}",
            odds(decisive.window.alpha),
            mean(decisive.window.threshold)
        ),
        _ => format!(
            "the openings were so uneven that p >= {}",
            odds(settings.rhythm.alpha_share * settings.alpha)
        ),
    }
}

/// What a leak would have taken.
fn with_leak(
    found: &Found,
    detection: &Detection,
    settings: &Settings,
) -> String {
    let decisive = detection.decisive.as_ref();
    if let Some(decisive) = decisive.filter(|it| it.part == Part::Superseded)
        && let Some(part) = &decisive.window.unexplained
    {
        return with_unexplained(&decisive.window, part, settings);
    }
    let whole = detection.headline(Part::Superseded);
    let Some(window) = whole.or(detection.pooled.as_ref()) else {
        return "Could be judged with a longer segment".to_owned();
    };
    let baseline = found.baseline.as_ref().map(BaselineLog::numbers);
    let slope = baseline.unwrap_or_default().superseded;
    format!(
        "Would be a leak if superseded streams rose by >= {} in {} with p < \
         {} (here {}, {})",
        mean(window.least_climb(slope.as_ref())),
        span(window.until - window.from),
        odds(window.alpha),
        change(window.test.rise),
        chance(window.p),
    )
}

/// How little more opens would have to explain of a rise for a leak.
fn with_unexplained(
    window: &WindowTest,
    part: &Unexplained,
    settings: &Settings,
) -> String {
    let rise = window.test.rise;
    let around = settings.unexplained_segment;
    let (unexplained, rise, least) = if part.window
        < settings.unexplained * rise
    {
        (part.window, rise, settings.unexplained)
    } else if part.segment < around * part.segment_rise {
        (part.segment, part.segment_rise, around)
    } else {
        let goes_on = window.trailing && window.test.still >= settings.still;
        let times = if goes_on {
            settings.climbing_sd
        } else {
            settings.unexplained_sd
        };
        return format!(
            "Would be a leak if more opens left >= {} of the streams \
                 unexplained (here {})",
            mean(times * part.sd),
            mean(part.window)
        );
    };
    format!(
        "Would be a leak if more opens explained <= {} of the rise (here {})",
        share(1.0 - 2.0 * least),
        share(explained(unexplained, rise))
    )
}

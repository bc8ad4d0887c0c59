//! The answer in a sentence, and what would change it.

mod change;

use crate::collect::Tally;
pub use crate::detect::CONFIDENCE;
use crate::detect::{
    Decisive, Detection, Forecast, Found, LevelTest, Reach, Verdict, Why,
    WindowRule, WindowTest,
};
use crate::report::{
    chance, change, counted, instant, mean, rate, share, span,
};
use crate::series::Part;
use crate::time::Micros;
pub use change::would_change;

/// The sentence for a verdict, with the numbers that matter, and one on the
/// limit if that was asked about.
pub fn summary(found: &Found) -> String {
    let answer = answer(found);
    match found.figures.forecast.as_ref().and_then(limit) {
        Some(limit) if answer.ends_with('.') => format!("{answer} {limit}"),
        Some(limit) => format!("{answer}. {limit}"),
        None => answer,
    }
}

/// The answer to the log itself.
fn answer(found: &Found) -> String {
    let Some(detection) = &found.detection else {
        return unanswered(found);
    };
    if let Some(why) = detection.why_unknown() {
        return cannot_tell(&why, found);
    }
    let decisive = detection.decisive.as_ref();
    let levelled_off = detection.levelled_off();
    let higher = detection.level.filter(|level| level.higher);
    match (detection.verdict(), decisive) {
        (Verdict::Climbing, Some(decisive)) => {
            let still = still_climbing(found, decisive);
            format!("{}{still}", climb(found, decisive, ""))
        }
        (Verdict::Climbing, None) => multiplying(found, detection),
        (Verdict::Stacked, Some(decisive)) if levelled_off => {
            let then = ", then levelled off: a ceiling, a reaper, a cap or a \
                        fix bounds it";
            climb(found, decisive, then)
        }
        (Verdict::Stacked, _) if !levelled_off => higher.map_or_else(
            || stacked(found, detection),
            |level| above_baseline(&level),
        ),
        (Verdict::Storm, _) => storm(found, detection),
        (Verdict::Growing, Some(decisive)) => growth(decisive),
        (Verdict::Stepped, Some(decisive)) => step(decisive),
        (Verdict::Cycling, _) => cycling(found, detection),
        _ => flat(found),
    }
}

/// Why nothing could be judged.
fn unanswered(found: &Found) -> String {
    let Tally { records, selected, .. } = Tally::of(&found.harvests);
    if found.empty() {
        "the input is empty".to_owned()
    } else if records == 0 {
        "no record could be read".to_owned()
    } else if !found.log.unheld.is_empty() {
        format!(
            "{}, but the log does not tell how long any of them was held, \
             so nobody can tell how many were open",
            counted(found.log.unheld.len() as u64, "stream")
        )
    } else if found.log.brief > 0 {
        let streams = counted(found.log.brief, "stream");
        format!("{streams}, none held for as long as --min-hold")
    } else if selected > 0 {
        let streams = counted(selected, "stream");
        format!("{streams}, none with a time that can be used")
    } else {
        format!("no stream among {}", counted(records, "record"))
    }
}

/// Why a log with streams cannot answer, and how much longer to wait.
fn cannot_tell(why: &Why, found: &Found) -> String {
    let shorter = shorter_bin(why, found);
    match missing(why, found) {
        Some(wait) => format!(
            "cannot tell yet: {why}; about {} more of log would do{shorter}",
            span(about(wait))
        ),
        None => format!("cannot tell: {why}"),
    }
}

/// What helps where bins are too few.
fn shorter_bin(why: &Why, found: &Found) -> String {
    let step = found.series.step;
    match why {
        Why::FewBins { .. } if step > Micros::SECOND => {
            format!(", or a --bin shorter than {}", span(step))
        }
        _ => String::new(),
    }
}

/// How much longer the log must be; `None` where time alone may not help.
fn missing(why: &Why, found: &Found) -> Option<Micros> {
    // Whatever else is lacking, six bins are needed as well.
    let bins = why.trusted().map(|trusted| {
        let needed = WindowRule::default().least as i64;
        Micros(found.series.step.0.saturating_mul(needed)) - trusted
    });
    why.wait().max(bins).filter(|wait| *wait > Micros::ZERO)
}

/// A climb of the superseded streams, and what became of it.
fn climb(found: &Found, decisive: &Decisive, then: &str) -> String {
    let window = &decisive.window;
    let test = &window.test;
    let explained = decisive.attribution.as_ref().map(|attribution| {
        let part = explained(attribution.unexplained, test.rise);
        format!("; more opens explain {} of it", share_or_none(part))
    });
    let suspects = decisive.attribution.as_ref().map_or(0, |attribution| {
        attribution.suspects.iter().filter(|s| s.unexplained > 0.5).count()
    });
    let who = who(suspects, found, ["leaves them open", "leave them open"]);
    let over = span(window.until - window.from);
    let rise = match window.segments {
        1 => format!("rose by {} in {over}", mean(test.rise)),
        all => format!(
            "rose in each of the {all} segments between restarts, by {} on \
             average, in {over}",
            mean(test.rise / all as f64)
        ),
    };
    format!(
        "old streams are not closed: superseded streams {rise} \
         ({}){}{then}.{who}",
        slope(window),
        explained.unwrap_or_default(),
    )
}

/// The share of a rise that more opens explain, 0 to 1, where so much of it
/// is unexplained. Halves are compared, and a steady climb gains half of its
/// rise from the one to the other.
fn explained(unexplained: f64, rise: f64) -> f64 {
    (1.0 - unexplained / (rise / 2.0)).clamp(0.0, 1.0)
}

/// Said only when the end of the window climbs by itself.
fn still_climbing(found: &Found, decisive: &Decisive) -> &'static str {
    let last = found.detection.as_ref().and_then(|detection| {
        detection.superseded.iter().rev().find(|test| {
            test.trailing
                && test.segment == decisive.window.segment
                && !test.share.is_whole()
        })
    });
    if last.is_some_and(|test| test.significant) {
        " Still climbing."
    } else {
        ""
    }
}

/// A share in per cent; in words where it rounds to nothing.
fn share_or_none(part: f64) -> String {
    if part < 0.005 { "none".to_owned() } else { share(part) }
}

/// How much longer to wait, with no more digits than an estimate has: whole
/// minutes from two on, else whole seconds, never less than it is.
pub(super) fn about(span: Micros) -> Micros {
    let secs = span.as_secs();
    let step = if secs > 120.0 { 60.0 } else { 1.0 };
    Micros::from_secs_f64((secs / step).ceil() * step)
}

/// Clients that stack their streams; the log shows no climb of them.
fn stacked(found: &Found, detection: &Detection) -> String {
    let Some(one) = detection.rhythms.all.first() else { return flat(found) };
    let stacking = detection.rhythms.all.iter().filter(|r| r.p < 0.05);
    let who = who(stacking.count().max(1), found, ["does", "do"]);
    format!(
        "old streams are not closed: {} streams of one client are open at \
         once, since it opens another every {} and each is held for {}; so \
         evenly that several clients behind one address are no explanation \
         ({}). The climb had levelled off before the log began.{who}",
        mean(one.at_once),
        span(Micros::from_secs_f64(one.interval)),
        span(Micros::from_secs_f64(one.hold)),
        chance(detection.rhythms.p),
    )
}

/// Streams that come back more than once for each that ended.
fn multiplying(found: &Found, detection: &Detection) -> String {
    let all = &detection.branchings;
    let Some(one) = all.first() else { return flat(found) };
    let who = who(all.len(), found, ["does", "do"]);
    format!(
        "streams multiply: {} of one client come back for each that \
         ended. {} were opened beyond one for one, {} of them soon after an \
         end; it had {} at most.{who}",
        mean(one.children),
        one.surplus,
        one.after_end,
        one.most
    )
}

/// Streams that end at once.
fn storm(found: &Found, detection: &Detection) -> String {
    let storms = &detection.storms;
    let Some(worst) = storms.worst() else { return flat(found) };
    let who = who(storms.clients(), found, ["does", "do"]);
    format!(
        "streams end at once and are opened again at once: {} of one client \
         in {}, {} a second. Few are open, requests explode.{who}",
        counted(worst.streams, "stream"),
        span(worst.lasted()),
        rate(worst.rate()),
    )
}

/// Streams that end at a ceiling and are opened again.
fn cycling(found: &Found, detection: &Detection) -> String {
    let Some(ceiling) = found.holds.ceiling() else { return flat(found) };
    format!(
        "{} of {} end at a ceiling of {} and are opened again one for one \
         ({}, after {}): a cost, not a leak; their number does \
         not climb",
        share(ceiling.share),
        counted(found.log.streams.len() as u64, "stream"),
        span(ceiling.hold),
        share(detection.reopenings.share()),
        span(Micros::from_secs_f64(detection.reopenings.gap)),
    )
}

/// How many clients do it.
fn who(number: usize, found: &Found, [one, many]: [&str; 2]) -> String {
    match (number, found.standings.len()) {
        (0, _) => String::new(),
        (1, 1) => format!(" The only client {one}."),
        (1, all) => format!(" One of {all} clients {one}."),
        (n, all) => format!(" {n} of {all} clients {many}."),
    }
}

/// A level above the baseline's.
fn above_baseline(test: &LevelTest) -> String {
    let explained = 1.0 - test.unexplained / test.difference();
    format!(
        "{} superseded streams are open on average, in the baseline {} ({}); \
         more opens explain {} of the difference",
        mean(test.own.mean),
        mean(test.base.mean),
        chance(test.p),
        share_or_none(explained.clamp(0.0, 1.0))
    )
}

fn growth(decisive: &Decisive) -> String {
    let window = &decisive.window;
    let cause = match decisive.part {
        Part::Superseded => "clients open proportionally more",
        Part::Total | Part::Clients => "more clients hold streams",
    };
    format!(
        "more streams are open because {cause}: {} in {} ({}); that is \
         traffic, not streams left open",
        change(window.test.rise),
        span(window.until - window.from),
        slope(window)
    )
}

fn step(decisive: &Decisive) -> String {
    let window = &decisive.window;
    let at = window
        .step_at()
        .map_or_else(String::new, |at| format!(" at {}", instant(at)));
    format!(
        "the number of open streams jumped by {}{at} and stayed: a \
         deploy, a new client or another ceiling",
        mean(window.test.step.jump)
    )
}

fn flat(found: &Found) -> String {
    let trusted = found.trusted_until();
    let means = found.series.bins.iter().filter(|bin| {
        trusted.is_none_or(|until| bin.start + found.series.step <= until)
    });
    let (sum, count) =
        means.fold((0.0, 0_u32), |(sum, n), bin| (sum + bin.mean, n + 1));
    let than = match found.baseline {
        Some(_) => "climbs no faster than in the baseline",
        None => "does not climb",
    };
    format!(
        "{} of {}, {} open on average; their number {than}",
        counted(found.log.streams.len() as u64, "stream"),
        counted(found.standings.len() as u64, "client"),
        mean(sum / f64::from(count.max(1)))
    )
}

/// When the number that was asked about is reached.
fn limit(forecast: &Forecast) -> Option<String> {
    let reached = match forecast.reach {
        Reach::Was(at) => format!("was first reached at {}", instant(at)),
        Reach::Will { at, from, until: Some(until) } => format!(
            "is reached at {} at this rate{} (95%: {} to {})",
            instant(at),
            if forecast.restarted { ", restarts left aside" } else { "" },
            instant(from),
            instant(until)
        ),
        Reach::Will { from, until: None, .. } => {
            let from = instant(from);
            format!("may never be reached (95%: not before {from})")
        }
        Reach::Never => "is not reached at this rate".to_owned(),
        Reach::Unknown => return None,
    };
    Some(format!("The limit of {} {reached}.", forecast.limit))
}

/// A slope and its chance; the report has its interval.
fn slope(window: &WindowTest) -> String {
    let slope = window.test.slope * 3600.0;
    format!("{} an hour, {}", change(slope), chance(window.p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_long_to_wait_is_no_exact_science_and_never_too_short() {
        for (seconds, text) in [
            (40, "40 s"),
            (121, "3 min"),
            (662, "12 min"),
            (7_201, "2 h 1 min"),
        ] {
            assert_eq!(span(about(Micros::from_secs(seconds))), text);
        }
    }
}

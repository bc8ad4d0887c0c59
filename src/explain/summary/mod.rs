//! The answer in a sentence, and what would change it.

mod change;
mod reasons;

use crate::collect::Tally;
pub use crate::detect::CONFIDENCE;
use crate::detect::{
    Basis, ClimbRule, ClimbSeries, Detection, Forecast, Found, LevelTest,
    Reach, Verdict, Why,
};
use crate::report::{
    chance, change, counted, instant, mean, rate, share, span,
};
use crate::time::Micros;
pub use change::would_change;
pub use reasons::sentence;

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
    match detection.basis {
        Basis::Unknown(why) => return cannot_tell(&why, found),
        Basis::Branching => return multiplying(found, detection),
        Basis::Level => {
            let level = detection.level.as_ref();
            return level.map_or_else(|| flat(found), above_baseline);
        }
        Basis::Storm => return storm(found, detection),
        Basis::Judge => {}
    }
    match detection.verdict {
        Verdict::Climbing | Verdict::Stacked => leak(found, detection),
        Verdict::Growing => growth(detection),
        Verdict::Stepped => step(detection),
        Verdict::Cycling => cycling(found, detection),
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
        let needed = ClimbRule::default().least as i64;
        Micros(found.series.step.0.saturating_mul(needed)) - trusted
    });
    why.wait().max(bins).filter(|wait| *wait > Micros::ZERO)
}

/// Streams that their clients had replaced, and that were not closed.
fn leak(found: &Found, detection: &Detection) -> String {
    let flagged = detection.flagged();
    let who = who(flagged.len(), found, ["leaves", "leave"]);
    let who = if who.is_empty() {
        String::new()
    } else {
        format!("{} them open.", who.trim_end_matches('.'))
    };
    format!(
        "old streams are not closed: {}.{who}{}",
        risen(detection),
        reasons::worst(found, &flagged)
    )
}

/// What the streams did that were not closed.
fn risen(detection: &Detection) -> String {
    let analysis = detection.analysis();
    let Some(climb) = detection.decisive() else {
        let standing = analysis.and_then(|a| a.standing.as_ref());
        let slices = standing.map_or(&[][..], |pile| &pile.slices);
        let high = slices.iter().copied().fold(0.0, f64::max);
        let before = slices.first().is_some_and(|first| *first >= 1.0);
        let since = if before {
            ", from before the log began"
        } else {
            ", after a climb that is over"
        };
        return format!(
            "up to {} that their clients had replaced stayed open{since}",
            mean(high)
        );
    };
    let first = climb.slices.first().copied().unwrap_or(0.0);
    let whose = match climb.series {
        ClimbSeries::Spread => "long replaced, of many clients,",
        _ => "that their clients had replaced",
    };
    let then = if detection.verdict == Verdict::Climbing {
        ""
    } else {
        ", then levelled off: a ceiling, a reaper, a cap or a fix bounds it"
    };
    format!(
        "streams {whose} rose from {} to {} ({}) in {} ({}){then}",
        mean(first),
        mean(climb.last()),
        change(climb.gained()),
        span(Micros::from_secs_f64(climb.span.length())),
        chance(climb.test.p),
    )
}

/// A share in per cent; in words where it rounds to nothing.
fn share_or_none(part: f64) -> String {
    if part < 0.005 { "none".to_owned() } else { share(part) }
}

/// How much longer to wait, with no more digits than an estimate has: whole
/// minutes from two on, never less than it is.
pub(super) fn about(span: Micros) -> Micros {
    let minutes = (span.as_secs() / 60.0).ceil();
    if minutes > 2.0 { Micros::from_secs_f64(minutes * 60.0) } else { span }
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

/// More streams that are in use.
fn growth(detection: &Detection) -> String {
    let Some(climb) = detection.decisive() else { return String::new() };
    format!(
        "more streams are open: {} in {} ({}), and no client that holds \
         several leaves them open for longer than others{}",
        change(climb.gained()),
        span(Micros::from_secs_f64(climb.span.length())),
        chance(climb.test.p),
        tested(detection)
    )
}

/// One jump.
fn step(detection: &Detection) -> String {
    let Some(climb) = detection.decisive() else { return String::new() };
    let step = climb.test.step;
    let at = climb.span.from + step.at as f64 * climb.test.length;
    format!(
        "the number of open streams jumped by {} about {} and stayed: a \
         deploy, a new client or another ceiling{}",
        mean(step.jump),
        instant(detection.at(at)),
        tested(detection)
    )
}

/// How many clients were asked.
fn tested(detection: &Detection) -> String {
    let tested = detection.analysis().map_or(0, |analysis| analysis.tested);
    match tested {
        0 => String::new(),
        some => format!(" ({} tested)", counted(some as u64, "client")),
    }
}

fn flat(found: &Found) -> String {
    let trusted = found.trusted_until();
    let means = found.series.bins.iter().filter(|bin| {
        trusted.is_none_or(|until| bin.start + found.series.step <= until)
    });
    let (sum, count) =
        means.fold((0.0, 0_u32), |(sum, n), bin| (sum + bin.mean, n + 1));
    format!(
        "{} of {}, {} open on average; their number does not climb",
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

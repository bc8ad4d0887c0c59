//! The answer in a sentence, and what would change it.

mod change;
mod number;

use crate::collect::Tally;
pub use crate::detect::CONFIDENCE;
use crate::detect::{Class, Decisive, Detection, Why, WindowTest};
use crate::detect::{Forecast, Found, LevelTest, Reach};
use crate::series::Part;
use crate::time::Micros;
pub use change::would_change;
use number::about;
pub use number::{brief, chance, counted};

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
    if let (Class::Stacked, Some(level)) = (detection.class, detection.level)
        && level.higher
    {
        return higher(&level);
    }
    match (&detection.class, &detection.decisive) {
        (Class::Insufficient(why), _) => insufficient(why, found),
        (Class::Leak, Some(decisive)) => {
            let still = still_climbing(found, decisive);
            format!("{}{still}", climb(found, decisive, ""))
        }
        (Class::Leak, None) => multiplying(found, detection),
        (Class::Saturated, Some(decisive)) => {
            let then = ", then levelled off: a ceiling, a reaper, a cap or a \
                        fix bounds it";
            climb(found, decisive, then)
        }
        (Class::Stacked, _) => stacked(found, detection),
        (Class::Storm, _) => storm(found, detection),
        (Class::Growth, Some(decisive)) => growth(decisive),
        (Class::Step, Some(decisive)) => step(decisive),
        (Class::Cycling, _) => cycling(found, detection),
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
fn insufficient(why: &Why, found: &Found) -> String {
    let shorter = shorter_bin(why, found);
    match missing(why, found) {
        Some(wait) => format!(
            "cannot tell yet: {why}; about {} more of log would do{shorter}",
            brief(about(wait))
        ),
        None => format!("cannot tell: {why}"),
    }
}

/// What helps where bins are too few.
fn shorter_bin(why: &Why, found: &Found) -> String {
    let step = found.series.step;
    match why {
        Why::FewBins { .. } if step > Micros::SECOND => {
            format!(", or a --bin shorter than {}", brief(step))
        }
        _ => String::new(),
    }
}

/// How much longer the log must be; `None` where time alone may not help.
fn missing(why: &Why, found: &Found) -> Option<Micros> {
    // Whatever else is lacking, six bins are needed as well.
    let bins = why.trusted().map(|trusted| {
        let needed = crate::detect::WindowRule::default().least as i64;
        Micros(found.series.step.0.saturating_mul(needed)) - trusted
    });
    why.wait().max(bins).filter(|wait| *wait > Micros::ZERO)
}

/// A climb of the superseded streams, and what became of it.
fn climb(found: &Found, decisive: &Decisive, then: &str) -> String {
    let window = &decisive.window;
    let test = &window.test;
    let explained = decisive.attribution.as_ref().map(|attribution| {
        let share = explained(attribution.unexplained, test.rise);
        let share = (share * 100.0).round();
        match share > 0.0 {
            true => format!("; more opens explain {share} % of it"),
            false => "; more opens explain none of it".to_owned(),
        }
    });
    let suspects = decisive.attribution.as_ref().map_or(0, |attribution| {
        attribution.suspects.iter().filter(|s| s.unexplained > 0.5).count()
    });
    let who = who(suspects, found, ["leaves them open", "leave them open"]);
    let over = brief(window.until - window.from);
    let rise = match window.segments {
        1 => format!("rose by {:.1} in {over}", test.rise),
        all => format!(
            "rose in each of the {all} stretches between restarts, by {:.1} \
             on average, in {over}",
            test.rise / all as f64
        ),
    };
    format!(
        "old streams are not closed: streams their own client had replaced \
         {rise} ({}){}{then}.{who}",
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
    match last.is_some_and(|test| test.significant) {
        true => " Still climbing.",
        false => "",
    }
}

/// Clients that stack their streams; the log shows no climb of them.
fn stacked(found: &Found, detection: &Detection) -> String {
    let Some(one) = detection.rhythms.all.first() else { return flat(found) };
    let stacking = detection.rhythms.all.iter().filter(|r| r.p < 0.05);
    let who = who(stacking.count().max(1), found, ["does", "do"]);
    format!(
        "old streams are not closed: {:.1} streams of one client are open at \
         once, since it opens another every {} and each is held for {}; so \
         evenly that several clients behind one address are no explanation \
         (p = {:.1e}). The climb had levelled off before the log began.{who}",
        one.at_once,
        brief(Micros::from_secs_f64(one.interval)),
        brief(Micros::from_secs_f64(one.hold)),
        detection.rhythms.p,
    )
}

/// Streams that come back more than once for each that ended.
fn multiplying(found: &Found, detection: &Detection) -> String {
    let all = &detection.branchings;
    let Some(one) = all.first() else { return flat(found) };
    let who = who(all.len(), found, ["does", "do"]);
    format!(
        "streams multiply: {:.1} of one client come back for each that \
         ended. {} were opened beyond one for one, {} of them soon after an \
         end; it had {} at most.{who}",
        one.children, one.surplus, one.after_end, one.most
    )
}

/// Streams that end at once.
fn storm(found: &Found, detection: &Detection) -> String {
    let storms = &detection.storms;
    let Some(worst) = storms.worst() else { return flat(found) };
    let who = who(storms.clients(), found, ["does", "do"]);
    format!(
        "streams end at once and are opened again at once: {} of one client \
         in {}, {:.1} a second. Few are open, requests explode.{who}",
        counted(worst.streams, "stream"),
        brief(worst.lasted()),
        worst.rate(),
    )
}

/// Streams that end at a ceiling and are opened again.
fn cycling(found: &Found, detection: &Detection) -> String {
    let Some(ceiling) = found.holds.ceiling() else { return flat(found) };
    format!(
        "{:.0} % of {} end at a ceiling of {} and are opened again one for \
         one ({:.0} %, after {:.1} s): a cost, not a leak; their number does \
         not climb",
        ceiling.share * 100.0,
        counted(found.log.streams.len() as u64, "stream"),
        brief(ceiling.hold),
        detection.reopenings.share() * 100.0,
        detection.reopenings.gap,
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
fn higher(test: &LevelTest) -> String {
    let explained = 1.0 - test.unexplained / test.difference();
    let explained = (explained.clamp(0.0, 1.0) * 100.0).round();
    let explained = match explained > 0.0 {
        true => format!("more opens explain {explained} % of the difference"),
        false => "more opens explain none of the difference".to_owned(),
    };
    format!(
        "old streams are not closed: {:.1} that their own client had \
         replaced are open on average, in the baseline {:.1} ({}); \
         {explained}",
        test.own.mean,
        test.base.mean,
        chance(test.p)
    )
}

fn growth(decisive: &Decisive) -> String {
    let window = &decisive.window;
    let cause = match decisive.part {
        Part::Superseded => "clients open proportionally more",
        Part::Total | Part::Clients => "more clients hold streams",
    };
    format!(
        "more streams are open because {cause}: {:+.1} in {} ({}); that is \
         traffic, not streams left open",
        window.test.rise,
        brief(window.until - window.from),
        slope(window)
    )
}

fn step(decisive: &Decisive) -> String {
    let window = &decisive.window;
    let at = window
        .step_at()
        .map_or_else(String::new, |at| format!(" at {}", at.to_rfc3339()));
    format!(
        "the number of open streams jumped by {:.1}{at} and stayed: a \
         deploy, a new client or another ceiling",
        window.test.step.jump
    )
}

fn flat(found: &Found) -> String {
    let trusted = found.trusted_until();
    let means = found.series.bins.iter().filter(|bin| {
        trusted.is_none_or(|until| bin.start + found.series.step <= until)
    });
    let (sum, count) =
        means.fold((0.0, 0_u32), |(sum, n), bin| (sum + bin.mean, n + 1));
    let mean = sum / f64::from(count.max(1));
    let than = match found.baseline {
        Some(_) => "climbs no faster than in the baseline",
        None => "does not climb",
    };
    format!(
        "{} of {}, {mean:.1} open on average; their number {than}",
        counted(found.log.streams.len() as u64, "stream"),
        counted(found.standings.len() as u64, "client")
    )
}

/// When the number that was asked about is reached.
fn limit(forecast: &Forecast) -> Option<String> {
    let reached = match forecast.reach {
        Reach::Was(at) => format!("was first reached at {}", second(at)),
        Reach::Will { at, from, until: Some(until) } => format!(
            "is reached at {} at this rate{} (95 %: {} to {})",
            second(at),
            if forecast.restarted { ", restarts left aside" } else { "" },
            second(from),
            second(until)
        ),
        Reach::Will { from, until: None, .. } => {
            let from = second(from);
            format!("may never be reached (95 %: not before {from})")
        }
        Reach::Never => "is not reached at this rate".to_owned(),
        Reach::Unknown => return None,
    };
    Some(format!("The limit of {} {reached}.", forecast.limit))
}

/// A time without the digits that no forecast has.
fn second(at: Micros) -> String {
    (at - Micros(at.0.rem_euclid(Micros::SECOND.0))).to_rfc3339()
}

/// A slope and its chance; the report has its interval.
fn slope(window: &WindowTest) -> String {
    let slope = window.test.slope * 3600.0;
    format!("{slope:+.1} an hour, {}", chance(window.p))
}

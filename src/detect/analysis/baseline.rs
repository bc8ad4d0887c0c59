//! The healthy stretch that a log is held against: read, judged by itself,
//! and what the log is compared with drawn from it.

use anyhow::{Context, bail};

use crate::collect::{Harvester, Overrides};
use crate::detect::analysis::logged;
use crate::detect::baseline_level::Level;
use crate::detect::log::Log as Logged;
use crate::detect::options::{Healthy, Options};
use crate::detect::prepared::Prepared;
use crate::detect::settings::Settings;
use crate::detect::trend::SlopeTest;
use crate::detect::verdict::Verdict;
use crate::input::Input;
use crate::streams::{Log, Stream};
use crate::time::Micros;

/// What a healthy stretch shows.
#[derive(Clone, Debug)]
pub struct BaselineLog {
    /// Its log, unless it is a stretch of the logs that are judged.
    pub name: Option<String>,
    /// Its start.
    pub from: Micros,
    /// Up to where it can be trusted.
    pub until: Micros,
    /// The slope of its superseded streams.
    pub superseded: SlopeTest,
    /// The level of its superseded streams.
    pub level: Level,
    /// What it would be called by itself.
    pub verdict: Verdict,
}

impl BaselineLog {
    /// Whether streams climb in it themselves.
    pub fn climbs(&self) -> bool {
        matches!(
            self.verdict,
            Verdict::Climbing | Verdict::Stacked | Verdict::Growing
        )
    }
}

/// The baseline that was asked for, and what is left to judge: a stretch is
/// taken out of the log, which begins after it then.
///
/// # Errors
///
/// It cannot be read, is not in the log, or is too short to be compared with.
pub(super) fn take(
    log: Log,
    options: &Options,
) -> anyhow::Result<(Log, Option<BaselineLog>)> {
    match &options.judge.baseline {
        None => Ok((log, None)),
        Some(Healthy::File(input)) => {
            Ok((log, Some(of_file(options, input)?)))
        }
        Some(Healthy::Stretch { from, until }) => {
            of_stretch(log, &options.judge.settings, *from, *until)
        }
    }
}

/// A log of its own, read as the others are. It is no live pipe, and what
/// is cut out of the others by time is no matter here.
fn of_file(options: &Options, input: &Input) -> anyhow::Result<BaselineLog> {
    let name = input.name();
    let found = file(options, input);
    let found = found.with_context(|| format!("--baseline {name}"))?;
    Ok(BaselineLog { name: Some(name), ..found })
}

fn file(options: &Options, input: &Input) -> anyhow::Result<BaselineLog> {
    let Options { read, judge, .. } = options;
    let harvester = Harvester { arrivals: None, ..read.harvester(false) };
    let (harvests, rows) = harvester.read_all(std::slice::from_ref(input));
    if let Some(error) = harvests.iter().find_map(|h| h.error.as_ref()) {
        bail!("{error}");
    }
    let overrides = Overrides { since: None, until: None, ..read.overrides };
    let log = Log::join(&harvests, rows, &read.selector, overrides);
    let (Some(from), Some(until)) = (log.first, log.last) else {
        bail!("has no record with a time");
    };
    if log.streams.is_empty() && !log.unheld.is_empty() {
        bail!("does not tell how long streams were held");
    }
    let log = with_lost_closed(log, from, until, &judge.settings);
    let Log { streams, opens_known, .. } = &log;
    judged(&logged(streams, (from, until), *opens_known), &judge.settings)
}

/// A stretch of the log. What was open at its end the log tells by now, so
/// that nothing of it is censored.
fn of_stretch(
    log: Log,
    settings: &Settings,
    from: Micros,
    until: Micros,
) -> anyhow::Result<(Log, Option<BaselineLog>)> {
    let (Some(first), Some(last)) = (log.first, log.last) else {
        // That nothing could be read is said elsewhere.
        return Ok((log, None));
    };
    let named = || {
        let [from, until] = [from, until].map(Micros::to_rfc3339);
        format!("--baseline {from}..{until}")
    };
    let from = inside([first, last], [from, until]).with_context(named)?;
    let log = with_lost_closed(log, first, last, settings);
    let streams: &[Stream] = &log.within(from, until);
    let found = judged(&logged(streams, (from, until), true), settings)
        .with_context(named)?;
    Ok((log.begin_at(until), Some(found)))
}

/// Where the part of a stretch begins that a log from `first` to `last` has.
fn inside(
    [first, last]: [Micros; 2],
    [from, until]: [Micros; 2],
) -> anyhow::Result<Micros> {
    let from = from.max(first);
    if from >= until {
        bail!("is before the log, which begins at {}", first.to_rfc3339());
    }
    if until >= last {
        bail!(
            "leaves nothing to judge: the log ends at {}",
            last.to_rfc3339()
        );
    }
    Ok(from)
}

/// With what a restart kept from being logged as closed closed.
fn with_lost_closed(
    log: Log,
    from: Micros,
    until: Micros,
    settings: &Settings,
) -> Log {
    if !log.opens_known {
        return log;
    }
    let evidence = logged(&log.streams, (from, until), true);
    let detection = Prepared::new(&evidence).detect(settings);
    match detection.last_sudden() {
        Some(restart) => log.with_lost_closed(restart).0,
        None => log,
    }
}

/// What a stretch shows, unless it cannot be judged.
fn judged(
    log: &Logged<'_>,
    settings: &Settings,
) -> anyhow::Result<BaselineLog> {
    let prepared = Prepared::new(log);
    let found = prepared.detect(settings);
    if let Some(why) = found.why_unknown() {
        bail!("cannot be judged: {why}");
    }
    let superseded = found.superseded.map(|slope| slope.test);
    let (Some(superseded), Some((level, length))) =
        (superseded, prepared.level(settings))
    else {
        bail!(
            "cannot be judged: superseded streams are held for so long that \
             too little of it can be trusted"
        );
    };
    Ok(BaselineLog {
        name: None,
        from: log.first,
        until: log.first + Micros::from_secs_f64(length),
        superseded,
        level,
        verdict: found.verdict,
    })
}

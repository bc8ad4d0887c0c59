//! The analysis, end to end: inputs read, streams joined, the series judged.

mod baseline;

use std::collections::HashMap;

use crate::collect::{Client, Collected, Harvest, Requests};
use crate::detect::detection::{Detection, Slope};
use crate::detect::forecast::{Forecast, Known};
use crate::detect::log::{Log as Logged, Openings};
use crate::detect::options::{JudgeOptions, Options};
use crate::detect::prepared::{Prepared, resolution};
use crate::detect::settings::Settings;
use crate::detect::verdict::Verdict;
use crate::input::Input;
use crate::series::{Hours, Means, Series, TooManyBins};
use crate::streams::{Holds, Log, Standing, Stream, standings};
use crate::threads;
use crate::time::Micros;

pub use baseline::BaselineLog;

/// Reads, joins and judges.
///
/// # Errors
///
/// Those of [`analyse_inputs`].
pub fn analyse(options: &Options) -> anyhow::Result<Found> {
    analyse_inputs(&options.read.inputs, options)
}

/// As [`analyse`], with these inputs in place of those of the options.
///
/// # Errors
///
/// No threads, a span too long for the bin, or a baseline that cannot be
/// judged. What is wrong with one input is told in its harvest.
pub fn analyse_inputs(
    inputs: &[Input],
    options: &Options,
) -> anyhow::Result<Found> {
    let Options { read, judge, .. } = options;
    threads::on_threads(read.threads, || {
        let Collected { harvests, rows, requests, silent } = read.read(inputs);
        let log = Log::join(&harvests, rows, &read.selector, read.overrides);
        let (log, baseline) = baseline::take(log, options)?;
        let log =
            if silent.is_some() { log.with_others(&harvests) } else { log };
        let judged = judged(log, baseline.as_ref(), judge)?;
        Ok(Found::new(harvests, requests, silent, baseline, judged))
    })?
}

/// All that was found out, before it is put into words.
pub struct Found {
    /// What each input gave.
    pub harvests: Vec<Harvest>,
    /// The streams.
    pub log: Log,
    /// Their series, where there is a span.
    pub series: Series,
    /// What it was compared with.
    pub baseline: Option<BaselineLog>,
    /// How it was judged, where there was something to judge.
    pub detection: Option<Detection>,
    /// What each client held over the trusted window, those that matter most
    /// first.
    pub standings: Vec<Standing>,
    /// The durations of the streams.
    pub holds: Holds,
    /// What the streams come to.
    pub figures: Figures,
    /// What requests there are, if none is a stream.
    pub requests: Requests,
    /// Clients that made requests and finished no stream, if asked for.
    pub silent: Option<usize>,
}

impl Found {
    fn new(
        harvests: Vec<Harvest>,
        requests: Requests,
        silent: Option<usize>,
        baseline: Option<BaselineLog>,
        judged: Judged,
    ) -> Found {
        let Judged { log, series, detection, holds, figures, .. } = judged;
        let Judged { standings, .. } = judged;
        Found {
            harvests,
            log,
            series,
            baseline,
            detection,
            standings,
            holds,
            figures,
            requests,
            silent,
        }
    }

    /// The one-word answer.
    pub fn verdict(&self) -> Verdict {
        let detection = self.detection.as_ref();
        detection.map_or(Verdict::Unknown, |detection| detection.verdict)
    }

    /// A client by its number.
    pub fn client(&self, standing: &Standing) -> &Client {
        &self.log.clients[standing.key.0 as usize]
    }

    /// As [`Detection::trusted_until`], where there was something to judge.
    pub fn trusted_until(&self) -> Option<Micros> {
        self.detection.as_ref().map(|found| found.trusted_until)
    }

    /// Whether there was nothing at all to read.
    pub fn empty(&self) -> bool {
        self.harvests.iter().all(|h| h.bytes == 0 && h.error.is_none())
    }
}

/// A log and what it was judged to be.
#[derive(Default)]
struct Judged {
    log: Log,
    series: Series,
    detection: Option<Detection>,
    holds: Holds,
    figures: Figures,
    standings: Vec<Standing>,
}

/// Rebuilds the series and judges it, if the log has a span.
fn judged(
    log: Log,
    baseline: Option<&BaselineLog>,
    judge: &JudgeOptions,
) -> anyhow::Result<Judged> {
    let (Some(from), Some(until)) = (log.first, log.last) else {
        return Ok(Judged { log, ..Judged::default() });
    };
    let baseline = baseline.map(|baseline| baseline.level);
    let settings = Settings { baseline, ..judge.settings };
    let weighed = weigh(judge.limit, &settings, &log, (from, until));
    // An opening without an end that lies before a sudden restart was lost in
    // it: it is closed there, and all is weighed anew.
    let restart = weighed.detection.as_ref().and_then(Detection::last_sudden);
    let (log, lost) = match restart {
        Some(restart) => log.with_lost_closed(restart),
        None => (log, false),
    };
    let weighed = if lost {
        weigh(judge.limit, &settings, &log, (from, until))
    } else {
        weighed
    };
    let Weighed { detection, holds, series, figures } = weighed;
    let series = with_openings(series, &log, (from, until))?;
    let found = detection.as_ref();
    let standings = found.map_or_else(Vec::new, |found| {
        let standings = standings(&log.streams, from, found.trusted_until);
        ranked(standings, found)
    });
    Ok(Judged { log, series, detection, holds, figures, standings })
}

/// The series, with the openings of which no more is known.
fn with_openings(
    series: Result<Series, TooManyBins>,
    log: &Log,
    (from, until): (Micros, Micros),
) -> anyhow::Result<Series> {
    let mut series = match series {
        Ok(series) => series,
        // What there is instead of streams is worth more than a fault.
        Err(_) if log.streams.is_empty() => Series::default(),
        Err(bins) => return Err(too_long(bins, from, until)),
    };
    for at in &log.unheld {
        series.count_opening(*at);
    }
    Ok(series)
}

/// The suspected clients first, then those that matter most.
fn ranked(
    mut standings: Vec<Standing>,
    detection: &Detection,
) -> Vec<Standing> {
    let flagged = detection.flagged();
    let peaks: HashMap<u32, usize> =
        flagged.iter().map(|f| (f.evidence.unit, f.evidence.peak)).collect();
    let peak = |standing: &Standing| peaks.get(&standing.key.0).copied();
    standings.sort_by(|one, two| {
        peak(two)
            .cmp(&peak(one))
            .then(two.superseded.total_cmp(&one.superseded))
            .then(two.max_open.cmp(&one.max_open))
            .then(two.streams.cmp(&one.streams))
            .then(one.key.cmp(&two.key))
    });
    standings
}

/// The streams of a log as the detector takes them.
fn logged(
    streams: &[Stream],
    (first, last): (Micros, Micros),
    opens_known: bool,
) -> Logged<'_> {
    let openings =
        if opens_known { Openings::Logged } else { Openings::Unlogged };
    Logged {
        streams,
        endpoints: &[],
        first,
        last,
        resolution: resolution(streams),
        openings,
    }
}

/// What is computed of the streams as they stand.
struct Weighed {
    detection: Option<Detection>,
    holds: Holds,
    series: Result<Series, TooManyBins>,
    figures: Figures,
}

/// What the streams of a log come to, beside the verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// The stream hours of what can be trusted.
    pub hours: Option<Hours>,
    /// The climb of all open streams, where it could be tested.
    pub climb: Option<Slope>,
    /// When the number that was asked about is reached.
    pub forecast: Option<Forecast>,
}

impl Figures {
    fn of(
        limit: Option<f64>,
        detection: &Detection,
        means: &Means,
        (from, until): (Micros, Micros),
    ) -> Figures {
        let trusted = detection.trusted_until;
        let restart = detection.restarts.last().map(|restart| restart.from);
        let known = Known { from, trusted, until, restart };
        let climb = detection.total;
        let forecast =
            |limit| Forecast::of(limit, means, climb.as_ref(), known);
        Figures {
            hours: Hours::of(means, (trusted - from).as_secs()),
            climb,
            forecast: limit.map(forecast),
        }
    }
}

/// Judges the streams, on all cores.
fn weigh(
    limit: Option<f64>,
    settings: &Settings,
    log: &Log,
    (from, until): (Micros, Micros),
) -> Weighed {
    let Log { streams, opens_known, .. } = log;
    let prepared =
        Prepared::new(&logged(streams, (from, until), *opens_known));
    let detect = || (!streams.is_empty()).then(|| prepared.detect(settings));
    let rest =
        || Series::of(prepared.means(), from, until, settings.climb.bin);
    let (detection, series) = threads::both(detect, rest);
    let of = |found: &Detection| {
        Figures::of(limit, found, prepared.means(), (from, until))
    };
    let figures = detection.as_ref().map(of).unwrap_or_default();
    let holds = prepared.into_holds();
    Weighed { detection, holds, series, figures }
}

/// The message for a span that has too many bins.
fn too_long(bins: TooManyBins, from: Micros, until: Micros) -> anyhow::Error {
    anyhow::anyhow!(
        "the log spans {} to {}, {} bins: name a longer --bin, or leave \
         records with a wrong time out with --since and --until",
        from.to_rfc3339(),
        until.to_rfc3339(),
        bins.0
    )
}

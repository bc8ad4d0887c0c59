//! The analysis, end to end: inputs read, streams joined, the series judged,
//! the report put together.

mod baseline;

use std::collections::HashMap;
use std::collections::hash_map::RandomState;

use crate::app::plan::Analysis;
use crate::collect::{
    Client, Harvest, Harvester, KeyId, Reader, Requests, Tally,
};
use crate::detect::{
    forecast::{Climb, Forecast, Known},
    verdict::{Detection, Evidence, Prepared, Verdict},
};
use crate::format::{DecodeOptions, Layout};
use crate::input::Input;
use crate::series::{Hours, Means, Series, TooManyBins};
use crate::streams::{Holds, Log, Standing, standings};
use crate::threads;
use crate::time::Micros;

pub use baseline::BaselineLog;

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
    /// What each client held over the trusted window.
    pub standings: Vec<Standing>,
    /// The holds.
    pub holds: Holds,
    /// What they come to.
    pub figures: Figures,
    /// What requests there are, if none is a stream.
    pub requests: Requests,
    /// Clients that made requests and finished no stream, if asked for.
    pub silent: Option<usize>,
    /// What each suspect left open that its opens do not explain, in
    /// streams.
    pub unexplained: HashMap<KeyId, f64>,
}

impl Found {
    /// Reads and judges.
    ///
    /// # Errors
    ///
    /// No threads, a span too long for the bin, or a baseline that cannot be
    /// judged. What is wrong with one input is told in its harvest.
    pub fn analyse(plan: &Analysis) -> anyhow::Result<Found> {
        let mut harvests = read(plan, &plan.inputs, plan.silent_clients)?;
        let requests = survey(plan, &mut harvests)?;
        let silent = plan.silent_clients.then(|| silent_clients(&harvests));
        let mut log = Log::join(&mut harvests, &plan.selector, plan.given);
        if plan.silent_clients {
            log.count_others(&harvests);
        }
        let baseline = BaselineLog::of(plan, &mut log)?;
        let compared = baseline.as_ref().map(|base| plan.against(base));
        let plan = compared.as_ref().unwrap_or(plan);
        let mut found = Found {
            series: Series::default(),
            baseline,
            detection: None,
            standings: Vec::new(),
            unexplained: HashMap::new(),
            holds: Holds::default(),
            figures: Figures::default(),
            requests,
            silent,
            harvests,
            log: Log::default(),
        };
        if let (Some(from), Some(until)) = (log.first, log.last) {
            threads::on_threads(plan.threads, || {
                found.judge(plan, &mut log, from, until)
            })??;
        }
        found.log = log;
        Ok(found)
    }

    /// Rebuilds the series and judges it.
    fn judge(
        &mut self,
        plan: &Analysis,
        log: &mut Log,
        from: Micros,
        until: Micros,
    ) -> anyhow::Result<()> {
        let span = (from, until);
        let mut weighed = weigh(plan, log, span);
        // An opening without an end that lies before a sudden restart was lost
        // in it: it is closed there, and all is weighed anew.
        let detection = weighed.detection.as_ref();
        let last = detection.and_then(Detection::last_sudden);
        if last.is_some_and(|restart| log.close_lost(restart) > 0) {
            weighed = weigh(plan, log, span);
        }
        self.series = match weighed.series {
            Ok(series) => series,
            // What there is instead of streams is worth more than a fault.
            Err(_) if log.streams.is_empty() => Series::default(),
            Err(bins) => return Err(too_long(bins, from, until)),
        };
        for at in &log.unheld {
            self.series.count_opening(*at);
        }
        self.holds = weighed.holds;
        self.figures = weighed.figures;
        if let Some(detection) = weighed.detection {
            let trusted = detection.trusted_until;
            self.standings = standings(&log.streams, from, trusted);
            self.rank(&detection);
            self.detection = Some(detection);
        }
        Ok(())
    }

    /// Puts the clients that matter most first.
    fn rank(&mut self, detection: &Detection) {
        let decisive = detection.decisive.as_ref();
        let attribution = decisive.and_then(|d| d.attribution.as_ref());
        let suspects = attribution.into_iter().flat_map(|a| &a.suspects);
        let blame = suspects.map(|suspect| (suspect.key, suspect.unexplained));
        self.unexplained = blame.collect();
        let blamed = |standing: &Standing| {
            let streams = self.unexplained.get(&standing.key);
            streams.map_or(0.0, |streams| streams.max(0.0))
        };
        self.standings.sort_by(|one, two| {
            blamed(two)
                .total_cmp(&blamed(one))
                .then(two.superseded.total_cmp(&one.superseded))
                .then(two.max_open.cmp(&one.max_open))
                .then(two.streams.cmp(&one.streams))
                .then(one.key.cmp(&two.key))
        });
    }

    /// The one-word answer.
    pub fn verdict(&self) -> Verdict {
        self.detection.as_ref().map_or(Verdict::Unknown, Detection::verdict)
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

impl Analysis {
    /// The same, held against a baseline.
    fn against(&self, base: &BaselineLog) -> Analysis {
        let mut plan = self.clone();
        plan.settings.baseline = base.numbers();
        plan
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
    pub climb: Option<Climb>,
    /// When the number that was asked about is reached.
    pub forecast: Option<Forecast>,
}

impl Figures {
    fn of(
        plan: &Analysis,
        detection: &Detection,
        means: &Means,
        (from, until): (Micros, Micros),
    ) -> Figures {
        let trusted = detection.trusted_until;
        let restart = detection.resets.last().map(|reset| reset.at);
        let known = Known { from, trusted, until, restart };
        let climb = Climb::of(detection, means, &plan.settings);
        let forecast =
            |limit| Forecast::of(limit, means, climb.as_ref(), known);
        Figures {
            hours: Hours::of(means, (trusted - from).as_secs()),
            climb,
            forecast: plan.limit.map(forecast),
        }
    }
}

/// Judges the streams, on all cores.
fn weigh(
    plan: &Analysis,
    log: &Log,
    (from, until): (Micros, Micros),
) -> Weighed {
    let Log { streams, opens_known, .. } = log;
    let evidence =
        Evidence { streams, from, until, opens_known: *opens_known };
    let prepared = Prepared::new(&evidence, &plan.settings);
    let judge =
        || (!streams.is_empty()).then(|| prepared.detect(&plan.settings));
    let step = plan.settings.window.bin;
    let rest = || Series::of(prepared.means(), from, until, step);
    let (detection, series) = threads::both(judge, rest);
    let of = |found: &Detection| {
        Figures::of(plan, found, prepared.means(), (from, until))
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

/// Reads inputs as the plan says.
fn read(
    plan: &Analysis,
    inputs: &[Input],
    survey: bool,
) -> anyhow::Result<Vec<Harvest>> {
    let harvester = harvester(plan, survey);
    threads::on_threads(plan.threads, || harvester.read_all(inputs))
}

/// What reads inputs as the plan says.
pub(crate) fn harvester(plan: &Analysis, survey: bool) -> Harvester {
    Harvester {
        selector: plan.selector.clone(),
        key: plan.key,
        reader: reader(plan),
        marked: plan.given.marked,
        mmap: plan.mmap,
        survey,
        arrivals: plan.arrivals.then_some(Micros::now as fn() -> Micros),
        hasher: RandomState::new(),
    }
}

/// Tells formats as the plan says.
fn reader(plan: &Analysis) -> Reader {
    let choice = plan.format.clone();
    let given =
        DecodeOptions { unit: plan.unit, zone: plan.zone, now: plan.now };
    Box::new(move |sample| Layout::of(&choice, given, sample))
}

/// When nothing was selected, reads files once more to see what requests
/// there are instead; pipes were surveyed as they came.
fn survey(
    plan: &Analysis,
    harvests: &mut [Harvest],
) -> anyhow::Result<Requests> {
    if Tally::of(harvests).selected > 0 {
        return Ok(Requests::default());
    }
    let is_file = |input: &&Input| crate::input::file_id(input).is_some();
    let files: Vec<Input> = match plan.silent_clients {
        // All of it was surveyed already.
        true => Vec::new(),
        false => plan.inputs.iter().filter(is_file).cloned().collect(),
    };
    let mut surveyed = match files.is_empty() {
        true => Vec::new(),
        false => read(plan, &files, true)?,
    };
    let mut requests = Requests::default();
    for harvest in harvests {
        let again = surveyed.iter().position(|s| s.input == harvest.input);
        if let Some(again) = again {
            *harvest = surveyed.swap_remove(again);
        }
        if let Some(found) = harvest.surveyed.take() {
            harvest.found = found;
        }
        requests.absorb(std::mem::take(&mut harvest.found.requests));
    }
    Ok(requests)
}

/// How many clients made requests and finished no stream.
fn silent_clients(harvests: &[Harvest]) -> usize {
    let mut all = crate::collect::Clients::default();
    let mut streaming = crate::collect::Clients::default();
    for harvest in harvests {
        all.absorb(&harvest.found.everyone);
        streaming.absorb(&harvest.found.clients);
    }
    all.len().saturating_sub(streaming.len())
}

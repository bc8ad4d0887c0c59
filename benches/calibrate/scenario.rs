//! A scenario: traffic of one kind, how its log is judged, and the verdict
//! that is wanted.

use std::sync::Arc;

use streamleak::internal::detect::{Prepared, Settings, Verdict};

use super::families::Family;
use super::traffic::{Log, Logging, MINUTE, Random, Traffic};

/// Draws traffic.
type Draw = Arc<dyn Fn(&mut Random) -> Traffic + Send + Sync>;

/// Traffic of one kind and what its log should be called.
pub(crate) struct Scenario {
    /// Where it belongs.
    pub(crate) family: Family,
    /// What it is called; no two of a family share a name.
    pub(crate) name: String,
    /// Whether its log should raise an alarm.
    pub(crate) kind: Kind,
    /// The word that is wanted, or not.
    pub(crate) wanted: Option<Wanted>,
    /// Only one log in so many is drawn: its logs are long.
    pub(crate) rare: u32,
    draw: Draw,
    exam: Exam,
}

/// Whether a log should raise an alarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Never.
    Healthy,
    /// Always: streams are left open.
    Leak,
    /// Always: streams end at once and are reopened.
    Storm,
    /// No log tells.
    Ambiguous,
}

/// What is asked of a scenario's verdicts beside the alarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// This one.
    Word(Verdict),
    /// Any but this one.
    Not(Verdict),
}

/// How a log is judged.
enum Exam {
    /// Once, when it is complete.
    Once(Logging),
    /// Minute by minute, from so many seconds on, until the first alarm;
    /// openings are logged.
    Live(f64),
    /// Against the slopes of a log of this traffic.
    Baseline(Draw),
}

/// How a log was judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Judged {
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// Minutes until the first alarm, if it was judged live and there was
    /// one.
    pub(crate) delay: Option<f64>,
    /// How many streams the log shows.
    pub(crate) streams: usize,
    /// How many of them are open in the mean.
    pub(crate) open: f64,
}

impl Kind {
    /// The word for the table.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Healthy => "healthy",
            Kind::Leak => "leak",
            Kind::Storm => "storm",
            Kind::Ambiguous => "ambiguous",
        }
    }
}

/// Whether a verdict is an alarm.
pub(crate) fn alarms(verdict: Verdict) -> bool {
    match verdict {
        Verdict::Climbing | Verdict::Stacked | Verdict::Storm => true,
        Verdict::Flat
        | Verdict::Cycling
        | Verdict::Growing
        | Verdict::Stepped
        | Verdict::Unknown => false,
    }
}

impl Scenario {
    /// A scenario whose log, written when streams end, is judged once.
    pub(crate) fn new(
        family: Family,
        kind: Kind,
        name: impl Into<String>,
        draw: impl Fn(&mut Random) -> Traffic + Send + Sync + 'static,
    ) -> Scenario {
        Scenario {
            family,
            name: name.into(),
            kind,
            wanted: None,
            rare: 1,
            draw: Arc::new(draw),
            exam: Exam::Once(Logging::Ends),
        }
    }

    /// With a word that is wanted.
    pub(crate) fn wants(self, verdict: Verdict) -> Scenario {
        Scenario { wanted: Some(Wanted::Word(verdict)), ..self }
    }

    /// With a word that is not.
    pub(crate) fn never(self, verdict: Verdict) -> Scenario {
        Scenario { wanted: Some(Wanted::Not(verdict)), ..self }
    }

    /// With a fifth of the logs, for they are of a week.
    pub(crate) fn rare(self) -> Scenario {
        Scenario { rare: 5, ..self }
    }

    /// In another family.
    pub(crate) fn moved(self, family: Family) -> Scenario {
        Scenario { family, ..self }
    }

    /// With a log that shows openings too.
    pub(crate) fn opens_known(self) -> Scenario {
        Scenario { exam: Exam::Once(Logging::OpensAndEnds), ..self }
    }

    /// Judged minute by minute from so many seconds on.
    pub(crate) fn live(self, from: f64) -> Scenario {
        Scenario { exam: Exam::Live(from), ..self }
    }

    /// Judged against another log of the same traffic.
    pub(crate) fn against_itself(self) -> Scenario {
        Scenario { exam: Exam::Baseline(Arc::clone(&self.draw)), ..self }
    }

    /// Judged against a log of this traffic.
    pub(crate) fn against(
        self,
        draw: impl Fn(&mut Random) -> Traffic + Send + Sync + 'static,
    ) -> Scenario {
        Scenario { exam: Exam::Baseline(Arc::new(draw)), ..self }
    }

    /// Draws the log of this number and judges it.
    pub(crate) fn judge(&self, seed: u64, log: u64) -> Judged {
        let mut random = Random::new(seed, &self.name, log);
        let traffic = (self.draw)(&mut random);
        let settings = Settings::default();
        match &self.exam {
            Exam::Once(logging) => {
                once(&Log::of(&traffic, *logging), &settings)
            }
            Exam::Live(from) => live(&traffic, *from, &settings),
            Exam::Baseline(healthy) => {
                let before = healthy(&mut random);
                let before = Log::of(&before, Logging::Ends);
                let before = Prepared::new(&before.logged());
                let level = before.level(&settings);
                let baseline = level.map(|(level, _)| level);
                let settings = Settings { baseline, ..settings };
                once(&Log::of(&traffic, Logging::Ends), &settings)
            }
        }
    }
}

fn once(log: &Log, settings: &Settings) -> Judged {
    let found = Prepared::new(&log.logged()).detect(settings);
    Judged {
        verdict: found.verdict,
        delay: None,
        streams: log.streams.len(),
        open: log.mean_open(),
    }
}

/// Judges traffic every minute in the first hour, then every 5 min for
/// 7 hours.
fn live(traffic: &Traffic, from: f64, settings: &Settings) -> Judged {
    let minutes = (3..=60).chain((65..=480).step_by(5)).map(f64::from);
    let judge = |minutes: f64| {
        let until = from + minutes * MINUTE;
        let log = Log::until(traffic, until, Logging::OpensAndEnds);
        Judged { delay: Some(minutes), ..once(&log, settings) }
    };
    let mut last = None;
    for judged in minutes.map(judge) {
        if alarms(judged.verdict) {
            return judged;
        }
        last = Some(judged);
    }
    let last = last.unwrap_or_else(|| judge(0.0));
    Judged { delay: None, ..last }
}

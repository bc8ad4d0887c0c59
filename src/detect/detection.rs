//! All that the detector found: the judge's verdict, and what else decides.

use crate::collect::KeyId;
use crate::detect::baseline_level::LevelTest;
use crate::detect::branch::Branching;
use crate::detect::climbs::climb::{Climb, Series};
use crate::detect::ends::restarts::{self, Restart};
use crate::detect::judge::detection::{
    Analysis, Detection as Judged, Finding,
};
use crate::detect::judge::ground::Ground;
use crate::detect::reopen::Reopenings;
use crate::detect::storm::Storms;
use crate::detect::suspects::reasons::Flagged;
use crate::detect::trend::SlopeTest;
use crate::detect::verdict::{Verdict, Why};
use crate::time::Micros;

/// All that was found.
#[derive(Clone, Debug)]
pub struct Detection {
    /// The verdict.
    pub verdict: Verdict,
    /// What it stands on.
    pub basis: Basis,
    /// What the judge found, endpoint by endpoint; its instants count from
    /// [`Detection::from`].
    pub judged: Judged,
    /// The log's first record.
    pub from: Micros,
    /// Restarts, in order and apart; instants are absolute.
    pub restarts: Vec<Restart>,
    /// Up to where a plot shows what was open: the log's end unless streams
    /// still open then are not logged.
    pub trusted_until: Micros,
    /// How long nearly all streams have ended by: what is hidden of a log
    /// that no restart ended.
    pub hidden: Micros,
    /// Streams that ended at once and were opened again at once, client by
    /// client; instants are absolute.
    pub storms: Storms,
    /// Clients whose streams come back more than once for each that ended.
    pub branchings: Vec<Branching>,
    /// Whether closed streams were opened again.
    pub reopenings: Reopenings,
    /// The slope of the superseded streams over the window that decided, else
    /// over the last segment; `None` where that is too short.
    pub superseded: Option<Slope>,
    /// The slope of all open streams over the same window.
    pub total: Option<Slope>,
    /// The level of the superseded streams against the baseline's, with one.
    pub level: Option<LevelTest>,
}

/// What a verdict stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The ends of streams, judged.
    Judge,
    /// Streams that come back more than once for each that ended.
    Branching,
    /// A higher level than the baseline's.
    Level,
    /// Streams that end at once and are opened again at once.
    Storm,
    /// The log cannot be judged.
    Unknown(Why),
}

/// A slope over a window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slope {
    /// The slope and its test.
    pub test: SlopeTest,
    /// The window's start.
    pub from: Micros,
    /// Its end.
    pub until: Micros,
}

impl Detection {
    /// Why the log cannot be judged, if so.
    pub fn why_unknown(&self) -> Option<Why> {
        match self.basis {
            Basis::Unknown(why) => Some(why),
            _ => None,
        }
    }

    /// What was looked at in the endpoint of the judge's verdict, of those
    /// alike the one of most streams.
    pub fn analysis(&self) -> Option<&Analysis> {
        let verdict = self.judged.verdict;
        let own = self.judged.endpoints.iter();
        let own = own.filter(|endpoint| endpoint.verdict == verdict);
        own.max_by_key(|endpoint| endpoint.streams)?.analysis.as_ref()
    }

    /// The climb that decided, if one did.
    pub fn decisive(&self) -> Option<&Climb> {
        let analysis = self.analysis()?;
        match analysis.ground {
            Ground::Window(at) => analysis.climbs.get(at),
            Ground::Total | Ground::HalfOpen => {
                let total = |c: &&Climb| {
                    c.series == Series::Total && c.shape.is_some()
                };
                analysis.climbs.iter().rev().find(total)
            }
            Ground::Shift => {
                let total = |c: &&Climb| c.series == Series::Total;
                let jump = |c: &&Climb| c.test.step.jump;
                let all = analysis.climbs.iter().filter(total);
                all.max_by(|a, b| jump(a).total_cmp(&jump(b)))
            }
            _ => None,
        }
    }

    /// The units that are suspected, of all endpoints, those that hold most
    /// first.
    pub fn flagged(&self) -> Vec<&Flagged> {
        let analyses =
            self.judged.endpoints.iter().filter_map(|e| e.analysis.as_ref());
        let mut all: Vec<&Flagged> =
            analyses.flat_map(|analysis| &analysis.flagged).collect();
        all.sort_by_key(|f| std::cmp::Reverse(f.evidence.peak));
        all
    }

    /// Units that only begin streams and never close one, with the most that
    /// each held superseded, the worst first.
    pub fn only_begin(&self) -> Vec<(KeyId, usize)> {
        let analyses =
            self.judged.endpoints.iter().filter_map(|e| e.analysis.as_ref());
        let findings = analyses.flat_map(|analysis| &analysis.findings);
        let mut all: Vec<(KeyId, usize)> = findings
            .filter_map(|finding| match *finding {
                Finding::OnlyBegins { unit, peak } => {
                    Some((KeyId(unit), peak))
                }
                Finding::Pool | Finding::HalfOpen => None,
            })
            .collect();
        all.sort_by_key(|(_, peak)| std::cmp::Reverse(*peak));
        all
    }

    /// When the last restart was that let no stream live.
    pub fn last_sudden(&self) -> Option<Micros> {
        let sudden = |r: &&Restart| r.until - r.from <= SUDDEN;
        self.restarts.iter().rev().find(sudden).map(|r| r.from)
    }

    /// Whether an instant lies in a restart.
    pub fn within_restart(&self, at: Micros) -> bool {
        restarts::within(&self.restarts, at)
    }

    /// An instant of the judge's as one of the log's.
    pub fn at(&self, secs: f64) -> Micros {
        self.from + Micros::from_secs_f64(secs)
    }
}

/// A restart that takes longer drains.
const SUDDEN: Micros = Micros::from_secs(5);

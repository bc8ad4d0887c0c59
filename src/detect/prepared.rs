//! A log put in order for the detector, and all that decides together.

use crate::detect::baseline_level::{Level, LevelRule, LevelTest, Traffic};
use crate::detect::branch::{self, Branching};
use crate::detect::climbs::climb::{Climb, Series as Of};
use crate::detect::climbs::window::Span;
use crate::detect::detection::{Basis, Detection, Slope};
use crate::detect::ends::restarts::{self, Restart};
use crate::detect::judge::detect::detect;
use crate::detect::judge::detection::{
    Detection as Judged, Endpoint, Finding,
};
use crate::detect::judge::ground::Ground;
use crate::detect::log::{Log, Openings};
use crate::detect::reopen::Reopenings;
use crate::detect::settings::Settings;
use crate::detect::storm::{Storm, Storms};
use crate::detect::trend::SlopeTest;
use crate::detect::verdict::{Verdict, Why};
use crate::series::{Means, Part, Row, Timeline};
use crate::stats::quantile;
use crate::streams::{Holds, Stream};
use crate::threads::both;
use crate::time::Micros;

/// How far past the log's end open streams reach; any instant beyond it
/// serves.
const HORIZON: Micros = Micros::from_secs(10_000_000);

/// What a log shows, put in order for the detector.
pub struct Prepared<'a> {
    log: Log<'a>,
    timeline: Timeline,
    means: Means,
    holds: Holds,
}

impl<'a> Prepared<'a> {
    /// Puts it in order.
    pub fn new(log: &Log<'a>) -> Prepared<'a> {
        let Log { streams, first, last, .. } = *log;
        let timeline = Timeline::new(streams, first, last + HORIZON);
        let (means, holds) =
            both(|| Means::of(&timeline), || Holds::of(streams));
        Prepared { log: *log, timeline, means, holds }
    }

    /// How long the streams were held; the last that is asked for.
    pub fn into_holds(self) -> Holds {
        self.holds
    }

    /// The exact means of the three numbers; their origin is the log's first
    /// record.
    pub fn means(&self) -> &Means {
        &self.means
    }

    /// Looks for leaks, storms and what else decides.
    pub fn detect(&self, settings: &Settings) -> Detection {
        let judge = || detect(&self.log, settings);
        let rest = || Storms::of(&self.timeline, &settings.storm);
        let (judged, storms) = both(judge, rest);
        let trusted = trusted(&self.log, &judged);
        let restarts = all_restarts(&judged);
        let found = Found {
            prepared: self,
            settings,
            judged: &judged,
            trusted,
            restarts: &restarts,
        };
        let branchings = self.branchings(trusted, settings);
        let level = found.level();
        let (verdict, basis) = found.decide(&storms, &branchings, level);
        let from = self.log.first;
        let mut detection = Detection {
            verdict,
            basis,
            from,
            restarts: restarts.iter().map(|r| later(r, from)).collect(),
            trusted_until: from + trusted,
            hidden: self.log.length() - hidden(&self.log, &judged),
            storms: Storms {
                all: storms.all.iter().map(|s| s.later(from)).collect(),
            },
            branchings,
            reopenings: self.reopenings(trusted),
            superseded: None,
            total: None,
            level,
            judged: Judged { verdict: Verdict::Unknown, endpoints: vec![] },
        };
        detection.judged = judged.clone();
        let decisive = detection.decisive().cloned();
        let window = decisive
            .as_ref()
            .map_or_else(|| found.last_segment(), |climb: &Climb| climb.span);
        detection.total = self.slope(Part::Total, window, settings);
        detection.superseded = match decisive {
            Some(climb) if climb.series != Of::Total => Some(Slope {
                test: climb.test,
                from: detection.at(climb.span.from),
                until: detection.at(climb.span.until),
            }),
            _ => self.slope(Part::Superseded, window, settings),
        };
        detection
    }

    /// The level of the superseded streams over all of the log that can be
    /// trusted, with the end of that in seconds from its start. `None` when
    /// it is too short.
    pub fn level(&self, settings: &Settings) -> Option<(Level, f64)> {
        let trusted = trusted(&self.log, &detect(&self.log, settings));
        Some((self.level_until(trusted, settings)?, trusted.as_secs()))
    }

    /// The level from the log's start on, restarts and all: what they close
    /// is part of how many are held.
    fn level_until(&self, until: Micros, rules: &Settings) -> Option<Level> {
        let (until, rule) = (until.as_secs(), &rules.climb);
        let bins = (until / rule.bin_secs() + 1e-9) as usize;
        if bins < rule.least {
            return None;
        }
        let edges = Span { from: 0.0, until }.edges(rule.slices.min(bins));
        let means = self.means.means(Part::Superseded, &edges);
        Level::of(&means, rule.rho_cap, self.traffic(until))
    }

    /// What the clients did until then.
    fn traffic(&self, until: f64) -> Traffic {
        let inside = |at: Micros| (0.0..until).contains(&at.as_secs());
        let rows = self.timeline.rows().iter();
        let opens = rows.clone().filter(|row| inside(row.opened)).count();
        let closed = rows.filter(|row| !row.open && inside(row.closed));
        let mut holds: Vec<Micros> = closed.map(Row::hold).collect();
        holds.sort_unstable();
        let hold = quantile(holds.len(), 0.5, |nth| holds[nth].as_secs());
        Traffic {
            length: until,
            opens: opens as u64,
            open: self.means.means(Part::Total, &[0.0, until])[0],
            hold: hold.unwrap_or(0.0),
        }
    }

    /// The slope of a number over a window, where it is long enough.
    fn slope(
        &self,
        part: Part,
        window: Span,
        settings: &Settings,
    ) -> Option<Slope> {
        let rule = &settings.climb;
        let bins = (window.length() / rule.bin_secs() + 1e-9) as usize;
        if bins < rule.least {
            return None;
        }
        let count = rule.slices.min(bins);
        let slices = self.means.means(part, &window.edges(count));
        let length = window.length() / count as f64;
        let test = SlopeTest::of(&slices, &slices, length, rule.rho_cap)?;
        let at = |secs| self.log.first + Micros::from_secs_f64(secs);
        Some(Slope { test, from: at(window.from), until: at(window.until) })
    }

    fn branchings(&self, until: Micros, rules: &Settings) -> Vec<Branching> {
        branch::branchings(&self.timeline, until, &rules.branch)
    }

    fn reopenings(&self, until: Micros) -> Reopenings {
        // Some clients open the next stream a little before the old one is
        // closed.
        let ceiling = self.holds.ceiling().map_or(Micros::ZERO, |c| c.hold);
        let early = Micros(ceiling.0 / 10).min(Micros::from_secs(5));
        Reopenings::of(&self.timeline, until, early)
    }

    /// How long a client takes to come back: the median time from one
    /// opening of a key to its next, else the median hold; in seconds.
    fn cycle(&self) -> f64 {
        let gap = |pair: &[Row]| pair[1].opened - pair[0].opened;
        let keys = self.timeline.keys();
        let mut spans: Vec<Micros> =
            keys.flat_map(|rows| rows.windows(2)).map(gap).collect();
        if spans.is_empty() {
            let closed = self.timeline.rows().iter().filter(|row| !row.open);
            spans = closed.map(Row::hold).collect();
        }
        spans.sort_unstable();
        let nth = |k: usize| spans[k].as_secs();
        quantile(spans.len(), 0.5, nth).unwrap_or(0.0)
    }
}

/// What the verdict is drawn from; instants count from the log's start.
struct Found<'a> {
    prepared: &'a Prepared<'a>,
    settings: &'a Settings,
    judged: &'a Judged,
    trusted: Micros,
    restarts: &'a [Restart],
}

impl Found<'_> {
    /// The gravest of all that was asked, and what it stands on.
    fn decide(
        &self,
        storms: &Storms,
        branchings: &[Branching],
        level: Option<LevelTest>,
    ) -> (Verdict, Basis) {
        let rule = &self.settings.storm;
        let length = self.prepared.log.length();
        let multiplies = branch::gained(branchings) as f64
            >= self.settings.climb.threshold(1.0);
        let others = [
            (multiplies, Verdict::Climbing, Basis::Branching),
            (
                level.is_some_and(|level| level.higher),
                Verdict::Stacked,
                Basis::Level,
            ),
            (storms.prevail(length, rule), Verdict::Storm, Basis::Storm),
        ];
        let others = others.into_iter().filter(|(holds, ..)| *holds);
        let gravest = others.map(|(_, verdict, basis)| (verdict, basis)).fold(
            (self.judged.verdict, Basis::Judge),
            |best, other| {
                if other.0 < best.0 { other } else { best }
            },
        );
        match gravest {
            (_, Basis::Judge) => self.powered(),
            decided => decided,
        }
    }

    /// The judge's verdict, unless it calls a log healthy that shows too
    /// little to be called so.
    fn powered(&self) -> (Verdict, Basis) {
        let verdict = self.judged.verdict;
        let why = match verdict {
            Verdict::Climbing | Verdict::Stacked => None,
            Verdict::Unknown => Some(self.why()),
            Verdict::Growing if self.only_begins() => Some(Why::OnlyBegins),
            _ => self.few_cycles(),
        };
        why.map_or((verdict, Basis::Judge), |why| {
            (Verdict::Unknown, Basis::Unknown(why))
        })
    }

    fn only_begins(&self) -> bool {
        let analyses = self.judged.endpoints.iter();
        let analyses = analyses.filter_map(|e| e.analysis.as_ref());
        let mut findings = analyses.flat_map(|a| &a.findings);
        findings.any(|f| matches!(f, Finding::OnlyBegins { .. }))
    }

    fn few_cycles(&self) -> Option<Why> {
        let log = &self.prepared.log;
        let analyses = self.judged.endpoints.iter();
        let analyses = analyses.filter_map(|e| e.analysis.as_ref());
        let hidden = analyses.map(|a| a.horizon.hidden).fold(0.0, f64::max);
        let trusted = log.length() - Micros::from_secs_f64(hidden);
        let cycles = self.settings.least_cycles * self.prepared.cycle();
        let needed = Micros::from_secs_f64(cycles);
        let short = trusted < needed && self.restarts.is_empty();
        short.then_some(Why::FewCycles { trusted, needed })
    }

    /// Why the judge cannot tell.
    fn why(&self) -> Why {
        let largest = self.judged.endpoints.iter().max_by_key(|e| e.streams);
        let found = largest.map_or(0, |endpoint| endpoint.streams);
        let rule = &self.settings.climb;
        let needed = Micros(rule.bin.0.saturating_mul(rule.least as i64));
        let trusted = Micros::from_secs_f64(self.last_segment().length());
        match largest.and_then(|e| e.analysis.as_ref()).map(|a| a.ground) {
            None => {
                Why::FewStreams { found, needed: self.settings.least_streams }
            }
            Some(Ground::HalfOpen) => Why::HalfOpen,
            Some(_) => Why::FewBins { trusted, needed },
        }
    }

    /// The level tested against the baseline's: where it is higher, clients
    /// have stacked streams before the log began.
    fn level(&self) -> Option<LevelTest> {
        let settings = self.settings;
        let base = settings.baseline?;
        let own = self.prepared.level_until(self.trusted, settings)?;
        let rule = LevelRule {
            alpha: settings.alpha,
            threshold: settings.climb.threshold(base.mean),
            unexplained: settings.unexplained,
        };
        Some(LevelTest::of(own, base, rule))
    }

    /// What can be trusted after the last restart, or before it where that is
    /// longer.
    fn last_segment(&self) -> Span {
        let settle = self.settings.climb.settle_secs();
        let after = |r: &Restart| r.until.as_secs() + settle;
        let last = self.restarts.last();
        let from = last.map_or(0.0, after);
        Span { from, until: self.trusted.as_secs().max(from) }
    }
}

/// How much of the log's end hides what was open then.
fn hidden(log: &Log<'_>, judged: &Judged) -> Micros {
    if log.openings == Openings::Logged {
        return Micros::ZERO;
    }
    let own = |endpoint: &Endpoint| match &endpoint.analysis {
        Some(analysis) => analysis.horizon.hidden_shown,
        None => log.length().as_secs(),
    };
    let hidden = judged.endpoints.iter().map(own).fold(0.0, f64::max);
    Micros::from_secs_f64(hidden)
}

/// Up to where what was open is known.
fn trusted(log: &Log<'_>, judged: &Judged) -> Micros {
    let until = log.length() - hidden(log, judged);
    let last = all_restarts(judged).last().map(|restart| restart.from);
    last.map_or(until, |last| until.max(last)).min(log.length())
}

/// The restarts of all endpoints.
fn all_restarts(judged: &Judged) -> Vec<Restart> {
    let analyses = judged.endpoints.iter().filter_map(|e| e.analysis.as_ref());
    let all = analyses.flat_map(|analysis| analysis.restarts.clone());
    restarts::joined(all.collect(), Micros::ZERO)
}

fn later(restart: &Restart, by: Micros) -> Restart {
    Restart { from: restart.from + by, until: restart.until + by }
}

impl Storm {
    fn later(&self, by: Micros) -> Storm {
        Storm { from: self.from + by, until: self.until + by, ..*self }
    }
}

/// The step of the clock that wrote these streams: a second where all of
/// their ends, or all of their openings, are whole ones.
pub fn resolution(streams: &[Stream]) -> Micros {
    let whole = |step: i64| {
        let fits = |at: Micros| at.0 % step == 0;
        streams.iter().all(|s| s.closed.is_none_or(fits))
            || streams.iter().all(|s| fits(s.opened))
    };
    let steps = [1_000_000, 1_000];
    Micros(steps.into_iter().find(|step| whole(*step)).unwrap_or(1))
}

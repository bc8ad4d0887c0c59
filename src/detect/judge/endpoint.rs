//! The judgement of one endpoint: the steps of the specification in order.

use crate::detect::climbs::climb::{self, Climb, Series, Shape};
use crate::detect::climbs::pile::{self, Piece, Pile, Standing};
use crate::detect::climbs::quiet::{self, Quiet};
use crate::detect::climbs::spread::Spread;
use crate::detect::ends::{self, Ends};
use crate::detect::judge::detection::{
    Analysis, Endpoint, Finding, Reference,
};
use crate::detect::judge::ground::Ground;
use crate::detect::log::Log;
use crate::detect::rates::exposure::References;
use crate::detect::rates::holds::Holds;
use crate::detect::rates::horizon::Horizon;
use crate::detect::rows::Rows;
use crate::detect::settings::Settings;
use crate::detect::suspects::evidence::{Evidence, Gathering};
use crate::detect::suspects::reasons::{Bars, Flagged};
use crate::detect::verdict::Verdict;
use crate::streams::Stream;

/// A unit of one more superseded stream than it takes to be tested is worth
/// a finding if it only begins streams.
const WORTH_A_FINDING: usize = 1;

/// Judges the streams of one endpoint. `alpha` is the chance of a false
/// alarm left to it.
pub(crate) fn judge(
    log: &Log<'_>,
    number: u32,
    streams: &[Stream],
    settings: &Settings,
    alpha: f64,
) -> Endpoint {
    let count = streams.len();
    if count < settings.least_streams {
        let verdict = Verdict::Unknown;
        return Endpoint { number, streams: count, verdict, analysis: None };
    }
    let rows = Rows::new(log, streams);
    let ends = Ends::of(&rows, log.resolution);
    let holds = Holds::unrestarted(&rows, &ends, |_| true);
    let horizon = Horizon::of(&rows, &ends, &holds, log.openings, settings);
    let references = References::of(&rows, &ends, &horizon, settings);
    let gathering =
        Gathering::new(log, &rows, &ends, &horizon, &holds, &references);
    let case = Case { log, settings, alpha, gathering };
    let (verdict, analysis) = case.judged();
    Endpoint { number, streams: count, verdict, analysis: Some(analysis) }
}

/// An endpoint whose streams are understood and are to be judged.
struct Case<'a> {
    log: &'a Log<'a>,
    settings: &'a Settings,
    alpha: f64,
    gathering: Gathering<'a>,
}

/// What the climbs and piles of superseded streams amount to.
struct Leaks {
    climbs: Vec<Climb>,
    standing: Option<Standing>,
    spread: Option<Spread>,
    findings: Vec<Finding>,
}

impl Case<'_> {
    fn judged(&self) -> (Verdict, Analysis) {
        let Gathering { rows, ends, horizon, references, others, .. } =
            &self.gathering;
        let tested = self.tested();
        let (flagged, mut findings) = self.flag(&tested);
        let mut leaks = self.leaks(&flagged);
        findings.append(&mut leaks.findings);
        let (verdict, ground) = match self.alarm(&leaks) {
            Some(alarm) => alarm,
            None => self.quiet(&mut leaks.climbs, &mut findings),
        };
        let reference = Reference {
            units: references.units,
            ends: references.any.ends,
            old: references.any.old,
            reopening: others.reopening,
        };
        let analysis = Analysis {
            ground,
            restarts: ends.restarts.clone(),
            ceilings: ends.ceilings.list().to_vec(),
            horizon: **horizon,
            reference,
            units: rows.units.len(),
            tested: tested.len(),
            flagged,
            climbs: leaks.climbs,
            standing: leaks.standing,
            spread: leaks.spread,
            findings,
        };
        (verdict, analysis)
    }

    /// The units of enough superseded streams at once.
    fn tested(&self) -> Vec<Evidence> {
        let peaks = &self.gathering.ends.peaks;
        let high = |&unit: &usize| peaks[unit] >= self.settings.least_peak;
        let units = (0..peaks.len()).filter(high);
        units.map(|unit| self.gathering.of(unit)).collect()
    }

    /// Which of the tested units are suspected, and which others only begin
    /// streams.
    fn flag(&self, tested: &[Evidence]) -> (Vec<Flagged>, Vec<Finding>) {
        let Case { settings, alpha, .. } = *self;
        let bars = Bars::new(tested, self.gathering.ends, settings, alpha);
        let (mut flagged, mut findings) = (Vec::new(), Vec::new());
        for evidence in tested {
            let Evidence { unit, peak, .. } = *evidence;
            match bars.reason(evidence) {
                Some(reason) => {
                    let evidence = evidence.clone();
                    flagged.push(Flagged { reason, evidence });
                }
                None if self.only_begins(evidence) => {
                    findings.push(Finding::OnlyBegins { unit, peak });
                }
                None => {}
            }
        }
        (flagged, findings)
    }

    fn only_begins(&self, evidence: &Evidence) -> bool {
        let most = self.settings.hardly * evidence.peak as f64;
        let least = self.settings.least_peak + WORTH_A_FINDING;
        evidence.peak >= least && evidence.chosen_ends as f64 <= most
    }

    /// Tests the series of the suspected units and that of all others.
    fn leaks(&self, flagged: &[Flagged]) -> Leaks {
        let mut climbs = self.flagged_climbs(flagged);
        let mut findings = Vec::new();
        if !self.may_stack(flagged) && drop_stacked(&mut climbs) {
            findings.push(Finding::Pool);
        }
        let is_flagged = self.are_flagged(flagged, |_| true);
        let spread = Spread::of(
            self.log,
            &self.gathering,
            &is_flagged,
            self.settings,
            self.alpha,
        );
        let climbed = climbs.iter().any(|c| is_alarm(c.shape));
        let standing = if climbed { None } else { self.standing(flagged) };
        let (spread, more) = spread.unzip();
        climbs.extend(more.unwrap_or_default());
        Leaks { climbs, standing, spread, findings }
    }

    fn flagged_climbs(&self, flagged: &[Flagged]) -> Vec<Climb> {
        let pieces = self.pieces(&self.are_flagged(flagged, |_| true));
        if pieces.is_empty() {
            return Vec::new();
        }
        let pile = Pile {
            series: Series::Flagged,
            pieces: &pieces,
            restarts: &self.gathering.ends.restarts,
            units: None,
            alpha: self.alpha,
        };
        let mut climbs = pile.climbs(self.log, self.settings);
        let least = self.settings.least_peak as f64;
        pile::standing_steps(&mut climbs, least);
        climbs
    }

    /// What levelled off at few streams may be a pool, unless it has a mark
    /// that pools have not.
    fn may_stack(&self, flagged: &[Flagged]) -> bool {
        flagged.iter().any(|f| {
            f.reason.is_sure() || f.evidence.peak >= self.settings.pool
        })
    }

    fn standing(&self, flagged: &[Flagged]) -> Option<Standing> {
        let Gathering { ends, horizon, .. } = self.gathering;
        let stand = self.are_flagged(flagged, |f| f.reason.stands());
        let pieces = self.pieces(&stand);
        let segments =
            climb::segments(&ends.restarts, horizon.until, self.settings);
        if pieces.is_empty() {
            return None;
        }
        Standing::of(&pieces, &segments, self.settings)
    }

    /// By unit: whether it is flagged for such.
    fn are_flagged(
        &self,
        flagged: &[Flagged],
        such: impl Fn(&Flagged) -> bool,
    ) -> Vec<bool> {
        let units = &self.gathering.rows.units;
        let mut are = vec![false; units.len()];
        for found in flagged.iter().filter(|f| such(f)) {
            let name = found.evidence.unit;
            if let Ok(at) = units.binary_search_by_key(&name, |u| u.name) {
                are[at] = true;
            }
        }
        are
    }

    /// The superseded streams of these units.
    fn pieces(&self, units: &[bool]) -> Vec<Piece> {
        let rows = self.gathering.rows;
        let counts = |&at: &usize| {
            let row = &rows.rows[at];
            units[row.unit as usize] && row.is_superseded()
        };
        let numbers = (0..rows.len()).filter(counts);
        numbers.map(|at| Piece::of(rows, at)).collect()
    }

    /// The verdict of a climb, or of a pile that stands.
    fn alarm(&self, leaks: &Leaks) -> Option<(Verdict, Ground)> {
        if leaks.standing.is_some() {
            let spread = gravest(&leaks.climbs);
            let climbing = spread.filter(|(_, s)| *s == Shape::Climbing);
            let window = climbing
                .map(|(at, _)| (Verdict::Climbing, Ground::Window(at)));
            return window.or(Some((Verdict::Stacked, Ground::Standing)));
        }
        let (at, shape) = gravest(&leaks.climbs)?;
        let verdict = match shape {
            Shape::Climbing => Verdict::Climbing,
            Shape::Stacked => Verdict::Stacked,
            Shape::Stepped => return None,
        };
        Some((verdict, Ground::Window(at)))
    }

    /// The verdict where no superseded streams climb or stand; adds the
    /// tests it takes.
    fn quiet(
        &self,
        climbs: &mut Vec<Climb>,
        findings: &mut Vec<Finding>,
    ) -> (Verdict, Ground) {
        let Gathering { rows, ends, horizon, .. } = self.gathering;
        let Case { settings, alpha, .. } = *self;
        let step = gravest(climbs).map(|(at, _)| at);
        let total = quiet::total(rows, ends, horizon, settings, alpha);
        let quiet = quiet::quiet(&total, rows, ends, settings);
        climbs.extend(total);
        if quiet == Quiet::HalfOpen {
            findings.push(Finding::HalfOpen);
        }
        let stepped = |at| (Verdict::Stepped, Ground::Window(at));
        match quiet {
            Quiet::TooShort => {
                step.map_or((Verdict::Unknown, Ground::TooShort), stepped)
            }
            Quiet::HalfOpen => (Verdict::Unknown, Ground::HalfOpen),
            Quiet::Growing => (Verdict::Growing, Ground::Total),
            Quiet::Stepped => (Verdict::Stepped, Ground::Total),
            Quiet::Shifted => (Verdict::Stepped, Ground::Shift),
            Quiet::Cycling => {
                step.map_or((Verdict::Cycling, Ground::Cuts), stepped)
            }
            Quiet::Flat => {
                step.map_or((Verdict::Flat, Ground::Nothing), stepped)
            }
        }
    }
}

fn is_alarm(shape: Option<Shape>) -> bool {
    shape.is_some_and(|shape| shape != Shape::Stepped)
}

/// Takes the shape off climbs that levelled off; says whether there were
/// any.
fn drop_stacked(climbs: &mut [Climb]) -> bool {
    let mut any = false;
    for climb in climbs {
        if climb.shape == Some(Shape::Stacked) {
            climb.shape = None;
            any = true;
        }
    }
    any
}

/// The gravest of these climbs, of those the steepest, of those the first.
fn gravest(climbs: &[Climb]) -> Option<(usize, Shape)> {
    let mut best: Option<(usize, Shape)> = None;
    for (at, climb) in climbs.iter().enumerate() {
        let Some(shape) = climb.shape else { continue };
        let graver = best.is_none_or(|(other, its)| {
            let steeper = climb.test.rise > climbs[other].test.rise;
            shape < its || (shape == its && steeper)
        });
        if graver {
            best = Some((at, shape));
        }
    }
    best
}

impl Piece {
    /// The superseded stream of a row, from when it was superseded.
    pub(crate) fn of(rows: &Rows, at: usize) -> Piece {
        let row = &rows.rows[at];
        Piece {
            from: row.superseded.max(row.opened),
            until: row.closed,
            hold: row.hold(),
            ended: ends::in_log(row, rows.length),
        }
    }
}

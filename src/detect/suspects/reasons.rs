//! The reasons for which a unit's superseded streams are suspected
//! (specification, step 8).

use crate::detect::ends::Ends;
use crate::detect::ends::ceilings;
use crate::detect::rates::observed::Observed;
use crate::detect::settings::Settings;
use crate::detect::suspects::evidence::Evidence;

/// In a log of fewer units nobody can tell a hoarder from a proxy.
const LEAST_UNITS: usize = 3;

/// The share of its lagging ends that a reaper must have closed.
const REAPED: f64 = 0.5;

/// Why a unit is suspected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Its superseded streams end less than a third as fast as others'
    /// current ones, and not by choice.
    Outlives,
    /// It chooses to end its superseded streams less than a third as often
    /// as others do.
    HoldsOn,
    /// A ceiling cut its superseded streams, and it did not open them again
    /// as others do.
    Abandoned,
    /// Its superseded streams end a fixed time after they were replaced.
    Reaped,
    /// It opens by a timer and its superseded streams end less than a third
    /// as fast.
    RhythmOutlives,
    /// It opens by a timer and they end less than half as fast.
    RhythmOutlasts,
    /// It opens by a timer and ends hardly any by choice.
    Rhythm,
    /// It holds many and ends hardly any by choice.
    NeverCloses,
}

impl Reason {
    /// Every reason, in the order in which they are asked: the first that
    /// holds is a unit's.
    pub const ALL: [Reason; 8] = [
        Reason::Outlives,
        Reason::HoldsOn,
        Reason::Abandoned,
        Reason::Reaped,
        Reason::RhythmOutlives,
        Reason::RhythmOutlasts,
        Reason::Rhythm,
        Reason::NeverCloses,
    ];

    /// The reason in a word or two.
    pub fn word(self) -> &'static str {
        match self {
            Reason::Outlives => "outlives",
            Reason::HoldsOn => "holds on",
            Reason::Abandoned => "abandoned",
            Reason::Reaped => "reaped",
            Reason::RhythmOutlives => "rhythm, outlives",
            Reason::RhythmOutlasts => "rhythm, outlasts",
            Reason::Rhythm => "rhythm",
            Reason::NeverCloses => "never closes",
        }
    }

    /// Whether it is the mark of a timer, a reaper or an abandoner: no pool
    /// of connections has it.
    pub fn is_sure(self) -> bool {
        self.stands() || self == Reason::RhythmOutlasts
    }

    /// Whether it makes a standing pile a leak's (step 10).
    pub fn stands(self) -> bool {
        match self {
            Reason::Abandoned
            | Reason::Reaped
            | Reason::RhythmOutlives
            | Reason::Rhythm => true,
            Reason::Outlives
            | Reason::HoldsOn
            | Reason::RhythmOutlasts
            | Reason::NeverCloses => false,
        }
    }
}

/// A unit that is suspected.
#[derive(Clone, Debug, PartialEq)]
pub struct Flagged {
    /// Why.
    pub reason: Reason,
    /// All that is known of it.
    pub evidence: Evidence,
}

/// What evidence is held against, the same for all units.
pub(crate) struct Bars<'a> {
    settings: &'a Settings,
    /// The chance of a false alarm left to one unit.
    alpha: f64,
    /// The same of its rhythm.
    alpha_rhythm: f64,
    /// How many units the endpoint has.
    units: usize,
    /// Whether the units that close nothing, and that no ceiling cuts, hold
    /// enough together.
    never_close: bool,
}

impl<'a> Bars<'a> {
    /// Of units of which these are tested. `alpha` is the endpoint's.
    pub(crate) fn new(
        tested: &[Evidence],
        ends: &Ends,
        settings: &'a Settings,
        alpha: f64,
    ) -> Bars<'a> {
        let shared = tested.len().max(1) as f64;
        let open_ended = |e: &&Evidence| is_open_ended(e, settings);
        let held = tested.iter().filter(open_ended).map(|e| e.peak);
        Bars {
            settings,
            alpha: alpha / shared,
            alpha_rhythm: settings.alpha_rhythm / shared,
            units: ends.peaks.len(),
            never_close: held.sum::<usize>() >= settings.never_close_together,
        }
    }

    /// The first reason for which a unit is suspected.
    pub(crate) fn reason(&self, evidence: &Evidence) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| self.holds(*reason, evidence))
    }

    fn holds(&self, reason: Reason, evidence: &Evidence) -> bool {
        match reason {
            Reason::Outlives => self.outlives(evidence),
            Reason::HoldsOn => self.holds_on(evidence),
            Reason::Abandoned => self.is_abandoned(evidence),
            Reason::Reaped => is_reaped(evidence),
            Reason::RhythmOutlives => {
                self.rhythm_outlasts(evidence)
                    && self.any_is_slow(evidence, self.settings.ratio)
            }
            Reason::RhythmOutlasts => self.rhythm_outlasts(evidence),
            Reason::Rhythm => self.rhythm(evidence),
            Reason::NeverCloses => self.never_closes(evidence),
        }
    }

    /// Whether so few ends are no chance: three such tests share a unit's
    /// alpha.
    fn is_slow(&self, observed: &Observed, ratio: f64) -> bool {
        observed.p(ratio) < self.alpha / 3.0
    }

    fn any_is_slow(&self, evidence: &Evidence, ratio: f64) -> bool {
        [&evidence.old, &evidence.any, &evidence.chosen]
            .into_iter()
            .any(|observed| self.is_slow(observed, ratio))
    }

    /// An end by choice was late, not leaked.
    fn outlives(&self, evidence: &Evidence) -> bool {
        let Settings { ratio, few, .. } = *self.settings;
        [&evidence.old, &evidence.any].into_iter().any(|observed| {
            let most = few * observed.streams as f64;
            self.is_slow(observed, ratio) && observed.by_choice as f64 <= most
        })
    }

    fn holds_on(&self, evidence: &Evidence) -> bool {
        let Settings { ratio, few, .. } = *self.settings;
        let most = few * evidence.peak.max(1) as f64;
        self.is_slow(&evidence.chosen, ratio)
            && evidence.chosen.by_choice as f64 <= most
    }

    fn is_abandoned(&self, evidence: &Evidence) -> bool {
        evidence.abandoned.is_some_and(|found| found.p < self.alpha)
    }

    fn has_rhythm(&self, evidence: &Evidence) -> bool {
        evidence.rhythm.p < self.alpha_rhythm
    }

    fn rhythm_outlasts(&self, evidence: &Evidence) -> bool {
        self.has_rhythm(evidence)
            && self.any_is_slow(evidence, self.settings.ratio_rhythm)
    }

    fn rhythm(&self, evidence: &Evidence) -> bool {
        let most = self.settings.few_of_births * evidence.births as f64;
        self.has_rhythm(evidence) && evidence.chosen_ends as f64 <= most
    }

    fn never_closes(&self, evidence: &Evidence) -> bool {
        let alone = self.units >= LEAST_UNITS
            && evidence.peak >= self.settings.never_closes;
        let together =
            self.never_close && is_open_ended(evidence, self.settings);
        closes_hardly(evidence, self.settings) && (alone || together)
    }
}

fn closes_hardly(evidence: &Evidence, settings: &Settings) -> bool {
    let most = settings.hardly * evidence.peak as f64;
    evidence.chosen_ends_in_all as f64 <= most
}

/// Whether a unit closes nothing and no ceiling does it instead.
fn is_open_ended(evidence: &Evidence, settings: &Settings) -> bool {
    closes_hardly(evidence, settings) && 2 * evidence.cut <= evidence.natural
}

fn is_reaped(evidence: &Evidence) -> bool {
    let least = REAPED * evidence.lagging as f64;
    evidence.reaped as f64 >= least.max(ceilings::LEAST as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detect::suspects::abandoned::Abandoned;
    use crate::detect::suspects::rhythm::Rhythm;

    /// A unit of ten that stands out in nothing.
    fn innocent() -> Evidence {
        let observed = Observed {
            streams: 40,
            observed: 40,
            expected: 40.0,
            by_choice: 40,
            followed: 1e4,
        };
        Evidence {
            unit: 0,
            streams: 60,
            peak: 10,
            any: observed,
            old: observed,
            chosen: observed,
            chosen_ends: 50,
            chosen_ends_in_all: 50,
            births: 60,
            rhythm: Rhythm::none(60),
            abandoned: None,
            reaped: 0,
            lagging: 30,
            reaped_after: 0.0,
            cut: 0,
            natural: 60,
        }
    }

    fn reason(change: impl Fn(&mut Evidence)) -> Option<Reason> {
        let settings = Settings::default();
        let mut evidence = innocent();
        change(&mut evidence);
        let held = innocent().peak;
        let never_close = held >= settings.never_close_together;
        let bars = Bars {
            settings: &settings,
            alpha: 0.01,
            alpha_rhythm: 0.002,
            units: 3,
            never_close,
        };
        bars.reason(&evidence)
    }

    /// None of those that were expected.
    fn slow(by_choice: u64) -> Observed {
        let few =
            Observed { streams: 40, expected: 40.0, ..Observed::default() };
        Observed { by_choice, ..few }
    }

    #[test]
    fn an_innocent_unit_has_no_reason() {
        assert_eq!(reason(|_| ()), None);
    }

    // Half of 40 streams, half of a peak of 10.
    #[test]
    fn what_ended_by_choice_was_late_and_not_leaked() {
        let outlives = Some(Reason::Outlives);
        assert_eq!(reason(|e| e.any = slow(20)), outlives);
        assert_eq!(reason(|e| e.old = slow(20)), outlives);
        assert_eq!(reason(|e| e.any = slow(21)), None);
        assert_eq!(reason(|e| e.chosen = slow(5)), Some(Reason::HoldsOn));
        assert_eq!(reason(|e| e.chosen = slow(6)), None);
    }

    #[test]
    fn a_timer_needs_less_evidence_than_chance() {
        let timer = Rhythm { p: 1e-9, ..Rhythm::none(60) };
        let with = |expected: f64, by_choice: u64| {
            reason(|e| {
                e.rhythm = timer;
                e.any = Observed { expected, ..slow(by_choice) };
            })
        };
        // P(none of 40/3) = 2e-6, of 14/3 0.009 and of 14/2 0.0009; alpha/3
        // is 0.003.
        assert_eq!(with(40.0, 40), Some(Reason::RhythmOutlives));
        assert_eq!(with(14.0, 40), Some(Reason::RhythmOutlasts));
        assert_eq!(with(4.0, 40), None);
        let closes = |ends| {
            reason(|e| {
                e.rhythm = timer;
                e.chosen_ends = ends;
            })
        };
        // A fifth of 60 births.
        assert_eq!(closes(12), Some(Reason::Rhythm));
        assert_eq!(closes(13), None);
    }

    #[test]
    fn a_reaper_closes_half_of_what_lags_and_ten_at_least() {
        let reaped = |reaped, lagging| {
            reason(|e| {
                e.reaped = reaped;
                e.lagging = lagging;
            })
        };
        assert_eq!(reaped(15, 30), Some(Reason::Reaped));
        assert_eq!(reaped(14, 30), None);
        assert_eq!(reaped(9, 10), None);
    }

    #[test]
    fn an_abandoner_does_not_reopen() {
        let with = |p| {
            let found = Abandoned { cut: 20, answered: 3, at: 60.0, p };
            reason(|e| e.abandoned = Some(found))
        };
        assert_eq!(with(0.0013), Some(Reason::Abandoned));
        assert_eq!(with(0.02), None);
    }

    // 5 % of 40 are two, and of ten none.
    #[test]
    fn forty_that_are_never_closed_are_no_proxy() {
        let with = |peak, ends| {
            reason(|e| {
                e.peak = peak;
                e.chosen_ends_in_all = ends;
                e.cut = e.natural;
            })
        };
        assert_eq!(with(40, 2), Some(Reason::NeverCloses));
        assert_eq!(with(40, 3), None);
        assert_eq!(with(39, 0), None);
    }
}

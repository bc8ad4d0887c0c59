//! What the detector found, window by window.

use super::ruling::{self, Ruling};
use super::{Class, Settings, Verdict, Why};
use crate::detect::{
    attribution::{Attribution, Suspect},
    baseline_level::LevelTest,
    branch::Branching,
    reopen::Reopenings,
    rhythm::Rhythms,
    storm::Storms,
    trend::{BaselineSlope, Slices, SlopeTest},
    window::{Share, Window},
};
use crate::series::{Means, Part, Restart};
use crate::stats::t_quantile;
use crate::time::Micros;

/// A stretch of the log that can be trusted, between resets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its start.
    pub from: Micros,
    /// Its end.
    pub until: Micros,
    /// How many whole bins it holds.
    pub bins: u64,
}

/// All that the detector found.
#[derive(Clone, Debug)]
pub struct Detection {
    /// The finding.
    pub class: Class,
    /// Restarts, in order; instants are absolute.
    pub resets: Vec<Restart>,
    /// Up to where all streams that were open are known: the log's end
    /// unless streams still open then are not logged.
    pub trusted_until: Micros,
    /// How much of the log's end cannot be trusted for the total.
    pub censored_total: Micros,
    /// The same for the superseded streams.
    pub censored_superseded: Micros,
    /// How many holds these are quantiles of: of all streams and of the
    /// superseded ones; 0 where no end is censored.
    pub holds: (usize, usize),
    /// The median time from one opening of a key to its next.
    pub cycle: Micros,
    /// Where the total can be trusted.
    pub segments_total: Vec<Segment>,
    /// Where the number of superseded streams can be trusted.
    pub segments_superseded: Vec<Segment>,
    /// The tests of the superseded streams, window by window.
    pub superseded: Vec<WindowTest>,
    /// The tests of all open streams, segment by segment.
    pub total: Vec<WindowTest>,
    /// The common slope of the superseded streams in all segments, where
    /// restarts cut the log into several.
    pub pooled: Option<WindowTest>,
    /// Streams that ended at once and were opened again at once, client by
    /// client; instants are absolute.
    pub storms: Storms,
    /// Clients that hold several streams, and how evenly they open them.
    pub rhythms: Rhythms,
    /// Clients whose streams come back more than once for each that ended.
    pub branchings: Vec<Branching>,
    /// Whether closed streams were opened again.
    pub reopenings: Reopenings,
    /// What each rule said, in the order in which they are asked.
    pub rulings: Vec<Ruling>,
    /// The window that decided, unless the class is flat or insufficient.
    pub decisive: Option<Decisive>,
    /// The level of the superseded streams against the baseline's, with one.
    pub level: Option<LevelTest>,
}

impl Detection {
    /// The answer in one word.
    pub fn verdict(&self) -> Verdict {
        Verdict::from(&self.class)
    }

    /// Why the log cannot answer; `None` where it does.
    pub fn why_unknown(&self) -> Option<Why> {
        match self.class {
            Class::Insufficient(why) => Some(why),
            _ => None,
        }
    }

    /// Whether the superseded streams climbed and have levelled off since.
    pub fn levelled_off(&self) -> bool {
        self.class == Class::Saturated
    }

    /// When the last restart was that let no stream live.
    pub fn last_sudden(&self) -> Option<Micros> {
        let sudden = self.resets.iter().filter(|reset| reset.is_sudden());
        sudden.map(|reset| reset.at).max()
    }

    /// The ruling that decided; the class is what it said.
    pub fn decided(&self) -> Option<Ruling> {
        ruling::decisive(self.rulings.iter().copied())
    }

    /// The ruling that would have decided without that one.
    pub fn second(&self) -> Option<Ruling> {
        let decided = self.decided()?;
        let others = self.rulings.iter().filter(|r| **r != decided);
        ruling::decisive(others.copied())
    }

    /// The test of the whole last segment: the slope to show when no window
    /// decided. `None` when nothing could be tested, and for
    /// [`Part::Clients`], which is not tested.
    pub fn headline(&self, part: Part) -> Option<&WindowTest> {
        let tests = match part {
            Part::Total => &self.total,
            Part::Superseded => &self.superseded,
            Part::Clients => return None,
        };
        tests.iter().rev().find(|test| test.share.is_whole())
    }
}

/// One window and the test of its slope.
#[derive(Clone, Debug)]
pub struct WindowTest {
    /// Which part of its segment the window is.
    pub share: Share,
    /// Its start.
    pub from: Micros,
    /// Its end.
    pub until: Micros,
    /// Whether it ends where its segment ends.
    pub trailing: bool,
    /// The segment.
    pub segment: Segment,
    /// How many segments it is the common slope of; 1 for a window of one.
    pub segments: usize,
    /// The slices that were tested; of a common slope, those of every
    /// segment.
    pub slices: Vec<Slices>,
    /// The slope and its test.
    pub test: SlopeTest,
    /// How likely so steep a climb is without one, or against the baseline.
    pub p: f64,
    /// The level that `p` must stay below, after sharing it out.
    pub alpha: f64,
    /// Whether it does.
    pub significant: bool,
    /// The rise that counts as large from this level, in streams.
    pub threshold: f64,
    /// Whether the rise is large.
    pub large: bool,
    /// What more opens do not explain; asked only of significant, large
    /// rises of the superseded streams, until one is a leak.
    pub unexplained: Option<Unexplained>,
    /// What this window alone would be called, where that was asked.
    pub class: Option<Class>,
    /// The window, relative to the log's first record.
    pub(super) window: Window,
}

impl WindowTest {
    /// The slope of another of the numbers over the same window.
    pub fn slope_of(
        &self,
        part: Part,
        means: &Means,
        settings: &Settings,
    ) -> Option<SlopeTest> {
        let rule = &settings.window;
        let tested = self.window.test(means, part, rule, settings.rho_cap);
        tested.map(|(test, _)| test)
    }

    /// Whether it is a climb: significant and large.
    pub fn climbs(&self) -> bool {
        self.significant && self.large
    }

    /// The least rise, in streams, that would have been a climb in this
    /// window, its level and the scatter of its slices being what they are;
    /// with the baseline that it is held against.
    pub fn least_climb(&self, baseline: Option<&BaselineSlope>) -> f64 {
        let test = &self.test;
        let (slope, se, df) = match baseline {
            None => (0.0, test.se, test.df),
            Some(base) => {
                (base.slope, test.se.hypot(base.se), test.against(base).df)
            }
        };
        let least = slope - t_quantile(self.alpha, df) * se;
        let secs = test.length * test.slices as f64;
        self.threshold.max(least * secs)
    }

    /// When its best single jump lies, `None` without one.
    pub fn step_at(&self) -> Option<Micros> {
        let step = self.test.step;
        let part = step.at as f64 / self.test.slices as f64;
        let length = (self.until - self.from).as_secs();
        let at = self.from + Micros::from_secs_f64(length * part);
        (step.at > 0).then_some(at)
    }

    /// Whether one jump explains nearly all of a whole segment.
    pub fn is_step(&self, settings: &Settings) -> bool {
        let step = self.test.step;
        self.share.is_whole()
            && step.r2 >= settings.step_r2
            && step.jump >= settings.threshold(step.base)
    }
}

/// The part of a rise that more opens do not explain, in streams.
#[derive(Clone, Debug, PartialEq)]
pub struct Unexplained {
    /// Over the window.
    pub window: f64,
    /// As [`Attribution::sd`] of it.
    pub sd: f64,
    /// The part of it that belongs to clients of whose superseded streams
    /// hardly any was closed in half the window.
    pub staying: f64,
    /// Over the whole segment around it.
    pub segment: f64,
    /// The rise of that segment.
    pub segment_rise: f64,
    /// As [`Attribution::held`], over the segment.
    pub held: u64,
    /// As [`Attribution::held_on`], over the segment.
    pub held_on: u64,
    /// How many keys the window's part is the sum of.
    pub keys: usize,
    /// The first of them, the largest term first.
    pub first: Vec<Suspect>,
}

/// How many keys of a sum are kept with every window.
const FIRST: usize = 10;

impl Unexplained {
    /// Of a window, and of the segment around it: what is unexplained of
    /// which rise, and what was held and held on.
    /// `share` is [`Settings::held_on`].
    pub(super) fn of(
        window: &Attribution,
        (segment, segment_rise): (f64, f64),
        (held, held_on): (u64, u64),
        share: f64,
    ) -> Unexplained {
        let suspects = window.suspects.iter();
        Unexplained {
            window: window.unexplained,
            sd: window.sd,
            staying: window.staying(share),
            segment,
            segment_rise,
            held,
            held_on,
            keys: window.suspects.len(),
            first: suspects.take(FIRST).copied().collect(),
        }
    }

    /// Whether most of what is unexplained belongs to such clients.
    pub fn stays(&self) -> bool {
        self.staying >= 0.5 * self.window
    }

    /// Whether hardly any superseded stream was closed in half the segment:
    /// then opens are no explanation.
    pub fn held_on(&self, settings: &Settings) -> bool {
        let least = settings.min_streams as u64;
        let share = settings.held_on * self.held as f64;
        self.held >= least && self.held_on as f64 >= share
    }
}

/// The window that decided.
#[derive(Clone, Debug)]
pub struct Decisive {
    /// Which number climbed or jumped in it.
    pub part: Part,
    /// The window and its test.
    pub window: WindowTest,
    /// What more opens do not explain of it, with the keys to suspect. Only
    /// for climbs of the superseded streams.
    pub attribution: Option<Attribution>,
}

//! The numbers by which windows are judged.

use crate::detect::{
    baseline_level::Level, branch::BranchRule, rhythm::RhythmRule,
    storm::StormRule, trend::BaselineSlope, window::WindowRule,
};
use crate::series::{DrainRule, SuddenRule};

/// Every threshold of the detector. The defaults were set on simulated logs
/// of both kinds and measured on others; changing one changes the rates of
/// false and missed alarms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How often a log without a climb may show a significant one: 0.01 for
    /// the whole log, shared out among its windows.
    pub alpha: f64,
    /// Streams that a climb must gain over its window at least: 3.
    pub min_rise: f64,
    /// And at least this share of the level it began at: 0.2.
    pub relative_rise: f64,
    /// And at least this many times the square root of twice that level,
    /// 2.5: by as much do two independent looks at arrivals by chance
    /// differ, however slowly they mix.
    pub chance_rise: f64,
    /// The share of a window's rise that more opens must fail to explain:
    /// 0.35.
    pub unexplained: f64,
    /// The same for the whole segment around the window: 0.25.
    pub unexplained_segment: f64,
    /// And of a climb that is over, at least this many times what chance
    /// makes of it: 2 standard deviations.
    pub unexplained_sd: f64,
    /// The same of one that goes on, unless what was superseded half-way is
    /// still open at its end: 1.5 standard deviations.
    pub climbing_sd: f64,
    /// A climb with a smaller share of bins half-way up is a step: 0.10.
    pub occupancy: f64,
    /// A climb with a smaller share of its rise after the middle third has
    /// levelled off: 0.15.
    pub still: f64,
    /// The most correlation between slices that is allowed for: 0.5.
    pub rho_cap: f64,
    /// The share of the variance that a jump must explain to be a step where
    /// no slope was found: 0.85.
    pub step_r2: f64,
    /// Where this share of the superseded streams stays open for half the
    /// segment, opens are no explanation, however many: 0.9.
    pub held_on: f64,
    /// Bins of a segment that is pooled with others at least: 4.
    pub pooled_bins: usize,
    /// The share of streams that end at one ceiling where they cycle: 0.7.
    pub ceiling: f64,
    /// The share of closed streams that are opened again there: 0.7.
    pub reopened: f64,
    /// Streams a log needs at least: 5.
    pub min_streams: usize,
    /// Cycles of reopening that the trusted window must hold: 3.
    pub min_cycles: f64,
    /// The quantile of the holds that is cut off the log's end: 0.95.
    pub trust: f64,
    /// How windows are cut; its `bin` is that of the series.
    pub window: WindowRule,
    /// What makes closings a reset.
    pub reset: SuddenRule,
    /// What makes them a restart that drains.
    pub drain: DrainRule,
    /// What makes openings a storm.
    pub storm: StormRule,
    /// What makes a client one that stacks its streams.
    pub rhythm: RhythmRule,
    /// What makes opens branch off from ends.
    pub branch: BranchRule,
    /// What to compare with instead of nothing.
    pub baseline: Baselines,
}

/// What a healthy stretch shows; `None` compares with no slope at all, and
/// with no level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Baselines {
    /// The slope of its superseded streams, in streams a second.
    pub superseded: Option<BaselineSlope>,
    /// That of all its streams.
    pub total: Option<BaselineSlope>,
    /// The level of its superseded streams.
    pub level: Option<Level>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            alpha: 0.01,
            min_rise: 3.0,
            relative_rise: 0.2,
            chance_rise: 2.5,
            unexplained: 0.35,
            unexplained_segment: 0.25,
            unexplained_sd: 2.0,
            climbing_sd: 1.5,
            occupancy: 0.10,
            still: 0.15,
            rho_cap: 0.5,
            step_r2: 0.85,
            held_on: 0.9,
            pooled_bins: 4,
            ceiling: 0.7,
            reopened: 0.7,
            min_streams: 5,
            min_cycles: 3.0,
            trust: 0.95,
            window: WindowRule::default(),
            reset: SuddenRule::default(),
            drain: DrainRule::default(),
            storm: StormRule::default(),
            rhythm: RhythmRule::default(),
            branch: BranchRule::default(),
            baseline: Baselines::default(),
        }
    }
}

impl Settings {
    /// The least rise, in streams, that counts from this level.
    pub fn threshold(&self, level: f64) -> f64 {
        let chance = self.chance_rise * (2.0 * level.max(0.0)).sqrt();
        self.min_rise.max(self.relative_rise * level).max(chance)
    }
}

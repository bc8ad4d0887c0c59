//! The detector's settings. What is measured and fixed with a room's own
//! method (bins, bursts, grids) stands in that room.

use crate::detect::baseline_level::Level;
use crate::detect::branch::BranchRule;
use crate::detect::storm::StormRule;
use crate::time::Micros;

/// All that may be set. The defaults are those of the specification.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The chance of a false alarm that a whole log may have: 0.01. It is
    /// shared out among the endpoint templates, the units tested and the
    /// windows.
    pub alpha: f64,
    /// The same for rhythms alone, shared among the units: 0.002.
    pub alpha_rhythm: f64,
    /// Streams an endpoint needs at least to be judged: 5.
    pub least_streams: usize,
    /// Superseded streams at once from which a unit is tested alone: 4.
    pub least_peak: usize,
    /// Under the null hypothesis superseded streams end at least so many
    /// times as fast as current ones of their age: a third.
    pub ratio: f64,
    /// The same where a unit opens by a timer: a half.
    pub ratio_rhythm: f64,
    /// A unit holds on only if at most this share of what it left behind
    /// ended by choice: 0.5.
    pub few: f64,
    /// A unit closes nothing if it chose to end at most this share of its
    /// peak: 0.05.
    pub hardly: f64,
    /// A timer closes nothing if at most this share of its openings was
    /// ended by choice: 0.2.
    pub few_of_births: f64,
    /// The peak from which a unit that closes nothing is a leak even where a
    /// ceiling cuts its streams: 40.
    pub never_closes: usize,
    /// The peaks in sum from which units that close nothing, and that no
    /// ceiling cuts, are one: 20.
    pub never_close_together: usize,
    /// A unit of a smaller peak that came to hold several and no more is
    /// taken for a pool: 10.
    pub pool: usize,
    /// Of old streams of many units at most this share ended by choice: 0.1.
    pub few_spread: f64,
    /// The share of a spread rise that units with a stream open do not
    /// explain, at least: 0.5.
    pub beyond_units: f64,
    /// The part of what is held that the tested end of a log still shows:
    /// 0.90.
    pub trust: f64,
    /// The same for the trusted edge of a plot: 0.98.
    pub trust_shown: f64,
    /// How a climb is tested.
    pub climb: ClimbRule,
    /// Cycles of reopening that what can be trusted must hold before a log
    /// is called healthy: 3.
    pub least_cycles: f64,
    /// What makes openings a storm.
    pub storm: StormRule,
    /// What makes opens branch off from ends.
    pub branch: BranchRule,
    /// The share of a higher level than the baseline's that more opens must
    /// fail to explain: 0.35.
    pub unexplained: f64,
    /// The level of a healthy stretch to compare with.
    pub baseline: Option<Level>,
}

/// How windows are cut and when they climb (version 1, 2.4, 2.5, 2.7).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClimbRule {
    /// The bin: one minute.
    pub bin: Micros,
    /// Equal slices a window is cut into: 12, fewer if it has fewer bins.
    pub slices: usize,
    /// Bins that a window needs at least: 6.
    pub least: usize,
    /// Bins left out after a restart, while clients come back: 5.
    pub settle: u32,
    /// The rise that counts as large, in streams: 3.
    pub least_rise: f64,
    /// The same as a share of the level that it starts from: 0.2.
    pub relative_rise: f64,
    /// The same in standard deviations of the difference of two Poisson
    /// levels: 2.5.
    pub poisson_rise: f64,
    /// The highest correlation of neighbouring slices allowed for: 0.5.
    pub rho_cap: f64,
    /// A rise with a smaller share of its bins on the way up is a step: 0.1.
    pub step_occupancy: f64,
    /// A rise of which a smaller share falls in the last third has levelled
    /// off: 0.15.
    pub levelled: f64,
    /// The share of the variance that a single jump must explain: 0.85.
    pub step_r2: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            alpha: 0.01,
            alpha_rhythm: 0.002,
            least_streams: 5,
            least_peak: 4,
            ratio: 1.0 / 3.0,
            ratio_rhythm: 0.5,
            few: 0.5,
            hardly: 0.05,
            few_of_births: 0.2,
            never_closes: 40,
            never_close_together: 20,
            pool: 10,
            few_spread: 0.1,
            beyond_units: 0.5,
            trust: 0.90,
            trust_shown: 0.98,
            climb: ClimbRule::default(),
            least_cycles: 3.0,
            storm: StormRule::default(),
            branch: BranchRule::default(),
            unexplained: 0.35,
            baseline: None,
        }
    }
}

impl Default for ClimbRule {
    fn default() -> ClimbRule {
        ClimbRule {
            bin: Micros::MINUTE,
            slices: 12,
            least: 6,
            settle: 5,
            least_rise: 3.0,
            relative_rise: 0.20,
            poisson_rise: 2.5,
            rho_cap: 0.5,
            step_occupancy: 0.10,
            levelled: 0.15,
            step_r2: 0.85,
        }
    }
}

impl ClimbRule {
    /// The bin in seconds.
    pub fn bin_secs(&self) -> f64 {
        self.bin.max(Micros(1)).as_secs()
    }

    /// How long clients are given to come back after a restart, in seconds.
    pub fn settle_secs(&self) -> f64 {
        f64::from(self.settle) * self.bin_secs()
    }

    /// The rise, in streams, that counts as large from this level.
    pub fn threshold(&self, level: f64) -> f64 {
        let relative = self.relative_rise * level;
        let poisson = self.poisson_rise * (2.0 * level.max(0.0)).sqrt();
        self.least_rise.max(relative).max(poisson)
    }
}

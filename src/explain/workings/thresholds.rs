//! The numbers by which windows are judged.

use serde::Serialize;

use crate::detect::{BranchRule, RhythmRule, Settings, StormRule};
use crate::series::{DrainRule, SuddenRule};
use crate::time::Micros;

/// Every threshold; see [`Settings`], whose names these are.
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "Settings and its rules document each")]
pub struct Thresholds {
    pub alpha: f64,
    pub min_rise: f64,
    pub relative_rise: f64,
    pub chance_rise: f64,
    pub unexplained: f64,
    pub unexplained_segment: f64,
    pub unexplained_sd: f64,
    pub climbing_sd: f64,
    pub occupancy: f64,
    pub still: f64,
    pub rho_cap: f64,
    pub step_r2: f64,
    pub held_on: f64,
    pub ceiling: f64,
    pub reopened: f64,
    pub min_streams: usize,
    pub min_cycles: f64,
    pub trust: f64,
    pub bin_s: f64,
    pub slices: usize,
    pub least_bins: usize,
    pub pooled_bins: usize,
    pub settle_bins: u32,
    pub storm: StormThresholds,
    pub restart: RestartThresholds,
    pub drain: DrainThresholds,
    pub rhythm: RhythmThresholds,
    pub branch: BranchThresholds,
}

/// As [`StormRule`].
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "StormRule documents each")]
pub struct StormThresholds {
    pub held_s: f64,
    pub again_s: f64,
    pub least: usize,
    pub lasting_s: f64,
    pub share: f64,
}

/// As [`SuddenRule`].
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "SuddenRule documents each")]
pub struct RestartThresholds {
    pub share: f64,
    pub least: usize,
    pub within_s: f64,
    pub spread: f64,
}

/// As [`DrainRule`].
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "DrainRule documents each")]
pub struct DrainThresholds {
    pub lengths_s: [f64; 4],
    pub old: i64,
    pub least: usize,
    pub share: f64,
    pub spread: f64,
}

/// As [`RhythmRule`].
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "RhythmRule documents each")]
pub struct RhythmThresholds {
    pub at_once: f64,
    pub openings: usize,
    pub pauses: f64,
    pub alpha_share: f64,
}

/// As [`BranchRule`].
#[derive(Clone, Debug, Serialize)]
#[allow(missing_docs, reason = "BranchRule documents each")]
pub struct BranchThresholds {
    pub soon_s: f64,
    pub least: u64,
    pub times: u64,
    pub alpha: f64,
}

impl Thresholds {
    pub(super) fn of(settings: &Settings) -> Thresholds {
        let Settings { window, .. } = settings;
        Thresholds {
            alpha: settings.alpha,
            min_rise: settings.min_rise,
            relative_rise: settings.relative_rise,
            chance_rise: settings.chance_rise,
            unexplained: settings.unexplained,
            unexplained_segment: settings.unexplained_segment,
            unexplained_sd: settings.unexplained_sd,
            climbing_sd: settings.climbing_sd,
            occupancy: settings.occupancy,
            still: settings.still,
            rho_cap: settings.rho_cap,
            step_r2: settings.step_r2,
            held_on: settings.held_on,
            ceiling: settings.ceiling,
            reopened: settings.reopened,
            min_streams: settings.min_streams,
            min_cycles: settings.min_cycles,
            trust: settings.trust,
            bin_s: window.bin_secs(),
            slices: window.slices,
            least_bins: window.least,
            pooled_bins: settings.pooled_bins,
            settle_bins: window.settle,
            storm: StormThresholds::of(&settings.storm),
            restart: RestartThresholds::of(&settings.reset),
            drain: DrainThresholds::of(&settings.drain),
            rhythm: RhythmThresholds::of(&settings.rhythm),
            branch: BranchThresholds::of(&settings.branch),
        }
    }
}

impl StormThresholds {
    fn of(rule: &StormRule) -> StormThresholds {
        StormThresholds {
            held_s: rule.held.as_secs(),
            again_s: rule.again.as_secs(),
            least: rule.least,
            lasting_s: rule.lasting.as_secs(),
            share: rule.share,
        }
    }
}

impl RestartThresholds {
    fn of(rule: &SuddenRule) -> RestartThresholds {
        let SuddenRule { share, least, within, spread } = *rule;
        RestartThresholds { share, least, within_s: within.as_secs(), spread }
    }
}

impl DrainThresholds {
    fn of(rule: &DrainRule) -> DrainThresholds {
        let DrainRule { lengths, old, least, share, spread } = *rule;
        let lengths_s = lengths.map(Micros::as_secs);
        DrainThresholds { lengths_s, old, least, share, spread }
    }
}

impl RhythmThresholds {
    fn of(rule: &RhythmRule) -> RhythmThresholds {
        let RhythmRule { at_once, openings, pauses, alpha_share } = *rule;
        RhythmThresholds { at_once, openings, pauses, alpha_share }
    }
}

impl BranchThresholds {
    fn of(rule: &BranchRule) -> BranchThresholds {
        let BranchRule { soon, slack, least, times, alpha } = *rule;
        let soon_s = (soon + slack).as_secs();
        BranchThresholds { soon_s, least, times, alpha }
    }
}

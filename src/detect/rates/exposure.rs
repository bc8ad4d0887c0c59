//! Exposure: the ages through which a current stream was seen at risk of
//! ending (specification, step 6).

use crate::detect::ends::{End, Ends};
use crate::detect::rates::hazard::{self, Hazard};
use crate::detect::rates::horizon::Horizon;
use crate::detect::rows::{Row, Rows, Unit};
use crate::detect::settings::Settings;

/// The units of large peaks are left out of the reference if so many others
/// remain ...
const LEAST_UNITS: usize = 5;

/// ... with so many ends of current streams.
const LEAST_ENDS: usize = 20;

/// One current stream's ages at risk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exposure {
    /// The first and the last of a hazard's bins that they lie in.
    pub(crate) bins: (usize, usize),
    /// Whether it came into sight at an age above 0.
    pub(crate) late: bool,
    /// One over the current streams of its unit: each client counts once.
    pub(crate) weight: f64,
    pub(crate) unit: u32,
    /// Whether it ended there, and not by a restart.
    pub(crate) ended: bool,
    /// Whether it ended so by choice.
    pub(crate) chosen: bool,
}

/// How current streams end: what superseded ones are compared with.
#[derive(Clone, Debug)]
pub(crate) struct References {
    /// Any natural end is an event. (S in the specification.)
    pub(crate) any: Hazard,
    /// Only an end by choice is. (C in the specification.)
    pub(crate) chosen: Hazard,
    /// How many units they were taken from.
    pub(crate) units: usize,
    /// One over the current streams of each unit.
    pub(crate) weights: Vec<f64>,
}

impl References {
    /// Of the current streams before the horizon.
    pub(crate) fn of(
        rows: &Rows,
        ends: &Ends,
        horizon: &Horizon,
        settings: &Settings,
    ) -> References {
        let weights = weights(rows, horizon);
        let all = exposures(rows, ends, horizon, &weights);
        let least = settings.least_peak;
        let is_other = |e: &Exposure| ends.peaks[e.unit as usize] < least;
        let others: Vec<Exposure> =
            all.iter().copied().filter(is_other).collect();
        let ended = others.iter().filter(|e| e.ended).count();
        let enough = ended >= LEAST_ENDS && units(&others) >= LEAST_UNITS;
        let used = if enough { others } else { all };
        let longest = rows.end() + 1.0;
        References {
            any: Hazard::of(&used, |e| e.ended, longest),
            chosen: Hazard::of(&used, |e| e.chosen, longest),
            units: units(&used),
            weights,
        }
    }
}

/// How many units these belong to; they are grouped by unit.
fn units(exposures: &[Exposure]) -> usize {
    exposures.chunk_by(|a, b| a.unit == b.unit).count()
}

/// The ages at which a stream was current and in sight, if there are any.
fn ages(row: &Row, horizon: &Horizon) -> Option<(f64, f64)> {
    let opened = row.opened.as_secs();
    if opened >= horizon.until {
        return None;
    }
    let from = (-opened).max(0.0);
    let current = row.hold().min(row.superseded - row.opened).as_secs();
    let until = current.min(horizon.until - opened);
    (until > from).then_some((from, until))
}

fn weights(rows: &Rows, horizon: &Horizon) -> Vec<f64> {
    let current = |unit: &Unit| {
        let own = rows.rows[unit.rows.clone()].iter();
        own.filter(|row| ages(row, horizon).is_some()).count()
    };
    rows.units.iter().map(|unit| 1.0 / current(unit).max(1) as f64).collect()
}

fn exposures(
    rows: &Rows,
    ends: &Ends,
    horizon: &Horizon,
    weights: &[f64],
) -> Vec<Exposure> {
    let exposure = |(row, end): (&Row, &End)| {
        let (from, until) = ages(row, horizon)?;
        let ended = row.ended
            && !row.is_superseded()
            && row.closed.as_secs() <= horizon.until
            && !end.restarted;
        Some(Exposure {
            bins: (hazard::bin(from), hazard::bin(until)),
            late: from > 0.0,
            weight: weights[row.unit as usize],
            unit: row.unit,
            ended,
            chosen: ended && end.chosen,
        })
    };
    rows.rows.iter().zip(&ends.ends).filter_map(exposure).collect()
}

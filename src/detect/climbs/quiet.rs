//! Quiet verdicts: what a log without a leak's climb looks like
//! (specification, step 12).

use crate::detect::climbs::climb::{self, Climb, Series, Shape, Tested};
use crate::detect::climbs::level::Level;
use crate::detect::climbs::window::Parts;
use crate::detect::ends::Ends;
use crate::detect::rates::horizon::Horizon;
use crate::detect::rows::Rows;
use crate::detect::settings::Settings;
use crate::time::Micros;

/// Where at most this share of the streams ended but by a release, growth is
/// what half-open connections look like.
const HALF_OPEN: f64 = 0.2;

/// Streams cycle if ceilings cut this share of the natural ends.
const CYCLING: f64 = 0.7;

/// What a quiet log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quiet {
    /// No segment is long enough to be tested.
    TooShort,
    /// Open streams climb.
    Growing,
    /// Open streams climb in one jump.
    Stepped,
    /// A single jump explains nearly all.
    Shifted,
    /// They climb, and hardly any ended but by a release.
    HalfOpen,
    /// Ceilings cut most streams.
    Cycling,
    /// Nothing of all that.
    Flat,
}

/// Tests the number of open streams over each whole segment.
pub(crate) fn total(
    rows: &Rows,
    ends: &Ends,
    horizon: &Horizon,
    settings: &Settings,
    alpha: f64,
) -> Vec<Climb> {
    let open = rows.rows.iter().map(|row| (row.opened, row.closed));
    let level = Level::of(open);
    let segments = climb::segments(&ends.restarts, horizon.until, settings);
    let tested = Tested {
        series: Series::Total,
        level: &level,
        segments: &segments,
        parts: Parts::Whole,
        units: None,
        alpha,
    };
    tested.climbs(settings)
}

/// What these tests amount to. The last segment that rises names the rise.
pub(crate) fn quiet(
    climbs: &[Climb],
    rows: &Rows,
    ends: &Ends,
    settings: &Settings,
) -> Quiet {
    let risen = climbs.iter().rev().find_map(|climb| climb.shape);
    match risen {
        _ if climbs.is_empty() => Quiet::TooShort,
        Some(Shape::Stepped) => Quiet::Stepped,
        Some(Shape::Climbing | Shape::Stacked) if is_half_open(ends) => {
            Quiet::HalfOpen
        }
        Some(Shape::Climbing | Shape::Stacked) => Quiet::Growing,
        None if climbs.iter().any(|c| is_shift(c, settings)) => Quiet::Shifted,
        None if cycles(rows, ends) => Quiet::Cycling,
        None => Quiet::Flat,
    }
}

/// Whether one jump explains nearly all of a segment.
fn is_shift(climb: &Climb, settings: &Settings) -> bool {
    let step = climb.test.step;
    step.r2 >= settings.climb.step_r2
        && step.jump >= settings.climb.threshold(step.base)
}

fn is_half_open(ends: &Ends) -> bool {
    let natural = ends.ends.iter().filter(|end| end.natural()).count();
    natural as f64 <= HALF_OPEN * ends.ends.len() as f64
}

fn cycles(rows: &Rows, ends: &Ends) -> bool {
    let (mut cut, mut natural) = (0_usize, 0_usize);
    for (row, end) in rows.rows.iter().zip(&ends.ends) {
        cut += usize::from(end.cut);
        let long = row.hold() > Micros::SECOND;
        natural += usize::from(end.natural() && long);
    }
    cut as f64 >= CYCLING * natural.max(1) as f64
}

//! Spread: leaks of one or two streams a client, which no unit shows alone
//! (specification, step 11).

use serde::Serialize;

use crate::detect::climbs::climb::{Climb, Series};
use crate::detect::climbs::level::Level;
use crate::detect::climbs::pile::{Piece, Pile};
use crate::detect::ends::held::{self, Held};
use crate::detect::log::Log;
use crate::detect::rates::observed::{self, Observed};
use crate::detect::rows::{Row, Rows};
use crate::detect::settings::Settings;
use crate::detect::suspects::evidence::Gathering;
use crate::time::Micros;

/// Old superseded streams that it takes.
const LEAST: u64 = 4;

/// The old superseded streams of all units that are not suspected, but for
/// those that began a visit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Their ends against those expected.
    pub observed: Observed,
    /// How likely so few ends are if superseded streams end at least a third
    /// as fast as current ones.
    pub p: f64,
    /// Whether some unit had two of them at once.
    pub twice: bool,
}

/// An old superseded stream.
struct Old {
    row: usize,
    /// From when it was both.
    from: Micros,
}

impl Spread {
    /// Of the rows of units that are not flagged. With the tests of its
    /// series, if the streams hold on. `None` with too few streams.
    pub(crate) fn of(
        log: &Log<'_>,
        gathering: &Gathering<'_>,
        flagged: &[bool],
        settings: &Settings,
        alpha: f64,
    ) -> Option<(Spread, Vec<Climb>)> {
        let from = gathering.references.any.old?;
        let Gathering { rows, ends, horizon, .. } = *gathering;
        let all = old_streams(gathering, flagged, from);
        let observed = observed::observe(
            rows,
            ends,
            horizon,
            all.iter().map(|old| old.row),
            gathering.counting_from(from),
        );
        if observed.streams < LEAST {
            return None;
        }
        let p = observed.p(settings.ratio);
        let spread = Spread { observed, p, twice: twice(&all, rows) };
        let climbs = if spread.holds_on(settings, alpha) {
            climbs(log, gathering, &all, settings, alpha)
        } else {
            Vec::new()
        };
        Some((spread, climbs))
    }

    /// One old stream a client may be its main one, beside short ones: then
    /// either hardly any of them ends by choice, or some client has two.
    fn holds_on(&self, settings: &Settings, alpha: f64) -> bool {
        let by_choice = self.observed.by_choice as f64;
        let share = |share: f64| share * self.observed.streams as f64;
        let hardly_any = by_choice <= share(settings.few_spread);
        let few = self.twice && by_choice <= share(settings.few);
        self.p < alpha && (hardly_any || few)
    }
}

fn old_streams(
    gathering: &Gathering<'_>,
    flagged: &[bool],
    from: f64,
) -> Vec<Old> {
    let rows = &gathering.rows.rows;
    let old = |(row, stream): (usize, &Row)| {
        let (begun, until) = observed::ages(stream, gathering.horizon)?;
        let begun = begun.max(from);
        let is_other = !flagged[stream.unit as usize] && !stream.visit;
        let age = Micros::from_secs_f64(begun);
        (is_other && until > begun)
            .then(|| Old { row, from: stream.opened + age })
    };
    rows.iter().enumerate().filter_map(old).collect()
}

/// Whether a unit had two of these at once.
fn twice(all: &[Old], rows: &Rows) -> bool {
    let mut order: Vec<(u32, Micros, Micros)> = all
        .iter()
        .map(|old| (&rows.rows[old.row], old.from))
        .map(|(row, from)| (row.unit, from, row.closed))
        .collect();
    order.sort_by_key(|(unit, from, _)| (*unit, *from));
    let overlap = |pair: &[(u32, Micros, Micros)]| {
        pair[0].0 == pair[1].0 && pair[1].1 < pair[0].2
    };
    order.windows(2).any(overlap)
}

fn climbs(
    log: &Log<'_>,
    gathering: &Gathering<'_>,
    all: &[Old],
    settings: &Settings,
    alpha: f64,
) -> Vec<Climb> {
    let rows = gathering.rows;
    let pieces: Vec<Piece> = all
        .iter()
        .map(|old| Piece { from: old.from, ..Piece::of(rows, old.row) })
        .collect();
    let units = covered_units(rows);
    let pile = Pile {
        series: Series::Spread,
        pieces: &pieces,
        restarts: &gathering.ends.restarts,
        units: Some(&units),
        alpha,
    };
    pile.climbs(log, settings)
}

/// The number of units with a stream open.
fn covered_units(rows: &Rows) -> Level {
    let held = rows.rows.iter().map(|row| Held {
        from: row.opened,
        until: row.closed,
        unit: row.unit,
        counts: row.ended,
    });
    let held: Vec<Held> = held.collect();
    Level::of(held::covered(&held).into_iter())
}

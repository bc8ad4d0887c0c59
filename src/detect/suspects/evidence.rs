//! The evidence against one unit: all that a reason for suspicion is given
//! by (specification, steps 7 and 8).

use serde::Serialize;

use crate::detect::ends::{End, Ends};
use crate::detect::log::{Log, Openings};
use crate::detect::rates::exposure::References;
use crate::detect::rates::holds::Holds;
use crate::detect::rates::horizon::Horizon;
use crate::detect::rates::observed::{self, Counting, Observed};
use crate::detect::rows::{Rows, Unit};
use crate::detect::suspects::abandoned::{Abandoned, Others};
use crate::detect::suspects::grain;
use crate::detect::suspects::rhythm::{Birth, LEAST_BIRTHS, Rhythm};
use crate::stats::median;
use crate::time::Micros;

/// The share of renewed ends that are answered, and the answer logged, after
/// their hold.
const RENEWED: f64 = 0.99;

/// A unit that is tested alone, and what its streams show.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// The unit.
    pub unit: u32,
    /// How many streams it opened.
    pub streams: usize,
    /// The most superseded streams that it held at once.
    pub peak: usize,
    /// The natural ends of its superseded streams, at all ages.
    pub any: Observed,
    /// The same, of those that grew old, from then on. Empty where no age is
    /// old.
    pub old: Observed,
    /// The same, counting ends by choice only, at all ages.
    pub chosen: Observed,
    /// Its ends by choice, of current and superseded streams, as far as
    /// answers to them would be logged.
    pub chosen_ends: u64,
    /// The same until the log's end, except where ends are renewed.
    pub chosen_ends_in_all: u64,
    /// Its births before the horizon: bursts of openings that continue no
    /// ended stream.
    pub births: u64,
    /// How evenly its births are spaced.
    pub rhythm: Rhythm,
    /// What became of its superseded streams that were cut, where others
    /// open theirs again.
    pub abandoned: Option<Abandoned>,
    /// Its ends a fixed time after it had replaced the stream.
    pub reaped: u64,
    /// Its ends that may have been such.
    pub lagging: u64,
    /// The median time from being superseded to being reaped, in seconds; 0
    /// without any.
    pub reaped_after: f64,
    /// Its streams opened before the horizon that a ceiling cut.
    pub cut: u64,
    /// Its streams opened before the horizon that ended naturally.
    pub natural: u64,
}

/// What evidence is gathered from, the same for all units.
pub(crate) struct Gathering<'a> {
    pub(crate) rows: &'a Rows,
    pub(crate) ends: &'a Ends,
    pub(crate) horizon: &'a Horizon,
    pub(crate) references: &'a References,
    pub(crate) others: Others,
    grain: f64,
    /// Ends by choice are counted up to this instant, in seconds ...
    chosen_until: f64,
    /// ... where they are counted to the log's end: up to this.
    chosen_in_all_until: f64,
}

impl<'a> Gathering<'a> {
    pub(crate) fn new(
        log: &Log<'_>,
        rows: &'a Rows,
        ends: &'a Ends,
        horizon: &'a Horizon,
        holds: &Holds,
        references: &'a References,
    ) -> Gathering<'a> {
        let resolution = log.resolution;
        let renews = ends.renews();
        let answered = answered_until(log, rows, ends, horizon);
        Gathering {
            rows,
            ends,
            horizon,
            references,
            others: Others::of(rows, ends, references, holds, resolution),
            grain: grain::grain(rows, log.first, resolution),
            chosen_until: if renews { answered } else { horizon.until },
            chosen_in_all_until: if renews { answered } else { f64::INFINITY },
        }
    }

    /// The evidence against the unit of this number.
    pub(crate) fn of(&self, number: usize) -> Evidence {
        let unit = &self.rows.units[number];
        let births = self.births(unit, |at| !self.ends.renewals.continued[at]);
        let horizon = self.horizon.until;
        let early = births.iter().filter(|b| b.at.as_secs() < horizon);
        let (cut, natural) = self.cut_and_natural(unit);
        Evidence {
            unit: unit.name,
            streams: unit.rows.len(),
            peak: self.ends.peaks[number],
            any: self.any(unit),
            old: self.old(unit),
            chosen: self.chosen(unit),
            chosen_ends: self.chosen_before(unit, self.chosen_until),
            chosen_ends_in_all: self
                .chosen_before(unit, self.chosen_in_all_until),
            births: early.count() as u64,
            rhythm: self.rhythm(unit, &births, 2 * cut > natural),
            abandoned: self.others.abandoned(self.rows, self.ends, unit),
            reaped: self.count(unit, |end| end.reaped),
            lagging: self.count(unit, |end| end.lagging),
            reaped_after: self.reaped_after(unit),
            cut,
            natural,
        }
    }

    fn any(&self, unit: &Unit) -> Observed {
        self.observe(unit, self.counting_from(0.0))
    }

    fn old(&self, unit: &Unit) -> Observed {
        let old = self.references.any.old;
        let of = |old| self.observe(unit, self.counting_from(old));
        old.map(of).unwrap_or_default()
    }

    fn chosen(&self, unit: &Unit) -> Observed {
        let chosen = |end: End| end.chosen;
        self.observe(
            unit,
            Counting {
                hazard: &self.references.chosen,
                from: 0.0,
                event: chosen,
                by_choice: chosen,
            },
        )
    }

    /// Natural ends are events, from this age on.
    pub(crate) fn counting_from(&self, from: f64) -> Counting<'_> {
        let hazard = &self.references.any;
        Counting { hazard, from, event: End::natural, by_choice: End::uncut }
    }

    fn observe(&self, unit: &Unit, counting: Counting<'_>) -> Observed {
        let own = unit.rows.clone();
        observed::observe(self.rows, self.ends, self.horizon, own, counting)
    }

    fn count(&self, unit: &Unit, such: impl Fn(&&End) -> bool) -> u64 {
        let own = self.ends.ends[unit.rows.clone()].iter();
        own.filter(such).count() as u64
    }

    /// Of the streams opened before the horizon.
    fn cut_and_natural(&self, unit: &Unit) -> (u64, u64) {
        let (mut cut, mut natural) = (0, 0);
        for at in unit.rows.clone() {
            let end = self.ends.ends[at];
            if self.rows.rows[at].opened.as_secs() < self.horizon.until {
                cut += u64::from(end.cut);
                natural += u64::from(end.natural());
            }
        }
        (cut, natural)
    }

    fn chosen_before(&self, unit: &Unit, until: f64) -> u64 {
        let is_chosen = |&at: &usize| {
            self.ends.ends[at].chosen
                && self.rows.rows[at].closed.as_secs() <= until
        };
        unit.rows.clone().filter(is_chosen).count() as u64
    }

    fn reaped_after(&self, unit: &Unit) -> f64 {
        let lags = unit.rows.clone().filter_map(|at| {
            let lag = self.rows.rows[at].lag()?;
            self.ends.ends[at].reaped.then(|| lag.as_secs())
        });
        median(lags.collect()).unwrap_or(0.0)
    }

    /// The bursts of a unit, counting such of its rows only.
    fn births(&self, unit: &Unit, such: impl Fn(usize) -> bool) -> Vec<Birth> {
        let rows = unit.rows.clone().filter(|&at| such(at));
        let bursts: Vec<Micros> =
            rows.map(|at| self.rows.rows[at].burst).collect();
        let birth = |burst: &[Micros]| Birth {
            at: burst[0],
            streams: burst.len() as u32,
        };
        bursts.chunk_by(|a, b| a == b).map(birth).collect()
    }

    /// The rhythm of all births, or if that is stronger of those whose
    /// streams grew old. Where most ends are cuts, of one round of births.
    fn rhythm(&self, unit: &Unit, births: &[Birth], cut: bool) -> Rhythm {
        let all = if cut {
            let round = self.median_hold(unit);
            Rhythm::busiest(births, round, self.grain)
        } else {
            Rhythm::of(births, self.grain)
        };
        let old = self.births(unit, |at| self.grew_old(at));
        let old = Rhythm::of(&old, self.grain);
        if old.births < LEAST_BIRTHS {
            return all;
        }
        let best = if old.p < all.p { old } else { all };
        Rhythm { p: (2.0 * best.p).min(1.0), ..best }
    }

    fn median_hold(&self, unit: &Unit) -> f64 {
        let own = self.rows.rows[unit.rows.clone()].iter();
        median(own.map(|row| row.hold().as_secs()).collect()).unwrap_or(0.0)
    }

    /// Whether a stream was superseded and old before the horizon.
    fn grew_old(&self, at: usize) -> bool {
        let ages = observed::ages(&self.rows.rows[at], self.horizon);
        let until = ages.map(|(_, until)| until);
        until.zip(self.references.any.old).is_some_and(|(b, old)| b > old)
    }
}

/// Up to when an answer to an end would be logged by now: an end is renewed
/// only by a stream that has itself ended. Not before the middle of the log.
fn answered_until(
    log: &Log<'_>,
    rows: &Rows,
    ends: &Ends,
    horizon: &Horizon,
) -> f64 {
    if log.openings == Openings::Logged {
        return horizon.until;
    }
    let renewed = rows.rows.iter().zip(&ends.ends).filter(|(_, e)| e.renewed);
    let holds = Holds::of(renewed.map(|(row, _)| row.hold()));
    let known = rows.end() - holds.quantile(RENEWED);
    horizon.until.min(known.max(0.5 * rows.end()))
}

//! Restarts: instants at which much of what is open is closed, whatever its
//! age (specification, step 2).
//!
//! A restart or a deploy closes streams of all ages and of most units at
//! once; a ceiling closes streams of one age, and people leave one by one.
//! A drain takes minutes, so three widths are tried.

use crate::detect::ends::ages::Ages;
use crate::detect::ends::crowds::{self, Crowd, LEAST, WORKER_SHARE};
use crate::detect::ends::held::{self, Held, Open};
use crate::time::Micros;

/// The widths within which the closings of one restart lie.
const WIDTHS: [Micros; 3] =
    [Micros::from_secs(5), Micros::from_secs(60), Micros::from_secs(300)];

/// A restart of the whole closes this share of the open streams ...
const SHARE: f64 = 0.5;

/// ... of this share of the units that have any.
const UNITS_SHARE: f64 = 0.6;

/// A restart of one worker among many closes a [`WORKER_SHARE`] of both, and
/// of so many units at least.
const WORKER_UNITS: usize = 10;

/// A unit that holds this share of all may be restarted alone.
const ONE_UNIT: f64 = 0.8;

/// Streams opened so shortly before it were not closed by it: they are what
/// comes back.
const NEW: Micros = Micros::SECOND;

/// The least age, weighted by what is held, that a restart's streams have.
const LEAST_AGE: Micros = Micros::MINUTE;

/// ... and the least in widths.
const AGE_IN_WIDTHS: i64 = 10;

/// How far the ages must spread, as a share of their median.
const SPREAD: f64 = 0.25;

/// Restarts closer than this are one: a drain is found in pieces.
const DRAIN: Micros = Micros::from_secs(300);

/// A stretch in which a restart closed streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Restart {
    /// Its first closing.
    pub from: Micros,
    /// Its last closing, a second after the first at least.
    pub until: Micros,
}

impl Restart {
    /// Whether this instant lies in it.
    pub fn holds(&self, at: Micros) -> bool {
        self.from <= at && at <= self.until
    }
}

/// Whether an instant lies in one of these restarts, which are in order and
/// apart.
pub(crate) fn within(restarts: &[Restart], at: Micros) -> bool {
    let before = restarts.partition_point(|restart| restart.until < at);
    restarts.get(before).is_some_and(|restart| restart.holds(at))
}

/// Joins restarts that follow each other within `apart`.
pub(crate) fn joined(
    mut restarts: Vec<Restart>,
    apart: Micros,
) -> Vec<Restart> {
    restarts.sort_unstable();
    let mut all: Vec<Restart> = Vec::new();
    for restart in restarts {
        match all.last_mut() {
            Some(last) if restart.from <= last.until + apart => {
                last.until = last.until.max(restart.until);
            }
            _ => all.push(restart),
        }
    }
    all
}

/// Whose closings a restart must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// Those of most units, or of a worker's share of many.
    Units,
    /// Anybody's: what is held is a pile of which units do not matter.
    Anybody,
}

/// The restarts in a log of such length, in order and apart.
pub(crate) fn find(
    held: &[Held],
    length: Micros,
    whose: Whose,
) -> Vec<Restart> {
    let closings = held::closings(held);
    let times: Vec<Micros> = closings.iter().map(|c| c.at).collect();
    let open = Open::of(held.iter().map(|h| (h.from, h.until)));
    let open = open.at_each(&times);
    let crowds = WIDTHS.map(|w| crowds::find(&times, &open, length, w));
    if crowds.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let mut search = Search {
        ages: Ages::new(&closings),
        open_units: match whose {
            Whose::Units => Open::of(held::covered(held).into_iter()),
            Whose::Anybody => Open::default(),
        },
        one_unit: held::one_unit_holds(held, ONE_UNIT, length),
        whose,
        found: Vec::new(),
    };
    for (width, crowds) in WIDTHS.into_iter().zip(crowds) {
        search.scan(&crowds, width);
    }
    joined(search.found, DRAIN)
}

/// The search for restarts among crowds of closings.
struct Search<'a> {
    ages: Ages<'a>,
    /// Which units had anything open.
    open_units: Open,
    one_unit: bool,
    whose: Whose,
    /// What was found, in order and apart.
    found: Vec<Restart>,
}

impl Search<'_> {
    /// Adds the restarts among the crowds of one width. None is looked for
    /// within a width of another.
    fn scan(&mut self, crowds: &[Crowd], width: Micros) {
        self.ages.rewind();
        let mut last = Micros(i64::MIN);
        for crowd in crowds {
            let at = crowd.at;
            if at <= last || is_near(&self.found, at, width) {
                continue;
            }
            self.ages.slide(crowd.closings.clone(), at - NEW);
            if let Some(restart) = self.restart(crowd, width) {
                last = at + width;
                let place = self.found.partition_point(|r| *r < restart);
                self.found.insert(place, restart);
            }
        }
    }

    /// The restart that a crowd is, if its streams are old, of various ages
    /// and of enough units.
    fn restart(&self, crowd: &Crowd, width: Micros) -> Option<Restart> {
        let at = crowd.at;
        let least_age = LEAST_AGE.max(Micros(width.0 * AGE_IN_WIDTHS));
        if self.ages.len() < LEAST
            || self.ages.weighted_median(at) < least_age
            || !are_various(&self.ages, at)
            || !self.is_enough(crowd)
        {
            return None;
        }
        let last = self.ages.last()?;
        Some(Restart { from: at, until: last.max(at + Micros::SECOND) })
    }

    /// Whether closings of so many streams and units are most that are open,
    /// or a worker's share of them.
    fn is_enough(&self, crowd: &Crowd) -> bool {
        let closed = self.ages.len() as f64;
        let is_share = |share: f64| closed >= share * crowd.open as f64;
        if self.whose == Whose::Anybody {
            return is_share(SHARE);
        }
        let units = self.ages.units();
        let open_units = self.open_units.at(crowd.at) as f64;
        let of_units = |share: f64| units as f64 >= share * open_units;
        let whole = is_share(SHARE) && of_units(UNITS_SHARE);
        let worker = units >= WORKER_UNITS
            && is_share(WORKER_SHARE)
            && of_units(WORKER_SHARE);
        (units >= 2 || self.one_unit) && (whole || worker)
    }
}

/// Whether ages at an instant differ: a ceiling's are all the same.
fn are_various(ages: &Ages<'_>, at: Micros) -> bool {
    let spread = ages.quantile(at, 0.9) - ages.quantile(at, 0.1);
    spread >= SPREAD * ages.quantile(at, 0.5)
}

/// Whether an instant lies within a width of a restart found before; those
/// are in order and apart.
fn is_near(found: &[Restart], at: Micros, width: Micros) -> bool {
    let before = found.partition_point(|r| r.until + width < at);
    found.get(before).is_some_and(|r| r.from - width <= at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve units whose streams of various ages close from an instant on.
    fn deploy(at: i64, over: i64) -> Vec<Held> {
        let held = |unit: i64| Held {
            from: Micros::from_secs(at - 100 * (unit + 1)),
            until: Micros::from_secs(at + unit * over / 12),
            unit: unit as u32,
            counts: true,
        };
        (0..12).map(held).collect()
    }

    fn found(held: &[Held]) -> Vec<(i64, i64)> {
        let day = Micros::from_secs(86_400);
        let secs = |at: Micros| at.0 / 1_000_000;
        find(held, day, Whose::Units)
            .iter()
            .map(|r| (secs(r.from), secs(r.until)))
            .collect()
    }

    #[test]
    fn a_restart_closes_streams_of_all_ages_at_once() {
        assert_eq!(found(&deploy(5000, 0)), [(5000, 5001)]);
        assert_eq!(found(&deploy(5000, 4)), [(5000, 5003)]);
    }

    #[test]
    fn a_drain_of_minutes_is_one_restart() {
        let mut held = deploy(50_000, 240);
        for held in &mut held {
            let age = 1000 * (i64::from(held.unit) + 1);
            held.from = Micros::from_secs(50_000 - age);
        }
        assert_eq!(found(&held), [(50_000, 50_220)]);
    }

    // The second closes what was opened well before the first, by others.
    #[test]
    fn restarts_within_five_minutes_are_one() {
        let twice = |apart: i64| {
            let mut held = deploy(50_000, 0);
            held.extend(
                deploy(50_000 + apart, 0)
                    .into_iter()
                    .map(|h| Held { unit: h.unit + 12, ..h }),
            );
            found(&held)
        };
        assert_eq!(twice(290), [(50_000, 50_291)]);
        assert_eq!(twice(310), [(50_000, 50_001), (50_310, 50_311)]);
    }

    #[test]
    fn equal_ages_young_ages_and_one_of_many_units_are_none() {
        let with = |change: fn(&mut Held)| {
            let mut held = deploy(5000, 0);
            held.iter_mut().for_each(change);
            found(&held)
        };
        let age = |h: &mut Held| h.from = Micros::from_secs(4000);
        assert_eq!(with(age), []);
        let young = |h: &mut Held| {
            h.from = Micros::from_secs(4999 - i64::from(h.unit) * 3);
        };
        assert_eq!(with(young), []);
        // All of one unit, where another holds as much and goes on.
        let mut one = deploy(5000, 0);
        one.iter_mut().for_each(|h| h.unit = 0);
        let other = Held {
            from: Micros::ZERO,
            until: Micros::from_secs(80_000),
            unit: 1,
            counts: false,
        };
        one.push(other);
        assert_eq!(found(&one), []);
        one.pop();
        assert_eq!(found(&one), [(5000, 5001)]);
    }

    #[test]
    fn ends_that_do_not_count_are_no_restart() {
        let mut held = deploy(5000, 0);
        held.iter_mut().for_each(|h| h.counts = false);
        assert_eq!(found(&held), []);
    }

    #[test]
    fn an_instant_is_within_a_restart_up_to_both_its_ends() {
        let secs = Micros::from_secs;
        let restart = |a, b| Restart { from: secs(a), until: secs(b) };
        let all = [restart(10, 12), restart(20, 30)];
        let inside =
            [9, 10, 12, 13, 20, 30, 31].map(|at| within(&all, secs(at)));
        let expected = [false, true, true, false, true, true, false];
        assert_eq!(inside, expected);
        let joined = joined(all.to_vec(), secs(8));
        assert_eq!(joined, [restart(10, 30)]);
    }
}

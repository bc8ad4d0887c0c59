//! When a number of open streams is reached: the climb of the total drawn
//! on, with the interval that its errors leave.

use crate::detect::{detection::Slope, trend::CONFIDENCE};
use crate::series::{Means, Part};
use crate::time::Micros;

/// When a number of open streams is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forecast {
    /// The number.
    pub limit: f64,
    /// When it is reached.
    pub reach: Reach,
    /// Whether a restart came after the climb that is drawn on.
    pub restarted: bool,
}

/// When a number is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// It was, for the first time then.
    Was(Micros),
    /// It will be, if the streams go on as they do.
    Will {
        /// The likeliest time.
        at: Micros,
        /// The start of the 95 % interval.
        from: Micros,
        /// Its end. `None`: it may never be reached.
        until: Option<Micros>,
    },
    /// It will not be: their number does not climb, or not within a hundred
    /// years, of which a line says nothing.
    Never,
    /// The log is too short to tell.
    Unknown,
}

/// A hundred years, in seconds.
const CENTURY: f64 = 3.2e9;

/// What of the log a forecast rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The log's start, the origin of its means.
    pub from: Micros,
    /// Up to where the streams that were open are known.
    pub trusted: Micros,
    /// The log's end.
    pub until: Micros,
    /// The last restart.
    pub restart: Option<Micros>,
}

impl Forecast {
    /// Says when `limit` is reached.
    pub fn of(
        limit: f64,
        means: &Means,
        climb: Option<&Slope>,
        known: Known,
    ) -> Forecast {
        let reach = match (first(means, limit, known), climb) {
            (Some(at), _) => Reach::Was(at),
            (None, Some(climb)) => ahead(limit, climb, known.trusted),
            (None, None) => Reach::Unknown,
        };
        let before = |climb: &Slope| Some(climb.until) <= known.restart;
        let restarted = climb.is_some_and(before);
        Forecast { limit, reach, restarted }
    }
}

/// When a number not reached yet will be; not before `known`, by when it had
/// not been.
fn ahead(limit: f64, climb: &Slope, known: Micros) -> Reach {
    let Some(found) = climb.test.crossing(limit, CONFIDENCE) else {
        return Reach::Never;
    };
    let time = |seconds: f64| {
        let from_end = Micros::from_secs_f64(seconds.max(0.0));
        (climb.until + from_end).max(known)
    };
    if found.at >= CENTURY {
        return Reach::Never;
    }
    Reach::Will {
        at: time(found.at),
        from: time(found.from),
        until: found.until.filter(|until| *until < CENTURY).map(time),
    }
}

/// When as many as `limit` were open for the first time.
fn first(means: &Means, limit: f64, known: Known) -> Option<Micros> {
    let (opens, closes) = means.steps(Part::Total);
    let mut closed = 0;
    let reached = |&(opened, at): &(usize, i64)| {
        // What closes at an instant is closed before what opens then.
        while closes.get(closed).is_some_and(|close| *close <= at) {
            closed += 1;
        }
        (opened + 1).saturating_sub(closed) as f64 >= limit
    };
    // What was opened before the log was open at its start.
    let mut opens = opens.iter().map(|at| (*at).max(0)).enumerate();
    let (_, at) = opens.find(reached)?;
    let at = known.from + Micros(at);
    (at <= known.until).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::KeyId;
    use crate::detect::trend::SlopeTest;
    use crate::format::EndedBy;
    use crate::streams::Stream;

    /// The means of streams by whole seconds from the log's start.
    fn means(streams: &[(i64, i64)]) -> Means {
        let stream = |&(opened, closed): &(i64, i64)| Stream {
            opened: Micros::from_secs(opened),
            closed: Some(Micros::from_secs(closed)),
            key: KeyId(0),
            ended_by: EndedBy::Unknown,
            answer: crate::collect::Answer::default(),
        };
        let streams: Vec<Stream> = streams.iter().map(stream).collect();
        Means::new(&streams, Micros::ZERO, Micros::from_secs(86_400))
    }

    /// A log of an hour, 50 minutes of it trusted, from the second 7 on.
    const KNOWN: Known = Known {
        from: Micros::from_secs(7),
        trusted: Micros::from_secs(3007),
        until: Micros::from_secs(3607),
        restart: None,
    };

    fn reach(limit: f64, streams: &[(i64, i64)], slope: f64) -> Forecast {
        let slices: Vec<f64> =
            (0..12).map(|k| 2.0 + slope * f64::from(k)).collect();
        let test = SlopeTest::of(&slices, &slices, 250.0, 0.5);
        let test = test.expect("a line");
        let climb = Slope { test, from: Micros::ZERO, until: KNOWN.trusted };
        Forecast::of(limit, &means(streams), Some(&climb), KNOWN)
    }

    #[test]
    fn the_first_time_is_that_of_the_opening_that_made_it_so_many() {
        let streams = [(10, 60), (20, 30), (30, 90), (40, 90), (90, 99)];
        let at = |limit| match reach(limit, &streams, 0.0).reach {
            Reach::Was(at) => Some((at - KNOWN.from).as_secs()),
            _ => None,
        };
        assert_eq!(at(1.0), Some(10.0));
        assert_eq!(at(1.5), Some(20.0));
        // One is closed as the third is opened.
        assert_eq!(at(3.0), Some(40.0));
        assert_eq!(at(4.0), None);
    }

    #[test]
    fn what_was_open_before_the_log_is_open_at_its_start() {
        let streams = [(-50, 60), (-20, 30), (-10, -5), (10, 20)];
        let at = |limit| reach(limit, &streams, 0.0).reach;
        assert_eq!(at(2.0), Reach::Was(KNOWN.from));
        let third = KNOWN.from + Micros::from_secs(10);
        assert_eq!(at(3.0), Reach::Was(third));
        // What is closed as it is opened is never open, nor is what comes
        // after the log.
        assert_eq!(reach(1.0, &[(9, 9)], 0.0).reach, Reach::Never);
        assert_eq!(reach(1.0, &[(3601, 3700)], 0.0).reach, Reach::Never);
    }

    #[test]
    fn a_climb_is_drawn_on_from_where_the_log_can_be_trusted() {
        // One more every 250 s, and 13 in the middle of a 12th slice.
        let Reach::Will { at, from, until } = reach(20.0, &[], 1.0).reach
        else {
            panic!("it climbs");
        };
        let expected = KNOWN.trusted + Micros::from_secs(7 * 250 - 125);
        assert!((at - expected).as_secs().abs() < 1e-3);
        let until = until.expect("an exact line has an end");
        assert!(from <= at && at <= until);
        assert!((until - from).as_secs() < 1e-3);
        // The line is past 9, and yet as many were never open.
        let Reach::Will { at, .. } = reach(9.0, &[], 1.0).reach else {
            panic!("it climbs");
        };
        assert_eq!(at, KNOWN.trusted);
    }

    #[test]
    fn what_stays_falls_or_takes_a_century_is_never_reached() {
        for slope in [0.0, -1.0, 1e-6] {
            assert_eq!(reach(100.0, &[], slope).reach, Reach::Never);
        }
        let unknown = Forecast::of(9.0, &means(&[]), None, KNOWN);
        assert_eq!(unknown.reach, Reach::Unknown);
    }

    #[test]
    fn a_restart_after_the_climb_is_remembered() {
        assert!(!reach(9.0, &[], 1.0).restarted);
        let climb = |until| {
            let slices = [1.0, 2.0, 3.0];
            let test = SlopeTest::of(&slices, &slices, 60.0, 0.5);
            Slope { test: test.expect("a line"), from: Micros::ZERO, until }
        };
        let restart = Micros::from_secs(2000);
        let known = Known { restart: Some(restart), ..KNOWN };
        for (until, after) in [(restart, true), (KNOWN.trusted, false)] {
            let climb = climb(until);
            let of = Forecast::of(9.0, &means(&[]), Some(&climb), known);
            assert_eq!(of.restarted, after);
        }
    }
}

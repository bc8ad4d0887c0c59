//! What the detector says of small logs, and what must not matter to it.

use proptest::prelude::*;

use super::*;
use crate::collect::KeyId;
use crate::detect::{
    attribution::Stacks,
    baseline_level::{Level, Traffic},
    trend::against_baseline,
};

fn stream(opened: i64, hold: Option<i64>, key: u32) -> Stream {
    Stream::new(
        Micros::from_secs(opened),
        hold.map(|hold| Micros::from_secs(opened + hold)),
        KeyId(key),
    )
}

fn found(streams: &[Stream], secs: i64, opens_known: bool) -> Detection {
    let (from, until) = (Micros::ZERO, Micros::from_secs(secs));
    let evidence = Evidence { streams, from, until, opens_known };
    detect(&evidence, &Settings::default())
}

/// A client that opens a stream a minute for an hour and closes none.
fn leak() -> Vec<Stream> {
    (0..60).map(|k| stream(k * 60, None, 7)).collect()
}

#[test]
fn a_leak_shows_while_its_streams_are_open_when_opens_are_logged() {
    let found = found(&leak(), 3600, true);
    assert_eq!(found.class, Class::Leak);
    let decisive = found.decisive.unwrap();
    assert_eq!(decisive.part, Part::Superseded);
    let suspects = decisive.attribution.unwrap().suspects;
    let keys: Vec<KeyId> = suspects.iter().map(|s| s.key).collect();
    assert_eq!(keys, [KeyId(7)]);
    // A stream a minute; the interval holds it.
    let (low, high) = decisive.window.test.interval(0.95);
    assert!(low < 1.0 / 60.0 && 1.0 / 60.0 < high, "{low} {high}");
}

#[test]
fn a_baseline_that_climbs_as_steeply_silences_it() {
    let streams = leak();
    let plain = found(&streams, 3600, true);
    let mut settings = Settings::default();
    let of = |part| BaselineSlope::from(&plain.headline(part).unwrap().test);
    settings.baseline.superseded = Some(of(Part::Superseded));
    settings.baseline.total = Some(of(Part::Total));
    let (from, until) = (Micros::ZERO, Micros::HOUR);
    let evidence =
        Evidence { streams: &streams, from, until, opens_known: true };
    let found = detect(&evidence, &settings);
    assert_eq!(found.class, Class::Flat);
    assert!(found.headline(Part::Superseded).unwrap().p >= 0.4);
}

#[test]
fn the_least_climb_is_the_one_whose_chance_is_the_one_accepted() {
    let found = found(&leak(), 3600, true);
    let mut window = found.headline(Part::Superseded).unwrap().clone();
    // Its line fits exactly: let it scatter.
    window.test.se = 1e-3;
    let SlopeTest { se, df, length, slices, .. } = window.test;
    let slope = |rise: f64| rise / (length * slices as f64);
    window.threshold = 0.0;
    let least = slope(window.least_climb(None));
    let flat = BaselineSlope { slope: 0.0, se: 0.0, df: f64::INFINITY };
    let base = BaselineSlope { slope: 0.003, se: 2.0 * se, df: 7.0 };
    let steeper = slope(window.least_climb(Some(&base)));
    for (slope, base) in [(least, flat), (steeper, base)] {
        let p = against_baseline(slope, se, df, &base).p;
        assert!((p / window.alpha - 1.0).abs() < 1e-6, "{p}");
    }
    window.threshold = 70.0;
    assert!((window.least_climb(Some(&base)) - 70.0).abs() < 1e-12);
}

// Three superseded streams for an hour, none in the baseline; and yet four
// streams are too few.
#[test]
fn too_few_streams_stay_too_few_however_high_their_level() {
    let streams: Vec<Stream> =
        (0..4).map(|k| stream(k - 9, None, 7)).collect();
    let (length, opens, open, hold) = (3600.0, 60, 1.0, 60.0);
    let traffic = Traffic { length, opens, open, hold };
    let mut settings = Settings::default();
    settings.baseline.level = Level::of(&[0.0; 12], 0.5, traffic);
    let (from, until) = (Micros::ZERO, Micros::HOUR);
    let evidence =
        Evidence { streams: &streams, from, until, opens_known: true };
    let few = Why::FewStreams { found: 4, needed: 5 };
    let class = detect(&evidence, &settings).class;
    assert_eq!(class, Class::Insufficient(few));
    settings.min_streams = 4;
    assert_eq!(detect(&evidence, &settings).class, Class::Stacked);
}

#[test]
fn a_log_without_answer_says_how_long_to_wait() {
    assert_eq!(
        found(&[], 3600, false).class,
        Class::Insufficient(Why::NoStreams)
    );
    let few = Why::FewStreams { found: 2, needed: 5 };
    let two = [stream(0, Some(60), 0), stream(60, Some(60), 0)];
    assert_eq!(found(&two, 3600, false).class, Class::Insufficient(few));
    // Holds of 60 s, reopened every 60 s: of 200 s, 140 can be trusted.
    let cycles: Vec<Stream> =
        (0..6).map(|k| stream(k * 60 - 200, Some(60), 0)).collect();
    let trusted = Micros::from_secs(140);
    let needed = Micros::from_secs(180);
    let why = Why::FewCycles { trusted, needed };
    assert_eq!(found(&cycles, 200, false).class, Class::Insufficient(why));
    assert_eq!(why.wait(), Some(Micros::from_secs(40)));
    let needed = Micros::from_secs(360);
    let trusted = Micros::from_secs(190);
    let why = Why::FewBins { trusted, needed };
    assert_eq!(found(&cycles, 250, false).class, Class::Insufficient(why));
}

#[test]
fn the_headline_is_the_whole_last_segment() {
    let steady: Vec<Stream> =
        (0..60).map(|k| stream(k * 60, Some(60), 0)).collect();
    let found = found(&steady, 3600, false);
    assert_eq!(found.class, Class::Cycling);
    let headline = found.headline(Part::Superseded).unwrap();
    assert!(headline.share.is_whole());
    assert_eq!(headline.until, Micros::from_secs(3540));
    assert!(found.headline(Part::Clients).is_none());
}

// More people behind one address every minute. The log is half a bin
// longer than its windows, so a window and its segment differ.
#[test]
fn parts_are_held_against_all_of_their_segment() {
    let streams: Vec<Stream> = (0..60)
        .flat_map(|k| (0..=k).map(move |n| (k, n)))
        .map(|(k, n)| stream(k * 60 + n * 37 % 50, Some(60), 0))
        .collect();
    let found = found(&streams, 3630, true);
    assert_eq!(found.class, Class::Growth);
    let timeline = Timeline::new(&streams, Micros::ZERO, Micros::HOUR);
    let all = Span { from: 0.0, until: 3630.0 };
    let all = Stacks::of(&timeline).attribute(all, 60.0).unexplained;
    let climbs = found.superseded.iter().filter(|test| test.climbs());
    let (whole, parts): (Vec<_>, Vec<_>) =
        climbs.partition(|test| test.share.is_whole());
    assert!(!whole.is_empty() && !parts.is_empty());
    for test in whole {
        let found = test.unexplained.as_ref().unwrap();
        assert!((found.segment - found.window).abs() < 1e-12);
        assert!((found.segment - all).abs() > 1e-3);
    }
    for test in parts {
        let found = test.unexplained.as_ref().unwrap();
        assert!((found.segment - all).abs() < 1e-12);
    }
}

/// What must not depend on the date, relative to the log's start.
fn essence(found: &Detection, from: Micros) -> String {
    let test = |t: &WindowTest| {
        let at = (t.from - from, t.until - from);
        format!("{} {at:?} {:?} {:?}", t.share, t.test, t.class)
    };
    let tests = found.superseded.iter().chain(&found.total);
    let tests: Vec<String> = tests.map(test).collect();
    let resets: Vec<Micros> =
        found.resets.iter().map(|reset| reset.at - from).collect();
    let why = found.decisive.as_ref().map(|d| &d.attribution);
    format!("{:?} {resets:?} {why:?} {tests:?}", found.class)
}

fn streams() -> impl Strategy<Value = Vec<Stream>> {
    let hold =
        prop_oneof![(0..900_i64).prop_map(Some), Just(Some(60)), Just(None)];
    let one = (-100..3600_i64, hold, 0..6_u32)
        .prop_map(|(opened, hold, key)| stream(opened, hold, key));
    proptest::collection::vec(one, 0..200)
}

proptest! {
    #[test]
    fn neither_date_nor_order_of_streams_matters(
        streams in streams(),
        turn in 0..200_usize,
        days in -20_000..20_000_i64,
        opens_known: bool,
    ) {
        let plain =
            essence(&found(&streams, 3600, opens_known), Micros::ZERO);
        let from = Micros::from_secs(days * 86_400);
        let mut moved: Vec<Stream> = streams
            .iter()
            .rev()
            .map(|s| Stream {
                opened: s.opened + from,
                closed: s.closed.map(|closed| closed + from),
                ..*s
            })
            .collect();
        let turn = turn % moved.len().max(1);
        moved.rotate_left(turn);
        let evidence = Evidence {
            streams: &moved,
            from,
            until: from + Micros::HOUR,
            opens_known,
        };
        let found = detect(&evidence, &Settings::default());
        prop_assert_eq!(essence(&found, from), plain);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn no_times_however_wild_make_it_panic(
        rows in proptest::collection::vec(
            (any::<i64>(), any::<Option<i64>>(), 0..3_u32), 0..40,
        ),
        from: i64,
        until: i64,
    ) {
        let streams: Vec<Stream> = rows
            .into_iter()
            .map(|(opened, closed, key)| Stream::new(Micros(opened), closed.map(|c| Micros(c.max(opened))), KeyId(key)))
            .collect();
        let evidence = Evidence {
            streams: &streams,
            from: Micros(from),
            until: Micros(until),
            opens_known: true,
        };
        detect(&evidence, &Settings::default());
    }
}

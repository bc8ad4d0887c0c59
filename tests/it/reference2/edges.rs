//! What the reference cases do not hold: open streams, several endpoints,
//! logs that say who ended a stream, and logs of nothing.

use streamleak::internal::collect::KeyId;
use streamleak::internal::detect::{
    Flagged, Judged as Detection, Log, Openings, Settings, Verdict, detect,
};
use streamleak::internal::format::EndedBy;
use streamleak::internal::streams::Stream;
use streamleak::internal::time::Micros;

/// Units from 200 on are those of another endpoint.
const ENDPOINTS: &[u32] = &{
    let mut endpoints = [0; 300];
    let mut unit = 200;
    while unit < 300 {
        endpoints[unit] = 5;
        unit += 1;
    }
    endpoints
};

fn stream(unit: u32, opened: i64, closed: Option<i64>) -> Stream {
    let closed = closed.map(Micros::from_secs);
    Stream::new(Micros::from_secs(opened), closed, KeyId(unit))
}

/// Ten clients that keep one stream each for a minute and open the next.
fn healthy(end: i64) -> Vec<Stream> {
    let one = |unit: u32, k: i64| {
        let opened = k * 64 + i64::from(unit) * 6;
        let closed = opened + 55 + (k * 7 + i64::from(unit)) % 10;
        stream(unit, opened, Some(closed))
    };
    let all =
        (0..10).flat_map(|unit| (0..end / 64).map(move |k| one(unit, k)));
    all.filter(|s| s.closed <= Some(Micros::from_secs(end))).collect()
}

/// A client that opens one every two minutes and never closes any.
fn leak(unit: u32, end: i64) -> Vec<Stream> {
    (0..end / 120).map(|k| stream(unit, k * 120 + k % 3, None)).collect()
}

fn found(streams: &[Stream], openings: Openings, shift: i64) -> Detection {
    let moved: Vec<Stream> = streams
        .iter()
        .map(|s| Stream {
            opened: s.opened + Micros(shift),
            closed: s.closed.map(|at| at + Micros(shift)),
            ..*s
        })
        .collect();
    let log = Log {
        streams: &moved,
        endpoints: ENDPOINTS,
        first: Micros(shift),
        last: Micros(shift) + Micros::from_secs(7200),
        resolution: Micros::SECOND,
        openings,
    };
    detect(&log, &Settings::default())
}

fn flagged(detection: &Detection) -> Vec<Flagged> {
    let analyses =
        detection.endpoints.iter().filter_map(|e| e.analysis.as_ref());
    analyses.flat_map(|a| a.flagged.clone()).collect()
}

#[test]
fn a_log_of_nothing_is_unknown() {
    let nothing = found(&[], Openings::Unlogged, 0);
    assert_eq!(nothing.verdict, Verdict::Unknown);
    assert!(nothing.endpoints.is_empty());
    let four = found(&healthy(7200)[..4], Openings::Unlogged, 0);
    assert_eq!(four.verdict, Verdict::Unknown);
    assert!(four.endpoints[0].analysis.is_none());
}

#[test]
fn streams_known_to_be_open_climb() {
    let mut streams = healthy(7200);
    assert_eq!(found(&streams, Openings::Logged, 0).verdict, Verdict::Flat);
    streams.extend(leak(99, 7200));
    let found = found(&streams, Openings::Logged, 0);
    assert_eq!(found.verdict, Verdict::Climbing);
    let flagged = flagged(&found);
    assert_eq!(flagged.len(), 1);
    assert_eq!(flagged[0].evidence.unit, 99);
}

#[test]
fn the_hour_of_a_log_changes_nothing() {
    let mut streams = healthy(7200);
    streams.extend(leak(99, 7200));
    let base = found(&streams, Openings::Logged, 0);
    let days = 20_000 * 86_400 * 1_000_000;
    assert_eq!(found(&streams, Openings::Logged, days), base);
    streams.reverse();
    assert_eq!(found(&streams, Openings::Logged, 0), base);
}

#[test]
fn endpoints_are_judged_apart_and_share_the_chance() {
    let mut streams = healthy(7200);
    let other = |s: Stream| Stream { key: KeyId(s.key.0 + 200), ..s };
    streams.extend(healthy(7200).into_iter().map(other));
    streams.extend(leak(99, 7200).into_iter().map(other));
    let found = found(&streams, Openings::Logged, 0);
    assert_eq!(found.verdict, Verdict::Climbing);
    let verdicts: Vec<(u32, Verdict)> =
        found.endpoints.iter().map(|e| (e.number, e.verdict)).collect();
    assert_eq!(verdicts, [(0, Verdict::Flat), (5, Verdict::Climbing)]);
    let analysis = found.endpoints[1].analysis.as_ref().expect("judged");
    let windows = analysis.climbs.len() as f64;
    assert!((analysis.climbs[0].alpha - 0.005 / windows).abs() < 1e-15);
}

/// One client whose streams, a new one each minute, all last ten minutes,
/// beside clients whose streams last one.
fn ten_minutes(ended_by: EndedBy) -> Vec<Stream> {
    let own = (0..100).map(|k| {
        // No timer's: pauses are as long as spacings.
        let opened = k * 60 + k * k * 37 % 301;
        let closed = Some(opened + 600 + k * 13 % 90);
        Stream { ended_by, ..stream(99, opened, closed) }
    });
    let mut streams = healthy(7200);
    streams.extend(own);
    streams
}

#[test]
fn a_client_that_ends_its_streams_is_late_and_one_that_is_cut_holds_on() {
    let reasons = |ended_by| {
        let found = found(&ten_minutes(ended_by), Openings::Unlogged, 0);
        flagged(&found).iter().map(|f| f.reason).collect::<Vec<_>>()
    };
    assert_eq!(reasons(EndedBy::Client), []);
    assert_eq!(reasons(EndedBy::Server), reasons(EndedBy::Unknown));
}

#[test]
fn times_at_the_ends_of_what_can_be_counted_do_not_panic() {
    let extreme = [i64::MIN, -1, 0, 1, i64::MAX];
    let streams: Vec<Stream> = extreme
        .iter()
        .flat_map(|&a| extreme.iter().map(move |&b| (a, b)))
        .map(|(a, b)| Stream {
            opened: Micros(a),
            closed: (b < i64::MAX).then_some(Micros(b)),
            ..stream((a & 1) as u32, 0, None)
        })
        .collect();
    for (first, last) in [(0, 1), (1, 0), (i64::MIN, i64::MAX)] {
        let log = Log {
            streams: &streams,
            endpoints: &[],
            first: Micros(first),
            last: Micros(last),
            resolution: Micros::ZERO,
            openings: Openings::Unlogged,
        };
        let found = detect(&log, &Settings::default());
        assert_eq!(found.endpoints[0].streams, streams.len());
    }
}

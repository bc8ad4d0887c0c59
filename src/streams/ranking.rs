//! The clients by what they leave open.

use crate::collect::KeyId;
use crate::stats::quantile;
use crate::streams::stream::Stream;
use crate::time::Micros;

/// What one client held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// The client.
    pub key: KeyId,
    /// Streams it opened or held.
    pub streams: u64,
    /// The most it had open at an instant.
    pub max_open: u64,
    /// Its mean number of superseded streams over the window.
    pub superseded: f64,
    /// Its mean number of open streams over the window.
    pub open: f64,
    /// The median time from one of its openings to the next, over all of the
    /// log; `None` with a single one.
    pub reopen: Option<Micros>,
    /// The share, 0 to 1, of its openings but the first that came while the
    /// stream it had opened just before was still open. An opening at the
    /// instant of the close is none of them. Of openings at one instant
    /// those are first that close first. `None` with a single one.
    pub overlaps: Option<f64>,
}

/// What every client held in `[from, until]`, by key; streams stand in the
/// order of [`Stream::order`].
pub fn standings(
    streams: &[Stream],
    from: Micros,
    until: Micros,
) -> Vec<Standing> {
    let keys = streams.chunk_by(|one, two| one.key == two.key);
    keys.map(|streams| standing(streams, from, until)).collect()
}

/// When a stream was closed; the end of time while it is open.
fn closed(stream: &Stream) -> Micros {
    stream.closed.unwrap_or(Micros(i64::MAX))
}

/// What the client of these streams, sorted by opening, held.
fn standing(streams: &[Stream], from: Micros, until: Micros) -> Standing {
    let length = (until - from).0.max(1) as f64;
    let part = |opened: Micros, closed: Micros| {
        (closed.min(until) - opened.max(from)).0.max(0)
    };
    let (mut held, mut covered) = (0_i128, 0_i128);
    let mut end = Micros(i64::MIN);
    for stream in streams {
        let closed = closed(stream);
        held += i128::from(part(stream.opened, closed));
        covered += i128::from(part(stream.opened.max(end), closed));
        end = end.max(closed);
    }
    Standing {
        key: streams[0].key,
        streams: streams.len() as u64,
        max_open: max_open(streams),
        superseded: (held - covered) as f64 / length,
        open: held as f64 / length,
        reopen: reopen(streams),
        overlaps: overlaps(streams),
    }
}

/// The median time from one opening to the next; streams are sorted by
/// opening.
fn reopen(streams: &[Stream]) -> Option<Micros> {
    let pairs = streams.windows(2);
    let mut gaps: Vec<Micros> =
        pairs.map(|pair| pair[1].opened - pair[0].opened).collect();
    let count = gaps.len();
    let nth = |nth: usize| gaps.select_nth_unstable(nth).1.0 as f64;
    let middle = quantile(count, 0.5, nth)?;
    Some(Micros(middle.round() as i64))
}

/// The share of the openings that the stream before saw; streams are sorted
/// by opening.
fn overlaps(streams: &[Stream]) -> Option<f64> {
    let pairs = streams.windows(2);
    let all = pairs.len();
    let seen = pairs.filter(|pair| closed(&pair[0]) > pair[1].opened);
    (all > 0).then(|| seen.count() as f64 / all as f64)
}

/// The most that were open at an instant; streams are sorted by opening.
fn max_open(streams: &[Stream]) -> u64 {
    let mut closes: Vec<Micros> =
        streams.iter().filter_map(|s| s.closed).collect();
    closes.sort_unstable();
    let mut closed = 0;
    let mut most = 0;
    for (opened, stream) in streams.iter().enumerate() {
        while closes.get(closed).is_some_and(|at| *at <= stream.opened) {
            closed += 1;
        }
        most = most.max((opened + 1).saturating_sub(closed));
    }
    most as u64
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stream(key: u32, opened: i64, closed: Option<i64>) -> Stream {
        Stream::new(Micros(opened), closed.map(Micros), KeyId(key))
    }

    #[test]
    fn each_client_is_weighed_by_what_its_own_streams_supersede() {
        let streams = [
            // One after the other.
            stream(0, 0, Some(40)),
            stream(0, 40, Some(80)),
            // Three at once, the first two superseded.
            stream(1, 0, Some(100)),
            stream(1, 10, None),
            stream(1, 20, Some(50)),
        ];
        let all = standings(&streams, Micros(0), Micros(100));
        assert_eq!(all[0].max_open, 1);
        assert!(all[0].superseded.abs() < 1e-12);
        assert!((all[0].open - 0.8).abs() < 1e-12);
        assert_eq!((all[1].streams, all[1].max_open), (3, 3));
        // 90 of the second while the first is open, 30 of the third.
        assert!((all[1].superseded - 1.2).abs() < 1e-12);
    }
    #[test]
    fn a_client_that_waits_for_the_close_does_not_overlap() {
        let streams = [
            // It opens the next one at the instant of the close, then late,
            // then early.
            stream(0, 0, Some(60)),
            stream(0, 60, Some(120)),
            stream(0, 125, Some(185)),
            stream(0, 180, Some(240)),
            // It abandons what it has.
            stream(1, 0, None),
            stream(1, 30, None),
            stream(2, 7, Some(8)),
        ];
        let all = standings(&streams, Micros(0), Micros(300));
        let told = |at: usize| (all[at].reopen, all[at].overlaps);
        assert_eq!(told(0), (Some(Micros(60)), Some(1.0 / 3.0)));
        assert_eq!(told(1), (Some(Micros(30)), Some(1.0)));
        assert_eq!(told(2), (None, None));
    }

    /// A client's streams from the definitions alone, each instant and each
    /// pair of streams looked at.
    fn by_definition(own: &[Stream], from: i64, until: i64) -> Standing {
        let open = |at: i64| {
            let covers = |s: &&Stream| s.opened.0 <= at && closed(s).0 > at;
            own.iter().filter(covers).count() as u64
        };
        let sum = |of: fn(u64) -> u64| {
            let all = (from..until).map(|at| of(open(at))).sum::<u64>();
            all as f64 / (until - from) as f64
        };
        let order = |at: usize| (own[at].opened, closed(&own[at]), at);
        let before = |at: usize| {
            let earlier = (0..own.len()).filter(|b| order(*b) < order(at));
            earlier.max_by_key(|b| order(*b)).map(|b| (own[b], own[at]))
        };
        let pairs: Vec<_> = (0..own.len()).filter_map(before).collect();
        let mut gaps: Vec<i64> =
            pairs.iter().map(|(a, b)| b.opened.0 - a.opened.0).collect();
        gaps.sort_unstable();
        let seen = pairs.iter().filter(|(a, b)| closed(a) > b.opened);
        let (n, seen) = (gaps.len(), seen.count());
        let middle = || (gaps[(n - 1) / 2] + gaps[n / 2]) as f64 / 2.0;
        Standing {
            key: own[0].key,
            streams: own.len() as u64,
            max_open: (0..100).map(open).max().unwrap_or(0),
            superseded: sum(|open| open.saturating_sub(1)),
            open: sum(|open| open),
            reopen: (n > 0).then(|| Micros(middle().round() as i64)),
            overlaps: (n > 0).then(|| seen as f64 / n as f64),
        }
    }

    proptest! {
        #[test]
        fn standings_are_what_their_definitions_say(
            rows in proptest::collection::vec(
                (0..3_u32, 0..60_i64, proptest::option::of(0..30_i64)), 0..25,
            ),
            from in 0..50_i64,
            length in 1..40_i64,
        ) {
            let of = |&(key, opened, hold): &(u32, i64, Option<i64>)| {
                stream(key, opened, hold.map(|hold| opened + hold))
            };
            let mut streams: Vec<Stream> = rows.iter().map(of).collect();
            streams.sort_by_key(Stream::order);
            let until = from + length;
            let found = standings(&streams, Micros(from), Micros(until));
            let key = |key: u32| {
                let own = streams.iter().filter(|s| s.key == KeyId(key));
                let own: Vec<Stream> = own.copied().collect();
                (!own.is_empty()).then(|| by_definition(&own, from, until))
            };
            let expected: Vec<Standing> = (0..3).filter_map(key).collect();
            prop_assert_eq!(found, expected);
        }
    }
}

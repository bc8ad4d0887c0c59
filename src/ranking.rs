//! The clients by what they leave open.

use crate::client::KeyId;
use crate::stream::Stream;
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
}

/// What every client held in `[from, until]`, by key.
pub fn standings(
    streams: &[Stream],
    from: Micros,
    until: Micros,
) -> Vec<Standing> {
    let mut sorted: Vec<&Stream> = streams.iter().collect();
    sorted.sort_by_key(|s| (s.key, s.opened));
    let keys = sorted.chunk_by(|one, two| one.key == two.key);
    keys.map(|streams| standing(streams, from, until)).collect()
}

/// What the client of these streams, sorted by opening, held.
fn standing(streams: &[&Stream], from: Micros, until: Micros) -> Standing {
    let length = (until - from).0.max(1) as f64;
    let part = |opened: Micros, closed: Micros| {
        (closed.min(until) - opened.max(from)).0.max(0)
    };
    let (mut held, mut covered) = (0_i128, 0_i128);
    let mut end = Micros(i64::MIN);
    for stream in streams {
        let closed = stream.closed.unwrap_or(Micros(i64::MAX));
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
    }
}

/// The most that were open at an instant; streams are sorted by opening.
fn max_open(streams: &[&Stream]) -> u64 {
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
    use super::*;
    use crate::format::EndedBy;

    fn stream(key: u32, opened: i64, closed: Option<i64>) -> Stream {
        Stream {
            opened: Micros(opened),
            closed: closed.map(Micros),
            key: KeyId(key),
            ended_by: EndedBy::Unknown,
        }
    }

    #[test]
    fn each_client_is_weighed_by_what_its_own_streams_supersede() {
        let streams = [
            // Three at once, the first two superseded.
            stream(1, 0, Some(100)),
            stream(1, 10, None),
            stream(1, 20, Some(50)),
            // One after the other.
            stream(0, 0, Some(40)),
            stream(0, 40, Some(80)),
        ];
        let all = standings(&streams, Micros(0), Micros(100));
        assert_eq!(all[0].max_open, 1);
        assert!(all[0].superseded.abs() < 1e-12);
        assert!((all[0].open - 0.8).abs() < 1e-12);
        assert_eq!((all[1].streams, all[1].max_open), (3, 3));
        // 90 of the second while the first is open, 30 of the third.
        assert!((all[1].superseded - 1.2).abs() < 1e-12);
    }
}

//! Holds at which streams pile up, and what the streams of a pile share.

use std::collections::BTreeSet;

use crate::collect::{Client, KeyId};
use crate::report::{count, percent};
use crate::streams::{CEILING_LEAST, Enders, Stream, pile};
use crate::time::Micros;

/// What the answers' sizes tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sizes {
    /// They are not logged.
    Unknown,
    /// No stream has ended, which is when they are logged.
    Pending,
    /// Nothing was ever sent.
    None,
    /// About so many bytes each: a head or an acknowledgement, then silence.
    Same(u32),
    /// They differ: bytes flowed.
    Vary,
}

impl Sizes {
    /// Of these streams.
    pub fn of<'a>(streams: impl Iterator<Item = &'a Stream>) -> Sizes {
        let all: Vec<Option<u32>> =
            streams.map(|stream| stream.answer.bytes()).collect();
        let mut known: Vec<u32> = all.iter().flatten().copied().collect();
        if all.is_empty() {
            return Sizes::Pending;
        }
        if known.is_empty() || known.len() * 5 < all.len() * 4 {
            return Sizes::Unknown;
        }
        known.sort_unstable();
        let at = |tenths: usize| known[(known.len() - 1) * tenths / 10];
        let (low, middle, high) = (at(1), at(5), at(9));
        match high {
            0 => Sizes::None,
            _ if high - low <= 16.max(middle / 50) => Sizes::Same(middle),
            _ => Sizes::Vary,
        }
    }

    /// Whether nothing was sent after the first moment.
    pub fn is_silent(self) -> bool {
        matches!(self, Sizes::None | Sizes::Same(_))
    }

    /// What was sent on the streams, as a clause.
    pub fn clause(self) -> String {
        match self {
            Sizes::Unknown => "their bytes are not logged".to_owned(),
            Sizes::Pending => {
                "none of them has ended: who ends them and what was sent on \
                 them is not logged yet"
                    .to_owned()
            }
            Sizes::None => "0 bytes were sent on them".to_owned(),
            Sizes::Same(bytes) => {
                format!(
                    "about {} bytes were sent on each, always as many",
                    count(bytes.into())
                )
            }
            Sizes::Vary => "the bytes sent on them differ".to_owned(),
        }
    }
}

/// Who ended some streams, as a clause.
pub fn who_ended(enders: Enders) -> String {
    if !enders.known() {
        return "the log does not tell who ended them".to_owned();
    }
    format!(
        "{} of them were ended by the client, {} by the server's side",
        percent(enders.client, enders.all()),
        percent(enders.server, enders.all())
    )
}

/// Streams that were held for the same time.
#[derive(Clone, Debug)]
pub struct Pile<'a> {
    /// The median hold.
    pub hold: Micros,
    /// The streams.
    pub streams: Vec<&'a Stream>,
}

impl Pile<'_> {
    /// What was sent on them.
    pub fn sizes(&self) -> Sizes {
        Sizes::of(self.streams.iter().copied())
    }

    /// The user agents of its clients.
    pub fn agents<'c>(&self, clients: &'c [Client]) -> BTreeSet<&'c [u8]> {
        agents(self.streams.iter().map(|s| s.key), clients)
    }
}

/// The user agents of these clients.
pub fn agents(
    keys: impl Iterator<Item = KeyId>,
    clients: &[Client],
) -> BTreeSet<&[u8]> {
    keys.map(|key| &*clients[key.0 as usize].agent).collect()
}

/// Piles that are smaller are none: this share of the streams.
const LEAST_SHARE: f64 = 0.15;
/// And so many streams.
const LEAST: usize = 5;
/// At most so many are looked for.
const MOST: usize = 3;

/// The piles of these streams, the greatest first. Holds that are 2 s or 4 %
/// apart are of one pile, as they are of one ceiling.
pub fn piles<'a>(streams: &[&'a Stream]) -> Vec<Pile<'a>> {
    let held = |s: &&'a Stream| Some((s.hold()?, *s));
    let mut holds: Vec<(Micros, &'a Stream)> =
        streams.iter().filter_map(held).collect();
    holds.sort_by_key(|(hold, _)| *hold);
    let least = (LEAST_SHARE * holds.len() as f64).ceil() as usize;
    let mut piles = Vec::new();
    while piles.len() < MOST {
        // Streams that end at once are no pile.
        let best = pile(&holds, |(hold, _)| *hold, CEILING_LEAST);
        if best.len() < least.max(LEAST) {
            break;
        }
        let hold = holds[best.start + best.len() / 2].0;
        let streams = holds.drain(best).map(|(_, stream)| stream).collect();
        piles.push(Pile { hold, streams });
    }
    piles
}

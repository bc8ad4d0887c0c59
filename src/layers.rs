//! The same streams logged twice: by a proxy and the server behind it, or in
//! two copies of one log.
//!
//! Sources that a request id joins need none of this. Without one, two
//! sources tell of the same streams when nearly every stream of the one has
//! a partner in the other that opened at the same time and was held as long,
//! and hardly any has when the one is shifted in time: on a busy log chance
//! alone finds partners, but it finds as many for any shift.

use std::collections::{BTreeMap, HashMap};

use crate::client::KeyId;
use crate::time::Micros;

/// How far apart two layers may put an opening, and how far their holds may
/// differ.
const SLACK: Micros = Micros(2_000_000);

/// How many streams must be there to tell anything.
const LEAST: usize = 5;

/// The share of them that must have a partner.
const SHARE: f64 = 0.8;

/// At most this many are looked at.
const MOST: usize = 20_000;

/// The shifts, in seconds, at which partners can only be found by chance.
const SHIFTS: [i64; 6] = [-307, -61, -17, 17, 61, 307];

/// One stream and where it was logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The number of its source.
    pub source: usize,
    /// The number of its source's format.
    pub format: usize,
    /// When it opened.
    pub opened: Option<Micros>,
    /// When it closed.
    pub closed: Option<Micros>,
    /// Whose it is.
    pub key: KeyId,
}

/// Streams of one source, by their opening.
type Source<'a> = Vec<&'a Seen>;

/// What is logged twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repeats {
    /// For each stream, whether another source tells of it.
    pub repeated: Vec<bool>,
    /// The sources left out, each with the one that is kept.
    pub sources: Vec<(usize, usize)>,
}

/// Finds the sources that tell of the streams of another once more. The one
/// with more streams is kept.
pub fn repeats(all: &[Seen]) -> Repeats {
    let mut sources: BTreeMap<usize, Source<'_>> = BTreeMap::new();
    for seen in all {
        sources.entry(seen.source).or_default().push(seen);
    }
    let mut sources: Vec<(usize, Source<'_>)> = sources.into_iter().collect();
    for (_, source) in &mut sources {
        source.sort_by_key(|seen| (seen.opened, seen.closed));
    }
    sources.sort_by_key(|(number, source)| {
        (std::cmp::Reverse(source.len()), *number)
    });
    let mut found =
        Repeats { repeated: vec![false; all.len()], sources: Vec::new() };
    let mut left_out: Vec<(usize, (Micros, Micros))> = Vec::new();
    for (at, (number, source)) in sources.iter().enumerate() {
        for (kept, other) in &sources[..at] {
            if let Some(span) = same_streams(other, source) {
                found.sources.push((*number, *kept));
                left_out.push((*number, span));
                break;
            }
        }
    }
    for (repeated, seen) in found.repeated.iter_mut().zip(all) {
        let is_out = |(source, (from, until)): &(usize, (Micros, Micros))| {
            let opened = seen.opened.or(seen.closed).unwrap_or_default();
            *source == seen.source && opened >= *from && opened <= *until
        };
        *repeated = left_out.iter().any(is_out);
    }
    found
}

/// The time in which the smaller source tells of the streams of the other.
fn same_streams(one: &[&Seen], two: &[&Seen]) -> Option<(Micros, Micros)> {
    let (first, second) = (span(one)?, span(two)?);
    let from = first.0.max(second.0) - SLACK;
    let until = first.1.min(second.1) + SLACK;
    let within = |seen: &&Seen| {
        let opened = seen.opened?;
        (opened >= from && opened <= until).then_some((opened, seen.hold()?))
    };
    let is_copy = one[0].format == two[0].format;
    let two_within: Vec<_> = two.iter().filter_map(within).collect();
    if two_within.len() < LEAST {
        return None;
    }
    let same = match is_copy {
        true => copies(one, two, (from, until)),
        false => {
            let one: Vec<_> = one.iter().filter_map(within).collect();
            layers(&one, &two_within)
        }
    };
    same.then_some((from, until))
}

/// When the first and the last of these opened.
fn span(source: &[&Seen]) -> Option<(Micros, Micros)> {
    let mut opened = source.iter().filter_map(|seen| seen.opened);
    let first = opened.next()?;
    Some((first, opened.next_back().unwrap_or(first)))
}

/// Whether nearly every stream of the second is in the first, to the
/// microsecond.
fn copies(
    one: &[&Seen],
    two: &[&Seen],
    (from, until): (Micros, Micros),
) -> bool {
    let mut known: HashMap<_, usize> = HashMap::new();
    for seen in one {
        *known.entry((seen.opened, seen.closed, seen.key)).or_default() += 1;
    }
    let within = |seen: &&&Seen| {
        seen.opened.is_some_and(|at| at >= from && at <= until)
    };
    let (mut all, mut twice) = (0, 0);
    for seen in two.iter().filter(within) {
        all += 1;
        let left = known.get_mut(&(seen.opened, seen.closed, seen.key));
        if let Some(left) = left.filter(|left| **left > 0) {
            *left -= 1;
            twice += 1;
        }
    }
    f64::from(twice) >= SHARE * f64::from(all)
}

/// Whether nearly every stream of the second has a partner in the first, and
/// not by chance.
fn layers(one: &[(Micros, Micros)], two: &[(Micros, Micros)]) -> bool {
    let two = &two[..two.len().min(MOST)];
    let share = |shift: i64| {
        let paired = paired(one, two, Micros::from_secs(shift));
        paired as f64 / two.len() as f64
    };
    let now = share(0);
    now >= SHARE && SHIFTS.iter().all(|shift| share(*shift) <= now / 2.0)
}

/// How many of the second, shifted, have a partner of their own in the
/// first. Both are sorted by their opening.
fn paired(
    one: &[(Micros, Micros)],
    two: &[(Micros, Micros)],
    shift: Micros,
) -> usize {
    let mut used = vec![false; one.len()];
    let (mut from, mut paired) = (0, 0);
    for (opened, hold) in two {
        let opened = *opened + shift;
        while one.get(from).is_some_and(|(at, _)| *at + SLACK < opened) {
            from += 1;
        }
        let near =
            one[from..].iter().take_while(|(at, _)| *at <= opened + SLACK);
        let partner = near.enumerate().position(|(n, (_, other))| {
            !used[from + n] && (*other - *hold).0.abs() <= SLACK.0
        });
        if let Some(partner) = partner {
            used[from + partner] = true;
            paired += 1;
        }
    }
    paired
}

impl Seen {
    fn hold(&self) -> Option<Micros> {
        Some(self.closed? - self.opened?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Streams every few seconds, each held for another while.
    fn source(
        number: usize,
        format: usize,
        every: i64,
        late: i64,
    ) -> Vec<Seen> {
        let one = |n: i64| {
            let opened = Micros(1_000_000 * (n * every + n * n % 7) + late);
            let hold = Micros(1_000_000 * (5 + n * 37 % 50));
            Seen {
                source: number,
                format,
                opened: Some(opened),
                closed: Some(opened + hold),
                key: KeyId((n % 3) as u32 + 10 * number as u32),
            }
        };
        (0..200).map(one).collect()
    }

    fn sources_of(all: &[Vec<Seen>]) -> Vec<(usize, usize)> {
        repeats(&all.concat()).sources
    }

    #[test]
    fn a_proxy_and_the_server_behind_it_tell_of_the_same_streams() {
        let front = source(0, 0, 9, 0);
        // The server sees the proxy's address, and opens a little later.
        let back = source(1, 1, 9, 300_000);
        assert_eq!(sources_of(&[front.clone(), back.clone()]), [(1, 0)]);
        let found = repeats(&[front, back].concat());
        assert_eq!(found.repeated.iter().filter(|twice| **twice).count(), 200);
        assert!(found.repeated[200..].iter().all(|twice| *twice));
    }

    #[test]
    fn busy_servers_that_share_nothing_are_not_taken_for_one() {
        // Ten streams open within the slack: every one finds a partner, at
        // any shift.
        let busy = |number: usize| -> Vec<Seen> {
            let mut all = source(number, number, 0, number as i64 * 700_000);
            for (n, seen) in all.iter_mut().enumerate() {
                let opened = Micros(n as i64 * 200_000);
                seen.opened = Some(opened);
                seen.closed = Some(opened + Micros::MINUTE);
            }
            all
        };
        let long = |number| {
            let one = busy(number);
            let later = |n: i64| {
                let by = Micros::from_secs(40 * n);
                one.iter().map(move |seen| Seen {
                    opened: seen.opened.map(|at| at + by),
                    closed: seen.closed.map(|at| at + by),
                    ..*seen
                })
            };
            (0..30).flat_map(later).collect::<Vec<_>>()
        };
        assert!(sources_of(&[long(0), long(1)]).is_empty());
        // Nor are two of one format whose streams differ.
        let other = source(1, 0, 9, 1);
        assert!(sources_of(&[source(0, 0, 9, 0), other]).is_empty());
    }

    #[test]
    fn a_copy_is_left_out_and_the_rest_of_its_log_is_not() {
        let log = source(0, 0, 9, 0);
        let copy: Vec<Seen> =
            log[..50].iter().map(|seen| Seen { source: 1, ..*seen }).collect();
        assert_eq!(sources_of(&[log.clone(), copy]), [(1, 0)]);
        // A later part of the log repeats only what lies in the first.
        let mut rest: Vec<Seen> = log[150..]
            .iter()
            .map(|seen| Seen { source: 1, ..*seen })
            .collect();
        for seen in &source(1, 0, 9, 0)[..100] {
            let by = Micros::from_secs(9 * 250);
            rest.push(Seen {
                opened: seen.opened.map(|at| at + by),
                closed: seen.closed.map(|at| at + by),
                ..*seen
            });
        }
        let found = repeats(&[log, rest].concat());
        assert_eq!(found.repeated.iter().filter(|twice| **twice).count(), 50);
    }

    #[test]
    fn rotated_logs_and_few_streams_tell_nothing() {
        let first = source(0, 0, 9, 0);
        let next: Vec<Seen> = source(1, 0, 9, 0)
            .into_iter()
            .map(|seen| Seen {
                opened: seen.opened.map(|at| at + Micros::HOUR),
                closed: seen.closed.map(|at| at + Micros::HOUR),
                ..seen
            })
            .collect();
        assert!(sources_of(&[first.clone(), next]).is_empty());
        let few = source(1, 1, 9, 0)[..4].to_vec();
        assert!(sources_of(&[first, few]).is_empty());
    }
}

//! The same streams logged twice: by a proxy and the server behind it, or in
//! two copies of one log.
//!
//! Sources that a request id joins need none of this. Without one, two
//! sources tell of the same streams when nearly every stream of the one has
//! a partner in the other that opened at the same time and was held as long,
//! and hardly any has when the one is shifted in time: on a busy log chance
//! alone finds partners, but it finds as many for any shift.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::timed::Timed;
use crate::collect::KeyId;
use crate::time::Micros;

/// How far apart two layers may put an opening, and how far their holds may
/// differ.
const SLACK: Micros = Micros(2_000_000);

/// How many streams must be there to tell anything.
const LEAST: usize = 5;

/// The share of them that must have a partner.
const SHARE: f64 = 0.8;

/// The share of both that two copies have in common at least, when chance
/// alone would find many.
const SAME: f64 = 0.98;

/// At most this many are looked at.
const MOST: usize = 20_000;

/// How many that opened at about the same time may be a stream's partner.
const RIVALS: usize = 1_000;

/// The shifts, in seconds, at which partners can only be found by chance.
const SHIFTS: [i64; 6] = [-307, -61, -17, 17, 61, 307];

/// Where a stream was logged: the numbers of an input and of a format in it.
pub(super) type SourceId = (usize, u16);

/// Streams of one source with their places among all, by their opening.
type Source<'a> = Vec<(usize, &'a Timed)>;

/// What is logged twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Duplicates {
    /// For each stream, whether another source tells of it.
    pub(super) repeated: Vec<bool>,
    /// The sources left out, each with the one that is kept.
    pub(super) sources: Vec<(SourceId, SourceId)>,
}

/// Finds the sources that tell of the streams of another once more. The one
/// with more streams is kept.
///
/// Of a copy only what the other has too is left out; of another layer all
/// that lies in the time both tell of.
pub(super) fn duplicates(
    all: &[Timed],
    formats: &BTreeMap<SourceId, String>,
) -> Duplicates {
    let format = |source: SourceId| formats.get(&source);
    let sources = sources(all, formats);
    let mut found =
        Duplicates { repeated: vec![false; all.len()], sources: Vec::new() };
    for (at, (number, source)) in sources.iter().enumerate() {
        for (kept, other) in &sources[..at] {
            let twice = if format(*kept) == format(*number) {
                copied(other, source)
            } else {
                layered(other, source)
            };
            if twice.is_empty() {
                continue;
            }
            for place in twice {
                found.repeated[place] = true;
            }
            let pairs = &mut found.sources;
            if pairs.last().is_none_or(|(last, _)| last != number) {
                pairs.push((*number, *kept));
            }
        }
    }
    found
}

/// The sources and their streams, those with the most first. Of two that
/// have as many it must not matter which was read first.
fn sources<'a>(
    all: &'a [Timed],
    formats: &BTreeMap<SourceId, String>,
) -> Vec<(SourceId, Source<'a>)> {
    let mut sources: BTreeMap<SourceId, Source<'_>> = BTreeMap::new();
    for (place, row) in all.iter().enumerate() {
        sources.entry(row.source).or_default().push((place, row));
    }
    let mut sources: Vec<_> = sources.into_iter().collect();
    for (_, source) in &mut sources {
        source.sort_by_key(|(_, row)| row.identity());
    }
    sources.sort_by_key(|(id, source)| {
        (Reverse(source.len()), formats.get(id), *id)
    });
    sources
}

/// The part of a source that opened in this time.
fn within<'s, 'a>(
    source: &'s [(usize, &'a Timed)],
    (from, until): (Micros, Micros),
) -> &'s [(usize, &'a Timed)] {
    let before = |at: Micros| {
        source.partition_point(|(_, seen)| seen.opened < Some(at))
    };
    let end = before(until + Micros(1));
    &source[before(from).min(end)..end]
}

/// The time in which both sources opened streams.
fn overlap(
    one: &[(usize, &Timed)],
    two: &[(usize, &Timed)],
) -> Option<(Micros, Micros)> {
    let (first, second) = (span(one)?, span(two)?);
    let from = first.0.max(second.0) - SLACK;
    let until = first.1.min(second.1) + SLACK;
    (from <= until).then_some((from, until))
}

/// When the first and the last of these opened.
fn span(source: &[(usize, &Timed)]) -> Option<(Micros, Micros)> {
    let mut opened = source.iter().filter_map(|(_, seen)| seen.opened);
    let first = opened.next()?;
    Some((first, opened.next_back().unwrap_or(first)))
}

/// The streams of the second that are in the first to the microsecond, if
/// nearly all are that opened while the first logged.
///
/// Clocks of whole seconds and holds that end at one ceiling make streams of
/// two servers look like copies of each other. By chance they would at any
/// shift, and not as many would be there on both sides.
fn copied(one: &[(usize, &Timed)], two: &[(usize, &Timed)]) -> Vec<usize> {
    let Some(span) = overlap(one, two) else { return Vec::new() };
    let (one, two) = (within(one, span), within(two, span));
    let share = |found: usize, all: usize| found as f64 / all as f64;
    let most = two.len() - (SHARE * two.len() as f64).ceil() as usize;
    let twice = common(one, two, Micros::ZERO, most);
    let now = share(twice.len(), two.len());
    if two.len() < LEAST || now < SHARE {
        return Vec::new();
    }
    let shifted = |shift: &i64| {
        let by = Micros::from_secs(*shift);
        share(common(one, two, by, two.len()).len(), two.len())
    };
    let both = share(twice.len(), one.len().max(two.len())) >= SAME;
    let chance = !both && SHIFTS.iter().any(|s| shifted(s) > now / 2.0);
    if chance { Vec::new() } else { twice }
}

/// The places of those of the second that are in the first once all are
/// shifted; it is given up when more than so many are not.
fn common(
    one: &[(usize, &Timed)],
    two: &[(usize, &Timed)],
    shift: Micros,
    most: usize,
) -> Vec<usize> {
    let (mut at, mut missed) = (0, 0);
    let mut common = Vec::new();
    for (place, seen) in two {
        let wanted = seen.shifted(shift).identity();
        let left = one[at..].iter().map(|(_, other)| other.identity());
        at += left.take_while(|other| *other < wanted).count();
        let next = one.get(at).map(|(_, other)| other.identity());
        if next == Some(wanted) {
            common.push(*place);
            at += 1;
        } else {
            missed += 1;
        }
        if missed > most {
            break;
        }
    }
    common
}

/// The streams of the second that opened while the first logged, if the
/// first is another layer that tells of nearly all of them.
fn layered(one: &[(usize, &Timed)], two: &[(usize, &Timed)]) -> Vec<usize> {
    let Some(span) = overlap(one, two) else { return Vec::new() };
    let held = |source: &[(usize, &Timed)]| -> Vec<(Micros, Micros)> {
        let held = within(source, span).iter();
        held.filter_map(|(_, s)| Some((s.opened?, s.hold()?))).collect()
    };
    let (first, second) = (held(one), held(two));
    if second.len() < LEAST || !layers(&first, &second) {
        return Vec::new();
    }
    let during = |(_, seen): &&(usize, &Timed)| {
        let at = seen.opened.or(seen.closed);
        at.is_some_and(|at| at >= span.0 && at <= span.1)
    };
    two.iter().filter(during).map(|(place, _)| *place).collect()
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
        let near = one[from..].iter().take(RIVALS);
        let near = near.take_while(|(at, _)| *at <= opened + SLACK);
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

impl Timed {
    /// What tells it from any other.
    fn identity(&self) -> (Option<Micros>, Option<Micros>, KeyId) {
        (self.opened, self.closed, self.key)
    }

    /// The same at another time.
    fn shifted(&self, by: Micros) -> Timed {
        Timed {
            opened: self.opened.map(|at| at + by),
            closed: self.closed.map(|at| at + by),
            ..*self
        }
    }

    fn hold(&self) -> Option<Micros> {
        Some(self.closed? - self.opened?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::Answer;
    use crate::format::{EndedBy, Event};

    /// A stream of a source, whose format has the number of its dialect.
    fn timed(
        source: SourceId,
        opened: Micros,
        hold: Micros,
        key: u32,
    ) -> Timed {
        Timed {
            opened: Some(opened),
            closed: Some(opened + hold),
            id: 0,
            key: KeyId(key),
            ended_by: EndedBy::Unknown,
            answer: Answer::default(),
            event: Event::Whole,
            source,
            repeats: false,
        }
    }

    /// What is repeated, and the inputs left out with those that are kept.
    fn repeats(all: &[Timed]) -> (Vec<bool>, Vec<(usize, usize)>) {
        let named = |row: &Timed| (row.source, row.source.1.to_string());
        let found = duplicates(all, &all.iter().map(named).collect());
        let inputs = found.sources.iter().map(|(out, kept)| (out.0, kept.0));
        (found.repeated, inputs.collect())
    }

    /// Streams every few seconds, each held for another while.
    fn source(
        number: usize,
        format: u16,
        every: i64,
        late: i64,
    ) -> Vec<Timed> {
        let one = |n: i64| {
            let opened = Micros(1_000_000 * (n * every + n * n % 7) + late);
            let hold = Micros(1_000_000 * (5 + n * 37 % 50));
            let key = (n % 3) as u32 + 10 * number as u32;
            timed((number, format), opened, hold, key)
        };
        (0..200).map(one).collect()
    }

    fn sources_of(all: &[Vec<Timed>]) -> Vec<(usize, usize)> {
        repeats(&all.concat()).1
    }

    #[test]
    fn a_proxy_and_the_server_behind_it_tell_of_the_same_streams() {
        let front = source(0, 0, 9, 0);
        // The server sees the proxy's address, and opens a little later.
        let back = source(1, 1, 9, 300_000);
        assert_eq!(sources_of(&[front.clone(), back.clone()]), [(1, 0)]);
        let (repeated, _) = repeats(&[front, back].concat());
        assert_eq!(repeated.iter().filter(|twice| **twice).count(), 200);
        assert!(repeated[200..].iter().all(|twice| *twice));
    }

    #[test]
    fn busy_servers_that_share_nothing_are_not_taken_for_one() {
        // Ten streams open within the slack: every one finds a partner, at
        // any shift.
        let busy = |number: usize| -> Vec<Timed> {
            let mut all =
                source(number, number as u16, 0, number as i64 * 700_000);
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
                one.iter().map(move |seen| Timed {
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
        let copy: Vec<Timed> = log[..50]
            .iter()
            .map(|seen| Timed { source: (1, 0), ..*seen })
            .collect();
        assert_eq!(sources_of(&[log.clone(), copy]), [(1, 0)]);
        // A later part of the log repeats only what lies in the first.
        let mut rest: Vec<Timed> = log[150..]
            .iter()
            .map(|seen| Timed { source: (1, 0), ..*seen })
            .collect();
        for seen in &source(1, 0, 9, 0)[..100] {
            let by = Micros::from_secs(9 * 250);
            rest.push(Timed {
                opened: seen.opened.map(|at| at + by),
                closed: seen.closed.map(|at| at + by),
                ..*seen
            });
        }
        let (repeated, _) = repeats(&[log, rest].concat());
        assert_eq!(repeated.iter().filter(|twice| **twice).count(), 50);
    }

    #[test]
    fn servers_with_coarse_clocks_and_a_ceiling_are_no_copies() {
        // Whole seconds, one client, every stream held for a minute.
        let server = |number: usize, busy: &dyn Fn(i64) -> i64| {
            let one = |second: i64| {
                let opened = Micros::from_secs(second);
                timed((number, 0), opened, Micros::MINUTE, 0)
            };
            let times = (0..1_000).flat_map(|second| {
                std::iter::repeat_n(second, busy(second) as usize)
            });
            times.map(one).collect::<Vec<Timed>>()
        };
        let first = server(0, &|second| 9 + second * 7 % 3);
        let second = server(1, &|second| 8 + second * 5 % 4);
        assert!(sources_of(&[first.clone(), second]).is_empty());
        let copy = first.iter().map(|seen| Timed { source: (1, 0), ..*seen });
        assert_eq!(sources_of(&[first.clone(), copy.collect()]), [(1, 0)]);
    }

    #[test]
    fn what_only_the_copy_has_is_kept() {
        let log = source(0, 0, 9, 0);
        let mut copy: Vec<Timed> = log[..100]
            .iter()
            .map(|seen| Timed { source: (1, 0), ..*seen })
            .collect();
        for seen in copy.iter_mut().step_by(10) {
            seen.closed = seen.closed.map(|at| at + Micros::SECOND);
        }
        let (repeated, inputs) = repeats(&[log, copy].concat());
        assert_eq!(inputs, [(1, 0)]);
        let twice: Vec<bool> =
            (0..300).map(|n| n >= 200 && n % 10 != 0).collect();
        assert_eq!(repeated, twice);
    }

    #[test]
    fn a_file_may_repeat_parts_of_two_others() {
        let log = source(0, 0, 9, 0);
        let part = |number: usize, places: std::ops::Range<usize>| {
            let part = log[places].iter();
            part.map(move |seen| Timed { source: (number, 0), ..*seen })
                .collect::<Vec<Timed>>()
        };
        let all = [part(0, 0..90), part(1, 110..200), part(2, 70..130)];
        let (repeated, _) = repeats(&all.concat());
        let twice = repeated.iter().filter(|twice| **twice).count();
        assert_eq!(twice, 40);
    }

    #[test]
    fn rotated_logs_and_few_streams_tell_nothing() {
        let first = source(0, 0, 9, 0);
        let next: Vec<Timed> = source(1, 0, 9, 0)
            .into_iter()
            .map(|seen| Timed {
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

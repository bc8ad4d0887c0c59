//! Streams that come back more than once for each that ended.
//!
//! A client whose two error handlers both reconnect opens two streams where
//! one was closed, then four; one that forgets an old connection which comes
//! back by itself gains one stream a round. Opens climb with the streams, so
//! that by Little's law they explain the rise. What tells them from people
//! who arrive is when the opens beyond one for one happen: right after an
//! end of the client's own, each time.

use std::cmp::Ordering;

use crate::collect::KeyId;
use crate::series::{Row, Timeline};
use crate::time::Micros;

/// What makes opens branch off from ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BranchRule {
    /// How soon after an end such an open comes: 5 s.
    pub soon: Micros,
    /// A clock of whole seconds puts an open up to so long before the end
    /// that it follows: 2 s.
    pub slack: Micros,
    /// Opens beyond one for each end at least: 8.
    pub least: u64,
    /// At so many different times at least: 3.
    pub times: u64,
    /// How often people who arrive at chance times may be taken for it, in a
    /// log: 0.00001. Ends come thicker where there are more streams, and so
    /// do the opens that are looked at, which the chance below leaves out.
    pub alpha: f64,
}

impl Default for BranchRule {
    fn default() -> BranchRule {
        BranchRule {
            soon: Micros::from_secs(5),
            slack: Micros::from_secs(2),
            least: 8,
            times: 3,
            alpha: 1e-5,
        }
    }
}

/// How one client's opens follow its ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Branching {
    /// The client.
    pub key: KeyId,
    /// Opens for which no stream had been closed before.
    pub surplus: u64,
    /// Those of them that came soon after an end all the same.
    pub after_end: u64,
    /// Opens soon after an end, for each end that was followed by any.
    pub children: f64,
    /// The most it had open.
    pub most: u64,
    /// At how many different times there were such opens.
    pub times: u64,
    /// At how many of them soon after an end.
    pub times_after: u64,
    /// The share of the time, 0 to 1, that lies soon after an end.
    pub covered: f64,
    /// A bound of the chance that they come soon after an end at so many of
    /// their times if they come at any.
    pub p: f64,
}

/// The clients whose streams branch, the surest first. Opens up to `until`
/// are looked at, in the timeline's time.
pub fn branchings(
    timeline: &Timeline,
    until: Micros,
    rule: &BranchRule,
) -> Vec<Branching> {
    let keys = timeline.keys();
    let all = keys.filter_map(|rows| branching(rows, until, rule));
    let mut all: Vec<Branching> = all.collect();
    let alpha = rule.alpha / all.len().max(1) as f64;
    all.retain(|found| found.p < alpha);
    all.sort_by(|a, b| a.p.total_cmp(&b.p).then(a.key.cmp(&b.key)));
    all
}

/// What these clients gained together: opens soon after an end for which no
/// stream had been closed.
pub fn gained(branchings: &[Branching]) -> u64 {
    branchings.iter().map(|branching| branching.after_end).sum()
}

/// What happens to the number of a client's streams.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Close,
    Open,
}

/// One client's, if there are enough opens to tell.
fn branching(
    rows: &[Row],
    until: Micros,
    rule: &BranchRule,
) -> Option<Branching> {
    let events = events(rows, until, rule.slack);
    // As late as opens are taken to be.
    let soon = rule.soon + rule.slack;
    let mut walk = Walk::default();
    walk.open = rows.iter().filter(|r| r.opened < Micros::ZERO).count() as u64;
    walk.most = walk.open;
    for (at, event) in &events {
        match event {
            Event::Close => walk.close(*at, soon),
            Event::Open => walk.open(*at, soon),
        }
    }
    if walk.surplus < rule.least || walk.times < rule.times {
        return None;
    }
    let span = events.last()?.0 - events.first()?.0;
    let covered = walk.covered.as_secs() / span.as_secs().max(1e-6);
    let covered = covered.clamp(1e-9, 1.0);
    let share = walk.times_after as f64 / walk.times as f64;
    Some(Branching {
        key: rows[0].key,
        surplus: walk.surplus,
        after_end: walk.after_end,
        children: walk.followers as f64 / walk.followed.max(1) as f64,
        most: walk.most,
        times: walk.times,
        times_after: walk.times_after,
        covered,
        p: tail(walk.times as f64, share, covered),
    })
}

/// Opens, taken to be so much later, and ends in order, ends first where both
/// are at one instant.
fn events(rows: &[Row], until: Micros, slack: Micros) -> Vec<(Micros, Event)> {
    let within = |at: Micros| at >= Micros::ZERO && at <= until;
    let opens = rows.iter().filter(|row| row.opened >= Micros::ZERO);
    let opens = opens.map(|row| (row.opened + slack, Event::Open));
    let ends = rows.iter().filter(|row| !row.open);
    let ends = ends.map(|row| (row.closed, Event::Close));
    let mut all: Vec<(Micros, Event)> =
        opens.chain(ends).filter(|(at, _)| within(*at)).collect();
    all.sort_unstable();
    all
}

/// One client's streams as time goes by.
#[derive(Default)]
struct Walk {
    open: u64,
    most: u64,
    /// Ends that no open has answered yet.
    unanswered: u64,
    last_end: Option<Micros>,
    /// Ends since the last open.
    ends: u64,
    /// Ends that some open came soon after.
    followed: u64,
    /// Opens soon after an end.
    followers: u64,
    surplus: u64,
    after_end: u64,
    /// At how many different times there were opens beyond one for one, and
    /// at how many of them soon after an end: opens of one moment are no
    /// more than one coincidence.
    times: u64,
    times_after: u64,
    last_surplus: Option<Micros>,
    /// How much time lies soon after an end.
    covered: Micros,
}

impl Walk {
    fn close(&mut self, at: Micros, soon: Micros) {
        let since = self.last_end.map_or(soon, |last| at - last);
        self.covered = self.covered + since.min(soon);
        if since > soon {
            self.ends = 0;
        }
        self.ends += 1;
        self.unanswered += 1;
        self.open = self.open.saturating_sub(1);
        self.last_end = Some(at);
    }

    fn open(&mut self, at: Micros, soon: Micros) {
        let after = self.last_end.is_some_and(|end| at - end <= soon);
        self.open += 1;
        self.most = self.most.max(self.open);
        if after {
            self.followers += 1;
            self.followed += std::mem::take(&mut self.ends);
        }
        match self.unanswered.cmp(&0) {
            Ordering::Greater => self.unanswered -= 1,
            _ => {
                self.surplus += 1;
                self.after_end += u64::from(after);
                let apart = soon + soon;
                let last = self.last_surplus.replace(at);
                if last.is_none_or(|last| at - last > apart) {
                    self.times += 1;
                    self.times_after += u64::from(after);
                }
            }
        }
    }
}

/// A bound of P(X ≥ share·n) for n draws of probability q, by Chernoff:
/// e^(-n·D), D the relative entropy of the two (Arratia and Gordon, Bull.
/// Math. Biol. 51, 1989); 1 where the share is not above q.
fn tail(n: f64, share: f64, q: f64) -> f64 {
    if share <= q {
        return 1.0;
    }
    let part = |a: f64, b: f64| if a > 0.0 { a * (a / b).ln() } else { 0.0 };
    let entropy = part(share, q) + part(1.0 - share, (1.0 - q).max(1e-300));
    (-n * entropy).exp()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::streams::Stream;

    fn found(streams: &[(f64, f64)], until: i64) -> Vec<Branching> {
        let one = |(opened, closed): &(f64, f64)| {
            Stream::new(
                Micros::from_secs_f64(*opened),
                Some(Micros::from_secs_f64(*closed)),
                KeyId(0),
            )
        };
        let streams: Vec<Stream> = streams.iter().map(one).collect();
        let horizon = Micros::from_secs(1_000_000);
        let timeline = Timeline::new(&streams, Micros::ZERO, horizon);
        branchings(&timeline, Micros::from_secs(until), &BranchRule::default())
    }

    /// Streams of 300 s, each of which begets so many a second later.
    fn family(children: usize) -> Vec<(f64, f64)> {
        let (mut all, mut waiting) = (Vec::new(), vec![10.0]);
        while let Some(at) = waiting.pop() {
            if at < 2_000.0 {
                all.push((at, at + 300.0));
                let late = |n: usize| at + 301.0 + n as f64 * 0.1;
                waiting.extend((0..children).map(late));
            }
        }
        all
    }

    #[test]
    fn a_family_that_doubles_branches() {
        let found = found(&family(2), 2_200);
        assert_eq!(found.len(), 1);
        assert!((found[0].children - 2.0).abs() < 0.05, "{found:?}");
        assert!(found[0].surplus >= 60, "{found:?}");
    }

    #[test]
    fn one_that_comes_back_one_for_one_does_not() {
        assert_eq!(found(&family(1), 2_200), []);
    }

    #[test]
    fn people_who_arrive_at_any_time_do_not() {
        // One more every 100 s, whose streams are cut at 60 s and come back.
        let mut all = Vec::new();
        for person in 0..40 {
            let mut at = f64::from(person) * 97.0 + 13.0;
            while at < 4_000.0 {
                all.push((at, at + 60.0));
                at += 62.0;
            }
        }
        assert_eq!(found(&all, 3_900), []);
    }

    // Expected: scipy 1.17.1, `binom.sf(s - 1, n, q)`: a bound is above it,
    // and within a factor of the square root of n.
    #[test]
    fn the_bound_is_above_the_tail_and_near_it() {
        for (n, s, q, exact) in TAILS {
            let bound = tail(n, s / n, q);
            assert!(
                bound >= exact * 0.999_999 && bound < exact * 20.0,
                "{bound} {exact}"
            );
        }
    }

    const TAILS: [(f64, f64, f64, f64); 3] = [
        (20.0, 15.0, 0.3, 4.294_002_195_359e-5),
        (35.0, 35.0, 0.25, 8.470_329_472_543e-22),
        (100.0, 30.0, 0.1, 2.445_112_239_391e-8),
    ];
}

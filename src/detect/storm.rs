//! Storms: streams that end at once and are opened again at once.
//!
//! Few are open at any instant, so no concurrency shows it; the requests
//! explode. The clients that public reports tell of come back after nothing
//! at all, after one second (the MCP SDKs) or after three (a browser's
//! `EventSource`), for hours.

use crate::collect::KeyId;
use crate::series::{Row, Timeline, union};
use crate::time::Micros;

/// What makes streams a storm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StormRule {
    /// They are held for this long at most: 2 s.
    pub held: Micros,
    /// Each is opened within this time of the one before having closed:
    /// 4.5 s, a browser's three with a clock of whole seconds on both sides,
    /// and less than a health check every five.
    pub again: Micros,
    /// So many of one client follow each other: 60.
    pub least: usize,
    /// For so long: 2 min. A client that retries a dozen times while a
    /// server starts is none.
    pub lasting: Micros,
    /// A storm that is over has lasted for this share of the log: 0.1.
    pub share: f64,
}

impl Default for StormRule {
    fn default() -> StormRule {
        StormRule {
            held: Micros::from_secs(2),
            again: Micros(4_500_000),
            least: 60,
            lasting: Micros::from_secs(120),
            share: 0.1,
        }
    }
}

/// Stream after stream of one client that ended at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storm {
    /// The client.
    pub key: KeyId,
    /// When the first was opened.
    pub from: Micros,
    /// When the last was closed.
    pub until: Micros,
    /// How many there were.
    pub streams: u64,
}

impl Storm {
    /// How long it lasted.
    pub fn lasted(&self) -> Micros {
        self.until - self.from
    }

    /// How many streams it is, a second.
    pub fn rate(&self) -> f64 {
        self.streams as f64 / self.lasted().as_secs()
    }
}

/// The storms of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Storms {
    /// Each by itself, in the order of their keys.
    pub all: Vec<Storm>,
}

impl Storms {
    /// Finds the storms of a timeline; instants are in its time.
    pub fn of(timeline: &Timeline, rule: &StormRule) -> Storms {
        let runs =
            timeline.rows().chunk_by(|one, two| follows(one, two, rule));
        Storms { all: runs.filter_map(|run| storm(run, rule)).collect() }
    }

    /// The one of the most streams.
    pub fn worst(&self) -> Option<&Storm> {
        self.all.iter().max_by_key(|storm| storm.streams)
    }

    /// How many clients have one.
    pub fn clients(&self) -> usize {
        self.all.chunk_by(|one, two| one.key == two.key).count()
    }

    /// How many streams belong to storms.
    pub fn streams(&self) -> u64 {
        self.all.iter().map(|storm| storm.streams).sum()
    }

    /// How long there was a storm of any client.
    pub fn lasted(&self) -> Micros {
        let mut spans: Vec<(Micros, Micros)> =
            self.all.iter().map(|storm| (storm.from, storm.until)).collect();
        spans.sort_unstable();
        let lengths = union(spans.into_iter()).map(|(from, to)| to - from);
        lengths.fold(Micros::ZERO, |sum, length| sum + length)
    }

    /// Whether they make the log one of a storm: one still goes on at the
    /// log's end, or they took a good part of it.
    pub fn prevail(&self, length: Micros, rule: &StormRule) -> bool {
        let goes_on =
            |storm: &Storm| storm.until + rule.again + rule.held >= length;
        let share = self.lasted().as_secs() / length.as_secs().max(1e-6);
        self.all.iter().any(goes_on) || share >= rule.share
    }
}

/// Whether both ended at once, and the second is the first opened again.
fn follows(one: &Row, two: &Row, rule: &StormRule) -> bool {
    one.key == two.key
        && at_once(one, rule)
        && at_once(two, rule)
        && two.opened - one.closed <= rule.again
}

fn at_once(row: &Row, rule: &StormRule) -> bool {
    !row.open && row.hold() <= rule.held
}

fn storm(run: &[Row], rule: &StormRule) -> Option<Storm> {
    let (first, last) = (run.first()?, run.last()?);
    let lasting = last.closed - first.opened >= rule.lasting;
    (run.len() >= rule.least && lasting).then_some(Storm {
        key: first.key,
        from: first.opened,
        until: last.closed,
        streams: run.len() as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::Answer;
    use crate::format::EndedBy;
    use crate::streams::Stream;

    /// Streams of one client, `every` milliseconds, each held for `hold`.
    fn streams(
        key: u32,
        from: i64,
        count: i64,
        every: i64,
        hold: i64,
    ) -> Vec<Stream> {
        let one = |k: i64| Stream {
            opened: Micros((from * 1000 + k * every) * 1000),
            closed: Some(Micros((from * 1000 + k * every + hold) * 1000)),
            key: KeyId(key),
            ended_by: EndedBy::Server,
            answer: Answer::default(),
        };
        (0..count).map(one).collect()
    }

    fn storms(streams: &[Stream]) -> Storms {
        let horizon = Micros::from_secs(1_000_000);
        let timeline = Timeline::new(streams, Micros::ZERO, horizon);
        Storms::of(&timeline, &StormRule::default())
    }

    #[test]
    fn a_client_that_comes_back_every_second_is_a_storm() {
        let mut all = streams(3, 100, 300, 1001, 20);
        all.extend(streams(4, 0, 40, 60_000, 59_000));
        let found = storms(&all);
        let storm = Storm {
            key: KeyId(3),
            from: Micros::from_secs(100),
            until: Micros((100_000 + 299 * 1001 + 20) * 1000),
            streams: 300,
        };
        assert_eq!(found.all, [storm]);
        assert_eq!(found.streams(), 300);
        // Of 2,400 s it took 299, and of 4,000 too little.
        let rule = StormRule::default();
        assert!(found.prevail(Micros::from_secs(2_400), &rule));
        assert!(!found.prevail(Micros::from_secs(4_000), &rule));
        // It still goes on when the log ends.
        assert!(found.prevail(Micros::from_secs(403), &rule));
    }

    #[test]
    fn a_browser_that_retries_after_three_seconds_is_one() {
        let found = storms(&streams(0, 0, 61, 4_400, 1_400));
        assert_eq!(found.all.len(), 1);
    }

    #[test]
    fn a_few_retries_long_polls_and_rare_polls_are_none() {
        for (count, every, hold) in [
            // Twenty tries within a minute, and a hundred within one.
            (20, 3_000, 100),
            (100, 600, 100),
            // Long polls, and ones answered a little later than at once.
            (500, 25_000, 25_000),
            (500, 2_100, 2_100),
            // A look every ten seconds.
            (500, 10_000, 100),
        ] {
            let found = storms(&streams(0, 0, count, every, hold));
            assert_eq!(found.all, [], "{count} every {every} ms");
        }
    }

    #[test]
    fn storms_of_several_clients_at_once_last_no_longer() {
        let mut all = streams(0, 0, 200, 1_000, 10);
        all.extend(streams(1, 50, 200, 1_000, 10));
        let found = storms(&all);
        assert_eq!(found.all.len(), 2);
        assert_eq!(found.lasted(), Micros(249_010_000));
    }

    #[test]
    fn the_worst_is_the_one_of_the_most_streams_of_any_client() {
        // Two of one client, an hour apart, and a longer one of another.
        let mut all = streams(0, 0, 200, 1_000, 1_000);
        all.extend(streams(0, 3_600, 250, 1_000, 1_000));
        all.extend(streams(1, 50, 300, 2_000, 2_000));
        let found = storms(&all);
        assert_eq!((found.all.len(), found.clients()), (3, 2));
        let worst = found.worst().unwrap();
        assert_eq!((worst.key, worst.streams), (KeyId(1), 300));
        assert_eq!(worst.lasted(), Micros::from_secs(600));
        assert!((worst.rate() - 0.5).abs() < 1e-12);
        assert_eq!(Storms::default().worst(), None);
    }
}

//! A log cut in two where a healthy stretch of it ends.

use super::Log;
use crate::streams::stream::Stream;
use crate::time::Micros;

impl Log {
    /// The streams of a stretch as they stood at its end: open if they were
    /// closed later, which a log that went on tells.
    pub fn within(&self, from: Micros, until: Micros) -> Vec<Stream> {
        let there = |stream: &&Stream| {
            stream.opened <= until && stream.closed.is_none_or(|at| at >= from)
        };
        let cut = |stream: &Stream| Stream {
            closed: stream.closed.filter(|at| *at <= until),
            ..*stream
        };
        self.streams.iter().filter(there).map(cut).collect()
    }

    /// Leaves out what was over before, as if the log began then.
    #[must_use]
    pub fn begin_at(mut self, at: Micros) -> Log {
        let later = |time: Option<Micros>| time.is_none_or(|time| time >= at);
        self.streams.retain(|stream| later(stream.closed));
        self.unheld.retain(|time| *time >= at);
        self.first = self.first.max(Some(at));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::KeyId;

    fn stream(opened: i64, closed: Option<i64>) -> Stream {
        Stream::new(Micros(opened), closed.map(Micros), KeyId(0))
    }

    #[test]
    fn a_stretch_has_what_was_open_in_it_and_its_rest_what_was_after() {
        let log = Log {
            streams: vec![
                stream(0, Some(9)),
                stream(5, Some(15)),
                stream(12, Some(30)),
                stream(18, None),
                stream(21, Some(25)),
            ],
            unheld: vec![Micros(3), Micros(22)],
            first: Some(Micros(0)),
            ..Log::default()
        };
        let within = [stream(5, Some(15)), stream(12, None), stream(18, None)];
        assert_eq!(log.within(Micros(10), Micros(20)), within);
        let log = log.begin_at(Micros(20));
        let rest =
            [stream(12, Some(30)), stream(18, None), stream(21, Some(25))];
        assert_eq!(log.streams, rest);
        assert_eq!(log.unheld, [Micros(22)]);
        assert_eq!(log.first, Some(Micros(20)));
    }
}

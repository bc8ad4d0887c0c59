//! A stream: one long-held request that the selector picked; who ended some,
//! and with which statuses they were answered.

use std::collections::BTreeMap;

use crate::collect::{Answer, KeyId};
use crate::format::EndedBy;
use crate::time::Micros;

/// One long-held request, `[opened, closed)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// When it was opened.
    pub opened: Micros,
    /// When it was closed. `None`: it is known to be open at the log's end.
    pub closed: Option<Micros>,
    /// Who it belongs to.
    pub key: KeyId,
    /// Who ended it.
    pub ended_by: EndedBy,
    /// What it was answered with.
    pub answer: Answer,
}

impl Stream {
    /// One of which no more is told.
    pub fn new(opened: Micros, closed: Option<Micros>, key: KeyId) -> Stream {
        let ended_by = EndedBy::Unknown;
        Stream { opened, closed, key, ended_by, answer: Answer::default() }
    }

    /// Its place among the streams of a log: those of a client together, in
    /// the order they were opened in, an open one behind its twins.
    pub fn order(&self) -> (KeyId, Micros, Micros) {
        (self.key, self.opened, self.closed.unwrap_or(Micros(i64::MAX)))
    }

    /// How long it was held, `None` while it is open.
    pub fn hold(&self) -> Option<Micros> {
        self.closed.map(|closed| closed - self.opened)
    }
}

/// Who ended some streams: how many of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Enders {
    /// Ended by their client.
    pub client: usize,
    /// Ended by the server or something in between.
    pub server: usize,
    /// Not told.
    pub unknown: usize,
}

impl Enders {
    /// Of these streams, those that have ended.
    pub fn of<'a>(streams: impl Iterator<Item = &'a Stream>) -> Enders {
        let mut found = Enders::default();
        for stream in streams.filter(|s| s.closed.is_some()) {
            *match stream.ended_by {
                EndedBy::Client => &mut found.client,
                EndedBy::Server => &mut found.server,
                EndedBy::Unknown => &mut found.unknown,
            } += 1;
        }
        found
    }

    /// How many have ended.
    pub fn all(self) -> usize {
        self.client + self.server + self.unknown
    }

    /// Whether the log tells it of most.
    pub fn known(self) -> bool {
        self.unknown * 2 < self.all()
    }

    /// Whether clients ended nearly all.
    pub fn clients(self) -> bool {
        self.known() && self.client * 5 >= (self.client + self.server) * 4
    }
}

/// How often each status is among the answers that tell it.
pub fn statuses<'a>(
    streams: impl Iterator<Item = &'a Stream>,
) -> BTreeMap<u16, usize> {
    let mut all = BTreeMap::new();
    for status in streams.filter_map(|stream| stream.answer.status()) {
        *all.entry(status).or_insert(0) += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_that_is_told_is_counted() {
        let stream = Stream::new(Micros::ZERO, None, KeyId(0));
        let with =
            |status| Stream { answer: Answer::new(status, None, 0), ..stream };
        let streams = [200, 503, 0, 503].map(with);
        let expected = BTreeMap::from([(200, 1), (503, 2)]);
        assert_eq!(statuses(streams.iter()), expected);
    }

    #[test]
    fn a_stream_is_small() {
        assert_eq!(size_of::<Stream>(), 40);
    }

    fn ended(ended_by: EndedBy, count: usize) -> Vec<Stream> {
        let stream = Stream::new(Micros::ZERO, Some(Micros::SECOND), KeyId(0));
        vec![Stream { ended_by, ..stream }; count]
    }

    #[test]
    fn who_ended_them_is_counted_without_the_open_ones() {
        let mut streams = ended(EndedBy::Client, 4);
        streams.extend(ended(EndedBy::Server, 1));
        streams.extend(ended(EndedBy::Unknown, 3));
        let open = Stream { closed: None, ..streams[0] };
        streams.extend([open; 9]);
        let found = Enders::of(streams.iter());
        assert_eq!(found, Enders { client: 4, server: 1, unknown: 3 });
        // Four of the five that are told, and most are.
        assert!(found.known() && found.clients());
        let more = Enders { unknown: 5, ..found };
        assert!(!more.known() && !more.clients());
        assert!(!Enders { server: 2, ..found }.clients());
    }
}

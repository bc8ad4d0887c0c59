//! What clients asked for beside streams.

use crate::collect::client::KeyId;
use crate::format::{Event, Record};

/// The requests of one client that are no streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Others {
    /// How many there were.
    pub requests: u32,
    /// How many of them had the verb `DELETE`, with which a client of MCP
    /// ends its session.
    pub deletes: u32,
}

/// The requests of one client that are no streams, as their records show
/// them: a server may write two of each request, or only of its opening what
/// it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// In records of openings.
    opened: Others,
    /// In records of whole requests.
    whole: Others,
}

impl Asked {
    /// Counts a record. A close without a path tells of no request that its
    /// opening has not told of.
    pub(super) fn note(&mut self, record: &Record<'_>) {
        let counts = match record.event {
            Event::Whole => &mut self.whole,
            Event::Open => &mut self.opened,
            Event::Close => return,
        };
        let deletes = u32::from(is_delete(record));
        counts.add(Others { requests: 1, deletes });
    }

    /// Takes other counts in.
    pub fn add(&mut self, more: Asked) {
        self.opened.add(more.opened);
        self.whole.add(more.whole);
    }

    /// How many requests that were: openings whose ends are logged too count
    /// once.
    pub fn others(self) -> Others {
        let Asked { opened, whole } = self;
        Others {
            requests: opened.requests.max(whole.requests),
            deletes: opened.deletes.max(whole.deletes),
        }
    }
}

impl Others {
    fn add(&mut self, more: Others) {
        self.requests = self.requests.saturating_add(more.requests);
        self.deletes = self.deletes.saturating_add(more.deletes);
    }
}

/// Whether a request is no stream, whatever its path: nothing is held of the
/// answer to it.
pub(super) fn is_delete(record: &Record<'_>) -> bool {
    record.method.eq_ignore_ascii_case(b"DELETE")
}

/// The entry of a client, made if it is missing.
pub(super) fn entry(asked: &mut Vec<Asked>, key: KeyId) -> &mut Asked {
    let at = key.0 as usize;
    if asked.len() <= at {
        asked.resize_with(at + 1, Asked::default);
    }
    &mut asked[at]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(records: &[(Event, &'static str)]) -> Asked {
        let mut asked = Asked::default();
        for (event, verb) in records {
            let verb = verb.as_bytes().into();
            let event = *event;
            asked.note(&Record { event, method: verb, ..Record::default() });
        }
        asked
    }

    #[test]
    fn a_request_with_a_record_of_its_opening_and_one_of_its_end_counts_once()
    {
        use Event::{Close, Open, Whole};
        for (records, requests, deletes) in [
            (&[(Whole, "GET"), (Whole, "DELETE")][..], 2, 1),
            (&[(Open, "GET"), (Whole, "GET")], 1, 0),
            (&[(Open, "DELETE"), (Close, "")], 1, 1),
            (&[(Open, "GET"), (Open, "GET"), (Whole, "GET")], 2, 0),
            (&[(Close, "")], 0, 0),
        ] {
            let others = asked(records).others();
            assert_eq!(others, Others { requests, deletes }, "{records:?}");
        }
    }

    #[test]
    fn counts_stop_where_they_would_begin_anew() {
        let mut most = Asked::default();
        most.whole.requests = u32::MAX - 1;
        for _ in 0..3 {
            most.add(asked(&[(Event::Whole, "delete")]));
        }
        let others = Others { requests: u32::MAX, deletes: 3 };
        assert_eq!(most.others(), others);
    }
}

//! What a request was answered with: ten bytes, whatever the log.

use std::hash::BuildHasher;

use crate::format::{Event, Record};

/// What is known of an answer; by default nothing.
///
/// Logs have millions of them, in rows and in streams, so that its parts
/// stand without room between them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(Rust, packed(2))]
pub struct Answer {
    /// 0 for unknown.
    status: u16,
    size: Size,
    /// Hash of the session's id, 0 without one.
    session: u32,
}

/// A count of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size(u32);

impl Size {
    const UNKNOWN: Size = Size(u32::MAX);

    /// So many bytes, or as many as can be counted: 4 GiB.
    fn of(bytes: Option<u64>) -> Size {
        let most = u64::from(u32::MAX - 1);
        bytes.map_or(Size::UNKNOWN, |bytes| Size(bytes.min(most) as u32))
    }

    fn known(self) -> Option<u32> {
        (self != Size::UNKNOWN).then_some(self.0)
    }
}

impl Default for Size {
    fn default() -> Size {
        Size::UNKNOWN
    }
}

/// What nginx's mirror of a request is answered with, and nothing that is
/// held: it has no body.
const NO_CONTENT: u16 = 204;

impl Answer {
    /// The answer of this status, 0 for unknown, with so many bytes, in the
    /// session whose id has this hash, 0 for none.
    pub fn new(status: u16, bytes: Option<u64>, session: u32) -> Answer {
        Answer { status, size: Size::of(bytes), session }
    }

    /// What a record tells of its request's answer.
    ///
    /// An opening does not tell how many bytes there will be. Where it is
    /// that of a mirrored request, its status is not the stream's either.
    pub fn of(record: &Record<'_>, hasher: &impl BuildHasher) -> Answer {
        let session = match &*record.session {
            b"" | b"-" => 0,
            id => (hasher.hash_one(id) as u32).max(1),
        };
        match (record.event, record.status) {
            (Event::Open, NO_CONTENT) => Answer::new(0, None, session),
            (Event::Open, status) => Answer::new(status, None, session),
            (_, status) => Answer::new(status, record.bytes, session),
        }
    }

    /// The HTTP status; `None` when it was not logged.
    pub fn status(self) -> Option<u16> {
        (self.status > 0).then_some(self.status)
    }

    /// Whether the request was refused: an error, and none that only says
    /// that the client had gone (nginx's 499, an AWS load balancer's 460).
    pub fn refused(self) -> bool {
        let gone = [499, 460].contains(&self.status);
        (400..600).contains(&self.status) && !gone
    }

    /// The bytes of the body that were sent, or of the whole response where
    /// only those were logged; from 4 GiB on all count alike. `None` when
    /// they were not logged.
    pub fn bytes(self) -> Option<u32> {
        self.size.known()
    }

    /// A hash of the session's id, another one each run; `None` without a
    /// session.
    pub fn session(self) -> Option<u32> {
        (self.session > 0).then_some(self.session)
    }

    /// This answer, with what it does not tell taken from another record of
    /// the same request.
    #[must_use]
    pub fn or(self, other: Answer) -> Answer {
        let size = match self.size {
            Size::UNKNOWN => other.size,
            known => known,
        };
        Answer {
            status: self.status().or(other.status()).unwrap_or(0),
            size,
            session: self.session().or(other.session()).unwrap_or(0),
        }
    }

    /// What two records of one request tell together. The one that tells of
    /// more bytes is right where they differ: it was written later, or the
    /// other one is of a request inside. It must not matter which came
    /// first.
    #[must_use]
    pub fn fuller(self, other: Answer) -> Answer {
        let rank = |a: Answer| (a.bytes(), a.status(), a.session());
        if rank(self) >= rank(other) { self.or(other) } else { other.or(self) }
    }
}

#[cfg(test)]
mod tests {
    use std::hash::RandomState;

    use super::*;

    const ALL: Answer = Answer { status: 200, size: Size(480), session: 7 };

    #[test]
    fn an_answer_is_ten_bytes() {
        assert_eq!((size_of::<Answer>(), align_of::<Answer>()), (10, 2));
    }

    #[test]
    fn what_was_not_logged_is_unknown_and_not_nought() {
        let none = Answer::default();
        let told = (none.status(), none.bytes(), none.session());
        assert_eq!(told, (None, None, None));
        assert_eq!(Answer::new(0, None, 0), none);
        let empty = Answer::new(200, Some(0), 0);
        assert_eq!((empty.status(), empty.bytes()), (Some(200), Some(0)));
    }

    #[test]
    fn bytes_beyond_four_gibibytes_are_still_known() {
        let most = Some(u32::MAX - 1);
        for (bytes, told) in [
            (u64::from(u32::MAX) - 2, Some(u32::MAX - 2)),
            (u64::from(u32::MAX), most),
            (u64::MAX, most),
        ] {
            assert_eq!(Answer::new(0, Some(bytes), 0).bytes(), told);
        }
    }

    #[test]
    fn sessions_are_told_apart_within_a_run() {
        let hasher = RandomState::new();
        let session = |id: &'static str| {
            let session = id.as_bytes().into();
            let record = Record { session, ..Record::default() };
            Answer::of(&record, &hasher).session()
        };
        assert_eq!((session(""), session("-")), (None, None));
        assert_eq!(session("s-1"), session("s-1"));
        assert!(session("s-1").is_some());
        let other = (2..9).map(|n| session(format!("s-{n}").leak()));
        assert!(other.clone().all(|other| other.is_some()));
        // Two of eight may share 32 bits, but hardly all.
        assert!(other.into_iter().any(|other| other != session("s-1")));
    }

    #[test]
    fn an_opening_tells_no_size_and_not_the_status_of_its_mirror() {
        let hasher = RandomState::new();
        let answer = |event, status| {
            let bytes = Some(9);
            let record = Record { event, status, bytes, ..Record::default() };
            let answer = Answer::of(&record, &hasher);
            (answer.status(), answer.bytes())
        };
        assert_eq!(answer(Event::Open, 200), (Some(200), None));
        assert_eq!(answer(Event::Open, 204), (None, None));
        assert_eq!(answer(Event::Whole, 204), (Some(204), Some(9)));
        assert_eq!(answer(Event::Close, 200), (Some(200), Some(9)));
    }

    #[test]
    fn gaps_are_filled_and_nothing_else() {
        let other = Answer::new(499, Some(3), 8);
        assert_eq!(ALL.or(other), ALL);
        assert_eq!(Answer::default().or(ALL), ALL);
        let end = Answer::new(0, Some(0), 0);
        assert_eq!(end.or(ALL), Answer::new(200, Some(0), 7));
        assert_eq!(Answer::new(499, None, 0).or(ALL).status(), Some(499));
    }

    #[test]
    fn of_two_the_one_with_more_bytes_tells_whatever_comes_first() {
        for (one, two, both) in [
            (Answer::new(502, Some(9), 0), ALL, ALL),
            (Answer::new(204, Some(0), 0), ALL, ALL),
            (Answer::new(499, None, 0), ALL, ALL),
            (Answer::new(0, Some(480), 0), Answer::new(200, None, 7), ALL),
            (Answer::default(), ALL, ALL),
            (
                Answer::new(200, None, 0),
                Answer::new(499, None, 0),
                Answer::new(499, None, 0),
            ),
        ] {
            assert_eq!(one.fuller(two), both);
            assert_eq!(two.fuller(one), both);
        }
    }
}

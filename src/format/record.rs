//! One entry of a log, as far as its own bytes tell it.

use std::borrow::Cow;

use crate::format::object::Broken;
use crate::time::{Clock, Micros};

/// A logged text, borrowed from the log unless an escape had to be undone.
/// Empty when it was not logged.
pub type Text<'a> = Cow<'a, [u8]>;

/// One entry of a log: what was logged of one request.
///
/// Nothing is worked out here. A bare time stays in `stamp` until something
/// decides whether it is the start or the end of the request; a time whose
/// meaning the format fixes is in `start` or `end`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record<'a> {
    /// When the request began, where the format says so.
    pub start: Option<Clock>,
    /// When it ended, where the format says so.
    pub end: Option<Clock>,
    /// A time of which the format does not tell which of the two it is.
    pub stamp: Option<Clock>,
    /// How long the request took. `None`: not logged.
    pub duration: Option<Micros>,
    /// `GET`, `POST`, and so on.
    pub method: Text<'a>,
    /// The request's target as logged: a path with its query, or a URL.
    pub target: Text<'a>,
    /// The header `Mcp-Method`.
    pub mcp_method: Text<'a>,
    /// The client's address.
    pub address: Text<'a>,
    /// The client's user agent.
    pub agent: Text<'a>,
    /// The session the client names.
    pub session: Text<'a>,
    /// What joins two records of one request.
    pub request_id: Text<'a>,
    /// What names the process that wrote it, where ids are unique only
    /// within one: a process id, a host, a container.
    pub process: Text<'a>,
    /// The status sent, 0 when none was logged.
    pub status: u16,
    /// The bytes of the response's body that were sent; of the whole
    /// response where only that is logged.
    pub bytes: Option<u64>,
    /// Who ended it, where a field tells.
    pub ended_by: EndedBy,
    /// Whether this is the whole request, its opening, or its close.
    pub event: Event,
    /// How many requests it stands for where the log is a sample of them:
    /// one in so many; 0 and 1 say that it is none.
    pub sampled: u32,
}

/// Who ended a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EndedBy {
    /// The log does not tell.
    #[default]
    Unknown,
    /// The client went away.
    Client,
    /// The server, or a proxy on its side, ended it.
    Server,
}

/// What a record is written at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Event {
    /// Written when the request has ended: all of it is known.
    #[default]
    Whole,
    /// Written when the stream opened: its end is in another record, or not
    /// written yet.
    Open,
    /// Written when the stream closed, without its path: whose it is, the
    /// opening of the same request id tells.
    Close,
}

/// What was read of a record, or why it could not be.
pub type Parsed<T> = Result<T, Reject>;

/// Why a record could not be read, and where in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reject {
    /// What was wrong, for the counts.
    pub reason: Reason,
    /// The byte of the record at which reading stopped, from 0.
    pub at: usize,
    /// What stood there in a good record, in a few words.
    pub expected: &'static str,
}

impl Reject {
    /// A record of another shape.
    pub fn shape(at: usize, expected: &'static str) -> Reject {
        Reject { reason: Reason::Shape, at, expected }
    }

    /// A time that cannot be read.
    pub fn time(at: usize, expected: &'static str) -> Reject {
        Reject { reason: Reason::Time, at, expected }
    }

    /// A duration that cannot be read.
    pub fn duration(at: usize, expected: &'static str) -> Reject {
        Reject { reason: Reason::Duration, at, expected }
    }
}

impl From<Broken> for Reject {
    fn from(broken: Broken) -> Reject {
        Reject::shape(broken.at, broken.expected)
    }
}

/// The reasons a record is rejected for, each counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// It has not the shape of its format.
    Shape,
    /// Its time cannot be read.
    Time,
    /// Its duration cannot be read, or is negative.
    Duration,
    /// It is longer than [`crate::input::LONGEST`].
    Long,
}

/// The longest request a record is believed to tell of: ten years.
const LONGEST_DURATION: Micros = Micros(10 * 366 * 86_400 * 1_000_000);

impl<'a> Record<'a> {
    /// Whether any time was logged.
    pub fn has_time(&self) -> bool {
        self.start.or(self.end).or(self.stamp).is_some()
    }

    /// Keeps the finer of two clocks for the start.
    pub fn offer_start(&mut self, clock: Clock) {
        finer(&mut self.start, clock);
    }

    /// Keeps the finer of two clocks for the end.
    pub fn offer_end(&mut self, clock: Clock) {
        finer(&mut self.end, clock);
    }

    /// Keeps the finer of two clocks of undecided meaning.
    pub fn offer_stamp(&mut self, clock: Clock) {
        finer(&mut self.stamp, clock);
    }

    /// Keeps a duration if it can be true.
    ///
    /// # Errors
    ///
    /// [`Reason::Duration`] when it is negative or longer than ten years.
    pub fn offer_duration(
        &mut self,
        duration: Micros,
        at: usize,
    ) -> Parsed<()> {
        if duration < Micros::ZERO || duration > LONGEST_DURATION {
            return Err(Reject::duration(at, "a duration below ten years"));
        }
        self.duration = Some(duration);
        Ok(())
    }

    /// Takes the status 499 for what nginx and Traefik mean by it: the client
    /// left before anything was sent to it. Once a byte was sent the status
    /// is the response's own and tells nothing.
    #[inline]
    pub fn mind_status(&mut self) {
        if self.status == 499 && self.ended_by == EndedBy::Unknown {
            self.ended_by = EndedBy::Client;
        }
    }

    /// Splits a request line, `GET /path HTTP/1.1`, into method and target. A
    /// target with blanks in it, which some servers log as they came, is
    /// kept whole.
    pub fn set_request(&mut self, request: Text<'a>) {
        let blank = memchr::memchr(b' ', &request);
        let Some(blank) = blank.filter(|_| request[0].is_ascii_uppercase())
        else {
            self.target = request;
            return;
        };
        let tail = &request[blank + 1..];
        let proto = memchr::memrchr(b' ', tail)
            .filter(|&at| tail[at + 1..].starts_with(b"HTTP/"));
        let end = blank + 1 + proto.unwrap_or(tail.len());
        let (method, target) = (0..blank, blank + 1..end);
        match request {
            Cow::Borrowed(bytes) => {
                self.method = Cow::Borrowed(&bytes[method]);
                self.target = Cow::Borrowed(&bytes[target]);
            }
            Cow::Owned(bytes) => {
                self.method = Cow::Owned(bytes[method].to_vec());
                self.target = Cow::Owned(bytes[target].to_vec());
            }
        }
    }
}

/// Takes the clock unless the one there is at least as fine.
fn finer(slot: &mut Option<Clock>, clock: Clock) {
    if slot.is_none_or(|there| clock.grain < there.grain) {
        *slot = Some(clock);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &'static str) -> (String, String) {
        let mut record = Record::default();
        record.set_request(text.as_bytes().into());
        let mut owned = Record::default();
        owned.set_request(text.as_bytes().to_vec().into());
        assert_eq!(record, owned, "borrowed or not");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (text(&record.method), text(&record.target))
    }

    #[test]
    fn a_request_line_is_split_where_a_server_would() {
        for (line, method, target) in [
            ("GET /a?b HTTP/1.1", "GET", "/a?b"),
            ("GET /a b c HTTP/1.1", "GET", "/a b c"),
            ("GET /a", "GET", "/a"),
            ("GET http://h/a HTTP/2.0", "GET", "http://h/a"),
            ("", "", ""),
            ("-", "", "-"),
            ("\\x16\\x03\\x01", "", "\\x16\\x03\\x01"),
            ("/a b", "", "/a b"),
        ] {
            let got = request(line);
            assert_eq!(got, (method.to_owned(), target.to_owned()), "{line}");
        }
    }

    #[test]
    fn of_two_clocks_the_finer_is_kept_whatever_comes_first() {
        let fine = Clock { at: Micros(1_500), grain: Micros(1) };
        let coarse = Clock { at: Micros::ZERO, grain: Micros::SECOND };
        for [one, two] in [[fine, coarse], [coarse, fine]] {
            let mut record = Record::default();
            record.offer_end(one);
            record.offer_end(two);
            assert_eq!(record.end, Some(fine));
        }
    }

    #[test]
    fn a_hold_that_cannot_be_true_is_refused() {
        let mut record = Record::default();
        let refused = record.offer_duration(Micros(-1), 7).unwrap_err();
        assert_eq!((refused.reason, refused.at), (Reason::Duration, 7));
        assert!(record.offer_duration(Micros(i64::MAX), 0).is_err());
        assert_eq!(record.duration, None);
        assert!(record.offer_duration(Micros::ZERO, 0).is_ok());
    }
}

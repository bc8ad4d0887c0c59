//! Rows whose times are read, and what two of them have to do with each
//! other.

use crate::collect::{Answer, KeyId, Row, When};
use crate::format::{EndedBy, Event};
use crate::time::Micros;

/// How far apart two records of one request may put the same instant.
const SLACK: Micros = Micros(2_000_000);

/// A row whose times are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timed {
    pub(super) opened: Option<Micros>,
    pub(super) closed: Option<Micros>,
    pub(super) id: u64,
    pub(super) key: KeyId,
    pub(super) ended_by: EndedBy,
    pub(super) answer: Answer,
    /// What it was written at.
    pub(super) event: Event,
    /// Its input and its format there.
    pub(super) source: (usize, u16),
    /// Whether its server writes once more of a stream its client ended.
    pub(super) repeats: bool,
}

impl Timed {
    /// A row of this key, `when` being its time once read.
    ///
    /// An opening tells no more than a start where its end would not be
    /// logged, or where nothing could join the two.
    pub(super) fn of(
        row: Row,
        when: When,
        key: KeyId,
        believed: bool,
    ) -> Timed {
        let (opened, closed) = match when {
            When::Held(end, hold) => (Some(end - hold), Some(end)),
            When::Ended(end) => (None, Some(end)),
            When::Began(start) | When::Opened(start) => (Some(start), None),
            // Both are read by now.
            When::Stamped(at, _) | When::Seen(at) => (None, Some(at)),
        };
        let event = match when {
            When::Opened(_) if believed && row.id != 0 => Event::Open,
            _ if row.is_close => Event::Close,
            _ => Event::Whole,
        };
        let Row { id, ended_by, answer, .. } = row;
        let source = (0, 0);
        Timed {
            opened,
            closed,
            id,
            key,
            ended_by,
            answer,
            event,
            source,
            repeats: false,
        }
    }

    /// Takes from its opening what this end does not tell.
    pub(super) fn take_opening(&mut self, open: &Timed) {
        if self.event == Event::Close {
            (self.key, self.event) = (open.key, Event::Whole);
            self.opened = None;
        }
        self.opened = self.opened.or(open.opened);
        self.answer = self.answer.or(open.answer);
    }

    /// Whether another row tells of the same request once more; `exactly`
    /// asks for the same times, not just close ones.
    pub(super) fn repeats(&self, other: &Timed, exactly: bool) -> bool {
        let same =
            |one, two| if exactly { one == two } else { near(one, two) };
        self.key == other.key
            && same(self.opened, other.opened)
            && same(self.closed, other.closed)
    }

    /// Whether the client ended one of two records of a stream whose server
    /// writes a second one when its application notices.
    pub(super) fn is_noticed_by(&self, other: &Timed) -> bool {
        let client = |row: &Timed| row.ended_by == EndedBy::Client;
        self.repeats
            && other.repeats
            && self.key == other.key
            && near(self.opened, other.opened)
            && client(self) != client(other)
    }

    /// Who ended it, so that who tells comes before who does not.
    pub(super) fn ender(&self) -> u8 {
        match self.ended_by {
            EndedBy::Client => 0,
            EndedBy::Server => 1,
            EndedBy::Unknown => 2,
        }
    }

    /// The earliest that is known of it.
    pub(super) fn seen(&self) -> Option<Micros> {
        self.opened.or(self.closed)
    }

    /// Whether a request was opened, or had ended, too early for this
    /// opening to be its own.
    pub(super) fn is_before(&self, open: &Timed) -> bool {
        match (self.opened, self.closed, open.opened) {
            (Some(there), _, Some(here)) => there + SLACK < here,
            (None, Some(closed), Some(here)) => closed < here,
            _ => false,
        }
    }

    /// Whether this opening is the one of that request.
    pub(super) fn opens(&self, end: &Timed) -> bool {
        match (self.opened, end.opened) {
            (Some(_), Some(_)) => near(self.opened, end.opened),
            (Some(opened), None) => end.closed.is_none_or(|c| c >= opened),
            (None, _) => false,
        }
    }
}

/// Whether two instants may be the same one.
pub(super) fn near(one: Option<Micros>, two: Option<Micros>) -> bool {
    match (one, two) {
        (Some(one), Some(two)) => Micros((one - two).0.abs()) <= SLACK,
        (one, two) => one == two,
    }
}

//! The server's ledger: each request it answered, which streams are open,
//! and how many. One lock, so that a count and the log can never differ.

use std::collections::BTreeMap;
use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Habit;
use super::clock::Clock;
use super::mcp::Asked;
use super::server::MOST_OPEN;
use super::wire::Request;
use crate::format::EndedBy;
use crate::time::Micros;

/// The most requests of one run: some 100 MB of logs.
pub const MOST: usize = 200_000;

/// A request the server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When it came.
    pub opened: Micros,
    /// When it was over; `None` for a stream open at the end of the run.
    pub closed: Option<Micros>,
    /// Who ended it.
    pub ended_by: EndedBy,
    /// Whether it asked for a stream; one that was refused was over at once.
    pub stream: bool,
    /// The habit of its client, if it is one of the run's.
    pub habit: Option<Habit>,
    /// Its HTTP method.
    pub verb: String,
    /// Its target.
    pub path: String,
    /// The status it was answered with.
    pub status: u16,
    /// Bytes of its body.
    pub bytes: u64,
    /// Its user agent.
    pub agent: String,
    /// Its `Mcp-Method`.
    pub mcp_method: String,
    /// Its `Mcp-Session-Id`.
    pub session: String,
}

/// How many streams were open at an instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The instant.
    pub at: Micros,
    /// All of them.
    pub open: u64,
    /// Those of the clients of each habit, in the order of [`Habit::ALL`].
    pub by_habit: [u64; 3],
}

impl Sample {
    /// The streams of the clients of one habit.
    pub fn of(&self, habit: Habit) -> u64 {
        self.by_habit[habit as usize]
    }

    /// The streams of clients that are none of the run's.
    pub fn others(&self) -> u64 {
        self.open - self.by_habit.iter().sum::<u64>()
    }
}

/// What was asked for and did not come to be, so that a run shows the limits
/// of the simulation and not only what it simulates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lacking {
    /// Requests refused because [`MOST_OPEN`] streams were open, or
    /// [`MOST`] requests were made; connections for which there was no room
    /// or no thread.
    pub refused: u64,
    /// When the first was.
    pub refused_from: Option<Micros>,
    /// Streams that could not be asked for, or whose answer did not come.
    pub failed: u64,
    /// Why the first could not.
    pub reason: String,
}

/// The ledger, as threads share it.
pub(super) struct Ledger {
    clock: Clock,
    book: Mutex<Book>,
}

#[derive(Default)]
struct Book {
    entries: Vec<Entry>,
    /// The streams that are open, by their place among the entries.
    open: BTreeMap<usize, Open>,
    lacking: Lacking,
    /// When it was closed; nothing is entered any more.
    ended: Option<Micros>,
}

/// A stream that is open.
struct Open {
    owner: String,
    socket: Arc<TcpStream>,
}

impl Ledger {
    /// An empty one; its clock starts.
    pub(super) fn new() -> Ledger {
        Ledger { clock: Clock::start(), book: Mutex::default() }
    }

    /// The clock of the run.
    pub(super) fn clock(&self) -> Clock {
        self.clock
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a stream as opened and gives its number; with `alone` its
    /// owner's others are closed first. `None` when there is no room, or
    /// when the run is over.
    pub(super) fn open(
        &self,
        request: &Request,
        socket: &Arc<TcpStream>,
        alone: bool,
    ) -> Option<usize> {
        let mut book = self.book();
        let now = self.clock.now();
        if book.ended.is_some() {
            return None;
        }
        if alone {
            book.close_all_of(request.owner(), now);
        }
        let number = book.entries.len();
        if number >= MOST || book.open.len() >= MOST_OPEN {
            book.refuse(now);
            return None;
        }
        book.entries.push(entry(request, now));
        let owner = request.owner().to_owned();
        let socket = Arc::clone(socket);
        book.open.insert(number, Open { owner, socket });
        Some(number)
    }

    /// So many more bytes of a stream were written.
    pub(super) fn wrote(&self, number: usize, bytes: u64) {
        self.book().entries[number].bytes += bytes;
    }

    /// Enters a stream as closed, unless it is already.
    pub(super) fn close(&self, number: usize, by: EndedBy) {
        let mut book = self.book();
        let now = self.clock.now();
        if book.ended.is_none() && book.open.remove(&number).is_some() {
            book.close(number, by, now);
        }
    }

    /// Enters a request that was answered at once.
    pub(super) fn note(&self, request: &Request, status: u16, bytes: u64) {
        let mut book = self.book();
        let now = self.clock.now();
        if book.ended.is_none() && book.entries.len() < MOST {
            let entry = entry(request, now);
            let closed = Some(now);
            book.entries.push(Entry { closed, status, bytes, ..entry });
        }
    }

    /// Counts a connection that was turned away.
    pub(super) fn refuse(&self) {
        let now = self.clock.now();
        self.book().refuse(now);
    }

    /// Counts a stream that a client could not open.
    pub(super) fn fail(&self, error: &io::Error) {
        let mut book = self.book();
        if book.ended.is_none() {
            if book.lacking.failed == 0 {
                book.lacking.reason = error.to_string();
            }
            book.lacking.failed += 1;
        }
    }

    /// Counts what is open now.
    pub(super) fn sample(&self) -> Sample {
        let book = self.book();
        let at = self.clock.now();
        let of = |habit| {
            let open = book.open.keys();
            let habits = open.map(|&number| book.entries[number].habit);
            habits.filter(|each| *each == Some(habit)).count() as u64
        };
        let by_habit = Habit::ALL.map(of);
        Sample { at, open: book.open.len() as u64, by_habit }
    }

    /// Closes the ledger, then every connection. What was open stays so.
    pub(super) fn hang_up(&self) {
        let mut book = self.book();
        book.ended = Some(self.clock.now());
        for open in book.open.values() {
            // The peer may be gone already.
            let _gone = open.socket.shutdown(Shutdown::Both);
        }
    }

    /// The entries, when it was closed, and what is lacking.
    pub(super) fn finish(self) -> (Vec<Entry>, Micros, Lacking) {
        let book = self.book.into_inner();
        let book = book.unwrap_or_else(PoisonError::into_inner);
        let until = book.ended.unwrap_or_else(|| self.clock.now());
        (book.entries, until, book.lacking)
    }
}

impl Book {
    fn refuse(&mut self, now: Micros) {
        if self.ended.is_none() {
            self.lacking.refused += 1;
            self.lacking.refused_from.get_or_insert(now);
        }
    }

    /// Closes all streams of one owner.
    fn close_all_of(&mut self, owner: &str, now: Micros) {
        let of = |(number, open): (&usize, &Open)| {
            (open.owner == owner).then_some(*number)
        };
        let numbers: Vec<usize> = self.open.iter().filter_map(of).collect();
        for number in numbers {
            self.close(number, EndedBy::Server, now);
            if let Some(open) = self.open.remove(&number) {
                // Its thread wakes up and leaves; the peer may have already.
                let _gone = open.socket.shutdown(Shutdown::Both);
            }
        }
    }

    fn close(&mut self, number: usize, by: EndedBy, now: Micros) {
        let entry = &mut self.entries[number];
        entry.closed = Some(now);
        entry.ended_by = by;
    }
}

/// A request as it comes.
fn entry(request: &Request, now: Micros) -> Entry {
    Entry {
        opened: now,
        closed: None,
        ended_by: EndedBy::Server,
        stream: request.asked() == Asked::Listen,
        habit: request.habit(),
        verb: request.verb.clone(),
        path: request.path.clone(),
        status: 200,
        bytes: 0,
        agent: request.agent.clone(),
        mcp_method: request.mcp_method.clone(),
        session: request.session.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_end_of_a_run_breaks_off_is_not_lacking() {
        let ledger = Ledger::new();
        ledger.refuse();
        ledger.hang_up();
        ledger.refuse();
        ledger.fail(&io::ErrorKind::UnexpectedEof.into());
        ledger.note(&Request::default(), 200, 0);
        let (entries, _, lacking) = ledger.finish();
        assert_eq!((lacking.refused, lacking.failed), (1, 0));
        assert_eq!(entries, []);
    }
}

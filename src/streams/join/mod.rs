//! Rows made streams: times read, openings joined to their ends, what was
//! logged twice counted once.

mod astray;
mod believed;
mod others;
mod stretch;
mod timed;
mod times;

use std::collections::{BTreeSet, HashSet};
use std::ops::RangeInclusive;

use crate::collect::{
    Client, Clients, Found, Harvest, Marked, Others, Selector,
};
use crate::format::{EndedBy, Event};
use crate::streams::{
    duplicates::{self, Seen},
    stream::Stream,
};
use crate::time::Micros;

pub use astray::Astray;
use timed::{Timed, near};
pub use times::{InputTimes, reading, unit_of};
use times::{Orders, least};

/// What the user says of times and holds.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// What bare times mark.
    pub marked: Option<Marked>,
    /// The hold of streams whose hold is not logged.
    pub assumed_hold: Option<Micros>,
    /// Records written before this are left out.
    pub since: Option<Micros>,
    /// Records written after this are left out.
    pub until: Option<Micros>,
}

/// The streams of all inputs.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// The streams, sorted by key, opening and closing.
    pub streams: Vec<Stream>,
    /// Their clients, sorted; a stream's key is an index into it.
    pub clients: Vec<Client>,
    /// What each of these clients asked for beside streams; empty until
    /// [`Log::count_others`] is called.
    pub other: Vec<Others>,
    /// When the first record was written, stream or not.
    pub first: Option<Micros>,
    /// When the last one was.
    pub last: Option<Micros>,
    /// Per input, how its bare times are read, and when its first and last
    /// records were written.
    pub inputs: Vec<InputTimes>,
    /// Whether openings are logged too, so that streams still open are
    /// known.
    pub opens_known: bool,
    /// Streams of which only one end is logged: when that was.
    pub unheld: Vec<Micros>,
    /// Records of a request that another record told of already.
    pub repeated: u64,
    /// Streams left out because they were held too briefly.
    pub brief: u64,
    /// Streams whose hold was assumed.
    pub assumed: u64,
    /// Openings whose end a restart kept from being logged.
    pub lost: u64,
    /// Records left out because they are dated far from the others.
    pub astray: Vec<Astray>,
    /// What tells of another's streams once more, each with that one: the
    /// numbers of an input and of a dialect in it.
    pub layered: Vec<[(usize, u16); 2]>,
}

impl Log {
    /// The streams of what was harvested.
    pub fn join(
        harvests: &mut [Harvest],
        selector: &Selector,
        given: Given,
    ) -> Log {
        let mut log = Log::default();
        let mut clients = Clients::default();
        let mut rows = Vec::new();
        let believed = believed::believed(harvests);
        let orders = Orders::of(harvests);
        for (input, Harvest { found, .. }) in harvests.iter_mut().enumerate() {
            let mut times = InputTimes::of(found, given, &orders);
            let own = std::mem::take(&mut found.rows);
            let plausible = times.plausible(found, &own);
            let keys = clients.absorb(&found.clients);
            log.note_ends(input, found, &mut times, &plausible);
            for row in own {
                let when = times.read(row.dialect, row.when.into());
                let written = when.written();
                if !plausible.contains(&written) {
                    log.leave_out(input, written, 1);
                    continue;
                }
                times.note(written);
                if given.covers(written) {
                    let key = keys[row.key.0 as usize];
                    let source = (input, row.dialect);
                    let dialect = usize::from(row.dialect);
                    let known = believed[input][dialect];
                    let format = &found.dialects[dialect].format;
                    let repeats = format.repeats_aborts();
                    let timed = Timed::of(row, when, key, known);
                    rows.push(Timed { source, repeats, ..timed });
                }
            }
            log.span(times.first, times.last);
            log.inputs.push(times);
        }
        let (known, new) = clients.sorted();
        log.clients = known;
        for row in &mut rows {
            row.key = new[row.key.0 as usize];
        }
        log.first = log.first.max(given.since).or(log.first);
        log.last = least(log.last, given.until);
        drop_closes(&mut rows);
        log.drop_layers(&mut rows, harvests);
        log.join_rows(rows, selector, given);
        log.begin_with_holds();
        log
    }

    /// Notes when the first and last records of an input's chunks were
    /// written, selected or not.
    fn note_ends(
        &mut self,
        input: usize,
        found: &Found,
        times: &mut InputTimes,
        plausible: &RangeInclusive<Micros>,
    ) {
        for (dialect, end) in &found.ends {
            let at = times.read(*dialect, *end).written();
            match plausible.contains(&at) {
                true => times.note(at),
                false => self.leave_out(input, at, 0),
            }
        }
    }

    /// Leaves out what is dated far from all others of its input.
    fn leave_out(&mut self, input: usize, at: Micros, streams: u64) {
        match self.astray.last_mut().filter(|last| last.input == input) {
            None => self.astray.push(Astray::new(input, at, streams)),
            Some(known) => known.add(at, streams),
        }
    }

    /// Closes the streams that were open at a restart and whose end was
    /// never logged; says how many.
    pub fn close_lost(&mut self, restart: Micros) -> u64 {
        let lost = self
            .streams
            .iter_mut()
            .filter(|s| s.closed.is_none() && s.opened < restart);
        for stream in lost {
            stream.closed = Some(restart);
            self.lost += 1;
        }
        self.lost
    }

    /// Leaves out what one source tells of another's streams once more.
    fn drop_layers(&mut self, rows: &mut Vec<Timed>, harvests: &[Harvest]) {
        let dialects = harvests.iter().enumerate().flat_map(|(input, h)| {
            let names = h.found.dialects.iter().map(|d| d.format.name());
            names.enumerate().map(move |(n, name)| ((input, n as u16), name))
        });
        let (sources, names): (Vec<_>, Vec<String>) = dialects.unzip();
        if sources.len() < 2 {
            return;
        }
        let by_name: BTreeSet<&String> = names.iter().collect();
        let number = |name| by_name.iter().position(|other| *other == name);
        let formats: Vec<Option<usize>> = names.iter().map(number).collect();
        let seen = |row: &Timed| {
            let source = sources.binary_search(&row.source).unwrap_or(0);
            Seen {
                source,
                format: formats[source].unwrap_or(source),
                opened: row.opened,
                closed: row.closed,
                key: row.key,
            }
        };
        let seen: Vec<Seen> = rows.iter().map(seen).collect();
        let found = duplicates::repeats(&seen);
        let mut repeated = found.repeated.iter();
        rows.retain(|_| repeated.next() != Some(&true));
        self.repeated += found.repeated.iter().filter(|r| **r).count() as u64;
        let pairs = found.sources.iter();
        self.layered.extend(pairs.map(|(a, b)| [sources[*a], sources[*b]]));
    }

    /// A log that began without holds can be judged from where it logs them:
    /// before that its series would show that nothing was open.
    fn begin_with_holds(&mut self) {
        let closes = self.streams.iter().filter_map(|s| s.closed);
        if let (Some(held), Some(last)) = (closes.min(), self.unheld.last())
            && *last < held
        {
            self.first = self.first.max(Some(*last));
        }
    }

    /// Widens the log's span.
    fn span(&mut self, first: Option<Micros>, last: Option<Micros>) {
        self.first = least(self.first, first);
        self.last = self.last.max(last);
    }

    /// Joins the rows on their ids.
    fn join_rows(
        &mut self,
        mut rows: Vec<Timed>,
        selector: &Selector,
        given: Given,
    ) {
        if rows.iter().any(|row| row.id != 0) {
            rows.sort_unstable_by_key(|row| {
                let times = (row.opened, row.closed);
                (row.id, row.key, times, row.ender(), row.source)
            });
        }
        let is_open = |row: &&Timed| row.event == Event::Open;
        let first_open = rows.iter().filter(is_open).filter_map(Timed::seen);
        let first_open = first_open.min();
        let mut joined = 0;
        let mut from = 0;
        while from < rows.len() {
            let until = match rows[from].id {
                0 => from + 1,
                id => from + rows[from..].partition_point(|row| row.id == id),
            };
            joined += self.join_group(&rows[from..until], selector, given);
            from = until;
        }
        self.know_opens(first_open, joined);
        self.streams.sort_unstable_by_key(|s| (s.key, s.opened, s.closed));
        self.unheld.sort_unstable();
    }

    /// Whether openings are logged, so that a stream without an end is open:
    /// a few strays do not make a log of openings, and without one their
    /// streams are of unknown length.
    fn know_opens(&mut self, first_open: Option<Micros>, joined: usize) {
        let Some(first_open) = first_open else { return };
        let ended = |s: &&Stream| s.closed.is_some() && s.opened >= first_open;
        let whole = self.streams.iter().filter(ended).count();
        self.opens_known = joined * 10 >= whole * 9;
        if !self.opens_known {
            let open = self.streams.extract_if(.., |s| s.closed.is_none());
            self.unheld.extend(open.map(|stream| stream.opened));
        }
    }

    /// Joins rows that carry one request id, or a single row without one;
    /// says how many openings found their end.
    fn join_group(
        &mut self,
        group: &[Timed],
        selector: &Selector,
        given: Given,
    ) -> usize {
        if let [row] = group {
            self.add(row, selector, given);
            return 0;
        }
        let (mut opens, ends): (Vec<Timed>, Vec<Timed>) =
            group.iter().partition(|row| row.event == Event::Open);
        let mut ends = self.distinct(ends);
        opens = self.distinct(opens);
        opens.sort_unstable_by_key(|row| row.opened);
        ends.sort_unstable_by_key(|row| (row.seen(), row.closed));
        let (mut joined, mut next) = (0, 0);
        for open in &opens {
            while ends.get(next).is_some_and(|end| end.is_before(open)) {
                next += 1;
            }
            match ends.get_mut(next) {
                Some(end) if open.opens(end) => {
                    end.take_opening(open);
                    (joined, next) = (joined + 1, next + 1);
                }
                _ => self.add(open, selector, given),
            }
        }
        for end in &ends {
            self.add(end, selector, given);
        }
        joined
    }

    /// Rows of one id, sorted by key and opening, without those that tell of
    /// a request once more. An id that several requests carry, as clients
    /// that name their own may do, says nothing of two that only come close.
    fn distinct(&mut self, rows: Vec<Timed>) -> Vec<Timed> {
        let first = rows.iter().map(Timed::seen).min();
        let last = rows.iter().map(Timed::seen).max();
        let shared = !near(first.flatten(), last.flatten());
        let mut ends: Vec<Timed> = Vec::with_capacity(rows.len());
        for row in rows {
            match ends.last_mut() {
                Some(last) if last.is_noticed_by(&row) => {
                    self.repeated += 1;
                    let answer = last.answer.fuller(row.answer);
                    if row.ended_by == EndedBy::Client {
                        *last = row;
                    }
                    last.answer = answer;
                }
                Some(last) if last.repeats(&row, shared) => {
                    self.repeated += 1;
                    last.answer = last.answer.fuller(row.answer);
                }
                _ => ends.push(row),
            }
        }
        ends
    }

    /// Makes a stream of a row.
    fn add(&mut self, row: &Timed, selector: &Selector, given: Given) {
        let (opened, closed) = match (row.opened, row.closed) {
            (None, None) => return,
            // Whose close that is, no opening told: another request's.
            _ if row.event == Event::Close => return,
            (Some(opened), None) if row.event == Event::Open => (opened, None),
            (Some(opened), Some(closed)) => (opened, Some(closed)),
            (opened, closed) => {
                let Some(hold) = given.assumed_hold else {
                    self.unheld.extend(opened.or(closed));
                    return;
                };
                self.assumed += 1;
                match (opened, closed) {
                    (Some(opened), _) => (opened, Some(opened + hold)),
                    (None, closed) => {
                        let closed = closed.unwrap_or_default();
                        (closed - hold, Some(closed))
                    }
                }
            }
        };
        let &Timed { key, ended_by, answer, .. } = row;
        let stream = Stream { opened, closed, key, ended_by, answer };
        match selector.holds(stream.hold()) {
            true => self.streams.push(stream),
            false => self.brief += 1,
        }
    }
}

/// Leaves out the closes of requests whose opening is no stream's: a server
/// that names no path at the end closes every request alike, and none of
/// those may pass for a stream.
fn drop_closes(rows: &mut Vec<Timed>) {
    if rows.iter().all(|row| row.event != Event::Close) {
        return;
    }
    let opens = rows.iter().filter(|row| row.event == Event::Open);
    let opened: HashSet<u64> = opens.map(|row| row.id).collect();
    rows.retain(|row| row.event != Event::Close || opened.contains(&row.id));
}

impl Given {
    /// Whether a record written then is wanted.
    fn covers(&self, at: Micros) -> bool {
        self.since.is_none_or(|since| at >= since)
            && self.until.is_none_or(|until| at <= until)
    }
}

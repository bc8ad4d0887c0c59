//! Rows made streams: times read, openings joined to their ends, what was
//! logged twice counted once.

mod astray;
mod believed;
mod others;
mod stretch;
mod times;

use std::collections::{BTreeMap, HashSet};
use std::ops::RangeInclusive;

use crate::collect::{
    Client, Clients, Found, Harvest, KeyId, Others, Overrides, Row, Selector,
};
use crate::format::{EndedBy, Event};
use crate::streams::duplicates::{SourceId, duplicates};
use crate::streams::stream::Stream;
use crate::streams::timed::{Timed, near};
use crate::time::Micros;

pub use astray::Astray;
pub use times::{InputTimes, reading, unit_of};
use times::{Orders, least};

/// The streams of all inputs.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// The streams, sorted by key, opening and closing.
    pub streams: Vec<Stream>,
    /// Their clients, sorted; a stream's key is an index into it.
    pub clients: Vec<Client>,
    /// What each of these clients asked for beside streams; empty until
    /// [`Log::with_others`] is called.
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
    /// The streams of what was read: `rows` are those of the inputs, in
    /// their order.
    pub fn join(
        harvests: &[Harvest],
        rows: Vec<Vec<Row>>,
        selector: &Selector,
        overrides: Overrides,
    ) -> Log {
        let mut log = Log::default();
        let mut clients = Clients::default();
        let believed = believed::believed(harvests, &rows);
        let orders = Orders::of(harvests);
        let inputs = harvests.iter().zip(rows).zip(&believed).enumerate();
        let mut timed = Vec::new();
        for (input, ((harvest, rows), believed)) in inputs {
            let times = InputTimes::of(&harvest.found, overrides, &orders);
            let source =
                Source { input, found: &harvest.found, times, believed };
            let keys = clients.absorb(&harvest.found.clients);
            log.take_rows(source, rows, &keys, overrides, &mut timed);
        }
        let (known, new) = clients.sorted();
        log.clients = known;
        for row in &mut timed {
            row.key = new[row.key.0 as usize];
        }
        log.first = log.first.max(overrides.since).or(log.first);
        log.last = least(log.last, overrides.until);
        drop_closes(&mut timed);
        log.drop_duplicates(&mut timed, harvests);
        log.join_rows(timed, selector, overrides);
        log.begin_with_holds();
        log
    }

    /// Reads the times of an input's rows, and notes when its first and last
    /// records were written.
    fn take_rows(
        &mut self,
        source: Source<'_>,
        rows: Vec<Row>,
        keys: &[KeyId],
        overrides: Overrides,
        timed: &mut Vec<Timed>,
    ) {
        let Source { input, found, mut times, believed } = source;
        let plausible = times.plausible(found, &rows);
        self.note_ends(input, found, &mut times, &plausible);
        for row in rows {
            let when = times.read(row.dialect, row.when.into());
            let written = when.written();
            if !plausible.contains(&written) {
                self.leave_out(input, written, 1);
                continue;
            }
            times.note(written);
            if overrides.covers(written) {
                let key = keys[row.key.0 as usize];
                let dialect = usize::from(row.dialect);
                let format = &found.dialects[dialect].format;
                timed.push(Timed {
                    source: (input, row.dialect),
                    repeats: format.repeats_aborts(),
                    ..Timed::of(row, when, key, believed[dialect])
                });
            }
        }
        self.span(times.first, times.last);
        self.inputs.push(times);
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
            if plausible.contains(&at) {
                times.note(at);
            } else {
                self.leave_out(input, at, 0);
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

    /// With the streams closed that were open at a restart and whose end was
    /// never logged; says whether there are any.
    pub fn with_lost_closed(mut self, restart: Micros) -> (Log, bool) {
        let is_lost =
            |s: &&mut Stream| s.closed.is_none() && s.opened < restart;
        let mut lost = 0;
        for stream in self.streams.iter_mut().filter(is_lost) {
            stream.closed = Some(restart);
            lost += 1;
        }
        if lost > 0 {
            self.lost += lost;
            self.streams.sort_unstable_by_key(Stream::order);
        }
        (self, lost > 0)
    }

    /// Leaves out what one source repeats of another's streams.
    fn drop_duplicates(
        &mut self,
        rows: &mut Vec<Timed>,
        harvests: &[Harvest],
    ) {
        let formats = harvests.iter().enumerate().flat_map(|(input, h)| {
            let names = h.found.dialects.iter().map(|d| d.format.name());
            names.enumerate().map(move |(n, name)| ((input, n as u16), name))
        });
        let formats: BTreeMap<SourceId, String> = formats.collect();
        if formats.len() < 2 {
            return;
        }
        let found = duplicates(rows, &formats);
        let mut repeated = found.repeated.iter();
        rows.retain(|_| repeated.next() != Some(&true));
        self.repeated += found.repeated.iter().filter(|r| **r).count() as u64;
        self.layered.extend(found.sources.iter().map(|(a, b)| [*a, *b]));
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
        overrides: Overrides,
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
            joined += self.join_group(&rows[from..until], selector, overrides);
            from = until;
        }
        self.know_opens(first_open, joined);
        self.streams.sort_unstable_by_key(Stream::order);
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
        overrides: Overrides,
    ) -> usize {
        if let [row] = group {
            self.add(row, selector, overrides);
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
                _ => self.add(open, selector, overrides),
            }
        }
        for end in &ends {
            self.add(end, selector, overrides);
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
    fn add(&mut self, row: &Timed, selector: &Selector, overrides: Overrides) {
        let (opened, closed) = match (row.opened, row.closed) {
            (None, None) => return,
            // Whose close that is, no opening told: another request's.
            _ if row.event == Event::Close => return,
            (Some(opened), None) if row.event == Event::Open => (opened, None),
            (Some(opened), Some(closed)) => (opened, Some(closed)),
            (opened, closed) => {
                let Some(hold) = overrides.assumed_hold else {
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
        if selector.holds(stream.hold()) {
            self.streams.push(stream);
        } else {
            self.brief += 1;
        }
    }
}

/// One input while its rows are read.
struct Source<'a> {
    input: usize,
    found: &'a Found,
    times: InputTimes,
    /// For each dialect, whether its openings leave streams open.
    believed: &'a [bool],
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

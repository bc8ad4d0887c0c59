//! What is done with each chunk of an input.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::Harvester;
use super::found::{Found, Haul};
use crate::collect::{
    client::KeyId,
    response::Answer,
    row::{Row, When, id_hash},
    stamps::{Marked, Order},
};
use crate::format::{Event, Format, Layout, Message, Reason, Record, Reject};
use crate::input::{
    CHUNK, Chunk, Line, Mapped, Prefilter, backward, chunk, forward, scan,
};

/// How many records at each end of a chunk are tried for their time.
const ENDS: usize = 16;

/// How many records that no format reads are kept to find one that does.
const STRAYS: usize = 400;

/// How often that is done in a chunk. Much that is no request may name a
/// stream's path, as what an app prints of each does.
const LOOKS: usize = 8;

/// How many of them a format must read to be believed.
const BELIEVED: usize = 3;

/// How many of the records taken last are remembered, in logs that split
/// messages in pieces.
const PIECES: usize = 256;

/// What is done with each chunk of one input.
pub(super) struct Task<'a> {
    harvester: &'a Harvester,
    layout: &'a Layout,
    prefilter: Prefilter,
    /// Whether records that can be no stream are parsed too.
    pub(super) survey: bool,
}

impl<'a> Task<'a> {
    /// What is done with an input of this layout.
    pub(super) fn new(harvester: &'a Harvester, layout: &'a Layout) -> Self {
        let literals = harvester.selector.literals();
        let prefilter = layout.prefilter(&literals);
        Task { harvester, layout, prefilter, survey: harvester.survey }
    }

    /// Reads a chunk of a map and gives its memory back.
    pub(super) fn mapped_chunk(
        &self,
        mapped: &Mapped,
        number: usize,
        mut haul: Haul,
    ) -> Haul {
        let bytes = mapped.bytes();
        let from = number * CHUNK;
        // The last record may reach into the next step of the grid.
        let until = (from + 2 * CHUNK).min(bytes.len());
        let chunk = chunk(bytes, number, self.layout.framing);
        self.chunk(chunk, &mut haul);
        mapped.release(from..until.min(from + CHUNK));
        haul
    }

    /// Reads a chunk.
    pub(super) fn chunk(&self, chunk: Chunk<'_>, haul: &mut Haul) {
        let mut reader = ChunkReader::new(self, chunk, haul);
        reader.note_ends();
        let everything = Prefilter::none();
        let prefilter =
            if self.survey { &everything } else { &self.prefilter };
        let framing = self.layout.framing;
        let scanned = scan(chunk, framing, prefilter, |line| {
            reader.take(line);
        });
        reader.settle();
        reader.finish();
        haul.found.tally.records += scanned.records;
        haul.found.tally.long += scanned.long;
    }
}

/// Reads the records of one chunk.
///
/// Which formats it tries depends on the chunk and the input's first bytes
/// alone, so that the result is the same whatever was read before it.
struct ChunkReader<'t, 'c, 'f> {
    task: &'t Task<'t>,
    chunk: Chunk<'c>,
    rows: &'f mut Vec<Row>,
    found: &'f mut Found,
    /// The formats tried, the likeliest first, and the numbers of their
    /// dialects.
    formats: Vec<(Cow<'t, Format>, u16)>,
    /// The order of the bare times of each dialect in this chunk.
    orders: Vec<Order>,
    /// Records that no format read yet, and why the likeliest did not.
    strays: Vec<(Line<'c>, Reject)>,
    /// How often strays are still looked at.
    looks: usize,
    /// Where the records start that were taken last, each with where the
    /// first piece of its message does: pieces of several messages may stand
    /// between each other.
    pieces: VecDeque<(u64, u64)>,
}

impl<'t, 'c, 'f> ChunkReader<'t, 'c, 'f> {
    fn new(task: &'t Task<'t>, chunk: Chunk<'c>, haul: &'f mut Haul) -> Self {
        let Haul { rows, found } = haul;
        let formats = &task.layout.formats;
        let formats = formats
            .iter()
            .map(|format| (Cow::Borrowed(format), found.dialect(format)))
            .collect();
        let looks = if task.layout.is_open() { LOOKS } else { 0 };
        let (strays, orders) = (Vec::new(), Vec::new());
        let mut reader = ChunkReader {
            task,
            chunk,
            rows,
            found,
            formats,
            orders,
            strays,
            looks,
            pieces: VecDeque::new(),
        };
        reader.look_for_holds();
        reader
    }

    /// The first and the last records of the chunk.
    fn edges(&self) -> impl Iterator<Item = Line<'c>> + use<'c> {
        let Chunk { bytes, offset, .. } = self.chunk;
        let framing = self.task.layout.framing;
        let placed = move |line: Line<'c>| Line {
            offset: line.offset + offset,
            ..line
        };
        let last = backward(bytes, framing).take(ENDS);
        forward(bytes, framing).take(ENDS).chain(last).map(placed)
    }

    /// A log that began without durations may have them here: servers are
    /// told to log them and go on in the same file.
    fn look_for_holds(&mut self) {
        let layout = self.task.layout;
        if !layout.is_open() || layout.has_duration() {
            return;
        }
        let lines: Vec<Line<'_>> = self.edges().collect();
        let mut told = layout.detect(&lines, self.chunk, false);
        let richer = told.find(Format::has_duration);
        if let Some(format) = richer {
            self.add_format(format, 0);
        }
    }

    /// Tries this format too, as the one of this place in the list.
    fn add_format(&mut self, format: Format, place: usize) {
        let dialect = self.found.dialect(&format);
        self.formats.insert(place, (Cow::Owned(format), dialect));
    }

    /// Notes when the first and the last record of the chunk were written.
    fn note_ends(&mut self) {
        let Chunk { bytes, offset, .. } = self.chunk;
        let framing = self.task.layout.framing;
        let when = |line: Line<'c>| {
            let offset = line.offset + offset;
            self.when(Line { offset, ..line })
        };
        let first = forward(bytes, framing).take(ENDS).filter_map(when);
        let first: Vec<(u16, When)> = first.collect();
        let last = backward(bytes, framing).take(ENDS).filter_map(when);
        let last: Vec<(u16, When)> = last.collect();
        self.found.ends.extend(first.first().into_iter().chain(last.first()));
        for (dialect, when) in first.into_iter().chain(last) {
            if !matches!(when, When::Opened(_)) {
                self.found.dialects[usize::from(dialect)].ends += 1;
            }
        }
    }

    /// A record of the chunk without its wrappers.
    #[inline]
    fn message(&self, line: Line<'c>) -> Message<'c> {
        self.task.layout.message(line, self.chunk)
    }

    /// The record that a piece of one belongs to; `None` when it was taken
    /// with an earlier piece.
    fn whole(&mut self, line: Line<'c>) -> Option<Line<'c>> {
        let layout = self.task.layout;
        let known = |offset: u64| {
            self.pieces.binary_search_by_key(&offset, |(at, _)| *at)
        };
        let is_known = |offset: u64| known(offset).is_ok();
        let first = layout.first_piece(line, self.chunk, is_known);
        let first = first.unwrap_or(line);
        let begins = known(first.offset).ok();
        let begins = begins.and_then(|at| self.pieces.get(at));
        let begins = begins.map_or(first.offset, |(_, begins)| *begins);
        let taken = self.pieces.iter().any(|(_, other)| *other == begins);
        if self.pieces.len() == PIECES {
            self.pieces.pop_front();
        }
        self.pieces.push_back((line.offset, begins));
        (!taken).then_some(first)
    }

    /// When a record was written, and its dialect.
    fn when(&self, line: Line<'c>) -> Option<(u16, When)> {
        let (message, arrival) = (self.message(line), self.chunk.arrival);
        let formats = self.formats.iter().map(|(format, _)| &**format);
        let read = message.read(formats, line.offset, |number, record| {
            self.task.mark(record);
            Some((self.formats[number].1, When::of(record, arrival)?))
        });
        read.ok()?
    }

    /// Reads one record and takes it; says why not, with nothing to say of a
    /// sound record that tells of no client's request, which is counted.
    #[inline]
    fn read(&mut self, line: Line<'c>) -> Result<(), Reject> {
        let message = self.message(line);
        // Lent out while records are taken, which needs the reader.
        let formats = std::mem::take(&mut self.formats);
        let each = formats.iter().map(|(format, _)| &**format);
        let read = message.read(each, line.offset, |number, record| {
            self.task.mark(record);
            self.found(formats[number].1, record);
        });
        self.formats = formats;
        match read {
            Err(None) => self.found.tally.other += 1,
            Err(Some(reject)) => return Err(reject),
            Ok(()) => {}
        }
        Ok(())
    }

    /// Takes one record that passed the prefilter.
    fn take(&mut self, line: Line<'c>) {
        let line = if self.task.layout.wrapping.splits() {
            self.whole(line)
        } else {
            Some(line)
        };
        let Some(line) = line else { return };
        if let Err(reject) = self.read(line) {
            self.stray(line, reject);
        }
    }

    /// Keeps a record that no format reads until there are enough of them
    /// to tell what they are.
    fn stray(&mut self, line: Line<'c>, reject: Reject) {
        if self.looks == 0 || reject.reason != Reason::Shape {
            self.found.reject(line, reject);
            return;
        }
        self.strays.push((line, reject));
        if self.strays.len() == STRAYS {
            self.settle();
        }
    }

    /// Looks for a format of the records that none reads, and reads them.
    fn settle(&mut self) {
        let strays = std::mem::take(&mut self.strays);
        if strays.is_empty() {
            return;
        }
        self.looks = self.looks.saturating_sub(1);
        let lines: Vec<Line<'_>> = strays.iter().map(|(l, _)| *l).collect();
        let told: Vec<Format> =
            self.task.layout.detect(&lines, self.chunk, true).collect();
        for format in told {
            if self.task.layout.reads(&format, &lines, self.chunk) >= BELIEVED
            {
                self.add_format(format, self.formats.len());
            }
        }
        for (line, reject) in strays {
            if self.read(line).is_err() {
                self.found.reject(line, reject);
            }
        }
    }

    /// Names the clients of this chunk's rows, and adds the order of its
    /// times to that of the chunks before.
    fn finish(self) {
        let keys = self.found.clients.settle();
        let from = self.rows.len() - keys.len();
        for (row, key) in self.rows[from..].iter_mut().zip(keys) {
            row.key = key;
        }
        for (dialect, order) in self.found.dialects.iter_mut().zip(self.orders)
        {
            dialect.order.absorb(&order);
        }
    }

    /// Takes a record that was read.
    fn found(&mut self, dialect: u16, record: &Record<'_>) {
        let (task, found) = (self.task, &mut *self.found);
        found.tally.parsed += 1;
        let closes = record.event == Event::Close;
        let picked = !closes && task.harvester.selector.picks(record);
        if task.survey {
            found.survey(record, task.harvester.key, picked);
        }
        if closes {
            self.keep(dialect, record);
        } else if picked {
            self.found.tally.selected += 1;
            self.found.dialects[usize::from(dialect)].selected += 1;
            self.found.sampled = self.found.sampled.max(record.sampled);
            self.keep(dialect, record);
        }
    }

    /// Keeps a record.
    fn keep(&mut self, dialect: u16, record: &Record<'_>) {
        let harvester = self.task.harvester;
        let found = &mut *self.found;
        let own = &mut found.dialects[usize::from(dialect)];
        let is_end = u64::from(record.event != Event::Open);
        let Some(when) = When::of(record, self.chunk.arrival) else {
            own.timeless_ends += is_end;
            found.tally.time += 1;
            return;
        };
        own.ends += is_end;
        if let When::Stamped(at, hold) = when {
            let dialect = usize::from(dialect);
            if self.orders.len() <= dialect {
                self.orders.resize_with(dialect + 1, Order::default);
            }
            self.orders[dialect].push(at, hold);
        }
        found.clients.note(record, harvester.key);
        self.rows.push(Row {
            when: when.into(),
            id: id_hash(record, &harvester.hasher),
            key: KeyId::default(),
            dialect,
            is_close: record.event == Event::Close,
            ended_by: record.ended_by,
            answer: Answer::of(record, &harvester.hasher),
        });
    }
}

impl Task<'_> {
    /// Puts the one time of a record where the user says it belongs.
    fn mark(&self, record: &mut Record<'_>) {
        match (self.harvester.marked, record.start, record.end) {
            (Some(Marked::Start), None, Some(_)) => {
                record.start = record.end.take();
            }
            (Some(Marked::End), Some(_), None) => {
                record.end = record.start.take();
            }
            _ => {}
        }
    }
}

//! What a log gives: its selected records, read on all cores.

use std::collections::hash_map::RandomState;

use rayon::prelude::*;

use crate::client::{Clients, KeyField, KeyId};
use crate::format::{Format, NOT_ACCESS, Reason, Record, Reject};
use crate::input::{Input, Mapped, MmapChoice, Source};
use crate::reading::{Marked, Order};
use crate::requests::Requests;
use crate::row::{Row, When, id_hash};
use crate::scan::{Line, Prefilter, backward, forward, scan};
use crate::select::Selector;
use crate::split::{self, Blocks, Chunk, Framing};
use crate::time::Micros;

/// How much of an input is looked at to tell its format, in bytes.
pub const SAMPLE: usize = 256 << 10;

/// How much of a pipe is surveyed while nothing in it was selected: it
/// cannot be read again.
const SURVEY: u64 = 64 << 20;

/// How many records at each end of a chunk are tried for their time.
const ENDS: usize = 16;

/// What is wanted of the inputs.
pub struct Harvester {
    /// Which records are streams.
    pub selector: Selector,
    /// What makes a key.
    pub key: KeyField,
    /// Says how each input is read.
    pub reader: Reader,
    /// What the user says a bare time marks.
    pub marked: Option<Marked>,
    /// Whether files are mapped.
    pub mmap: MmapChoice,
    /// Whether records that can be no stream are parsed as well, to show
    /// what there is instead.
    pub survey: bool,
    /// Says what time it is, to stamp records as they arrive.
    pub arrivals: Option<fn() -> Micros>,
    /// Of request ids; another one each run, so that nobody can aim at it.
    pub hasher: RandomState,
}

/// Tells the format and the framing from an input's first bytes.
pub type Reader =
    Box<dyn Fn(&[u8]) -> Result<(Format, Framing), String> + Send + Sync>;

/// What one input gave.
pub struct Harvest {
    /// Where it was read from.
    pub input: Input,
    /// How it was read; `None` when that could not be told.
    pub format: Option<Format>,
    /// What was found in it.
    pub found: Found,
    /// Bytes read, after decompression.
    pub bytes: u64,
    /// Why it was not read, or only in part.
    pub error: Option<String>,
}

/// What was found in some records.
#[derive(Default)]
pub struct Found {
    /// The selected records, in the order of the input.
    pub rows: Vec<Row>,
    /// Their clients.
    pub clients: Clients,
    /// The clients of all requests, on a survey.
    pub everyone: Clients,
    /// The order of their bare times.
    pub order: Order,
    /// When the first and the last records of each chunk were written,
    /// selected or not.
    pub ends: Vec<When>,
    /// Records counted.
    pub tally: Tally,
    /// The first rejected record.
    pub first_reject: Option<(u64, Reject)>,
    /// What requests there are, on a survey.
    pub requests: Requests,
}

/// Records counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// All of them.
    pub records: u64,
    /// Those that were parsed, whatever they were.
    pub parsed: u64,
    /// Those that were picked.
    pub selected: u64,
    /// Rejected: not of the format's shape.
    pub shape: u64,
    /// Rejected: the time.
    pub time: u64,
    /// Rejected: the duration.
    pub duration: u64,
    /// Rejected: longer than [`split::LONGEST`].
    pub long: u64,
    /// Sound records that tell of no client's request.
    pub other: u64,
}

impl Tally {
    /// The records of all inputs.
    pub fn of(harvests: &[Harvest]) -> Tally {
        let mut sum = Tally::default();
        for harvest in harvests {
            sum.add(harvest.found.tally);
        }
        sum
    }

    fn add(&mut self, other: Tally) {
        self.records += other.records;
        self.parsed += other.parsed;
        self.selected += other.selected;
        self.shape += other.shape;
        self.time += other.time;
        self.duration += other.duration;
        self.long += other.long;
        self.other += other.other;
    }

    fn reject(&mut self, reason: Reason) {
        *match reason {
            Reason::Shape => &mut self.shape,
            Reason::Time => &mut self.time,
            Reason::Duration => &mut self.duration,
            Reason::Long => &mut self.long,
        } += 1;
    }
}

impl Found {
    /// Where the first rejected record was left, and what should have stood
    /// there.
    pub fn first_rejected(&self) -> Option<String> {
        let (offset, reject) = self.first_reject?;
        let at = offset + reject.at as u64;
        Some(format!("byte {at}: expected {}", reject.expected))
    }

    /// With what the following records gave.
    fn followed_by(mut self, later: Found) -> Found {
        let keys = self.clients.absorb(&later.clients);
        self.rows.extend(later.rows.into_iter().map(|row| {
            let KeyId(old) = row.key;
            Row { key: keys[old as usize], ..row }
        }));
        self.everyone.absorb(&later.everyone);
        self.order.absorb(&later.order);
        self.ends.extend(later.ends);
        self.tally.add(later.tally);
        self.first_reject = self.first_reject.or(later.first_reject);
        self.requests.absorb(later.requests);
        self
    }
}

/// Runs work on this many threads.
///
/// # Errors
///
/// The system gives no threads.
pub fn on_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> T + Send,
) -> anyhow::Result<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    Ok(pool.install(work))
}

/// Does two things at once, if the threads it runs on are not busy.
pub fn both<A: Send, B: Send>(
    one: impl FnOnce() -> A + Send,
    two: impl FnOnce() -> B + Send,
) -> (A, B) {
    rayon::join(one, two)
}

impl Harvester {
    /// Reads all inputs; the results are in their order.
    pub fn read_all(&self, inputs: &[Input]) -> Vec<Harvest> {
        inputs.par_iter().map(|input| self.read(input)).collect()
    }

    /// Reads one input. What goes wrong is told in the result, beside what
    /// was read until then.
    fn read(&self, input: &Input) -> Harvest {
        let mut harvest = Harvest {
            input: input.clone(),
            format: None,
            found: Found::default(),
            bytes: 0,
            error: None,
        };
        let read =
            Source::open(input, self.mmap).and_then(|source| match source {
                Source::Mapped(mapped) => {
                    self.read_mapped(&mapped, &mut harvest)
                }
                Source::Piped(pipe) => self.read_piped(pipe, &mut harvest),
            });
        harvest.error = read.err().map(|error| format!("{error:#}"));
        harvest
    }

    /// Reads a mapped file, a chunk a task.
    fn read_mapped(
        &self,
        mapped: &Mapped,
        harvest: &mut Harvest,
    ) -> anyhow::Result<()> {
        let bytes = mapped.bytes();
        harvest.bytes = bytes.len() as u64;
        if bytes.is_empty() {
            return Ok(());
        }
        let sample = &bytes[..bytes.len().min(SAMPLE)];
        let (format, framing) =
            (self.reader)(sample).map_err(anyhow::Error::msg)?;
        let task = self.task(&format, framing);
        // Neighbouring chunks share what they found, so that a client is
        // stored once for each run of them and not once a chunk.
        harvest.found = (0..split::count(bytes.len()))
            .into_par_iter()
            .fold(Found::default, |found, number| {
                task.mapped_chunk(mapped, number, found)
            })
            .reduce(Found::default, Found::followed_by);
        harvest.format = Some(format);
        if let Some(length) = mapped.cut_to() {
            harvest.bytes = length;
            anyhow::bail!(
                "was cut short while it was read: {length} of {} bytes are \
                 left of it",
                bytes.len()
            );
        }
        Ok(())
    }

    /// Reads a stream, a chunk after the other.
    fn read_piped(
        &self,
        pipe: Box<dyn std::io::Read + Send>,
        harvest: &mut Harvest,
    ) -> anyhow::Result<()> {
        let mut blocks = Blocks::new(pipe);
        if let Some(clock) = self.arrivals {
            blocks.stamp_arrivals(clock);
        }
        let sample = blocks.peek(SAMPLE)?;
        if sample.is_empty() {
            return Ok(());
        }
        let read = (self.reader)(sample).map_err(anyhow::Error::msg);
        let (format, framing) = read.inspect_err(|_| {
            harvest.bytes = blocks.bytes_read();
        })?;
        blocks.set_framing(framing);
        let mut task = self.task(&format, framing);
        let read = loop {
            let selected = harvest.found.tally.selected > 0;
            task.survey =
                self.survey || !selected && blocks.bytes_read() < SURVEY;
            match blocks.next_chunk() {
                Ok(Some(chunk)) => task.chunk(chunk, &mut harvest.found),
                Ok(None) => break Ok(()),
                Err(error) => break Err(error.into()),
            }
        };
        harvest.bytes = blocks.bytes_read();
        harvest.format = Some(format);
        read
    }

    /// What is done with each chunk of an input.
    fn task<'a>(&'a self, format: &'a Format, framing: Framing) -> Task<'a> {
        let literals = self.selector.literals();
        let prefilter = Prefilter::any_of(&literals, format.escapes());
        let survey = self.survey;
        Task { harvester: self, format, framing, prefilter, survey }
    }
}

/// What is done with each chunk of one input.
struct Task<'a> {
    harvester: &'a Harvester,
    format: &'a Format,
    framing: Framing,
    prefilter: Prefilter,
    /// Whether records that can be no stream are parsed too.
    survey: bool,
}

impl Task<'_> {
    /// Reads a chunk of a map and gives its memory back.
    fn mapped_chunk(
        &self,
        mapped: &Mapped,
        number: usize,
        mut found: Found,
    ) -> Found {
        let bytes = mapped.bytes();
        let from = number * split::CHUNK;
        // The last record may reach into the next step of the grid.
        let until = (from + 2 * split::CHUNK).min(bytes.len());
        let chunk = split::chunk(bytes, number, self.framing);
        self.chunk(chunk, &mut found);
        mapped.release(from..until.min(from + split::CHUNK));
        found
    }

    /// Reads a chunk.
    fn chunk(&self, chunk: Chunk<'_>, found: &mut Found) {
        self.note_ends(chunk, found);
        let everything = Prefilter::none();
        let prefilter =
            if self.survey { &everything } else { &self.prefilter };
        let scanned = scan(chunk, self.framing, prefilter, |line| {
            self.take(line, chunk.arrival, found);
        });
        found.tally.records += scanned.records;
        found.tally.long += scanned.long;
    }

    /// Notes when the first and the last record of a chunk were written.
    fn note_ends(&self, chunk: Chunk<'_>, found: &mut Found) {
        let when = |line: Line<'_>| {
            let record = self.marked(self.format.parse(line.bytes).ok()?);
            When::of(&record, chunk.arrival)
        };
        let (bytes, framing) = (chunk.bytes, self.framing);
        let first = forward(bytes, framing).take(ENDS).find_map(when);
        let last = backward(bytes, framing).take(ENDS).find_map(when);
        found.ends.extend(first);
        found.ends.extend(last);
    }

    /// The record with its one time where the user says it belongs.
    fn marked<'r>(&self, mut record: Record<'r>) -> Record<'r> {
        match (self.harvester.marked, record.start, record.end) {
            (Some(Marked::Start), None, Some(_)) => {
                record.start = record.end.take();
            }
            (Some(Marked::End), Some(_), None) => {
                record.end = record.start.take();
            }
            _ => {}
        }
        record
    }

    /// Takes one record that passed the prefilter.
    fn take(
        &self,
        line: Line<'_>,
        arrival: Option<Micros>,
        found: &mut Found,
    ) {
        let record = match self.format.parse(line.bytes) {
            Ok(record) => self.marked(record),
            Err(reject) if reject.expected == NOT_ACCESS => {
                found.tally.other += 1;
                return;
            }
            Err(reject) => {
                found.tally.reject(reject.reason);
                found.first_reject.get_or_insert((line.offset, reject));
                return;
            }
        };
        found.tally.parsed += 1;
        if self.survey {
            found.requests.note(&record);
            found.everyone.of(&record, self.harvester.key);
        }
        if self.harvester.selector.picks(&record) {
            self.keep(&record, arrival, found);
        }
    }

    /// Keeps a selected record.
    fn keep(
        &self,
        record: &Record<'_>,
        arrival: Option<Micros>,
        found: &mut Found,
    ) {
        found.tally.selected += 1;
        let Some(when) = When::of(record, arrival) else {
            found.tally.reject(Reason::Time);
            return;
        };
        if let When::Stamped(at, hold) = when {
            found.order.push(at, hold);
        }
        found.rows.push(Row {
            when,
            id: id_hash(record, &self.harvester.hasher),
            key: found.clients.of(record, self.harvester.key),
            ended_by: record.ended_by,
        });
    }
}

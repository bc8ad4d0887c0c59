//! What a log gives: its selected records, read on all cores.

mod found;
mod others;
mod task;

use std::collections::hash_map::RandomState;

use anyhow::Context;

pub use self::found::{Dialect, Found, Rejected, Tally};
pub use self::others::{Asked, Others};
use self::task::Task;
use crate::collect::{client::KeyField, select::Selector, stamps::Marked};
use crate::format::Layout;
use crate::input::{Blocks, Input, Mapped, MmapChoice, Source, chunk_count};
use crate::threads;
use crate::time::Micros;

/// How much of an input is looked at to tell its format, in bytes.
pub const SAMPLE: usize = 256 << 10;

/// How much of a pipe is surveyed while nothing in it was selected: it
/// cannot be read again.
const SURVEY: u64 = 64 << 20;

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

/// Tells from an input's first bytes how it is read.
pub type Reader = Box<dyn Fn(&[u8]) -> Result<Layout, String> + Send + Sync>;

/// What one input gave.
pub struct Harvest {
    /// Where it was read from.
    pub input: Input,
    /// How it was read; `None` when that could not be told.
    pub layout: Option<Layout>,
    /// What was found in it.
    pub found: Found,
    /// What a survey found in a pipe of which nothing was selected.
    pub surveyed: Option<Found>,
    /// Bytes read, after decompression.
    pub bytes: u64,
    /// Why it was not read, or only in dialect.
    pub error: Option<String>,
}

impl Harvest {
    /// Nothing of this input yet.
    fn of(input: &Input) -> Harvest {
        Harvest {
            input: input.clone(),
            layout: None,
            found: Found::default(),
            surveyed: None,
            bytes: 0,
            error: None,
        }
    }
}

impl Harvester {
    /// Reads all inputs; the results are in their order.
    pub fn read_all(&self, inputs: &[Input]) -> Vec<Harvest> {
        threads::map(inputs, |input| self.read(input))
    }

    /// The first bytes of an input, after decompression.
    ///
    /// # Errors
    ///
    /// It cannot be read.
    pub fn first_bytes(&self, input: &Input) -> anyhow::Result<Vec<u8>> {
        let source = Source::open(input, self.mmap);
        match source.with_context(|| input.name())? {
            Source::Mapped(mapped) => {
                let bytes = mapped.bytes();
                Ok(bytes[..bytes.len().min(SAMPLE)].to_vec())
            }
            Source::Piped(pipe) => {
                Ok(Blocks::new(pipe).peek(SAMPLE)?.to_vec())
            }
        }
    }

    /// Reads an input of which only these first bytes are wanted.
    pub fn read_sample(&self, input: &Input, sample: &[u8]) -> Harvest {
        let mut harvest = Harvest::of(input);
        let sample = Box::new(std::io::Cursor::new(sample.to_vec()));
        let read = self.read_piped(sample, &mut harvest);
        harvest.error = read.err().map(|error| format!("{error:#}"));
        harvest
    }

    /// Reads one input. What goes wrong is told in the result, beside what
    /// was read until then.
    fn read(&self, input: &Input) -> Harvest {
        let mut harvest = Harvest::of(input);
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
        let mut layout = (self.reader)(sample).map_err(anyhow::Error::msg)?;
        layout.note(bytes, 0);
        let task = Task::new(self, &layout);
        // Neighbouring chunks share what they found, so that a client is
        // stored once for each run of them and not once a chunk.
        harvest.found = threads::fold(
            chunk_count(bytes.len()),
            Found::default,
            |found, number| task.mapped_chunk(mapped, number, found),
            Found::followed_by,
        );
        harvest.layout = Some(layout);
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
        let mut layout = read.inspect_err(|_| {
            harvest.bytes = blocks.bytes_read();
        })?;
        blocks.set_framing(layout.framing);
        // A file can be read again.
        let is_file = crate::input::file_id(&harvest.input).is_some();
        let once = !self.survey && !is_file;
        harvest.surveyed = once.then(Found::default);
        let read = loop {
            let survey = blocks.bytes_read() < SURVEY;
            let chunk = match blocks.next_chunk() {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error.into()),
            };
            layout.note(chunk.bytes, chunk.offset);
            let mut task = Task::new(self, &layout);
            task.chunk(chunk, &mut harvest.found);
            if harvest.found.tally.selected > 0 {
                harvest.surveyed = None;
            }
            if let Some(surveyed) = &mut harvest.surveyed {
                task.survey = survey;
                task.chunk(chunk, surveyed);
            }
        };
        harvest.bytes = blocks.bytes_read();
        harvest.layout = Some(layout);
        read
    }
}

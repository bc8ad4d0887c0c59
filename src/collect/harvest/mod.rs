//! What a log gives: its selected records, read on all cores.

mod found;
mod others;
mod task;

use std::collections::hash_map::RandomState;
use std::io::Read;

use anyhow::Context;

use self::found::Haul;
pub use self::found::{Dialect, Found, Rejected, Tally};
pub use self::others::{Asked, Others};
use self::task::Task;
use crate::collect::{
    client::KeyField, row::Row, select::Selector, stamps::Marked,
};
use crate::format::Layout;
use crate::input::{
    Blocks, Input, Mapped, MmapChoice, Source, chunk_count, file_id,
};
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

/// What reading one input came to.
struct Taken {
    layout: Option<Layout>,
    haul: Haul,
    surveyed: Option<Haul>,
    bytes: u64,
    error: Option<anyhow::Error>,
}

impl Taken {
    /// Nothing but an error, after so many bytes.
    fn failed(bytes: u64, error: anyhow::Error) -> Taken {
        Taken { bytes, error: Some(error), ..Taken::nothing() }
    }

    /// That of an empty input.
    fn nothing() -> Taken {
        Taken {
            layout: None,
            haul: Haul::default(),
            surveyed: None,
            bytes: 0,
            error: None,
        }
    }

    /// What is known of the input, and its rows.
    fn of_input(self, input: &Input) -> (Harvest, Vec<Row>) {
        let Haul { rows, found } = self.haul;
        let harvest = Harvest {
            input: input.clone(),
            layout: self.layout,
            found,
            surveyed: self.surveyed.map(|haul| haul.found),
            bytes: self.bytes,
            error: self.error.map(|error| format!("{error:#}")),
        };
        (harvest, rows)
    }
}

impl Harvester {
    /// Reads all inputs: what is known of each, and its rows, in their order.
    pub fn read_all(&self, inputs: &[Input]) -> (Vec<Harvest>, Vec<Vec<Row>>) {
        threads::map(inputs, |input| self.read(input)).into_iter().unzip()
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
    pub fn read_sample(
        &self,
        input: &Input,
        sample: &[u8],
    ) -> (Harvest, Vec<Row>) {
        let sample = Box::new(std::io::Cursor::new(sample.to_vec()));
        self.read_piped(input, sample).of_input(input)
    }

    /// Reads one input. What goes wrong is told in the result, beside what
    /// was read until then.
    fn read(&self, input: &Input) -> (Harvest, Vec<Row>) {
        let taken = match Source::open(input, self.mmap) {
            Ok(Source::Mapped(mapped)) => self.read_mapped(&mapped),
            Ok(Source::Piped(pipe)) => self.read_piped(input, pipe),
            Err(error) => Taken::failed(0, error),
        };
        taken.of_input(input)
    }

    /// How an input that begins with these bytes is read.
    fn layout(&self, bytes: &[u8]) -> anyhow::Result<Layout> {
        let sample = &bytes[..bytes.len().min(SAMPLE)];
        (self.reader)(sample).map_err(anyhow::Error::msg)
    }

    /// Reads a mapped file, a chunk a task.
    fn read_mapped(&self, mapped: &Mapped) -> Taken {
        let bytes = mapped.bytes();
        let all = bytes.len() as u64;
        if bytes.is_empty() {
            return Taken::nothing();
        }
        let mut layout = match self.layout(bytes) {
            Ok(layout) => layout,
            Err(error) => return Taken::failed(all, error),
        };
        layout.note(bytes, 0);
        let task = Task::new(self, &layout);
        // Neighbouring chunks share what they found, so that a client is
        // stored once for each run of them and not once a chunk.
        let haul = threads::fold(
            chunk_count(bytes.len()),
            Haul::default,
            |haul, number| task.mapped_chunk(mapped, number, haul),
            Haul::followed_by,
        );
        let cut_to = mapped.cut_to();
        let error = cut_to.map(|left| {
            anyhow::anyhow!(
                "was cut short while it was read: {left} of {all} bytes are \
                 left of it"
            )
        });
        let bytes = cut_to.unwrap_or(all);
        Taken { layout: Some(layout), haul, surveyed: None, bytes, error }
    }

    /// Reads a stream, a chunk after the other.
    fn read_piped(&self, input: &Input, pipe: Box<dyn Read + Send>) -> Taken {
        let mut blocks = Blocks::new(pipe);
        if let Some(clock) = self.arrivals {
            blocks.stamp_arrivals(clock);
        }
        let begun = match blocks.peek(SAMPLE) {
            Ok([]) => return Taken::nothing(),
            Ok(sample) => self.layout(sample),
            Err(error) => Err(error.into()),
        };
        match begun {
            Ok(layout) => self.read_blocks(input, layout, blocks),
            Err(error) => Taken::failed(blocks.bytes_read(), error),
        }
    }

    /// Reads the blocks of a stream in this layout. While nothing in a pipe
    /// was selected its beginning is surveyed too: a file can be read again.
    fn read_blocks(
        &self,
        input: &Input,
        mut layout: Layout,
        mut blocks: Blocks<Box<dyn Read + Send>>,
    ) -> Taken {
        blocks.set_framing(layout.framing);
        let once = !self.survey && file_id(input).is_none();
        let mut surveyed = once.then(Haul::default);
        let mut haul = Haul::default();
        let error = loop {
            let survey = blocks.bytes_read() < SURVEY;
            let chunk = match blocks.next_chunk() {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break None,
                Err(error) => break Some(error.into()),
            };
            layout.note(chunk.bytes, chunk.offset);
            let mut task = Task::new(self, &layout);
            task.chunk(chunk, &mut haul);
            if haul.found.tally.selected > 0 {
                surveyed = None;
            }
            if let Some(surveyed) = &mut surveyed {
                task.survey = survey;
                task.chunk(chunk, surveyed);
            }
        };
        let bytes = blocks.bytes_read();
        Taken { layout: Some(layout), haul, surveyed, bytes, error }
    }
}

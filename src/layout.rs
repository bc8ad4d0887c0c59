//! How the records of an input are read: how they follow each other, what
//! is wrapped around them, and the formats they have.

use std::borrow::Cow;

use crate::format::{Choice, Event, Format, NOT_ACCESS, Record, Reject};
use crate::scan::{Line, Literal, Prefilter, forward};
use crate::split::Framing;
use crate::time::{Clock, Unit};

/// How many of the first records are looked at.
const RECORDS: usize = 400;

/// How the records of an input are read.
#[derive(Clone, Debug)]
pub struct Layout {
    /// How they follow each other.
    pub framing: Framing,
    /// Their formats, the one most of them have first.
    pub formats: Vec<Format>,
    /// How that was told, in a sentence.
    pub reason: String,
    /// Whether other formats are looked for where these fit no more.
    pub open: bool,
    choice: Choice,
    given: Given,
}

/// What the user says of how bare values are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given {
    /// The unit of bare durations.
    pub unit: Option<Unit>,
    /// Seconds east of UTC of times that show no zone.
    pub zone: i64,
}

impl Given {
    /// A format that reads bare values so.
    fn applied(self, format: Format) -> Format {
        let format = format.with_zone(self.zone);
        match self.unit {
            Some(unit) => format.with_unit(unit),
            None => format,
        }
    }
}

/// A record without what was wrapped around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message<'a> {
    /// The record.
    pub text: Cow<'a, [u8]>,
    /// When the wrapper says it was written.
    pub written: Option<Clock>,
    /// The process the wrapper says wrote it.
    pub process: Cow<'a, [u8]>,
}

impl Message<'_> {
    /// Fills in what only the wrapper tells.
    #[inline]
    pub fn complete<'r>(&'r self, record: &mut Record<'r>) {
        if record.process.is_empty() {
            record.process = Cow::Borrowed(&self.process);
        }
        let Some(written) = self.written else { return };
        if (record.start, record.end, record.stamp) == (None, None, None) {
            match record.event {
                Event::Open => record.start = Some(written),
                Event::Whole | Event::Close => record.end = Some(written),
            }
        }
    }
}

/// Reads one record with the first of these formats that can, and says
/// which.
///
/// # Errors
///
/// Where the record leaves the format that follows it furthest; `None` for a
/// sound record that tells of no client's request.
#[inline]
pub fn read_as<'f, 'm>(
    formats: impl Iterator<Item = &'f Format>,
    message: &'m Message<'_>,
    offset: u64,
) -> Result<(usize, Record<'m>), Option<Reject>> {
    let mut why: Option<Reject> = None;
    let mut other = false;
    for (number, format) in formats.enumerate() {
        match format.parse(&message.text, offset) {
            Ok(mut record) => {
                message.complete(&mut record);
                return Ok((number, record));
            }
            Err(reject) if reject.expected == NOT_ACCESS => other = true,
            Err(reject) if why.is_none_or(|w| reject.at > w.at) => {
                why = Some(reject);
            }
            Err(_) => {}
        }
    }
    Err(if other { None } else { why })
}

impl Layout {
    /// The layout of a log that starts with this.
    ///
    /// # Errors
    ///
    /// A sentence that says where reading stopped and what to do.
    pub fn of(
        choice: &Choice,
        given: Given,
        sample: &[u8],
    ) -> Result<Layout, String> {
        if sample.starts_with(b"\xff\xfe") || sample.starts_with(b"\xfe\xff") {
            return Err("is UTF-16; convert it first: iconv -f UTF-16 -t \
                        UTF-8"
                .to_owned());
        }
        let framing = Framing::of(sample);
        let lines: Vec<Line<'_>> =
            forward(sample, framing).take(RECORDS).collect();
        let records: Vec<&[u8]> = lines.iter().map(|l| l.bytes).collect();
        let told = choice.formats(&records);
        if told.formats.is_empty() {
            return Err(choice.unknown(sample, lines.first().copied()));
        }
        Ok(Layout {
            framing,
            formats: told
                .formats
                .into_iter()
                .map(|f| given.applied(f))
                .collect(),
            reason: told.reason,
            open: choice.is_open(),
            choice: choice.clone(),
            given,
        })
    }

    /// What people call it: the wrappers, then the formats.
    pub fn name(&self) -> String {
        let names: Vec<String> =
            self.formats.iter().map(Format::name).collect();
        names.join(", ")
    }

    /// Takes up what stands in these bytes, which begin at byte `offset` of
    /// the input, and tells how the records behind it are laid out.
    pub fn note(&mut self, bytes: &[u8], offset: u64) {
        for format in &mut self.formats {
            format.note(bytes, offset);
        }
    }

    /// What a record must contain to be worth parsing.
    pub fn prefilter(&self, literals: &[Literal]) -> Prefilter {
        let escapes = self.formats.iter().any(Format::escapes);
        let layers = usize::from(escapes);
        let closers = self.formats.iter().flat_map(Format::closers);
        let closers = closers.map(|text| Literal::anywhere(text));
        match literals {
            // Without one, everything is.
            [] => Prefilter::none(),
            _ => {
                let all: Vec<Literal> =
                    literals.iter().cloned().chain(closers).collect();
                Prefilter::any_of(&all, layers)
            }
        }
    }

    /// The record without its wrappers; `None` when it has them not.
    #[inline]
    pub fn message<'a>(&self, line: Line<'a>) -> Option<Message<'a>> {
        let text = Cow::Borrowed(line.bytes);
        Some(Message { text, ..Message::default() })
    }

    /// Reads one record with the first of its formats that can, and says
    /// which; see [`read_as`].
    ///
    /// # Errors
    ///
    /// As [`read_as`].
    pub fn read<'m>(
        &self,
        message: &'m Message<'_>,
        offset: u64,
    ) -> Result<(usize, Record<'m>), Option<Reject>> {
        read_as(self.formats.iter(), message, offset)
    }

    /// Whether any of its formats logs how long requests took.
    pub fn has_hold(&self) -> bool {
        self.formats.iter().any(Format::has_hold)
    }

    /// The formats these records have beside those known.
    pub fn detect(&self, lines: &[Line<'_>]) -> impl Iterator<Item = Format> {
        let messages: Vec<Message<'_>> =
            lines.iter().filter_map(|line| self.message(*line)).collect();
        let texts: Vec<&[u8]> = messages.iter().map(|m| &*m.text).collect();
        let formats = self.choice.beside(&self.formats, &texts).formats;
        formats.into_iter().map(|format| self.given.applied(format))
    }

    /// How many of these records a format reads.
    pub fn reads(&self, format: &Format, lines: &[Line<'_>]) -> usize {
        let reads = |line: &&Line<'_>| {
            let message = self.message(**line);
            message.is_some_and(|m| format.parse(&m.text, line.offset).is_ok())
        };
        lines.iter().filter(reads).count()
    }
}

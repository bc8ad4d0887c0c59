//! What is left of a record without its wrappers.

use std::borrow::Cow;

use super::{Calendar, Wrapper};
use crate::time::Clock;

/// A record without its wrappers, and what they told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unwrapped<'a> {
    /// The record as its own program wrote it.
    pub message: Cow<'a, [u8]>,
    /// When the wrapper took it up: at or just after it was written. Of
    /// several the finest, of equally fine ones the innermost.
    pub time: Option<Clock>,
    /// What names the process that wrote it: a host and a process id, a pod,
    /// a container; the outermost that is shown, empty if none is.
    pub process: Cow<'a, [u8]>,
    /// Which of its outputs the process wrote it to.
    pub stream: Stream,
    /// Whether the message goes on in the next record of the same process
    /// and stream.
    pub partial: bool,
    /// The byte of the record at which the message begins; if escapes were
    /// undone around it, about there.
    pub at: usize,
}

/// An output of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stream {
    /// The wrapper does not tell.
    #[default]
    Unknown,
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

impl Stream {
    /// The output that is called this.
    pub(super) fn named(name: &[u8]) -> Option<Stream> {
        match name {
            b"stdout" => Some(Stream::Out),
            b"stderr" => Some(Stream::Err),
            _ => None,
        }
    }
}

impl<'a> Unwrapped<'a> {
    /// A record that carries nothing.
    pub(super) fn bare(record: &'a [u8]) -> Unwrapped<'a> {
        Unwrapped { message: Cow::Borrowed(record), ..Unwrapped::default() }
    }

    /// What begins at this byte of a record.
    pub(super) fn from(record: &'a [u8], at: usize) -> Option<Unwrapped<'a>> {
        let message = Cow::Borrowed(record.get(at..)?);
        Some(Unwrapped { message, at, ..Unwrapped::default() })
    }

    /// What another wrapper inside this one holds.
    pub(super) fn deeper(
        self,
        wrapper: Wrapper,
        calendar: Calendar,
    ) -> Option<Unwrapped<'a>> {
        let inner = match self.message {
            Cow::Borrowed(message) => wrapper.strip(message, calendar)?,
            Cow::Owned(ref message) => {
                wrapper.strip(message, calendar)?.detached()
            }
        };
        Some(inner.within(self))
    }

    /// This record with bytes of its own.
    fn detached(self) -> Unwrapped<'static> {
        Unwrapped {
            message: Cow::Owned(self.message.into_owned()),
            time: self.time,
            process: Cow::Owned(self.process.into_owned()),
            stream: self.stream,
            partial: self.partial,
            at: self.at,
        }
    }

    /// This record with what the wrapper around it told.
    fn within(self, outer: Unwrapped<'a>) -> Unwrapped<'a> {
        let time = match (self.time, outer.time) {
            (Some(own), Some(given)) if given.grain < own.grain => Some(given),
            (own, given) => own.or(given),
        };
        let process = if outer.process.is_empty() {
            self.process
        } else {
            outer.process
        };
        let stream = match outer.stream {
            Stream::Unknown => self.stream,
            stream => stream,
        };
        let at = outer.at + self.at;
        Unwrapped { time, process, stream, at, ..self }
    }
}

//! A record without what was wrapped around it, and how it is read.

use std::borrow::Cow;

use crate::format::{
    Event, Format, NOT_ACCESS, Record, Reject, wrap::Unwrapped,
};
use crate::time::Clock;

/// A record without what was wrapped around it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message<'a> {
    /// The record.
    pub text: Cow<'a, [u8]>,
    /// When the wrapper says it was written.
    pub written: Option<Clock>,
    /// The process the wrapper says wrote it.
    pub process: Cow<'a, [u8]>,
    /// The byte of the wrapped record it begins at.
    pub at: usize,
}

impl<'a> Message<'a> {
    /// A record as it stands.
    #[inline]
    pub(super) fn bare(record: &'a [u8]) -> Message<'a> {
        let text = Cow::Borrowed(record);
        Message { text, ..Message::default() }
    }

    /// What is left of a wrapped record.
    pub(super) fn of(unwrapped: Unwrapped<'a>) -> Message<'a> {
        let Unwrapped { message, time, process, at, .. } = unwrapped;
        Message { text: message, written: time, process, at }
    }

    /// Reads it with the first of these formats that can, and hands `take`
    /// the number of that format and the record, where it lies: records are
    /// large.
    ///
    /// # Errors
    ///
    /// Where the record leaves the format that follows it furthest; `None`
    /// for a sound record that tells of no client's request.
    #[inline]
    pub fn read<'m, 'f, T>(
        &'m self,
        formats: impl Iterator<Item = &'f Format>,
        offset: u64,
        take: impl FnOnce(usize, &mut Record<'m>) -> T,
    ) -> Result<T, Option<Reject>> {
        let mut why: Option<Reject> = None;
        let mut other = false;
        for (number, format) in formats.enumerate() {
            match &mut format.parse(&self.text, offset) {
                Ok(record) => {
                    self.complete(record);
                    return Ok(take(number, record));
                }
                Err(reject) if reject.expected == NOT_ACCESS => other = true,
                Err(reject) if why.is_none_or(|w| reject.at > w.at) => {
                    why = Some(*reject);
                }
                Err(_) => {}
            }
        }
        let why = why.map(|why| Reject { at: why.at + self.at, ..why });
        Err(if other { None } else { why })
    }

    /// Fills in what only the wrapper tells.
    #[inline]
    fn complete<'r>(&'r self, record: &mut Record<'r>) {
        // Ids of one process are unique only within where that process ran.
        if !record.process.is_empty() && !self.process.is_empty() {
            let both = [&*self.process, b" ", &*record.process].concat();
            record.process = Cow::Owned(both);
        }
        let Some(written) = self.written else { return };
        if !record.has_time() {
            match record.event {
                Event::Open => record.start = Some(written),
                Event::Whole | Event::Close => record.end = Some(written),
            }
        }
    }
}

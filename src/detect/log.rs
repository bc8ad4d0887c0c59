//! What the judge is given: the streams of a log and what is known of it.

use crate::streams::Stream;
use crate::time::Micros;

/// Whether a log shows a stream when it opens or only once it has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Openings {
    /// A stream that has not ended is not in the log: most access logs.
    #[default]
    Unlogged,
    /// Openings are logged too, so nothing is hidden at the log's end.
    Logged,
}

/// A log as the judge sees it.
#[derive(Clone, Copy, Debug)]
pub struct Log<'a> {
    /// Its streams, in any order. A stream's key is its unit: a client at
    /// one endpoint.
    pub streams: &'a [Stream],
    /// The endpoint of each unit, by its number; 0 for those beyond.
    pub endpoints: &'a [u32],
    /// The time of the first line of any kind.
    pub first: Micros,
    /// The time of the last line of any kind.
    pub last: Micros,
    /// The step of the log's clock: a second in the common log format, a
    /// millisecond in most JSON.
    pub resolution: Micros,
    /// Whether openings are logged.
    pub openings: Openings,
}

impl Log<'_> {
    /// How long the log is; nothing if its times are reversed.
    pub fn length(&self) -> Micros {
        (self.last - self.first).max(Micros::ZERO)
    }

    /// The endpoint of a stream.
    pub(crate) fn endpoint(&self, stream: &Stream) -> u32 {
        let unit = stream.key.0 as usize;
        self.endpoints.get(unit).copied().unwrap_or(0)
    }
}

//! A stream: one long-held request that the selector picked.

use crate::answer::Answer;
use crate::client::KeyId;
use crate::format::EndedBy;
use crate::time::Micros;

/// One long-held request, `[opened, closed)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    /// When it was opened.
    pub opened: Micros,
    /// When it was closed. `None`: it is known to be open at the log's end.
    pub closed: Option<Micros>,
    /// Who it belongs to.
    pub key: KeyId,
    /// Who ended it.
    pub ended_by: EndedBy,
    /// What it was answered with.
    pub answer: Answer,
}

impl Stream {
    /// How long it was held, `None` while it is open.
    pub fn hold(&self) -> Option<Micros> {
        self.closed.map(|closed| closed - self.opened)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_small() {
        assert_eq!(size_of::<Stream>(), 40);
    }
}

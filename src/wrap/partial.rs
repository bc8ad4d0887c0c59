//! Messages that were written in pieces.

use std::borrow::Cow;

use super::{Peeled, Wrapper, Wrapping};
use crate::split::LONGEST;

/// How many records behind the first piece are looked at. Docker and
/// containerd cut at 16 KiB, so that the longest message has 64 pieces;
/// those of the other output may stand between them.
const PIECES: usize = 256;

impl Wrapping {
    /// The message of one record, and if it is but a piece, with the pieces
    /// from the records that follow: those of the same process and output, up
    /// to the one that ends it.
    ///
    /// `None`: the record does not carry the wrappers, or the end was not
    /// found within 256 records, or the message is longer than
    /// [`LONGEST`].
    pub fn joined<'a, 'b>(
        &self,
        first: &'a [u8],
        following: impl IntoIterator<Item = &'b [u8]>,
    ) -> Option<Peeled<'a>> {
        let (piece, layers) = self.outer(first, self.layers.len())?;
        if !piece.partial {
            return self.inner(piece, layers);
        }
        let mut message = piece.message.into_owned();
        let head = Peeled { message: Cow::default(), ..piece };
        for record in following.into_iter().take(PIECES) {
            let Some((next, _)) = self.outer(record, layers) else {
                continue;
            };
            if next.stream != head.stream || next.process != head.process {
                continue;
            }
            message.extend_from_slice(&next.message);
            if message.len() > LONGEST {
                return None;
            }
            if !next.partial {
                let message = Cow::Owned(message);
                let time = next.time.or(head.time);
                let whole = Peeled { message, time, partial: false, ..head };
                return self.inner(whole, layers);
            }
        }
        None
    }

    /// Whether any of the wrappers splits long messages.
    pub fn splits(&self) -> bool {
        let splits = |wrapper: &Wrapper| {
            matches!(wrapper, Wrapper::Cri | Wrapper::DockerJson)
        };
        self.layers.iter().any(splits)
    }

    /// How far before a record the first piece of its message stands, if it
    /// is not the first itself; `preceding` are the records before it, the
    /// nearest first.
    pub fn pieces_before<'b>(
        &self,
        record: &[u8],
        preceding: impl IntoIterator<Item = &'b [u8]>,
    ) -> Option<usize> {
        let (own, _) = self.outer(record, self.layers.len())?;
        let mut first = None;
        for (at, record) in preceding.into_iter().take(PIECES).enumerate() {
            let Some((other, _)) = self.outer(record, self.layers.len())
            else {
                continue;
            };
            if other.stream == own.stream && other.process == own.process {
                if !other.partial {
                    break;
                }
                first = Some(at);
            }
        }
        first
    }
}

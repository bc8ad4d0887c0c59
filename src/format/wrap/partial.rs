//! Messages that were written in pieces.

use std::borrow::Cow;

use super::{Unwrapped, Wrapper, Wrapping};
use crate::input::{LONGEST, Line};

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
    ) -> Option<Unwrapped<'a>> {
        let (piece, layers) = self.outer(first, self.layers.len())?;
        if !piece.partial {
            return self.inner(piece, layers);
        }
        let mut message = piece.message.into_owned();
        let head = Unwrapped { message: Cow::default(), ..piece };
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
                let whole =
                    Unwrapped { message, time, partial: false, ..head };
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

    /// The first piece of the message that a record is a later piece of;
    /// `preceding` are the records before it, the nearest first.
    ///
    /// A piece that `is_known`, told by where it starts, is taken for the
    /// first: who asks knows what that is a piece of.
    pub fn first_piece<'b>(
        &self,
        record: &[u8],
        preceding: impl IntoIterator<Item = Line<'b>>,
        is_known: impl Fn(u64) -> bool,
    ) -> Option<Line<'b>> {
        let (own, _) = self.outer(record, self.layers.len())?;
        let mut first = None;
        for line in preceding.into_iter().take(PIECES) {
            let Some((other, _)) = self.outer(line.bytes, self.layers.len())
            else {
                continue;
            };
            if other.stream == own.stream && other.process == own.process {
                if !other.partial {
                    break;
                }
                first = Some(line);
                if is_known(line.offset) {
                    break;
                }
            }
        }
        first
    }
}

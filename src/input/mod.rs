//! Any source, as whole records: files mapped, pipes read, compressed bytes
//! inflated, all of it cut on one grid and searched for what may be wanted.

mod elements;
mod inflate;
mod map;
mod scan;
mod source;
mod split;

pub use map::Mapped;
pub use scan::{Line, Literal, Prefilter, backward, forward, scan, unescaped};
pub use source::{Input, MmapChoice, Source, file_id};
pub use split::{Blocks, CHUNK, Chunk, Framing, LONGEST, chunk, chunk_count};

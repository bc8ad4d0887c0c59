//! Rows made streams, each once: openings joined to their ends, what was
//! logged twice counted once, and what each client held.

mod duplicates;
mod hold;
mod join;
mod ranking;
mod stream;
mod timed;

pub use hold::{CEILING_LEAST, Holds, pile};
pub use join::{InputTimes, Log, reading, unit_of};
pub use ranking::{Standing, standings};
pub use stream::{Enders, Stream, statuses};

//! The formats: what the bytes of one record mean.
//!
//! A closed list, one file each. Adding one touches its own file and the
//! list here, never another format.

pub mod json;

mod field;
mod record;

pub use field::{Field, Mark, Shape};
pub use record::{EndedBy, Event, Reason, Record, Reject, Text};

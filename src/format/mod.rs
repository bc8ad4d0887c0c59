//! The formats: what the bytes of one record mean.
//!
//! A closed list, one file each. Adding one touches its own file and the
//! list here, never another format.

pub mod conf;
mod field;
mod pattern;
mod record;
mod template;

pub use field::{Field, Mark, Shape};
pub use pattern::{Pattern, PatternError};
pub use record::{EndedBy, Event, Reason, Record, Reject, Text};
pub use template::{Template, TemplateError};

//! The bytes of one record, read: which format an input has, what a log
//! shipper put around its records, and what each record says.

mod catalogue;
mod choice;
mod clf;
pub mod conf;
mod decoder;
mod detect;
mod field;
pub mod json;
mod kind;
mod object;
mod pattern;
mod pointer;
mod preset;
mod record;
mod template;
mod w3c;
mod wrap;

pub use catalogue::{Entry, catalogue};
pub use choice::Choice;
pub use clf::Clf;
pub use decoder::{DecodeOptions, Layout, Message};
pub use detect::Detected;
pub use field::{Field, Mark, Shape};
pub use json::{Json, NOT_ACCESS};
pub use kind::Format;
pub use object::{Broken, Value, Wanted, walk};
pub use pattern::Pattern;
pub use pointer::pointed;
pub use preset::{About, Preset, Server};
pub use record::{EndedBy, Event, Parsed, Reason, Record, Reject, Text};
pub use template::{Dialect, Template, TemplateError};
pub use w3c::W3c;

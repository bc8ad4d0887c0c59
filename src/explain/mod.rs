//! What was found, in words: the verdict's sentence, findings, whose fault it
//! is, and the workings behind them.

mod assemble;
mod diagnosis;
mod findings;
mod known;
mod records;
mod summary;
mod workings;

#[doc = include_str!("method.md")]
pub mod method {}

pub use assemble::report;
pub use records::explain;
pub use workings::{workings, write as write_workings};

//! What was found, in words: the verdict's sentence, findings, whose fault it
//! is, and the workings behind them.

mod assemble;
mod diagnosis;
mod findings;
mod known;
pub mod method;
mod records;
mod summary;
mod workings;

pub use assemble::assemble;
pub use records::explain;
pub use workings::{workings, write as write_workings};

//! streamleak: whether old streams are ever closed, from the access log a
//! server already writes.
//!
//! Data flows one way, and a room uses only those to its left:
//!
//! ```text
//! time → split → scan → object → wrap → format → select, client, answer,
//!      defects, egress → row → harvest → reading → join → timeline → means
//!      → cost, series, hold, ranking → ends → reset, drain, trend → level, window
//!      → opens → storm, reopen, rhythm, branch → verdict → forecast
//!      → analysis → summary → why, diagnosis, findings → assemble → report
//! ```
//!
//! `radix` and `input` stand alone at the left end, and so does [`simulate`],
//! which reads no log: it makes one. `cli` is seen by [`plan`] only, and only
//! [`analysis`], [`explain`], [`why`] and [`assemble`] see a plan. [`method`]
//! is no room but a page: how the verdict is derived, with its sources.

use std::io;

pub mod cli;
pub mod format;
pub mod input;
mod outcome;
pub mod plan;
pub mod report;
pub mod setup;
pub mod simulate;
pub mod stats;
pub mod threads;
pub mod time;

pub mod collect;

pub mod streams;

pub mod series;

pub mod detect;

pub mod explain;

pub use outcome::Outcome;

use plan::Plan;

/// Does what the plan says and writes the result to `out`.
///
/// # Errors
///
/// Nothing could be read or written; what is wrong with one input among
/// several is told in the outcome.
pub fn run(plan: &Plan, out: &mut dyn io::Write) -> anyhow::Result<Outcome> {
    match plan {
        Plan::Analyse(analysis) => outcome::analyse(analysis, out),
        Plan::Explain(analysis) => {
            outcome::print(&explain::explain(analysis)?, out)
        }
        Plan::Why(analysis) => outcome::why(analysis, out),
        Plan::Setup(server) => outcome::print(server.lines(), out),
        Plan::Formats(room) => outcome::print(&format::table(*room), out),
        Plan::Simulate(simulated) => outcome::simulate(simulated, out),
    }
}

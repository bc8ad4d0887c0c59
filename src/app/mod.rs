//! What was typed, made into what is done, done, and written.

mod cli;
mod outcome;
mod plan;
mod setup;

use std::io;

use crate::explain::explain;
use crate::format::catalogue;
use crate::report::formats;
pub use cli::Args;
pub use outcome::Outcome;
use plan::Analysis;
pub use plan::{Env, Plan};

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
            let Analysis { options, print } = &**analysis;
            let text = explain(&options.read, print.style.unicode)?;
            outcome::print(&text, out)
        }
        Plan::Why(analysis) => outcome::why(analysis, out),
        Plan::Setup(server) => outcome::print(server.lines(), out),
        Plan::Formats(room) => {
            outcome::print(&formats(&catalogue(), *room), out)
        }
        Plan::Simulate(simulated) => outcome::simulate(simulated, out),
    }
}

//! The calibration: the detector's rates of false and missed alarms on
//! simulated logs,
//!
//! ```text
//! cargo bench --bench calibrate -- --seed 7 --logs 500
//! ```
//!
//! Each scenario is drawn so many times; the analysis is the library's own.
//! A healthy scenario should raise an alarm in 0.5 % of its logs at most, a
//! faulty one in 99.5 % at least. The status is 1 if one does not, and
//! chance cannot have done it, and 2 where no scenario has the given name.

mod families;
mod scenario;
mod table;
mod tally;
mod traffic;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Instant;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};
use rayon::prelude::*;
use streamleak::internal::threads::on_threads;
use streamleak::internal::time::Micros;

use scenario::{Family, Scenario};
use table::Totals;
use tally::Tally;

/// Judges simulated logs and counts the verdicts.
#[derive(Debug, Parser)]
#[command(name = "calibrate")]
struct Args {
    /// What all chance follows from [default: the clock, printed]
    #[arg(long)]
    seed: Option<u64>,

    /// How many logs of each scenario; of those of a week a fifth
    #[arg(long, value_name = "N", default_value_t = 500,
        value_parser = clap::value_parser!(u32).range(1..))]
    logs: u32,

    /// Only scenarios with this in their name
    #[arg(long, value_name = "SUBSTRING")]
    only: Vec<String>,

    /// Only scenarios of this family
    #[arg(long, value_name = "NAME")]
    family: Vec<Family>,

    /// How many threads [default: one a core]
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,

    /// Passed by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> anyhow::Result<ExitCode> {
    let args = Args::parse();
    let mut scenarios = families::all();
    scenarios.retain(|scenario| args.picks(scenario));
    if scenarios.is_empty() {
        let none = "no scenario of that name or family";
        Args::command().error(ErrorKind::InvalidValue, none).exit();
    }
    let missed = on_threads(args.threads.unwrap_or(0), || {
        run(&scenarios, &args, &mut io::stdout())
    })??;
    Ok(ExitCode::from(u8::from(missed > 0)))
}

impl Args {
    fn picks(&self, scenario: &Scenario) -> bool {
        let named = |part: &String| scenario.name.contains(part);
        let family = &self.family;
        (self.only.is_empty() || self.only.iter().any(named))
            && (family.is_empty() || family.contains(&scenario.family))
    }
}

/// Judges the scenarios one after the other; how many miss their goal.
fn run(
    scenarios: &[Scenario],
    args: &Args,
    out: &mut dyn Write,
) -> io::Result<u64> {
    let began = Instant::now();
    let seed = args.seed.unwrap_or_else(|| Micros::now().0.unsigned_abs());
    let mut totals = Totals::default();
    writeln!(out, "seed {seed}")?;
    table::head(out)?;
    for scenario in scenarios {
        let logs = u64::from(args.logs.div_ceil(scenario.rare));
        let judged = (0..logs).into_par_iter();
        let judged = judged.map(|log| scenario.judge(seed, log));
        let tally: Tally = judged.collect::<Vec<_>>().into_iter().collect();
        table::row(out, scenario, &tally)?;
        totals.add(scenario, &tally);
    }
    writeln!(out, "{}", totals.line(seed, began.elapsed()))?;
    Ok(totals.missed())
}

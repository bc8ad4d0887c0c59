//! A simulation: run, written down as an access log, and that analysed.

mod bar;
mod folder;
mod words;

use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::process;
use std::sync::OnceLock;

use anyhow::Context;

use self::bar::Bar;
use super::{Outcome, TROUBLE, quiet_when_closed, status};
use crate::app::plan::Simulated;
use crate::detect::{self, Options};
use crate::explain;
use crate::input::Input;
use crate::report::{self, LogReport, Report, SimulationReport};
use crate::series::Series;
use crate::simulate::{Agreement, Habit, Log, Run, Sample, Stop};

/// The exit status of what Ctrl-C kills.
const INTERRUPTED: i32 = 130;

/// Runs a simulation, writes its log, and says what that shows.
///
/// # Errors
///
/// No port, a folder that cannot be written to, or one that holds another's
/// log. When the log cannot be written in the end, what was counted is still
/// shown.
pub(crate) fn simulate(
    plan: &Simulated,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let stop = interrupt();
    folder::prepare(&plan.folder)?;
    let run = run(plan, &stop).context("a simulation on 127.0.0.1")?;
    if run.samples.is_empty() {
        return Ok(Outcome {
            exit_code: 0,
            complaints: vec![
                "ended before the first second: nothing was counted, and \
                 nothing is written"
                    .to_owned(),
            ],
        });
    }
    let habits = took_part(plan);
    let log = folder::write_all(&plan.folder, &run)
        .and_then(|()| read(plan, &run, &habits));
    let mut outcome = Outcome::default();
    if let Err(error) = &log {
        outcome.exit_code = TROUBLE;
        outcome.complaints.push(format!("{error:#}"));
    }
    let report = describe(plan, &run, &habits, log.ok());
    let written = report::write_simulation(&report, &plan.style, out);
    quiet_when_closed(written.and_then(|()| out.flush()))?;
    Ok(outcome)
}

/// Runs it, and shows how far it is.
fn run(plan: &Simulated, stop: &Stop) -> io::Result<Run> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let at = listener.local_addr()?;
    let bar = Bar::new(at, plan.simulation.length, plan.bar);
    let mut watch = |sample: &Sample| bar.show(sample);
    let run = plan.simulation.run_on(listener, stop, &mut watch);
    bar.clear();
    run
}

/// Told to stop by Ctrl-C; the run then ends with what it has. Whoever types
/// it again does not want to wait.
fn interrupt() -> Stop {
    static STOP: OnceLock<Stop> = OnceLock::new();
    let install = || {
        let stop = Stop::default();
        let told = stop.clone();
        // Where there is no handler to be had, Ctrl-C kills as ever.
        let _without = ctrlc::set_handler(move || {
            if told.stopped() {
                process::exit(INTERRUPTED);
            }
            told.stop();
        });
        stop
    };
    STOP.get_or_init(install).clone()
}

/// The habits of the clients there are.
fn took_part(plan: &Simulated) -> Vec<Habit> {
    let clients = &plan.simulation.clients;
    Habit::ALL.into_iter().filter(|habit| clients.contains(habit)).collect()
}

/// What the log says.
fn read(
    plan: &Simulated,
    run: &Run,
    habits: &[Habit],
) -> anyhow::Result<LogReport> {
    let (whole, series) = analyse(&plan.options.read.inputs, &plan.options)?;
    let alone = |habit: &Habit| Ok((habit.name(), alone(plan, run, *habit)?));
    let each = match habits {
        [_] => Vec::new(),
        several => several.iter().map(alone).collect::<anyhow::Result<_>>()?,
    };
    let file = |log: Log| plan.folder.join(log.name()).display().to_string();
    Ok(LogReport {
        whole,
        each,
        agreement: words::agreed(&Agreement::of(run, &series)),
        files: Log::ALL.map(file).to_vec(),
        next: words::command(&plan.folder),
    })
}

/// What a log says, and the streams rebuilt from it.
fn analyse(
    inputs: &[Input],
    options: &Options,
) -> anyhow::Result<(Report, Series)> {
    let found = detect::analyse_inputs(inputs, options)?;
    let status = status(&found, false, false);
    let report = explain::report(&found, options, status)?;
    Ok((report, found.series))
}

/// What the log says when it holds the streams of one habit alone.
fn alone(plan: &Simulated, run: &Run, habit: Habit) -> anyhow::Result<Report> {
    let folder = tempfile::Builder::new()
        .prefix(".streamleak-")
        .tempdir_in(&plan.folder)?;
    let write = |log: Log| -> anyhow::Result<Input> {
        folder::write(folder.path(), log, run, Some(habit))?;
        Ok(Input::from_arg(folder.path().join(log.name())))
    };
    let inputs = [write(Log::Ends)?, write(Log::Opens)?];
    Ok(analyse(&inputs, &plan.options)?.0)
}

/// Puts into words what came of it.
fn describe(
    plan: &Simulated,
    run: &Run,
    habits: &[Habit],
    log: Option<LogReport>,
) -> SimulationReport {
    let others = run.samples.iter().any(|sample| sample.others() > 0);
    let row = |sample: &Sample| {
        let known = habits.iter().map(|habit| sample.of(*habit));
        known.chain(others.then(|| sample.others())).collect()
    };
    let names = habits.iter().map(|habit| habit.name());
    SimulationReport {
        title: words::title(plan, run),
        columns: names.chain(others.then_some("others")).collect(),
        rows: run.samples.iter().map(row).collect(),
        lacking: words::lacking(run),
        log,
    }
}

//! A simulation: run, written down as an access log, and that analysed.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Outcome, quiet_when_closed, status, write_file};
use crate::analysis::Found;
use crate::assemble;
use crate::input::Input;
use crate::plan::{Analysis, Simulated};
use crate::report::{self, Report, SimulationReport};
use crate::simulate::{
    Agreement, Era, Habit, Log, NEAR, Run, Sample, Simulation, Stop,
};

/// Runs a simulation, writes its log, and says what that shows.
///
/// # Errors
///
/// No port, a folder that cannot be written to, or one that holds another's
/// log.
pub(crate) fn simulate(
    plan: &Simulated,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let stop = interrupt();
    prepare(&plan.folder)?;
    let bar = bar(plan);
    let run = plan
        .simulation
        .run(&stop, &mut |sample| show(&bar, sample))
        .context("a simulation on 127.0.0.1")?;
    bar.finish_and_clear();
    let mut files = Vec::new();
    for log in Log::ALL {
        files.push(write(&plan.folder, log, &run, None)?);
    }
    let report = describe(plan, &run, &files)?;
    let written = report::write_simulation(&report, &plan.style, out);
    quiet_when_closed(written.and_then(|()| out.flush()))?;
    Ok(Outcome::default())
}

/// Makes the folder, unless a log is in it that no simulation wrote.
fn prepare(folder: &Path) -> anyhow::Result<()> {
    let name = || format!("--log-dir {}", folder.display());
    std::fs::create_dir_all(folder).with_context(name)?;
    let there = |log: &Log| folder.join(log.name()).exists();
    let ours = there(&Log::Samples);
    if let Some(log) = Log::ALL.iter().find(|log| there(log) && !ours) {
        bail!(
            "{}: is not of a simulation; name another --log-dir",
            folder.join(log.name()).display()
        );
    }
    Ok(())
}

/// Writes one file of the log, whole or not at all.
fn write(
    folder: &Path,
    log: Log,
    run: &Run,
    only: Option<Habit>,
) -> anyhow::Result<PathBuf> {
    let path = folder.join(log.name());
    let text = log.text(run, only);
    write_file(&path, &|to: &mut dyn Write| to.write_all(text.as_bytes()))?;
    Ok(path)
}

/// Told to stop by Ctrl-C; the run then ends with what it has.
fn interrupt() -> Stop {
    static STOP: OnceLock<Stop> = OnceLock::new();
    let install = || {
        let stop = Stop::default();
        let told = stop.clone();
        // Where there is no handler to be had, Ctrl-C kills as ever.
        let _without = ctrlc::set_handler(move || told.stop());
        stop
    };
    STOP.get_or_init(install).clone()
}

/// The bar that shows how far a run is.
fn bar(plan: &Simulated) -> ProgressBar {
    let target = match plan.bar {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let seconds = plan.simulation.length.as_secs();
    let bar = ProgressBar::with_draw_target(Some(seconds), target);
    let style = "{bar:40} {pos} of {len} s, {msg} open";
    // What is typed above can be read.
    let style = ProgressStyle::with_template(style)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
    bar.with_style(style).with_message("0")
}

fn show(bar: &ProgressBar, sample: &Sample) {
    bar.set_message(sample.open.to_string());
    bar.inc(1);
}

/// Puts into words what came of it.
fn describe(
    plan: &Simulated,
    run: &Run,
    files: &[PathBuf],
) -> anyhow::Result<SimulationReport> {
    let clients = &plan.simulation.clients;
    let took_part = |habit: &Habit| clients.contains(habit);
    let habits: Vec<Habit> =
        Habit::ALL.into_iter().filter(took_part).collect();
    let (whole, agreement) = analyse(&plan.analysis, run)?;
    let each = match &habits[..] {
        [_] => Vec::new(),
        several => several
            .iter()
            .map(|habit| Ok((habit.name(), alone(plan, run, *habit)?)))
            .collect::<anyhow::Result<_>>()?,
    };
    let row = |sample: &Sample| {
        habits.iter().map(|habit| sample.of(*habit)).collect()
    };
    Ok(SimulationReport {
        title: title(plan, run),
        rows: run.samples.iter().map(row).collect(),
        habits: habits.into_iter().map(Habit::name).collect(),
        whole,
        each,
        agreement: agreed(&agreement),
        refused: refused(run.refused),
        next: command(files),
        files: files.iter().map(|file| file.display().to_string()).collect(),
    })
}

/// What the log says, and whether it agrees with the server's count.
fn analyse(plan: &Analysis, run: &Run) -> anyhow::Result<(Report, Agreement)> {
    let found = Found::analyse(plan)?;
    let status = status(&found, plan, false);
    let agreement = Agreement::of(run, &found.series);
    Ok((assemble::report(&found, None, plan, status), agreement))
}

/// What the log says when it holds the streams of one habit alone.
fn alone(plan: &Simulated, run: &Run, habit: Habit) -> anyhow::Result<Report> {
    let folder = tempfile::tempdir()?;
    let write = |log| write(folder.path(), log, run, Some(habit));
    let files = [write(Log::Ends)?, write(Log::Opens)?];
    let inputs = files.map(Input::from_arg).to_vec();
    let alone = Analysis { inputs, ..plan.analysis.clone() };
    Ok(analyse(&alone, run)?.0)
}

/// What was run, in a sentence.
fn title(plan: &Simulated, run: &Run) -> String {
    let Simulation { server, clients, pace, era, length, .. } =
        &plan.simulation;
    let count = |habit: Habit| {
        let count = clients.iter().filter(|each| **each == habit).count();
        (count > 0).then(|| format!("{count} {}", habit.name()))
    };
    let clients: Vec<String> =
        Habit::ALL.into_iter().filter_map(count).collect();
    let asked = match era {
        Era::Modern => "POST /mcp with Mcp-Method: subscriptions/listen",
        Era::Legacy => "GET /subscriptions/listen with Mcp-Session-Id",
    };
    let whole = length.as_secs();
    let lasted = match run.samples.len() as u64 {
        all if all == whole => format!("{whole} s"),
        part => format!("{part} of {whole} s"),
    };
    let [ceiling, silence, backoff] =
        [pace.ceiling, pace.silence, pace.backoff].map(seconds);
    format!(
        "a {} server; clients: {}; {lasted}, {} times faster than life: ceiling \
         {ceiling}, silence {silence}, backoff {backoff}; {asked}",
        server.name(),
        clients.join(", "),
        plan.scale,
    )
}

/// A span in seconds, with no more decimals than it needs.
fn seconds(span: Duration) -> String {
    let text = format!("{:.3}", span.as_secs_f64());
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Whether log and server agree, in a sentence.
fn agreed(agreement: &Agreement) -> String {
    let Agreement { clear, worst, near, unexplained } = agreement;
    let found = format!(
        "the streams rebuilt from the log against those the server counted: \
         greatest difference {worst} at {clear} full seconds"
    );
    let limit = NEAR.0 / 1000;
    match near {
        0 => found,
        near => format!(
            "{found}, and {unexplained} at {near} more at which a stream was \
             being opened or closed ({limit} ms)"
        ),
    }
}

/// What was left out, in a sentence.
fn refused(count: u64) -> String {
    match count {
        0 => String::new(),
        count => format!(
            "{count} streams, because too many were open or had been opened"
        ),
    }
}

/// What to type to see more.
fn command(files: &[PathBuf]) -> String {
    let shown = |log: Log| {
        let file = files.iter().find(|file| file.ends_with(log.name()));
        let file = file.map(|file| file.display().to_string());
        file.unwrap_or_default()
    };
    format!("streamleak --bin 1s {} {}", shown(Log::Ends), shown(Log::Opens))
}

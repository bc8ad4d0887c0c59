//! What a run came to: what was written, and the exit status.

mod simulated;

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;

use crate::app::plan::{Analysis, Print};
use crate::collect::{Harvest, Rejected, Tally};
use crate::detect::{self, Found, Verdict};
use crate::explain::{self, workings, write_workings};
use crate::report::{self, Output};

pub(crate) use simulated::simulate;

/// Usage, input or output went wrong.
const TROUBLE: u8 = 2;

/// What a run came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The exit status.
    pub exit_code: u8,
    /// What went wrong, a line each.
    pub complaints: Vec<String>,
}

/// Prints a text.
pub(crate) fn print(
    text: &str,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    quiet_when_closed(out.write_all(text.as_bytes()))?;
    Ok(Outcome::default())
}

/// Analyses and writes the report.
pub(crate) fn analyse(
    plan: &Analysis,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let (found, outcome) = found(plan)?;
    let Analysis { options, print } = plan;
    let report = explain::report(&found, options, outcome.exit_code)?;
    let write = |to: &mut dyn Write| report::write(&report, &print.style, to);
    publish(print, outcome.exit_code, out, &write)?;
    let exit_code = match print.style.output {
        Output::Nagios => report.nagios().exit_code(),
        _ => outcome.exit_code,
    };
    Ok(Outcome { exit_code, ..outcome })
}

/// Analyses and writes the numbers behind the verdict; the exit status is
/// that of the report.
pub(crate) fn why(
    plan: &Analysis,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let (found, outcome) = found(plan)?;
    let Analysis { options, print } = plan;
    let settings = &options.judge.settings;
    let workings = workings(&found, settings, outcome.exit_code);
    let write =
        |to: &mut dyn Write| write_workings(&workings, &print.style, to);
    publish(print, outcome.exit_code, out, &write)?;
    Ok(outcome)
}

/// What is found, and what that comes to.
fn found(plan: &Analysis) -> anyhow::Result<(Found, Outcome)> {
    let found = detect::analyse(&plan.options)?;
    let complaints = complaints(&found);
    let none_ok = plan.print.none_ok;
    let exit_code = status(&found, none_ok, !complaints.is_empty());
    Ok((found, Outcome { exit_code, complaints }))
}

/// What is to be printed: writes it in full.
type Printed<'a> = &'a dyn Fn(&mut dyn Write) -> io::Result<()>;

/// Writes a result where the plan says, unless nothing is to be said.
fn publish(
    print: &Print,
    status: u8,
    out: &mut dyn Write,
    result: Printed<'_>,
) -> anyhow::Result<()> {
    if print.quiet && status == 0 {
        return Ok(());
    }
    match &print.output_file {
        Some(path) => write_file(path, result),
        None => Ok(quiet_when_closed(result(out).and_then(|()| out.flush()))?),
    }
}

/// The exit status for people and cron.
fn status(found: &Found, none_ok: bool, troubled: bool) -> u8 {
    let nothing_selected = Tally::of(&found.harvests).selected == 0;
    match found.verdict() {
        _ if troubled => TROUBLE,
        Verdict::Unknown if found.empty() => 0,
        Verdict::Unknown if nothing_selected && none_ok => 0,
        verdict => verdict.exit_code(),
    }
}

/// What went wrong with inputs, a line each.
fn complaints(found: &Found) -> Vec<String> {
    found.harvests.iter().filter_map(complaint).collect()
}

/// What went wrong with one input.
fn complaint(harvest: &Harvest) -> Option<String> {
    let name = harvest.input.name();
    if let Some(error) = &harvest.error {
        return Some(format!("{name}: {error}"));
    }
    let tally = &harvest.found.tally;
    let rejected = harvest.found.first_reject.as_ref()?;
    let Rejected { at, expected, shown } = rejected;
    let unread = tally.parsed + tally.other == 0;
    unread.then(|| {
        format!(
            "{name}: none of its records can be read; the first that was \
             tried stops at byte {at}: expected {expected}:\n{shown}\nName \
             the format with --log-format (streamleak formats lists them)"
        )
    })
}

/// A reader that went away has what it wanted.
fn quiet_when_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// Writes a result to a file, whole or not at all.
fn write_file(path: &Path, result: Printed<'_>) -> anyhow::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let write = || -> anyhow::Result<()> {
        let mut file = tempfile::Builder::new()
            .prefix(".streamleak-")
            .permissions(permissions())
            .tempfile_in(folder)?;
        let mut to = io::BufWriter::new(&mut file);
        result(&mut to)?;
        to.flush()?;
        drop(to);
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    write().with_context(|| path.display().to_string())
}

/// Others may read what was written: collectors run as another user.
#[cfg(unix)]
fn permissions() -> std::fs::Permissions {
    use std::os::unix::fs::PermissionsExt;
    std::fs::Permissions::from_mode(0o644)
}

//! The folder a simulation's log is written to.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, bail};

use super::super::write_file;
use crate::simulate::{Habit, Log, Run};

/// Makes the folder, and sees before a run that its log can be written:
/// that there is none that no simulation wrote, and room for a file.
pub(super) fn prepare(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() && !folder.is_dir() {
        bail!("{}: is not a folder", named(folder));
    }
    fs::create_dir_all(folder).with_context(|| named(folder))?;
    let there = |log: &Log| folder.join(log.name()).exists();
    if !ours(&folder.join(Log::Samples.name()))
        && let Some(log) = Log::ALL.iter().find(|log| there(log))
    {
        bail!(
            "{}: is not of a simulation; name another --log-dir",
            folder.join(log.name()).display()
        );
    }
    tempfile::tempfile_in(folder).with_context(|| named(folder))?;
    Ok(())
}

/// The folder of a plan, as it is named in messages.
fn named(folder: &Path) -> String {
    format!("--log-dir {}", folder.display())
}

/// Whether a file begins as the samples of a simulation do.
fn ours(samples: &Path) -> bool {
    let head = Log::SAMPLES_HEAD.as_bytes();
    let mut found = vec![0; head.len()];
    let read =
        |mut file: File| -> io::Result<()> { file.read_exact(&mut found) };
    File::open(samples).and_then(read).is_ok() && found == head
}

/// Writes all files of the log, the one that says whose they are first.
pub(super) fn write_all(folder: &Path, run: &Run) -> anyhow::Result<()> {
    let mut all = Log::ALL.into_iter().rev();
    all.try_for_each(|log| write(folder, log, run, None))
}

/// Writes one file of the log, whole or not at all; with a habit, of its
/// clients' streams alone.
pub(super) fn write(
    folder: &Path,
    log: Log,
    run: &Run,
    only: Option<Habit>,
) -> anyhow::Result<()> {
    let path = folder.join(log.name());
    let text = log.text(run, only);
    write_file(&path, &|to: &mut dyn Write| to.write_all(text.as_bytes()))
}

//! What a log says against what the clients saw.

use std::collections::hash_map::RandomState;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use streamleak::client::KeyField;
use streamleak::format::Choice;
use streamleak::harvest::Harvester;
use streamleak::input::{Input, MmapChoice};
use streamleak::join::{Given, Log as Joined};
use streamleak::layout::Layout;
use streamleak::select::Selector;
use streamleak::stream::Stream;
use streamleak::time::Micros;

use crate::client::{Name, PATH, Truth};
use crate::table::{Log, Tells};

/// How late a thread or a process may be on a busy machine.
const SLACK: Micros = Micros(250_000);

/// Compares the streams of a log with the truth.
///
/// # Errors
///
/// They differ; the text says how.
pub(crate) fn compare(
    log: &Log,
    path: &Path,
    truth: &Result<Vec<Truth>, String>,
) -> Result<(), String> {
    let compared = truth.as_ref().map_err(String::clone).and_then(|truth| {
        reported(log, path, truth.len())?;
        streams(log, &read(path)?, truth)
    });
    compared.map_err(|fault| {
        let text = std::fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        format!("{}: {fault}\nits log:\n{text}", log.name)
    })
}

/// What the program reports of a log, without any option.
fn reported(log: &Log, path: &Path, count: usize) -> Result<(), String> {
    let ran = Command::new(env!("CARGO_BIN_EXE_streamleak"))
        .args(["-o", "json"])
        .arg(path)
        .output()
        .map_err(|e| e.to_string())?;
    let report: Value = serde_json::from_slice(&ran.stdout)
        .map_err(|_| String::from_utf8_lossy(&ran.stderr).into_owned())?;
    let format = report["inputs"][0]["format"].as_str().unwrap_or_default();
    if !format.starts_with(log.format) {
        return Err(format!("read as {format:?}, not {:?}", log.format));
    }
    let (ended, open) = match log.tells {
        Tells::Opening => (0, count),
        _ => (count, 0),
    };
    let found = &report["streams"];
    match found["ended"] == ended && found["open"] == open {
        true => Ok(()),
        false => Err(format!("not {ended} ended, {open} open: {found}")),
    }
}

/// Compares the streams of each client.
fn streams(log: &Log, joined: &Joined, truth: &[Truth]) -> Result<(), String> {
    for client in Name::ALL {
        let seen = truth.iter().filter(|truth| truth.client == client);
        let seen: Vec<&Truth> = seen.collect();
        let streams = of_client(joined, &client.address().to_string());
        if !all_fit(log, &streams, &seen) {
            return Err(format!(
                "{client:?}:{}\nare not{}\nwithin {:.3} s of clock and \
                 {:.3} s of notice ({})",
                found(&streams),
                saw(log, &seen),
                log.grain.as_secs(),
                log.notice.as_secs(),
                log.why,
            ));
        }
    }
    Ok(())
}

/// The streams of a log, without any option.
fn read(path: &Path) -> Result<Joined, String> {
    let harvester = Harvester {
        selector: Selector::new(&[PATH.to_owned()], "subscriptions/listen"),
        key: KeyField::Client,
        reader: Box::new(|sample| {
            Layout::of(&Choice::Auto, Default::default(), sample)
        }),
        marked: None,
        mmap: MmapChoice::Auto,
        survey: false,
        arrivals: None,
        hasher: RandomState::new(),
    };
    let mut harvests = harvester.read_all(&[Input::File(path.to_owned())]);
    if let Some(error) = &harvests[0].error {
        return Err(error.clone());
    }
    let given = Given::default();
    Ok(Joined::join(&mut harvests, &harvester.selector, given))
}

/// The streams of the client with this address.
fn of_client(joined: &Joined, address: &str) -> Vec<Stream> {
    let is_of = |stream: &&Stream| {
        let client = &joined.clients[stream.key.0 as usize];
        *client.address == *address.as_bytes()
    };
    joined.streams.iter().filter(is_of).copied().collect()
}

/// Whether each of these streams can be another one of those the client saw.
fn all_fit(log: &Log, streams: &[Stream], truths: &[&Truth]) -> bool {
    let Some((stream, streams)) = streams.split_first() else {
        return truths.is_empty();
    };
    (0..truths.len()).any(|at| {
        let (before, after) = (&truths[..at], &truths[at + 1..]);
        fits(log, stream, truths[at])
            && all_fit(log, streams, &[before, after].concat())
    })
}

/// Whether a stream of this log can be what the client saw so.
fn fits(log: &Log, stream: &Stream, truth: &Truth) -> bool {
    let early = Micros::ZERO - log.grain - SLACK;
    let began = stream.opened - truth.opened;
    if !(early..=SLACK).contains(&began) {
        return false;
    }
    let Some(closed) = stream.closed else {
        return log.tells == Tells::Opening;
    };
    let notice = if truth.aborted { log.notice } else { Micros::ZERO };
    let late = notice + SLACK;
    let hold = truth.closed - truth.opened;
    let longer = closed - stream.opened - hold;
    // How long it was held does not hang on the grain of the clock.
    let held = (Micros::ZERO - SLACK..=late).contains(&longer);
    held && (early..=late).contains(&(closed - truth.closed))
        && stream.ended_by == log.tells.of(truth.aborted)
}

/// Streams as a failure shows them.
fn found(streams: &[Stream]) -> String {
    let show = |stream: &Stream| {
        let closed = stream.closed.map(Micros::to_rfc3339);
        let opened = stream.opened.to_rfc3339();
        format!("\n  {opened} to {closed:?} by {:?}", stream.ended_by)
    };
    streams.iter().map(show).collect()
}

/// What the client saw, as a failure shows it.
fn saw(log: &Log, truths: &[&Truth]) -> String {
    let show = |truth: &&Truth| {
        let (opened, closed) = (truth.opened, truth.closed);
        let by = log.tells.of(truth.aborted);
        let (opened, closed) = (opened.to_rfc3339(), closed.to_rfc3339());
        format!("\n  {opened} to {closed} by {by:?}")
    };
    truths.iter().map(show).collect()
}

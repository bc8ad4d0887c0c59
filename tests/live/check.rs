//! What a log says against what the clients saw.

use std::path::Path;
use std::process::Command;

use serde_json::Value;
use streamleak::internal::collect::Overrides;
use streamleak::internal::collect::{Harvester, Selector};
use streamleak::internal::input::Input;
use streamleak::internal::streams::{Log as Joined, Stream};
use streamleak::internal::time::Micros;

use crate::client::{Name, PATH, Truth};
use crate::reader::harvester;
use crate::table::{Log, Tells};

/// The MCP method of a listen stream.
pub(crate) const METHOD: &str = "subscriptions/listen";

/// How far a server's clock may be behind while it is busy: some look at it
/// once for all that has come in.
const SLACK: Micros = Micros(250_000);

/// How late a server may be on a busy machine to notice an end or to log it.
/// What comes before an end is bounded by what its client saw, however busy.
const LATE: Micros = Micros(1_000_000);

/// How long streams are taken to be held whose log tells of no hold.
const ASSUMED: Micros = Micros(1_000_000);

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
        streams(log, &read(log, path)?, truth)
    });
    compared.map_err(|fault| {
        let text = std::fs::read(path).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        format!("{}: {fault}\nits log:\n{text}", log.name)
    })
}

/// What the program reports of these logs, without any option.
///
/// # Errors
///
/// It reports nothing; the text is what it says.
pub(crate) fn report(logs: &[&Path]) -> Result<Value, String> {
    let ran = Command::new(env!("CARGO_BIN_EXE_streamleak"))
        .args(["-o", "json"])
        .args(logs)
        .output()
        .map_err(|e| e.to_string())?;
    serde_json::from_slice(&ran.stdout)
        .map_err(|_| String::from_utf8_lossy(&ran.stderr).into_owned())
}

/// Whether the program reports of a log what it should.
fn reported(log: &Log, path: &Path, count: usize) -> Result<(), String> {
    let report = report(&[path])?;
    let format = report["inputs"][0]["format"].as_str().unwrap_or_default();
    if !format.starts_with(log.format) {
        return Err(format!("read as {format:?}, not {:?}", log.format));
    }
    let ended = match log.tells {
        // Nobody can tell which of them are open, so none is counted so.
        Tells::Opening => 0,
        _ => count,
    };
    let found = &report["streams"];
    if found["ended"] == ended && found["open"] == 0 {
        Ok(())
    } else {
        Err(format!("not {ended} ended and none open: {found}"))
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

/// The streams of a log, without any option; of one of openings alone, as if
/// each was held for [`ASSUMED`].
fn read(log: &Log, path: &Path) -> Result<Joined, String> {
    let selector = Selector::new(&[PATH.to_owned()], METHOD);
    let is_opening = log.tells == Tells::Opening;
    let assumed_hold = is_opening.then_some(ASSUMED);
    let given = Overrides { assumed_hold, ..Overrides::default() };
    join(&[path], selector, given)
}

/// What the library makes of these logs.
///
/// # Errors
///
/// One cannot be read.
pub(crate) fn join(
    logs: &[&Path],
    selector: Selector,
    given: Overrides,
) -> Result<Joined, String> {
    let harvester = Harvester { selector, ..harvester() };
    let input = |path: &&Path| Input::File(path.to_path_buf());
    let inputs: Vec<Input> = logs.iter().map(input).collect();
    let (harvests, rows) = harvester.read_all(&inputs);
    if let Some(error) = harvests.iter().find_map(|h| h.error.clone()) {
        return Err(error);
    }
    Ok(Joined::join(&harvests, rows, &harvester.selector, given))
}

/// The streams of the client with this address.
pub(crate) fn of_client(joined: &Joined, address: &str) -> Vec<Stream> {
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

/// Whether a stream of this log can be what the client saw so: opened after
/// it was asked for and before its first event came, ended after it had
/// lasted or its client had left.
fn fits(log: &Log, stream: &Stream, truth: &Truth) -> bool {
    let early = log.grain + SLACK;
    let opens = truth.opened - early..=truth.began + SLACK;
    if !opens.contains(&stream.opened) {
        return false;
    }
    let Some(closed) = stream.closed else { return false };
    let hold = closed - stream.opened;
    if log.tells == Tells::Opening {
        return hold == ASSUMED;
    }
    let (notice, least) = if truth.aborted {
        (log.notice, truth.closed - truth.began)
    } else {
        (Micros::ZERO, truth.lasts)
    };
    let ends =
        if truth.aborted { truth.closed } else { truth.opened + truth.lasts };
    let late = notice + LATE;
    let closes = ends - early..=truth.closed + late;
    // How long it was held does not hang on the grain of the clock.
    let holds = least - SLACK..=truth.closed - truth.opened + late;
    closes.contains(&closed)
        && holds.contains(&hold)
        && stream.ended_by == log.tells.of(truth.aborted)
}

/// Streams as a failure shows them.
pub(crate) fn found(streams: &[Stream]) -> String {
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
        let times = [truth.opened, truth.began, truth.closed];
        let [opened, began, closed] = times.map(Micros::to_rfc3339);
        let by = log.tells.of(truth.aborted);
        format!("\n  {opened} (begun {began}) to {closed} by {by:?}")
    };
    truths.iter().map(show).collect()
}

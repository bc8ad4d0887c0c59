//! The logs against what the clients saw.

use serde_json::Value;
use streamleak::internal::format::EndedBy;
use streamleak::internal::series::Series;
use streamleak::internal::streams::{Log, Stream};
use streamleak::internal::time::Micros;

use super::truth::Seen;
use super::{Client, LEAKS, STREAMS, TIDY};
use crate::check;

/// How far a logged time may be from the instants it must lie between.
const NEAR: Micros = Micros(50_000);

/// What was read at one time.
pub(super) struct Read {
    /// The streams of both logs.
    pub(super) joined: Log,
    /// The report of both.
    pub(super) both: Value,
    /// The report of the ends alone.
    pub(super) ends: Value,
}

/// Compares what was read while streams were open, and at the end, with what
/// the clients saw.
pub(super) fn compare(
    then: &Read,
    now: &Read,
    tidy: &[Seen],
    leaks: &[Seen],
) -> Result<(), String> {
    counts(&then.both, TIDY.streams, LEAKS.streams)?;
    counts(&then.ends, TIDY.streams, 0)?;
    counts(&now.both, STREAMS, 0)?;
    counts(&now.ends, STREAMS, 0)?;
    for (read, closed) in [(then, false), (now, true)] {
        streams(read, &TIDY, tidy, true)?;
        streams(read, &LEAKS, leaks, closed)?;
        superseded(&read.joined.streams, leaks)?;
    }
    Ok(())
}

/// The report has so many streams that ended and are open.
fn counts(report: &Value, ended: u32, open: u32) -> Result<(), String> {
    let found = &report["streams"];
    if found["ended"] == ended && found["open"] == open {
        Ok(())
    } else {
        Err(format!("not {ended} ended, {open} open: {found}"))
    }
}

/// The streams of a client are those that it saw, in their order.
fn streams(
    read: &Read,
    client: &Client,
    seen: &[Seen],
    closed: bool,
) -> Result<(), String> {
    let found = check::of_client(&read.joined, client.address);
    let mut pairs = found.iter().zip(seen);
    let all_fit = pairs.all(|(stream, seen)| fits(stream, seen, closed));
    if all_fit && found.len() == seen.len() {
        Ok(())
    } else {
        Err(format!(
            "{}:{}\nare not{seen:#?}",
            client.spec.name,
            check::found(&found)
        ))
    }
}

/// Whether a stream is this one, closed by its client or still open.
fn fits(stream: &Stream, seen: &Seen, closed: bool) -> bool {
    let end = match stream.closed {
        Some(at) => {
            closed
                && near(at, seen.closing, seen.after)
                && stream.ended_by == EndedBy::Client
        }
        None => !closed && stream.ended_by == EndedBy::Unknown,
    };
    near(stream.opened, seen.opened, seen.acknowledged) && end
}

/// Whether an instant lies between two others, as near as must be.
fn near(at: Micros, from: Micros, until: Micros) -> bool {
    (from - NEAR..=until + NEAR).contains(&at)
}

/// While all the leaking client's streams are open all but one of them are
/// superseded.
fn superseded(streams: &[Stream], leaks: &[Seen]) -> Result<(), String> {
    let opened = leaks.iter().map(|seen| seen.acknowledged).max();
    let closed = leaks.iter().map(|seen| seen.closing).min();
    let (Some(opened), Some(closed)) = (opened, closed) else {
        return Err("it opened none".to_owned());
    };
    let (from, until) = (opened + NEAR, closed - NEAR);
    let series = Series::new(streams, from, until, Micros(10_000));
    let bins = series.map_err(|e| format!("{e:?}"))?.bins;
    let wanted = f64::from(LEAKS.streams - 1);
    let all = bins.iter().all(|bin| (bin.superseded - wanted).abs() < 1e-9);
    if all && until > from {
        Ok(())
    } else {
        Err(format!("not {wanted} superseded: {bins:?}"))
    }
}

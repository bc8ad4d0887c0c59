//! What a client of the SDK says it saw.

use std::path::Path;

use serde::Deserialize;
use streamleak::internal::time::Micros;

/// One line of `client.py`.
#[derive(Deserialize)]
struct Line {
    at: f64,
    event: String,
    stream: Option<u32>,
    by: Option<String>,
}

/// What the client saw of one stream. A proxy opened it between the first
/// two instants and knew of its end between the last two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Before it was asked for.
    pub(super) opened: Micros,
    /// When its first event had come.
    pub(super) acknowledged: Micros,
    /// Before the client closed it.
    pub(super) closing: Micros,
    /// When a request was answered that was made after the stream was
    /// closed: the one worker of a proxy hears of both in their order.
    pub(super) after: Micros,
}

/// What it saw of its streams.
///
/// # Errors
///
/// A line is missing or is no such line, or a stream was ended by another.
pub(super) fn seen(file: &Path, streams: u32) -> Result<Vec<Seen>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let lines: Result<Vec<Line>, _> =
        text.lines().map(serde_json::from_str).collect();
    let lines = lines.map_err(|e| format!("{e}:\n{text}"))?;
    (1..=streams)
        .map(|stream| {
            of(&lines, stream)
                .ok_or_else(|| format!("stream {stream} not seen:\n{text}"))
        })
        .collect()
}

/// What it saw of one.
fn of(lines: &[Line], stream: u32) -> Option<Seen> {
    let line = |event: &str| {
        let is_it =
            |line: &&Line| line.stream == Some(stream) && line.event == event;
        lines.iter().find(is_it)
    };
    let at = |event| Some(Micros::from_secs_f64(line(event)?.at));
    line("closed").filter(|line| line.by.as_deref() == Some("client"))?;
    Some(Seen {
        opened: at("opened")?,
        acknowledged: at("acknowledged")?,
        closing: at("closing")?,
        after: at("answered")?,
    })
}

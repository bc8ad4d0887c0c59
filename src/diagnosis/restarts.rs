//! Restarts: everything is closed at once, and everybody comes back.

use std::collections::BTreeSet;

use super::fault::{Cause, Confidence, Fault, Side};
use super::pile::percent;
use super::{Scene, texts};
use crate::reopen::WITHIN;
use crate::reset::Reset;
use crate::stream::Stream;
use crate::summary::counted;

/// A restart closes the streams of this many clients at least.
const CLIENTS: usize = 3;

pub(super) fn fault(scene: &Scene<'_>) -> Option<Fault> {
    let restarts: Vec<(&Reset, Vec<&Stream>)> = scene
        .detection
        .resets
        .iter()
        .map(|reset| (reset, closed(scene, reset)))
        .filter(|(_, closed)| clients(closed) >= CLIENTS)
        .collect();
    let (first, _) = restarts.first()?;
    let all: usize = restarts.iter().map(|(_, closed)| closed.len()).sum();
    let back: usize =
        restarts.iter().map(|(reset, _)| burst(scene, reset)).sum();
    let least = restarts.iter().map(|(_, closed)| clients(closed)).min()?;
    Some(Fault {
        side: Side::Server,
        cause: Cause::RestartHerd,
        confidence: Confidence::Medium,
        evidence: vec![
            format!(
                "most of what was open was closed at once {}, first at {}: \
                 {} in all, of {least} clients or more each time",
                counted(restarts.len() as u64, "time"),
                first.at.to_rfc3339(),
                counted(all as u64, "stream"),
            ),
            format!(
                "{back} were opened within {:.0} s after ({} of those closed)",
                WITHIN.as_secs(),
                percent(back, all),
            ),
        ],
        next: texts([
            "compare these times with your deploys; between them nothing \
             climbs, and they are left out of every fit",
            "let a server that stops close its streams over a minute, and \
             clients spread their return (a random delay), so that not all \
             come back in one second",
        ]),
    })
}

fn closed<'a>(scene: &Scene<'a>, reset: &Reset) -> Vec<&'a Stream> {
    let by = |s: &&Stream| {
        s.closed.is_some_and(|at| reset.at <= at && at <= reset.until)
    };
    scene.streams().iter().filter(by).collect()
}

fn clients(streams: &[&Stream]) -> usize {
    streams.iter().map(|s| s.key).collect::<BTreeSet<_>>().len()
}

/// How many came back.
fn burst(scene: &Scene<'_>, reset: &Reset) -> usize {
    let after =
        |s: &&Stream| s.opened >= reset.at && s.opened <= reset.until + WITHIN;
    scene.streams().iter().filter(after).count()
}

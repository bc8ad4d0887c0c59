//! Restarts: everything is closed at once, and everybody comes back.

use std::collections::BTreeSet;

use super::{Context, texts};
use crate::detect::{Restart, WITHIN};
use crate::report::{
    Cause, Confidence, Fault, Side, counted, instant, percent, span,
};
use crate::streams::Stream;
use crate::time::Micros;

/// A restart closes the streams of this many clients at least.
const CLIENTS: usize = 3;

pub(super) fn fault(context: &Context<'_>) -> Option<Fault> {
    let ends = Times::of(context.streams(), |stream| stream.closed);
    let openings = Times::of(context.streams(), |stream| Some(stream.opened));
    let restarts: Vec<(&Restart, Vec<&Stream>)> = context
        .detection
        .restarts
        .iter()
        .map(|reset| (reset, ends.within(reset.from, reset.until)))
        .filter(|(_, closed)| clients(closed) >= CLIENTS)
        .collect();
    let (first, _) = restarts.first()?;
    let all: usize = restarts.iter().map(|(_, closed)| closed.len()).sum();
    let back: usize =
        restarts.iter().map(|(reset, _)| burst(&openings, reset)).sum();
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
                instant(first.from),
                counted(all as u64, "stream"),
            ),
            format!(
                "{back} were opened within {} after ({} of those closed)",
                span(WITHIN),
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

/// Streams in the order of one of their times.
struct Times<'a>(Vec<(Micros, &'a Stream)>);

impl<'a> Times<'a> {
    fn of(
        streams: &'a [Stream],
        time: fn(&Stream) -> Option<Micros>,
    ) -> Times<'a> {
        let timed = streams.iter().filter_map(|s| Some((time(s)?, s)));
        let mut all: Vec<(Micros, &Stream)> = timed.collect();
        all.sort_by_key(|(at, _)| *at);
        Times(all)
    }

    fn within(&self, from: Micros, until: Micros) -> Vec<&'a Stream> {
        let start = self.0.partition_point(|(at, _)| *at < from);
        let within = self.0[start..].iter().take_while(|(at, _)| *at <= until);
        within.map(|(_, stream)| *stream).collect()
    }
}

fn clients(streams: &[&Stream]) -> usize {
    streams.iter().map(|s| s.key).collect::<BTreeSet<_>>().len()
}

/// How many came back.
fn burst(openings: &Times<'_>, reset: &Restart) -> usize {
    openings.within(reset.from, reset.until + WITHIN).len()
}

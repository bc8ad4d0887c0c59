//! Two logs of the same streams: what the front saw, and what went on behind
//! it.

use super::clusters::who_ended;
use super::{Context, median_duration, texts};
use crate::detect::Found;
use crate::report::{Cause, Confidence, Fault, Side, percent, span};
use crate::streams::{Enders, Stream};
use crate::time::Micros;

/// How far apart the two logs may put an opening.
const SLACK: Micros = Micros(2_000_000);

/// Behind it a stream went on when it was held for so much longer.
const LONGER: Micros = Micros(5_000_000);

/// Pairs that are needed to tell.
const LEAST: usize = 5;

/// `None` where what is behind ends with the front.
pub(super) fn fault(context: &Context<'_>, front: &Found) -> Option<Fault> {
    let pairs = pairs(&front.log.streams, context.streams());
    let went_on: Vec<&(&Stream, &Stream)> =
        pairs.iter().filter(|(front, back)| longer(front, back)).collect();
    if pairs.len() < LEAST || went_on.len() * 2 < pairs.len() {
        return None;
    }
    let ahead = median_duration(went_on.iter().map(|pair| pair.0))?;
    let behind = median_duration(went_on.iter().map(|pair| pair.1))?;
    let enders = Enders::of(went_on.iter().map(|pair| pair.0));
    Some(Fault {
        side: Side::Proxy,
        cause: Cause::DisconnectNotPropagated,
        confidence: Confidence::high_if(enders.clients()),
        evidence: vec![
            format!(
                "{} of {} streams that are in both logs ({}) went on behind \
                 the front after they had ended in front of it",
                went_on.len(),
                pairs.len(),
                percent(went_on.len(), pairs.len())
            ),
            format!(
                "in front they were held for {}, behind for {}",
                span(ahead),
                span(behind)
            ),
            format!("in front, {}", who_ended(enders)),
        ],
        next: texts([
            "on the proxy: let it close the way to the server when the client \
             leaves (nginx: proxy_ignore_client_abort off, the default; \
             HAProxy: option abortonclose; a function's URL or a queue in \
             between never does)",
            "on the server: send a comment every 15 s; the write to a client \
             that is gone fails, and the stream can be ended",
            "the client is not at fault: in the front's log it closes what it \
             leaves",
        ]),
    })
}

/// Streams of both logs that opened at about the same time, one for one.
fn pairs<'a>(
    front: &'a [Stream],
    back: &'a [Stream],
) -> Vec<(&'a Stream, &'a Stream)> {
    let sorted = |streams: &'a [Stream]| {
        let mut all: Vec<&Stream> = streams.iter().collect();
        all.sort_by_key(|stream| stream.opened);
        all
    };
    let (front, back) = (sorted(front), sorted(back));
    let mut waiting = front.into_iter().peekable();
    let mut pairs = Vec::new();
    for stream in back {
        let too_early = |f: &&Stream| f.opened + SLACK < stream.opened;
        while waiting.next_if(too_early).is_some() {}
        let near = |f: &&Stream| f.opened <= stream.opened + SLACK;
        pairs.extend(waiting.next_if(near).map(|front| (front, stream)));
    }
    pairs
}

fn longer(front: &Stream, back: &Stream) -> bool {
    let Some(ahead) = front.hold() else { return false };
    let behind = back.hold().unwrap_or(Micros(i64::MAX / 2));
    behind > ahead + LONGER
}

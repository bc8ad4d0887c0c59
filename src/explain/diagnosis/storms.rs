//! Storms: who ends the streams at once, or refuses them.

use std::collections::BTreeMap;

use super::{Context, texts};
use crate::report::{
    Cause, Confidence, Fault, Side, counted, mean, percent, rate, span,
};
use crate::stats::median;
use crate::streams::{Enders, Stream, statuses};
use crate::time::Micros;

pub(super) fn fault(context: &Context<'_>) -> Option<Fault> {
    let streams: Vec<&Stream> =
        context.streams().iter().filter(|s| context.storms(s)).collect();
    let statuses = statuses(streams.iter().copied());
    let refusals = streams.iter().filter(|s| s.answer.refused()).count();
    let known: usize = statuses.values().sum();
    let mut evidence = pace(context, &streams)?;
    evidence.push(if known == 0 {
        "the log does not tell their status".to_owned()
    } else {
        format!("answered with {}", most_frequent(&statuses))
    });
    let main = statuses.iter().max_by_key(|(_, count)| **count);
    let status = main.map_or(0, |(status, _)| *status);
    Some(if known > 0 && refusals * 5 >= known * 4 {
        refusal(status, evidence)
    } else {
        let enders = Enders::of(streams.iter().copied());
        if enders.clients() {
            by_client(context, evidence)
        } else {
            ended(evidence, known > 0)
        }
    })
}

/// The three most frequent statuses.
fn most_frequent(statuses: &BTreeMap<u16, usize>) -> String {
    let all: usize = statuses.values().sum();
    let mut shares: Vec<(&u16, &usize)> = statuses.iter().collect();
    shares.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let one = |(status, count): &(&u16, &usize)| {
        format!("{status} ({})", percent(**count, all))
    };
    let first: Vec<String> = shares.iter().take(3).map(one).collect();
    first.join(", ")
}

/// How fast the worst client comes back.
fn pace(context: &Context<'_>, streams: &[&Stream]) -> Option<Vec<String>> {
    let storms = &context.detection.storms;
    let (worst, clients) = (storms.worst()?, storms.clients());
    let own = streams.iter().filter(|s| s.key == worst.key);
    let own: Vec<&&Stream> = own.collect();
    let gaps = own
        .windows(2)
        .filter_map(|two| Some((two[1].opened - two[0].closed?).as_secs()));
    let gap = median(gaps.collect())?;
    let duration = median(
        own.iter().filter_map(|s| Some(s.hold()?.as_secs())).collect(),
    )?;
    Some(vec![
        format!(
            "{} by {}, the busiest {} a second ({} a minute) for {}",
            counted(streams.len() as u64, "stream"),
            counted(clients as u64, "client"),
            rate(worst.rate()),
            mean(worst.rate() * 60.0),
            span(worst.lasted()),
        ),
        format!(
            "each was held for {}, and the next opened {} after it ended: {}",
            span(Micros::from_secs_f64(duration)),
            span(Micros::from_secs_f64(gap)),
            likely_delay(gap)
        ),
    ])
}

/// Whose delay that is.
fn likely_delay(gap: f64) -> &'static str {
    match gap {
        ..0.3 => "no back-off at all",
        0.3..1.7 => "the first delay of the MCP SDKs, never raised",
        1.7..2.7 => "a fixed delay",
        _ => "the delay of a browser's EventSource",
    }
}

/// The clients end what they asked for; the log says so.
fn by_client(context: &Context<'_>, mut evidence: Vec<String>) -> Fault {
    let (some, all) =
        (context.detection.storms.clients(), context.found.standings.len());
    evidence.push(format!(
        "the log tells that the client ended them: {some} of {} do so",
        counted(all as u64, "client")
    ));
    let others_are_well = some * 2 <= all;
    Fault {
        side: Side::Client,
        cause: Cause::ReconnectStorm,
        confidence: if others_are_well {
            Confidence::High
        } else {
            Confidence::Medium
        },
        evidence,
        next: texts([
            "on the client: look for what cancels the stream and opens it \
             again (an effect that runs at each render, a handler that \
             reconnects without a pause), and back off",
            "if several clients share a network, look for something on their \
             way that cuts the connection",
        ]),
    }
}

/// The server ends what it has accepted.
fn ended(evidence: Vec<String>, known: bool) -> Fault {
    Fault {
        side: Side::Server,
        cause: Cause::ReconnectStorm,
        confidence: if known { Confidence::High } else { Confidence::Medium },
        evidence,
        next: texts([
            "on the server: hold the stream open, or answer 405 (GET) or 404 \
             (a method it does not have) if it offers none, and do not \
             advertise listChanged or subscribe",
            "on the server: end a stream with its JSON-RPC result when it is \
             done; a bare end asks the client to come back",
            "on the client: back off, and do not reset the count of retries \
             at a clean end",
        ]),
    }
}

/// The server refuses, and the client asks again.
fn refusal(status: u16, evidence: Vec<String>) -> Fault {
    let (side, next) = match status {
        409 => (
            Side::Server,
            texts([
                "on the server: release a stream as soon as its connection is \
                 gone (409 says that the old one still counts); a ping every \
                 15 s shows that it is",
                "on the client: close the old stream before opening the next, \
                 and back off after a 409",
            ]),
        ),
        429 | 500..=599 => (
            Side::Server,
            texts([
                "on the server: look for what fills the limit (sessions that \
                 are never removed), and send Retry-After",
                "on the client: honour Retry-After and back off",
            ]),
        ),
        _ => (
            Side::Client,
            texts([
                "on the client: take the status for an answer; after 405 or \
                 404 there is no stream to be had, and asking again is idle",
                "on the server: check that the path and the headers it asks \
                 for are those the client sends",
            ]),
        ),
    };
    Fault {
        side,
        cause: Cause::RefusalLoop,
        confidence: Confidence::High,
        evidence,
        next,
    }
}

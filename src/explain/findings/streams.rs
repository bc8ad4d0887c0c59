//! Findings on the streams themselves.

use serde_json::json;

use super::finding;
use crate::detect::{Found, Verdict};
use crate::report::{
    Finding, Severity, count, counted, instant, mean, share, span,
};
use crate::stats::median;
use crate::streams::{Stream, statuses};
use crate::time::Micros;

/// The end of the log that cannot be trusted.
pub(super) fn censored(found: &Found) -> Option<Finding> {
    let (first, last) = (found.log.first?, found.log.last?);
    let detection = found.detection.as_ref()?;
    let until = found.trusted_until()?.max(first);
    let tail = last - until;
    if tail <= Micros::ZERO {
        return None;
    }
    let part = if until > first {
        format!("the last {} cannot", span(tail))
    } else {
        "no part of the log can".to_owned()
    };
    finding(
        "censored-tail",
        Severity::Info,
        format!(
            "{part} be judged: streams still open then are not logged yet"
        ),
        [
            ("seconds", json!(tail.as_secs())),
            ("hidden_s", json!(detection.hidden.as_secs())),
        ],
    )
}

/// What an at-end log can never show.
pub(super) fn never_closed(found: &Found) -> Option<Finding> {
    found.detection.as_ref()?;
    if found.log.opens_known {
        return None;
    }
    let last = found.log.last?;
    finding(
        "never-closed",
        Severity::Info,
        format!(
            "a stream that was not closed before {} is not in this log, \
             however long it has been open; `streamleak setup nginx` shows \
             how to log openings too",
            instant(last)
        ),
        [("until", json!(last))],
    )
}

/// Streams that were asked for and answered with an error: what is open
/// without them is what the server has room for.
pub(super) fn refused(found: &Found) -> Option<Finding> {
    let all = &found.log.streams;
    let refused = || all.iter().filter(|stream| stream.answer.refused());
    let by_status = statuses(refused());
    let errors: usize = by_status.values().sum();
    let (status, _) = by_status.into_iter().max_by_key(|(_, count)| *count)?;
    let durations = refused().filter_map(Stream::hold);
    let after = median(durations.map(Micros::as_secs).collect())
        .map(Micros::from_secs_f64);
    let after = after.map_or(String::new(), |after| {
        format!(", half of them within {}", span(after))
    });
    let part = errors as f64 / all.len() as f64;
    finding(
        "refused",
        if part >= 0.1 { Severity::Warning } else { Severity::Info },
        format!(
            "{} of {} ({}) were answered with an error, most with \
             {status}{after}; they count as streams for as long as that took",
            count(errors as u64),
            counted(all.len() as u64, "stream"),
            share(part),
        ),
        [("streams", json!(errors)), ("status", json!(status))],
    )
}

/// The client that holds most, which a leak at its plateau shows.
pub(super) fn largest_stack(found: &Found) -> Option<Finding> {
    found.detection.as_ref()?;
    let most = found
        .standings
        .iter()
        .max_by(|one, two| one.open.total_cmp(&two.open))?;
    let client = found.client(most);
    let agent = String::from_utf8_lossy(&client.agent);
    let address = String::from_utf8_lossy(&client.address);
    finding(
        "largest-stack",
        Severity::Info,
        format!(
            "{address} {agent} holds the most streams: {} on average, {} at \
             most",
            mean(most.open),
            count(most.max_open)
        ),
        [
            ("mean_open", json!(most.open)),
            ("max_open", json!(most.max_open)),
            ("address", json!(address)),
            ("user_agent", json!(agent)),
        ],
    )
}

/// Clients that asked for things and finished no stream.
pub(super) fn silent(found: &Found) -> Option<Finding> {
    let count = found.silent?;
    finding(
        "silent-clients",
        Severity::Info,
        format!(
            "{} made requests and finished no stream; any of them may hold \
             one that is not logged yet",
            counted(count as u64, "client")
        ),
        [("clients", json!(count))],
    )
}

/// Restarts in the log.
pub(super) fn restarts(found: &Found) -> Option<Finding> {
    let resets = &found.detection.as_ref()?.restarts;
    let at: Vec<Micros> = resets.iter().map(|r| r.from).collect();
    let first = instant(*at.first()?);
    let times = match at.len() {
        1 => format!("at {first}"),
        times => format!("{times} times, first at {first}"),
    };
    finding(
        "restarts",
        Severity::Info,
        format!(
            "most open streams were closed at once {times}: a restart or a \
             deploy; segments are tested separately"
        ),
        [("at", json!(at))],
    )
}

/// Clients that only begin streams, where that alone proves nothing.
pub(super) fn only_begin(found: &Found) -> Option<Finding> {
    let detection = found.detection.as_ref()?;
    let all = detection.only_begin();
    let (key, peak) = *all.first()?;
    let client = &found.log.clients[key.0 as usize];
    let address = String::from_utf8_lossy(&client.address);
    let agent = String::from_utf8_lossy(&client.agent);
    finding(
        "only-begins",
        Severity::Warning,
        format!(
            "{address} {agent} only begins streams and never closes one: {} \
             replaced ones at once at most{}. A client that leaks looks like \
             that, and so do people who come to one address and stay: --key \
             tells them apart, and so would a --baseline",
            count(peak as u64),
            match all.len() {
                1 => String::new(),
                more => format!(", and {} more do", more - 1),
            }
        ),
        [
            ("address", json!(address)),
            ("user_agent", json!(agent)),
            ("peak", json!(peak)),
            ("clients", json!(all.len())),
        ],
    )
}

/// Suspected clients in a log whose verdict is no alarm.
pub(super) fn suspects(found: &Found) -> Option<Finding> {
    let detection = found.detection.as_ref()?;
    let flagged = detection.flagged();
    let alarm = detection.verdict <= Verdict::Stacked;
    let worst = flagged.first().filter(|_| !alarm)?;
    let client = &found.log.clients[worst.evidence.unit as usize];
    let address = String::from_utf8_lossy(&client.address);
    finding(
        "pool-or-leak",
        Severity::Warning,
        format!(
            "the replaced streams of {}, such as {address}, end more slowly \
             than streams in use, and their number does not climb: a pool \
             of connections, or a leak that stopped",
            counted(flagged.len() as u64, "client"),
        ),
        [
            ("address", json!(address)),
            ("peak", json!(worst.evidence.peak)),
            ("reason", json!(worst.reason.word())),
            ("clients", json!(flagged.len())),
        ],
    )
}

/// Storms, whatever the verdict: one that is over is worth knowing as well.
pub(super) fn storms(found: &Found) -> Option<Finding> {
    let detection = found.detection.as_ref()?;
    let storms = &detection.storms;
    let first = storms.all.iter().map(|storm| storm.from).min()?;
    let last = storms.all.iter().map(|storm| storm.until).max()?;
    finding(
        "storms",
        Severity::Warning,
        format!(
            "{} of {} ended at once and were opened again at once, between \
             {} and {}",
            counted(storms.streams(), "stream"),
            counted(storms.clients() as u64, "client"),
            instant(first),
            instant(last),
        ),
        [
            ("streams", json!(storms.streams())),
            ("clients", json!(storms.clients())),
            ("seconds", json!(storms.lasted().as_secs())),
            ("from", json!(first)),
            ("until", json!(last)),
        ],
    )
}

/// Openings that a restart kept from ending.
pub(super) fn lost(found: &Found) -> Option<Finding> {
    let count = found.log.lost;
    if count == 0 {
        return None;
    }
    finding(
        "lost-at-restart",
        Severity::Info,
        format!(
            "{} open at a restart without ever being logged as closed, \
             counted as closed by it",
            counted(count, "stream")
        ),
        [("streams", json!(count))],
    )
}

/// Openings are logged, so nothing is censored.
pub(super) fn opens_known(found: &Found) -> Option<Finding> {
    if !found.log.opens_known {
        return None;
    }
    let streams = &found.log.streams;
    let open = streams.iter().filter(|s| s.closed.is_none()).count();
    finding(
        "openings-logged",
        Severity::Info,
        format!(
            "openings are logged too: {} known to be open at the end of the \
             log",
            counted(open as u64, "stream")
        ),
        [("open", json!(open))],
    )
}

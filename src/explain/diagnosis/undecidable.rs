//! Logs that cannot tell.

use crate::collect::Tally;
use crate::detect::{Found, Why};
use crate::explain::summary::summary;
use crate::report::{Cause, Confidence, Fault, Side, counted, span};

/// What is missing; `None` where there is no stream to ask about.
pub(super) fn fault(found: &Found) -> Option<Fault> {
    if Tally::of(&found.harvests).selected == 0 {
        return None;
    }
    let why = found.detection.as_ref().and_then(|it| it.why_unknown());
    let next = match why.map(|why: Why| why.wait()) {
        Some(Some(wait)) => format!(
            "analyse a longer log: about {} more, or the rotated files before \
             it",
            span(wait)
        ),
        Some(None) => {
            "analyse a longer log, with more streams in it".to_owned()
        }
        None => {
            "log how long each request took: `streamleak setup nginx` (or \
              caddy, apache, haproxy, cloudflare) prints the lines to add"
                .to_owned()
        }
    };
    let streams = Tally::of(&found.harvests).selected;
    Some(Fault {
        side: Side::Unknown,
        cause: Cause::Undetermined,
        confidence: Confidence::Low,
        evidence: vec![
            summary(found),
            format!("{} in the log", counted(streams, "record of a stream")),
        ],
        next: vec![next],
    })
}

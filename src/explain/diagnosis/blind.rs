//! Logs that cannot tell.

use crate::collect::Tally;
use crate::detect::{Class, Found};
use crate::explain::summary::{brief, counted, summary};
use crate::report::{Cause, Confidence, Fault, Side};

/// What is missing; `None` where there is no stream to ask about.
pub(super) fn fault(found: &Found) -> Option<Fault> {
    if Tally::of(&found.harvests).selected == 0 {
        return None;
    }
    let next = match found.detection.as_ref().map(|d| d.class) {
        Some(Class::Insufficient(why)) => match why.wait() {
            Some(wait) => format!(
                "analyse a longer log: about {} more, or the rotated files \
                 before it",
                brief(wait)
            ),
            None => "analyse a longer log, with more streams in it".to_owned(),
        },
        _ => "log how long each request took: `streamleak setup nginx` (or \
              caddy, apache, haproxy, cloudflare) prints the lines to add"
            .to_owned(),
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

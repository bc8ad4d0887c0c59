//! Whose fault it is: what the streams share, held against what is known of
//! clients, servers, proxies and platforms.
//!
//! The first of these that holds is told, in the order in which they rule
//! each other out: a log that cannot tell; two logs of the same streams that
//! differ; a storm; streams that are left open; sessions nobody ends;
//! restarts; and where streams end, a timeout or a ceiling.

pub mod clusters;
mod endings;
mod hops;
mod restarts;
mod sessions;
mod stacks;
mod storms;
mod undecidable;

use std::collections::HashMap;

use crate::report::Fault;

use crate::collect::{Client, KeyId};
use crate::detect::{Detection, Found, Storm, Verdict};
use crate::stats::median;
use crate::streams::Stream;
use crate::time::Micros;

/// Who is at fault; `None` where nobody is, or there is nothing to ask.
///
/// `front` is what was found in the log of the hop before, if there is one.
pub fn diagnose(found: &Found, front: Option<&Found>) -> Option<Fault> {
    let verdict = found.verdict();
    if verdict == Verdict::Unknown {
        return undecidable::fault(found);
    }
    let context = Context::of(found, front)?;
    let between = front.and_then(|front| hops::fault(&context, front));
    between.or_else(|| match verdict {
        Verdict::Storm => storms::fault(&context),
        Verdict::Climbing | Verdict::Stacked => Some(stacks::fault(&context)),
        Verdict::Growing => sessions::fault(&context),
        _ => endings::fault(&context)
            .or_else(|| restarts::fault(&context))
            .or_else(|| stacks::doubt(&context)),
    })
}

/// What is asked about.
struct Context<'a> {
    found: &'a Found,
    /// What was found in the log of the hop before.
    front: Option<&'a Found>,
    detection: &'a Detection,
    /// The names of the logs' formats, as one text.
    format: String,
    /// The streams of each client, in the order of their opening.
    keys: HashMap<KeyId, &'a [Stream]>,
    /// The storms of each client.
    storms: HashMap<KeyId, Vec<&'a Storm>>,
}

impl<'a> Context<'a> {
    fn of(found: &'a Found, front: Option<&'a Found>) -> Option<Context<'a>> {
        let formats = found.harvests.iter().flat_map(|h| &h.found.dialects);
        let formats: Vec<String> =
            formats.map(|dialect| dialect.format.name()).collect();
        // A log's streams are sorted by key.
        let keys = found.log.streams.chunk_by(|a, b| a.key == b.key);
        let detection = found.detection.as_ref()?;
        let mut storms: HashMap<KeyId, Vec<&Storm>> = HashMap::new();
        for storm in &detection.storms.all {
            storms.entry(storm.key).or_default().push(storm);
        }
        Some(Context {
            found,
            front,
            detection,
            storms,
            format: formats.join(" "),
            keys: keys.map(|streams| (streams[0].key, streams)).collect(),
        })
    }

    fn client(&self, key: KeyId) -> &'a Client {
        &self.found.log.clients[key.0 as usize]
    }

    fn streams(&self) -> &'a [Stream] {
        &self.found.log.streams
    }

    /// The streams of one client.
    fn of_key(&self, key: KeyId) -> &'a [Stream] {
        self.keys.get(&key).copied().unwrap_or_default()
    }

    /// Whether a stream ended for a reason of its own: no storm's and not a
    /// restart's.
    fn ended_by_itself(&self, stream: &Stream) -> bool {
        stream.closed.is_some_and(|closed| {
            !self.detection.within_restart(closed) && !self.storms(stream)
        })
    }

    /// Whether a stream is one of a storm.
    fn storms(&self, stream: &Stream) -> bool {
        let brief = stream.hold().is_some_and(|h| h <= Micros(2_000_000));
        let of_client = self.storms.get(&stream.key);
        let within = |storm: &&Storm| {
            storm.from <= stream.opened && stream.opened <= storm.until
        };
        brief && of_client.is_some_and(|all| all.iter().any(within))
    }
}

/// The median duration of those of these streams that have ended.
fn median_duration<'a>(
    streams: impl Iterator<Item = &'a Stream>,
) -> Option<Micros> {
    let ended = streams.filter_map(Stream::hold);
    median(ended.map(Micros::as_secs).collect()).map(Micros::from_secs_f64)
}

fn texts<const N: usize>(texts: [&str; N]) -> Vec<String> {
    texts.map(str::to_owned).to_vec()
}

//! Detection: each endpoint of a log by itself.

use crate::detect::judge::detection::{Detection, Endpoint};
use crate::detect::judge::endpoint;
use crate::detect::log::Log;
use crate::detect::settings::Settings;
use crate::detect::verdict::Verdict;
use crate::streams::Stream;

/// Judges whether the streams of a log are closed when their clients have
/// replaced them. Endpoints share the chance of a false alarm.
pub fn detect(log: &Log<'_>, settings: &Settings) -> Detection {
    let mut streams = log.streams.to_vec();
    // Streams of a unit opened at one instant stay in the input's order.
    streams.sort_by_key(|s| (log.endpoint(s), s.key, s.opened));
    let same = |a: &Stream, b: &Stream| log.endpoint(a) == log.endpoint(b);
    let count = streams.chunk_by(same).count();
    let alpha = settings.alpha / count.max(1) as f64;
    let judge = |own: &[Stream]| {
        let number = log.endpoint(&own[0]);
        endpoint::judge(log, number, own, settings, alpha)
    };
    let endpoints: Vec<Endpoint> = streams.chunk_by(same).map(judge).collect();
    let verdict = endpoints.iter().map(|endpoint| endpoint.verdict).min();
    Detection { verdict: verdict.unwrap_or(Verdict::Unknown), endpoints }
}

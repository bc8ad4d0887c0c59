//! Whether a series that was rebuilt from the log shows what the server
//! counted.

use super::Run;
use crate::series::Series;
use crate::time::Micros;

/// How a series compares with the samples of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// How many samples there are.
    pub samples: usize,
    /// The greatest difference at one of them, in streams.
    pub worst: u64,
    /// Streams opened or closed between a full step of the clock, up to
    /// which the series tells, and the sample taken right after it: they
    /// are allowed for.
    pub in_flight: u64,
}

impl Agreement {
    /// Compares the concurrency at each sample, which is what was opened
    /// before less what was closed, with the count; samples are taken where
    /// bins begin. The log's clock is cut to milliseconds, which moves no
    /// instant over the start of a bin.
    pub fn of(run: &Run, series: &Series) -> Agreement {
        let mut agreement = Agreement::default();
        let streams = || run.entries.iter().filter(|entry| entry.stream);
        let opens = ordered(streams().map(|entry| entry.opened));
        let closes = ordered(streams().filter_map(|entry| entry.closed));
        let mut bins = series.bins.iter().peekable();
        let mut open: i64 = 0;
        for sample in &run.samples {
            let step = series.step.0.max(1);
            let edge = Micros(sample.at.0.div_euclid(step) * step);
            while let Some(bin) = bins.next_if(|bin| bin.start < edge) {
                open += bin.opens as i64 - bin.closes as i64;
            }
            let opened = between(&opens, edge, sample.at);
            let closed = between(&closes, edge, sample.at);
            let expected = open + opened as i64 - closed as i64;
            let off = expected.abs_diff(sample.open as i64);
            agreement.worst = agreement.worst.max(off);
            agreement.in_flight += (opened + closed) as u64;
            agreement.samples += 1;
        }
        agreement
    }
}

fn ordered(times: impl Iterator<Item = Micros>) -> Vec<Micros> {
    let mut times: Vec<Micros> = times.collect();
    times.sort_unstable();
    times
}

/// How many of these lie in a stretch, both ends included.
fn between(ordered: &[Micros], from: Micros, until: Micros) -> usize {
    let before = ordered.partition_point(|at| *at < from);
    ordered.partition_point(|at| *at <= until) - before
}

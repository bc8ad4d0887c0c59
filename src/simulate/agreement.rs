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
        let ends = Ends::of(run);
        let mut bins = series.bins.iter().peekable();
        let mut open: i64 = 0;
        for sample in &run.samples {
            let step = series.step.0.max(1);
            let edge = Micros(sample.at.0.div_euclid(step) * step);
            while let Some(bin) = bins.next_if(|bin| bin.start < edge) {
                open += bin.opens as i64 - bin.closes as i64;
            }
            let opened = between(&ends.opened, edge, sample.at);
            let closed = between(&ends.closed, edge, sample.at);
            let expected = open + opened as i64 - closed as i64;
            let off = expected.abs_diff(sample.open as i64);
            agreement.worst = agreement.worst.max(off);
            agreement.in_flight += (opened + closed) as u64;
            agreement.samples += 1;
        }
        agreement
    }
}

/// When streams were opened and closed, in order.
struct Ends {
    opened: Vec<Micros>,
    closed: Vec<Micros>,
}

impl Ends {
    fn of(run: &Run) -> Ends {
        let streams = || run.entries.iter().filter(|entry| entry.stream);
        let mut opened: Vec<_> = streams().map(|e| e.opened).collect();
        let mut closed: Vec<_> = streams().filter_map(|e| e.closed).collect();
        opened.sort_unstable();
        closed.sort_unstable();
        Ends { opened, closed }
    }
}

/// How many of these lie in a stretch, both ends included.
fn between(ordered: &[Micros], from: Micros, until: Micros) -> usize {
    let before = ordered.partition_point(|at| *at < from);
    ordered.partition_point(|at| *at <= until) - before
}

//! Whether a series that was rebuilt from the log shows what the server
//! counted.

use super::{Entry, Run};
use crate::series::Series;
use crate::time::Micros;

/// What opens or closes this close to a sample may be counted in it or not:
/// the log's clock shows milliseconds, and a sample takes its time.
pub const NEAR: Micros = Micros(10_000);

/// How a series compares with the samples of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Samples near which nothing was opened or closed.
    pub clear: usize,
    /// The greatest difference at one of them, in streams.
    pub worst: u64,
    /// The other samples.
    pub near: usize,
    /// The greatest difference at one of those that the streams opened or
    /// closed near it do not explain.
    pub unexplained: u64,
}

impl Agreement {
    /// Compares the concurrency at each sample, which is what was opened
    /// before less what was closed, with the count; samples are taken where
    /// bins begin.
    pub fn of(run: &Run, series: &Series) -> Agreement {
        let mut agreement = Agreement::default();
        let mut bins = series.bins.iter().peekable();
        let mut open: i64 = 0;
        for sample in &run.samples {
            // A bin belongs to the past once the next has begun.
            let past = sample.at - series.step;
            while let Some(bin) = bins.next_if(|bin| bin.start <= past) {
                open += bin.opens as i64 - bin.closes as i64;
            }
            let off = open.abs_diff(sample.open as i64);
            let step = series.step.0.max(1);
            let edge = Micros(sample.at.0.div_euclid(step) * step);
            match changes(run, edge - NEAR, sample.at + NEAR) {
                0 => {
                    agreement.clear += 1;
                    agreement.worst = agreement.worst.max(off);
                }
                near => {
                    agreement.near += 1;
                    let rest = off.saturating_sub(near);
                    agreement.unexplained = agreement.unexplained.max(rest);
                }
            }
        }
        agreement
    }

    /// Whether nothing differs that would have to agree.
    pub fn holds(&self) -> bool {
        self.worst == 0 && self.unexplained == 0
    }
}

/// How many streams were opened or closed in a stretch, those left out that
/// were over at once.
fn changes(run: &Run, from: Micros, until: Micros) -> u64 {
    let held =
        |entry: &&Entry| entry.stream && entry.closed != Some(entry.opened);
    let streams = run.entries.iter().filter(held);
    let ends = streams.flat_map(|entry| [Some(entry.opened), entry.closed]);
    ends.flatten().filter(|end| (from..=until).contains(end)).count() as u64
}

//! The level of the superseded streams, held against the baseline's.

use super::{Prepared, Scene};
use crate::detect::{
    baseline_level::{Level, LevelRule, LevelTest, Traffic},
    verdict::Settings,
    window::{self, Span},
};
use crate::series::{Means, Part, Row, Timeline};
use crate::stats::quantile;
use crate::time::Micros;

impl Prepared {
    /// The level of the superseded streams over all of the log that can be
    /// trusted, with the end of that in seconds from its start. `None` when
    /// it is too short.
    pub fn level(&self, settings: &Settings) -> Option<(Level, f64)> {
        let Prepared { timeline, means, .. } = self;
        let censored = self.censored.superseded;
        let rule = &settings.window;
        let spans =
            window::segments(&self.resets, self.length, censored, rule);
        let until = last(&spans);
        Some((level(timeline, means, until, settings)?, until))
    }
}

impl Scene<'_> {
    /// The level tested against the baseline's: where it is higher, clients
    /// have stacked streams before the log began.
    pub(super) fn weighed_level(&self) -> Option<LevelTest> {
        let settings = self.settings;
        let base = settings.baseline.level?;
        let until = last(&self.spans(Part::Superseded));
        let own = level(self.timeline, self.means, until, settings);
        let rule = LevelRule {
            alpha: settings.alpha,
            threshold: settings.threshold(base.mean),
            unexplained: settings.unexplained,
        };
        own.map(|own| LevelTest::of(own, base, rule))
    }
}

/// The end of the last stretch that can be trusted; some are reversed.
fn last(spans: &[Span]) -> f64 {
    spans.iter().map(|span| span.until).fold(0.0, f64::max)
}

/// The level from the log's start on, restarts and all: what they close is
/// part of how many are held.
fn level(
    timeline: &Timeline,
    means: &Means,
    until: f64,
    settings: &Settings,
) -> Option<Level> {
    let rule = &settings.window;
    let bins = (until / rule.bin_secs() + 1e-9) as usize;
    if bins < rule.least {
        return None;
    }
    let slices = rule.slices.min(bins) as u64;
    let edges = Span { from: 0.0, until }.edges(slices);
    let traffic = traffic(timeline, means, until);
    let means = means.means(Part::Superseded, &edges);
    Level::of(&means, settings.rho_cap, traffic)
}

/// What the clients did until then.
fn traffic(timeline: &Timeline, means: &Means, until: f64) -> Traffic {
    let inside = |at: Micros| (0.0..until).contains(&at.as_secs());
    let rows = timeline.rows().iter();
    let opens = rows.clone().filter(|row| inside(row.opened)).count() as u64;
    let closed = rows.filter(|row| !row.open && inside(row.closed));
    let mut holds: Vec<Micros> = closed.map(Row::hold).collect();
    holds.sort_unstable();
    let hold = quantile(holds.len(), 0.5, |nth| holds[nth].as_secs());
    Traffic {
        length: until,
        opens,
        open: means.means(Part::Total, &[0.0, until])[0],
        hold: hold.unwrap_or(0.0),
    }
}

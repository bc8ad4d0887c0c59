//! The climbs among the tested windows, and what they are called.

use super::Scene;
use crate::detect::{
    attribution::{Attribution, Stacks},
    trend::{Pooled, Slices, SlopeTest, StepFit},
    verdict::{
        Class, Settings,
        detection::{Decisive, Detection, Unexplained, WindowTest},
    },
    window::{Share, Span, Window},
};
use crate::series::Part;

/// What more opens do not explain of a whole segment.
#[derive(Clone, Copy)]
struct Around {
    segment: Span,
    unexplained: f64,
    rise: f64,
    held: u64,
    held_on: u64,
}

impl Scene<'_> {
    /// The gravest climb of the superseded streams, the first among equals.
    pub(super) fn stacking(
        &self,
        tests: &mut [WindowTest],
    ) -> Option<Decisive> {
        let stacks = Stacks::of(self.timeline);
        let mut gravest: Option<(u8, Decisive)> = None;
        let mut around: Option<Around> = None;
        for at in 0..tests.len() {
            if !tests[at].climbs() {
                continue;
            }
            let Window { span, segment, .. } = tests[at].window;
            let attribution = stacks.attribute(span, self.bin());
            // One answer serves all parts of a segment.
            let known = around.filter(|known| known.segment == segment);
            let known =
                known.unwrap_or_else(|| self.around(&stacks, tests, at));
            around = Some(known);
            let test = &mut tests[at];
            let unexplained = self.unexplained(test, &attribution, known);
            let class = self.climb_class(test, &unexplained);
            test.unexplained = Some(unexplained);
            test.class = Some(class);
            if gravest.as_ref().is_none_or(|(rank, _)| class.rank() < *rank) {
                let part = Part::Superseded;
                let window = test.clone();
                let attribution = Some(attribution);
                let decisive = Decisive { part, window, attribution };
                gravest = Some((class.rank(), decisive));
            }
            if class == Class::Leak {
                break;
            }
        }
        gravest.map(|(_, decisive)| decisive)
    }

    /// The whole segment around a window.
    fn around(
        &self,
        stacks: &Stacks<'_>,
        tests: &[WindowTest],
        at: usize,
    ) -> Around {
        let Window { span, segment, .. } = tests[at].window;
        let all = stacks.attribute(segment, self.bin());
        let whole = whole_segment(tests, segment);
        let (unexplained, rise) = match whole {
            Some(whole) => (all.unexplained, whole.test.rise),
            None => {
                let own = stacks.attribute(span, self.bin());
                (own.unexplained, tests[at].test.rise)
            }
        };
        let Attribution { held, held_on, .. } = all;
        Around { segment, unexplained, rise, held, held_on }
    }

    /// What more opens do not explain of a window and of the segment around
    /// it.
    fn unexplained(
        &self,
        test: &WindowTest,
        attribution: &Attribution,
        around: Around,
    ) -> Unexplained {
        let whole = if test.share.is_whole() {
            (attribution.unexplained, test.test.rise)
        } else {
            (around.unexplained, around.rise)
        };
        let held = (around.held, around.held_on);
        Unexplained::of(attribution, whole, held, self.settings.held_on)
    }

    /// What a climb of the superseded streams is called.
    fn climb_class(
        &self,
        test: &WindowTest,
        unexplained: &Unexplained,
    ) -> Class {
        let settings = self.settings;
        let Unexplained { window: own, segment, segment_rise, .. } =
            *unexplained;
        let explained = own < settings.unexplained * test.test.rise
            || segment < settings.unexplained_segment * segment_rise.max(0.0);
        let held_on = unexplained.held_on(settings);
        if explained && !held_on {
            Class::Growth
        } else if test.test.occupancy < settings.occupancy {
            Class::Step
        } else if !test.trailing || test.test.still < settings.still {
            // A rise that is over may have been chance.
            let chance = own < settings.unexplained_sd * unexplained.sd;
            if chance && !held_on { Class::Growth } else { Class::Saturated }
        } else {
            // So may one of streams that come and go.
            let chance = own < settings.climbing_sd * unexplained.sd;
            if chance && !unexplained.stays() {
                Class::Growth
            } else {
                Class::Leak
            }
        }
    }

    /// The first climb of the total.
    pub(super) fn climbing(
        &self,
        tests: &mut [WindowTest],
    ) -> Option<Decisive> {
        let test = tests.iter_mut().find(|test| test.climbs())?;
        let steady = test.test.occupancy >= self.settings.occupancy;
        test.class = Some(if steady { Class::Growth } else { Class::Step });
        let window = test.clone();
        Some(Decisive { part: Part::Total, window, attribution: None })
    }

    /// The first whole segment in which one jump explains nearly all.
    pub(super) fn jumping(&self, found: &Detection) -> Option<Decisive> {
        let superseded =
            found.superseded.iter().map(|test| (Part::Superseded, test));
        let total = found.total.iter().map(|test| (Part::Total, test));
        let (part, test) = superseded
            .chain(total)
            .find(|(_, test)| test.is_step(self.settings))?;
        let mut window = test.clone();
        window.class = Some(Class::Step);
        Some(Decisive { part, window, attribution: None })
    }

    /// The common slope of the superseded streams in all segments between
    /// restarts, for those too short, or climbing too little, by themselves.
    pub(super) fn pooled(&self) -> Option<WindowTest> {
        let spans = self.pooled_spans();
        let slices: Vec<Slices> =
            spans.iter().map(|span| self.slices(*span)).collect();
        let pooled = Pooled::of(&slices, self.settings.rho_cap)?;
        let span = Span { from: spans[0].from, until: spans.last()?.until };
        let threshold = self.settings.pooled_threshold(&pooled);
        let alpha = self.settings.alpha;
        let test = as_slope(&pooled, self.bins_of(&spans));
        let base = self.settings.baseline.superseded;
        let p = base.map_or(pooled.p, |base| test.against(&base).p);
        Some(WindowTest {
            share: Share { number: 1, of: 1 },
            from: self.at(span.from),
            until: self.at(span.until),
            trailing: true,
            segment: self.segment(span),
            segments: pooled.windows,
            slices,
            test,
            p,
            alpha,
            significant: p < alpha,
            threshold,
            large: pooled.rise >= threshold,
            unexplained: None,
            class: None,
            window: Window::whole(span),
        })
    }

    /// The pooled climb, if it is one that more opens do not explain.
    pub(super) fn sawing(&self, test: &mut WindowTest) -> Option<Decisive> {
        if !test.climbs() {
            return None;
        }
        let spans = self.pooled_spans();
        let stacks = Stacks::of(self.timeline);
        let attribution = stacks.attribute_all(&spans, self.bin());
        let Attribution { unexplained: own, held, held_on, .. } = attribution;
        let rise = test.test.rise;
        let whole = (own, rise);
        let (held, share) = ((held, held_on), self.settings.held_on);
        let unexplained = Unexplained::of(&attribution, whole, held, share);
        let explained = own < self.settings.unexplained * rise
            && !unexplained.held_on(self.settings);
        test.unexplained = Some(unexplained);
        if explained {
            return None;
        }
        test.class = Some(Class::Leak);
        let (part, window) = (Part::Superseded, test.clone());
        Some(Decisive { part, window, attribution: Some(attribution) })
    }

    /// The segments that are long enough to be pooled.
    fn pooled_spans(&self) -> Vec<Span> {
        let least = self.settings.pooled_bins as u64;
        let rule = &self.settings.window;
        let spans = self.spans(Part::Superseded).into_iter();
        spans.filter(|span| rule.bins(*span) >= least).collect()
    }

    fn slices(&self, span: Span) -> Slices {
        let rule = &self.settings.window;
        let count = (rule.bins(span) as usize).min(rule.slices);
        let length = (span.until - span.from) / count as f64;
        let edge = |at: usize| span.from + length * at as f64;
        let edges: Vec<f64> = (0..=count).map(edge).collect();
        let means = self.means.means(Part::Superseded, &edges);
        Slices { means, length }
    }

    fn bins_of(&self, spans: &[Span]) -> usize {
        let bins = |span: &Span| self.settings.window.bins(*span) as usize;
        spans.iter().map(bins).sum()
    }

    fn bin(&self) -> f64 {
        self.settings.window.bin_secs()
    }
}

impl Settings {
    /// The least rise, over all windows together, that counts: as
    /// [`Settings::threshold`], where chance adds up as it does over
    /// independent windows.
    fn pooled_threshold(&self, pooled: &Pooled) -> f64 {
        let windows = pooled.windows as f64;
        let relative = self.relative_rise * pooled.level * windows;
        let chance = (2.0 * pooled.level * windows).sqrt();
        self.min_rise.max(relative).max(self.chance_rise * chance)
    }
}

/// A pooled slope as that of one window; its shape is not asked.
fn as_slope(pooled: &Pooled, bins: usize) -> SlopeTest {
    SlopeTest {
        slope: pooled.slope,
        se: pooled.se,
        t: pooled.t,
        p: pooled.p,
        df: pooled.df,
        rise: pooled.rise,
        level: pooled.level,
        mean: pooled.level + pooled.rise / 2.0,
        length: pooled.length,
        slices: pooled.slices,
        bins,
        r1: pooled.r1,
        rho: pooled.rho,
        occupancy: 0.5,
        still: 0.5,
        step: StepFit::default(),
    }
}

/// The test of a whole segment among those of its parts.
fn whole_segment(tests: &[WindowTest], segment: Span) -> Option<&WindowTest> {
    let whole = |test: &&WindowTest| {
        test.share.is_whole() && test.window.segment == segment
    };
    tests.iter().find(whole)
}

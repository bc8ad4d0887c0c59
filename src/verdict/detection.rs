//! From streams to a class: the windows are tested, and the gravest finding
//! among them decides.

use super::{Class, Settings, Why};
use crate::means::{Means, Part, Timeline};
use crate::opens::{Attribution, Stacks};
use crate::reset::{self, Reset};
use crate::stream::Stream;
use crate::time::Micros;
use crate::trend::{Baseline, SlopeTest};
use crate::window::{self, Censored, Share, Span, Window};

/// What a log shows.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// Its streams, in any order.
    pub streams: &'a [Stream],
    /// The time of its first record of any kind. Never that of the first
    /// stream's opening: the streams that were open before it would be
    /// missing, and the series would begin with a false climb.
    pub from: Micros,
    /// The time of its last record of any kind.
    pub until: Micros,
    /// Whether streams are logged when they open, so that the ones still
    /// open are known and no end is censored.
    pub opens_known: bool,
}

/// A stretch of the log that can be trusted, between resets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its start.
    pub from: Micros,
    /// Its end.
    pub until: Micros,
}

/// All that the detector found.
#[derive(Clone, Debug)]
pub struct Detection {
    /// The finding.
    pub class: Class,
    /// Restarts, in order; instants are absolute.
    pub resets: Vec<Reset>,
    /// How much of the log's end cannot be trusted for the total.
    pub censored_total: Micros,
    /// The same for the superseded streams.
    pub censored_superseded: Micros,
    /// The median time from one opening of a key to its next.
    pub cycle: Micros,
    /// Where the total can be trusted.
    pub segments_total: Vec<Segment>,
    /// Where the number of superseded streams can be trusted.
    pub segments_superseded: Vec<Segment>,
    /// The tests of the superseded streams, window by window.
    pub superseded: Vec<WindowTest>,
    /// The tests of all open streams, segment by segment.
    pub total: Vec<WindowTest>,
    /// The window that decided, unless the class is flat or insufficient.
    pub decisive: Option<Decisive>,
}

impl Detection {
    /// The test of the whole last segment: the slope to show when no window
    /// decided. `None` when nothing could be tested, and for
    /// [`Part::Clients`], which is not tested.
    pub fn headline(&self, part: Part) -> Option<&WindowTest> {
        let tests = match part {
            Part::Total => &self.total,
            Part::Superseded => &self.superseded,
            Part::Clients => return None,
        };
        tests.iter().rev().find(|test| test.share.is_whole())
    }
}

/// One window and the test of its slope.
#[derive(Clone, Debug)]
pub struct WindowTest {
    /// Which part of its segment the window is.
    pub share: Share,
    /// Its start.
    pub from: Micros,
    /// Its end.
    pub until: Micros,
    /// Whether it ends where its segment ends.
    pub trailing: bool,
    /// The segment.
    pub segment: Segment,
    /// The slope and its test.
    pub test: SlopeTest,
    /// How likely so steep a climb is without one, or against the baseline.
    pub p: f64,
    /// The level that `p` must stay below, after sharing it out.
    pub alpha: f64,
    /// Whether it does.
    pub significant: bool,
    /// The rise that counts as large from this level, in streams.
    pub threshold: f64,
    /// Whether the rise is large.
    pub large: bool,
    /// What more opens do not explain; asked only of significant, large
    /// rises of the superseded streams, until one is a leak.
    pub unexplained: Option<Unexplained>,
    /// What this window alone would be called, where that was asked.
    pub class: Option<Class>,
    /// The window, relative to the log's first record.
    window: Window,
}

impl WindowTest {
    /// Whether it is a climb: significant and large.
    pub fn climbs(&self) -> bool {
        self.significant && self.large
    }

    /// When its best single jump lies, `None` without one.
    pub fn step_at(&self) -> Option<Micros> {
        let step = self.test.step;
        let part = step.at as f64 / self.test.slices as f64;
        let length = (self.until - self.from).as_secs();
        let at = self.from + Micros::from_secs_f64(length * part);
        (step.at > 0).then_some(at)
    }

    fn is_step(&self, settings: &Settings) -> bool {
        let step = self.test.step;
        self.share.is_whole()
            && step.r2 >= settings.step_r2
            && step.jump >= settings.threshold(step.base)
    }
}

/// The part of a rise that more opens do not explain, in streams.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unexplained {
    /// Over the window.
    pub window: f64,
    /// Over the whole segment around it.
    pub segment: f64,
}

/// The window that decided.
#[derive(Clone, Debug)]
pub struct Decisive {
    /// Which number climbed or jumped in it.
    pub part: Part,
    /// The window and its test.
    pub window: WindowTest,
    /// What more opens do not explain of it, with the keys to suspect. Only
    /// for climbs of the superseded streams.
    pub attribution: Option<Attribution>,
}

/// How far past the log's end open streams reach; any instant beyond it
/// serves.
const HORIZON: Micros = Micros::from_secs(10_000_000);

/// Looks for a leak.
pub fn detect(evidence: &Evidence<'_>, settings: &Settings) -> Detection {
    let horizon = evidence.until + HORIZON;
    let timeline = Timeline::new(evidence.streams, evidence.from, horizon);
    let resets = reset::resets(&timeline, &settings.reset);
    let censored = if evidence.opens_known {
        Censored::default()
    } else {
        Censored::of(&timeline, &resets, settings.trust)
    };
    let scene = Scene {
        from: evidence.from,
        length: (evidence.until - evidence.from).as_secs(),
        cycle: window::cycle(&timeline),
        timeline: &timeline,
        resets: &resets,
        censored,
        settings,
    };
    scene.detect()
}

/// What stays the same while the windows are looked at; instants are
/// relative to `from`.
struct Scene<'a> {
    from: Micros,
    /// Seconds from the first record to the last.
    length: f64,
    /// Seconds from one opening of a key to its next.
    cycle: f64,
    timeline: &'a Timeline,
    resets: &'a [Reset],
    censored: Censored,
    settings: &'a Settings,
}

impl Scene<'_> {
    fn detect(&self) -> Detection {
        let mut found = self.nothing_yet();
        if let Some(why) = self.too_little() {
            found.class = Class::Insufficient(why);
            return found;
        }
        let means = Means::of(self.timeline);
        found.superseded = self.tests(&means, Part::Superseded);
        found.total = self.tests(&means, Part::Total);
        if found.superseded.is_empty() && found.total.is_empty() {
            found.class = Class::Insufficient(self.too_few_bins());
            return found;
        }
        found.decisive = self
            .stacking(&mut found.superseded)
            .or_else(|| self.climbing(&mut found.total))
            .or_else(|| self.jumping(&found));
        let class = found.decisive.as_ref().and_then(|d| d.window.class);
        found.class = class.unwrap_or(Class::Flat);
        found
    }

    fn nothing_yet(&self) -> Detection {
        let absolute = |reset: &Reset| Reset {
            at: self.from + reset.at,
            until: self.from + reset.until,
        };
        let segments = |part| {
            let spans = self.spans(part).into_iter();
            let real = spans.filter(|span| span.from < span.until);
            real.map(|span| self.segment(span)).collect()
        };
        Detection {
            class: Class::Flat,
            resets: self.resets.iter().map(absolute).collect(),
            censored_total: Micros::from_secs_f64(self.censored.total),
            censored_superseded: Micros::from_secs_f64(
                self.censored.superseded,
            ),
            cycle: Micros::from_secs_f64(self.cycle),
            segments_total: segments(Part::Total),
            segments_superseded: segments(Part::Superseded),
            superseded: Vec::new(),
            total: Vec::new(),
            decisive: None,
        }
    }

    fn too_little(&self) -> Option<Why> {
        let found = self.timeline.rows().len();
        let needed = self.settings.min_streams;
        let trusted = self.length - self.censored.total;
        let cycles = self.settings.min_cycles * self.cycle;
        if found == 0 {
            Some(Why::NoStreams)
        } else if found < needed {
            Some(Why::FewStreams { found, needed })
        } else if trusted < cycles && self.resets.is_empty() {
            Some(Why::FewCycles {
                trusted: Micros::from_secs_f64(trusted),
                needed: Micros::from_secs_f64(cycles),
            })
        } else {
            None
        }
    }

    fn too_few_bins(&self) -> Why {
        let rule = &self.settings.window;
        let last = self.spans(Part::Total).pop();
        let trusted = last.map_or(0.0, |span| span.until - span.from);
        let needed = rule.least as f64 * rule.bin_secs();
        Why::FewBins {
            trusted: Micros::from_secs_f64(trusted),
            needed: Micros::from_secs_f64(needed),
        }
    }

    fn spans(&self, part: Part) -> Vec<Span> {
        let censored = match part {
            Part::Superseded => self.censored.superseded,
            Part::Total | Part::Clients => self.censored.total,
        };
        let rule = &self.settings.window;
        window::segments(self.resets, self.length, censored, rule)
    }

    fn segment(&self, span: Span) -> Segment {
        Segment { from: self.at(span.from), until: self.at(span.until) }
    }

    fn at(&self, secs: f64) -> Micros {
        self.from + Micros::from_secs_f64(secs)
    }

    /// Tests every window of a number.
    fn tests(&self, means: &Means, part: Part) -> Vec<WindowTest> {
        let rule = &self.settings.window;
        let windows = window::windows(&self.spans(part), part, rule);
        let alpha = self.settings.alpha / windows.len() as f64;
        let baseline = match part {
            Part::Superseded => self.settings.baseline.superseded,
            Part::Total | Part::Clients => self.settings.baseline.total,
        };
        let test = |window: &Window| {
            let cap = self.settings.rho_cap;
            let test = window.test(means, part, rule, cap)?;
            Some(self.judged(*window, test, alpha, baseline))
        };
        windows.iter().filter_map(test).collect()
    }

    fn judged(
        &self,
        window: Window,
        test: SlopeTest,
        alpha: f64,
        baseline: Option<Baseline>,
    ) -> WindowTest {
        let p = baseline.map_or(test.p, |base| test.against(&base).p);
        let threshold = self.settings.threshold(test.level);
        WindowTest {
            share: window.share,
            from: self.at(window.span.from),
            until: self.at(window.span.until),
            trailing: window.trailing,
            segment: self.segment(window.segment),
            test,
            p,
            alpha,
            significant: p < alpha,
            threshold,
            large: test.rise >= threshold,
            unexplained: None,
            class: None,
            window,
        }
    }

    /// The gravest climb of the superseded streams, the first among equals.
    fn stacking(&self, tests: &mut [WindowTest]) -> Option<Decisive> {
        let bin = self.settings.window.bin_secs();
        let stacks = Stacks::of(self.timeline);
        let mut gravest: Option<(u8, Decisive)> = None;
        let mut around: Option<(Span, f64, f64)> = None;
        for at in 0..tests.len() {
            let test = &tests[at];
            if !test.climbs() {
                continue;
            }
            let Window { span, segment, .. } = test.window;
            let attribution = stacks.attribute(span, bin);
            // The whole segment's figures serve all of its windows.
            let whole = around.filter(|(of, ..)| *of == segment);
            let (_, unexplained, rise) = whole.unwrap_or_else(|| {
                self.whole_segment(&stacks, &attribution, tests, at)
            });
            around = Some((segment, unexplained, rise));
            let found = Unexplained {
                window: attribution.unexplained,
                segment: unexplained,
            };
            let class = self.climb_class(test, found, rise);
            let test = &mut tests[at];
            test.unexplained = Some(found);
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

    /// What is unexplained, and the rise, over the whole segment around a
    /// window.
    fn whole_segment(
        &self,
        stacks: &Stacks<'_>,
        own: &Attribution,
        tests: &[WindowTest],
        at: usize,
    ) -> (Span, f64, f64) {
        let test = &tests[at];
        let segment = test.window.segment;
        let whole = tests.iter().find(|other| {
            other.share.is_whole() && other.window.segment == segment
        });
        match whole.filter(|_| !test.share.is_whole()) {
            None => (segment, own.unexplained, test.test.rise),
            Some(whole) => {
                let bin = self.settings.window.bin_secs();
                let around = stacks.attribute(segment, bin);
                (segment, around.unexplained, whole.test.rise)
            }
        }
    }

    /// What a climb of the superseded streams is called.
    fn climb_class(
        &self,
        test: &WindowTest,
        found: Unexplained,
        rise: f64,
    ) -> Class {
        let settings = self.settings;
        let own = settings.unexplained * test.test.rise;
        let around = settings.unexplained_segment * rise.max(0.0);
        if found.window < own || found.segment < around {
            Class::Growth
        } else if test.test.occupancy < settings.occupancy {
            Class::Step
        } else if !test.trailing || test.test.still < settings.still {
            Class::Saturated
        } else {
            Class::Leak
        }
    }

    /// The first climb of the total.
    fn climbing(&self, tests: &mut [WindowTest]) -> Option<Decisive> {
        let test = tests.iter_mut().find(|test| test.climbs())?;
        let steady = test.test.occupancy >= self.settings.occupancy;
        test.class = Some(if steady { Class::Growth } else { Class::Step });
        let window = test.clone();
        Some(Decisive { part: Part::Total, window, attribution: None })
    }

    /// The first whole segment in which one jump explains nearly all.
    fn jumping(&self, found: &Detection) -> Option<Decisive> {
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
}

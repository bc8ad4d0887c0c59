//! From streams to a class: the windows are tested, and the gravest finding
//! among them decides.

mod climbs;
mod level;

use super::detection::{Decisive, Detection, Segment, WindowTest};
use super::ruling::{self, Criterion, Ruling};
use super::{Baselines, Class, Settings, Why};
use crate::detect::{
    branch::{self, Branching},
    reopen::Reopenings,
    rhythm::Rhythms,
    storm::{Storm, Storms},
    trend::{BaselineSlope, Slices, SlopeTest},
    window::{self, Censored, Span, Window},
};
use crate::series::{Means, Part, Restart, Timeline, restarts};
use crate::streams::{Holds, Stream};
use crate::threads::both;
use crate::time::Micros;

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

/// How far past the log's end open streams reach; any instant beyond it
/// serves.
const HORIZON: Micros = Micros::from_secs(10_000_000);

/// What a log shows, put in order for the detector.
pub struct Prepared {
    from: Micros,
    length: f64,
    /// The streams without those of storms: these end for no reason of
    /// their own, by the hundred, and would all look like restarts.
    timeline: Timeline,
    means: Means,
    holds: Holds,
    storms: Storms,
    resets: Vec<Restart>,
    censored: Censored,
    cycle: f64,
}

impl Prepared {
    /// Puts it in order.
    pub fn new(evidence: &Evidence<'_>, settings: &Settings) -> Prepared {
        let Evidence { streams, from, until, opens_known } = *evidence;
        let all = Timeline::new(streams, from, until + HORIZON);
        let (storms, within) = Storms::of(&all, &settings.storm);
        let quiet = (!storms.all.is_empty()).then(|| all.without(&within));
        let timeline = quiet.as_ref().unwrap_or(&all);
        let restarts = || restarts(timeline, &settings.reset, &settings.drain);
        let (resets, (means, holds)) =
            both(restarts, || (Means::of(&all), Holds::of(streams)));
        let censored = if opens_known {
            Censored::default()
        } else {
            Censored::of(timeline, &resets, settings.trust)
        };
        Prepared {
            from,
            length: (until - from).as_secs(),
            cycle: window::cycle(timeline),
            means,
            holds,
            storms,
            resets,
            censored,
            timeline: quiet.unwrap_or(all),
        }
    }

    /// How long the streams were held; the last that is asked for.
    pub fn into_holds(self) -> Holds {
        self.holds
    }

    /// The exact means of the three numbers; their origin is the log's first
    /// record.
    pub fn means(&self) -> &Means {
        &self.means
    }

    /// Looks for a leak.
    pub fn detect(&self, settings: &Settings) -> Detection {
        let scene = Scene {
            from: self.from,
            length: self.length,
            cycle: self.cycle,
            timeline: &self.timeline,
            means: &self.means,
            holds: &self.holds,
            storms: &self.storms,
            resets: &self.resets,
            censored: self.censored,
            settings,
        };
        scene.detect()
    }
}

/// Looks for a leak.
pub fn detect(evidence: &Evidence<'_>, settings: &Settings) -> Detection {
    Prepared::new(evidence, settings).detect(settings)
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
    means: &'a Means,
    holds: &'a Holds,
    storms: &'a Storms,
    resets: &'a [Restart],
    censored: Censored,
    settings: &'a Settings,
}

impl Scene<'_> {
    fn detect(&self) -> Detection {
        let mut found = self.nothing_yet();
        let mut heard = match self.too_little() {
            Some(why) => vec![insufficient(why)],
            None => self.hear(&mut found),
        };
        let length = Micros::from_secs_f64(self.length);
        let storm = self.storms.prevail(length, &self.settings.storm);
        heard.push(Heard::of(Criterion::Storm, storm.then_some(Class::Storm)));
        found.rulings = heard.iter().map(|heard| heard.ruling).collect();
        let decided = ruling::decisive(found.rulings.iter().copied());
        let class = decided.and_then(|ruling| ruling.class);
        found.class = class.unwrap_or(Class::Flat);
        let own = heard.into_iter().find(|h| Some(h.ruling) == decided);
        found.decisive = own.and_then(|heard| heard.window);
        found
    }

    /// Tests all there is to test, and hears every rule but the last.
    fn hear(&self, found: &mut Detection) -> Vec<Heard> {
        found.superseded = self.tests(Part::Superseded);
        found.total = self.tests(Part::Total);
        found.pooled = self.pooled();
        found.rhythms = self.rhythms();
        found.branchings = self.branchings();
        if found.superseded.is_empty()
            && found.total.is_empty()
            && found.pooled.is_none()
        {
            return vec![insufficient(self.too_few_bins())];
        }
        let sawing = found.pooled.as_mut();
        let sawing = sawing.and_then(|test| self.sawing(test));
        let stacking = self.stacking(&mut found.superseded);
        let climbing = self.climbing(&mut found.total);
        let multiplies = self.multiplies(found);
        // Where there is a baseline, its level is what stacks are held
        // against.
        let alone = self.settings.baseline == Baselines::default();
        let Settings { rhythm, alpha, min_rise, .. } = self.settings;
        let stacked = alone && found.rhythms.stack(rhythm, *alpha, *min_rise);
        found.level = self.weighed_level();
        let higher = found.level.is_some_and(|level| level.higher);
        vec![
            Heard::of(Criterion::Enough, None),
            // Of two as grave the one of a single window says more.
            Heard::of_window(Criterion::Windows, stacking),
            Heard::of_window(Criterion::Pooled, sawing),
            Heard::of_window(Criterion::Total, climbing),
            Heard::of_window(Criterion::Jump, self.jumping(found)),
            Heard::of(Criterion::Quiet, Some(self.quiet(found))),
            Heard::of(Criterion::Branching, multiplies.then_some(Class::Leak)),
            Heard::of(Criterion::Rhythm, stacked.then_some(Class::Stacked)),
            Heard::of(Criterion::Level, higher.then_some(Class::Stacked)),
        ]
    }

    /// What a log without any climb is called.
    fn quiet(&self, found: &Detection) -> Class {
        let settings = self.settings;
        let ceiling = self.holds.ceiling();
        let piled = ceiling.is_some_and(|c| c.share >= settings.ceiling);
        if piled && found.reopenings.share() >= settings.reopened {
            Class::Cycling
        } else {
            Class::Flat
        }
    }

    /// How evenly clients open the streams of which all are known.
    fn rhythms(&self) -> Rhythms {
        Rhythms::of(self.timeline, self.trusted(), &self.settings.rhythm)
    }

    fn branchings(&self) -> Vec<Branching> {
        let rule = &self.settings.branch;
        branch::branchings(self.timeline, self.trusted(), rule)
    }

    /// Whether streams that branch off from ends add up to a climb.
    fn multiplies(&self, found: &Detection) -> bool {
        let gained = branch::gained(&found.branchings);
        gained as f64 >= self.settings.threshold(1.0)
    }

    fn reopenings(&self) -> Reopenings {
        // Some clients open the next stream a little before the old one is
        // closed.
        let ceiling = self.holds.ceiling().map_or(Micros::ZERO, |c| c.hold);
        let early = Micros(ceiling.0 / 10).min(Micros::from_secs(5));
        Reopenings::of(self.timeline, self.trusted(), early)
    }

    /// Up to where openings are known: the censored end is cut off, but what
    /// was closed by a restart is known up to it.
    fn trusted(&self) -> Micros {
        let length = Micros::from_secs_f64(self.length);
        let censored = length - Micros::from_secs_f64(self.censored.total);
        let restart = self.resets.last().map(|reset| reset.at);
        restart.map_or(censored, |at| at.max(censored)).min(length)
    }

    fn nothing_yet(&self) -> Detection {
        let absolute = |reset: &Restart| Restart {
            at: self.from + reset.at,
            until: self.from + reset.until,
            ..*reset
        };
        let storm = |storm: &Storm| Storm {
            from: self.from + storm.from,
            until: self.from + storm.until,
            ..*storm
        };
        let segments = |part| {
            let spans = self.spans(part).into_iter();
            let real = spans.filter(|span| span.from < span.until);
            real.map(|span| self.segment(span)).collect()
        };
        Detection {
            class: Class::Flat,
            resets: self.resets.iter().map(absolute).collect(),
            trusted_until: self.from + self.trusted(),
            censored_total: Micros::from_secs_f64(self.censored.total),
            censored_superseded: Micros::from_secs_f64(
                self.censored.superseded,
            ),
            holds: (self.censored.holds, self.censored.superseded_holds),
            cycle: Micros::from_secs_f64(self.cycle),
            segments_total: segments(Part::Total),
            segments_superseded: segments(Part::Superseded),
            superseded: Vec::new(),
            total: Vec::new(),
            pooled: None,
            storms: Storms {
                all: self.storms.all.iter().map(storm).collect(),
            },
            rhythms: Rhythms::default(),
            branchings: Vec::new(),
            reopenings: self.reopenings(),
            rulings: Vec::new(),
            decisive: None,
            level: None,
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
        let bins = self.settings.window.bins(span);
        Segment { from: self.at(span.from), until: self.at(span.until), bins }
    }

    fn at(&self, secs: f64) -> Micros {
        self.from + Micros::from_secs_f64(secs)
    }

    /// Tests every window of a number.
    fn tests(&self, part: Part) -> Vec<WindowTest> {
        let rule = &self.settings.window;
        let windows = window::windows(&self.spans(part), part, rule);
        let alpha = self.settings.alpha / windows.len() as f64;
        let baseline = match part {
            Part::Superseded => self.settings.baseline.superseded,
            Part::Total | Part::Clients => self.settings.baseline.total,
        };
        let test = |window: &Window| {
            let cap = self.settings.rho_cap;
            let tested = window.test(self.means, part, rule, cap)?;
            Some(self.judged(*window, tested, alpha, baseline))
        };
        windows.iter().filter_map(test).collect()
    }

    fn judged(
        &self,
        window: Window,
        (test, slices): (SlopeTest, Slices),
        alpha: f64,
        baseline: Option<BaselineSlope>,
    ) -> WindowTest {
        let p = baseline.map_or(test.p, |base| test.against(&base).p);
        let threshold = self.settings.threshold(test.level);
        WindowTest {
            share: window.share,
            from: self.at(window.span.from),
            until: self.at(window.span.until),
            trailing: window.trailing,
            segment: self.segment(window.segment),
            segments: 1,
            slices: vec![slices],
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
}

/// What a rule said, and of which window.
struct Heard {
    ruling: Ruling,
    window: Option<Decisive>,
}

impl Heard {
    fn of(rule: Criterion, class: Option<Class>) -> Heard {
        Heard { ruling: Ruling { rule, class }, window: None }
    }

    fn of_window(rule: Criterion, window: Option<Decisive>) -> Heard {
        let class = window.as_ref().and_then(|d| d.window.class);
        Heard { ruling: Ruling { rule, class }, window }
    }
}

fn insufficient(why: Why) -> Heard {
    Heard::of(Criterion::Enough, Some(Class::Insufficient(why)))
}

#[cfg(test)]
mod tests;

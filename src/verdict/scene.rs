//! From streams to a class: the windows are tested, and the gravest finding
//! among them decides.

use super::detection::{
    Decisive, Detection, Segment, Unexplained, WindowTest,
};
use super::{Class, Settings, Why};
use crate::harvest::both;
use crate::means::{Means, Part, Timeline};
use crate::opens::Stacks;
use crate::reset::{self, Reset};
use crate::stream::Stream;
use crate::time::Micros;
use crate::trend::{Baseline, SlopeTest};
use crate::window::{self, Censored, Span, Window};

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
    timeline: Timeline,
    means: Means,
    resets: Vec<Reset>,
    censored: Censored,
    cycle: f64,
}

impl Prepared {
    /// Puts it in order.
    pub fn new(evidence: &Evidence<'_>, settings: &Settings) -> Prepared {
        let Evidence { streams, from, until, opens_known } = *evidence;
        let timeline = Timeline::new(streams, from, until + HORIZON);
        let (resets, means) = both(
            || reset::resets(&timeline, &settings.reset),
            || Means::of(&timeline),
        );
        let censored = match opens_known {
            true => Censored::default(),
            false => Censored::of(&timeline, &resets, settings.trust),
        };
        Prepared {
            from,
            length: (until - from).as_secs(),
            cycle: window::cycle(&timeline),
            timeline,
            means,
            resets,
            censored,
        }
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
        found.superseded = self.tests(Part::Superseded);
        found.total = self.tests(Part::Total);
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
            let test = window.test(self.means, part, rule, cap)?;
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
        let mut around: Option<(Span, f64)> = None;
        for at in 0..tests.len() {
            let test = &tests[at];
            if !test.climbs() {
                continue;
            }
            let Window { span, segment, .. } = test.window;
            let attribution = stacks.attribute(span, bin);
            let whole = whole_segment(tests, segment);
            let (unexplained, rise) = match whole {
                Some(whole) if !test.share.is_whole() => {
                    // One answer serves all parts of a segment.
                    let known = around.filter(|(of, _)| *of == segment);
                    let known = known.unwrap_or_else(|| {
                        let all = stacks.attribute(segment, bin);
                        (segment, all.unexplained)
                    });
                    around = Some(known);
                    (known.1, whole.test.rise)
                }
                _ => (attribution.unexplained, test.test.rise),
            };
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

/// The test of a whole segment among those of its parts.
fn whole_segment(tests: &[WindowTest], segment: Span) -> Option<&WindowTest> {
    let whole = |test: &&WindowTest| {
        test.share.is_whole() && test.window.segment == segment
    };
    tests.iter().find(whole)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::client::KeyId;
    use crate::format::EndedBy;

    fn stream(opened: i64, hold: Option<i64>, key: u32) -> Stream {
        Stream {
            opened: Micros::from_secs(opened),
            closed: hold.map(|hold| Micros::from_secs(opened + hold)),
            key: KeyId(key),
            ended_by: EndedBy::Unknown,
        }
    }

    fn found(streams: &[Stream], secs: i64, opens_known: bool) -> Detection {
        let (from, until) = (Micros::ZERO, Micros::from_secs(secs));
        let evidence = Evidence { streams, from, until, opens_known };
        detect(&evidence, &Settings::default())
    }

    /// A client that opens a stream a minute for an hour and closes none.
    fn leak() -> Vec<Stream> {
        (0..60).map(|k| stream(k * 60, None, 7)).collect()
    }

    #[test]
    fn a_leak_shows_while_its_streams_are_open_when_opens_are_logged() {
        let found = found(&leak(), 3600, true);
        assert_eq!(found.class, Class::Leak);
        let decisive = found.decisive.unwrap();
        assert_eq!(decisive.part, Part::Superseded);
        let suspects = decisive.attribution.unwrap().suspects;
        let keys: Vec<KeyId> = suspects.iter().map(|s| s.key).collect();
        assert_eq!(keys, [KeyId(7)]);
        // A stream a minute; the interval holds it.
        let (low, high) = decisive.window.test.interval(0.95);
        assert!(low < 1.0 / 60.0 && 1.0 / 60.0 < high, "{low} {high}");
    }

    #[test]
    fn a_baseline_that_climbs_as_steeply_silences_it() {
        let streams = leak();
        let plain = found(&streams, 3600, true);
        let mut settings = Settings::default();
        let of = |part| Baseline::from(&plain.headline(part).unwrap().test);
        settings.baseline.superseded = Some(of(Part::Superseded));
        settings.baseline.total = Some(of(Part::Total));
        let (from, until) = (Micros::ZERO, Micros::HOUR);
        let evidence =
            Evidence { streams: &streams, from, until, opens_known: true };
        let found = detect(&evidence, &settings);
        assert_eq!(found.class, Class::Flat);
        assert!(found.headline(Part::Superseded).unwrap().p >= 0.4);
    }

    #[test]
    fn a_log_without_answer_says_how_long_to_wait() {
        assert_eq!(
            found(&[], 3600, false).class,
            Class::Insufficient(Why::NoStreams)
        );
        let few = Why::FewStreams { found: 2, needed: 5 };
        let two = [stream(0, Some(60), 0), stream(60, Some(60), 0)];
        assert_eq!(found(&two, 3600, false).class, Class::Insufficient(few));
        // Holds of 60 s, reopened every 60 s: of 200 s, 140 can be trusted.
        let cycles: Vec<Stream> =
            (0..6).map(|k| stream(k * 60 - 200, Some(60), 0)).collect();
        let trusted = Micros::from_secs(140);
        let needed = Micros::from_secs(180);
        let why = Why::FewCycles { trusted, needed };
        assert_eq!(found(&cycles, 200, false).class, Class::Insufficient(why));
        assert_eq!(why.wait(), Some(Micros::from_secs(40)));
        let needed = Micros::from_secs(360);
        let trusted = Micros::from_secs(190);
        let why = Why::FewBins { trusted, needed };
        assert_eq!(found(&cycles, 250, false).class, Class::Insufficient(why));
    }

    #[test]
    fn the_headline_is_the_whole_last_segment() {
        let steady: Vec<Stream> =
            (0..60).map(|k| stream(k * 60, Some(60), 0)).collect();
        let found = found(&steady, 3600, false);
        assert_eq!(found.class, Class::Flat);
        let headline = found.headline(Part::Superseded).unwrap();
        assert!(headline.share.is_whole());
        assert_eq!(headline.until, Micros::from_secs(3540));
        assert!(found.headline(Part::Clients).is_none());
    }

    // More people behind one address every minute. The log is half a bin
    // longer than its windows, so a window and its segment differ.
    #[test]
    fn parts_are_held_against_all_of_their_segment() {
        let streams: Vec<Stream> = (0..60)
            .flat_map(|k| (0..=k).map(move |n| (k, n)))
            .map(|(k, n)| stream(k * 60 + n % 50, Some(60), 0))
            .collect();
        let found = found(&streams, 3630, true);
        assert_eq!(found.class, Class::Growth);
        let timeline = Timeline::new(&streams, Micros::ZERO, Micros::HOUR);
        let all = Span { from: 0.0, until: 3630.0 };
        let all = Stacks::of(&timeline).attribute(all, 60.0).unexplained;
        let climbs = found.superseded.iter().filter(|test| test.climbs());
        let (whole, parts): (Vec<_>, Vec<_>) =
            climbs.partition(|test| test.share.is_whole());
        assert!(!whole.is_empty() && !parts.is_empty());
        for test in whole {
            let found = test.unexplained.unwrap();
            assert!((found.segment - found.window).abs() < 1e-12);
            assert!((found.segment - all).abs() > 1e-3);
        }
        for test in parts {
            let found = test.unexplained.unwrap();
            assert!((found.segment - all).abs() < 1e-12);
        }
    }

    /// What must not depend on the date, relative to the log's start.
    fn essence(found: &Detection, from: Micros) -> String {
        let test = |t: &WindowTest| {
            let at = (t.from - from, t.until - from);
            format!("{} {at:?} {:?} {:?}", t.share, t.test, t.class)
        };
        let tests = found.superseded.iter().chain(&found.total);
        let tests: Vec<String> = tests.map(test).collect();
        let resets: Vec<Micros> =
            found.resets.iter().map(|reset| reset.at - from).collect();
        let why = found.decisive.as_ref().map(|d| &d.attribution);
        format!("{:?} {resets:?} {why:?} {tests:?}", found.class)
    }

    fn streams() -> impl Strategy<Value = Vec<Stream>> {
        let hold = prop_oneof![
            (0..900_i64).prop_map(Some),
            Just(Some(60)),
            Just(None)
        ];
        let one = (-100..3600_i64, hold, 0..6_u32)
            .prop_map(|(opened, hold, key)| stream(opened, hold, key));
        proptest::collection::vec(one, 0..200)
    }

    proptest! {
        #[test]
        fn neither_date_nor_order_of_streams_matters(
            streams in streams(),
            turn in 0..200_usize,
            days in -20_000..20_000_i64,
            opens_known: bool,
        ) {
            let plain =
                essence(&found(&streams, 3600, opens_known), Micros::ZERO);
            let from = Micros::from_secs(days * 86_400);
            let mut moved: Vec<Stream> = streams
                .iter()
                .rev()
                .map(|s| Stream {
                    opened: s.opened + from,
                    closed: s.closed.map(|closed| closed + from),
                    ..*s
                })
                .collect();
            let turn = turn % moved.len().max(1);
            moved.rotate_left(turn);
            let evidence = Evidence {
                streams: &moved,
                from,
                until: from + Micros::HOUR,
                opens_known,
            };
            let found = detect(&evidence, &Settings::default());
            prop_assert_eq!(essence(&found, from), plain);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn no_times_however_wild_make_it_panic(
            rows in proptest::collection::vec(
                (any::<i64>(), any::<Option<i64>>(), 0..3_u32), 0..40,
            ),
            from: i64,
            until: i64,
        ) {
            let streams: Vec<Stream> = rows
                .into_iter()
                .map(|(opened, closed, key)| Stream {
                    opened: Micros(opened),
                    closed: closed.map(|c| Micros(c.max(opened))),
                    key: KeyId(key),
                    ended_by: EndedBy::Unknown,
                })
                .collect();
            let evidence = Evidence {
                streams: &streams,
                from: Micros(from),
                until: Micros(until),
                opens_known: true,
            };
            detect(&evidence, &Settings::default());
        }
    }
}

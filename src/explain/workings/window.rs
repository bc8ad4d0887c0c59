//! A window and all that was asked of it.

use serde::Serialize;

use super::Source;
use super::digits::digits;
use super::opens::OpensPart;
use super::slope::{SlicesPart, SlopePart};
use crate::detect::{Settings, Verdict, WindowTest};
use crate::report::{Ink, Page};
use crate::series::Part;
use crate::time::Micros;

/// One window.
#[derive(Clone, Debug, Serialize)]
pub struct WindowPart {
    /// Which part of its segment it is: `1/1` the whole, `2/4` the second
    /// quarter; `pooled` for a common slope.
    pub name: String,
    /// Its start.
    pub from: String,
    /// Its end.
    pub until: String,
    /// The start of its segment.
    pub segment_from: String,
    /// The end of its segment.
    pub segment_until: String,
    /// Whether it ends where its segment does.
    pub trailing: bool,
    /// Its slices; of a common slope, those of each segment.
    pub slices: Vec<SlicesPart>,
    /// The slope and its test.
    pub slope: SlopePart,
    /// How large its rise is.
    pub size: SizePart,
    /// The shape of its rise; `null` for a common slope.
    pub shape: Option<ShapePart>,
    /// Its best single jump; `null` for a common slope.
    pub step: Option<StepPart>,
    /// What opens explain of it; `null` where that was not asked: no climb
    /// of E, or one after a leak was found.
    pub opens: Option<OpensPart>,
    /// What it would be called alone; `null` where that was not asked.
    pub class: Option<&'static str>,
}

/// How large a rise is.
#[derive(Clone, Debug, Serialize)]
pub struct SizePart {
    /// Streams gained over the window, along the line; over all windows of
    /// a common slope together.
    pub rise: f64,
    /// The line's value in the first slice, not below 0; on average, for a
    /// common slope.
    pub level: f64,
    /// The segments whose levels add up; 1 but for a common slope.
    pub segments: usize,
    /// What the rise must reach: the largest of the next three.
    pub threshold: f64,
    /// The least rise that counts anywhere.
    pub least: f64,
    /// A share of the level, or of all levels together.
    pub relative: f64,
    /// What chance makes of that.
    pub chance: f64,
    /// Which of the three it is: `least`, `relative` or `chance`.
    pub ruled: &'static str,
    /// Whether the rise reaches it.
    pub large: bool,
}

/// The shape of a rise.
#[derive(Clone, Debug, Serialize)]
pub struct ShapePart {
    /// The window's bins.
    pub bins: usize,
    /// The share of them between a quarter and three quarters of the way
    /// up.
    pub occupancy: f64,
    /// The share of the rise that falls after the middle third.
    pub still: f64,
}

/// The single jump that fits the slices best.
#[derive(Clone, Debug, Serialize)]
pub struct StepPart {
    /// When it is; `null` without one.
    pub at: Option<String>,
    /// How many slices lie before it.
    pub after: usize,
    /// The share of the variance that it explains.
    pub r2: f64,
    /// Streams gained in it.
    pub jump: f64,
    /// The mean before it.
    pub base: f64,
    /// What the jump must reach.
    pub threshold: f64,
    /// Whether the window is a step by this rule: a whole segment, the jump
    /// large, and nearly all of the variance.
    pub counts: bool,
}

impl WindowPart {
    pub(super) fn of(
        source: Source<'_>,
        part: Part,
        window: &WindowTest,
    ) -> WindowPart {
        let settings = source.settings;
        let alone = window.segments == 1;
        let baseline = match part {
            Part::Superseded => settings.baseline.superseded,
            Part::Total | Part::Clients => settings.baseline.total,
        };
        WindowPart {
            name: if alone {
                window.share.to_string()
            } else {
                "pooled".to_owned()
            },
            from: window.from.to_rfc3339(),
            until: window.until.to_rfc3339(),
            segment_from: window.segment.from.to_rfc3339(),
            segment_until: window.segment.until.to_rfc3339(),
            trailing: window.trailing,
            slices: slices(source, window),
            slope: SlopePart::of(window, baseline, settings.alpha),
            size: SizePart::of(window, settings),
            shape: alone.then(|| ShapePart::of(window)),
            step: alone.then(|| StepPart::of(window, settings)),
            opens: OpensPart::of(source, window),
            class: window.class.map(|class| Verdict::from(&class).word()),
        }
    }

    fn page(&self, label: &str, page: &mut Page<'_>, rules: &Settings) {
        let label = format!("{label} {}", self.name);
        page.fact(&label, Ink::Strong, &self.place());
        for slices in &self.slices {
            page.fact("slices", Ink::Plain, &slices.text());
        }
        self.slope.page(page, rules);
        page.fact("rise", Ink::Plain, &self.size.text(rules));
        if let Some(shape) = &self.shape {
            page.fact("shape", Ink::Plain, &shape.text(rules));
        }
        if let Some(step) = &self.step {
            page.fact("step", Ink::Plain, &step.text(rules));
        }
        if let Some(opens) = &self.opens {
            opens.page(page, rules, self.slices.len());
        }
        page.fact("class", Ink::Plain, self.called());
    }

    fn place(&self) -> String {
        let WindowPart { from, until, .. } = self;
        let ends = if self.trailing {
            "where its segment ends"
        } else {
            "before its segment ends"
        };
        format!("{from} to {until}, {ends}")
    }

    /// What it is called, or why not.
    fn called(&self) -> &'static str {
        match (self.class, self.slope.significant && self.size.large) {
            (Some(class), _) => class,
            (None, true) => "a climb; not asked any further",
            (None, false) => "no climb",
        }
    }
}

/// The slices of a window, or those of the segments of a common slope.
fn slices(source: Source<'_>, window: &WindowTest) -> Vec<SlicesPart> {
    let alone = (window.from, window.until);
    let least = source.settings.pooled_bins as u64;
    let segments = source.detection.segments_superseded.iter();
    let pooled = segments.filter(|segment| segment.bins >= least);
    let spans: Vec<(Micros, Micros)> = match window.segments {
        1 => vec![alone],
        _ => pooled.map(|segment| (segment.from, segment.until)).collect(),
    };
    let slices = spans.into_iter().zip(&window.slices);
    slices.map(|(span, slices)| SlicesPart::of(span, slices)).collect()
}

/// The page of all windows of a number, or why there are none.
pub(super) fn page(
    (label, none): (&str, &str),
    windows: &[WindowPart],
    page: &mut Page<'_>,
    rules: &Settings,
) {
    if windows.is_empty() {
        page.fact(label, Ink::Strong, none);
    }
    for (at, window) in windows.iter().enumerate() {
        if at > 0 {
            page.gap();
        }
        window.page(label, page, rules);
    }
}

impl SizePart {
    fn of(window: &WindowTest, settings: &Settings) -> SizePart {
        let level = window.test.level;
        // Chance adds up over independent windows.
        let levels = level * window.segments as f64;
        let least = settings.min_rise;
        let relative = settings.relative_rise * levels;
        let chance = settings.chance_rise * (2.0 * levels).sqrt();
        SizePart {
            rise: window.test.rise,
            level,
            segments: window.segments,
            threshold: window.threshold,
            least,
            relative,
            chance,
            ruled: match () {
                () if least >= relative.max(chance) => "least",
                () if relative >= chance => "relative",
                () => "chance",
            },
            large: window.large,
        }
    }

    fn text(&self, rules: &Settings) -> String {
        let (each, level) = match self.segments {
            1 => (String::new(), "level"),
            all => (format!(" in each of {all} segments"), "levels"),
        };
        format!(
            "{} from a level of {}{each}; threshold {} = max({}, {} x {level} = {}, \
             {} x sqrt(2 x {level}) = {}), the {} rise: {}",
            digits(self.rise),
            digits(self.level),
            digits(self.threshold),
            digits(self.least),
            digits(rules.relative_rise),
            digits(self.relative),
            digits(rules.chance_rise),
            digits(self.chance),
            self.ruled,
            if self.large { "large" } else { "not large" }
        )
    }
}

impl ShapePart {
    fn of(window: &WindowTest) -> ShapePart {
        let test = &window.test;
        let (occupancy, still) = (test.occupancy, test.still);
        ShapePart { bins: test.bins, occupancy, still }
    }

    fn text(&self, rules: &Settings) -> String {
        format!(
            "occ {} of {} bins half-way up (a step below {}), still {} of \
             the rise after the middle third (over below {})",
            digits(self.occupancy),
            self.bins,
            digits(rules.occupancy),
            digits(self.still),
            digits(rules.still)
        )
    }
}

impl StepPart {
    fn of(window: &WindowTest, settings: &Settings) -> StepPart {
        let step = window.test.step;
        StepPart {
            at: window.step_at().map(Micros::to_rfc3339),
            after: step.at,
            r2: step.r2,
            jump: step.jump,
            base: step.base,
            threshold: settings.threshold(step.base),
            counts: window.is_step(settings),
        }
    }

    fn text(&self, rules: &Settings) -> String {
        let Some(at) = &self.at else { return "no jump".to_owned() };
        format!(
            "{} at {at}, after {} slices, from {} (needs {}); r2 {} (needs \
             {}): {}",
            digits(self.jump),
            self.after,
            digits(self.base),
            digits(self.threshold),
            digits(self.r2),
            digits(rules.step_r2),
            if self.counts { "a step" } else { "no step" }
        )
    }
}

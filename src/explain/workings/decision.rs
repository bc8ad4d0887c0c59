//! What each rule said, in the order in which they are asked, and which of
//! them decided.

use serde::Serialize;

use super::Source;
use crate::detect::{Criterion, Ruling, Verdict};
use crate::report::{Ink, Page};

/// The decision.
#[derive(Clone, Debug, Serialize)]
pub struct DecisionPart {
    /// What each rule said.
    pub rules: Vec<RulePart>,
    /// The rule that decided.
    pub decided: Option<RulePart>,
    /// The one that would have decided without it.
    pub second: Option<RulePart>,
}

/// What a rule said.
#[derive(Clone, Debug, Serialize)]
pub struct RulePart {
    /// The rule: `enough`, `windows`, `pooled`, `total`, `jump`, `quiet`,
    /// `branching`, `rhythm`, `level` or `storm`.
    pub rule: &'static str,
    /// What it calls the log, a verdict's word; `null` where it has nothing
    /// to say.
    pub class: Option<&'static str>,
    /// What it looks at.
    pub asks: &'static str,
}

impl DecisionPart {
    pub(super) fn of(source: Source<'_>) -> DecisionPart {
        let detection = source.detection;
        DecisionPart {
            rules: detection.rulings.iter().map(RulePart::of).collect(),
            decided: detection.decided().as_ref().map(RulePart::of),
            second: detection.second().as_ref().map(RulePart::of),
        }
    }

    /// Whether the log shows enough for any rule to be asked of it.
    pub(super) fn asked(&self) -> bool {
        let mut rules = self.rules.iter();
        rules.all(|rule| rule.class != Some("unknown"))
    }

    pub(super) fn page(&self, page: &mut Page<'_>) {
        page.gap();
        page.heading("12. the decision");
        let text = "the first rule that says anything decides, unless a \
                    graver one of pooled, branching, rhythm, level and \
                    storm follows; graver is climbing, stacked, storm, growing, \
                    stepped, cycling, flat";
        page.fact("rule", Ink::Strong, text);
        for rule in &self.rules {
            page.fact(rule.rule, Ink::Plain, &rule.text());
        }
        if let Some(RulePart { rule, class: Some(class), .. }) = &self.decided
        {
            let text = format!("{rule}: {class}");
            page.fact("decided", Ink::Strong, &text);
        }
        let second = match &self.second {
            Some(RulePart { rule, class: Some(class), .. }) => {
                format!("{rule}: {class}")
            }
            _ => "none".to_owned(),
        };
        page.fact("second", Ink::Strong, &second);
    }
}

impl RulePart {
    fn of(ruling: &Ruling) -> RulePart {
        RulePart {
            rule: ruling.rule.word(),
            class: ruling.class.map(|class| Verdict::from(&class).word()),
            asks: asks(ruling.rule),
        }
    }

    fn text(&self) -> String {
        let class = match (self.rule, self.class) {
            (_, Some(class)) => class,
            ("enough", None) => "yes",
            (_, None) => "nothing",
        };
        format!("{class} ({})", self.asks)
    }
}

fn asks(rule: Criterion) -> &'static str {
    match rule {
        Criterion::Enough => "enough streams, cycles and bins to judge",
        Criterion::Windows => "the gravest climb of E in one window",
        Criterion::Pooled => "a common climb of E in all segments",
        Criterion::Total => "a climb of N in a whole segment",
        Criterion::Jump => "one jump that explains a whole segment",
        Criterion::Quiet => "a ceiling and reopenings, else flat",
        Criterion::Branching => "streams that come back more than once",
        Criterion::Rhythm => "openings too even for several clients",
        Criterion::Level => "more of E than in the baseline",
        Criterion::Storm => {
            "a storm that goes on or took a good part of the log"
        }
    }
}

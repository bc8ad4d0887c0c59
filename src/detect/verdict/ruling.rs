//! The rules by which a log is judged, and which of them decides.

use super::Class;

/// A rule by which a log is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Whether the log shows enough to be judged.
    Enough,
    /// The gravest climb of the superseded streams in one window.
    Windows,
    /// Their common climb in all segments between restarts.
    Pooled,
    /// The climb of all open streams.
    Total,
    /// A single jump that explains nearly all.
    Jump,
    /// What a log without any climb is: cycling or flat.
    Quiet,
    /// Streams that come back more than once for each that ended.
    Branching,
    /// Clients that open so evenly that each of them holds several.
    Rhythm,
    /// More superseded streams than in the baseline.
    Level,
    /// Streams that end at once and are opened again at once.
    Storm,
}

impl Criterion {
    /// Its name, one word.
    pub fn word(self) -> &'static str {
        match self {
            Criterion::Enough => "enough",
            Criterion::Windows => "windows",
            Criterion::Pooled => "pooled",
            Criterion::Total => "total",
            Criterion::Jump => "jump",
            Criterion::Quiet => "quiet",
            Criterion::Branching => "branching",
            Criterion::Rhythm => "rhythm",
            Criterion::Level => "level",
            Criterion::Storm => "storm",
        }
    }

    /// Whether it is heard where a rule before it has spoken, if it says
    /// something graver.
    fn overrules(self) -> bool {
        match self {
            Criterion::Enough
            | Criterion::Windows
            | Criterion::Total
            | Criterion::Jump
            | Criterion::Quiet => false,
            Criterion::Pooled
            | Criterion::Branching
            | Criterion::Rhythm
            | Criterion::Level
            | Criterion::Storm => true,
        }
    }
}

/// What a rule said of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// The rule.
    pub rule: Criterion,
    /// What it calls the log; `None` where it has nothing to say.
    pub class: Option<Class>,
}

/// The ruling that decides: the first that says anything, unless a later
/// one that may overrule it is graver.
pub(super) fn decisive(
    rulings: impl IntoIterator<Item = Ruling>,
) -> Option<Ruling> {
    let spoken = |ruling: &Ruling| ruling.class.is_some();
    let graver = |one: Ruling, two: Ruling| {
        let rank = |ruling: Ruling| ruling.class.map_or(u8::MAX, Class::rank);
        if two.rule.overrules() && rank(two) < rank(one) { two } else { one }
    };
    rulings.into_iter().filter(spoken).reduce(graver)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decides(rulings: &[(Criterion, Class)]) -> Option<Criterion> {
        let one = |&(rule, class)| Ruling { rule, class: Some(class) };
        decisive(rulings.iter().map(one)).map(|ruling| ruling.rule)
    }

    #[test]
    fn a_graver_rule_is_heard_later_only_if_it_may_overrule() {
        let step = (Criterion::Windows, Class::Step);
        let growth = (Criterion::Total, Class::Growth);
        assert_eq!(decides(&[step, growth]), Some(Criterion::Windows));
        let leak = (Criterion::Branching, Class::Leak);
        assert_eq!(decides(&[step, growth, leak]), Some(Criterion::Branching));
        let pooled = (Criterion::Pooled, Class::Leak);
        assert_eq!(decides(&[step, pooled, leak]), Some(Criterion::Pooled));
        assert_eq!(
            decides(&[growth, (Criterion::Storm, Class::Storm)]),
            Some(Criterion::Storm)
        );
        assert_eq!(decides(&[]), None);
    }

    #[test]
    fn a_rule_without_an_answer_does_not_decide() {
        let silent = Ruling { rule: Criterion::Windows, class: None };
        let quiet =
            Ruling { rule: Criterion::Quiet, class: Some(Class::Flat) };
        assert_eq!(decisive([silent, quiet]), Some(quiet));
        assert_eq!(decisive([silent]), None);
    }
}

//! The numbers in sentences, whatever the words around them.

use std::sync::LazyLock;

use regex::Regex;

/// A number that must be said, between two bounds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Number {
    /// A span in seconds; `5 min`, `300 s` and `300` all say one.
    Seconds(f64, f64),
    /// A share in percent; `98 %` and `0.98` both say one.
    Percent(f64, f64),
    /// Any other number.
    Count(f64, f64),
}

/// One number of a text, and what it is a number of.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Said {
    value: f64,
    unit: Unit,
}

/// What a number is one of.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Unit {
    /// A span, in seconds.
    Seconds,
    Percent,
    None,
}

static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    let unit = "ms|milliseconds?|s|secs?|seconds?|min|minutes?|h|hours?|d";
    let number = r"(\d+(?:,\d{3})+|\d+)(\.\d+)?";
    Regex::new(&format!(r"{number}(?:\s?(%|percent\b|(?:{unit})\b))?"))
        .expect("a pattern")
});

impl Number {
    /// Whether a text says it.
    pub(super) fn is_in(self, text: &str) -> bool {
        said(text).iter().any(|said| self.is(*said))
    }

    fn is(self, said: Said) -> bool {
        let between = |low, high| (low..=high).contains(&said.value);
        match (self, said.unit) {
            (Number::Seconds(low, high), Unit::Seconds | Unit::None)
            | (Number::Percent(low, high), Unit::Percent)
            | (Number::Count(low, high), Unit::None) => between(low, high),
            (Number::Percent(low, high), Unit::None) => {
                said.value <= 1.0 && between(low / 100.0, high / 100.0)
            }
            _ => false,
        }
    }
}

/// All numbers of a text; spans of two units as one number too.
fn said(text: &str) -> Vec<Said> {
    let mut all: Vec<Said> = Vec::new();
    let mut before: Option<(usize, f64)> = None;
    for found in NUMBER.captures_iter(text) {
        let whole = found.get(0).expect("the match");
        let digits = found[1].replace(',', "");
        let decimals = found.get(2).map_or("", |part| part.as_str());
        let value: f64 = format!("{digits}{decimals}").parse().expect("one");
        let said = in_unit(value, found.get(3).map_or("", |u| u.as_str()));
        all.push(said);
        let adjoins = before.filter(|(end, _)| whole.start() == end + 1);
        if let (Some((_, first)), Unit::Seconds) = (adjoins, said.unit) {
            all.push(Said { value: first + said.value, ..said });
        }
        let is_span = said.unit == Unit::Seconds;
        before = is_span.then_some((whole.end(), said.value));
    }
    all
}

fn in_unit(value: f64, unit: &str) -> Said {
    let seconds = match unit {
        "" => return Said { value, unit: Unit::None },
        "%" | "percent" => return Said { value, unit: Unit::Percent },
        "ms" | "millisecond" | "milliseconds" => 0.001,
        "d" => 86_400.0,
        unit if unit.starts_with('h') => 3_600.0,
        unit if unit.starts_with('m') => 60.0,
        _ => 1.0,
    };
    Said { value: value * seconds, unit: Unit::Seconds }
}

#[test]
fn numbers_are_found_in_any_words() {
    let text = "97 % of 2,322 streams were held for 5 min 3 s (24999 ms), \
                w 4.9, share 0.71";
    for number in [
        Number::Percent(96.5, 97.5),
        Number::Count(2_322.0, 2_322.0),
        Number::Seconds(303.0, 303.0),
        Number::Seconds(24.9, 25.1),
        Number::Count(4.8, 5.0),
        Number::Percent(70.0, 72.0),
    ] {
        assert!(number.is_in(text), "{number:?}");
    }
    for number in [
        Number::Percent(98.0, 100.0),
        Number::Count(97.0, 97.0),
        Number::Seconds(4.0, 4.5),
        Number::Count(24_999.0, 24_999.0),
    ] {
        assert!(!number.is_in(text), "{number:?}");
    }
}

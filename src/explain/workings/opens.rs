//! How much of a rise the clients' own opens explain, key by key.

use serde::Serialize;

use super::digits::digits;
use super::{SHOWN, Source};
use crate::detect::Settings;
use crate::detect::{Suspect, Unexplained, WindowTest};
use crate::report::{Ink, Page};

/// The attribution of a rise to opens.
#[derive(Clone, Debug, Serialize)]
pub struct OpensPart {
    /// L: what of the rise from the first half to the second opens do not
    /// explain.
    pub unexplained: f64,
    /// What it must reach.
    pub least: f64,
    /// How far it strays by chance: its standard deviation.
    pub sd: f64,
    /// What it must reach where the climb is over.
    pub least_when_over: f64,
    /// What it must reach where the climb goes on, unless half of it is
    /// `staying`.
    pub least_when_going_on: f64,
    /// The part of L that belongs to keys of whose superseded streams hardly
    /// any was closed in half their time: `held_on` of two `held` or more.
    pub staying: f64,
    /// L of the whole segment around the window.
    pub segment_unexplained: f64,
    /// The rise of that segment.
    pub segment_rise: f64,
    /// What its L must reach.
    pub segment_least: f64,
    /// Superseded streams open in the middle of their key's time in the
    /// segment.
    pub held: u64,
    /// Those of them still open at its end.
    pub held_on: u64,
    /// Whether so many held on that opens are no explanation, however many.
    pub hold_on: bool,
    /// How many keys L is summed over.
    pub keys: usize,
    /// The first ten of them, the largest term first.
    pub first: Vec<KeyPart>,
}

/// One key's term of the sum. For a common slope each number is the sum of
/// those of all segments.
#[derive(Clone, Debug, Serialize)]
pub struct KeyPart {
    /// The key.
    pub key: String,
    /// Its mean number of open streams in the first half of its time.
    pub n_a: f64,
    /// In the second.
    pub n_b: f64,
    /// Streams it opened in the first half.
    pub o_a: u64,
    /// In the second.
    pub o_b: u64,
    /// Superseded streams that were open in the middle of its time.
    pub held: u64,
    /// Those of them still open at its end.
    pub held_on: u64,
    /// `n_b - n_a (o_b + 0.5) / (o_a + 0.5)`.
    pub term: f64,
}

impl OpensPart {
    pub(super) fn of(
        source: Source<'_>,
        window: &WindowTest,
    ) -> Option<OpensPart> {
        let settings = source.settings;
        let found = window.unexplained.as_ref()?;
        let Unexplained { sd, segment, segment_rise, .. } = *found;
        let first = found.first.iter().take(SHOWN);
        Some(OpensPart {
            unexplained: found.window,
            least: settings.unexplained * window.test.rise,
            sd,
            least_when_over: settings.unexplained_sd * sd,
            least_when_going_on: settings.climbing_sd * sd,
            staying: found.staying,
            segment_unexplained: segment,
            segment_rise,
            segment_least: settings.unexplained_segment
                * segment_rise.max(0.0),
            held: found.held,
            held_on: found.held_on,
            hold_on: found.held_on(settings),
            keys: found.keys,
            first: first.map(|key| KeyPart::of(source, key)).collect(),
        })
    }

    /// `segments` of a common slope are summed over, 1 of any other.
    pub(super) fn page(
        &self,
        page: &mut Page<'_>,
        rules: &Settings,
        segments: usize,
    ) {
        page.fact("opens", Ink::Plain, &self.sums(rules));
        let least = digits(rules.held_on);
        let so = if self.hold_on {
            "opens are no explanation"
        } else {
            "opens may explain it"
        };
        let text = format!(
            "{} of {} superseded streams stayed open for half the segment \
             (to rule opens out it needs {least}, of {} or more): {so}; {} of \
             L is of keys whose streams stay (to rule chance out of a climb \
             that goes on it needs half)",
            self.held_on,
            self.held,
            rules.min_streams,
            digits(self.staying)
        );
        page.fact("held on", Ink::Plain, &text);
        for key in &self.first {
            let name = page.short(&key.key, 40);
            page.fact("key", Ink::Plain, &format!("{name}: {}", key.text()));
        }
        if segments > 1 && !self.first.is_empty() {
            let text =
                format!("each number the sum of those of {segments} segments");
            page.fact("", Ink::Plain, &text);
        }
        let rest = self.keys - self.first.len();
        if rest > 0 {
            page.fact("", Ink::Plain, &format!("and {rest} more"));
        }
    }

    fn sums(&self, rules: &Settings) -> String {
        format!(
            "L {} (needs {} = {} x rise), sd {} (L needs {} = {} x sd where \
             the climb goes on, {} = {} x sd where it is over); in the \
             segment L {} (needs {} = {} x its rise {})",
            digits(self.unexplained),
            digits(self.least),
            digits(rules.unexplained),
            digits(self.sd),
            digits(self.least_when_going_on),
            digits(rules.climbing_sd),
            digits(self.least_when_over),
            digits(rules.unexplained_sd),
            digits(self.segment_unexplained),
            digits(self.segment_least),
            digits(rules.unexplained_segment),
            digits(self.segment_rise)
        )
    }
}

impl KeyPart {
    fn of(source: Source<'_>, suspect: &Suspect) -> KeyPart {
        KeyPart {
            key: source.key(suspect.key),
            n_a: suspect.open_first,
            n_b: suspect.open_second,
            o_a: suspect.opens_first,
            o_b: suspect.opens_second,
            held: suspect.held,
            held_on: suspect.held_on,
            term: suspect.unexplained,
        }
    }

    fn text(&self) -> String {
        format!(
            "n_a {} n_b {} o_a {} o_b {} held {} held on {} term {}",
            digits(self.n_a),
            digits(self.n_b),
            self.o_a,
            self.o_b,
            self.held,
            self.held_on,
            digits(self.term)
        )
    }
}

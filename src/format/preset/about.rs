//! What a server's format says of itself.

use crate::format::Mark;
use crate::time::Unit;

/// One row of `streamleak formats`, and what readers need to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// The name it is chosen by: lower case, words joined by `-`.
    pub name: &'static str,
    /// Whose it is, for people.
    pub server: &'static str,
    /// What its time marks; the end where both are logged, and
    /// [`Mark::Either`] where the order of the file tells.
    pub mark: Mark,
    /// The unit of its bare durations; `None` when it logs both ends, writes
    /// the unit, or logs no duration.
    pub unit: Option<Unit>,
    /// How its duration is written: `ms`, `60.001s`, `end - start`, `none`.
    pub duration: &'static str,
    /// Where it says who ended a stream: `status 499`, `-`.
    pub ended_by: &'static str,
    /// Texts of which every record that closes a stream has one, where such
    /// a record does not name the path: they are looked for beside it.
    pub closers: &'static [&'static str],
    /// Why it cannot answer, where what it logs does not suffice: a
    /// sentence that says what to log instead.
    pub lacks: Option<&'static str>,
}

impl About {
    /// What most servers have in common: a duration with its unit or none,
    /// which can answer, no word of who ended a stream.
    pub(super) const DEFAULT: About = About {
        name: "",
        server: "",
        mark: Mark::Either,
        unit: None,
        duration: "",
        ended_by: "-",
        closers: &[],
        lacks: None,
    };
}

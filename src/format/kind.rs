//! A format: which one, and how it reads a record. A closed list; adding one
//! touches its own file and this list, never another format.

use super::json::Fields;
use super::{Clf, Json, Mark, Parsed, Pattern, Preset, Record, Template, W3c};
use crate::time::Unit;

/// A format: how one record is read.
#[derive(Clone, Debug)]
pub enum Format {
    /// The common log format and its longer forms.
    Clf(Clf),
    /// A JSON format.
    Json(Json),
    /// JSON whose keys the user names.
    Fields(Box<Fields>),
    /// A server's own format string.
    Template(Box<Template>),
    /// A regular expression with named groups.
    Pattern(Pattern),
    /// A server whose records have one shape.
    Preset(Preset),
    /// The W3C extended log format.
    W3c(Box<W3c>),
}

impl Format {
    /// Reads one record, which starts at byte `offset` of its input.
    ///
    /// # Errors
    ///
    /// A rejection that says why and where the record does not fit.
    pub fn parse<'a>(
        &self,
        record: &'a [u8],
        offset: u64,
    ) -> Parsed<Record<'a>> {
        match self {
            Format::Clf(clf) => clf.parse(record),
            Format::Json(json) => json.parse(record),
            Format::Fields(fields) => fields.parse(record),
            Format::Template(template) => template.parse(record),
            Format::Pattern(pattern) => pattern.parse(record),
            Format::Preset(preset) => preset.parse(record),
            Format::W3c(w3c) => w3c.parse(record, offset),
        }
    }

    /// What people call it.
    pub fn name(&self) -> String {
        match self {
            Format::Clf(clf) => clf.name(),
            Format::Json(json) => json.name().to_owned(),
            Format::Fields(_) => "JSON fields".to_owned(),
            Format::Template(_) => "format string".to_owned(),
            Format::Pattern(_) => "regex".to_owned(),
            Format::Preset(preset) => preset.about().name.to_owned(),
            Format::W3c(w3c) => w3c.name().to_owned(),
        }
    }

    /// Whether a backslash may hide a byte of a path in its records.
    pub fn escapes(&self) -> bool {
        match self {
            Format::Clf(_) | Format::Pattern(_) | Format::W3c(_) => false,
            Format::Json(_)
            | Format::Fields(_)
            | Format::Template(_)
            | Format::Preset(_) => true,
        }
    }

    /// Whether it logs how long requests took, as far as is known of it.
    pub fn has_duration(&self) -> bool {
        match self {
            Format::Clf(clf) => clf.has_duration(),
            Format::Json(_) => true,
            Format::Fields(fields) => fields.has_duration(),
            Format::Template(template) => template.has_interval(),
            Format::Pattern(pattern) => pattern.has_duration(),
            Format::Preset(preset) => preset.about().lacks.is_none(),
            Format::W3c(w3c) => w3c.has_duration(),
        }
    }

    /// Why it cannot answer, where what it logs never suffices.
    pub fn lacks(&self) -> Option<&'static str> {
        match self {
            Format::Preset(preset) => preset.about().lacks,
            _ => None,
        }
    }

    /// Whether a stream that its client ended has a second record of the
    /// same request id.
    pub fn repeats_aborts(&self) -> bool {
        matches!(self, Format::Preset(preset) if preset.repeats_aborts())
    }

    /// Texts of which every record has one that closes a stream without
    /// naming its path.
    pub fn closers(&self) -> Vec<&str> {
        match self {
            Format::Preset(preset) => preset.about().closers.to_vec(),
            Format::Fields(fields) => fields.closer().into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Takes up what stands in these bytes, which begin at byte `offset` of
    /// the input, and tells how the records behind it are laid out.
    pub fn note(&mut self, bytes: &[u8], offset: u64) {
        if let Format::W3c(w3c) = self {
            w3c.note(bytes, offset);
        }
    }

    /// Takes up what the records tell of a log's settings.
    #[must_use]
    pub(super) fn learn(self, records: &[&[u8]]) -> Format {
        match self {
            Format::Json(json) => Format::Json(json.learn(records)),
            Format::Fields(f) => Format::Fields(Box::new(f.learn(records))),
            other => other,
        }
    }

    /// The unit its bare durations are read in.
    pub fn unit(&self) -> Option<Unit> {
        match self {
            Format::Clf(clf) => clf.unit(),
            Format::Json(json) => json.duration_unit(),
            Format::Fields(fields) => fields.unit(),
            Format::Template(template) => template.unit(),
            Format::Pattern(pattern) => pattern.unit(),
            Format::Preset(preset) => preset.unit(),
            Format::W3c(w3c) => w3c.unit(),
        }
    }

    /// The likeliest unit of its bare durations, where it may be another
    /// than the one they are read in.
    pub fn guessed_unit(&self) -> Option<Unit> {
        match self {
            Format::Clf(clf) => clf.guessed_unit(),
            Format::Fields(fields) => fields.guessed_unit(),
            Format::Json(_)
            | Format::Template(_)
            | Format::Pattern(_)
            | Format::Preset(_)
            | Format::W3c(_) => None,
        }
    }

    /// What its bare time marks, where its grammar decides; else
    /// [`Mark::Either`].
    pub fn mark(&self) -> Mark {
        match self {
            Format::Clf(clf) => clf.mark(),
            Format::Json(json) => json.mark(),
            Format::Fields(fields) => fields.mark(),
            Format::Template(template) => template.mark(),
            Format::Pattern(pattern) => pattern.mark(),
            Format::Preset(preset) => preset.about().mark,
            Format::W3c(w3c) => w3c.mark(),
        }
    }

    /// The same format with its bare durations in this unit.
    pub fn with_unit(self, unit: Unit) -> Format {
        match self {
            Format::Clf(clf) => Format::Clf(clf.with_unit(unit)),
            Format::Json(json) => Format::Json(json.with_unit(unit)),
            Format::Fields(f) => Format::Fields(Box::new(f.with_unit(unit))),
            Format::Template(t) => {
                Format::Template(Box::new(t.with_unit(unit)))
            }
            Format::Pattern(p) => Format::Pattern(p.with_unit(unit)),
            Format::Preset(p) => Format::Preset(p.with_unit(unit)),
            Format::W3c(w) => Format::W3c(Box::new(w.with_unit(unit))),
        }
    }

    /// The same format with times that show no zone taken to be this many
    /// seconds east of UTC.
    #[must_use]
    pub fn with_zone(self, seconds: i64) -> Format {
        match self {
            Format::Json(json) => Format::Json(json.with_zone(seconds)),
            Format::Fields(f) => {
                Format::Fields(Box::new(f.with_zone(seconds)))
            }
            Format::Template(template) => {
                Format::Template(Box::new(template.with_zone(seconds)))
            }
            Format::Preset(p) => Format::Preset(p.with_zone(seconds)),
            Format::W3c(w) => Format::W3c(Box::new(w.with_zone(seconds))),
            Format::Clf(clf) => Format::Clf(clf.with_zone(seconds)),
            Format::Pattern(_) => self,
        }
    }
}

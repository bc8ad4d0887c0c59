//! Formats described by a string: nginx's `log_format`, Apache's `LogFormat`,
//! HAProxy's `log-format`, Envoy's format strings and dictionaries.
//!
//! The string is compiled once, with nom, into the texts that stand in every
//! line and the values between them; lines are then read without nom and
//! without allocating, but for values of `escape=json` with an escape in
//! them. There is no backtracking: a value ends where the text behind it
//! first stands, so a line costs one pass whatever it holds.

mod apache;
mod clock;
mod dialect;
mod draft;
mod envoy;
mod error;
mod guess;
mod haproxy;
mod header;
mod layout;
mod literal;
mod nginx;
mod object;
mod source;
mod take;

use super::{Field, Mark, Parsed, Record, Shape};
use crate::time::Unit;

pub use dialect::Dialect;
pub use error::TemplateError;
pub(super) use haproxy::Captured;
use layout::LineLayout;
use object::Object;
pub(super) use source::{quoted, space};
use take::Take;

/// A compiled format string.
#[derive(Clone, Debug)]
pub struct Template {
    dialect: Dialect,
    source: String,
    body: Body,
}

/// Where the values stand.
#[derive(Clone, Debug)]
enum Body {
    /// At their places in a line.
    Line(Box<LineLayout>),
    /// Under their keys in an object.
    Object(Object),
}

impl Template {
    /// Compiles a format string of any server, told by [`Dialect::of`].
    ///
    /// # Errors
    ///
    /// A [`TemplateError`] that shows the place, and says which server's the
    /// string was taken for.
    pub fn new(format: &str) -> Result<Template, TemplateError> {
        match Dialect::of(format) {
            Dialect::Nginx => Template::nginx(format),
            Dialect::Apache => Template::apache(format),
            Dialect::Haproxy => Template::haproxy(format),
            Dialect::Envoy => Template::envoy(format),
        }
    }

    /// Compiles an nginx `log_format`, as it stands in the configuration:
    /// with or without `log_format NAME`, `escape=`, quotes and semicolon.
    ///
    /// nginx writes a record when the request has ended, so all its times
    /// are ends. Texts stay as logged (`\x22`), except that the escapes of
    /// `escape=json` are undone.
    /// Source: <https://nginx.org/en/docs/http/ngx_http_log_module.html>.
    ///
    /// # Errors
    ///
    /// A [`TemplateError`] that shows the place.
    pub fn nginx(format: &str) -> Result<Template, TemplateError> {
        nginx::compile(format)
    }

    /// Compiles an Apache `LogFormat`, as it stands in the configuration or
    /// with its quotes and escapes undone. Nicknames are not resolved here.
    ///
    /// Apache's times are when the request was received, unless `end:` says
    /// otherwise. Texts stay as logged (`\"`).
    /// Source: <https://httpd.apache.org/docs/2.4/mod/mod_log_config.html>.
    ///
    /// # Errors
    ///
    /// A [`TemplateError`] that shows the place.
    pub fn apache(format: &str) -> Result<Template, TemplateError> {
        apache::compile(format)
    }

    /// Compiles a HAProxy `log-format`, as it stands in the configuration or
    /// with its quotes and escapes undone.
    ///
    /// HAProxy's times are when the request was received (`%tr`) or, where
    /// that is not logged, when its connection was (`%t`). Which header a
    /// capture holds is not in the string: it is told by what was captured.
    /// Source: <https://docs.haproxy.org/dev/configuration.html#8.2.6>.
    ///
    /// # Errors
    ///
    /// A [`TemplateError`] that shows the place.
    pub fn haproxy(format: &str) -> Result<Template, TemplateError> {
        haproxy::compile(format, &Captured::default())
    }

    /// Compiles a HAProxy `log-format` of a proxy that captures headers of
    /// these names.
    pub(super) fn haproxy_capturing(
        format: &str,
        captured: &Captured,
    ) -> Result<Template, TemplateError> {
        haproxy::compile(format, captured)
    }

    /// Compiles an Envoy format: a string, in quotes or not, or a dictionary
    /// as a JSON object, whose values are then found by their keys.
    ///
    /// Envoy's times are when the request began, in UTC. A record that says
    /// it was written as a request began (`%ACCESS_LOG_TYPE%`) is an opening;
    /// one written in its midst is no access record.
    /// Source: <https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage>.
    ///
    /// # Errors
    ///
    /// A [`TemplateError`] that shows the place.
    pub fn envoy(format: &str) -> Result<Template, TemplateError> {
        envoy::compile(format)
    }

    /// Whose format string it was taken for.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The same format for a server whose times without a zone are this many
    /// seconds east of UTC. Envoy's are in UTC whatever its host's zone.
    #[must_use]
    pub fn with_zone(mut self, seconds: i64) -> Template {
        if self.dialect == Dialect::Envoy {
            return self;
        }
        self.change(|take| {
            if let Take::Field(Field::Time(_, Shape::Pattern(_, zone))) = take
            {
                *zone = seconds;
            }
        });
        self
    }

    /// The format string, as it was given.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The values it takes from a line, for people: `client, end, request`.
    pub fn describe(&self) -> String {
        let words: Vec<&str> = self.takes().filter_map(draft::word).collect();
        words.join(", ")
    }

    /// Whether it logs how long a request took.
    pub fn has_duration(&self) -> bool {
        self.unit().is_some()
    }

    /// Whether it logs any time.
    pub fn has_time(&self) -> bool {
        self.marks().next().is_some()
    }

    /// Whether start and end can be told: a time and a duration, or both
    /// times.
    pub fn has_interval(&self) -> bool {
        let both = self.marks().any(|mark| mark == Mark::Start)
            && self.marks().any(|mark| mark == Mark::End);
        both || (self.has_duration() && self.has_time())
    }

    /// How many values stand in a line: of two formats that fit it, the one
    /// with more of them says more about it.
    pub fn values(&self) -> usize {
        self.takes().count()
    }

    /// What its times mark: the end where it logs one.
    pub fn mark(&self) -> Mark {
        if self.marks().any(|mark| mark == Mark::End) {
            Mark::End
        } else {
            self.marks().next().unwrap_or(Mark::Either)
        }
    }

    /// The unit of its duration.
    pub fn unit(&self) -> Option<Unit> {
        self.takes().find_map(Take::unit)
    }

    /// The same format with its duration in this unit.
    #[must_use]
    pub fn with_unit(mut self, unit: Unit) -> Template {
        self.change(|take| {
            if let Take::Field(Field::Duration(there)) | Take::SoFar(there) =
                take
            {
                *there = unit;
            }
        });
        self
    }

    /// What its times mark.
    fn marks(&self) -> impl Iterator<Item = Mark> {
        self.takes().filter_map(Take::mark)
    }

    /// What is done with its values, in their order.
    fn takes(&self) -> impl Iterator<Item = &Take> {
        let layouts = match &self.body {
            Body::Line(layout) => std::slice::from_ref(&**layout),
            Body::Object(object) => &object.layouts,
        };
        let slots = layouts.iter().flat_map(|layout| &layout.slots);
        slots.map(|slot| &slot.take)
    }

    /// Changes what is done with its values.
    fn change(&mut self, change: impl FnMut(&mut Take)) {
        let layouts = match &mut self.body {
            Body::Line(layout) => std::slice::from_mut(&mut **layout),
            Body::Object(object) => &mut object.layouts,
        };
        let slots = layouts.iter_mut().flat_map(|layout| &mut layout.slots);
        slots.map(|slot| &mut slot.take).for_each(change);
    }

    /// Reads one line, without its line end.
    ///
    /// # Errors
    ///
    /// A rejection when the whole line has not this format's shape, or a time
    /// or duration in it cannot be read.
    pub fn parse<'a>(&self, line: &'a [u8]) -> Parsed<Record<'a>> {
        match &self.body {
            Body::Object(object) => object.parse(line),
            Body::Line(layout) => {
                let mut record = Record::default();
                layout.fill(&mut record, line, 0)?;
                Ok(record)
            }
        }
    }
}

#[cfg(test)]
mod tests;

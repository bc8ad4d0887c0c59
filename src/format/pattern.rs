//! A user's own regular expression, whose named groups are the fields.
//!
//! The slow, general path: whatever no other format reads, this one can. It
//! shares nothing with the templates but the meaning of the fields, which
//! makes it their oracle in the tests.

use std::borrow::Cow;
use std::fmt;

use regex::bytes::{Regex, RegexBuilder};

use super::{Field, Mark, Parsed, Record, Reject, Shape};
use crate::time::Unit;

/// The groups a pattern may have, and the field each of them fills.
const GROUPS: [(&str, Field); 19] = [
    ("start", Field::Time(Mark::Start, Shape::Any)),
    ("end", Field::Time(Mark::End, Shape::Any)),
    ("time", Field::Time(Mark::Either, Shape::Any)),
    ("duration", Field::Span),
    ("duration_ms", Field::Duration(Unit::Millis)),
    ("duration_us", Field::Duration(Unit::Micros)),
    ("duration_ns", Field::Duration(Unit::Nanos)),
    ("request", Field::Request),
    ("method", Field::Method),
    ("path", Field::Target),
    ("mcp_method", Field::McpMethod),
    ("client", Field::Address),
    ("agent", Field::Agent),
    ("session", Field::Session),
    ("id", Field::RequestId),
    ("status", Field::Status),
    ("bytes", Field::Bytes),
    ("completion", Field::Completion),
    ("event", Field::Event),
];

/// A regular expression with named groups.
#[derive(Clone, Debug)]
pub struct Pattern {
    regex: Regex,
    /// The number of each known group, and its field.
    fields: Vec<(usize, Field)>,
}

impl Pattern {
    /// Compiles a regular expression in the syntax of the `regex` crate.
    ///
    /// It is searched for anywhere in the line; `^` and `$` anchor it. It
    /// matches bytes: `.` stands for any byte but the line end, also for one
    /// that is no UTF-8, and `\d`, `\w` and `\s` are ASCII only, unless the
    /// expression cannot be compiled so. A `duration` may have its unit,
    /// `1m0.002s`; a bare one is in seconds.
    ///
    /// # Errors
    ///
    /// [`PatternError`] when the expression cannot be compiled, or names
    /// another group than the known ones, or none.
    pub fn new(pattern: &str) -> Result<Pattern, PatternError> {
        let regex = RegexBuilder::new(pattern)
            .unicode(false)
            .build()
            .or_else(|_| Regex::new(pattern))
            .map_err(|error| PatternError::Syntax(error.to_string()))?;
        let mut fields = Vec::new();
        for (group, name) in regex.capture_names().enumerate() {
            let Some(name) = name else { continue };
            let known = GROUPS.iter().find(|(known, _)| *known == name);
            let (_, field) =
                known.ok_or_else(|| PatternError::Unknown(name.to_owned()))?;
            fields.push((group, field.clone()));
        }
        if fields.is_empty() {
            return Err(PatternError::Groupless);
        }
        Ok(Pattern { regex, fields })
    }

    /// The same pattern, with the group `duration` a bare number of this
    /// unit.
    #[must_use]
    pub fn with_unit(mut self, unit: Unit) -> Pattern {
        for (_, field) in &mut self.fields {
            if *field == Field::Span {
                *field = Field::Duration(unit);
            }
        }
        self
    }

    /// The unit of its bare durations.
    pub fn unit(&self) -> Option<Unit> {
        self.fields.iter().find_map(|(_, field)| match field {
            Field::Duration(unit) => Some(*unit),
            Field::Span => Some(Unit::Seconds),
            _ => None,
        })
    }

    /// What its times mark: the end where it has one.
    pub fn mark(&self) -> Mark {
        let mut marks =
            self.fields.iter().filter_map(|(_, field)| match field {
                Field::Time(mark, _) => Some(*mark),
                _ => None,
            });
        if marks.clone().any(|mark| mark == Mark::End) {
            Mark::End
        } else {
            marks.next().unwrap_or(Mark::Either)
        }
    }

    /// The regular expression, as it was given.
    pub fn source(&self) -> &str {
        self.regex.as_str()
    }

    /// Whether it has a group for a duration.
    pub fn has_duration(&self) -> bool {
        self.fields.iter().any(|(_, field)| {
            matches!(field, Field::Duration(_) | Field::Span)
        })
    }

    /// Whether it has a group for a time.
    pub fn has_time(&self) -> bool {
        self.fields.iter().any(|(_, field)| matches!(field, Field::Time(_, _)))
    }

    /// Reads one line, without its line end. A group that took no part in
    /// the match leaves its field as if it were not logged.
    ///
    /// # Errors
    ///
    /// [`Reject`] when the line does not match, or a time or duration in it
    /// cannot be read.
    pub fn parse<'a>(&self, line: &'a [u8]) -> Parsed<Record<'a>> {
        let captures = self
            .regex
            .captures(line)
            .ok_or_else(|| Reject::shape(0, "a match of the pattern"))?;
        let mut record = Record::default();
        for (group, field) in &self.fields {
            if let Some(found) = captures.get(*group) {
                let text = Cow::Borrowed(found.as_bytes());
                field.put(&mut record, text, found.start())?;
            }
        }
        Ok(record)
    }
}

/// Why a regular expression cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternError {
    /// It cannot be compiled: what the `regex` crate says about it.
    Syntax(String),
    /// It has a group of this name, which fills no field.
    Unknown(String),
    /// It has no named group.
    Groupless,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PatternError::Syntax(error) => return f.write_str(error),
            PatternError::Unknown(name) => {
                write!(f, "no field is named {name}")?;
            }
            PatternError::Groupless => {
                f.write_str("the pattern has no named group (?P<name>…)")?;
            }
        }
        let names: Vec<&str> = GROUPS.iter().map(|(name, _)| *name).collect();
        write!(f, "; the known groups are {}", names.join(", "))
    }
}

impl std::error::Error for PatternError {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{EndedBy, Event, Reason};
    use super::*;
    use crate::time::Micros;

    #[test]
    fn groups_fill_the_fields_they_are_named_after() {
        let pattern = Pattern::new(
            r"^(?P<start>\S+) (?P<end>\S+) (?P<duration_ms>\d+) (?P<method>\w+) (?P<path>\S+) (?P<mcp_method>\S+) (?P<client>\S+) (?P<agent>\S+) (?P<session>\S+) (?P<id>\S+) (?P<status>\d+) (?P<bytes>\d+) (?P<completion>\S*) (?P<event>\S+)$",
        )
        .unwrap();
        let line = b"2026-11-29T13:44:23Z 1795959864.5 1500 POST /mcp \
            subscriptions/listen 192.0.2.7:99 mcp/1 s1 r1 200 480 OK open";
        let record = pattern.parse(line).unwrap();
        // date -u -d 2026-11-29T13:44:23Z +%s
        let start = Micros::from_secs(1_795_959_863);
        assert_eq!(record.start.unwrap().at, start);
        assert_eq!(record.end.unwrap().at, start + Micros(1_500_000));
        assert_eq!(record.duration, Some(Micros(1_500_000)));
        assert_eq!(
            (&*record.method, &*record.target),
            (&b"POST"[..], &b"/mcp"[..])
        );
        assert_eq!(&*record.mcp_method, b"subscriptions/listen");
        assert_eq!(&*record.address, b"192.0.2.7");
        assert_eq!(
            (&*record.agent, &*record.session),
            (&b"mcp/1"[..], &b"s1"[..])
        );
        assert_eq!((&*record.request_id, record.status), (&b"r1"[..], 200));
        assert_eq!(record.bytes, Some(480));
        assert_eq!(record.ended_by, EndedBy::Server);
        assert_eq!(record.event, Event::Open);
    }

    #[test]
    fn a_bare_duration_is_seconds_unless_a_unit_is_given() {
        let pattern = Pattern::new(r"took (?P<duration>\S+)").unwrap();
        let duration = |pattern: &Pattern, line: &'static [u8]| {
            pattern.parse(line).unwrap().duration
        };
        assert_eq!(duration(&pattern, b"took 2.5"), Some(Micros(2_500_000)));
        assert_eq!(
            duration(&pattern, b"took 1m0.5s"),
            Some(Micros(60_500_000))
        );
        let millis = pattern.with_unit(Unit::Millis);
        assert_eq!(duration(&millis, b"took 25"), Some(Micros(25_000)));
    }

    #[test]
    fn a_line_that_does_not_match_is_of_another_shape() {
        let pattern = Pattern::new(r"^(?P<time>\d+)$").unwrap();
        let reject = pattern.parse(b"x").unwrap_err();
        assert_eq!((reject.reason, reject.at), (Reason::Shape, 0));
        let reject = pattern.parse(b"12").unwrap_err();
        assert_eq!(reject.reason, Reason::Time);
    }

    #[test]
    fn bytes_that_are_no_text_are_matched() {
        let pattern = Pattern::new(r#"^"(?P<agent>[^"]*)" .*$"#).unwrap();
        let record = pattern.parse(b"\"a\xff\xe9\" \xfe").unwrap();
        assert_eq!(&*record.agent, b"a\xff\xe9");
    }

    #[test]
    fn unicode_classes_still_compile() {
        let pattern = Pattern::new(r"(?P<agent>\p{Greek}+)").unwrap();
        let record = pattern.parse("x αβ".as_bytes()).unwrap();
        assert_eq!(&*record.agent, "αβ".as_bytes());
    }

    #[test]
    fn an_unknown_group_is_answered_with_the_known_ones() {
        let error = Pattern::new("(?P<took>x)").unwrap_err();
        assert_eq!(error, PatternError::Unknown("took".to_owned()));
        let text = error.to_string();
        assert!(
            text.contains("took") && text.contains("duration_ms"),
            "{text}"
        );
        assert_eq!(Pattern::new("x").unwrap_err(), PatternError::Groupless);
        let error = Pattern::new("(?P<time>").unwrap_err();
        assert!(matches!(error, PatternError::Syntax(_)));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(
            line in proptest::collection::vec(any::<u8>(), 0..80),
        ) {
            let pattern = Pattern::new(
                r"(?P<time>[^ ]*) ?(?P<duration>[^ ]*) ?(?P<request>.*)",
            )
            .unwrap();
            let _ = pattern.parse(&line);
        }
    }
}

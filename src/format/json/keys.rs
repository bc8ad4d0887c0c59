//! Which key of an object is which field of a record.

use crate::format::{
    Field, Mark, Parsed, Record, Reject, Text,
    object::{Broken, Value, Wanted, walk},
};

/// A table from dotted paths to fields, compiled once.
#[derive(Clone, Debug)]
pub struct Keys {
    wanted: Wanted<KeyRole>,
}

/// What a key holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A field of the record.
    Field(Field),
    /// Something only the format itself looks at.
    Note(Note),
}

/// What a format wants to see beside the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// A time in a shape of its own.
    Time,
    /// A duration in a unit or shape of its own.
    Duration,
    /// The logger or the kind of event: what wrote the record.
    Source,
    /// The message.
    Message,
    /// The request that made this one.
    Parent,
    /// What tells a request made on the server's side.
    Inner,
    /// How many requests it stands for.
    Sampled,
}

/// One key of the table.
#[derive(Clone, Debug)]
struct KeyRole {
    part: Part,
    /// Where the part's text is kept until the record is whole, which is
    /// also the order the fields are put in.
    place: usize,
    /// The lower, the better.
    rank: usize,
}

/// Places for the fields, then for the notes.
const FIELDS: usize = 14;
const PLACES: usize = FIELDS + 7;

/// Where a part is kept. The request line comes before the method and the
/// target it may hold, the fallback for the target after it, and the
/// forwarded address after the peer's. Times are not kept.
fn place(part: &Part) -> usize {
    match part {
        Part::Field(field) => field_place(field),
        Part::Note(note) => FIELDS + *note as usize,
    }
}

fn field_place(field: &Field) -> usize {
    match field {
        Field::Request => 0,
        Field::Method => 1,
        Field::Target => 2,
        Field::InternalPath => 3,
        Field::Duration(_) | Field::Span => 4,
        Field::McpMethod => 5,
        Field::Address => 6,
        Field::Forwarded => 7,
        Field::Agent => 8,
        Field::Session => 9,
        Field::RequestId => 10,
        Field::Status => 11,
        Field::Bytes | Field::BytesOrDash => 12,
        Field::Completion
        | Field::Aborted
        | Field::Termination
        | Field::Outcome => 13,
        // These two are put at once.
        Field::Time(..) | Field::Event => FIELDS,
    }
}

impl Keys {
    /// Compiles a table of dotted paths, several for one part parted by `|`.
    /// Of two keys for one part the first that was logged
    /// with a value is taken: the better key stands first. Of several times
    /// that mark the same instant the finest clock is taken.
    pub fn new<'p>(keys: impl IntoIterator<Item = (&'p str, Part)>) -> Keys {
        let keys = keys.into_iter().flat_map(|(paths, part)| {
            paths.split('|').map(move |path| (path, part.clone()))
        });
        let keys = keys.enumerate().map(|(rank, (path, part))| {
            (path, KeyRole { place: place(&part), part, rank })
        });
        Keys { wanted: Wanted::new(keys) }
    }

    /// Reads the texts of one object.
    ///
    /// # Errors
    ///
    /// [`Reason::Shape`](crate::format::Reason::Shape) when it is not one.
    pub fn find<'a>(&self, record: &'a [u8]) -> Parsed<Texts<'a, '_>> {
        let mut found = Texts::default();
        walk(record, &self.wanted, |key, value, at| {
            found.take(key, value, at);
            Ok::<_, Broken>(())
        })?;
        Ok(found)
    }
}

/// The texts of one object, the best of each part.
#[derive(Debug, Default)]
pub struct Texts<'a, 'k> {
    record: Record<'a>,
    kept: [Option<Kept<'a, 'k>>; PLACES],
    bad_time: Option<usize>,
}

/// A text, the key it was logged under, and where it stood.
#[derive(Debug)]
struct Kept<'a, 'k> {
    key: &'k KeyRole,
    text: Text<'a>,
    at: usize,
}

impl<'a, 'k> Texts<'a, 'k> {
    fn take(&mut self, key: &'k KeyRole, value: Value<'a>, at: usize) {
        let Some(text) = value.into_text() else { return };
        let absent = text.is_empty() || *text == *b"-";
        match &key.part {
            // Here empty is a value: the client went away.
            Part::Field(Field::Completion) => self.keep(key, text, at),
            _ if absent => {}
            Part::Field(field @ (Field::Time(..) | Field::Event)) => {
                if field.put(&mut self.record, text, at).is_err() {
                    self.bad_time.get_or_insert(at);
                }
            }
            _ => self.keep(key, text, at),
        }
    }

    fn keep(&mut self, key: &'k KeyRole, text: Text<'a>, at: usize) {
        let kept = &mut self.kept[key.place];
        if kept.as_ref().is_none_or(|kept| key.rank < kept.key.rank) {
            *kept = Some(Kept { key, text, at });
        }
    }

    /// A note's text and where it stood, if it was logged with a value.
    pub fn note(&self, note: Note) -> Option<(&[u8], usize)> {
        let kept = self.kept[FIELDS + note as usize].as_ref()?;
        Some((&kept.text, kept.at))
    }

    /// The record that the fields make. One readable time is enough.
    ///
    /// # Errors
    ///
    /// A [`Reject`] when no time or not the duration can be read.
    pub fn into_record(self) -> Parsed<Record<'a>> {
        let mut record = self.record;
        if let Some(at) = self.bad_time
            && !record.has_time()
        {
            return Err(Reject::time(at, "a time"));
        }
        for Kept { key, text, at } in self.kept.into_iter().flatten() {
            if let Part::Field(field) = &key.part {
                field.put(&mut record, text, at)?;
            }
        }
        Ok(record)
    }
}

/// A time that marks the end, in any of the usual shapes.
pub fn end() -> Part {
    Part::Field(Field::Time(Mark::End, crate::format::Shape::Any))
}

/// A time that marks the start, in any of the usual shapes.
pub fn start() -> Part {
    Part::Field(Field::Time(Mark::Start, crate::format::Shape::Any))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Event, Shape};
    use crate::time::{Clock, Micros, Unit};

    fn record<'a>(keys: &[(&str, Part)], text: &'a str) -> Parsed<Record<'a>> {
        let keys = Keys::new(keys.iter().cloned());
        keys.find(text.as_bytes())?.into_record()
    }

    #[test]
    fn the_better_key_wins_in_any_order() {
        let keys = [
            ("good", Part::Field(Field::Target)),
            ("bad", Part::Field(Field::Target)),
        ];
        for text in
            [r#"{"good":"/g","bad":"/b"}"#, r#"{"bad":"/b","good":"/g"}"#]
        {
            assert_eq!(*record(&keys, text).unwrap().target, *b"/g");
        }
        let text = r#"{"good":"-","bad":"/b"}"#;
        assert_eq!(*record(&keys, text).unwrap().target, *b"/b");
        let text = r#"{"good":null,"bad":"/b"}"#;
        assert_eq!(*record(&keys, text).unwrap().target, *b"/b");
    }

    #[test]
    fn the_finest_clock_wins_and_one_readable_time_is_enough() {
        let keys = [("a", end()), ("b", end())];
        let text = r#"{"a":"2026-11-29T13:44:23+00:00","b":1795959863.164}"#;
        let fine =
            Clock { at: Micros(1_795_959_863_164_000), grain: Micros(1_000) };
        assert_eq!(record(&keys, text).unwrap().end, Some(fine));
        let text = r#"{"a":"noon","b":1795959863.164}"#;
        assert_eq!(record(&keys, text).unwrap().end, Some(fine));
        let text = r#"{"a":"noon"}"#;
        assert_eq!(record(&keys, text), Err(Reject::time(6, "a time")));
    }

    #[test]
    fn the_request_line_fills_what_has_no_key_of_its_own() {
        let keys = [
            ("uri", Part::Field(Field::InternalPath)),
            ("target", Part::Field(Field::Target)),
            ("request", Part::Field(Field::Request)),
            ("event", Part::Field(Field::Event)),
        ];
        let text = r#"{"uri":"/i","request":"GET /r HTTP/1.1"}"#;
        let found = record(&keys, text).unwrap();
        assert_eq!(
            (&*found.method, &*found.target),
            (&b"GET"[..], &b"/r"[..])
        );
        let text = r#"{"target":"/t","request":"GET /r HTTP/1.1"}"#;
        let found = record(&keys, text).unwrap();
        assert_eq!(
            (&*found.method, &*found.target),
            (&b"GET"[..], &b"/t"[..])
        );
        let found = record(&keys, r#"{"event":"open","uri":"/i"}"#).unwrap();
        assert_eq!((found.event, &*found.target), (Event::Open, &b"/i"[..]));
    }

    #[test]
    fn a_bad_duration_is_rejected_where_it_stands() {
        let keys = [("d", Part::Field(Field::Duration(Unit::Seconds)))];
        assert_eq!(
            record(&keys, r#"{"d":-1}"#),
            Err(Reject::duration(5, "a duration"))
        );
        let text = r#"{"d":0.001, 20.001}"#;
        assert_eq!(
            record(&keys, text),
            Err(Reject::duration(5, "a duration"))
        );
    }

    #[test]
    fn notes_are_kept_apart_from_the_record() {
        let keys = Keys::new([
            ("n", Part::Note(Note::Inner)),
            ("t", Part::Field(Field::Time(Mark::Either, Shape::Epoch))),
        ]);
        let found = keys.find(br#"{"n":true,"t":1785585600123000000}"#);
        let found = found.unwrap();
        assert_eq!(found.note(Note::Inner), Some((&b"true"[..], 5)));
        assert_eq!(found.note(Note::Time), None);
        let stamp = found.into_record().unwrap().stamp.unwrap();
        assert_eq!(stamp.at, Micros(1_785_585_600_123_000));
    }
}

//! Any JSON log, with the keys of its fields given by the user.
//!
//! Everything a format must know of itself is learnt or guessed here: how
//! its times are written, the unit of its durations, and which of its
//! records tell of requests at all.

mod bare;
mod error;

use super::NOT_ACCESS;
use crate::format::{
    Event, Field, Mark, Parsed, Record, Reject, Shape, Text,
    object::{Wanted, walk},
};
use crate::time::{self, Clock, Micros, Unit};

use bare::Bare;
pub use error::FieldError;

/// What a key may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    Time,
    Start,
    End,
    Duration,
    Request,
    Method,
    Path,
    McpMethod,
    Client,
    Agent,
    Session,
    Id,
    Status,
    Bytes,
    Event,
}

/// The names `--field` knows. The request line comes before the method and
/// the path it may hold.
const NAMES: [(&str, Name); 15] = [
    ("time", Name::Time),
    ("start", Name::Start),
    ("end", Name::End),
    ("duration", Name::Duration),
    ("request", Name::Request),
    ("method", Name::Method),
    ("path", Name::Path),
    ("mcp_method", Name::McpMethod),
    ("client", Name::Client),
    ("agent", Name::Agent),
    ("session", Name::Session),
    ("id", Name::Id),
    ("status", Name::Status),
    ("bytes", Name::Bytes),
    ("event", Name::Event),
];

/// A JSON format whose keys the user names.
#[derive(Clone, Debug)]
pub struct Fields {
    wanted: Wanted<RankedName>,
    /// Which names have a key.
    named: Vec<Name>,
    unit: Bare,
    /// Seconds east of UTC, for times without a zone.
    zone: i64,
    words: Words,
}

/// One key: what it is, and how good it is among the keys for the same.
#[derive(Clone, Copy, Debug)]
struct RankedName {
    name: Name,
    rank: usize,
}

/// What the event's key holds in the records that are wanted.
#[derive(Clone, Debug, Default)]
struct Words {
    open: Option<String>,
    end: Option<String>,
}

impl Fields {
    /// The format with these fields: each text is a list of `NAME=PATH`,
    /// parted by commas. A path is a dotted one, `request.headers.mcp-method`;
    /// a dot before it, as `jq` writes it, is passed over. Of several paths
    /// for one name the first that was logged is taken.
    ///
    /// # Errors
    ///
    /// A [`FieldError`] when a name is not known, a path is empty, or no time
    /// is among them.
    pub fn new(spec: &[String]) -> Result<Fields, FieldError> {
        let mut keys = Vec::new();
        let items = spec.iter().flat_map(|list| list.split(','));
        for item in items.map(str::trim).filter(|item| !item.is_empty()) {
            let (name, path) = item
                .split_once('=')
                .ok_or_else(|| FieldError::Shape(item.to_owned()))?;
            let (name, path) = (name.trim(), path.trim());
            let known = NAMES.iter().find(|(known, _)| *known == name);
            let (_, known) =
                known.ok_or_else(|| FieldError::Unknown(name.to_owned()))?;
            let path = path.strip_prefix('.').unwrap_or(path);
            if path.split('.').any(str::is_empty) {
                return Err(FieldError::Path(item.to_owned()));
            }
            keys.push((path, *known));
        }
        Fields::with_keys(&keys)
    }

    fn with_keys(keys: &[(&str, Name)]) -> Result<Fields, FieldError> {
        let named: Vec<Name> = keys.iter().map(|(_, name)| *name).collect();
        let times = [Name::Time, Name::Start, Name::End];
        if !named.iter().any(|name| times.contains(name)) {
            return Err(FieldError::Timeless);
        }
        if let Some((path, _)) = twice(keys) {
            return Err(FieldError::Twice(path.to_owned()));
        }
        let mut durations =
            keys.iter().filter(|(_, name)| *name == Name::Duration);
        let unit = durations.next().map(|(path, _)| Bare::of(path));
        let ranked = keys.iter().enumerate();
        let ranked = ranked.map(|(rank, (path, name))| {
            (*path, RankedName { name: *name, rank })
        });
        Ok(Fields {
            wanted: Wanted::new(ranked),
            named,
            unit: unit.unwrap_or_default(),
            zone: 0,
            words: Words::default(),
        })
    }

    /// The same format with the words that its event's key holds: `open` in
    /// records written as a stream opened, `end` in those written as it
    /// ended. Any other record is no access record where `end` is given, and
    /// a whole request where only `open` is. A record of an end that has no
    /// path is a close, whose path the opening with the same id tells.
    ///
    /// # Errors
    ///
    /// [`FieldError::Eventless`] when a word is given but no key for it.
    pub fn with_events(
        mut self,
        open: Option<&str>,
        end: Option<&str>,
    ) -> Result<Fields, FieldError> {
        let given = open.is_some() || end.is_some();
        if given && !self.named.contains(&Name::Event) {
            return Err(FieldError::Eventless);
        }
        let owned = |word: Option<&str>| word.map(ToOwned::to_owned);
        self.words = Words { open: owned(open), end: owned(end) };
        Ok(self)
    }

    /// The same format with bare durations in this unit, with decimals or
    /// without.
    #[must_use]
    pub fn with_unit(self, unit: Unit) -> Fields {
        Fields { unit: Bare::Known(unit), ..self }
    }

    /// The same format with times that show no zone taken to be this many
    /// seconds east of UTC.
    #[must_use]
    pub fn with_zone(self, zone: i64) -> Fields {
        Fields { zone, ..self }
    }

    /// Takes up what these records tell of the unit: where one duration has
    /// decimals, all bare ones are seconds.
    #[must_use]
    pub fn learn(self, records: &[&[u8]]) -> Fields {
        let decimal = |record: &&&[u8]| {
            let found = self.find(record);
            let kept = found.ok().and_then(|mut f| f.take(Name::Duration));
            kept.is_some_and(|(text, _)| {
                text.contains(&b'.')
                    && time::decimal(&text, Unit::Seconds).is_some()
            })
        };
        let open = matches!(self.unit, Bare::Open(_));
        if open && records.iter().any(|record| decimal(&record)) {
            self.with_unit(Unit::Seconds)
        } else {
            self
        }
    }

    /// What its times mark: the end where it has one.
    pub fn mark(&self) -> Mark {
        let has = |name| self.named.contains(&name);
        match (has(Name::End), has(Name::Start)) {
            (true, _) => Mark::End,
            (false, true) => Mark::Start,
            (false, false) => Mark::Either,
        }
    }

    /// Whether it has a duration, or both ends.
    pub fn has_duration(&self) -> bool {
        let has = |name| self.named.contains(&name);
        has(Name::Duration) || (has(Name::Start) && has(Name::End))
    }

    /// The unit its bare durations are read in; microseconds while it is
    /// open.
    pub fn unit(&self) -> Option<Unit> {
        let unit = self.unit.unit();
        self.named.contains(&Name::Duration).then_some(unit)
    }

    /// The likeliest unit of bare whole numbers, where it is open.
    pub fn guessed_unit(&self) -> Option<Unit> {
        match self.unit {
            Bare::Open(unit) => self.unit().map(|_| unit),
            Bare::Known(_) => None,
        }
    }

    /// The word that stands in every record of an end, path or not.
    pub fn closer(&self) -> Option<&str> {
        self.words.end.as_deref()
    }

    /// Reads one object.
    ///
    /// While the unit of its durations is open, a time that alone is given is
    /// kept as the stamp, whatever it marks, so that the order of the records
    /// can tell the unit.
    ///
    /// # Errors
    ///
    /// A [`Reject`] when it is no object, its event is another
    /// ([`NOT_ACCESS`]), or a time or the duration in it cannot be read.
    pub fn parse<'a>(&self, record: &'a [u8]) -> Parsed<Record<'a>> {
        let mut found = self.find(record)?;
        let event = self.event(found.take(Name::Event))?;
        let mut record = Record { event, ..Record::default() };
        self.put_duration(&mut record, found.take(Name::Duration))?;
        for (name, field) in fields() {
            if let Some((text, at)) = found.take(name) {
                field.put(&mut record, text, at)?;
            }
        }
        if record.event == Event::Whole
            && self.words.end.is_some()
            && record.target.is_empty()
        {
            record.event = Event::Close;
        }
        self.put_times(&mut record, found)?;
        Ok(record)
    }

    /// The texts under its keys.
    fn find<'a>(&self, record: &'a [u8]) -> Parsed<NamedTexts<'a>> {
        let mut found = NamedTexts::default();
        walk(record, &self.wanted, |key, value, at| {
            if let Some(text) = value.into_text()
                && !text.is_empty()
                && *text != *b"-"
            {
                found.keep(*key, text, at);
            }
            Ok::<_, Reject>(())
        })?;
        if found.is_empty() {
            return Err(Reject::shape(0, "an object with the given keys"));
        }
        Ok(found)
    }

    /// What a record with this event is written at.
    fn event(&self, found: Option<(Text<'_>, usize)>) -> Parsed<Event> {
        let other = Err(Reject::shape(0, NOT_ACCESS));
        let Words { open, end } = &self.words;
        let text = found.as_ref().map(|(text, _)| &**text);
        let is = |word: &Option<String>| {
            word.as_ref().is_some_and(|word| text == Some(word.as_bytes()))
        };
        match (open, end) {
            (None, None) => Ok(match text {
                Some(b"open") => Event::Open,
                _ => Event::Whole,
            }),
            _ if is(open) => Ok(Event::Open),
            (_, None) => Ok(Event::Whole),
            (_, Some(_)) if is(end) => Ok(Event::Whole),
            _ => other,
        }
    }

    /// Keeps the duration, which says nothing in a record of an opening.
    fn put_duration(
        &self,
        record: &mut Record<'_>,
        found: Option<(Text<'_>, usize)>,
    ) -> Parsed<()> {
        let Some((text, at)) = found else { return Ok(()) };
        if record.event == Event::Open || *text == *b"-1" {
            return Ok(());
        }
        let duration = self
            .unit
            .read(&text)
            .ok_or_else(|| Reject::duration(at, "a duration"))?;
        record.offer_duration(duration, at)
    }

    /// Keeps the times.
    fn put_times(
        &self,
        record: &mut Record<'_>,
        mut found: NamedTexts<'_>,
    ) -> Parsed<()> {
        let mut clock = |name: Name| -> Parsed<Option<Clock>> {
            let Some((text, at)) = found.take(name) else { return Ok(None) };
            let clock = self.clock(&text);
            clock.ok_or_else(|| Reject::time(at, "a time")).map(Some)
        };
        let stamp = clock(Name::Time)?;
        record.start = clock(Name::Start)?;
        record.end = clock(Name::End)?;
        match record.event {
            Event::Close if record.end.is_none() => record.end = stamp,
            Event::Open if record.start.is_none() => record.start = stamp,
            _ => record.stamp = stamp,
        }
        let open = record.event == Event::Whole
            && record.duration.is_some()
            && self.guessed_unit().is_some();
        match (record.start, record.end) {
            (Some(one), None) | (None, Some(one)) if open => {
                (record.start, record.end) = (None, None);
                record.stamp = Some(one);
            }
            _ => {}
        }
        Ok(())
    }

    /// A time in any of the usual shapes, with a zone or without.
    fn clock(&self, text: &[u8]) -> Option<Clock> {
        Shape::Any.read(text).or_else(|| {
            let mut zoned = [0; 40];
            let room = zoned.get_mut(..=text.len())?;
            room[..text.len()].copy_from_slice(text);
            room[text.len()] = b'Z';
            let clock = time::rfc3339(room)?;
            let at = clock.at - Micros::from_secs(self.zone);
            Some(Clock { at, ..clock })
        })
    }
}

/// A path that stands for two names: one value cannot be both.
fn twice<'k>(keys: &[(&'k str, Name)]) -> Option<(&'k str, Name)> {
    let again = |(at, key): (usize, &(&str, Name))| {
        keys[..at].iter().any(|other| other.0 == key.0 && other.1 != key.1)
    };
    let place = keys.iter().enumerate().position(again);
    place.map(|place| keys[place])
}

/// The names that fill a field by themselves, in the order they do.
fn fields() -> [(Name, Field); 10] {
    [
        (Name::Request, Field::Request),
        (Name::Method, Field::Method),
        (Name::Path, Field::Target),
        (Name::McpMethod, Field::McpMethod),
        // A list of addresses begins with the client's.
        (Name::Client, Field::Forwarded),
        (Name::Agent, Field::Agent),
        (Name::Session, Field::Session),
        (Name::Id, Field::RequestId),
        (Name::Status, Field::Status),
        (Name::Bytes, Field::Bytes),
    ]
}

/// The texts of one object, the best for each name.
#[derive(Debug, Default)]
struct NamedTexts<'a> {
    kept: [Option<Kept<'a>>; NAMES.len()],
}

/// A text, how good its key is, and where it stood.
type Kept<'a> = (usize, Text<'a>, usize);

impl<'a> NamedTexts<'a> {
    fn keep(&mut self, key: RankedName, text: Text<'a>, at: usize) {
        let kept = &mut self.kept[key.name as usize];
        if kept.as_ref().is_none_or(|(rank, ..)| key.rank < *rank) {
            *kept = Some((key.rank, text, at));
        }
    }

    fn take(&mut self, name: Name) -> Option<(Text<'a>, usize)> {
        self.kept[name as usize].take().map(|(_, text, at)| (text, at))
    }

    fn is_empty(&self) -> bool {
        self.kept.iter().all(Option::is_none)
    }
}

#[cfg(test)]
mod tests;

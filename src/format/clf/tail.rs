//! What people append to the common log format: found out once from the
//! first lines, then read by position or by name.

use super::column::{
    column, decimals, ends_with_spans, is_column, is_decimal, is_id, is_span,
    whole_numbers, widest,
};
use super::item::{Item, items};
use super::name::{DURATIONS, by_name, has_values, instant, is_number};
use super::{Parsed, Record};
use crate::format::field::{Field, Mark};
use crate::time::Unit;

/// The fields behind the head of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tail {
    /// Fields by their position; `true` counts from the end.
    places: Vec<(usize, bool, Field)>,
    /// Fields by the name they are logged with.
    names: Vec<(Vec<u8>, Field)>,
    /// Whether a start and an end, or a start and the duration, are among
    /// them, so that the head's time is not needed.
    both_ends: bool,
    mark: Mark,
    /// The unit the duration is read in.
    unit: Option<Unit>,
    /// The likeliest of the units it may be in, where that is open.
    likely: Option<Unit>,
}

impl Tail {
    /// The fields of these tails; `unsized` says that some of these rows
    /// show `-` for the bytes sent.
    pub(super) fn detect(tails: &[&[u8]], unsized_rows: bool) -> Tail {
        let rows: Vec<Vec<Item<'_>>> = tails
            .iter()
            .map(|tail| items(tail).map(|(_, item)| item).collect())
            .collect();
        let mut tail = Tail::default();
        tail.take_names(&rows);
        if !tail.name_duration(&rows) {
            tail.place_duration(&rows, unsized_rows);
        }
        tail.place_others(&rows);
        let marks = |wanted: Mark| {
            let mut fields = tail.names.iter().map(|(_, field)| field);
            fields.any(|f| matches!(f, Field::Time(m, _) if *m == wanted))
        };
        tail.both_ends =
            marks(Mark::Start) && (marks(Mark::End) || tail.unit.is_some());
        tail
    }

    /// Finds the fields whose names say what they are.
    fn take_names(&mut self, rows: &[Vec<Item<'_>>]) {
        for item in rows.iter().flatten() {
            let Item::Named(name, _) = item else { continue };
            if self.names.iter().any(|(known, _)| known == name) {
                continue;
            }
            let field = by_name(name);
            self.names.extend(field.map(|field| (name.to_vec(), field)));
        }
        let instants: [&[u8]; 3] = [b"msec", b"ms", b"t"];
        let instants = instants.into_iter();
        self.names.extend(instants.filter_map(|name| instant(rows, name)));
    }

    /// Finds the duration by its name; says whether there is one.
    fn name_duration(&mut self, rows: &[Vec<Item<'_>>]) -> bool {
        let logged = DURATIONS.iter().find(|(name, ..)| {
            let known = self.names.iter().any(|(known, _)| known == name);
            !known && has_values(rows, name, is_number)
        });
        if let Some(&(name, unit, mark)) = logged {
            (self.mark, self.unit) = (mark, Some(unit));
            self.names.push((name.to_vec(), Field::Duration(unit)));
        }
        logged.is_some()
    }

    /// Finds the duration by its place: the first column of decimals, else
    /// spans at the end, else the finest of the columns of whole numbers.
    fn place_duration(&mut self, rows: &[Vec<Item<'_>>], unsized_rows: bool) {
        if let Some(at) = column(rows, is_decimal) {
            let (unit, mark) = decimals(rows, at, unsized_rows);
            (self.mark, self.unit) = (mark, Some(unit));
            self.places.push((at, false, Field::Duration(unit)));
        } else if ends_with_spans(rows) {
            self.mark = Mark::Start;
            self.places.push((0, true, Field::Span));
        } else if let Some(at) = column(rows, is_span) {
            self.mark = Mark::Start;
            self.places.push((at, false, Field::Span));
        } else if let Some((at, likely)) = whole_numbers(rows) {
            (self.unit, self.likely) = (Some(Unit::Micros), likely);
            self.places.push((at, false, Field::Duration(Unit::Micros)));
        }
    }

    /// Finds the request id of ingress-nginx, last on the line, and the
    /// column that says who ended a request.
    fn place_others(&mut self, rows: &[Vec<Item<'_>>]) {
        let last = |row: &&Vec<Item<'_>>| row.last().is_some_and(is_id);
        if rows.iter().filter(last).count() * 10 >= rows.len() * 9 {
            self.places.push((0, true, Field::RequestId));
        }
        let detected =
            |item: &Item<'_>| matches!(item, Item::Bare(b"X" | b"+"));
        let ended =
            (0..widest(rows)).find(|&at| is_column(rows, at, detected));
        if let Some(at) = ended {
            self.places.push((at, false, Field::Aborted));
        }
    }

    /// What the head's time is, as far as these fields tell.
    pub(super) fn mark(&self) -> Mark {
        self.mark
    }

    /// Whether a duration or both ends of a request stand in the tail.
    pub(super) fn has_duration(&self) -> bool {
        let is_duration = |(_, _, field): &(usize, bool, Field)| {
            matches!(field, Field::Duration(_) | Field::Span)
        };
        self.unit.is_some()
            || self.both_ends
            || self.places.iter().any(is_duration)
    }

    /// Whether the tail alone tells when a request began and ended.
    pub(super) fn has_both_ends(&self) -> bool {
        self.both_ends
    }

    /// The unit of the bare duration.
    pub(super) fn unit(&self) -> Option<Unit> {
        self.unit
    }

    /// The likeliest unit, where several are possible.
    pub(super) fn guessed_unit(&self) -> Option<Unit> {
        self.likely
    }

    /// Takes this unit for the bare duration.
    pub(super) fn set_unit(&mut self, unit: Unit) {
        let bare = |(_, _, field): &&mut (usize, bool, Field)| {
            matches!(field, Field::Duration(_))
        };
        if let Some(place) = self.places.iter_mut().find(bare) {
            place.2 = Field::Duration(unit);
            (self.unit, self.likely) = (Some(unit), None);
        }
    }

    /// The fields found, for the name of the format.
    pub(super) fn describe(&self) -> String {
        let unit = self.likely.or(self.unit);
        let named = !self.names.is_empty();
        match (unit, named, self.places.is_empty()) {
            (Some(unit), named, _) => {
                let how = if named { "named" } else { "trailing" };
                format!(" + {how} duration ({})", unit.name())
            }
            (None, _, false) if self.mark == Mark::Start => {
                " + trailing duration".to_owned()
            }
            (None, true, _) => " + named fields".to_owned(),
            (None, false, _) => String::new(),
        }
    }

    /// Reads the fields of one line's tail, which starts at byte `from` of
    /// the line.
    ///
    /// # Errors
    ///
    /// A duration or a time that cannot be read.
    pub(super) fn read<'a>(
        &self,
        tail: &'a [u8],
        from: usize,
        record: &mut Record<'a>,
    ) -> Parsed<()> {
        let mut last = None;
        for (place, (at, item)) in items(tail).enumerate() {
            if let Item::Named(name, value) = item {
                self.put_named(name, value, from + at, record)?;
            }
            self.put_placed(place, false, record, (item, from + at))?;
            last = Some((item, from + at));
        }
        match last {
            Some(last) => self.put_placed(0, true, record, last),
            None => Ok(()),
        }
    }

    /// Puts the field of this name. Names of one meaning are known on every
    /// line: openings may come long after the first. A duration of -1 was
    /// not measured: lighttpd's clock was set back.
    fn put_named<'a>(
        &self,
        name: &[u8],
        value: &'a [u8],
        at: usize,
        record: &mut Record<'a>,
    ) -> Parsed<()> {
        let learnt = self.names.iter().find(|(known, _)| known == name);
        let field = match learnt {
            Some((_, field)) => field,
            None if self.names.is_empty() => return Ok(()),
            None => match &by_name(name) {
                Some(field) => return field.put(record, value.into(), at),
                None => return Ok(()),
            },
        };
        if matches!(field, Field::Duration(_)) && value == b"-1" {
            return Ok(());
        }
        field.put(record, value.into(), at)
    }

    /// Puts the field that was found to stand at this place.
    fn put_placed<'a>(
        &self,
        place: usize,
        from_end: bool,
        record: &mut Record<'a>,
        (item, at): (Item<'a>, usize),
    ) -> Parsed<()> {
        for (wanted, end, field) in &self.places {
            if (*wanted, *end) == (place, from_end) {
                field.put(record, item.text().into(), at)?;
            }
        }
        Ok(())
    }
}

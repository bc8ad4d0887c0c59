//! What people append to the common log format: found out once from the
//! first lines, then read by position or by name.

use std::borrow::Cow;

use super::quote::quoted;
use super::{Record, Reject};
use crate::format::field::{Field, Mark, Shape};
use crate::time::{self, Micros, Unit};

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

/// One field of a tail, in the order of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item<'a> {
    /// A bare word.
    Bare(&'a [u8]),
    /// Text in quotes, without them.
    Quoted(&'a [u8]),
    /// Text in brackets, without them.
    Bracketed(&'a [u8]),
    /// `name=value`, `name="value"` or `name: "value"`.
    Named(&'a [u8], &'a [u8]),
}

/// The fields of a tail with the place each stands at; what is no field is
/// passed over.
pub(super) fn items(tail: &[u8]) -> impl Iterator<Item = (usize, Item<'_>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += tail[at..].iter().position(|&b| b != b' ' && b != b'\t')?;
        let start = at;
        let (item, end) = item(tail, start);
        at = end;
        Some((start, item))
    })
}

/// The field that starts here, and its end.
fn item(tail: &[u8], start: usize) -> (Item<'_>, usize) {
    let stops = |b: &u8| matches!(b, b' ' | b'\t' | b'=' | b'"');
    match tail[start] {
        b'"' => match quoted(tail, start) {
            Ok((text, end)) => (Item::Quoted(text), end),
            Err(_) => (Item::Bare(&tail[start..]), tail.len()),
        },
        b'[' => match memchr::memchr(b']', &tail[start..]) {
            Some(at) => {
                let end = start + at;
                (Item::Bracketed(&tail[start + 1..end]), end + 1)
            }
            None => (Item::Bare(&tail[start..]), tail.len()),
        },
        _ => {
            let end = tail[start..].iter().position(stops);
            let end = end.map_or(tail.len(), |at| start + at);
            match tail.get(end) {
                Some(b'=') => named(tail, start, end),
                _ => bare(tail, start),
            }
        }
    }
}

/// A bare word: up to the next blank; a name, if a colon ends it and quotes
/// follow.
fn bare(tail: &[u8], start: usize) -> (Item<'_>, usize) {
    let end = memchr::memchr2(b' ', b'\t', &tail[start..]);
    let end = end.map_or(tail.len(), |at| start + at);
    let word = &tail[start..end];
    if let (Some(name), Ok((value, end))) =
        (word.strip_suffix(b":"), quoted(tail, end + 1))
    {
        return (Item::Named(name, value), end);
    }
    (Item::Bare(word), end.max(start + 1))
}

/// A `name=value` whose `=` stands at `equals`.
fn named(tail: &[u8], start: usize, equals: usize) -> (Item<'_>, usize) {
    let name = &tail[start..equals];
    let from = equals + 1;
    if let Ok((value, end)) = quoted(tail, from) {
        return (Item::Named(name, value), end);
    }
    let end = memchr::memchr2(b' ', b'\t', &tail[from..]);
    let end = end.map_or(tail.len(), |at| from + at);
    (Item::Named(name, &tail[from..end]), end)
}

/// What a name people give to a field says of it, for names whose values
/// have one meaning.
fn by_name(name: &[u8]) -> Option<Field> {
    Some(match name {
        b"ts" => Field::Termination,
        b"begin" | b"start" => Field::Time(Mark::Start, Shape::Any),
        b"end" => Field::Time(Mark::End, Shape::Any),
        b"rc" | b"completion" | b"request_completion" => Field::Completion,
        b"X" => Field::Aborted,
        b"mm" | b"mcp_method" | b"http_mcp_method" => Field::McpMethod,
        b"sid" | b"mcp_session" | b"mcp_session_id" => Field::Session,
        b"rid" | b"request_id" | b"req_id" | b"kong_request_id" => {
            Field::RequestId
        }
        b"ev" | b"event" => Field::Event,
        b"xff" | b"http_x_forwarded_for" => Field::Forwarded,
        _ => return None,
    })
}

/// Names of durations, the better ones first: the unit, and what the head's
/// time is in logs that use the name.
///
/// `rt` is nginx's, `L` and `M` gunicorn's, `D` Apache's, lighttpd's and
/// Varnish's, `tt` morgan's `:total-time`, `Ta` HAProxy's.
const HOLDS: [(&[u8], Unit, Mark); 13] = [
    (b"rt", Unit::Seconds, Mark::End),
    (b"request_time", Unit::Seconds, Mark::End),
    (b"req_time", Unit::Seconds, Mark::End),
    (b"reqtime", Unit::Seconds, Mark::End),
    (b"L", Unit::Seconds, Mark::End),
    (b"D", Unit::Micros, Mark::Either),
    (b"M", Unit::Millis, Mark::End),
    (b"tt", Unit::Millis, Mark::End),
    (b"total_time", Unit::Millis, Mark::End),
    (b"Ta", Unit::Millis, Mark::Start),
    (b"ms", Unit::Millis, Mark::Either),
    (b"T", Unit::Seconds, Mark::Either),
    (b"duration", Unit::Seconds, Mark::Either),
];

/// The values of one name, of the rows that have it.
fn values<'r, 'a: 'r>(
    rows: &'r [Vec<Item<'a>>],
    wanted: &'r [u8],
) -> impl Iterator<Item = &'a [u8]> + 'r {
    rows.iter().flatten().filter_map(move |item| match item {
        Item::Named(name, value) if *name == wanted => Some(*value),
        _ => None,
    })
}

/// Whether a name is logged with such values; a tenth of them may be
/// something else or nothing, since a log may have broken lines.
fn has_values(
    rows: &[Vec<Item<'_>>],
    name: &[u8],
    is: impl Fn(&[u8]) -> bool,
) -> bool {
    let (mut good, mut bad) = (0, 0);
    for value in values(rows, name) {
        match value {
            b"" | b"-" | b"-1" => {}
            value if is(value) => good += 1,
            _ => bad += 1,
        }
    }
    good > 0 && bad * 10 <= good + bad
}

/// Whether a text is a number without a sign.
fn is_number(text: &[u8]) -> bool {
    time::decimal(text, Unit::Seconds).is_some()
}

/// Whether a text is an instant: seconds with decimals, or milliseconds.
fn is_instant(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    matches!(digits, 10 | 13) && time::epoch(text).is_some()
}

/// What the times named `msec`, `ms` and `t` mark: nginx's `$msec`, seconds
/// with decimals, is the end; a whole count of milliseconds is Apache's and
/// Varnish's `%{msec}t`, the start.
fn instant(
    rows: &[Vec<Item<'_>>],
    name: &'static [u8],
) -> Option<(Vec<u8>, Field)> {
    let mark = match values(rows, name).any(|value| value.contains(&b'.')) {
        true => Mark::End,
        false => Mark::Start,
    };
    has_values(rows, name, is_instant)
        .then(|| (name.to_vec(), Field::Time(mark, Shape::Epoch)))
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
        let logged = HOLDS.iter().find(|(name, ..)| {
            let known = self.names.iter().any(|(known, _)| known == name);
            !known && has_values(rows, name, is_number)
        });
        if let Some(&(name, unit, mark)) = logged {
            (self.mark, self.unit) = (mark, Some(unit));
            self.names.push((name.to_vec(), Field::Hold(unit)));
        }
        logged.is_some()
    }

    /// Finds the duration by its place: the first column of decimals, else
    /// the finest of the columns of whole numbers.
    fn place_duration(&mut self, rows: &[Vec<Item<'_>>], unsized_rows: bool) {
        if let Some(at) = column(rows, is_decimal) {
            let (unit, mark) = decimals(rows, at, unsized_rows);
            (self.mark, self.unit) = (mark, Some(unit));
            self.places.push((at, false, Field::Hold(unit)));
        } else if let Some(at) = column(rows, is_span) {
            self.mark = Mark::Start;
            self.places.push((at, false, Field::HoldSpan));
        } else if let Some((at, likely)) = whole_numbers(rows) {
            (self.unit, self.likely) = (Some(Unit::Micros), likely);
            self.places.push((at, false, Field::Hold(Unit::Micros)));
        }
    }

    /// Finds the request id of ingress-nginx, last on the line, and the
    /// column that says who ended a request.
    fn place_others(&mut self, rows: &[Vec<Item<'_>>]) {
        let last = |row: &&Vec<Item<'_>>| row.last().is_some_and(is_id);
        if rows.iter().filter(last).count() * 10 >= rows.len() * 9 {
            self.places.push((0, true, Field::RequestId));
        }
        let told = |item: &Item<'_>| matches!(item, Item::Bare(b"X" | b"+"));
        let ended = (0..widest(rows)).find(|&at| is_column(rows, at, told));
        if let Some(at) = ended {
            self.places.push((at, false, Field::Aborted));
        }
    }

    /// What the head's time is, as far as these fields tell.
    pub(super) fn mark(&self) -> Mark {
        self.mark
    }

    /// Whether a duration or both ends of a request stand in the tail.
    pub(super) fn has_hold(&self) -> bool {
        let is_hold = |(_, _, field): &(usize, bool, Field)| {
            matches!(field, Field::Hold(_) | Field::HoldSpan)
        };
        self.unit.is_some()
            || self.both_ends
            || self.places.iter().any(is_hold)
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
            matches!(field, Field::Hold(_))
        };
        if let Some(place) = self.places.iter_mut().find(bare) {
            place.2 = Field::Hold(unit);
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
    ) -> Result<(), Reject> {
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

    /// Puts the fields of this name. A duration of -1 was not measured:
    /// lighttpd's clock was set back.
    fn put_named<'a>(
        &self,
        name: &[u8],
        value: &'a [u8],
        at: usize,
        record: &mut Record<'a>,
    ) -> Result<(), Reject> {
        for (known, field) in &self.names {
            let unknown = matches!(field, Field::Hold(_)) && value == b"-1";
            if known == name && !unknown {
                field.put(record, Cow::Borrowed(value), at)?;
            }
        }
        Ok(())
    }

    /// Puts the field that was found to stand at this place.
    fn put_placed<'a>(
        &self,
        place: usize,
        from_end: bool,
        record: &mut Record<'a>,
        (item, at): (Item<'a>, usize),
    ) -> Result<(), Reject> {
        for (wanted, end, field) in &self.places {
            if (*wanted, *end) == (place, from_end) {
                field.put(record, text(item), at)?;
            }
        }
        Ok(())
    }
}

/// The text of a field.
fn text(item: Item<'_>) -> Cow<'_, [u8]> {
    match item {
        Item::Bare(text)
        | Item::Quoted(text)
        | Item::Bracketed(text)
        | Item::Named(_, text) => Cow::Borrowed(text),
    }
}

/// Whether the rows have such a field at a place: one row at least does, and
/// no more than a tenth of them has something else than it or `-` there,
/// since a log may have broken lines.
fn is_column(
    rows: &[Vec<Item<'_>>],
    at: usize,
    is: impl Fn(&Item<'_>) -> bool,
) -> bool {
    let there = |row: &Vec<Item<'_>>| row.get(at).is_some_and(&is);
    let absent =
        |row: &Vec<Item<'_>>| matches!(row.get(at), Some(Item::Bare(b"-")));
    let good = rows.iter().filter(|row| there(row)).count();
    let absent = rows.iter().filter(|row| absent(row)).count();
    good > 0 && (rows.len() - good - absent) * 10 <= rows.len()
}

/// The first place at which the rows have such a field.
fn column(rows: &[Vec<Item<'_>>], is: fn(&Item<'_>) -> bool) -> Option<usize> {
    (0..widest(rows)).find(|&at| is_column(rows, at, is))
}

/// The most fields a row has.
fn widest(rows: &[Vec<Item<'_>>]) -> usize {
    rows.iter().map(Vec::len).max().unwrap_or(0)
}

/// The unit of a column of decimals, and what the head's time is beside it.
///
/// nginx and Tomcat write seconds with three decimals, Rack with four, at
/// the end. Six are gunicorn's at the end or aiohttp's from the start. `ms`
/// behind them is morgan's; without it morgan's milliseconds look like
/// nginx's seconds, but nginx never writes `-` for the bytes sent, and no
/// server of seconds answers nothing within a tenth of one.
fn decimals(
    rows: &[Vec<Item<'_>>],
    at: usize,
    unsized_rows: bool,
) -> (Unit, Mark) {
    let is_unit = |item: &Item<'_>| matches!(item, Item::Bare(b"ms"));
    let texts = || {
        rows.iter().filter_map(|row| match row.get(at) {
            Some(item) if is_decimal(item) => Some(text(*item)),
            _ => None,
        })
    };
    let decimals = |text: &[u8]| {
        text.rsplit(|&b| b == b'.').next().map_or(0, <[u8]>::len)
    };
    let brief = |text: &[u8]| {
        time::decimal(text, Unit::Seconds)
            .is_some_and(|hold| hold < Micros(100_000))
    };
    let millis = unsized_rows
        && texts().all(|text| decimals(&text) == 3 && !brief(&text));
    if is_column(rows, at + 1, is_unit) || millis {
        (Unit::Millis, Mark::End)
    } else if texts().all(|text| decimals(&text) == 6) {
        (Unit::Seconds, Mark::Either)
    } else {
        (Unit::Seconds, Mark::End)
    }
}

/// A number with decimals: `60.002`.
fn is_decimal(item: &Item<'_>) -> bool {
    match item {
        Item::Bare(text) | Item::Quoted(text) => {
            text.contains(&b'.')
                && time::decimal(text, Unit::Seconds).is_some()
        }
        _ => false,
    }
}

/// A number with its unit: `60001ms`.
fn is_span(item: &Item<'_>) -> bool {
    match item {
        Item::Bare(text) => *text != b"0" && time::span(text).is_some(),
        _ => false,
    }
}

/// A whole number.
fn whole(item: &Item<'_>) -> Option<u64> {
    match item {
        Item::Bare(text) | Item::Quoted(text) => {
            std::str::from_utf8(text).ok()?.parse().ok()
        }
        _ => None,
    }
}

/// A request id: 32 hexadecimal digits.
fn is_id(item: &Item<'_>) -> bool {
    match item {
        Item::Bare(text) => {
            text.len() == 32 && text.iter().all(u8::is_ascii_hexdigit)
        }
        _ => false,
    }
}

/// The duration among columns of whole numbers: its place, and the likeliest
/// unit if it is not certain to be microseconds.
///
/// Apache's `%T %{ms}T %D` are one duration in three units, told by their
/// ratio; a single column is `%D`, microseconds, unless the order of the
/// file will say otherwise. Several columns that have no such ratio may be
/// byte counts (`combinedio`), so none is taken.
fn whole_numbers(rows: &[Vec<Item<'_>>]) -> Option<(usize, Option<Unit>)> {
    let number = |item: &Item<'_>| whole(item).is_some();
    let first = column(rows, number)?;
    let widest = widest(rows);
    let in_thousands = |coarse: usize, fine: usize| {
        let pair = |row: &Vec<Item<'_>>| {
            Some((whole(row.get(coarse)?)?, whole(row.get(fine)?)?))
        };
        let pairs: Vec<_> = rows.iter().filter_map(pair).collect();
        let fits = pairs.iter().filter(|(c, f)| f / 1000 == *c).count();
        let some = pairs.iter().any(|(_, fine)| *fine > 0);
        some && (pairs.len() - fits) * 10 <= pairs.len()
    };
    let mut chain = vec![first];
    for next in first + 1..widest {
        if in_thousands(chain[chain.len() - 1], next) {
            chain.push(next);
        }
    }
    let finest = chain[chain.len() - 1];
    let others = (first + 1..widest).any(|at| is_column(rows, at, number));
    match chain.len() {
        1 if others => None,
        1 => Some((finest, Some(Unit::Micros))),
        2 => Some((finest, Some(Unit::Millis))),
        _ => Some((finest, None)),
    }
}

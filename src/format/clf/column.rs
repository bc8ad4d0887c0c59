//! What stands at one place of every row: durations and ids that have no
//! name.

use super::item::Item;
use crate::format::field::Mark;
use crate::time::{self, Micros, Unit};

/// Whether the rows have such a field at a place: one row at least does, and
/// no more than a tenth of them has something else than it or `-` there,
/// since a log may have broken lines.
pub(super) fn is_column(
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
pub(super) fn column(
    rows: &[Vec<Item<'_>>],
    is: fn(&Item<'_>) -> bool,
) -> Option<usize> {
    (0..widest(rows)).find(|&at| is_column(rows, at, is))
}

/// The most fields a row has.
pub(super) fn widest(rows: &[Vec<Item<'_>>]) -> usize {
    rows.iter().map(Vec::len).max().unwrap_or(0)
}

/// The unit of a column of decimals, and what the head's time is beside it.
///
/// nginx and Tomcat write seconds with three decimals, Rack with four, at
/// the end. Six are gunicorn's at the end or aiohttp's from the start. `ms`
/// behind them is morgan's; without it morgan's milliseconds look like
/// nginx's seconds, but nginx never writes `-` for the bytes sent, and no
/// server of seconds answers nothing within a tenth of one.
pub(super) fn decimals(
    rows: &[Vec<Item<'_>>],
    at: usize,
    unsized_rows: bool,
) -> (Unit, Mark) {
    let is_unit = |item: &Item<'_>| matches!(item, Item::Bare(b"ms"));
    let texts = || {
        rows.iter().filter_map(|row| match row.get(at) {
            Some(item) if is_decimal(item) => Some(item.text()),
            _ => None,
        })
    };
    let decimals = |text: &[u8]| {
        text.rsplit(|&b| b == b'.').next().map_or(0, <[u8]>::len)
    };
    let brief = |text: &[u8]| {
        time::decimal(text, Unit::Seconds)
            .is_some_and(|duration| duration < Micros(100_000))
    };
    let millis = unsized_rows
        && texts().all(|text| decimals(text) == 3 && !brief(text));
    if is_column(rows, at + 1, is_unit) || millis {
        (Unit::Millis, Mark::End)
    } else if texts().all(|text| decimals(text) == 6) {
        (Unit::Seconds, Mark::Either)
    } else {
        (Unit::Seconds, Mark::End)
    }
}

/// A number with decimals: `60.002`.
pub(super) fn is_decimal(item: &Item<'_>) -> bool {
    match item {
        Item::Bare(text) | Item::Quoted(text) => {
            text.contains(&b'.')
                && time::decimal(text, Unit::Seconds).is_some()
        }
        _ => false,
    }
}

/// A number with its unit: `60001ms`.
pub(super) fn is_span(item: &Item<'_>) -> bool {
    match item {
        Item::Bare(text) => *text != b"0" && time::span(text).is_some(),
        _ => false,
    }
}

/// Whether rows end with such a number. Half of them suffice, since only
/// Traefik writes it, and its place is told from the end: Traefik 1 shows a
/// referrer that was not sent without quotes, which moves what follows.
pub(super) fn ends_with_spans(rows: &[Vec<Item<'_>>]) -> bool {
    let spans = |row: &&Vec<Item<'_>>| row.last().is_some_and(is_span);
    let spans = rows.iter().filter(spans).count();
    spans > 0 && spans * 2 >= rows.len()
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
pub(super) fn is_id(item: &Item<'_>) -> bool {
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
pub(super) fn whole_numbers(
    rows: &[Vec<Item<'_>>],
) -> Option<(usize, Option<Unit>)> {
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

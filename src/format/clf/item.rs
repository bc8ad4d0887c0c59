//! What follows the head of a line, cut into words, quoted texts and names.

use super::quote::quoted;

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

impl<'a> Item<'a> {
    /// Its text, without the name it may have.
    pub(super) fn text(self) -> &'a [u8] {
        match self {
            Item::Bare(text)
            | Item::Quoted(text)
            | Item::Bracketed(text)
            | Item::Named(_, text) => text,
        }
    }
}

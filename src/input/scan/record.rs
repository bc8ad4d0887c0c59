//! Where records start and end.

use super::Line;
use crate::input::split::{Framing, LONGEST};

/// The records of these bytes from the first on, whatever they hold.
pub fn forward(
    bytes: &[u8],
    framing: Framing,
) -> impl Iterator<Item = Line<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        while from < bytes.len() {
            let (start, end) = bounds(bytes, from, from, framing);
            from = end.max(from + 1);
            let record = trimmed(&bytes[start..end]);
            if !record.is_empty() && record.len() <= LONGEST {
                return Some(Line { bytes: record, offset: start as u64 });
            }
        }
        None
    })
}

/// The records of these bytes from the last on, whatever they hold.
pub fn backward(
    bytes: &[u8],
    framing: Framing,
) -> impl Iterator<Item = Line<'_>> {
    let mut until = bytes.len();
    std::iter::from_fn(move || {
        while until > 0 {
            let body = &bytes[..until - 1];
            let start = match framing {
                Framing::Lines => memchr::memrchr(b'\n', body),
                Framing::Objects => memchr::memmem::rfind(body, b"\n{"),
            };
            let start = start.map_or(0, |at| at + 1);
            let record = trimmed(&bytes[start..until]);
            until = start;
            if !record.is_empty() && record.len() <= LONGEST {
                return Some(Line { bytes: record, offset: start as u64 });
            }
        }
        None
    })
}

/// Where the record around a hit starts and ends; nothing before `from`
/// belongs to it. Empty when the hit is in no record.
pub(super) fn bounds(
    block: &[u8],
    from: usize,
    hit: usize,
    framing: Framing,
) -> (usize, usize) {
    match framing {
        Framing::Lines => {
            let start = memchr::memrchr(b'\n', &block[from..hit]);
            let end = memchr::memchr(b'\n', &block[hit..]);
            (
                start.map_or(from, |at| from + at + 1),
                end.map_or(block.len(), |at| hit + at + 1),
            )
        }
        Framing::Objects => object_bounds(block, from, hit),
    }
}

/// [`bounds`] for objects; what stands between them is skipped.
fn object_bounds(block: &[u8], from: usize, hit: usize) -> (usize, usize) {
    let start = memchr::memmem::rfind(&block[from..hit], b"\n{")
        .map(|at| from + at + 1)
        .or_else(|| (block[from] == b'{').then_some(from))
        .or_else(|| {
            // A search of everything stands before the next object.
            let next = memchr::memmem::find(&block[from..], b"\n{")?;
            (hit == from).then_some(from + next + 1)
        });
    let Some(start) = start else { return (hit, hit) };
    let end = memchr::memmem::find(&block[start..], b"\n}")
        .map_or(block.len(), |at| start + at + 2);
    if end <= hit { (hit, hit) } else { (start, end) }
}

/// A record without the end of its line, the padding of NULs a cut file is
/// left with, and the byte order mark of the first line.
pub(super) fn trimmed(record: &[u8]) -> &[u8] {
    let mut record = record;
    while let [rest @ .., b'\n' | b'\r'] = record {
        record = rest;
    }
    let nuls = record.iter().position(|&byte| byte != 0);
    let record = &record[nuls.unwrap_or(record.len())..];
    let record = record.strip_prefix(b"\xef\xbb\xbf").unwrap_or(record);
    if record.trim_ascii().is_empty() { &[] } else { record }
}

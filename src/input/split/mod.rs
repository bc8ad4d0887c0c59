//! Bytes cut into chunks of whole records.
//!
//! The cuts lie on a grid: one at the end of the first record that reaches
//! past each multiple of [`CHUNK`], wherever the bytes come from, so that a
//! mapped file, a pipe and the same file compressed are cut alike. A cut is
//! found by looking forward only: a look back would bring memory of the
//! chunk before back that was given up.

mod blocks;

use crate::time::Micros;

pub use blocks::Blocks;

/// The step of the grid of cuts, in bytes.
pub const CHUNK: usize = 2 << 20;

/// The longest record that is read, in bytes; a longer one is skipped and
/// counted.
pub const LONGEST: usize = 1 << 20;

/// How records follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// One a line.
    Lines,
    /// JSON objects printed over several lines, one after the other, as
    /// `wrangler tail --format json` prints them: each starts with `{` and
    /// ends with `}` at the start of a line.
    Objects,
}

impl Framing {
    /// How records follow each other in a log that starts with this: a first
    /// brace alone on its line begins an object printed over several.
    pub fn of(sample: &[u8]) -> Framing {
        let mut lines = sample.split(|&byte| byte == b'\n');
        let brace = lines.find(|line| line.first() == Some(&b'{'));
        match brace {
            Some(line) if line.trim_ascii() == b"{" => Framing::Objects,
            _ => Framing::Lines,
        }
    }
}

/// Some whole records of an input.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'a> {
    /// The records.
    pub bytes: &'a [u8],
    /// Where they start in the input, in bytes.
    pub offset: u64,
    /// When they were read, if they come from a live pipe.
    pub arrival: Option<Micros>,
}

impl<'a> Chunk<'a> {
    /// All of an input, or as much of its start as is looked at.
    pub fn whole(bytes: &'a [u8]) -> Chunk<'a> {
        Chunk { bytes, offset: 0, arrival: None }
    }
}

/// How many chunks bytes of this length have, some of them empty.
pub fn chunk_count(length: usize) -> usize {
    length.div_ceil(CHUNK)
}

/// Chunk `number` of bytes that are all there.
pub fn chunk(bytes: &[u8], number: usize, framing: Framing) -> Chunk<'_> {
    let cut = |number: usize| match number {
        0 => 0,
        _ => record_end(bytes, number * CHUNK, framing).unwrap_or(bytes.len()),
    };
    let (from, until) = (cut(number), cut(number + 1));
    let bytes = &bytes[from..until];
    Chunk { bytes, offset: from as u64, arrival: None }
}

/// The end of the record that byte `from` belongs to, if it is there.
fn record_end(bytes: &[u8], from: usize, framing: Framing) -> Option<usize> {
    let mut from = from;
    loop {
        let rest = bytes.get(from..)?;
        from += memchr::memchr(b'\n', rest)? + 1;
        match framing {
            Framing::Lines => return Some(from),
            Framing::Objects if bytes.get(from)? == &b'{' => {
                return Some(from);
            }
            Framing::Objects => {}
        }
    }
}

/// The end of the last record that is whole, 0 when there is none.
fn last_end(bytes: &[u8], framing: Framing) -> usize {
    let end = match framing {
        Framing::Lines => memchr::memrchr(b'\n', bytes).map(|at| at + 1),
        Framing::Objects => memchr::memmem::rfind(bytes, b"\n}")
            .and_then(|at| record_tail(bytes, at + 2)),
    };
    end.unwrap_or(0)
}

/// The end of the line that byte `from` is in.
fn record_tail(bytes: &[u8], from: usize) -> Option<usize> {
    memchr::memchr(b'\n', &bytes[from..]).map(|at| from + at + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn chunks(
        bytes: &[u8],
        framing: Framing,
    ) -> impl Iterator<Item = Chunk<'_>> {
        (0..chunk_count(bytes.len()))
            .map(move |number| chunk(bytes, number, framing))
    }

    proptest! {
        #[test]
        fn chunks_join_to_the_input(text in "[a-c{}\n]{0,300}") {
            for framing in [Framing::Lines, Framing::Objects] {
                let joined: Vec<u8> = chunks(text.as_bytes(), framing)
                    .flat_map(|chunk| chunk.bytes.to_vec())
                    .collect();
                prop_assert_eq!(&joined, text.as_bytes());
            }
        }
    }

    #[test]
    fn objects_are_never_cut_inside() {
        let object = "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n";
        let bytes = object.repeat(CHUNK / object.len() * 2);
        for chunk in chunks(bytes.as_bytes(), Framing::Objects) {
            if chunk.bytes.is_empty() {
                continue;
            }
            assert!(chunk.bytes.starts_with(b"{\n"));
            assert!(chunk.bytes.ends_with(b"\n}\n"));
        }
    }
}

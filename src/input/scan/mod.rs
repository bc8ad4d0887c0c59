//! The records of a chunk that may be wanted.
//!
//! A log holds few streams among many requests, so almost all of its bytes
//! are only searched, never parsed: for a literal that every wanted record
//! contains. The search may let through too much, never too little: where a
//! byte of the literal stands escaped (`%6c`, and `\x6c` or `\u006c` where
//! the format has them), the record is let through if what follows, decoded,
//! is the rest of the literal.

mod prefilter;
mod record;

use crate::input::split::{Chunk, Framing, LONGEST};

pub use prefilter::{Literal, Prefilter, unescaped};
pub use record::{backward, forward};

use record::{bounds, trimmed};

/// How much is searched at once: small enough to stay in the processor's
/// cache for the passes that count and look for escapes.
const BLOCK: usize = 64 << 10;

/// One record of an input.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its bytes, without the end of line.
    pub bytes: &'a [u8],
    /// Where it starts in the input, in bytes.
    pub offset: u64,
}

/// What a scan saw, besides the records it handed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    /// Records, wanted or not.
    pub records: u64,
    /// Records longer than [`LONGEST`], none of which is handed out.
    pub long: u64,
}

/// Finds the bytes of a block that make their record worth parsing.
struct Hunt<'a> {
    prefilter: &'a Prefilter,
    block: &'a [u8],
    literal: Option<usize>,
    escape: Option<usize>,
}

impl<'a> Hunt<'a> {
    fn new(prefilter: &'a Prefilter, block: &'a [u8]) -> Hunt<'a> {
        let (literal, escape) = if prefilter.is_open() {
            (None, None)
        } else {
            (prefilter.literal(block, 0), prefilter.escape(block, 0))
        };
        Hunt { prefilter, block, literal, escape }
    }

    /// The first of them from `from` on.
    fn next(&mut self, from: usize) -> Option<usize> {
        if self.prefilter.is_open() {
            return (from < self.block.len()).then_some(from);
        }
        if self.literal.is_some_and(|at| at < from) {
            self.literal = self.prefilter.literal(self.block, from);
        }
        if self.escape.is_some_and(|at| at < from) {
            self.escape = self.prefilter.escape(self.block, from);
        }
        match (self.literal, self.escape) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
}

/// Hands every record of the chunk that passes the filter to `visit`, in
/// order. Blank lines are no records.
pub fn scan<'a>(
    chunk: Chunk<'a>,
    framing: Framing,
    prefilter: &Prefilter,
    mut visit: impl FnMut(Line<'a>),
) -> Scanned {
    let mut scanned = Scanned::default();
    let mut from = 0;
    while from < chunk.bytes.len() {
        let until = block_end(chunk.bytes, from, framing);
        let whole = &chunk.bytes[from..until];
        scanned.records += count(whole, framing);
        let block = without_overlong(whole, framing);
        scanned.long += u64::from(block.len() < whole.len());
        let mut hunt = Hunt::new(prefilter, block);
        let mut at = 0;
        while let Some(hit) = hunt.next(at) {
            let (start, end) = bounds(block, at, hit, framing);
            at = end.max(hit + 1);
            let bytes = trimmed(&block[start..end]);
            if !bytes.is_empty() {
                let offset = chunk.offset + (from + start) as u64;
                visit(Line { bytes, offset });
            }
        }
        from = until;
    }
    scanned
}

/// The end of the block that starts at `from`: a record's end.
fn block_end(bytes: &[u8], from: usize, framing: Framing) -> usize {
    let mut at = from + BLOCK;
    while let Some(rest) = bytes.get(at..) {
        let Some(newline) = memchr::memchr(b'\n', rest) else { break };
        at += newline + 1;
        if framing == Framing::Lines || bytes.get(at) == Some(&b'{') {
            return at;
        }
    }
    bytes.len()
}

/// How many records a block holds.
fn count(block: &[u8], framing: Framing) -> u64 {
    let records = match framing {
        Framing::Lines => {
            memchr::memchr_iter(b'\n', block).count()
                + usize::from(block.last() != Some(&b'\n'))
        }
        Framing::Objects => {
            memchr::memmem::find_iter(block, b"\n{").count()
                + usize::from(block.first() == Some(&b'{'))
        }
    };
    records as u64
}

/// The block without its last record if that is overlong; no other one can
/// be, since a block ends with the first record that passes its size.
fn without_overlong(block: &[u8], framing: Framing) -> &[u8] {
    if block.len() <= LONGEST {
        return block;
    }
    let body = &block[..block.len() - 1];
    let start = match framing {
        Framing::Lines => memchr::memrchr(b'\n', body),
        Framing::Objects => memchr::memmem::rfind(body, b"\n{"),
    };
    let start = start.map_or(0, |at| at + 1);
    if trimmed(&block[start..]).len() > LONGEST {
        &block[..start]
    } else {
        block
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seen(
        text: &[u8],
        framing: Framing,
        prefilter: &Prefilter,
    ) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        let chunk = Chunk::whole(text);
        scan(chunk, framing, prefilter, |line| {
            let at = line.offset as usize;
            let held = text[at..].windows(line.bytes.len());
            assert!(held.take(4).any(|w| w == line.bytes), "offset {at}");
            all.push(line.bytes.to_vec());
        });
        all
    }

    fn literal(before: &str, text: &str) -> Literal {
        Literal { before: before.into(), text: text.into() }
    }

    fn listen() -> Prefilter {
        Prefilter::any_of(&[literal("", "listen")], 1)
    }

    #[test]
    fn what_must_stand_before_a_literal_is_looked_for_too() {
        let filter = Prefilter::any_of(&[literal("sub", "/listen")], 1);
        let passed = [
            "/sub/listen",
            "sub//listen",
            "x=/sub\\/listen",
            "/sub%2Flisten",
            "/%73ub/listen",
            "/sub\\/%6Cisten",
            "/s\\u0075b/listen",
            "\\u0025732ub/sub/listen",
        ];
        let stopped = [
            "/listen",
            "/sub/list",
            "/suc/listen",
            "/sub/x/listen",
            "/sub%2Flist",
            "/sub %6C /listen",
        ];
        for text in passed {
            let seen = seen(text.as_bytes(), Framing::Lines, &filter);
            assert_eq!(seen.len(), 1, "{text}");
        }
        for text in &stopped[..5] {
            let seen = seen(text.as_bytes(), Framing::Lines, &filter);
            assert_eq!(seen.len(), 0, "{text}");
        }
    }

    #[test]
    fn every_spelling_of_the_literal_passes_and_nothing_else() {
        let text = b"a listen b\n%6cisten\n\\u006Cisten\n\\x6cisten\n\
            %2Flist\nlis%74\nlisten";
        let passed = seen(text, Framing::Lines, &listen());
        let wanted: [&[u8]; 5] = [
            b"a listen b",
            b"%6cisten",
            b"\\u006Cisten",
            b"\\x6cisten",
            b"listen",
        ];
        assert_eq!(passed, wanted);
    }

    proptest! {
        #[test]
        fn the_filter_hands_out_the_wanted_lines_in_order(
            lines in prop::collection::vec("(listen|x|%6cisten|%7|liste\\\\x6e|l|\r){0,9}", 0..40),
        ) {
            let text = lines.join("\n");
            let all = seen(text.as_bytes(), Framing::Lines, &Prefilter::none());
            let hides = |l: &Vec<u8>| {
                let l = String::from_utf8_lossy(l);
                ["listen", "%6cisten", "liste\\x6e"].iter().any(|w| l.contains(w))
            };
            let wanted: Vec<_> = all.into_iter().filter(hides).collect();
            prop_assert_eq!(
                seen(text.as_bytes(), Framing::Lines, &listen()),
                wanted
            );
        }
    }

    proptest! {
        #[test]
        fn no_mix_of_escapes_and_slashes_hides_the_literal(
            pieces in prop::collection::vec(
                prop::sample::select(&[
                    ("sub", "sub"), ("s", "s"), ("%73", "s"), ("ub", "ub"),
                    ("/", "/"), ("%2F", "/"), ("%2f%2F", "//"), (r"\/", "/"),
                    (r"\x2f", "/"), ("listen", "listen"), ("%6c", "l"),
                    ("isten", "isten"), (r"list\u0065n", "listen"),
                    ("%3A", ":"), ("%", "%"), ("x", "x"),
                ][..]),
                1..12,
            ),
        ) {
            let (line, plain): (String, String) = pieces.into_iter().unzip();
            let mut plain = plain;
            while plain.contains("//") {
                plain = plain.replace("//", "/");
            }
            let filter = Prefilter::any_of(&[literal("sub", "/listen")], 1);
            let lines = seen(line.as_bytes(), Framing::Lines, &filter);
            prop_assert!(
                !plain.contains("sub/listen") || lines.len() == 1,
                "{}", line
            );
        }
    }

    #[test]
    fn escapes_of_other_texts_are_passed_over() {
        let filter = Prefilter::any_of(&[literal("sub", "/listen")], 0);
        for line in ["a%3A%2F%2F%2Ftmp%2Fa", "sub%2F%2Flist", "%2F%2F", "%2"] {
            let lines = seen(line.as_bytes(), Framing::Lines, &filter);
            assert!(lines.is_empty(), "{line}");
        }
    }

    #[test]
    fn a_literal_is_seen_through_strings_in_strings() {
        let filter = Prefilter::any_of(&[literal("sub", "/listen")], 2);
        for line in [
            r"sub/listen",
            r"sub\/listen",
            r"sub\\/listen",
            r"sub\u002flisten",
            r"sub\/\u006cisten",
            r"sub\/listen",
        ] {
            let lines = seen(line.as_bytes(), Framing::Lines, &filter);
            assert_eq!(lines.len(), 1, "{line}");
        }
        for line in [r"sub\/other", r"pub\n/list\n", r"\\"] {
            let lines = seen(line.as_bytes(), Framing::Lines, &filter);
            assert!(lines.is_empty(), "{line}");
        }
    }

    #[test]
    fn an_overlong_line_is_counted_once_and_its_neighbours_are_read() {
        let long = "listen ".repeat(LONGEST / 6);
        let text = format!("listen 1\n{long}\nlisten 2\n");
        let chunk = Chunk::whole(text.as_bytes());
        let mut lines = Vec::new();
        let scanned = scan(chunk, Framing::Lines, &listen(), |line| {
            lines.push(line.bytes.to_vec());
        });
        assert_eq!(lines, [b"listen 1", b"listen 2"]);
        assert_eq!(scanned, Scanned { records: 3, long: 1 });
    }

    #[test]
    fn padding_marks_and_blank_lines_are_no_part_of_a_record() {
        let text = b"\xef\xbb\xbfone\r\n\r\n  \n\0\0\0two";
        let lines = seen(text, Framing::Lines, &Prefilter::none());
        assert_eq!(lines, [b"one", b"two"]);
    }

    #[test]
    fn the_ends_of_a_chunk_are_read_from_both_sides() {
        let text = b"one\n\ntwo\nthree";
        let all = |found: Vec<Line<'_>>| -> Vec<(u64, Vec<u8>)> {
            found.iter().map(|l| (l.offset, l.bytes.to_vec())).collect()
        };
        let mut ahead = all(forward(text, Framing::Lines).collect());
        assert_eq!(ahead.len(), 3);
        ahead.reverse();
        assert_eq!(all(backward(text, Framing::Lines).collect()), ahead);
        let text = b"{\n \"a\": 1\n}\n{\n \"b\": 1\n}\n";
        let mut ahead = all(forward(text, Framing::Objects).collect());
        assert_eq!(ahead.len(), 2);
        ahead.reverse();
        assert_eq!(all(backward(text, Framing::Objects).collect()), ahead);
    }

    #[test]
    fn objects_come_whole_and_banners_between_them_do_not() {
        let text = b"Connected\n{\n  \"a\": \"listen\"\n}\nlisten!\n\
            {\n  \"b\": 1\n}\n{\n  \"c\": \"listen\"\n}\n";
        let all = seen(text, Framing::Objects, &Prefilter::none());
        assert_eq!(all.len(), 3);
        let wanted = seen(text, Framing::Objects, &listen());
        assert_eq!(wanted, [all[0].clone(), all[2].clone()]);
    }
}

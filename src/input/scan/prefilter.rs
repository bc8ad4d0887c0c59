//! What a record must contain to be worth parsing.

use memchr::memmem::Finder;

/// A literal that a wanted record contains.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Literal {
    /// What is searched for. It may begin with a slash but has no other.
    pub text: Vec<u8>,
    /// What stands before it, with any number of slashes between; empty if
    /// anything may.
    pub before: Vec<u8>,
}

impl Literal {
    /// A text that may stand behind anything; no slash is in it.
    pub fn anywhere(text: &str) -> Literal {
        Literal { text: text.into(), before: Vec::new() }
    }
}

/// What a record must contain to be worth parsing.
#[derive(Clone, Debug)]
pub struct Prefilter {
    needles: Vec<(Finder<'static>, Literal)>,
    /// For each byte of the literals, which bytes may stand behind it, as
    /// they are or as the start of an escape; empty for every other byte.
    after: Box<[ByteSet; 256]>,
    /// How many strings with backslash escapes lie around each other.
    layers: usize,
    /// The literals with what stands before them, in one.
    wholes: Vec<Vec<u8>>,
}

impl Prefilter {
    /// Lets through every record.
    pub fn none() -> Prefilter {
        Prefilter::any_of(&[], 0)
    }

    /// Lets through the records that contain one of these literals, plain or
    /// escaped; without any, all records. `layers` is how many strings lie
    /// around each other in which a backslash may hide a byte: one in JSON,
    /// two in JSON that was logged as a string of JSON.
    pub fn any_of(literals: &[Literal], layers: usize) -> Prefilter {
        let needles = literals.iter().map(|literal| {
            (Finder::new(&literal.text).into_owned(), literal.clone())
        });
        let whole = |literal: &Literal| {
            [&literal.before[..], &literal.text[..]].concat()
        };
        let wholes: Vec<Vec<u8>> = literals.iter().map(whole).collect();
        Prefilter {
            needles: needles.collect(),
            after: after(&wholes),
            layers,
            wholes,
        }
    }

    /// Whether it lets everything through.
    pub(super) fn is_open(&self) -> bool {
        self.needles.is_empty()
    }

    /// The next literal from `from` on.
    pub(super) fn literal(&self, block: &[u8], from: usize) -> Option<usize> {
        let next = |(finder, literal): &(Finder<'static>, Literal)| {
            let mut from = from;
            loop {
                let at = from + finder.find(&block[from..])?;
                if self.follows(block, at, &literal.before) {
                    return Some(at);
                }
                from = at + 1;
            }
        };
        self.needles.iter().filter_map(next).min()
    }

    /// Whether what must stand before a literal does, or may, escaped.
    fn follows(&self, block: &[u8], at: usize, before: &[u8]) -> bool {
        let mut head = &block[..at];
        while let [rest @ .., b'/' | b'\\'] = head {
            head = rest;
        }
        let near = &head[head.len().saturating_sub(before.len() * 6)..];
        head.ends_with(before) || memchr::memchr2(b'%', b'\\', near).is_some()
    }

    /// The next escape that is part of a literal.
    pub(super) fn escape(&self, block: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        loop {
            let rest = block.get(at..)?;
            at += if self.layers > 0 {
                memchr::memchr2(b'%', b'\\', rest)
            } else {
                memchr::memchr(b'%', rest)
            }?;
            // Escapes come in runs: one that follows needs no search.
            while let Some(b'%' | b'\\') = block.get(at) {
                match self.past(&block[at..]) {
                    Some(length) => at += length,
                    None => return Some(at),
                }
            }
        }
    }

    /// How many bytes at the start of this text, an escape, stand for no
    /// byte of a literal whose rest follows it; `None` if they may.
    #[inline]
    fn past(&self, text: &[u8]) -> Option<usize> {
        let Some((byte, mut length)) = nested(text, self.layers) else {
            return Some(1);
        };
        if may_nest(byte, length) {
            return None;
        }
        let after = &self.after[usize::from(byte)];
        if after.is_empty() {
            return Some(length);
        }
        // Slashes may stand in any number: what follows the last counts.
        let mut next = nested(&text[length..], self.layers);
        while let (b'/', Some((b'/', more))) = (byte, next) {
            length += more;
            next = nested(&text[length..], self.layers);
        }
        let goes_on = match next {
            Some((next, more)) => may_nest(next, more) || after.has(next),
            None => text.get(length).is_none_or(|next| after.has(*next)),
        };
        (!goes_on || !self.stands_for(text, byte)).then_some(length)
    }

    /// Whether a text that starts with an escape, which stands for this
    /// byte, is a literal from such a byte on.
    fn stands_for(&self, text: &[u8], byte: u8) -> bool {
        self.wholes.iter().any(|whole| {
            memchr::memchr_iter(byte, whole)
                .any(|from| goes_on(text, &whole[from..], self.layers))
        })
    }
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, Default)]
struct ByteSet([u64; 4]);

impl ByteSet {
    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }

    #[inline]
    fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }
}

/// Which bytes may stand behind each byte of these texts: the next one, one
/// more slash behind a slash; anything behind the last.
fn after(wholes: &[Vec<u8>]) -> Box<[ByteSet; 256]> {
    let mut after = Box::new([ByteSet::default(); 256]);
    for whole in wholes {
        for (at, byte) in whole.iter().enumerate() {
            let set = &mut after[usize::from(*byte)];
            match whole.get(at + 1) {
                None => *set = ByteSet([u64::MAX; 4]),
                Some(next) => {
                    set.insert(*next);
                    if *byte == b'/' {
                        set.insert(b'/');
                    }
                }
            }
        }
    }
    after
}

/// Whether an escape stands for a byte that may start one more escape: only
/// a parser knows.
fn may_nest(byte: u8, length: usize) -> bool {
    matches!(byte, b'%' | b'\\') && length > 3
}

/// [`unescaped`] where several strings lie around each other: the inner ones'
/// backslashes are doubled.
#[inline]
fn nested(text: &[u8], layers: usize) -> Option<(u8, usize)> {
    match text.first() {
        Some(b'\\') if layers > 1 => in_layers(text),
        _ => unescaped(text, layers > 0),
    }
}

/// An escape behind any number of backslashes.
fn in_layers(text: &[u8]) -> Option<(u8, usize)> {
    let run = text.iter().take_while(|byte| **byte == b'\\').count();
    let (byte, length) = unescaped(&text[run - 1..], true)?;
    Some((byte, length + run - 1))
}

/// Whether a text, decoded, goes on with these bytes.
fn goes_on(text: &[u8], wanted: &[u8], layers: usize) -> bool {
    let mut text = text;
    let mut wanted = wanted;
    let mut last = 0;
    while let (Some(&want), Some(&plain)) = (wanted.first(), text.first()) {
        let (byte, length) = nested(text, layers).unwrap_or((plain, 1));
        if byte == want {
            wanted = &wanted[1..];
        } else if may_nest(byte, length) {
            return true;
        } else if byte != b'/' || last != b'/' {
            return false;
        }
        last = byte;
        text = &text[length..];
    }
    wanted.is_empty()
}

/// The value of each hexadecimal digit; 256 for what is none.
const HEX: [u16; 256] = {
    let mut values = [256; 256];
    let mut digit = 0;
    while digit < 16 {
        values[b"0123456789abcdef"[digit] as usize] = digit as u16;
        values[b"0123456789ABCDEF"[digit] as usize] = digit as u16;
        digit += 1;
    }
    values
};

/// The byte that the escape at the start of this text stands for, and how
/// long the escape is: `%2F`, and with `backslash` also `\/`, `\x2F` and
/// `\u002F`.
#[inline]
pub fn unescaped(text: &[u8], backslash: bool) -> Option<(u8, usize)> {
    let (a, b, length) = match text {
        [b'%', a, b, ..] => (*a, *b, 3),
        [b'\\', b'/', ..] if backslash => return Some((b'/', 2)),
        [b'\\', b'x', a, b, ..] if backslash => (*a, *b, 4),
        [b'\\', b'u', b'0', b'0', a, b, ..] if backslash => (*a, *b, 6),
        _ => return None,
    };
    let byte = HEX[usize::from(a)] << 4 | HEX[usize::from(b)];
    (byte < 256).then_some((byte as u8, length))
}

//! JSON that holds many records in one value: an array, `{"records":[…]}`
//! around one, or objects with nothing between them.
//!
//! Exports and APIs write these, on one line or pretty-printed. Read through
//! [`Elements`] each record is one line, as everywhere else, and stands at
//! the byte it stood at before, except where a line end had to be put in.

use std::io::{self, Read};

/// Keys whose array holds the records, wherever in the object it stands.
const ENVELOPES: [&str; 2] = ["\"records\"", "\"logEvents\""];

/// Keys that are so common that they must come first.
const FIRST: [&str; 5] =
    ["\"events\"", "\"entries\"", "\"items\"", "\"Records\"", "\"logs\""];

/// What the records stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nesting {
    /// `[{…},{…}]`.
    Array,
    /// `{"records":[{…},{…}]}`, one or more of them.
    Envelope,
    /// `{…}{…}`.
    Concatenated,
}

impl Nesting {
    /// How much of an input [`Nesting::of`] looks at, in bytes.
    pub const HEAD: usize = 4096;

    /// How the records of JSON that starts with this are nested; `None` for
    /// anything else, also for one object a line.
    pub fn of(head: &[u8]) -> Option<Nesting> {
        Nesting::detected(head).flatten()
    }

    /// [`Nesting::of`] once it is told; `None` while more bytes may tell
    /// another. One object a line is told when its line ends.
    pub fn detected(head: &[u8]) -> Option<Option<Nesting>> {
        let bom = b"\xef\xbb\xbf";
        if bom.starts_with(head) {
            return None;
        }
        let head = head.strip_prefix(bom).unwrap_or(head);
        let head = head.trim_ascii_start();
        match head.first()? {
            b'[' => {
                let inner = head[1..].trim_ascii_start();
                Some((*inner.first()? == b'{').then_some(Nesting::Array))
            }
            b'{' => of_object(head),
            _ => Some(None),
        }
    }

    /// How deep its records stand, an object of its own being 1 deep.
    fn depth(self) -> usize {
        match self {
            Nesting::Array => 2,
            Nesting::Envelope => 3,
            Nesting::Concatenated => 1,
        }
    }
}

/// Whether this text stands here, blanks aside.
fn starts_with(text: &[u8], wanted: &[u8]) -> bool {
    text.trim_ascii_start().starts_with(wanted)
}

/// [`Nesting::detected`] for what starts with an object.
fn of_object(head: &[u8]) -> Option<Option<Nesting>> {
    let inner = head[1..].trim_ascii_start();
    let holds = |at: usize, key: &str| {
        let rest = inner[at..].strip_prefix(key.as_bytes());
        let rest = rest.map(<[u8]>::trim_ascii_start);
        let array = rest.and_then(|rest| rest.strip_prefix(b":"));
        let array = array.map(<[u8]>::trim_ascii_start);
        let array = array.and_then(|array| array.strip_prefix(b"["));
        array.is_some_and(|array| starts_with(array, b"{"))
    };
    if FIRST.iter().any(|key| holds(0, key)) {
        return Some(Some(Nesting::Envelope));
    }
    let mut depth = Depth::default();
    for (at, byte) in inner.iter().enumerate() {
        let outside = depth.open == 0 && !depth.in_string;
        if outside && ENVELOPES.iter().any(|key| holds(at, key)) {
            return Some(Some(Nesting::Envelope));
        }
        if outside && *byte == b'}' {
            let next = inner.get(at + 1)?;
            return Some((*next == b'{').then_some(Nesting::Concatenated));
        }
        depth.step(*byte);
    }
    None
}

/// Where in JSON a byte stands.
#[derive(Clone, Debug, Default)]
struct Depth {
    /// How many objects and arrays are open.
    open: usize,
    in_string: bool,
    escaped: bool,
}

impl Depth {
    fn step(&mut self, byte: u8) {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.open += 1,
            b'}' | b']' => self.open = self.open.saturating_sub(1),
            _ => {}
        }
    }
}

/// The records of nested JSON, one a line.
pub struct Elements<R> {
    source: R,
    nesting: Nesting,
    depth: Depth,
    /// Whether a record is going on.
    inside: bool,
    /// The byte before, if it belongs to no record: a blank, or the line end
    /// before the next record.
    between: bool,
    /// Whether a record was written already.
    begun: bool,
    input: Box<[u8]>,
    output: Vec<u8>,
    done: usize,
}

impl<R: Read> Elements<R> {
    /// The records of what this source will give.
    pub fn new(source: R, nesting: Nesting) -> Elements<R> {
        Elements {
            source,
            nesting,
            depth: Depth::default(),
            inside: false,
            between: false,
            begun: false,
            input: vec![0; 1 << 16].into(),
            output: Vec::new(),
            done: 0,
        }
    }

    /// Takes the next byte.
    fn step(&mut self, byte: u8) {
        let depth = self.nesting.depth();
        let was = self.depth.open;
        let in_string = self.depth.in_string;
        self.depth.step(byte);
        let starts = byte == b'{' && self.depth.open == depth && was < depth;
        if starts && !self.inside && !in_string {
            if std::mem::take(&mut self.between) {
                self.output.push(if self.begun { b'\n' } else { b' ' });
            } else if self.begun {
                self.output.push(b'\n');
            }
            (self.inside, self.begun) = (true, true);
        }
        if !self.inside {
            if std::mem::replace(&mut self.between, true) {
                self.output.push(b' ');
            }
            return;
        }
        // No string holds a bare one, so it is only layout.
        let line_end = matches!(byte, b'\n' | b'\r') && !in_string;
        self.output.push(if line_end { b' ' } else { byte });
        if self.depth.open < depth {
            self.inside = false;
        }
    }
}

impl<R: Read> Read for Elements<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.done == self.output.len() {
            let mut input = std::mem::take(&mut self.input);
            let read = self.source.read(&mut input);
            (self.done, self.input) = (0, input);
            self.output.clear();
            let length = read?;
            if length == 0 {
                return Ok(0);
            }
            for at in 0..length {
                self.step(self.input[at]);
            }
        }
        let ready = &self.output[self.done..];
        let length = ready.len().min(buffer.len());
        buffer[..length].copy_from_slice(&ready[..length]);
        self.done += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(text: &str) -> Vec<String> {
        let nesting = Nesting::of(text.as_bytes()).expect("nested");
        let mut out = String::new();
        let source = Trickle(text.as_bytes());
        Elements::new(source, nesting).read_to_string(&mut out).unwrap();
        out.lines().map(|line| line.trim().to_owned()).collect()
    }

    /// Gives a few bytes at a time.
    struct Trickle<'a>(&'a [u8]);

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(7);
            self.0.read(&mut buffer[..length])
        }
    }

    #[test]
    fn every_nesting_gives_one_record_a_line() {
        let one = r#"{"a":"}],\"{","b":[{"c":1}]}"#;
        let two = r#"{"d":{"records":2}}"#;
        for text in [
            format!("[{one},{two}]"),
            format!("[\n  {one},\n  {two}\n]\n"),
            format!("{{\"records\":[{one},{two}]}}"),
            format!(
                "{{\"messageType\":\"DATA\",\"f\":[\"g\"],\"logEvents\":[\
                 {one}]}}\n{{\"messageType\":\"DATA\",\"f\":[],\
                 \"logEvents\":[{two}]}}"
            ),
            format!("{{ \"events\" : [ {one} , {two} ]}}"),
            format!("{one}{two}"),
        ] {
            assert_eq!(lines(&text), [one, two], "{text}");
        }
        assert_eq!(lines("[{\n\"a\":\n1}]"), ["{ \"a\": 1}"]);
    }

    #[test]
    fn a_record_stands_at_the_byte_it_stood_at() {
        let text = r#" [ {"a":1} , {"b":2}]"#;
        let mut out = String::new();
        let source = text.as_bytes();
        let mut read = Elements::new(source, Nesting::Array);
        read.read_to_string(&mut out).unwrap();
        assert_eq!(out.find("{\"b"), text.find("{\"b"));
    }

    #[test]
    fn what_is_not_nested_is_left_alone() {
        for text in [
            "{\"a\":1}\n{\"b\":2}\n",
            "{\n  \"a\": 1\n}\n{\n",
            "{\"a\":\"\\\"records\\\":[{\"}\n",
            "{\"a\":{\"records\":[{}]}}\n",
            "{\"records\":[1,2]}\n",
            "[GIN] 2026/08/01",
            "[01/Aug/2026",
            "",
        ] {
            assert_eq!(Nesting::of(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn it_is_told_as_soon_as_no_more_can_change_it_and_not_before() {
        let envelope = r#" {"messageType":"DATA_MESSAGE","owner":"1","g":{}, "logEvents" : [ {"a":1}]}"#;
        for (text, detected) in [
            (envelope, envelope.find("{\"a").unwrap() + 1),
            ("\u{feff}\t[ {\"a\":1}]", 7),
            ("{\"a\":1}{\"b\":2}", 8),
            ("{\"a\":\"}{\"}\n", 11),
            ("[GIN] 2026", 2),
            ("192.0.2.7 - -", 1),
        ] {
            let at = |end: usize| Nesting::detected(&text.as_bytes()[..end]);
            let whole = Nesting::detected(text.as_bytes());
            for end in 0..=text.len() {
                let expected = if end < detected { None } else { whole };
                assert_eq!(at(end), expected, "{text} {end}");
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_taken(bytes in prop::collection::vec(
            prop::sample::select(b"[]{}\",\\:a\n ".to_vec()), 0..60,
        )) {
            let _ = Nesting::of(&bytes);
            for nesting in [
                Nesting::Array, Nesting::Envelope, Nesting::Concatenated,
            ] {
                let mut out = Vec::new();
                let mut read = Elements::new(&bytes[..], nesting);
                prop_assert!(read.read_to_end(&mut out).is_ok());
                prop_assert!(out.len() <= 2 * bytes.len());
            }
        }
    }
}

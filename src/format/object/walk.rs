//! One JSON object, walked once from end to end.
//!
//! Not a parser of JSON alone: server logs are not quite JSON. nginx writes
//! `\x22` inside strings, an empty slot (`"urt":,`) or an unquoted list
//! (`"urt":0.001, 20.001`) where a variable had no value or two, HAProxy
//! writes `018`, and all of them pass bytes that are not UTF-8. Such rows
//! are read; a row that is cut short, or has text behind it, is not.

use std::borrow::Cow;

use super::escape::unescape;
use super::wanted::{DEEPEST, Wanted};

/// Where an object stops being one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The byte of the record at which the walk stopped, from 0.
    pub at: usize,
    /// What stands there in a whole object, in a few words.
    pub expected: &'static str,
}

/// A scalar as it was logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A string.
    String(Raw<'a>),
    /// A number as text, or an unquoted list of them. As text, because 19
    /// digits of nanoseconds do not fit a float.
    Number(&'a [u8]),
    /// `true` or `false`.
    Bool(bool),
    /// `null`.
    Null,
}

impl<'a> Value<'a> {
    /// The value as text; `null` is none.
    pub fn into_text(self) -> Option<Cow<'a, [u8]>> {
        match self {
            Value::String(raw) => Some(raw.text()),
            Value::Number(text) => Some(Cow::Borrowed(text)),
            Value::Bool(true) => Some(Cow::Borrowed(b"true")),
            Value::Bool(false) => Some(Cow::Borrowed(b"false")),
            Value::Null => None,
        }
    }
}

/// Walks one object, compact or pretty-printed, and shows `visit` every
/// wanted scalar in the order they stand: what its path stands for, the
/// value, and the byte of the record its text begins at. Of an array only
/// the first element is looked at, under the array's own path. An empty
/// value slot is shown as nothing.
///
/// Takes time linear in the record's length, and allocates only to undo
/// escapes.
///
/// # Errors
///
/// [`Broken`] when the record is not one whole object, and whatever `visit`
/// returns, at once.
pub fn walk<'a, 'w, T, E: From<Broken>>(
    record: &'a [u8],
    wanted: &'w Wanted<T>,
    visit: impl FnMut(&'w T, Value<'a>, usize) -> Result<(), E>,
) -> Result<(), E> {
    let mut walker = Walker { bytes: record, at: 0, depth: 0, wanted, visit };
    if walker.peek() != Some(b'{') {
        return Err(walker.stop("an object").into());
    }
    walker.object(walker.wanted)?;
    match walker.peek() {
        None => Ok(()),
        Some(_) => Err(walker.stop("nothing behind the object").into()),
    }
}

/// What a value stands in: a comma ends it only in an array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Object,
    Array,
}

/// A string between its quotes, as it stands in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a> {
    /// The bytes between the quotes.
    pub bytes: &'a [u8],
    /// Whether a backslash is among them.
    pub escaped: bool,
}

impl<'a> Raw<'a> {
    /// The string that it means, copied only where an escape is undone.
    pub fn text(self) -> Cow<'a, [u8]> {
        if self.escaped {
            Cow::Owned(unescape(self.bytes))
        } else {
            Cow::Borrowed(self.bytes)
        }
    }
}

struct Walker<'a, 'w, T, F> {
    bytes: &'a [u8],
    /// The next byte to read.
    at: usize,
    /// How many objects and arrays below the record's own.
    depth: usize,
    wanted: &'w Wanted<T>,
    visit: F,
}

impl<'a, T, F> Walker<'a, '_, T, F> {
    /// The next byte that is not blank; the walk stands at it.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            if !matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    fn stop(&self, expected: &'static str) -> Broken {
        Broken { at: self.at, expected }
    }

    /// The bytes not walked yet.
    fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Reads the string at whose opening quote the walk stands.
    fn string(&mut self) -> Result<Raw<'a>, Broken> {
        self.at += 1;
        let text = self.rest();
        let mut escaped = false;
        let mut from = 0;
        while let Some(end) = quote_or_backslash(text, from) {
            if text[end] == b'"' {
                self.at += end + 1;
                return Ok(Raw { bytes: &text[..end], escaped });
            }
            escaped = true;
            from = end + 2;
        }
        self.at = self.bytes.len();
        Err(self.stop("a closing quote"))
    }

    /// Skips to behind the bracket that closes the one just read. What
    /// stands between is only held to be balanced.
    fn skip(&mut self) -> Result<(), Broken> {
        let mut open = 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' => open -= 1,
                _ => {}
            }
            self.at += 1;
            if open == 0 {
                return Ok(());
            }
        }
        Err(self.stop("a closing bracket"))
    }

    /// Reads what stands unquoted: a number, or in an object a list of them
    /// with its commas.
    fn number(&mut self, within: Within) -> Result<&'a [u8], Broken> {
        let rest = self.rest();
        let end = rest.iter().position(|&byte| !is_number(byte, within));
        let mut text = &rest[..end.unwrap_or(rest.len())];
        while let [shorter @ .., b',' | b' ' | b'\t' | b'\r' | b'\n'] = text {
            text = shorter;
        }
        if text.is_empty() || matches!(text[0], b'e' | b'E') {
            return Err(self.stop("a value"));
        }
        self.at += text.len();
        Ok(text)
    }

    /// Reads `true`, `false` or `null`.
    fn literal(&mut self) -> Result<Value<'a>, Broken> {
        let rest = self.rest();
        let (value, length) = if rest.starts_with(b"true") {
            (Value::Bool(true), 4)
        } else if rest.starts_with(b"false") {
            (Value::Bool(false), 5)
        } else if rest.starts_with(b"null") {
            (Value::Null, 4)
        } else {
            return Err(self.stop("a value"));
        };
        self.at += length;
        Ok(value)
    }
}

impl<'a, 'w, T, E, F> Walker<'a, 'w, T, F>
where
    E: From<Broken>,
    F: FnMut(&'w T, Value<'a>, usize) -> Result<(), E>,
{
    /// Walks the object at whose brace the walk stands.
    fn object(&mut self, node: &'w Wanted<T>) -> Result<(), E> {
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => self.member(node)?,
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.stop("a key").into()),
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Walks the first element of an array and skips the others.
    fn array(&mut self, node: &'w Wanted<T>) -> Result<(), E> {
        self.at += 1;
        if self.peek() != Some(b']') {
            self.value(Some(node), Within::Array)?;
        }
        Ok(self.skip()?)
    }

    fn member(&mut self, node: &'w Wanted<T>) -> Result<(), E> {
        let key = self.string()?;
        if self.peek() != Some(b':') {
            return Err(self.stop("a colon").into());
        }
        self.at += 1;
        let below = node.below(&key.text());
        self.value(below, Within::Object)
    }

    fn value(
        &mut self,
        node: Option<&'w Wanted<T>>,
        within: Within,
    ) -> Result<(), E> {
        let leaf = node.and_then(Wanted::leaf);
        let (value, at) = match self.peek() {
            Some(b'"') => {
                let at = self.at + 1;
                (Some(Value::String(self.string()?)), at)
            }
            Some(b'{' | b'[') => return self.nested(node),
            Some(b',' | b'}') => return Ok(()),
            Some(b't' | b'f' | b'n') => {
                let at = self.at;
                (Some(self.literal()?), at)
            }
            _ => {
                let at = self.at;
                (Some(Value::Number(self.number(within)?)), at)
            }
        };
        match (leaf, value) {
            (Some(leaf), Some(value)) => (self.visit)(leaf, value, at),
            _ => Ok(()),
        }
    }

    /// Walks an object or array if something is wanted in it.
    fn nested(&mut self, node: Option<&'w Wanted<T>>) -> Result<(), E> {
        let object = self.bytes.get(self.at) == Some(&b'{');
        let node = node.filter(|node| node.is_inner() || !object);
        let Some(node) = node.filter(|_| self.depth < DEEPEST) else {
            self.at += 1;
            return Ok(self.skip()?);
        };
        self.depth += 1;
        if object {
            self.object(node)?;
        } else {
            self.array(node)?;
        }
        self.depth -= 1;
        Ok(())
    }
}

/// The first quote or backslash from here on.
fn quote_or_backslash(text: &[u8], from: usize) -> Option<usize> {
    let rest = text.get(from..)?;
    memchr::memchr2(b'"', b'\\', rest).map(|at| from + at)
}

/// Whether an unquoted value may hold this byte. nginx separates the times
/// of several upstreams by `, ` and ` : `, and writes `-` for none.
fn is_number(byte: u8, within: Within) -> bool {
    match byte {
        b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E' | b':' => true,
        b' ' | b'\t' | b'\r' | b'\n' => true,
        b',' => within == Within::Object,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks for these paths, and tells `path=value@at` of each found.
    fn found(record: &str, paths: &[&str]) -> Result<String, Broken> {
        let wanted = Wanted::new(paths.iter().map(|path| (*path, *path)));
        let mut found = Vec::new();
        walk(record.as_bytes(), &wanted, |path, value, at| {
            let text = value.into_text().unwrap_or(Cow::Borrowed(b"null"));
            let text = String::from_utf8_lossy(&text).into_owned();
            found.push(format!("{path}={text}@{at}"));
            Ok::<_, Broken>(())
        })?;
        Ok(found.join(" "))
    }

    fn reads(record: &str, expected: &str) {
        let paths = ["a", "b", "c.d", "c"];
        assert_eq!(found(record, &paths).as_deref(), Ok(expected), "{record}");
    }

    #[test]
    fn rows_that_are_not_quite_json_are_read() {
        reads(r#"{"a":,"b":1}"#, "b=1@10");
        reads(r#"{"a": , "b": }"#, "");
        reads(r#"{"a":0.001, 20.001,"b":2}"#, "a=0.001, 20.001@5 b=2@23");
        reads(r#"{"a":-, 0.5 : 1.0}"#, "a=-, 0.5 : 1.0@5");
        reads(r#"{"a":018,"b":-}"#, "a=018@5 b=-@13");
        reads(r#"{"a":"\x22\/\x5C"}"#, r#"a="/\@6"#);
        reads("{\"a\":\"x\ty\",}", "a=x\ty@6");
        reads("{\"a\":1}\r\n\t ", "a=1@5");
        reads(" {\n \"a\" : 1,\n \"b\" : 2\n}", "a=1@10 b=2@20");
    }

    #[test]
    fn only_the_first_element_of_an_array_is_shown() {
        reads(
            r#"{"a":["x","y"],"b":[],"c":[{"d":1},{"d":2}]}"#,
            "a=x@7 c.d=1@32",
        );
        reads(r#"{"a":[1, 2],"b":[[3],4]}"#, "a=1@6 b=3@18");
        reads(r#"{"c":{"d":{"a":5},"a":6},"a":7}"#, "a=7@29");
        reads(r#"{"c":8,"c.d":9}"#, "c=8@5 c.d=9@13");
    }

    #[test]
    fn keys_are_known_by_what_their_escapes_mean() {
        reads(r#"{"\u0061":1,"\x62":2,"\"a\"":3}"#, "a=1@10 b=2@19");
    }

    #[test]
    fn bytes_that_are_not_utf8_are_kept() {
        let wanted = Wanted::new([("a", ())]);
        let mut kept = Vec::new();
        walk(b"{\"\xff\":1,\"a\":\"\xff\\n\xc3\"}", &wanted, |(), text, _| {
            kept.push(text.into_text());
            Ok::<_, Broken>(())
        })
        .unwrap();
        assert_eq!(kept, [Some(Cow::Borrowed(&b"\xff\n\xc3"[..]))]);
    }

    #[test]
    fn what_is_not_one_whole_object_is_rejected_where_it_goes_wrong() {
        for (record, at, expected) in [
            ("", 0, "an object"),
            ("[1]", 0, "an object"),
            (r#"{"a":1"#, 6, "a key"),
            (r#"{"a"1}"#, 4, "a colon"),
            (r#"{"a":"x}"#, 8, "a closing quote"),
            (r#"{"a":"x\"}"#, 10, "a closing quote"),
            (r#"{"a":no}"#, 5, "a value"),
            (r#"{"a":GET}"#, 5, "a value"),
            (r#"{"x":{"y":1"#, 11, "a closing bracket"),
            (r#"{"a":1}{"a":2}"#, 7, "nothing behind the object"),
        ] {
            let stopped = found(record, &["a"]);
            assert_eq!(stopped, Err(Broken { at, expected }), "{record}");
        }
    }

    #[test]
    fn a_visitor_may_stop_the_walk() {
        let wanted = Wanted::new([("a", ())]);
        let stop = Broken { at: 5, expected: "an end" };
        let walked = walk(br#"{"a":1,"#, &wanted, |(), _, _| Err(stop));
        assert_eq!(walked, Err(stop));
    }

    #[test]
    fn depth_costs_neither_the_stack_nor_more_than_linear_time() {
        let deep = 500_000;
        let arrays = "[".repeat(deep) + "1" + &"]".repeat(deep);
        let record = format!(r#"{{"a":{arrays},"x":{arrays},"b":2}}"#);
        let at = record.len() - 2;
        assert_eq!(found(&record, &["a", "b"]), Ok(format!("b=2@{at}")));
        let record = r#"{"a":"#.repeat(deep);
        assert!(found(&record, &["a.a.a"]).is_err());
    }
}

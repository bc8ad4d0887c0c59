//! Which records are streams.

use std::borrow::Cow;

use regex::bytes::Regex;

use crate::format::Record;
use crate::input::{Literal, unescaped};
use crate::time::Micros;

/// Picks the records that are streams: by the MCP method when one is
/// logged, else by path.
#[derive(Clone, Debug)]
pub struct Selector {
    /// Paths, decoded, with one slash in front.
    paths: Vec<Vec<u8>>,
    pattern: Option<Regex>,
    mcp_method: Vec<u8>,
    verb: Option<Vec<u8>>,
    min_hold: Option<Micros>,
}

impl Default for Selector {
    /// MCP's long-held streams: by their method, or by a path of its name.
    fn default() -> Selector {
        let name = "subscriptions/listen";
        Selector::new(&[format!("/{name}")], name)
    }
}

impl Selector {
    /// Picks requests whose path is, or ends with, one of `paths`, or that
    /// carry this MCP method.
    pub fn new(paths: &[String], mcp_method: &str) -> Selector {
        let paths = paths.iter().map(|path| {
            let path = path.trim_start_matches('/');
            let path = format!("/{}", path.trim_end_matches('/'));
            decoded(path.as_bytes()).into_owned()
        });
        Selector {
            paths: paths.collect(),
            pattern: None,
            mcp_method: mcp_method.as_bytes().to_vec(),
            verb: None,
            min_hold: None,
        }
    }

    /// Also picks requests whose decoded path matches a regular expression.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn or_pattern(self, pattern: &str) -> anyhow::Result<Selector> {
        Ok(Selector { pattern: Some(Regex::new(pattern)?), ..self })
    }

    /// Picks only requests with this verb.
    pub fn only_verb(mut self, verb: Option<String>) -> Selector {
        self.verb = verb.map(|verb| verb.to_ascii_uppercase().into_bytes());
        self
    }

    /// Picks only streams held at least this long.
    pub fn min_hold(mut self, hold: Option<Micros>) -> Selector {
        self.min_hold = hold;
        self
    }

    /// Whether a stream of this hold counts; one whose hold is not known
    /// does.
    pub fn holds(&self, hold: Option<Micros>) -> bool {
        match (self.min_hold, hold) {
            (Some(least), Some(hold)) => hold >= least,
            _ => true,
        }
    }

    /// Whether this record is a stream.
    pub fn picks(&self, record: &Record<'_>) -> bool {
        if self.verb.as_ref().is_some_and(|verb| *verb != *record.method) {
            return false;
        }
        match &*record.mcp_method {
            _ if self.mcp_method.is_empty() => self.picks_target(record),
            b"" | b"-" => self.picks_target(record),
            method => method == self.mcp_method,
        }
    }

    /// Whether the target's path is one of a stream.
    fn picks_target(&self, record: &Record<'_>) -> bool {
        let path = decoded(path_of(&record.target));
        let path = match &*path {
            [b'/'] => &path[..],
            path => path.strip_suffix(b"/").unwrap_or(path),
        };
        self.paths.iter().any(|wanted| path.ends_with(wanted))
            || self.pattern.as_ref().is_some_and(|p| p.is_match(path))
    }

    /// Literals of which every picked record contains one, plain or escaped;
    /// none when no literal is certain to be there.
    pub fn literals(&self) -> Vec<Literal> {
        let whole = self.paths.iter().chain([&self.mcp_method]);
        let mut literals: Vec<Literal> = whole
            .filter(|text| !text.is_empty())
            .map(|text| literal(text))
            .collect();
        literals.sort();
        literals.dedup();
        let certain = self.pattern.is_none()
            && literals.iter().all(|literal| literal.text.len() > 2);
        if certain { literals } else { Vec::new() }
    }
}

/// The literal to look for in place of a path: its last segment with the
/// slash before it, which any number of slashes may stand for, and the
/// segment before that.
fn literal(path: &[u8]) -> Literal {
    let cut = path.iter().rposition(|&byte| byte == b'/');
    let (head, text) = path.split_at(cut.unwrap_or(0));
    let before = head.rsplit(|&byte| byte == b'/').next().unwrap_or(head);
    Literal { text: text.to_vec(), before: before.to_vec() }
}

/// The path of a target: without query, fragment, and the scheme and host of
/// an absolute one.
pub fn path_of(target: &[u8]) -> &[u8] {
    let end = memchr::memchr2(b'?', b'#', target).unwrap_or(target.len());
    let target = &target[..end];
    if target.first() == Some(&b'/') {
        return target;
    }
    let Some(scheme) = memchr::memmem::find(target, b"://") else {
        return target;
    };
    let rest = &target[scheme + 3..];
    memchr::memchr(b'/', rest).map_or(b"/", |slash| &rest[slash..])
}

/// A path with its percent escapes undone and runs of slashes made one.
pub fn decoded(path: &[u8]) -> Cow<'_, [u8]> {
    let plain = memchr::memchr(b'%', path).is_none()
        && memchr::memmem::find(path, b"//").is_none();
    if plain {
        return Cow::Borrowed(path);
    }
    let mut out = Vec::with_capacity(path.len());
    let mut rest = path;
    while let Some(&plain) = rest.first() {
        let (byte, length) = unescaped(rest, false).unwrap_or((plain, 1));
        if byte != b'/' || out.last() != Some(&b'/') {
            out.push(byte);
        }
        rest = &rest[length..];
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selector() -> Selector {
        Selector::new(
            &["/subscriptions/listen".to_owned()],
            "subscriptions/listen",
        )
    }

    fn record<'a>(target: &'a str, method: &'a str) -> Record<'a> {
        Record {
            target: target.as_bytes().into(),
            mcp_method: method.as_bytes().into(),
            ..Record::default()
        }
    }

    #[test]
    fn a_path_is_picked_however_it_is_spelled() {
        for target in [
            "/subscriptions/listen",
            "/subscriptions/listen/",
            "/subscriptions/listen?c=1",
            "/subscriptions/listen#x",
            "/subscriptions%2Flisten",
            "/%73ubscriptions/l%69sten",
            "//subscriptions///listen",
            "/api/v1/subscriptions/listen",
            "https://host:443/subscriptions/listen?x",
        ] {
            assert!(selector().picks(&record(target, "")), "{target}");
        }
    }

    #[test]
    fn the_words_elsewhere_pick_nothing() {
        for target in [
            "/subscriptions/listener",
            "/subscriptions/list",
            "/xsubscriptions/listen",
            "/mcp?x=/subscriptions/listen",
            "/mcp#/subscriptions/listen",
            "https://subscriptions/listen",
            "/subscriptions/listen/5",
            "/",
            "",
        ] {
            assert!(!selector().picks(&record(target, "")), "{target}");
        }
    }

    #[test]
    fn a_logged_method_decides_and_an_absent_one_leaves_it_to_the_path() {
        let picks = |t, m| selector().picks(&record(t, m));
        assert!(picks("/mcp", "subscriptions/listen"));
        assert!(!picks("/subscriptions/listen", "tools/call"));
        assert!(picks("/subscriptions/listen", "-"));
        assert!(!picks("/mcp", "-"));
    }

    #[test]
    fn the_root_and_no_method_at_all_can_be_asked_for() {
        let root = Selector::new(&["/".to_owned()], "");
        assert!(root.picks(&record("/?x", "tools/call")));
        assert!(!root.picks(&record("/a", "")));
    }

    #[test]
    fn the_literal_is_in_every_spelling_of_the_default() {
        let listen = Literal {
            text: b"/listen".to_vec(),
            before: b"subscriptions".to_vec(),
        };
        assert_eq!(selector().literals(), [listen]);
        let two = Selector::new(&["/sse".to_owned()], "subscriptions/listen");
        assert_eq!(two.literals().len(), 2);
        let any = Selector::new(&["/".to_owned()], "");
        assert!(any.literals().is_empty());
        let pattern = selector().or_pattern("x").expect("a pattern");
        assert!(pattern.literals().is_empty());
    }

    #[test]
    fn a_verb_and_a_least_hold_narrow_the_choice() {
        let post = selector().only_verb(Some("post".to_owned()));
        let mut record = record("/subscriptions/listen", "");
        assert!(!post.picks(&record));
        record.method = b"POST"[..].into();
        assert!(post.picks(&record));
        let long = selector().min_hold(Some(Micros::SECOND));
        assert!(long.holds(None) && long.holds(Some(Micros::SECOND)));
        assert!(!long.holds(Some(Micros(999_999))));
    }
}

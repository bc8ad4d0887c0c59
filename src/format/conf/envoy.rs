//! The formats of an Envoy configuration, and of what is made into one:
//! Istio's mesh, Contour, Envoy Gateway; YAML or JSON.
//!
//! Only the keys that hold a format are looked for, and their values read:
//! text in quotes, plain, or in a block, and mappings.

use nom::Parser;

use super::Named;
use crate::format::template::quoted;
use crate::format::{Dialect, Template};

/// The keys that hold a format.
const KEYS: [&str; 7] = [
    "inline_string",
    "text_format",
    "json_format",
    "typed_json_format",
    "accessLogFormat",
    "format",
    "text",
];

/// Every format, under its key and the line it stands in: `json_format:12`.
pub(super) fn formats(text: &str) -> Vec<Named> {
    let lines: Vec<&str> = text.lines().collect();
    let mut formats = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some((key, value)) = member(line) else { continue };
        if !KEYS.contains(&key) {
            continue;
        }
        let below = lines.get(at + 1..).unwrap_or_default();
        let format = format_of(line, value, below);
        let operators = Dialect::of(&format) == Dialect::Envoy;
        if operators && format.contains('%') {
            let name = format!("{key}:{}", at + 1);
            let template = Template::envoy(&format);
            formats.push(Named { name, template });
        }
    }
    formats
}

/// Whether requests are logged in the format that Envoy brings along.
pub(super) fn has_own(text: &str) -> bool {
    text.contains("envoy.access_loggers")
}

/// The key and the value of a line, `- key: value` or `"key": value,`.
fn member(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start().trim_start_matches("- ").trim_start();
    let (key, value) = line.split_once(':')?;
    let key = key.trim().trim_matches(['"', '\'']);
    Some((key, value.trim()))
}

/// How far a line is set in; a dash is part of that.
fn indent(line: &str) -> usize {
    let inner = line.trim_start_matches([' ', '-', '\t']);
    line.len() - inner.len()
}

/// The format that a value is, which may go on in the lines below.
fn format_of(line: &str, value: &str, below: &[&str]) -> String {
    let inner = || {
        let deeper = |next: &&&str| {
            next.trim().is_empty() || indent(next) > indent(line)
        };
        below.iter().copied().take_while(move |next| deeper(&next))
    };
    let flow = || format!("{value}\n{}", below.join("\n"));
    match value.chars().next() {
        None | Some('#') => mapping(inner().collect()),
        Some('|') => joined(inner(), "\n"),
        Some('>') => joined(inner(), " "),
        Some('\'') => single(&flow()),
        Some('"') => {
            let flow = flow();
            let string = quoted(&flow).map(|(_, inner)| inner);
            format!("\"{}\"", joined(string.unwrap_or("").lines(), " "))
        }
        Some('{') => braces(&flow()),
        Some(_) => match value.split_once(" #") {
            Some((value, _)) => value.trim().to_owned(),
            None => value.to_owned(),
        },
    }
}

/// Lines put together.
fn joined<'t>(lines: impl Iterator<Item = &'t str>, by: &str) -> String {
    let lines: Vec<&str> = lines.map(str::trim).collect();
    lines.join(by).trim().to_owned()
}

/// A text in single quotes, in which two of them are one.
fn single(text: &str) -> String {
    let mut inner = String::new();
    let mut chars = text.chars().skip(1).peekable();
    while let Some(one) = chars.next() {
        if one == '\'' && chars.next_if_eq(&'\'').is_none() {
            break;
        }
        inner.push(one);
    }
    joined(inner.lines(), " ")
}

/// A text up to the brace that closes its first one.
fn braces(text: &str) -> String {
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '"']) {
        match rest.as_bytes()[at] {
            b'"' => {
                let string = quoted.parse(&rest[at..]);
                let Ok((behind, _)) = string else { break };
                rest = behind;
                continue;
            }
            b'{' => depth += 1,
            _ => depth = depth.saturating_sub(1),
        }
        rest = &rest[at + 1..];
        if depth == 0 {
            return text[..text.len() - rest.len()].to_owned();
        }
    }
    text.to_owned()
}

/// The mapping in these lines as a JSON object with dotted keys.
fn mapping(lines: Vec<&str>) -> String {
    let mut above: Vec<(usize, &str)> = Vec::new();
    let mut members = Vec::new();
    for line in lines {
        let Some((key, value)) = member(line) else { continue };
        if line.trim_start().starts_with('#') {
            continue;
        }
        let deep = indent(line);
        above.retain(|(other, _)| *other < deep);
        above.push((deep, key));
        if !value.is_empty() {
            let keys: Vec<&str> = above.iter().map(|(_, key)| *key).collect();
            let value = string(value);
            members.push(format!("\"{}\":{value}", keys.join(".")));
        }
    }
    format!("{{{}}}", members.join(","))
}

/// A scalar of YAML as a string of JSON.
fn string(value: &str) -> String {
    if value.starts_with('"') {
        let string = quoted(value).map(|(_, inner)| inner);
        return format!("\"{}\"", string.unwrap_or(""));
    }
    let plain = match value.strip_prefix('\'') {
        Some(_) => single(value),
        None => value.split(" #").next().unwrap_or("").trim().to_owned(),
    };
    let escaped = plain.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

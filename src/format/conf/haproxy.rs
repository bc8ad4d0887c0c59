//! The formats of a `haproxy.cfg`.

use super::Named;
use crate::format::Template;
use crate::format::template::Captured;

/// The words that begin a section.
const SECTIONS: [&str; 5] =
    ["global", "defaults", "frontend", "listen", "backend"];

/// A section, as far as it says how requests are logged.
#[derive(Default)]
struct Section<'t> {
    name: &'t str,
    formats: Vec<&'t str>,
    captured: Captured,
}

/// The `log-format` of each section, under the section's name. Its captures
/// tell what `%hr` and `%[capture.req.hdr(0)]` are.
pub(super) fn formats(text: &str) -> Vec<Named> {
    let mut sections = vec![Section::default()];
    for line in text.lines().map(str::trim) {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { continue };
        if SECTIONS.contains(&first) {
            let name = words.next().unwrap_or(first);
            sections.push(Section { name, ..Section::default() });
        } else if let Some(section) = sections.last_mut() {
            section.take(first, line);
        }
    }
    sections.iter().flat_map(Section::named).collect()
}

/// Whether requests are logged in a format that HAProxy brings along.
pub(super) fn has_own(text: &str) -> bool {
    text.lines().any(|line| {
        let mut words = line.split_whitespace();
        let option = words.next() == Some("option");
        let log =
            matches!(words.next(), Some("httplog" | "httpslog" | "tcplog"));
        option && log
    })
}

impl<'t> Section<'t> {
    /// Takes up a line that begins with this word.
    fn take(&mut self, first: &str, line: &'t str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Captured { request, response } = &mut self.captured;
        match (first, &words[1..]) {
            ("log-format", _) => self.formats.push(line),
            ("capture", ["request", "header", name, ..]) => {
                request.push((*name).to_owned());
            }
            ("capture", ["response", "header", name, ..]) => {
                response.push((*name).to_owned());
            }
            ("declare", ["capture", "request", ..]) => {
                request.push(String::new());
            }
            ("declare", ["capture", "response", ..]) => {
                response.push(String::new());
            }
            ("http-request", ["capture", rest @ ..])
            | ("tcp-request", ["content", "capture", rest @ ..]) => {
                keep(request, rest);
            }
            ("http-response", ["capture", rest @ ..]) => keep(response, rest),
            _ => {}
        }
    }

    /// Its formats with its name.
    fn named(&self) -> impl Iterator<Item = Named> {
        self.formats.iter().map(|format| Named {
            name: self.name.to_owned(),
            template: Template::haproxy_capturing(format, &self.captured),
        })
    }
}

/// Keeps what `EXPRESSION len N` or `EXPRESSION id N` captures: in a place
/// of its own, or in one that was declared.
fn keep(names: &mut Vec<String>, words: &[&str]) {
    let Some((expression, rest)) = words.split_first() else { return };
    let name = expression
        .split_once("hdr(")
        .and_then(|(_, rest)| rest.split([')', ',']).next())
        .unwrap_or("");
    let mut rest = rest.iter().skip_while(|word| **word != "id").skip(1);
    let place = rest.next().and_then(|id| id.parse::<usize>().ok());
    match place.map(|place| names.get_mut(place)) {
        Some(Some(declared)) => name.clone_into(declared),
        Some(None) => {}
        None => names.push(name.to_owned()),
    }
}

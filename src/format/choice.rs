//! Which format a log is read in: told from its first records, or named.

use super::conf::{self, Named};
use super::pointer::pointed;
use super::{
    Clf, Detected, Format, Json, Pattern, Reject, Server, Template, W3c,
    detect,
};
use crate::input::Line;

/// A format, or how to tell it.
#[derive(Clone, Debug)]
pub enum Choice {
    /// Detected from the first records.
    Auto,
    /// One family by its name, its form told from the first records.
    Family(Family),
    /// A format string or a pattern.
    Given(Box<Format>),
    /// The format of a configuration that fits the first records.
    Conf(Vec<Named>),
}

/// A family of formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// The common log format and its longer forms.
    Clf,
    /// A JSON format, by its name.
    Json(&'static str),
    /// A server.
    Preset(Server),
    /// The W3C extended format, whose columns the log names.
    W3c,
}

/// The names of the common log format's forms.
const CLF_NAMES: [&str; 8] = [
    "clf",
    "common",
    "combined",
    "vhost_combined",
    "nginx",
    "apache",
    "ingress-nginx",
    "combinedio",
];

/// The names of the W3C extended format's writers.
const W3C_NAMES: [&str; 3] = ["w3c", "iis", "cloudfront"];

impl Choice {
    /// The choice `--log-format` makes.
    ///
    /// # Errors
    ///
    /// The name is not known, the string is no format, or the configuration
    /// cannot be read or defines no format.
    pub fn from_arg(arg: Option<&str>) -> anyhow::Result<Choice> {
        let Some(arg) = arg.filter(|arg| *arg != "auto") else {
            return Ok(Choice::Auto);
        };
        if let Some(family) = family(arg) {
            return Ok(Choice::Family(family));
        }
        if let Some(file) = arg.strip_prefix('@') {
            return from_conf(file);
        }
        let (format, has_time) = if arg.contains("(?P<") || arg.contains("(?<")
        {
            let pattern = Pattern::new(arg)?;
            let has_time = pattern.has_time();
            (Format::Pattern(pattern), has_time)
        } else if arg.contains('$') || arg.contains('%') {
            let template = Template::new(arg)?;
            let has_time = template.has_time();
            (Format::Template(Box::new(template)), has_time)
        } else {
            anyhow::bail!(
                "--log-format {arg}: no format of that name; known are {}, \
                 a format string of nginx, Apache, HAProxy or Envoy, a \
                 regex with named groups, and @FILE for a configuration",
                names().join(", ")
            )
        };
        if !has_time {
            let read_as = match &format {
                Format::Template(template) => template.dialect().name(),
                _ => "a regex",
            };
            anyhow::bail!(
                "--log-format {arg}: no time is in it (read as {read_as}), \
                 so nothing can be placed; add the one the server logs"
            );
        }
        Ok(Choice::Given(Box::new(format)))
    }

    /// The formats of these records beside those known, also where only a few
    /// have them; none where none fits.
    pub fn beside(&self, known: &[Format], records: &[&[u8]]) -> Detected {
        let format = match self {
            Choice::Auto => return detect::detect(records, known),
            Choice::Family(Family::Clf) => {
                Clf::detect(records).map(Format::Clf)
            }
            Choice::Family(Family::Json(name)) => Json::all()
                .into_iter()
                .find(|json| json.name() == *name)
                .map(|json| Format::Json(json.learn(records))),
            Choice::Family(Family::Preset(server)) => {
                Some(Format::Preset((*server).into()))
            }
            Choice::Family(Family::W3c) => {
                W3c::detect(records).map(|w3c| Format::W3c(Box::new(w3c)))
            }
            Choice::Given(format) => Some((**format).clone().learn(records)),
            Choice::Conf(formats) => conf::fitting(formats, records)
                .and_then(|named| named.template.clone().ok())
                .map(|template| Format::Template(Box::new(template))),
        };
        let formats = format.into_iter().collect();
        Detected { formats, reason: "as given".to_owned(), enough: true }
    }

    /// The formats of a log with these first records; none where none fits.
    pub fn formats(&self, records: &[&[u8]]) -> Detected {
        self.beside(&[], records).if_enough()
    }

    /// Whether formats are told from the records.
    pub fn is_open(&self) -> bool {
        matches!(self, Choice::Auto)
    }

    /// Why no format fits the records of a log that starts with this.
    pub fn unknown(&self, sample: &[u8], first: Option<Line<'_>>) -> String {
        let Some(first) = first else {
            return "holds no records, only blank lines".to_owned();
        };
        let line = 1 + sample[..first.offset as usize]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        let what = match self {
            Choice::Conf(_) => "no format of that configuration fits",
            Choice::Family(_) => "it is not in the format named",
            _ => "its format is not known",
        };
        let (at, expected) = match self.reject(first.bytes) {
            Some(reject) => (reject.at, reject.expected),
            None => (0, "a record"),
        };
        format!(
            "line {line}, byte {}: {what}; expected {expected} there:\n{}\n\
             Name the format with --log-format (streamleak formats lists \
             them)",
            first.offset + at as u64,
            pointed(first.bytes, at)
        )
    }

    /// Where the first record leaves the format it may be meant to have.
    fn reject(&self, record: &[u8]) -> Option<Reject> {
        match self {
            Choice::Conf(formats) => formats
                .iter()
                .filter_map(|named| named.template.as_ref().ok())
                .filter_map(|template| template.parse(record).err())
                .max_by_key(|reject| reject.at),
            Choice::Auto if record.starts_with(b"{") => Some(Reject::shape(
                0,
                "the keys of a known server in this JSON (--field names \
                 those of any other)",
            )),
            Choice::Given(format) => format.parse(record, 0).err(),
            Choice::Family(Family::W3c) => {
                Some(Reject::shape(0, "a #Fields directive"))
            }
            Choice::Family(Family::Json(name)) => Json::all()
                .into_iter()
                .find(|json| json.name() == *name)
                .and_then(|json| json.parse(record).err()),
            Choice::Family(Family::Preset(server)) => {
                Format::Preset((*server).into()).parse(record, 0).err()
            }
            _ => Clf::default().parse(record).err(),
        }
    }
}

/// The family of a name.
fn family(name: &str) -> Option<Family> {
    if CLF_NAMES.contains(&name) {
        return Some(Family::Clf);
    }
    if W3C_NAMES.contains(&name) {
        return Some(Family::W3c);
    }
    let mut servers = Server::ALL.iter();
    if let Some(server) = servers.find(|s| s.about().name == name) {
        return Some(Family::Preset(*server));
    }
    let json = Json::all().into_iter().map(|json| json.name());
    json.into_iter().find(|known| *known == name).map(Family::Json)
}

/// Every name there is.
fn names() -> Vec<&'static str> {
    let json = Json::all().into_iter().map(|json| json.name());
    let servers = Server::ALL.iter().map(|server| server.about().name);
    CLF_NAMES.into_iter().chain(W3C_NAMES).chain(json).chain(servers).collect()
}

/// The formats of a configuration, `FILE` or `FILE#NAME`.
fn from_conf(file: &str) -> anyhow::Result<Choice> {
    let (path, name) = match file.rsplit_once('#') {
        Some((path, name)) if !std::path::Path::new(file).exists() => {
            (path, Some(name))
        }
        _ => (file, None),
    };
    let text = std::fs::read(path)
        .map_err(|error| anyhow::anyhow!("--log-format @{path}: {error}"))?;
    let text = String::from_utf8_lossy(&text);
    let mut formats = conf::formats(&text);
    if formats.is_empty() && name.is_none() && conf::has_own(&text) {
        return Ok(Choice::Auto);
    }
    if formats.is_empty() {
        anyhow::bail!(
            "--log-format @{path}: it defines no log format (log_format, \
             LogFormat, log-format, inline_string or json_format)"
        );
    }
    let all: Vec<String> = formats.iter().map(|f| f.name.clone()).collect();
    formats.retain(|format| name.is_none_or(|name| format.name == name));
    let broken = formats.iter().find_map(|f| f.template.as_ref().err());
    match (&formats[..], broken) {
        ([], _) => anyhow::bail!(
            "--log-format @{file}: no format of that name; it has {}",
            all.join(", ")
        ),
        ([_], Some(error)) => anyhow::bail!("--log-format @{file}: {error}"),
        _ => {}
    }
    Ok(Choice::Conf(formats))
}

//! HAProxy's aliases: `%ci`, `%tr`, `%Ta`.

use crate::format::{Field, Mark, Shape};

use super::super::draft::{Form, Value};
use super::super::take::Take;
use super::captured::Captured;

/// Every alias, and those of older releases.
/// <https://docs.haproxy.org/dev/configuration.html#8.2.6>
const ALIASES: [&str; 63] = [
    "ac", "B", "bc", "b", "bi", "bp", "Bi", "Bp", "bq", "CC", "CS", "ci",
    "cp", "Ci", "Cp", "f", "fc", "fi", "fp", "Fi", "Fp", "ft", "H", "HM",
    "HP", "HPO", "HQ", "HU", "HV", "hr", "hrl", "hs", "hsl", "ID", "lc", "ms",
    "o", "pid", "r", "rc", "rt", "s", "sc", "si", "sp", "Si", "Sp", "sq",
    "sslc", "sslv", "ST", "t", "T", "Ta", "Tl", "Ts", "Tt", "Tu", "tr", "trg",
    "trl", "ts", "tsc",
];

/// The timers that are parts of the whole.
const TIMERS: [&str; 8] = ["Tc", "Td", "Th", "Ti", "Tq", "Tr", "TR", "Tw"];

/// Whether an alias has this name.
pub(in super::super) fn is_alias(name: &str) -> bool {
    ALIASES.contains(&name) || TIMERS.contains(&name) || name == "U"
}

/// Whether its value is put in quotes where quotes are asked for; of lists
/// each item is.
pub(super) fn is_text(name: &str) -> bool {
    matches!(
        name,
        "ci" | "fi"
            | "bi"
            | "si"
            | "f"
            | "ft"
            | "b"
            | "s"
            | "CC"
            | "CS"
            | "H"
            | "HM"
            | "HP"
            | "HPO"
            | "HQ"
            | "HU"
            | "HV"
            | "ID"
            | "r"
            | "sslc"
            | "sslv"
    )
}

/// The width of a time in the common log format, and of one with
/// milliseconds in place of the zone.
const CLF: usize = 26;
const LOCAL: usize = 24;

/// What an alias logs. `of_request`: another alias logs when the request
/// came; the times of its connection, which may have served others before,
/// are passed over then.
pub(super) fn value(
    at: usize,
    name: &str,
    of_request: bool,
    captured: &Captured,
) -> Value {
    let field = |field| Value::field(at, field);
    let captures = |known| {
        let text = Value::skipped(at, Form::Braces(false));
        Value { take: Take::Captures(known), ..text }
    };
    match name {
        "t" | "T" | "Tl" | "Ts" | "ms" | "tr" | "trg" | "trl" => {
            time(at, name, of_request)
        }
        "Ta" => duration(at, if of_request { 0 } else { 2 }),
        "Tu" => duration(at, 1),
        "Tt" => duration(at, if of_request { 2 } else { 0 }),
        "ci" | "Ci" => field(Field::Address),
        "r" => field(Field::Request),
        "HM" => field(Field::Method),
        "HU" => field(Field::Target).ranked(1),
        "HP" => field(Field::Target).ranked(2),
        "HPO" => field(Field::Target).ranked(3),
        "ST" => field(Field::Status),
        "B" => field(Field::Bytes),
        "ts" | "tsc" => field(Field::Termination).formed(Form::Word),
        "ID" => field(Field::RequestId),
        "hr" => captures(captured.of_request()),
        "hs" => captures(captured.of_response()),
        "CC" | "CS" | "hrl" | "hsl" | "HQ" => Value::skipped(at, Form::Text),
        _ => Value::skipped(at, Form::Word),
    }
}

/// A time: of the request, or of its connection where the request's is not
/// logged.
fn time(at: usize, name: &str, of_request: bool) -> Value {
    let own = name.starts_with("tr");
    let (shape, width) = match name {
        "t" | "tr" => {
            let pattern = "%d/%b/%Y:%H:%M:%S%.3f".to_owned();
            (Shape::Pattern(pattern, 0), LOCAL)
        }
        "Ts" => (Shape::Epoch, 10),
        "ms" => (Shape::Epoch, 3),
        _ => (Shape::Clf, CLF),
    };
    let form = Form::Fixed(width);
    if own != of_request {
        return Value::skipped(at, form);
    }
    if name == "ms" {
        return Value { take: Take::Millis, ..Value::skipped(at, form) };
    }
    Value::field(at, Field::Time(Mark::Start, shape)).formed(form)
}

/// A duration in milliseconds.
fn duration(at: usize, rank: u8) -> Value {
    Value::so_far(at).ranked(rank)
}

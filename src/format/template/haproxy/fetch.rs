//! HAProxy's sample fetches: `%[req.hdr(mcp-method)]`, `%[src]`.

use crate::format::{Field, Mark, Shape};

use super::super::clock::Piece;
use super::super::draft::{Form, Value};
use super::super::header;
use super::super::take::Take;
use super::captured::Captured;

/// What an expression logs: its first fetch, whatever is made of that.
/// <https://docs.haproxy.org/dev/configuration.html#7.3>
pub(super) fn value(
    at: usize,
    expr: &str,
    of_request: bool,
    captured: &Captured,
) -> Value {
    let field = |field| Value::field(at, field);
    let (name, argument, made) = taken_apart(expr.trim());
    match name {
        "src" | "fc_src" => field(Field::Address),
        "unique-id" => field(Field::RequestId),
        "req.hdr" | "hdr" | "req.fhdr" | "fhdr" | "req.hdr_ip" | "hdr_ip" => {
            header::request(at, argument)
        }
        "res.hdr" | "shdr" | "res.fhdr" => header::response(at, argument),
        "capture.req.hdr" => capture(at, argument, captured.of_request()),
        "capture.res.hdr" => capture(at, argument, captured.of_response()),
        "capture.req.method" | "method" => field(Field::Method),
        "capture.req.uri" | "url" | "pathq" => field(Field::Target).ranked(1),
        "path" => field(Field::Target).ranked(2),
        "status" => field(Field::Status),
        "bytes_out" => field(Field::Bytes).formed(Form::Text),
        "var" => variable(at, argument),
        "date" if matches!(argument, "" | "0") => time(at, Mark::End, made),
        "request_date" => time(at, Mark::Start, made),
        "accept_date" if !of_request => time(at, Mark::Start, made),
        "txn.timer.total" => duration(at, if of_request { 0 } else { 2 }),
        "txn.timer.user" => duration(at, 1),
        "fc.timer.total" => duration(at, if of_request { 2 } else { 0 }),
        _ => Value::skipped(at, Form::Text),
    }
}

/// The name of a fetch, its first argument, and what is made of it.
fn taken_apart(expr: &str) -> (&str, &str, &str) {
    let end = expr.find(['(', ',']).unwrap_or(expr.len());
    let (name, rest) = expr.split_at(end);
    let Some(inner) = rest.strip_prefix('(') else {
        return (name, "", rest.trim_start_matches(','));
    };
    let (arguments, made) = inner.split_once(')').unwrap_or((inner, ""));
    let first = arguments.split(',').next().unwrap_or("").trim();
    let first = first.trim_matches(['"', '\'']);
    (name, first, made.trim_start_matches(','))
}

/// A captured header: by its name where that is known.
fn capture(at: usize, argument: &str, known: Vec<Option<Field>>) -> Value {
    let skipped = Value::skipped(at, Form::Text);
    let Ok(place) = argument.parse::<usize>() else { return skipped };
    if known.is_empty() {
        return Value { take: Take::Captures(Vec::new()), ..skipped };
    }
    match known.get(place).cloned().flatten() {
        Some(field) => Value { take: Take::Field(field), ..skipped },
        None => skipped,
    }
}

/// A variable, whose name may tell what it holds: `txn.mcp_method`.
fn variable(at: usize, name: &str) -> Value {
    let name = name.split_once('.').map_or(name, |(_, name)| name);
    let name = name.to_ascii_lowercase().replace('_', "-");
    let field = |field| Value::field(at, field);
    match name.as_str() {
        "path" | "uri" | "url" => field(Field::Target).ranked(2),
        "method" => field(Field::Method),
        "ua" => field(Field::Agent),
        "session" | "session-id" => field(Field::Session),
        "request-id" => field(Field::RequestId).formed(Form::Text),
        name => header::request(at, name),
    }
}

/// A count since 1970, or what `utime` and `ltime` make of one.
fn time(at: usize, mark: Mark, made: &str) -> Value {
    let pattern = made
        .strip_prefix("utime(")
        .or_else(|| made.strip_prefix("ltime("))
        .and_then(|rest| rest.split_once(')'))
        .map(|(pattern, _)| pattern.split(",0").next().unwrap_or(pattern));
    match pattern {
        Some(pattern) => {
            let pattern = pattern.trim_matches(['"', '\'']);
            Piece::strftime(at, mark, pattern).value()
        }
        None if made.is_empty() => {
            Value::field(at, Field::Time(mark, Shape::Epoch))
                .formed(Form::Word)
        }
        None => Value::skipped(at, Form::Text),
    }
}

/// A duration in milliseconds.
fn duration(at: usize, rank: u8) -> Value {
    Value::so_far(at).ranked(rank)
}

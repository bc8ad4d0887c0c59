//! Envoy's format strings and dictionaries.

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_while1};
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, map, opt, verify};
use nom::multi::many0;
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Offset, Parser};

use crate::format::{Field, Mark, Shape};
use crate::time::Unit;

use super::clock::Piece;
use super::dialect::Dialect;
use super::draft::{self, Form, Token, Value};
use super::error::{Fault, TemplateError};
use super::header;
use super::literal::Escape;
use super::object::{self, Object};
use super::source::{Source, quoted, space};
use super::take::Take;
use super::{Body, Template};

/// The keys a format may have before it in a configuration.
const KEYS: [&str; 5] = [
    "inline_string",
    "text_format",
    "json_format",
    "accessLogFormat",
    "format",
];

/// Compiles a format.
pub(super) fn compile(format: &str) -> Result<Template, TemplateError> {
    let text = without_key(format).trim();
    let mut source = Source::new(Dialect::Envoy, format);
    match all_consuming(terminated(quoted, space)).parse(text) {
        Ok((_, inner)) => source.unescape(inner),
        Err(_) if object::entries(text).is_ok() => source.verbatim(text),
        Err(_) => source.unescape(text),
    }
    source.trim_line_ends();
    let body = match object::entries(source.text()) {
        Ok((_, entries)) => Body::Object(dictionary(&source, entries)?),
        Err(_) => {
            let tokens = tokens(&source, source.text())?;
            let empty = Fault::NoValues;
            let layout = draft::compile(&source, tokens, Escape::None, empty)?;
            Body::Line(Box::new(layout))
        }
    };
    let dialect = Dialect::Envoy;
    Ok(Template { dialect, source: format.to_owned(), body })
}

/// The format without the key before it.
fn without_key(format: &str) -> &str {
    let rest = format.trim_start().trim_start_matches('"');
    for key in KEYS {
        let rest = rest.strip_prefix(key).unwrap_or("");
        let rest = rest.trim_start_matches('"').trim_start();
        if let Some(rest) = rest.strip_prefix(':') {
            return rest;
        }
    }
    format
}

/// The object of a dictionary's values.
fn dictionary(
    source: &Source<'_>,
    entries: Vec<object::Entry<'_>>,
) -> Result<Object, TemplateError> {
    let mut parts: Vec<(String, Vec<Token>)> = Vec::new();
    for (path, text) in entries {
        let tokens = tokens(source, text)?;
        if tokens.iter().any(|token| matches!(token, Token::Value(_))) {
            parts.push((path, tokens));
        }
    }
    if parts.is_empty() {
        return Err(source.error(0, Fault::NoValues));
    }
    draft::keep_winners(parts.iter_mut().flat_map(|(_, tokens)| tokens));
    let layouts = parts.into_iter().map(|(path, tokens)| {
        Ok((path, draft::lay_out(source, tokens, Escape::Json)?))
    });
    Ok(Object::new(layouts.collect::<Result<_, _>>()?))
}

/// The operators of a part of the format and the text between them.
fn tokens(
    source: &Source<'_>,
    part: &str,
) -> Result<Vec<Token>, TemplateError> {
    let text = source.text();
    let literal = alt((is_not("%"), preceded(char('%'), tag("%"))));
    let literal = map(literal, |text: &str| Token::Literal(text.to_owned()));
    let value = map(operator, |operator: Operator<'_>| {
        // Its percent sign stands before its name.
        let at = text.offset(operator.name).saturating_sub(1);
        Token::Value(operator.value(at))
    });
    match many0(alt((literal, value))).parse(part) {
        Ok(("", tokens)) => Ok(tokens),
        Ok((rest, _)) => Err(source.error(text.offset(rest), Fault::Operator)),
        Err(_) => Err(source.error(0, Fault::Operator)),
    }
}

/// `%NAME(ARGUMENTS):LENGTH%`.
struct Operator<'f> {
    name: &'f str,
    arguments: &'f str,
}

fn operator(input: &str) -> IResult<&str, Operator<'_>> {
    let (rest, (name, arguments, _)) = delimited(
        char('%'),
        (name, opt(arguments), opt(preceded(char(':'), digit1))),
        char('%'),
    )
    .parse(input)?;
    let arguments = arguments.unwrap_or("");
    Ok((rest, Operator { name, arguments }))
}

fn name(input: &str) -> IResult<&str, &str> {
    take_while1(|one: char| {
        one.is_ascii_uppercase() || one.is_ascii_digit() || one == '_'
    })
    .parse(input)
}

/// What stands in parentheses; those in it are balanced.
fn arguments(input: &str) -> IResult<&str, &str> {
    let (inner, _) = char('(').parse(input)?;
    let mut depth = 0_u32;
    for (at, one) in inner.char_indices() {
        match one {
            '(' => depth += 1,
            ')' if depth == 0 => {
                return Ok((&inner[at + 1..], &inner[..at]));
            }
            ')' => depth -= 1,
            _ => {}
        }
    }
    terminated(is_not(")"), char(')')).parse(inner)
}

/// How operators begin that no other server has, though they may not be
/// written to their end.
const TELLING: [&str; 5] =
    ["%REQ(", "%RESP(", "%START_TIME", "%RESPONSE_", "%DURATION"];

/// Whether an operator of Envoy stands in this text. HAProxy's names have no
/// more than three letters.
pub(super) fn has_operator(text: &str) -> bool {
    let long = |operator: &Operator<'_>| operator.name.len() > 3;
    text.match_indices('%').any(|(at, _)| {
        let rest = &text[at..];
        TELLING.iter().any(|telling| rest.starts_with(telling))
            || verify(operator, long).parse(rest).is_ok()
    })
}

impl Operator<'_> {
    /// What it puts into the line.
    ///
    /// Source: <https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage#command-operators>.
    fn value(&self, at: usize) -> Value {
        let field = |field| Value::field(at, field);
        let word = |take| Value { take, ..Value::skipped(at, Form::Word) };
        match self.name {
            "START_TIME" | "START_TIME_LOCAL" => self.time(at, Mark::Start),
            "EMIT_TIME" | "EMIT_TIME_LOCAL" => self.time(at, Mark::End),
            "DURATION" => field(Field::Duration(Unit::Millis)),
            "COMMON_DURATION" => self.common_duration(at),
            "REQ" => self.header(at),
            "RESP" | "TRAILER" => header::response(at, self.arguments),
            "REQ_WITHOUT_QUERY" | "PATH" => field(Field::Target).ranked(3),
            "RESPONSE_CODE" => field(Field::Status),
            "BYTES_SENT" => field(Field::Bytes),
            "RESPONSE_FLAGS" | "RESPONSE_FLAGS_LONG" => word(Take::Flags),
            "RESPONSE_CODE_DETAILS" => word(Take::Details),
            "ACCESS_LOG_TYPE" => word(Take::LogType),
            "STREAM_ID" => field(Field::RequestId),
            "DOWNSTREAM_REMOTE_ADDRESS"
            | "DOWNSTREAM_REMOTE_ADDRESS_WITHOUT_PORT" => {
                field(Field::Address)
            }
            "DOWNSTREAM_DIRECT_REMOTE_ADDRESS"
            | "DOWNSTREAM_DIRECT_REMOTE_ADDRESS_WITHOUT_PORT" => {
                field(Field::Address).ranked(1)
            }
            "BYTES_RECEIVED"
            | "PROTOCOL"
            | "REQUEST_DURATION"
            | "RESPONSE_DURATION"
            | "DOWNSTREAM_REMOTE_PORT" => Value::skipped(at, Form::Word),
            _ => Value::skipped(at, Form::Text),
        }
    }

    /// A request header, or another one where that was not sent.
    fn header(&self, at: usize) -> Value {
        let field = |field| Value::field(at, field);
        let names = self.arguments.to_ascii_lowercase();
        match names.as_str() {
            ":method" => field(Field::Method),
            ":path" => field(Field::Target).ranked(1),
            "x-envoy-original-path" => field(Field::Target).ranked(2),
            "x-envoy-original-path?:path" => field(Field::Target),
            names => {
                let first = names.split('?').next().unwrap_or(names);
                header::request(at, first)
            }
        }
    }

    /// A time; without a format it is RFC 3339 with milliseconds.
    fn time(&self, at: usize, mark: Mark) -> Value {
        if self.arguments.is_empty() {
            let width = "2026-08-01T12:00:00.123Z".len();
            return Value::field(at, Field::Time(mark, Shape::Rfc3339))
                .formed(Form::Fixed(width));
        }
        // Nine digits are what it writes when it is not told how many.
        let pattern = self.arguments.trim_matches('"').replace("%f", "%9f");
        let pattern = pattern.replace("%E3S", "%S.%3f");
        let pattern = pattern.replace("%E6S", "%S.%6f");
        Piece::strftime(at, mark, &pattern).value()
    }

    /// The time between two instants of a request: what is held is from its
    /// first byte to the last one sent.
    fn common_duration(&self, at: usize) -> Value {
        let mut parts = self.arguments.split(':');
        let ends = (parts.next(), parts.next());
        let unit = parts.next().and_then(Unit::from_name);
        match (ends, unit) {
            ((Some("DS_RX_BEG"), Some("DS_TX_END")), Some(unit)) => {
                Value::field(at, Field::Duration(unit)).ranked(1)
            }
            _ => Value::skipped(at, Form::Word),
        }
    }
}

//! nginx's `log_format` strings.

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, take_while1};
use nom::character::complete::char;
use nom::combinator::{all_consuming, map, opt};
use nom::multi::{many0, many1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Offset, Parser};

use crate::format::{Field, Mark, Shape};
use crate::time::Unit;

use super::dialect::Dialect;
use super::draft::{self, Form, Token, Value};
use super::error::{Fault, TemplateError};
use super::literal::Escape;
use super::source::{Source, quoted, space};
use super::take::Take;
use super::{Body, Template};

/// Compiles a `log_format`.
pub(super) fn compile(format: &str) -> Result<Template, TemplateError> {
    let (rest, escape) = head(format).unwrap_or((format, None));
    let escape = match escape {
        None | Some("default") => Escape::Backslash,
        Some("json") => Escape::Json,
        Some("none") => Escape::None,
        Some(other) => {
            let at = format.offset(other);
            let fault = Fault::Escape;
            return Err(TemplateError::new(Dialect::Nginx, format, at, fault));
        }
    };
    let bare = || joined(format, &[rest.trim()], escape);
    let Ok((_, pieces)) = pieces(rest) else {
        return bare();
    };
    let quoted = joined(format, &pieces, escape);
    // `"$request" "$status"` may also be a format whose every value is
    // logged in quotes. Which of the two it is shows in what can be read.
    if quoted.is_err() && format.starts_with('"') {
        return bare().or(quoted);
    }
    quoted
}

/// Compiles the pieces of a format.
fn joined(
    format: &str,
    pieces: &[&str],
    escape: Escape,
) -> Result<Template, TemplateError> {
    let source = Source::join(Dialect::Nginx, format, pieces);
    let tokens = tokens(&source)?;
    let empty = Fault::NoVariables;
    let layout = draft::compile(&source, tokens, escape, empty)?;
    Ok(Template {
        dialect: Dialect::Nginx,
        source: format.to_owned(),
        body: Body::Line(Box::new(layout)),
    })
}

/// What may stand before the format itself: `log_format NAME escape=json`.
fn head(input: &str) -> IResult<&str, Option<&str>> {
    let name = (tag("log_format"), space, word, space);
    let escape = preceded(tag("escape="), word);
    delimited((space, opt(name)), opt(escape), space).parse(input)
}

/// A word of the configuration.
fn word(input: &str) -> IResult<&str, &str> {
    is_not(" \t\r\n;").parse(input)
}

/// The quoted pieces that a format is made of, and nothing else.
fn pieces(input: &str) -> IResult<&str, Vec<&str>> {
    let pieces = many1(terminated(quoted, space));
    all_consuming(terminated(pieces, (opt(char(';')), space))).parse(input)
}

/// The variables and the text between them.
fn tokens(source: &Source<'_>) -> Result<Vec<Token>, TemplateError> {
    let text = source.text();
    let literal =
        map(is_not("$"), |text: &str| Token::Literal(text.to_owned()));
    let value = map(variable, |name: &str| {
        // The dollar stands before the name, in `${name}` with a brace.
        let at = text.offset(name);
        let at = text[..at].rfind('$').unwrap_or(at);
        Token::Value(meaning(at, name))
    });
    match many0(alt((literal, value))).parse(text) {
        Ok(("", tokens)) => Ok(tokens),
        Ok((rest, _)) => Err(source.error(text.offset(rest), Fault::Dollar)),
        Err(_) => Err(source.error(0, Fault::Dollar)),
    }
}

/// `$name` or `${name}`; yields the name.
fn variable(input: &str) -> IResult<&str, &str> {
    let braced = delimited(char('{'), name, char('}'));
    preceded(char('$'), alt((braced, name))).parse(input)
}

/// The name of a variable.
fn name(input: &str) -> IResult<&str, &str> {
    take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_').parse(input)
}

/// What a variable holds.
///
/// Sources: the lists of variables at
/// <https://nginx.org/en/docs/varindex.html>, and for `$req_id`
/// ingress-nginx's log format.
fn meaning(at: usize, name: &str) -> Value {
    let field = |field| Value::field(at, field);
    let end = |shape, width| {
        field(Field::Time(Mark::End, shape)).formed(Form::Fixed(width))
    };
    match name {
        "time_local" => end(Shape::Clf, 26),
        "time_iso8601" => end(Shape::Rfc3339, 25),
        "msec" => end(Shape::Epoch, 14),
        "request_time" | "session_time" => {
            field(Field::Duration(Unit::Seconds))
        }
        "upstream_response_time" | "upstream_session_time" => {
            let list = Value::skipped(at, Form::List);
            Value { take: Take::Sum, rank: 1, ..list }
        }
        "request" => field(Field::Request),
        "request_uri" => field(Field::Target).ranked(1),
        "uri" | "document_uri" => field(Field::InternalPath),
        "request_method" => field(Field::Method),
        "remote_addr" => field(Field::Address),
        // With the realip module this one is the proxy's address.
        "realip_remote_addr" => field(Field::Address).ranked(1),
        "http_x_forwarded_for" | "proxy_add_x_forwarded_for" => {
            field(Field::Forwarded).formed(Form::List)
        }
        "proxy_protocol_addr" | "http_x_real_ip" => field(Field::Forwarded),
        "http_user_agent" => field(Field::Agent),
        "http_mcp_method" => field(Field::McpMethod),
        "http_mcp_session_id"
        | "sent_http_mcp_session_id"
        | "upstream_http_mcp_session_id" => field(Field::Session),
        "request_id" | "req_id" => field(Field::RequestId),
        "status" => field(Field::Status),
        "body_bytes_sent" => field(Field::Bytes),
        "bytes_sent" => field(Field::Bytes).ranked(1),
        "request_completion" => field(Field::Completion),
        _ => Value::skipped(at, form(name)),
    }
}

/// What a variable that is passed over looks like.
fn form(name: &str) -> Form {
    match name {
        "is_args" | "args" | "query_string" => Form::Query,
        "scheme" | "host" | "http_host" | "server_name" | "server_port"
        | "server_addr" | "proxy_host" | "hostname" => Form::Host,
        "upstream_addr"
        | "upstream_status"
        | "upstream_bytes_received"
        | "upstream_bytes_sent"
        | "upstream_connect_time"
        | "upstream_header_time"
        | "upstream_response_length" => Form::List,
        "request_length"
        | "connection"
        | "connection_requests"
        | "pipe"
        | "gzip_ratio" => Form::Word,
        _ => Form::Text,
    }
}

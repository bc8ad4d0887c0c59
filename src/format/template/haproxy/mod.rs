//! HAProxy's `log-format` strings.

mod alias;
mod captured;
mod fetch;

use nom::branch::alt;
use nom::bytes::complete::{
    is_not, tag, tag_no_case, take_while, take_while1,
};
use nom::character::complete::{anychar, char, multispace1};
use nom::combinator::{all_consuming, map, opt, recognize};
use nom::multi::{many0, many0_count, many1_count};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Offset, Parser};

use crate::format::Field;

use super::dialect::Dialect;
use super::draft::{self, Form, Token, Value};
use super::error::{Fault, TemplateError};
use super::literal::Escape;
use super::object::Object;
use super::source::{Source, quoted, space};
use super::take::Take;
use super::{Body, Template};

pub(super) use alias::is_alias;
pub(in crate::format) use captured::Captured;

/// Compiles a `log-format`.
pub(super) fn compile(
    format: &str,
    captured: &Captured,
) -> Result<Template, TemplateError> {
    let source = source(format)?;
    let parts = parts(&source)?;
    let body = if parts.iter().any(Segment::begins_json) {
        Body::Object(object(&source, parts, captured)?)
    } else {
        let tokens = line(parts, captured);
        let empty = Fault::NoValues;
        let layout = draft::compile(&source, tokens, Escape::None, empty)?;
        Body::Line(Box::new(layout))
    };
    let dialect = Dialect::Haproxy;
    Ok(Template { dialect, source: source.given().to_owned(), body })
}

/// The format without its quotes and escapes.
fn source(format: &str) -> Result<Source<'_>, TemplateError> {
    let mut source = Source::new(Dialect::Haproxy, format);
    let head = (space, tag_no_case("log-format"), multispace1);
    let mut head = recognize(head);
    if let Ok((rest, _)) = head.parse(format) as IResult<&str, &str> {
        return argument(source, rest.trim_end());
    }
    match all_consuming(delimited(space, quoted, space)).parse(format) {
        Ok((_, inner)) if format.trim_start().starts_with('\'') => {
            source.verbatim(inner);
        }
        Ok((_, inner)) => source.unescape(inner),
        Err(_) => source.unescape(format.trim()),
    }
    Ok(source)
}

/// The argument of the directive: pieces in quotes and bare ones, in a row.
/// Nothing is undone in single quotes; a comment may stand behind.
fn argument<'f>(
    mut source: Source<'f>,
    text: &'f str,
) -> Result<Source<'f>, TemplateError> {
    let escape = recognize(preceded(char('\\'), anychar));
    let bare = recognize(many1_count(alt((is_not("'\"\\#\r\n"), escape))));
    let escape = recognize(preceded(char('\\'), anychar));
    let double = recognize(many0_count(alt((is_not("\\\""), escape))));
    let double = delimited(char('"'), double, char('"'));
    let single = delimited(char('\''), take_while(|c| c != '\''), char('\''));
    let undone = map(alt((bare, double)), |piece| (piece, true));
    let kept = map(single, |piece| (piece, false));
    let parsed: IResult<&str, Vec<(&str, bool)>> =
        many0(alt((undone, kept))).parse(text);
    let (rest, pieces) = parsed.unwrap_or((text, Vec::new()));
    for (piece, undo) in pieces {
        if undo { source.unescape(piece) } else { source.verbatim(piece) }
    }
    if rest.starts_with(['"', '\'']) {
        let at = source.given().offset(rest);
        let given = source.given();
        let fault = Fault::Unclosed;
        return Err(TemplateError::new(Dialect::Haproxy, given, at, fault));
    }
    Ok(source)
}

/// A part of a `log-format`.
enum Segment<'s> {
    Text(&'s str),
    Directive(Directive<'s>),
}

/// An alias or an expression with what stands before it.
struct Directive<'s> {
    /// Where its `%` stands.
    at: usize,
    /// The key it has in JSON.
    name: Option<&'s str>,
    /// `+Q,-E`.
    flags: &'s str,
    what: What<'s>,
}

/// What is logged.
#[derive(Clone, Copy)]
enum What<'s> {
    /// `%ci`.
    Alias(&'s str),
    /// `%[req.hdr(host)]`.
    Fetch(&'s str),
}

impl Segment<'_> {
    /// Whether it sets flags for all that follow, JSON among them.
    fn begins_json(&self) -> bool {
        match self {
            Segment::Directive(Directive {
                what: What::Alias("o"),
                flags,
                ..
            }) => flags.split(',').any(|flag| flag.starts_with("+json")),
            _ => false,
        }
    }

    /// Whether it logs the time of the request, not of its connection.
    fn is_of_request(&self) -> bool {
        match self {
            Segment::Directive(Directive { what, .. }) => match what {
                What::Alias(name) => name.starts_with("tr"),
                What::Fetch(fetch) => fetch.starts_with("request_date"),
            },
            Segment::Text(_) => false,
        }
    }
}

/// The directives and the text between them.
fn parts<'s>(
    source: &'s Source<'_>,
) -> Result<Vec<Segment<'s>>, TemplateError> {
    let text = source.text();
    let literal = alt((is_not("%"), preceded(char('%'), tag("%"))));
    let literal = map(literal, Segment::Text);
    let value = map(|input| directive(text, input), Segment::Directive);
    match many0(alt((literal, value))).parse(text) {
        Ok(("", parts)) => Ok(parts),
        Ok((rest, _)) => Err(source.error(text.offset(rest), Fault::Alias)),
        Err(_) => Err(source.error(0, Fault::Alias)),
    }
}

/// `%ci`, `%{+Q}r`, `%(name)ci`, `%{+E}[capture.req.hdr(0)]`.
fn directive<'s>(
    text: &str,
    input: &'s str,
) -> IResult<&'s str, Directive<'s>> {
    let name = || delimited(char('('), is_not(")"), char(')'));
    let flags = delimited(char('{'), take_while(|c| c != '}'), char('}'));
    let alias = take_while1(|c: char| c.is_ascii_alphanumeric());
    let what = alt((map(bracketed, What::Fetch), map(alias, What::Alias)));
    let (rest, (_, name, flags, late, what)) =
        (char('%'), opt(name()), opt(flags), opt(name()), what)
            .parse(input)?;
    let at = text.offset(input);
    let (name, flags) = (name.or(late), flags.unwrap_or(""));
    Ok((rest, Directive { at, name, flags, what }))
}

/// An expression in brackets; those in its arguments and quotes end nothing.
fn bracketed(input: &str) -> IResult<&str, &str> {
    let (inner, _) = char('[').parse(input)?;
    let (mut depth, mut quote) = (0_u32, None);
    for (at, one) in inner.char_indices() {
        match (one, quote) {
            (_, Some(open)) if one == open => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(one),
            ('(', None) => depth += 1,
            (')', None) => depth = depth.saturating_sub(1),
            (']', None) if depth == 0 => {
                return Ok((&inner[at + 1..], &inner[..at]));
            }
            _ => {}
        }
    }
    terminated(is_not("]"), char(']')).parse(inner)
}

/// What flags say of how a value is written.
#[derive(Clone, Copy, Default)]
struct Flags {
    /// In quotes.
    quoted: bool,
    /// With its quotes escaped.
    escaped: bool,
    /// In hexadecimal digits.
    hex: bool,
}

impl Flags {
    /// With these flags on top: `+Q,-E`.
    fn with(mut self, flags: &str) -> Flags {
        for flag in flags.split(',') {
            let on = flag.starts_with('+');
            match flag.get(1..) {
                Some("Q") => self.quoted = on,
                Some("E") => self.escaped = on,
                Some("X") => self.hex = on,
                _ => {}
            }
        }
        self
    }
}

/// What a directive logs.
fn value(
    directive: &Directive<'_>,
    flags: Flags,
    of_request: bool,
    captured: &Captured,
) -> Value {
    let at = directive.at;
    let value = match directive.what {
        What::Alias(name) => alias::value(at, name, of_request, captured),
        What::Fetch(expr) => fetch::value(at, expr, of_request, captured),
    };
    let number = value.take.unit().is_some()
        || value.take.mark().is_some()
        || value.take == Take::Millis;
    let bytes = value.take == Take::Field(Field::Bytes);
    match flags {
        Flags { hex: true, .. } if bytes => {
            Value { take: Take::Nothing, ..value }
        }
        Flags { hex: true, .. } if number => Value::skipped(at, Form::Text),
        Flags { quoted: true, escaped: true, .. } => {
            value.formed(Form::Escaped)
        }
        _ => value,
    }
}

/// The tokens of a line.
///
/// Blanks in a row are one, and one behind nothing is left out: `%hr`, when
/// nothing is captured, takes the blank behind it along.
fn line(parts: Vec<Segment<'_>>, captured: &Captured) -> Vec<Token> {
    let of_request = parts.iter().any(Segment::is_of_request);
    let mut flags = Flags::default();
    let mut line = LineDraft { tokens: Vec::new(), blank: true };
    for part in parts {
        let directive = match part {
            Segment::Text(text) => {
                line.push_text(text);
                continue;
            }
            Segment::Directive(directive) => directive,
        };
        let own = flags.with(directive.flags);
        match directive.what {
            What::Alias("o") => flags = own,
            What::Alias(name @ ("hr" | "hs")) => {
                let value =
                    alias::value(directive.at, name, of_request, captured);
                line.push_braces(value);
            }
            what => {
                let quoted = own.quoted && is_text(what);
                let value = value(&directive, own, of_request, captured);
                line.push_value(value, quoted);
            }
        }
    }
    line.tokens
}

/// Whether this is put in quotes where quotes are asked for: texts are,
/// numbers and times are not.
fn is_text(what: What<'_>) -> bool {
    match what {
        What::Alias(name) => alias::is_text(name),
        What::Fetch(_) => true,
    }
}

/// A line that is put together.
struct LineDraft {
    tokens: Vec<Token>,
    /// Whether what was put last ends with a blank, or is nothing.
    blank: bool,
}

impl LineDraft {
    fn push_text(&mut self, text: &str) {
        let mut merged = String::with_capacity(text.len());
        let mut blank = self.blank;
        let braces = match self.tokens.last_mut() {
            Some(Token::Value(Value { form: Form::Braces(eats), .. })) => {
                Some(eats)
            }
            _ => None,
        };
        for one in text.chars() {
            match (one.is_ascii_whitespace(), blank) {
                (true, true) => {}
                (true, false) => merged.push(' '),
                (false, _) => merged.push(one),
            }
            blank = one.is_ascii_whitespace();
        }
        if let Some(eats) = braces {
            *eats = self.blank
                && text.starts_with(|c: char| c.is_ascii_whitespace());
        }
        self.blank = blank;
        if !merged.is_empty() {
            self.tokens.push(Token::Literal(merged));
        }
    }

    /// Captured headers: whether a blank ends the line so far stays open.
    fn push_braces(&mut self, value: Value) {
        self.tokens.push(Token::Value(value.formed(Form::Braces(false))));
    }

    fn push_value(&mut self, value: Value, quoted: bool) {
        let quote = || Token::Literal("\"".to_owned());
        self.tokens.extend(quoted.then(quote));
        self.tokens.push(Token::Value(value));
        self.tokens.extend(quoted.then(quote));
        self.blank = false;
    }
}

/// The object that `%{+json}o` makes of the values with a name.
fn object(
    source: &Source<'_>,
    parts: Vec<Segment<'_>>,
    captured: &Captured,
) -> Result<Object, TemplateError> {
    let of_request = parts.iter().any(Segment::is_of_request);
    let mut names = Vec::new();
    let mut tokens = Vec::new();
    for part in parts {
        let Segment::Directive(directive) = part else { continue };
        // The type may stand behind the name: `%(bytes:sint)B`.
        let name = directive.name.map(|name| name.split(':').next());
        if let Some(name) = name.flatten().filter(|name| !name.is_empty()) {
            let flags = Flags::default();
            let value = value(&directive, flags, of_request, captured);
            names.push(name.to_owned());
            tokens.push(Token::Value(value));
        }
    }
    if tokens.is_empty() {
        return Err(source.error(0, Fault::NoValues));
    }
    draft::keep_winners(&mut tokens);
    let layouts = names.into_iter().zip(tokens).map(|(name, token)| {
        let layout = draft::lay_out(source, vec![token], Escape::Json)?;
        Ok((name, layout))
    });
    Ok(Object::new(layouts.collect::<Result<_, _>>()?))
}

//! Apache's `LogFormat` strings.

use nom::branch::alt;
use nom::bytes::complete::{is_not, tag, tag_no_case, take, take_while};
use nom::character::complete::{anychar, char, multispace1};
use nom::combinator::{all_consuming, map, opt, recognize, verify};
use nom::multi::many0;
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Offset, Parser};

use crate::format::Field;
use crate::time::Unit;

use super::clock::{self, Element, Piece};
use super::dialect::Dialect;
use super::draft::{self, Form, Token, Value};
use super::error::{Fault, TemplateError};
use super::header;
use super::literal::Escape;
use super::source::{Source, quoted, space};
use super::{Body, Template};

/// Compiles a `LogFormat`.
pub(super) fn compile(format: &str) -> Result<Template, TemplateError> {
    let piece = match quoted_whole(format) {
        Ok((_, inner)) => inner,
        Err(_) => format.trim(),
    };
    let source = Source::join(Dialect::Apache, format, &[piece]);
    let tokens = clock::joined(parts(&source)?);
    let (escape, empty) = (Escape::Backslash, Fault::NoDirectives);
    let layout = draft::compile(&source, tokens, escape, empty)?;
    Ok(Template {
        dialect: Dialect::Apache,
        source: format.to_owned(),
        body: Body::Line(Box::new(layout)),
    })
}

/// A format that is quoted as a whole, possibly with the directive before it
/// and its nickname behind it. A format that only begins and ends with a
/// quoted value is not of this kind.
fn quoted_whole(input: &str) -> IResult<&str, &str> {
    let directive = (tag_no_case("LogFormat"), multispace1);
    let nickname = preceded(multispace1, is_not(" \t\r\n\"%"));
    let named = delimited(directive, quoted, (opt(nickname), space));
    let alone = terminated(quoted, space);
    let whole = preceded(space, alt((named, alone)));
    all_consuming(whole).parse(input)
}

/// A `%` directive with what stands between the two signs.
struct Directive<'a> {
    /// Where its `%` stands.
    at: usize,
    /// `>`: of a request that was redirected internally, the last.
    last: bool,
    /// What stands in the braces.
    argument: Option<&'a str>,
    /// One letter, or `^` and two.
    letter: &'a str,
}

/// The directives and the text between them.
fn parts(source: &Source<'_>) -> Result<Vec<Element>, TemplateError> {
    let text = source.text();
    let literal = alt((is_not("%"), preceded(char('%'), tag("%"))));
    let literal = map(literal, |text: &str| {
        Element::Token(Token::Literal(text.to_owned()))
    });
    let value =
        map(|input| directive(text, input), |directive| directive.part());
    match many0(alt((literal, value))).parse(text) {
        Ok(("", parts)) => Ok(parts),
        Ok((rest, _)) => Err(source.error(text.offset(rest), Fault::Percent)),
        Err(_) => Err(source.error(0, Fault::Percent)),
    }
}

/// One directive: `%h`, `%>s`, `%!200,304{Referer}i`, `%{ms}T`, `%^FB`.
fn directive<'a>(
    text: &str,
    input: &'a str,
) -> IResult<&'a str, Directive<'a>> {
    let argument = delimited(char('{'), take_while(|c| c != '}'), char('}'));
    let long = recognize(preceded(char('^'), take(2_usize)));
    let short = recognize(verify(anychar, |c| c.is_ascii_alphabetic()));
    let (rest, (_, before, argument, after, letter)) =
        (char('%'), modifiers, opt(argument), modifiers, alt((long, short)))
            .parse(input)?;
    let last = before.contains('>') || after.contains('>');
    let at = text.offset(input);
    Ok((rest, Directive { at, last, argument, letter }))
}

/// The statuses a value is logged for, and which of several requests it is
/// taken from.
fn modifiers(input: &str) -> IResult<&str, &str> {
    take_while(|c: char| c.is_ascii_digit() || "!<>,".contains(c)).parse(input)
}

impl Directive<'_> {
    /// What it puts into the line.
    ///
    /// Source: the table at
    /// <https://httpd.apache.org/docs/2.4/mod/mod_log_config.html#formats>.
    fn part(&self) -> Element {
        if self.letter == "t" {
            let format = self.argument.unwrap_or("");
            return Element::Piece(Piece::of(self.at, format));
        }
        Element::Token(Token::Value(self.value()))
    }

    /// The value of a directive that is no time.
    fn value(&self) -> Value {
        let field = |field| Value::field(self.at, field);
        match (self.letter, self.argument) {
            ("D", _) | ("T", Some("us")) => {
                field(Field::Duration(Unit::Micros))
            }
            ("T", Some("ms")) => {
                field(Field::Duration(Unit::Millis)).ranked(1)
            }
            ("T", _) => field(Field::Duration(Unit::Seconds)).ranked(2),
            ("r", _) => field(Field::Request),
            ("m", _) => field(Field::Method),
            ("U", _) => field(Field::Target).ranked(1),
            // The peer's address; the others follow mod_remoteip.
            ("a", Some("c")) => field(Field::Address).ranked(2),
            ("a", _) => field(Field::Address),
            ("h", _) => field(Field::Address).ranked(1),
            ("s", _) => field(Field::Status).ranked(u8::from(!self.last)),
            ("b", _) => field(Field::BytesOrDash),
            ("B", _) => field(Field::Bytes),
            // With the head; mod_logio's.
            ("O", _) => field(Field::Bytes).ranked(1),
            ("X", _) => field(Field::Aborted),
            ("e", Some("UNIQUE_ID")) => field(Field::RequestId),
            ("i", Some(name)) => header::request(self.at, name),
            ("o", Some(name)) => header::response(self.at, name),
            (letter, _) => Value::skipped(self.at, form(letter)),
        }
    }
}

/// What a directive that is passed over looks like.
fn form(letter: &str) -> Form {
    match letter {
        "q" => Form::Query,
        "v" | "V" => Form::Host,
        "I" | "S" | "H" | "k" | "l" | "L" | "p" | "P" => Form::Word,
        _ => Form::Text,
    }
}

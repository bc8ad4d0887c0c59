//! Formats that are a JSON object: its values are found by their keys, for
//! servers log them in any order and may leave empty ones out.

use nom::branch::alt;
use nom::bytes::complete::{is_not, take_while};
use nom::character::complete::{anychar, char, multispace0};
use nom::combinator::{all_consuming, recognize, success};
use nom::error::{Error, ErrorKind};
use nom::multi::{many0_count, separated_list0};
use nom::sequence::{delimited, preceded, separated_pair, terminated};
use nom::{IResult, Parser};

use crate::format::json::{Value, Wanted, walk};
use crate::format::{Parsed, Record, Reject};

use super::layout::{LineLayout, quote};

/// The deepest dictionary that is read.
const DEEPEST: usize = 16;

/// The values of an object, each with a layout of its own.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// Which of the layouts a key has.
    wanted: Wanted<usize>,
    pub(super) layouts: Vec<LineLayout>,
}

impl Object {
    /// The object with these values under these dotted paths.
    pub(super) fn new(entries: Vec<(String, LineLayout)>) -> Object {
        let paths = entries.iter().enumerate();
        let wanted = paths.map(|(place, (path, _))| (path.as_str(), place));
        let wanted = Wanted::new(wanted);
        let layouts = entries.into_iter().map(|(_, layout)| layout).collect();
        Object { wanted, layouts }
    }

    /// Reads one object.
    pub(super) fn parse<'a>(&self, line: &'a [u8]) -> Parsed<Record<'a>> {
        let mut record = Record::default();
        let mut found = false;
        walk(line, &self.wanted, |&place, value, at| {
            let text = match value {
                // As it was logged: the layout undoes the escapes.
                Value::String(_) => {
                    line.get(at..quote(line, at)?).unwrap_or(b"")
                }
                Value::Number(text) => text,
                Value::Bool(_) | Value::Null => return Ok(()),
            };
            found = true;
            let layout = self.layouts.get(place);
            layout.map_or(Ok(()), |l| l.fill(&mut record, text, at))
        })?;
        if found {
            Ok(record)
        } else {
            Err(Reject::shape(0, "an object with the format's keys"))
        }
    }
}

/// A string's place in a dictionary, and the string as it stands there.
pub(super) type Entry<'a> = (String, &'a str);

/// The strings of a dictionary by their dotted paths; an error when the text
/// is no JSON object.
pub(super) fn entries(text: &str) -> IResult<&str, Vec<Entry<'_>>> {
    let whole = |input| object(input, DEEPEST);
    all_consuming(delimited(multispace0, whole, multispace0)).parse(text)
}

fn object(input: &str, depth: usize) -> IResult<&str, Vec<Entry<'_>>> {
    if depth == 0 {
        let error = Error::new(input, ErrorKind::TooLarge);
        return Err(nom::Err::Error(error));
    }
    let key = preceded(multispace0, string);
    let colon = (multispace0, char(':'), multispace0);
    let member = separated_pair(key, colon, |input| value(input, depth));
    let comma = preceded(multispace0, char(','));
    let members = separated_list0(comma, member);
    let end = preceded(multispace0, char('}'));
    let (rest, members) =
        preceded(char('{'), terminated(members, end)).parse(input)?;
    let mut found = Vec::new();
    for (key, entries) in members {
        for (path, text) in entries {
            let dot = if path.is_empty() { "" } else { "." };
            found.push((format!("{key}{dot}{path}"), text));
        }
    }
    Ok((rest, found))
}

/// A value; only a string in it, or the strings of an object, are told.
fn value(input: &str, depth: usize) -> IResult<&str, Vec<Entry<'_>>> {
    if input.starts_with('{') {
        return object(input, depth - 1);
    }
    if let Ok((rest, text)) = string(input) {
        return Ok((rest, vec![(String::new(), text)]));
    }
    let plain = |one: char| one.is_ascii_alphanumeric() || "+-.".contains(one);
    let list = (char('['), is_not("[]{}"), char(']'));
    let scalar = recognize(take_while(plain));
    let (rest, _) = alt((recognize(list), scalar)).parse(input)?;
    if rest.len() == input.len() {
        return Err(nom::Err::Error(Error::new(input, ErrorKind::Char)));
    }
    success(Vec::new()).parse(rest)
}

/// A string as it stands between its quotes.
fn string(input: &str) -> IResult<&str, &str> {
    let escape = recognize(preceded(char('\\'), anychar));
    let text = recognize(many0_count(alt((is_not("\\\""), escape))));
    delimited(char('"'), text, char('"')).parse(input)
}

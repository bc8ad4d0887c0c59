//! A format string taken apart, before it is known how each value ends.
//!
//! The compilers of the servers' strings make a draft; this file settles
//! which of several values is taken and where each of them ends.

use crate::format::{Field, Mark};
use crate::time::Unit;

use super::error::{Fault, TemplateError};
use super::layout::{End, LineLayout, Slot};
use super::literal::{Escape, Literal};
use super::source::Source;
use super::take::Take;

/// A part of a format string.
pub(super) enum Token {
    /// Text that is logged as it stands.
    Literal(String),
    /// What the server puts in.
    Value(Value),
}

/// A variable or a directive.
#[derive(Clone)]
pub(super) struct Value {
    /// Where it stands in the text of the format.
    pub(super) at: usize,
    /// What is done with it.
    pub(super) take: Take,
    /// Among values of the same meaning, the lowest is taken.
    pub(super) rank: u8,
    /// What it looks like.
    pub(super) form: Form,
}

/// What a value looks like, as far as it helps to find its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Anything.
    Text,
    /// No blanks: numbers, states, identifiers.
    Word,
    /// A list whose items are parted by `, ` or ` : `.
    List,
    /// A host, in which no slash can stand: a path may follow at once.
    Host,
    /// A query with its question mark, or nothing.
    Query,
    /// Always this many bytes.
    Fixed(usize),
    /// Text in which a quote is always escaped.
    Escaped,
    /// In braces, or nothing at all; `true`: the blank behind the braces is
    /// part of it.
    Braces(bool),
}

impl Value {
    /// A value that is passed over.
    pub(super) fn skipped(at: usize, form: Form) -> Value {
        Value { at, take: Take::Nothing, rank: 0, form }
    }

    /// A value that fills a field.
    pub(super) fn field(at: usize, field: Field) -> Value {
        use Field::{
            Address, Bytes, BytesOrDash, Duration, RequestId, Status,
        };
        let form = match field {
            Address | Bytes | BytesOrDash | Duration(_) | RequestId
            | Status => Form::Word,
            _ => Form::Text,
        };
        Value { at, take: Take::Field(field), rank: 0, form }
    }

    /// HAProxy's duration in milliseconds.
    pub(super) fn so_far(at: usize) -> Value {
        let take = Take::SoFar(Unit::Millis);
        Value { at, take, rank: 0, form: Form::Word }
    }

    /// This value with a rank among those of its meaning.
    pub(super) fn ranked(self, rank: u8) -> Value {
        Value { rank, ..self }
    }

    /// This value with another look.
    pub(super) fn formed(self, form: Form) -> Value {
        Value { form, ..self }
    }

    /// Whether a server may log nothing at all for it: for most it logs a
    /// dash then.
    fn may_be_empty(&self) -> bool {
        use Field::{Duration, Status, Time};
        let taken = matches!(
            self.take,
            Take::Field(Duration(_) | Status | Time(_, _))
                | Take::Millis
                | Take::SoFar(_)
        );
        !taken && !matches!(self.form, Form::Word | Form::Fixed(_))
    }

    /// Whether a format is read without it where nothing tells its end.
    fn is_spare(&self) -> bool {
        use Field::{Bytes, BytesOrDash};
        let bytes = matches!(self.take, Take::Field(Bytes | BytesOrDash));
        bytes || self.take == Take::Nothing
    }

    /// Whether it is a path that a query may follow at once.
    fn is_path(&self) -> bool {
        use Field::{InternalPath, Target};
        matches!(self.take, Take::Field(Target | InternalPath))
    }
}

/// What several values of a format may compete for: one of each is taken.
#[derive(PartialEq, Eq)]
enum Prize {
    Duration,
    Address,
    Status,
    Bytes,
    Target,
    RequestId,
}

/// What this value competes for.
fn prize(take: &Take) -> Option<Prize> {
    let Take::Field(field) = take else {
        let held = matches!(take, Take::Sum | Take::SoFar(_));
        return held.then_some(Prize::Duration);
    };
    match field {
        Field::Duration(_) => Some(Prize::Duration),
        Field::Address => Some(Prize::Address),
        Field::Status => Some(Prize::Status),
        Field::Bytes | Field::BytesOrDash => Some(Prize::Bytes),
        Field::Request | Field::Target => Some(Prize::Target),
        Field::RequestId => Some(Prize::RequestId),
        _ => None,
    }
}

/// Lays out the tokens of a format.
///
/// # Errors
///
/// Two values with nothing between them that could tell where the first
/// ends, or no value at all.
pub(super) fn compile(
    source: &Source<'_>,
    mut tokens: Vec<Token>,
    escape: Escape,
    empty: Fault,
) -> Result<LineLayout, TemplateError> {
    keep_winners(&mut tokens);
    let layout = lay_out(source, tokens, escape)?;
    if layout.slots.is_empty() {
        return Err(source.error(0, empty));
    }
    Ok(layout)
}

/// Lays out tokens of which it is settled which values are taken; there may
/// be no value among them.
pub(super) fn lay_out(
    source: &Source<'_>,
    tokens: Vec<Token>,
    escape: Escape,
) -> Result<LineLayout, TemplateError> {
    let (lead, pairs) = pair(source, tokens)?;
    let slots = slots(pairs, escape);
    Ok(LineLayout { lead: Literal::new(lead, false), slots, escape })
}

/// Of the values that compete, keeps the lowest rank, the first of equals.
pub(super) fn keep_winners<'t>(
    tokens: impl IntoIterator<Item = &'t mut Token>,
) {
    let mut values: Vec<&mut Value> = tokens
        .into_iter()
        .filter_map(|token| match token {
            Token::Value(value) => Some(value),
            Token::Literal(_) => None,
        })
        .collect();
    let prizes = [
        Prize::Duration,
        Prize::Address,
        Prize::Status,
        Prize::Bytes,
        Prize::Target,
        Prize::RequestId,
    ];
    for prize_of in prizes {
        let runners = values
            .iter_mut()
            .filter(|value| prize(&value.take).as_ref() == Some(&prize_of));
        let mut best: Option<&mut &mut Value> = None;
        for value in runners {
            match &mut best {
                Some(best) if best.rank <= value.rank => {
                    value.take = Take::Nothing;
                }
                Some(best) => {
                    best.take = Take::Nothing;
                    *best = value;
                }
                None => best = Some(value),
            }
        }
    }
}

/// A value and the text behind it.
type Pair = (Value, String);

/// The text before the first value, then each value with the text behind it.
fn pair(
    source: &Source<'_>,
    tokens: Vec<Token>,
) -> Result<(String, Vec<Pair>), TemplateError> {
    let mut lead = String::new();
    let mut pairs: Vec<Pair> = Vec::new();
    for token in tokens {
        match (token, pairs.last_mut()) {
            (Token::Literal(text), None) => lead.push_str(&text),
            (Token::Literal(text), Some((_, after))) => after.push_str(&text),
            (Token::Value(value), Some((before, after)))
                if after.is_empty() =>
            {
                match joined(before, &value) {
                    Joined::One(one) => *before = one,
                    Joined::Two => pairs.push((value, String::new())),
                    Joined::Never => {
                        return Err(source.error(value.at, Fault::Adjacent));
                    }
                }
            }
            (Token::Value(value), _) => pairs.push((value, String::new())),
        }
    }
    Ok((lead, pairs))
}

/// What becomes of two values with nothing between them.
enum Joined {
    /// They are read as one.
    One(Value),
    /// They are read apart.
    Two,
    /// Nothing tells them apart.
    Never,
}

/// Joins two values with nothing between them, if that can be done.
fn joined(first: &Value, second: &Value) -> Joined {
    let skipped = first.is_spare() && second.is_spare();
    if first.is_path() && second.form == Form::Query {
        Joined::One(first.clone())
    } else if let Form::Fixed(_) | Form::Braces(_) = first.form {
        Joined::Two
    } else if skipped {
        let form = match second.form {
            Form::Host => Form::Host,
            _ => Form::Text,
        };
        Joined::One(Value::skipped(first.at, form))
    } else if first.form == Form::Host && second.is_path() {
        Joined::Two
    } else {
        Joined::Never
    }
}

/// Settles how each value ends.
fn slots(pairs: Vec<Pair>, escape: Escape) -> Vec<Slot> {
    // Blanks that end a line may have been trimmed: whether the line may be
    // blank from here on.
    let mut blank = true;
    let mut slots: Vec<Slot> = Vec::with_capacity(pairs.len());
    for (value, after) in pairs.into_iter().rev() {
        let last = slots.is_empty();
        let end = end(&value, &after, escape, last);
        let after_is_blank = after.trim_end_matches(' ').is_empty();
        let after = Literal::new(after, blank);
        blank = blank && after_is_blank && value.may_be_empty();
        slots.push(Slot { take: value.take, end, after });
    }
    slots.reverse();
    slots
}

/// How a value ends that has this text behind it.
fn end(value: &Value, after: &str, escape: Escape, last: bool) -> End {
    if let Form::Braces(blank) = value.form {
        return End::Braces(blank);
    }
    let Some(first) = after.bytes().next() else {
        return match value.form {
            Form::Fixed(width) if !last => End::Width(width),
            Form::Host if !last => End::Slash,
            Form::Word => End::Word,
            _ => End::Rest,
        };
    };
    match value.form {
        Form::Fixed(width) if is_of_time(first) => End::Width(width),
        _ if first == b'"' && escape != Escape::None => End::Quote,
        Form::Escaped if first == b'"' => End::Quote,
        _ if last => End::Suffix,
        Form::List if first == b' ' => End::List,
        Form::Word if first == b' ' => End::Blank,
        _ if first == b' ' && value.take == Take::Field(Field::Request) => {
            End::Request
        }
        _ => End::Literal,
    }
}

/// Whether this byte can stand inside a time.
fn is_of_time(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b" /:+-.,".contains(&byte)
}

/// The word for a duration.
fn duration_word(unit: Unit) -> &'static str {
    match unit.name() {
        "ms" => "duration (ms)",
        "us" => "duration (us)",
        "ns" => "duration (ns)",
        _ => "duration (s)",
    }
}

/// The word for one value.
pub(super) fn word(take: &Take) -> Option<&'static str> {
    let field = match take {
        Take::Nothing | Take::Millis => return None,
        Take::Sum => return Some("duration (upstream, s)"),
        Take::SoFar(unit) => return Some(duration_word(*unit)),
        Take::Captures(_) => return Some("captured headers"),
        Take::Flags | Take::Details => return Some("who ended it"),
        Take::LogType => return Some("event"),
        Take::Field(field) => field,
    };
    Some(match field {
        Field::Time(Mark::Start, _) => "start",
        Field::Time(Mark::End, _) => "end",
        Field::Time(Mark::Either, _) => "time",
        Field::Duration(unit) => duration_word(*unit),
        Field::Span => "duration",
        Field::Request => "request",
        Field::Method => "method",
        Field::Target | Field::InternalPath => "path",
        Field::McpMethod => "MCP method",
        Field::Address => "client",
        Field::Forwarded => "forwarded client",
        Field::Agent => "user agent",
        Field::Session => "session",
        Field::RequestId => "request id",
        Field::Status => "status",
        Field::Bytes | Field::BytesOrDash => "bytes",
        Field::Completion
        | Field::Aborted
        | Field::Termination
        | Field::Outcome => "who ended it",
        Field::Event => "event",
    })
}

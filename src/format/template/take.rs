//! What is done with a value of a line.

use std::borrow::Cow;

use crate::format::json::unescape;
use crate::format::{
    EndedBy, Event, Field, Mark, NOT_ACCESS, Parsed, Record, Reject, Text,
};
use crate::time::{self, Micros, Unit};

use super::literal::Escape;

/// What is done with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Take {
    /// It is passed over.
    Nothing,
    /// It fills a field.
    Field(Field),
    /// A list of seconds, summed up: the duration when no better is logged.
    Sum,
    /// The milliseconds of the second that the start shows.
    Millis,
    /// HAProxy's duration. With `option logasap` it writes as the stream
    /// opens, and marks what goes on with a plus.
    SoFar(Unit),
    /// The headers HAProxy captured, `{a|b}`: what each of them is, where
    /// that is known.
    Captures(Vec<Option<Field>>),
    /// Envoy's response flags.
    Flags,
    /// Envoy's words for how a response came about.
    Details,
    /// What Envoy wrote the record at.
    LogType,
}

impl Take {
    /// Puts a value that stood at `at` where it belongs.
    pub(super) fn put<'a>(
        &self,
        record: &mut Record<'a>,
        text: &'a [u8],
        at: usize,
        escape: Escape,
    ) -> Parsed<()> {
        match self {
            Take::Nothing => {}
            Take::Field(field) => put(field, record, text, at, escape)?,
            Take::Sum => {
                if let Some(duration) = sum(text, at)? {
                    record.offer_duration(duration, at)?;
                }
            }
            Take::SoFar(_) if text.starts_with(b"+") => {
                record.event = Event::Open;
            }
            Take::SoFar(unit) => {
                put(&Field::Duration(*unit), record, text, at, escape)?;
            }
            Take::Millis => add_millis(record, text, at)?,
            Take::Captures(known) => put_captures(known, record, text, at)?,
            // The details may have told already.
            Take::Flags if record.ended_by == EndedBy::Unknown => {
                record.ended_by = by_flags(text);
            }
            Take::Flags => {}
            Take::Details => {
                if let Some(ended_by) = by_details(text) {
                    record.ended_by = ended_by;
                }
            }
            Take::LogType => record.event = event(text)?,
        }
        Ok(())
    }

    /// The unit of the duration that it is.
    pub(super) fn unit(&self) -> Option<Unit> {
        match self {
            Take::Field(Field::Duration(unit)) | Take::SoFar(unit) => {
                Some(*unit)
            }
            Take::Sum => Some(Unit::Seconds),
            _ => None,
        }
    }

    /// What the time that it is marks.
    pub(super) fn mark(&self) -> Option<Mark> {
        match self {
            Take::Field(Field::Time(mark, _)) => Some(*mark),
            _ => None,
        }
    }
}

/// Fills a field.
fn put<'a>(
    field: &Field,
    record: &mut Record<'a>,
    text: &'a [u8],
    at: usize,
    escape: Escape,
) -> Parsed<()> {
    match (field, text) {
        // The address that a proxy forwarded names the client wherever it
        // stands in the line.
        (Field::Address, _) if !record.address.is_empty() => Ok(()),
        // HAProxy's and lighttpd's word for a time that was not measured.
        (Field::Duration(_), b"-1") => Ok(()),
        _ if escape == Escape::Json => field.put(record, unescaped(text), at),
        _ => field.put(record, Cow::Borrowed(text), at),
    }
}

/// The text with the escapes of `escape=json` undone, borrowed when it has
/// none.
fn unescaped(text: &[u8]) -> Text<'_> {
    match memchr::memchr(b'\\', text) {
        Some(_) => Text::Owned(unescape(text)),
        None => Text::Borrowed(text),
    }
}

/// The sum of nginx's `$upstream_response_time`: several upstreams that were
/// tried in turn are parted by `, `, internal redirects by ` : `, and `-`
/// stands for one that never answered. `None` when none did.
fn sum(text: &[u8], at: usize) -> Parsed<Option<Micros>> {
    let mut sum = None;
    for item in text.split(|&byte| byte == b',' || byte == b':') {
        let item = item.trim_ascii();
        if item.is_empty() || item == b"-" {
            continue;
        }
        let duration = time::decimal(item, Unit::Seconds)
            .ok_or_else(|| Reject::duration(at, "a list of seconds"))?;
        sum = Some(sum.unwrap_or(Micros::ZERO) + duration);
    }
    Ok(sum)
}

/// Adds milliseconds to a start that was cut to the second.
fn add_millis(record: &mut Record<'_>, text: &[u8], at: usize) -> Parsed<()> {
    let millis = time::decimal(text, Unit::Millis)
        .filter(|millis| *millis < Micros::SECOND)
        .ok_or_else(|| Reject::time(at, "milliseconds"))?;
    if let Some(start) = &mut record.start
        && start.grain == Micros::SECOND
    {
        start.at = start.at + millis;
        start.grain = Micros(1_000);
    }
    Ok(())
}

/// Fills the fields that captured headers are.
fn put_captures<'a>(
    known: &[Option<Field>],
    record: &mut Record<'a>,
    text: &'a [u8],
    at: usize,
) -> Parsed<()> {
    let text = text.strip_suffix(b" ").unwrap_or(text);
    let bare = |text: &'a [u8]| -> Option<&'a [u8]> {
        let inner = text.strip_prefix(b"\"").unwrap_or(text);
        let inner = inner.strip_suffix(b"\"").unwrap_or(inner);
        inner.strip_prefix(b"{")?.strip_suffix(b"}")
    };
    let items = bare(text).unwrap_or(text).split(|&byte| byte == b'|');
    for (place, item) in items.enumerate() {
        let field = match known.get(place) {
            Some(field) => field.clone(),
            None => captured(item, record),
        };
        if let Some(field) = field {
            field.put(record, Cow::Borrowed(item), at)?;
        }
    }
    Ok(())
}

/// What a captured header is whose name is not known, told by what it holds:
/// a method of MCP, or a product with its version.
fn captured(text: &[u8], record: &Record<'_>) -> Option<Field> {
    if is_mcp_method(text) && record.mcp_method.is_empty() {
        return Some(Field::McpMethod);
    }
    let product = is_product(text) && record.agent.is_empty();
    product.then_some(Field::Agent)
}

/// The first words of MCP's methods.
/// <https://modelcontextprotocol.io/specification>
const MCP: [&[u8]; 11] = [
    b"subscriptions",
    b"notifications",
    b"resources",
    b"completion",
    b"elicitation",
    b"messages",
    b"logging",
    b"prompts",
    b"server",
    b"roots",
    b"tools",
];

fn is_mcp_method(text: &[u8]) -> bool {
    let mut words = text.split(|&byte| byte == b'/');
    let known = words.next().is_some_and(|word| MCP.contains(&word));
    let mut rest = words.peekable();
    let plain = |word: &[u8]| word.iter().all(u8::is_ascii_alphabetic);
    known && rest.peek().is_some() && rest.all(plain)
}

/// `name/1.0`, as a user agent begins.
fn is_product(text: &[u8]) -> bool {
    let Some(slash) = memchr::memchr(b'/', text) else {
        return false;
    };
    let name = &text[..slash];
    let is_token = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')
    };
    !name.is_empty()
        && name.iter().all(is_token)
        && text.get(slash + 1).is_some_and(u8::is_ascii_digit)
}

/// Envoy's flags that say that the client went away: its connection ended,
/// or it reset the stream.
/// <https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage>
const CLIENT_FLAGS: [&[u8]; 4] = [
    b"DC",
    b"DR",
    b"DownstreamConnectionTermination",
    b"DownstreamRemoteReset",
];

fn by_flags(text: &[u8]) -> EndedBy {
    let mut flags = text.split(|&byte| byte == b',');
    if flags.any(|flag| CLIENT_FLAGS.contains(&flag)) {
        EndedBy::Client
    } else {
        EndedBy::Server
    }
}

/// `downstream_remote_disconnect`, `http2.remote_reset`, and their like.
fn by_details(text: &[u8]) -> Option<EndedBy> {
    let has = |word: &[u8]| memchr::memmem::find(text, word).is_some();
    let client = has(b"downstream_remote_disconnect") || has(b"remote_reset");
    client.then_some(EndedBy::Client)
}

/// What `%ACCESS_LOG_TYPE%` says the record was written at. A record in the
/// midst of a stream, or of a request to the upstream, is none of its own.
fn event(text: &[u8]) -> Parsed<Event> {
    match text {
        b"DownstreamStart" | b"TcpUpstreamConnected" => Ok(Event::Open),
        b"DownstreamEnd" | b"TcpConnectionEnd" | b"NotSet" | b"-" | b"" => {
            Ok(Event::Whole)
        }
        _ => Err(Reject::shape(0, NOT_ACCESS)),
    }
}

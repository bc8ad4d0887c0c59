//! What the names say that people give to fields behind the head.

use super::item::Item;
use crate::format::field::{Field, Mark, Shape};
use crate::time::{self, Unit};

/// What a name people give to a field says of it, for names whose values
/// have one meaning.
pub(super) fn by_name(name: &[u8]) -> Option<Field> {
    Some(match name {
        b"ts" => Field::Termination,
        b"begin" | b"start" => Field::Time(Mark::Start, Shape::Any),
        b"end" => Field::Time(Mark::End, Shape::Any),
        b"rc" | b"completion" | b"request_completion" => Field::Completion,
        b"X" => Field::Aborted,
        b"mm" | b"mcp_method" | b"http_mcp_method" => Field::McpMethod,
        b"sid" | b"mcp_session" | b"mcp_session_id" => Field::Session,
        b"rid" | b"request_id" | b"req_id" | b"kong_request_id" => {
            Field::RequestId
        }
        b"ev" | b"event" => Field::Event,
        b"xff" | b"http_x_forwarded_for" => Field::Forwarded,
        _ => return None,
    })
}

/// Names of durations, the better ones first: the unit, and what the head's
/// time is in logs that use the name.
///
/// `rt` is nginx's, `L` and `M` gunicorn's, `D` Apache's, lighttpd's and
/// Varnish's, `tt` morgan's `:total-time`, `Ta` HAProxy's.
pub(super) const DURATIONS: [(&[u8], Unit, Mark); 13] = [
    (b"rt", Unit::Seconds, Mark::End),
    (b"request_time", Unit::Seconds, Mark::End),
    (b"req_time", Unit::Seconds, Mark::End),
    (b"reqtime", Unit::Seconds, Mark::End),
    (b"L", Unit::Seconds, Mark::End),
    (b"D", Unit::Micros, Mark::Either),
    (b"M", Unit::Millis, Mark::End),
    (b"tt", Unit::Millis, Mark::End),
    (b"total_time", Unit::Millis, Mark::End),
    (b"Ta", Unit::Millis, Mark::Start),
    (b"ms", Unit::Millis, Mark::Either),
    (b"T", Unit::Seconds, Mark::Either),
    (b"duration", Unit::Seconds, Mark::Either),
];

/// The values of one name, of the rows that have it.
fn values<'r, 'a: 'r>(
    rows: &'r [Vec<Item<'a>>],
    wanted: &'r [u8],
) -> impl Iterator<Item = &'a [u8]> + 'r {
    rows.iter().flatten().filter_map(move |item| match item {
        Item::Named(name, value) if *name == wanted => Some(*value),
        _ => None,
    })
}

/// Whether a name is logged with such values; a tenth of them may be
/// something else or nothing, since a log may have broken lines.
pub(super) fn has_values(
    rows: &[Vec<Item<'_>>],
    name: &[u8],
    is: impl Fn(&[u8]) -> bool,
) -> bool {
    let (mut good, mut bad) = (0, 0);
    for value in values(rows, name) {
        match value {
            b"" | b"-" | b"-1" => {}
            value if is(value) => good += 1,
            _ => bad += 1,
        }
    }
    good > 0 && bad * 10 <= good + bad
}

/// Whether a text is a number without a sign.
pub(super) fn is_number(text: &[u8]) -> bool {
    time::decimal(text, Unit::Seconds).is_some()
}

/// Whether a text is an instant: seconds with decimals, or milliseconds.
fn is_instant(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    matches!(digits, 10 | 13) && time::epoch(text).is_some()
}

/// What the times named `msec`, `ms` and `t` mark: nginx's `$msec`, seconds
/// with decimals, is the end; a whole count of milliseconds is Apache's and
/// Varnish's `%{msec}t`, the start.
pub(super) fn instant(
    rows: &[Vec<Item<'_>>],
    name: &'static [u8],
) -> Option<(Vec<u8>, Field)> {
    let mark = if values(rows, name).any(|value| value.contains(&b'.')) {
        Mark::End
    } else {
        Mark::Start
    };
    has_values(rows, name, is_instant)
        .then(|| (name.to_vec(), Field::Time(mark, Shape::Epoch)))
}

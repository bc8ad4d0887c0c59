//! HAProxy's times, timers and states, as every form of its log has them.

use crate::format::{EndedBy, Event, Parsed, Record};
use crate::time::{self, Clock, Micros, Unit};

/// The timers of one record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::format::preset) struct Timers {
    /// How long the request took to come in.
    pub(in crate::format::preset) request: Option<Micros>,
    /// How long it all took; `None` when it was not known.
    pub(in crate::format::preset) total: Option<Micros>,
    /// Whether it was logged before its end, by `option logasap`.
    pub(in crate::format::preset) early: bool,
}

impl Timers {
    /// Takes the first and the last timer; a negative one was not reached.
    ///
    /// The first is `TR`, or before HAProxy 1.7 `Tq`, which counts from the
    /// end of the request before on the same connection.
    pub(in crate::format::preset) fn of(
        first: Option<&[u8]>,
        total: &[u8],
    ) -> Option<Timers> {
        let (early, total) = match total {
            [b'+', total @ ..] => (true, total),
            _ => (false, total),
        };
        let request = first.map_or(Some(None), timer)?;
        Some(Timers { request, total: timer(total)?, early })
    }

    /// Puts the start and the hold of a request whose clock this is, once
    /// its termination state is put.
    ///
    /// A stream opens when its request has come in: what the client took
    /// for that, or idled before it, is not held.
    pub(in crate::format::preset) fn put(
        self,
        record: &mut Record<'_>,
        clock: Clock,
        at: usize,
    ) -> Parsed<()> {
        let request = self.request.unwrap_or_default();
        let request = self.total.map_or(request, |all| request.min(all));
        record.offer_start(Clock { at: clock.at + request, ..clock });
        if self.early {
            record.event = Event::Open;
            record.ended_by = EndedBy::Unknown;
            return Ok(());
        }
        match self.total {
            Some(total) => record.offer_duration(total - request, at),
            None => Ok(()),
        }
    }
}

/// Whole milliseconds; nothing for a negative number.
fn timer(text: &[u8]) -> Option<Option<Micros>> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let duration = time::decimal(digits, Unit::Millis)?;
    Some((digits.len() == text.len()).then_some(duration))
}

/// `29/Nov/2026:13:43:23.262`, in local time without a zone, or with a zone
/// in place of the milliseconds.
pub(in crate::format::preset) fn clock(
    text: &[u8],
    zone: i64,
) -> Option<Clock> {
    let (date, rest) = text.split_at_checked(20)?;
    if rest.first() == Some(&b' ') {
        return time::clf(text);
    }
    let mut zoned = *b"29/Nov/2026:13:43:23 +0000";
    zoned[..20].copy_from_slice(date);
    let clock = time::clf(&zoned)?;
    let clock = Clock { at: clock.at - Micros::from_secs(zone), ..clock };
    match rest {
        [] => Some(clock),
        [b'.', _, _, _] => {
            let fraction = time::decimal(rest, Unit::Seconds)?;
            Some(Clock { at: clock.at + fraction, grain: Micros(1_000) })
        }
        _ => None,
    }
}

/// Whether this is a termination state: who, when, and in HTTP what became
/// of two cookies.
pub(in crate::format::preset) fn is_state(text: &[u8]) -> bool {
    let letters = |text: &[u8], all: &[u8]| {
        text.iter().all(|letter| all.contains(letter))
    };
    matches!(text.len(), 2 | 4)
        && letters(&text[..1], b"-CSPLRIDUKcs")
        && letters(&text[1..2], b"-RQCHDLT")
        && letters(&text[2..], b"-NIDVEOUPR")
}

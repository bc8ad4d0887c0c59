//! The common log format and its many longer forms, read by hand: nginx
//! `combined` and ingress-nginx, Apache `common`, `combined` and
//! `vhost_combined`, with whatever fields people append.
//!
//! The head is fixed: address, two names, `[time]`, `"request"`, status,
//! bytes, then perhaps `"referrer" "user agent"`. What follows is looked at
//! once, on the first lines ([`Clf::detect`]), to find the duration, the
//! finer clock, the request id and who ended the request.
//!
//! The head's time is the END for nginx, lighttpd, Tomcat and gunicorn and
//! the START for Apache, Varnish and Traefik. Only nginx, Tomcat, Rack and
//! morgan write decimals without six places, and only Traefik a number with
//! `ms`; every other tail leaves the meaning to the order of the file.
//!
//! Two servers write this form when a response starts, and nothing when it
//! ends: Python's `http.server` and Werkzeug (a time without a zone, `-` for
//! the bytes), and morgan with `immediate` (`-` for the status and the
//! bytes). Their rows are openings.
//!
//! What a line cannot tell: morgan's `:response-time ms` ends at the
//! headers and looks like its `:total-time ms`, the stream; gunicorn's
//! durations lose whole days.

mod column;
mod item;
mod name;
mod quote;
mod tail;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::field;
use super::record::{Event, Parsed, Record, Reject};
use crate::time::{self, Clock, Unit};

use quote::{past, quoted};
use tail::Tail;

/// A form of the common log format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clf {
    lead: Lead,
    tail: Tail,
    /// Whether the rows are written as responses start.
    opens: bool,
    /// Seconds east of UTC, for times without a zone.
    zone: i64,
}

/// What the head of a line tells beside its fields.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// Where the tail begins.
    end: usize,
    /// Whether the time shows its zone.
    zoned: bool,
    /// Whether the bytes sent are logged.
    sized: bool,
}

impl Head {
    /// Whether a row with this head may be written as a response starts.
    fn may_open(self, record: &Record<'_>) -> bool {
        !self.sized
            && record.duration.is_none()
            && (record.status == 0 || !self.zoned)
    }
}

/// What stands before the address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Lead {
    /// Nothing.
    #[default]
    Nothing,
    /// A virtual host and its port.
    Vhost,
}

impl Lead {
    /// What most of these lines begin with.
    fn of(lines: &[&[u8]]) -> Lead {
        let most = |is: fn(&[u8]) -> bool| {
            lines.iter().filter(|line| is(line)).count() * 2 > lines.len()
        };
        if most(starts_with_vhost) { Lead::Vhost } else { Lead::Nothing }
    }

    /// Where the address starts.
    fn end(self, line: &[u8]) -> Parsed<usize> {
        match self {
            Lead::Nothing => Ok(0),
            Lead::Vhost => past_blank(line, 0),
        }
    }
}

impl Clf {
    /// The form of these lines, if most of them have one.
    pub fn detect(lines: &[&[u8]]) -> Option<Clf> {
        let mut clf = Clf { lead: Lead::of(lines), ..Clf::default() };
        let heads = lines.iter().filter_map(|line| {
            let head = clf.head(line, &mut Record::default()).ok()?;
            Some((head, &line[head.end..]))
        });
        let (heads, tails): (Vec<Head>, Vec<&[u8]>) = heads.unzip();
        if tails.is_empty() || tails.len() * 10 < lines.len() {
            return None;
        }
        clf.tail = Tail::detect(&tails, heads.iter().any(|h| !h.sized));
        let opens = lines.iter().filter(|line| clf.may_open(line)).count();
        clf.opens = opens * 10 >= heads.len() * 9;
        Some(clf)
    }

    /// Whether a line may be written as a response starts.
    fn may_open(&self, line: &[u8]) -> bool {
        let mut record = Record::default();
        let Ok(head) = self.head(line, &mut record) else { return false };
        let tail = self.tail.read(&line[head.end..], head.end, &mut record);
        tail.is_ok() && head.may_open(&record)
    }

    /// Takes times without a zone to be this many seconds east of UTC.
    pub fn with_zone(self, zone: i64) -> Clf {
        Clf { zone, ..self }
    }

    /// Takes this unit for a bare duration.
    pub fn with_unit(mut self, unit: Unit) -> Clf {
        self.tail.set_unit(unit);
        self
    }

    /// The likeliest unit of a bare whole number that may be of several.
    pub fn guessed_unit(&self) -> Option<Unit> {
        self.tail.guessed_unit()
    }

    /// Whether it has a duration or both ends.
    pub fn has_duration(&self) -> bool {
        self.tail.has_duration()
    }

    /// The unit of its bare durations.
    pub fn unit(&self) -> Option<Unit> {
        self.tail.unit()
    }

    /// What the head's time marks, as far as the tail tells.
    pub fn mark(&self) -> field::Mark {
        match (self.opens, self.tail.has_both_ends()) {
            (true, _) => field::Mark::Start,
            (_, true) => field::Mark::End,
            (_, false) => self.tail.mark(),
        }
    }

    /// What it is called, with the fields found behind the head.
    pub fn name(&self) -> String {
        let head = match self.lead {
            Lead::Nothing => "combined",
            Lead::Vhost => "vhost_combined",
        };
        let when = if self.opens { ", as responses start" } else { "" };
        format!("{head}{}{when}", self.tail.describe())
    }

    /// Reads one line.
    ///
    /// # Errors
    ///
    /// A [`Reject`] with the byte at which the line leaves the form.
    pub fn parse<'a>(&self, line: &'a [u8]) -> Parsed<Record<'a>> {
        let mut record = Record::default();
        let head = self.head(line, &mut record)?;
        self.tail.read(&line[head.end..], head.end, &mut record)?;
        record.mind_status();
        if self.opens && head.may_open(&record) {
            record.event = Event::Open;
            record.start = record.stamp.take();
            return Ok(record);
        }
        let ended = record.end.is_some() || record.duration.is_some();
        match self.tail.mark() {
            // The tail tells both ends, more finely.
            _ if self.tail.has_both_ends()
                && record.start.is_some()
                && ended =>
            {
                record.stamp = None;
            }
            field::Mark::Start => record.start = record.stamp.take(),
            field::Mark::End => {
                if let Some(clock) = record.stamp.take() {
                    record.offer_end(clock);
                }
            }
            field::Mark::Either => {}
        }
        Ok(record)
    }
}

/// Whether four fields stand before the time, the first of them a host and
/// its port: Apache's `vhost_combined`.
fn starts_with_vhost(line: &[u8]) -> bool {
    let Some(open) = memchr::memchr(b'[', line) else { return false };
    let mut fields = line[..open].trim_ascii().split(|&b| b == b' ');
    let port = fields.next().and_then(|host| {
        host.iter().rposition(|&b| b == b':').map(|at| &host[at + 1..])
    });
    fields.count() >= 3
        && port.is_some_and(|port| port.iter().all(u8::is_ascii_digit))
}

impl Clf {
    /// Reads the head of a line.
    fn head<'a>(
        &self,
        line: &'a [u8],
        record: &mut Record<'a>,
    ) -> Parsed<Head> {
        let start = self.lead.end(line)?;
        let after = past_blank(line, start)?;
        let address = &line[start..after - 1];
        // Python's logging puts its level and the logger in front.
        let logger = b"INFO:werkzeug:";
        let address = address.strip_prefix(logger).unwrap_or(address);
        record.address = field::address(address).into();
        let (open, zoned) = self.stamp(line, after, record)?;
        let (request, end) = quoted(line, open)?;
        record.set_request(Cow::Borrowed(request));
        let status = past(line, end, b' ', "a blank and the status")?;
        let bytes = past_blank(line, status)?;
        record.status = field::status(&line[status..bytes - 1]);
        if record.status == 0 && &line[status..bytes - 1] != b"-" {
            return Err(Reject::shape(status, "a status of three digits"));
        }
        let end = token_end(line, bytes);
        let sized = &line[bytes..end] != b"-";
        record.bytes = field::count(&line[bytes..end]);
        let end = agents(line, end, record).unwrap_or(end);
        Ok(Head { end, zoned, sized })
    }

    /// Reads `[time] "`; returns the place of the quote and whether the time
    /// shows its zone. The two names before it may have blanks in them.
    fn stamp(
        &self,
        line: &[u8],
        from: usize,
        record: &mut Record<'_>,
    ) -> Parsed<(usize, bool)> {
        const ZONED: usize = 26;
        const BARE: usize = 20;
        let open = memchr::memchr(b'[', &line[from..])
            .map(|at| from + at + 1)
            .ok_or_else(|| Reject::shape(line.len(), "a time in brackets"))?;
        let closes = |at: usize| line.get(at..at + 3) == Some(b"] \"");
        let (clock, close) = if closes(open + ZONED) {
            let close = open + ZONED;
            (time::clf(&line[open..close]), close)
        } else if closes(open + BARE) {
            let close = open + BARE;
            (bare_time(&line[open..close], self.zone), close)
        } else {
            return Err(Reject::shape(open, "a time and a quoted request"));
        };
        let clock = clock.ok_or_else(|| {
            Reject::time(open, "a time such as 29/Nov/2026:13:44:23 +0000")
        })?;
        record.stamp = Some(clock);
        Ok((close + 2, close == open + ZONED))
    }
}

/// Reads `29/Nov/2026 13:44:23`.
fn bare_time(text: &[u8], zone: i64) -> Option<Clock> {
    time::strftime(text, "%d/%b/%Y %H:%M:%S", zone)
}

/// Reads ` "referrer" "user agent"` and returns where it ends.
fn agents<'a>(
    line: &'a [u8],
    from: usize,
    record: &mut Record<'a>,
) -> Option<usize> {
    let first = past(line, from, b' ', "").ok()?;
    let (_, end) = quoted(line, first).ok()?;
    let second = past(line, end, b' ', "").ok()?;
    let (agent, end) = quoted(line, second).ok()?;
    if agent != b"-" {
        record.agent = Cow::Borrowed(agent);
    }
    Some(end)
}

/// The place behind the next blank.
fn past_blank(line: &[u8], from: usize) -> Parsed<usize> {
    let end = token_end(line, from);
    past(line, end, b' ', "a field and a blank")
}

/// The end of the bare field that starts here.
fn token_end(line: &[u8], from: usize) -> usize {
    memchr::memchr(b' ', &line[from..]).map_or(line.len(), |at| from + at)
}

//! HAProxy: `option httplog`, `httplog clf`, `httpslog`, `tcplog`, and the
//! line of a log without any of them.
//!
//! Written when the stream has ended, except under `option logasap`: there
//! it is written with the response's headers, its duration begins with `+`,
//! and the end is nowhere. Without any option the line tells only that a
//! client connected. All of these may stand in one file, a frontend each.
//! <https://docs.haproxy.org/3.0/configuration.html#8.2>

mod clf;
mod line;
mod timers;

use super::About;
use crate::format::{Event, Mark, NOT_ACCESS, Parsed, Record, Reject};

pub(super) use timers::{Timers, clock, is_state};

pub(super) const ABOUT: About = About {
    name: "haproxy",
    server: "HAProxy httplog, httplog clf, httpslog, tcplog",
    mark: Mark::Start,
    unit: Some(crate::time::Unit::Millis),
    duration: "ms",
    ended_by: "state C., c.",
    ..About::DEFAULT
};

/// Reads one line.
pub(super) fn parse(record: &[u8], zone: i64) -> Parsed<Record<'_>> {
    if let Some(rest) = record.strip_prefix(b"Connect from ") {
        return connect(rest);
    }
    let blank = memchr::memchr(b' ', record).unwrap_or(record.len());
    match record.get(blank + 1) {
        Some(b'[') => line::parse(record, zone),
        Some(b'-') => clf::parse(record),
        _ if is_notice(record) => Err(Reject::shape(0, NOT_ACCESS)),
        _ => Err(Reject::shape(blank, "HAProxy's [time]")),
    }
}

/// `192.0.2.7:44740 to 198.51.100.1:80 (front/HTTP)`, behind what says that
/// it is one. It has no time of its own; a connection that is logged at its
/// end too is told by the client's port.
fn connect(rest: &[u8]) -> Parsed<Record<'_>> {
    let other = || Reject::shape(13, "CLIENT to ADDRESS (FRONTEND/MODE)");
    let blank = memchr::memchr(b' ', rest).ok_or_else(other)?;
    let (client, rest) = rest.split_at(blank);
    let rest = rest.strip_prefix(b" to ").ok_or_else(other)?;
    if !rest.ends_with(b"/HTTP)") && !rest.ends_with(b"/TCP)") {
        return Err(other());
    }
    Ok(Record {
        address: address(client).ok_or_else(other)?.into(),
        request_id: client.into(),
        event: Event::Open,
        ..Record::default()
    })
}

/// The address of `192.0.2.7:44740` or `2001:db8::7:44740`, which has no
/// brackets; `unix:1` of a client on a socket.
fn address(client: &[u8]) -> Option<&[u8]> {
    let colon = memchr::memrchr(b':', client)?;
    let (address, port) = client.split_at(colon);
    let digits = port.len() > 1 && port[1..].iter().all(u8::is_ascii_digit);
    (digits && !address.is_empty()).then_some(address)
}

/// Whether HAProxy says something of itself or of a server behind it.
fn is_notice(record: &[u8]) -> bool {
    let has =
        |text: &str| memchr::memmem::find(record, text.as_bytes()).is_some();
    match record {
        [b'P', b'r', b'o', b'x', b'y', b' ', ..] => {
            record.ends_with(b" started.") || has(" stopped ")
        }
        [b'S', b'e', b'r', b'v', b'e', b'r', b' ', ..] => {
            has(" is DOWN") || has(" is UP") || has(" is going ")
        }
        [b'H', b'e', b'a', b'l', b't', b'h', b' ', ..] => {
            record.starts_with(b"Health check for ")
        }
        [b'b' | b'B', b'a', b'c', b'k', b'e', b'n', b'd', b' ', ..] => {
            has(" has no server available")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests;

//! Spans, instants, zones and units as they are typed.

use anyhow::{Context, bail};

use crate::time::{self, Micros, Unit};

/// A span above zero.
pub(super) fn span(name: &str, text: &str) -> anyhow::Result<Micros> {
    match time::span(text.as_bytes()) {
        Some(span) if span > Micros::ZERO => Ok(span),
        _ => bail!("{name} {text}: not a span such as 5s, 1m30s or 2h"),
    }
}

/// A point in time; `zone` is for those that show none.
pub(super) fn instant(
    name: &str,
    text: &str,
    zone: i64,
    now: Micros,
) -> anyhow::Result<Micros> {
    let ago = text.strip_prefix('-').map(str::as_bytes);
    if let Some(ago) = ago.and_then(time::span) {
        return Ok(now - ago);
    }
    let bytes = text.as_bytes();
    let known = time::rfc3339(bytes).or_else(|| time::epoch(bytes));
    let local = ["%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S"];
    let local = local
        .iter()
        .find_map(|pattern| time::strftime(bytes, pattern, zone))
        .or_else(|| {
            let day = format!("{text} 00:00");
            let minutes = ["%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M"];
            minutes.iter().find_map(|pattern| {
                time::strftime(bytes, pattern, zone)
                    .or_else(|| time::strftime(day.as_bytes(), pattern, zone))
            })
        });
    match known.or(local) {
        Some(clock) => Ok(clock.at),
        None => bail!(
            "{name} {text}: not a time such as 2026-11-29T13:00:00Z, \
             2026-11-29, 1795959863 or -3h"
        ),
    }
}

/// Seconds east of UTC.
pub(super) fn zone(text: Option<&str>) -> anyhow::Result<i64> {
    match text {
        None | Some("UTC" | "utc") => Ok(0),
        Some(text) => time::zone_offset(text.as_bytes())
            .with_context(|| format!("--tz {text}: not such as +02:00")),
    }
}

/// The unit of bare durations.
pub(super) fn unit(text: &str) -> anyhow::Result<Unit> {
    Unit::from_name(text).with_context(|| {
        format!("--duration-unit {text}: not one of s, ms, us, ns")
    })
}

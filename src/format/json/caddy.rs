//! Caddy's access log.
//!
//! Written when the request has ended, and `ts` is that instant, in any of
//! the shapes `time_format` offers. `duration` is seconds with decimals or,
//! by `duration_format`, `"1m0.002s"` or whole milliseconds or nanoseconds.
//! The error log repeats the request under another logger: such rows are
//! not access records.
//! <https://caddyserver.com/docs/caddyfile/directives/log>

use super::NOT_ACCESS;
use super::keys::{Keys, Note, Part, Texts};
use crate::format::{Field, Parsed, Record, Reject, Shape};
use crate::time::{self, Clock, Micros, Unit};

/// Access records of Caddy. Time: end. Duration: seconds, or with its unit.
#[derive(Clone, Debug)]
pub struct Caddy {
    keys: Keys,
    /// The unit of a duration that is a whole number.
    unit: Option<Unit>,
    /// Seconds east of UTC, for the time formats without a zone.
    zone: i64,
}

/// Keys, the better one first. `client_ip` looks behind trusted proxies.
fn keys() -> [(&'static str, Part); 12] {
    let field = Part::Field;
    [
        ("ts", Part::Note(Note::Time)),
        ("logger", Part::Note(Note::Source)),
        ("msg", Part::Note(Note::Message)),
        ("duration", Part::Note(Note::Duration)),
        ("status", field(Field::Status)),
        ("size", field(Field::Bytes)),
        ("request.method", field(Field::Method)),
        ("request.uri", field(Field::Target)),
        (
            "request.client_ip|request.remote_ip|request.remote_addr",
            field(Field::Address),
        ),
        ("request.headers.User-Agent", field(Field::Agent)),
        ("request.headers.Mcp-Method", field(Field::McpMethod)),
        ("request.headers.Mcp-Session-Id", field(Field::Session)),
    ]
}

impl Default for Caddy {
    /// With no unit for whole numbers, and UTC.
    fn default() -> Caddy {
        Caddy { keys: Keys::new(keys()), unit: None, zone: 0 }
    }
}

impl Caddy {
    /// Reads durations that are whole numbers in this unit. Without one they
    /// are rejected: 5000000 is 5 ms or 83 min.
    pub fn with_unit(self, unit: Option<Unit>) -> Caddy {
        Caddy { unit, ..self }
    }

    /// Takes times without a zone to be this many seconds east of UTC.
    pub fn with_zone(self, zone: i64) -> Caddy {
        Caddy { zone, ..self }
    }

    /// The unit of whole-number durations.
    pub fn unit(&self) -> Option<Unit> {
        self.unit
    }

    /// Reads one object.
    ///
    /// # Errors
    ///
    /// A [`Reject`] when it is no object, not of the access log
    /// ([`NOT_ACCESS`]), or its time or duration cannot be read.
    pub fn parse<'a>(&self, record: &'a [u8]) -> Parsed<Record<'a>> {
        self.read(record, self.unit)
    }

    fn read<'a>(
        &self,
        record: &'a [u8],
        unit: Option<Unit>,
    ) -> Parsed<Record<'a>> {
        let found = self.keys.find(record)?;
        if !is_access(&found) {
            return Err(Reject::shape(0, NOT_ACCESS));
        }
        let end = found.note(Note::Time).map(|(text, at)| {
            clock(text, self.zone).ok_or(Reject::time(at, "Caddy's ts"))
        });
        let end = end.transpose()?;
        let duration = duration(&found, unit)?;
        let mut record = found.into_record()?;
        record.end = end;
        if let Some((duration, at)) = duration {
            record.offer_duration(duration, at)?;
        }
        Ok(record)
    }

    /// Whether this is an access record of Caddy.
    pub fn fits(&self, record: &[u8]) -> bool {
        // A duration of a unit not known yet does not speak against it.
        let read = self.read(record, self.unit.or(Some(Unit::Nanos)));
        read.is_ok_and(|record| {
            record.end.is_some()
                && record.duration.is_some()
                && !record.target.is_empty()
        })
    }

    /// The unit of whole-number durations, as far as these records tell.
    ///
    /// Any decimals say seconds. Below 1000 a count can only be of
    /// milliseconds, for no request is served within a microsecond; above
    /// thirty days of milliseconds it can only be of nanoseconds. What lies
    /// between tells nothing.
    pub fn unit_of(&self, records: &[&[u8]]) -> Option<Unit> {
        let mut seen = [false; 3];
        for record in records {
            let found = self.keys.find(record).ok();
            let found = found.filter(is_access);
            let unit = found
                .as_ref()
                .and_then(|found| found.note(Note::Duration))
                .and_then(|(text, _)| telling(text));
            match unit {
                Some(Unit::Seconds) => seen[0] = true,
                Some(Unit::Millis) => seen[1] = true,
                Some(Unit::Nanos) => seen[2] = true,
                _ => {}
            }
        }
        match seen {
            [true, false, false] => Some(Unit::Seconds),
            [false, true, false] => Some(Unit::Millis),
            [false, false, true] => Some(Unit::Nanos),
            // Seconds lose their decimals when there are none to show.
            [true, true, false] => Some(Unit::Seconds),
            _ => None,
        }
    }
}

/// The duration and where it stood.
fn duration(
    found: &Texts<'_, '_>,
    unit: Option<Unit>,
) -> Parsed<Option<(Micros, usize)>> {
    let Some((text, at)) = found.note(Note::Duration) else {
        return Ok(None);
    };
    let duration = match Written::of(text) {
        Written::Span => time::span(text),
        Written::Decimals => time::decimal(text, Unit::Seconds),
        Written::Whole if text.iter().all(|&digit| digit == b'0') => {
            Some(Micros::ZERO)
        }
        Written::Whole => {
            let unit = unit.ok_or(Reject::duration(at, UNIT_UNKNOWN))?;
            time::decimal(text, unit)
        }
    };
    let duration = duration.ok_or(Reject::duration(at, "a duration"))?;
    Ok(Some((duration, at)))
}

/// What is missing when a duration is a whole number and nothing told its
/// unit.
const UNIT_UNKNOWN: &str = "a duration whose unit is known";

/// How a duration is written.
enum Written {
    /// `60.003645352`.
    Decimals,
    /// `60003`.
    Whole,
    /// `1m0.002s`.
    Span,
}

impl Written {
    fn of(text: &[u8]) -> Written {
        if text.iter().all(u8::is_ascii_digit) {
            Written::Whole
        } else if text.iter().all(|&b| b.is_ascii_digit() || b == b'.') {
            Written::Decimals
        } else {
            Written::Span
        }
    }
}

/// The unit a duration gives away by itself.
fn telling(text: &[u8]) -> Option<Unit> {
    const THIRTY_DAYS_MS: u64 = 30 * 86_400_000;
    match Written::of(text) {
        Written::Span => None,
        Written::Decimals => Some(Unit::Seconds),
        Written::Whole => {
            match std::str::from_utf8(text).ok()?.parse::<u64>().ok()? {
                0 => None,
                1..1_000 => Some(Unit::Millis),
                THIRTY_DAYS_MS.. => Some(Unit::Nanos),
                _ => None,
            }
        }
    }
}

/// Whether a record is of the access log. Both keys may have been left out
/// by a `format filter`.
fn is_access(found: &Texts<'_, '_>) -> bool {
    let logger = found.note(Note::Source).map(|(logger, _)| logger);
    let message = found.note(Note::Message).map(|(message, _)| message);
    match (logger, message) {
        (None, None) => true,
        (Some(logger), _) if logger.starts_with(b"http.log.access") => true,
        (_, message) => {
            matches!(message, Some(b"handled request" | b"NOP"))
        }
    }
}

/// An instant in any of Caddy's time formats.
fn clock(text: &[u8], zone: i64) -> Option<Clock> {
    Shape::Any.read(text).or_else(|| wall(text, zone))
}

/// `2006/01/02 15:04:05`, with or without a fraction: RFC 3339 but for its
/// slashes and the missing zone.
fn wall(text: &[u8], zone: i64) -> Option<Clock> {
    let mut buffer = [0; 32];
    let copy = buffer.get_mut(..=text.len())?;
    let (zone_byte, copy) = copy.split_last_mut()?;
    copy.copy_from_slice(text);
    *zone_byte = b'Z';
    for at in [4, 7] {
        match copy.get_mut(at)? {
            slash @ b'/' => *slash = b'-',
            _ => return None,
        }
    }
    let read = time::rfc3339(&buffer[..=text.len()])?;
    Some(Clock { at: read.at - Micros::from_secs(zone), ..read })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::EndedBy;

    fn row(ts: &str, duration: &str) -> String {
        format!(
            r#"{{"ts":{ts},"logger":"http.log.access","msg":"NOP",
            "request":{{"uri":"/x"}},"bytes_read":7,"duration":{duration},
            "size":480,"status":499}}"#
        )
    }

    #[test]
    fn every_time_format_marks_the_same_end() {
        // 2026-11-29T13:47:33.4143007Z by `date -u -d @1795960053.4143007`.
        let caddy = Caddy::default().with_zone(3_600);
        for (ts, micros, grain) in [
            ("1795960053.4143007", 414_300, 1),
            ("1795960053414.3007", 414_300, 1),
            ("1795960053414", 414_000, 1_000),
            ("1795960053414300672", 414_300, 1),
            ("1795960053", 0, 1_000_000),
            (r#""2026-11-29T13:47:33.414Z""#, 414_000, 1_000),
            (r#""2026-11-29T14:47:33.414+0100""#, 414_000, 1_000),
            (r#""2026-11-29T13:47:33.414300672Z""#, 414_300, 1),
            (r#""2026/11/29 14:47:33""#, 0, 1_000_000),
            (r#""2026/11/29 14:47:33.414""#, 414_000, 1_000),
            (r#""2026/11/29 14:47:33.414300672""#, 414_300, 1),
            (r#""29/Nov/2026:13:47:33 +0000""#, 0, 1_000_000),
        ] {
            let row = row(ts, "0.5");
            let end = caddy.parse(row.as_bytes()).unwrap().end.unwrap();
            let at = Micros(1_795_960_053_000_000 + micros);
            assert_eq!(end, Clock { at, grain: Micros(grain) }, "{ts}");
        }
        for ts in ["\"noon\"", "\"2026/11/29\"", "\"2026-11-29 1\"", "true"] {
            let row = row(ts, "0.5");
            let read = caddy.parse(row.as_bytes());
            assert_eq!(read, Err(Reject::time(at_ts(&row), "Caddy's ts")));
        }
    }

    fn at_ts(row: &str) -> usize {
        6 + usize::from(row.starts_with("{\"ts\":\""))
    }

    #[test]
    fn every_duration_format_is_read() {
        let duration = |text: &str, unit| {
            let row = row("1795960053", text);
            let caddy = Caddy::default().with_unit(unit);
            caddy.parse(row.as_bytes()).map(|record| record.duration.unwrap())
        };
        let micros = |micros| Ok(Micros(micros));
        assert_eq!(duration("60.003645352", None), micros(60_003_645));
        assert_eq!(duration("0.000002701", None), micros(2));
        assert_eq!(duration(r#""1m0.00206173s""#, None), micros(60_002_061));
        assert_eq!(duration(r#""101.862988ms""#, None), micros(101_862));
        assert_eq!(duration("\"2.701µs\"", None), micros(2));
        assert_eq!(duration(r#""0s""#, None), micros(0));
        assert_eq!(duration("0", None), micros(0));
        let (ms, ns) = (Some(Unit::Millis), Some(Unit::Nanos));
        assert_eq!(duration("60003", ms), micros(60_003_000));
        assert_eq!(duration("60003645352", ns), micros(60_003_645));
        assert!(duration("60003", None).is_err());
        assert!(duration(r#""-1s""#, None).is_err());
    }

    #[test]
    fn the_unit_is_told_only_by_what_cannot_be_another() {
        let unit = |durations: &[&str]| {
            let rows = durations.iter().map(|text| row("1795960053", text));
            let rows: Vec<String> = rows.collect();
            let rows: Vec<&[u8]> = rows.iter().map(String::as_bytes).collect();
            Caddy::default().unit_of(&rows)
        };
        assert_eq!(unit(&["60003", "0", "12"]), Some(Unit::Millis));
        assert_eq!(unit(&["60003645352", "2701"]), Some(Unit::Nanos));
        assert_eq!(unit(&["60", "0.25"]), Some(Unit::Seconds));
        assert_eq!(unit(&["60003", "5000000"]), None);
        assert_eq!(unit(&["12", "60003645352"]), None);
        assert_eq!(unit(&[r#""1s""#]), None);
    }

    #[test]
    fn the_error_logs_copy_is_not_an_access_record() {
        let caddy = Caddy::default();
        for head in [
            r#""logger":"http.log.error","msg":"dial tcp: refused""#,
            r#""logger":"http.handlers.reverse_proxy","msg":"upstream""#,
            r#""msg":"using config from file""#,
        ] {
            let row = format!(
                r#"{{{head},"ts":1795960053.4,"request":{{"uri":"/x"}},
                "duration":1.5,"status":502}}"#
            );
            let read = caddy.parse(row.as_bytes());
            assert_eq!(read, Err(Reject::shape(0, NOT_ACCESS)));
        }
        let row = row("1795960053", "1.5");
        let record = caddy.parse(row.as_bytes()).unwrap();
        assert_eq!(record.ended_by, EndedBy::Client);
        assert_eq!((record.status, record.bytes), (499, Some(480)));
    }

    #[test]
    fn the_client_behind_a_proxy_is_preferred() {
        let row = br#"{"request":{"client_ip":"192.0.2.7",
            "remote_ip":"10.0.0.1","headers":{"User-Agent":["a","b"]}}}"#;
        let record = Caddy::default().parse(row).unwrap();
        assert_eq!(*record.address, *b"192.0.2.7");
        assert_eq!(*record.agent, *b"a");
    }
}

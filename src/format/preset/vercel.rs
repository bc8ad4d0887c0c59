//! Vercel's log drains, JSON or NDJSON.
//!
//! A row a line of output, all of one request with its path and its
//! `requestId`. The runtime's own `REPORT` line has the duration: that row is
//! the request. A row with its `START` line alone is the opening, what the
//! function printed is no request, and rows of files and rewrites are
//! requests without a duration. `proxy.timestamp` is when the request was
//! made.
//! <https://vercel.com/docs/drains/reference/logs>

use std::sync::LazyLock;

use super::About;
use super::object::{noted, object};
use crate::format::json::{Keys, Note, Part, Texts, start};
use crate::format::{
    EndedBy, Event, Field, Mark, NOT_ACCESS, Parsed, Record, Reject, Shape,
};
use crate::time::{Micros, Unit, decimal};

pub(super) const ABOUT: About = About {
    name: "vercel",
    server: "Vercel log drain",
    mark: Mark::Start,
    unit: Some(Unit::Millis),
    duration: "REPORT Duration: 60001.12 ms",
    ..About::DEFAULT
};

/// What a row may come from.
const SOURCES: [&[u8]; 7] = [
    b"build",
    b"edge",
    b"lambda",
    b"static",
    b"external",
    b"firewall",
    b"redirect",
];

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let (field, note) = (Part::Field, Part::Note);
    let seen = Field::Time(Mark::Either, Shape::Epoch);
    Keys::new([
        ("source", note(Note::Source)),
        ("projectId", note(Note::Parent)),
        ("message", note(Note::Message)),
        ("proxy.timestamp", start()),
        ("timestamp", field(seen)),
        ("proxy.path|path", field(Field::Target)),
        ("proxy.method", field(Field::Method)),
        ("proxy.clientIp", field(Field::Address)),
        ("proxy.userAgent", field(Field::Agent)),
        ("statusCode", field(Field::Status)),
        ("proxy.statusCode", note(Note::Inner)),
        ("proxy.responseByteSize", field(Field::Bytes)),
        ("requestId", field(Field::RequestId)),
    ])
});

/// What a row tells of a request.
enum RowKind {
    /// All of it, with how long it took if that can be read.
    Whole(Option<Micros>),
    /// That it has begun.
    Opening,
    /// What the function printed meanwhile.
    Output,
}

/// Reads one row.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let found = object(record, "\"projectId\"", &KEYS)?;
    let source = noted(&found, Note::Source);
    if !SOURCES.contains(&source) || noted(&found, Note::Parent).is_empty() {
        return Err(Reject::shape(0, "a source of a Vercel log drain"));
    }
    let message = noted(&found, Note::Message);
    let (event, duration) = match row_kind(source, message) {
        RowKind::Whole(duration) if is_visitors(&found) => {
            (Event::Whole, duration)
        }
        RowKind::Opening if is_visitors(&found) => (Event::Open, None),
        _ => return Err(Reject::shape(0, NOT_ACCESS)),
    };
    let timed_out = contains(message, b"Task timed out")
        || contains(message, b"Vercel Runtime Timeout Error");
    let status = noted(&found, Note::Inner).to_vec();
    let mut record = found.into_record()?;
    (record.event, record.duration) = (event, duration);
    if record.status == 0 {
        Field::Status.put(&mut record, status.into(), 0)?;
    }
    if timed_out {
        record.ended_by = EndedBy::Server;
    }
    // The time of a row that says no more than when it was written.
    record.stamp = record.stamp.filter(|_| record.start.is_none());
    Ok(record)
}

/// Whether a visitor made the request, and not Vercel itself to renew a
/// page behind a visitor's back or to build.
fn is_visitors(found: &Texts<'_, '_>) -> bool {
    noted(found, Note::Source) != b"build"
        && noted(found, Note::Inner) != b"-1"
}

/// What a row of this source with this message tells.
fn row_kind(source: &[u8], message: &[u8]) -> RowKind {
    let runs = matches!(source, b"lambda" | b"edge");
    if !runs || message.is_empty() {
        return RowKind::Whole(None);
    }
    if let Some(at) = memchr::memmem::find(message, b"REPORT RequestId:") {
        return RowKind::Whole(duration(&message[at..]));
    }
    let starts = message.starts_with(b"START RequestId:");
    if starts && !contains(message, b"END RequestId:") {
        RowKind::Opening
    } else {
        RowKind::Output
    }
}

/// How long a `REPORT` line says it took.
fn duration(report: &[u8]) -> Option<Micros> {
    const NAME: &[u8] = b"Duration: ";
    let at = memchr::memmem::find(report, NAME)? + NAME.len();
    let text = report[at..].split(|&byte| byte == b' ').next()?;
    decimal(text, Unit::Millis)
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(text, part).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(rest: &str) -> Parsed<Record<'static>> {
        let row = format!(
            r#"{{"id":"1","deploymentId":"dpl_1","projectId":"prj_1",
            "host":"mcp.example.com","timestamp":1785585600200,
            "path":"/subscriptions/[topic].js","requestId":"iad1::a",
            "proxy":{{"timestamp":1785585600123,"method":"GET",
            "responseByteSize":480,
            "path":"/subscriptions/listen?a=1","statusCode":200,
            "userAgent":["mcp/1.0"],"clientIp":"192.0.2.7"}}{rest}}}"#
        );
        parse(row.leak().as_bytes(), 0)
    }

    #[test]
    fn the_row_with_the_report_is_the_request() {
        let read = row(
            r#","source":"lambda","message":"START RequestId: a Version: 1\nhi\nEND RequestId: a\nREPORT RequestId: a\tDuration: 60001.12 ms\tBilled Duration: 60002 ms\tInit Duration: 9 ms\t\n""#,
        );
        let read = read.unwrap();
        assert_eq!(read.duration, Some(Micros(60_001_120)));
        let start = read.start.unwrap().at;
        assert_eq!(start.to_rfc3339(), "2026-08-01T12:00:00.123Z");
        assert_eq!((read.end, read.stamp), (None, None));
        assert_eq!((read.event, read.status), (Event::Whole, 200));
        assert_eq!(read.bytes, Some(480));
        assert_eq!(*read.target, *b"/subscriptions/listen?a=1");
        assert_eq!(
            (&*read.agent, &*read.method),
            (&b"mcp/1.0"[..], &b"GET"[..])
        );
        assert_eq!(*read.request_id, *b"iad1::a");
        let late = row(
            r#","source":"lambda","statusCode":504,"message":"Task timed out after 300.00 seconds\nREPORT RequestId: a Duration: 300000.00 ms""#,
        );
        let late = late.unwrap();
        assert_eq!((late.ended_by, late.status), (EndedBy::Server, 504));
    }

    #[test]
    fn its_other_rows_do_not_count_it_again() {
        let start = r#","source":"lambda","message":"START RequestId: a""#;
        let open = row(start).unwrap();
        assert_eq!((open.event, open.duration), (Event::Open, None));
        let other = Err(Reject::shape(0, NOT_ACCESS));
        for rest in [
            r#","source":"lambda","message":"a line\n""#,
            r#","source":"edge","message":"a line\n""#,
            r#","source":"build","message":"done""#,
        ] {
            assert_eq!(row(rest), other, "{rest}");
        }
        let renewed = br#"{"projectId":"p","source":"lambda","path":"/a","proxy":{"statusCode":-1}}"#;
        assert_eq!(parse(renewed, 0), other);
    }

    #[test]
    fn files_and_rewrites_are_requests_without_a_hold() {
        for source in ["static", "external", "redirect", "firewall"] {
            let rest = format!(r#","source":"{source}","message":"""#);
            let read = row(&rest).unwrap();
            assert_eq!((read.duration, read.event), (None, Event::Whole));
        }
        assert!(row(r#","source":"syslog""#).is_err());
    }
}

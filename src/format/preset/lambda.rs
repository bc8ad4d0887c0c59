//! AWS Lambda, text: the lines the platform writes around an invocation.
//!
//! `REPORT RequestId: I` with `Duration: 60001.12 ms` is written when the
//! invocation has ended, at the time `CloudWatch` stamps it with. It names no
//! path: the line of the app that names one, and the same request id, is the
//! opening it is joined to. `console.log` and the loggers of the runtimes
//! write `TIME⇥I⇥INFO⇥text`, so an app that logs `GET /path` first will do.
//! <https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html>
//! <https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs.html>

use super::About;
use super::cursor::Cursor;
use crate::format::{
    EndedBy, Event, Field, Mark, NOT_ACCESS, Parsed, Record, Reject, Shape,
    Text,
};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "lambda",
    server: "AWS Lambda, text",
    mark: Mark::End,
    duration: "Duration: 60001.12 ms",
    ended_by: "Status: timeout",
    closers: &["REPORT RequestId:"],
    lacks: Some(LACKS),
    ..About::DEFAULT
};

/// What both of Lambda's formats lack.
pub(super) const LACKS: &str = "Lambda's own lines name no path; let the app \
    log the method and the path first, as in GET /subscriptions/listen, or \
    read the log of the gateway before it";

/// How the platform's other lines begin.
const OTHERS: [&str; 10] = [
    "START RequestId: ",
    "END RequestId: ",
    "INIT_START Runtime Version: ",
    "INIT_REPORT Init Duration: ",
    "INIT_RUNTIME_DONE ",
    "RESTORE_START Runtime Version: ",
    "RESTORE_REPORT Restore Duration: ",
    "EXTENSION\tName: ",
    "TELEMETRY\tName: ",
    "LOGS\tName: ",
];

/// Reads one line.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let mut read = Record::default();
    let mut at = Cursor::new(record);
    if record.first().is_some_and(u8::is_ascii_digit) {
        let word = record.split(u8::is_ascii_whitespace).next();
        let time = word.and_then(|word| Shape::Rfc3339.read(word));
        if let (Some(time), Some(word)) = (time, word) {
            at = Cursor::new(&record[word.len()..]);
            read.end = Some(time);
        }
    }
    if read.end.is_some() && at.accept("\t") {
        return app_line(at.rest(), read);
    }
    at.blanks();
    if at.accept("REPORT RequestId: ") {
        return report(at, read);
    }
    let rest = at.rest();
    let other = OTHERS.iter().any(|text| rest.starts_with(text.as_bytes()));
    Err(if other || timed_out(rest) {
        Reject::shape(0, NOT_ACCESS)
    } else {
        Reject::shape(0, "REPORT RequestId:")
    })
}

/// `I Task timed out after 60.00 seconds`; its `REPORT` follows.
fn timed_out(rest: &[u8]) -> bool {
    let task = rest.get(36..).unwrap_or_default();
    task.starts_with(b" Task timed out after ")
}

/// Reads a report from the request id on. Its parts are parted by tabs,
/// which some viewers make blanks.
fn report<'a>(mut at: Cursor<'a>, mut read: Record<'a>) -> Parsed<Record<'a>> {
    let rest = at.rest();
    let blank = rest.iter().position(u8::is_ascii_whitespace);
    read.request_id = rest[..blank.unwrap_or(rest.len())].into();
    while !at.rest().is_empty() {
        if at.accept("Duration: ") {
            let place = at.at();
            let text = at.word("a duration in ms")?;
            let field = Field::Duration(Unit::Millis);
            field.put(&mut read, text.into(), place)?;
            break;
        }
        at = Cursor::new(&at.rest()[1..]);
    }
    if read.duration.is_none() {
        return Err(at.stop("Duration: "));
    }
    if memchr::memmem::find(at.rest(), b"Status: timeout").is_some() {
        read.ended_by = EndedBy::Server;
    }
    read.event = Event::Close;
    Ok(read)
}

/// Reads a line of the app from its request id on: the opening, if it
/// begins with a method and a path.
fn app_line<'a>(rest: &'a [u8], read: Record<'a>) -> Parsed<Record<'a>> {
    let mut parts = rest.splitn(3, |byte| *byte == b'\t');
    let id = parts.next().filter(|id| is_id(id));
    let (Some(id), Some(_level), Some(text)) =
        (id, parts.next(), parts.next())
    else {
        return Err(Reject::shape(0, "a request id"));
    };
    let mut read = Record { start: read.end, end: None, ..read };
    read.request_id = id.into();
    read.set_request(text.trim_ascii().into());
    opening(read)
}

/// The opening that an app's message, split like a request line, tells of,
/// if it begins with a method and a path.
pub(super) fn opening(mut read: Record<'_>) -> Parsed<Record<'_>> {
    let is_verb = (3..=7).contains(&read.method.len())
        && read.method.iter().all(u8::is_ascii_uppercase);
    if !is_verb || !read.target.starts_with(b"/") {
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    let end = memchr::memchr(b' ', &read.target);
    let end = end.unwrap_or(read.target.len());
    read.target = match read.target {
        Text::Borrowed(text) => Text::Borrowed(&text[..end]),
        Text::Owned(mut text) => {
            text.truncate(end);
            Text::Owned(text)
        }
    };
    read.event = Event::Open;
    Ok(read)
}

/// Whether this is a request id: a UUID, or the word of a start-up.
fn is_id(text: &[u8]) -> bool {
    let dashes = [8, 13, 18, 23];
    let right = |(at, byte): (usize, &u8)| {
        if dashes.contains(&at) {
            *byte == b'-'
        } else {
            byte.is_ascii_hexdigit()
        }
    };
    let uuid = text.len() == 36 && text.iter().enumerate().all(right);
    uuid || text == b"undefined"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    const ID: &str = "f08bb4c8-d6b2-4f05-ac17-af7e2ba005fb";

    fn report() -> String {
        format!(
            "REPORT RequestId: {ID}\tDuration: 60001.12 ms\tBilled \
             Duration: 60002 ms\tMemory Size: 128 MB\tMax Memory Used: 118 \
             MB\tInit Duration: 301.5 ms\t"
        )
    }

    fn refused(line: &str) -> &'static str {
        parse(line.as_bytes(), 0).unwrap_err().expected
    }

    #[test]
    fn a_report_closes_its_request() {
        let line = report();
        let read = parse(line.as_bytes(), 0).unwrap();
        assert_eq!(read.event, Event::Close);
        assert_eq!(read.duration, Some(Micros(60_001_120)));
        assert_eq!(*read.request_id, *ID.as_bytes());
        assert_eq!((read.end, read.start, read.target.len()), (None, None, 0));
        assert_eq!(read.ended_by, EndedBy::Unknown);
        assert!(line.contains(ABOUT.closers[0]));
        let line = line.replace('\t', "  ");
        assert_eq!(parse(line.as_bytes(), 0).unwrap(), read);
        let line = format!("2026-08-01T12:01:00.123Z {line}");
        let stamped = parse(line.as_bytes(), 0).unwrap();
        let end = stamped.end.unwrap().at.to_rfc3339();
        assert_eq!(end, "2026-08-01T12:01:00.123Z");
    }

    #[test]
    fn a_timeout_is_the_servers_doing() {
        let line = format!("{}Status: timeout", report());
        let read = parse(line.as_bytes(), 0).unwrap();
        assert_eq!(read.ended_by, EndedBy::Server);
    }

    #[test]
    fn a_line_of_the_app_that_names_a_path_is_the_opening() {
        let line = |text: &str| {
            format!("2026-08-01T12:00:00.123Z\t{ID}\tINFO\t{text}")
        };
        let open = line("GET /subscriptions/listen from 192.0.2.7\n");
        let read = parse(open.as_bytes(), 0).unwrap();
        assert_eq!(read.event, Event::Open);
        let start = read.start.unwrap().at.to_rfc3339();
        assert_eq!(start, "2026-08-01T12:00:00.123Z");
        assert_eq!(read.end, None);
        assert_eq!(*read.target, *b"/subscriptions/listen");
        assert_eq!(*read.request_id, *ID.as_bytes());
        for text in ["hello", "Get /a", "", "{\"a\":1}", "ERROR in /a"] {
            let line = line(text);
            assert_eq!(refused(&line), NOT_ACCESS, "{text}");
        }
    }

    #[test]
    fn the_platforms_other_lines_are_no_requests() {
        for line in [
            format!("START RequestId: {ID} Version: $LATEST"),
            format!("END RequestId: {ID}"),
            format!(
                "2026-08-01T12:01:00.1Z {ID} Task timed out after 60.00 s"
            ),
            "INIT_START Runtime Version: nodejs:20.v1".to_owned(),
        ] {
            assert_eq!(refused(&line), NOT_ACCESS, "{line}");
        }
        for line in [
            "REPORT of the day",
            "2026-08-01T12:01:00.1Z GET /a 200",
            "2026-08-01\t12:01:00\tCDG50\t703",
            "2026-08-01T12:01:00Z\tINFO\tGET /a",
            "{}",
            "",
        ] {
            assert_ne!(refused(line), NOT_ACCESS, "{line}");
        }
        let bad = report().replace("60001.12", "long");
        assert_eq!(refused(&bad), "a duration");
        assert_eq!(refused(&format!("REPORT RequestId: {ID}")), "Duration: ");
    }

    #[test]
    fn no_mangled_line_panics() {
        let line = format!("2026-08-01T12:01:00.123Z\t{ID}\tINFO\tGET /a");
        for line in [line, report()] {
            for end in 0..line.len() {
                let _read = parse(&line.as_bytes()[..end], 0);
                let _read = parse(&line.as_bytes()[end..], 0);
            }
        }
    }
}

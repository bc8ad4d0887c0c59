//! pino-http, Fastify and bunyan: the JSON lines of Node servers.
//!
//! pino-http writes one row when the response has finished or its connection
//! was closed: `req`, `res`, `responseTime` in milliseconds up to then, and
//! a message, `request aborted` when the client left. It may write a row
//! when the request comes in, with the same `req.id`. Fastify always writes
//! two, `incoming request` with `req` and `request completed` with
//! `responseTime` alone, joined by `reqId`; when the client of a streamed
//! reply leaves, `stream closed prematurely` stands in for the second.
//! `time` is when the row was written, in milliseconds or as ISO text. Ids
//! count up within one process.
//! <https://github.com/pinojs/pino-http>
//! <https://github.com/fastify/fastify/blob/main/lib/reply.js>

use std::sync::LazyLock;

use memchr::memmem;

use super::About;
use crate::format::json::{Keys, Note, Part, Texts, end};
use crate::format::{
    EndedBy, Event, Field, Mark, NOT_ACCESS, Parsed, Record, Reject,
};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "pino",
    server: "pino-http, Fastify, bunyan (Node)",
    mark: Mark::End,
    unit: Some(Unit::Millis),
    duration: "ms",
    ended_by: "request aborted",
    closers: &["\"responseTime\":", "\"stream closed prematurely\""],
    ..About::DEFAULT
};

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let field = Part::Field;
    Keys::new([
        ("time", end()),
        ("msg", Part::Note(Note::Message)),
        ("pid", Part::Note(Note::Source)),
        ("hostname", Part::Note(Note::Parent)),
        (
            "responseTime|response-time|latency|duration",
            field(Field::Duration(Unit::Millis)),
        ),
        ("reqId|req.id", field(Field::RequestId)),
        ("req.method", field(Field::Method)),
        ("req.url", field(Field::Target)),
        ("req.remoteAddress", field(Field::Address)),
        ("req.headers.x-forwarded-for", field(Field::Forwarded)),
        ("req.headers.user-agent", field(Field::Agent)),
        ("req.headers.mcp-method", field(Field::McpMethod)),
        ("req.headers.mcp-session-id", field(Field::Session)),
        ("res.statusCode", field(Field::Status)),
        ("res.headers.content-length", field(Field::Bytes)),
    ])
});

/// What a row tells of, by its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// That a request came in.
    Received,
    /// That a response was sent whole.
    Completed,
    /// That the client left.
    Aborted,
    /// Something else.
    Other,
}

/// Reads one row.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    if !is_node(record) {
        return Err(Reject::shape(0, "a row of pino with req or res"));
    }
    let found = KEYS.find(record)?;
    let said = said(&found);
    let process = process(record, &found);
    let mut read = found.into_record()?;
    read.process = process.into();
    let is_end = read.duration.is_some() || said == Said::Aborted;
    read.event = match (is_end, read.target.is_empty()) {
        (true, false) => Event::Whole,
        (true, true) => Event::Close,
        (false, false) if said == Said::Received => Event::Open,
        _ => return Err(Reject::shape(0, NOT_ACCESS)),
    };
    if read.event != Event::Whole && read.request_id.is_empty() {
        // Nothing joins it to the other row.
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    read.ended_by = match said {
        Said::Aborted => EndedBy::Client,
        Said::Completed => EndedBy::Server,
        Said::Received | Said::Other => EndedBy::Unknown,
    };
    Ok(read)
}

/// Whether this may be a row of these loggers: cheap, for every record of
/// every log is asked.
fn is_node(record: &[u8]) -> bool {
    let has = |text: &str| memmem::find(record, text.as_bytes()).is_some();
    record.starts_with(b"{")
        && has("\"time\":")
        && has("\"level\":")
        && (has("\"req\":{")
            || has("\"reqId\":")
            || (has("\"pid\":") && has("\"hostname\":")))
}

/// What its message says. Messages can be set: an opening is one that says
/// so, since what a handler logs shows the request too.
fn said(found: &Texts<'_, '_>) -> Said {
    let message = found.note(Note::Message).map_or(&b""[..], |(m, _)| m);
    let message = message.to_ascii_lowercase();
    let has = |text: &str| memmem::find(&message, text.as_bytes()).is_some();
    if has("aborted") || has("closed prematurely") {
        Said::Aborted
    } else if has("completed") {
        Said::Completed
    } else if has("incoming") || has("received") || has("started") {
        Said::Received
    } else {
        Said::Other
    }
}

/// The process id and the host, as one text where they stand side by side.
fn process<'a>(record: &'a [u8], found: &Texts<'_, '_>) -> &'a [u8] {
    let place = |note| {
        let (text, at) = found.note(note)?;
        Some(at..at + text.len())
    };
    let range = match (place(Note::Source), place(Note::Parent)) {
        (Some(pid), Some(host)) => {
            let start = pid.start.min(host.start);
            let end = pid.end.max(host.end);
            let near = end - start < pid.len() + host.len() + 24;
            if near { start..end } else { pid }
        }
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => 0..0,
    };
    record.get(range).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    const COMPLETED: &str = r#"{"level":30,"time":1795960053528,"pid":13563,"hostname":"vm","req":{"id":1,"method":"GET","url":"/subscriptions/listen?d=60","query":{"d":"60"},"params":{},"headers":{"host":"mcp.example.com","user-agent":"truth-client/1.0 (S)","mcp-method":"subscriptions/listen","mcp-session-id":"5f3c"},"remoteAddress":"192.0.2.7","remotePort":41486},"res":{"statusCode":200,"headers":{"x-powered-by":"Express"}},"responseTime":60005,"msg":"request completed"}"#;

    fn read(row: &str) -> Record<'_> {
        parse(row.as_bytes(), 0).unwrap_or_else(|e| panic!("{row}: {e:?}"))
    }

    #[test]
    fn a_row_of_pino_http_is_the_whole_request() {
        let whole = read(COMPLETED);
        assert_eq!(whole.end.unwrap().at, Micros(1_795_960_053_528_000));
        assert_eq!(whole.duration, Some(Micros(60_005_000)));
        assert_eq!((&*whole.method, whole.status), (&b"GET"[..], 200));
        assert_eq!(*whole.target, *b"/subscriptions/listen?d=60");
        assert_eq!(*whole.address, *b"192.0.2.7");
        assert_eq!(*whole.agent, *b"truth-client/1.0 (S)");
        assert_eq!(*whole.mcp_method, *b"subscriptions/listen");
        assert_eq!(*whole.session, *b"5f3c");
        assert_eq!(*whole.request_id, *b"1");
        assert_eq!(*whole.process, *br#"13563,"hostname":"vm"#);
        assert_eq!(whole.event, Event::Whole);
        assert_eq!(whole.ended_by, EndedBy::Server);
    }

    #[test]
    fn a_length_is_known_where_the_responses_head_told_it() {
        assert_eq!(read(COMPLETED).bytes, None);
        let row = COMPLETED
            .replace("\"host\":", "\"content-length\":\"68\",\"host\":")
            .replace("Express\"", "Express\",\"content-length\":\"480\"");
        assert_eq!(read(&row).bytes, Some(480));
    }

    #[test]
    fn an_aborted_row_says_so_and_may_lack_a_status() {
        let row = COMPLETED
            .replace("completed", "aborted")
            .replace("\"statusCode\":200", "\"statusCode\":null");
        let whole = read(&row);
        assert_eq!((whole.ended_by, whole.status), (EndedBy::Client, 0));
        assert_eq!(whole.duration, Some(Micros(60_005_000)));
    }

    #[test]
    fn iso_times_and_named_levels_are_read() {
        let row = COMPLETED
            .replace("1795960053528", "\"2026-11-29T13:47:33.528Z\"")
            .replace("\"level\":30", "\"level\":\"info\"");
        let end = read(&row).end.unwrap().at;
        assert_eq!(end.to_rfc3339(), "2026-11-29T13:47:33.528Z");
    }

    #[test]
    fn a_received_row_opens_what_the_same_process_ends() {
        let start = COMPLETED.find(",\"res\"").unwrap();
        let row = format!(
            "{},\"msg\":\"request received GET /\"}}",
            &COMPLETED[..start]
        );
        let (open, whole) = (read(&row), read(COMPLETED));
        assert_eq!((open.event, open.duration), (Event::Open, None));
        assert_eq!(open.request_id, whole.request_id);
        assert_eq!(open.process, whole.process);
        // What a handler logs shows the request too, and opens nothing.
        let row = row.replace("request received GET /", "subscribed");
        let refused = parse(row.as_bytes(), 0).unwrap_err();
        assert_eq!(refused.expected, NOT_ACCESS);
    }

    #[test]
    fn fastify_closes_by_the_requests_id() {
        let head = r#"{"level":30,"time":1785585600123,"pid":7,"hostname":"a","reqId":"req-1","#;
        let open = format!(
            r#"{head}"req":{{"method":"GET","url":"/subscriptions/listen","host":"h","remoteAddress":"192.0.2.7","remotePort":1}},"msg":"incoming request"}}"#
        );
        let open = read(&open);
        assert_eq!(
            (open.event, &*open.request_id),
            (Event::Open, &b"req-1"[..])
        );
        let closes = [
            (
                r#""res":{"statusCode":200},"responseTime":60001.25,"msg":"request completed"}"#,
                Some(Micros(60_001_250)),
                EndedBy::Server,
            ),
            (
                r#""res":{"statusCode":200},"msg":"stream closed prematurely"}"#,
                None,
                EndedBy::Client,
            ),
        ];
        for (rest, duration, ended_by) in closes {
            let row = format!("{head}{rest}");
            let close = read(&row);
            assert_eq!(
                (close.event, close.duration),
                (Event::Close, duration)
            );
            assert_eq!(close.ended_by, ended_by);
            assert_eq!(close.request_id, open.request_id);
            assert_eq!(close.process, open.process);
            assert!(close.end.is_some());
            let has = |text: &&str| row.contains(text);
            assert!(ABOUT.closers.iter().any(has), "{row}");
        }
    }

    #[test]
    fn bunyans_rows_are_read() {
        let row = r#"{"name":"mcp","hostname":"vm","pid":7,"level":30,"req":{"method":"GET","url":"/subscriptions/listen","headers":{},"remoteAddress":"192.0.2.7"},"res":{"statusCode":200},"duration":60001,"msg":"request finish","time":"2026-08-01T12:01:00.001Z","v":0}"#;
        let whole = read(row);
        assert_eq!(whole.duration, Some(Micros(60_001_000)));
        assert_eq!(*whole.process, *br#"vm","pid":7"#);
    }

    #[test]
    fn other_rows_of_the_logger_are_not_access_and_others_are_refused() {
        let row = r#"{"level":30,"time":1785585600123,"pid":7,"hostname":"a","msg":"Server listening at http://127.0.0.1:3000"}"#;
        let refused = parse(row.as_bytes(), 0).unwrap_err();
        assert_eq!(refused.expected, NOT_ACCESS);
        for row in [
            r#"{"level":"info","ts":1785585600.1,"logger":"http.log.access","msg":"handled request","request":{"uri":"/"},"duration":1.5}"#,
            r#"{"time":"2026-08-01T12:01:00Z","level":"INFO","msg":"request","path":"/","duration":60001}"#,
            r#"{"httpRequest":{"latency":"60.001s"},"timestamp":"x"}"#,
            "127.0.0.1 - - [29/Nov/2026:13:44:23 +0000]",
        ] {
            let refused = parse(row.as_bytes(), 0).unwrap_err();
            assert_ne!(refused.expected, NOT_ACCESS, "{row}");
        }
    }

    #[test]
    fn no_part_of_a_row_makes_it_panic() {
        for end in 0..COMPLETED.len() {
            let _read = parse(&COMPLETED.as_bytes()[..end], 0);
        }
    }
}

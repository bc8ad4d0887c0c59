//! nginx, with a `log_format` that builds an object.
//!
//! Every time nginx logs is the end of the request
//! (`ngx_http_log_request`); `$request_time` is in seconds, and `$msec`
//! less `$request_time` is exactly the start. The keys are whatever people
//! call them: the names below are those in use. Without `escape=json` the
//! object is not quite JSON, which [`mod@crate::format::object`] knows.
//! <https://nginx.org/en/docs/http/ngx_http_log_module.html>

use super::keys::{Keys, Note, Part, end};
use crate::format::{
    EndedBy, Field, Parsed, Record,
    object::{Broken, Wanted, walk},
};
use crate::time::{Micros, Unit, decimal};

/// Access records of nginx as objects. Time: end. Duration: seconds.
#[derive(Clone, Debug)]
pub struct Nginx {
    keys: Keys,
    marks: Wanted<()>,
}

/// Times; the finest of those logged is taken.
const TIMES: &str = "msec|time_msec|ts|timestamp|time|@timestamp|time_iso8601|\
    time_local|datetime|date|@time";

/// The other fields, the better name first. A target other than
/// `$request_uri` and `$request` may have been rewritten by a redirect, or
/// lack its query.
fn fields() -> [(&'static str, Field); 17] {
    [
        ("request|request_line", Field::Request),
        ("request_uri|request_url", Field::Target),
        ("uri|url|path|document_uri", Field::InternalPath),
        ("request_method|method|verb|http_method", Field::Method),
        ("status|status_code|response_code|code", Field::Status),
        ("body_bytes_sent|bytes_sent|bytes|size", Field::Bytes),
        (
            "request_time|responsetime|response_time|rt",
            Field::Duration(Unit::Seconds),
        ),
        ("duration|request_duration", Field::Span),
        (
            "remote_addr|client_ip|remote_ip|clientip|client_addr|\
             client|ip",
            Field::Address,
        ),
        (
            "http_x_forwarded_for|x_forwarded_for|x-forwarded-for|xff",
            Field::Forwarded,
        ),
        ("http_user_agent|user_agent|agent|useragent|ua", Field::Agent),
        ("http_mcp_method|mcp_method|mcp-method", Field::McpMethod),
        (
            "http_mcp_session_id|mcp_session_id|mcp-session-id|\
             mcp_session|session_id",
            Field::Session,
        ),
        ("request_id|req_id|rid|http_x_request_id", Field::RequestId),
        ("request_completion|completion", Field::Completion),
        ("event|ev", Field::Event),
        ("outcome", Field::Outcome),
    ]
}

/// The upstreams' times: the duration where nothing better was logged.
const UPSTREAM: &str = "upstream_response_time|upstreamtime|upstream_time|urt";

/// Names of nginx's own variables: other servers' objects lack them.
const MARKS: [&str; 14] = [
    "body_bytes_sent",
    "http_referer",
    "http_user_agent",
    "msec",
    "remote_addr",
    "remote_user",
    "request_completion",
    "request_length",
    "request_time",
    "request_uri",
    "time_iso8601",
    "time_local",
    "upstream_addr",
    "upstream_response_time",
];

impl Default for Nginx {
    fn default() -> Nginx {
        let times = [(TIMES, end()), (UPSTREAM, Part::Note(Note::Duration))];
        let fields =
            fields().map(|(paths, field)| (paths, Part::Field(field)));
        let keys = times.into_iter().chain(fields);
        let marks = MARKS.map(|path| (path, ()));
        Nginx { keys: Keys::new(keys), marks: Wanted::new(marks) }
    }
}

impl Nginx {
    /// Reads one object.
    ///
    /// # Errors
    ///
    /// A rejection when it is no object, or a time or duration in it cannot
    /// be read.
    pub fn parse<'a>(&self, record: &'a [u8]) -> Parsed<Record<'a>> {
        let found = self.keys.find(record)?;
        let upstream = found.note(Note::Duration);
        let upstream = upstream.map(|(text, at)| (upstream_time(text), at));
        let mut record = found.into_record()?;
        if let (None, Some((Some(duration), at))) = (record.duration, upstream)
        {
            record.offer_duration(duration, at)?;
        }
        // Only this status tells who left; once a byte was sent it is the
        // response's own. <https://nginx.org/en/docs/dev/development_guide.html>
        if record.status == 499 {
            record.ended_by = EndedBy::Client;
        }
        Ok(record)
    }

    /// Whether this is an access record of nginx: it can be read, tells when
    /// and what, and has at least one key that nginx's own variables name.
    pub fn fits(&self, record: &[u8]) -> bool {
        let mut marked = false;
        let read = walk(record, &self.marks, |(), _, _| {
            marked = true;
            Ok::<_, Broken>(())
        });
        let whole = |record: Record<'_>| {
            record.end.is_some() && !record.target.is_empty()
        };
        read.is_ok() && marked && self.parse(record).is_ok_and(whole)
    }
}

/// The sum of the upstreams' times, one after the other: `0.001, 20.001`,
/// with ` : ` after an internal redirect and `-` where none answered.
fn upstream_time(text: &[u8]) -> Option<Micros> {
    let times = text.split(|byte| matches!(byte, b',' | b':'));
    let times = times.map(<[u8]>::trim_ascii);
    let mut sum = None;
    for time in times.filter(|time| !matches!(*time, b"" | b"-")) {
        let time = decimal(time, Unit::Seconds)?;
        sum = Some(sum.unwrap_or(Micros::ZERO) + time);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::Event;

    fn read(text: &str) -> Record<'_> {
        Nginx::default().parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn the_upstreams_times_stand_in_for_a_missing_duration() {
        let sum = |text: &str| upstream_time(text.as_bytes());
        assert_eq!(sum("0.001, 20.001"), Some(Micros(20_002_000)));
        assert_eq!(sum("-, 0.500 : 1.000"), Some(Micros(1_500_000)));
        assert_eq!(sum("-"), None);
        assert_eq!(sum("soon"), None);
        let found = read(r#"{"urt":0.001, 20.001,"status":200}"#);
        assert_eq!(found.duration, Some(Micros(20_002_000)));
        let found = read(r#"{"urt":0.001, 20.001,"request_time":21.5}"#);
        assert_eq!(found.duration, Some(Micros(21_500_000)));
        assert_eq!(read(r#"{"urt":,"request_time":,"a":1}"#).duration, None);
    }

    #[test]
    fn completion_and_499_tell_who_ended_it() {
        let by = |text| read(text).ended_by;
        assert_eq!(by(r#"{"completion":""}"#), EndedBy::Client);
        assert_eq!(by(r#"{"request_completion":"-"}"#), EndedBy::Client);
        assert_eq!(by(r#"{"completion":"OK"}"#), EndedBy::Server);
        assert_eq!(by(r#"{"status":"499"}"#), EndedBy::Client);
        assert_eq!(by(r#"{"status":"200"}"#), EndedBy::Unknown);
    }

    #[test]
    fn the_bytes_are_the_bodys_where_both_are_logged() {
        let sent = |text: &str| (read(text).status, read(text).bytes);
        let text = r#"{"bytes_sent":785,"body_bytes_sent":"480","status":200,
            "request_length":164,"upstream_status":"502"}"#;
        assert_eq!(sent(text), (200, Some(480)));
        for key in ["bytes_sent", "bytes", "size"] {
            let text = format!(r#"{{"{key}":785,"status":"404"}}"#);
            assert_eq!(sent(&text), (404, Some(785)), "{key}");
        }
        assert_eq!(sent(r#"{"bytes_sent":"-","status":""}"#), (0, None));
    }

    #[test]
    fn a_rewritten_uri_does_not_hide_the_request() {
        let text = r#"{"uri":"/index.php","request":"GET /mcp?x HTTP/1.1"}"#;
        assert_eq!(*read(text).target, *b"/mcp?x");
        let text = r#"{"uri":"/_open","request_uri":"/mcp","event":"x"}"#;
        let found = read(text);
        assert_eq!((&*found.target, found.event), (&b"/mcp"[..], Event::Open));
    }

    #[test]
    fn the_forwarded_address_is_the_clients() {
        let text = r#"{"xff":"192.0.2.7, 10.0.0.1","remote_addr":"10.0.0.1"}"#;
        assert_eq!(*read(text).address, *b"192.0.2.7");
        let text = r#"{"xff":"-","remote_addr":"10.0.0.1"}"#;
        assert_eq!(*read(text).address, *b"10.0.0.1");
    }

    #[test]
    fn objects_of_others_do_not_fit() {
        let nginx = Nginx::default();
        for text in [
            r#"{"time":"2026-08-01T12:00:00Z","method":"GET","path":"/x"}"#,
            r#"{"level":30,"time":1795959863784,"req":{"url":"/x"}}"#,
            r#"{"request_time":1.0}"#,
            "GET / HTTP/1.1",
        ] {
            assert!(!nginx.fits(text.as_bytes()), "{text}");
        }
    }
}

//! Cloudflare's `http_requests`, from Logpush, Logpull or Instant Logs.
//!
//! A row holds both ends of the request: when the edge received it and when
//! it finished sending the response, in the `timestamp_format` of the job:
//! seconds, nanoseconds, or RFC 3339 with seconds, milliseconds or
//! nanoseconds. Fields that were not selected are missing. A request that a
//! Worker made has a row of its own beside its visitor's. Instant Logs show
//! one request in `sampleInterval`. Rows of `websocket_analytics`, which are
//! of a connection, have the same times and are refused.
//! <https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/>
//! <https://developers.cloudflare.com/logs/reference/clientrequestsource/>

use super::NOT_ACCESS;
use super::keys::{Keys, Note, Part, Texts, end, start};
use crate::format::{Field, Parsed, Record, Reject};

/// Rows of the data set `http_requests`. Both ends are logged.
#[derive(Clone, Debug)]
pub struct HttpRequests {
    keys: Keys,
}

/// Keys, the better one first.
fn keys() -> [(&'static str, Part); 16] {
    let field = Part::Field;
    [
        ("EdgeStartTimestamp", start()),
        ("EdgeEndTimestamp", end()),
        ("ClientRequestURI|ClientRequestPath", field(Field::Target)),
        ("ClientRequestMethod", field(Field::Method)),
        ("ClientIP", field(Field::Address)),
        ("ClientRequestUserAgent", field(Field::Agent)),
        ("RayID", field(Field::RequestId)),
        ("EdgeResponseStatus", field(Field::Status)),
        ("EdgeResponseBodyBytes|EdgeResponseBytes", field(Field::Bytes)),
        ("RequestHeaders.mcp-method", field(Field::McpMethod)),
        ("RequestHeaders.mcp-session-id", field(Field::Session)),
        ("ClientRequestSource", Part::Note(Note::Source)),
        ("ParentRayID", Part::Note(Note::Parent)),
        ("WorkerSubrequest", Part::Note(Note::Inner)),
        ("sampleInterval", Part::Note(Note::Sampled)),
        (
            "ConnectionID|ConnectionCloseReason|ConnectionCloseSource",
            Part::Note(Note::Message),
        ),
    ]
}

impl Default for HttpRequests {
    fn default() -> HttpRequests {
        HttpRequests { keys: Keys::new(keys()) }
    }
}

impl HttpRequests {
    /// Reads one row.
    ///
    /// # Errors
    ///
    /// A [`Reject`] when it is no object, not a visitor's request
    /// ([`NOT_ACCESS`]), or a time in it cannot be read.
    pub fn parse<'a>(&self, record: &'a [u8]) -> Parsed<Record<'a>> {
        let found = self.keys.find(record)?;
        if found.note(Note::Message).is_some() {
            return Err(Reject::shape(0, "a row of http_requests"));
        }
        if !is_visitor(&found) {
            return Err(Reject::shape(0, NOT_ACCESS));
        }
        let sampled = sampled(&found);
        let mut record = found.into_record()?;
        record.sampled = sampled;
        Ok(record)
    }

    /// Whether this is a visitor's row of this data set.
    pub fn fits(&self, record: &[u8]) -> bool {
        self.parse(record).is_ok_and(|record| {
            (record.start.is_some() || record.end.is_some())
                && !record.target.is_empty()
        })
    }
}

/// How many requests a row stands for, 0 where the log is no sample.
fn sampled(found: &Texts<'_, '_>) -> u32 {
    let interval = found.note(Note::Sampled);
    let text = interval.and_then(|(text, _)| std::str::from_utf8(text).ok());
    text.and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Whether a visitor made the request, and not Cloudflare itself or a
/// Worker on the visitor's behalf. A visitor who comes through another zone
/// (`orangeToOrange`) has no other row in this one.
fn is_visitor(found: &Texts<'_, '_>) -> bool {
    let source = found.note(Note::Source).map(|(source, _)| source);
    let visitor = matches!(
        source,
        None | Some(b"eyeball" | b"orangeToOrange" | b"unknown")
    );
    let parent = found.note(Note::Parent).map(|(parent, _)| parent);
    let alone = parent.is_none_or(|ray| ray.iter().all(|&c| c == b'0'));
    let inner = found.note(Note::Inner).map(|(inner, _)| inner);
    visitor && alone && inner != Some(b"true")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::EndedBy;

    fn read(rest: &str) -> Parsed<Record<'static>> {
        let row = format!(
            r#"{{"EdgeStartTimestamp":1785585600123000000,
            "EdgeEndTimestamp":1785585660124000000{rest}}}"#
        );
        HttpRequests::default().parse(row.leak().as_bytes())
    }

    #[test]
    fn a_workers_own_requests_are_not_a_visitors() {
        let other = Err(Reject::shape(0, NOT_ACCESS));
        for rest in [
            r#","ClientRequestSource":"edgeWorkerFetch""#,
            r#","ClientRequestSource":"edgeWorkerCacheAPI""#,
            r#","ClientRequestSource":"healthcheck""#,
            r#","WorkerSubrequest":true"#,
            r#","ParentRayID":"87a1b2c3d4e5f001""#,
        ] {
            assert_eq!(read(rest), other, "{rest}");
        }
        for rest in [
            "",
            r#","ClientRequestSource":"eyeball","ParentRayID":"00""#,
            r#","ClientRequestSource":"orangeToOrange""#,
            r#","ClientRequestSource":"","WorkerSubrequest":false"#,
        ] {
            assert!(read(rest).is_ok(), "{rest}");
        }
    }

    #[test]
    fn a_path_stands_in_for_a_missing_uri_and_499_is_the_client() {
        let rest = r#","ClientRequestPath":"/a","EdgeResponseStatus":499"#;
        let record = read(rest).unwrap();
        assert_eq!(*record.target, *b"/a");
        assert_eq!(record.ended_by, EndedBy::Client);
        let rest = r#","ClientRequestPath":"/a","ClientRequestURI":"/a?b""#;
        assert_eq!(*read(rest).unwrap().target, *b"/a?b");
    }

    #[test]
    fn the_bytes_are_the_bodys_where_both_are_logged() {
        let all = r#","CacheResponseBytes":7,"EdgeResponseBytes":703"#;
        let body = r#","EdgeResponseBodyBytes":480"#;
        for (rest, bytes) in [
            (format!("{all}{body}"), Some(480)),
            (format!("{body}{all}"), Some(480)),
            (all.to_owned(), Some(703)),
            (String::new(), None),
        ] {
            assert_eq!(read(&rest).unwrap().bytes, bytes, "{rest}");
        }
        let rest = r#","OriginResponseStatus":502,"EdgeResponseStatus":200"#;
        assert_eq!(read(rest).unwrap().status, 200);
    }

    #[test]
    fn a_row_of_instant_logs_says_how_many_it_stands_for() {
        for (rest, sampled) in [
            (r#","sampleInterval":10"#, 10),
            (r#","sampleInterval":1"#, 1),
            (r#","sampleInterval":"x""#, 0),
            ("", 0),
        ] {
            assert_eq!(read(rest).unwrap().sampled, sampled, "{rest}");
        }
    }

    #[test]
    fn a_row_of_a_websocket_connection_is_of_another_data_set() {
        let other = Err(Reject::shape(0, "a row of http_requests"));
        for key in ["ConnectionID", "ConnectionCloseSource"] {
            assert_eq!(read(&format!(r#","{key}":"c""#)), other);
        }
    }
}

//! CloudFront's standard log, version 2, as JSON.
//!
//! One object a request under the names of version 1's columns, all values
//! strings: `"date":"2026-08-01","time":"12:01:00"` is the end in UTC,
//! `timestamp(ms)` the same end where it was selected, `time-taken` seconds.
//! Values are percent-encoded.
//! <https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logging.html>

use std::sync::LazyLock;

use super::About;
use crate::format::json::{Wanted, walk};
use crate::format::w3c::{Column, Entry, Meaning};
use crate::format::{Mark, Parsed, Record, Reject};
use crate::time::Unit;

pub(super) const ABOUT: About = About {
    name: "cloudfront-json",
    server: "AWS CloudFront, standard log v2 as JSON",
    mark: Mark::End,
    unit: Some(Unit::Seconds),
    duration: "s",
    ended_by: "ClientCommError, status 000",
    ..About::DEFAULT
};

static KEYS: LazyLock<Wanted<Column>> =
    LazyLock::new(|| Wanted::new(Column::keys()));

/// Reads one object.
pub(super) fn parse(record: &[u8], zone: i64) -> Parsed<Record<'_>> {
    let has = |key: &[u8]| memchr::memmem::find(record, key).is_some();
    if !record.starts_with(b"{") || !has(b"\"x-edge-") {
        return Err(Reject::shape(0, "an object with an x-edge- key"));
    }
    let mut entry = Entry::default();
    walk(record, &KEYS, |column, value, at| {
        if let Some(text) = value.into_text() {
            entry.take(*column, text, at);
        }
        Ok::<_, Reject>(())
    })?;
    let unit = Some(Unit::Seconds);
    let meaning = Meaning { unit, percent: true, starts: false, zone };
    entry.into_record(meaning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::EndedBy;
    use crate::time::Micros;

    const ROW: &str = r#"{"date":"2026-08-01","time":"12:01:00","timestamp(ms)":"1785585660124","x-edge-location":"CDG50-P2","cs-bytes":"62","sc-bytes":"703","c-ip":"192.0.2.7","cs-method":"GET","cs(Host)":"d1.example.net","cs-uri-stem":"/subscriptions/listen","sc-status":"200","cs(Referer)":"-","cs(User-Agent)":"mcp/1.0%20(x)","cs-uri-query":"-","x-edge-result-type":"Miss","x-edge-request-id":"id==","time-taken":"60.001","x-edge-detailed-result-type":"Miss"}"#;

    #[test]
    fn a_row_is_its_end_and_the_finer_clock_is_taken() {
        let read = parse(ROW.as_bytes(), 0).unwrap();
        let end = read.end.unwrap();
        assert_eq!(end.at.to_rfc3339(), "2026-08-01T12:01:00.124Z");
        assert_eq!(end.grain, Micros(1_000));
        assert_eq!(read.duration, Some(Micros(60_001_000)));
        assert_eq!(*read.target, *b"/subscriptions/listen");
        assert_eq!((&*read.method, read.status), (&b"GET"[..], 200));
        assert_eq!(read.bytes, Some(703));
        assert_eq!(*read.agent, *b"mcp/1.0 (x)");
        assert_eq!(*read.address, *b"192.0.2.7");
        assert_eq!(*read.request_id, *b"id==");
        assert_eq!(read.ended_by, EndedBy::Unknown);
        let coarse = ROW.replace("timestamp(ms)", "other");
        let end = parse(coarse.as_bytes(), 0).unwrap().end.unwrap();
        assert_eq!(end.at.to_rfc3339(), "2026-08-01T12:01:00Z");
    }

    #[test]
    fn a_client_that_left_is_told_two_ways() {
        let result = r#"detailed-result-type":"Miss"#;
        let left = r#"detailed-result-type":"ClientCommError"#;
        for row in [ROW.replace(result, left), ROW.replace("200", "000")] {
            let read = parse(row.as_bytes(), 0).unwrap();
            assert_eq!(read.ended_by, EndedBy::Client, "{row}");
        }
    }

    #[test]
    fn what_was_not_selected_is_missing_but_a_time_must_be_there() {
        let some = r#"{"timestamp(ms)":1785585660124,"x-edge-result-type":"Hit","cs-uri-stem":"/a"}"#;
        assert!(parse(some.as_bytes(), 0).is_ok());
        let none = r#"{"x-edge-result-type":"Hit","cs-uri-stem":"/a"}"#;
        let refused = Err(Reject::time(0, "a date and a time"));
        assert_eq!(parse(none.as_bytes(), 0), refused);
    }

    #[test]
    fn other_objects_are_refused_and_no_mangled_one_panics() {
        for row in [
            r#"{"date":"2026-08-01","time":"12:01:00","cs-uri-stem":"/a"}"#,
            r#"["x-edge-result-type"]"#,
            "",
        ] {
            assert!(parse(row.as_bytes(), 0).is_err(), "{row}");
        }
        for end in 0..ROW.len() {
            assert!(parse(&ROW.as_bytes()[..end], 0).is_err());
        }
    }
}

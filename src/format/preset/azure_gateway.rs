//! Azure Application Gateway: its access log, versions 1 and 2.
//!
//! Written when the request has ended; the time is that instant, to the
//! second. `timeTaken` is seconds with decimals in version 2 and whole
//! milliseconds in version 1, whose instances are called
//! `ApplicationGatewayRole_IN_0` and so on: a whole number of such an
//! instance is milliseconds, everything else seconds. Log Analytics spells
//! the keys with capitals and has no `properties`.
//! <https://learn.microsoft.com/azure/application-gateway/monitor-application-gateway-reference>
//! <https://learn.microsoft.com/azure/azure-monitor/reference/tables/agwaccesslogs>

use std::sync::LazyLock;

use super::About;
use super::object::{noted, object};
use crate::format::json::{Keys, Note, Part};
use crate::format::{
    EndedBy, Field, Mark, NOT_ACCESS, Parsed, Record, Reject,
};
use crate::time::{self, Unit};

pub(super) const ABOUT: About = About {
    name: "azure-gateway",
    server: "Azure Application Gateway",
    mark: Mark::End,
    unit: Some(Unit::Seconds),
    duration: "s; v1 ms",
    ended_by: "status 499",
    ..About::DEFAULT
};

/// Behind `time` stands when Azure took the record up, where both are there.
static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let (field, note) = (Part::Field, Part::Note);
    Keys::new([
        ("operationName|OperationName|category", note(Note::Source)),
        ("timeStamp|time|TimeGenerated", note(Note::Time)),
        ("properties.timeTaken|TimeTaken", note(Note::Duration)),
        ("properties.instanceId|InstanceId", note(Note::Parent)),
        ("properties.error_info|ErrorInfo", note(Note::Message)),
        (
            "properties.originalRequestUriWithArgs|\
             OriginalRequestUriWithArgs|properties.requestUri|\
             RequestUri",
            field(Field::Target),
        ),
        ("properties.httpMethod|HttpMethod", field(Field::Method)),
        ("properties.clientIP|ClientIp", field(Field::Address)),
        ("properties.userAgent|UserAgent", field(Field::Agent)),
        ("properties.httpStatus|HttpStatus", field(Field::Status)),
        ("properties.sentBytes|SentBytes", field(Field::Bytes)),
        ("properties.transactionId|TransactionId", field(Field::RequestId)),
    ])
});

/// Reads one record.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let found = object(record, "ApplicationGateway", &KEYS)?;
    match noted(&found, Note::Source) {
        b"ApplicationGatewayAccess" | b"ApplicationGatewayAccessLog" => {}
        other if other.starts_with(b"ApplicationGateway") => {
            return Err(Reject::shape(0, NOT_ACCESS));
        }
        _ => return Err(Reject::shape(0, "an ApplicationGatewayAccessLog")),
    }
    let end = found.note(Note::Time).map(|(text, at)| {
        time::rfc3339(text).ok_or(Reject::time(at, "a time"))
    });
    let instance = noted(&found, Note::Parent);
    let duration = found.note(Note::Duration).map(|(text, at)| {
        let duration = time::decimal(text, unit(text, instance));
        duration
            .map(|duration| (duration, at))
            .ok_or(Reject::duration(at, "a timeTaken"))
    });
    let (end, duration) = (end.transpose()?, duration.transpose()?);
    let info = noted(&found, Note::Message);
    let left = info == b"ERRORINFO_CLIENT_CLOSED_REQUEST";
    let mut record = found.into_record()?;
    record.end = end;
    if let Some((duration, at)) = duration {
        record.offer_duration(duration, at)?;
    }
    if left {
        record.ended_by = EndedBy::Client;
    }
    Ok(record)
}

/// The unit of a `timeTaken`.
fn unit(taken: &[u8], instance: &[u8]) -> Unit {
    let whole = memchr::memchr(b'.', taken).is_none();
    if whole && instance.starts_with(b"ApplicationGatewayRole") {
        Unit::Millis
    } else {
        Unit::Seconds
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    fn access(time: &str, properties: &str) -> Record<'static> {
        let line = format!(
            r#"{{{time},"operationName":"ApplicationGatewayAccess",
            "category":"ApplicationGatewayAccessLog","properties":
            {{"clientIP":"192.0.2.7","clientPort":-,"httpMethod":"GET",
            "receivedBytes":220,"sentBytes":480,
            "requestUri":"\/subscriptions\/listen",{properties}}}}}"#
        );
        parse(line.leak().as_bytes(), 0).unwrap()
    }

    #[test]
    fn version_2_logs_seconds_and_version_1_milliseconds() {
        let v2 = r#""timeStamp":"2026-08-01T12:01:00+00:00""#;
        let v1 = r#""time":"2026-08-01T12:01:00.0000001Z""#;
        let role = r#""instanceId":"ApplicationGatewayRole_IN_0","#;
        for (time, properties, duration) in [
            (v2, r#""timeTaken":60.001"#.to_owned(), 60_001_000),
            (v2, r#""timeTaken":60"#.to_owned(), 60_000_000),
            (v2, r#""timeTaken":"60.001""#.to_owned(), 60_001_000),
            (v1, format!(r#"{role}"timeTaken":60001"#), 60_001_000),
            (v1, format!(r#"{role}"timeTaken":"60001""#), 60_001_000),
            (v2, format!(r#"{role}"timeTaken":60.001"#), 60_001_000),
        ] {
            let read = access(time, &properties);
            assert_eq!(read.duration, Some(Micros(duration)), "{properties}");
            let end = read.end.unwrap().at;
            assert_eq!(end.to_rfc3339(), "2026-08-01T12:01:00Z");
            assert_eq!(*read.target, *b"/subscriptions/listen");
            assert_eq!(*read.address, *b"192.0.2.7");
            assert_eq!(read.bytes, Some(480));
        }
    }

    #[test]
    fn the_clients_own_path_counts_and_a_client_that_left_is_told() {
        let time = r#""timeStamp":"2026-08-01T12:01:00+00:00""#;
        let rewritten = r#""originalRequestUriWithArgs":"\/mcp?a=1""#;
        assert_eq!(*access(time, rewritten).target, *b"/mcp?a=1");
        for left in [
            r#""httpStatus":499"#,
            r#""httpStatus":200,"error_info":
            "ERRORINFO_CLIENT_CLOSED_REQUEST""#,
        ] {
            assert_eq!(access(time, left).ended_by, EndedBy::Client);
        }
        let timeout = r#""error_info":"ERRORINFO_UPSTREAM_TIMED_OUT""#;
        assert_eq!(access(time, timeout).ended_by, EndedBy::Unknown);
    }

    #[test]
    fn a_log_analytics_row_has_capitals_and_seconds() {
        let row = br#"{"TimeGenerated":"2026-08-01T12:01:00Z","OperationName":"ApplicationGatewayAccess","InstanceId":"appgw_2","ClientIp":"192.0.2.7","HttpMethod":"GET","RequestUri":"/subscriptions/listen","HttpStatus":200,"ReceivedBytes":220,"SentBytes":480,"TimeTaken":60.001,"TransactionId":"592d","Type":"AGWAccessLogs"}"#;
        let read = parse(row, 0).unwrap();
        assert_eq!(read.duration, Some(Micros(60_001_000)));
        assert_eq!((&*read.request_id, read.status), (&b"592d"[..], 200));
        assert_eq!(read.bytes, Some(480));
    }

    #[test]
    fn its_firewalls_log_is_no_access_log() {
        let row = br#"{"time":"2026-08-01T12:01:00Z","category":"ApplicationGatewayFirewallLog","properties":{"requestUri":"/"}}"#;
        assert_eq!(parse(row, 0), Err(Reject::shape(0, NOT_ACCESS)));
    }
}

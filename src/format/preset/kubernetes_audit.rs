//! The audit log of the Kubernetes API server.
//!
//! A record a stage of a request, all with its `auditID` and with both the
//! time it was received and that of the stage. `ResponseComplete` and
//! `Panic` are written when the request has ended and tell all of it;
//! `ResponseStarted`, of a watch, an exec and the like alone, is the opening.
//! `RequestReceived`, which every request has, comes before the server knows
//! whether to hold it, and is passed over so that none is opened twice.
//! <https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/>

use std::sync::LazyLock;

use super::About;
use super::object::{noted, object};
use crate::format::json::{Keys, Note, Part, start};
use crate::format::{
    EndedBy, Event, Field, Mark, NOT_ACCESS, Parsed, Record, Reject, Shape,
};

pub(super) const ABOUT: About = About {
    name: "kubernetes-audit",
    server: "Kubernetes API server audit log",
    mark: Mark::End,
    duration: "stageTimestamp - requestReceivedTimestamp",
    ended_by: "stage Panic",
    ..About::DEFAULT
};

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let field = Part::Field;
    Keys::new([
        ("stage", Part::Note(Note::Message)),
        ("requestReceivedTimestamp", start()),
        ("stageTimestamp", Part::Note(Note::Time)),
        ("requestURI", field(Field::Target)),
        ("verb", field(Field::Method)),
        ("sourceIPs", field(Field::Address)),
        ("userAgent", field(Field::Agent)),
        ("responseStatus.code", field(Field::Status)),
        ("auditID", field(Field::RequestId)),
    ])
});

/// Reads one record.
pub(super) fn parse(record: &[u8], _zone: i64) -> Parsed<Record<'_>> {
    let found = object(record, "\"auditID\"", &KEYS)?;
    let (event, ended_by) = match noted(&found, Note::Message) {
        b"ResponseComplete" => (Event::Whole, EndedBy::Unknown),
        b"Panic" => (Event::Whole, EndedBy::Server),
        b"ResponseStarted" => (Event::Open, EndedBy::Unknown),
        b"RequestReceived" => return Err(Reject::shape(0, NOT_ACCESS)),
        _ => return Err(Reject::shape(0, "a stage of an audit event")),
    };
    let staged = found.note(Note::Time).map(|(text, at)| {
        let clock = Shape::Rfc3339.read(text);
        clock.ok_or(Reject::time(at, "a stageTimestamp"))
    });
    let staged = staged.transpose()?;
    let mut record = found.into_record()?;
    if record.target.is_empty() {
        return Err(Reject::shape(0, "a requestURI"));
    }
    (record.event, record.ended_by) = (event, ended_by);
    record.end = staged.filter(|_| event == Event::Whole);
    record.method.to_mut().make_ascii_uppercase();
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Micros;

    fn event(stage: &str) -> Parsed<Record<'static>> {
        let event = format!(
            r#"{{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":
            "Metadata","auditID":"3e74","stage":"{stage}","requestURI":
            "/api/v1/pods?timeoutSeconds=60\u0026watch=true","verb":"watch",
            "user":{{"username":"system:node:w1"}},"sourceIPs":
            ["192.0.2.7","10.0.0.1"],"userAgent":"kubelet/v1.33.0",
            "responseStatus":{{"metadata":{{}},"code":200}},
            "requestReceivedTimestamp":"2026-08-01T12:00:00.123456Z",
            "stageTimestamp":"2026-08-01T12:01:00.124456Z"}}"#
        );
        parse(event.leak().as_bytes(), 0)
    }

    #[test]
    fn the_last_stage_tells_the_whole_request() {
        for (stage, who) in [
            ("ResponseComplete", EndedBy::Unknown),
            ("Panic", EndedBy::Server),
        ] {
            let read = event(stage).unwrap();
            let (start, end) = (read.start.unwrap().at, read.end.unwrap().at);
            assert_eq!(end - start, Micros(60_001_000));
            assert_eq!((read.event, read.ended_by), (Event::Whole, who));
            assert_eq!(
                *read.target,
                *b"/api/v1/pods?timeoutSeconds=60&watch=true"
            );
            assert_eq!((&*read.method, read.status), (&b"WATCH"[..], 200));
            assert_eq!(*read.address, *b"192.0.2.7");
            assert_eq!(*read.request_id, *b"3e74");
        }
    }

    #[test]
    fn a_held_one_is_opened_once() {
        let read = event("ResponseStarted").unwrap();
        assert_eq!((read.event, read.end), (Event::Open, None));
        let start = read.start.unwrap().at;
        assert_eq!(start.to_rfc3339(), "2026-08-01T12:00:00.123456Z");
        let other = Err(Reject::shape(0, NOT_ACCESS));
        assert_eq!(event("RequestReceived"), other);
        let odd = Reject::shape(0, "a stage of an audit event");
        assert_eq!(event("Later"), Err(odd));
    }
}

//! The keys that tell a wrapper from an access record.

use std::sync::LazyLock;

use super::{JOURNAL, LOG, MESSAGE, OWN};
use crate::format::object::Wanted;

/// What a key holds or says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// The line; the lower its rank, the better.
    Line(u8),
    /// When it was taken up.
    Time(u8),
    /// What names the process.
    Process(u8),
    /// `stdout` or `stderr`.
    Output,
    /// CRI's tag: whether the line goes on in the next object.
    Split,
    /// Docker's `fluentd` driver says whether this piece is the last.
    Last,
    /// `CloudWatch` wrote it.
    Event,
    /// `CloudWatch` wrote it, if this is one of its ids.
    EventId,
    /// A shipper wrote it.
    Shipper,
    /// It is an access record.
    Access,
    /// It is one if this is a number of three digits.
    Status,
}

/// The rank of the journal's time.
pub(super) const JOURNAL_TIME: u8 = 0;

/// The first rank of a process that programs name themselves.
pub(super) const PROCESS_OF_ANY: u8 = 3;

/// Compiled once.
pub(super) static KEYS: LazyLock<Wanted<Key>> = LazyLock::new(|| {
    let of = |paths: &'static [&'static str], key: Key| {
        paths.iter().map(move |path| (*path, key))
    };
    let ranked = [LINES, TIMES, PROCESSES].into_iter().flatten().copied();
    let keys = ranked
        .chain(of(&["stream"], Key::Output))
        .chain(of(&["logtag", "_p"], Key::Split))
        .chain(of(&["partial_last"], Key::Last))
        .chain(of(EVENT, Key::Event))
        .chain(of(&["id"], Key::EventId))
        .chain(of(SHIPPER, Key::Shipper))
        .chain(of(ACCESS, Key::Access))
        .chain(of(STATUS, Key::Status));
    Wanted::new(keys)
});

const LINES: &[(&str, Key)] = &[
    ("log", Key::Line(LOG)),
    ("MESSAGE", Key::Line(JOURNAL)),
    ("line", Key::Line(OWN)),
    ("_raw", Key::Line(OWN)),
    ("result._raw", Key::Line(OWN)),
    ("textPayload", Key::Line(OWN)),
    ("content.message", Key::Line(OWN)),
    ("attributes.message", Key::Line(OWN)),
    ("message", Key::Line(MESSAGE)),
    ("msg", Key::Line(MESSAGE)),
    ("@message", Key::Line(MESSAGE)),
];

const TIMES: &[(&str, Key)] = &[
    ("__REALTIME_TIMESTAMP", Key::Time(JOURNAL_TIME)),
    ("timestamp_ns", Key::Time(1)),
    ("time", Key::Time(1)),
    ("timestamp", Key::Time(2)),
    ("@timestamp", Key::Time(3)),
    ("ts", Key::Time(4)),
    ("date", Key::Time(5)),
    ("_time", Key::Time(6)),
    ("result._time", Key::Time(6)),
    ("content.timestamp", Key::Time(6)),
    ("attributes.timestamp", Key::Time(6)),
];

/// A container lives as long as its process, a pod may see several.
const PROCESSES: &[(&str, Key)] = &[
    ("container_id", Key::Process(0)),
    ("container.id", Key::Process(0)),
    ("kubernetes.docker_id", Key::Process(0)),
    ("kubernetes.container_id", Key::Process(0)),
    ("fly.app.instance", Key::Process(0)),
    ("kubernetes.pod_name", Key::Process(1)),
    ("kubernetes.pod.name", Key::Process(1)),
    ("labels.pod", Key::Process(1)),
    ("resource.labels.pod_name", Key::Process(1)),
    ("container_name", Key::Process(2)),
    ("logStreamName", Key::Process(2)),
    ("@logStream", Key::Process(2)),
    ("_PID", Key::Process(PROCESS_OF_ANY)),
    ("procid", Key::Process(PROCESS_OF_ANY)),
    ("pid", Key::Process(PROCESS_OF_ANY)),
];

const EVENT: &[&str] = &["eventId", "ingestionTime", "@ptr"];

/// Of Vector, Filebeat, Fluent Bit, Docker's drivers, Loki, Fly, Google.
const SHIPPER: &[&str] = &[
    "source_type",
    "agent.type",
    "agent.version",
    "input.type",
    "log.offset",
    "log.file.path",
    "@metadata.beat",
    "kubernetes.namespace_name",
    "kubernetes.namespace",
    "kubernetes.container_name",
    "kubernetes.container.name",
    "container_image",
    "syslog-tag",
    "fly.region",
    "fly.app.name",
    "logName",
    "resource.type",
];

/// What servers log of a request, and platforms of an invocation.
const ACCESS: &[&str] = &[
    "method",
    "verb",
    "http_method",
    "request_method",
    "requestMethod",
    "RequestMethod",
    "ClientRequestMethod",
    "req.method",
    "request.method",
    "http.method",
    "http.request.method",
    "httpRequest.requestMethod",
    "meta.req.method",
    "req.url",
    "request.url",
    "request.uri",
    "httpRequest.requestUrl",
    "http.url",
    "url.path",
    "url.original",
    "url.full",
    "url",
    "uri",
    "request",
    "request_uri",
    "requestURI",
    "RequestPath",
    "ClientRequestURI",
    "ClientRequestPath",
    "res.statusCode",
    "response.status",
    "statusCode",
    "status_code",
    "response_code",
    "httpStatus",
    "http.response.status_code",
    "DownstreamStatus",
    "EdgeResponseStatus",
    "duration",
    "duration_ms",
    "duration_s",
    "Duration",
    "event.duration",
    "elapsed",
    "elapsed_ms",
    "elapsed_time",
    "latency",
    "latency_ms",
    "latencies.request",
    "httpRequest.latency",
    "request_time",
    "responseTime",
    "response_time",
    "meta.responseTime",
    "remote_addr",
    "remote_ip",
    "remoteAddr",
    "client_ip",
    "ClientIP",
    "reqId",
    "req.id",
    "proxy.method",
    "proxy.path",
    "deploymentId",
];

const STATUS: &[&str] = &["status"];

//! The keys that tell a wrapper from an access record.

use std::sync::LazyLock;

use super::{JOURNAL, LOG, MESSAGE, OWN};
use crate::format::object::Wanted;

/// What a key holds or says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyMeaning {
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
pub(super) static KEYS: LazyLock<Wanted<KeyMeaning>> = LazyLock::new(|| {
    let of = |paths: &'static [&'static str], key: KeyMeaning| {
        paths.iter().map(move |path| (*path, key))
    };
    let ranked = [LINES, TIMES, PROCESSES].into_iter().flatten().copied();
    let keys = ranked
        .chain(of(&["stream"], KeyMeaning::Output))
        .chain(of(&["logtag", "_p"], KeyMeaning::Split))
        .chain(of(&["partial_last"], KeyMeaning::Last))
        .chain(of(EVENT, KeyMeaning::Event))
        .chain(of(&["id"], KeyMeaning::EventId))
        .chain(of(SHIPPER, KeyMeaning::Shipper))
        .chain(of(ACCESS, KeyMeaning::Access))
        .chain(of(STATUS, KeyMeaning::Status));
    Wanted::new(keys)
});

const LINES: &[(&str, KeyMeaning)] = &[
    ("log", KeyMeaning::Line(LOG)),
    ("MESSAGE", KeyMeaning::Line(JOURNAL)),
    ("line", KeyMeaning::Line(OWN)),
    ("_raw", KeyMeaning::Line(OWN)),
    ("result._raw", KeyMeaning::Line(OWN)),
    ("textPayload", KeyMeaning::Line(OWN)),
    ("content.message", KeyMeaning::Line(OWN)),
    ("attributes.message", KeyMeaning::Line(OWN)),
    ("message", KeyMeaning::Line(MESSAGE)),
    ("msg", KeyMeaning::Line(MESSAGE)),
    ("@message", KeyMeaning::Line(MESSAGE)),
];

const TIMES: &[(&str, KeyMeaning)] = &[
    ("__REALTIME_TIMESTAMP", KeyMeaning::Time(JOURNAL_TIME)),
    ("timestamp_ns", KeyMeaning::Time(1)),
    ("time", KeyMeaning::Time(1)),
    ("timestamp", KeyMeaning::Time(2)),
    ("@timestamp", KeyMeaning::Time(3)),
    ("ts", KeyMeaning::Time(4)),
    ("date", KeyMeaning::Time(5)),
    ("_time", KeyMeaning::Time(6)),
    ("result._time", KeyMeaning::Time(6)),
    ("content.timestamp", KeyMeaning::Time(6)),
    ("attributes.timestamp", KeyMeaning::Time(6)),
];

/// A container lives as long as its process, a pod may see several.
const PROCESSES: &[(&str, KeyMeaning)] = &[
    ("container_id", KeyMeaning::Process(0)),
    ("container.id", KeyMeaning::Process(0)),
    ("kubernetes.docker_id", KeyMeaning::Process(0)),
    ("kubernetes.container_id", KeyMeaning::Process(0)),
    ("fly.app.instance", KeyMeaning::Process(0)),
    ("kubernetes.pod_name", KeyMeaning::Process(1)),
    ("kubernetes.pod.name", KeyMeaning::Process(1)),
    ("labels.pod", KeyMeaning::Process(1)),
    ("resource.labels.pod_name", KeyMeaning::Process(1)),
    ("container_name", KeyMeaning::Process(2)),
    ("logStreamName", KeyMeaning::Process(2)),
    ("@logStream", KeyMeaning::Process(2)),
    ("_PID", KeyMeaning::Process(PROCESS_OF_ANY)),
    ("procid", KeyMeaning::Process(PROCESS_OF_ANY)),
    ("pid", KeyMeaning::Process(PROCESS_OF_ANY)),
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

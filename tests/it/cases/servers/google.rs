//! Cloud Run's request log: `timestamp` is the start.

use serde_json::json;

use super::written;
use crate::cases::request::Request;

/// One entry a request.
pub(super) fn line(request: &Request) -> String {
    let target = request.kind.target;
    let took = request.millis();
    let row = json!({
        "httpRequest": {
            "latency": format!("{}.{:03}s", took / 1_000, took % 1_000),
            "protocol": "HTTP/1.1",
            "remoteIp": request.client.address,
            "requestMethod": request.kind.verb,
            "requestUrl": format!("https://app.example.com{target}"),
            "responseSize": request.bytes.to_string(),
            "status": request.kind.status,
            "userAgent": request.client.agent,
        },
        "insertId": format!("{:016x}", request.id),
        "logName": "projects/example/logs/run.googleapis.com%2Frequests",
        "resource": {
            "type": "cloud_run_revision",
            "labels": {"service_name": "frontend"},
        },
        "severity": "INFO",
        "timestamp": written(request.opened, "%Y-%m-%dT%H:%M:%S%.3fZ"),
        "receiveTimestamp":
            written(request.closed, "%Y-%m-%dT%H:%M:%S%.6fZ"),
    });
    format!("{row}\n")
}

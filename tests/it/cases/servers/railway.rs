//! Railway's HTTP log: `timestamp` is the start here.

use serde_json::json;

use super::written;
use crate::cases::request::Request;

/// One row a request.
pub(super) fn line(request: &Request) -> String {
    let row = json!({
        "timestamp": written(request.opened, "%Y-%m-%dT%H:%M:%S%.3fZ"),
        "requestId": format!("{:016x}", request.id),
        "method": request.kind.verb,
        "path": request.kind.target,
        "host": "mcp.example.com",
        "httpStatus": request.kind.status,
        "totalDuration": request.millis(),
        "upstreamRqDuration": request.millis(),
        "srcIp": request.client.address,
        "clientUa": request.client.agent,
        "edgeRegion": "europe-west4",
        "txBytes": request.bytes,
        "rxBytes": 220,
        "upstreamProto": "HTTP/1.1",
        "downstreamProto": "HTTP/2.0",
        "responseDetails": "",
        "upstreamErrors": "",
    });
    format!("{row}\n")
}

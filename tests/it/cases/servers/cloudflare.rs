//! Cloudflare Logpush, data set `http_requests`: both ends in the row.

use serde_json::json;

use super::millis;
use crate::cases::request::Request;

/// One object a request, times in nanoseconds.
pub(super) fn line(request: &Request) -> String {
    let row = json!({
        "ClientIP": request.client.address,
        "ClientRequestHost": "mcp.example.com",
        "ClientRequestMethod": request.kind.verb,
        "ClientRequestURI": request.kind.target,
        "ClientRequestPath": request.kind.target,
        "ClientRequestSource": "eyeball",
        "ClientRequestUserAgent": request.client.agent,
        "EdgeResponseStatus": request.kind.status,
        "EdgeResponseBytes": request.bytes,
        "OriginResponseStatus": request.kind.status,
        "RayID": format!("{:016x}", request.id),
        "ParentRayID": "00",
        "WorkerSubrequest": false,
        "EdgeStartTimestamp": millis(request.opened) * 1_000_000,
        "EdgeEndTimestamp": millis(request.closed) * 1_000_000,
        "RequestHeaders": {
            "mcp-method": request.kind.rpc,
            "mcp-session-id": request.session,
        },
    });
    format!("{row}\n")
}

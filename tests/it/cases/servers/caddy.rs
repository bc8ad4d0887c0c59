//! Caddy: `ts` is the end; it does not tell who ended a request.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::cases::request::Request;

/// One object a request.
pub(super) fn line(request: &Request) -> String {
    let row = json!({
        "level": "info",
        "ts": number(request.closed.0),
        "logger": "http.log.access.log0",
        "msg": "handled request",
        "request": {
            "remote_ip": request.client.address,
            "remote_port": "50562",
            "client_ip": request.client.address,
            "proto": "HTTP/2.0",
            "method": request.kind.verb,
            "host": "mcp.example.com",
            "uri": request.kind.target,
            "headers": headers(request),
        },
        "bytes_read": 0,
        "user_id": "",
        "duration": number((request.closed - request.opened).0),
        "size": request.bytes,
        "status": request.kind.status,
        "resp_headers": {"Server": ["Caddy"]},
    });
    format!("{row}\n")
}

fn headers(request: &Request) -> BTreeMap<&'static str, [Value; 1]> {
    [
        ("User-Agent", request.client.agent),
        ("Mcp-Method", request.kind.rpc),
        ("Mcp-Session-Id", &request.session),
    ]
    .into_iter()
    .filter(|(_, value)| !value.is_empty())
    .map(|(name, value)| (name, [value.into()]))
    .collect()
}

/// Microseconds as seconds. 16 digits are exact in a double.
fn number(micros: i64) -> f64 {
    micros as f64 / 1e6
}

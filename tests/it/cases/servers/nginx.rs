//! nginx: written when a request has ended, `$time_local` and `$msec` then.

use super::{dashed, millis, written};
use crate::cases::request::{Ended, Request};

/// Up to the user agent.
pub(super) fn combined(request: &Request) -> String {
    format!("{}\n", head(request, request.closed, request.kind.status))
}

fn head(
    request: &Request,
    at: streamleak::internal::time::Micros,
    status: u16,
) -> String {
    format!(
        "{} - - [{}] \"{} {} HTTP/1.1\" {status} {} \"-\" \"{}\"",
        request.client.address,
        written(at, "%d/%b/%Y:%H:%M:%S +0000"),
        request.kind.verb,
        request.kind.target,
        request.bytes,
        request.client.agent,
    )
}

/// With the time the request took behind it.
pub(super) fn timed(request: &Request) -> String {
    let took = seconds(request.millis());
    let head = head(request, request.closed, request.kind.status);
    format!("{head} rt={took} urt={took}\n")
}

/// In the format of the set-up lines.
pub(super) fn line(request: &Request) -> String {
    let completion = match request.kind.ended {
        Ended::Client => "",
        Ended::Server => "OK",
    };
    format!(
        "{} rt={} msec={} rc=\"{completion}\" {}\n",
        head(request, request.closed, request.kind.status),
        seconds(request.millis()),
        seconds(millis(request.closed)),
        tail(request),
    )
}

/// The line of an opening, which the mirrored request leaves.
pub(in crate::cases) fn opening(request: &Request) -> String {
    let request = Request { bytes: 0, ..request.clone() };
    format!(
        "{} rt=0.000 msec={} {} ev=open\n",
        head(&request, request.opened, 204),
        seconds(millis(request.opened)),
        tail(&request),
    )
}

fn tail(request: &Request) -> String {
    format!(
        "mm=\"{}\" sid=\"{}\" rid={:032x}",
        dashed(request.kind.rpc),
        dashed(&request.session),
        request.id,
    )
}

/// One JSON object a request.
pub(super) fn json(request: &Request) -> String {
    let completion = match request.kind.ended {
        Ended::Client => "",
        Ended::Server => "OK",
    };
    let row = serde_json::json!({
        "time_iso8601": written(request.closed, "%Y-%m-%dT%H:%M:%S+00:00"),
        "msec": seconds(millis(request.closed)),
        "remote_addr": request.client.address,
        "request_method": request.kind.verb,
        "request_uri": request.kind.target,
        "status": request.kind.status,
        "body_bytes_sent": request.bytes,
        "request_time": seconds(request.millis()),
        "request_completion": completion,
        "http_user_agent": request.client.agent,
        "http_mcp_method": request.kind.rpc,
        "http_mcp_session_id": request.session,
        "request_id": format!("{:032x}", request.id),
    });
    format!("{row}\n")
}

/// Milliseconds as seconds with three decimals.
fn seconds(millis: i64) -> String {
    format!("{}.{:03}", millis / 1_000, millis % 1_000)
}

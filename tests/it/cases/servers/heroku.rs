//! Heroku's router: written when a request has ended.

use super::written;
use crate::cases::request::{Ended, Request};

/// One line a request. A stream that the router cut is answered 503, code
/// H15; one that the client left 499, code H27.
pub(super) fn line(request: &Request) -> String {
    let code = match (request.kind.ended, request.kind.status) {
        (Ended::Client, _) => {
            "sock=client at=warning code=H27 desc=\"Client Request \
             Interrupted\""
        }
        (_, 503) => "at=error code=H15 desc=\"Idle connection\"",
        _ => "at=info",
    };
    format!(
        "{} heroku[router]: {code} method={} path=\"{}\" \
         host=mcp.example.com request_id={:08x}-0000-4000-8000-{:012x} \
         fwd=\"{}\" dyno=web.1 connect=0ms service={}ms status={} bytes={} \
         protocol=https\n",
        written(request.closed, "%Y-%m-%dT%H:%M:%S%.6f+00:00"),
        request.kind.verb,
        request.kind.target,
        request.id >> 32,
        request.id & 0xffff_ffff,
        request.client.address,
        request.millis(),
        request.kind.status,
        request.bytes,
    )
}

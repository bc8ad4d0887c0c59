//! `HAProxy` `httplog` with captures, behind rsyslog: the date is the start,
//! the last timer the whole, the state tells who ended it.

use super::written;
use crate::cases::request::{Ended, Request};

/// One line a request.
pub(super) fn line(request: &Request) -> String {
    let state = match request.kind.ended {
        Ended::Client => "CD--",
        Ended::Server => "----",
    };
    let agent = request.client.agent;
    format!(
        "{} lb haproxy[812]: {}:{} [{}] mcp~ app/app1 0/0/0/2/{} {} {} - - \
         {state} 9/8/7/6/0 0/0 {{{}|{agent}}} \"{} {} HTTP/1.1\"\n",
        written(request.closed, "%b %e %H:%M:%S"),
        request.client.address,
        30_000 + request.id % 20_000,
        written(request.opened, "%d/%b/%Y:%H:%M:%S%.3f"),
        request.millis(),
        request.kind.status,
        request.bytes,
        request.kind.rpc,
        request.kind.verb,
        request.kind.target,
    )
}

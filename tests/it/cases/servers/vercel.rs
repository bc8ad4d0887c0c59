//! Vercel's log drain: all lines of the runtime around a request in one row.

use serde_json::{Value, json};

use super::millis;
use crate::cases::request::Request;

/// One row a request, written when it is over.
pub(super) fn line(request: &Request) -> String {
    let took = request.millis();
    let timed_out = if took >= 300_000 {
        "Vercel Runtime Timeout Error: Task timed out after 300 \
                 seconds\n"
    } else {
        ""
    };
    let report = format!(
        "START RequestId: {id:016x} Version: $LATEST\n{timed_out}END \
         RequestId: {id:016x}\nREPORT RequestId: {id:016x}\tDuration: {took}.00 ms\tBilled Duration: {took} ms\t\
         Memory Size: 1024 MB\tMax Memory Used: 91 MB\t\n",
        id = request.id,
    );
    format!("{}\n", row(request, &report))
}

fn row(request: &Request, message: &str) -> Value {
    let id = format!("iad1::{:016x}", request.id);
    json!({
        "id": format!("{}4", millis(request.closed)),
        "deploymentId": "dpl_1",
        "source": "lambda",
        "host": "app.example.com",
        "timestamp": millis(request.closed),
        "projectId": "prj_1",
        "level": "info",
        "message": message,
        "path": request.kind.target,
        "entrypoint": "api/handler.js",
        "requestId": id,
        "statusCode": request.kind.status,
        "proxy": {
            "timestamp": millis(request.opened),
            "method": request.kind.verb,
            "scheme": "https",
            "host": "app.example.com",
            "path": request.kind.target,
            "userAgent": [request.client.agent],
            "referer": "",
            "statusCode": request.kind.status,
            "clientIp": request.client.address,
            "region": "iad1",
            "vercelId": id,
        },
    })
}

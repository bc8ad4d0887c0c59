//! An app that logs each stream as it closes, in JSON of its own.

use serde_json::json;

use super::written;
use crate::cases::request::Request;

/// How its keys are named to the program.
pub(in crate::cases) const OPTIONS: [&str; 2] = [
    "--field",
    "end=time,duration=durationMs,path=path,client=client,agent=userAgent,\
     session=runId,id=attachId,status=status",
];

/// One object a stream.
pub(super) fn line(request: &Request) -> String {
    let row = json!({
        "time": written(request.closed, "%Y-%m-%dT%H:%M:%S%.3fZ"),
        "message": "chat_live_stream_closed",
        "path": request.kind.target,
        "status": request.kind.status,
        "durationMs": request.millis(),
        "bytes": request.bytes,
        "client": request.client.address,
        "userAgent": request.client.agent,
        "runId": request.session,
        "attachId": format!("{:016x}", request.id),
    });
    format!("{row}\n")
}

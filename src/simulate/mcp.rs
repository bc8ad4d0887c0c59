//! What is said in MCP: the requests for a stream, and the answers.
//!
//! Revision 2026-07-28 asks for a stream with `POST /mcp`, the method in the
//! header `Mcp-Method`, and answers with events whose first says what was
//! subscribed to:
//! <https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions>.
//! The shapes are those that the official Python SDK, `mcp` 2.3.0, sends and
//! accepts on both sides.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::Habit;
use super::wire::Request;

/// The method that asks for a stream.
const LISTEN: &str = "subscriptions/listen";
/// The method that asks what a server can do.
const DISCOVER: &str = "server/discover";
/// The revision that is spoken.
const REVISION: &str = "2026-07-28";
/// The path of all requests of that revision.
const ENDPOINT: &str = "/mcp";
/// The path of streams before it, as servers chose it.
const LEGACY: &str = "/subscriptions/listen";
/// The path of the health check.
const HEALTH: &str = "/healthz";
/// What user agents begin with.
const PRODUCT: &str =
    concat!("streamleak-simulate/", env!("CARGO_PKG_VERSION"));

/// Which protocol is spoken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Era {
    /// Revision 2026-07-28: `POST /mcp`, no sessions.
    #[default]
    Modern,
    /// Before it: `GET /subscriptions/listen` with `Mcp-Session-Id`.
    Legacy,
}

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// A stream.
    Listen,
    /// What the server can do.
    Discover,
    /// Whether it is well.
    Health,
    /// Something that is not here.
    Other,
}

impl Request {
    /// What it asks for.
    pub(super) fn asked(&self) -> Asked {
        let path = self.path.split('?').next().unwrap_or_default();
        match (&*self.verb, path, &*self.mcp_method) {
            ("POST", ENDPOINT, LISTEN) | ("GET", LEGACY, _) => Asked::Listen,
            ("POST", ENDPOINT, DISCOVER) => Asked::Discover,
            ("GET", HEALTH, _) => Asked::Health,
            _ => Asked::Other,
        }
    }

    /// Whose streams are counted together: the session's, or without one
    /// the user agent's, since all come from one address.
    pub(super) fn owner(&self) -> &str {
        match &*self.session {
            "" => &self.agent,
            session => session,
        }
    }

    /// The habit of the client that sent it; `None` when it is no client of
    /// ours.
    pub(super) fn habit(&self) -> Option<Habit> {
        let rest = self.agent.strip_prefix(PRODUCT)?.strip_prefix(" (")?;
        Habit::from_name(rest.split(' ').next()?)
    }

    /// The message in its body; before 2026-07-28 there is none.
    fn message(&self) -> Option<Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// The first event of a stream: what was subscribed to, under the id of
    /// the request as it was written.
    pub(super) fn acknowledgement(&self) -> Option<String> {
        let asked = self.message()?;
        let wanted = &asked["params"]["notifications"];
        let wanted = wanted.as_object().cloned().unwrap_or_default();
        let acknowledged = json!({
            "jsonrpc": "2.0",
            "method": "notifications/subscriptions/acknowledged",
            "params": {
                "_meta": {
                    "io.modelcontextprotocol/subscriptionId": asked["id"],
                },
                "notifications": wanted,
            },
        });
        Some(event(&acknowledged))
    }

    /// The last event of a stream that ends in order: the result of the
    /// request.
    pub(super) fn result(&self) -> Option<String> {
        let asked = self.message()?;
        let result = json!({
            "jsonrpc": "2.0",
            "id": asked["id"],
            "result": {
                "_meta": {
                    "io.modelcontextprotocol/subscriptionId": asked["id"],
                },
                "resultType": "complete",
            },
        });
        Some(event(&result))
    }

    /// The answer to who asks what the server can do.
    pub(super) fn discovery(&self) -> String {
        let asked = self.message().unwrap_or_default();
        let result = json!({
            "resultType": "complete",
            "supportedVersions": [REVISION],
            "capabilities": { "tools": { "listChanged": true } },
            "ttlMs": 0,
            "cacheScope": "private",
        });
        json!({ "jsonrpc": "2.0", "id": asked["id"], "result": result })
            .to_string()
    }
}

/// A message as an event.
fn event(message: &Value) -> String {
    format!("event: message\ndata: {message}\n\n")
}

/// A client's user agent.
pub(super) fn agent(habit: Habit, number: usize) -> String {
    format!("{PRODUCT} ({} {number})", habit.name())
}

/// A request for a stream, whole; the older protocol knows sessions.
pub fn listen(era: Era, to: SocketAddr, agent: &str, session: &str) -> String {
    if era == Era::Legacy {
        return format!(
            "GET {LEGACY} HTTP/1.1\r\nHost: {to}\r\nUser-Agent: {agent}\r\n\
             Accept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n"
        );
    }
    let body = json!({
        "jsonrpc": "2.0",
        "id": "listen-1",
        "method": LISTEN,
        "params": {
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": REVISION,
                "io.modelcontextprotocol/clientCapabilities": {},
            },
            "notifications": { "toolsListChanged": true },
        },
    })
    .to_string();
    format!(
        "POST {ENDPOINT} HTTP/1.1\r\nHost: {to}\r\nUser-Agent: {agent}\r\n\
         Accept: application/json, text/event-stream\r\n\
         Content-Type: application/json\r\n\
         MCP-Protocol-Version: {REVISION}\r\nMcp-Method: {LISTEN}\r\n\
         Content-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// A health check.
pub(super) fn health(to: SocketAddr) -> String {
    format!(
        "GET {HEALTH} HTTP/1.1\r\nHost: {to}\r\n\
         User-Agent: {PRODUCT} (health)\r\n\r\n"
    )
}

/// The head of a stream.
pub(super) const STREAM_HEAD: &str = "HTTP/1.1 200 OK\r\n\
    Content-Type: text/event-stream\r\nCache-Control: no-cache\r\n\
    X-Accel-Buffering: no\r\nTransfer-Encoding: chunked\r\n\
    Connection: close\r\n\r\n";

#[cfg(test)]
mod tests {
    use super::*;

    fn request(verb: &str, path: &str, method: &str, body: &str) -> Request {
        Request {
            verb: verb.to_owned(),
            path: path.to_owned(),
            mcp_method: method.to_owned(),
            body: body.as_bytes().to_vec(),
            ..Request::default()
        }
    }

    #[test]
    fn a_stream_is_asked_for_by_the_header_and_before_it_by_the_path() {
        let asked =
            |verb, path, method| request(verb, path, method, "").asked();
        assert_eq!(asked("POST", "/mcp", LISTEN), Asked::Listen);
        assert_eq!(asked("GET", "/subscriptions/listen", ""), Asked::Listen);
        assert_eq!(asked("POST", "/mcp", "server/discover"), Asked::Discover);
        assert_eq!(asked("GET", "/healthz", ""), Asked::Health);
        assert_eq!(asked("POST", "/mcp", "tools/list"), Asked::Other);
        assert_eq!(asked("GET", "/mcp", ""), Asked::Other);
    }

    #[test]
    fn an_acknowledgement_bears_the_id_as_it_was_written() {
        for id in ["\"listen-7\"", "7"] {
            let body = format!(
                r#"{{"id":{id},"params":{{"notifications":{{"a":true}}}}}}"#
            );
            let event = request("POST", "/mcp", LISTEN, &body);
            let event = event.acknowledgement().unwrap();
            let data = event.strip_prefix("event: message\ndata: ").unwrap();
            let data: Value = serde_json::from_str(data).unwrap();
            let params = &data["params"];
            let bears = &params["_meta"];
            let bears = &bears["io.modelcontextprotocol/subscriptionId"];
            assert_eq!(bears.to_string(), id);
            assert_eq!(params["notifications"], json!({"a": true}));
        }
        let legacy = request("GET", LEGACY, "", "");
        assert_eq!(legacy.acknowledgement(), None);
    }

    #[test]
    fn clients_are_known_by_their_user_agent() {
        let of = |agent: &str| {
            let agent = agent.to_owned();
            Request { agent, ..Request::default() }.habit()
        };
        assert_eq!(of(&agent(Habit::Storm, 12)), Some(Habit::Storm));
        assert_eq!(of("python-httpx2/2.16.2"), None);
        assert_eq!(of(&format!("{PRODUCT} (health)")), None);
    }
}

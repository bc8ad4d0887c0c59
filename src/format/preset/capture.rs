//! Logged header values that the log does not name.

use crate::format::{Record, Text};

/// The methods clients call, as `Mcp-Method` has them.
/// <https://modelcontextprotocol.io/specification>
const METHODS: [&[u8]; 13] = [
    b"subscriptions/listen",
    b"server/discover",
    b"initialize",
    b"tools/call",
    b"tools/list",
    b"resources/list",
    b"resources/read",
    b"resources/templates/list",
    b"resources/subscribe",
    b"prompts/get",
    b"prompts/list",
    b"completion/complete",
    b"logging/setLevel",
];

/// Puts a header's value where its look says: an MCP method is the header
/// `Mcp-Method`, and with `agent` the first product with its version, as in
/// `node/24.1`, the user agent.
pub(super) fn put<'a>(record: &mut Record<'a>, value: Text<'a>, agent: bool) {
    if METHODS.contains(&&*value) {
        record.mcp_method = value;
    } else if agent && record.agent.is_empty() && is_product(&value) {
        record.agent = value;
    }
}

/// Whether a text begins with a product and its version.
fn is_product(text: &[u8]) -> bool {
    let token = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.')
    };
    let Some(slash) = memchr::memchr(b'/', text) else { return false };
    let (name, version) = text.split_at(slash);
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().all(token)
        && version.get(1).is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_and_an_agent_are_told_by_their_look() {
        for (value, method, agent) in [
            ("subscriptions/listen", "subscriptions/listen", ""),
            ("tools/call", "tools/call", ""),
            ("claude-code/2.1.247", "", "claude-code/2.1.247"),
            ("Mozilla/5.0 (X11)", "", "Mozilla/5.0 (X11)"),
            ("text/event-stream", "", ""),
            ("https://example.com/1", "", ""),
            ("mcp.example.com:443", "", ""),
            ("/2", "", ""),
            ("", "", ""),
        ] {
            let mut record = Record::default();
            put(&mut record, value.as_bytes().into(), true);
            assert_eq!(*record.mcp_method, *method.as_bytes(), "{value}");
            assert_eq!(*record.agent, *agent.as_bytes(), "{value}");
            let mut record = Record::default();
            put(&mut record, value.as_bytes().into(), false);
            assert_eq!(*record.agent, *b"", "{value}");
        }
    }
}

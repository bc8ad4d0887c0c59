//! What the headers of a request tell, whichever server logs them.

use crate::format::Field;

use super::draft::{Form, Value};

/// The value of a request header.
pub(super) fn request(at: usize, name: &str) -> Value {
    let field = |field| Value::field(at, field);
    match name.to_ascii_lowercase().as_str() {
        "user-agent" => field(Field::Agent),
        "mcp-method" => field(Field::McpMethod),
        "mcp-session-id" => field(Field::Session),
        "x-forwarded-for" => field(Field::Forwarded).formed(Form::List),
        "x-real-ip" => field(Field::Forwarded),
        "x-request-id" => field(Field::RequestId).formed(Form::Text).ranked(1),
        "host" | ":authority" => Value::skipped(at, Form::Host),
        _ => Value::skipped(at, Form::Text),
    }
}

/// The value of a response header.
pub(super) fn response(at: usize, name: &str) -> Value {
    match name.to_ascii_lowercase().as_str() {
        "mcp-session-id" => Value::field(at, Field::Session),
        _ => Value::skipped(at, Form::Text),
    }
}

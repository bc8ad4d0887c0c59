//! What is wrong with a format string, shown at the place where it is wrong.

use std::fmt;

use super::dialect::Dialect;
use crate::format::pointer::pointed;

/// Why a format string cannot be used, where in it, and what to change.
///
/// Its `Display` has four lines: the problem and whose string it was taken
/// for, the line of the format, a caret under the place, and the advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    dialect: Dialect,
    format: String,
    at: usize,
    fault: Fault,
}

/// What can be wrong with a format string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// A `$` with no name behind it.
    Dollar,
    /// A `%` with no directive behind it.
    Percent,
    /// A `%` with no alias behind it, in a HAProxy format.
    Alias,
    /// A `%` that begins no operator, in an Envoy format.
    Operator,
    /// Two values with nothing between them.
    Adjacent,
    /// No value at all, in what should be an nginx format.
    NoVariables,
    /// No value at all, in what should be an Apache format.
    NoDirectives,
    /// No value at all, in what should be a HAProxy or an Envoy format.
    NoValues,
    /// An `escape=` that nginx does not know.
    Escape,
    /// A quote that is never closed.
    Unclosed,
}

impl Fault {
    /// The problem and what to do about it.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Fault::Dollar => (
                "a $ must be followed by the name of a variable",
                "write $name or ${name} here",
            ),
            Fault::Percent => (
                "a % must be followed by a directive",
                "write a directive such as %h or %{User-Agent}i here, \
                 or %% for a percent sign",
            ),
            Fault::Alias => (
                "a % must be followed by an alias",
                "write an alias such as %ci or %[req.hdr(mcp-method)] here, \
                 or %% for a percent sign",
            ),
            Fault::Operator => (
                "a % must begin an operator that a % ends",
                "write an operator such as %START_TIME% or \
                 %REQ(MCP-METHOD)% here, or %% for a percent sign",
            ),
            Fault::NoValues => (
                "nothing of a request in this format",
                "HAProxy writes values as %ci, Envoy as %START_TIME%",
            ),
            Fault::Adjacent => (
                "two values stand side by side, so that nothing tells where \
                 the first ends",
                "put a blank or quotes before this one, in the server's \
                 configuration and here",
            ),
            Fault::NoVariables => (
                "no variable in this log_format",
                "nginx writes them as $remote_addr; %h would be Apache's",
            ),
            Fault::NoDirectives => (
                "no directive in this LogFormat",
                "Apache writes them as %h; $remote_addr would be nginx's",
            ),
            Fault::Escape => (
                "nginx does not know this escape",
                "use escape=default, escape=json or escape=none",
            ),
            Fault::Unclosed => (
                "this format never ends",
                "close its quote, and end a log_format with a semicolon",
            ),
        }
    }
}

impl TemplateError {
    /// This fault at byte `at` of this format.
    pub(super) fn new(
        dialect: Dialect,
        format: &str,
        at: usize,
        fault: Fault,
    ) -> Self {
        TemplateError { dialect, format: format.to_owned(), at, fault }
    }

    /// A format that begins this text and never ends.
    pub(in crate::format) fn unclosed(dialect: Dialect, text: &str) -> Self {
        let line = text.lines().next().unwrap_or("");
        TemplateError::new(dialect, line, 0, Fault::Unclosed)
    }

    /// The byte of the format string at which the problem is, from 0.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The line of the format that has the problem, and the byte of it at
    /// which it is.
    fn place(&self) -> (&str, usize) {
        let before = self.format.get(..self.at).unwrap_or(&self.format);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.format[start..].lines().next().unwrap_or("");
        (line, before.len() - start)
    }
}

impl fmt::Display for TemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (problem, advice) = self.fault.words();
        let taken = self.dialect.name();
        let (line, at) = self.place();
        let shown = pointed(line.as_bytes(), at);
        write!(f, "{problem} (read as {taken})\n{shown}\n{advice}")
    }
}

impl std::error::Error for TemplateError {}

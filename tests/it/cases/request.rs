//! One request, as its server knows it.

use streamleak::internal::time::Micros;

/// Who made a request.
#[derive(Clone, Debug)]
pub(super) struct Client {
    pub(super) address: String,
    pub(super) agent: &'static str,
}

impl Client {
    /// Number `n` of the clients of a case.
    pub(super) fn new(n: usize, agent: &'static str) -> Client {
        let (net, host) = (n / 250, n % 250 + 1);
        Client { address: format!("198.51.{}.{host}", 100 + net), agent }
    }

    /// The client at this address.
    pub(super) fn at(address: &str, agent: &'static str) -> Client {
        Client { address: address.to_owned(), agent }
    }
}

/// Claude Code before 2.1.233, which reopens without end.
pub(super) const CLAUDE_OLD: &str = "claude-code/2.1.231 (cli)";
/// Claude Code after it.
pub(super) const CLAUDE: &str =
    "claude-code/2.1.247 (claude-desktop, agent-sdk/0.3.2)";
/// Codex.
pub(super) const CODEX: &str = "codex-mcp-client/0.151.0-alpha.7.2";
/// The Python SDK.
pub(super) const PYTHON: &str = "python-httpx/0.28.1";
/// Node's own fetch, by which VS Code, Cursor and many others ask.
pub(super) const NODE: &str = "node";
/// A browser.
pub(super) const BROWSER: &str =
    "Mozilla/5.0 (X11; Linux x86_64; rv:152.0) Gecko/20100101 Firefox/152.0";

/// Those that every MCP server sees.
pub(super) const AGENTS: [&str; 4] = [CLAUDE, CODEX, PYTHON, NODE];

/// Who ended a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Client,
    Server,
}

/// What is the same of all requests of one kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) verb: &'static str,
    pub(super) target: &'static str,
    /// The header `Mcp-Method`, empty without one.
    pub(super) rpc: &'static str,
    pub(super) status: u16,
    pub(super) ended: Ended,
    /// Whether it is one of the streams that the case is about.
    pub(super) is_stream: bool,
}

/// A listen of the protocol of 2026-07-28, ended by the server.
pub(super) const LISTEN: Kind = Kind {
    verb: "POST",
    target: "/mcp",
    rpc: "subscriptions/listen",
    status: 200,
    ended: Ended::Server,
    is_stream: true,
};

/// The stream of the protocols before it, ended by the server.
pub(super) const GET: Kind = Kind { verb: "GET", rpc: "", ..LISTEN };

/// A call of a tool.
pub(super) const CALL: Kind =
    Kind { rpc: "tools/call", is_stream: false, ..LISTEN };

impl Kind {
    /// The same, ended by this one.
    pub(super) const fn ended_by(self, ended: Ended) -> Kind {
        Kind { ended, ..self }
    }

    /// The same at another path.
    pub(super) const fn at(self, target: &'static str) -> Kind {
        Kind { target, ..self }
    }

    /// The same, answered so.
    pub(super) const fn answered(self, status: u16) -> Kind {
        Kind { status, ..self }
    }
}

/// One request.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) kind: Kind,
    pub(super) client: Client,
    /// The session it names, empty without one.
    pub(super) session: String,
    pub(super) opened: Micros,
    pub(super) closed: Micros,
    /// Bytes of the response's body.
    pub(super) bytes: u64,
    /// What tells it from all others.
    pub(super) id: u64,
}

impl Request {
    /// How long it took, in whole milliseconds between two clocks that are
    /// cut to them.
    pub(super) fn millis(&self) -> i64 {
        self.closed.0.div_euclid(1_000) - self.opened.0.div_euclid(1_000)
    }
}

//! What a diagnosis says.

use serde::Serialize;

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The program that opens the streams.
    Client,
    /// The program that answers them.
    Server,
    /// What passes them on: a reverse proxy, a load balancer, an edge.
    Proxy,
    /// What the server runs on: its limits cannot be configured away.
    Platform,
    /// This log does not tell.
    Unknown,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// A ceiling ends each stream, and its client opens the next: a cost.
    CeilingCycling,
    /// A client opens a stream without closing the one before.
    AbandonAndReopen,
    /// The client closed its stream; what is behind the front did not hear.
    DisconnectNotPropagated,
    /// Streams end at once, and clients come back at once.
    ReconnectStorm,
    /// Streams are refused, and clients ask again at once.
    RefusalLoop,
    /// A client waits for bytes, and gives up.
    ClientTimeout,
    /// Something in between cuts what is silent.
    IdleCut,
    /// Sessions pile up that never do anything and are never ended.
    SessionLeak,
    /// Restarts close everything, and everybody comes back at once.
    RestartHerd,
    /// More than one stream comes back for each that ended.
    ReconnectDoubling,
    /// This log cannot tell.
    Undetermined,
}

/// How sure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// One explanation among several.
    Low,
    /// The likeliest one; another is not ruled out.
    Medium,
    /// The log rules the others out.
    High,
}

impl Confidence {
    /// High where this holds, else medium.
    pub fn high_if(sure: bool) -> Confidence {
        if sure { Confidence::High } else { Confidence::Medium }
    }
}

/// Who is at fault, why, and what to do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Whose fault it is.
    pub side: Side,
    /// What happens.
    pub cause: Cause,
    /// How sure that is.
    pub confidence: Confidence,
    /// What speaks for it, with numbers.
    pub evidence: Vec<String>,
    /// What to do or to check next, in order.
    pub next: Vec<String>,
}

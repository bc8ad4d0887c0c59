//! The clients: what they do to every server, and what they saw.

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpStream};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::net::{self, AddressFamily, SocketType, sockopt};
use streamleak::internal::time::Micros;

/// The path of the streams.
pub(crate) const PATH: &str = "/subscriptions/listen";

/// A request that is no stream.
pub(crate) const OTHER: &str = "/healthz";

/// How often something is sent over a stream, in milliseconds. Servers that
/// notice a client's departure at a write that fails need two of these: the
/// first write after it makes the client's host object, the second fails.
pub(crate) const PING: u64 = 500;

/// How a stream ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leaves {
    /// When the server ends it.
    Never,
    /// Closed by the client after so many milliseconds, in good order: FIN.
    Closing(u64),
    /// Dropped by it after so many milliseconds: RST.
    Resetting(u64),
}

/// One stream a client opens.
#[derive(Clone, Copy, Debug)]
struct Plan {
    client: Name,
    /// When it is opened, in milliseconds after the start.
    at: u64,
    /// How long the server would hold it, in milliseconds.
    lasts: u64,
    /// How often something is sent, in milliseconds; 0 for never.
    ping: u64,
    leaves: Leaves,
}

/// A client. Each has an address of its own, for not every log has the user
/// agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Name {
    /// Holds its streams until the server ends them.
    Holds = 11,
    /// Holds one over which nothing is sent.
    Silent = 12,
    /// Closes one.
    Closes = 13,
    /// Drops one.
    Drops = 14,
    /// Closes the old stream when it opens a new one.
    Tidy = 15,
    /// Opens new ones and leaves the old ones open until it ends.
    Leaks = 16,
}

impl Name {
    pub(crate) const ALL: [Name; 6] = [
        Name::Holds,
        Name::Silent,
        Name::Closes,
        Name::Drops,
        Name::Tidy,
        Name::Leaks,
    ];

    /// Its address on loopback.
    pub(crate) fn address(self) -> Ipv4Addr {
        Ipv4Addr::new(127, 0, 0, self as u8)
    }
}

const fn held(at: u64, lasts: u64) -> Plan {
    let leaves = Leaves::Never;
    Plan { client: Name::Holds, at, lasts, ping: PING, leaves }
}

const fn aborted(client: Name, at: u64, leaves: Leaves) -> Plan {
    Plan { client, at, lasts: 8_000, ping: PING, leaves }
}

/// Left open until the client ends, 3.2 s after the start.
const fn leaked(at: u64) -> Plan {
    aborted(Name::Leaks, at, Leaves::Closing(3_200 - at))
}

/// Clients leave between two pings: with one unread, closing would reset.
/// The last two streams are for the logs whose time may be the start or the
/// end: a long stream, then a short one, is what tells an end.
const PLANS: [Plan; 16] = [
    held(300, 2_000),
    held(1_500, 2_000),
    Plan { client: Name::Silent, ping: 0, ..held(200, 3_000) },
    aborted(Name::Closes, 100, Leaves::Closing(1_700)),
    aborted(Name::Drops, 400, Leaves::Resetting(1_200)),
    aborted(Name::Tidy, 50, Leaves::Closing(700)),
    aborted(Name::Tidy, 750, Leaves::Closing(700)),
    aborted(Name::Tidy, 1_450, Leaves::Closing(700)),
    leaked(0),
    leaked(500),
    leaked(1_000),
    leaked(1_500),
    leaked(2_000),
    leaked(2_500),
    held(0, 4_300),
    held(3_900, 800),
];

/// How many streams each server is asked for.
pub(crate) const STREAMS: usize = PLANS.len();

/// How many of them their client ends.
pub(crate) const ABORTED: usize = {
    let (mut count, mut at) = (0, 0);
    while at < STREAMS {
        count += !matches!(PLANS[at].leaves, Leaves::Never) as usize;
        at += 1;
    }
    count
};

/// What a client saw of one stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Truth {
    pub(crate) client: Name,
    /// When it sent the request.
    pub(crate) opened: Micros,
    /// When the first event had come.
    pub(crate) began: Micros,
    /// How long the server held it, or would have, from when it was asked.
    pub(crate) lasts: Micros,
    /// When it saw the end or made it.
    pub(crate) closed: Micros,
    /// Whether it made it.
    pub(crate) aborted: bool,
}

/// Per server, what came of all streams, or what went wrong with one.
pub(crate) type Truths = HashMap<&'static str, Result<Vec<Truth>, String>>;

/// Has every server serve all streams at once.
pub(crate) fn drive(servers: &[(&'static str, SocketAddrV4)]) -> Truths {
    let start = Instant::now();
    let open = |server| {
        PLANS.map(|plan| {
            std::thread::spawn(move || {
                follow(server, plan, start)
                    .map_err(|fault| format!("{plan:?}: {fault}"))
            })
        })
    };
    let running: Vec<_> =
        servers.iter().map(|&(name, at)| (name, open(at))).collect();
    let seen = |stream: JoinHandle<_>| {
        stream.join().unwrap_or_else(|_| Err("a client panicked".to_owned()))
    };
    running
        .into_iter()
        .map(|(name, streams)| (name, streams.into_iter().map(seen).collect()))
        .collect()
}

/// Opens one stream at its time and follows it to its end.
fn follow(
    server: SocketAddrV4,
    plan: Plan,
    start: Instant,
) -> Result<Truth, String> {
    let begins = start + Duration::from_millis(plan.at);
    std::thread::sleep(begins.saturating_duration_since(Instant::now()));
    let Plan { client, lasts, ping, .. } = plan;
    let target = format!("{PATH}?lasts={lasts}&ping={ping}");
    let fault = |e: std::io::Error| e.to_string();
    let stream = connect(client.address(), server).map_err(fault)?;
    let (opened, asked) = (Micros::now(), Instant::now());
    ask(&stream, &target, &format!("{client:?}/1.0")).map_err(fault)?;
    read_first(&stream)?;
    let began = Micros::now();
    let aborted = match plan.leaves {
        Leaves::Never => read_rest(&stream, None)?,
        Leaves::Closing(ms) | Leaves::Resetting(ms) => {
            let ends = asked + Duration::from_millis(ms);
            if !read_rest(&stream, Some(ends))? {
                return Err("the server ended it".to_owned());
            }
            true
        }
    };
    if let Leaves::Resetting(_) = plan.leaves {
        let now = Some(Duration::ZERO);
        sockopt::set_socket_linger(&stream, now)
            .map_err(|e| fault(e.into()))?;
    }
    let closed = Micros::now();
    drop(stream);
    let lasts = Micros(1_000 * lasts as i64);
    Ok(Truth { client, opened, began, lasts, closed, aborted })
}

/// A connection from this address.
fn connect(from: Ipv4Addr, to: SocketAddrV4) -> std::io::Result<TcpStream> {
    let socket = net::socket(AddressFamily::INET, SocketType::STREAM, None)?;
    net::bind(&socket, &SocketAddrV4::new(from, 0))?;
    net::connect(&socket, &to)?;
    Ok(TcpStream::from(socket))
}

/// Sends a request.
fn ask(mut to: &TcpStream, target: &str, agent: &str) -> std::io::Result<()> {
    let request = format!(
        "GET {target} HTTP/1.1\r\nHost: mcp.example.com\r\n\
         User-Agent: {agent}\r\nAccept: text/event-stream\r\n\
         Connection: close\r\n\r\n"
    );
    to.write_all(request.as_bytes())
}

/// Longer than anything is held, or waited for on a busy machine.
const LONGEST: Duration = Duration::from_secs(30);

/// Reads until the first event has come.
fn read_first(mut stream: &TcpStream) -> Result<(), String> {
    let mut got = Vec::new();
    let mut buffer = [0; 4096];
    let said = |what: &str, got: &[u8]| {
        format!("{what}: {}", String::from_utf8_lossy(got))
    };
    stream.set_read_timeout(Some(LONGEST)).map_err(|e| e.to_string())?;
    while !has_begun(&got) {
        match stream.read(&mut buffer) {
            Ok(0) => return Err(said("no stream", &got)),
            Ok(count) => got.extend_from_slice(&buffer[..count]),
            Err(e) => return Err(said(&e.to_string(), &got)),
        }
    }
    Ok(())
}

/// Whether this is an answer that began well, its first event included.
fn has_begun(got: &[u8]) -> bool {
    got.starts_with(b"HTTP/1.1 200")
        && memchr::memmem::find(got, b": open").is_some()
}

/// Reads until the server ends the stream or it is time to leave; whether it
/// was that.
fn read_rest(
    mut stream: &TcpStream,
    leaves: Option<Instant>,
) -> Result<bool, String> {
    let ends = leaves.unwrap_or_else(|| Instant::now() + LONGEST);
    let mut buffer = [0; 4096];
    loop {
        let left = ends.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return match leaves {
                Some(_) => Ok(true),
                None => Err("it never ended".to_owned()),
            };
        }
        stream.set_read_timeout(Some(left)).map_err(|e| e.to_string())?;
        match stream.read(&mut buffer) {
            Ok(0) => return Ok(false),
            Ok(_) => {}
            Err(e) if is_timeout(&e) => {}
            Err(e) => return Err(e.to_string()),
        }
    }
}

fn is_timeout(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// Whether a server answers a request that is no stream.
pub(crate) fn answers(server: SocketAddrV4) -> bool {
    let target = format!("{OTHER}?lasts=0&ping=0");
    connect(Ipv4Addr::LOCALHOST, server).is_ok_and(|stream| {
        ask(&stream, &target, "check/1.0").is_ok()
            && read_first(&stream).is_ok()
            && read_rest(&stream, None).is_ok()
    })
}

//! The server: one thread a connection, each request answered and the
//! connection closed.

use std::io::{self, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::Scope;
use std::time::{Duration, Instant};

use super::mcp::{Asked, STREAM_HEAD};
use super::wire::{self, Heard, Request};
use super::{Pace, Site, spawn};
use crate::format::EndedBy;

/// The most streams that are held at once: each costs a thread and, with its
/// client in the same process, two descriptors of the usual 1024.
pub const MOST_OPEN: usize = 400;
/// The most connections, with those that are answered at once.
const MOST_SERVED: usize = MOST_OPEN + 50;

/// How a server treats streams that are held long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    /// Goes silent at the ceiling, and never closes.
    Silent,
    /// Cuts streams at the ceiling, in the middle of the body, as platforms
    /// do.
    Cutting,
    /// Goes silent as well, but closes a client's stream when it opens
    /// another.
    Capped,
    /// Says how long to wait before opening another, and closes streams in
    /// order, before the ceiling.
    Polite,
    /// Both: one stream a client, closed in order before the ceiling.
    Hardened,
}

impl Server {
    /// All of them, in the order of what they do about old streams.
    pub const ALL: [Server; 5] = [
        Server::Silent,
        Server::Cutting,
        Server::Capped,
        Server::Polite,
        Server::Hardened,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Server::Silent => "silent",
            Server::Cutting => "cutting",
            Server::Capped => "capped",
            Server::Polite => "polite",
            Server::Hardened => "hardened",
        }
    }

    /// Whether a client's new stream closes its old one.
    pub(super) fn caps(self) -> bool {
        matches!(self, Server::Capped | Server::Hardened)
    }

    /// Whether it says how long to wait before the next stream.
    fn tells_retry(self) -> bool {
        matches!(self, Server::Polite | Server::Hardened)
    }

    /// When it ends a stream by itself, if ever, and whether in order.
    pub(super) fn end(self, pace: &Pace) -> Option<(Duration, Manner)> {
        match self {
            Server::Silent | Server::Capped => None,
            Server::Cutting => Some((pace.ceiling, Manner::Cut)),
            Server::Polite | Server::Hardened => {
                Some((pace.max_hold, Manner::Complete))
            }
        }
    }
}

/// How a stream's body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// The connection is closed in the middle of it.
    Cut,
    /// With the result of the request and its last chunk, so that the client
    /// knows that nothing went wrong.
    Complete,
}

/// Starts to listen; the last connection is the one made when the run is
/// over.
pub(super) fn start<'scope>(
    site: &'scope Site<'_>,
    scope: &'scope Scope<'scope, '_>,
    listener: TcpListener,
) -> io::Result<()> {
    let listen = move || {
        for socket in listener.incoming() {
            if site.over.stopped() {
                break;
            }
            match socket {
                Ok(socket) => take(site, scope, socket),
                // Out of descriptors: some are given back soon.
                Err(_) => {
                    site.over.wait(Duration::from_millis(10));
                }
            }
        }
        site.deaf.stop();
    };
    spawn(scope, listen)
}

/// Serves one connection in a thread of its own, if there is room.
fn take<'scope>(
    site: &'scope Site<'_>,
    scope: &'scope Scope<'scope, '_>,
    socket: TcpStream,
) {
    let served = &site.served;
    if served.fetch_add(1, Ordering::Relaxed) < MOST_SERVED {
        let serve = move || {
            // A connection that breaks off is the client's affair.
            let _broken = answer(site, socket);
            served.fetch_sub(1, Ordering::Relaxed);
        };
        if spawn(scope, serve).is_ok() {
            return;
        }
    }
    served.fetch_sub(1, Ordering::Relaxed);
    site.ledger.refuse();
}

/// Reads one request and answers it.
fn answer(site: &Site<'_>, socket: TcpStream) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let Some(request) = wire::request(&socket)? else {
        return Ok(());
    };
    match request.asked() {
        Asked::Listen => hold(site, Arc::new(socket), &request),
        Asked::Health => plain(site, &socket, &request, 200, "ok\n"),
        Asked::Discover => {
            plain(site, &socket, &request, 200, &request.discovery())
        }
        Asked::Other => plain(site, &socket, &request, 404, "not here\n"),
    }
}

/// Answers with a short text.
fn plain(
    site: &Site<'_>,
    mut socket: &TcpStream,
    request: &Request,
    status: u16,
    body: &str,
) -> io::Result<()> {
    site.ledger.note(request, status, body.len() as u64);
    socket.write_all(wire::plain(status, body).as_bytes())
}

/// Holds a stream until one of both sides ends it.
fn hold(
    site: &Site<'_>,
    socket: Arc<TcpStream>,
    request: &Request,
) -> io::Result<()> {
    let server = site.simulation.server;
    let Some(number) = site.ledger.open(request, &socket, server.caps())
    else {
        return plain(site, &socket, request, 503, "too many streams\n");
    };
    let stream = Held { site, socket: &socket, number };
    // A write that fails means that the client has gone.
    let by = stream.serve(request).unwrap_or(EndedBy::Client);
    site.ledger.close(number, by);
    // The peer may be gone already.
    let _gone = socket.shutdown(Shutdown::Both);
    Ok(())
}

/// A stream being held.
struct Held<'a> {
    site: &'a Site<'a>,
    socket: &'a TcpStream,
    number: usize,
}

impl Held<'_> {
    /// Speaks and is silent as the server does, and says who ended it.
    fn serve(&self, request: &Request) -> io::Result<EndedBy> {
        let opened = Instant::now();
        let pace = &self.site.simulation.pace;
        let server = self.site.simulation.server;
        let retry = server.tells_retry().then_some(pace.backoff);
        self.begin(request, retry)?;
        let end = server.end(pace);
        let mut next = opened + pace.keepalive;
        loop {
            let speak = (next <= opened + pace.ceiling).then_some(next);
            let end_at = end.map(|(after, _)| opened + after);
            let due = [speak, end_at].into_iter().flatten().min();
            match wire::hear(self.socket, due, &mut Vec::new()) {
                Heard::End => return Ok(EndedBy::Client),
                // It has nothing to say; what it says is read away.
                Heard::Something => continue,
                Heard::Nothing => {}
            }
            if let Some((_, manner)) = end
                && due == end_at
            {
                self.end(manner, request)?;
                return Ok(EndedBy::Server);
            }
            self.send(": keepalive\n\n")?;
            next += pace.keepalive;
        }
    }

    /// The head of the answer and the first that is said.
    fn begin(
        &self,
        request: &Request,
        retry: Option<Duration>,
    ) -> io::Result<()> {
        self.write(STREAM_HEAD)?;
        let retry =
            retry.map(|retry| format!("retry: {}\n\n", retry.as_millis()));
        let event = request.acknowledgement();
        let said = [Some(": open\n\n".to_owned()), retry, event];
        said.iter().flatten().try_for_each(|text| self.send(text))
    }

    /// A chunk of the body.
    fn send(&self, text: &str) -> io::Result<()> {
        self.write(&wire::chunk(text))?;
        self.site.ledger.wrote(self.number, text.len() as u64);
        Ok(())
    }

    fn write(&self, text: &str) -> io::Result<()> {
        let mut socket = self.socket;
        socket.write_all(text.as_bytes())
    }

    /// Ends the body, or does not.
    fn end(&self, manner: Manner, request: &Request) -> io::Result<()> {
        if manner == Manner::Cut {
            return Ok(());
        }
        if let Some(result) = request.result() {
            self.send(&result)?;
        }
        self.write(wire::LAST_CHUNK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_server_that_closes_in_order_does_so_before_the_ceiling() {
        let second = Duration::from_secs;
        let pace = Pace {
            ceiling: second(60),
            max_hold: second(50),
            keepalive: second(5),
            silence: second(15),
            backoff: second(15),
        };
        let ends = Server::ALL.map(|server| server.end(&pace));
        let polite = Some((second(50), Manner::Complete));
        let cut = Some((second(60), Manner::Cut));
        assert_eq!(ends, [None, cut, None, polite, polite]);
    }
}

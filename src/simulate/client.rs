//! The clients: one thread each, and one stream at a time that is listened
//! to.

use std::io::{self, Write};
use std::net::TcpStream;
use std::thread::Scope;
use std::time::{Duration, Instant};

use super::mcp;
use super::wire::{self, Heard};
use super::{Habit, Site, spawn};

/// How soon a stream may follow the one before: about a round trip.
const AT_ONCE: Duration = Duration::from_millis(10);
/// The first client opens its stream this long after a full second, so that
/// neither its openings nor its closings fall on one.
const OFFSET: Duration = Duration::from_millis(350);

/// A client.
struct Client<'a> {
    site: &'a Site<'a>,
    /// Its user agent.
    agent: String,
    /// Its session, which only the older protocol knows.
    session: String,
}

/// A stream a client listens to.
struct Stream {
    socket: TcpStream,
    /// When it last heard anything.
    heard: Instant,
    /// The first that it heard.
    said: Vec<u8>,
}

/// Starts all clients, those of one habit spread over a cycle.
pub(super) fn start<'scope>(
    site: &'scope Site<'_>,
    scope: &'scope Scope<'scope, '_>,
) -> io::Result<()> {
    let clients = &site.simulation.clients;
    for habit in Habit::ALL {
        let all = clients.iter().filter(|each| **each == habit).count();
        for number in 1..=all {
            let share = (number - 1) as f64 / all as f64;
            let delay = OFFSET + site.simulation.cycle().mul_f64(share);
            let client = Client {
                site,
                agent: mcp::agent(habit, number),
                session: format!("{}-{number}", habit.name()),
            };
            spawn(scope, move || {
                if !site.over.wait(delay) {
                    client.live(habit);
                }
            })?;
        }
    }
    Ok(())
}

/// Asks the server whether it is well, as a load balancer does.
pub(super) fn ask_health(site: &Site<'_>) -> io::Result<()> {
    ask(site, &mcp::health(site.address)).map(drop)
}

/// Sends the server a request and reads the head of the answer: the
/// connection and what came of the body; `None` when it says no.
fn ask(
    site: &Site<'_>,
    request: &str,
) -> io::Result<Option<(TcpStream, Vec<u8>)>> {
    let mut socket = TcpStream::connect(site.address)?;
    socket.set_nodelay(true)?;
    socket.write_all(request.as_bytes())?;
    let said = wire::answer(&socket)?;
    Ok(said.map(|said| (socket, said)))
}

impl Client<'_> {
    /// Opens streams until the run is over.
    fn live(&self, habit: Habit) {
        let mut kept = Vec::new();
        while !self.site.over.stopped() {
            let opened = Instant::now();
            let stream = self.listen().unwrap_or_else(|error| {
                self.site.ledger.fail(&error);
                None
            });
            let wait = self.wait(habit, stream.as_ref());
            if habit == Habit::Abandon {
                kept.retain(wire::is_open);
                kept.extend(stream.map(|stream| stream.socket));
            } else {
                drop(stream);
            }
            let least = AT_ONCE.saturating_sub(opened.elapsed());
            self.site.over.wait(wait.max(least));
        }
    }

    /// Opens a stream and listens until it is given up; `None` when it is
    /// refused.
    fn listen(&self) -> io::Result<Option<Stream>> {
        let silence = self.site.simulation.pace.silence;
        let Some(mut stream) = self.open()? else {
            return Ok(None);
        };
        loop {
            let Stream { socket, heard, said } = &mut stream;
            match wire::hear(socket, Some(*heard + silence), said) {
                Heard::Something => stream.heard = Instant::now(),
                Heard::Nothing | Heard::End => return Ok(Some(stream)),
            }
        }
    }

    /// Opens a stream; `None` when it is refused.
    fn open(&self) -> io::Result<Option<Stream>> {
        let Site { simulation, address, .. } = self.site;
        let Client { agent, session, .. } = self;
        let request = mcp::listen(simulation.era, *address, agent, session);
        let opened = ask(self.site, &request)?;
        let heard = Instant::now();
        Ok(opened.map(|(socket, said)| Stream { socket, heard, said }))
    }

    /// What it waits before it opens the next. One that abandons goes by
    /// silence alone, even when the stream has ended.
    fn wait(&self, habit: Habit, stream: Option<&Stream>) -> Duration {
        let pace = &self.site.simulation.pace;
        let Some(stream) = stream else {
            return pace.backoff;
        };
        match habit {
            Habit::Abandon => {
                pace.silence.saturating_sub(stream.heard.elapsed())
            }
            Habit::Close => stream.retry().unwrap_or(pace.backoff),
            Habit::Storm => Duration::ZERO,
        }
    }
}

impl Stream {
    /// What the server asked to wait before the next stream, if it did.
    fn retry(&self) -> Option<Duration> {
        let said = String::from_utf8_lossy(&self.said);
        let asked = said.lines().find_map(|line| line.strip_prefix("retry:"));
        asked?.trim().parse().ok().map(Duration::from_millis)
    }
}

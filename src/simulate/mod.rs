//! The leak in miniature: a server and clients on real sockets, the streams
//! truly open sampled once a second, and the access log the server writes.
//!
//! All of it is on 127.0.0.1, on a port the system picks, and bounded: so
//! many clients, so many seconds, so many streams open at once and in all.
//! Sockets block and each has a thread, which is the simplest thing that
//! shows what a server sees of a client that leaves, and of one that does
//! not.

mod agreement;
mod client;
mod clock;
mod habit;
mod ledger;
mod log;
mod mcp;
mod server;
mod stop;
mod wire;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::AtomicUsize;
use std::thread::{self, Scope};
use std::time::Duration;

use crate::time::Micros;

pub use agreement::Agreement;
pub use habit::{Habit, Mix};
pub use ledger::{Entry, Lacking, MOST, Sample};
pub use log::Log;
pub use mcp::{Era, listen};
pub use server::{MOST_OPEN, Server};
pub use stop::Stop;

use ledger::Ledger;

/// The most clients.
pub const MOST_CLIENTS: usize = 200;
/// The longest run.
pub const LONGEST: Duration = Duration::from_secs(3600);

/// What a thread needs, in bytes.
const STACK: usize = 256 << 10;

/// How long things take. Spans are those of the run, scaled already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// After this a server goes silent or ends a stream.
    pub ceiling: Duration,
    /// A server that closes streams itself does so after this.
    pub max_hold: Duration,
    /// As long as its stream works, a server sends a comment this often.
    pub keepalive: Duration,
    /// After hearing nothing for this long a client gives a stream up.
    pub silence: Duration,
    /// What a client waits between closing a stream and opening the next.
    pub backoff: Duration,
}

/// What is simulated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulation {
    /// How the server treats streams.
    pub server: Server,
    /// What each client does when its stream goes quiet.
    pub clients: Vec<Habit>,
    /// How long things take.
    pub pace: Pace,
    /// How streams are asked for.
    pub era: Era,
    /// How long it lasts.
    pub length: Duration,
    /// How often the open streams are counted: every second.
    pub every: Duration,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// When it began.
    pub from: Micros,
    /// When it ended.
    pub until: Micros,
    /// What the server answered, in the order in which that began.
    pub entries: Vec<Entry>,
    /// How many streams were open, counted by the server.
    pub samples: Vec<Sample>,
    /// What did not come to be.
    pub lacking: Lacking,
}

/// What server and clients share.
struct Site<'a> {
    simulation: &'a Simulation,
    address: SocketAddr,
    ledger: Ledger,
    /// How many connections have a thread.
    served: AtomicUsize,
    /// Set when the run is over.
    over: Stop,
    /// Set when the server listens no more.
    deaf: Stop,
}

impl Simulation {
    /// Runs it on a port the system picks, and shows each sample as it is
    /// taken; `stop` ends it early.
    ///
    /// # Errors
    ///
    /// No port, or no thread.
    pub fn run(
        &self,
        stop: &Stop,
        watch: &mut dyn FnMut(&Sample),
    ) -> io::Result<Run> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        self.run_on(listener, stop, watch)
    }

    /// The same on a port that others may know, to bring their own client.
    ///
    /// # Errors
    ///
    /// No thread.
    pub fn run_on(
        &self,
        listener: TcpListener,
        stop: &Stop,
        watch: &mut dyn FnMut(&Sample),
    ) -> io::Result<Run> {
        // Given back at the end, for the last connection to have one.
        let spare = listener.try_clone()?;
        let site = Site {
            simulation: self,
            address: listener.local_addr()?,
            ledger: Ledger::new(),
            served: AtomicUsize::new(0),
            over: Stop::default(),
            deaf: Stop::default(),
        };
        let (from, samples) = thread::scope(|scope| {
            // Whatever happens, no thread is left waiting.
            let _ends = Ends { site: &site, spare: Some(spare) };
            site.watch(scope, listener, stop, watch)
        })?;
        let (entries, until, lacking) = site.ledger.finish();
        Ok(Run { from, until, entries, samples, lacking })
    }

    /// How many streams are open at most, with those that are abandoned as
    /// long as the server keeps them.
    pub fn most_open(&self) -> usize {
        let all = self.clients.len();
        let abandon = |habit: &&Habit| **habit == Habit::Abandon;
        let abandon = self.clients.iter().filter(abandon).count();
        let kept = match (self.server.caps(), self.server.end(&self.pace)) {
            (true, _) => Duration::ZERO,
            (_, Some((end, _))) => self.length.min(end),
            (_, None) => self.length,
        };
        let cycles = kept.div_duration_f64(self.cycle());
        all + abandon * cycles as usize
    }

    /// How long a client that gives a silent stream up has had it: the last
    /// it heard is a comment before the ceiling, or the opening if no comment
    /// comes before it has heard nothing for too long.
    pub fn cycle(&self) -> Duration {
        let Pace { ceiling, keepalive, silence, .. } = self.pace;
        if keepalive > silence {
            return silence;
        }
        let past = ceiling.as_nanos() % keepalive.as_nanos().max(1);
        ceiling - Duration::from_nanos(past as u64) + silence
    }
}

/// Starts a thread of a run; there may be hundreds, and none needs much.
fn spawn<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> io::Result<()> {
    let thread = thread::Builder::new().stack_size(STACK);
    thread.spawn_scoped(scope, work).map(drop)
}

impl Site<'_> {
    /// Lets server and clients run, and counts what is open.
    fn watch<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        listener: TcpListener,
        stop: &Stop,
        watch: &mut dyn FnMut(&Sample),
    ) -> io::Result<(Micros, Vec<Sample>)> {
        server::start(self, scope, listener).inspect_err(|_| {
            self.deaf.stop();
        })?;
        // Samples are taken on full steps of the clock, where bins begin.
        stop.wait(self.ledger.clock().until_step(self.simulation.every));
        client::ask_health(self)?;
        let from = self.ledger.clock().now();
        client::start(self, scope)?;
        let mut samples = Vec::new();
        let steps =
            self.simulation.length.div_duration_f64(self.simulation.every);
        for _ in 0..steps.round() as usize {
            let rest = self.ledger.clock().until_step(self.simulation.every);
            if stop.wait(rest) {
                break;
            }
            let sample = self.ledger.sample();
            watch(&sample);
            samples.push(sample);
        }
        // Shows in the log how far it goes; a server that is overrun may
        // not answer.
        let _overrun = client::ask_health(self);
        Ok((from, samples))
    }
}

/// Ends all there is when it goes: streams still open stay so in the log, as
/// in that of a server that is killed.
struct Ends<'a> {
    site: &'a Site<'a>,
    /// A descriptor kept back, should all others be taken.
    spare: Option<TcpListener>,
}

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        // First the ledger: what breaks off from here on is no fault.
        self.site.ledger.hang_up();
        self.site.over.stop();
        self.spare = None;
        // The server waits for a connection; it is given one, as soon as
        // there is a descriptor for it.
        loop {
            let _full = TcpStream::connect(self.site.address);
            if self.site.deaf.wait(Duration::from_millis(5)) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One client that abandons, for ten minutes.
    fn simulation(
        server: Server,
        [keepalive, silence]: [u64; 2],
    ) -> Simulation {
        let seconds = Duration::from_secs;
        Simulation {
            server,
            clients: vec![Habit::Abandon],
            pace: Pace {
                ceiling: seconds(60),
                max_hold: seconds(50),
                keepalive: seconds(keepalive),
                silence: seconds(silence),
                backoff: seconds(15),
            },
            era: Era::Modern,
            length: seconds(600),
            every: seconds(1),
        }
    }

    #[test]
    fn a_stream_is_given_up_after_the_last_that_is_heard() {
        let cycle = |spans| simulation(Server::Silent, spans).cycle();
        assert_eq!(cycle([5, 15]), Duration::from_secs(75));
        assert_eq!(cycle([7, 15]), Duration::from_secs(56 + 15));
        assert_eq!(cycle([20, 15]), Duration::from_secs(15));
        assert_eq!(cycle([90, 100]), Duration::from_secs(100));
    }

    #[test]
    fn abandoned_streams_are_open_as_long_as_the_server_keeps_them() {
        let most = |spans| {
            Server::ALL.map(|server| simulation(server, spans).most_open())
        };
        assert_eq!(most([5, 15]), [9, 1, 1, 1, 1]);
        assert_eq!(most([20, 10]), [61, 7, 1, 6, 1]);
    }
}

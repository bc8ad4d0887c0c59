//! All servers at once.

use std::net::SocketAddrV4;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use tempfile::TempDir;

use crate::place::{Place, free_ports};
use crate::server::{Server, Spec};
use crate::table::{Log, SERVERS};
use crate::upstream;

/// How long a server may take to start; Varnish compiles its configuration.
const START: Duration = Duration::from_secs(90);

/// The servers that run, in a folder that goes with them.
pub(crate) struct Fleet {
    servers: Vec<Server>,
    /// What is not tested, and why.
    pub(crate) missing: Vec<String>,
    folder: TempDir,
}

impl Fleet {
    /// Starts them all and waits until they answer; those that are missing
    /// are left out. Also says which failed to start, and how.
    pub(crate) fn start() -> (Fleet, Vec<String>) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut fleet = Fleet { servers: vec![], missing: vec![], folder };
        let mut faults = Vec::new();
        let upstream = upstream::start();
        for (spec, port) in SERVERS.iter().zip(free_ports()) {
            let folder = fleet.folder.path().join(spec.name);
            let place = Place { folder, port, upstream, syslog: 0 };
            match programs(spec) {
                Err(how) => {
                    fleet.missing.push(format!("{}: {how}", spec.name));
                }
                Ok(program) => match Server::start(spec, &program, place) {
                    Ok(server) => fleet.servers.push(server),
                    Err(e) => faults.push(format!("{}: {e}", spec.name)),
                },
            }
        }
        fleet.wait(&mut faults);
        (fleet, faults)
    }

    /// Waits for all; those that do not come up are stopped.
    fn wait(&mut self, faults: &mut Vec<String>) {
        let until = Instant::now() + START;
        for mut server in std::mem::take(&mut self.servers) {
            match server.wait(until) {
                Ok(()) => self.servers.push(server),
                Err(fault) => faults.push(fault),
            }
        }
    }

    /// The servers' names and addresses.
    pub(crate) fn addresses(&self) -> Vec<(&'static str, SocketAddrV4)> {
        let at = |server: &Server| (server.spec.name, server.place.address());
        self.servers.iter().map(at).collect()
    }

    /// Whether a server of this name runs.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.servers.iter().any(|server| server.spec.name == name)
    }

    /// A log once all its records are in it.
    ///
    /// # Errors
    ///
    /// They are not in time.
    pub(crate) fn finished_log(
        &mut self,
        log: &Log,
        within: Duration,
    ) -> Result<PathBuf, String> {
        let mut all = self.servers.iter_mut();
        let server = all.find(|server| server.spec.name == log.server);
        let server = server.ok_or_else(|| format!("no {}", log.server))?;
        server.logged(log.file, log.records, Instant::now() + within)
    }
}

impl Drop for Fleet {
    /// Tells all of them to stop, so that none is waited for alone.
    fn drop(&mut self) {
        for server in &self.servers {
            server.send(Signal::TERM);
        }
    }
}

/// The server's program, if all it needs is there.
fn programs(spec: &Spec) -> Result<PathBuf, String> {
    if let Some((logger, _)) = spec.logger {
        logger.find()?;
    }
    spec.program.find()
}

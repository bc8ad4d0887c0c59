//! The clients, the proxy and the server, started, waited for and read.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::Signal;
use streamleak::internal::collect::Overrides;
use streamleak::internal::collect::Selector;
use tempfile::TempDir;

use super::comparison::{Read, compare};
use super::{LEAKS, PROXY, SERVER, STREAMS, TIDY, recipe, truth};
use crate::check::{self, METHOD};
use crate::place::{Place, free_ports};
use crate::server::{LOG, Server, Spec};

/// How long any one thing may take.
const LONGEST: Duration = Duration::from_secs(60);

/// All that runs, in a folder that goes with it.
pub(super) struct Bench {
    tidy: Server,
    leaks: Server,
    proxy: Server,
    server: Server,
    _folder: TempDir,
}

impl Bench {
    /// Starts the server and the proxy, then the clients.
    pub(super) fn start(python: &Path, nginx: &Path) -> Result<Bench, String> {
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        let ports: Vec<u16> = free_ports().take(2).collect();
        let place = |name: &str, port, upstream| {
            let folder = folder.path().join(name);
            Place { folder, port, upstream, syslog: 0 }
        };
        let start = |spec: &'static Spec, program, port, upstream| {
            let place = place(spec.name, port, upstream);
            Server::start(spec, program, place)
                .map_err(|e| format!("{}: {e}", spec.name))
        };
        let mut server = start(&SERVER, python, ports[0], 0)?;
        recipe::write(&place(PROXY.name, ports[1], ports[0]))?;
        let mut proxy = start(&PROXY, nginx, ports[1], ports[0])?;
        listens(&mut server)?;
        listens(&mut proxy)?;
        let tidy = start(&TIDY.spec, python, ports[1], 0)?;
        let leaks = start(&LEAKS.spec, python, ports[1], 0)?;
        Ok(Bench { tidy, leaks, proxy, server, _folder: folder })
    }

    /// Reads the logs while streams are open and again when all are closed,
    /// and compares with what the clients saw.
    pub(super) fn compare(mut self) -> Result<(), String> {
        self.tidy.ended(soon())?;
        let holds = |own: &Server| own.records("stdout", "\"holding\"") == 1;
        self.leaks.wait_for(soon(), "it does not hold all", holds)?;
        self.logged(TIDY.streams)?;
        let then = self.read()?;
        self.leaks.send(Signal::TERM);
        self.leaks.ended(soon())?;
        self.logged(STREAMS)?;
        let now = self.read()?;
        let tidy = truth::seen(&self.tidy.log("stdout"), TIDY.streams)?;
        let leaks = truth::seen(&self.leaks.log("stdout"), LEAKS.streams)?;
        let compared = compare(&then, &now, &tidy, &leaks)
            .and_then(|()| self.others_are_no_streams(&now));
        compared.map_err(|fault| self.with_logs(&fault))?;
        self.server_saw_all_left()
    }

    /// Waits until the ends of so many streams are logged.
    fn logged(&mut self, streams: u32) -> Result<(), String> {
        let fault = format!("not {streams} streams in its log");
        self.proxy.wait_for(soon(), &fault, |own| {
            own.records(LOG, &format!("mm=\"{METHOD}\"")) >= streams as usize
        })
    }

    /// What both logs say now.
    fn read(&self) -> Result<Read, String> {
        let logs = [LOG, recipe::OPENS].map(|name| self.proxy.log(name));
        let logs = [&*logs[0], &*logs[1]];
        // No path: by the method, or not at all.
        let by_method = Selector::new(&[], METHOD);
        Ok(Read {
            joined: check::join(&logs, by_method, Overrides::default())?,
            both: check::report(&logs)?,
            ends: check::report(&logs[..1])?,
        })
    }

    /// Ordinary requests were made, are in the log and no streams.
    fn others_are_no_streams(&self, now: &Read) -> Result<(), String> {
        for method in ["server/discover", "tools/list", "tools/call"] {
            if self.proxy.records(LOG, &format!("mm=\"{method}\"")) == 0 {
                return Err(format!("no {method} in the log"));
            }
        }
        let all = self.proxy.records(LOG, "POST /mcp");
        let input = &now.ends["inputs"][0];
        if input["records"] == all && input["selected"] == STREAMS {
            Ok(())
        } else {
            Err(format!("not {STREAMS} of {all}: {input}"))
        }
    }

    /// The proxy told the server of each client that left.
    fn server_saw_all_left(&mut self) -> Result<(), String> {
        let fault = "its client did not leave each stream";
        self.server.wait_for(soon(), fault, |own| {
            own.records("stdout", "\"by\": \"client\"") == STREAMS as usize
        })
    }

    fn with_logs(&self, fault: &str) -> String {
        let logs = [
            self.proxy.log(LOG),
            self.proxy.log(recipe::OPENS),
            self.tidy.log("stdout"),
            self.leaks.log("stdout"),
        ];
        let show = |path: &PathBuf| {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            format!("\n{}:\n{text}", path.display())
        };
        fault.to_owned() + &logs.iter().map(show).collect::<String>()
    }
}

pub(super) fn soon() -> Instant {
    Instant::now() + LONGEST
}

/// Waits until a server's port is open.
pub(super) fn listens(server: &mut Server) -> Result<(), String> {
    let at = server.place.address();
    server.wait_for(soon(), "it does not listen", |_| {
        TcpStream::connect(at).is_ok()
    })
}

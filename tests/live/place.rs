//! Where things are: programs, configurations, a folder for each server.

use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Where the configurations and the programs of the tests are.
const LIVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/live");

/// What installs every server.
pub(crate) const INSTALL: &str = "tests/live/install.sh";

/// A program that a server needs, and who brings it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Program {
    /// A program of this name, and its Debian package.
    System(&'static str, &'static str),
    /// A program of the Python environment.
    Python(&'static str),
    /// Node with these packages.
    Node(&'static [&'static str]),
    /// The Python that has the SDK of MCP.
    Sdk,
}

impl Program {
    /// The program's file.
    ///
    /// # Errors
    ///
    /// It is not there; the text says how to get it.
    pub(crate) fn find(self) -> Result<PathBuf, String> {
        let found = match self {
            Program::System(name, _) => in_path(name),
            Program::Python(name) => {
                Some(live().join("venv/bin").join(name)).filter(|p| p.exists())
            }
            Program::Node(packages) => in_path("node").filter(|_| {
                packages.iter().all(|name| modules().join(name).exists())
            }),
            Program::Sdk => Some(sdk().join("python"))
                .filter(|_| sdk().join("mcp").exists()),
        };
        found.ok_or_else(|| self.how_to_install())
    }

    fn how_to_install(self) -> String {
        let by_hand = match self {
            Program::System(name, package) => {
                format!("no {name}: apt-get install {package}")
            }
            Program::Python(name) => {
                format!("no {}", live().join("venv/bin").join(name).display())
            }
            Program::Node(packages) => {
                let all = packages.join(", ");
                format!("no node with {all} in {}", modules().display())
            }
            Program::Sdk => format!("no mcp in {}", sdk().display()),
        };
        format!("{by_hand} ({INSTALL} installs all)")
    }
}

/// Where `install.sh` puts what no distribution brings.
fn live() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
    target.expect("a folder in target").join("live")
}

/// Where the packages of Node are.
pub(crate) fn modules() -> PathBuf {
    live().join("node/node_modules")
}

/// Where the programs of the environment with the SDK of MCP are.
fn sdk() -> PathBuf {
    live().join("mcp/bin")
}

/// A program in `PATH` or among those of the administrator.
fn in_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let admin = ["/usr/local/sbin", "/usr/sbin", "/sbin"].map(PathBuf::from);
    std::env::split_paths(&path)
        .chain(admin)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// What a server is given: a folder of its own, ports, who it runs as.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) folder: PathBuf,
    pub(crate) port: u16,
    pub(crate) upstream: u16,
    pub(crate) syslog: u16,
}

impl Place {
    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddrV4 {
        SocketAddrV4::new(Ipv4Addr::LOCALHOST, self.port)
    }

    /// The text with the names between `@` replaced.
    pub(crate) fn fill(&self, text: &str) -> String {
        let folder = self.folder.display().to_string();
        text.replace("@DIR@", &folder)
            .replace("@LIVE@", LIVE)
            .replace("@PORT@", &self.port.to_string())
            .replace("@UPSTREAM@", &self.upstream.to_string())
            .replace("@SYSLOG@", &self.syslog.to_string())
            .replace("@USER@", &user())
    }

    /// Writes this configuration, filled in, into the folder.
    pub(crate) fn write_conf(&self, name: &str) -> std::io::Result<()> {
        let conf = Path::new(LIVE).join("conf");
        let text = std::fs::read_to_string(conf.join(name))?;
        std::fs::write(self.folder.join(name), self.fill(&text))
    }
}

/// The user that runs this, as a configuration names it.
fn user() -> String {
    // The other name is read by none but root.
    let is_root = rustix::process::geteuid().is_root();
    if is_root { "root" } else { "nobody" }.to_owned()
}

/// Ports that are free, all different. They are not those that the system
/// gives to whoever asks for any, or one could be taken before its server
/// is up; which come first differs by process, for tests that run at a time,
/// and none is given twice in one.
pub(crate) fn free_ports() -> impl Iterator<Item = u16> {
    const FIRST: u32 = 10_000;
    const COUNT: u32 = 20_000;
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    let from = std::process::id() % COUNT * 32 % COUNT;
    let next = || GIVEN.fetch_add(1, Ordering::Relaxed);
    let ports = (0..COUNT).map(move |_| FIRST + (from + next()) % COUNT);
    ports
        .filter_map(|port| u16::try_from(port).ok())
        .filter(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok())
}

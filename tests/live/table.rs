//! The servers, their logs, and how near each log comes to the truth.

use rustix::process::Signal;
use streamleak::internal::format::EndedBy;
use streamleak::internal::time::Micros;

use crate::client::{ABORTED, PING, STREAMS};
use crate::place::Program;
use crate::server::{LOG, Output, Spec, WRAPPED};

/// A server of Debian's with one file of configuration.
pub(crate) const fn debian(
    name: &'static str,
    package: &'static str,
    conf: &'static [&'static str],
    args: &'static str,
) -> Spec {
    Spec {
        name,
        program: Program::System(name, package),
        conf,
        args,
        output: Output::Kept,
        logger: None,
        flush: None,
    }
}

/// A server of the Python environment.
const fn python(
    name: &'static str,
    conf: &'static [&'static str],
    args: &'static str,
) -> Spec {
    let program = Program::Python(name);
    Spec { program, ..debian(name, name, conf, args) }
}

/// Every server, run in the foreground with nothing outside its folder.
pub(crate) const SERVERS: [Spec; 10] = [
    debian(
        "nginx",
        "nginx-light",
        &["nginx.conf"],
        "-p @DIR@ -e @DIR@/error.log -c @DIR@/nginx.conf",
    ),
    debian(
        "apache2",
        "apache2",
        &["apache.conf"],
        "-D FOREGROUND -d @DIR@ -f @DIR@/apache.conf",
    ),
    Spec {
        output: Output::Syslog,
        ..debian(
            "haproxy",
            "haproxy",
            &["haproxy.cfg"],
            "-db -f @DIR@/haproxy.cfg",
        )
    },
    debian(
        "caddy",
        "caddy",
        &["Caddyfile"],
        "run --adapter caddyfile --config @DIR@/Caddyfile",
    ),
    Spec {
        // It keeps records for up to four seconds, unless told to reopen its
        // log, as after a rotation.
        flush: Some(Signal::HUP),
        ..debian(
            "lighttpd",
            "lighttpd",
            &["lighttpd.conf"],
            "-D -f @DIR@/lighttpd.conf",
        )
    },
    Spec {
        logger: Some((
            Program::System("varnishncsa", "varnish"),
            "-n @DIR@/shm -f @DIR@/varnishncsa.format -w @DIR@/access.log",
        )),
        ..debian(
            "varnishd",
            "varnish",
            &["varnish.vcl", "varnishncsa.format"],
            "-F -j none -n @DIR@/shm -f @DIR@/varnish.vcl \
             -a 127.0.0.1:@PORT@ -s malloc,16m -p thread_pool_min=50",
        )
    },
    python(
        "gunicorn",
        &["gunicorn.py", "wsgi.py"],
        "--config @DIR@/gunicorn.py wsgi:app",
    ),
    python(
        "hypercorn",
        &["hypercorn.toml", "asgi.py"],
        "--config @DIR@/hypercorn.toml asgi:app",
    ),
    Spec {
        output: Output::Container,
        ..python(
            "uvicorn",
            &["asgi.py"],
            "--host 127.0.0.1 --port @PORT@ asgi:app",
        )
    },
    Spec {
        program: Program::Node(&["morgan", "pino-http"]),
        ..debian("node", "nodejs", &["app.js"], "app.js @PORT@ @DIR@")
    },
];

/// A log and how near its streams come to what the clients saw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Log {
    pub(crate) name: &'static str,
    pub(crate) server: &'static str,
    pub(crate) file: &'static str,
    /// What the format is called in the report, or how that begins.
    pub(crate) format: &'static str,
    /// How many records of streams it gets.
    pub(crate) records: usize,
    /// The grain of its clock: how much too early its times may be.
    pub(crate) grain: Micros,
    /// How long after its client left a stream may be logged to have ended.
    pub(crate) notice: Micros,
    /// Why so long.
    pub(crate) why: &'static str,
    /// What it tells of who ended a stream.
    pub(crate) tells: Tells,
}

/// What a log tells of who ended a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tells {
    /// Nothing.
    Nothing,
    /// Whether the client did; else it was the server.
    Both,
    /// Whether the client did; of others, nothing.
    Client,
    /// Only that it was opened, of all streams: not how long any was held.
    Opening,
}

impl Tells {
    /// Who such a log says ended a stream.
    pub(crate) fn of(self, aborted: bool) -> EndedBy {
        match (self, aborted) {
            (Tells::Both | Tells::Client, true) => EndedBy::Client,
            (Tells::Both, false) => EndedBy::Server,
            _ => EndedBy::Unknown,
        }
    }
}

const SECOND: Micros = Micros(1_000_000);
const MILLI: Micros = Micros(1_000);
const TWO_WRITES: Micros = Micros(2_000 * PING as i64);
const FOUR_WRITES: Micros = Micros(4_000 * PING as i64);
const AT_ONCE: &str = "it watches the client's connection";
const AT_WRITE: &str = "its second write to a client that is gone fails";

const fn log(name: &'static str, server: &'static str) -> Log {
    Log {
        name,
        server,
        file: LOG,
        format: "combined",
        records: STREAMS,
        grain: SECOND,
        notice: TWO_WRITES,
        why: AT_WRITE,
        tells: Tells::Nothing,
    }
}

const fn noticed_at_once(log: Log) -> Log {
    Log { notice: Micros::ZERO, why: AT_ONCE, ..log }
}

const HAPROXY: Log = Log {
    format: "syslog RFC 3164 > haproxy",
    grain: MILLI,
    tells: Tells::Both,
    ..log("haproxy", "haproxy")
};

/// The logs of all servers.
pub(crate) const LOGS: [Log; 13] = [
    noticed_at_once(log("nginx rt=", "nginx")),
    Log {
        file: "json.log",
        format: "nginx-json",
        grain: MILLI,
        tells: Tells::Both,
        ..noticed_at_once(log("nginx JSON", "nginx"))
    },
    Log { tells: Tells::Both, ..log("apache", "apache2") },
    HAPROXY,
    Log {
        name: "haproxy in a container",
        file: WRAPPED,
        format: "CRI > syslog RFC 3164 > haproxy",
        ..HAPROXY
    },
    Log {
        format: "caddy",
        grain: MILLI,
        notice: FOUR_WRITES,
        why: "its fourth write to a client that is gone fails",
        ..log("caddy", "caddy")
    },
    Log {
        // The second it logs is the one at the last tick of another clock.
        grain: Micros(2_000_000),
        tells: Tells::Both,
        ..log("lighttpd", "lighttpd")
    },
    log("varnish", "varnishd"),
    log("gunicorn", "gunicorn"),
    Log {
        format: "hypercorn",
        // One more when the application returns.
        records: STREAMS + ABORTED,
        tells: Tells::Client,
        ..noticed_at_once(log("hypercorn", "hypercorn"))
    },
    Log {
        format: "CRI > uvicorn",
        grain: MILLI,
        tells: Tells::Opening,
        ..noticed_at_once(log("uvicorn", "uvicorn"))
    },
    Log { file: "morgan.log", ..noticed_at_once(log("morgan", "node")) },
    Log {
        file: "pino.log",
        format: "pino",
        grain: MILLI,
        tells: Tells::Both,
        ..noticed_at_once(log("pino-http", "node"))
    },
];

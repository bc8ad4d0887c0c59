//! Every format that is read: what it is called, and what it tells.

use super::{About, Mark, Server};

/// A format, for people.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name it is chosen by, or what a format string of it looks like.
    pub name: &'static str,
    /// Who writes it.
    pub server: &'static str,
    /// What its time is of a request: its start, its end.
    pub time: &'static str,
    /// How its duration is written.
    pub duration: &'static str,
    /// Where it says who ended a request.
    pub ended_by: &'static str,
    /// How it is found: `yes`, by itself; else the option that names it.
    pub found: &'static str,
    /// Why it cannot answer by itself, if it cannot.
    pub lacks: Option<&'static str>,
}

/// A format that is told from the records.
const DETECTED: Entry = Entry {
    name: "",
    server: "",
    time: "end",
    duration: "s",
    ended_by: "-",
    found: "yes",
    lacks: None,
};

/// A format that the user describes.
const DESCRIBED: Entry =
    Entry { time: "start", duration: "as above", found: "-f", ..DETECTED };

/// The formats that are told from the records and are no server's alone.
const FORMS: &[Entry] = &[
    Entry {
        name: "combined",
        server: "nginx, Apache, lighttpd, Varnish, Tomcat, gunicorn",
        time: "by file order",
        duration: "none: opens a minute only",
        ended_by: "X, rc=, completion, status 499",
        ..DETECTED
    },
    Entry {
        name: "combined + duration",
        server: "nginx: `60.002`, `rt=60.002`, `request_time=60.002`",
        ended_by: "X, rc=, completion, status 499",
        ..DETECTED
    },
    Entry {
        name: "ingress-nginx",
        server: "ingress-nginx: behind the request's length",
        ended_by: "status 499",
        ..DETECTED
    },
    Entry {
        name: "combined + duration",
        server: "Apache %D, %T, %{ms}T; lighttpd, Tomcat %D",
        time: "by file order",
        duration: "us, s, ms",
        ended_by: "X, rc=, completion, status 499",
        ..DETECTED
    },
    Entry {
        name: "common",
        server: "any of the above without referrer and agent",
        time: "by file order",
        duration: "as above",
        ..DETECTED
    },
    Entry {
        name: "vhost_combined",
        server: "Apache, `host:port` in front",
        time: "by file order",
        duration: "as above",
        ended_by: "X, rc=, completion, status 499",
        ..DETECTED
    },
    Entry {
        name: "iis",
        server: "IIS and others of the W3C extended format, by their #Fields",
        duration: "time-taken, ms",
        ended_by: "sc-win32-status",
        ..DETECTED
    },
    Entry {
        name: "cloudfront",
        server: "AWS CloudFront, standard log v1",
        duration: "time-taken, s",
        ended_by: "ClientCommError, status 000",
        ..DETECTED
    },
    Entry {
        name: "w3c",
        server: "any other of the W3C extended format",
        duration: "s with decimals, else ms",
        ..DETECTED
    },
    Entry {
        name: "nginx-json",
        server: "nginx escape=json, and default escaping",
        ended_by: "request_completion",
        ..DETECTED
    },
    Entry {
        name: "caddy",
        server: "Caddy JSON",
        duration: "s, or with its unit",
        ended_by: "status 499",
        ..DETECTED
    },
    Entry {
        name: "cloudflare",
        server: "Cloudflare Logpush http_requests",
        time: "start and end",
        duration: "end - start",
        ended_by: "status 499",
        ..DETECTED
    },
    Entry {
        name: "workers-trace",
        server: "Cloudflare workers_trace_events",
        time: "start",
        duration: "ms; 0 is unknown",
        ended_by: "Outcome",
        ..DETECTED
    },
    Entry {
        name: "workers-tail",
        server: "wrangler tail --format json",
        time: "start",
        duration: "ms; 0 is unknown, see --arrival",
        ended_by: "outcome",
        ..DETECTED
    },
];

/// The formats that the user describes.
const DESCRIPTIONS: &[Entry] = &[
    Entry {
        name: "'$remote_addr ...'",
        server: "any nginx log_format string",
        time: "end",
        duration: "$request_time, s",
        ended_by: "$request_completion",
        ..DESCRIBED
    },
    Entry {
        name: "'%h %l ...'",
        server: "any Apache LogFormat string",
        time: "start; %{end:...}t end",
        duration: "%D us, %T s, %{ms}T ms",
        ended_by: "%X",
        ..DESCRIBED
    },
    Entry {
        name: "'%ci:%cp [%tr] ...'",
        server: "any HAProxy log-format string",
        duration: "%Ta or %Tt, ms",
        ended_by: "%ts, %tsc",
        ..DESCRIBED
    },
    Entry {
        name: "'[%START_TIME%] ...'",
        server: "any Envoy format string, text or JSON",
        duration: "%DURATION%, ms",
        ended_by: "%RESPONSE_FLAGS%",
        ..DESCRIBED
    },
    Entry {
        name: "@FILE, @FILE#NAME",
        server: "the formats of a configuration of any of these four",
        time: "as above",
        ended_by: "as above",
        ..DESCRIBED
    },
    Entry {
        name: "'(?P<time>...)'",
        server: "a regex; groups start, end, time, duration, path, ...",
        time: "as its groups say",
        duration: "s, or duration_ms, _us, _ns",
        ended_by: "completion",
        ..DESCRIBED
    },
    Entry {
        name: "--field time=...",
        server: "any JSON, by the keys you name",
        time: "as named",
        duration: "told by the file order, or its unit",
        found: "--field",
        ..DESCRIBED
    },
];

/// Every format, in the order people look for one.
pub fn catalogue() -> Vec<Entry> {
    let servers = Server::ALL.iter().map(|server| of_server(server.about()));
    let forms = FORMS.iter().copied();
    forms.chain(servers).chain(DESCRIPTIONS.iter().copied()).collect()
}

/// What a server's format says of itself.
fn of_server(about: &'static About) -> Entry {
    Entry {
        name: about.name,
        server: about.server,
        time: match about.mark {
            Mark::Start => "start",
            Mark::End => "end",
            Mark::Either => "by file order",
        },
        duration: about.duration,
        ended_by: about.ended_by,
        lacks: about.lacks,
        ..DETECTED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_listed_by_a_name_that_can_be_given() {
        let names: Vec<&str> = catalogue().iter().map(|e| e.name).collect();
        for json in crate::format::Json::all() {
            assert!(names.contains(&json.name()), "{}", json.name());
        }
        for server in Server::ALL {
            assert!(names.contains(&server.about().name));
        }
    }
}

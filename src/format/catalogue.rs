//! Every format that is read, as a table for people.

/// One row of the table.
struct Row {
    name: &'static str,
    server: &'static str,
    time: &'static str,
    duration: &'static str,
    detected: &'static str,
}

/// A row a format.
const ROWS: &[Row] = &[
    Row {
        name: "combined",
        server: "nginx, Apache, lighttpd, Varnish, Tomcat, gunicorn",
        time: "by file order",
        duration: "none: opens a minute only",
        detected: "yes",
    },
    Row {
        name: "combined + duration",
        server: "nginx: `60.002`, `rt=60.002`, `request_time=60.002`",
        time: "end",
        duration: "s",
        detected: "yes",
    },
    Row {
        name: "ingress-nginx",
        server: "ingress-nginx: behind the request's length",
        time: "end",
        duration: "s",
        detected: "yes",
    },
    Row {
        name: "combined + duration",
        server: "Apache %D, %T, %{ms}T; lighttpd, Tomcat %D",
        time: "by file order",
        duration: "us, s, ms",
        detected: "yes",
    },
    Row {
        name: "common",
        server: "any of the above without referrer and agent",
        time: "by file order",
        duration: "as above",
        detected: "yes",
    },
    Row {
        name: "vhost_combined",
        server: "Apache, `host:port` in front",
        time: "by file order",
        duration: "as above",
        detected: "yes",
    },
    Row {
        name: "nginx-json",
        server: "nginx escape=json, and default escaping",
        time: "end",
        duration: "s",
        detected: "yes",
    },
    Row {
        name: "caddy",
        server: "Caddy JSON",
        time: "end",
        duration: "s, or with its unit",
        detected: "yes",
    },
    Row {
        name: "cloudflare",
        server: "Cloudflare Logpush http_requests",
        time: "start and end",
        duration: "end - start",
        detected: "yes",
    },
    Row {
        name: "workers-trace",
        server: "Cloudflare workers_trace_events",
        time: "start",
        duration: "ms; 0 is unknown",
        detected: "yes",
    },
    Row {
        name: "workers-tail",
        server: "wrangler tail --format json",
        time: "start",
        duration: "ms; 0 is unknown, see --arrival",
        detected: "yes",
    },
    Row {
        name: "'$remote_addr ...'",
        server: "any nginx log_format string",
        time: "end",
        duration: "$request_time, s",
        detected: "-f",
    },
    Row {
        name: "'%h %l ...'",
        server: "any Apache LogFormat string",
        time: "start; %{end:...}t end",
        duration: "%D us, %T s, %{ms}T ms",
        detected: "-f",
    },
    Row {
        name: "@FILE, @FILE#NAME",
        server: "the formats of an nginx.conf or httpd.conf",
        time: "as above",
        duration: "as above",
        detected: "-f",
    },
    Row {
        name: "'(?P<time>...)'",
        server: "a regex; groups start, end, time, duration, path, ...",
        time: "as its groups say",
        duration: "s, or duration_ms, _us, _ns",
        detected: "-f",
    },
];

/// The table, ready to print.
pub fn table() -> String {
    let head = Row {
        name: "FORMAT",
        server: "WRITTEN BY",
        time: "TIME IS THE",
        duration: "DURATION",
        detected: "FOUND BY ITSELF",
    };
    let width = |of: fn(&Row) -> &'static str| {
        ROWS.iter().map(|row| of(row).len()).max().unwrap_or(0)
    };
    let (name, server) = (width(|row| row.name), width(|row| row.server));
    let (time, duration) = (width(|row| row.time), width(|row| row.duration));
    let line = |row: &Row| {
        format!(
            "{:name$}  {:server$}  {:time$}  {:duration$}  {}\n",
            row.name, row.server, row.time, row.duration, row.detected
        )
    };
    let rows: String = ROWS.iter().map(line).collect();
    format!(
        "{}{rows}\nA record is written when its request ends, so a time that \
         is the start is not in\nthe order of the file: that is how start and \
         end are told apart where a format\nleaves it open. --timestamp and \
         --duration-unit decide.\n",
        line(&head)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lists_every_format_by_a_name_that_can_be_given() {
        let table = table();
        for json in crate::format::Json::all() {
            assert!(table.contains(json.name()), "{}", json.name());
        }
        assert_eq!(table.lines().count(), ROWS.len() + 5);
    }
}

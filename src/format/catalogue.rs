//! Every format that is read, as a table for people.

use super::{About, Mark, Server};

/// One row of the table.
struct Row {
    name: &'static str,
    server: &'static str,
    time: &'static str,
    duration: &'static str,
    ended_by: &'static str,
    found: &'static str,
}

/// A row a format.
const ROWS: &[Row] = &[
    Row {
        name: "combined",
        server: "nginx, Apache, lighttpd, Varnish, Tomcat, gunicorn",
        time: "by file order",
        duration: "none: opens a minute only",
        ended_by: "X, rc=, completion, status 499",
        found: "yes",
    },
    Row {
        name: "combined + duration",
        server: "nginx: `60.002`, `rt=60.002`, `request_time=60.002`",
        time: "end",
        duration: "s",
        ended_by: "X, rc=, completion, status 499",
        found: "yes",
    },
    Row {
        name: "ingress-nginx",
        server: "ingress-nginx: behind the request's length",
        time: "end",
        duration: "s",
        ended_by: "status 499",
        found: "yes",
    },
    Row {
        name: "combined + duration",
        server: "Apache %D, %T, %{ms}T; lighttpd, Tomcat %D",
        time: "by file order",
        duration: "us, s, ms",
        ended_by: "X, rc=, completion, status 499",
        found: "yes",
    },
    Row {
        name: "common",
        server: "any of the above without referrer and agent",
        time: "by file order",
        duration: "as above",
        ended_by: "-",
        found: "yes",
    },
    Row {
        name: "vhost_combined",
        server: "Apache, `host:port` in front",
        time: "by file order",
        duration: "as above",
        ended_by: "X, rc=, completion, status 499",
        found: "yes",
    },
    Row {
        name: "iis",
        server: "IIS and others of the W3C extended format, by their #Fields",
        time: "end",
        duration: "time-taken, ms",
        ended_by: "sc-win32-status",
        found: "yes",
    },
    Row {
        name: "cloudfront",
        server: "AWS CloudFront, standard log v1",
        time: "end",
        duration: "time-taken, s",
        ended_by: "ClientCommError, status 000",
        found: "yes",
    },
    Row {
        name: "w3c",
        server: "any other of the W3C extended format",
        time: "end",
        duration: "s with decimals, else ms",
        ended_by: "-",
        found: "yes",
    },
    Row {
        name: "nginx-json",
        server: "nginx escape=json, and default escaping",
        time: "end",
        duration: "s",
        ended_by: "request_completion",
        found: "yes",
    },
    Row {
        name: "caddy",
        server: "Caddy JSON",
        time: "end",
        duration: "s, or with its unit",
        ended_by: "status 499",
        found: "yes",
    },
    Row {
        name: "cloudflare",
        server: "Cloudflare Logpush http_requests",
        time: "start and end",
        duration: "end - start",
        ended_by: "status 499",
        found: "yes",
    },
    Row {
        name: "workers-trace",
        server: "Cloudflare workers_trace_events",
        time: "start",
        duration: "ms; 0 is unknown",
        ended_by: "Outcome",
        found: "yes",
    },
    Row {
        name: "workers-tail",
        server: "wrangler tail --format json",
        time: "start",
        duration: "ms; 0 is unknown, see --arrival",
        ended_by: "outcome",
        found: "yes",
    },
    Row {
        name: "'$remote_addr ...'",
        server: "any nginx log_format string",
        time: "end",
        duration: "$request_time, s",
        ended_by: "$request_completion",
        found: "-f",
    },
    Row {
        name: "'%h %l ...'",
        server: "any Apache LogFormat string",
        time: "start; %{end:...}t end",
        duration: "%D us, %T s, %{ms}T ms",
        ended_by: "%X",
        found: "-f",
    },
    Row {
        name: "'%ci:%cp [%tr] ...'",
        server: "any HAProxy log-format string",
        time: "start",
        duration: "%Ta or %Tt, ms",
        ended_by: "%ts, %tsc",
        found: "-f",
    },
    Row {
        name: "'[%START_TIME%] ...'",
        server: "any Envoy format string, text or JSON",
        time: "start",
        duration: "%DURATION%, ms",
        ended_by: "%RESPONSE_FLAGS%",
        found: "-f",
    },
    Row {
        name: "@FILE, @FILE#NAME",
        server: "the formats of a configuration of any of these four",
        time: "as above",
        duration: "as above",
        ended_by: "as above",
        found: "-f",
    },
    Row {
        name: "'(?P<time>...)'",
        server: "a regex; groups start, end, time, duration, path, ...",
        time: "as its groups say",
        duration: "s, or duration_ms, _us, _ns",
        ended_by: "completion",
        found: "-f",
    },
    Row {
        name: "--field time=...",
        server: "any JSON, by the keys you name",
        time: "as named",
        duration: "told by the file order, or its unit",
        ended_by: "-",
        found: "--field",
    },
];

/// The row of a server.
fn row(about: &'static About) -> Row {
    let time = match about.mark {
        Mark::Start => "start",
        Mark::End => "end",
        Mark::Either => "by file order",
    };
    Row {
        name: about.name,
        server: about.server,
        time,
        duration: about.duration,
        ended_by: about.ended_by,
        found: "yes",
    }
}

impl Row {
    fn cells(&self) -> [&'static str; 6] {
        let Row { name, server, time, duration, ended_by, found } = *self;
        [name, server, time, duration, ended_by, found]
    }
}

/// What the columns hold.
const HEAD: [&str; 6] = [
    "FORMAT",
    "WRITTEN BY",
    "TIME IS THE",
    "DURATION",
    "WHO ENDED IT",
    "FOUND BY ITSELF",
];

/// The table, ready to print, in no more columns than there are: where they
/// are too few for it, one line a cell.
pub fn table(room: Option<usize>) -> String {
    let servers = Server::ALL.iter().map(|server| server.about());
    let servers: Vec<Row> = servers.map(row).collect();
    let given = ROWS.iter().position(|row| row.found == "-f");
    let (told, given) = ROWS.split_at(given.unwrap_or(ROWS.len()));
    let rows = told.iter().chain(&servers).chain(given).map(Row::cells);
    let rows: Vec<[&str; 6]> = rows.collect();
    let table = columns(&rows);
    let widest = table.lines().map(|line| line.chars().count()).max();
    let table =
        if room.is_some() && room < widest { stacked(&rows) } else { table };
    format!(
        "{table}\nA record is written when its request ends, so a time that is \
         the start is not in\nthe order of the file: that is how start and end \
         are told apart where a format\nleaves it open. --timestamp and \
         --duration-unit decide.\n{}",
        lacking()
    )
}

/// A line a row.
fn columns(rows: &[[&str; 6]]) -> String {
    let all = || std::iter::once(&HEAD).chain(rows);
    let width = |at: usize| all().map(|row| row[at].chars().count()).max();
    let widths: Vec<usize> = (0..6).filter_map(width).collect();
    let line = |row: &[&str; 6]| {
        let cells = row.iter().zip(&widths);
        let cells: String =
            cells.map(|(cell, width)| format!("{cell:width$}  ")).collect();
        format!("{}\n", cells.trim_end())
    };
    all().map(line).collect()
}

/// A line a cell, with what it is.
fn stacked(rows: &[[&str; 6]]) -> String {
    let one = |row: &[&str; 6]| {
        let cells = HEAD.iter().zip(row).skip(1).map(|(head, cell)| {
            format!("    {:15}  {cell}\n", head.to_lowercase())
        });
        format!("{}\n{}", row[0], cells.collect::<String>())
    };
    rows.iter().map(one).collect()
}

/// The formats that cannot answer by themselves, and why.
fn lacking() -> String {
    let servers = Server::ALL.iter().map(|server| server.about());
    let why = servers.filter_map(|about| Some((about.name, about.lacks?)));
    let why: String =
        why.map(|(name, lacks)| format!("  {name}: {lacks}\n")).collect();
    if why.is_empty() {
        why
    } else {
        format!("\nThese cannot answer by themselves:\n{why}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_lists_every_format_by_a_name_that_can_be_given() {
        let table = table(None);
        for json in crate::format::Json::all() {
            assert!(table.contains(json.name()), "{}", json.name());
        }
        for server in Server::ALL {
            let about = server.about();
            let line = table.lines().find(|l| l.starts_with(about.name));
            let line = line.unwrap_or_else(|| panic!("{}", about.name));
            assert!(line.contains(about.server), "{line}");
            let lacks = about.lacks.unwrap_or_default();
            assert!(table.contains(lacks), "{lacks}");
        }
    }

    #[test]
    fn a_narrow_terminal_gets_a_line_for_each_cell() {
        let (wide, narrow) = (table(None), table(Some(80)));
        assert_eq!(table(Some(1000)), wide);
        let rows = narrow.split("\nA record is").next().unwrap();
        assert!(rows.lines().all(|line| line.chars().count() <= 80));
        for row in ROWS {
            assert!(row.cells().iter().all(|cell| rows.contains(cell)));
        }
    }
}

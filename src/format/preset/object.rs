//! Records that are one JSON object.

use crate::format::Reject;
use crate::format::json::{Found, Keys, Note};

/// The texts of a record that is one object and holds `telling`, which few
/// foreign ones do: most of those are refused before they are walked.
pub(super) fn object<'a>(
    record: &'a [u8],
    telling: &'static str,
    keys: &'static Keys,
) -> Result<Found<'a, 'static>, Reject> {
    if record.first() != Some(&b'{') {
        return Err(Reject::shape(0, "an object"));
    }
    if memchr::memmem::find(record, telling.as_bytes()).is_none() {
        return Err(Reject::shape(0, telling));
    }
    keys.find(record)
}

/// What was logged under a note's keys; empty if nothing was.
pub(super) fn noted<'f>(found: &'f Found<'_, '_>, note: Note) -> &'f [u8] {
    found.note(note).map_or(b"", |(text, _)| text)
}

#[cfg(test)]
mod tests {
    use crate::format::{NOT_ACCESS, Server};

    macro_rules! fixture {
        ($name:literal) => {
            include_str!(concat!("../../../fixtures/formats/", $name, ".log"))
        };
    }

    const FIXTURES: [(Server, &str); 14] = [
        (Server::Gcp, fixture!("gcp")),
        (Server::AzureGateway, fixture!("azure-gateway")),
        (Server::AzureFrontDoor, fixture!("azure-front-door")),
        (Server::Vercel, fixture!("vercel")),
        (Server::Railway, fixture!("railway")),
        (Server::WorkersLogs, fixture!("workers-logs")),
        (Server::WebsocketAnalytics, fixture!("websocket-analytics")),
        (Server::McpPortal, fixture!("mcp-portal")),
        (Server::KubernetesAudit, fixture!("kubernetes-audit")),
        (Server::ApiGateway, fixture!("api-gateway")),
        (Server::HaproxyJson, fixture!("haproxy-json")),
        (Server::EnvoyJson, fixture!("envoy-json")),
        (Server::Traefik, fixture!("traefik")),
        (Server::Kong, fixture!("kong")),
    ];

    /// Whether a record is this server's, a request or not.
    fn is_of(server: Server, record: &[u8]) -> bool {
        match server.read(record, 0) {
            Ok(_) => true,
            Err(reject) => reject.expected == NOT_ACCESS,
        }
    }

    #[test]
    fn records_are_read_by_their_own_server_and_by_no_other() {
        for (own, text) in FIXTURES {
            for line in text.lines() {
                for server in Server::ALL {
                    let is = is_of(*server, line.as_bytes());
                    assert_eq!(is, *server == own, "{server:?}: {line}");
                }
            }
        }
    }

    #[test]
    fn other_servers_objects_and_lines_are_refused() {
        for line in [
            "",
            "{}",
            "[]",
            r#"192.0.2.1 - - [29/Nov/2026:13:44:23 +0000] "GET / HTTP/1.1" 200 7"#,
            r#"{"time":"2026-08-01T12:00:00Z","level":"INFO","msg":"up"}"#,
            r#"{"requestId":"a","projectId":"b","auditID":"c","category":"d"}"#,
            r#"{"logName":"x","totalDuration":5,"Datetime":1,"$metadata":{}}"#,
            r#"{"level":30,"time":1785585600123,"reqId":"r","req":{"url":"/"}}"#,
        ] {
            for (server, _) in FIXTURES {
                assert!(!is_of(server, line.as_bytes()), "{server:?} {line}");
            }
        }
    }

    #[test]
    fn no_cut_or_mangled_record_is_too_much() {
        for (server, text) in FIXTURES {
            for line in text.lines().map(str::as_bytes) {
                for end in 0..line.len() {
                    let cut = server.read(&line[..end], 0);
                    assert!(cut.is_err(), "{server:?} reads {end} bytes");
                }
                let mut mangled = line.to_vec();
                for at in 0..line.len() {
                    for byte in [b'"', b'-', b'9', 0xff] {
                        mangled[at] = byte;
                        let _any = server.read(&mangled, 0);
                    }
                    mangled[at] = line[at];
                }
            }
        }
    }

    /// Text that proxies log: a record that is cut may be one still, for
    /// HAProxy cuts long ones.
    const LINES: [(Server, &str); 5] = [
        (Server::Haproxy, fixture!("haproxy")),
        (Server::Haproxy, fixture!("haproxy-clf")),
        (Server::Haproxy, fixture!("haproxy-logasap")),
        (Server::Envoy, fixture!("envoy")),
        (Server::Envoy, fixture!("envoy-istio")),
    ];

    #[test]
    fn a_proxys_lines_are_its_own_and_mangled_ones_never_too_much() {
        for (own, text) in LINES {
            for line in text.lines() {
                for server in Server::ALL {
                    let is = is_of(*server, line.as_bytes());
                    assert_eq!(is, *server == own, "{server:?}: {line}");
                }
                let mut mangled = line.as_bytes().to_vec();
                for at in 0..mangled.len() {
                    let was = mangled[at];
                    for byte in [b'"', b'-', b'9', b'#', b' ', 0xff] {
                        mangled[at] = byte;
                        let _any = own.read(&mangled, 0);
                    }
                    mangled[at] = was;
                }
            }
        }
    }
}

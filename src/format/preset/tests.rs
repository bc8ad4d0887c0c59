//! What holds for every server of the list.

use super::Server;
use crate::format::{Event, NOT_ACCESS};

/// Each server and its fixture, `fixtures/formats/NAME.log`.
fn fixtures() -> Vec<(Server, String)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/formats");
    let all = Server::ALL.iter().map(|server| {
        let path = format!("{root}/{}.log", server.about().name);
        let text = std::fs::read_to_string(&path);
        (*server, text.unwrap_or_else(|error| panic!("{path}: {error}")))
    });
    all.collect()
}

/// Whether a record is this server's, a request or not.
fn is_of(server: Server, record: &[u8]) -> bool {
    match server.read(record, 0) {
        Ok(_) => true,
        Err(reject) => reject.expected == NOT_ACCESS,
    }
}

#[test]
fn records_are_read_by_their_own_server_and_by_no_other() {
    for (own, text) in fixtures() {
        let read = text.lines().filter(|l| is_of(own, l.as_bytes())).count();
        assert!(read * 4 >= text.lines().count() * 3, "{own:?}");
        for line in text.lines() {
            for server in Server::ALL.iter().filter(|other| **other != own) {
                let is = is_of(*server, line.as_bytes());
                assert!(!is, "{server:?} reads {own:?}'s {line}");
            }
        }
    }
}

#[test]
fn lambdas_fixtures_tell_their_openings_and_closes() {
    let lambdas = [Server::Lambda, Server::LambdaJson];
    let logs = fixtures().into_iter().filter(|(own, _)| lambdas.contains(own));
    let events = logs.map(|(own, log)| {
        let events = log.lines().filter_map(|line| {
            match own.read(line.as_bytes(), 0) {
                Ok(read) => Some(read.event),
                Err(why) => {
                    assert_eq!(why.expected, NOT_ACCESS, "{line}");
                    None
                }
            }
        });
        let events: Vec<Event> = events.collect();
        let count = |event| events.iter().filter(|e| **e == event).count();
        (count(Event::Open), count(Event::Close))
    });
    assert_eq!(events.collect::<Vec<_>>(), [(4, 4), (4, 4)]);
}

/// Not even passed over: a load balancer writes nothing but requests.
#[test]
fn a_load_balancers_log_is_read_whole() {
    let only = [Server::Alb, Server::Elb, Server::Nlb, Server::CloudFront];
    let logs = fixtures().into_iter().filter(|(own, _)| only.contains(own));
    for (own, log) in logs {
        let read = |line: &str| own.read(line.as_bytes(), 0).is_ok();
        assert!(log.lines().count() > 5 && log.lines().all(read), "{own:?}");
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
        r#"{"lvl":30,"time":1785585600123,"reqId":"r","url":"/"}"#,
    ] {
        for server in Server::ALL {
            assert!(!is_of(*server, line.as_bytes()), "{server:?} {line}");
        }
    }
}

#[test]
fn no_cut_or_mangled_record_is_too_much() {
    for (server, text) in fixtures() {
        for line in text.lines().map(str::as_bytes) {
            for end in 0..line.len() {
                let cut = server.read(&line[..end], 0);
                // Of a line of text the end may be missing.
                let whole = cut.is_err() || line[0] != b'{';
                assert!(whole, "{server:?} reads {end} bytes");
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

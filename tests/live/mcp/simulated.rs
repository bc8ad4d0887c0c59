//! The simulated servers before a client of the SDK, and a simulated
//! client's request before a server of it.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use streamleak::internal::format::EndedBy;
use streamleak::internal::simulate::{
    self, Entry, Era, Pace, Run, Server as Kind, Simulation, Stop,
};

use super::SERVER;
use super::bench::{listens, soon};
use crate::check::METHOD;
use crate::place::{Place, Program, free_ports};
use crate::server::{Server, Spec};

/// Opens two streams, and closes what is not ended for it.
static CLIENT: Spec = super::sdk(
    "client",
    "@LIVE@/mcp/client.py http://127.0.0.1:@PORT@/mcp --streams 2 --hold 0.9",
);

/// How far apart client and server may see the same, on a machine that is
/// busy; streams end twice as far from each other.
const APART: f64 = 0.25;

/// Servers with a ceiling below what the client holds.
fn simulation(server: Kind) -> Simulation {
    let millis = Duration::from_millis;
    Simulation {
        server,
        clients: Vec::new(),
        pace: Pace {
            ceiling: millis(600),
            max_hold: millis(500),
            keepalive: millis(50),
            silence: millis(150),
            backoff: millis(150),
        },
        era: Era::Modern,
        length: Duration::from_secs(60),
        every: millis(250),
    }
}

/// Lets the client loose on a simulated server: what it said, and the run.
fn visited(python: &Path, server: Kind) -> Result<(Vec<Value>, Run), String> {
    let text = |e: std::io::Error| e.to_string();
    let folder = tempfile::tempdir().map_err(text)?;
    let listener =
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(text)?;
    let port = listener.local_addr().map_err(text)?.port();
    let stop = Stop::default();
    let (visit, run) = thread::scope(|scope| {
        let client = scope.spawn(|| {
            let folder = folder.path().join("client");
            let place = Place { folder, port, upstream: 0, syslog: 0 };
            let said = Server::start(&CLIENT, python, place)
                .map_err(text)
                .and_then(|mut client| {
                    client.ended(soon())?;
                    let said = client.log("stdout");
                    std::fs::read_to_string(said).map_err(text)
                });
            stop.stop();
            said
        });
        let run = simulation(server).run_on(listener, &stop, &mut |_| {});
        (client.join(), run.map_err(text))
    });
    let said = visit.map_err(|_| "the client panicked".to_owned())??;
    let lines = said.lines().map(serde_json::from_str).collect();
    let lines: Result<Vec<Value>, _> = lines;
    Ok((lines.map_err(|e| format!("{e}: {said}"))?, run?))
}

/// Whether the client saw what the server did: two streams, each ended by
/// `by` as the client calls it.
fn check(
    (said, run): &(Vec<Value>, Run),
    by: &str,
    ender: EndedBy,
) -> Result<(), String> {
    let streams = run.entries.iter().filter(|entry| entry.stream);
    let streams: Vec<&Entry> = streams.collect();
    let told = format!("{said:#?}\n{streams:#?}");
    let events = |event: &'static str| {
        said.iter().filter(move |line| line["event"] == event)
    };
    let at = |line: &Value| line["at"].as_f64().unwrap_or(f64::NAN);
    let by = events("closed").filter(|line| line["by"] == by).count();
    let opened = events("opened").zip(events("acknowledged"));
    let in_time = opened.zip(&streams).filter(|((asked, told), entry)| {
        let range = at(asked) - APART..=at(told) + APART;
        range.contains(&entry.opened.as_secs())
    });
    let closed = events("closed").zip(&streams).filter(|(line, entry)| {
        let closed = entry.closed.map_or(f64::NAN, |closed| closed.as_secs());
        (closed - at(line)).abs() <= APART && entry.ended_by == ender
    });
    let counts = [streams.len(), by, in_time.count(), closed.count()];
    let methods = streams.iter().all(|entry| entry.mcp_method == METHOD);
    if counts == [2; 4] && methods {
        Ok(())
    } else {
        Err(format!("{counts:?}: {told}"))
    }
}

#[test]
fn a_client_of_the_mcp_sdk_takes_simulated_servers_for_what_they_are() {
    let python = Program::Sdk.find().expect("the SDK of MCP");
    let cases = [
        (Kind::Silent, "client", EndedBy::Client),
        (Kind::Cutting, "lost", EndedBy::Server),
        (Kind::Hardened, "server", EndedBy::Server),
    ];
    thread::scope(|scope| {
        let visits = cases.map(|(server, by, ender)| {
            let python = &python;
            scope.spawn(move || {
                let found = visited(python, server)
                    .and_then(|visit| check(&visit, by, ender));
                assert!(found.is_ok(), "{server:?}: {}", found.unwrap_err());
            })
        });
        for visit in visits {
            visit.join().expect("the client is answered");
        }
    });
}

/// Asks a server of the SDK for a stream as simulated clients do, and reads
/// until it is acknowledged.
fn acknowledged(python: &Path) -> Result<String, String> {
    let text = |e: std::io::Error| e.to_string();
    let folder = tempfile::tempdir().map_err(text)?;
    let port = free_ports().next().ok_or("no port")?;
    let folder = folder.path().join("server");
    let place = Place { folder, port, upstream: 0, syslog: 0 };
    let mut server = Server::start(&SERVER, python, place).map_err(text)?;
    listens(&mut server)?;
    let at = server.place.address();
    let mut socket = TcpStream::connect(at).map_err(text)?;
    let request = simulate::listen(Era::Modern, at.into(), "a client", "");
    socket.write_all(request.as_bytes()).map_err(text)?;
    socket.set_read_timeout(Some(Duration::from_secs(5))).map_err(text)?;
    let mut said = Vec::new();
    let mut block = [0; 4096];
    let until = Instant::now() + Duration::from_secs(20);
    loop {
        let shown = String::from_utf8_lossy(&said).into_owned();
        if shown.contains("\"listen-1\"") {
            return Ok(shown);
        }
        let count = socket.read(&mut block).map_err(text)?;
        if count == 0 || Instant::now() > until {
            return Err(format!("no event: {shown}"));
        }
        said.extend_from_slice(&block[..count]);
    }
}

#[test]
fn a_server_of_the_mcp_sdk_takes_a_simulated_client_s_request() {
    let python = Program::Sdk.find().expect("the SDK of MCP");
    let said = acknowledged(&python).expect("an answer");
    assert!(said.starts_with("HTTP/1.1 200"), "{said}");
    let event = "notifications/subscriptions/acknowledged";
    assert!(said.contains(event), "{said}");
}

//! What simulated servers say on the wire, to a client of the test.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use streamleak::internal::simulate::{Entry, Log, Run, Sample, Server, Stop};

use super::{LONG_ENOUGH, pace, simulation, streams};

/// A server as a client of the test sees it.
struct Served {
    address: SocketAddr,
    /// How many streams the server counts as open, again and again.
    counts: Receiver<u64>,
}

impl Served {
    /// Waits until the server counts so many open streams.
    fn wait_until_open(&self, expected: u64) {
        let until = Instant::now() + LONG_ENOUGH;
        let counted = || {
            let rest = until.saturating_duration_since(Instant::now());
            self.counts.recv_timeout(rest).expect("the count is reached")
        };
        while counted() != expected {}
    }
}

/// Runs a server without clients, and a client of ours against it for as long
/// as that takes.
fn against<T: Send>(
    server: Server,
    client: impl FnOnce(Served) -> T + Send,
) -> (T, Run) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let listener = listener.expect("a port");
    let address = listener.local_addr().expect("an address");
    let mut simulation = simulation(server, Vec::new());
    simulation.length = 2 * LONG_ENOUGH;
    let (count, counts) = channel();
    let mut watch = |sample: &Sample| {
        // The client may have ended: it needs no more counts.
        let _ended = count.send(sample.open);
    };
    let stop = Stop::default();
    thread::scope(|scope| {
        let stopped = stop.clone();
        let client = scope.spawn(move || {
            let done = client(Served { address, counts });
            stopped.stop();
            done
        });
        let run = simulation.run_on(listener, &stop, &mut watch);
        (client.join().expect("the client ends"), run.expect("a run"))
    })
}

/// Sends this and reads what comes until the end.
fn all(address: SocketAddr, request: &str) -> String {
    let mut socket = TcpStream::connect(address).expect("the server");
    socket.write_all(request.as_bytes()).expect("a request");
    let mut text = Vec::new();
    socket.read_to_end(&mut text).expect("an answer");
    String::from_utf8(text).expect("UTF-8")
}

/// A request for a stream with this id.
fn listen(id: &str) -> String {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"subscriptions/listen","params":{{"notifications":{{"toolsListChanged":true}}}}}}"#
    );
    format!(
        "POST /mcp HTTP/1.1\r\nHost: x\r\nmcp-method: subscriptions/listen\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn a_polite_server_says_when_to_come_back_and_ends_in_order() {
    let (text, run) =
        against(Server::Polite, |at| all(at.address, &listen("\"a\"")));
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    assert!(head.contains("Content-Type: text/event-stream"), "{head}");
    let said: Vec<&str> =
        body.split("\r\n").skip(1).step_by(2).map(str::trim).collect();
    assert_eq!(said[..2], [": open", "retry: 150"]);
    let event = said[2].strip_prefix("event: message\ndata: ");
    let event: serde_json::Value =
        serde_json::from_str(event.expect("an event")).expect("JSON");
    assert_eq!(event["method"], "notifications/subscriptions/acknowledged");
    let meta = &event["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/subscriptionId"], "a");
    assert!(said[3..].iter().filter(|s| **s == ": keepalive").count() >= 7);
    let result = said.iter().rfind(|text| !text.is_empty());
    let result = result.expect("a result");
    assert!(result.contains("\"resultType\":\"complete\""), "{result}");
    assert!(body.ends_with("\r\n0\r\n\r\n"), "{body:?}");
    let held = |e: &&Entry| e.closed.map(|closed| closed - e.opened);
    let held = streams(&run).iter().find_map(held).expect("one stream");
    assert!(held.as_secs() >= pace().max_hold.as_secs_f64(), "{held:?}");
}

#[test]
fn a_cutting_server_ends_in_the_middle_of_the_body() {
    let (text, _) =
        against(Server::Cutting, |at| all(at.address, &listen("1")));
    assert!(!text.contains("retry:"), "{text}");
    assert!(text.ends_with(": keepalive\n\n\r\n"), "{text:?}");
}

/// Reads until so many comments have come.
fn hear_comments(socket: &mut TcpStream, count: usize) {
    socket.set_read_timeout(Some(LONG_ENOUGH)).expect("a timeout");
    let mut heard = String::new();
    let mut block = [0; 4096];
    while heard.matches(": keepalive").count() < count {
        let length = socket.read(&mut block).expect("a comment in time");
        assert_ne!(length, 0, "it was closed: {heard}");
        heard.push_str(&String::from_utf8_lossy(&block[..length]));
    }
}

#[test]
fn a_silent_server_never_closes_and_sees_its_client_leave() {
    let (_, run) = against(Server::Silent, |served| {
        let socket = TcpStream::connect(served.address);
        let mut socket = socket.expect("the server");
        socket.write_all(listen("1").as_bytes()).expect("a request");
        served.wait_until_open(1);
        // A comment each `keepalive`, the last at the ceiling.
        let comments = pace().ceiling.div_duration_f64(pace().keepalive);
        hear_comments(&mut socket, comments as usize);
        socket.set_read_timeout(Some(pace().ceiling)).expect("a timeout");
        let silent = socket.read(&mut [0]).expect_err("neither word nor end");
        let early = [ErrorKind::WouldBlock, ErrorKind::TimedOut];
        assert!(early.contains(&silent.kind()), "{silent}");
        drop(socket);
        served.wait_until_open(0);
    });
    let ended = streams(&run)[0];
    assert_eq!(ended.ended_by, streamleak::internal::format::EndedBy::Client);
}

#[test]
fn requests_for_other_things_are_answered_and_are_no_streams() {
    let discover = "POST /mcp HTTP/1.1\r\nMcp-Method: server/discover\r\n\
                    Content-Length: 8\r\n\r\n{\"id\":7}";
    let ((found, lost), run) = against(Server::Capped, |at| {
        let lost = "GET /\u{1b}[31m\"x HTTP/1.1\r\n\r\n";
        (all(at.address, discover), all(at.address, lost))
    });
    assert!(found.contains("\"supportedVersions\":[\"2026-07-28\"]"));
    assert!(found.contains("\"id\":7"), "{found}");
    assert!(lost.is_empty() || lost.starts_with("HTTP/1.1 404"), "{lost}");
    assert!(streams(&run).is_empty());
    let text = Log::Ends.text(&run, None);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text}");
}

#[test]
fn a_client_that_drips_its_request_holds_nothing_up() {
    against(Server::Silent, |served| {
        let socket = TcpStream::connect(served.address);
        let mut socket = socket.expect("the server");
        socket.write_all(b"POST /mcp HTTP/1.1\r\nX: ").expect("a start");
        let began = Instant::now();
        let drip = Duration::from_millis(50);
        socket.set_read_timeout(Some(drip)).expect("a timeout");
        // Until it is hung up on: a write or a read says so.
        let mut block = [0; 64];
        while socket.write_all(b"x").is_ok()
            && !matches!(socket.read(&mut block), Ok(0))
        {
            assert!(began.elapsed() < LONG_ENOUGH, "it is held");
        }
    });
}

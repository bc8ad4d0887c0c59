//! The server behind the proxies: server-sent events, one thread a stream.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\
    Cache-Control: no-cache\r\nConnection: close\r\n\r\n: open\n\n";

/// Starts it; returns its port. It serves until the process ends.
pub(crate) fn start() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let listener = listener.expect("a port on loopback");
    let port = listener.local_addr().expect("a bound socket").port();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            std::thread::spawn(move || {
                // The proxy is gone when this fails: as it should be.
                let _gone = serve(&stream);
            });
        }
    });
    port
}

/// Answers one request with the stream that its query asks for.
fn serve(mut stream: &TcpStream) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let target = target(stream)?;
    let end = Instant::now() + millis(&target, "lasts=");
    let ping = millis(&target, "ping=");
    stream.write_all(HEAD.as_bytes())?;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(());
        }
        if ping.is_zero() {
            std::thread::sleep(left);
        } else {
            std::thread::sleep(left.min(ping));
            stream.write_all(b": ping\n\n")?;
        }
    }
}

/// The target of the request, whose head is read to its end.
fn target(stream: &TcpStream) -> std::io::Result<String> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    while lines.next().transpose()?.is_some_and(|line| !line.is_empty()) {}
    Ok(first.split(' ').nth(1).unwrap_or_default().to_owned())
}

/// A number of the query; 0 when it is not there.
fn millis(target: &str, key: &str) -> Duration {
    let query = target.split_once('?').map_or("", |(_, query)| query);
    let value = query.split('&').find_map(|part| part.strip_prefix(key));
    Duration::from_millis(value.and_then(|v| v.parse().ok()).unwrap_or(0))
}

//! HTTP/1.1 as far as it is needed: heads read with httparse, bodies of a
//! bounded length, chunks, and what can be heard on a socket.

use std::io::{self, ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The longest head and the longest body of a request, in bytes.
const LONGEST: usize = 64 << 10;
/// How long a request, or the head of an answer, may take to come: at most
/// so much longer than it should a run can last.
const PATIENCE: Duration = Duration::from_secs(2);
/// How much is read at a time, in bytes.
const BLOCK: usize = 4096;
/// The most header fields.
const FIELDS: usize = 64;

/// Ends a chunked body.
pub(super) const LAST_CHUNK: &str = "0\r\n\r\n";

/// A request, as much of it as matters here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Request {
    /// Its HTTP method.
    pub(super) verb: String,
    /// Its target.
    pub(super) path: String,
    /// `User-Agent`.
    pub(super) agent: String,
    /// `Mcp-Method`.
    pub(super) mcp_method: String,
    /// `Mcp-Session-Id`.
    pub(super) session: String,
    /// Its body.
    pub(super) body: Vec<u8>,
}

/// What a socket had to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// Bytes came.
    Something,
    /// The time is up and nothing came.
    Nothing,
    /// The peer has closed it.
    End,
}

/// Reads a request; `None` when the peer closes without one.
pub(super) fn request(socket: &TcpStream) -> io::Result<Option<Request>> {
    let until = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    let (mut request, head, length) = loop {
        if let Some(found) = parsed(&bytes)? {
            break found;
        }
        if !more(socket, until, &mut bytes)? {
            return Ok(None);
        }
    };
    while bytes.len() < head + length {
        if !more(socket, until, &mut bytes)? {
            return Ok(None);
        }
    }
    request.body = bytes[head..head + length].to_vec();
    Ok(Some(request))
}

/// Reads a request's head if it is whole: the request, the head's length and
/// that of the body.
fn parsed(bytes: &[u8]) -> io::Result<Option<(Request, usize, usize)>> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS];
    let mut head = httparse::Request::new(&mut fields);
    let invalid = |e| io::Error::new(ErrorKind::InvalidData, e);
    let httparse::Status::Complete(end) =
        head.parse(bytes).map_err(invalid)?
    else {
        return Ok(None);
    };
    let field = |name: &str| {
        let of = |field: &&httparse::Header<'_>| {
            field.name.eq_ignore_ascii_case(name)
        };
        let field = head.headers.iter().find(of);
        field.map_or(String::new(), |field| tame(field.value))
    };
    let length = field("Content-Length").parse().unwrap_or(0);
    let request = Request {
        verb: tame(head.method.unwrap_or_default().as_bytes()),
        path: tame(head.path.unwrap_or_default().as_bytes()),
        agent: field("User-Agent"),
        mcp_method: field("Mcp-Method"),
        session: field("Mcp-Session-Id"),
        body: Vec::new(),
    };
    Ok(Some((request, end, LONGEST.min(length))))
}

/// A text that came over the wire, fit to stand in a log: of a bounded
/// length, and without quotes, backslashes and what is not printable.
fn tame(text: &[u8]) -> String {
    let one = |byte: &u8| match byte {
        b'"' | b'\\' => '_',
        b' '..=b'~' => char::from(*byte),
        _ => '_',
    };
    text.iter().take(256).map(one).collect()
}

/// Reads what there is; whether there was anything.
fn more(
    socket: &TcpStream,
    until: Instant,
    bytes: &mut Vec<u8>,
) -> io::Result<bool> {
    if bytes.len() > 2 * LONGEST {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut block = [0; BLOCK];
    let count = read(socket, Some(until), &mut block)?;
    let count = count.ok_or(ErrorKind::TimedOut)?;
    bytes.extend_from_slice(&block[..count]);
    Ok(count > 0)
}

/// Waits until there is something to read, or `due`; for ever without that.
/// How many bytes came, none at the end; `None` when the time is up.
fn read(
    mut socket: &TcpStream,
    due: Option<Instant>,
    block: &mut [u8],
) -> io::Result<Option<usize>> {
    loop {
        let rest =
            due.map(|due| due.saturating_duration_since(Instant::now()));
        if rest.is_some_and(|rest| rest.is_zero()) {
            return Ok(None);
        }
        socket.set_read_timeout(rest)?;
        match socket.read(block) {
            Err(e) if waits(&e) => {}
            read => return read.map(Some),
        }
    }
}

/// Reads the head of an answer; what came of its body already, or `None`
/// when it says no.
///
/// # Errors
///
/// Those of the socket, and what is no answer.
pub(super) fn answer(socket: &TcpStream) -> io::Result<Option<Vec<u8>>> {
    let until = Instant::now() + PATIENCE;
    let mut bytes = Vec::new();
    loop {
        let mut fields = [httparse::EMPTY_HEADER; FIELDS];
        let mut head = httparse::Response::new(&mut fields);
        let invalid = |e| io::Error::new(ErrorKind::InvalidData, e);
        let read = head.parse(&bytes).map_err(invalid)?;
        if let httparse::Status::Complete(end) = read {
            let given = head.code == Some(200);
            return Ok(given.then(|| bytes.split_off(end)));
        }
        if !more(socket, until, &mut bytes)? {
            return Err(ErrorKind::UnexpectedEof.into());
        }
    }
}

/// How much is kept of what was heard, in bytes.
const KEPT: usize = 1024;

/// Waits until something is heard, or `due`; for ever without that. What is
/// heard is added to `said` until that is long enough.
pub(super) fn hear(
    socket: &TcpStream,
    due: Option<Instant>,
    said: &mut Vec<u8>,
) -> Heard {
    let mut block = [0; BLOCK];
    match read(socket, due, &mut block) {
        Ok(None) => Heard::Nothing,
        Ok(Some(0)) | Err(_) => Heard::End,
        Ok(Some(count)) => {
            let room = KEPT.saturating_sub(said.len());
            said.extend_from_slice(&block[..count.min(room)]);
            Heard::Something
        }
    }
}

/// Whether a socket is still open, after all it said was read away.
pub(super) fn is_open(mut socket: &TcpStream) -> bool {
    let mut block = [0; BLOCK];
    let mut read = socket.set_nonblocking(true).map(|()| 1);
    while matches!(read, Ok(1..)) {
        read = socket.read(&mut block);
    }
    read.is_err_and(|e| waits(&e))
}

/// Whether a read merely came too early, or was interrupted.
fn waits(error: &io::Error) -> bool {
    let kinds =
        [ErrorKind::WouldBlock, ErrorKind::TimedOut, ErrorKind::Interrupted];
    kinds.contains(&error.kind())
}

/// A chunk of a body.
pub(super) fn chunk(text: &str) -> String {
    format!("{:x}\r\n{text}\r\n", text.len())
}

/// A short answer, whole: JSON or a text.
pub(super) fn plain(status: u16, body: &str) -> String {
    let kind =
        if body.starts_with('{') { "application/json" } else { "text/plain" };
    let reason = match status {
        200 => "OK",
        404 => "Not Found",
        _ => "Service Unavailable",
    };
    format!(
        "HTTP/1.1 {status} {reason}\r\nContent-Type: {kind}\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;

    /// Two ends of a connection.
    fn pair() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (one, listener.accept().unwrap().0)
    }

    fn sent(text: &str) -> io::Result<Option<Request>> {
        let (mut client, server) = pair();
        client.write_all(text.as_bytes()).unwrap();
        client.shutdown(std::net::Shutdown::Write).unwrap();
        request(&server)
    }

    #[test]
    fn a_request_is_read_with_its_body() {
        let text = "POST /mcp HTTP/1.1\r\nmcp-method: m\r\nUser-Agent: a\"b\
                    \u{fc}\r\nContent-Length: 2\r\n\r\n{}rest";
        let found = sent(text).unwrap().unwrap();
        let expected = Request {
            verb: "POST".into(),
            path: "/mcp".into(),
            agent: "a_b__".into(),
            mcp_method: "m".into(),
            session: String::new(),
            body: b"{}".to_vec(),
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_no_request_is_an_error_and_half_of_one_is_none() {
        assert!(sent("\u{1}\u{2} nonsense\r\n\r\n").is_err());
        assert_eq!(sent("POST /mcp HTTP/1.1\r\nHost").unwrap(), None);
        let short = "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nabc";
        assert_eq!(sent(short).unwrap(), None);
    }

    #[test]
    fn a_head_without_an_end_is_given_up() {
        let (client, server) = pair();
        let flood = std::thread::spawn(move || {
            let mut client = &client;
            let field = format!("x: {}\r\n", "y".repeat(8000));
            let _closed = client.write_all(b"GET / HTTP/1.1\r\n");
            (0..1000).try_for_each(|_| client.write_all(field.as_bytes()))
        });
        assert!(request(&server).is_err());
        drop(server);
        assert!(flood.join().unwrap().is_err(), "nobody read it all");
    }

    #[test]
    fn what_a_socket_says_is_heard_and_so_is_its_end() {
        let (mut client, server) = pair();
        let soon = || Some(Instant::now() + Duration::from_millis(2));
        let mut said = Vec::new();
        assert_eq!(hear(&server, soon(), &mut said), Heard::Nothing);
        assert!(is_open(&server));
        server.set_nonblocking(false).unwrap();
        client.write_all(b"abc").unwrap();
        assert_eq!(hear(&server, None, &mut said), Heard::Something);
        client.write_all(b"unread").unwrap();
        drop(client);
        assert_eq!(said, b"abc");
        assert!(!is_open(&server), "what was unread is read away");
        assert_eq!(hear(&server, None, &mut said), Heard::End);
    }
}

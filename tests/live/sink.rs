//! Logs that a server does not write to a file itself.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, UdpSocket};
use std::path::Path;
use std::process::ChildStdout;

use streamleak::internal::time::Micros;

/// Writes the syslog datagrams that come to a port, one a line: as they are
/// to the first file, to the second as the container of a syslog server that
/// prints them would. Returns the port.
pub(crate) fn syslog(to: &Path, wrapped: &Path) -> std::io::Result<u16> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = socket.local_addr()?.port();
    let (mut file, mut wrapped) = (File::create(to)?, File::create(wrapped)?);
    std::thread::spawn(move || {
        let mut datagram = vec![0; 64 << 10];
        while let Ok(count) = socket.recv(&mut datagram) {
            let line = datagram[..count].trim_ascii_end();
            file.write_all(&[line, b"\n"].concat()).expect("a file");
            wrapped.write_all(&full_line(line)).expect("a file");
        }
    });
    Ok(port)
}

/// Writes what a server prints as the runtime of its container would.
pub(crate) fn container(from: ChildStdout, to: &Path) -> std::io::Result<()> {
    let mut file = File::create(to)?;
    std::thread::spawn(move || {
        for line in BufReader::new(from).split(b'\n').map_while(Result::ok) {
            file.write_all(&full_line(&line)).expect("a file");
        }
    });
    Ok(())
}

/// A line as the runtime of a container writes it: with the time, the
/// stream's name and `F` for a full one in front.
fn full_line(line: &[u8]) -> Vec<u8> {
    let head = format!("{} stdout F ", Micros::now().to_rfc3339());
    [head.as_bytes(), line, b"\n"].concat()
}

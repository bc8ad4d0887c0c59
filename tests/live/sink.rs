//! Logs that a server does not write to a file itself.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, UdpSocket};
use std::path::Path;
use std::process::ChildStdout;

use streamleak::time::Micros;

/// Writes the syslog datagrams that come to a port, one a line, as they are;
/// returns the port.
pub(crate) fn syslog(to: &Path) -> std::io::Result<u16> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = socket.local_addr()?.port();
    let mut file = File::create(to)?;
    std::thread::spawn(move || {
        let mut datagram = vec![0; 64 << 10];
        while let Ok(count) = socket.recv(&mut datagram) {
            let line = datagram[..count].trim_ascii_end();
            file.write_all(&[line, b"\n"].concat()).expect("a file");
        }
    });
    Ok(port)
}

/// Writes what a server prints as the runtime of its container would: the
/// time, the stream's name and `F` for a full line before each.
pub(crate) fn container(from: ChildStdout, to: &Path) -> std::io::Result<()> {
    let mut file = File::create(to)?;
    std::thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            let at = Micros::now().to_rfc3339();
            writeln!(file, "{at} stdout F {line}").expect("a file");
        }
    });
    Ok(())
}

//! What a simulated server counts against what Linux does.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::thread;
use std::time::Duration;

use streamleak::internal::simulate::{Habit, Sample, Server, Stop};

use super::simulation;

/// The connections of a server that the system says are established.
fn established(port: u16) -> usize {
    let table = fs::read_to_string("/proc/net/tcp").expect("a table");
    let local = format!(":{port:04X}");
    let of = |line: &&str| {
        let mut fields = line.split_whitespace().skip(1);
        let ours = fields.next().is_some_and(|at| at.ends_with(&local));
        ours && fields.nth(1) == Some("01")
    };
    table.lines().filter(of).count()
}

/// What server and system counted at the same time, again and again.
fn counted_twice(clients: Vec<Habit>) -> Vec<(usize, usize)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let listener = listener.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let mut simulation = simulation(Server::Silent, clients);
    simulation.length = Duration::from_secs(3);
    let mut pairs = Vec::new();
    let mut watch = |sample: &Sample| {
        pairs.push((sample.open as usize, established(port)));
    };
    simulation.run_on(listener, &Stop::default(), &mut watch).expect("a run");
    pairs
}

#[test]
fn what_the_server_counts_the_system_counts_too() {
    let (abandoned, closed) = thread::scope(|scope| {
        let closed = scope.spawn(|| counted_twice(vec![Habit::Close]));
        let abandoned = counted_twice(vec![Habit::Abandon; 7]);
        (abandoned, closed.join().expect("a run"))
    });
    // Of streams that are never closed the system, asked later, can only
    // know more, and no more than the server counts a second later.
    for pairs in abandoned.windows(5) {
        let [(counted, known), .., (later, _)] = pairs else { continue };
        assert!(counted <= known && known <= later, "{abandoned:?}");
    }
    assert!(abandoned.last() >= Some(&(20, 20)), "{abandoned:?}");
    // One that is closed is gone for both, but for a moment.
    let same = closed.iter().filter(|(one, other)| one == other).count();
    assert!(same * 3 >= closed.len() * 2, "{closed:?}");
    assert!(closed.contains(&(0, 0)) && closed.contains(&(1, 1)));
}

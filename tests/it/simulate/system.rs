//! What a simulated server counts against what Linux does.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::thread;

use streamleak::internal::simulate::{Habit, Sample, Server, Stop};

use super::{LONG_ENOUGH, simulation};

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

/// What server and system counted at the same time, again and again until
/// `enough` says so.
fn counted_twice(
    clients: Vec<Habit>,
    enough: impl Fn(&[(usize, usize)]) -> bool,
) -> Vec<(usize, usize)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let listener = listener.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let mut simulation = simulation(Server::Silent, clients);
    simulation.length = LONG_ENOUGH;
    let stop = Stop::default();
    let mut pairs = Vec::new();
    let mut watch = |sample: &Sample| {
        pairs.push((sample.open as usize, established(port)));
        if enough(&pairs) {
            stop.stop();
        }
    };
    simulation.run_on(listener, &stop, &mut watch).expect("a run");
    pairs
}

/// Whether these pairs came, in this order.
fn came(pairs: &[(usize, usize)], order: &[(usize, usize)]) -> bool {
    let mut pairs = pairs.iter();
    order.iter().all(|one| pairs.any(|pair| pair == one))
}

#[test]
fn what_the_server_counts_the_system_counts_too() {
    let some_twenty = |pairs: &[(usize, usize)]| {
        pairs.last().is_some_and(|(one, other)| *one >= 20 && one == other)
    };
    let two_cycles = |pairs: &[(usize, usize)]| {
        came(pairs, &[(1, 1), (0, 0), (1, 1), (0, 0)])
    };
    let (abandoned, closed) = thread::scope(|scope| {
        let one = || counted_twice(vec![Habit::Close], two_cycles);
        let closed = scope.spawn(one);
        let abandoned = counted_twice(vec![Habit::Abandon; 7], some_twenty);
        (abandoned, closed.join().expect("a run"))
    });
    // Of streams that are never closed the system, asked later, can only
    // know more; those it knows the server counts soon.
    assert!(abandoned.iter().all(|(one, other)| one <= other));
    assert!(some_twenty(&abandoned), "{abandoned:?}");
    // One that is closed is gone for both, but for a moment.
    assert!(two_cycles(&closed), "{closed:?}");
}

//! Real servers, started here on loopback, against what their clients saw.
//!
//! One harness drives the same streams through all of them at once: streams
//! that are held, that their client aborts, over which nothing is sent, and
//! those of a client that never closes an old one. What the library rebuilds
//! from each server's log is then compared with the truth: with what a client
//! saw before and after each instant, which bounds it on the busiest machine.
//!
//! [`mcp`] has a client and a server of the Model Context Protocol instead.
//!
//! `tests/live/install.sh` puts the servers in place; one that is missing
//! fails its test, which names it.

mod check;
mod client;
mod fleet;
mod mcp;
mod place;
#[path = "../it/reader.rs"]
mod reader;
mod server;
mod sink;
mod table;
mod upstream;

use std::time::Duration;

use fleet::Fleet;
use table::LOGS;

#[test]
fn streams_rebuilt_from_the_logs_of_real_servers_are_those_of_the_clients() {
    let (mut fleet, mut faults) = Fleet::start();
    faults.append(&mut fleet.missing);
    let truths = client::drive(&fleet.addresses());
    for log in &LOGS {
        if !fleet.has(log.server) {
            continue;
        }
        let truth = &truths[log.server];
        let found = fleet
            .finished_log(log, Duration::from_secs(30))
            .and_then(|path| check::compare(log, &path, truth));
        faults.extend(found.err());
    }
    drop(fleet);
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

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
//! `tests/live/install.sh` puts the servers in place. One that is missing is
//! skipped, with a line on standard error that says what was not tested;
//! with `STREAMLEAK_LIVE=require` in the environment it fails the test.

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

use std::io::Write as _;
use std::time::Duration;

use fleet::Fleet;
use table::LOGS;

/// Says something that a test which passes is to say too: `eprintln` would
/// be kept back.
fn say(text: &str) {
    let _lost = writeln!(std::io::stderr(), "live: {text}");
}

/// Whether a missing server is a failure.
fn all_required() -> bool {
    std::env::var_os("STREAMLEAK_LIVE").is_some_and(|value| value == "require")
}

/// Says that something was not tested.
///
/// # Panics
///
/// All is required to be tested.
fn skip(missing: &str) {
    assert!(!all_required(), "{missing}");
    say(&format!("SKIPPED {missing}"));
}

#[test]
fn streams_rebuilt_from_the_logs_of_real_servers_are_those_of_the_clients() {
    let (mut fleet, mut faults) = Fleet::start();
    for missing in std::mem::take(&mut fleet.missing) {
        match all_required() {
            true => faults.push(missing),
            false => say(&format!("SKIPPED {missing}")),
        }
    }
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

//! Finding on an address that many clients share.

use serde_json::json;

use super::finding;
use crate::detect::Found;
use crate::explain::known::{Egress, shared_network};
use crate::report::{Finding, Severity, count, counted, share};

/// This many user agents behind one address are worth a word.
const AGENTS: u64 = 3;
/// Fewer are if the address has this share of the streams.
const SHARE: f64 = 0.2;

/// The address most clients share, where that matters.
pub(super) fn shared_key(found: &Found) -> Option<Finding> {
    let all: u64 = found.standings.iter().map(|it| it.streams).sum();
    let matters = |it: &Address<'_>| it.matters(all);
    let addresses = addresses(found).into_iter().filter(matters);
    // Of equals the first one, by its text.
    let rank = |it: &Address<'_>| (it.agents, it.streams);
    let address = addresses.rev().max_by_key(rank)?;
    finding(
        "shared-key",
        Severity::Info,
        address.sentence(all),
        [
            ("address", json!(address.text())),
            ("user_agents", json!(address.agents)),
            ("streams", json!(address.streams)),
            ("share", json!(address.share(all))),
            ("egress", json!(address.egress().map(|egress| egress.name))),
        ],
    )
}

/// All addresses with a stream, in the order of their texts.
fn addresses(found: &Found) -> Vec<Address<'_>> {
    let clients = &found.log.clients;
    let mut streams = vec![0; clients.len()];
    for standing in &found.standings {
        streams[standing.key.0 as usize] = standing.streams;
    }
    let mut all: Vec<Address<'_>> = Vec::new();
    // Clients are sorted by address.
    for (client, streams) in clients.iter().zip(streams) {
        match all.last_mut() {
            _ if streams == 0 || matches!(&*client.address, b"" | b"-") => {}
            Some(last) if *last.logged == *client.address => {
                last.agents += 1;
                last.streams += streams;
            }
            _ => {
                let logged = &*client.address;
                all.push(Address { logged, agents: 1, streams });
            }
        }
    }
    all
}

/// What is behind one address.
struct Address<'a> {
    /// As it was logged.
    logged: &'a [u8],
    /// The user agents that hold streams.
    agents: u64,
    /// Their streams.
    streams: u64,
}

impl Address<'_> {
    fn text(&self) -> String {
        String::from_utf8_lossy(self.logged).into_owned()
    }

    /// The part of all streams it holds, 0 to 1.
    fn share(&self, all: u64) -> f64 {
        self.streams as f64 / all.max(1) as f64
    }

    /// Whether its clients may be more, or fewer, than they look.
    fn matters(&self, all: u64) -> bool {
        let shared = self.agents > 1 || self.egress().is_some();
        self.agents >= AGENTS || shared && self.share(all) >= SHARE
    }

    /// The service that calls from it.
    fn egress(&self) -> Option<Egress> {
        shared_network(self.logged)
    }

    /// What is behind it and what that means, of `all` streams.
    fn sentence(&self, all: u64) -> String {
        let (agents, apart) = match self.agents {
            1 => ("one client holds".to_owned(), ""),
            n => {
                (format!("{n} user agents hold"), "these are kept apart, but ")
            }
        };
        let egress = self.egress().map(|Egress { name, net, length }| {
            format!(", from which {name} call ({net}/{length})")
        });
        format!(
            "{agents} {} of {} ({}) at one address, {}{}: {apart}\
             several people with the same user agent there look like one \
             client that holds several streams. --key session, where a \
             session is logged, tells them apart, and hides a client that \
             opens a new session at every reconnect",
            count(self.streams),
            counted(all, "stream"),
            share(self.share(all)),
            self.text(),
            egress.unwrap_or_default(),
        )
    }
}

//! Addresses from which a service calls on behalf of all of its users.

use std::net::{IpAddr, Ipv4Addr};

/// A network that many people call from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Egress {
    /// Whose it is.
    pub name: &'static str,
    /// The network.
    pub net: Ipv4Addr,
    /// The length of its prefix.
    pub length: u32,
}

/// Anthropic publishes its own:
/// <https://docs.claude.com/en/api/ip-addresses>.
const EGRESS: [Egress; 1] = [Egress {
    name: "Anthropic's hosted connectors",
    net: Ipv4Addr::new(160, 79, 104, 0),
    length: 21,
}];

/// The network that this logged address is in, if it is one of these.
pub fn shared_network(address: &[u8]) -> Option<Egress> {
    let text = str::from_utf8(address).ok()?;
    let address = text.parse::<IpAddr>().ok()?.to_canonical();
    let IpAddr::V4(address) = address else { return None };
    let within = |egress: &&Egress| {
        let differ = address.to_bits() ^ egress.net.to_bits();
        differ.leading_zeros() >= egress.length
    };
    EGRESS.iter().find(within).copied()
}

//! Clients: the keys that streams belong to.

/// The number of a key, an index into the table of clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KeyId(pub u32);

//! Clients: the keys that streams belong to.

use std::collections::HashMap;

use crate::format::Record;

/// The number of a key, an index into a table of [`Clients`].
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash,
)]
pub struct KeyId(pub u32);

/// Which fields of a record make the key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyField {
    /// Address and user agent. Never the session by default: a client that
    /// leaks opens a new one at every reconnect, and every leaked stream
    /// would be a client of its own.
    #[default]
    Client,
    /// The address alone.
    Address,
    /// The user agent alone.
    Agent,
    /// The session.
    Session,
}

impl KeyField {
    /// What the key is made of: an address or a session, and a user agent.
    fn texts<'r>(self, record: &'r Record<'_>) -> (&'r [u8], &'r [u8]) {
        match self {
            KeyField::Client => (&record.address, &record.agent),
            KeyField::Address => (&record.address, b""),
            KeyField::Agent => (b"", &record.agent),
            KeyField::Session => (&record.session, b""),
        }
    }
}

/// One client, as much of it as is kept: an attacker chooses these texts.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Client {
    /// Its address, or the session when that is the key.
    pub address: Box<[u8]>,
    /// Its user agent.
    pub agent: Box<[u8]>,
}

/// The most that is kept of an address or a session, in bytes.
const ADDRESS: usize = 128;
/// The most that is kept of a user agent, in bytes.
const AGENT: usize = 256;

/// The clients seen, each once, numbered in the order they came.
#[derive(Clone, Debug, Default)]
pub struct Clients {
    known: Vec<Client>,
    numbers: HashMap<Box<[u8]>, KeyId>,
    /// Those to be looked up.
    noted: Noted,
}

/// Clients that are to be looked up.
#[derive(Clone, Debug, Default)]
struct Noted {
    /// The texts of their keys, one behind the other.
    texts: Vec<u8>,
    /// Of each the length of its address, and where its text ends.
    ends: Vec<(usize, usize)>,
}

impl Noted {
    fn push(&mut self, address: &[u8], agent: &[u8]) {
        let address = &address[..address.len().min(ADDRESS)];
        let agent = &agent[..agent.len().min(AGENT)];
        self.texts.extend_from_slice(address);
        self.texts.push(0);
        self.texts.extend_from_slice(agent);
        self.ends.push((address.len(), self.texts.len()));
    }
}

impl Clients {
    /// The number of this record's client.
    pub fn of(&mut self, record: &Record<'_>, field: KeyField) -> KeyId {
        let (address, agent) = field.texts(record);
        self.intern(address, agent)
    }

    /// Notes this record's client; [`Clients::settle`] gives its number.
    pub fn note(&mut self, record: &Record<'_>, field: KeyField) {
        let (address, agent) = field.texts(record);
        self.noted.push(address, agent);
    }

    /// The numbers of the clients noted since this was asked last, in their
    /// order. Most are known but long out of the cache: looked up in a row,
    /// they do not wait for memory one by one.
    pub fn settle(&mut self) -> Vec<KeyId> {
        let mut noted = std::mem::take(&mut self.noted);
        let mut from = 0;
        let number = |&(address, end): &(usize, usize)| {
            let text = &noted.texts[from..end];
            from = end;
            self.number(text, address)
        };
        let numbers = noted.ends.iter().map(number).collect();
        noted.texts.clear();
        noted.ends.clear();
        self.noted = noted;
        numbers
    }

    /// The number of the client with these texts.
    pub fn intern(&mut self, address: &[u8], agent: &[u8]) -> KeyId {
        let mut noted = std::mem::take(&mut self.noted);
        let from = noted.texts.len();
        noted.push(address, agent);
        let (address, _) = noted.ends.pop().unwrap_or_default();
        let number = self.number(&noted.texts[from..], address);
        noted.texts.truncate(from);
        self.noted = noted;
        number
    }

    /// The number of the client with this key, which begins with an address
    /// of this length.
    #[inline]
    fn number(&mut self, key: &[u8], address: usize) -> KeyId {
        if let Some(number) = self.numbers.get(key) {
            return *number;
        }
        let number = KeyId(self.known.len() as u32);
        self.numbers.insert(key.into(), number);
        let (address, agent) = (&key[..address], &key[address + 1..]);
        self.known
            .push(Client { address: address.into(), agent: agent.into() });
        number
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// They, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Client> {
        self.known.iter()
    }

    /// Takes another table in; entry `n` of the result is the number here of
    /// its client `n`.
    pub fn absorb(&mut self, other: &Clients) -> Vec<KeyId> {
        let intern = |c: &Client| self.intern(&c.address, &c.agent);
        other.known.iter().map(intern).collect()
    }

    /// The clients in the order of their texts, so that numbers do not tell
    /// in which order files were read, and for each old number the new one.
    pub fn sorted(self) -> (Vec<Client>, Vec<KeyId>) {
        let mut order: Vec<u32> = (0..self.known.len() as u32).collect();
        order.sort_by_key(|&old| &self.known[old as usize]);
        let mut new = vec![KeyId(0); order.len()];
        for (number, old) in order.iter().enumerate() {
            new[*old as usize] = KeyId(number as u32);
        }
        let mut known = self.known;
        let sorted =
            order.iter().map(|&old| std::mem::take(&mut known[old as usize]));
        (sorted.collect(), new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record<'a>(address: &'a str, agent: &'a str) -> Record<'a> {
        Record {
            address: address.as_bytes().into(),
            agent: agent.as_bytes().into(),
            session: b"s1"[..].into(),
            ..Record::default()
        }
    }

    #[test]
    fn the_same_texts_are_the_same_client_and_others_are_not() {
        let mut clients = Clients::default();
        let mut key = |a, u, f| clients.of(&record(a, u), f);
        let first = key("10.0.0.1", "curl", KeyField::Client);
        assert_eq!(key("10.0.0.1", "curl", KeyField::Client), first);
        assert_ne!(key("10.0.0.1", "node", KeyField::Client), first);
        assert_ne!(key("10.0.0.2", "curl", KeyField::Client), first);
        let address = key("10.0.0.1", "curl", KeyField::Address);
        assert_eq!(key("10.0.0.1", "node", KeyField::Address), address);
        let session = key("10.0.0.1", "curl", KeyField::Session);
        assert_eq!(key("10.0.0.9", "x", KeyField::Session), session);
    }

    #[test]
    fn numbers_do_not_tell_the_order_of_reading() {
        let read = |agents: &[&str]| {
            let mut clients = Clients::default();
            let ids: Vec<KeyId> = agents
                .iter()
                .map(|agent| clients.intern(b"a", agent.as_bytes()))
                .collect();
            let (known, new) = clients.sorted();
            let new = ids.iter().map(|id| new[id.0 as usize]);
            (known, new.collect::<Vec<_>>())
        };
        let (known, ids) = read(&["b", "a", "c"]);
        let (again, others) = read(&["c", "b", "a"]);
        assert_eq!(known, again);
        assert_eq!(ids, [KeyId(1), KeyId(0), KeyId(2)]);
        assert_eq!(others, [KeyId(2), KeyId(1), KeyId(0)]);
    }

    #[test]
    fn a_table_taken_in_keeps_its_clients_apart() {
        let mut here = Clients::default();
        here.intern(b"a", b"1");
        let mut there = Clients::default();
        there.intern(b"b", b"1");
        there.intern(b"a", b"1");
        assert_eq!(here.absorb(&there), [KeyId(1), KeyId(0)]);
    }

    #[test]
    fn clients_noted_are_the_ones_looked_up() {
        let (mut noted, mut plain) = (Clients::default(), Clients::default());
        for round in 0..3 {
            let agents = ["curl", "", "node", "curl"];
            for agent in &agents[round..] {
                noted.note(&record("10.0.0.1", agent), KeyField::Client);
            }
            let expected = agents[round..].iter().map(|agent| {
                plain.of(&record("10.0.0.1", agent), KeyField::Client)
            });
            assert_eq!(noted.settle(), expected.collect::<Vec<_>>());
        }
        assert_eq!(noted.sorted(), plain.sorted());
    }

    #[test]
    fn an_endless_user_agent_is_cut() {
        let mut clients = Clients::default();
        let long = vec![b'x'; 1 << 20];
        clients.intern(&long, &long);
        let (known, _) = clients.sorted();
        assert_eq!(known[0].address.len(), ADDRESS);
        assert_eq!(known[0].agent.len(), AGENT);
    }
}

//! What requests a log holds: shown when none of them is a stream.

use std::collections::HashMap;

use crate::collect::select::path_of;
use crate::format::Record;
use crate::time::Micros;

/// The most paths that are counted apart; the rest is one entry.
const MOST: usize = 10_000;
/// The most that is kept of a path, in bytes.
const LONGEST: usize = 200;

/// Requests by verb and path.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    seen: HashMap<Box<[u8]>, Request>,
}

/// The requests of one verb and path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// How many there were.
    pub count: u64,
    /// The longest hold among them, if holds are logged.
    pub longest: Option<Micros>,
}

impl Requests {
    /// Counts a request.
    pub fn note(&mut self, record: &Record<'_>) {
        let mut name = record.method.to_vec();
        if !name.is_empty() {
            name.push(b' ');
        }
        name.extend_from_slice(path_of(&record.target));
        if !record.mcp_method.is_empty() && *record.mcp_method != *b"-" {
            name.extend_from_slice(b" Mcp-Method: ");
            name.extend_from_slice(&record.mcp_method);
        }
        name.truncate(LONGEST);
        let one = Request { count: 1, longest: record.duration };
        self.add(name.into(), one);
    }

    fn add(&mut self, name: Box<[u8]>, more: Request) {
        let full = self.seen.len() >= MOST && !self.seen.contains_key(&name);
        let name = if full { b"(other paths)"[..].into() } else { name };
        let request = self.seen.entry(name).or_default();
        request.count += more.count;
        request.longest = request.longest.max(more.longest);
    }

    /// Takes other counts in.
    pub fn absorb(&mut self, other: Requests) {
        if self.seen.is_empty() {
            *self = other;
            return;
        }
        for (name, request) in other.seen {
            self.add(name, request);
        }
    }

    /// The requests held longest, the longest first.
    pub fn longest(&self, most: usize) -> Vec<(&[u8], Request)> {
        let mut all = self.sorted_by(|request| request.longest);
        all.retain(|(_, request)| request.longest.is_some());
        all.truncate(most);
        all
    }

    /// The requests seen most often, the most frequent first.
    pub fn most_frequent(&self, most: usize) -> Vec<(&[u8], Request)> {
        let mut all = self.sorted_by(|request| request.count);
        all.truncate(most);
        all
    }

    fn sorted_by<K: Ord>(
        &self,
        rank: impl Fn(Request) -> K,
    ) -> Vec<(&[u8], Request)> {
        let mut all: Vec<(&[u8], Request)> =
            self.seen.iter().map(|(n, request)| (&n[..], *request)).collect();
        all.sort_by(|a, b| rank(b.1).cmp(&rank(a.1)).then(a.0.cmp(b.0)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(target: &str, hold: i64) -> Record<'_> {
        Record {
            method: b"GET"[..].into(),
            target: target.as_bytes().into(),
            duration: Some(Micros(hold)),
            ..Record::default()
        }
    }

    #[test]
    fn the_longest_and_the_most_frequent_come_first() {
        let mut requests = Requests::default();
        let mut later = Requests::default();
        for (target, hold) in [("/a?1", 5), ("/b", 90), ("/a?2", 7)] {
            requests.note(&record(target, hold));
        }
        later.note(&record("/a", 6));
        requests.absorb(later);
        let a = Request { count: 3, longest: Some(Micros(7)) };
        assert_eq!(requests.most_frequent(1), [(&b"GET /a"[..], a)]);
        assert_eq!(requests.longest(9)[0].0, b"GET /b");
        assert_eq!(requests.longest(9)[1], (&b"GET /a"[..], a));
    }

    #[test]
    fn endless_paths_take_no_endless_memory() {
        let mut requests = Requests::default();
        for n in 0..MOST + 50 {
            requests.note(&record(&format!("/{n}"), 0));
        }
        assert!(requests.seen.len() <= MOST + 1);
        let total: u64 = requests.seen.values().map(|r| r.count).sum();
        assert_eq!(total, MOST as u64 + 50);
    }
}

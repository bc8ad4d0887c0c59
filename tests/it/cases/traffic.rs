//! What clients do during a log, from which its lines are written.

use streamleak::internal::time::Micros;

use super::chance::Chance;
use super::request::{CALL, Client, Ended, Kind, Request};

/// When every log begins: 2026-11-28T09:00:00Z.
pub(super) const BEGIN: Micros = Micros(1_795_856_400_000_000);

/// The bytes of an acknowledgement alone.
pub(super) const ACK: u64 = 107;

/// How many bytes a stream carries.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bytes {
    /// So many, whatever it was held for: nothing was sent after it opened.
    Silent(u64),
    /// An acknowledgement, a comment of 16 bytes every 15 s, and now and
    /// then a notification: the server's writes show that the client is
    /// there.
    Alive,
}

/// How a client holds streams, one after the other. Seconds, each drawn
/// anew between two bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Habit {
    pub(super) hold: (f64, f64),
    pub(super) gap: (f64, f64),
    pub(super) bytes: Bytes,
}

/// All requests of a log. Instants are in seconds from its begin.
pub(super) struct Traffic {
    pub(super) chance: Chance,
    /// How long the log is.
    pub(super) length: f64,
    /// When the server closes all it holds, in order.
    pub(super) restarts: Vec<f64>,
    pub(super) requests: Vec<Request>,
}

impl Traffic {
    /// None yet.
    pub(super) fn new(seed: u64, length: f64) -> Traffic {
        Traffic {
            chance: Chance::seeded(seed),
            length,
            restarts: Vec::new(),
            requests: Vec::new(),
        }
    }

    /// The same with restarts at these instants.
    pub(super) fn restarted(self, at: &[f64]) -> Traffic {
        Traffic { restarts: at.to_vec(), ..self }
    }

    /// One request; returns when it was over, which a restart decides if it
    /// comes first.
    pub(super) fn open(
        &mut self,
        client: &Client,
        kind: Kind,
        at: f64,
        hold: f64,
        bytes: Bytes,
    ) -> f64 {
        let restart = self.restarts.iter().find(|r| **r > at).copied();
        let restart = restart.filter(|restart| *restart < at + hold);
        // A server that is stopped closes what it holds within a second.
        let end = match restart {
            Some(restart) => restart + self.chance.between(0.0, 0.7),
            None => at + hold,
        };
        let kind = match restart {
            Some(_) => kind.ended_by(Ended::Server),
            None => kind,
        };
        let bytes = self.bytes(bytes, end - at);
        self.requests.push(Request {
            kind,
            client: client.clone(),
            session: String::new(),
            opened: BEGIN + Micros::from_secs_f64(at),
            closed: BEGIN + Micros::from_secs_f64(end),
            bytes,
            id: self.chance.bits(),
        });
        end
    }

    fn bytes(&mut self, bytes: Bytes, hold: f64) -> u64 {
        match bytes {
            Bytes::Silent(count) => count,
            Bytes::Alive => {
                let comments = 16 * (hold / 15.0) as u64;
                ACK + comments + 141 * self.chance.below(4)
            }
        }
    }

    /// One client that holds streams one after the other all along, from
    /// before the log begins; returns when it stops.
    pub(super) fn cycle(
        &mut self,
        client: &Client,
        kind: Kind,
        habit: Habit,
    ) -> f64 {
        let phase = self.chance.between(0.0, habit.hold.1);
        self.cycle_from(-phase, client, kind, habit)
    }

    /// The same from an instant on.
    pub(super) fn cycle_from(
        &mut self,
        from: f64,
        client: &Client,
        kind: Kind,
        habit: Habit,
    ) -> f64 {
        let mut at = from;
        while at < self.length {
            let hold = self.chance.within(habit.hold);
            let end = self.open(client, kind, at, hold, habit.bytes);
            at = end + self.chance.within(habit.gap);
        }
        at
    }

    /// One client that opens a stream every `period` seconds from an instant
    /// on, whatever became of those before.
    pub(super) fn abandon(
        &mut self,
        from: f64,
        client: &Client,
        kind: Kind,
        period: (f64, f64),
        hold: (f64, f64),
        bytes: Bytes,
    ) {
        let mut at = from;
        while at < self.length {
            let held = self.chance.within(hold);
            self.open(client, kind, at, held, bytes);
            at += self.chance.within(period);
        }
    }

    /// Short calls of a client from an instant on, so many seconds apart in
    /// the mean.
    pub(super) fn calls(&mut self, from: f64, client: &Client, apart: f64) {
        self.calls_as(CALL, from, client, apart);
    }

    /// The same, of another kind.
    pub(super) fn calls_as(
        &mut self,
        kind: Kind,
        from: f64,
        client: &Client,
        apart: f64,
    ) {
        let mut at = from + self.chance.wait(apart);
        while at < self.length {
            self.call(kind, at, client);
            at += self.chance.wait(apart);
        }
    }

    /// One short request.
    pub(super) fn call(&mut self, kind: Kind, at: f64, client: &Client) {
        let took = self.chance.between(0.006, 0.240);
        let bytes = Bytes::Silent(200 + self.chance.below(1_900));
        self.open(client, kind, at, took, bytes);
    }

    /// Names a session in all requests made since there were `since`.
    pub(super) fn in_session(&mut self, since: usize, session: &str) {
        for request in &mut self.requests[since..] {
            session.clone_into(&mut request.session);
        }
    }

    /// A session's id.
    pub(super) fn session(&mut self) -> String {
        format!("{:016x}{:016x}", self.chance.bits(), self.chance.bits())
    }
}

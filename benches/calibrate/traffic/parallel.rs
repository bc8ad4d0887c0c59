//! Clients that rightly hold several streams at once: one for each resource
//! they listen to, each tab, each channel of a page.

use super::{Held, Loop, Random, Traffic};

/// Such clients.
#[derive(Clone, Debug)]
pub(crate) struct Parallel {
    /// How each stream goes on.
    pub(crate) how: Loop,
    /// How many streams each client keeps.
    pub(crate) streams: u32,
    /// How the streams of a client hang together.
    pub(crate) way: Way,
}

/// How the streams of one client hang together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// They are opened within a second. When the first ends, the client
    /// drops the others and opens all anew.
    Together,
    /// They are opened within a second, and each is reopened when it ends,
    /// whatever the others do.
    Drifting,
    /// Each is opened at some time, and reopened when it ends.
    Apart,
}

impl Way {
    /// The word for a scenario's name.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Way::Together => "together",
            Way::Drifting => "drifting",
            Way::Apart => "apart",
        }
    }
}

impl Parallel {
    /// The streams of so many clients all along.
    pub(crate) fn traffic(
        &self,
        random: &mut Random,
        clients: u32,
        length: f64,
    ) -> Traffic {
        let burn = self.how.hold.burn();
        let mut held = Vec::new();
        for key in 0..clients {
            let from = -burn + random.uniform(0.0, self.how.cycle());
            let stay = (from, self.how.after(length));
            held.extend(self.client(random, key, stay));
        }
        Traffic::new(length, held)
    }

    /// The streams of one client that comes and leaves.
    pub(crate) fn client(
        &self,
        random: &mut Random,
        key: u32,
        stay: (f64, f64),
    ) -> Vec<Held> {
        match self.way {
            Way::Together => self.together(random, key, stay),
            Way::Drifting => self.each(random, key, stay, 1.0),
            Way::Apart => self.each(random, key, stay, self.how.cycle()),
        }
    }

    fn together(
        &self,
        random: &mut Random,
        key: u32,
        stay: (f64, f64),
    ) -> Vec<Held> {
        let mut held = Vec::new();
        for round in self.how.client(random, key, stay) {
            for opened in random.uniforms(
                self.streams,
                (round.opened, (round.opened + 1.0).min(round.closed)),
            ) {
                held.push(Held { opened, ..round });
            }
        }
        held
    }

    /// Each stream for itself; all are opened within so many seconds.
    fn each(
        &self,
        random: &mut Random,
        key: u32,
        (comes, leaves): (f64, f64),
        within: f64,
    ) -> Vec<Held> {
        let mut held = Vec::new();
        for _ in 0..self.streams {
            let comes = comes + random.uniform(0.0, within);
            held.extend(self.how.client(random, key, (comes, leaves)));
        }
        held
    }
}

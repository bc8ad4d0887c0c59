//! Clients that open the next stream and leave the last one open.

use super::{Held, Hold, Random, Restart};

/// Such a client.
#[derive(Clone, Debug)]
pub(crate) struct Leaker {
    /// Seconds from one opening to the next.
    pub(crate) every: f64,
    /// By how much of that it is early or late at most, 0 to 1.
    pub(crate) jitter: f64,
    /// When it begins.
    pub(crate) from: f64,
    /// When it ends.
    pub(crate) until: f64,
    /// What closes its streams, if not a restart.
    pub(crate) close: Close,
    /// Restarts of the server, in order.
    pub(crate) restarts: Vec<Restart>,
    /// The most streams the server lets it hold: it closes the oldest. 0 for
    /// any number.
    pub(crate) cap: usize,
}

/// What closes streams that their client has left open.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Close {
    /// Nothing.
    Never,
    /// A limit of so many seconds, kept to within 1 %.
    Fixed(f64),
    /// A limit or a reaper that lets streams be held so long.
    After(Hold),
}

impl Leaker {
    /// One that begins and ends then and whose streams nothing closes.
    pub(crate) fn of(every: f64, (from, until): (f64, f64)) -> Leaker {
        Leaker {
            every,
            jitter: 0.1,
            from,
            until,
            close: Close::Never,
            restarts: Vec::new(),
            cap: 0,
        }
    }

    /// Its streams, opened by a timer.
    pub(crate) fn streams(&self, random: &mut Random, key: u32) -> Vec<Held> {
        self.opened_after(random, key, |random| {
            let jitter = random.uniform(-self.jitter, self.jitter);
            self.every * (1.0 + jitter)
        })
    }

    /// Its streams, opened by chance.
    pub(crate) fn by_chance(
        &self,
        random: &mut Random,
        key: u32,
    ) -> Vec<Held> {
        let every = self.every;
        self.opened_after(random, key, |random| random.exponential(every))
    }

    fn opened_after(
        &self,
        random: &mut Random,
        key: u32,
        wait: impl Fn(&mut Random) -> f64,
    ) -> Vec<Held> {
        let mut streams = Vec::new();
        let mut opened = self.from + random.uniform(0.0, self.every);
        while opened < self.until {
            let closed = opened + self.close.draw(random);
            let closed = self.cut(random, opened, closed);
            streams.push(Held { opened, closed, key });
            opened += wait(random);
        }
        self.bound(&mut streams);
        streams
    }

    /// When a stream is closed on a server that is restarted.
    fn cut(&self, random: &mut Random, opened: f64, closed: f64) -> f64 {
        let open = |restart: &&Restart| restart.at > opened;
        let first = self.restarts.iter().find(open);
        let cut = first.map(|restart| restart.cut(random));
        cut.map_or(closed, |cut| cut.min(closed))
    }

    /// Closes the oldest streams when there are more than the cap.
    fn bound(&self, streams: &mut [Held]) {
        if self.cap == 0 {
            return;
        }
        for at in self.cap..streams.len() {
            let opened = streams[at].opened;
            let oldest = &mut streams[at - self.cap];
            oldest.closed = oldest.closed.min(opened);
        }
    }
}

impl Close {
    /// After how many seconds a stream is closed; may be never.
    fn draw(self, random: &mut Random) -> f64 {
        match self {
            Close::Never => f64::INFINITY,
            Close::Fixed(hold) => hold * random.uniform(0.99, 1.01),
            Close::After(hold) => hold.draw(random),
        }
    }
}

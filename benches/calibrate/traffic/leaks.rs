//! Clients that leave streams open, alone and among healthy ones.

use super::{
    Close, Day, HOUR, Held, Hold, Leaker, Loop, Random, Restart, Traffic,
    come_and_go,
};

/// The ceiling of the healthy clients.
const SIXTY: Hold = Hold::Fixed(60.0);

/// One client that opens a stream a minute and closes none; a restart after
/// a part of the log (0 to 1) closes all, and it is fixed.
pub(crate) fn alone(random: &mut Random, length: f64, part: f64) -> Traffic {
    let restart = Restart::sudden(part * length);
    let leaker = Leaker {
        restarts: vec![restart],
        ..Leaker::of(60.0, (0.0, restart.at))
    };
    let leaked = leaker.streams(random, 0);
    let fixed = Loop::of(SIXTY).stay(random, 0, &[restart.at + 2.0], length);
    Traffic::new(length, leaked).and(fixed)
}

/// Healthy clients and some that leak, on one server.
#[derive(Clone, Debug)]
pub(crate) struct Mix {
    /// How many are healthy.
    pub(crate) healthy: u32,
    /// How long those hold their streams.
    pub(crate) hold: Hold,
    /// How many leak.
    pub(crate) leaking: u32,
    /// Seconds from one opening of a leaking client to the next.
    pub(crate) every: f64,
    /// What closes its streams, if not a restart.
    pub(crate) close: Close,
    /// The most streams it may hold; 0 for any number.
    pub(crate) cap: usize,
    /// When in the log, 0 to 1, it begins to leak; 0: `back` seconds before.
    pub(crate) begins: f64,
    /// How long before the log it began to leak, in seconds.
    pub(crate) back: f64,
    /// When in the log, 0 to 1, the server is restarted; 0 for never.
    pub(crate) restart: f64,
    /// The log's length in seconds.
    pub(crate) length: f64,
}

impl Default for Mix {
    fn default() -> Mix {
        Mix {
            healthy: 19,
            hold: SIXTY,
            leaking: 1,
            every: 60.0,
            close: Close::Never,
            cap: 0,
            begins: 0.0,
            back: 600.0,
            restart: 0.95,
            length: 6.0 * HOUR,
        }
    }
}

impl Mix {
    /// What closes the streams before the log ends, where anything does.
    fn restarts(&self) -> Vec<Restart> {
        let at = self.restart * self.length;
        let restart = (at > 0.0).then(|| Restart::sudden(at));
        restart.into_iter().collect()
    }

    /// The streams of the healthy ones, numbered from 0 on.
    fn kept(&self, random: &mut Random) -> Vec<Held> {
        let how = Loop::of(self.hold).restarted(&self.restarts());
        let burn = (3.0 * self.hold.mean()).max(600.0);
        how.all_along(random, 0, self.healthy, (burn, self.length))
    }

    /// The streams of one that leaks.
    fn left(&self, random: &mut Random, key: u32) -> Vec<Held> {
        let restarts = self.restarts();
        let begins = self.begins * self.length;
        let from = if begins > 0.0 { begins } else { -self.back };
        let restart = restarts.first().map(|restart| restart.at);
        let until = restart.unwrap_or(self.length);
        let (close, cap) = (self.close, self.cap);
        let leaker = Leaker::of(self.every, (from, until));
        let leaker = Leaker { restarts, close, cap, ..leaker };
        let mut held = leaker.streams(random, key);
        if let Some(restart) = restart {
            let again = (restart + 1.0, self.length);
            held.extend(Leaker::of(self.every, again).streams(random, key));
        }
        if begins > 0.0 {
            let how = Loop::of(self.hold);
            let comes = random.uniform(-600.0, -600.0 + how.cycle());
            held.extend(how.client(random, key, (comes, begins)));
        }
        held
    }

    /// All the streams; the keys of those that leak come last.
    pub(crate) fn traffic(&self, random: &mut Random) -> Traffic {
        let mut held = self.kept(random);
        for key in self.healthy..self.healthy + self.leaking {
            held.extend(self.left(random, key));
        }
        Traffic::new(self.length, held)
    }
}

/// 20 clients that leave the old stream open in one of so many reopenings,
/// until a restart.
pub(crate) fn now_and_then(random: &mut Random, chance: f64) -> Traffic {
    let length = 6.0 * HOUR;
    let restart = Restart::sudden(0.95 * length);
    let how = Loop::of(SIXTY).restarted(&[restart]);
    let mut held = how.all_along(random, 0, 20, (600.0, length));
    for stream in &mut held {
        if random.happens(chance) && stream.closed < restart.at {
            stream.closed = restart.at;
        }
    }
    Traffic::new(length, held)
}

/// 10 healthy clients and one that leaks a stream every 2 min, on a server
/// that is restarted every 2 h.
pub(crate) fn sawtooth(random: &mut Random) -> Traffic {
    let (length, period) = (12.0 * HOUR, 2.0 * HOUR);
    let mut at = period * random.uniform(0.3, 0.9);
    let mut restarts = Vec::new();
    while at < length {
        restarts.push(Restart::sudden(at));
        at += period;
    }
    let how = Loop::of(SIXTY).restarted(&restarts);
    let held = how.all_along(random, 0, 10, (600.0, length));
    let leaker = Leaker { restarts, ..Leaker::of(120.0, (-300.0, length)) };
    Traffic::new(length, held).and(leaker.streams(random, 10))
}

/// A leak of a stream every 2 min in a morning of more and more people.
pub(crate) fn in_a_ramp(random: &mut Random) -> Traffic {
    let length = 6.0 * HOUR;
    let restart = Restart::sudden(0.95 * length);
    let mut traffic = come_and_go(random, Day::Ramp, 60, length);
    for stream in &mut traffic.held {
        if stream.opened < restart.at {
            stream.closed = stream.closed.min(restart.at);
        }
    }
    let people = traffic.held.iter().map(|stream| stream.key);
    let key = people.max().map_or(0, |last| last + 1);
    let restarts = vec![restart];
    let leaker = Leaker { restarts, ..Leaker::of(120.0, (0.0, restart.at)) };
    traffic.and(leaker.streams(random, key))
}

/// 19 healthy clients and one whose streams nothing closes before the log
/// ends.
pub(crate) fn unclosed(random: &mut Random) -> Traffic {
    Mix { every: 120.0, back: 0.0, restart: 0.0, ..Mix::default() }
        .traffic(random)
}

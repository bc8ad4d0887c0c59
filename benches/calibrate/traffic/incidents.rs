//! What happens to healthy servers: deploys, outages, bursts, retries.

use super::{HOUR, Held, Hold, Loop, MINUTE, Random, Restart, Traffic};

/// The ceiling of the clients of the traffic below.
const SIXTY: Hold = Hold::Fixed(60.0);

/// 20 clients, and now and then 30 more for some minutes, on 6 occasions in
/// the mean.
pub(crate) fn bursts(random: &mut Random) -> Traffic {
    let (length, size) = (6.0 * HOUR, 30);
    let how = Loop::of(SIXTY);
    let mut held = how.all_along(random, 0, 20, (600.0, length));
    for burst in 0..random.poisson(6.0) {
        let at = random.uniform(0.0, length);
        let lasts = random.uniform(0.5, 1.5) * 480.0;
        let comes = random.uniforms(size, (at, at + MINUTE));
        let stays = comes.into_iter().map(|comes| (comes, comes + lasts));
        held.extend(how.each(random, 20 + burst * size, stays));
    }
    Traffic::new(length, held)
}

/// 20 clients on a server that is restarted now and then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deploys {
    /// How long their streams are held.
    pub(crate) hold: Hold,
    /// Seconds between restarts, give or take half.
    pub(crate) every: f64,
    /// The mean of the wait that a restart adds, in seconds.
    pub(crate) backoff: f64,
    /// How long the old server drains, in seconds.
    pub(crate) over: f64,
    /// The log's length in seconds.
    pub(crate) length: f64,
}

impl Default for Deploys {
    fn default() -> Deploys {
        Deploys {
            hold: Hold::Fixed(300.0),
            every: 2.0 * HOUR,
            backoff: 0.0,
            over: 0.0,
            length: 6.0 * HOUR,
        }
    }
}

impl Deploys {
    /// When the restarts are.
    pub(crate) fn restarts(&self, random: &mut Random) -> Vec<Restart> {
        let mut at = -self.every * random.uniform(0.0, 1.0);
        let mut restarts = Vec::new();
        while at < self.length {
            if at > 0.0 {
                restarts.push(Restart { at, over: self.over });
            }
            at += self.every * random.uniform(0.5, 1.5);
        }
        restarts
    }
}

/// The streams of 20 clients on a server that is restarted now and then.
pub(crate) fn deploys(random: &mut Random, deploys: &Deploys) -> Traffic {
    let Deploys { hold, backoff, length, .. } = *deploys;
    let restarts = deploys.restarts(random);
    let how = Loop { backoff, restarts, ..Loop::of(hold) };
    let span = (3.0 * hold.mean(), length);
    Traffic::new(length, how.all_along(random, 0, 20, span))
}

/// 20 clients on a server that is down for 10 min to an hour.
pub(crate) fn outage(random: &mut Random) -> Traffic {
    let length = 6.0 * HOUR;
    let down = random.uniform(0.2, 0.8) * length;
    let lasts = random.uniform(600.0, 3600.0);
    let restarts = vec![Restart::sudden(down)];
    let how = Loop { backoff: 20.0, restarts, ..Loop::of(SIXTY) };
    let held = how.all_along(random, 0, 20, (600.0, length));
    let up =
        |stream: &Held| stream.opened <= down || stream.opened >= down + lasts;
    Traffic::new(length, held).only(up)
}

/// 20 clients, one of which now and then, on 4 occasions in the mean, opens
/// 20 streams within a minute and holds them for 30 to 300 s.
pub(crate) fn retries(random: &mut Random) -> Traffic {
    let length = 6.0 * HOUR;
    let mut held = Loop::of(SIXTY).all_along(random, 0, 20, (600.0, length));
    for _ in 0..random.poisson(4.0) {
        let (at, key) = (random.uniform(0.0, length), random.below(20));
        for opened in random.uniforms(20, (at, at + MINUTE)) {
            let closed = opened + random.uniform(30.0, 300.0);
            held.push(Held { opened, closed, key });
        }
    }
    Traffic::new(length, held)
}

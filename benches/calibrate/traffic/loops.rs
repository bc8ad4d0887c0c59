//! Clients that keep one stream each: they hold it, wait, open the next.

use super::{Held, Hold, Random};

/// How such clients go on.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// How long a stream is held.
    pub(crate) hold: Hold,
    /// The least and the longest wait before the next one, in seconds;
    /// negative when the next is opened before the last is closed.
    pub(crate) gap: (f64, f64),
    /// Restarts of the server, in order.
    pub(crate) restarts: Vec<Restart>,
    /// The mean of the wait that a restart adds, in seconds; 0 for none.
    pub(crate) backoff: f64,
}

/// A restart of the server: every stream open at `at` is closed at some
/// moment of the `over` seconds that follow.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Restart {
    /// When it begins.
    pub(crate) at: f64,
    /// How long the old server drains; 0 closes all at once.
    pub(crate) over: f64,
}

impl Restart {
    /// A restart that closes all streams at once.
    pub(crate) fn sudden(at: f64) -> Restart {
        Restart { at, over: 0.0 }
    }

    /// When a stream that is open at the restart is closed by it.
    pub(crate) fn cut(self, random: &mut Random) -> f64 {
        self.at + random.uniform(0.0, self.over)
    }
}

impl Loop {
    /// Clients that wait 0 to 5 s, on a server that is never restarted.
    pub(crate) fn of(hold: Hold) -> Loop {
        Loop { hold, gap: (0.0, 5.0), restarts: Vec::new(), backoff: 0.0 }
    }

    /// With another wait.
    pub(crate) fn waiting(self, least: f64, most: f64) -> Loop {
        Loop { gap: (least, most), ..self }
    }

    /// On a server that is restarted.
    pub(crate) fn restarted(self, restarts: &[Restart]) -> Loop {
        Loop { restarts: restarts.to_vec(), ..self }
    }

    /// The mean time from one opening to the next, in seconds.
    pub(crate) fn cycle(&self) -> f64 {
        self.hold.mean() + (self.gap.0 + self.gap.1) / 2.0
    }

    /// When clients may leave so that a log of this length does not show
    /// it.
    pub(crate) fn after(&self, length: f64) -> f64 {
        length + 3.0 * self.cycle() + 600.0
    }

    /// The streams of one client that comes and leaves.
    pub(crate) fn client(
        &self,
        random: &mut Random,
        key: u32,
        (comes, leaves): (f64, f64),
    ) -> Vec<Held> {
        let mut streams = Vec::new();
        let mut restarts = self.restarts.iter().copied().peekable();
        let mut opened = comes;
        while opened < leaves {
            let mut closed = opened + self.hold.draw(random);
            while restarts.next_if(|restart| restart.at <= opened).is_some() {}
            let next = restarts.peek().filter(|next| next.at < closed);
            let cut = next.map(|restart| restart.cut(random));
            let cut = cut.filter(|cut| *cut < closed);
            closed = cut.unwrap_or(closed).min(leaves);
            streams.push(Held { opened, closed, key });
            opened = closed + random.uniform(self.gap.0, self.gap.1);
            if cut.is_some() {
                opened += random.exponential(self.backoff);
            }
            if closed >= leaves {
                break;
            }
        }
        streams
    }

    /// The streams of clients that come at these times and stay, numbered
    /// from `first` on.
    pub(crate) fn stay(
        &self,
        random: &mut Random,
        first: u32,
        comes: &[f64],
        length: f64,
    ) -> Vec<Held> {
        let leaves = self.after(length);
        let stays = comes.iter().map(|comes| (*comes, leaves));
        self.each(random, first, stays)
    }

    /// The streams of clients that come and leave at these times, numbered
    /// from `first` on.
    pub(crate) fn each(
        &self,
        random: &mut Random,
        first: u32,
        stays: impl IntoIterator<Item = (f64, f64)>,
    ) -> Vec<Held> {
        let keys = (first..).zip(stays);
        keys.flat_map(|(key, stay)| self.client(random, key, stay)).collect()
    }

    /// The streams of so many clients that were there `burn` seconds before
    /// the log, each somewhere in its cycle.
    pub(crate) fn all_along(
        &self,
        random: &mut Random,
        first: u32,
        clients: u32,
        (burn, length): (f64, f64),
    ) -> Vec<Held> {
        let comes = random.uniforms(clients, (-burn, -burn + self.cycle()));
        self.stay(random, first, &comes, length)
    }
}

//! The clock of a run: the system's, as it stood at the start, and from then
//! on one that nothing sets back.

use std::time::{Duration, Instant};

use crate::time::Micros;

/// Tells the time of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    began: Micros,
    since: Instant,
}

impl Clock {
    /// Starts it.
    pub(super) fn start() -> Clock {
        Clock { began: Micros::now(), since: Instant::now() }
    }

    /// What time it is.
    pub(super) fn now(&self) -> Micros {
        self.began + Micros(self.since.elapsed().as_micros() as i64)
    }

    /// How long it is until the next full step, such as a second.
    pub(super) fn until_step(&self, step: Duration) -> Duration {
        let step = (step.as_micros() as i64).max(1);
        let past = self.now().0.rem_euclid(step);
        Duration::from_micros((step - past).unsigned_abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lie_on_the_system_s_clock() {
        let clock = Clock { began: Micros(7_300_000), since: Instant::now() };
        let rest = clock.until_step(Duration::from_secs(3600));
        assert!(rest <= Duration::from_millis(3_592_700), "{rest:?}");
        assert!(rest > Duration::from_secs(3_500), "{rest:?}");
    }
}

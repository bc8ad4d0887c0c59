//! The end of a run, as threads hear of it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Tells threads to stop; what waits is woken. Clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    stopped: Mutex<bool>,
    changed: Condvar,
}

impl Stop {
    /// From now on all is to stop.
    pub fn stop(&self) {
        *self.lock() = true;
        self.0.changed.notify_all();
    }

    /// Whether all is to stop.
    pub fn stopped(&self) -> bool {
        *self.lock()
    }

    /// Waits so long, and says whether it was told to stop meanwhile.
    pub fn wait(&self, time: Duration) -> bool {
        let goes_on = |stopped: &mut bool| !*stopped;
        let changed = &self.0.changed;
        let waited = changed.wait_timeout_while(self.lock(), time, goes_on);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn lock(&self) -> MutexGuard<'_, bool> {
        self.0.stopped.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_is_woken() {
        let stop = Stop::default();
        let far = Duration::from_secs(3600);
        let other = stop.clone();
        let waiting = std::thread::spawn(move || other.wait(far));
        stop.stop();
        assert!(waiting.join().unwrap());
        assert!(stop.wait(far) && stop.stopped());
    }

    #[test]
    fn who_is_not_woken_hears_that_it_goes_on() {
        assert!(!Stop::default().wait(Duration::from_micros(1)));
    }
}

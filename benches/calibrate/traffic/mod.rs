//! Simulated traffic: who held which stream from when to when, and what a
//! log shows of it.
//!
//! Everything happens at the level of single streams, in seconds; the log
//! begins at 0. What the log cannot show (streams still open, ends of long
//! ago) is left out only when it is written.

mod arrivals;
mod hold;
mod incidents;
mod leaker;
mod leaks;
mod log;
mod loops;
mod parallel;
mod random;
mod steady;
mod visits;

pub(crate) use arrivals::Visits;
pub(crate) use hold::Hold;
pub(crate) use incidents::{Deploys, bursts, deploys, outage, retries};
pub(crate) use leaker::{Close, Leaker};
pub(crate) use leaks::{
    Mix, alone, in_a_ramp, now_and_then, sawtooth, unclosed,
};
pub(crate) use log::{Log, Logging};
pub(crate) use loops::{Loop, Restart};
pub(crate) use parallel::{Parallel, Way};
pub(crate) use random::Random;
pub(crate) use steady::{
    Growth, doubled, growing, overlapping, short, steady, steady_loops,
    stepped, warming_up,
};
pub(crate) use visits::{
    Day, by_day, come_and_go, sessions, visitors, wandering,
};

/// Seconds in a minute.
pub(crate) const MINUTE: f64 = 60.0;
/// Seconds in an hour.
pub(crate) const HOUR: f64 = 3600.0;
/// Seconds in a day.
pub(crate) const DAY: f64 = 24.0 * HOUR;

/// One stream as it truly was, in seconds since the log's first record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    /// When it was opened; negative if before the log.
    pub(crate) opened: f64,
    /// When it was closed; infinite if never.
    pub(crate) closed: f64,
    /// Whose it is.
    pub(crate) key: u32,
}

/// All the streams around one log.
#[derive(Clone, Debug)]
pub(crate) struct Traffic {
    /// The streams, in any order, also such as the log does not show.
    pub(crate) held: Vec<Held>,
    /// Seconds from the log's first record to its last.
    pub(crate) length: f64,
}

impl Traffic {
    /// These streams around a log of this length.
    pub(crate) fn new(length: f64, held: Vec<Held>) -> Traffic {
        Traffic { held, length }
    }

    /// The same clients, behind so many addresses, in turn.
    pub(crate) fn behind(mut self, addresses: u32) -> Traffic {
        for stream in &mut self.held {
            stream.key %= addresses;
        }
        self
    }

    /// With the streams of others beside them.
    pub(crate) fn and(mut self, others: Vec<Held>) -> Traffic {
        self.held.extend(others);
        self
    }

    /// Without some of them.
    pub(crate) fn only(mut self, keep: impl Fn(&Held) -> bool) -> Traffic {
        self.held.retain(keep);
        self
    }
}

//! What a log shows of traffic.

use streamleak::internal::collect::{Answer, KeyId};
use streamleak::internal::detect::{Log as Logged, Openings, resolution};
use streamleak::internal::format::EndedBy;
use streamleak::internal::streams::Stream;
use streamleak::internal::time::Micros;

use super::{Held, Traffic};

/// When a server writes a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logging {
    /// When a stream ends.
    Ends,
    /// When it is opened and when it ends.
    OpensAndEnds,
}

/// A log: ends and openings to the second, holds to the millisecond, as
/// nginx writes them.
#[derive(Clone, Debug)]
pub(crate) struct Log {
    /// Its streams.
    pub(crate) streams: Vec<Stream>,
    /// How long it is.
    pub(crate) length: Micros,
    logging: Logging,
}

impl Log {
    /// The log of all the traffic.
    pub(crate) fn of(traffic: &Traffic, logging: Logging) -> Log {
        Log::until(traffic, traffic.length, logging)
    }

    /// The log as it is after so many seconds.
    pub(crate) fn until(
        traffic: &Traffic,
        length: f64,
        logging: Logging,
    ) -> Log {
        let stream = |held: &Held| stream(*held, length, logging);
        Log {
            streams: traffic.held.iter().filter_map(stream).collect(),
            length: Micros::from_secs_f64(length),
            logging,
        }
    }

    /// What the detector is given.
    pub(crate) fn logged(&self) -> Logged<'_> {
        let opens = self.logging == Logging::OpensAndEnds;
        Logged {
            streams: &self.streams,
            endpoints: &[],
            first: Micros::ZERO,
            last: self.length,
            resolution: resolution(&self.streams),
            openings: if opens {
                Openings::Logged
            } else {
                Openings::Unlogged
            },
        }
    }

    /// How many of the streams that it shows are open in the mean.
    pub(crate) fn mean_open(&self) -> f64 {
        let inside = |stream: &Stream| {
            let closed = stream.closed.unwrap_or(self.length);
            closed.min(self.length) - stream.opened.max(Micros::ZERO)
        };
        let sum: f64 =
            self.streams.iter().map(|s| inside(s).as_secs().max(0.0)).sum();
        sum / self.length.as_secs()
    }
}

/// A stream as the log shows it, if it does.
fn stream(held: Held, length: f64, logging: Logging) -> Option<Stream> {
    let Held { opened, closed, key } = held;
    let within = |at: f64| (0.0..=length).contains(&at);
    let (opened, closed) = if within(closed) {
        let closed_at = Micros::from_secs(closed.floor() as i64);
        let millis = ((closed - opened) * 1e3).round() as i64;
        (closed_at - Micros(millis * 1000), Some(closed_at))
    } else if logging == Logging::OpensAndEnds
        && within(opened)
        && closed > length
    {
        (Micros::from_secs(opened.floor() as i64), None)
    } else {
        return None;
    };
    let ended_by = EndedBy::Unknown;
    let answer = Answer::default();
    Some(Stream { opened, closed, key: KeyId(key), ended_by, answer })
}

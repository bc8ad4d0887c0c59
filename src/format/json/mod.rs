//! Servers that log one JSON object a record.
//!
//! | format | time | duration |
//! |---|---|---|
//! | [`Nginx`] | end | seconds |
//! | [`Caddy`] | end | seconds, or with its unit |
//! | [`HttpRequests`] | start and end | |
//! | [`WorkersTrace`], [`WorkersTail`] | start, ms | ms, 0 for unknown |
//!
//! All read an object through one walk ([`walk()`]) and a table of its keys
//! ([`Keys`]).

mod caddy;
mod cloudflare;
mod fields;
mod keys;
mod nginx;
mod workers;

pub use caddy::Caddy;
pub use cloudflare::HttpRequests;
pub use fields::{FieldError, Fields};
pub use keys::{Keys, Note, Part, Texts, end, start};
pub use nginx::Nginx;
pub use workers::{WorkersTail, WorkersTrace};

pub use crate::format::object::{Value, Wanted, unescape, walk};

use crate::format::{Mark, Parsed, Record};
use crate::time::Unit;

/// What a record of the right server lacks that does not tell of a client's
/// request: an error log's copy of it, a request a Worker made, a timer.
/// Such a record is rejected with this as `Reject::expected`.
pub const NOT_ACCESS: &str = "an access record";

/// The JSON formats.
#[derive(Clone, Debug)]
pub enum Json {
    /// nginx.
    Nginx(Nginx),
    /// Caddy.
    Caddy(Caddy),
    /// Cloudflare, data set `http_requests`.
    HttpRequests(HttpRequests),
    /// Cloudflare, data set `workers_trace_events`.
    WorkersTrace(WorkersTrace),
    /// Cloudflare, `wrangler tail --format json`.
    WorkersTail(WorkersTail),
}

impl Json {
    /// Every format, with nothing learnt of a log yet.
    pub fn all() -> [Json; 5] {
        [
            Json::HttpRequests(HttpRequests::default()),
            Json::WorkersTrace(WorkersTrace::default()),
            Json::WorkersTail(WorkersTail::default()),
            Json::Caddy(Caddy::default()),
            Json::Nginx(Nginx::default()),
        ]
    }

    /// The name it is chosen by.
    pub fn name(&self) -> &'static str {
        match self {
            Json::Nginx(_) => "nginx-json",
            Json::Caddy(_) => "caddy",
            Json::HttpRequests(_) => "cloudflare",
            Json::WorkersTrace(_) => "workers-trace",
            Json::WorkersTail(_) => "workers-tail",
        }
    }

    /// The unit of its durations that are bare numbers. `None`: both ends
    /// are logged instead, or, for Caddy, whole numbers were not understood.
    pub fn duration_unit(&self) -> Option<Unit> {
        match self {
            Json::Nginx(_) => Some(Unit::Seconds),
            Json::Caddy(caddy) => caddy.unit(),
            Json::HttpRequests(_) => None,
            Json::WorkersTrace(_) | Json::WorkersTail(_) => Some(Unit::Millis),
        }
    }

    /// Reads one object.
    ///
    /// # Errors
    ///
    /// A rejection; one that expected [`NOT_ACCESS`] is of a sound record
    /// that is not an access record.
    pub fn parse<'a>(&self, record: &'a [u8]) -> Parsed<Record<'a>> {
        match self {
            Json::Nginx(format) => format.parse(record),
            Json::Caddy(format) => format.parse(record),
            Json::HttpRequests(format) => format.parse(record),
            Json::WorkersTrace(format) => format.parse(record),
            Json::WorkersTail(format) => format.parse(record),
        }
    }

    /// Whether this is an access record of this format.
    pub fn fits(&self, record: &[u8]) -> bool {
        match self {
            Json::Nginx(format) => format.fits(record),
            Json::Caddy(format) => format.fits(record),
            Json::HttpRequests(format) => format.fits(record),
            Json::WorkersTrace(format) => format.fits(record),
            Json::WorkersTail(format) => format.fits(record),
        }
    }

    /// What its time marks; the end where both are logged.
    pub fn mark(&self) -> Mark {
        match self {
            Json::WorkersTrace(_) | Json::WorkersTail(_) => Mark::Start,
            Json::Nginx(_) | Json::Caddy(_) | Json::HttpRequests(_) => {
                Mark::End
            }
        }
    }

    /// The same format with durations that may be of several units in this
    /// one: Caddy's whole numbers.
    #[must_use]
    pub fn with_unit(self, unit: Unit) -> Json {
        match self {
            Json::Caddy(caddy) => Json::Caddy(caddy.with_unit(Some(unit))),
            other => other,
        }
    }

    /// The same format with times that show no zone taken to be this many
    /// seconds east of UTC: Caddy's wall clock.
    #[must_use]
    pub fn with_zone(self, seconds: i64) -> Json {
        match self {
            Json::Caddy(caddy) => Json::Caddy(caddy.with_zone(seconds)),
            other => other,
        }
    }

    /// Takes up what the records tell of a log's settings.
    #[must_use]
    pub fn learn(self, records: &[&[u8]]) -> Json {
        match self {
            Json::Caddy(caddy) => {
                let unit = caddy.unit_of(records);
                Json::Caddy(caddy.with_unit(unit))
            }
            other => other,
        }
    }
}

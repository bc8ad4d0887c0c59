//! What the detector found, endpoint by endpoint.

use serde::Serialize;

use crate::detect::climbs::climb::Climb;
use crate::detect::climbs::pile::Standing;
use crate::detect::climbs::spread::Spread;
use crate::detect::ends::ceilings::Ceiling;
use crate::detect::ends::restarts::Restart;
use crate::detect::judge::ground::Ground;
use crate::detect::rates::horizon::Horizon;
use crate::detect::suspects::abandoned::Reopening;
use crate::detect::suspects::reasons::Flagged;
use crate::detect::verdict::Verdict;

/// What was found in a log.
#[derive(Clone, Debug, PartialEq)]
pub struct Detection {
    /// The gravest verdict of an endpoint; unknown without any.
    pub verdict: Verdict,
    /// The endpoints in order of their numbers.
    pub endpoints: Vec<Endpoint>,
}

/// What was found at one endpoint template.
#[derive(Clone, Debug, PartialEq)]
pub struct Endpoint {
    /// Its number: as in the log.
    pub number: u32,
    /// How many streams it has.
    pub streams: usize,
    /// The verdict.
    pub verdict: Verdict,
    /// All else; `None` where there were too few streams to look at.
    pub analysis: Option<Analysis>,
}

/// All that was looked at in the streams of one endpoint.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// What the verdict stands on.
    pub ground: Ground,
    /// When many streams of all ages were closed at once, in order. Instants
    /// count from the log's first line.
    pub restarts: Vec<Restart>,
    /// Ages at which streams are cut, in order.
    pub ceilings: Vec<Ceiling>,
    /// Up to where the log shows what was open.
    pub horizon: Horizon,
    /// What superseded streams were compared with.
    pub reference: Reference,
    /// How many units there are.
    pub units: usize,
    /// How many of them were tested alone.
    pub tested: usize,
    /// The units that are suspected, in order of their numbers.
    pub flagged: Vec<Flagged>,
    /// The windows tested: of the flagged units' series, of the spread
    /// series, of all open streams where nothing graver was found.
    pub climbs: Vec<Climb>,
    /// The pile of flagged units that stands, where one was looked for and
    /// found.
    pub standing: Option<Standing>,
    /// Old superseded streams of all other units; `None` with too few.
    pub spread: Option<Spread>,
    /// What a person should know although it is no alarm.
    pub findings: Vec<Finding>,
}

/// How current streams end: the rate that superseded ones are held against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference {
    /// How many units it was taken from.
    pub units: usize,
    /// How many ends.
    pub ends: usize,
    /// The age, in seconds, by which nearly all have ended; `None` if they
    /// are not seen to.
    pub old: Option<f64>,
    /// How soon cut streams are opened again, where most are soon.
    pub reopening: Option<Reopening>,
}

/// What a person should know although it is no alarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// A unit only begins streams and never closes one: a leak alone in its
    /// log looks like people who arrive at a proxy and stay.
    OnlyBegins {
        /// The unit.
        unit: u32,
        /// The most superseded streams that it held at once.
        peak: usize,
    },
    /// Suspected units came to hold several streams and no more: a pool, or
    /// a leak that stopped.
    Pool,
    /// It grows, and nothing ended but by a restart: half-open connections
    /// look like that.
    HalfOpen,
}

//! Numbers made a verdict: do streams that their client has replaced end like
//! streams in use?
//!
//! ```text
//! log -> rows      streams by unit, bursts, when each was superseded
//!     -> ends      ceilings, restarts, releases, renewals: what each end was
//!     -> rates     the horizon; how current streams end by age; O against X
//!     -> suspects  evidence against each unit of several, and its reason
//!     -> climbs    the suspects' streams over time, the spread, the total
//!     -> judge     one verdict an endpoint, with all that it stands on
//!     -> prepared  storms, branching and the baseline's level beside it
//!     -> analysis  from inputs to all that is put into words
//! ```
//!
//! Whatever decides between instants is decided in whole microseconds; what is
//! measured in seconds (ages, the horizon, edges of windows) is a float.

mod analysis;
mod baseline_level;
mod branch;
mod climbs;
mod detection;
mod ends;
mod forecast;
mod judge;
mod log;
mod options;
mod prepared;
mod rates;
mod reopen;
mod rows;
mod settings;
mod storm;
mod suspects;
mod trend;
mod verdict;

pub use analysis::{BaselineLog, Found, analyse, analyse_inputs};
pub use baseline_level::{Level, LevelTest};
pub use branch::Branching;
pub use climbs::climb::{Climb, Series as ClimbSeries, Shape};
pub use detection::{Basis, Detection, Slope};
pub use ends::restarts::Restart;
pub use forecast::{Forecast, Reach};
pub use judge::detect::detect;
pub use judge::detection::{
    Analysis, Detection as Judged, Endpoint, Finding as JudgeFinding,
    Reference,
};
pub use log::{Log, Openings};
pub use options::{Healthy, JudgeOptions, Options};
pub use prepared::{Prepared, resolution};
pub use reopen::WITHIN;
pub use settings::{ClimbRule, Settings};
pub use storm::Storm;
pub use suspects::evidence::Evidence;
pub use suspects::reasons::{Flagged, Reason};
pub use trend::{CONFIDENCE, SlopeTest, welch};
pub use verdict::{Nagios, Verdict, Why};

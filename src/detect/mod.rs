//! Numbers made a verdict: does what clients had replaced pile up, and is that
//! a leak, a storm, or only traffic.

mod analysis;
mod attribution;
mod baseline_level;
mod branch;
mod forecast;
mod options;
mod reopen;
mod rhythm;
mod storm;
mod trend;
mod verdict;
mod window;

pub use analysis::{BaselineLog, Found, analyse, analyse_inputs};
pub use attribution::Suspect;
pub use baseline_level::{Level, LevelTest};
pub use branch::{Branching, gained};
pub use forecast::{Forecast, Reach};
pub use options::{Healthy, JudgeOptions, Options};
pub use reopen::WITHIN;
pub use rhythm::{NEARLY, Rhythm};
pub use storm::Storm;
pub use trend::{
    BaselineSlope, CONFIDENCE, Line, Slices, SlopeTest, against_baseline,
};
pub use verdict::{
    Baselines, Class, Criterion, Decisive, Detection, Evidence, Nagios,
    Prepared, Ruling, Segment, Settings, Unexplained, Verdict, Why,
    WindowTest, detect,
};
pub use window::WindowRule;

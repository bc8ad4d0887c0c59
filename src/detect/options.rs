//! What an analysis is asked for.

use crate::collect::ReadOptions;
use crate::detect::verdict::Settings;
use crate::input::Input;
use crate::time::Micros;

/// An analysis: what is read, and how it is judged.
#[derive(Clone)]
pub struct Options {
    /// What is read, and how.
    pub read: ReadOptions,
    /// The log of the hop in front of the inputs, to compare with.
    pub front: Option<Input>,
    /// How it is judged.
    pub judge: JudgeOptions,
    /// What a stream costs an hour.
    pub price: Option<f64>,
    /// How many clients are named, the worst first.
    pub top: usize,
}

impl Default for Options {
    /// Standard input, of whatever format, judged by the defaults.
    fn default() -> Options {
        Options {
            read: ReadOptions::default(),
            front: None,
            judge: JudgeOptions::default(),
            price: None,
            top: 10,
        }
    }
}

/// How the streams of a log are judged.
#[derive(Clone, Default)]
pub struct JudgeOptions {
    /// The detector's settings.
    pub settings: Settings,
    /// The healthy stretch it is compared with.
    pub baseline: Option<Healthy>,
    /// The number of open streams whose time is asked for.
    pub limit: Option<f64>,
}

/// A stretch in which all was well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Healthy {
    /// A log of its own.
    File(Input),
    /// A stretch of the logs given; what comes after it is judged.
    Stretch {
        /// Its start.
        from: Micros,
        /// Its end.
        until: Micros,
    },
}

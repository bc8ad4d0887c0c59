//! What an analysis is asked for.

use std::path::PathBuf;
use std::time::Duration;

use crate::collect::{ReadOptions, Selector};
use crate::detect::settings::Settings;
use crate::format::Choice;
use crate::input::Input;
use crate::time::Micros;

/// An analysis: what is read, and how it is judged.
#[derive(Clone)]
pub struct Options {
    /// What is read, and how.
    pub(crate) read: ReadOptions,
    /// The log of the hop in front of the inputs, to compare with.
    pub(crate) front: Option<Input>,
    /// How it is judged.
    pub(crate) judge: JudgeOptions,
    /// What a stream costs an hour.
    pub(crate) price: Option<f64>,
    /// How many clients are named, the worst first.
    pub(crate) top: usize,
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

impl Options {
    /// Files, read in any order.
    pub fn for_files<P: Into<PathBuf>>(
        files: impl IntoIterator<Item = P>,
    ) -> Options {
        let inputs = files.into_iter().map(|file| Input::File(file.into()));
        let mut options = Options::default();
        options.read.inputs = inputs.collect();
        options
    }

    /// Which requests are streams, by path: those whose path is, or ends in,
    /// one of these.
    #[must_use]
    pub fn paths(mut self, paths: &[String]) -> Options {
        self.read.selector = Selector::new(paths, "");
        self
    }

    /// The format: its name, a server's format string, a regular expression
    /// with named groups, or `@` and a configuration file.
    ///
    /// # Errors
    ///
    /// It is none of these.
    pub fn format(mut self, format: &str) -> anyhow::Result<Options> {
        self.read.format = Choice::from_arg(Some(format))?;
        Ok(self)
    }

    /// How long one step of the series is; a minute unless said.
    #[must_use]
    pub fn bin(mut self, bin: Duration) -> Options {
        let micros = i64::try_from(bin.as_micros()).unwrap_or(i64::MAX);
        self.judge.settings.climb.bin = Micros(micros.max(1));
        self
    }

    /// How many threads work; all cores unless said.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Options {
        self.read.threads = threads;
        self
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

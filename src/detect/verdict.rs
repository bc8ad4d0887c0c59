//! The verdict in one word, and why a log cannot be judged.

use std::fmt;

use crate::time::Micros;

/// The one-word answer, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// Superseded streams that are never closed climb.
    Climbing,
    /// They climbed, or piled up before the log began, and stand.
    Stacked,
    /// Streams end at once and are reopened at a high rate.
    Storm,
    /// Open streams climb, with what clients hold in use.
    Growing,
    /// They rose at one jump and stayed.
    Stepped,
    /// Flat; streams end at a ceiling and are reopened one for one: a cost,
    /// not a leak.
    Cycling,
    /// Concurrency does not climb.
    Flat,
    /// This log cannot answer.
    Unknown,
}

impl Verdict {
    /// Every verdict.
    pub const ALL: [Verdict; 8] = [
        Verdict::Flat,
        Verdict::Cycling,
        Verdict::Growing,
        Verdict::Stepped,
        Verdict::Climbing,
        Verdict::Stacked,
        Verdict::Storm,
        Verdict::Unknown,
    ];

    /// The word, in lower case.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Flat => "flat",
            Verdict::Cycling => "cycling",
            Verdict::Growing => "growing",
            Verdict::Stepped => "stepped",
            Verdict::Climbing => "climbing",
            Verdict::Stacked => "stacked",
            Verdict::Storm => "storm",
            Verdict::Unknown => "unknown",
        }
    }

    /// The exit status: 0 quiet, 1 alarm or warning, 3 cannot tell. (2 is
    /// for errors of usage, input and output.)
    pub fn exit_code(self) -> u8 {
        match self.nagios() {
            Nagios::Ok => 0,
            Nagios::Warning | Nagios::Critical => 1,
            Nagios::Unknown => 3,
        }
    }

    /// The state for monitoring.
    pub fn nagios(self) -> Nagios {
        match self {
            Verdict::Flat
            | Verdict::Cycling
            | Verdict::Growing
            | Verdict::Stepped => Nagios::Ok,
            Verdict::Climbing => Nagios::Critical,
            Verdict::Stacked | Verdict::Storm => Nagios::Warning,
            Verdict::Unknown => Nagios::Unknown,
        }
    }
}

/// The states of a monitoring plugin (Monitoring Plugins Development
/// Guidelines, "Plugin Return Codes").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Nagios {
    /// All is well.
    Ok,
    /// Worth a look.
    Warning,
    /// Worth waking someone for.
    Critical,
    /// The plugin cannot tell.
    Unknown,
}

impl Nagios {
    /// The state in capitals, as the first word of a plugin's line.
    pub fn word(self) -> &'static str {
        match self {
            Nagios::Ok => "OK",
            Nagios::Warning => "WARNING",
            Nagios::Critical => "CRITICAL",
            Nagios::Unknown => "UNKNOWN",
        }
    }

    /// The plugin's exit status.
    pub fn exit_code(self) -> u8 {
        match self {
            Nagios::Ok => 0,
            Nagios::Warning => 1,
            Nagios::Critical => 2,
            Nagios::Unknown => 3,
        }
    }
}

/// Why a log cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It shows too few streams.
    FewStreams {
        /// How many it shows.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
    /// What can be trusted of it is shorter than a few cycles of reopening:
    /// a leak would not show yet.
    FewCycles {
        /// How much of it can be trusted; negative when streams are held
        /// longer than the log is long.
        trusted: Micros,
        /// How much is needed.
        needed: Micros,
    },
    /// No stretch between restarts and the hidden end is long enough.
    FewBins {
        /// How long the last such stretch is; may be negative.
        trusted: Micros,
        /// How long it must be.
        needed: Micros,
    },
    /// It grows, and nothing ended but by a restart or not at all: streams
    /// of clients that are gone look like that.
    HalfOpen,
    /// It grows, and a client only begins streams and never closes one:
    /// many people behind one address look the same.
    OnlyBegins,
}

impl Why {
    /// How much longer the log must grow before it can be judged, if streams
    /// go on as they do. `None` when time alone may not help.
    pub fn wait(&self) -> Option<Micros> {
        match *self {
            Why::FewCycles { trusted, needed }
            | Why::FewBins { trusted, needed } => Some(needed - trusted),
            Why::FewStreams { .. } | Why::HalfOpen | Why::OnlyBegins => None,
        }
    }

    /// How much of the log can be trusted; may be negative.
    pub fn trusted(&self) -> Option<Micros> {
        match *self {
            Why::FewCycles { trusted, .. } | Why::FewBins { trusted, .. } => {
                Some(trusted)
            }
            Why::FewStreams { .. } | Why::HalfOpen | Why::OnlyBegins => None,
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let secs = |span: &Micros| span.as_secs().max(0.0);
        match self {
            Why::FewStreams { found, needed } => {
                let plural = if *found == 1 { "" } else { "s" };
                write!(f, "only {found} stream{plural} of at least {needed}")
            }
            Why::FewCycles { trusted, needed } => write!(
                f,
                "only {:.0} s can be trusted, and enough reopening cycles \
                 take {:.0} s",
                secs(trusted),
                secs(needed),
            ),
            Why::FewBins { trusted, needed } => write!(
                f,
                "the last stretch to be trusted lasts {:.0} s, and {:.0} s \
                 are needed",
                secs(trusted),
                secs(needed),
            ),
            Why::HalfOpen => f.write_str(
                "more and more streams are open, and none of them ended but \
                 by a restart: connections whose client is gone look like \
                 that, and so do people who stay",
            ),
            Why::OnlyBegins => f.write_str(
                "more and more streams are open, and a client only begins \
                 streams and closes none: a client that leaks looks like \
                 that, and so do people who come to one address and stay",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The contract's table: word, exit status, nagios state.
    #[test]
    fn verdicts_have_the_contracts_words_and_statuses() {
        let table: Vec<(&str, u8, &str)> = Verdict::ALL
            .iter()
            .map(|v| (v.word(), v.exit_code(), v.nagios().word()))
            .collect();
        let contract = [
            ("flat", 0, "OK"),
            ("cycling", 0, "OK"),
            ("growing", 0, "OK"),
            ("stepped", 0, "OK"),
            ("climbing", 1, "CRITICAL"),
            ("stacked", 1, "WARNING"),
            ("storm", 1, "WARNING"),
            ("unknown", 3, "UNKNOWN"),
        ];
        assert_eq!(table, contract);
    }

    #[test]
    fn the_time_still_to_wait_is_what_is_missing() {
        let (trusted, needed) = (Micros::from_secs(-20), Micros::MINUTE);
        let why = Why::FewCycles { trusted, needed };
        assert_eq!(why.wait(), Some(Micros::from_secs(80)));
        let why = Why::FewStreams { found: 1, needed: 5 };
        assert_eq!(why.wait(), None);
        assert_eq!(why.to_string(), "only 1 stream of at least 5");
    }
}

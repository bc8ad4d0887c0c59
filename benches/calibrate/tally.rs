//! How often a scenario's logs were called what, and whether that is good
//! enough.

use statrs::distribution::{Beta, ContinuousCDF};
use streamleak::internal::detect::Verdict;

use super::scenario::{Judged, Kind, Wanted, alarms};

/// The most healthy logs that may raise an alarm, 0 to 1; as many of the
/// others may raise none.
pub(crate) const TOLERATED: f64 = 0.005;

/// How the logs of a scenario were judged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    counts: [u64; Verdict::ALL.len()],
    delays: Vec<f64>,
    streams: u64,
    open: f64,
}

impl FromIterator<Judged> for Tally {
    fn from_iter<I: IntoIterator<Item = Judged>>(judged: I) -> Tally {
        let mut tally = Tally::default();
        for log in judged {
            tally.counts[place(log.verdict)] += 1;
            tally.delays.extend(log.delay);
            tally.streams += log.streams as u64;
            tally.open += log.open;
        }
        tally.delays.sort_by(f64::total_cmp);
        tally
    }
}

impl Tally {
    /// How many logs were judged.
    pub(crate) fn logs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many streams they show in the mean.
    pub(crate) fn mean_streams(&self) -> f64 {
        self.streams as f64 / self.logs() as f64
    }

    /// How many streams are open in the mean.
    pub(crate) fn mean_open(&self) -> f64 {
        self.open / self.logs() as f64
    }

    /// How many were called this.
    pub(crate) fn count(&self, verdict: Verdict) -> u64 {
        self.counts[place(verdict)]
    }

    /// How many raised an alarm.
    pub(crate) fn alarms(&self) -> u64 {
        let all = Verdict::ALL.into_iter().filter(|v| alarms(*v));
        all.map(|verdict| self.count(verdict)).sum()
    }

    /// The share of the logs that raised one.
    pub(crate) fn alarm_rate(&self) -> Rate {
        Rate { count: self.alarms(), of: self.logs() }
    }

    /// Minutes to the first alarm that this share (0 to 1) of the logs that
    /// raised one did not exceed.
    pub(crate) fn delay(&self, share: f64) -> Option<f64> {
        let last = self.delays.len().checked_sub(1)?;
        Some(self.delays[(last as f64 * share).ceil() as usize])
    }

    /// Whether the alarms are as they should be.
    pub(crate) fn alarm_goal(&self, kind: Kind) -> Goal {
        match kind {
            Kind::Healthy => self.alarm_rate().seldom(),
            Kind::Leak | Kind::Storm => self.alarm_rate().nearly_always(),
            Kind::Ambiguous => Goal::None,
        }
    }

    /// The share of the logs that were called what is wanted.
    pub(crate) fn wanted_rate(&self, wanted: Wanted) -> Rate {
        let of = self.logs();
        match wanted {
            Wanted::Word(verdict) => Rate { count: self.count(verdict), of },
            Wanted::Not(verdict) => {
                Rate { count: of - self.count(verdict), of }
            }
        }
    }

    /// Whether alarms and words are as they should be.
    pub(crate) fn goal(&self, kind: Kind, wanted: Option<Wanted>) -> Goal {
        let word = wanted.map_or(Goal::None, |wanted| {
            self.wanted_rate(wanted).nearly_always()
        });
        self.alarm_goal(kind).max(word)
    }
}

/// Whether a goal is met; the worst comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Goal {
    /// There is none.
    None,
    /// It is.
    Met,
    /// It is not, but chance may have done it.
    Chance,
    /// It is not.
    Missed,
}

/// So many of so many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    /// How many.
    pub(crate) count: u64,
    /// Of how many.
    pub(crate) of: u64,
}

impl Rate {
    /// The share, 0 to 1.
    pub(crate) fn share(self) -> f64 {
        self.count as f64 / self.of as f64
    }

    /// The exact interval of Clopper and Pearson that holds the true share
    /// with this confidence (0 to 1), <https://doi.org/10.1093/biomet/26.4.404>.
    pub(crate) fn interval(self, confidence: f64) -> (f64, f64) {
        let tail = (1.0 - confidence) / 2.0;
        let (yes, no) = (self.count as f64, (self.of - self.count) as f64);
        let low = match self.count {
            0 => 0.0,
            _ => beta_quantile(yes, no + 1.0, tail),
        };
        let high = match self.of - self.count {
            0 => 1.0,
            _ => beta_quantile(yes + 1.0, no, 1.0 - tail),
        };
        (low, high)
    }

    /// Whether it is as low as that of false alarms should be.
    fn seldom(self) -> Goal {
        Rate { count: self.of - self.count, ..self }.nearly_always()
    }

    /// Whether it is as high as that of true alarms should be.
    fn nearly_always(self) -> Goal {
        let least = 1.0 - TOLERATED;
        if self.share() >= least {
            Goal::Met
        } else if self.interval(0.95).1 >= least {
            Goal::Chance
        } else {
            Goal::Missed
        }
    }
}

/// Where a verdict is counted.
fn place(verdict: Verdict) -> usize {
    let same = |one: &Verdict| *one == verdict;
    Verdict::ALL.iter().position(same).unwrap_or_default()
}

/// The quantile of the beta distribution; no number where there is none.
fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    Beta::new(a, b).map_or(f64::NAN, |law| law.inverse_cdf(p))
}

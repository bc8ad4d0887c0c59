//! The table: one row a scenario, written as soon as its logs are judged.

use std::io::{self, Write};
use std::time::Duration;

use streamleak::internal::detect::Verdict;

use super::scenario::{Kind, Scenario, Wanted};
use super::tally::{Goal, Rate, Tally};

/// The sums under the table.
#[derive(Debug, Default)]
pub(crate) struct Totals {
    scenarios: u64,
    logs: u64,
    healthy: u64,
    false_alarms: u64,
    faulty: u64,
    silent: u64,
    met: u64,
    chance: u64,
    missed: u64,
}

impl Totals {
    /// Adds a scenario.
    pub(crate) fn add(&mut self, scenario: &Scenario, tally: &Tally) {
        let (logs, alarms) = (tally.logs(), tally.alarms());
        self.scenarios += 1;
        self.logs += logs;
        match scenario.kind {
            Kind::Healthy => {
                self.healthy += logs;
                self.false_alarms += alarms;
            }
            Kind::Leak | Kind::Storm => {
                self.faulty += logs;
                self.silent += logs - alarms;
            }
            Kind::Ambiguous => {}
        }
        match tally.goal(scenario.kind, scenario.wanted) {
            Goal::None => {}
            Goal::Met => self.met += 1,
            Goal::Chance => self.chance += 1,
            Goal::Missed => self.missed += 1,
        }
    }

    /// How many scenarios missed their goal, and not by chance.
    pub(crate) fn missed(&self) -> u64 {
        self.missed
    }

    /// The last line.
    pub(crate) fn line(&self, seed: u64, took: Duration) -> String {
        format!(
            "{} scenarios, {} logs: {} false alarms of {}, {} missed of {}; \
             goals: {} met, {} missed within chance, {} missed \
             (seed {seed}, {:.0} s)",
            self.scenarios,
            self.logs,
            self.false_alarms,
            self.healthy,
            self.silent,
            self.faulty,
            self.met,
            self.chance,
            self.missed,
            took.as_secs_f64(),
        )
    }
}

/// Writes the names of the columns.
pub(crate) fn head(out: &mut dyn Write) -> io::Result<()> {
    let words = Verdict::ALL.map(|v| format!("{:>9}", v.word())).concat();
    writeln!(
        out,
        "Shares in per cent of the logs (a fifth of them where they are of a \
         week); alarms (climbing, stacked, storm) with their exact 95 % \
         interval.\n\
         {:<12} {:<46} {:<9} {:>5} {:>8} {:>7}{words}  {:<20} {:<22} {:<7} \
         {:>11}",
        "family",
        "scenario",
        "kind",
        "logs",
        "streams",
        "open",
        "alarms",
        "wanted",
        "goal",
        "min p50/p95",
    )
}

/// Writes a scenario's row.
pub(crate) fn row(
    out: &mut dyn Write,
    scenario: &Scenario,
    tally: &Tally,
) -> io::Result<()> {
    let logs = tally.logs();
    let share = |verdict| {
        format!(
            "{:>9}",
            shortly(Rate { count: tally.count(verdict), of: logs })
        )
    };
    writeln!(
        out,
        "{:<12} {:<46} {:<9} {logs:>5} {:>8.0} {:>7.1}{}  {:<20} {:<22} \
         {:<7} {:>11}",
        scenario.family.word(),
        scenario.name,
        scenario.kind.word(),
        tally.mean_streams(),
        tally.mean_open(),
        Verdict::ALL.map(share).concat(),
        alarms(tally.alarm_rate()),
        wanted(scenario.wanted, tally),
        goal(tally.goal(scenario.kind, scenario.wanted)),
        delays(tally),
    )?;
    out.flush()
}

/// A share in per cent, nothing where it is none.
fn shortly(rate: Rate) -> String {
    match rate.count {
        0 => ".".to_owned(),
        _ => format!("{:.1}", rate.share() * 100.0),
    }
}

fn alarms(rate: Rate) -> String {
    let (low, high) = rate.interval(0.95);
    let share = rate.share() * 100.0;
    format!("{share:>5.1} [{:.1}, {:.1}]", low * 100.0, high * 100.0)
}

fn wanted(wanted: Option<Wanted>, tally: &Tally) -> String {
    let Some(wanted) = wanted else { return "-".to_owned() };
    let share = tally.wanted_rate(wanted).share() * 100.0;
    match wanted {
        Wanted::Word(verdict) => format!("{} {share:.1}", verdict.word()),
        Wanted::Not(verdict) => format!("not {} {share:.1}", verdict.word()),
    }
}

fn goal(goal: Goal) -> &'static str {
    match goal {
        Goal::None => "-",
        Goal::Met => "met",
        Goal::Chance => "chance",
        Goal::Missed => "MISSED",
    }
}

fn delays(tally: &Tally) -> String {
    match (tally.delay(0.5), tally.delay(0.95)) {
        (Some(median), Some(late)) => format!("{median:.0}/{late:.0}"),
        _ => "-".to_owned(),
    }
}

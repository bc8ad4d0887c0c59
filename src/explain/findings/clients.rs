//! Findings on who holds the streams.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use serde_json::json;

use super::finding;
use crate::collect::KeyId;
use crate::detect::Found;
use crate::explain::known::{Defect, known_defect};
use crate::report::{Finding, Severity, count, counted};
use crate::streams::Standing;

/// How many versions of a client are named.
const VERSIONS: usize = 5;

/// A client is suspect if it has this many superseded streams in the mean.
const STACKED: f64 = 0.25;

/// Clients of versions known to be defective, one finding a defect.
pub(super) fn defects(found: &Found) -> Vec<Finding> {
    let storms = found.detection.iter().flat_map(|d| &d.storms.all);
    let storms: HashSet<KeyId> = storms.map(|storm| storm.key).collect();
    let mut affected: Vec<(&Defect, Affected<'_>)> = Vec::new();
    for standing in &found.standings {
        let agent = &found.client(standing).agent;
        let Some(defect) = known_defect(agent) else { continue };
        let at = affected.iter().position(|(other, _)| *other == defect);
        let at = at.unwrap_or_else(|| {
            affected.push((defect, Affected::default()));
            affected.len() - 1
        });
        let version = defect.version(agent);
        let suspect =
            storms.contains(&standing.key) || stacks(found, standing);
        affected[at].1.add(standing, version, suspect);
    }
    let clients = found.standings.len();
    affected.iter().filter_map(|(it, all)| all.finding(it, clients)).collect()
}

/// Whether a client keeps old streams open.
fn stacks(found: &Found, standing: &Standing) -> bool {
    let detection = found.detection.iter();
    let mut flagged = detection.flat_map(|detection| detection.flagged());
    standing.superseded >= STACKED
        || flagged.any(|it| it.evidence.unit == standing.key.0)
}

/// The clients that have one defect.
#[derive(Default)]
struct Affected<'a> {
    clients: u64,
    /// Those of them that keep old streams open, or reopen without a pause
    /// what ends at once.
    suspects: u64,
    /// The streams of all of them.
    streams: u64,
    /// The streams of each version.
    versions: BTreeMap<&'a str, u64>,
}

impl<'a> Affected<'a> {
    fn add(&mut self, client: &Standing, version: &'a str, suspect: bool) {
        self.clients += 1;
        self.suspects += u64::from(suspect);
        self.streams += client.streams;
        *self.versions.entry(version).or_default() += client.streams;
    }

    /// The versions with the most streams.
    fn versions(&self) -> Vec<&'a str> {
        let all = self.versions.iter();
        let mut all: Vec<(&str, u64)> = all.map(|(v, n)| (*v, *n)).collect();
        all.sort_by_key(|(_, streams)| Reverse(*streams));
        all.truncate(VERSIONS);
        all.into_iter().map(|(version, _)| version).collect()
    }

    fn finding(&self, defect: &Defect, clients: usize) -> Option<Finding> {
        let severity = if self.suspects == 0 {
            Severity::Info
        } else {
            Severity::Warning
        };
        finding(
            "client-defect",
            severity,
            self.text(defect, clients),
            [
                ("product", json!(defect.name())),
                ("versions", json!(self.versions())),
                ("fixed_in", json!(defect.fixed_in())),
                ("clients", json!(self.clients)),
                ("suspects", json!(self.suspects)),
                ("streams", json!(self.streams)),
                ("source", json!(defect.source)),
                ("date", json!(defect.date)),
            ],
        )
    }

    fn text(&self, defect: &Defect, clients: usize) -> String {
        let versions = self.versions();
        let more = match self.versions.len() - versions.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let be = if self.clients == 1 { "is" } else { "are" };
        let suspects = match self.suspects {
            0 => "no old one is kept open here".to_owned(),
            some => format!(
                "old ones kept open or reopened at once by {}",
                counted(some, "client")
            ),
        };
        format!(
            "{} of {} {be} {} {}{more}, a version that {}: {}, {suspects}. \
             Fixed in {} ({}, {}): update to rule it out",
            count(self.clients),
            counted(clients as u64, "client"),
            defect.name(),
            versions.join(", "),
            defect.what,
            counted(self.streams, "stream"),
            defect.fixed_in(),
            defect.date,
            defect.source,
        )
    }
}

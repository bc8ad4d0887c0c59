//! Inputs read as the options say, and what requests there are where none of
//! them is a stream.

use std::collections::hash_map::RandomState;

use super::client::{Clients, KeyField};
use super::harvest::{Harvest, Harvester, Tally};
use super::row::Row;
use super::select::Selector;
use super::stamps::Marked;
use super::survey::Requests;
use crate::format::{Choice, DecodeOptions, Layout};
use crate::input::{Input, MmapChoice, file_id};
use crate::time::{Micros, Unit};

/// What is read, and how.
#[derive(Clone)]
pub struct ReadOptions {
    /// What is read, each file once.
    pub inputs: Vec<Input>,
    /// Which records are streams.
    pub selector: Selector,
    /// The format, or how to detect it.
    pub format: Choice,
    /// Seconds east of UTC of times that show no zone.
    pub zone: i64,
    /// What time it is: a time without a year is in the year before it.
    pub now: Micros,
    /// What makes a client.
    pub key: KeyField,
    /// What is known of times and durations beside the log.
    pub overrides: Overrides,
    /// The unit of bare durations, if given.
    pub unit: Option<Unit>,
    /// Whether the arrival of a record is taken for its end.
    pub arrivals: bool,
    /// Whether files are mapped.
    pub mmap: MmapChoice,
    /// How many threads work.
    pub threads: usize,
    /// Whether clients without a finished stream are counted.
    pub silent_clients: bool,
}

/// What is known of times and durations beside the log.
#[derive(Clone, Copy, Debug, Default)]
pub struct Overrides {
    /// What bare times mark.
    pub marked: Option<Marked>,
    /// The duration of streams whose duration is not logged.
    pub assumed_hold: Option<Micros>,
    /// Records written before this are left out.
    pub since: Option<Micros>,
    /// Records written after this are left out.
    pub until: Option<Micros>,
}

impl Overrides {
    /// Whether a record written then is wanted.
    pub fn covers(&self, at: Micros) -> bool {
        self.since.is_none_or(|since| at >= since)
            && self.until.is_none_or(|until| at <= until)
    }
}

impl Default for ReadOptions {
    /// Standard input, of whatever format, on all cores, its
    /// `subscriptions/listen` streams.
    fn default() -> ReadOptions {
        ReadOptions {
            inputs: vec![Input::Stdin],
            selector: Selector::default(),
            format: Choice::Auto,
            zone: 0,
            now: Micros::now(),
            key: KeyField::Client,
            overrides: Overrides::default(),
            unit: None,
            arrivals: false,
            mmap: MmapChoice::Auto,
            threads: 0,
            silent_clients: false,
        }
    }
}

impl ReadOptions {
    /// What reads inputs so; on a survey all records are parsed.
    pub fn harvester(&self, survey: bool) -> Harvester {
        let choice = self.format.clone();
        let decode =
            DecodeOptions { unit: self.unit, zone: self.zone, now: self.now };
        Harvester {
            selector: self.selector.clone(),
            key: self.key,
            reader: Box::new(move |sample| {
                Layout::of(&choice, decode, sample)
            }),
            marked: self.overrides.marked,
            mmap: self.mmap,
            survey,
            arrivals: self.arrivals.then_some(Micros::now as fn() -> Micros),
            hasher: RandomState::new(),
        }
    }

    /// Reads these inputs. Where nothing in them is selected, files are read
    /// once more to see what requests there are instead; pipes were surveyed
    /// as they came.
    pub fn read(&self, inputs: &[Input]) -> Collected {
        let harvester = self.harvester(self.silent_clients);
        let (harvests, rows) = harvester.read_all(inputs);
        let nothing = Tally::of(&harvests).selected == 0;
        let (harvests, rows) = if nothing {
            self.surveyed(harvests, rows)
        } else {
            (harvests, rows)
        };
        let silent = self.silent_clients.then(|| silent_clients(&harvests));
        let requests =
            if nothing { requests(&harvests) } else { Requests::default() };
        Collected { harvests, rows, requests, silent }
    }

    /// The same inputs, in the same order, with what a survey finds in them.
    fn surveyed(
        &self,
        harvests: Vec<Harvest>,
        rows: Vec<Vec<Row>>,
    ) -> (Vec<Harvest>, Vec<Vec<Row>>) {
        let is_file = |input: &&Input| file_id(input).is_some();
        let files: Vec<Input> = if self.silent_clients {
            // All of it was surveyed already.
            Vec::new()
        } else {
            harvests
                .iter()
                .map(|h| &h.input)
                .filter(is_file)
                .cloned()
                .collect()
        };
        let (again, their_rows) = self.harvester(true).read_all(&files);
        let mut again = again.into_iter().zip(their_rows).peekable();
        let one = |(harvest, rows): (Harvest, Vec<Row>)| {
            let same =
                |other: &(Harvest, Vec<Row>)| other.0.input == harvest.input;
            again.next_if(same).unwrap_or_else(|| (harvest.surveyed(), rows))
        };
        harvests.into_iter().zip(rows).map(one).unzip()
    }
}

/// What inputs gave, in their order.
pub struct Collected {
    /// What is known of each input.
    pub harvests: Vec<Harvest>,
    /// The rows of each input.
    pub rows: Vec<Vec<Row>>,
    /// What requests there are, if none is a stream.
    pub requests: Requests,
    /// How many clients made requests and finished no stream, if asked for.
    pub silent: Option<usize>,
}

/// What requests there are.
fn requests(harvests: &[Harvest]) -> Requests {
    let mut requests = Requests::default();
    for harvest in harvests {
        requests.absorb(harvest.found.requests.clone());
    }
    requests
}

/// How many clients made requests and finished no stream, as a survey found.
fn silent_clients(harvests: &[Harvest]) -> usize {
    let mut all = Clients::default();
    let mut streaming = Clients::default();
    for Harvest { found, .. } in harvests {
        all.absorb(&found.everyone);
        streaming.absorb(&found.clients);
    }
    all.len().saturating_sub(streaming.len())
}

impl Harvest {
    /// With what a survey found, if it was the only chance for one.
    fn surveyed(self) -> Harvest {
        match self.surveyed {
            Some(found) => Harvest { found, surveyed: None, ..self },
            None => self,
        }
    }
}

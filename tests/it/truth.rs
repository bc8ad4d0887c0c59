//! Streams rebuilt from logs of real servers against what the clients saw,
//! and what is said of logs that cannot tell. `truth.txt` is the table.

use std::path::Path;

use streamleak::internal::collect::Overrides;
use streamleak::internal::collect::{Harvest, Harvester, Marked, Selector};
use streamleak::internal::format::{Choice, DecodeOptions, EndedBy, Layout};
use streamleak::internal::input::Input;
use streamleak::internal::streams::{Log, Stream};
use streamleak::internal::time::Micros;

use crate::fixture::{Truth, lab, mixed, read};
use crate::reader::harvester;

/// What is expected of each log.
const EXPECTED: &str = include_str!("truth.txt");

/// How late anything may be logged, in seconds.
const LATE: f64 = 0.02;

/// A row of the table.
#[derive(Clone, Copy, Debug)]
struct Case<'a> {
    log: &'a str,
    server: &'a str,
    says: Says<'a>,
    count: usize,
    /// Of how many streams the log says that the client, and that the
    /// server, ended them.
    told: (usize, usize),
    /// How many have no duration in a log that has.
    unheld: usize,
    /// The grain of the log's clock, in seconds.
    early: f64,
    /// How long the server takes to notice that a client left, in seconds.
    notice: f64,
    with: Option<&'a str>,
    format: Option<&'a str>,
}

/// What a log tells.
#[derive(Clone, Copy, Debug)]
enum Says<'a> {
    /// When streams were open; what its bare times mark.
    Held(Marked),
    /// One end of each.
    One(Marked),
    /// Nothing.
    Nothing,
    /// Nothing, for want of this.
    Lacks(&'a str),
    /// It is refused with this.
    Refused(&'a str),
}

impl<'a> Case<'a> {
    fn of(line: &'a str) -> Case<'a> {
        let mut columns = line.split(" | ");
        let mut column = || columns.next().unwrap_or_default();
        let (log, server, says) = (column(), column(), column());
        let counts = column().split_whitespace();
        let mut counts: Vec<usize> =
            counts.map(|n| n.parse().expect("a count")).collect();
        counts.resize(4, 0);
        let seconds = column().split_whitespace();
        let seconds: Vec<f64> =
            seconds.map(|n| n.parse().expect("seconds")).collect();
        let how = column();
        let [early, notice] = seconds[..].try_into().unwrap_or([0.0; 2]);
        Case {
            log,
            server,
            says: Says::of(says),
            count: counts[0],
            told: (counts[1], counts[2]),
            unheld: counts[3],
            early,
            notice,
            with: how.strip_prefix("with "),
            format: how.strip_prefix("as "),
        }
    }

    /// All of them.
    fn all() -> impl Iterator<Item = Case<'static>> {
        let rows = EXPECTED.lines();
        let rows = rows.filter(|row| !row.is_empty() && !row.starts_with('#'));
        rows.map(Case::of)
    }

    fn truth(&self) -> Vec<Truth> {
        match self.server.strip_prefix("mixed ") {
            Some(server) => mixed(server),
            None => lab(self.server),
        }
    }

    /// What is found in the log, and the streams that makes.
    fn read(&self) -> (Harvest, Log) {
        let choice = Choice::from_arg(self.format).expect("a format");
        let paths = ["/subscriptions/listen".to_owned(), "/mcp".to_owned()];
        // After the lab, for syslog's times without a year.
        let now = Micros::from_secs(1_796_000_000);
        let given = DecodeOptions { now, ..Default::default() };
        let harvester = Harvester {
            selector: Selector::new(&paths, "subscriptions/listen"),
            reader: Box::new(move |head| Layout::of(&choice, given, head)),
            ..harvester()
        };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
        let input = Input::File(root.join(self.log));
        let (mut harvests, rows) = match self.with {
            None => harvester.read_all(&[input]),
            Some(text) => {
                let log = read(self.log);
                let lines = log.split_inclusive('\n');
                let lines: String =
                    lines.filter(|line| line.contains(text)).collect();
                let read = harvester.read_sample(&input, lines.as_bytes());
                (vec![read.0], vec![read.1])
            }
        };
        let given = Overrides::default();
        let log = Log::join(&harvests, rows, &harvester.selector, given);
        (harvests.remove(0), log)
    }

    /// What is wrong with how the log is read.
    fn check(&self) -> Result<(), String> {
        let (harvest, log) = self.read();
        let error = harvest.error.clone();
        let layout = harvest.layout.as_ref();
        let mut formats = layout.iter().flat_map(|l| &l.formats);
        let lacks = formats.find_map(|format| format.lacks());
        let (streams, unheld) = match self.says {
            Says::Held(_) => (self.count, self.unheld),
            Says::One(_) => (0, self.count),
            _ => (0, 0),
        };
        if let Says::Refused(why) = self.says {
            let said = error.as_ref().is_some_and(|e| e.contains(why));
            same(error, said, true)?;
        } else {
            same("error", error, None)?;
            same("records", harvest.found.tally.records > 0, true)?;
        }
        if let Says::Lacks(what) = self.says {
            let said = lacks.is_some_and(|lacks| lacks.contains(what));
            same(lacks, said, true)?;
        }
        same("streams", log.streams.len(), streams)?;
        same("unheld", log.unheld.len(), unheld)?;
        match self.says {
            Says::Held(marked) => {
                same("mark", log.inputs[0].readings[0].marked, marked)?;
                self.check_streams(&log.streams)
            }
            Says::One(marked) => self.check_ends(&log.unheld, marked),
            _ => Ok(()),
        }
    }

    /// Every stream is another request of the truth, and ended by whom the
    /// log says.
    fn check_streams(&self, streams: &[Stream]) -> Result<(), String> {
        let mut left = self.truth();
        let mut told = (0, 0);
        for stream in streams {
            let end = stream.closed.ok_or("never closed")?.as_secs();
            let start = stream.opened.as_secs();
            let truth = self.take(&mut left, Some(start), Some(end))?;
            let right = match stream.ended_by {
                EndedBy::Unknown => true,
                EndedBy::Client => truth.aborted,
                // What it did before it noticed that the client had left.
                EndedBy::Server => !truth.aborted || end - truth.end > 5.0,
            };
            same(format!("{stream:?} {truth:?}"), right, true)?;
            told.0 += usize::from(stream.ended_by == EndedBy::Client);
            told.1 += usize::from(stream.ended_by == EndedBy::Server);
        }
        same("told who ended it", told, self.told)
    }

    /// Each of these instants is one end of another request of the truth.
    fn check_ends(&self, at: &[Micros], of: Marked) -> Result<(), String> {
        let mut left = self.truth();
        for at in at {
            let at = Some(at.as_secs());
            match of {
                Marked::Start => self.take(&mut left, at, None)?,
                Marked::End => self.take(&mut left, None, at)?,
            };
        }
        Ok(())
    }

    /// Takes the request nearest to what was logged out of those left.
    fn take(
        &self,
        left: &mut Vec<Truth>,
        start: Option<f64>,
        end: Option<f64>,
    ) -> Result<Truth, String> {
        let off = |truth: &Truth| {
            let late = if truth.aborted { self.notice } else { LATE };
            let began = start.map_or(0.0, |start| start - truth.start);
            let ended = end.map_or(0.0, |end| end - truth.end);
            let fits = (-self.early..=LATE).contains(&began)
                && (-self.early..=late.max(LATE)).contains(&ended);
            fits.then_some(began.abs() + ended.abs())
        };
        let fitting = left.iter().map(off).enumerate();
        let fitting = fitting.filter_map(|(at, off)| Some((off?, at)));
        let best = fitting.min_by(|one, two| one.0.total_cmp(&two.0));
        let none = || format!("{start:?} to {end:?} is none of {left:#?}");
        let (_, at) = best.ok_or_else(none)?;
        Ok(left.swap_remove(at))
    }
}

impl<'a> Says<'a> {
    fn of(text: &'a str) -> Says<'a> {
        match text.split_once(' ').unwrap_or((text, "")) {
            ("held", "start") => Says::Held(Marked::Start),
            ("held", "end") => Says::Held(Marked::End),
            ("one", "start") => Says::One(Marked::Start),
            ("one", "end") => Says::One(Marked::End),
            ("nothing", "") => Says::Nothing,
            ("lacks", what) => Says::Lacks(what),
            ("refused", why) => Says::Refused(why),
            _ => panic!("{text}: not known"),
        }
    }
}

/// Says what differs, if anything does.
fn same<T: PartialEq + std::fmt::Debug>(
    what: impl std::fmt::Debug,
    got: T,
    expected: T,
) -> Result<(), String> {
    if got == expected {
        Ok(())
    } else {
        Err(format!("{what:?}: {got:?}, not {expected:?}"))
    }
}

#[test]
fn every_log_agrees_with_its_clients_or_says_what_it_lacks() {
    let faults: Vec<String> = Case::all()
        .filter_map(|case| Some((case, case.check().err()?)))
        .map(|(case, fault)| format!("{} {}: {fault}", case.log, case.server))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_log_of_the_lab_is_tested() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let entries = |path: &Path| {
        let entries = std::fs::read_dir(path).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path())
    };
    let lab = root.join("groundtruth");
    // The servers' configurations are beside their logs.
    let folders = entries(&lab).filter(|path| !path.ends_with("conf"));
    let (folders, files): (Vec<_>, Vec<_>) = folders.partition(|p| p.is_dir());
    assert_eq!(files, [lab.join("truth.jsonl")]);
    for path in folders.iter().flat_map(|folder| entries(folder)) {
        let log = path.strip_prefix(&root).expect("below the root");
        let tested = Case::all().any(|case| Path::new(case.log) == log);
        assert!(tested, "{} has no row in truth.txt", log.display());
    }
}

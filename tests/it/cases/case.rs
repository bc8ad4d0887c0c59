//! A case: logs, how they are read, and what must be said of them.

use std::ops::RangeInclusive;

use regex::Regex;
use serde_json::Value;

use super::log::{Log, Measure};
use super::number::Number;
use crate::program::{Folder, Ran, run};

/// One case.
pub(super) struct Case {
    /// The row of the table of causes, and what it is about.
    pub(super) name: &'static str,
    pub(super) logs: Vec<Log>,
    /// The options that pick its streams.
    pub(super) reading: &'static [&'static str],
    /// The options it is judged with besides.
    pub(super) judging: &'static [&'static str],
    pub(super) design: Design,
    pub(super) wanted: Wanted,
}

/// What its streams were made to come to.
#[derive(Clone, Debug)]
pub(super) struct Design {
    pub(super) streams: RangeInclusive<usize>,
    /// The most open at an instant.
    pub(super) most: RangeInclusive<usize>,
    /// The median hold in seconds.
    pub(super) hold: RangeInclusive<f64>,
}

/// What must be said of it.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// One of these; the exit status is the verdict's.
    pub(super) verdicts: &'static [&'static str],
    pub(super) fault: Fault,
}

/// Whose fault it is.
#[derive(Clone, Debug)]
pub(super) enum Fault {
    /// Nobody's: `null`.
    Nobodys,
    /// Nobody's, or this one's: the log leaves both open.
    NobodysOr(Blame),
    /// This one's.
    Of(Blame),
}

/// One fault. Where several sides or causes are listed the log leaves them
/// open.
#[derive(Clone, Debug)]
pub(super) struct Blame {
    pub(super) sides: &'static [&'static str],
    pub(super) causes: &'static [&'static str],
    /// What the confidence may be.
    pub(super) confidence: &'static [&'static str],
    /// Numbers that the evidence must say: one of each group.
    pub(super) numbers: &'static [&'static [Number]],
    /// What evidence or next steps must name, as patterns.
    pub(super) words: &'static [&'static str],
}

/// Any confidence at all.
pub(super) const ANY: &[&str] = &["low", "medium", "high"];
/// What one log must not be sure of.
pub(super) const UNSURE: &[&str] = &["low", "medium"];

impl Blame {
    /// One with no more to say.
    pub(super) const fn new(
        sides: &'static [&'static str],
        causes: &'static [&'static str],
    ) -> Blame {
        Blame { sides, causes, confidence: ANY, numbers: &[], words: &[] }
    }
}

/// The exit status of each verdict, as the contract has it.
fn status(verdict: &str) -> i32 {
    match verdict {
        "flat" | "cycling" | "growing" | "stepped" => 0,
        "climbing" | "stacked" | "storm" => 1,
        _ => 3,
    }
}

impl Case {
    /// Runs the program on all of its logs.
    pub(super) fn run(&self) -> Ran {
        let all: Vec<&Log> = self.logs.iter().collect();
        read(&all, &[self.reading, self.judging].concat())
    }

    /// What is wrong with how its logs are read: all of every log must be,
    /// and the streams be those that were written.
    pub(super) fn misread(&self) -> Vec<String> {
        let parts: Vec<Vec<&Log>> = match self.logs[0].option {
            // Each by itself.
            Some(_) => self.logs.iter().map(|log| vec![log]).collect(),
            None => vec![self.logs.iter().collect()],
        };
        let mut wrong = Vec::new();
        for logs in &parts {
            let plain: Vec<Log> = logs.iter().map(|log| plain(log)).collect();
            let plain: Vec<&Log> = plain.iter().collect();
            let report = read(&plain, self.reading).report();
            wrong.extend(rejected(&report));
            wrong.extend(self.mismeasured(logs, &report));
        }
        wrong
    }

    fn mismeasured(&self, logs: &[&Log], report: &Value) -> Vec<String> {
        let seen = logs.iter().map(|log| log.seen.as_deref());
        let written: Option<Vec<_>> = seen.collect();
        let written = written.map(|seen| Measure::of(&seen.concat()));
        let got = measured(report);
        let mut wrong = Vec::new();
        if written.is_some_and(|written| !alike(written, got)) {
            wrong.push(format!("{written:?} was written, {got:?} read"));
        }
        let first = logs[0].name == self.logs[0].name;
        let Design { streams, most, hold } = &self.design;
        let is_meant = streams.contains(&got.streams)
            && most.contains(&got.most)
            && hold.contains(&got.hold);
        if first && !is_meant {
            wrong.push(format!("{got:?} is not {:?}", self.design));
        }
        wrong
    }

    /// What is wrong with the answer.
    pub(super) fn misjudged(&self, ran: &Ran) -> Vec<String> {
        let report = ran.report();
        let verdict = report["verdict"].as_str().unwrap_or_default();
        let mut wrong = Vec::new();
        if !self.wanted.verdicts.contains(&verdict) {
            let wanted = self.wanted.verdicts.join(" or ");
            wrong.push(format!("{verdict} is not {wanted}"));
        }
        if ran.status != status(verdict) {
            wrong.push(format!("exit status {} of {verdict}", ran.status));
        }
        wrong.extend(self.wanted.fault.misses(&report["fault"]));
        wrong
    }
}

/// The same log, named without an option.
fn plain(log: &Log) -> Log {
    Log { option: None, text: log.text.clone(), seen: None, name: log.name }
}

fn read(logs: &[&Log], options: &[&str]) -> Ran {
    let folder = Folder::new();
    let mut args: Vec<String> = Vec::new();
    for log in logs {
        args.extend(log.option.map(str::to_owned));
        args.push(folder.write(log.name, log.text.as_bytes()));
    }
    args.extend(["-o", "json"].map(str::to_owned));
    args.extend(options.iter().map(|&option| option.to_owned()));
    run(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Records that could not be read.
fn rejected(report: &Value) -> Vec<String> {
    let inputs = report["inputs"].as_array().expect("inputs");
    let of = |input: &Value| {
        let counts = input["rejected"].as_object().expect("counts");
        let count: u64 = counts.values().filter_map(Value::as_u64).sum();
        let none = input["records"] == 0;
        (count > 0 || none)
            .then(|| format!("{count} rejected: {}", input["first_rejected"]))
    };
    inputs.iter().filter_map(of).collect()
}

/// What the report says the streams come to.
fn measured(report: &Value) -> Measure {
    let streams = &report["streams"];
    let count = |name: &str| streams[name].as_u64().unwrap_or(0);
    let bins = report["series"].as_array().expect("a series").iter();
    let most = bins.filter_map(|bin| bin["max"].as_u64()).max();
    Measure {
        streams: (count("ended") + count("open")) as usize,
        most: most.unwrap_or(0) as usize,
        hold: streams["hold_s"]["p50"].as_f64().unwrap_or(0.0),
    }
}

fn alike(one: Measure, two: Measure) -> bool {
    let held = (one.hold - two.hold).abs() < 0.002;
    one.streams == two.streams && one.most == two.most && held
}

impl Fault {
    /// What is wrong with the fault that was found.
    fn misses(&self, found: &Value) -> Vec<String> {
        match self {
            Fault::Nobodys | Fault::NobodysOr(_) if found.is_null() => {
                Vec::new()
            }
            Fault::Nobodys => vec![format!("{found} is nobody's fault")],
            Fault::NobodysOr(blame) | Fault::Of(blame) => blame.misses(found),
        }
    }
}

impl Blame {
    fn misses(&self, found: &Value) -> Vec<String> {
        if found.is_null() {
            return vec![format!("no fault is found, not {}", self.causes[0])];
        }
        let text = |name: &str| found[name].as_str().unwrap_or_default();
        let mut wrong = Vec::new();
        for (name, wanted) in [
            ("side", self.sides),
            ("cause", self.causes),
            ("confidence", self.confidence),
        ] {
            if !wanted.contains(&text(name)) {
                let wanted = wanted.join(" or ");
                wrong.push(format!("{name} {} is not {wanted}", text(name)));
            }
        }
        let (evidence, next) =
            (lines(&found["evidence"]), lines(&found["next"]));
        for group in self.numbers {
            if !group.iter().any(|number| number.is_in(&evidence)) {
                wrong.push(format!("{group:?} is not in: {evidence}"));
            }
        }
        let all = format!("{evidence}\n{next}");
        let names =
            |word: &&&str| Regex::new(word).expect("a pattern").is_match(&all);
        let unnamed = self.words.iter().filter(|word| !names(word));
        wrong.extend(unnamed.map(|word| format!("{word} is not in: {all}")));
        if next.is_empty() {
            wrong.push("it is not said what to check next".to_owned());
        }
        wrong
    }
}

/// The sentences of a list.
fn lines(list: &Value) -> String {
    let texts = list.as_array().into_iter().flatten();
    let texts: Vec<&str> = texts.filter_map(Value::as_str).collect();
    texts.join("\n")
}

/// What was answered, in a line.
pub(super) fn answered(ran: &Ran) -> String {
    let report = ran.report();
    let word = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let fault = &report["fault"];
    format!(
        "{:<8} {} {}/{} {}",
        word(&report["verdict"]),
        ran.status,
        word(&fault["side"]),
        word(&fault["cause"]),
        word(&fault["confidence"]),
    )
}

#[test]
fn a_fault_is_held_against_side_cause_confidence_numbers_and_words() {
    let blame = Blame {
        confidence: UNSURE,
        numbers: &[&[Number::Seconds(299.0, 301.0)]],
        words: &["(?i)ping"],
        ..Blame::new(&["client"], &["abandon-and-reopen"])
    };
    let found = serde_json::json!({
        "side": "client",
        "cause": "abandon-and-reopen",
        "confidence": "medium",
        "evidence": ["97 % of the streams were held for 300 s"],
        "next": ["let the server send a ping every 15 s"],
    });
    assert_eq!(blame.misses(&found), [""; 0]);
    for (name, other) in [
        ("side", "proxy".into()),
        ("cause", "idle-cut".into()),
        ("confidence", "high".into()),
        ("evidence", vec!["60 s"].into()),
        ("next", vec!["look again"].into()),
    ] {
        let mut found = found.clone();
        found[name] = other;
        assert_eq!(blame.misses(&found).len(), 1, "{name}");
    }
    assert_eq!(Fault::Nobodys.misses(&found).len(), 1);
    assert_eq!(Fault::Of(blame).misses(&Value::Null).len(), 1);
}

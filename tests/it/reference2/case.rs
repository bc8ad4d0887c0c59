//! The reference cases: seeded logs and what the reference code says of
//! them.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use liblzma::read::XzDecoder;
use serde_json::Value;
use streamleak::internal::collect::KeyId;
use streamleak::internal::detect::{
    Analysis, Judged as Detection, Log, Openings, Settings, detect,
};
use streamleak::internal::streams::Stream;
use streamleak::internal::time::Micros;

/// One log.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) streams: Vec<Stream>,
    length: f64,
    resolution: f64,
    alpha: f64,
    openings: Openings,
    pub(crate) expect: Value,
    /// The windows that the reference tests, if they stand in the same file.
    pub(crate) windows: Value,
}

/// The path of a file of reference data.
pub(crate) fn fixture(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("fixtures/reference/v2").join(name)
}

/// The JSON values of a compressed file of lines.
pub(crate) fn lines(path: &Path) -> Vec<Value> {
    let file = File::open(path).expect("the file is there");
    let lines = BufReader::new(XzDecoder::new(file)).lines();
    let value = |line: std::io::Result<String>| {
        let line = line.expect("the fixture is compressed text");
        serde_json::from_str(&line).expect("each line is JSON")
    };
    lines.map(value).collect()
}

/// All of them, with their windows.
pub(crate) fn all() -> Vec<Case> {
    let cases = of_file(&fixture("cases.jsonl.xz")).into_iter();
    let windows = lines(&fixture("windows.jsonl.xz"));
    cases.zip(windows).map(|(c, windows)| Case { windows, ..c }).collect()
}

/// Those of another file.
pub(crate) fn of_file(path: &Path) -> Vec<Case> {
    lines(path).into_iter().map(case).collect()
}

fn case(value: Value) -> Case {
    let number = |key: &str| value[key].as_f64().expect("a number");
    let streams = value["streams"].as_array().expect("an array");
    Case {
        name: format!(
            "{} / {} / {}",
            value["set"], value["name"], value["seed"]
        ),
        streams: streams.iter().map(stream).collect(),
        length: number("T"),
        resolution: number("res"),
        alpha: number("alpha"),
        openings: if value["known"] == Value::Bool(true) {
            Openings::Logged
        } else {
            Openings::Unlogged
        },
        windows: value["windows"].clone(),
        expect: value["expect"].clone(),
    }
}

fn stream(value: &Value) -> Stream {
    let secs = |at: usize| value[at].as_f64();
    let opened = secs(0).expect("an instant");
    Stream::new(
        Micros::from_secs_f64(opened),
        secs(1).map(Micros::from_secs_f64),
        KeyId(secs(2).expect("a unit") as u32),
    )
}

impl Case {
    /// What the detector says of the log.
    pub(crate) fn detect(&self) -> Detection {
        let log = Log {
            streams: &self.streams,
            endpoints: &[],
            first: Micros::ZERO,
            last: Micros::from_secs_f64(self.length),
            resolution: Micros::from_secs_f64(self.resolution),
            openings: self.openings,
        };
        let settings = Settings { alpha: self.alpha, ..Settings::default() };
        detect(&log, &settings)
    }
}

/// The analysis of the only endpoint, if there is one.
pub(crate) fn analysis(detection: &Detection) -> Option<&Analysis> {
    detection.endpoints.first()?.analysis.as_ref()
}

/// Differences found in one case, in words.
#[derive(Default)]
pub(crate) struct Differences(pub(crate) Vec<String>);

impl Differences {
    /// Two things that must be the same.
    pub(crate) fn same<T: PartialEq + std::fmt::Debug>(
        &mut self,
        what: &str,
        found: T,
        expected: T,
    ) {
        if found != expected {
            self.0.push(format!("{what}: {found:?}, not {expected:?}"));
        }
    }

    /// Two numbers that may be so far apart.
    pub(crate) fn close(
        &mut self,
        what: &str,
        found: f64,
        expected: f64,
        apart: f64,
    ) {
        let off = (found - expected).abs();
        if off > apart {
            self.0.push(format!(
                "{what}: {found:e}, not {expected:e}: off by {off:e}"
            ));
        }
    }

    /// Two numbers that must agree to a relative tolerance.
    pub(crate) fn near(
        &mut self,
        what: &str,
        found: f64,
        expected: f64,
        tolerance: f64,
    ) {
        let scale = found.abs().max(expected.abs());
        let off = (found - expected).abs();
        if off > tolerance * scale && off > 1e-300 {
            let relative = off / scale;
            self.0.push(format!(
                "{what}: {found:e}, not {expected:e}: off by {relative:e}"
            ));
        }
    }
}

/// Fails with all that differs, case by case.
pub(crate) fn assert_none(all: &[(String, Differences)]) {
    let differing: Vec<String> = all
        .iter()
        .filter(|(_, differences)| !differences.0.is_empty())
        .map(|(name, differences)| {
            format!("{name}\n    {}", differences.0.join("\n    "))
        })
        .collect();
    assert!(
        differing.is_empty(),
        "{} of {} cases differ:\n{}",
        differing.len(),
        all.len(),
        differing.join("\n")
    );
}

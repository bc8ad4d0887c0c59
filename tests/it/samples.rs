//! Public logs of many servers, where they are at hand: every file is read
//! whole, or refused for a reason that is stated.
//!
//! Their licences keep them out of the project. They are looked for where
//! `STREAMLEAK_SAMPLES` says, else in `../shared/samples`; `samples.txt`
//! says what is expected of each.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use streamleak::internal::collect::SAMPLE;
use streamleak::internal::format::{Choice, DecodeOptions, Layout};
use streamleak::internal::input::{Chunk, Input, MmapChoice, Source, forward};
use streamleak::internal::time::Micros;

/// What is expected of each file.
const EXPECTED: &str = include_str!("samples.txt");

/// The least share of a log's requests that must be read.
const WHOLE: f64 = 0.99;

/// How a log was read.
#[derive(Debug)]
struct Outcome {
    name: String,
    /// Whether intervals can come of it.
    holds: bool,
    /// How many of its records were read.
    read: usize,
    /// How many were not, blank lines and sound records of no request aside.
    left: usize,
}

impl Outcome {
    fn share(&self) -> f64 {
        self.read as f64 / (self.read + self.left) as f64
    }
}

/// Where the samples are, if they are at hand.
fn folder() -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let given = std::env::var_os("STREAMLEAK_SAMPLES").map(PathBuf::from);
    let beside = here.join("../shared/samples");
    let mut folders = given.into_iter().chain([beside]);
    folders.find(|folder| folder.is_dir())
}

/// The files below a folder, by their path from `root`.
fn files(folder: &Path, root: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let below = paths.flat_map(|path| {
        if path.is_dir() {
            files(&path, root)
        } else {
            let name = path.strip_prefix(root).expect("below the root");
            vec![name.to_str().expect("UTF-8").to_owned()]
        }
    });
    below.collect()
}

/// The bytes of a log, decompressed and one record a line.
fn bytes(path: PathBuf) -> Vec<u8> {
    let source = Source::open(&Input::File(path), MmapChoice::Auto);
    match source.expect("a readable file") {
        Source::Mapped(mapped) => mapped.bytes().to_vec(),
        Source::Piped(mut pipe) => {
            let mut bytes = Vec::new();
            pipe.read_to_end(&mut bytes).expect("a sound file");
            bytes
        }
    }
}

/// Reads a log by the layout that its first bytes tell.
fn outcome(bytes: &[u8], choice: &Choice) -> Result<Outcome, String> {
    // After the last of them was written.
    let now = Micros::from_secs(1_800_000_000);
    let given = DecodeOptions { now, ..DecodeOptions::default() };
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let mut layout = Layout::of(choice, given, sample)?;
    layout.note(bytes, 0);
    let (name, holds) = (layout.name(), layout.has_duration());
    let mut outcome = Outcome { name, holds, read: 0, left: 0 };
    let chunk = Chunk::whole(bytes);
    for line in forward(bytes, layout.framing) {
        let message = layout.message(line, chunk);
        match layout.read(&message, line.offset) {
            Ok(_) => outcome.read += 1,
            Err(None) => {}
            Err(Some(_)) => outcome.left += 1,
        }
    }
    Ok(outcome)
}

/// What is wrong with how a log is read, if anything is.
fn fault(bytes: &[u8], columns: &[&str]) -> Option<String> {
    let (verdict, of) = (columns[0], columns[1]);
    let (verdict, share) = verdict.split_once(' ').unwrap_or((verdict, ""));
    let (verdict, given) = match verdict.strip_suffix("-as") {
        Some(verdict) => (verdict, Some(of)),
        None => (verdict, None),
    };
    let choice = Choice::from_arg(given).expect("a format");
    let outcome = outcome(bytes, &choice);
    let right = match &outcome {
        Err(why) => verdict == "refused" && why.contains(of),
        Ok(outcome) if given.is_none() && outcome.name != of => false,
        Ok(outcome) => match verdict {
            "held" => outcome.holds && outcome.share() >= WHOLE,
            "unheld" => !outcome.holds && outcome.share() >= WHOLE,
            "partly" => {
                let share: f64 = share.parse().expect("a share");
                (share..WHOLE).contains(&outcome.share())
            }
            _ => false,
        },
    };
    (!right).then(|| format!("{outcome:?}"))
}

/// The table, by file.
fn expected() -> BTreeMap<&'static str, Vec<&'static str>> {
    let lines = EXPECTED.lines();
    let rows = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &'static str| {
        let mut columns = line.split(" | ");
        let file = columns.next().expect("a file");
        (file, columns.collect::<Vec<_>>())
    };
    rows.map(row).collect()
}

#[test]
fn the_table_says_why_where_a_file_is_not_read_whole() {
    for (file, columns) in expected() {
        let says_why = match columns[0].split(' ').next() {
            Some("partly" | "partly-as" | "refused") => columns.len() == 3,
            Some("held" | "unheld" | "held-as" | "unheld-as") => {
                columns.len() == 2
            }
            _ => false,
        };
        assert!(says_why, "{file}: {columns:?}");
    }
}

#[test]
#[ignore = "needs the public samples, whose folder STREAMLEAK_SAMPLES names"]
fn every_public_sample_is_read_whole_or_refused_for_a_reason() {
    let root = folder().expect("STREAMLEAK_SAMPLES names a folder");
    let mut expected = expected();
    let mut faults = Vec::new();
    for file in files(&root, &root) {
        let fault = match expected.remove(&*file) {
            None => Some("no row in samples.txt".to_owned()),
            Some(columns) => fault(&bytes(root.join(&file)), &columns),
        };
        faults.extend(fault.map(|fault| format!("{file}: {fault}")));
    }
    let gone = expected.keys().map(|file| format!("{file}: not there"));
    faults.extend(gone);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

//! The statistics against known answers (see `fixtures/reference/README.md`).

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use streamleak::internal::collect::KeyId;
use streamleak::internal::detect::{SlopeTest, welch};
use streamleak::internal::series::{Means, Part};
use streamleak::internal::stats::upper_tail;
use streamleak::internal::streams::Stream;
use streamleak::internal::time::Micros;

fn text(name: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("fixtures/reference").join(name);
    fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn json(name: &str) -> Value {
    serde_json::from_str(&text(name)).expect("a reference file is JSON")
}

/// A number, or one in a string (`"inf"`, `"60.0"`).
fn number(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().expect("a number in a string"),
        _ => value.as_f64().unwrap_or_else(|| panic!("no number: {value}")),
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(number).collect()
}

/// Checks numbers against expected ones and collects what differs, so that a
/// failure shows all of it.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    /// Equal but for a relative error, or for an absolute one below `floor`.
    fn check(
        &mut self,
        what: &str,
        found: f64,
        expected: f64,
        relative: f64,
        floor: f64,
    ) {
        let error = (found - expected).abs();
        let near = error <= (relative * expected.abs()).max(floor);
        let equal = found.total_cmp(&expected).is_eq();
        if !near && !equal {
            self.0.push(format!("{what}: {found:e}, expected {expected:e}"));
        }
    }

    fn same<T: PartialEq + std::fmt::Debug>(
        &mut self,
        what: &str,
        found: T,
        expected: T,
    ) {
        if found != expected {
            self.0.push(format!("{what}: {found:?}, expected {expected:?}"));
        }
    }

    #[track_caller]
    fn none(self) {
        assert!(self.0.is_empty(), "{}", self.0.join("\n"));
    }
}

/// Checks a line against a `straight_line` block of the NIST file.
fn series(name: &str) -> Vec<f64> {
    let text = text(&format!("series/{name}.csv"));
    let y = |row: &str| row.split(',').nth(1).and_then(|y| y.parse().ok());
    text.lines().skip(1).map(|row| y(row).expect("a number")).collect()
}

/// Checks a test's numbers against those of the reference, whose slopes are
/// per bin of a minute.
fn check_slope_test(
    differences: &mut Differences,
    name: &str,
    test: &SlopeTest,
    block: &Value,
) {
    // Below this a slope is the reference's rounding: its se is the floor.
    let exact = number(&block["se"]) * number(&block["m"]) < 2e-9;
    for (what, found) in [
        ("slope", test.slope * 60.0),
        ("se", test.se * 60.0),
        ("t", test.t),
        ("p", test.p),
        ("rise", test.rise),
        ("level", test.level),
        ("rho", test.rho),
        ("occ", test.occupancy),
        ("still", test.still),
        ("step_r2", test.step.r2),
        ("step_k", test.step.at as f64),
        ("step_jump", test.step.jump),
        ("step_base", test.step.base),
        ("K", test.slices as f64),
        ("m", test.bins as f64 / test.slices as f64),
    ] {
        let expected = number(&block[what]);
        let floor = match what {
            "t" | "p" if exact => 1e-2,
            "p" => 0.0,
            "t" | "rho" => 1e-8,
            _ => 1e-9,
        };
        // Ratios of small differences: the reference sums its times as
        // floats and loses digits here. Recomputed in exact fractions, they
        // agree with this program's to 1e-11.
        let relative = match what {
            "t" | "rho" | "still" | "p" => 1e-8,
            _ => 1e-9,
        };
        let what = format!("{name}: {what}");
        differences.check(&what, found, expected, relative, floor);
    }
}

#[test]
fn every_series_has_its_slice_test() {
    let expected = json("series_expected.json");
    let mut differences = Differences::default();
    let mut seen = 0;
    for (name, block) in expected.as_object().expect("series by name") {
        let Some(expected) = block.get("batch_test") else { continue };
        let (y, slices) = (series(name), numbers(&block["slices"]));
        let minutes = y.len() as f64 / slices.len() as f64;
        let test = SlopeTest::of(&slices, &y, minutes * 60.0, 0.5);
        let test = test.expect("a test");
        check_slope_test(&mut differences, name, &test, expected);
        seen += 1;
    }
    assert_eq!(seen, 16);
    differences.none();
}

#[test]
fn a_constant_series_shows_no_climb() {
    let test = SlopeTest::of(&[4.0; 12], &[4.0; 12], 60.0, 0.5);
    let test = test.expect("a test");
    assert_eq!((test.t, test.p, test.rise), (0.0, 0.5, 0.0));
}

#[test]
fn students_t_has_scipys_tails() {
    let table = json("student_t_sf.json");
    let mut differences = Differences::default();
    for row in table.as_array().expect("rows") {
        let (df, t) = (number(&row["df"]), number(&row["t"]));
        let found = upper_tail(t, df);
        let what = format!("df {df}, t {t}");
        differences.check(&what, found, number(&row["sf"]), 1e-9, 0.0);
    }
    differences.none();
}

#[test]
fn slopes_compare_with_a_baseline_as_in_the_reference() {
    let table = json("baseline_test.json");
    let mut differences = Differences::default();
    for row in table.as_array().expect("rows") {
        let of = |name: &str| number(&row[name]);
        let df = row["K0"].as_f64().map_or(f64::INFINITY, |k| k - 2.0);
        let found = welch(
            [of("b"), of("se"), of("K") - 2.0],
            [of("b0"), of("se0"), df],
        );
        for (what, found) in [("t", found.t), ("df", found.df)] {
            differences.check(what, found, of(what), 1e-12, 0.0);
        }
        differences.check("p", found.p, of("p"), 1e-9, 0.0);
    }
    differences.none();
}

fn streams(name: &str) -> Vec<Stream> {
    let stream = |line: &str| {
        let row: Value = serde_json::from_str(line).expect("a row of JSON");
        let at = |what: &str| Micros::from_secs_f64(number(&row[what]));
        let key = row["client"].as_u64().expect("a client") as u32;
        Stream::new(at("start"), Some(at("end")), KeyId(key))
    };
    text(&format!("cases/{name}.ndjson")).lines().map(stream).collect()
}

/// The log of a case, shifted to begin at this time.
fn log(name: &str, case: &Value, from: Micros) -> (Vec<Stream>, Micros) {
    let mut streams = streams(name);
    for stream in &mut streams {
        stream.opened = stream.opened + from;
        stream.closed = stream.closed.map(|closed| closed + from);
    }
    (streams, Micros::from_secs_f64(number(&case["T1"])) + from)
}

#[test]
fn every_case_has_the_references_bins() {
    let cases = json("cases_expected.json");
    let mut differences = Differences::default();
    for (name, case) in cases.as_object().expect("cases by name") {
        let (streams, until) = log(name, case, Micros::ZERO);
        let horizon = until + Micros::HOUR;
        let means = Means::new(&streams, Micros::ZERO, horizon);
        let bins = &case["first_bins"];
        for (part, key) in [(Part::Total, "N"), (Part::Clients, "A")] {
            let expected = numbers(&bins[key]);
            let edges: Vec<f64> =
                (0..=expected.len()).map(|k| k as f64 * 60.0).collect();
            let found = means.means(part, &edges);
            assert!(!found.is_empty(), "{name}");
            for (found, expected) in found.into_iter().zip(expected) {
                differences.check(name, found, expected, 1e-9, 1e-9);
            }
        }
    }
    differences.none();
}

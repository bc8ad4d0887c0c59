//! More logs against the reference: open streams, clocks of milliseconds,
//! rare reasons. `CASES=other.jsonl.xz` names another file of such cases.

use std::path::PathBuf;

use super::case::{self, Differences};
use super::{reference, windows};

#[test]
fn more_cases_are_the_references() {
    let kept = || case::fixture("more.jsonl.xz");
    let path = std::env::var_os("CASES").map_or_else(kept, PathBuf::from);
    let mut all: Vec<(String, Differences)> = Vec::new();
    for case in case::of_file(&path) {
        let mut differences = reference::compare(&case);
        differences.0.extend(windows::compare_case(&case).0);
        all.push((case.name.clone(), differences));
    }
    assert!(!all.is_empty());
    case::assert_none(&all);
}

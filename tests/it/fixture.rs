//! The logs of real servers under `fixtures/`, and what their clients saw.

use std::path::Path;

use serde_json::Value;

/// A file of the fixtures.
pub(crate) fn read(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let path = root.join(name);
    let bytes = std::fs::read(&path);
    let bytes = bytes.unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    String::from_utf8(bytes).expect("a fixture in UTF-8")
}

/// What a client saw of one request, in seconds since 1970.
#[derive(Clone, Debug)]
pub(crate) struct Truth {
    /// Which request of the lab it was, or its path.
    pub(crate) name: String,
    /// When the client sent it.
    pub(crate) start: f64,
    /// When the client saw or made its end.
    pub(crate) end: f64,
    /// Whether the client ended it.
    pub(crate) aborted: bool,
}

/// The truth about one server of the ground-truth lab.
pub(crate) fn lab(server: &str) -> Vec<Truth> {
    read("groundtruth/truth.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .filter(|row: &Value| row["server"] == server)
        .map(|row| truth(&row, "scenario", &row["ended_by"]))
        .collect()
}

/// The truth about one server of the mixed run.
pub(crate) fn mixed(server: &str) -> Vec<Truth> {
    let text = read(&format!("real-logs/mixed/{server}.truth.json"));
    let rows: Vec<Value> = serde_json::from_str(&text).expect("JSON");
    rows.iter().map(|row| truth(row, "path", &row["why"])).collect()
}

fn truth(row: &Value, name: &str, ended_by: &Value) -> Truth {
    let time = |key: &str| row[key].as_f64().expect("a time");
    Truth {
        name: row[name].as_str().expect("a name").to_owned(),
        start: time("start"),
        end: time("end"),
        aborted: ended_by.as_str().is_some_and(|by| by.starts_with("client")),
    }
}

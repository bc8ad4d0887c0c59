//! The walk against `serde_json`, and everything against arbitrary bytes.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::Value as Serde;
use streamleak::internal::format::{Broken, Value, Wanted, json::Json, walk};

use super::{fixture, lines, objects};

/// Every scalar of an object by its dotted path, of arrays the first.
fn flatten(value: &Serde, path: &str, flat: &mut BTreeMap<String, Serde>) {
    match value {
        Serde::Object(members) => {
            for (key, value) in members {
                let dot = if path.is_empty() { "" } else { "." };
                flatten(value, &format!("{path}{dot}{key}"), flat);
            }
        }
        Serde::Array(elements) => {
            if let Some(first) = elements.first() {
                flatten(first, path, flat);
            }
        }
        scalar => {
            flat.insert(path.to_owned(), scalar.clone());
        }
    }
}

/// A walked value as `serde_json` would have it.
fn as_serde(value: Value<'_>) -> Serde {
    match value {
        Value::String(raw) => {
            let text = raw.text().into_owned();
            String::from_utf8(text).expect("UTF-8").into()
        }
        Value::Number(text) => serde_json::from_slice(text).expect("a number"),
        Value::Bool(value) => value.into(),
        Value::Null => Serde::Null,
    }
}

/// Walks a record for every path `serde_json` finds, and compares.
fn agree(record: &[u8]) {
    let value: Serde = serde_json::from_slice(record).expect("valid JSON");
    let mut expected = BTreeMap::new();
    flatten(&value, "", &mut expected);
    let paths = expected.keys().map(|path| (path.as_str(), path.as_str()));
    let wanted = Wanted::new(paths);
    let mut walked = BTreeMap::new();
    let mut last = 0;
    walk(record, &wanted, |path, value, at| {
        assert!(at > last && at <= record.len());
        last = at;
        let old = walked.insert(path.to_string(), as_serde(value));
        assert_eq!(old, None, "{path} was shown twice");
        Ok::<_, Broken>(())
    })
    .expect("an object");
    assert_eq!(walked, expected);
}

const VALID: [&str; 12] = [
    "groundtruth/nginx/json.log",
    "groundtruth/caddy/access.log",
    "groundtruth/caddy/access_iso_string.log",
    "real-logs/leak/nginx-json.log",
    "real-logs/mixed/nginx-json.log",
    "real-logs/mixed/caddy.log",
    "logs/cloudflare/unix.ndjson",
    "logs/cloudflare/unixnano.ndjson",
    "logs/cloudflare/rfc3339.ndjson",
    "logs/cloudflare/rfc3339ms.ndjson",
    "logs/cloudflare/rfc3339ns.ndjson",
    "logs/cloudflare/workers_trace_events.ndjson",
];

#[test]
fn fixtures_are_walked_as_serde_json_reads_them() {
    for name in VALID {
        let log = fixture(name);
        lines(&log).into_iter().for_each(agree);
    }
    let log = fixture("real-logs/workers-tail/tail.json");
    objects(&log).into_iter().for_each(agree);
}

/// Scalars, and what is built of them. Keys have no dots: a dotted key and
/// a nested one are one path here.
fn values() -> impl Strategy<Value = Serde> {
    let scalar = prop_oneof![
        Just(Serde::Null),
        any::<bool>().prop_map(Serde::from),
        any::<i64>().prop_map(Serde::from),
        any::<u64>().prop_map(Serde::from),
        any::<f64>().prop_map(Serde::from),
        ".{0,12}".prop_map(Serde::from),
        "[\"\\\\/\u{0}-\u{1f}{}\\[\\],:é😀]{0,12}".prop_map(Serde::from),
    ];
    scalar.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Serde::from),
            objects_of(inner),
        ]
    })
}

fn objects_of(
    inner: impl Strategy<Value = Serde>,
) -> impl Strategy<Value = Serde> {
    let keys = "[^.]{1,8}";
    prop::collection::btree_map(keys, inner, 0..6)
        .prop_map(|members| Serde::Object(members.into_iter().collect()))
}

/// A line of any fixture.
fn some_line() -> impl Strategy<Value = Vec<u8>> {
    let broken = "groundtruth/nginx/json_escape_default.log";
    let logs = VALID.into_iter().chain([broken]).map(fixture);
    let all: Vec<Vec<u8>> = logs
        .flat_map(|log| {
            lines(&log).into_iter().map(<[u8]>::to_vec).collect::<Vec<_>>()
        })
        .collect();
    prop::sample::select(all)
}

/// Bytes that change what a line means.
fn telling_byte() -> impl Strategy<Value = u8> {
    let telling = br#"{}[]":,\xu0e-. nt"#.to_vec();
    prop_oneof![prop::sample::select(telling), any::<u8>()]
}

/// Reads bytes in every format; they may be anything.
fn survive(record: &[u8]) {
    for json in Json::all() {
        if let Err(reject) = json.parse(record) {
            assert!(reject.at <= record.len());
        }
    }
    super::detect(&[record]);
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn objects_are_walked_as_serde_json_reads_them(
        object in objects_of(values()),
    ) {
        agree(&serde_json::to_vec(&object).unwrap());
        agree(&serde_json::to_vec_pretty(&object).unwrap());
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(telling_byte(), 0..80)) {
        survive(&bytes);
        survive(&[b"{", &bytes[..]].concat());
    }

    #[test]
    fn no_mutated_line_panics(
        line in some_line(),
        changes in prop::collection::vec(
            (any::<prop::sample::Index>(), telling_byte()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut line = line;
        for (at, byte) in changes {
            let at = at.index(line.len());
            line[at] = byte;
        }
        survive(&line);
        survive(&line[..cut.index(line.len())]);
    }

    #[test]
    fn a_line_cut_short_is_rejected(
        line in some_line(), cut in any::<prop::sample::Index>(),
    ) {
        let cut = &line[..cut.index(line.len())];
        for json in Json::all() {
            prop_assert!(json.parse(cut).is_err());
        }
    }
}

//! The JSON report: what it holds, and that it holds nothing else.

use std::fmt;

use jsonschema::Validator;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Value, json};

use crate::fixture::read;
use crate::program::{Ran, run, run_on};

const LEAK: &str = "fixtures/real-logs/leak/nginx-rt.log";
const BARE: &str = "fixtures/real-logs/leak/nginx-combined.log";

const HEALTHY: &str = "fixtures/logs/healthy.log";

/// What the logs of openings and ends were written with.
const OPENINGS: &str = r#"$msec $request_time $request_completion $status "$request" "$http_mcp_method" $remote_addr $request_id "$http_user_agent" $uri"#;

/// The reports of logs that differ in what they can tell.
fn reports() -> Vec<(&'static str, Ran)> {
    let lab = "fixtures/groundtruth";
    let file = |args: &[&str]| run(&[args, &["-o", "json"]].concat());
    vec![
        ("a leak", file(&[LEAK, "--bin", "5s", "--limit", "100"])),
        (
            "a leak against a healthy log",
            file(&[LEAK, "--bin", "5s", "--baseline", HEALTHY]),
        ),
        ("too short a log", file(&[LEAK])),
        ("no durations", file(&[BARE])),
        ("assumed holds", file(&[BARE, "--assume-hold", "60s"])),
        ("nothing selected", file(&[LEAK, "--path", "/nothing/here"])),
        ("Apache", file(&[&format!("{lab}/apache/combined_D.log")])),
        ("Caddy", file(&[&format!("{lab}/caddy/access.log")])),
        ("Cloudflare", file(&["fixtures/logs/cloudflare/rfc3339.ndjson"])),
        (
            "openings and ends",
            file(&[
                "fixtures/real-logs/open-and-end/opens.log",
                "fixtures/real-logs/open-and-end/streams.log",
                "-f",
                OPENINGS,
            ]),
        ),
        ("several inputs", file(&[LEAK, BARE, "--bin", "5s"])),
        ("an input that is not there", file(&["/nowhere/at.all"])),
        ("empty input", run_on(b"", &["-", "-o", "json"])),
        ("garbage", run_on(b"%PDF-1.7\n", &["-", "-o", "json"])),
        ("a healthy log", healthy(&["-o", "json"])),
    ]
}

/// An hour of one client that holds one stream after the other.
fn healthy(args: &[&str]) -> Ran {
    let line = |minute: u32| {
        format!(
            "10.0.0.1 - - [29/Nov/2026:12:{minute:02}:00 +0000] \
             \"GET /subscriptions/listen HTTP/1.1\" 200 9 \"-\" \
             \"node\\x22\\xC2\\x9B31m\" 58.000\n"
        )
    };
    let log: String = (1..60).map(line).collect();
    run_on(log.as_bytes(), &[&["-"], args].concat())
}

fn schema() -> Value {
    serde_json::from_str(&read("report.schema.json")).expect("JSON")
}

fn validator() -> Validator {
    let schema = schema();
    assert!(jsonschema::meta::is_valid(&schema));
    jsonschema::draft202012::new(&schema).expect("a schema")
}

/// What is wrong with a report.
fn wrong(validator: &Validator, report: &Value) -> Vec<String> {
    let errors = validator.iter_errors(report);
    errors.map(|e| format!("{}: {e}", e.instance_path())).collect()
}

#[test]
fn every_report_is_what_the_schema_promises() {
    let validator = validator();
    for (name, ran) in reports() {
        let errors = wrong(&validator, &ran.report());
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }
}

#[test]
fn the_schema_describes_nothing_else() {
    let validator = validator();
    let report = run(&[LEAK, "--bin", "5s", "-o", "json"]).report();
    // Wrong in one place each: the place, and what stands there instead.
    for (place, value) in [
        ("/verdict", json!("leaking")),
        ("/verdict", json!("Climbing")),
        ("/schema", json!(2)),
        ("/exit_code", json!(4)),
        ("/summary", json!("")),
        ("/would_change", json!("")),
        ("/inputs/0/timestamp", json!("middle")),
        ("/inputs/0/duration_unit", json!("min")),
        ("/inputs/0/bytes", json!(-1)),
        ("/inputs/0/first", json!("2026-11-29 13:17:48")),
        ("/window/start", json!("2026-11-29T13:17:48+00:00")),
        ("/window/end", json!("2026-11-29T24:17:48Z")),
        ("/window/bin_s", json!(0)),
        ("/streams/hold_s/p50", json!(null)),
        ("/trend/metric", json!("total")),
        ("/trend/p_value", json!(1.5)),
        ("/total/slope_per_hour", json!(null)),
        ("/fault", json!({"side": "client", "confidence": "low"})),
        ("/findings/0/severity", json!("fatal")),
        ("/findings/0/code", json!("Two Words")),
        ("/clients/0/streams", json!(0.5)),
        ("/series/0/opens", json!(null)),
        ("/series/0/trusted", json!("yes")),
    ] {
        let mut report = report.clone();
        *report.pointer_mut(place).expect("a place") = value;
        assert!(!validator.is_valid(&report), "{place}");
    }
    let mut fault = json!({
        "side": "client", "cause": "idle-cut", "confidence": "low",
        "evidence": [], "next": [],
    });
    let mut report = report;
    report["fault"] = fault.clone();
    assert!(validator.is_valid(&report));
    fault["side"] = json!("nobody");
    report["fault"] = fault;
    assert!(!validator.is_valid(&report));
}

#[test]
fn no_key_is_missing_and_none_is_extra() {
    let validator = validator();
    let args = [LEAK, "--bin", "5s", "-o", "json", "--baseline", HEALTHY];
    let report = run(&args).report();
    let mut places = Vec::new();
    objects(&report, String::new(), &mut places);
    assert_eq!(places.len(), 16, "{places:?}");
    for place in places {
        let at = |report: &mut Value| {
            let object = report.pointer_mut(&place).map(Value::take);
            let Some(Value::Object(object)) = object else {
                panic!("{place} is an object")
            };
            object
        };
        let whole = at(&mut report.clone());
        let mut changed = report.clone();
        let mut extra = whole.clone();
        extra.insert("extra".to_owned(), Value::Null);
        *changed.pointer_mut(&place).expect("a place") = extra.into();
        assert!(!validator.is_valid(&changed), "extra key in {place}");
        for key in whole.keys() {
            let mut less = whole.clone();
            less.remove(key);
            *changed.pointer_mut(&place).expect("a place") = less.into();
            assert!(!validator.is_valid(&changed), "no {key} in {place}");
        }
    }
}

/// The places of the objects in a document, the first of each array only,
/// without the findings' evidence, whose names are their own.
fn objects(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(object) if !place.ends_with("/evidence") => {
            for (key, value) in object {
                objects(value, format!("{place}/{key}"), places);
            }
            places.push(place);
        }
        Value::Array(all) => {
            for (at, value) in all.iter().take(1).enumerate() {
                objects(value, format!("{place}/{at}"), places);
            }
        }
        _ => {}
    }
}

#[test]
fn a_log_without_durations_tells_openings_and_no_levels() {
    let report = run(&[BARE, "-o", "json"]).report();
    let series = report["series"].as_array().expect("a series");
    // What `grep -c '"[A-Z]* /subscriptions/listen[ ?]'` counts.
    let opens = series.iter().filter_map(|bin| bin["opens"].as_u64());
    assert_eq!(opens.sum::<u64>(), 114);
    for bin in series {
        for level in ["min", "mean", "max", "clients", "superseded"] {
            assert!(bin[level].is_null(), "{bin}");
        }
    }
    let csv = run(&[BARE, "-o", "csv"]).out;
    let row = csv.lines().nth(1).expect("a bin");
    assert!(row.ends_with(",0,,,,,,false"), "{row}");
    let table = run(&[BARE]).out;
    let plot = table.lines().next().expect("a line");
    assert!(plot.starts_with("no plot: this log does not"), "{table}");
    let nagios = run(&[BARE, "-o", "nagios"]).out;
    assert!(nagios.contains("| open=U;;;0 clients=U"), "{nagios}");
}

#[test]
fn a_log_that_tells_holds_has_all_levels() {
    let assumed = [BARE, "--assume-hold", "60s", "-o", "json"];
    for report in [
        run(&[LEAK, "-o", "json"]).report(),
        run(&assumed).report(),
        run(&[LEAK, "--path", "/nothing/here", "-o", "json"]).report(),
    ] {
        let series = report["series"].as_array().expect("a series");
        let known = |bin: &Value| bin["mean"].is_f64() && bin["max"].is_u64();
        assert!(series.len() > 3 && series.iter().all(known));
    }
}

#[test]
fn the_censored_end_has_one_length() {
    for args in
        [&[LEAK, "--bin", "5s"][..], &[LEAK], &[BARE, "--assume-hold", "1m"]]
    {
        let report = run(&[args, &["-o", "json"]].concat()).report();
        let findings = report["findings"].as_array().expect("findings");
        let tail = findings.iter().find(|it| it["code"] == "censored-tail");
        let seconds = tail.expect("a tail")["evidence"]["seconds"].as_f64();
        let at = |end: &str| {
            let text = report["window"][end].as_str().expect("a time");
            let time = chrono::DateTime::parse_from_rfc3339(text);
            time.expect("RFC 3339").timestamp_micros() as f64 / 1e6
        };
        let length = at("end") - at("trusted_until");
        let off = (seconds.expect("a number") - length).abs();
        assert!(off < 1e-5, "{seconds:?} and {length}");
    }
}

#[test]
fn the_table_says_each_thing_once() {
    let table = run(&[LEAK, "--bin", "5s", "--no-plot"]).out;
    // Lines are wrapped; the words are what counts.
    let words = table.split_whitespace().collect::<Vec<_>>().join(" ");
    for once in [
        "not logged yet",
        "most open streams were closed at once",
        "that was not closed before",
        "holds the most streams",
        "superseded +719 an hour (95 %: ",
        "all open +723 an hour (95 %: ",
    ] {
        assert_eq!(words.matches(once).count(), 1, "{once}: {table}");
    }
    assert!(words.contains("restarts 13:20:39, 13:20:44: most"), "{table}");
}

#[test]
fn one_stream_of_one_client_is_said_in_the_singular() {
    let table = healthy(&["--no-plot"]).out;
    let start = "CYCLING: 100 % of 59 streams end at a ceiling of 58 s";
    assert!(table.starts_with(start), "{table}");
    let line = "10.0.0.1 - - [29/Nov/2026:12:00:00 +0000] \
                \"GET /subscriptions/listen HTTP/1.1\" 200 9 \"-\" \"n\"\n";
    let table = run_on(line.as_bytes(), &["-", "--no-plot"]).out;
    assert!(table.starts_with("UNKNOWN: 1 stream, but "), "{table}");
    let other = line.replace("/subscriptions/listen", "/");
    let table = run_on(other.as_bytes(), &["-"]).out;
    let start = "UNKNOWN: no stream among 1 record\n";
    assert!(table.starts_with(start), "{table}");
    // Neither a plot nor bins of nothing, nor what its time would mean.
    for none in ["open streams,", "the last of", "trusted", "its time"] {
        assert!(!table.contains(none), "{none}: {table}");
    }
}

#[test]
fn an_empty_log_is_said_to_be_empty_and_no_more() {
    let table = run_on(b"", &["-"]).out;
    let expected = "UNKNOWN: the input is empty\n\n\
                    read        standard input: empty\n";
    assert_eq!(table, expected);
}

#[test]
fn a_reading_that_is_a_guess_is_called_one() {
    let words = |args: &[&str]| {
        let table = run(args).out;
        table.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let bare = words(&[BARE, "--no-plot"]);
    let guess = "its time is taken for the end (no record has a time and a \
                 duration to compare; --timestamp decides)";
    assert!(bare.contains(guess), "{bare}");
    let known = words(&[LEAK, "--no-plot"]);
    assert!(known.contains("its time is the end (fixed by"), "{known}");
}

/// The keys of the contract, in its order.
const ORDER: [(&str, &[&str]); 16] = [
    (
        "",
        &[
            "schema",
            "verdict",
            "summary",
            "would_change",
            "exit_code",
            "inputs",
            "window",
            "streams",
            "trend",
            "total",
            "cost",
            "baseline",
            "fault",
            "findings",
            "clients",
            "series",
        ],
    ),
    (
        "/inputs",
        &[
            "name",
            "format",
            "timestamp",
            "duration_unit",
            "bytes",
            "records",
            "selected",
            "rejected",
            "first",
            "last",
        ],
    ),
    ("/inputs/rejected", &["shape", "time", "duration"]),
    (
        "/window",
        &[
            "start",
            "end",
            "bin_s",
            "bins",
            "trusted_from",
            "trusted_until",
            "resets",
        ],
    ),
    (
        "/streams",
        &[
            "ended",
            "open",
            "clients",
            "stream_hours",
            "hold_s",
            "ended_by",
            "ceiling",
        ],
    ),
    ("/streams/hold_s", &["min", "p50", "p90", "p99", "max"]),
    ("/streams/ended_by", &["client", "server", "unknown"]),
    ("/streams/ceiling", &["hold_s", "share"]),
    (
        "/trend",
        &[
            "metric",
            "slope_per_hour",
            "ci_low",
            "ci_high",
            "p_value",
            "rise",
            "unexplained",
            "from",
            "until",
        ],
    ),
    (
        "/total",
        &[
            "slope_per_hour",
            "ci_low",
            "ci_high",
            "p_value",
            "rise",
            "limit_at",
            "limit_from",
            "limit_until",
            "limit_reached",
        ],
    ),
    (
        "/cost",
        &[
            "stream_hours",
            "superseded_hours",
            "stream_hours_per_day",
            "superseded_hours_per_day",
            "price_per_hour",
            "price",
            "wasted",
            "wasted_per_day",
        ],
    ),
    ("/baseline", &["name", "from", "until", "slope_per_hour", "level"]),
    ("/fault", &["side", "confidence", "evidence", "next"]),
    ("/findings", &["code", "severity", "text", "evidence"]),
    (
        "/clients",
        &[
            "key",
            "address",
            "user_agent",
            "streams",
            "max_open",
            "superseded",
            "unexplained",
        ],
    ),
    (
        "/series",
        &[
            "t",
            "opens",
            "closes",
            "min",
            "mean",
            "max",
            "clients",
            "superseded",
            "trusted",
        ],
    ),
];

#[test]
fn keys_stand_in_the_order_of_the_contract() {
    let mut seen = Vec::new();
    for (name, ran) in reports() {
        let document = serde_json::from_str(&ran.out).expect("JSON");
        let mut found = Vec::new();
        keys(&document, "", &mut found);
        for (place, keys) in found {
            let known = ORDER.iter().find(|(known, _)| *known == place);
            let Some((known, order)) = known else {
                assert!(place.ends_with("/evidence"), "{name}: {place}");
                continue;
            };
            let old = keys.iter().filter(|key| order.contains(&&***key));
            assert!(old.eq(order.iter()), "{name}: {place}: {keys:?}");
            seen.push(*known);
        }
    }
    // Nothing names a fault yet.
    for (place, _) in ORDER.iter().filter(|(place, _)| *place != "/fault") {
        assert!(seen.contains(place), "no report has {place}");
    }
}

/// A JSON document with its keys in the order of the text.
enum Ordered {
    Object(Vec<(String, Ordered)>),
    Array(Vec<Ordered>),
    Leaf,
}

/// The keys of each object, with the place of it.
fn keys(value: &Ordered, place: &str, all: &mut Vec<(String, Vec<String>)>) {
    match value {
        Ordered::Object(object) => {
            let names = object.iter().map(|(key, _)| key.clone()).collect();
            all.push((place.to_owned(), names));
            for (key, value) in object {
                keys(value, &format!("{place}/{key}"), all);
            }
        }
        Ordered::Array(items) => {
            items.iter().for_each(|item| keys(item, place, all));
        }
        Ordered::Leaf => {}
    }
}

impl<'de> Deserialize<'de> for Ordered {
    fn deserialize<D: Deserializer<'de>>(
        from: D,
    ) -> Result<Ordered, D::Error> {
        from.deserialize_any(AsItStands)
    }
}

struct AsItStands;

impl<'de> Visitor<'de> for AsItStands {
    type Value = Ordered;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> Result<Ordered, A::Error> {
        let mut object = Vec::new();
        while let Some(entry) = map.next_entry()? {
            object.push(entry);
        }
        Ok(Ordered::Object(object))
    }

    fn visit_seq<A: SeqAccess<'de>>(
        self,
        mut seq: A,
    ) -> Result<Ordered, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element()? {
            items.push(item);
        }
        Ok(Ordered::Array(items))
    }

    fn visit_unit<E>(self) -> Result<Ordered, E> {
        Ok(Ordered::Leaf)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Ordered, E> {
        Ok(Ordered::Leaf)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Ordered, E> {
        Ok(Ordered::Leaf)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Ordered, E> {
        Ok(Ordered::Leaf)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Ordered, E> {
        Ok(Ordered::Leaf)
    }

    fn visit_str<E>(self, _: &str) -> Result<Ordered, E> {
        Ok(Ordered::Leaf)
    }
}

#[test]
fn the_document_is_whole_lines_of_plain_text() {
    for (name, ran) in reports() {
        assert!(ran.out.ends_with("}\n"), "{name}");
        assert_eq!(ran.out.matches("\n\n").count(), 0, "{name}");
        let obeyed = |c: char| c.is_control() && c != '\n';
        assert!(!ran.out.contains(obeyed), "{name}");
        // A number without end would be `null`, `inf` or `1e999`: the first
        // is what the schema forbids, the others are no JSON.
        let numbers = ran.report();
        assert!(finite(&numbers), "{name}");
    }
}

/// Whether all numbers are finite.
fn finite(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_some_and(f64::is_finite),
        Value::Array(all) => all.iter().all(finite),
        Value::Object(object) => object.values().all(finite),
        _ => true,
    }
}

#[test]
fn times_are_those_of_the_log_in_utc() {
    let line = |at: &str, hold: &str| {
        format!(
            "10.0.0.1 - - [{at} +0530] \"GET /subscriptions/listen \
             HTTP/1.1\" 200 9 \"-\" \"node\" {hold}\n"
        )
    };
    let log = [
        line("30/Nov/2026:04:30:00", "60.0"),
        line("30/Nov/2026:05:30:07", "1.5"),
    ];
    let args = ["-", "-o", "json", "--timestamp", "end"];
    let report = run_on(log.concat().as_bytes(), &args).report();
    // 04:30 in India is 23:00 of the day before in Greenwich.
    let (first, last) = ("2026-11-29T23:00:00Z", "2026-11-30T00:00:07Z");
    assert_eq!(report["inputs"][0]["first"], first);
    assert_eq!(report["inputs"][0]["last"], last);
    assert_eq!(report["window"]["start"], first);
    assert_eq!(report["window"]["end"], last);
    assert_eq!(report["series"][0]["t"], first);
    assert_eq!(report["series"][60]["t"], "2026-11-30T00:00:00Z");
}

#[test]
fn the_state_on_the_nagios_line_is_that_of_the_exit_status() {
    let words = ["OK", "WARNING", "CRITICAL", "UNKNOWN"];
    let nothing = [LEAK, "--path", "/nothing/here"];
    let allowed = [&nothing[..], &["--none-ok"]].concat();
    for (args, status) in [
        (&[LEAK, "--bin", "5s"][..], 2),
        (&[LEAK, "--bin", "5s", "/nowhere/at.all"], 3),
        (&nothing, 3),
        (&allowed, 0),
    ] {
        let ran = run(&[args, &["-o", "nagios"]].concat());
        assert_eq!(ran.status, status, "{args:?}");
        let word = ran.out.split(' ').nth(1);
        assert_eq!(word, Some(words[status as usize]), "{}", ran.out);
    }
}

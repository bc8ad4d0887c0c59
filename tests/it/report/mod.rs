//! What the report says; [`schema`] has its JSON's contract, [`order`] the
//! order of its keys.

mod order;
mod schema;

use serde_json::Value;

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
        "superseded +719 an hour (95%: ",
        "all open +723 an hour (95%: ",
    ] {
        assert_eq!(words.matches(once).count(), 1, "{once}: {table}");
    }
    assert!(words.contains("restarts 13:20:39, 13:20:44: most"), "{table}");
}

#[test]
fn one_stream_of_one_client_is_said_in_the_singular() {
    let table = healthy(&["--no-plot"]).out;
    let start = "CYCLING: 100% of 59 streams end at a ceiling of 58 s";
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

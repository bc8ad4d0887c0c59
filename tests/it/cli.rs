//! Exit statuses, complaints, and what is printed where.

use std::process::Stdio;

use crate::program::{Folder, command, run, run_on};

const LEAK: &str = "fixtures/real-logs/leak/nginx-rt.log";

/// One line of nginx with a duration, ended this many seconds into a day.
fn line(second: u64, path: &str, hold: &str) -> String {
    format!(
        "10.0.0.1 - - [29/Nov/2026:{:02}:{:02}:{:02} +0000] \"GET {path} \
         HTTP/1.1\" 200 9 \"-\" \"node\" {hold}\n",
        second / 3600,
        second / 60 % 60,
        second % 60
    )
}

/// An hour of one client that holds one stream after the other.
fn healthy() -> String {
    (1..60).map(|n| line(n * 60, "/subscriptions/listen", "58.000")).collect()
}

#[test]
fn the_exit_status_is_the_verdict() {
    let folder = Folder::new();
    let flat = folder.write("flat.log", healthy().as_bytes());
    assert_eq!(run(&[&flat]).status, 0);
    assert_eq!(run(&[LEAK, "--bin", "5s"]).status, 1);
    // At a bin of a minute three minutes are too few.
    assert_eq!(run(&[LEAK]).status, 3);
}

#[test]
fn nagios_has_its_own_statuses() {
    let folder = Folder::new();
    let flat = folder.write("flat.log", healthy().as_bytes());
    let nagios = |args: &[&str]| run(&[args, &["-o", "nagios"]].concat());
    let ok = nagios(&[&flat]);
    assert_eq!(ok.status, 0);
    assert!(ok.out.starts_with("STREAMLEAK OK - "), "{}", ok.out);
    assert_eq!(ok.out.lines().count(), 1);
    assert_eq!(nagios(&[LEAK, "--bin", "5s"]).status, 2);
    assert_eq!(nagios(&[LEAK]).status, 3);
    assert_eq!(nagios(&["/nowhere/at.all"]).status, 3);
    assert_eq!(nagios(&["--no-such-option"]).status, 3);
    assert_eq!(run(&["--output=nagios", "--bin", "soon"]).status, 3);
    assert_eq!(run(&["-onagios", "--bin", "soon"]).status, 3);
    assert_eq!(run(&["--no-such-option"]).status, 2);
}

#[test]
fn what_cannot_be_read_is_said_and_the_rest_is_read() {
    let folder = Folder::new();
    let flat = folder.write("flat.log", healthy().as_bytes());
    let none = folder.path("none.log");
    let none = none.to_str().expect("UTF-8");
    let inside = folder.path("folder");
    std::fs::create_dir(&inside).expect("a folder");
    let inside = inside.to_str().expect("UTF-8");
    let ran = run(&[none, &flat, inside, "-o", "json"]);
    assert_eq!(ran.status, 2);
    assert_eq!(ran.err.lines().count(), 2, "{}", ran.err);
    assert!(ran.err.contains(&format!("streamleak: {none}: ")));
    assert!(ran.err.contains("is a directory"));
    let report = ran.report();
    assert_eq!(report["verdict"], "cycling");
    assert_eq!(report["exit_code"], 2);
    assert_eq!(report["streams"]["ended"], 59);
    assert_eq!(report["inputs"].as_array().map(Vec::len), Some(3));
}

#[test]
fn an_empty_log_is_no_failure_and_garbage_is_one() {
    let empty = run_on(b"", &["-", "-o", "json"]);
    assert_eq!(empty.status, 0);
    assert_eq!(empty.report()["verdict"], "unknown");
    assert_eq!(run_on(b"", &["-q"]).out, "");

    let garbage = b"\n%PDF-1.7 what\nis this\n";
    let folder = Folder::new();
    let path = folder.write("garbage.log", garbage);
    for (ran, name) in
        [(run(&[&path]), &*path), (run_on(garbage, &["-"]), "-")]
    {
        assert_eq!(ran.status, 2, "{}", ran.out);
        assert!(ran.err.contains(&format!("{name}: line 2, byte ")));
        assert!(ran.err.contains("expected"), "{}", ran.err);
        assert!(ran.err.contains("--log-format"), "{}", ran.err);
    }
    let utf16 = run_on(b"\xff\xfe1\0\n\0", &["-"]);
    assert_eq!(utf16.status, 2);
    assert!(utf16.err.contains("UTF-16"), "{}", utf16.err);
}

#[test]
fn a_damaged_archive_gives_what_it_held_and_fails() {
    let mut packed =
        zstd::encode_all(healthy().as_bytes(), 1).expect("memory");
    packed.truncate(packed.len() - 20);
    let ran = run_on(&packed, &["-", "-o", "json"]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.starts_with("streamleak: -: "), "{}", ran.err);
}

#[test]
fn a_log_with_some_bad_lines_still_answers_and_counts_them() {
    let mut log = healthy();
    log.push_str(&line(3600, "/subscriptions/listen", "-7"));
    log.push_str(&line(3600, "/subscriptions/listen", "soon"));
    log.push_str(
        &line(3600, "/subscriptions/listen", "1.0")
            .replace("29/Nov", "31/Nov"),
    );
    log.push_str("half a line with /subscriptions/listen in it\n");
    let ran = run_on(log.as_bytes(), &["-", "-o", "json"]);
    let report = ran.report();
    assert_eq!((ran.status, &report["verdict"]), (0, &"cycling".into()));
    let input = &report["inputs"][0];
    assert_eq!(input["rejected"]["duration"], 2);
    assert_eq!(input["rejected"]["time"], 1);
    assert_eq!(input["rejected"]["shape"], 1);
    let first = input["first_rejected"].as_str().expect("it is shown");
    assert!(first.contains("duration"), "{first}");
}

#[test]
fn when_nothing_is_selected_the_program_shows_what_there_is() {
    let log: String = (1..60)
        .flat_map(|n| [line(n, "/events?a=1", "55.5"), line(n, "/", "0.001")])
        .collect();
    let folder = Folder::new();
    let path = folder.write("access.log", log.as_bytes());
    for ran in [
        run(&[&path, "-o", "json"]),
        run_on(log.as_bytes(), &["-", "-o", "json"]),
    ] {
        let report = ran.report();
        assert_eq!((ran.status, &report["verdict"]), (3, &"unknown".into()));
        let finding = &report["findings"][0];
        assert_eq!(finding["code"], "nothing-selected");
        assert_eq!(finding["evidence"]["longest"][0], "GET /events");
        let text = finding["text"].as_str().expect("a text");
        assert!(text.contains("--path /events"), "{text}");
    }
    assert_eq!(run(&[&path, "--none-ok"]).status, 0);
    assert_eq!(
        run(&[&path, "--path", "/events", "-o", "json"]).report()["streams"]["ended"],
        59
    );
}

#[test]
fn quiet_is_silent_unless_there_is_something_to_say() {
    let folder = Folder::new();
    let flat = folder.write("flat.log", healthy().as_bytes());
    let ran = run(&[&flat, "--quiet"]);
    assert_eq!((ran.status, &*ran.out, &*ran.err), (0, "", ""));
    let leak = run(&[LEAK, "--bin", "5s", "-q"]);
    assert!(leak.out.contains("CLIMBING"), "{}", leak.out);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut child = command(&[LEAK, "--bin", "1s", "-o", "csv"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn a_file_is_written_whole_or_not_at_all() {
    let folder = Folder::new();
    let there = folder.write("report.json", b"old");
    let args = |to: &str| {
        let to = to.to_owned();
        run(&[LEAK, "--bin", "5s", "-o", "json", "--output-file", &to])
    };
    let ran = args(&there);
    assert_eq!((ran.status, &*ran.out), (1, ""));
    let text = std::fs::read_to_string(&there).expect("the report");
    let report: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(report["verdict"], "climbing");
    let left = std::fs::read_dir(folder.path("")).expect("the folder");
    assert_eq!(left.count(), 1, "nothing else is left behind");
    let ran = args("/nowhere/report.json");
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("/nowhere/report.json"), "{}", ran.err);
}

#[test]
fn wrong_options_say_what_to_change() {
    for (args, says) in [
        (&["--bin", "soon"][..], "--bin soon"),
        (&["--bin", "0s"], "--bin 0s"),
        (&["--alpha", "2"], "--alpha"),
        (&["--min-rise", "0"], "--min-rise"),
        (&["--path-regex", "("], "--path-regex ("),
        (&["--since", "noon"], "--since noon"),
        (&["--since", "2026-11-30", "--until", "2026-11-29"], "--until"),
        (&["--tz", "here"], "--tz here"),
        (&["--duration-unit", "min"], "--duration-unit min"),
        (&["--log-format", "nginxx"], "nginx-json"),
        (&["--log-format", "$request $status"], "no time"),
        (&["--log-format", "(?P<path>.*)"], "no time"),
        (&["--log-format", "$request$status"], "^"),
        (&["--log-format", "@/nowhere.conf"], "/nowhere.conf"),
        (&["-j", "0"], "--threads 0"),
        (&["setup", "iis"], "nginx"),
    ] {
        let ran = run(args);
        assert_eq!(ran.status, 2, "{args:?}");
        assert!(ran.err.contains(says), "{args:?}: {}", ran.err);
        assert_eq!(ran.out, "", "{args:?}");
    }
}

#[test]
fn options_decide_what_the_log_leaves_open() {
    let lines = [
        line(100, "/subscriptions/listen", "60"),
        line(200, "/subscriptions/listen", "70"),
    ];
    let log = lines.concat();
    let first = |more: &[&str]| {
        let args = [&["-", "-o", "json"][..], more].concat();
        let report = run_on(log.as_bytes(), &args).report();
        let input = &report["inputs"][0];
        let hold = report["streams"]["hold_s"]["min"].as_f64();
        (
            input["timestamp"].as_str().map(str::to_owned),
            hold,
            report["window"]["end"].as_str().map(str::to_owned),
        )
    };
    let (mark, hold, end) =
        first(&["--timestamp", "end", "--duration-unit", "s"]);
    assert_eq!((mark.as_deref(), hold), (Some("end"), Some(60.0)));
    assert_eq!(end.as_deref(), Some("2026-11-29T00:03:20Z"));
    let (mark, hold, end) =
        first(&["--timestamp", "start", "--duration-unit", "ms"]);
    assert_eq!((mark.as_deref(), hold), (Some("start"), Some(0.06)));
    assert_eq!(end.as_deref(), Some("2026-11-29T00:03:20.07Z"));
    let (_, _, end) = first(&[
        "--until",
        "2026-11-29T00:02:00Z",
        "--duration-unit",
        "s",
        "--timestamp",
        "end",
    ]);
    assert_eq!(end.as_deref(), Some("2026-11-29T00:02:00Z"));
}

#[test]
fn a_limit_is_given_the_time_it_will_be_reached() {
    let args = [LEAK, "--bin", "5s", "-o", "json", "--limit", "100"];
    let report = run(&args).report();
    let at = report["total"]["limit_at"].as_str().expect("a time");
    // 0.2 streams a second from 37 at 13:20:39: some five minutes.
    assert!(at.starts_with("2026-11-29T13:2"), "{at}");
    let summary = report["summary"].as_str().expect("a sentence");
    let told = "is reached at 2026-11-29T13:25:50Z at this rate, restarts \
                left aside (95%: ";
    assert!(summary.contains(told), "{summary}");
    let none = run(&[LEAK, "--bin", "5s", "-o", "json"]).report();
    assert!(none["total"]["limit_at"].is_null());
}

#[test]
fn setup_and_formats_print_to_be_pasted() {
    for server in ["nginx", "caddy", "apache", "haproxy", "cloudflare"] {
        let ran = run(&["setup", server]);
        assert_eq!((ran.status, &*ran.err), (0, ""), "{server}");
        assert!(ran.out.contains("streamleak"), "{server}");
    }
    let formats = run(&["formats"]);
    assert_eq!(formats.status, 0);
    assert!(formats.out.contains("ingress-nginx"));
}

/// The codes of the findings on a log.
fn codes(log: &str) -> Vec<String> {
    let report = run_on(log.as_bytes(), &["-", "-o", "json"]).report();
    let findings = report["findings"].as_array().expect("a list").clone();
    let code = |f: serde_json::Value| f["code"].as_str().map(str::to_owned);
    findings.into_iter().filter_map(code).collect()
}

#[test]
fn durations_that_are_not_the_streams_are_suspected() {
    let every = |step: u64, hold: &str| -> String {
        (1..60)
            .map(|n| line(n * step, "/subscriptions/listen", hold))
            .collect()
    };
    let code = "short-holds".to_owned();
    assert!(codes(&every(30, "0.002")).contains(&code));
    // A storm reopens at once, and a stream is held.
    assert!(!codes(&every(1, "0.900")).contains(&code));
    assert!(!codes(&every(30, "29.000")).contains(&code));
}

#[test]
fn any_json_is_read_by_the_keys_it_has() {
    let row = |n: u64, took: &str| {
        format!(
            "{{\"at\":\"2026-11-29T{:02}:{:02}:00Z\",\"req\":{{\"url\":\
             \"/subscriptions/listen\"}},\"took\":{took},\"ip\":\"a\"}}\n",
            n / 60,
            n % 60
        )
    };
    let log: String = (1..90).map(|n| row(n, "58000")).collect();
    let field = "time=at,duration=took,path=req.url,client=ip";
    let args = ["-", "-o", "json", "--field", field];
    let ran = run_on(log.as_bytes(), &args);
    let report = ran.report();
    assert_eq!(report["streams"]["ended"], 89, "{}", ran.err);
    assert_eq!(report["streams"]["hold_s"]["max"], 58.0);
    let unit = &report["inputs"][0]["duration_unit"];
    assert_eq!(unit, "ms", "told by the order of the records");
    let bare = run_on(log.as_bytes(), &["-"]);
    assert_eq!(bare.status, 2);
    assert!(bare.err.contains("--field"), "{}", bare.err);
    assert!(bare.err.contains("\n  ^"), "a caret: {}", bare.err);
    let args = ["-", "--field", "when=at"];
    let wrong = run_on(log.as_bytes(), &args);
    assert_eq!(wrong.status, 2);
    assert!(wrong.err.contains("when"), "{}", wrong.err);
}

#[test]
fn openings_and_ends_are_told_by_a_word_and_joined_by_an_id() {
    let open = |n: u64| {
        format!(
            "{{\"t\":{},\"msg\":\"open\",\"sid\":\"s{n}\",\"url\":\
             \"/subscriptions/listen\",\"ip\":\"a\"}}\n",
            1_785_585_600 + n * 10
        )
    };
    let end = |n: u64| {
        format!(
            "{{\"t\":{},\"msg\":\"stream closed\",\"sid\":\"s{n}\"}}\n",
            1_785_585_600 + n * 10 + 25
        )
    };
    let noise = "{\"t\":1785585601,\"msg\":\"up\",\"sid\":\"x\"}\n";
    let log: String = (0..40)
        .map(|n| match n {
            3.. => open(n) + &end(n - 3),
            _ => open(n) + noise,
        })
        .collect();
    let args = [
        "-",
        "-o",
        "json",
        "--field",
        "time=t,path=url,client=ip,event=msg",
        "--open-event",
        "open",
        "--end-event",
        "stream closed",
        "--id-field",
        "sid",
    ];
    let ran = run_on(log.as_bytes(), &args);
    let report = ran.report();
    assert_eq!(report["streams"]["ended"], 37, "{}", ran.err);
    assert_eq!(report["streams"]["open"], 3);
    assert_eq!(report["streams"]["hold_s"]["p50"], 25.0);
}

#[test]
fn years_without_a_stream_are_no_fault() {
    let old = line(60, "/other", "1.000").replace("2026", "1999");
    let log = old + &line(60, "/other", "7.000");
    let ran = run_on(log.as_bytes(), &["-", "-o", "json"]);
    assert_eq!((ran.status, &*ran.err), (3, ""));
    assert_eq!(ran.report()["verdict"], "unknown");
}

#[test]
fn a_few_streams_without_a_duration_do_not_make_a_log_without_any() {
    let listen = "/subscriptions/listen";
    let log =
        healthy() + &line(3_600, listen, "-") + &line(3_660, listen, "-");
    let out = run_on(log.as_bytes(), &["-", "-o", "json"]).report();
    let findings = out["findings"].to_string();
    assert_eq!(out["streams"]["ended"], 59);
    assert!(findings.contains("2 streams logged without"), "{findings}");
    assert!(!findings.contains("this log has no durations"), "{findings}");
}

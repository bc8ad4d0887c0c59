//! Every option changes what it says it changes.

use serde_json::{Value, json};
use streamleak::internal::collect::Harvester;
use streamleak::internal::format::{Choice, Layout};
use streamleak::internal::input::{Input, MmapChoice};

use crate::fixture::read;
use crate::program::{Folder, run, run_on};
use crate::reader::harvester;

const LEAK: &str = "fixtures/real-logs/leak/nginx-rt.log";

fn leak(more: &[&str]) -> Value {
    run(&[&[LEAK, "--bin", "5s", "-o", "json"], more].concat()).report()
}

#[test]
fn the_rise_that_counts_and_the_chance_that_is_taken_decide_the_verdict() {
    assert_eq!(leak(&[])["verdict"], "climbing");
    assert_eq!(leak(&["--min-rise", "500"])["verdict"], "cycling");
    // Its p value is 2e-26: a chance below that is not met.
    assert_eq!(leak(&["--alpha", "1e-30"])["verdict"], "cycling");
}

#[test]
fn the_key_decides_who_is_a_client() {
    let clients = |key: &str| {
        let report = leak(&["--key", key]);
        let first = report["clients"][0].clone();
        (report["streams"]["clients"].as_u64(), first)
    };
    let (count, first) = clients("client");
    assert_eq!(count, Some(4));
    assert_eq!(first["address"], "127.0.0.1");
    let (count, first) = clients("address");
    assert_eq!((count, &first["user_agent"]), (Some(1), &"".into()));
    let (count, first) = clients("agent");
    assert_eq!((count, &first["address"]), (Some(4), &"".into()));
    // Nobody logged a session: all are one.
    assert_eq!(clients("session").0, Some(1));
}

#[test]
fn a_verb_a_path_and_a_least_hold_narrow_what_counts() {
    let ended = |more: &[&str]| leak(more)["streams"]["ended"].as_u64();
    assert_eq!(ended(&[]), Some(114));
    assert_eq!(ended(&["--method", "get"]), Some(114));
    assert_eq!(ended(&["--method", "POST"]), Some(0));
    // 34 of them leak for more than six and a half seconds, or nearly.
    let held = ended(&["--min-hold", "7s"]).expect("a count");
    assert!((30..=34).contains(&held), "{held}");
    let index = ended(&["--path", "/index.html"]).expect("a count");
    let log = read("real-logs/leak/nginx-rt.log");
    let lines = log.lines().filter(|l| l.contains("GET /index.html "));
    assert_eq!(index, lines.count() as u64);
    let regex = ended(&["--path-regex", "^/(index[.]html|mcp)$"]);
    let lines = log.lines().filter(|line| {
        line.contains("GET /index.html ") || line.contains("GET /mcp ")
    });
    assert_eq!(regex, Some(lines.count() as u64));
}

#[test]
fn streams_below_the_least_hold_are_counted() {
    let finding = |more: &[&str]| {
        let report = leak(more);
        let findings = report["findings"].as_array().expect("findings");
        let is = |it: &&Value| it["code"] == "below-min-hold";
        findings.iter().find(is).map(|it| it["evidence"].clone())
    };
    assert_eq!(finding(&[]), None);
    assert_eq!(finding(&["--min-hold", "1s"]), None);
    let held = leak(&["--min-hold", "7s"])["streams"]["ended"].as_u64();
    let left = 114 - held.expect("a count");
    let evidence = json!({"streams": left, "of": 114});
    assert_eq!(finding(&["--min-hold", "7s"]), Some(evidence));
    let none = leak(&["--min-hold", "1h"]);
    assert_eq!(none["verdict"], "unknown");
    let summary = "114 streams, none held for as long as --min-hold";
    assert_eq!(none["summary"], summary);
}

#[test]
fn an_assumed_hold_gives_a_series_and_is_said_to_be_assumed() {
    let log = "fixtures/real-logs/leak/nginx-combined.log";
    let args = [log, "--bin", "5s", "-o", "json", "--assume-hold", "6s"];
    let report = run(&args).report();
    assert_eq!(report["streams"]["ended"], 114);
    assert_eq!(report["streams"]["hold_s"]["max"], 6.0);
    assert!(report["findings"].to_string().contains("assumed-hold"));
}

#[test]
fn a_stretch_of_time_can_be_cut_out() {
    let report = leak(&[
        "--since",
        "2026-11-29T13:18:30Z",
        "--until",
        "2026-11-29 13:19:30",
    ]);
    assert_eq!(report["window"]["start"], "2026-11-29T13:18:30Z");
    assert_eq!(report["window"]["end"], "2026-11-29T13:19:30Z");
    let east = leak(&["--tz", "+01:00", "--since", "2026-11-29 14:20:00"]);
    assert_eq!(east["window"]["start"], "2026-11-29T13:20:00Z");
}

#[test]
fn a_zone_is_taken_for_times_that_show_none() {
    let line = "2026-11-29 14:44:23 GET /subscriptions/listen 60\n";
    let format = "%{%Y-%m-%d %H:%M:%S}t %m %U %T";
    let first = |tz: &str| {
        let args = ["-", "-f", format, "--tz", tz, "-o", "json"];
        let report = run_on(line.as_bytes(), &args).report();
        report["window"]["start"].clone()
    };
    assert_eq!(first("UTC"), "2026-11-29T14:45:23Z");
    assert_eq!(first("+01:00"), "2026-11-29T13:45:23Z");
}

#[test]
fn a_zone_is_taken_for_caddys_wall_clock_too() {
    let line = "{\"level\":\"info\",\"ts\":\"2026/11/29 14:44:23\",\
        \"logger\":\"http.log.access.log0\",\"msg\":\"handled request\",\
        \"request\":{\"remote_ip\":\"127.0.0.1\",\"method\":\"GET\",\
        \"uri\":\"/subscriptions/listen\",\"headers\":{}},\
        \"duration\":3.5,\"size\":2,\"status\":200}\n";
    let args = ["-", "--tz", "+01:00", "-o", "json"];
    let report = run_on(line.as_bytes(), &args).report();
    assert_eq!(report["window"]["end"], "2026-11-29T13:44:23Z");
}

#[test]
fn a_format_can_be_named_and_another_one_is_refused() {
    for (name, log) in [
        ("auto", "groundtruth/nginx/timed.log"),
        ("combined", "groundtruth/nginx/timed.log"),
        ("ingress-nginx", "groundtruth/nginx/ingress_upstreaminfo.log"),
        ("vhost_combined", "real-logs/mixed/apache-vhost.log"),
        ("nginx-json", "groundtruth/nginx/json.log"),
        ("caddy", "groundtruth/caddy/access.log"),
        ("cloudflare", "logs/cloudflare/unixnano.ndjson"),
        ("workers-trace", "logs/cloudflare/workers_trace_events.ndjson"),
    ] {
        let path = format!("fixtures/{log}");
        let named = run(&["-f", name, &path, "-o", "json"]);
        let found = run(&[&path, "-o", "json"]);
        assert!(named.answer() == found.answer(), "{name}");
        assert!(named.report()["streams"]["ended"].as_u64() > Some(0));
    }
    let wrong = run(&["-f", "caddy", "fixtures/groundtruth/nginx/timed.log"]);
    assert_eq!(wrong.status, 2);
    assert!(wrong.err.contains("byte 0"), "{}", wrong.err);
}

#[test]
fn clients_that_never_finished_a_stream_are_counted_on_demand() {
    let silent = |report: &Value| {
        let findings = report["findings"].as_array().cloned();
        let findings = findings.expect("findings").into_iter();
        findings
            .filter(|finding| finding["code"] == "silent-clients")
            .map(|finding| finding["evidence"]["clients"].as_u64())
            .next()
    };
    assert_eq!(silent(&leak(&[])), None);
    // The browser asks for pages only.
    assert_eq!(silent(&leak(&["--silent-clients"])), Some(Some(1)));
}

#[test]
fn the_table_shows_as_much_as_is_asked_for() {
    let table =
        |more: &[&str]| run(&[&[LEAK, "--bin", "5s"][..], more].concat()).out;
    let named = |text: &str| text.matches("claude-code/").count();
    assert!(named(&table(&["--top", "4"])) > named(&table(&["--top", "1"])));
    let plain = table(&[]);
    assert!(plain.contains("one per client"), "{plain}");
    assert!(!table(&["--no-plot"]).contains("one per client"));
    assert!(!plain.contains('\x1b'));
    assert!(table(&["--color", "always"]).contains("\x1b["));
    assert!(plain.is_ascii(), "without a locale there is only ASCII");
}

#[test]
fn a_file_cut_short_while_it_is_mapped_gives_what_is_left_of_it() {
    let log = read("real-logs/leak/nginx-rt.log").repeat(20);
    let folder = Folder::new();
    let path = folder.write("access.log", log.as_bytes());
    let cut = log.len() / 3;
    let again = path.clone();
    let harvester = Harvester {
        // The format is told when the file is mapped and before it is read.
        reader: Box::new(move |sample| {
            let layout = Layout::of(&Choice::Auto, Default::default(), sample);
            let file = std::fs::OpenOptions::new().write(true).open(&again);
            let file = file.expect("the log");
            file.set_len(cut as u64).expect("it can be cut");
            layout
        }),
        mmap: MmapChoice::Always,
        ..harvester()
    };
    let (mut harvests, _) = harvester.read_all(&[Input::File(path.into())]);
    let harvest = harvests.remove(0);
    let error = harvest.error.expect("it is said");
    assert!(error.contains("cut short"), "{error}");
    assert_eq!(harvest.bytes, cut as u64);
    // The page that the cut goes through may still be there whole.
    let lines = |text: &str| {
        text.lines()
            .filter(|l| l.contains("GET /subscriptions/listen?"))
            .count() as u64
    };
    let selected = harvest.found.tally.selected;
    let (least, most) = (lines(&log[..cut]), lines(&log[..cut + 4096]));
    assert!(
        (least.saturating_sub(1)..=most).contains(&selected),
        "{selected} of {least} to {most}"
    );
}

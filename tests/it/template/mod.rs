//! Format strings against the logs that real nginx, Apache and HAProxy
//! servers wrote with them, and against what the clients of those servers
//! saw: here those of the lab.

mod mixed;
mod twins;

use streamleak::internal::format::{EndedBy, Event, Record, Template, conf};
use streamleak::internal::time::{Clock, Micros};

use crate::fixture::{self, Truth};

const NGINX_COMBINED: &str = r#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent""#;

/// The requests of the lab, by the target they were sent to.
const SCENARIOS: [(&str, &str); 12] = [
    ("/subscriptions/listen?d=60", "S1 full 60s"),
    ("/subscriptions/listen?d=60&n=2", "S1b full 60s"),
    ("/subscriptions/listen?d=60&abort=1", "S2 client abort 20.5s"),
    ("/subscriptions/listen?d=60&rst=1", "S2b client RST 15s"),
    ("/subscriptions/listen?d=40&mode=silent", "S3 silent upstream 40s"),
    ("/subscriptions/listen?d=30&mode=nohdr", "S4 nohdr client abort 5s"),
    (
        "/subscriptions/listen?d=30&mode=nohdr&to=1",
        "S5 nohdr upstream timeout",
    ),
    ("/mcp?d=30", "S7 POST /mcp listen 30s"),
    ("/healthz?d=0.1", "S8.0 keepalive"),
    ("/subscriptions/listen?d=10&k=1", "S8.1 keepalive"),
    ("/retry/subscriptions/listen?d=20", "S10 retry first peer dead"),
    (HOSTILE, "S6 hostile bytes"),
];

/// How the target full of quotes, backslashes and bytes begins.
const HOSTILE: &str = "/subscriptions/listen?d=3&x=";

fn scenario(target: &[u8]) -> &'static str {
    let target = String::from_utf8_lossy(target);
    if target == "<BADREQ>" {
        return "S6 hostile bytes";
    }
    let found = SCENARIOS.iter().find(|(known, _)| *known == target);
    match found {
        Some((_, name)) => name,
        None if target.starts_with(HOSTILE) => "S6 hostile bytes",
        None => panic!("no request of the lab: {target}"),
    }
}

/// How much later than the client Apache and HAProxy noticed the end, in
/// seconds. They see a client that left only when a write to it fails, one or
/// two pings later, or when their own timeout ends the wait for the first
/// byte.
fn late_lag(scenario: &str) -> f64 {
    match scenario {
        "S2 client abort 20.5s" => 1.52,
        "S2b client RST 15s" => 1.01,
        "S4 nohdr client abort 5s" => 7.01,
        _ => 0.0,
    }
}

/// Start and end, as far as the record tells them.
fn ends(record: &Record<'_>) -> (Option<Clock>, Option<Clock>) {
    let hold = record.duration.unwrap_or_default();
    let moved = |clock: Option<Clock>, by: Micros| {
        clock
            .filter(|_| record.duration.is_some())
            .map(|clock| Clock { at: clock.at + by, ..clock })
    };
    let start = record.start.or(moved(record.end, Micros::ZERO - hold));
    (start, record.end.or(moved(record.start, hold)))
}

/// A clock shows the true time cut down to its step; server and client may
/// be 5 ms apart, 20 ms where a lag is only known that well.
#[track_caller]
fn assert_near(clock: Option<Clock>, truth: f64, slack: f64, of: &str) {
    let Some(clock) = clock else { return };
    let off = clock.at.as_secs() - truth;
    let grain = match clock.grain {
        Micros::SECOND => 1.0,
        _ => 0.0,
    };
    assert!((-grain - slack..=slack).contains(&off), "{of}: {off} s off");
}

/// Checks each line of a log against what the client saw.
fn check_lab(server: &str, log: &str, template: &Template) {
    let truths = fixture::lab(server);
    let text = fixture::read(&format!("groundtruth/{server}/{log}"));
    assert_eq!(text.lines().count(), truths.len(), "{log}");
    for line in text.lines() {
        let record = template.parse(line.as_bytes());
        let record = record.unwrap_or_else(|e| panic!("{e:?} in {line}"));
        let name = scenario(&record.target);
        let truth = truths.iter().find(|truth| truth.name == name);
        check_record(server, &record, truth.expect("a known request"), log);
    }
}

fn check_record(server: &str, record: &Record<'_>, truth: &Truth, log: &str) {
    let of = format!("{log}: {}", truth.name);
    let lag = match server {
        "apache" | "haproxy_http" | "haproxy_clf" | "haproxy_json" => {
            late_lag(&truth.name)
        }
        _ => 0.0,
    };
    let slack = if lag > 0.0 { 0.02 } else { 0.005 };
    let (start, end) = ends(record);
    assert_near(start, truth.start, 0.005, &of);
    assert_near(end, truth.end + lag, slack, &of);
    let unnoticed = lag > 5.0;
    if record.ended_by != EndedBy::Unknown && !unnoticed {
        let by_client = record.ended_by == EndedBy::Client;
        assert_eq!(by_client, truth.aborted, "{of}");
    }
}

/// HAProxy's formats of its own, as its manual writes them out.
/// <https://docs.haproxy.org/3.0/configuration.html#8.2.3>
const HTTPLOG: &str = r#"log-format "%ci:%cp [%tr] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B %CC %CS %tsc %ac/%fc/%bc/%sc/%rc %sq/%bq %hr %hs %{+Q}r""#;
const HTTPLOG_CLF: &str = r#"%{+Q}o %{-Q}ci - - [%trg] %r %ST %B "" "" %cp %ms %ft %b %s %TR %Tw %Tc %Tr %Ta %tsc %ac %fc %bc %sc %rc %sq %bq %CC %CS %hrl %hsl"#;
const TCPLOG: &str = r#"log-format "%ci:%cp [%t] %ft %b/%s %Tw/%Tc/%Tt %B %ts %ac/%fc/%bc/%sc/%rc %sq/%bq""#;

/// The messages that one of HAProxy's frontends logged.
fn haproxy_lines(is_its: impl Fn(&str) -> bool) -> Vec<String> {
    let text = fixture::read("groundtruth/haproxy/syslog_raw.log");
    let messages = text.lines().map(|line| {
        let (_, message) = line.split_once("]: ").expect("a message");
        message.to_owned()
    });
    messages.filter(|message| is_its(message)).collect()
}

#[test]
fn haproxys_formats_read_its_lines_true_to_its_clients() {
    let configured = conf("haproxy.cfg");
    let js = configured.iter().find(|named| named.name == "js");
    let js = js.expect("its format").template.clone().expect("it compiles");
    let given = |format: &str| Template::new(format).expect("it compiles");
    type Is = fn(&str) -> bool;
    let servers: [(&str, Template, Is); 3] = [
        ("haproxy_http", given(HTTPLOG), |line| line.contains("] h1 ")),
        ("haproxy_clf", given(HTTPLOG_CLF), |line| line.contains(" - - [")),
        ("haproxy_json", js, |line| line.starts_with('{')),
    ];
    for (server, template, is_its) in servers {
        let truths = fixture::lab(server);
        let lines = haproxy_lines(is_its);
        assert_eq!(lines.len(), truths.len(), "{server}");
        for line in &lines {
            let record = template.parse(line.as_bytes());
            let record = record.unwrap_or_else(|e| panic!("{e:?} in {line}"));
            assert!(record.duration.is_some(), "{line}");
            let name = scenario(&record.target);
            let truth = truths.iter().find(|truth| truth.name == name);
            check_record(server, &record, truth.expect("known"), server);
        }
    }
}

#[test]
fn haproxys_early_and_tcp_lines_are_read_as_what_they_are() {
    let early = Template::new(HTTPLOG).expect("it compiles");
    let lines = haproxy_lines(|line| line.contains("] asap "));
    let truths = fixture::lab("haproxy_asap");
    assert_eq!(lines.len(), truths.len());
    for line in &lines {
        let record = early.parse(line.as_bytes()).expect("a record");
        assert_eq!((record.event, record.duration), (Event::Open, None));
        let name = scenario(&record.target);
        let truth = truths.iter().find(|truth| truth.name == name);
        let truth = truth.expect("a known request");
        assert_near(record.start, truth.start, 0.005, line);
    }
    let tcp = Template::new(TCPLOG).expect("it compiles");
    let lines = haproxy_lines(|line| line.contains("] tcp1 "));
    let mut starts: Vec<f64> =
        fixture::lab("haproxy_tcp").iter().map(|truth| truth.start).collect();
    starts.sort_by(f64::total_cmp);
    let mut read: Vec<Clock> = lines
        .iter()
        .map(|line| tcp.parse(line.as_bytes()).expect("a record"))
        .map(|record| record.start.expect("a start"))
        .collect();
    read.sort_by_key(|clock| clock.at);
    assert_eq!(read.len(), starts.len());
    for (clock, start) in read.into_iter().zip(starts) {
        assert_near(Some(clock), start, 0.005, "tcp");
    }
}

fn conf(name: &str) -> Vec<conf::Named> {
    conf::formats(&fixture::read(&format!("groundtruth/conf/{name}")))
}

fn lines(text: &str) -> Vec<&[u8]> {
    text.lines().map(str::as_bytes).collect()
}

const NGINX_LOGS: [(&str, &str); 6] = [
    ("timed", "timed.log"),
    ("timed_bare", "timed_bare.log"),
    ("mcp", "mcp.log"),
    ("json", "json.log"),
    ("badjson", "json_escape_default.log"),
    ("upstreaminfo", "ingress_upstreaminfo.log"),
];

const APACHE_LOGS: [(&str, &str); 6] = [
    ("combined", "combined.log"),
    ("common", "common.log"),
    ("vhost_combined", "vhost_combined.log"),
    ("combined_D", "combined_D.log"),
    ("combined_T", "combined_T.log"),
    ("beginend", "begin_end.log"),
];

#[test]
fn a_servers_own_configuration_reads_its_logs_true_to_its_clients() {
    let servers = [
        ("nginx", conf("nginx.conf"), NGINX_LOGS),
        ("apache", conf("apache.conf"), APACHE_LOGS),
    ];
    for (server, formats, logs) in servers {
        for (name, log) in logs {
            let named = formats.iter().find(|named| named.name == name);
            let template = named.expect("a format of the configuration");
            let template = template.template.as_ref().expect("it compiles");
            check_lab(server, log, template);
        }
    }
    let combined = Template::nginx(NGINX_COMBINED).expect("it compiles");
    check_lab("nginx", "combined.log", &combined);
}

#[test]
fn the_format_a_log_was_written_with_is_picked_from_the_configuration() {
    let nginx = NGINX_LOGS.map(|log| ("nginx", "nginx.conf", log));
    let apache = APACHE_LOGS.map(|log| ("apache", "apache.conf", log));
    for (server, file, (name, log)) in nginx.into_iter().chain(apache) {
        let text = fixture::read(&format!("groundtruth/{server}/{log}"));
        let formats = conf(file);
        let picked = conf::fitting(&formats, &lines(&text));
        assert_eq!(picked.map(|named| named.name.as_str()), Some(name));
    }
}

#[test]
fn a_lab_log_with_every_field_gives_each_of_them() {
    let formats = conf("nginx.conf");
    let text = fixture::read("groundtruth/nginx/mcp.log");
    let named = conf::fitting(&formats, &lines(&text)).expect("a fit");
    let template = named.template.as_ref().expect("it compiles");
    let line = text.lines().find(|line| line.contains("POST"));
    let line = line.expect("the POST").as_bytes();
    let record = template.parse(line).expect("it is read");
    assert_eq!(&*record.method, b"POST");
    assert_eq!(&*record.target, b"/mcp?d=30");
    assert_eq!(&*record.mcp_method, b"subscriptions/listen");
    assert_eq!(&*record.session, b"5f3c1d1e-7a2b-4d7b-9c1e-0a1b2c3d4e5f");
    assert_eq!(&*record.request_id, b"7933a8cbe94ae85be570dfcac3f953d0");
    assert_eq!(record.duration, Some(Micros(30_003_000)));
    assert_eq!((record.status, record.ended_by), (200, EndedBy::Server));
}

/// The target and the agent of a log's hostile request.
fn hostile(formats: &[conf::Named], log: &str) -> (Vec<u8>, Vec<u8>) {
    let text = fixture::read(&format!("groundtruth/{log}"));
    let named = conf::fitting(formats, &lines(&text)).expect("a fit");
    let template = named.template.as_ref().expect("it compiles");
    let line = text.lines().find(|line| line.contains("Evil"));
    let line = line.expect("the hostile request").as_bytes();
    let record = template.parse(line).expect("it is read");
    let hold = record.duration.expect("a duration").as_secs();
    assert!((3.0..3.01).contains(&hold), "{log}: {hold} s");
    assert_eq!(record.status, 200);
    (record.target.into_owned(), record.agent.into_owned())
}

#[test]
fn hostile_bytes_stay_in_their_fields() {
    // What the client sent: the escapes of `escape=json` are undone, the
    // others stay as the servers wrote them.
    let sent = (
        r#"/subscriptions/listen?d=3&x="q"\z|{}é%22"#.into(),
        r#"Evil "quoted" \back\ {br|pipe} é # end"#.into(),
    );
    let nginx = (
        br"/subscriptions/listen?d=3&x=\x22q\x22\x5Cz|{}\xC3\xA9%22".into(),
        br"Evil \x22quoted\x22 \x5Cback\x5C {br|pipe} \xC3\xA9 # end".into(),
    );
    let apache = (
        br#"/subscriptions/listen?d=3&x=\"q\"\\z|{}\xc3\xa9%22"#.into(),
        br#"Evil \"quoted\" \\back\\ {br|pipe} \xc3\xa9 # end"#.into(),
    );
    let formats = conf("nginx.conf");
    assert_eq!(hostile(&formats, "nginx/json.log"), sent);
    for log in ["timed", "timed_bare", "ingress_upstreaminfo"] {
        assert_eq!(hostile(&formats, &format!("nginx/{log}.log")), nginx);
    }
    let formats = conf("apache.conf");
    for log in ["combined_D", "combined_T"] {
        assert_eq!(hostile(&formats, &format!("apache/{log}.log")), apache);
    }
}

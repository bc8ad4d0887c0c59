use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::input::Line;
use crate::time::rfc3339;

const HEAD: &str = "192.0.2.7 - - [29/Nov/2026:13:44:23 +0000] \
    \"GET /subscriptions/listen HTTP/1.1\" 200 785";
const TIME: &str = "2026-11-29T13:44:23.5Z";

/// A line in a wrapper, by its documented shape.
fn wrap(wrapper: Wrapper, line: &str) -> String {
    let quoted = json!(line).to_string();
    // Docker's encoder escapes what HTML would take for its own.
    let quoted = quoted
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026");
    let body = &quoted[1..quoted.len() - 1];
    match wrapper {
        Wrapper::Ansi => format!("\x1b[2K\x1b[31m{line}\x1b[0m"),
        Wrapper::DockerJson => format!(
            "{{\"log\":\"{body}\\n\",\"stream\":\"stdout\",\
             \"time\":\"{TIME}\"}}"
        ),
        Wrapper::Journald => json!({
            "__REALTIME_TIMESTAMP": "1795959863500000",
            "_HOSTNAME": "vm", "_PID": "7", "MESSAGE": line,
        })
        .to_string(),
        Wrapper::CloudWatchEvent => json!({
            "logStreamName": "web/1", "timestamp": 1_795_959_863_500_i64,
            "message": line, "eventId": "3195",
        })
        .to_string(),
        Wrapper::Message => json!({
            "message": line, "timestamp": TIME, "source_type": "file",
        })
        .to_string(),
        Wrapper::KubectlPrefix => format!("[pod/mcp-7d/web] {line}"),
        Wrapper::Compose => format!("web-1     | {line}"),
        Wrapper::Cri => format!("{TIME} stdout F {line}"),
        Wrapper::Rfc5424 => {
            format!("<190>1 {TIME} vm nginx 7 - [a@1 b=\"c\\\"]\"] {line}")
        }
        Wrapper::Rfc3164 => {
            format!("<190>Nov 29 13:44:23.5 vm nginx: {line}")
        }
        Wrapper::RsyslogFile => format!("{TIME} vm nginx[7]: {line}"),
        Wrapper::FluentFile => format!("{TIME}\tmcp.web\t{line}"),
        Wrapper::Loki => format!("{TIME} {{app=\"mcp\"}} {line}"),
        Wrapper::CloudWatchTail => {
            format!("{TIME} ecs/web/0a1b2c3d4e5f6071 {line}")
        }
        Wrapper::Stamp => format!("{TIME} {line}"),
    }
}

fn clock() -> Micros {
    rfc3339(b"2026-12-01T00:00:00Z").expect("a time").at
}

/// One layer, as it is on a log of this year.
fn only(wrapper: Wrapper) -> Wrapping {
    let wrapping =
        Wrapping { layers: vec![wrapper], calendar: Calendar::default() };
    wrapping.with_clock(0, clock())
}

/// What a wrapper can hold at all: a file of Fluentd has objects.
fn holds(wrapper: Wrapper) -> impl Fn(String) -> String {
    move |line| match wrapper {
        Wrapper::FluentFile => json!({ "log": line }).to_string(),
        Wrapper::Stamp => format!("{HEAD}{line}"),
        _ => line,
    }
}

fn shows_a_time(wrapper: Wrapper) -> bool {
    !matches!(
        wrapper,
        Wrapper::Ansi | Wrapper::KubectlPrefix | Wrapper::Compose
    )
}

proptest! {
    #[test]
    fn whatever_is_wrapped_is_peeled(
        line in "[!-~é😀][ -~é😀]{0,80}",
        which in 0..Wrapper::ALL.len(),
    ) {
        let wrapper = Wrapper::ALL[which];
        let line = holds(wrapper)(line);
        let record = wrap(wrapper, &line);
        let unwrapped = only(wrapper).strip(record.as_bytes());
        let unwrapped = unwrapped.expect(&record);
        prop_assert_eq!(&*unwrapped.message, line.as_bytes(), "{}", record);
        prop_assert!(!unwrapped.partial);
        let at = unwrapped.time.map(|clock| clock.at.to_rfc3339());
        let expected = shows_a_time(wrapper).then_some(TIME);
        prop_assert_eq!(at.as_deref(), expected, "{}", record);
        if let Cow::Borrowed(message) = unwrapped.message {
            prop_assert!(record.as_bytes()[unwrapped.at..].starts_with(message));
        }
    }

    #[test]
    fn no_bytes_make_a_wrapper_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..60),
        which in 0..Wrapper::ALL.len(),
        cut in 0..200_usize,
        change in any::<(u8, u8)>(),
    ) {
        let wrapper = Wrapper::ALL[which];
        let mut record = wrap(wrapper, HEAD).into_bytes();
        record.truncate(cut);
        if let Some(byte) = record.get_mut(usize::from(change.0)) {
            *byte = change.1;
        }
        let record = [&record[..], &bytes].concat();
        let texts = [&bytes[..], &record[..]];
        for wrapper in Wrapper::ALL {
            for text in texts {
                let _peeled = only(wrapper).strip(text);
                let _joined = only(wrapper).joined(text, texts);
            }
        }
        let _detected = Wrapping::detect(&texts);
    }

    #[test]
    fn colours_and_pieces_go_wherever_they_stand(
        words in prop::collection::vec("[!-~]{1,9}", 1..5),
    ) {
        let coloured = words.join("\x1b[1;31m");
        let plain = words.concat();
        let unwrapped = only(Wrapper::Ansi).strip(coloured.as_bytes()).unwrap();
        prop_assert_eq!(&*unwrapped.message, plain.as_bytes());

        let piece = |word: &String, last: bool| {
            let end = if last { "\\n" } else { "" };
            let body = json!(word).to_string();
            format!(
                "{{\"log\":{}{end}\",\"stream\":\"stdout\",\"time\":\"x\"}}",
                &body[..body.len() - 1]
            )
        };
        let count = words.len();
        let pieces: Vec<String> = words
            .iter()
            .enumerate()
            .map(|(at, word)| piece(word, at + 1 == count))
            .collect();
        let docker = only(Wrapper::DockerJson);
        let following = pieces[1..].iter().map(|piece| piece.as_bytes());
        let whole = docker.joined(pieces[0].as_bytes(), following).unwrap();
        prop_assert_eq!(&*whole.message, plain.as_bytes());
    }
}

/// A log of some lines, each in these wrappers, the first outermost.
fn log(wrappers: &[Wrapper]) -> Vec<String> {
    let line = |number: usize| {
        let line = format!("{HEAD} \"-\" \"a\" rt={number}.002");
        wrappers.iter().rfold(line, |line, wrapper| wrap(*wrapper, &line))
    };
    (0..20).map(line).collect()
}

fn detect(lines: &[String]) -> Wrapping {
    let records: Vec<_> = lines.iter().map(|line| line.as_bytes()).collect();
    Wrapping::detect(&records)
}

#[test]
fn each_wrapper_is_told_from_all_others() {
    for wrapper in Wrapper::ALL {
        let detected = detect(&match wrapper {
            Wrapper::FluentFile => log(&[wrapper, Wrapper::Message]),
            _ => log(&[wrapper]),
        });
        assert_eq!(detected.layers.first(), Some(&wrapper));
        let inside = usize::from(wrapper == Wrapper::FluentFile);
        assert_eq!(detected.layers.len(), 1 + inside, "{wrapper:?}");
    }
}

#[test]
fn wrappers_around_wrappers_are_peeled_in_their_order() {
    for wrappers in [
        &[Wrapper::DockerJson, Wrapper::Rfc3164][..],
        &[Wrapper::Ansi, Wrapper::Compose, Wrapper::Stamp],
        &[Wrapper::KubectlPrefix, Wrapper::Stamp, Wrapper::Message],
        &[Wrapper::Cri, Wrapper::DockerJson, Wrapper::Message],
        &[Wrapper::Message, Wrapper::RsyslogFile],
        &[Wrapper::FluentFile, Wrapper::Message, Wrapper::Cri],
        &[Wrapper::Rfc5424, Wrapper::Stamp, Wrapper::Stamp],
        &[Wrapper::Ansi, Wrapper::Compose, Wrapper::Stamp, Wrapper::Rfc5424],
        &[],
    ] {
        let lines = log(wrappers);
        let wrapping = detect(&lines);
        assert_eq!(wrapping.layers(), wrappers);
        assert_eq!(wrapping.is_empty(), wrappers.is_empty());
        let unwrapped = wrapping.strip(lines[7].as_bytes()).unwrap();
        let line = format!("{HEAD} \"-\" \"a\" rt=7.002");
        assert_eq!(&*unwrapped.message, line.as_bytes(), "{wrappers:?}");
    }
    let nested = detect(&log(&[Wrapper::DockerJson, Wrapper::Message]));
    assert_eq!(nested.names(), "docker json-file > JSON message");
    assert_eq!(nested.escapes(), 2);
}

#[test]
fn banners_and_blank_lines_do_not_hide_a_wrapper() {
    let mut lines = log(&[Wrapper::Compose]);
    lines.splice(0..0, (0..20).map(|_| "Attaching to web-1".to_owned()));
    let wrapping = detect(&lines);
    assert_eq!(wrapping.layers(), [Wrapper::Compose]);
    assert_eq!(wrapping.strip(b"Attaching to web-1"), None);
    lines.push("Gracefully stopping...".to_owned());
    assert!(detect(&lines).is_empty());
    let empty = vec!["web-1  | ".to_owned(); 20];
    assert!(detect(&empty).is_empty());
}

#[test]
fn the_finest_time_and_the_outermost_process_are_told() {
    let outer = "{\"log\":\"Nov 29 13:44:20 vm nginx: x\\n\",\
        \"stream\":\"stdout\",\"time\":\"2026-11-29T13:44:23.123456Z\"}";
    let layers = vec![Wrapper::DockerJson, Wrapper::Rfc3164];
    let wrapping = Wrapping { layers, calendar: Calendar::default() };
    let unwrapped = wrapping.with_clock(0, clock());
    let unwrapped = unwrapped.strip(outer.as_bytes()).unwrap();
    let at = unwrapped.time.map(|clock| clock.at.to_rfc3339());
    assert_eq!(at.as_deref(), Some("2026-11-29T13:44:23.123456Z"));
    assert_eq!(*unwrapped.process, *b"vm nginx");
    assert_eq!(unwrapped.at, outer.find(" x").unwrap() + 1);
    let layers = vec![Wrapper::Compose, Wrapper::RsyslogFile];
    let wrapping = Wrapping { layers, calendar: Calendar::default() };
    let line = b"web-1  | 2026-11-29T13:44:23Z vm nginx[1]: x";
    let unwrapped = wrapping.strip(line).unwrap();
    assert_eq!((&*unwrapped.process, unwrapped.at), (&b"web-1"[..], 43));
}

#[test]
fn pieces_are_joined_within_their_process_and_output_only() {
    let cri = only(Wrapper::Cri);
    let piece = |rest: &str| format!("{TIME} {rest}");
    let records = [
        piece("stderr F of another"),
        "a banner".to_owned(),
        piece("stdout P two "),
        piece("stdout F three"),
        piece("stdout F behind"),
    ];
    let following = || records.iter().map(|record| record.as_bytes());
    let first = piece("stdout P one ");
    assert!(cri.strip(first.as_bytes()).unwrap().partial);
    let whole = cri.joined(first.as_bytes(), following()).unwrap();
    assert_eq!(&*whole.message, b"one two three");
    assert!(!whole.partial);
    let error = piece("stderr P one ");
    let whole = cri.joined(error.as_bytes(), following()).unwrap();
    assert_eq!(&*whole.message, b"one of another");
    // What is whole is itself, and what has no end is nothing.
    let whole = cri.joined(records[3].as_bytes(), following()).unwrap();
    assert_eq!(&*whole.message, b"three");
    assert_eq!(cri.joined(first.as_bytes(), following().take(3)), None);
}

#[test]
fn what_lies_inside_a_split_line_is_peeled_once_it_is_whole() {
    let line = wrap(Wrapper::Message, HEAD);
    let (head, tail) = line.split_at(40);
    let layers = vec![Wrapper::Cri, Wrapper::Message];
    let wrapping = Wrapping { layers, calendar: Calendar::default() };
    let first = format!("{TIME} stdout P {head}");
    let last = format!("{TIME} stdout F {tail}");
    let whole = wrapping.joined(first.as_bytes(), [last.as_bytes()]).unwrap();
    assert_eq!(&*whole.message, HEAD.as_bytes());
    assert!(wrapping.strip(first.as_bytes()).unwrap().partial);
}

#[test]
fn a_message_longer_than_a_record_may_be_is_given_up() {
    let cri = only(Wrapper::Cri);
    let piece = format!("{TIME} stdout P {}", "x".repeat(16 << 10));
    let last = format!("{TIME} stdout F y");
    let joined = |pieces: usize| {
        let pieces = std::iter::repeat_n(piece.as_bytes(), pieces);
        cri.joined(piece.as_bytes(), pieces.chain([last.as_bytes()]))
    };
    assert_eq!(joined(61).unwrap().message.len(), 62 * (16 << 10) + 1);
    assert_eq!(joined(63), None);
    let small = format!("{TIME} stdout P x");
    let endless = std::iter::repeat(small.as_bytes());
    assert_eq!(cri.joined(small.as_bytes(), endless), None);
}

#[test]
fn the_records_of_servers_are_not_wrapped() {
    for record in [
        HEAD,
        "www.example.com:443 192.0.2.7 - - [29/Nov/2026:13:44:23 +0000] \"GET / HTTP/1.1\" 200 7",
        "192.0.2.7:45916 [29/Nov/2026:13:43:23.313] fe be/s 0/0/0/1/60001 200 111 - - CD-- 2/1/2/2/0 0/0 \"GET / HTTP/1.1\"",
        "h2 2026-08-01T12:01:00.124000Z app/mcp/50dc6c495c0c9188 192.0.2.7:44740 10.0.0.66:9000 0.000 0.003 0.000 200 200 250 480 \"GET https://h:443/ HTTP/2.0\" \"a\" b c",
        "2026-08-01T12:01:00.124000Z my-elb 192.0.2.7:44740 10.0.0.66:9000 0.000 0.003 0.000 200 200 250 480 \"GET https://h:443/ HTTP/2.0\" \"a\" b c",
        "[2026-08-01T12:00:00.123Z] \"GET / HTTP/1.1\" 200 - 0 480 60001 2 \"-\" \"a\" \"r\" \"h\" \"10.0.0.1:80\"",
        "2026-08-01T12:01:00.123456+00:00 heroku[router]: at=info method=GET path=\"/\" host=h fwd=\"192.0.2.7\" service=60001ms status=200",
        "[GIN] 2026/08/01 - 12:01:00 | 200 |          1m0s |   192.0.2.7 | GET      \"/\"",
        "2026-08-01\t12:01:00\tCDG50-P2\t703\t192.0.2.7\tGET\tx.cloudfront.net\t/\t200",
        "2026-08-01 12:01:00 10.0.0.1 GET / - 443 - 192.0.2.7 a - 200 0 0 60001",
        "INFO:     192.0.2.7:37798 - \"GET / HTTP/1.1\" 200 OK",
        "[2026-11-29 13:43:34 +0000] [7] [INFO] 192.0.2.7:1 - - [29/Nov/2026:13:43:34 +0000] \"GET / 1.1\" 200 - \"-\" \"a\"",
        "[pid: 88185|app: 0|req: 1/1] 192.0.2.7 () {38 vars in 696 bytes} [Sun Mar 13 22:49:12 2016] POST / => generated 47 bytes in 129 msecs (HTTP/1.1 200)",
        "2026-08-01T12:00:00.123456Z  INFO request{method=GET uri=/ version=HTTP/1.1}: tower_http::trace::on_response: finished processing request latency=3 ms status=200",
        "REPORT RequestId: f08bb4c8\tDuration: 60001.12 ms\tBilled Duration: 60002 ms",
        "2026/08/01 12:01:00 [host/req-000001] \"GET http://h/p HTTP/1.1\" from 192.0.2.7:5 - 200 480B in 1m0.001s",
        "I, [2026-08-01T12:00:00.123456 #7]  INFO -- : Started GET \"/\" for 192.0.2.7 at 2026-08-01 12:00:00 +0000",
        "time=\"2026-08-01T12:00:00Z\" level=info msg=\"GET / (200) 33.59ms\"",
        "1785585660.123  60001 192.0.2.7 TCP_MISS/200 480 GET http://h/ - DIRECT/10.0.0.1 text/event-stream",
        "2026-08-01T12:01:00.123Z 60001 GET / 200 extra",
    ] {
        let lines = vec![record.to_owned(); 3];
        assert_eq!(detect(&lines).names(), "", "{record}");
    }
}

fn fixture(name: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("fixtures").join(name);
    std::fs::read_to_string(&path)
        .unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The files of `fixtures/wrappers`, each the same log of nginx.
const WRAPPED: [(&str, &str); 34] = [
    ("cloudwatch-event", "CloudWatch event"),
    ("cloudwatch-export", "time in front"),
    ("cloudwatch-filtered", "CloudWatch event"),
    ("cloudwatch-tail", "aws logs tail"),
    ("compose", "docker compose"),
    (
        "compose-colours-times",
        "terminal colours > docker compose > time in front",
    ),
    ("cri", "CRI"),
    ("cri-json", "CRI > JSON message"),
    ("cri-pieces", "CRI"),
    ("datadog", "JSON message"),
    ("docker", "docker json-file"),
    ("docker-pieces", "docker json-file"),
    ("docker-syslog", "docker json-file > syslog RFC 3164"),
    ("filebeat", "JSON message"),
    ("fluent-bit", "JSON message"),
    ("fluent-bit-docker", "JSON message > docker json-file"),
    ("fluent-bit-file", "Fluent file > JSON message"),
    ("fluentd-file", "Fluent file > JSON message"),
    ("fly", "JSON message"),
    ("gcp-text", "JSON message"),
    ("journald", "journald"),
    ("kubectl-prefix", "kubectl --prefix"),
    ("kubectl-prefix-times", "kubectl --prefix > time in front"),
    ("kubectl-times", "time in front"),
    ("logcli", "logcli"),
    ("loki", "JSON message"),
    ("rfc3164", "syslog RFC 3164"),
    ("rfc3164-file", "syslog RFC 3164"),
    ("rfc3164-no-host", "syslog RFC 3164"),
    ("rfc5424", "syslog RFC 5424"),
    ("rfc5424-counted", "syslog RFC 5424"),
    ("rsyslog-file", "syslog with full time"),
    ("splunk", "JSON message"),
    ("vector", "JSON message"),
];

#[test]
fn one_log_comes_out_of_every_wrapper() {
    let plain = fixture("groundtruth/nginx/timed.log");
    let plain: Vec<&[u8]> = plain.lines().map(str::as_bytes).collect();
    for (name, wrappers) in WRAPPED {
        let text = fixture(&format!("wrappers/{name}.log"));
        let records: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
        let wrapping = Wrapping::detect(&records).with_clock(0, clock());
        assert_eq!(wrapping.names(), wrappers, "{name}");
        let whole = |at: usize| {
            let following = records[at + 1..].iter().copied();
            wrapping.joined(records[at], following)
        };
        let unwrapped: Vec<_> = (0..records.len()).filter_map(whole).collect();
        // The second of two pieces is no line by itself.
        let lines = unwrapped.iter().map(|unwrapped| &*unwrapped.message);
        let lines: Vec<_> = lines.filter(|l| plain.contains(l)).collect();
        assert!(lines == plain, "{name}: {} lines", lines.len());
        let timed =
            unwrapped.iter().filter(|unwrapped| unwrapped.time.is_some());
        let times = match name {
            "compose" | "kubectl-prefix" => 0,
            _ => unwrapped.len(),
        };
        assert_eq!(timed.count(), times, "{name}");
    }
}

#[test]
fn the_logs_of_the_lab_are_as_their_servers_wrote_them() {
    for name in [
        "groundtruth/apache/begin_end.log",
        "groundtruth/apache/vhost_combined.log",
        "groundtruth/caddy/access.log",
        "groundtruth/caddy/access_iso_string.log",
        "groundtruth/nginx/combined.log",
        "groundtruth/nginx/json.log",
        "groundtruth/nginx/json_escape_default.log",
        "groundtruth/nginx/mcp.log",
        "logs/cloudflare/rfc3339.ndjson",
        "logs/cloudflare/workers_trace_events.ndjson",
    ] {
        let text = fixture(name);
        let records: Vec<&[u8]> = text.lines().map(str::as_bytes).collect();
        assert_eq!(Wrapping::detect(&records).names(), "", "{name}");
    }
}

#[test]
fn no_look_back_passes_a_piece_that_is_known() {
    let piece = &b"2026-08-01T12:00:00.1Z stderr P more"[..];
    let wrapping =
        Wrapping { layers: vec![Wrapper::Cri], ..Wrapping::default() };
    let looked = |known: u64| {
        let count = std::cell::Cell::new(0);
        let before = (0..400_u64).rev().map(|offset| {
            count.set(count.get() + 1);
            Line { bytes: piece, offset }
        });
        let first = wrapping.first_piece(piece, before, |at| at == known);
        (first.map(|line| line.offset), count.get())
    };
    assert_eq!(looked(398), (Some(398), 2));
    // Nor is one that is not known looked for without end.
    assert_eq!(looked(999), (Some(144), 256));
}

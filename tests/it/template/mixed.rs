//! Format strings against the logs of the mixed run, and of one that logged
//! openings too.

use streamleak::internal::format::{Event, Template};
use streamleak::internal::time::Clock;

use super::{NGINX_COMBINED, assert_near, ends};
use crate::fixture::{self, Truth};

/// Formats of the logs of the mixed run: the same requests to each server,
/// among them several streams of one client to one path.
pub(super) const MIXED: [(&str, &str, &str); 8] = [
    ("nginx", "combined", NGINX_COMBINED),
    (
        "nginx",
        "rt",
        r#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" rt=$request_time uct="$upstream_connect_time" uht="$upstream_header_time" urt="$upstream_response_time""#,
    ),
    (
        "nginx",
        "ingress",
        r#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $request_length $request_time [$proxy_upstream_name] [$proxy_alternative_upstream_name] $upstream_addr $upstream_response_length $upstream_response_time $upstream_status $req_id"#,
    ),
    (
        "nginx",
        "plus",
        r#"$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent" $request_time $msec $connection $connection_requests "$http_mcp_session_id" "$http_mcp_method" $request_completion"#,
    ),
    (
        "apache",
        "beginend",
        r#"%{begin:sec}t.%{begin:msec_frac}t %{end:sec}t.%{end:msec_frac}t %h "%r" %>s %D"#,
    ),
    ("apache", "combined", APACHE_COMBINED),
    (
        "apache",
        "combined-us",
        r#"%h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i" %D"#,
    ),
    (
        "apache",
        "vhost",
        r#"%v:%p %h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i" %T %{ms}T %X %k"#,
    ),
];

const APACHE_COMBINED: &str =
    r#"%h %l %u %t "%r" %>s %O "%{Referer}i" "%{User-Agent}i""#;

#[test]
fn streams_of_one_client_to_one_path_start_when_it_started_them() {
    for (server, log, format) in MIXED {
        let template = match server {
            "nginx" => Template::nginx(format),
            _ => Template::apache(format),
        };
        let template = template.expect("it compiles");
        let name = format!("real-logs/mixed/{server}-{log}.log");
        let text = fixture::read(&name);
        let mut starts = Vec::new();
        for line in text.lines() {
            let record = template.parse(line.as_bytes());
            let record = record.unwrap_or_else(|e| panic!("{e:?}: {line}"));
            let path = String::from_utf8_lossy(&record.target).into_owned();
            starts.extend(ends(&record).0.map(|start| (path, start)));
        }
        check_starts(&name, starts, fixture::mixed(server));
    }
}

/// Pairs the starts of each path, in order, with the true ones.
fn check_starts(
    log: &str,
    mut starts: Vec<(String, Clock)>,
    mut truths: Vec<Truth>,
) {
    if log.ends_with("nginx-combined.log") {
        assert!(starts.is_empty(), "no duration, so no start");
        return;
    }
    assert_eq!(starts.len(), truths.len(), "{log}");
    starts.sort_by_key(|(path, start)| (path.clone(), start.at));
    let order = |a: &Truth, b: &Truth| {
        a.name.cmp(&b.name).then(a.start.total_cmp(&b.start))
    };
    truths.sort_by(order);
    for ((path, start), truth) in starts.iter().zip(&truths) {
        assert_eq!(*path, truth.name, "{log}");
        // The clients of this run wrote down the start before connecting.
        assert_near(Some(*start), truth.start, 0.01, log);
    }
}

#[test]
fn records_of_openings_are_told_from_those_of_ends() {
    let template = Template::nginx(
        r#"$msec $request_time $request_completion $status "$request" "$http_mcp_method" $remote_addr $request_id "$http_user_agent" $uri"#,
    )
    .expect("it compiles");
    let events = |log: &str| {
        let text = fixture::read(&format!("real-logs/open-and-end/{log}"));
        let read = |line: &str| {
            let record = template.parse(line.as_bytes()).expect("a record");
            assert_eq!(
                &*record.target,
                b"/subscriptions/listen?hold=3&tick=1"
            );
            (record.request_id.into_owned(), record.event)
        };
        text.lines().map(read).collect::<Vec<_>>()
    };
    let (opens, ends) = (events("opens.log"), events("streams.log"));
    assert_eq!(opens.len(), 2);
    for (open, end) in opens.iter().zip(&ends) {
        assert_eq!(open.0, end.0);
        assert_eq!((open.1, end.1), (Event::Open, Event::Whole));
    }
}

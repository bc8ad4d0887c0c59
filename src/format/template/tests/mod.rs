//! The compilers and the reader, on strings made by hand. The real logs are
//! read in `tests/it/template`.

mod envoy;
mod fault;
mod haproxy;
mod time;

use proptest::prelude::*;

use super::*;
use crate::format::{EndedBy, Event, Reason};
use crate::time::Clock;
use crate::time::Micros;
use std::borrow::Cow;

/// 2026-11-29T13:44:23Z, by `date -u -d … +%s`.
const AT: Micros = Micros::from_secs(1_795_959_863);

fn nginx(format: &str) -> Template {
    Template::nginx(format).unwrap()
}

fn apache(format: &str) -> Template {
    Template::apache(format).unwrap()
}

#[track_caller]
fn rejected(template: &Template, line: &[u8]) -> (Reason, usize) {
    let reject = template.parse(line).unwrap_err();
    (reject.reason, reject.at)
}

#[test]
fn a_format_reads_alike_however_it_is_copied() {
    let line = b"1795959863.164 it's 200 /a\"b";
    let forms = [
        r#"$msec it's $status $request_uri"#,
        r#"'$msec it\'s ' "$status ${request_uri}";"#,
        "log_format main '$msec it\\'s '\n    # why\n  '$status $request_uri'  ;\n",
        r#"log_format  main escape=default "$msec it's $status $request_uri";"#,
        r#"escape=none $msec it's ${status} $request_uri"#,
    ];
    for form in forms {
        let record = nginx(form).parse(line).unwrap();
        assert_eq!(record.end.unwrap().at, AT + Micros(164_000), "{form}");
        assert_eq!(record.status, 200, "{form}");
        assert_eq!(&*record.target, b"/a\"b", "{form}");
    }
    let line = b"\"GET /a HTTP/1.1\" 200\t\"curl\"";
    let forms = [
        r#""%r" %>s	"%{User-agent}i""#,
        r#"\"%r\" %>s\t\"%{User-agent}i\""#,
        r#""\"%r\" %>s\t\"%{User-agent}i\"""#,
        r#"LogFormat "\"%r\" %>s\t\"%{User-agent}i\"" short"#,
        r#"'"%r" %>s\t"%{User-agent}i"'"#,
    ];
    for form in forms {
        let record = apache(form).parse(line).unwrap();
        assert_eq!(&*record.target, b"/a", "{form}");
        assert_eq!(&*record.agent, b"curl", "{form}");
    }
}

#[test]
fn a_format_of_quoted_values_only_keeps_its_quotes() {
    let template = nginx(r#""$time_iso8601" "$remote_addr" "$status""#);
    let line = br#""2026-11-29T13:44:23+00:00" "::1" "200""#;
    assert_eq!(template.parse(line).unwrap().status, 200);
}

#[test]
fn nginx_variables_fill_their_fields() {
    let template = nginx(
        "$remote_addr [$time_local] $time_iso8601 $msec $request_time \
         $request_method $request_uri $uri $http_mcp_method \
         $http_mcp_session_id $req_id $status $request_completion \
         \"$http_user_agent\"",
    );
    let line = b"[2001:db8::1]:99 [29/Nov/2026:13:44:23 +0000] \
        2026-11-29T13:44:23+00:00 1795959863.164 60.002 POST /mcp?d=30 /mcp \
        subscriptions/listen s-1 r-1 499  \"a b\"";
    let record = template.parse(line).unwrap();
    let end = Clock { at: AT + Micros(164_000), grain: Micros(1_000) };
    assert_eq!((record.start, record.end), (None, Some(end)));
    assert_eq!(record.duration, Some(Micros(60_002_000)));
    assert_eq!(&*record.address, b"2001:db8::1");
    assert_eq!(&*record.method, b"POST");
    assert_eq!(&*record.target, b"/mcp?d=30");
    assert_eq!(&*record.mcp_method, b"subscriptions/listen");
    assert_eq!(&*record.session, b"s-1");
    assert_eq!(&*record.request_id, b"r-1");
    assert_eq!(record.status, 499);
    assert_eq!(record.ended_by, EndedBy::Client);
    assert_eq!(&*record.agent, b"a b");
}

#[test]
fn the_bytes_of_the_body_are_taken_where_the_head_is_counted_too() {
    for (template, line, bytes) in [
        (nginx("$status $bytes_sent $body_bytes_sent"), "200 785 480", 480),
        (nginx("$status $body_bytes_sent $bytes_sent"), "200 480 785", 480),
        (nginx("$status $request_length $bytes_sent"), "200 164 785", 785),
        (apache("%>s %I %O %b"), "200 164 785 480", 480),
        (apache("%>s %O %B"), "200 785 0", 0),
        (apache("%>s %b"), "200 -", 0),
        (apache("%>s %b %O"), "200 - 785", 0),
        (apache("%>s %I %O"), "200 164 785", 785),
    ] {
        let record = template.parse(line.as_bytes()).unwrap();
        assert_eq!(record.bytes, Some(bytes), "{}", template.source());
    }
    let dash = nginx("$status $body_bytes_sent").parse(b"200 -");
    assert_eq!(dash.unwrap().bytes, None, "not logged, for nginx");
    let one =
        nginx("$status $body_bytes_sent$gzip_ratio").parse(b"200 4801.2");
    assert_eq!(one.unwrap().bytes, None, "nothing tells where they end");
}

#[test]
fn the_location_of_the_mirror_marks_an_opening() {
    let template = nginx("$msec \"$request\" $uri$is_args$args");
    let open = template.parse(b"1795959863.164 \"GET /a HTTP/1.1\" /_open");
    let open = open.unwrap();
    assert_eq!((open.event, &*open.target), (Event::Open, &b"/a"[..]));
    let line = b"1795959863.164 \"GET /a HTTP/1.1\" /a?b=1";
    assert_eq!(template.parse(line).unwrap().event, Event::Whole);
}

#[test]
fn the_forwarded_address_wins_wherever_it_stands() {
    for format in [
        "$remote_addr \"$http_x_forwarded_for\" $status",
        "\"$http_x_forwarded_for\" $remote_addr $status",
    ] {
        let template = nginx(format);
        let address = |first: &str, second: &str| {
            let line = if format.starts_with('$') {
                format!("{first} \"{second}\" 200")
            } else {
                format!("\"{second}\" {first} 200")
            };
            let record = template.parse(line.as_bytes()).unwrap();
            String::from_utf8(record.address.into_owned()).unwrap()
        };
        assert_eq!(address("10.0.0.1", "192.0.2.7, 10.0.0.9"), "192.0.2.7");
        assert_eq!(address("10.0.0.1", "-"), "10.0.0.1");
    }
    let template = nginx("$realip_remote_addr $remote_addr");
    let record = template.parse(b"10.0.0.1 192.0.2.7").unwrap();
    assert_eq!(&*record.address, b"192.0.2.7");
}

#[test]
fn the_upstreams_times_are_summed_only_without_a_request_time() {
    let duration = |format: &str, line: &'static str| {
        nginx(format).parse(line.as_bytes()).unwrap().duration
    };
    let bare = "$upstream_addr $upstream_response_time $status";
    let expected = Some(Micros(20_002_000));
    let line = "a:1, b:2 : c:3 0.001, 20.001 : - 200";
    assert_eq!(duration(bare, line), expected);
    assert_eq!(duration(bare, "- - 200"), None);
    let both = "$upstream_response_time $request_time";
    assert_eq!(duration(both, "0.001, 9.0 20.002"), expected);
    let reject = rejected(&nginx(bare), b"a:1 x 200");
    assert_eq!(reject, (Reason::Duration, 4));
}

#[test]
fn the_finest_of_apaches_durations_is_taken() {
    for format in ["%T %{ms}T %D %{c}a", "%T %{ms}T %{us}T %h"] {
        let record = apache(format).parse(b"60 60002 60002793 ::1").unwrap();
        assert_eq!(record.duration, Some(Micros(60_002_793)), "{format}");
    }
    let record = apache("%{ms}T %{s}T %s").parse(b"60002 60 200").unwrap();
    assert_eq!(record.duration, Some(Micros(60_002_000)));
    let record = apache("%T %s %>s").parse(b"60 301 200").unwrap();
    assert_eq!(
        (record.duration, record.status),
        (Some(Micros(60_000_000)), 200)
    );
}

#[test]
fn apache_directives_fill_their_fields() {
    let template = apache(
        "%v:%p %{X-Forwarded-For}i %a %l %u %t \"%m %U%q %H\" %!200,304>s \
         %X \"%{Mcp-Method}i\" %{mcp-session-id}i %{UNIQUE_ID}e 100%% %D",
    );
    let line = b"mcp.test:443 192.0.2.7, 10.1.1.1 10.0.0.1 - john doe \
        [29/Nov/2026:15:44:23 +0200] \"POST /mcp?d=3 HTTP/2.0\" 200 X \
        \"subscriptions/listen\" s-1 r-1 100% 1500";
    let record = template.parse(line).unwrap();
    assert_eq!(record.start, Some(Clock { at: AT, grain: Micros::SECOND }));
    assert_eq!((record.end, record.duration), (None, Some(Micros(1_500))));
    assert_eq!(&*record.address, b"192.0.2.7");
    assert_eq!(&*record.method, b"POST");
    assert_eq!(&*record.target, b"/mcp?d=3");
    assert_eq!(&*record.mcp_method, b"subscriptions/listen");
    assert_eq!(
        (&*record.session, &*record.request_id),
        (&b"s-1"[..], &b"r-1"[..])
    );
    assert_eq!((record.status, record.ended_by), (200, EndedBy::Client));
}

#[test]
fn a_path_may_follow_a_host_and_a_query_a_path() {
    let template = nginx("$status $scheme://$host$request_uri $pipe");
    let record = template.parse(b"200 https://a.test/x?y=1 .").unwrap();
    assert_eq!(&*record.target, b"/x?y=1");
    let template = apache("%s %V%U%q %b");
    let record = template.parse(b"200 a.test/x?y=1 5").unwrap();
    assert_eq!(&*record.target, b"/x?y=1");
}

#[test]
fn an_escaped_quote_does_not_end_a_value() {
    let template = apache(r#""%{User-Agent}i" "%{Referer}i" %D"#);
    let line = br#""a \" \" b\\" "-" 7"#;
    let record = template.parse(line).unwrap();
    assert_eq!(&*record.agent, br#"a \" \" b\\"#);
    assert_eq!(record.duration, Some(Micros(7)));
}

#[test]
fn without_escapes_only_the_whole_text_ends_a_value() {
    let template = nginx(r#"escape=none "$http_user_agent" rt=$request_time"#);
    let record = template.parse(br#""a "b" c" rt=1.5"#).unwrap();
    assert_eq!(&*record.agent, br#"a "b" c"#);
}

#[test]
fn json_escapes_are_undone() {
    let template = nginx(
        r#"escape=json {"ua":"$http_user_agent","rt":$request_time,"r":"$request"}"#,
    );
    let line = br#"{"ua":"a\"b\\c\/\n\u0001\u00e9\ud83d\ude00\ud83d\q","rt":1.500,"r":"GET /a HTTP/1.1"}"#;
    let record = template.parse(line).unwrap();
    let agent = "a\"b\\c/\n\u{1}é😀\u{fffd}\\q";
    assert_eq!(&*record.agent, agent.as_bytes());
    assert!(matches!(record.target, Cow::Borrowed(b"/a")));
    let line = br#"{"ua":"","rt":,"r":"\u12"}"#;
    let record = template.parse(line).unwrap();
    assert_eq!((record.duration, &*record.target), (None, &br"\u12"[..]));
}

#[test]
fn blanks_at_a_lines_end_may_have_been_trimmed() {
    let template = nginx("\"$http_user_agent\" $status $request_completion");
    for line in [&b"\"a\" 200 "[..], b"\"a\" 200"] {
        let record = template.parse(line).unwrap();
        assert_eq!(record.ended_by, EndedBy::Client);
        assert_eq!(record.status, 200);
    }
    let template = nginx("$status $foo $request_completion ");
    assert_eq!(template.parse(b"200").unwrap().status, 200);
    assert_eq!(template.parse(b"200 a b ").unwrap().status, 200);
    // A duration is never empty: without one the line was cut.
    let template = apache("\"%r\" %D");
    assert_eq!(
        rejected(&template, b"\"GET / HTTP/1.1\""),
        (Reason::Shape, 16)
    );
}

#[test]
fn a_line_that_goes_on_or_stops_short_is_rejected_where_it_does() {
    let template = apache(r#"%h %l %u %t "%r" %>s %b"#);
    let line =
        b"::1 - - [29/Nov/2026:13:44:23 +0000] \"GET / HTTP/1.1\" 200 5";
    assert!(template.parse(line).is_ok());
    let cases: [(&[u8], (Reason, usize)); 6] = [
        (b"", (Reason::Shape, 0)),
        (b"::1 - - no time", (Reason::Shape, 6)),
        (b"::1 - - [29/Nov/2026:13:44:61 +0000] \"", (Reason::Time, 9)),
        (
            b"::1 - - [29/Nov/2026:13:44:23 +0000] \"GET / HT",
            (Reason::Shape, 46),
        ),
        (
            b"::1 - - [29/Nov/2026:13:44:23 +0000] \"GET /\"\" 200 5",
            (Reason::Shape, 44),
        ),
        (
            b"::1 - - [29/Nov/2026:13:44:23 +0000] \"GET /\" 200 5 \"-\"",
            (Reason::Shape, 50),
        ),
    ];
    for (line, expected) in cases {
        let text = String::from_utf8_lossy(line);
        assert_eq!(rejected(&template, line), expected, "{text}");
    }
}

#[test]
fn what_a_format_tells_is_said() {
    let template =
        nginx("$remote_addr [$time_local] \"$request\" $request_time");
    assert_eq!(template.describe(), "client, end, request, duration (s)");
    assert!(template.has_time() && template.has_duration());
    assert!(template.has_interval());
    let template = apache("%{begin:msec}t %{end:msec}t %U %h");
    assert_eq!(template.describe(), "start, end, path, client");
    assert!(template.has_interval() && !template.has_duration());
    assert!(!apache("%t %r").has_interval());
    assert_eq!(template.source(), "%{begin:msec}t %{end:msec}t %U %h");
}

#[test]
fn a_line_that_begins_with_another_value_is_rejected_there() {
    let template = nginx("$remote_addr - $remote_user [$time_local] $status");
    let line = b"a.test ::1 - - [29/Nov/2026:13:44:23 +0000] 200";
    assert!(template.parse(&line[7..]).is_ok());
    assert_eq!(rejected(&template, line), (Reason::Shape, 7));
}

#[test]
fn borrowed_values_are_not_copied() {
    let template = apache(r#""%r" "%{User-Agent}i" %U"#);
    let line = br#""GET /a HTTP/1.1" "x\"y" /a"#;
    let record = template.parse(line).unwrap();
    for text in [&record.method, &record.target, &record.agent] {
        assert!(matches!(text, Cow::Borrowed(_)));
    }
}

/// Formats that use every way a value can end.
fn formats() -> Vec<Template> {
    vec![
        nginx(
            "$remote_addr $upstream_addr $host$uri$is_args$args \"$request\" $time_local$msec $bytes_sent",
        ),
        nginx(
            "escape=json {\"a\":\"$http_user_agent\",\"b\":$upstream_response_time}",
        ),
        nginx(
            "escape=none \"$request\" [$time_local] $http_x_forwarded_for $status ",
        ),
        apache("%h %u %t.%{usec_frac}t \"%r\" %{%B %A}t %V%U%q %D"),
        apache("%{%Y %B %d %R}t %{Mcp-Method}i \"%m %U %H\" %>s %b"),
        Template::haproxy(
            "%ci:%cp [%tr] %hr %hs %Ts%ms %{+E,+Q}[src_x] %r %Ta",
        )
        .unwrap(),
        Template::envoy(
            r#"{"a":"%START_TIME%","b":"%REQ(:METHOD)% %REQ(:PATH)%"}"#,
        )
        .unwrap(),
    ]
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(
        line in proptest::collection::vec(
            prop_oneof![any::<u8>(), proptest::sample::select(&b" \"\\[]/:,{}-u1"[..])],
            0..120,
        ),
    ) {
        for template in formats() {
            let _ = template.parse(&line);
        }
    }

    #[test]
    fn no_format_makes_it_panic(
        format in "(\\PC|[$%{}\"'\\\\\n #;]|\\$[a-z_]{1,9}|\\$(uri|host|args|msec|status|time_local)\
                   |%[>!0-9,]{0,2}(\\{[%a-zA-Z:_]{0,9}\\})?[a-zA-Z^]|log_format |escape=\
                   |log-format |%(ci|tr|hr|hs|r|Ta|ST|\\{\\+Q\\}o)|%\\[[a-z.(),0-9]{0,9}\\]\
                   |%[A-Z_]{1,9}(\\([A-Z?:%s.]{0,6}\\))?%|\\{\"a\":\"){0,24}",
        line in "\\PC{0,60}",
    ) {
        let templates = [
            Template::nginx(&format),
            Template::apache(&format),
            Template::haproxy(&format),
            Template::envoy(&format),
            Template::new(&format),
        ];
        for template in templates {
            match template {
                Ok(template) => {
                    let _ = template.parse(line.as_bytes());
                    let _ = template.describe();
                }
                Err(error) => prop_assert!(error.to_string().contains('^')),
            }
        }
    }
}

//! HAProxy's strings.

use super::*;

fn haproxy(format: &str) -> Template {
    Template::haproxy(format).unwrap()
}

/// What `option httplog` stands for.
/// <https://docs.haproxy.org/3.0/configuration.html#8.2.3>
const HTTPLOG: &str = r#"log-format "%ci:%cp [%tr] %ft %b/%s %TR/%Tw/%Tc/%Tr/%Ta %ST %B %CC %CS %tsc %ac/%fc/%bc/%sc/%rc %sq/%bq %hr %hs %{+Q}r""#;

const LINE: &[u8] = b"192.0.2.7:43068 [29/Nov/2026:13:43:23.262] h1~ \
    sse/srv1 0/0/0/1/60001 200 583 - - CD-- 12/2/9/9/0 0/0 \
    {subscriptions/listen|truth-client/1.0 (S)} \
    \"POST /mcp?d=60 HTTP/1.1\"";

fn start(clock: Option<Clock>) -> Micros {
    clock.expect("a start").at - (AT - Micros::MINUTE)
}

#[test]
fn the_format_of_httplog_reads_its_lines() {
    let template = haproxy(HTTPLOG);
    assert_eq!(template.dialect(), Dialect::Haproxy);
    let record = template.parse(LINE).unwrap();
    assert_eq!(start(record.start), Micros(262_000));
    assert_eq!(
        (record.end, record.duration),
        (None, Some(Micros(60_001_000)))
    );
    assert_eq!(&*record.address, b"192.0.2.7");
    assert_eq!((&*record.method, record.status), (&b"POST"[..], 200));
    assert_eq!(record.bytes, Some(583));
    assert_eq!(&*record.target, b"/mcp?d=60");
    assert_eq!(&*record.mcp_method, b"subscriptions/listen");
    assert_eq!(&*record.agent, b"truth-client/1.0 (S)");
    assert_eq!(record.ended_by, EndedBy::Client);
    assert_eq!(template.mark(), Mark::Start);
    assert_eq!(template.unit(), Some(Unit::Millis));
    let zoned = template.with_zone(3_600).parse(LINE).unwrap();
    let hour = Micros(262_000) - Micros::HOUR;
    assert_eq!(start(zoned.start), hour);
}

#[test]
fn captures_are_there_or_not_and_bad_requests_are_read() {
    let template = haproxy(HTTPLOG);
    for line in [
        "192.0.2.7:1 [29/Nov/2026:13:43:23.262] h1 h1/<NOSRV> \
         -1/-1/-1/-1/0 400 0 - - PR-- 43/8/0/0/0 0/0 \"<BADREQ>\"",
        "192.0.2.7:1 [29/Nov/2026:13:43:23.262] h1 h1/s \
         0/0/0/0/7 200 0 - - ---- 43/8/0/0/0 0/0 {a b|} {c} \
         \"GET / HTTP/1.1\"",
    ] {
        let record = template.parse(line.as_bytes()).unwrap();
        assert_eq!(record.ended_by, EndedBy::Server);
        assert!(record.duration.is_some(), "{line}");
    }
    let reject = template.parse(b"192.0.2.7:1 [29/Nov/2026:13:43:23.262] f");
    assert_eq!(reject.unwrap_err().reason, Reason::Shape);
}

#[test]
fn only_haproxy_marks_a_duration_that_goes_on_with_a_plus() {
    let format = r#"$remote_addr [$time_local] "$request" rt=$request_time"#;
    let format = Template::nginx(format).unwrap();
    let line = |time: &str| {
        let line = format!(
            "::1 [29/Nov/2026:13:43:46 +0000] \"GET / HTTP/1.1\" rt={time}"
        );
        format.parse(line.as_bytes()).map(|record| record.event).ok()
    };
    assert_eq!(line("0.501"), Some(Event::Whole));
    assert_eq!(line("+0.501"), None);
}

#[test]
fn with_logasap_a_line_is_an_opening() {
    let line = b"192.0.2.7:1 [29/Nov/2026:13:43:23.313] asap sse/srv1 \
        0/0/0/1/+1 200 +111 - - ---- 2/1/2/2/0 0/0 \"GET /a HTTP/1.1\"";
    let record = haproxy(HTTPLOG).parse(line).unwrap();
    assert_eq!((record.event, record.duration), (Event::Open, None));
    assert_eq!((record.status, record.bytes), (200, None));
    assert_eq!(start(record.start), Micros(313_000));
}

#[test]
fn bytes_are_those_of_the_response_in_decimal_digits() {
    for (format, line, bytes) in [
        ("%ci %U %B", "192.0.2.7 164 583", Some(583)),
        ("%ci %[bytes_in] %[bytes_out]", "192.0.2.7 164 583", Some(583)),
        ("%ci %{+X}B", "192.0.2.7 247", None),
        (
            r#"%{+json}o %(ip)ci %(up:sint)U %(sent:sint)B"#,
            r#"{"ip":"192.0.2.7","up":164,"sent":583}"#,
            Some(583),
        ),
    ] {
        let record = haproxy(format).parse(line.as_bytes()).unwrap();
        assert_eq!(record.bytes, bytes, "{format}");
    }
}

#[test]
fn a_format_reads_alike_however_it_is_copied() {
    let line = br#"192.0.2.7 100% [29/Nov/2026:13:43:23 +0000] 5 a#b "/x" x"#;
    for form in [
        r#"log-format %ci\ 100%%\ [%trg]\ %Ta\ a\#b\ "\"%HU\""\ '%[var(a)]'"#,
        r#"log-format "%ci 100%%  [%trg] %Ta a#b \"%HU\" %[var(a)]" # why"#,
        r#"  log-format '%ci 100%% [%trg] %Ta a#b "%HU" %[var(a)]'"#,
        r#"'%ci 100%% [%trg] %Ta a#b "%HU" %[var(a)]'"#,
        r#""%ci 100%% [%trg] %Ta a#b \"%HU\" %[var(a)]""#,
        r#"%ci 100%% [%trg] %Ta a#b "%HU" %[var(a)]"#,
        r#"%ci\ 100%%\ [%trg]\ %Ta\ a#b\ %{+Q}HU\ %[var(a)]"#,
        r#"%{+Q}o %{-Q}ci 100%% [%trg] %Ta a#b %HU %{-Q}[var(a)]"#,
    ] {
        let template = Template::new(form).unwrap();
        assert_eq!(template.dialect(), Dialect::Haproxy, "{form}");
        let record = template.parse(line);
        let record = record.unwrap_or_else(|e| panic!("{form}: {e:?}"));
        assert_eq!(&*record.target, b"/x", "{form}");
        assert_eq!(record.duration, Some(Micros(5_000)), "{form}");
        assert_eq!(start(record.start), Micros::ZERO, "{form}");
    }
}

/// A format, a line of it, its start after 13:43:23, and its duration, both
/// in milliseconds.
type Detected = (&'static str, &'static str, i64, i64);

const TIMES: [Detected; 9] = [
    // The request's time, not that of the connection it came on.
    (
        "%t %tr %Tt %Ta",
        "29/Nov/2026:13:40:00.000 29/Nov/2026:13:43:23.262 203300 40",
        262,
        40,
    ),
    ("%t %Tt %Tq", "29/Nov/2026:13:43:23.262 40 30", 262, 40),
    ("%trl %Tt", "29/Nov/2026:14:43:23 +0100 40", 0, 40),
    ("%T.%ms %Tt", "29/Nov/2026:13:43:23 +0000.007 40", 7, 40),
    ("%Ts.%ms %Ta %Tt", "1795959803.018 30 40", 18, 40),
    ("%Ts%ms %Tu", "1795959803018 40", 18, 40),
    ("%[accept_date(ms)] %Tt", "1795959803018 40", 18, 40),
    ("%[request_date(us)] %t %Ta", "1795959803018000 x 40", 18, 40),
    (
        "%[request_date,utime(%Y-%m-%dT%H:%M:%SZ)] %[txn.timer.total]",
        "2026-11-29T13:43:23Z 40",
        0,
        40,
    ),
];

#[test]
fn times_and_durations_belong_together() {
    for (format, line, start_ms, duration) in TIMES {
        let template = haproxy(format);
        // The time of the connection is not read beside the request's.
        let line = line.replace(" x ", " 29/Nov/2026:13:40:00.000 ");
        let record = template.parse(line.as_bytes());
        let record = record.unwrap_or_else(|e| panic!("{format}: {e:?}"));
        assert_eq!(start(record.start), Micros(start_ms * 1_000), "{format}");
        assert_eq!(
            record.duration,
            Some(Micros(duration * 1_000)),
            "{format}"
        );
    }
    let template = haproxy("%[date(0,ms)] %Ta");
    let record = template.parse(b"1795959863000 40").unwrap();
    assert_eq!((record.end.unwrap().at, record.start), (AT, None));
    let hex = haproxy("%{+X}Ts %ci");
    assert!(hex.parse(b"6B0C0A0B ::1").unwrap().start.is_none());
}

#[test]
fn expressions_fill_their_fields() {
    let template = haproxy(
        r#"%[src] %[unique-id] %[method] %[capture.req.uri] "%[req.hdr(mcp-method),lower]" "%[hdr(User-Agent)]" %[var(txn.mcp_session_id)] %[req.hdr(x-forwarded-for)] %[status] %T %{+E,+Q}[capture.req.hdr(0),regsub("[]()]","")]"#,
    );
    let line = br#"10.0.0.1 r-1 POST /mcp?a "subscriptions/listen" "a "b"c" s-1 192.0.2.7 499 29/Nov/2026:13:43:23 +0000 "tools/list""#;
    let record = template.parse(line).unwrap();
    assert_eq!(&*record.address, b"192.0.2.7");
    assert_eq!(&*record.request_id, b"r-1");
    assert_eq!(
        (&*record.method, &*record.target),
        (&b"POST"[..], &b"/mcp?a"[..])
    );
    assert_eq!(&*record.mcp_method, b"subscriptions/listen");
    assert_eq!(&*record.agent, br#"a "b"c"#);
    assert_eq!(&*record.session, b"s-1");
    assert_eq!(record.status, 499);
}

#[test]
fn what_a_capture_holds_tells_what_it_is() {
    let template = haproxy(
        r#"%T "%[capture.req.hdr(0)]" "%[capture.req.hdr(1)]" "%[capture.res.hdr(0)]""#,
    );
    for (text, agent, method) in [
        (r#""mcp.test" "tools/call" "a/b""#, "", "tools/call"),
        (r#""text/html" "curl/8.1" "-""#, "curl/8.1", ""),
        (r#""tools/ call" "tools" "resources/list""#, "", "resources/list"),
        (r#""a b/1" "/1" "tools/list/../x""#, "", ""),
    ] {
        let line = format!("29/Nov/2026:13:43:23 +0000 {text}");
        let record = template.parse(line.as_bytes()).unwrap();
        assert_eq!(&*record.agent, agent.as_bytes(), "{text}");
        assert_eq!(&*record.mcp_method, method.as_bytes(), "{text}");
    }
}

#[test]
fn an_escaped_quote_ends_a_value_only_without_its_escape() {
    let template = haproxy(r#"%T %{+Q,+E}HU %{+Q}HM"#);
    let line = br#"29/Nov/2026:13:43:23 +0000 "/a\" \"b" "GET""#;
    assert_eq!(&*template.parse(line).unwrap().target, br#"/a\" \"b"#);
    let template = haproxy(r#"%T %{+Q}HU %{+Q}HM"#);
    let line = br#"29/Nov/2026:13:43:23 +0000 "/a\" "GET""#;
    assert_eq!(&*template.parse(line).unwrap().target, br"/a\");
}

#[test]
fn a_bare_request_line_keeps_its_blanks() {
    let template = haproxy("%T %r %ST");
    let line = b"29/Nov/2026:13:43:23 +0000 GET /a b HTTP/1.1 200";
    let record = template.parse(line).unwrap();
    assert_eq!((&*record.target, record.status), (&b"/a b"[..], 200));
    let line = b"29/Nov/2026:13:43:23 +0000 <BADREQ> 400";
    assert_eq!(template.parse(line).unwrap().status, 400);
}

#[test]
fn encoded_as_json_values_have_the_names_given_to_them() {
    let template = Template::new(
        "log-format '%{+json}o %(client)ci %(start)trg %(took:sint)Ta \
         %(uri)HU %ST'",
    )
    .unwrap();
    let line = br#"{"took":40,"client":"192.0.2.7",
        "start":"29/Nov/2026:13:43:23 +0000","uri":"/a\"b"}"#;
    let record = template.parse(line).unwrap();
    assert_eq!(start(record.start), Micros::ZERO);
    assert_eq!(record.duration, Some(Micros(40_000)));
    assert_eq!((&*record.target, record.status), (&b"/a\"b"[..], 0));
}

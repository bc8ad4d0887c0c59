//! Tests of the common log format and its longer forms.

use super::*;
use crate::format::{EndedBy, Mark};
use crate::time::Micros;

const HEAD: &str = "127.0.0.1 - - [29/Nov/2026:13:44:23 +0000] \
    \"GET /subscriptions/listen?d=60 HTTP/1.1\" 200 785";
const AGENT: &str = " \"-\" \"truth-client/1.0 (S)\"";

/// Detects on the tails and parses the first line.
fn parsed(tails: &[&str]) -> (Clf, Record<'static>) {
    let lines: Vec<String> =
        tails.iter().map(|tail| format!("{HEAD}{AGENT}{tail}")).collect();
    let bytes: Vec<&[u8]> = lines.iter().map(|l| l.as_bytes()).collect();
    let clf = Clf::detect(&bytes).expect("the form is known");
    let line: &'static [u8] = lines[0].clone().leak().as_bytes();
    let record = clf.parse(line).expect("the line fits its own form");
    (clf, record)
}

#[test]
fn the_head_is_read() {
    let (clf, record) = parsed(&[""]);
    assert_eq!(*record.address, *b"127.0.0.1");
    assert_eq!(*record.method, *b"GET");
    assert_eq!(*record.target, *b"/subscriptions/listen?d=60");
    assert_eq!((record.status, record.bytes), (200, Some(785)));
    assert_eq!(*record.agent, *b"truth-client/1.0 (S)");
    let at = record.stamp.map(|clock| clock.at.to_rfc3339());
    assert_eq!(at.as_deref(), Some("2026-11-29T13:44:23Z"));
    assert_eq!((record.duration, clf.unit()), (None, None));
}

#[test]
fn common_without_agents_is_read() {
    let clf = Clf::detect(&[HEAD.as_bytes()]).unwrap();
    let record = clf.parse(HEAD.as_bytes()).unwrap();
    assert_eq!((record.status, record.agent.len()), (200, 0));
    assert_eq!(record.bytes, Some(785));
}

#[test]
fn bytes_that_were_not_logged_or_go_on_are_unknown() {
    let clf = parsed(&[""]).0;
    for (text, bytes) in
        [("0", Some(0)), ("-", None), ("+111", None), ("x", None)]
    {
        let line = HEAD.replace("785", text) + AGENT;
        assert_eq!(clf.parse(line.as_bytes()).unwrap().bytes, bytes, "{text}");
    }
}

#[test]
fn the_duration_is_found_where_people_put_it() {
    let minute = Some(Micros(60_002_000));
    for tail in [
        " rt=60.002 uct=\"0.000\" uht=\"0.000\" urt=\"60.002\"",
        " request_time=60.002",
        " rt=\"60.002\"",
        " 60.002",
        " 60.002 60.002 .",
        " \"60.002\"",
        " 164 60.002 [mcp-gw-svc-80] [] 127.0.0.1:19099, \
            127.0.0.1:19000 0, 160 0.001, 20.001 502, 200 \
            7933a8cbe94ae85be570dfcac3f953d0",
        " 4711 \"mcp@docker\" \"http://172.17.0.3:80\" 60002ms",
        " 60002000",
        " 60 60002 60002000 X -",
        " T=60 D=60002000 begin=1795959803668 X=-",
        " D=60002000 T=60",
    ] {
        let (clf, record) = parsed(&[tail]);
        assert_eq!(record.duration, minute, "{tail} as {}", clf.name());
    }
}

#[test]
fn byte_counts_are_no_duration() {
    for tail in [" 164 480", " \"-\"", " -", " [a] 7f00"] {
        assert_eq!(parsed(&[tail]).1.duration, None, "{tail}");
    }
}

#[test]
fn decimal_seconds_are_written_at_the_end_and_the_rest_is_open() {
    let (_, nginx) = parsed(&[" 60.002"]);
    assert!(nginx.end.is_some() && nginx.stamp.is_none());
    let (clf, apache) = parsed(&[" 60002000"]);
    assert!(apache.stamp.is_some() && apache.end.is_none());
    assert_eq!(clf.guessed_unit(), Some(Unit::Micros));
    let (_, traefik) = parsed(&[" 7 \"r\" \"s\" 60002ms"]);
    assert!(traefik.start.is_some() && traefik.end.is_none());
}

#[test]
fn traefiks_duration_is_the_last_wherever_a_referrer_is_missing() {
    let head = "192.0.2.1 - - [29/Nov/2026:13:44:23 +0000] \
                \"GET /a HTTP/2.0\" 200 7";
    let whole = format!(
        "{head} \"-\" \"ua\" 13 \"r\" \"http://192.0.2.9:80\" 60002ms"
    );
    let bare = format!("{head} - \"ua\" 14 \"r\" \"http://192.0.2.9:80\" 7ms");
    let lines = [&whole, &bare, head, &whole, &bare].map(str::as_bytes);
    let clf = Clf::detect(&lines).unwrap();
    let holds = lines.map(|line| clf.parse(line).unwrap().duration);
    let [long, short] = [Micros(60_002_000), Micros(7_000)].map(Some);
    assert_eq!(holds, [long, short, None, long, short]);
    assert_eq!(clf.mark(), field::Mark::Start);
}

#[test]
fn the_fields_of_the_set_up_are_read_by_name() {
    let (_, record) = parsed(&[" rt=60.002 msec=1795959863.164 rc=\"\" \
            mm=\"subscriptions/listen\" sid=\"5f3c\" rid=79 ev=open"]);
    let end = record.end.unwrap();
    assert_eq!(end.at, Micros(1_795_959_863_164_000));
    assert_eq!(record.ended_by, EndedBy::Client);
    assert_eq!(*record.mcp_method, *b"subscriptions/listen");
    assert_eq!(
        (&*record.session, &*record.request_id),
        (&b"5f3c"[..], &b"79"[..])
    );
    assert_eq!(record.event, crate::format::Event::Open);
}

#[test]
fn apaches_x_says_who_ended_it() {
    let (_, record) = parsed(&[" 16 16014 16014745 X", " 0 0 97 +"]);
    assert_eq!(record.ended_by, EndedBy::Client);
    assert_eq!(parsed(&[" 97 -"]).1.ended_by, EndedBy::Unknown);
}

#[test]
fn the_status_499_says_that_the_client_left_unless_a_field_tells() {
    let clf = parsed(&[" rt=5.002 rc=OK"]).0;
    let ended_by = |status: &str, tail: &str| {
        let head = HEAD.replace("200", status);
        let line = format!("{head}{AGENT}{tail}");
        clf.parse(line.as_bytes()).unwrap().ended_by
    };
    assert_eq!(ended_by("499", " rt=5.002"), EndedBy::Client);
    assert_eq!(ended_by("499", " rt=5.002 rc=OK"), EndedBy::Server);
    assert_eq!(ended_by("504", " rt=5.002"), EndedBy::Unknown);
}

#[test]
fn a_virtual_host_in_front_is_no_address() {
    let line = format!("mcp.example.com:443 {HEAD}{AGENT}");
    let clf = Clf::detect(&[line.as_bytes()]).unwrap();
    let record = clf.parse(line.as_bytes()).unwrap();
    assert_eq!(*record.address, *b"127.0.0.1");
    // A user name with a blank is none either.
    let line = HEAD.replace("- -", "- john doe");
    let clf = Clf::detect(&[line.as_bytes()]).unwrap();
    assert_eq!(*clf.parse(line.as_bytes()).unwrap().address, *b"127.0.0.1");
}

#[test]
fn both_ends_in_the_tail_need_no_other_time() {
    let (clf, record) =
        parsed(&[" D=60002000 begin=1795959803668 end=1795959863670"]);
    assert_eq!(clf.mark(), field::Mark::End);
    let (start, end) = (record.start.unwrap(), record.end.unwrap());
    assert_eq!((end.at - start.at).0, 60_002_000);
    assert_eq!(record.stamp, None);
}

#[test]
fn a_start_and_a_duration_in_the_tail_need_no_other_time() {
    // varnishncsa with `T=%T D=%D ms=%{msec}t`.
    let (clf, record) =
        parsed(&[" T=60 D=60002099 ms=1795959803718 h=pass vxid=2"]);
    assert_eq!(clf.unit(), Some(Unit::Micros));
    let start = record.start.map(|start| start.at);
    assert_eq!(start, Some(Micros(1_795_959_803_718_000)));
    assert_eq!(record.duration, Some(Micros(60_002_099)));
    assert_eq!((record.stamp, record.end), (None, None));
    // Apache's `ms=%{ms}T` is a duration.
    let (_, record) = parsed(&[" ms=60002"]);
    assert_eq!(record.duration, Some(Micros(60_002_000)));
    assert_eq!(record.start, None);
}

#[test]
fn holds_of_hours_are_no_instants() {
    let (_, record) = parsed(&[" D=86400000001"]);
    assert_eq!(record.duration, Some(Micros(86_400_000_001)));
}

#[test]
fn gunicorns_durations_are_read_and_its_time_is_the_end() {
    for tail in [
        " T=60 M=60000 D=60000595 L=60.000595 p=<10641> mcp=\"-\"",
        " L=60.000595",
        " D=60000595 L=60.000595",
    ] {
        let (clf, record) = parsed(&[tail]);
        assert_eq!(record.duration, Some(Micros(60_000_595)), "{tail}");
        assert_eq!(clf.mark(), field::Mark::End, "{tail}");
    }
    let (clf, record) = parsed(&[" M=60000"]);
    assert_eq!(record.duration, Some(Micros(60_000_000)));
    assert_eq!(clf.mark(), field::Mark::End);
    // aiohttp writes the like of a bare `%(L)s` beside a start.
    let (clf, record) = parsed(&[" 60.000595"]);
    assert_eq!(record.duration, Some(Micros(60_000_595)));
    assert_eq!(clf.mark(), field::Mark::Either);
}

#[test]
fn a_name_that_holds_no_numbers_is_no_duration() {
    let (clf, record) = parsed(&[" M=GET T=text D=-1", " M=PUT T=x D=-1"]);
    assert_eq!((record.duration, clf.unit()), (None, None));
    let (_, record) = parsed(&[" D=-1", " D=60002000"]);
    assert_eq!(record.duration, None);
}

#[test]
fn kongs_request_id_is_read() {
    let id = "0c2b3f1e5d6a7b8c9d0e1f2a3b4c5d6e";
    let tail = format!(" kong_request_id: \"{id}\"");
    let (clf, record) = parsed(&[&tail]);
    assert_eq!(*record.request_id, *id.as_bytes());
    assert_eq!(clf.name(), "combined + named fields");
}

#[test]
fn tomcats_thread_is_no_duration_and_its_seconds_are_the_end() {
    let (clf, record) = parsed(&[" 60002 http-nio-8080-exec-1"]);
    assert_eq!(record.duration, Some(Micros(60_002)));
    assert_eq!(clf.guessed_unit(), Some(Unit::Micros));
    let (clf, record) = parsed(&[" 60.002 http-nio-8080-exec-1"]);
    assert_eq!(record.duration, Some(Micros(60_002_000)));
    assert_eq!(clf.mark(), field::Mark::End);
}

/// Lines of morgan's `combined` with this tail each.
fn morgan(tails: &[&str]) -> (Clf, Vec<Record<'static>>) {
    let head = HEAD.replace("200 785", "200 -");
    let line = |tail: &&str| -> &'static [u8] {
        format!("{head}{AGENT}{tail}").leak().as_bytes()
    };
    let lines: Vec<&[u8]> = tails.iter().map(line).collect();
    let clf = Clf::detect(&lines).unwrap();
    let read = lines.iter().map(|line| clf.parse(line).unwrap());
    let records = read.collect();
    (clf, records)
}

#[test]
fn morgans_milliseconds_are_told_with_and_without_their_unit() {
    let minute = Some(Micros(60_006_990));
    let brief = Some(Micros(1_845));
    for tails in [
        [" 60006.990 ms", " 1.845 ms", " - ms"],
        [" 60006.990", " 1.845", " -"],
        [" tt=60006.990", " tt=1.845", " tt=-"],
        [" total_time=60006.990", " total_time=1.845", ""],
    ] {
        let (clf, records) = morgan(&tails);
        let holds: Vec<_> = records.iter().map(|r| r.duration).collect();
        assert_eq!(holds, [minute, brief, None], "{tails:?}");
        assert_eq!(clf.mark(), field::Mark::End);
        assert_eq!(clf.unit(), Some(Unit::Millis));
    }
    // A request answered within a tenth of a second is one of nginx or
    // Tomcat, and these are seconds.
    let (clf, records) = morgan(&[" 60.002", " 0.001"]);
    assert_eq!(records[0].duration, Some(Micros(60_002_000)));
    assert_eq!(clf.unit(), Some(Unit::Seconds));
}

#[test]
fn rows_without_status_and_bytes_are_openings_unless_they_are_few() {
    let open = HEAD.replace("200 785", "- -");
    let clf = Clf::detect(&[open.as_bytes()]).unwrap();
    let record = clf.parse(open.as_bytes()).unwrap();
    assert_eq!((clf.mark(), record.event), (Mark::Start, Event::Open));
    let start = record.start.map(|start| start.at.to_rfc3339());
    assert_eq!(start.as_deref(), Some("2026-11-29T13:44:23Z"));
    // Of a log written at the end they are requests that were aborted.
    let clf = Clf::detect(&[open.as_bytes(), HEAD.as_bytes()]).unwrap();
    let record = clf.parse(open.as_bytes()).unwrap();
    assert_eq!((clf.mark(), record.event), (Mark::Either, Event::Whole));
}

#[test]
fn a_time_without_a_zone_is_werkzeugs_at_the_start_of_a_response() {
    let line = "INFO:werkzeug:127.0.0.1 - - [01/Aug/2026 12:00:00] \
        \"GET /subscriptions/listen HTTP/1.1\" 200 -";
    let clf = Clf::detect(&[line.as_bytes()]).unwrap().with_zone(7_200);
    let record = clf.parse(line.as_bytes()).unwrap();
    assert_eq!((clf.mark(), record.event), (Mark::Start, Event::Open));
    assert_eq!(*record.address, *b"127.0.0.1");
    let start = record.start.map(|start| start.at.to_rfc3339());
    assert_eq!(start.as_deref(), Some("2026-08-01T10:00:00Z"));
    // wsgiref knows the bytes, and Rack the duration: at the end.
    for (tail, duration) in [("5056", None), ("- 0.0241", Some(24_100))] {
        let line = line.replace("200 -", &format!("200 {tail}"));
        let clf = Clf::detect(&[line.as_bytes()]).unwrap();
        let record = clf.parse(line.as_bytes()).unwrap();
        assert_eq!(record.event, Event::Whole, "{tail}");
        assert_eq!(record.duration, duration.map(Micros), "{tail}");
    }
}

#[test]
fn haproxys_set_up_is_read() {
    let (clf, record) =
        parsed(&[" Ta=1252 ts=CD mm=\"subscriptions/listen\""]);
    assert_eq!(clf.mark(), field::Mark::Start);
    assert_eq!(record.duration, Some(Micros(1_252_000)));
    assert_eq!(record.ended_by, EndedBy::Client);
}

#[test]
fn quotes_inside_quotes_do_not_end_them() {
    let line = "::1 - - [29/Nov/2026:13:43:33 +0000] \"GET \
        /subscriptions/listen?x=\\\"q\\\"\\\\z HTTP/1.1\" 200 24 \"-\" \
        \"Evil \\\"quoted\\\" \\\\back\\\\ {br|pipe} \\xc3\\xa9 # end\" 3002906";
    let clf = Clf::detect(&[line.as_bytes()]).unwrap();
    let record = clf.parse(line.as_bytes()).unwrap();
    assert_eq!(*record.address, *b"::1");
    assert!(record.target.ends_with(b"\\\"q\\\"\\\\z"));
    assert!(record.agent.ends_with(b"# end"));
    assert_eq!(record.duration, Some(Micros(3_002_906)));
}

#[test]
fn a_reject_says_where_and_what() {
    let good = format!("{HEAD}{AGENT} 60.002");
    let clf = Clf::detect(&[good.as_bytes()]).unwrap();
    let reject = |line: &str| clf.parse(line.as_bytes()).unwrap_err();
    let bad_time = good.replace("29/Nov", "31/Nov");
    assert_eq!(reject(&bad_time).reason, crate::format::Reason::Time);
    assert_eq!(reject(&bad_time).at, 15);
    let bad_hold = good.replace("60.002", "-1.000");
    assert_eq!(reject(&bad_hold).reason, crate::format::Reason::Duration);
    assert_eq!(reject(&bad_hold).at, good.len() - 6);
    assert_eq!(reject("what is this").reason, crate::format::Reason::Shape);
    assert_eq!(reject("127.0.0.1 - -").at, 13);
}

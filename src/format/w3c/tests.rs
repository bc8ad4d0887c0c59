use super::*;
use crate::format::EndedBy;
use crate::time::Micros;

const IIS: &str = "#Software: Microsoft Internet Information Services 10.0
#Version: 1.0
#Date: 2026-08-01 12:00:00
#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken
2026-08-01 12:01:00 10.0.0.4 GET /subscriptions/listen a=1 443 - 192.0.2.7 mcp/1.0+(x) - 200 0 0 60001
2026-08-01 12:01:01 10.0.0.4 GET /subscriptions/listen - 443 - 192.0.2.8 mcp/1.0 - 200 0 64 20501
";

/// What IIS writes when it is started again with more columns.
const AGAIN: &str = "#Software: Microsoft Internet Information Services 10.0
#Version: 1.0
#Date: 2026-08-01 12:02:00
#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) sc-status sc-substatus sc-win32-status sc-bytes time-taken Mcp-Method cs(Mcp-Session-Id)
2026-08-01 12:03:00 10.0.0.4 POST /mcp - 443 - 192.0.2.7 mcp/1.0 200 0 1236 9 30250 subscriptions/listen s-7
";

fn lines(log: &str) -> impl Iterator<Item = (u64, &[u8])> {
    let mut at = 0;
    log.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len() as u64;
        (start, line.trim_end().as_bytes())
    })
}

fn detected(log: &str) -> Option<W3c> {
    let records: Vec<&[u8]> = lines(log).map(|(_, line)| line).collect();
    W3c::detect(&records)
}

/// The requests of a log, each read where it stands.
fn read<'a>(w3c: &W3c, log: &'a str) -> Vec<Record<'a>> {
    let parsed = lines(log).map(|(at, line)| w3c.parse(line, at));
    let requests = parsed.filter(|read| {
        !read.as_ref().is_err_and(|why| why.expected == NOT_ACCESS)
    });
    requests.map(|r| r.unwrap_or_else(|why| panic!("{why:?}"))).collect()
}

fn noted(log: &str) -> W3c {
    let mut w3c = detected(log).expect("a log of this format");
    w3c.note(log.as_bytes(), 0);
    w3c
}

fn end(record: &Record<'_>) -> String {
    record.end.expect("an end").at.to_rfc3339()
}

#[test]
fn iis_writes_the_end_in_utc_and_milliseconds() {
    let w3c = noted(IIS);
    assert_eq!((w3c.name(), w3c.mark()), ("iis", Mark::End));
    assert_eq!(w3c.unit(), Some(Unit::Millis));
    let [whole, cut] = &read(&w3c, IIS)[..] else { panic!() };
    assert_eq!(end(whole), "2026-08-01T12:01:00Z");
    assert_eq!(whole.end.unwrap().grain, Micros::SECOND);
    assert_eq!(whole.duration, Some(Micros(60_001_000)));
    assert_eq!(*whole.target, *b"/subscriptions/listen");
    assert_eq!(*whole.method, *b"GET");
    assert_eq!(*whole.address, *b"192.0.2.7");
    assert_eq!(*whole.agent, *b"mcp/1.0 (x)");
    assert_eq!((whole.status, whole.ended_by), (200, EndedBy::Unknown));
    assert_eq!(cut.ended_by, EndedBy::Client);
}

#[test]
fn every_windows_error_of_a_client_that_left_is_told() {
    for (status, who) in [
        ("64", EndedBy::Client),
        ("121", EndedBy::Client),
        ("995", EndedBy::Client),
        ("1236", EndedBy::Client),
        ("10054", EndedBy::Client),
        ("0", EndedBy::Unknown),
        ("2", EndedBy::Unknown),
    ] {
        let log = IIS.replace(" 64 ", &format!(" {status} "));
        assert_eq!(read(&noted(&log), &log)[1].ended_by, who, "{status}");
    }
}

#[test]
fn columns_hold_from_their_directive_on_wherever_the_log_is_cut() {
    let log = format!("{IIS}{AGAIN}{IIS}");
    for cut in lines(&log).map(|(at, _)| at as usize) {
        let mut w3c = detected(&log).unwrap();
        w3c.note(&log.as_bytes()[..cut], 0);
        w3c.note(&log.as_bytes()[cut..], cut as u64);
        let read = read(&w3c, &log);
        assert_eq!(read.len(), 5);
        let mcp = &read[2];
        assert_eq!(*mcp.mcp_method, *b"subscriptions/listen");
        assert_eq!(*mcp.session, *b"s-7");
        assert_eq!((mcp.status, mcp.bytes), (200, Some(9)));
        assert_eq!(read[0].bytes, None, "not among its columns");
        assert_eq!(mcp.duration, Some(Micros(30_250_000)));
        assert_eq!(mcp.ended_by, EndedBy::Client);
        assert_eq!(read[0], read[3]);
    }
}

#[test]
fn rows_before_any_directive_are_refused_once_it_is_known_where_they_stand() {
    let row = IIS.lines().nth(4).unwrap();
    let log = format!("{row}\n{IIS}");
    let mut w3c = detected(&log).unwrap();
    assert!(w3c.parse(row.as_bytes(), 0).is_ok());
    w3c.note(log.as_bytes(), 0);
    let refused = w3c.parse(row.as_bytes(), 0);
    let expected = Reject::shape(0, "a #Fields directive before it");
    assert_eq!(refused, Err(expected));
    let at = log.rfind(row).unwrap() as u64;
    assert!(w3c.parse(row.as_bytes(), at).is_ok());
}

#[test]
fn cloudfront_writes_seconds_and_encodes_what_it_writes() {
    let fields = "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version fle-status fle-encrypted-fields c-port time-to-first-byte x-edge-detailed-result-type sc-content-type sc-content-len sc-range-start sc-range-end";
    let row = |status: &str, result: &str| {
        format!(
            "2026-08-01\t12:01:00\tCDG50-P2\t703\t192.0.2.7\tGET\td1.example.net\t/subscriptions/listen\t{status}\t-\tmcp/1.0%20(x)\t-\t-\tMiss\tid==\tmcp.example.com\thttps\t62\t60.001\t-\tTLSv1.3\tc\tMiss\tHTTP/2.0\t-\t-\t51754\t0.113\t{result}\ttext/event-stream\t-\t-\t-\n"
        )
    };
    let log = format!(
        "#Version: 1.0\n#Fields: {fields}\n{}{}{}",
        row("200", "Miss"),
        row("200", "ClientCommError"),
        row("000", "Error"),
    );
    let w3c = noted(&log);
    assert_eq!(w3c.name(), "cloudfront");
    assert_eq!(w3c.unit(), Some(Unit::Seconds));
    let read = read(&w3c, &log);
    assert_eq!(end(&read[0]), "2026-08-01T12:01:00Z");
    assert_eq!(read[0].duration, Some(Micros(60_001_000)));
    assert_eq!(*read[0].agent, *b"mcp/1.0 (x)");
    assert_eq!(*read[0].request_id, *b"id==");
    assert_eq!((read[0].status, read[0].bytes), (200, Some(703)));
    assert_eq!((read[2].status, read[2].bytes), (0, Some(703)));
    let who: Vec<EndedBy> = read.iter().map(|r| r.ended_by).collect();
    let left = EndedBy::Client;
    assert_eq!(who, [EndedBy::Unknown, left, left]);
}

#[test]
fn advanced_logging_quotes_values_and_writes_local_time() {
    let log = "#Software: IIS Advanced Logging Module
#Fields:   date-local time-local   s-ip   cs-method cs-uri-stem c-ip cs(User-Agent) sc-status sc-win32-status TimeTakenMS
2026-08-01 14:01:00.363 10.0.0.4 GET /subscriptions/listen \"192.0.2.7\" \"mcp/1.0 (a; b)\" 200 0 60001
2026-08-01 14:01:00.363 10.0.0.4 GET /a \"192.0.2.7\" - \" \"\"odd\"\" one \" 0 1
";
    let w3c = noted(log).with_zone(7_200);
    let read = read(&w3c, log);
    assert_eq!(end(&read[0]), "2026-08-01T12:01:00.363Z");
    assert_eq!(read[0].duration, Some(Micros(60_001_000)));
    assert_eq!(*read[0].agent, *b"mcp/1.0 (a; b)");
    assert_eq!(*read[0].address, *b"192.0.2.7");
    assert_eq!((read[0].status, read[1].status), (200, 0));
}

#[test]
fn a_directive_tells_the_day_of_rows_that_show_none() {
    let log = "#Date: 2026-08-01 12:00:00
#Fields: time c-ip cs-method cs-uri-stem sc-status
12:01:00 192.0.2.7 GET /a 200
#Date: 2026-08-02 00:00:09
12:01:00 192.0.2.7 GET /a 200
";
    let w3c = noted(log);
    let ends: Vec<String> = read(&w3c, log).iter().map(end).collect();
    assert_eq!(ends, ["2026-08-01T12:01:00Z", "2026-08-02T12:01:00Z"]);
    assert_eq!((w3c.name(), w3c.unit()), ("w3c", None));
    assert!(!w3c.has_duration());
}

#[test]
fn the_start_written_a_second_time_says_what_the_time_is() {
    let log = "#Fields: date time c-ip cs-uri cs-method cs-start
\"2026-08-01\" \"12:01:00\" \"192.0.2.7\" \"www.example.com/a\" \"GET\" \"1785585660555\"
";
    let w3c = noted(log);
    assert_eq!(w3c.mark(), Mark::Start);
    let read = read(&w3c, log);
    assert_eq!(read[0].end, None);
    let start = read[0].start.unwrap();
    assert_eq!(start.at.to_rfc3339(), "2026-08-01T12:01:00.555Z");
}

#[test]
fn the_address_a_proxy_adds_needs_no_directive() {
    let short = "2026-08-01 12:01:00 10.0.0.4 GET /mcp - 443 - 10.0.0.1 mcp/1.0 - 200 0 64 60001";
    let long = "2026-08-01 12:01:00 W3SVC1 web1 10.0.0.4 GET /mcp - 443 - 10.0.0.1 HTTP/1.1 mcp/1.0 a=b - mcp.example.com 200 0 64 703 62 60001";
    for row in [short, long] {
        for (last, client) in [
            ("", "10.0.0.1"),
            (" 192.0.2.7", "192.0.2.7"),
            (" 2001:db8::7,+10.0.0.9", "2001:db8::7"),
            (" -", "10.0.0.1"),
        ] {
            let row = format!("{row}{last}\n");
            let w3c = detected(&row).unwrap_or_else(|| panic!("{row}"));
            let read = read(&w3c, &row);
            assert_eq!(*read[0].address, *client.as_bytes(), "{row}");
            assert_eq!(read[0].duration, Some(Micros(60_001_000)), "{row}");
            assert_eq!((read[0].status, w3c.name()), (200, "iis"), "{row}");
        }
        // One more number may stand anywhere before the duration.
        assert!(detected(&format!("{row} 60001\n")).is_none());
    }
}

#[test]
fn rows_of_the_usual_columns_need_no_directive() {
    let rows = IIS.lines().skip(4).collect::<Vec<_>>().join("\n");
    let w3c = noted(&rows);
    assert_eq!(w3c.name(), "iis");
    let full = noted(IIS);
    assert_eq!(read(&w3c, &rows), read(&full, IIS));
    let mut w3c = w3c;
    w3c.note(AGAIN.as_bytes(), 7_000);
    let (at, row) = lines(AGAIN).last().unwrap();
    let mcp = w3c.parse(row, 7_000 + at).unwrap();
    assert_eq!(*mcp.mcp_method, *b"subscriptions/listen");
    assert_eq!(read(&w3c, &rows).len(), 2, "those before it as ever");
}

#[test]
fn what_has_no_columns_is_no_such_log() {
    let nginx = "192.0.2.1 - - [29/Nov/2026:13:44:23 +0000] \"GET /a HTTP/1.1\" 200 7 \"-\" \"ua\" 60.002\n";
    let zeek = "#separator \\x09\n#fields\tts\tuid\n1.5\tC1\n";
    let two = IIS.replace("#Fields", "#Other").replace(" GET ", " get ");
    let odd = format!("#Fields: date time cs-method\n{}", nginx.repeat(3));
    let empty = "#Fields:\n#Date:\n#\n";
    for log in [nginx, zeek, &two, &odd, empty, ""] {
        assert!(detected(log).is_none(), "{log}");
    }
    let idle: String = IIS.split_inclusive('\n').take(4).collect();
    assert!(detected(&idle).is_some(), "no request yet");
    let marked = format!("\u{feff}{IIS}").replace('\n', "\r\n");
    let marked = &marked[..];
    assert_eq!(read(&noted(marked), marked).len(), 2);
}

#[test]
fn units_are_taken_from_the_user() {
    let w3c = noted(IIS).with_unit(Unit::Seconds);
    assert_eq!(w3c.unit(), Some(Unit::Seconds));
    let duration = read(&w3c, IIS)[0].duration;
    assert_eq!(duration, Some(Micros::from_secs(60_001)));
}

#[test]
fn no_mangled_row_or_directive_panics() {
    let log = format!("{IIS}{AGAIN}");
    for end in 0..log.len() {
        for byte in [b'"', b'\t', b' ', b'\xff', b'\n'] {
            let mut cut = log.as_bytes()[..=end].to_vec();
            cut[end] = byte;
            let mut w3c = detected(&log).unwrap();
            w3c.note(&cut, 7);
            let rows = cut.split(|byte| *byte == b'\n');
            let records: Vec<&[u8]> = rows.collect();
            let _w3c = W3c::detect(&records);
            for record in &records[records.len().saturating_sub(2)..] {
                let _read = w3c.parse(record, u64::MAX);
            }
        }
    }
}

#[test]
fn the_fixtures_are_read_whole() {
    let iis = include_str!("../../../fixtures/formats/iis.log");
    let cloudfront = include_str!("../../../fixtures/formats/cloudfront.log");
    let advanced = include_str!("../../../fixtures/formats/iis-advanced.log");
    for (log, name, requests, streams, left) in [
        (iis, "iis", 9, 6, 2),
        (cloudfront, "cloudfront", 8, 5, 1),
        (advanced, "iis", 8, 5, 1),
    ] {
        let w3c = noted(log);
        assert_eq!(w3c.name(), name);
        let read = read(&w3c, log);
        assert_eq!(read.len(), requests, "{name}");
        let listens = |record: &&Record<'_>| {
            *record.target == *b"/subscriptions/listen"
                || *record.mcp_method == *b"subscriptions/listen"
        };
        assert_eq!(read.iter().filter(listens).count(), streams, "{name}");
        let client = |record: &&Record<'_>| record.ended_by == EndedBy::Client;
        assert_eq!(read.iter().filter(client).count(), left, "{name}");
    }
}

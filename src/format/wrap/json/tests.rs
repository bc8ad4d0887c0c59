use super::*;

fn text(unwrapped: Option<Unwrapped<'_>>) -> Option<String> {
    let message = unwrapped?.message.into_owned();
    Some(String::from_utf8(message).expect("UTF-8"))
}

const CLF: &str = "192.0.2.7 - - [01/Aug/2026:12:01:00 +0000] \
    \\\"GET /subscriptions/listen HTTP/1.1\\\" 200 785";

fn plain() -> String {
    CLF.replace('\\', "")
}

#[test]
fn a_docker_line_without_a_line_feed_is_a_piece() {
    let of = |log: &str| {
        let record = format!(
            r#"{{"log":"{log}","stream":"stderr","time":"2016-01-07T16:49:10.2Z"}}"#
        );
        let unwrapped = docker(record.as_bytes()).expect("docker's");
        let borrowed = matches!(unwrapped.message, Cow::Borrowed(_));
        assert_eq!((unwrapped.stream, unwrapped.at), (Stream::Err, 8));
        (text(Some(unwrapped.clone())).unwrap(), unwrapped.partial, borrowed)
    };
    assert_eq!(of(r"a b\n"), ("a b".to_owned(), false, true));
    assert_eq!(of(r"a b\r\n"), ("a b".to_owned(), false, true));
    assert_eq!(of(r"a b"), ("a b".to_owned(), true, true));
    assert_eq!(of(r"a \\n"), (r"a \n".to_owned(), true, false));
    assert_eq!(of(r"a \\\n"), (r"a \".to_owned(), false, false));
    assert_eq!(of(r"\u003ca\u003e\n"), ("<a>".to_owned(), false, false));
    assert_eq!(of(r"\n"), (String::new(), false, true));
}

#[test]
fn the_journals_message_may_be_bytes_and_may_be_missing() {
    let of = |message: &str| {
        let record = format!(
            r#"{{"__CURSOR":"s=e","__REALTIME_TIMESTAMP":"1534860261221373","_PID":"7","MESSAGE":{message}}}"#
        );
        let unwrapped = journald(record.as_bytes())?;
        let at = unwrapped.time.map(|clock| clock.at.0);
        assert_eq!(at, Some(1_534_860_261_221_373));
        assert_eq!(*unwrapped.process, *b"7");
        Some(unwrapped.message.into_owned())
    };
    assert_eq!(of(r#""a \"b\"""#).as_deref(), Some(&b"a \"b\""[..]));
    assert_eq!(of("[ 71, 69, 255 ]").as_deref(), Some(&b"GE\xff"[..]));
    assert_eq!(of("[71]").as_deref(), Some(&b"G"[..]));
    for message in ["null", "[]", "71", "[256]", "[71.5]", "true"] {
        assert_eq!(of(message), None, "{message}");
    }
    let foreign = br#"{"MESSAGE":"GET / HTTP/1.1"}"#;
    assert_eq!(journald(foreign), None);
}

#[test]
fn every_shippers_object_holds_the_line() {
    let ms = "1785585660123";
    let stamp = "2026-08-01T12:01:00.123Z";
    let line = format!("\"{CLF}\"");
    for record in [
        format!(
            r#"{{"log":{line},"kubernetes":{{"pod_name":"p"}},"time":"{stamp}"}}"#
        ),
        format!(r#"{{"date":1785585660.123,"log":{line}}}"#),
        format!(
            r#"{{"message":{line},"timestamp":"{stamp}","host":"h","source_type":"file","file":"/var/log/a"}}"#
        ),
        format!(
            r#"{{"@timestamp":"{stamp}","@metadata":{{"beat":"filebeat"}},"log":{{"offset":7,"file":{{"path":"/a"}}}},"message":{line},"agent":{{"type":"filebeat"}}}}"#
        ),
        format!(
            r#"{{"event":{{"provider":"app"}},"fly":{{"app":{{"instance":"148e","name":"mcp"}},"region":"ewr"}},"host":"h","log":{{"level":"info"}},"message":{line},"timestamp":"{stamp}"}}"#
        ),
        format!(
            r#"{{"labels":{{"app":"x"}},"line":{line},"timestamp":"{stamp}"}}"#
        ),
        format!(
            r#"{{"id":"AAA","content":{{"timestamp":"{stamp}","host":"h","message":{line},"attributes":{{"http":{{"method":"GET"}}}}}}}}"#
        ),
        format!(
            r#"{{"preview":false,"offset":0,"result":{{"_raw":{line},"_time":"{stamp}"}}}}"#
        ),
        format!(
            r#"{{"textPayload":{line},"timestamp":"{stamp}","resource":{{"type":"k8s_container"}},"severity":"INFO"}}"#
        ),
        format!(
            r#"{{"level":"INFO","logger":"uvicorn.access","message":{line},"timestamp":{ms}}}"#
        ),
        format!(
            r#"{{"container_id":"c","container_name":"/web","source":"stdout","log":{line},"time":"{stamp}"}}"#
        ),
        format!(
            "{{\n  \"status\": \"info\",\n  \"service\": \"web\",\n  \"message\": {line},\n  \"date\": \"{stamp}\"\n}}"
        ),
    ] {
        let unwrapped = message(record.as_bytes()).expect(&record);
        let at = unwrapped.time.map(|clock| clock.at.to_rfc3339());
        assert_eq!(at.as_deref(), Some(stamp), "{record}");
        assert!(record[unwrapped.at..].starts_with(CLF), "{record}");
        assert_eq!(text(Some(unwrapped)), Some(plain()), "{record}");
    }
}

#[test]
fn an_access_record_with_a_message_is_no_wrapper() {
    for record in [
        r#"{"level":"info","ts":1795959863.66,"logger":"http.log.access.log0","msg":"handled request","request":{"remote_ip":"192.0.2.7","method":"GET","uri":"/x"},"duration":60.0,"status":200}"#,
        r#"{"level":30,"time":1795959863784,"pid":7,"hostname":"h","req":{"id":1,"method":"GET","url":"/x"},"res":{"statusCode":200},"responseTime":60003,"msg":"request completed"}"#,
        r#"{"level":30,"time":1795959863784,"pid":7,"hostname":"h","reqId":"req-1","msg":"GET /x HTTP/1.1 completed"}"#,
        r#"{"httpRequest":{"requestMethod":"GET","requestUrl":"https://h/x","status":200,"latency":"60.001s"},"logName":"l","jsonPayload":{"message":"x"},"timestamp":"2026-08-01T12:00:00Z"}"#,
        r#"{"RequestMethod":"GET","RequestPath":"/x","Duration":60001000000,"DownstreamStatus":200,"level":"info","msg":"","time":"2026-08-01T12:01:00Z"}"#,
        r#"{"time":"2026-08-01T12:01:00Z","level":"INFO","msg":"GET /x HTTP/1.1","status":200,"duration":60001234567}"#,
        r#"{"id":"1","message":"START GET /x HTTP/1.1","timestamp":1785585660123,"requestId":"r","path":"/x","statusCode":200,"proxy":{"method":"GET"},"deploymentId":"d"}"#,
        r#"{"@timestamp":"2026-08-01T12:01:00Z","message":"GET /x 200 -","event":{"duration":60001000000},"http":{"request":{"method":"GET"}},"agent":{"type":"filebeat"}}"#,
        r#"{"request":"GET /x HTTP/1.1","status":"200","log":"main","request_time":0.5}"#,
        // A program's own lines: nothing in them is a request.
        r#"{"ts":"2025-03-22T08:00:00Z","level":"info","msg":"café opens","caller":"a/b.go:15"}"#,
        r#"{"level":"info","message":"A thing happened","num_things":1102}"#,
        r#"{"level":"info","msg":"GET /x","dur":60.5}"#,
        r#"{"@timestamp":"2016-04-05T18:47:18.444Z"}"#,
        r#"{"log":{"level":"info"},"line":42}"#,
        r#"["log"]"#,
    ] {
        let bytes = record.as_bytes();
        for strip in [docker, journald, cloudwatch, message] {
            assert_eq!(text(strip(bytes)), None, "{record}");
        }
    }
}

#[test]
fn cloudwatchs_events_are_told_by_their_ids() {
    let id = "31953106606966983378809025079804211143289615424298221568";
    for (id, is) in [
        (format!(r#""id":"{id}""#), true),
        (r#""eventId":"7","ingestionTime":1785585660200"#.to_owned(), true),
        (r#""id":"7""#.to_owned(), false),
    ] {
        let record =
            format!(r#"{{{id},"timestamp":1785585660123,"message":"x\n"}}"#);
        let unwrapped = cloudwatch(record.as_bytes());
        assert_eq!(text(unwrapped.clone()), is.then(|| "x".to_owned()));
        let at = unwrapped.and_then(|p| p.time).map(|clock| clock.at.0);
        assert_eq!(at, is.then_some(1_785_585_660_123_000));
    }
}

#[test]
fn a_piece_that_fluent_bit_passed_on_is_marked() {
    for (mark, partial) in [
        (r#""logtag":"P""#, true),
        (r#""logtag":"F""#, false),
        (r#""_p":"P""#, true),
        (r#""partial_last":"false","container_id":"c""#, true),
        (r#""partial_last":"true","container_id":"c""#, false),
    ] {
        let record = format!(r#"{{"log":"x","stream":"stdout",{mark}}}"#);
        let unwrapped = message(record.as_bytes()).unwrap();
        assert_eq!(unwrapped.partial, partial, "{mark}");
        assert_eq!(docker(record.as_bytes()), None, "{mark}");
    }
}

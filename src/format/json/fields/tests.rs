//! Fields on records made by hand.

use proptest::prelude::*;

use super::*;
use crate::format::EndedBy;
use crate::format::Reason;

fn fields(spec: &[&str]) -> Fields {
    let spec: Vec<String> = spec.iter().map(|s| (*s).into()).collect();
    Fields::new(&spec).unwrap()
}

/// 2026-11-29T13:44:23Z, by `date -u -d … +%s`.
const AT: Micros = Micros::from_secs(1_795_959_863);

#[test]
fn each_name_fills_its_field_wherever_its_key_stands() {
    let format = fields(&[
        "start=a.start,end=a.end,request=line, status=.code,bytes=res.size",
        "client=ip",
        "agent=h.User-Agent,id=rid,session=h.sid,mcp_method=h.mm",
    ]);
    let line = br#"{"a":{"start":"2026-11-29T13:43:23Z"},"a.end":
        1795959863000,"line":"POST /mcp?x HTTP/1.1","code":499,
        "ip":"192.0.2.7:99, 10.0.0.1","rid":7,"res":{"size":480},"h.sid":"s",
        "h":{"User-Agent":["curl/8"],"mm":"subscriptions/listen"}}"#;
    let record = format.parse(line).unwrap();
    assert_eq!(record.start.unwrap().at, AT - Micros::MINUTE);
    assert_eq!(record.end.unwrap().at, AT);
    assert_eq!(
        (&*record.method, &*record.target),
        (&b"POST"[..], &b"/mcp?x"[..])
    );
    assert_eq!(
        (&*record.address, &*record.agent),
        (&b"192.0.2.7"[..], &b"curl/8"[..])
    );
    assert_eq!(
        (&*record.request_id, &*record.session),
        (&b"7"[..], &b"s"[..])
    );
    assert_eq!(*record.mcp_method, *b"subscriptions/listen");
    assert_eq!((record.status, record.ended_by), (499, EndedBy::Client));
    assert_eq!(record.bytes, Some(480));
    assert_eq!((format.mark(), format.unit()), (Mark::End, None));
    assert!(format.has_duration());
}

#[test]
fn of_several_paths_for_a_name_the_first_logged_is_taken() {
    let format = fields(&["time=t", "path=url,path=uri"]);
    let target =
        |line: &'static str| format.parse(line.as_bytes()).unwrap().target;
    assert_eq!(*target(r#"{"t":1795959863,"uri":"/i","url":"/l"}"#), *b"/l");
    assert_eq!(*target(r#"{"t":1795959863,"uri":"/i","url":null}"#), *b"/i");
}

#[test]
fn a_wall_clock_takes_the_given_zone() {
    let format = fields(&["time=t"]).with_zone(7_200);
    for time in ["2026-11-29 15:44:23", "2026-11-29T15:44:23.000"] {
        let line = format!(r#"{{"t":"{time}"}}"#);
        let record = format.parse(line.as_bytes()).unwrap();
        assert_eq!(record.stamp.unwrap().at, AT, "{time}");
    }
    let line = br#"{"t":"29/Nov/2026:13:44:23 +0000"}"#;
    assert_eq!(format.parse(line).unwrap().stamp.unwrap().at, AT);
    let reject = format.parse(br#"{"t":"yesterday"}"#).unwrap_err();
    assert_eq!((reject.reason, reject.at), (Reason::Time, 6));
}

#[test]
fn the_unit_of_a_whole_number_is_open_and_of_no_other() {
    let format = fields(&["time=t,duration=d"]);
    let duration = |format: &Fields, d: &str| {
        let line = format!(r#"{{"t":1795959863,"d":{d}}}"#);
        format.parse(line.as_bytes()).map(|record| record.duration)
    };
    let minute = Ok(Some(Micros(60_002_000)));
    assert_eq!(duration(&format, "60002"), Ok(Some(Micros(60_002))));
    assert_eq!(duration(&format, "60.002"), minute);
    assert_eq!(duration(&format, r#""1m0.002s""#), minute);
    assert_eq!(duration(&format, r#""60002ms""#), minute);
    assert_eq!(duration(&format, "-1"), Ok(None));
    assert_eq!(duration(&format, "null"), Ok(None));
    let reject = duration(&format, r#""soon""#).unwrap_err();
    assert_eq!((reject.reason, reject.at), (Reason::Duration, 21));
    assert_eq!(
        (format.unit(), format.guessed_unit()),
        (Some(Unit::Micros), Some(Unit::Millis))
    );
    let given = format.with_unit(Unit::Millis);
    assert_eq!(duration(&given, "60002"), minute);
    assert_eq!(duration(&given, r#""1m0.002s""#), minute);
    assert_eq!(duration(&given, "60002.0"), minute);
    assert_eq!(given.guessed_unit(), None);
}

#[test]
fn a_key_that_names_its_unit_settles_it() {
    for (path, unit) in [
        ("duration_ms", Some(Unit::Millis)),
        ("elapsedMs", Some(Unit::Millis)),
        ("req.durationMillis", Some(Unit::Millis)),
        ("latency_us", Some(Unit::Micros)),
        ("duration_ns", Some(Unit::Nanos)),
        ("event.seconds", Some(Unit::Seconds)),
        ("items", None),
        ("status", None),
        ("duration", None),
        ("responseTime", None),
    ] {
        let format = fields(&[&format!("time=t,duration={path}")]);
        let open = unit.is_none();
        assert_eq!(format.guessed_unit().is_some(), open, "{path}");
        assert_eq!(format.unit(), unit.or(Some(Unit::Micros)), "{path}");
    }
}

#[test]
fn one_duration_with_decimals_makes_all_of_them_seconds() {
    let format = fields(&["time=t,duration=d"]);
    let whole: &[u8] = br#"{"t":1795959863,"d":60}"#;
    let decimal: &[u8] = br#"{"t":1795959863,"d":60.5}"#;
    let span: &[u8] = br#"{"t":1795959863,"d":"1.5s"}"#;
    let open = format.clone().learn(&[whole, span]);
    assert_eq!(open.guessed_unit(), Some(Unit::Millis));
    let seconds = format.learn(&[whole, decimal]);
    assert_eq!(seconds.guessed_unit(), None);
    let duration = seconds.parse(whole).unwrap().duration;
    assert_eq!(duration, Some(Micros::MINUTE));
}

#[test]
fn a_lone_time_is_a_stamp_only_while_the_unit_is_open() {
    let format = fields(&["start=t,duration=d"]);
    let line = br#"{"t":1795959863,"d":60}"#;
    let record = format.parse(line).unwrap();
    assert_eq!((record.start, record.stamp.unwrap().at), (None, AT));
    assert_eq!(format.mark(), Mark::Start);
    let format = format.with_unit(Unit::Seconds);
    let record = format.parse(line).unwrap();
    assert_eq!((record.start.unwrap().at, record.stamp), (AT, None));
}

#[test]
fn events_tell_openings_closes_and_whole_requests_apart() {
    let spec = ["time=t,event=msg,path=p,id=i,duration=d"];
    let read = |format: &Fields, rest: &str| {
        let line = format!(r#"{{"t":1795959863{rest}}}"#);
        let record = format.parse(line.as_bytes());
        record.map(|r| (r.event, r.start.is_some(), r.end.is_some()))
    };
    let other = Err(Reject::shape(0, NOT_ACCESS));
    let both = fields(&spec)
        .with_events(Some("stream opened"), Some("stream closed"))
        .unwrap();
    let open = r#","msg":"stream opened","p":"/mcp""#;
    let close = r#","msg":"stream closed","d":5"#;
    let whole = r#","msg":"stream closed","p":"/mcp""#;
    assert_eq!(read(&both, open), Ok((Event::Open, true, false)));
    assert_eq!(read(&both, close), Ok((Event::Close, false, true)));
    assert_eq!(read(&both, whole), Ok((Event::Whole, false, false)));
    assert_eq!(read(&both, r#","msg":"listening""#), other);
    assert_eq!(read(&both, ""), other);
    assert_eq!(both.closer(), Some("stream closed"));
    let only = fields(&spec).with_events(Some("stream opened"), None);
    let only = only.unwrap();
    assert_eq!(read(&only, open), Ok((Event::Open, true, false)));
    assert_eq!(read(&only, whole), Ok((Event::Whole, false, false)));
    let ends = fields(&spec).with_events(None, Some("stream closed"));
    let ends = ends.unwrap();
    assert_eq!(read(&ends, open), other);
    assert_eq!(read(&ends, whole), Ok((Event::Whole, false, false)));
}

#[test]
fn faults_are_told_with_the_names_there_are() {
    let error = |spec: &str| Fields::new(&[spec.into()]).unwrap_err();
    let listed = "time, start, end, duration, request, method, path";
    for (spec, expected) in [
        ("time=t,took=d", FieldError::Unknown("took".into())),
        ("time=", FieldError::Path("time=".into())),
        ("time=a..b", FieldError::Path("time=a..b".into())),
        ("time=.", FieldError::Path("time=.".into())),
        ("ts", FieldError::Shape("ts".into())),
    ] {
        let error = error(spec);
        assert!(error.to_string().contains(listed), "{error}");
        assert_eq!(error, expected);
    }
    assert_eq!(error("path=p"), FieldError::Timeless);
    assert_eq!(error(""), FieldError::Timeless);
    assert_eq!(error("time=t,end=t"), FieldError::Twice("t".into()));
    let events = fields(&["time=t"]).with_events(Some("open"), None);
    assert_eq!(events.unwrap_err(), FieldError::Eventless);
}

#[test]
fn an_object_without_any_of_the_keys_is_another_format() {
    let format = fields(&["time=t"]);
    let reject = format.parse(br#"{"x":1}"#).unwrap_err();
    assert_eq!((reject.reason, reject.at), (Reason::Shape, 0));
    assert!(format.parse(b"text").is_err());
}

proptest! {
    #[test]
    fn nothing_makes_it_panic(
        spec in "(time|end|duration|[a-z]{1,4}|[=,. ]){0,12}",
        line in "(\\{\"t\":|[\\{\\}\":,]|[a-z]|\\PC|[0-9.]){0,40}",
    ) {
        let _ = Fields::new(std::slice::from_ref(&spec))
            .map(|fields| fields.parse(line.as_bytes()).is_ok());
        let format = fields(&["time=t,duration=d"]);
        let _ = format.learn(&[line.as_bytes()]).parse(line.as_bytes());
    }
}

//! The times that formats put together.

use super::*;

/// A format, a line of it, and the microseconds from [`AT`] to the start and
/// the end it tells.
type Detected = (&'static str, &'static str, Option<i64>, Option<i64>);

const TIMES: [Detected; 15] = [
    // The second fraction adds nothing to a time that has one.
    (
        "%{%F %T.}t%{msec_frac}t %{usec_frac}t",
        "2026-11-29 13:44:23.164 164001",
        Some(164_000),
        None,
    ),
    ("%{sec}t", "1795959863", Some(0), None),
    (
        "%{begin:msec}t %{end:usec}t",
        "1795959863164 1795959864000001",
        Some(164_000),
        Some(1_000_001),
    ),
    ("%{sec}t.%{msec_frac}t", "1795959863.164", Some(164_000), None),
    (
        "%{end:sec}t.%{end:usec_frac}t",
        "1795959863.164001",
        None,
        Some(164_001),
    ),
    ("%{end}t", "[29/Nov/2026:13:44:23 +0000]", None, Some(0)),
    (
        "[%{%d/%b/%Y %T}t.%{msec_frac}t %{%z}t]",
        "[29/Nov/2026 15:44:23.164 +0200]",
        Some(164_000),
        None,
    ),
    (
        "%{begin:%Y-%m-%dT%H:%M:%S}t.%{begin:usec_frac}t%{%z}t",
        "2026-11-29T13:44:23.164001+0000",
        Some(164_001),
        None,
    ),
    (
        "%{end:%F}tT%{end:%T}t%{end:%z}t",
        "2026-11-29T13:44:23+0000",
        None,
        Some(0),
    ),
    (
        "%{%F %T}t,%{msec_frac}t",
        "2026-11-29 13:44:23,164",
        Some(164_000),
        None,
    ),
    ("%{%c}t", "Sun Nov 29 13:44:23 2026", Some(0), None),
    ("%t.%{usec_frac}t", "[29/Nov/2026:13:44:23 +0000].000007", Some(7), None),
    // Not the same instant, and no whole time: only `%t` is left.
    (
        "%t %{end:msec_frac}t",
        "[29/Nov/2026:13:44:23 +0000] 164",
        Some(0),
        None,
    ),
    (
        "%{%H:%M}t %h %t",
        "13:44 ::1 [29/Nov/2026:13:44:23 +0000]",
        Some(0),
        None,
    ),
    (
        "%{%F %T}t %{msec}t",
        "2026-11-29 13:44:23 1795959863164",
        Some(164_000),
        None,
    ),
];

#[test]
fn times_of_several_pieces_are_put_together() {
    for (format, line, start, end) in TIMES {
        for (before, after) in [("", ""), ("%h ", " \"%r\"")] {
            let format = format!("{before}{format}{after}");
            let (lead, tail) = match before {
                "" => ("", ""),
                _ => ("::1 ", " \"GET / HTTP/1.1\""),
            };
            let line = format!("{lead}{line}{tail}");
            let template = apache(&format);
            let record = template.parse(line.as_bytes());
            let record = record.unwrap_or_else(|e| panic!("{format}: {e:?}"));
            let at =
                |clock: Option<Clock>| clock.map(|clock| (clock.at - AT).0);
            assert_eq!(at(record.start), start, "{format}");
            assert_eq!(at(record.end), end, "{format}");
        }
    }
}

#[test]
fn a_time_without_a_zone_takes_the_given_one() {
    let template = apache("%{%F %T}t %h").with_zone(7_200);
    let record = template.parse(b"2026-11-29 15:44:23 ::1").unwrap();
    assert_eq!(record.start.unwrap().at, AT);
}

#[test]
fn a_time_that_cannot_be_read_is_no_time() {
    assert!(!apache("%{%H:%M}t %h").has_time());
    assert!(!apache("%{%Q}t %h").has_time());
    assert!(apache("%{%j %Y %R}t %h").has_time());
}

#[test]
fn fixed_times_need_nothing_behind_them() {
    let record = nginx("$time_local$status");
    let record = record.parse(b"29/Nov/2026:13:44:23 +0000200").unwrap();
    assert_eq!((record.end.unwrap().at, record.status), (AT, 200));
    let template = nginx("$time_local $remote_addr");
    let record = template.parse(b"29/Nov/2026:13:44:23 +0000 ::1").unwrap();
    assert_eq!(&*record.address, b"::1");
}

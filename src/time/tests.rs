//! The readers against chrono.

use chrono::{FixedOffset, TimeZone, Utc};
use proptest::prelude::*;

use chrono::DateTime;

use super::*;

/// What chrono makes of a time in both texts.
fn by_chrono(text: &str, pattern: &str) -> Micros {
    let at = DateTime::parse_from_str(text, pattern)
        .unwrap_or_else(|e| panic!("{text}: {e}"));
    Micros(at.timestamp_micros())
}

const CLF: &str = "%d/%b/%Y:%H:%M:%S %z";

fn agree(at: DateTime<FixedOffset>) {
    let text = at.format(CLF).to_string();
    let got = clf(text.as_bytes()).map(|clock| clock.at);
    assert_eq!(got, Some(by_chrono(&text, CLF)), "{text}");
    let text = at.to_rfc3339();
    let got = rfc3339(text.as_bytes()).map(|clock| clock.at);
    assert_eq!(got, Some(Micros(at.timestamp_micros())), "{text}");
}

#[test]
fn every_minute_of_a_leap_year_is_chronos() {
    let zone = FixedOffset::east_opt(0).unwrap();
    let first = zone.with_ymd_and_hms(2028, 1, 1, 0, 0, 0).unwrap();
    for minute in 0..366 * 24 * 60 {
        let second = minute % 60;
        agree(first + chrono::Duration::seconds(minute * 60 + second));
    }
}

#[test]
fn month_ends_of_all_kinds_of_years_and_all_zones_are_chronos() {
    for year in [1900, 1970, 1999, 2000, 2024, 2026, 2100, 2400] {
        for month in 1..=12 {
            for day in [1, 28, 29, 30, 31] {
                for minutes in (-14 * 60..=14 * 60).step_by(105) {
                    let zone = FixedOffset::east_opt(minutes * 60).unwrap();
                    let at =
                        zone.with_ymd_and_hms(year, month, day, 23, 59, 59);
                    if let Some(at) = at.single() {
                        agree(at);
                    }
                }
            }
        }
    }
}

#[test]
fn a_leap_second_is_the_next_one() {
    let next = by_chrono("01/Jan/2017:00:00:00 +0000", CLF);
    let leap = clf(b"31/Dec/2016:23:59:60 +0000").unwrap();
    assert_eq!(leap.at, next);
    assert_eq!(rfc3339(b"2016-12-31T23:59:60Z").unwrap().at, next);
}

proptest! {
    #[test]
    fn damaged_times_are_read_as_chrono_reads_them_or_not_at_all(
        text in "[0-3][0-9]/(Jan|Feb|Jun|Xyz)/[0-9]{4}:[0-2][0-9]:[0-6][0-9]:[0-6][0-9] [+-][0-2][0-9][0-6][0-9]",
    ) {
        let ours = clf(text.as_bytes()).map(|clock| clock.at);
        let theirs = DateTime::parse_from_str(&text, CLF).ok();
        match (ours, theirs) {
            (Some(ours), Some(theirs)) if !text.contains(":60 ") => {
                prop_assert_eq!(ours.0, theirs.timestamp_micros());
            }
            // chrono knows a leap second at the end of a minute.
            (Some(_), Some(_)) => {}
            (ours, theirs) => {
                prop_assert_eq!(ours.is_some(), theirs.is_some());
            }
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let _read = (clf(&bytes), rfc3339(&bytes), epoch(&bytes));
        let _read = (span(&bytes), decimal(&bytes, Unit::Nanos));
        let _read = (strftime(&bytes, "%Y %z", 0), zone_offset(&bytes));
        let _read = yearless(&bytes, 0, Micros::ZERO);
    }
}

#[test]
fn the_finest_step_of_a_text_is_its_grain() {
    for (text, grain) in [
        ("2026-11-29T13:44:23Z", 1_000_000),
        ("2026-11-29T13:44:23.1Z", 100_000),
        ("2026-11-29 13:44:23,164+01:00", 1_000),
        ("2026-11-29T13:44:23.164123-0330", 1),
        ("2026-11-29T13:44:23.164123456Z", 1),
    ] {
        assert_eq!(rfc3339(text.as_bytes()).unwrap().grain, Micros(grain));
    }
    for text in ["2026-11-29T13:44:23", "2026-11-29T13:44:23.Z", "x"] {
        assert_eq!(
            rfc3339(text.as_bytes()).map(|c| c.grain),
            None.or_else(|| {
                // A dot without digits says no more than none.
                (text.ends_with(".Z")).then_some(Micros::SECOND)
            }),
            "{text}"
        );
    }
}

#[test]
fn nineteen_digits_lose_nothing() {
    let at = epoch(b"1785585660124000999").unwrap();
    assert_eq!(
        at,
        Clock { at: Micros(1_785_585_660_124_000), grain: Micros(1) }
    );
    assert_eq!(epoch(b"1795959863.164").unwrap().at.0, 1_795_959_863_164_000);
    assert_eq!(epoch(b"1795959863").unwrap().grain, Micros::SECOND);
    assert_eq!(epoch(b"1795959863164").unwrap().grain, Micros(1_000));
    assert_eq!(epoch(b"1795959863164007").unwrap().grain, Micros(1));
    assert_eq!(epoch(b"17959"), None);
    assert_eq!(epoch(b"99999999999999999999"), None);
}

#[test]
fn numbers_are_whole_decimals_and_nothing_else() {
    let of = |text: &str, unit| decimal(text.as_bytes(), unit);
    assert_eq!(of("60.002", Unit::Seconds), Some(Micros(60_002_000)));
    assert_eq!(of("60.0020019", Unit::Seconds), Some(Micros(60_002_001)));
    assert_eq!(of("60001", Unit::Millis), Some(Micros(60_001_000)));
    assert_eq!(of("60001.5", Unit::Millis), Some(Micros(60_001_500)));
    assert_eq!(of("60001999", Unit::Nanos), Some(Micros(60_001)));
    assert_eq!(of("7.9", Unit::Micros), Some(Micros(7)));
    assert_eq!(of("5.", Unit::Seconds), Some(Micros(5_000_000)));
    for text in ["", ".", "-1", "+1", "1e3", "1,5", "0x10", "1.2.3"] {
        assert_eq!(of(text, Unit::Seconds), None, "{text}");
    }
    assert_eq!(of("99999999999999999999", Unit::Seconds), None);
}

#[test]
fn spans_are_read_with_their_units() {
    let of = |text: &str| span(text.as_bytes()).map(|span| span.0);
    assert_eq!(of("1m0.00206173s"), Some(60_002_061));
    assert_eq!(of("60001ms"), Some(60_001_000));
    assert_eq!(of("1h30m"), Some(5_400_000_000));
    assert_eq!(of("2d"), Some(172_800_000_000));
    assert_eq!(of("1.5h"), Some(5_400_000_000));
    assert_eq!(of("12µs"), Some(12));
    assert_eq!(of("0"), Some(0));
    for text in ["", "5", "s", "5x", "-5s", "1m0"] {
        assert_eq!(of(text), None, "{text}");
    }
}

#[test]
fn instants_are_printed_as_they_are_read() {
    for text in [
        "2026-11-29T13:44:23Z",
        "2026-11-29T13:44:23.164Z",
        "1969-12-31T23:59:59.999999Z",
    ] {
        let at = rfc3339(text.as_bytes()).unwrap().at;
        assert_eq!(at.to_rfc3339(), text);
    }
    assert_eq!(Micros(i64::MAX).to_rfc3339(), format!("{}us", i64::MAX));
}

#[test]
fn a_time_without_a_year_is_of_the_last_one_it_can_be_of() {
    let now = rfc3339(b"2026-08-01T12:00:00Z").unwrap().at;
    let of = |text: &str, zone| {
        let clock = yearless(text.as_bytes(), zone, now);
        clock.map(|clock| clock.at.to_rfc3339()).unwrap_or_default()
    };
    assert_eq!(of("Aug  1 11:59:59", 0), "2026-08-01T11:59:59Z");
    assert_eq!(of("Aug 1 11:59:59", 0), "2026-08-01T11:59:59Z");
    assert_eq!(of("Aug  2 11:59:59", 0), "2026-08-02T11:59:59Z");
    assert_eq!(of("Aug  2 12:00:01", 0), "2025-08-02T12:00:01Z");
    assert_eq!(of("Aug  2 13:00:01", 7_200), "2026-08-02T11:00:01Z");
    assert_eq!(of("Dec 31 23:59:59.5", 0), "2025-12-31T23:59:59.5Z");
    assert_eq!(of("Jan 01 00:00:00", 0), "2026-01-01T00:00:00Z");
    assert_eq!(of("Feb 29 00:00:00", 0), "2024-02-29T00:00:00Z");
    for text in [
        "Aug 1",
        "Aug  1 11:59",
        "Aug 32 11:59:59",
        "Ago  1 11:59:59",
        "Aug  1 11:59:59 ",
        "Aug  11:59:59",
        "Aug 001 11:59:59",
    ] {
        assert_eq!(of(text, 0), "", "{text}");
    }
}

#[test]
fn a_pattern_without_a_zone_takes_the_one_given() {
    let pattern = "%Y/%m/%d %H:%M:%S";
    let text = b"2026/11/29 13:44:23";
    let utc = Utc.with_ymd_and_hms(2026, 11, 29, 13, 44, 23).unwrap();
    let east = strftime(text, pattern, 7_200).unwrap().at;
    assert_eq!(east.0, utc.timestamp_micros() - 7_200_000_000);
}

//! Reports to draw in the tests, made by hand.

use std::collections::BTreeMap;

use crate::collect::Marked;
use crate::detect::Verdict;
use crate::report::{
    BinReport, Cause, CeilingReport, ClientReport, Confidence, CostReport,
    EndedByReport, Fault, Finding, HoldsReport, InputReport, Output,
    RejectedReport, Report, Seconds, Severity, Side, StreamsReport, Style,
    TotalReport, TrendReport, WindowReport, write,
};
use crate::time::{Micros, Unit, rfc3339};

/// What a hostile client may log as its user agent.
pub(crate) const HOSTILE: &str =
    "=cmd|'/C calc'!A0\x1b]0;owned\x07\u{9b}31m\u{202e}\r\nOK - | open=0,\"é";

/// 2026-11-29T12:00:00Z.
const NOON: Micros = Micros(1_795_953_600_000_000);

/// The report as text.
pub(crate) fn rendered(report: &Report, style: &Style) -> String {
    let mut out = Vec::new();
    write(report, style, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The report in this output, all else as by default.
pub(crate) fn in_output(report: &Report, output: Output) -> String {
    rendered(report, &Style { output, ..Style::default() })
}

/// All the examples, for claims about every report.
pub(crate) fn all() -> Vec<Report> {
    let flat = flat();
    let bins = |bins: usize| Report {
        series: flat.series.iter().cycle().take(bins).cloned().collect(),
        ..flat.clone()
    };
    let mut censored = leak();
    censored.series.iter_mut().for_each(|bin| bin.trusted = false);
    let mut strange = restarted();
    for bin in &mut strange.series {
        (bin.mean, bin.clients) = (Some(f64::NAN), Some(f64::INFINITY));
    }
    vec![
        leak(),
        flat.clone(),
        unknown(),
        empty(),
        restarted(),
        days(),
        hostile(),
        bins(1),
        bins(2),
        bins(10_000),
        censored,
        strange,
    ]
}

/// One client of twelve leaves a stream open every four minutes.
pub(crate) fn leak() -> Report {
    let series = (0..240).map(|at| {
        let superseded = f64::from(at) / 4.0 - 1.0;
        let fall = f64::from((at - 233).max(0)) * 6.0;
        bin(at, 60, 12.0, (superseded.max(0.0) - fall).max(0.0), at <= 233)
    });
    Report {
        verdict: Verdict::Climbing,
        summary: "old streams are not closed: the streams that their own \
                  client had replaced climb by 15.0 an hour, 57.3 so far, \
                  and more opens explain none of it"
            .to_owned(),
        would_change: "opens that explain more than 30% of it (they explain \
                       0%)"
        .to_owned(),
        exit_code: 1,
        inputs: vec![input()],
        window: Some(window(240, 60, Some(233), &[])),
        streams: leak_streams(),
        trend: Some(TrendReport {
            metric: "superseded",
            slope_per_hour: 15.02,
            ci_low: 14.61,
            ci_high: 15.43,
            p_value: 3.1e-14,
            rise: 57.3,
            unexplained: None,
            from: time(0, 60),
            until: time(233, 60),
        }),
        total: Some(TotalReport {
            slope_per_hour: 15.04,
            ci_low: 14.6,
            ci_high: 15.48,
            p_value: 4.2e-14,
            rise: 57.4,
            limit_at: instant("2026-11-30T04:12:00Z"),
            limit_from: instant("2026-11-30T03:42:00Z"),
            limit_until: instant("2026-11-30T04:44:00Z"),
            limit_reached: Some(false),
        }),
        cost: Some(leak_cost()),
        fault: Some(leak_fault()),
        findings: vec![finding(
            "one-client",
            Severity::Warning,
            "one client holds 58 of the 69 open streams",
        )],
        clients: vec![
            client(
                "mcp-remote/0.9.1 (linux; x86_64) node/22.3.0 undici/6.19",
                "203.0.113.7",
                58,
            ),
            client("claude-desktop/1.4", "2001:db8:4006:80d::200e", 1),
            client("python-httpx/0.28.1", "198.51.100.23", 0),
        ],
        series: series.collect(),
        ..empty()
    }
}

/// Its streams.
fn leak_streams() -> StreamsReport {
    StreamsReport {
        ended: 388,
        open: 0,
        clients: 12,
        stream_hours: 172.4,
        hold_s: Some(HoldsReport {
            min: seconds(1.2),
            p50: seconds(299.9),
            p90: seconds(3_541.0),
            p99: seconds(3_600.1),
            max: seconds(3_600.4),
        }),
        ended_by: EndedByReport { client: 24, server: 364, unknown: 0 },
        ceiling: Some(CeilingReport {
            hold_s: seconds(3_600.0),
            share: 0.072,
        }),
    }
}

/// What it costs.
fn leak_cost() -> CostReport {
    CostReport {
        stream_hours: 153.6,
        superseded_hours: 107.0,
        stream_hours_per_day: 949.3,
        superseded_hours_per_day: 661.32,
        price_per_hour: Some(0.21),
        price: Some(32.26),
        wasted: Some(22.47),
        wasted_per_day: Some(138.88),
    }
}

/// Who is at fault for it.
fn leak_fault() -> Fault {
    Fault {
        side: Side::Client,
        cause: Cause::AbandonAndReopen,
        confidence: Confidence::Medium,
        evidence: vec![
            "203.0.113.7 opens every 5 min and keeps the old stream \
             in 57 of 58 cases"
                .to_owned(),
            "the server ends these at 1 h".to_owned(),
        ],
        next: vec![
            "update mcp-remote on 203.0.113.7".to_owned(),
            "cap the streams a client may hold at the server".to_owned(),
        ],
    }
}

/// Twelve clients with a stream each, reopened at a ceiling.
pub(crate) fn flat() -> Report {
    let series = (0..60)
        .map(|at| bin(at, 60, 12.0 - f64::from(at % 7 / 6), 0.0, at <= 58));
    Report {
        verdict: Verdict::Flat,
        summary: "concurrency does not climb: 12 streams all along".to_owned(),
        would_change: "superseded streams that rise by 3.0 or more".to_owned(),
        inputs: vec![input()],
        window: Some(window(60, 60, Some(59), &[])),
        streams: StreamsReport {
            ended: 708,
            open: 0,
            clients: 12,
            stream_hours: 11.8,
            hold_s: Some(HoldsReport {
                min: seconds(12.0),
                p50: seconds(59.9),
                p90: seconds(60.0),
                p99: seconds(60.1),
                max: seconds(60.4),
            }),
            ended_by: EndedByReport { client: 2, server: 706, unknown: 0 },
            ceiling: Some(CeilingReport {
                hold_s: seconds(60.0),
                share: 0.9971,
            }),
        },
        clients: vec![client("claude-desktop/1.4", "203.0.113.7", 0)],
        series: series.collect(),
        ..empty()
    }
}

/// A log without durations.
pub(crate) fn unknown() -> Report {
    let series = (0..60).map(|at| BinReport {
        closes: 0,
        min: None,
        mean: None,
        max: None,
        clients: None,
        superseded: None,
        ..bin(at, 60, 0.0, 0.0, false)
    });
    Report {
        verdict: Verdict::Unknown,
        summary: "this log says when streams end and not how long they were \
                  held; log $request_time to know"
            .to_owned(),
        exit_code: 3,
        inputs: vec![InputReport { duration_unit: None, ..input() }],
        window: Some(window(60, 60, None, &[])),
        series: series.collect(),
        findings: vec![finding(
            "no-durations",
            Severity::Critical,
            "no record has a duration",
        )],
        ..empty()
    }
}

/// An empty file.
pub(crate) fn empty() -> Report {
    Report {
        schema: 1,
        verdict: Verdict::Unknown,
        summary: "nothing was read".to_owned(),
        would_change: "a log with records in it".to_owned(),
        exit_code: 0,
        inputs: Vec::new(),
        window: None,
        streams: StreamsReport {
            ended: 0,
            open: 0,
            clients: 0,
            stream_hours: 0.0,
            hold_s: None,
            ended_by: EndedByReport::default(),
            ceiling: None,
        },
        trend: None,
        total: None,
        cost: None,
        baseline: None,
        fault: None,
        findings: Vec::new(),
        clients: Vec::new(),
        series: Vec::new(),
    }
}

/// A leak that a restart cut short in its middle.
pub(crate) fn restarted() -> Report {
    let series = (0..240).map(|at| {
        let since = f64::from(if at < 130 { at } else { at - 130 });
        bin(at, 60, 12.0, since / 4.0, at <= 225)
    });
    Report {
        verdict: Verdict::Stacked,
        window: Some(window(240, 60, Some(226), &[130])),
        series: series.collect(),
        ..leak()
    }
}

/// Two days and a half in bins of five minutes, with a spike.
pub(crate) fn days() -> Report {
    let series = (0..720).map(|at| {
        let hour = f64::from(at) / 12.0;
        let clients =
            20.0 + 12.0 * (hour * std::f64::consts::TAU / 24.0).sin();
        let spike = if at == 500 { 40.0 } else { 0.0 };
        bin(at, 300, clients, hour / 4.0 + spike, at <= 700)
    });
    Report {
        window: Some(window(720, 300, Some(701), &[300, 301])),
        series: series.collect(),
        ..leak()
    }
}

/// A flat log whose clients attack whoever reads the report.
pub(crate) fn hostile() -> Report {
    let mut report = leak();
    report.summary = format!("see {HOSTILE}");
    report.clients = vec![client(HOSTILE, "203.0.113.7", 1)];
    report.clients[0].key = HOSTILE.to_owned();
    report.inputs[0].name = format!("{HOSTILE}.log");
    report.inputs[0].first_rejected = Some(format!("line 7: {HOSTILE}"));
    report.inputs[0].error = Some(HOSTILE.to_owned());
    report.findings[0].text = HOSTILE.to_owned();
    let evidence = &mut report.findings[0].evidence;
    evidence.insert("user_agent", HOSTILE.into());
    if let Some(fault) = &mut report.fault {
        fault.evidence[0] = HOSTILE.to_owned();
        fault.next[0] = HOSTILE.to_owned();
    }
    report
}

/// The start of a bin.
pub(crate) fn time(bin: i64, step: i64) -> Micros {
    NOON + Micros::from_secs(bin * step)
}

/// A span in seconds.
fn seconds(secs: f64) -> Seconds {
    Seconds(Micros::from_secs_f64(secs))
}

/// An instant as RFC 3339 writes it.
fn instant(text: &str) -> Option<Micros> {
    rfc3339(text.as_bytes()).map(|clock| clock.at)
}

/// One bin.
fn bin(
    at: i32,
    step: i64,
    clients: f64,
    superseded: f64,
    trusted: bool,
) -> BinReport {
    let mean = clients + superseded;
    BinReport {
        t: time(at.into(), step),
        opens: 13,
        closes: 12,
        min: Some(mean.floor() as u64),
        mean: Some(mean),
        max: Some(mean.ceil() as u64),
        clients: Some(clients),
        superseded: Some(superseded),
        trusted,
    }
}

/// A window from noon, its times given as bins.
fn window(
    bins: usize,
    step: i64,
    trusted: Option<i64>,
    resets: &[i64],
) -> WindowReport {
    WindowReport {
        start: time(0, step),
        end: time(bins as i64, step),
        bin_s: Seconds(Micros::from_secs(step)),
        bins,
        trusted_from: trusted.map(|_| time(0, step)),
        trusted_until: trusted.map(|bin| time(bin, step)),
        resets: resets.iter().map(|&bin| time(bin, step)).collect(),
    }
}

/// One client.
fn client(user_agent: &str, address: &str, extra: u64) -> ClientReport {
    ClientReport {
        key: format!("{address} {user_agent}"),
        address: address.to_owned(),
        user_agent: user_agent.to_owned(),
        streams: 59 + extra,
        max_open: 1 + extra,
        superseded: extra as f64 / 2.0,
        unexplained: None,
        reason: (extra > 0).then(|| "outlives".to_owned()),
        reopen_s: Some(seconds(240.0)),
        overlaps: Some(extra.min(1) as f64),
        defect: None,
    }
}

/// One finding.
fn finding(code: &'static str, severity: Severity, text: &str) -> Finding {
    let evidence = BTreeMap::from([("open", 61.into())]);
    Finding { code, severity, text: text.to_owned(), evidence }
}

/// One input.
fn input() -> InputReport {
    InputReport {
        name: "/var/log/nginx/access.log".to_owned(),
        format: "nginx combined with $request_time".to_owned(),
        timestamp: Marked::End,
        format_reason: "as given".to_owned(),
        timestamp_reason: "nginx logs when a request ends".to_owned(),
        duration_unit: Some(Unit::Seconds),
        bytes: 48_123_456,
        records: 312_044,
        selected: 388,
        rejected: RejectedReport { shape: 2, time: 1, duration: 0, long: 0 },
        first_rejected: Some("line 17: no time in brackets".to_owned()),
        first: Some(time(0, 60)),
        last: Some(time(240, 60)),
        error: None,
    }
}

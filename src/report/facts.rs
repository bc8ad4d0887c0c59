//! The facts beside the plot and the tables: a label and a sentence each.

use super::page::Page;
use super::paint::Ink;
use super::words::{
    self, Days, chance, change, count, counted, date, mean, share, span, word,
};
use super::{
    Fault, Finding, InputReport, Report, Severity, StreamsReport, TotalReport,
    TrendReport, WindowReport,
};
use crate::detect::Nagios;

/// How many restarts are listed.
const RESTARTS: usize = 6;

/// The verdict and what it rests on.
pub(super) fn verdict(page: &mut Page<'_>, report: &Report) {
    answer(page, report);
    // Of an empty log enough is said.
    if report.inputs.iter().any(|input| input.bytes > 0) {
        page.fact("what if", Ink::Strong, &report.would_change);
    }
}

/// The verdict alone.
pub(super) fn answer(page: &mut Page<'_>, report: &Report) {
    let ink = match report.verdict.nagios() {
        Nagios::Ok => Ink::Good,
        Nagios::Warning => Ink::Warning,
        Nagios::Critical => Ink::Critical,
        Nagios::Unknown => Ink::Dim,
    };
    let word = format!("{}:", report.verdict.word().to_uppercase());
    page.paragraph(&word, ink, &report.summary);
}

/// Who is at fault, why, and what to check next.
pub(super) fn fault(page: &mut Page<'_>, fault: &Fault) {
    let side = format!(
        "{}: {}, {} confidence",
        word(&fault.side),
        word(&fault.cause).replace('-', " "),
        word(&fault.confidence)
    );
    page.fact("fault", Ink::Strong, &side);
    for line in &fault.evidence {
        page.fact("", Ink::Plain, &format!("- {line}"));
    }
    for (at, line) in fault.next.iter().enumerate() {
        let label = if at == 0 { "check next" } else { "" };
        page.fact(label, Ink::Strong, &format!("{}. {line}", at + 1));
    }
}

/// Which stretch of time was looked at, and what in it cannot be seen.
/// Without streams nothing can be judged, which the verdict says.
pub(super) fn window(
    page: &mut Page<'_>,
    window: &WindowReport,
    report: &Report,
) {
    let days = Days::between(window.start, window.end);
    let dated = |at| format!("{} {}", date(at), Days::One.time(at));
    let start = dated(window.start);
    let end = match days {
        Days::One => Days::One.time(window.end),
        Days::Many => dated(window.end),
    };
    let length = span(window.end - window.start);
    let bins = match window.bins {
        0 => String::new(),
        bins => format!(
            " in {} of {}",
            counted(bins as u64, "bin"),
            span(window.bin_s.0)
        ),
    };
    let text = format!("{start} to {end} UTC: {length}{bins}");
    page.fact("window", Ink::Strong, &text);
    if report.has_streams() {
        let mut findings = report.findings.iter();
        let censored = findings.find(|it| it.code == "censored-tail");
        let text = trusted(window, days, censored);
        page.fact("trusted", Ink::Strong, &text);
    }
    page.fact("restarts", Ink::Strong, &restarts(window, days));
}

/// The part of the window that can be judged, and why not all of it.
fn trusted(
    window: &WindowReport,
    days: Days,
    censored: Option<&Finding>,
) -> String {
    let why = censored.map(|finding| finding.text.as_str());
    let Some(until) = window.trusted_until else {
        return why.unwrap_or("no part of it can be judged").to_owned();
    };
    let from = window.trusted_from.unwrap_or(window.start);
    let part = format!("{} to {}", days.time(from), days.time(until));
    match why {
        Some(why) => format!("{part}; {why}"),
        None => part,
    }
}

/// The restarts, the first of them if there are many.
fn restarts(window: &WindowReport, days: Days) -> String {
    let resets = window.resets.iter().take(RESTARTS);
    let times: Vec<String> = resets.map(|at| days.time(*at)).collect();
    if times.is_empty() {
        return String::new();
    }
    let more = match window.resets.len().saturating_sub(RESTARTS) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "{}{more}: most open streams were closed at once; segments are tested \
         separately",
        times.join(", ")
    )
}

/// How fast the superseded streams climb.
pub(super) fn trend(
    page: &mut Page<'_>,
    trend: &TrendReport,
    report: &Report,
) {
    let days = report
        .window
        .as_ref()
        .map_or(Days::Many, |window| Days::between(window.start, window.end));
    let text = format!(
        "{}, {}; rise {} from {} to {}",
        slope(trend.slope_per_hour, trend.ci_low, trend.ci_high),
        chance(trend.p_value),
        change(trend.rise),
        days.time(trend.from),
        days.time(trend.until)
    );
    page.fact(trend.metric, Ink::Strong, &text);
}

/// How fast all open streams climb.
pub(super) fn total(page: &mut Page<'_>, total: &TotalReport) {
    let limit = limit(total).map(|text| format!("; the limit {text}"));
    let text = format!(
        "{}, {}; rise {} over the window{}",
        slope(total.slope_per_hour, total.ci_low, total.ci_high),
        chance(total.p_value),
        change(total.rise),
        limit.unwrap_or_default()
    );
    page.fact("all open", Ink::Strong, &text);
}

/// When the limit is reached, if it was asked for.
fn limit(total: &TotalReport) -> Option<String> {
    let times = [total.limit_at, total.limit_from, total.limit_until];
    // A forecast may be years ahead.
    let dated = |at| format!("{} {}", date(at), Days::One.time(at));
    Some(match (total.limit_reached?, times.map(|at| at.map(dated))) {
        (true, [at, ..]) => format!("was first reached {}", at?),
        (false, [Some(at), Some(from), Some(until)]) => {
            format!("is reached {at} at this rate (95%: {from} to {until})")
        }
        (false, [_, Some(from), None]) => {
            format!("may never be reached (95%: not before {from})")
        }
        (false, _) => "is not reached at this rate".to_owned(),
    })
}

/// A slope with its interval.
fn slope(slope: f64, low: f64, high: f64) -> String {
    let (slope, low, high) = (change(slope), change(low), change(high));
    format!("{slope} an hour (95%: {low} to {high})")
}

/// What else was seen.
pub(super) fn findings(page: &mut Page<'_>, report: &Report) {
    for finding in report.findings.iter().filter(|it| !said(it, report)) {
        let ink = match finding.severity {
            Severity::Info => Ink::Strong,
            Severity::Warning => Ink::Warning,
            Severity::Critical => Ink::Critical,
        };
        page.fact(&word(&finding.severity), ink, &finding.text);
    }
}

/// Whether the page says it already, beside the window.
fn said(finding: &Finding, report: &Report) -> bool {
    let codes = ["censored-tail", "restarts"];
    report.window.is_some() && codes.contains(&finding.code)
}

/// The streams: how many, how long, and who ended them.
pub(super) fn streams(page: &mut Page<'_>, streams: &StreamsReport) {
    if streams.ended == 0 && streams.open == 0 && streams.clients == 0 {
        return;
    }
    let ended = count(streams.ended);
    let open = match streams.open {
        0 => String::new(),
        open => format!(", {} known to be open at the end", count(open)),
    };
    let clients = counted(streams.clients, "client");
    let hours = mean(streams.stream_hours);
    let text = format!("{ended} ended{open}, {clients}, {hours} stream hours");
    page.fact("streams", Ink::Strong, &text);
    page.fact("held", Ink::Strong, &durations(streams));
    if let Some(ceiling) = streams.ceiling {
        let text = format!(
            "{}: {} of the ended streams end there",
            span(ceiling.hold_s.0),
            share(ceiling.share)
        );
        page.fact("ceiling", Ink::Strong, &text);
    }
    page.fact("ended by", Ink::Strong, &ended_by(streams));
}

/// The quantiles of the durations.
fn durations(streams: &StreamsReport) -> String {
    let Some(holds) = streams.hold_s else {
        return String::new();
    };
    let parts = [
        ("min", holds.min),
        ("median", holds.p50),
        ("p90", holds.p90),
        ("p99", holds.p99),
        ("max", holds.max),
    ];
    let parts =
        parts.map(|(name, length)| format!("{name} {}", span(length.0)));
    parts.join(", ")
}

/// Who ended the streams, the most frequent first.
fn ended_by(streams: &StreamsReport) -> String {
    let by = streams.ended_by;
    let mut parts = [
        ("client", by.client),
        ("server", by.server),
        ("unknown", by.unknown),
    ];
    parts.sort_by_key(|&(_, number)| std::cmp::Reverse(number));
    let all = parts.iter().map(|&(_, number)| number as f64).sum::<f64>();
    let known = parts.iter().filter(|&&(_, number)| number > 0);
    if by.client + by.server == 0 && by.unknown > 0 {
        return "this log does not tell".to_owned();
    }
    let texts: Vec<String> = known
        .map(|&(name, number)| {
            let share = share(number as f64 / all);
            format!("{name} {} ({share})", count(number))
        })
        .collect();
    texts.join(", ")
}

/// What was read, one entry an input.
pub(super) fn inputs(page: &mut Page<'_>, report: &Report) {
    let top = page.style().top.max(1);
    for input in report.inputs.iter().take(top) {
        page.fact("read", Ink::Strong, &input_read(input));
        page.fact("", Ink::Plain, &input_format(input));
        page.fact("", Ink::Plain, &input_time(input));
        page.fact("", Ink::Plain, &input_rejected(input));
        if let Some(error) = &input.error {
            // The lines that point at the place are on standard error.
            let told = error.split(":\n  ").next().unwrap_or_default();
            page.fact("error", Ink::Critical, told);
        }
    }
    let rest = report.inputs.get(top..).unwrap_or_default();
    if !rest.is_empty() {
        let selected = rest.iter().map(|input| input.selected);
        let selected = count(selected.fold(0, u64::saturating_add));
        let inputs = counted(rest.len() as u64, "input");
        let text = format!("and {inputs} more, {selected} selected");
        page.fact("", Ink::Plain, &text);
    }
}

/// What an input is and how much of it was selected.
fn input_read(input: &InputReport) -> String {
    let name = if input.name == "-" { "standard input" } else { &input.name };
    let size = words::bytes(input.bytes);
    let records = counted(input.records, "record");
    let selected = count(input.selected);
    if input.bytes == 0 {
        return match input.error {
            Some(_) => name.to_owned(),
            None => format!("{name}: empty"),
        };
    }
    let format = match input.format.as_str() {
        "unknown" => "unknown format",
        format => format,
    };
    let text = format!("{name}: {format}, {size}, {records}");
    let times = input.first.zip(input.last).map(|(first, last)| {
        let days = Days::between(first, last);
        format!(" from {} to {}", days.time(first), days.time(last))
    });
    format!("{text}{}, {selected} selected", times.unwrap_or_default())
}

/// Why its format was taken, where another one fits too.
fn input_format(input: &InputReport) -> String {
    if input.format_reason.contains([';', ',']) {
        input.format_reason.clone()
    } else {
        String::new()
    }
}

/// What its times and durations mean, and why. Nothing where no stream asks
/// for it.
fn input_time(input: &InputReport) -> String {
    if input.selected == 0 {
        return String::new();
    }
    let unit = input.duration_unit.map_or_else(String::new, |unit| {
        format!("; durations in {}", unit.name())
    });
    let marked = input.timestamp.word();
    let reason = input.timestamp_reason.as_str();
    if reason.is_empty() {
        format!("its time is the {marked}{unit}")
    } else if let Some(why) = reason.strip_prefix("undecided: ") {
        format!("its time is taken for the {marked} ({why}){unit}")
    } else {
        format!("its time is the {marked} ({reason}){unit}")
    }
}

/// What could not be read, by reason, and the first of it.
fn input_rejected(input: &InputReport) -> String {
    let by = input.rejected;
    let parts = [
        ("shape", by.shape),
        ("time", by.time),
        ("duration", by.duration),
        ("length", by.long),
    ];
    let known = parts.iter().filter(|&&(_, number)| number > 0);
    let texts: Vec<String> = known
        .map(|&(name, number)| format!("{} for their {name}", count(number)))
        .collect();
    if texts.is_empty() {
        return String::new();
    }
    let first = input.first_rejected.as_ref();
    let first = first.map(|first| format!("; the first: {first}"));
    format!("rejected: {}{}", texts.join(", "), first.unwrap_or_default())
}

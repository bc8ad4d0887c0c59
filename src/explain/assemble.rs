//! The report put together: everything computed, nothing printed.

use std::collections::HashMap;

use crate::collect::{Dialect, Harvest, Marked, Reading};
use crate::detect::{Found, Options, Reach, SlopeTest, analyse_inputs};
use crate::explain::{
    diagnosis::diagnose,
    findings::findings,
    known::known_defect,
    summary::{CONFIDENCE, summary, would_change},
};
use crate::format::Format;
use crate::report::{
    BaselineReport, BinReport, CeilingReport, ClientReport, CostReport,
    EndedByReport, HoldsReport, InputReport, RejectedReport, Report, Seconds,
    StreamsReport, TotalReport, TrendReport, WindowReport,
};
use crate::series::Bin;
use crate::streams::{Enders, InputTimes, Standing};
use crate::time::Micros;

/// The report of what was found, and in the log of the hop before if there
/// is one; `exit_code` is the status it asks for.
///
/// # Errors
///
/// The log of the hop before cannot be analysed.
pub fn report(
    found: &Found,
    options: &Options,
    exit_code: u8,
) -> anyhow::Result<Report> {
    let front = options.front.as_ref().map(std::slice::from_ref);
    let front =
        front.map(|front| analyse_inputs(front, options)).transpose()?;
    Ok(Report {
        schema: 1,
        verdict: found.verdict(),
        summary: summary(found),
        would_change: would_change(found, &options.judge.settings),
        exit_code,
        inputs: found
            .harvests
            .iter()
            .zip(&found.log.inputs)
            .map(|(harvest, times)| input(harvest, times))
            .collect(),
        window: window(found),
        streams: streams(found),
        trend: trend(found),
        total: total(found),
        cost: cost(found, options.price),
        baseline: baseline(found),
        fault: diagnose(found, front.as_ref()),
        findings: findings(found),
        clients: clients(found, options.top),
        series: series(found),
    })
}

/// One input's part.
fn input(harvest: &Harvest, times: &InputTimes) -> InputReport {
    let tally = &harvest.found.tally;
    let dialects = &harvest.found.dialects;
    let main = harvest.found.main_dialect();
    let reading = main.map(|dialect| &times.readings[dialect]);
    let unit = main.and_then(|dialect| dialects[dialect].format.unit());
    let layout = harvest.layout.as_ref();
    InputReport {
        name: harvest.input.name(),
        format: format_name(harvest),
        format_reason: layout.map_or_else(String::new, |l| l.reason.clone()),
        timestamp: reading.map_or(Marked::End, |r| r.marked),
        timestamp_reason: timestamp_reason(dialects, &times.readings, main),
        duration_unit: unit.zip(reading).map(|(_, r)| r.unit),
        bytes: harvest.bytes,
        records: tally.records,
        selected: tally.selected,
        rejected: RejectedReport {
            shape: tally.shape,
            time: tally.time,
            duration: tally.duration,
            long: tally.long,
        },
        first_rejected: harvest.found.first_rejected(),
        first: times.first,
        last: times.last,
        error: harvest.error.clone(),
    }
}

/// The formats of an input, the one most of it has first.
fn format_name(harvest: &Harvest) -> String {
    let Some(layout) = &harvest.layout else { return "unknown".to_owned() };
    let own: Vec<String> = layout.formats.iter().map(Format::name).collect();
    let all =
        harvest.found.dialects.iter().map(|dialect| dialect.format.name());
    let told: Vec<String> = all.filter(|name| !own.contains(name)).collect();
    [vec![layout.name()], told].concat().join(", ")
}

/// How it was decided what the times of an input mean: for each dialect with a
/// stream, where they differ.
fn timestamp_reason(
    dialects: &[Dialect],
    readings: &[Reading],
    main: Option<usize>,
) -> String {
    let Some(main) = main else { return String::new() };
    let other = |(dialect, reading): &(&Dialect, &Reading)| {
        dialect.selected > 0 && reading.reason != readings[main].reason
    };
    let others = dialects.iter().zip(readings).filter(other);
    let others = others.map(|(dialect, reading)| {
        let (name, marked) = (dialect.format.name(), reading.marked.word());
        format!("; of {name}, the {marked} ({})", reading.reason)
    });
    format!("{}{}", readings[main].reason, others.collect::<String>())
}

fn window(found: &Found) -> Option<WindowReport> {
    let (start, end) = (found.log.first?, found.log.last?);
    let resets = found.detection.iter().flat_map(|d| &d.restarts);
    let trusted = found.trusted_until().filter(|until| *until > start);
    Some(WindowReport {
        start,
        end,
        bin_s: Seconds(found.series.step),
        bins: found.series.bins.len(),
        trusted_from: trusted.map(|_| start),
        trusted_until: trusted,
        resets: resets.map(|restart| restart.from).collect(),
    })
}

fn streams(found: &Found) -> StreamsReport {
    let all = &found.log.streams;
    let open = all.iter().filter(|s| s.closed.is_none());
    let last = found.log.last.unwrap_or_default();
    let open_time = open.clone().fold(Micros::ZERO, |sum, stream| {
        sum + (last - stream.opened).max(Micros::ZERO)
    });
    let held = found.holds.sum() + open_time;
    let Enders { client, server, unknown } = Enders::of(all.iter());
    let ceiling = found.holds.ceiling();
    StreamsReport {
        ended: found.holds.count() as u64,
        open: open.count() as u64,
        clients: found.standings.len() as u64,
        stream_hours: held.as_secs() / 3600.0,
        hold_s: holds(found),
        ended_by: EndedByReport {
            client: client as u64,
            server: server as u64,
            unknown: unknown as u64,
        },
        ceiling: ceiling.map(|ceiling| CeilingReport {
            hold_s: Seconds(ceiling.hold),
            share: ceiling.share,
        }),
    }
}

fn holds(found: &Found) -> Option<HoldsReport> {
    let at = |share| found.holds.quantile(share).map(Seconds);
    Some(HoldsReport {
        min: at(0.0)?,
        p50: at(0.5)?,
        p90: at(0.9)?,
        p99: at(0.99)?,
        max: at(1.0)?,
    })
}

fn trend(found: &Found) -> Option<TrendReport> {
    let shown = found.detection.as_ref()?.superseded?;
    let (slope, low, high) = hourly(&shown.test);
    Some(TrendReport {
        metric: "superseded",
        slope_per_hour: slope,
        ci_low: low,
        ci_high: high,
        p_value: shown.test.p,
        rise: shown.test.rise,
        unexplained: None,
        from: shown.from,
        until: shown.until,
    })
}

fn total(found: &Found) -> Option<TotalReport> {
    let climb = found.figures.climb.as_ref()?;
    let (slope, low, high) = hourly(&climb.test);
    let reach = found.figures.forecast.map(|forecast| forecast.reach);
    let [at, from, until] = match reach.unwrap_or(Reach::Unknown) {
        Reach::Was(at) => [Some(at); 3],
        Reach::Will { at, from, until } => [Some(at), Some(from), until],
        Reach::Never | Reach::Unknown => [None; 3],
    };
    Some(TotalReport {
        slope_per_hour: slope,
        ci_low: low,
        ci_high: high,
        p_value: climb.test.p,
        rise: climb.test.rise,
        limit_at: at,
        limit_from: from,
        limit_until: until,
        limit_reached: reach.map(|reach| matches!(reach, Reach::Was(_))),
    })
}

/// What the streams of the trusted window cost.
fn cost(found: &Found, price: Option<f64>) -> Option<CostReport> {
    let hours = found.figures.hours?;
    let superseded_a_day = hours.a_day(hours.superseded);
    Some(CostReport {
        stream_hours: hours.total,
        superseded_hours: hours.superseded,
        stream_hours_per_day: hours.a_day(hours.total),
        superseded_hours_per_day: superseded_a_day,
        price_per_hour: price,
        price: price.map(|price| price * hours.total),
        wasted: price.map(|price| price * hours.superseded),
        wasted_per_day: price.map(|price| price * superseded_a_day),
    })
}

fn baseline(found: &Found) -> Option<BaselineReport> {
    let base = found.baseline.as_ref()?;
    Some(BaselineReport {
        name: base.name.clone(),
        from: base.from,
        until: base.until,
        slope_per_hour: base.superseded.slope * 3600.0,
        level: base.level.mean,
    })
}

/// A slope and its interval in streams an hour.
fn hourly(test: &SlopeTest) -> (f64, f64, f64) {
    let (low, high) = test.interval(CONFIDENCE);
    (test.slope * 3600.0, low * 3600.0, high * 3600.0)
}

fn clients(found: &Found, top: usize) -> Vec<ClientReport> {
    let flagged = found.detection.iter().flat_map(|d| d.flagged());
    let reasons: HashMap<u32, String> = flagged
        .map(|f| (f.evidence.unit, f.reason.word().to_owned()))
        .collect();
    let one = |standing: &Standing| {
        let client = found.client(standing);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (address, agent) = (text(&client.address), text(&client.agent));
        let both = [address.as_str(), agent.as_str()];
        let named = both.iter().filter(|text| !text.is_empty()).copied();
        ClientReport {
            key: named.collect::<Vec<_>>().join(" "),
            address,
            user_agent: agent,
            streams: standing.streams,
            max_open: standing.max_open,
            superseded: standing.superseded,
            unexplained: None,
            reason: reasons.get(&standing.key.0).cloned(),
            reopen_s: standing.reopen.map(Seconds),
            overlaps: standing.overlaps,
            defect: known_defect(&client.agent).map(ToString::to_string),
        }
    };
    found.standings.iter().take(top).map(one).collect()
}

fn series(found: &Found) -> Vec<BinReport> {
    let until = found.trusted_until();
    let step = found.series.step;
    // Without holds only the openings are known.
    let known = found.detection.is_some() || found.log.unheld.is_empty();
    let one = |bin: &Bin| BinReport {
        t: bin.start,
        opens: bin.opens,
        closes: bin.closes,
        min: known.then_some(bin.min),
        mean: known.then_some(bin.mean),
        max: known.then_some(bin.max),
        clients: known.then_some(bin.clients),
        superseded: known.then_some(bin.superseded),
        trusted: until.is_some_and(|until| {
            (bin.start + step).min(found.log.last.unwrap_or(until)) <= until
        }),
    };
    found.series.bins.iter().map(one).collect()
}

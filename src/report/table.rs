//! The report for people: what matters most comes first.

use std::io;

use super::facts;
use super::grid::{self, Column};
use super::human::{Days, count, counted, mean};
use super::page::Page;
use super::paint::Ink;
use super::plot;
use super::{BinReport, ClientReport, Report, Style};

/// How many of the last bins are listed.
const LAST_BINS: usize = 10;

/// Writes the whole page.
pub(super) fn write(
    report: &Report,
    style: &Style,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut page = Page::new(style);
    if style.plot {
        plot::write(&mut page, report);
    }
    page.gap();
    facts::verdict(&mut page, report);
    if let Some(fault) = &report.fault {
        page.gap();
        facts::fault(&mut page, fault);
    }
    page.gap();
    if let Some(window) = &report.window {
        facts::window(&mut page, window);
    }
    if let Some(trend) = &report.trend {
        facts::trend(&mut page, trend, report);
    }
    if let Some(total) = &report.total {
        facts::total(&mut page, total);
    }
    facts::findings(&mut page, report);
    clients(&mut page, report);
    page.gap();
    facts::streams(&mut page, &report.streams);
    bins(&mut page, report);
    page.gap();
    facts::inputs(&mut page, report);
    out.write_all(page.into_text().as_bytes())
}

/// The table of the clients that matter most.
fn clients(page: &mut Page<'_>, report: &Report) {
    let style = page.style();
    let top = style.top.min(report.clients.len());
    let (shown, rest) = report.clients.split_at(top);
    if shown.is_empty() {
        return;
    }
    page.gap();
    page.heading("clients, worst first");
    for line in grid::lines(client_columns(shown, style), style) {
        page.line(&line);
    }
    if !rest.is_empty() {
        page.line(&format!("and {} more", count(rest.len() as u64)));
    }
}

/// The columns of that table.
fn client_columns(shown: &[ClientReport], style: &Style) -> Vec<Column> {
    let plain = |client: &ClientReport| {
        client.address.is_empty() && client.user_agent.is_empty()
    };
    let cells = || shown.iter();
    let mut columns = if shown.iter().all(plain) {
        let keys = cells().map(|client| client.key.as_str());
        vec![Column::texts("client", 0, 12, style, keys)]
    } else {
        let agents = cells().map(|client| client.user_agent.as_str());
        let addresses = cells().map(|client| client.address.as_str());
        vec![
            Column::texts("user agent", 0, 18, style, agents),
            Column::texts("address", 2, 24, style, addresses),
        ]
    };
    let streams = cells().map(|client| count(client.streams));
    columns.push(Column::numbers("streams", 5, streams));
    let most = cells().map(|client| count(client.max_open));
    columns.push(Column::numbers("max open", 4, most));
    let superseded = cells().map(|client| mean(client.superseded));
    columns.push(Column::numbers("superseded", 1, superseded));
    if shown.iter().any(|client| client.unexplained.is_some()) {
        let unexplained = cells()
            .map(|client| client.unexplained.map_or("-".to_owned(), mean));
        columns.push(Column::numbers("unexplained", 3, unexplained));
    }
    columns
}

/// The table of the last bins.
fn bins(page: &mut Page<'_>, report: &Report) {
    if !report.has_streams() {
        return;
    }
    let style = page.style();
    let all = &report.series;
    let last = &all[all.len().saturating_sub(LAST_BINS)..];
    let (Some(first), Some(end)) = (all.first(), all.last()) else {
        return;
    };
    page.gap();
    page.heading(&format!("the last of {}", counted(all.len() as u64, "bin")));
    let days = Days::between(&first.t, &end.t);
    let columns = bin_columns(last, days, style);
    for (at, line) in grid::lines(columns, style).iter().enumerate() {
        // The head and its rule come before the bins.
        let bin = at.checked_sub(2).and_then(|at| last.get(at));
        let trusted = bin.is_none_or(|bin| bin.trusted);
        let ink = if trusted { Ink::Plain } else { Ink::Dim };
        page.line(&ink.paint(style.color, line));
    }
}

/// The columns of that table.
fn bin_columns(bins: &[BinReport], days: Days, style: &Style) -> Vec<Column> {
    let unknown = || "-".to_owned();
    let counts = |head, rank, number: fn(&BinReport) -> Option<u64>| {
        let cells = bins.iter().map(number);
        let cells = cells.map(|cell| cell.map_or_else(unknown, count));
        Column::numbers(head, rank, cells)
    };
    let means = |head, rank, number: fn(&BinReport) -> Option<f64>| {
        let cells = bins.iter().map(number);
        let cells = cells.map(|cell| cell.map_or_else(unknown, mean));
        Column::numbers(head, rank, cells)
    };
    let times: Vec<String> =
        bins.iter().map(|bin| days.time(&bin.t)).collect();
    let times = times.iter().map(String::as_str);
    let trusted = bins.iter().map(|bin| match bin.trusted {
        true => "yes",
        false => "not yet",
    });
    vec![
        Column::texts("time", 0, 8, style, times),
        counts("opens", 4, |bin| Some(bin.opens)),
        counts("closes", 5, |bin| Some(bin.closes)),
        counts("min", 6, |bin| bin.min),
        means("mean", 0, |bin| bin.mean),
        counts("max", 2, |bin| bin.max),
        means("clients", 3, |bin| bin.clients),
        means("superseded", 1, |bin| bin.superseded),
        Column::texts("trusted", 2, 7, style, trusted),
    ]
}

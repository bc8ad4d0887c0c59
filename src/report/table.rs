//! The report for people: what matters most comes first.

use std::io;

use super::cost;
use super::facts;
use super::grid::{self, Column};
use super::page::Page;
use super::paint::Ink;
use super::plot;
use super::words::{Days, count, counted, mean, share};
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
        facts::window(&mut page, window, report);
    }
    if let Some(trend) = &report.trend {
        facts::trend(&mut page, trend, report);
    }
    if let Some(total) = &report.total {
        facts::total(&mut page, total);
    }
    if let Some(cost) = &report.cost {
        cost::write(&mut page, cost);
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
    if shown.iter().any(|client| client.reason.is_some()) {
        let reasons =
            cells().map(|client| client.reason.as_deref().unwrap_or("-"));
        columns.push(Column::texts("why", 3, 10, style, reasons));
    }
    if shown.iter().any(|client| client.overlaps.is_some()) {
        let overlaps = cells()
            .map(|client| client.overlaps.map_or("-".to_owned(), share));
        columns.push(Column::numbers("overlaps", 6, overlaps).spare());
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
    let days = Days::between(first.t, end.t);
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
    let times: Vec<String> = bins.iter().map(|bin| days.time(bin.t)).collect();
    let times = times.iter().map(String::as_str);
    let trusted =
        bins.iter().map(|bin| if bin.trusted { "yes" } else { "not yet" });
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

#[cfg(test)]
mod tests {
    use super::super::fit::width;
    use super::super::tests::example::{
        all, flat, hostile, leak, rendered, unknown,
    };
    use super::*;

    /// A text without its escape sequences for colours.
    fn uncoloured(text: &str) -> String {
        let mut parts = text.split("\x1b[");
        let mut plain = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (code, rest) = part.split_once('m').expect("a colour");
            assert!(code.bytes().all(|b| b.is_ascii_digit() || b == b';'));
            plain.push_str(rest);
        }
        plain
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for report in all() {
            for columns in 40..=200 {
                // One of the two that differ in how they are cut.
                let unicode = columns % 2 == 0;
                let style =
                    Style { width: columns, unicode, ..Style::default() };
                let text = rendered(&report, &style);
                for line in text.lines() {
                    assert!(width(line) <= columns, "{columns}: {line}");
                    assert_eq!(line.trim_end(), line);
                }
            }
        }
    }

    #[test]
    fn ascii_is_ascii_and_colours_come_only_when_wanted() {
        for report in all() {
            let plain = rendered(&report, &Style::default());
            assert!(plain.is_ascii(), "{plain}");
            let shows = |c: char| c == '\n' || !c.is_control();
            assert!(plain.chars().all(shows), "{plain}");
            let color = Style { color: true, ..Style::default() };
            let colored = rendered(&report, &color);
            assert!(colored.contains("\x1b["), "{colored}");
            let colored = uncoloured(&colored);
            let lines = colored.lines().map(str::trim_end);
            assert!(lines.eq(plain.lines()), "{colored}");
        }
    }

    #[test]
    fn what_clients_log_is_shown_and_not_obeyed() {
        for unicode in [true, false] {
            for color in [true, false] {
                let style = Style { unicode, color, ..Style::default() };
                let style = Style { width: 200, ..style };
                let text = uncoloured(&rendered(&hostile(), &style));
                let obeyed =
                    |c| c == '\u{202e}' || char::is_control(c) && c != '\n';
                assert!(!text.contains(obeyed), "{text}");
                let shown = r"\x1b]0;owned\x07\x9b31m\u{202e}\r\nOK";
                // Summary, fault and next, finding, client, input's name,
                // first rejected and error.
                assert_eq!(text.matches(shown).count(), 8, "{text}");
            }
        }
    }

    #[test]
    fn a_report_has_its_parts_in_the_order_a_reader_wants_them() {
        let text = rendered(&leak(), &Style::default());
        let parts = [
            "open streams, 2026-11-29",
            "CLIMBING: old streams are not closed",
            "\nfault       client: abandon and reopen, medium confidence",
            "\ncheck next  1. update mcp-remote",
            "\nwindow      2026-11-29 12:00:00 to 16:00:00 UTC: 4 h",
            "\ntrusted     12:00:00 to 15:53:00",
            "\nsuperseded  +15.0 an hour",
            "\nall open    +15.0 an hour",
            "\ncost        107.0 of 153.6 trusted stream hours were",
            "\n            at 0.21 an hour: 22.47 of 32.26 wasted, 138.88",
            "\nclients, worst first\n",
            "\nheld        min 1.2 s, median 5 min, p90 59 min 1 s",
            "\nceiling     1 h: 7% of the ended streams end there",
            "\nended by    server 364 (94%), client 24 (6%)",
            "\nthe last of 240 bins\n",
            "\nread        /var/log/nginx/access.log: nginx combined",
        ];
        let places = parts.map(|part| {
            text.find(part).unwrap_or_else(|| panic!("{part} in {text}"))
        });
        assert!(places.is_sorted(), "{places:?} in {text}");
    }

    #[test]
    fn the_last_bins_say_which_of_them_are_not_all_logged() {
        let text = rendered(&leak(), &Style::default());
        let rows = |end: &str| {
            text.lines().filter(|line| line.ends_with(end)).count()
        };
        // Bins 230 to 239, of which 233 is the last trusted.
        assert_eq!((rows("  yes"), rows("  not yet")), (4, 6), "{text}");
        let row = "15:53:00     13      12   69  69.3   70     12.0        \
                   57.3  yes\n";
        assert!(text.contains(row), "{text}");
    }

    #[test]
    fn levels_that_are_not_known_are_no_zeros() {
        let text = rendered(&unknown(), &Style::default());
        let row = "12:59:00     13       0    -     -    -        -           \
                   -  not yet\n";
        assert!(text.contains(row), "{text}");
        assert!(text.starts_with("no plot: "), "{text}");
    }

    #[test]
    fn lists_are_as_long_as_wanted() {
        let style = Style { top: 2, plot: false, ..Style::default() };
        let text = rendered(&leak(), &style);
        assert!(text.starts_with("CLIMBING: "), "{text}");
        assert!(text.contains("\nclaude-desktop/1.4 "));
        assert!(!text.contains("\npython-httpx"));
        assert!(text.contains("\nand 1 more\n"));
        let mut many = flat();
        many.inputs = vec![many.inputs[0].clone(); 5];
        let text = rendered(&many, &style);
        assert_eq!(text.matches("/var/log/nginx/access.log").count(), 2);
        assert!(text.contains("and 3 inputs more, 1,164 selected"));
    }
}

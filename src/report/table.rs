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
    let counts = |head, rank, number: fn(&BinReport) -> u64| {
        let cells = bins.iter().map(move |bin| count(number(bin)));
        Column::numbers(head, rank, cells)
    };
    let means = |head, rank, number: fn(&BinReport) -> f64| {
        let cells = bins.iter().map(move |bin| mean(number(bin)));
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
        counts("opens", 4, |bin| bin.opens),
        counts("closes", 5, |bin| bin.closes),
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
    use std::path::Path;

    use super::super::example::{self, rendered};
    use super::super::fit::width;
    use super::*;

    /// The widest and barest style of a terminal.
    fn unicode(width: usize) -> Style {
        Style { width, unicode: true, ..Style::default() }
    }

    /// Compares with a page that was read by a person; `BLESS=1` rewrites
    /// it, to be read again.
    fn golden(name: &str, text: &str) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = folder.join("fixtures/report").join(name);
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, text).unwrap();
        }
        let expected = std::fs::read_to_string(&path).unwrap();
        assert!(text == expected, "{name}\n{text}\nshould be\n{expected}");
    }

    /// The text without its colours.
    fn bare(text: &str) -> String {
        let mut parts = text.split("\x1b[");
        let mut bare = parts.next().unwrap().to_owned();
        for part in parts {
            bare.push_str(part.split_once('m').unwrap().1);
        }
        bare
    }

    #[test]
    fn pages_look_as_they_did_when_a_person_read_them() {
        golden("leak.txt", &rendered(&example::leak(), &unicode(80)));
        golden("flat.txt", &rendered(&example::flat(), &unicode(80)));
        golden("unknown.txt", &rendered(&example::unknown(), &unicode(80)));
        let narrow = Style { width: 60, ..Style::default() };
        golden("ascii-60.txt", &rendered(&example::restarted(), &narrow));
        golden("hostile.txt", &rendered(&example::hostile(), &unicode(80)));
        golden("days-120.txt", &rendered(&example::days(), &unicode(120)));
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        for report in example::all() {
            for columns in 40..=200 {
                for style in [
                    unicode(columns),
                    Style { width: columns, ..Style::default() },
                ] {
                    let text = rendered(&report, &style);
                    let wide = text.lines().find(|it| width(it) > columns);
                    assert_eq!(wide, None, "at {columns}:\n{text}");
                }
            }
        }
    }

    #[test]
    fn a_terminal_of_no_width_is_taken_as_one_of_forty() {
        let text = rendered(&example::leak(), &unicode(0));
        assert_eq!(text, rendered(&example::leak(), &unicode(40)));
    }

    #[test]
    fn ascii_pages_have_only_ascii() {
        for report in example::all() {
            for color in [false, true] {
                let style = Style { color, ..Style::default() };
                assert!(rendered(&report, &style).is_ascii());
            }
        }
    }

    #[test]
    fn colours_only_add_to_the_same_text() {
        for report in example::all() {
            let plain = rendered(&report, &unicode(80));
            assert!(!plain.contains('\x1b'));
            let style = Style { color: true, ..unicode(80) };
            let colored = rendered(&report, &style);
            assert!(colored.contains('\x1b'));
            assert_eq!(bare(&colored), plain);
        }
    }

    #[test]
    fn nothing_that_was_logged_reaches_the_terminal_raw() {
        let text = rendered(&example::hostile(), &unicode(200));
        let raw = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!text.contains(raw), "{text}");
        let agent = r"=cmd|'/C calc'!A0\x1b]0;owned\x07\x9b31m\u{202e}\r\nOK";
        assert!(text.contains(agent), "{text}");
    }

    #[test]
    fn the_same_report_gives_the_same_bytes() {
        for report in example::all() {
            let text = rendered(&report, &unicode(80));
            assert_eq!(text, rendered(&report.clone(), &unicode(80)));
        }
    }

    #[test]
    fn what_matters_most_comes_first() {
        let text = rendered(&example::leak(), &unicode(80));
        let order = [
            "open streams, 2026-11-29 UTC",
            "\nCLIMBING: ",
            "\nfault ",
            "\nwindow ",
            "\ntrusted ",
            "\nsuperseded ",
            "\nwarning ",
            "\nclients, worst first",
            "\nstreams ",
            "\nceiling ",
            "\nended by ",
            "\nthe last of 240 bins",
            "\nread ",
        ];
        let places = order.map(|it| text.find(it).expect(it));
        assert!(places.is_sorted(), "{text}");
    }

    #[test]
    fn the_verdict_has_the_colour_of_its_state() {
        let style = Style { color: true, ..Style::default() };
        for (verdict, exit_code, color) in [
            ("flat", 0, "\x1b[1m\x1b[32mFLAT:"),
            ("climbing", 1, "\x1b[1m\x1b[31mCLIMBING:"),
            ("storm", 1, "\x1b[1m\x1b[33mSTORM:"),
            ("unknown", 3, "\x1b[2mUNKNOWN:"),
            ("unknown", 0, "\x1b[2mUNKNOWN:"),
        ] {
            let report = Report { verdict, exit_code, ..example::empty() };
            let text = rendered(&report, &style);
            assert!(text.starts_with(color), "{text:?}");
        }
    }

    #[test]
    fn the_plot_can_be_left_out() {
        let style = Style { plot: false, ..unicode(80) };
        let text = rendered(&example::leak(), &style);
        assert!(text.starts_with("CLIMBING: "), "{text}");
        assert!(text.contains(" UTC"));
    }

    #[test]
    fn only_so_many_clients_and_inputs_are_listed() {
        let mut report = example::leak();
        report.inputs = vec![report.inputs[0].clone(); 3];
        let style = Style { top: 1, ..unicode(80) };
        let text = rendered(&report, &style);
        assert!(text.contains("mcp-remote/0.9.1"));
        assert!(!text.contains("claude-desktop/1.4"));
        assert!(text.contains("\nand 2 more\n"), "{text}");
        assert_eq!(text.matches("access.log").count(), 1);
        assert!(text.contains("and 2 inputs more, 776 selected"), "{text}");
    }

    #[test]
    fn clients_of_another_key_show_that_key() {
        let mut report = example::leak();
        for client in &mut report.clients {
            client.key = "tenant-7".to_owned();
            client.address.clear();
            client.user_agent.clear();
        }
        let text = rendered(&report, &unicode(80));
        let head = text.lines().find(|line| line.starts_with("client "));
        assert!(head.is_some(), "{text}");
        assert!(text.contains("\ntenant-7 "));
    }
}

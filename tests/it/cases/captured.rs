//! Logs of a real nginx in front of real clients.

use super::case::{Blame, Case, Design, Fault, Wanted};
use super::log::Log;
use super::number::Number;
use crate::fixture::read;

pub(super) fn cases() -> Vec<Case> {
    vec![the_leak(), both_clients(), leaving(), closing()]
}

const CLIENT: Blame = Blame::new(&["client"], &["abandon-and-reopen"]);
const PAIR: &str = "real-logs/leak/leak_vs_close.nginx.log";

fn log(text: String) -> Log {
    Log { name: "access.log", option: None, text, seen: None }
}

/// Three minutes: one client leaks among others that close.
fn the_leak() -> Case {
    Case {
        name: "captured-leak",
        logs: vec![log(read("real-logs/leak/nginx-json.log"))],
        reading: &["--bin", "5s"],
        judging: &[],
        design: Design { streams: 114..=114, most: 20..=60, hold: 0.5..=30.0 },
        wanted: Wanted { verdicts: &["climbing"], fault: Fault::Of(CLIENT) },
    }
}

/// 27 s of two clients that open a stream a second: one leaves each, which
/// the server ends at 4 s, and one closes it before the next.
fn both_clients() -> Case {
    Case {
        name: "captured-both",
        logs: vec![log(read(PAIR))],
        reading: &["--bin", "1s"],
        judging: &[],
        design: Design { streams: 50..=50, most: 5..=5, hold: 1.0..=4.0 },
        wanted: Wanted {
            verdicts: &["stacked", "climbing"],
            fault: Fault::Of(CLIENT),
        },
    }
}

/// The lines of one client, a minute for each second: what the same clients
/// would leave at the pace of real ones.
fn slowed(agent: &str) -> String {
    let text = read(PAIR);
    let lines = text.lines().filter(|line| line.contains(agent));
    let field = |line: &str, name: &str| -> f64 {
        let (_, rest) = line.split_once(name).expect("the field");
        let value = rest.split(' ').next().expect("a value");
        value.parse().expect("seconds")
    };
    let first = 1_795_960_059.0;
    let slow = |line: &str| {
        let (head, tail) = line.split_once('[').expect("a time");
        let (_, tail) = tail.split_once(']').expect("its end");
        let (rt, msec) = (field(line, " rt="), field(line, " msec="));
        let (took, at) = (rt * 60.0, first + (msec - first) * 60.0);
        let time = chrono::DateTime::from_timestamp(at as i64, 0);
        let time = time.expect("a time").format("%d/%b/%Y:%H:%M:%S +0000");
        let line = format!("{head}[{time}]{tail}\n");
        line.replace(&format!(" rt={rt:.3}"), &format!(" rt={took:.3}"))
            .replace(&format!("msec={msec:.3}"), &format!("msec={at:.3}"))
    };
    lines.map(slow).collect()
}

/// It leaves each open: four at once.
fn leaving() -> Case {
    Case {
        name: "captured-leaving",
        logs: vec![log(slowed("leak-leak"))],
        reading: &[],
        judging: &[],
        design: Design { streams: 25..=25, most: 4..=4, hold: 240.0..=241.0 },
        wanted: Wanted {
            verdicts: &["stacked", "climbing"],
            fault: Fault::Of(Blame {
                numbers: &[&[Number::Seconds(238.0, 242.0)]],
                ..CLIENT
            }),
        },
    }
}

/// It closes each before the next: one at once. That it waits a fixed time
/// before it does so may be said.
fn closing() -> Case {
    Case {
        name: "captured-closing",
        logs: vec![log(slowed("leak-close"))],
        reading: &[],
        judging: &[],
        design: Design { streams: 25..=25, most: 1..=1, hold: 60.0..=60.1 },
        wanted: Wanted {
            verdicts: &["flat", "cycling"],
            fault: Fault::NobodysOr(Blame::new(
                &["server", "proxy", "platform", "client", "unknown"],
                &["client-timeout", "ceiling-cycling"],
            )),
        },
    }
}

//! Row 11: two streams come back for each that ended.

use super::case::{Blame, Case, Design, Fault, Wanted};
use super::log::Log;
use super::number::Number;
use super::request::{BROWSER, Client, GET, Kind, NODE};
use super::servers::Server;
use super::traffic::{Bytes, Habit, Traffic};

pub(super) fn cases() -> Vec<Case> {
    vec![event_source(), tripling()]
}

/// Each stream that ends begets so many, soon after, until the log is over.
fn beget(
    traffic: &mut Traffic,
    client: &Client,
    kind: Kind,
    (from, hold, children): (f64, f64, usize),
) {
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        if at > traffic.length {
            continue;
        }
        let held = hold + traffic.chance.between(0.0, 0.02);
        let end = traffic.open(client, kind, at, held, Bytes::Alive);
        for _ in 0..children {
            waiting.push(end + traffic.chance.between(0.9, 1.4));
        }
    }
}

/// Two connections after one drop, four after the next
/// (<https://github.com/EventSource/eventsource/issues/57>, and
/// <https://github.com/EventSource/eventsource/pull/125>): one process on
/// Node, among ten that come back once; a ceiling of 300 s ends each stream.
/// Opens double as streams do, so that the opens alone look like growth.
fn event_source() -> Case {
    let mut traffic = Traffic::new(111, 2_640.0);
    let kind = GET.at("/events");
    for n in 0..10 {
        let client = Client::new(n, BROWSER);
        let habit = Habit {
            hold: (300.0, 300.02),
            gap: (3.0, 3.1),
            bytes: Bytes::Alive,
        };
        traffic.cycle(&client, kind, habit);
        traffic.calls(0.0, &client, 30.0);
    }
    let client = Client::new(10, NODE);
    beget(&mut traffic, &client, kind, (120.0, 300.0, 2));
    traffic.calls(0.0, &client, 30.0);
    Case {
        name: "row11-event-source",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &["--path", "/events"],
        judging: &[],
        design: Design {
            // Eight generations: 1 + 2 + ... + 128, and ten clients.
            streams: 325..=345,
            most: 134..=160,
            hold: 300.0..=300.03,
        },
        wanted: Wanted {
            verdicts: &["climbing", "stacked"],
            fault: Fault::Of(Blame {
                numbers: &[&[Number::Count(1.9, 2.1)]],
                ..Blame::new(&["client"], &["reconnect-doubling"])
            }),
        },
    }
}

/// Three web sockets after one drop, nine after two, and so on by three
/// (<https://github.com/resoai/TileBoard/issues/72>; by two in
/// <https://github.com/Synphonyte/leptos-use/issues/184>). Four deploys half
/// an hour apart drop all streams of ten browsers, and one of them triples:
/// 1, 3, 9, 27, 81. A fifth one shows those.
fn tripling() -> Case {
    let drops = [1_800.0, 3_600.0, 5_400.0, 7_200.0];
    let mut traffic = Traffic::new(112, 9_600.0);
    traffic.restarts = [&drops[..], &[9_500.0]].concat();
    let kind = GET.at("/ws").answered(101);
    let forever = 1e7;
    for n in 0..10 {
        let client = Client::new(n, BROWSER);
        let habit = Habit {
            hold: (300.0, 2_000.0),
            gap: (0.5, 4.0),
            bytes: Bytes::Alive,
        };
        traffic.cycle(&client, kind, habit);
        traffic.calls(0.0, &client, 60.0);
    }
    let client = Client::new(10, BROWSER);
    beget(&mut traffic, &client, kind, (10.0, forever, 3));
    traffic.calls(0.0, &client, 60.0);
    Case {
        name: "row11-tripling",
        logs: vec![Log::of(&traffic, Server::NginxJson)],
        reading: &["--path", "/ws"],
        judging: &[],
        design: Design {
            streams: 195..=270,
            most: 91..=91,
            hold: 500.0..=2_400.0,
        },
        wanted: Wanted {
            verdicts: &["climbing", "stacked"],
            fault: Fault::Of(Blame {
                numbers: &[&[Number::Count(2.8, 3.1)]],
                ..Blame::new(&["client"], &["reconnect-doubling"])
            }),
        },
    }
}

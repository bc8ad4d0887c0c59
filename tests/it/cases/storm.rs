//! Row 5: streams that end at once, and clients that come back at once.

use super::case::{Blame, Case, Design, Fault, Wanted};
use super::log::Log;
use super::number::Number;
use super::request::{
    AGENTS, BROWSER, CALL, CLAUDE, CODEX, Client, Ended, GET, Kind, LISTEN,
    NODE, PYTHON,
};
use super::servers::Server;
use super::traffic::{ACK, Bytes, Habit, Traffic};

pub(super) fn cases() -> Vec<Case> {
    vec![redmine(), tmdb(), event_source(), one_of_twenty()]
}

const STORM: Blame = Blame::new(&["server", "client"], &["reconnect-storm"]);

/// One Claude Code client, 5 to 6 requests a second: of a day's 30 316 were
/// listens, 15 181 `server/discover`, 14 552 each of the lists, 16 calls
/// (<https://github.com/haru/redmine_ai_helper/issues/410>). The server ends
/// each listen at once with 200. Twenty minutes of it: two listens, a
/// discover and the three lists in turn.
fn redmine() -> Case {
    let mut traffic = Traffic::new(51, 20.0 * 60.0);
    let client = Client::new(0, CLAUDE);
    let listen = Kind { is_stream: true, ..LISTEN };
    let turn: [Kind; 6] = [
        listen,
        Kind { rpc: "server/discover", ..CALL },
        Kind { rpc: "tools/list", ..CALL },
        listen,
        Kind { rpc: "prompts/list", ..CALL },
        Kind { rpc: "resources/list", ..CALL },
    ];
    let mut at = 0.2;
    for kind in turn.into_iter().cycle() {
        let took = traffic.chance.between(0.05, 0.12);
        let bytes = Bytes::Silent(if kind.is_stream { ACK } else { 1_840 });
        let end = traffic.open(&client, kind, at, took, bytes);
        at = end + traffic.chance.between(0.06, 0.14);
        if at > traffic.length {
            break;
        }
    }
    for n in 1..4 {
        traffic.calls(0.0, &Client::new(n, CODEX), 60.0);
    }
    Case {
        name: "row5-redmine",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &[],
        judging: &[],
        design: Design {
            streams: 1_900..=2_350,
            most: 1..=1,
            hold: 0.08..=0.09,
        },
        wanted: Wanted {
            verdicts: &["storm"],
            fault: Fault::Of(Blame {
                // Listens a second, or a minute.
                numbers: &[&[
                    Number::Count(1.6, 2.0),
                    Number::Count(96.0, 120.0),
                ]],
                ..STORM
            }),
        },
    }
}

/// GET /mcp answered 200 instead of 405: about one a second, some 99 % of all
/// traffic, no errors, on Vercel
/// (<https://github.com/lorenzopant/tmdb/issues/131>). 1 s is the SDKs'
/// delay after a clean end. Twenty minutes of one client.
fn tmdb() -> Case {
    let mut traffic = Traffic::new(52, 20.0 * 60.0);
    let client = Client::new(0, NODE);
    let habit = Habit {
        hold: (0.004, 0.040),
        gap: (1.0, 1.06),
        bytes: Bytes::Silent(88),
    };
    traffic.cycle(&client, GET, habit);
    traffic.calls(0.0, &client, 150.0);
    Case {
        name: "row5-tmdb",
        logs: vec![Log::of(&traffic, Server::Vercel)],
        reading: &["--path", "/mcp", "--method", "GET"],
        judging: &[],
        design: Design {
            streams: 1_100..=1_170,
            most: 1..=1,
            hold: 0.01..=0.03,
        },
        wanted: Wanted {
            verdicts: &["storm"],
            fault: Fault::Of(Blame {
                numbers: &[&[
                    Number::Count(0.9, 1.0),
                    Number::Count(55.0, 60.0),
                    Number::Seconds(1.0, 1.1),
                ]],
                ..STORM
            }),
        },
    }
}

/// One client of twenty reopens once a second for as long as its session
/// lasts, because its streams are ended cleanly at once
/// (<https://github.com/modelcontextprotocol/python-sdk/issues/3257>); the
/// other nineteen hold theirs for minutes, so that many are open all along.
fn one_of_twenty() -> Case {
    let mut traffic = Traffic::new(54, 30.0 * 60.0);
    for n in 0..19 {
        let client = Client::new(n, AGENTS[n % 4]);
        let habit = Habit {
            hold: (60.0, 400.0),
            gap: (1.0, 20.0),
            bytes: Bytes::Alive,
        };
        traffic.cycle(&client, GET.ended_by(Ended::Client), habit);
        traffic.calls(0.0, &client, 60.0);
    }
    let client = Client::new(19, PYTHON);
    let habit = Habit {
        hold: (0.010, 0.050),
        gap: (1.0, 1.02),
        bytes: Bytes::Silent(0),
    };
    traffic.cycle(&client, GET, habit);
    Case {
        name: "row5-one-of-twenty",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &["--path", "/mcp", "--method", "GET"],
        judging: &[],
        design: Design {
            streams: 1_820..=1_960,
            most: 19..=20,
            hold: 0.02..=0.04,
        },
        wanted: Wanted {
            verdicts: &["storm"],
            fault: Fault::Of(Blame {
                numbers: &[&[
                    Number::Count(0.9, 1.0),
                    Number::Count(56.0, 60.0),
                    Number::Seconds(1.0, 1.1),
                ]],
                ..STORM
            }),
        },
    }
}

/// Four browsers whose `EventSource` comes back after its own 3 s, because
/// each stream ends at once: 0.33 a second for each, the slowest loop that
/// is a storm. The delay is that of the catalogue of clients.
fn event_source() -> Case {
    let mut traffic = Traffic::new(53, 30.0 * 60.0);
    let kind = GET.at("/events");
    for n in 0..4 {
        let client = Client::new(n, BROWSER);
        let habit = Habit {
            hold: (0.005, 0.030),
            gap: (3.0, 3.02),
            bytes: Bytes::Silent(15),
        };
        traffic.cycle(&client, kind, habit);
        traffic.calls(0.0, &client, 60.0);
    }
    Case {
        name: "row5-event-source",
        logs: vec![Log::of(&traffic, Server::NginxJson)],
        reading: &["--path", "/events"],
        judging: &[],
        design: Design {
            streams: 2_350..=2_400,
            most: 1..=4,
            hold: 0.01..=0.025,
        },
        wanted: Wanted {
            verdicts: &["storm"],
            fault: Fault::Of(Blame {
                numbers: &[&[
                    Number::Count(0.32, 0.34),
                    Number::Count(1.3, 1.35),
                    Number::Count(19.0, 20.0),
                    Number::Count(78.0, 80.0),
                    Number::Seconds(3.0, 3.1),
                ]],
                ..STORM
            }),
        },
    }
}

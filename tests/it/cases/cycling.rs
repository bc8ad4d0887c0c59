//! Row 2: a ceiling ends each stream, and its client opens the next one.

use super::case::{ANY, Blame, Case, Design, Fault, Wanted};
use super::log::Log;
use super::number::Number;
use super::request::{AGENTS, BROWSER, Client, Ended, GET, LISTEN, NODE};
use super::servers::Server;
use super::traffic::{ACK, Bytes, Habit, Traffic};

pub(super) fn cases() -> Vec<Case> {
    vec![sixty_seconds(), turbomcp(), vscode(), sprintable(), agent_native()]
}

/// What every share at a ceiling must be.
const NEARLY_ALL: &[Number] = &[Number::Percent(90.0, 100.0)];

/// Twenty clients behind nginx whose app ends every listen at 60 s with the
/// graceful result; they come back after about a second. Comments and
/// notifications flow, so that no idle timer can have cut them. Ours: row 2
/// of the table; 60 s as in the catalogue of ceilings, the second's gap as
/// in the documentation of the TypeScript SDK.
fn sixty_seconds() -> Case {
    let mut traffic = Traffic::new(21, 90.0 * 60.0);
    for n in 0..20 {
        let client = Client::new(n, AGENTS[n % 4]);
        let habit = Habit {
            hold: (60.0, 60.015),
            gap: (0.6, 2.4),
            bytes: Bytes::Alive,
        };
        traffic.cycle(&client, LISTEN, habit);
        traffic.calls(0.0, &client, 300.0);
    }
    Case {
        name: "row2-sixty-seconds",
        logs: vec![Log::of(&traffic, Server::NginxJson)],
        reading: &[],
        judging: &[],
        design: Design {
            streams: 1_700..=1_800,
            most: 20..=20,
            hold: 60.0..=60.02,
        },
        wanted: Wanted {
            verdicts: &["cycling"],
            fault: Fault::Of(Blame {
                numbers: &[&[Number::Seconds(59.5, 60.5)], NEARLY_ALL],
                ..Blame::new(&["platform", "server"], &["ceiling-cycling"])
            }),
        },
    }
}

/// The server closes idle streams after 30 s: each was up for 29.9999 s, by
/// some 12 peers, which wait for nothing before the next one
/// (<https://github.com/Epistates/turbomcp/pull/24>). Benign. An hour of it
/// behind Caddy, which does not tell who ended them; nothing is sent, so
/// that an idle cut is as good an answer.
fn turbomcp() -> Case {
    let mut traffic = Traffic::new(22, 3_600.0);
    for n in 0..12 {
        let client = Client::new(n, NODE);
        let habit = Habit {
            hold: (29.999_85, 29.999_95),
            gap: (0.001, 0.012),
            bytes: Bytes::Silent(0),
        };
        traffic.cycle(&client, GET, habit);
        traffic.calls(0.0, &client, 400.0);
    }
    Case {
        name: "row2-turbomcp",
        logs: vec![Log::of(&traffic, Server::Caddy)],
        reading: &["--path", "/mcp", "--method", "GET"],
        judging: &[],
        design: Design {
            streams: 1_420..=1_452,
            most: 12..=12,
            hold: 29.999..=30.0,
        },
        wanted: Wanted {
            verdicts: &["cycling"],
            fault: Fault::Of(Blame {
                numbers: &[&[Number::Seconds(29.5, 30.5)], NEARLY_ALL],
                ..Blame::new(
                    &["server", "platform", "proxy"],
                    &["ceiling-cycling", "idle-cut"],
                )
            }),
        },
    }
}

/// Attached and detached at 20:39:59.417, 20:45:02.882, 20:45:03.892 and
/// 20:50:08.075: held for 303.5 to 304.2 s, 1.01 s apart, 1 566 times in one
/// session (<https://github.com/microsoft/vscode/issues/317609>). Six hours
/// of five such clients. The log has no mark of who ended them; the value is
/// where Node's own timeout of silent bodies lies, and the gap is healthy.
fn vscode() -> Case {
    let mut traffic = Traffic::new(23, 6.0 * 3_600.0);
    for n in 0..5 {
        let client = Client::new(n, NODE);
        let habit = Habit {
            hold: (303.2, 304.8),
            gap: (1.005, 1.025),
            bytes: Bytes::Silent(0),
        };
        traffic.cycle(&client, GET.ended_by(Ended::Client), habit);
        traffic.calls(0.0, &client, 240.0);
    }
    let causes = &["ceiling-cycling", "client-timeout", "idle-cut"];
    Case {
        name: "row2-vscode",
        logs: vec![Log::of(&traffic, Server::NginxTimed)],
        reading: &["--path", "/mcp", "--method", "GET"],
        judging: &[],
        design: Design {
            streams: 348..=356,
            most: 5..=5,
            hold: 303.5..=304.5,
        },
        wanted: Wanted {
            verdicts: &["cycling", "flat"],
            fault: Fault::Of(Blame {
                numbers: &[&[Number::Seconds(303.0, 305.0)], NEARLY_ALL],
                ..Blame::new(
                    &["platform", "client", "proxy", "server", "unknown"],
                    causes,
                )
            }),
        },
    }
}

/// Cloud Run's timeout of 60 s: 71 reopenings in 30 min by one member, most
/// 60 to 68 s apart (<https://github.com/moonklabs/sprintable/pull/2408>,
/// where a client waits 1 s and up after each and holds two or three
/// channels). Benign. Ten members with two channels all the time and a third
/// for half of it; two channels of one key always overlap, and none of them
/// is left open.
fn sprintable() -> Case {
    let mut traffic = Traffic::new(24, 3_600.0);
    let kind = GET.at("/api/events");
    let habit =
        Habit { hold: (60.0, 60.05), gap: (0.6, 7.9), bytes: Bytes::Alive };
    for n in 0..10 {
        let client = Client::new(n, BROWSER);
        traffic.cycle(&client, kind, habit);
        traffic.cycle(&client, kind, habit);
        let mut at = traffic.chance.between(0.0, 600.0);
        while at < traffic.length {
            for _ in 0..10 {
                let hold = traffic.chance.within(habit.hold);
                let end = traffic.open(&client, kind, at, hold, Bytes::Alive);
                at = end + traffic.chance.within(habit.gap);
            }
            at += traffic.chance.between(500.0, 800.0);
        }
        traffic.calls(0.0, &client, 120.0);
    }
    Case {
        name: "row2-sprintable",
        logs: vec![Log::of(&traffic, Server::CloudRun)],
        reading: &["--path", "/api/events"],
        judging: &[],
        design: Design {
            streams: 1_350..=1_500,
            most: 24..=30,
            hold: 60.0..=60.05,
        },
        wanted: Wanted {
            verdicts: &["cycling", "flat"],
            fault: Fault::NobodysOr(Blame {
                numbers: &[&[Number::Seconds(59.5, 60.5)], NEARLY_ALL],
                ..Blame::new(&["platform", "server"], &["ceiling-cycling"])
            }),
        },
    }
}

/// Vercel's timeout of 300 s: finished after 301.4 s, "Task timed out after
/// 300 seconds", status 200, 12 an hour for each tab
/// (<https://github.com/BuilderIO/agent-native/issues/4788>). Eight tabs for
/// four hours.
fn agent_native() -> Case {
    let mut traffic = Traffic::new(25, 4.0 * 3_600.0);
    let kind = GET.at("/_agent-native/events");
    for n in 0..8 {
        let client = Client::new(n, BROWSER);
        let habit = Habit {
            hold: (301.2, 301.6),
            gap: (0.3, 3.2),
            bytes: Bytes::Silent(ACK),
        };
        traffic.cycle(&client, kind, habit);
        traffic.calls(0.0, &client, 150.0);
    }
    Case {
        name: "row2-agent-native",
        logs: vec![Log::of(&traffic, Server::Vercel)],
        reading: &["--path", "/_agent-native/events"],
        judging: &[],
        design: Design {
            streams: 370..=384,
            most: 8..=8,
            hold: 301.2..=301.6,
        },
        wanted: Wanted {
            verdicts: &["cycling"],
            fault: Fault::Of(Blame {
                confidence: ANY,
                numbers: &[&[Number::Seconds(300.0, 302.0)], NEARLY_ALL],
                ..Blame::new(&["platform"], &["ceiling-cycling"])
            }),
        },
    }
}

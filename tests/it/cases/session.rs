//! Row 9: keys that climb. Sessions nobody ends, or people who came to work.

use super::case::{Blame, Case, Design, Fault, Wanted};
use super::leaking::auggie_traffic;
use super::log::Log;
use super::number::Number;
use super::request::{
    AGENTS, CALL, CODEX, Client, Ended, GET, Kind, LISTEN, PYTHON,
};
use super::servers::Server;
use super::traffic::{ACK, Bytes, Habit, Traffic};

pub(super) fn cases() -> Vec<Case> {
    vec![silent_pods(), auggie_by_session(), people_at_work(), codex()]
}

const GETS: &[&str] = &["--path", "/mcp", "--method", "GET"];
const LEAKED: Blame = Blame::new(&["client", "server"], &["session-leak"]);

/// A controller starts a pod every two minutes; each opens a session and its
/// stream, never asks for anything and never ends it
/// (<https://github.com/mckinsey/agents-at-scale-ark/issues/381>; no DELETE
/// ever: <https://github.com/google-antigravity/antigravity-cli/issues/716>).
/// Every tenth works. The two requests that open a session are no work. A
/// restart after three hours shows them all.
fn silent_pods() -> Case {
    let mut traffic = Traffic::new(91, 11_400.0).restarted(&[10_900.0]);
    let plain = Kind { rpc: "", ..CALL };
    for n in 0..90 {
        let at = 20.0 + 120.0 * f64::from(n);
        let client = Client::new(n as usize, PYTHON);
        let since = traffic.requests.len();
        traffic.call(plain, at, &client);
        traffic.call(plain.answered(202), at + 0.4, &client);
        traffic.open(&client, GET, at + 0.5, 1e6, Bytes::Silent(ACK));
        if n % 10 == 0 {
            traffic.calls_as(plain, at, &client, 60.0);
        }
        let session = traffic.session();
        traffic.in_session(since, &session);
    }
    Case {
        name: "row9-silent-pods",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: GETS,
        judging: &["--silent-clients"],
        design: Design {
            streams: 90..=90,
            most: 90..=90,
            hold: 5_300.0..=5_700.0,
        },
        wanted: Wanted {
            verdicts: &["growing", "climbing"],
            fault: Fault::Of(Blame {
                numbers: &[
                    // 81 of 90, or their share.
                    &[Number::Count(81.0, 81.0), Number::Percent(89.5, 90.5)],
                ],
                ..LEAKED
            }),
        },
    }
}

/// The log of `row3-auggie` by session: 287 of them, 14 that ever sent a
/// POST, no DELETE (<https://github.com/augmentcode/auggie/issues/162>).
fn auggie_by_session() -> Case {
    let traffic = auggie_traffic();
    Case {
        name: "row9-auggie-by-session",
        logs: vec![Log::of(&traffic, Server::Caddy)],
        reading: GETS,
        judging: &["--key", "session", "--silent-clients"],
        design: Design {
            streams: 287..=287,
            most: 146..=152,
            hold: 40.0..=300.0,
        },
        wanted: Wanted {
            verdicts: &["growing", "climbing"],
            fault: Fault::Of(Blame {
                numbers: &[&[
                    Number::Count(273.0, 273.0),
                    Number::Count(14.0, 14.0),
                    Number::Percent(94.5, 95.5),
                ]],
                ..LEAKED
            }),
        },
    }
}

/// A morning: a client more every three minutes, each with one stream that a
/// ceiling of 15 min ends and it reopens, and all of them at work. Ours; the
/// growth that every test of the number of streams takes for a leak.
fn people_at_work() -> Case {
    let mut traffic = Traffic::new(92, 3.0 * 3_600.0);
    for n in 0..60 {
        let client = Client::new(n, AGENTS[n % 4]);
        let from = 170.0 * n as f64 + traffic.chance.between(0.0, 120.0);
        let habit = Habit {
            hold: (900.0, 900.3),
            gap: (0.8, 2.0),
            bytes: Bytes::Alive,
        };
        traffic.cycle_from(from, &client, LISTEN, habit);
        traffic.calls(from, &client, 110.0);
    }
    Case {
        name: "row9-people-at-work",
        logs: vec![Log::of(&traffic, Server::Caddy)],
        reading: &[],
        judging: &["--silent-clients"],
        design: Design {
            streams: 300..=360,
            most: 52..=60,
            hold: 899.0..=901.0,
        },
        wanted: Wanted { verdicts: &["growing"], fault: Fault::Nobodys },
    }
}

/// Reported as 1.8 % DELETEs and some 80 GETs at once, then withdrawn: 90
/// min, GET 2 230, POST 70, DELETE 9, sessions in each ten minutes 11, 17,
/// 15, 13, 16, 16, 15, 15, 15; the server ends each GET at 180 s
/// (<https://github.com/openai/codex/issues/41600>). A plateau. The thread
/// leaves open how the GETs belong to sessions; here 2 230 of 180 s are one
/// at a time for each of some 75 sessions, of which so many begin in each
/// ten minutes as are listed, after 75 that were there before. Eight
/// addresses, so that a client holds several.
fn codex() -> Case {
    let mut traffic = Traffic::new(93, 5_400.0);
    let begins = [11, 17, 15, 13, 16, 16, 15, 15, 15];
    let before = (0..75).map(|_| None);
    let begin = |(bin, count): (usize, &usize)| {
        (0..*count).map(move |_| Some(600.0 * bin as f64))
    };
    let after = begins.iter().enumerate().flat_map(begin);
    let mut deletes = 0;
    for (n, bin) in before.chain(after).enumerate() {
        let client = Client::new(n % 8, CODEX);
        let from = match bin {
            Some(bin) => bin + traffic.chance.between(0.0, 600.0),
            None => -traffic.chance.between(0.0, 180.0),
        };
        let until = from + traffic.chance.wait(3_000.0);
        let since = traffic.requests.len();
        let end = session(&mut traffic, &client, from, until);
        if n % 12 == 0 && deletes < 9 && end < traffic.length {
            let delete = Kind { verb: "DELETE", rpc: "", ..CALL };
            traffic.call(delete, end + 0.1, &client);
            deletes += 1;
        }
        if n % 3 == 0 {
            traffic.call(Kind { rpc: "", ..CALL }, from + 1.0, &client);
        }
        let id = traffic.session();
        traffic.in_session(since, &id);
    }
    Case {
        name: "row12-codex-withdrawn",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: GETS,
        judging: &["--silent-clients"],
        design: Design {
            streams: 2_000..=2_500,
            most: 70..=100,
            hold: 179.9..=180.1,
        },
        wanted: Wanted {
            verdicts: &["cycling", "flat", "growing"],
            fault: Fault::NobodysOr(Blame {
                numbers: &[&[Number::Seconds(179.0, 181.0)]],
                ..Blame::new(&["server", "platform"], &["ceiling-cycling"])
            }),
        },
    }
}

/// One session: GETs of at most 180 s, one after the other, until it leaves.
fn session(
    traffic: &mut Traffic,
    client: &Client,
    from: f64,
    until: f64,
) -> f64 {
    let mut at = from;
    while at < until.min(traffic.length) {
        let (hold, kind) = match until - at {
            rest if rest < 180.0 => (rest, GET.ended_by(Ended::Client)),
            _ => (traffic.chance.between(180.0, 180.04), GET),
        };
        let silent = Bytes::Silent(ACK);
        at = traffic.open(client, kind, at, hold, silent)
            + traffic.chance.between(0.9, 1.3);
    }
    at
}

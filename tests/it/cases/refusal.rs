//! Row 6: streams that are refused, and clients that ask again.

use super::case::{Blame, Case, Design, Fault, Wanted};
use super::log::Log;
use super::number::Number;
use super::request::{AGENTS, CALL, CLAUDE, CODEX, Client, GET, Kind, PYTHON};
use super::servers::Server;
use super::traffic::{Bytes, Habit, Traffic};

pub(super) fn cases() -> Vec<Case> {
    vec![not_allowed(), conflict(), too_many(), octop()]
}

const GETS: &[&str] = &["--path", "/mcp", "--method", "GET"];

/// Refusals with this status by one client in a loop, beside twelve clients
/// that only call.
fn refused(seed: u64, status: u16, agent: &'static str) -> Traffic {
    let mut traffic = Traffic::new(seed, 30.0 * 60.0);
    let client = Client::new(0, agent);
    let habit = Habit {
        hold: (0.002, 0.015),
        gap: (1.0, 1.05),
        bytes: Bytes::Silent(92),
    };
    traffic.cycle(&client, GET.answered(status), habit);
    for n in 0..13 {
        let agent = if n == 0 { agent } else { AGENTS[n % 4] };
        traffic.calls(0.0, &Client::new(n, agent), 45.0);
    }
    traffic
}

const LOOP: Design =
    Design { streams: 1_700..=1_790, most: 1..=1, hold: 0.005..=0.012 };

/// A storm of this side's making, whose evidence names the status.
fn storm(
    sides: &'static [&'static str],
    status: &'static [&'static [Number]],
) -> Wanted {
    let blame = Blame::new(sides, &["refusal-loop"]);
    Wanted {
        verdicts: &["storm"],
        fault: Fault::Of(Blame { numbers: status, ..blame }),
    }
}

/// The server answers 405, which says that it has no such stream, and the
/// client asks again every second all the same: Claude Code from 2.1.147 to
/// 2.1.153, by its changelog
/// (<https://github.com/anthropics/claude-code/blob/main/CHANGELOG.md>); with
/// 404 in <https://github.com/anthropics/claude-code/issues/62198>.
fn not_allowed() -> Case {
    let traffic = refused(61, 405, "claude-code/2.1.149 (cli)");
    Case {
        name: "row6-not-allowed",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: GETS,
        judging: &[],
        design: LOOP,
        wanted: storm(&["client"], &[&[Number::Count(405.0, 405.0)]]),
    }
}

/// "Only one SSE stream is allowed per session": 409, because the client's
/// last stream is still counted as there
/// (<https://github.com/supercorp-ai/supergateway/issues/126>, client Claude
/// Code; <https://github.com/marianfoo/mcp-sap-docs/issues/75>).
fn conflict() -> Case {
    let traffic = refused(62, 409, CLAUDE);
    Case {
        name: "row6-conflict",
        logs: vec![Log::of(&traffic, Server::Haproxy)],
        reading: GETS,
        judging: &[],
        design: LOOP,
        wanted: storm(&["server"], &[&[Number::Count(409.0, 409.0)]]),
    }
}

/// 370 sessions created in seven hours and two removed, then 429 "Too many
/// sessions for this token" for everybody until a restart
/// (<https://github.com/bees-roadhouse/bookstack-mcp/issues/155>). The last
/// half hour: nine clients ask every few seconds, and are refused.
fn too_many() -> Case {
    let mut traffic = Traffic::new(63, 30.0 * 60.0);
    for n in 0..9 {
        let client = Client::new(n, [CODEX, CLAUDE, PYTHON][n % 3]);
        let habit = Habit {
            hold: (0.030, 0.090),
            gap: (1.0, 3.0),
            bytes: Bytes::Silent(44),
        };
        let kind = GET.at("/mcp/sse").answered(429);
        traffic.cycle(&client, kind, habit);
        traffic.calls(0.0, &client, 60.0);
    }
    Case {
        name: "row6-too-many",
        logs: vec![Log::of(&traffic, Server::NginxTimed)],
        reading: &["--path", "/mcp/sse"],
        judging: &[],
        design: Design {
            streams: 7_600..=8_100,
            most: 1..=9,
            hold: 0.055..=0.065,
        },
        wanted: storm(&["server"], &[&[Number::Count(429.0, 429.0)]]),
    }
}

/// Each session of the Python SDK asks twice, a second apart, is answered
/// 405 both times, and ends with DELETE; a new session every ten seconds
/// (<https://github.com/TencentCloud/Octop/issues/487>). 0.2 refusals a
/// second: noise below a storm's rate. It must not be called worse than a
/// refusal loop of the client's.
fn octop() -> Case {
    let mut traffic = Traffic::new(64, 60.0 * 60.0);
    let client = Client::new(0, PYTHON);
    let plain = Kind { rpc: "", ..CALL };
    let delete = Kind { verb: "DELETE", ..plain }.answered(204);
    let mut at = 1.0;
    while at < traffic.length {
        traffic.call(plain, at, &client);
        for again in 0..2 {
            let at = at + 0.5 + 1.01 * f64::from(again);
            let refused = GET.answered(405);
            traffic.open(&client, refused, at, 0.006, Bytes::Silent(19));
        }
        traffic.call(delete, at + 2.2, &client);
        at += traffic.chance.between(9.0, 11.0);
    }
    Case {
        name: "row6-octop",
        logs: vec![Log::of(&traffic, Server::NginxJson)],
        reading: GETS,
        judging: &[],
        design: Design {
            streams: 700..=740,
            most: 1..=1,
            hold: 0.006..=0.006,
        },
        wanted: Wanted {
            verdicts: &["flat", "storm"],
            fault: Fault::NobodysOr(Blame::new(
                &["client"],
                &["refusal-loop"],
            )),
        },
    }
}

//! Row 1: clients that close what they no longer need.

use super::case::{Blame, Case, Design, Fault, Wanted};
use super::log::Log;
use super::request::{
    AGENTS, CALL, CLAUDE, CODEX, Client, Ended, GET, LISTEN,
};
use super::servers::Server;
use super::traffic::{ACK, Bytes, Habit, Traffic};

pub(super) fn cases() -> Vec<Case> {
    vec![
        coming_and_going(),
        several_listens(),
        the_next_one_first(),
        both_hops(),
        a_probe(),
    ]
}

const FLAT: Wanted = Wanted { verdicts: &["flat"], fault: Fault::Nobodys };

/// Twenty people's clients for three hours: each listens for some minutes,
/// closes the stream and comes back later. Ours; holds and gaps as people
/// work, from no report.
fn coming_and_going() -> Case {
    let mut traffic = Traffic::new(11, 3.0 * 3_600.0);
    for n in 0..20 {
        let client = Client::new(n, AGENTS[n % 4]);
        let habit = Habit {
            hold: (120.0, 1_100.0),
            gap: (30.0, 500.0),
            bytes: Bytes::Alive,
        };
        traffic.cycle(&client, LISTEN.ended_by(Ended::Client), habit);
        traffic.calls(0.0, &client, 90.0);
    }
    Case {
        name: "row1-coming-and-going",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &[],
        judging: &[],
        design: Design {
            streams: 210..=290,
            most: 15..=20,
            hold: 520.0..=700.0,
        },
        wanted: FLAT,
    }
}

/// Several listens a client are legal
/// (<https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions>):
/// the Go SDK opens one for the lists and one for each resource it is
/// subscribed to. Three each here, opened and closed together.
fn several_listens() -> Case {
    let mut traffic = Traffic::new(12, 3.0 * 3_600.0);
    let kind = LISTEN.ended_by(Ended::Client);
    for n in 0..8 {
        let client = Client::new(n, "go-sdk/1.6.0");
        traffic.calls(0.0, &client, 120.0);
        let mut at = -traffic.chance.between(0.0, 900.0);
        while at < traffic.length {
            let hold = traffic.chance.between(400.0, 1_300.0);
            for listen in 0..3 {
                let late = f64::from(listen) * 0.05;
                let held = hold - late + traffic.chance.between(0.0, 0.02);
                traffic.open(&client, kind, at + late, held, Bytes::Alive);
            }
            at += hold + traffic.chance.between(20.0, 300.0);
        }
    }
    Case {
        name: "row1-several-listens",
        logs: vec![Log::of(&traffic, Server::NginxJson)],
        reading: &[],
        judging: &[],
        design: Design {
            streams: 200..=280,
            most: 21..=24,
            hold: 750.0..=950.0,
        },
        wanted: FLAT,
    }
}

/// Clients that open the next stream before they close the last, so as to
/// miss nothing: nearly every opening finds one open, for two seconds. Ours;
/// the share of overlapping openings alone must not make a leak.
fn the_next_one_first() -> Case {
    let mut traffic = Traffic::new(14, 2.0 * 3_600.0);
    let kind = LISTEN.ended_by(Ended::Client);
    for n in 0..12 {
        let client = Client::new(n, AGENTS[n % 4]);
        let habit = Habit {
            hold: (200.0, 400.0),
            gap: (-2.4, -1.6),
            bytes: Bytes::Alive,
        };
        traffic.cycle(&client, kind, habit);
        traffic.calls(0.0, &client, 150.0);
    }
    Case {
        name: "row1-the-next-one-first",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &[],
        judging: &[],
        design: Design {
            streams: 260..=310,
            most: 13..=16,
            hold: 270.0..=330.0,
        },
        wanted: FLAT,
    }
}

/// Two logs of the same hours, as in row 4, but what is behind the front
/// hears at once that a client left.
fn both_hops() -> Case {
    let mut front = Traffic::new(15, 2.0 * 3_600.0);
    let kind = LISTEN.ended_by(Ended::Client);
    for n in 0..12 {
        let client = Client::new(n, AGENTS[n % 4]);
        let habit = Habit {
            hold: (60.0, 60.4),
            gap: (1.0, 2.0),
            bytes: Bytes::Silent(ACK),
        };
        front.cycle(&client, kind, habit);
        front.calls(0.0, &client, 400.0);
    }
    let (front, back) = (
        Log::of(&front, Server::Nginx).named("--front"),
        Log::of(&front, Server::Caddy).named("--back"),
    );
    Case {
        name: "row1-both-hops",
        logs: vec![back, front],
        reading: &[],
        judging: &[],
        design: Design {
            streams: 1_380..=1_420,
            most: 12..=12,
            hold: 60.0..=60.4,
        },
        wanted: Wanted {
            verdicts: &["flat", "cycling"],
            fault: Fault::NobodysOr(Blame::new(
                &["server", "proxy", "client", "unknown"],
                &["client-timeout", "ceiling-cycling"],
            )),
        },
    }
}

/// 101 sessions a day, 99 of them Claude Code's without a call, one every
/// 15.3 min also at night
/// (<https://github.com/smart-mcp-proxy/mcpproxy-go/issues/840>): sessions
/// that never do anything, but one after the other. How long each held its
/// stream is not told there: 2 to 20 s here, each ended by its DELETE.
fn a_probe() -> Case {
    let mut traffic = Traffic::new(13, 86_400.0);
    let probe = Client::new(0, CLAUDE);
    let worker = Client::new(1, CODEX);
    let kind = GET.ended_by(Ended::Client);
    let delete = super::request::Kind { verb: "DELETE", rpc: "", ..CALL };
    for n in 0..99 {
        let at = 40.0 + f64::from(n) * 871.0;
        let at = at + traffic.chance.between(-20.0, 20.0);
        let since = traffic.requests.len();
        let hold = traffic.chance.between(2.0, 20.0);
        let end = traffic.open(&probe, kind, at, hold, Bytes::Silent(0));
        traffic.call(delete, end + 0.01, &probe);
        let session = traffic.session();
        traffic.in_session(since, &session);
    }
    for at in [30_000.0, 61_000.0] {
        traffic.open(&worker, kind, at, 900.0, Bytes::Alive);
        for call in 0..12 {
            traffic.call(CALL, at + 70.0 * f64::from(call), &worker);
        }
    }
    Case {
        name: "row1-probe",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &["--path", "/mcp", "--method", "GET"],
        judging: &["--silent-clients"],
        design: Design { streams: 101..=101, most: 1..=2, hold: 8.0..=14.0 },
        wanted: FLAT,
    }
}

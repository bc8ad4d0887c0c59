//! Row 12: logs that cannot tell.

use super::case::{Blame, Case, Design, Fault, UNSURE, Wanted};
use super::log::Log;
use super::request::{AGENTS, CLAUDE, Client, Ended, LISTEN, NODE, PYTHON};
use super::servers::Server;
use super::traffic::{Bytes, Habit, Traffic};

pub(super) fn cases() -> Vec<Case> {
    vec![too_short(), no_holds(), shared_and_steady(), shared_and_climbing()]
}

const UNDETERMINED: Blame = Blame::new(&["unknown"], &["undetermined"]);

/// Nine minutes of streams that a ceiling of 300 s ends: less than two
/// ceilings. More log would do.
fn too_short() -> Case {
    let mut traffic = Traffic::new(121, 540.0);
    for n in 0..12 {
        let client = Client::new(n, AGENTS[n % 4]);
        let habit = Habit {
            hold: (300.0, 300.02),
            gap: (0.8, 1.6),
            bytes: Bytes::Alive,
        };
        traffic.cycle(&client, LISTEN, habit);
        traffic.calls(0.0, &client, 20.0);
    }
    Case {
        name: "row12-too-short",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &[],
        judging: &[],
        design: Design {
            streams: 18..=24,
            most: 12..=12,
            hold: 300.0..=300.03,
        },
        wanted: Wanted {
            verdicts: &["unknown"],
            fault: Fault::Of(Blame {
                words: &[r"\d+ ?(s|min|h)\b"],
                ..UNDETERMINED
            }),
        },
    }
}

/// nginx `combined`: no holds, so that nobody knows how many were open.
fn no_holds() -> Case {
    let mut traffic = Traffic::new(122, 2.0 * 3_600.0);
    let kind = LISTEN.at("/subscriptions/listen");
    for n in 0..12 {
        let client = Client::new(n, AGENTS[n % 4]);
        let habit = Habit {
            hold: (60.0, 60.02),
            gap: (0.8, 1.6),
            bytes: Bytes::Alive,
        };
        traffic.cycle(&client, kind, habit);
        traffic.calls(0.0, &client, 60.0);
    }
    let mut log = Log::of(&traffic, Server::NginxCombined);
    // Nothing can be known of when they were open.
    log.seen = None;
    Case {
        name: "row12-no-holds",
        logs: vec![log],
        reading: &[],
        judging: &[],
        design: Design { streams: 0..=0, most: 0..=0, hold: 0.0..=0.0 },
        wanted: Wanted {
            verdicts: &["unknown"],
            fault: Fault::Of(Blame {
                words: &["(?i)durations?|request_time|setup"],
                ..UNDETERMINED
            }),
        },
    }
}

/// Hosted connectors ask from a few addresses of one company
/// (<https://platform.claude.com/docs/en/api/ip-addresses>: 160.79.104.0/21) with
/// one user agent: many people look like one client that holds several
/// streams. Forty people behind two addresses, each with one stream at a
/// time for 5 to 40 min: steady, and no sign of a leak.
fn shared_and_steady() -> Case {
    let mut traffic = Traffic::new(123, 6.0 * 3_600.0);
    for n in 0..40 {
        let address = ["160.79.106.35", "160.79.106.36"][n % 2];
        let client = Client::at(address, "Claude-User");
        let habit = Habit {
            hold: (300.0, 2_400.0),
            gap: (20.0, 600.0),
            bytes: Bytes::Alive,
        };
        traffic.cycle(&client, LISTEN.ended_by(Ended::Client), habit);
        traffic.calls(0.0, &client, 300.0);
    }
    Case {
        name: "row12-shared-and-steady",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &[],
        judging: &[],
        design: Design {
            streams: 480..=580,
            most: 33..=40,
            hold: 1_150.0..=1_500.0,
        },
        wanted: Wanted {
            verdicts: &["flat"],
            fault: Fault::NobodysOr(UNDETERMINED),
        },
    }
}

/// The same addresses on a day when people come, one every four minutes,
/// and stay to the end with a stream that no ceiling ends: what one client
/// that closes nothing would leave, too. Four user agents behind the one
/// address, and the sessions logged, say that the key is shared.
fn shared_and_climbing() -> Case {
    let mut traffic = Traffic::new(124, 6.0 * 3_600.0).restarted(&[21_000.0]);
    let agents = ["Claude-User", PYTHON, NODE, CLAUDE];
    for n in 0..80 {
        let agent = agents[n % 4];
        let client = Client::at("160.79.106.35", agent);
        let at = 30.0 + 240.0 * n as f64 + traffic.chance.between(0.0, 200.0);
        let since = traffic.requests.len();
        traffic.open(&client, LISTEN, at, 1e6, Bytes::Alive);
        traffic.calls(at, &client, 400.0);
        let session = traffic.session();
        traffic.in_session(since, &session);
    }
    Case {
        name: "row12-shared-and-climbing",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &[],
        judging: &["--silent-clients"],
        design: Design {
            streams: 80..=80,
            most: 80..=80,
            hold: 9_000.0..=12_000.0,
        },
        wanted: Wanted {
            verdicts: &["climbing", "growing", "unknown"],
            fault: Fault::Of(Blame {
                confidence: UNSURE,
                words: &["(?i)shar|address|--key"],
                ..Blame::new(
                    &["unknown", "client"],
                    &["undetermined", "abandon-and-reopen"],
                )
            }),
        },
    }
}

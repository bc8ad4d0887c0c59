//! Row 10: deploys close everything, and everybody comes back.

use super::case::{Blame, Case, Design, Fault, Wanted};
use super::log::Log;
use super::number::Number;
use super::request::{AGENTS, Client, Ended, LISTEN};
use super::servers::Server;
use super::traffic::{Bytes, Habit, Traffic};

pub(super) fn cases() -> Vec<Case> {
    vec![three_deploys(), nothing_but_deploys()]
}

const HERD: Wanted = Wanted {
    verdicts: &["flat"],
    fault: Fault::Of(Blame {
        numbers: &[&[Number::Count(3.0, 3.0)]],
        ..Blame::new(&["server", "platform", "unknown"], &["restart-herd"])
    }),
};

/// Thirty clients of their own pace, and three deploys in five hours: all
/// streams are closed in the same second and reopened in a burst. Ours; what
/// the burst looks like is in
/// <https://github.com/n8n-io/n8n/issues/17821>.
fn three_deploys() -> Case {
    let deploys = [4_000.0, 9_100.0, 13_700.0];
    let mut traffic = Traffic::new(101, 5.0 * 3_600.0).restarted(&deploys);
    for n in 0..30 {
        let client = Client::new(n, AGENTS[n % 4]);
        let habit = Habit {
            hold: (300.0, 2_400.0),
            gap: (0.5, 8.0),
            bytes: Bytes::Alive,
        };
        traffic.cycle(&client, LISTEN.ended_by(Ended::Client), habit);
        traffic.calls(0.0, &client, 240.0);
    }
    Case {
        name: "row10-three-deploys",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &[],
        judging: &[],
        design: Design {
            streams: 440..=540,
            most: 30..=30,
            hold: 1_000.0..=1_400.0,
        },
        wanted: HERD,
    }
}

/// The same with clients that never leave by themselves: only deploys end
/// streams, so that all that one closes were opened by the one before and
/// have the same age, as at a ceiling. The ages of two deploys differ.
fn nothing_but_deploys() -> Case {
    let deploys = [4_000.0, 9_100.0, 13_700.0];
    let mut traffic = Traffic::new(102, 5.0 * 3_600.0).restarted(&deploys);
    for n in 0..30 {
        let client = Client::new(n, AGENTS[n % 4]);
        let habit =
            Habit { hold: (1e7, 1e7), gap: (0.5, 8.0), bytes: Bytes::Alive };
        let from = -traffic.chance.between(100.0, 9_000.0);
        traffic.cycle_from(from, &client, LISTEN, habit);
        traffic.calls(0.0, &client, 240.0);
    }
    Case {
        name: "row10-nothing-but-deploys",
        logs: vec![Log::of(&traffic, Server::NginxJson)],
        reading: &[],
        judging: &[],
        design: Design {
            streams: 90..=90,
            most: 30..=30,
            hold: 4_700.0..=5_300.0,
        },
        wanted: Wanted { verdicts: &["flat", "unknown"], ..HERD },
    }
}

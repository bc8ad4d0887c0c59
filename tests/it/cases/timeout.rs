//! Row 7: clients that wait for bytes, and give up.

use super::case::{Blame, Case, Design, Fault, UNSURE, Wanted};
use super::log::Log;
use super::number::Number;
use super::request::{CALL, CLAUDE, Client, Ended, GET, LISTEN, NODE};
use super::servers::Server;
use super::traffic::{ACK, Bytes, Habit, Traffic};

pub(super) fn cases() -> Vec<Case> {
    vec![llm_gateway(), body_timeout(), by_plan()]
}

const QUIET: &[&str] = &["cycling", "flat"];

/// POST /api/v1/mcp, 499 after 24 999 ms and after 30 003 ms, again and
/// again, a cancel answered 202 behind each; a call of a tool takes 114 ms
/// (<https://github.com/mnfst/llm-gateway/pull/2946>): the gateway keeps the
/// acknowledgement back, and Claude Code waits for it as long as
/// <https://github.com/anthropics/claude-code/issues/91414> says. Four
/// clients for an hour, by turns 25 s and 30 s, no byte ever.
fn llm_gateway() -> Case {
    let mut traffic = Traffic::new(71, 3_600.0);
    let path = "/api/v1/mcp";
    let listen = LISTEN.at(path).answered(499).ended_by(Ended::Client);
    let call = CALL.at(path);
    let cancel = super::request::Kind {
        rpc: "notifications/cancelled",
        ..call.answered(202)
    };
    for n in 0..4 {
        let client = Client::new(n, CLAUDE);
        let mut at = -traffic.chance.between(0.0, 30.0);
        for hold in [24.999, 30.003].into_iter().cycle() {
            let silent = Bytes::Silent(0);
            let end = traffic.open(&client, listen, at, hold, silent);
            traffic.open(&client, cancel, end + 0.002, 0.021, silent);
            at = end + traffic.chance.between(0.4, 2.5);
            if at > traffic.length {
                break;
            }
        }
        let mut at = 20.0;
        while at < traffic.length {
            traffic.open(&client, call, at, 0.114, Bytes::Silent(740));
            at += traffic.chance.wait(180.0);
        }
    }
    Case {
        name: "row7-llm-gateway",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &[],
        judging: &[],
        design: Design { streams: 485..=520, most: 4..=4, hold: 24.9..=30.1 },
        wanted: Wanted {
            verdicts: QUIET,
            fault: Fault::Of(Blame {
                numbers: &[
                    &[
                        Number::Seconds(24.9, 25.1),
                        Number::Seconds(29.9, 30.1),
                    ],
                    &[Number::Percent(99.0, 100.0), Number::Count(0.0, 0.0)],
                ],
                ..Blame::new(&["proxy", "server"], &["client-timeout"])
            }),
        },
    }
}

/// Node gives a silent body up after 300 s: "+301.0 s `BodyTimeoutError`"
/// (<https://github.com/marianfoo/mcp-sap-docs/issues/75>), after the
/// acknowledgement. Only clients on Node do: two others hold their streams
/// for much longer on the same server, so that it is no ceiling of its.
fn body_timeout() -> Case {
    let mut traffic = Traffic::new(72, 4.0 * 3_600.0);
    let kind = GET.ended_by(Ended::Client);
    for n in 0..10 {
        let (agent, hold) = match n {
            0 | 5 => (CLAUDE, (1_300.0, 3_000.0)),
            _ => (NODE, (300.7, 301.3)),
        };
        let client = Client::new(n, agent);
        let habit =
            Habit { hold, gap: (1.0, 1.05), bytes: Bytes::Silent(ACK) };
        traffic.cycle(&client, kind, habit);
        traffic.calls(0.0, &client, 150.0);
    }
    Case {
        name: "row7-body-timeout",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &["--path", "/mcp", "--method", "GET"],
        judging: &[],
        design: Design {
            streams: 380..=400,
            most: 10..=10,
            hold: 300.7..=301.3,
        },
        wanted: Wanted {
            verdicts: QUIET,
            fault: Fault::Of(Blame {
                numbers: &[
                    &[Number::Seconds(300.0, 302.0)],
                    &[Number::Percent(90.0, 100.0)],
                ],
                ..Blame::new(&["server", "proxy"], &["client-timeout"])
            }),
        },
    }
}

/// Clients that close their stream in order every six seconds, by a plan of
/// their own (numbers ours). What they were told shows in no log that they
/// gave up, so that nobody may be blamed for sure.
fn by_plan() -> Case {
    let mut traffic = Traffic::new(73, 1_800.0);
    let kind = LISTEN.ended_by(Ended::Client);
    for n in 0..3 {
        let client = Client::new(n, NODE);
        let bytes = Bytes::Silent(ACK);
        let habit = Habit { hold: (6.0, 6.01), gap: (0.4, 0.5), bytes };
        traffic.cycle(&client, kind, habit);
        traffic.calls(0.0, &client, 60.0);
    }
    Case {
        name: "row7-by-plan",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &[],
        judging: &[],
        design: Design { streams: 800..=860, most: 3..=3, hold: 6.0..=6.02 },
        wanted: Wanted {
            verdicts: QUIET,
            fault: Fault::Of(Blame {
                confidence: UNSURE,
                words: &["by plan"],
                ..Blame::new(&["server", "client"], &["client-timeout"])
            }),
        },
    }
}

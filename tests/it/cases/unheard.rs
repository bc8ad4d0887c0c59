//! Row 4: the client left, and what is behind the front did not hear of it.

use super::case::{ANY, Blame, Case, Design, Fault, UNSURE, Wanted};
use super::log::Log;
use super::number::Number;
use super::request::{AGENTS, BROWSER, CALL, Client, Ended, GET, LISTEN};
use super::servers::{APP, Server};
use super::traffic::{ACK, Bytes, Traffic};

pub(super) fn cases() -> Vec<Case> {
    vec![one_log_alone(), front_and_back(), lambda_url()]
}

/// Twelve clients that wait a minute, close the stream and open the next
/// within two seconds; behind the front each stream lasts up to the ceiling
/// of 300 s, because nothing is ever sent on it. What the front sees, and
/// what is seen behind it.
fn hops(seed: u64) -> [Traffic; 2] {
    let mut front = Traffic::new(seed, 2.0 * 3_600.0);
    let mut back = Traffic::new(seed + 1, 2.0 * 3_600.0);
    for n in 0..12 {
        let client = Client::new(n, AGENTS[n % 4]);
        front.calls(0.0, &client, 400.0);
        back.calls(0.0, &client, 400.0);
        let mut at = -front.chance.between(300.0, 420.0);
        while at < front.length {
            let left = LISTEN.ended_by(Ended::Client);
            let hold = front.chance.between(60.0, 60.4);
            let silent = Bytes::Silent(ACK);
            let end = front.open(&client, left, at, hold, silent);
            let ceiling = back.chance.between(300.0, 300.02);
            back.open(&client, LISTEN, at + 0.002, ceiling, silent);
            at = end + front.chance.between(1.0, 2.0);
        }
    }
    [front, back]
}

const BEHIND: Design =
    Design { streams: 1_330..=1_420, most: 56..=62, hold: 300.0..=300.02 };

/// The log behind the front alone: a leak of the client's and one of the
/// front's leave the same lines, because nobody writes to a silent stream.
/// Ours; that a proxy does not notice was seen of `HAProxy` 2.6 and of
/// nginx with `proxy_ignore_client_abort on`.
fn one_log_alone() -> Case {
    let [_, back] = hops(41);
    Case {
        name: "row4-one-log-alone",
        logs: vec![Log::of(&back, Server::Nginx)],
        reading: &[],
        judging: &[],
        design: BEHIND,
        wanted: Wanted {
            verdicts: &["stacked"],
            fault: Fault::Of(Blame {
                confidence: UNSURE,
                numbers: &[
                    &[Number::Seconds(298.0, 302.0)],
                    &[Number::Seconds(60.0, 63.0), Number::Count(4.7, 5.0)],
                ],
                // What settles it: pings, or the log of the hop before.
                words: &["(?i)ping|keep-?alive|comment|front|other log|hop"],
                ..Blame::new(
                    &["client", "unknown"],
                    &["abandon-and-reopen", "undetermined"],
                )
            }),
        },
    }
}

/// Both logs of the same hours: the front's clients left after a minute, and
/// the streams went on behind it.
fn front_and_back() -> Case {
    let [front, back] = hops(41);
    Case {
        name: "row4-front-and-back",
        logs: vec![
            Log::of(&back, Server::Caddy).named("--back"),
            Log::of(&front, Server::Nginx).named("--front"),
        ],
        reading: &[],
        judging: &[],
        design: BEHIND,
        wanted: Wanted {
            verdicts: &["stacked", "climbing"],
            fault: Fault::Of(Blame {
                confidence: ANY,
                numbers: &[
                    &[Number::Seconds(59.5, 61.0)],
                    &[Number::Seconds(298.0, 302.0)],
                ],
                ..Blame::new(
                    &["server", "proxy"],
                    &["disconnect-not-propagated"],
                )
            }),
        },
    }
}

/// A Lambda function's URL never tells the function that the client left:
/// 548 streams closed in a week, none of them by the client; 46 of 458 runs
/// had two to seven at once, for each reconnect leaves one until the run is
/// over; 16 were allowed at once, and 37 were refused with 429 in some ten
/// minutes (<https://github.com/kirill-markin/flashcards-open-source-app/pull/1701>).
/// The app's own log, a client each run; all streams of a run end with it.
/// How long runs last is not told there: three to twelve minutes here.
fn lambda_url() -> Case {
    let week = 7.0 * 86_400.0;
    let mut traffic = Traffic::new(43, week);
    let kind = GET.at("/v1/chat/live");
    for run in 0..458 {
        let client = Client::new(run % 60, BROWSER);
        let begin = traffic.chance.between(3_600.0, week - 3_600.0);
        let lasts = traffic.chance.between(180.0, 720.0);
        let since = traffic.requests.len();
        for attach in 0..attaches(run) {
            let late = lasts * 0.1 * attach as f64;
            let bytes = Bytes::Alive;
            traffic.open(&client, kind, begin + late, lasts - late, bytes);
        }
        traffic.in_session(since, &format!("run-{run:04}"));
    }
    let refused = kind.answered(429);
    for n in 0..37 {
        let client = Client::new(n % 12, BROWSER);
        let at = 500_000.0 + f64::from(n as u32) * 16.0;
        traffic.open(&client, refused, at, 0.004, Bytes::Silent(0));
    }
    let edges = [30.0, week - 30.0];
    for at in edges {
        traffic.call(CALL, at, &Client::new(0, BROWSER));
    }
    Case {
        name: "row4-lambda-url",
        logs: vec![Log::of(&traffic, Server::App)],
        reading: &[APP[0], APP[1], "--path", "/v1/chat/live"],
        judging: &["--bin", "5m"],
        design: Design {
            streams: 585..=585,
            most: 6..=16,
            hold: 250.0..=480.0,
        },
        wanted: Wanted {
            verdicts: &["flat", "stacked"],
            fault: Fault::Of(Blame {
                confidence: UNSURE,
                ..Blame::new(
                    &["client", "server", "proxy", "platform", "unknown"],
                    &[
                        "disconnect-not-propagated",
                        "abandon-and-reopen",
                        "undetermined",
                    ],
                )
            }),
        },
    }
}

/// How often the client of a run attached: 548 times in all, once in most
/// runs, two to seven times in 46.
fn attaches(run: usize) -> usize {
    // 23 runs twice, 12 three, 5 four, 3 five, 2 six and 1 seven times.
    match run / 9 {
        _ if !run.is_multiple_of(9) => 1,
        0..23 => 2,
        23..35 => 3,
        35..40 => 4,
        40..43 => 5,
        43 | 44 => 6,
        45 => 7,
        _ => 1,
    }
}

#[test]
fn the_runs_attach_as_often_as_reported() {
    let all: Vec<usize> = (0..458).map(attaches).collect();
    let several = all.iter().filter(|count| **count > 1);
    assert_eq!((several.count(), all.iter().sum()), (46, 548));
}

//! Row 8: something between client and server cuts what is silent.

use super::case::{Blame, Case, Design, Fault, Wanted};
use super::log::Log;
use super::number::Number;
use super::request::{AGENTS, BROWSER, Client, GET, LISTEN};
use super::servers::Server;
use super::traffic::{ACK, Bytes, Habit, Traffic};

pub(super) fn cases() -> Vec<Case> {
    vec![behind_cloudflare(), on_railway(), nginx_read_timeout(), heroku()]
}

const QUIET: &[&str] = &["cycling", "flat"];
const GETS: &[&str] = &["--path", "/mcp", "--method", "GET"];
const NEARLY_ALL: &[Number] = &[Number::Percent(90.0, 100.0)];
const IDLE: Blame = Blame::new(&["proxy", "platform"], &["idle-cut"]);

/// Eight clients whose silent streams are cut so many seconds after they
/// opened.
fn cut(seed: u64, kind: super::request::Kind, hold: (f64, f64)) -> Traffic {
    let mut traffic = Traffic::new(seed, 3.0 * 3_600.0);
    for n in 0..8 {
        let client = Client::new(n, AGENTS[n % 4]);
        let habit = Habit { hold, gap: (0.9, 4.0), bytes: Bytes::Silent(ACK) };
        traffic.cycle(&client, kind, habit);
        traffic.calls(0.0, &client, 150.0);
    }
    traffic
}

/// Cut at 125.4 s behind Cloudflare, status 502 "stream reset by client
/// (`INTERNAL_ERROR`)", because headers had not come out of it by then
/// (<https://github.com/robhunter/agentdeals/issues/1098>).
fn behind_cloudflare() -> Case {
    let traffic = cut(81, GET.answered(502), (125.25, 125.55));
    Case {
        name: "row8-cloudflare",
        logs: vec![Log::of(&traffic, Server::Cloudflare)],
        reading: GETS,
        judging: &[],
        design: Design {
            streams: 660..=690,
            most: 8..=8,
            hold: 125.3..=125.5,
        },
        wanted: Wanted {
            verdicts: QUIET,
            fault: Fault::Of(Blame {
                numbers: &[&[Number::Seconds(125.0, 126.0)], NEARLY_ALL],
                ..IDLE
            }),
        },
    }
}

/// The same server without Cloudflare: Railway cuts them at 300.4 s.
fn on_railway() -> Case {
    let traffic = cut(82, GET, (300.3, 300.5));
    Case {
        name: "row8-railway",
        logs: vec![Log::of(&traffic, Server::Railway)],
        reading: GETS,
        judging: &[],
        design: Design {
            streams: 275..=290,
            most: 8..=8,
            hold: 300.3..=300.5,
        },
        wanted: Wanted {
            verdicts: QUIET,
            fault: Fault::Of(Blame {
                numbers: &[&[Number::Seconds(300.0, 301.0)], NEARLY_ALL],
                ..IDLE
            }),
        },
    }
}

/// nginx's `proxy_read_timeout` of 60 s: "upstream timed out (110:
/// Connection timed out) while reading upstream" in the error log
/// (<https://github.com/mjl-/mox/issues/78>), 200 and `OK` in this one; also
/// <https://github.com/knaisoma/data-olympus/issues/103>. An acknowledgement
/// and no byte after it.
fn nginx_read_timeout() -> Case {
    let traffic = cut(83, LISTEN, (60.0, 60.06));
    Case {
        name: "row8-nginx",
        logs: vec![Log::of(&traffic, Server::Nginx)],
        reading: &[],
        judging: &[],
        design: Design {
            streams: 1_350..=1_400,
            most: 8..=8,
            hold: 60.0..=60.06,
        },
        wanted: Wanted {
            verdicts: QUIET,
            fault: Fault::Of(Blame {
                numbers: &[&[Number::Seconds(59.5, 60.5)], NEARLY_ALL],
                ..IDLE
            }),
        },
    }
}

/// Heroku's router cuts a stream that was silent for 55 s: `code=H15`,
/// `service=55001ms status=503`
/// (<https://github.com/hooligram/hooligram-client/issues/84>,
/// <https://github.com/getlantern/unbounded/issues/181>). Its log has no
/// user agents.
fn heroku() -> Case {
    let mut traffic = Traffic::new(84, 2.0 * 3_600.0);
    let kind = GET.at("/events").answered(503);
    for n in 0..8 {
        let client = Client::new(n, BROWSER);
        let habit = Habit {
            hold: (55.0005, 55.004),
            gap: (3.0, 3.1),
            bytes: Bytes::Silent(1_306),
        };
        traffic.cycle(&client, kind, habit);
        traffic.calls(0.0, &client, 60.0);
    }
    Case {
        name: "row8-heroku",
        logs: vec![Log::of(&traffic, Server::Heroku)],
        reading: &["--path", "/events"],
        judging: &[],
        design: Design {
            streams: 975..=1_000,
            most: 8..=8,
            hold: 55.0..=55.01,
        },
        wanted: Wanted {
            verdicts: QUIET,
            fault: Fault::Of(Blame {
                numbers: &[&[Number::Seconds(54.5, 55.5)], NEARLY_ALL],
                ..IDLE
            }),
        },
    }
}

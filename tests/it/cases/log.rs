//! A log written from traffic, and what it shows of the streams.

use streamleak::internal::time::Micros;

use super::servers::Server;
use super::traffic::{BEGIN, Traffic};

/// One log of a case.
pub(super) struct Log {
    pub(super) name: &'static str,
    /// The option it is named with, where it is not just named.
    pub(super) option: Option<&'static str>,
    pub(super) text: String,
    /// What can be known of its streams: opened, and closed unless that is
    /// not logged yet. `None`: it is not ours.
    pub(super) seen: Option<Vec<(Micros, Option<Micros>)>>,
}

impl Log {
    /// What a server wrote of this traffic.
    pub(super) fn of(traffic: &Traffic, server: Server) -> Log {
        let until = BEGIN + Micros::from_secs_f64(traffic.length);
        let mut logged: Vec<_> = traffic
            .requests
            .iter()
            .filter(|r| r.closed >= BEGIN && r.closed < until)
            .collect();
        logged.sort_by_key(|request| (request.closed, request.id));
        let text: Vec<String> =
            logged.iter().map(|request| server.line(request)).collect();
        let streams = logged.iter().filter(|r| r.kind.is_stream);
        let seen = streams.map(|request| server.seen(request));
        Log {
            name: "access.log",
            option: None,
            text: text.concat(),
            seen: Some(seen.map(|(a, b)| (a, Some(b))).collect()),
        }
    }

    /// What nginx's mirror wrote of the openings of this traffic, and what
    /// is known of the streams that have not ended.
    pub(super) fn of_openings(traffic: &Traffic) -> Log {
        let until = BEGIN + Micros::from_secs_f64(traffic.length);
        let mut opened: Vec<_> = traffic
            .requests
            .iter()
            .filter(|r| r.opened >= BEGIN && r.opened < until)
            .collect();
        opened.sort_by_key(|request| (request.opened, request.id));
        let text: Vec<String> =
            opened.iter().map(|r| super::servers::opening(r)).collect();
        let open = opened.iter().filter(|r| r.kind.is_stream);
        let open = open.filter(|request| request.closed >= until);
        let seen = open.map(|request| Server::Nginx.seen(request).0);
        Log {
            name: "open.log",
            option: None,
            text: text.concat(),
            seen: Some(seen.map(|opened| (opened, None)).collect()),
        }
    }

    /// The same log, read by this option.
    pub(super) fn named(self, option: &'static str) -> Log {
        let name = option.trim_start_matches('-');
        Log { name, option: Some(option), ..self }
    }
}

/// What streams come to, counted without the program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measure {
    /// How many there are.
    pub(super) streams: usize,
    /// The most open at an instant.
    pub(super) most: usize,
    /// The median hold of those that ended, in seconds.
    pub(super) hold: f64,
}

impl Measure {
    /// Of streams as a log shows them.
    pub(super) fn of(seen: &[(Micros, Option<Micros>)]) -> Measure {
        let mut holds: Vec<f64> = seen
            .iter()
            .filter_map(|(a, b)| b.map(|b| (b - *a).as_secs()))
            .collect();
        holds.sort_by(f64::total_cmp);
        let half = holds.len() / 2;
        let hold = match holds.len() {
            0 => 0.0,
            n if n.is_multiple_of(2) => (holds[half - 1] + holds[half]) / 2.0,
            _ => holds[half],
        };
        Measure { streams: seen.len(), most: most(seen), hold }
    }
}

/// The most that are open at an instant of the log.
fn most(seen: &[(Micros, Option<Micros>)]) -> usize {
    let opened = seen.iter().map(|(a, _)| ((*a).max(BEGIN), 1));
    let closed = seen.iter().filter_map(|(_, b)| b.map(|b| (b, -1)));
    let mut changes: Vec<(Micros, i64)> = opened.chain(closed).collect();
    // What closes at an instant is closed before anything opens at it.
    changes.sort_unstable();
    let (mut open, mut most) = (0, 0);
    for (_, change) in changes {
        open += change;
        most = most.max(open);
    }
    most as usize
}

#[test]
fn streams_are_counted_while_they_are_open() {
    let at = |s: i64| BEGIN + Micros::from_secs(s);
    let seen = [
        (at(-50), Some(at(10))),
        (at(10), Some(at(30))),
        (at(20), None),
        (at(25), Some(at(26))),
    ];
    let measure = Measure { streams: 4, most: 3, hold: 20.0 };
    assert_eq!(Measure::of(&seen), measure);
}

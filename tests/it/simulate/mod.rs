//! The simulation: what its servers and clients do on real sockets, and that
//! the analysis of the log they make tells the truth.

mod program;
mod runs;
#[cfg(target_os = "linux")]
mod system;
mod wire;

use std::sync::LazyLock;
use std::thread;
use std::time::Duration;

use streamleak::internal::series::Series;
use streamleak::internal::simulate::{
    Agreement, Entry, Era, Habit, Lacking, Log, Pace, Run, Server, Simulation,
    Stop,
};

use crate::program::Folder;

/// How long a machine that is busy may take for what is done at once on one
/// that is not. No test passes because this has passed: it only ends those
/// that would wait for ever.
const LONG_ENOUGH: Duration = Duration::from_secs(60);

/// A run of one server and one kind of client.
struct Pair {
    server: Server,
    habit: Habit,
    run: Run,
}

/// A minute in 600 ms: 100 times faster than life.
fn pace() -> Pace {
    let life = |seconds| Duration::from_secs(seconds) / 100;
    Pace {
        ceiling: life(60),
        max_hold: life(50),
        keepalive: life(5),
        silence: life(15),
        backoff: life(15),
    }
}

fn simulation(server: Server, clients: Vec<Habit>) -> Simulation {
    Simulation {
        server,
        clients,
        pace: pace(),
        era: Era::Modern,
        length: Duration::from_secs(6),
        every: Duration::from_millis(250),
    }
}

/// Each server with each kind of client, all at the same time.
static PAIRS: LazyLock<Vec<Pair>> = LazyLock::new(|| {
    let both = |server| Habit::ALL.map(|habit| (server, habit));
    let threads = Server::ALL.into_iter().flat_map(both).map(|pair| {
        thread::spawn(move || {
            let (server, habit) = pair;
            let simulation = simulation(server, vec![habit]);
            let run = simulation.run(&Stop::default(), &mut |_| {});
            Pair { server, habit, run: run.expect("a run") }
        })
    });
    let threads: Vec<_> = threads.collect();
    threads.into_iter().map(|t| t.join().expect("a pair")).collect()
});

fn pair(server: Server, habit: Habit) -> &'static Run {
    let of = |pair: &&Pair| pair.server == server && pair.habit == habit;
    &PAIRS.iter().find(of).expect("all pairs").run
}

/// The report of a run's log, by steps of a sample.
fn report(run: &Run, logs: [Log; 2]) -> serde_json::Value {
    let folder = Folder::new();
    let write =
        |log: Log| folder.write(log.name(), log.text(run, None).as_bytes());
    let [ends, opens] = logs.map(write);
    let how = ["--bin", "250ms", "-o", "json"];
    let ran = crate::program::run(&[&how[..], &[&ends, &opens]].concat());
    assert_eq!(ran.err, "");
    ran.answer()
}

/// The streams of a run.
fn streams(run: &Run) -> Vec<&Entry> {
    run.entries.iter().filter(|entry| entry.stream).collect()
}

/// How many were open at each sample.
fn counted(run: &Run) -> Vec<u64> {
    run.samples.iter().map(|sample| sample.open).collect()
}

#[test]
fn a_client_that_abandons_gains_a_stream_each_cycle_of_a_silent_server() {
    let run = pair(Server::Silent, Habit::Abandon);
    let open = *counted(run).last().expect("samples");
    assert_eq!(open as usize, streams(run).len(), "none was ever closed");
    assert!(counted(run).is_sorted());
    let opened: Vec<_> = streams(run).iter().map(|e| e.opened).collect();
    let gaps = opened.windows(2).map(|two| (two[1] - two[0]).as_secs());
    let mut gaps: Vec<f64> = gaps.collect();
    gaps.sort_by(f64::total_cmp);
    assert!(gaps[0] >= pace().silence.as_secs_f64(), "{gaps:?}");
    // Threads that share two cores are late now and then, not always.
    let cycle = simulation(Server::Silent, Vec::new()).cycle();
    let cycles = gaps[gaps.len() / 2] / cycle.as_secs_f64();
    assert!((0.8..=1.25).contains(&cycles), "{gaps:?} by {cycle:?}");
}

#[test]
fn a_client_that_closes_swings_between_none_and_one() {
    for server in Server::ALL {
        let run = pair(server, Habit::Close);
        let streams = streams(run);
        assert!(streams.len() >= 5, "{server:?}");
        let mut pairs = streams.windows(2);
        let apart = |two: &[&Entry]| {
            two[0].closed.is_some_and(|closed| closed < two[1].opened)
        };
        assert!(pairs.all(apart), "{server:?} {streams:#?}");
        assert!(counted(run).contains(&1), "{server:?}");
    }
}

#[test]
fn servers_that_cap_hold_one_stream_of_a_client_that_abandons() {
    for server in [Server::Capped, Server::Hardened] {
        let run = pair(server, Habit::Abandon);
        assert!(streams(run).len() >= 5, "{server:?}");
        assert!(counted(run).iter().all(|open| *open <= 1), "{server:?}");
    }
}

#[test]
fn every_log_agrees_with_what_its_server_counted() {
    for Pair { server, habit, run } in PAIRS.iter() {
        assert_eq!(run.lacking, Lacking::default());
        let report = report(run, [Log::Ends, Log::Opens]);
        let agreement = Agreement::of(run, &series(&report));
        let name = format!("{} {}", server.name(), habit.name());
        assert_eq!(agreement.samples, 24, "{name}");
        assert_eq!(agreement.worst, 0, "{name}: {agreement:?}");
    }
}

/// The series of a report.
fn series(report: &serde_json::Value) -> Series {
    let bins = report["series"].as_array().expect("bins").iter().map(|bin| {
        let text = bin["t"].as_str().expect("a time");
        let start = streamleak::internal::time::rfc3339(text.as_bytes());
        let number = |name: &str| bin[name].as_u64().expect("a number");
        streamleak::internal::series::Bin {
            start: start.expect("RFC 3339").at,
            opens: number("opens"),
            closes: number("closes"),
            ..Default::default()
        }
    });
    Series {
        step: streamleak::internal::time::Micros(250_000),
        bins: bins.collect(),
    }
}

#[test]
fn a_log_without_one_of_its_openings_does_not_agree() {
    let run = pair(Server::Silent, Habit::Abandon);
    let mut less = run.clone();
    less.entries.remove(run.entries.len() / 2);
    let report = report(&less, [Log::Ends, Log::Opens]);
    let agreement = Agreement::of(run, &series(&report));
    assert!(agreement.worst >= 1, "{agreement:?}");
}

#[test]
fn every_log_is_judged_for_what_it_is() {
    for Pair { server, habit, run } in PAIRS.iter() {
        let report = report(run, [Log::Ends, Log::Opens]);
        let verdict = report["verdict"].as_str().expect("a verdict");
        let right = match (server, habit) {
            (Server::Silent, Habit::Abandon) => verdict == "climbing",
            _ => ["flat", "cycling"].contains(&verdict),
        };
        let name = format!("{} {}", server.name(), habit.name());
        assert!(right, "{name}: {verdict}: {}", report["summary"]);
        if verdict == "climbing" {
            let told = report["fault"]["evidence"].to_string();
            assert!(told.contains("none of them has ended"), "{told}");
            assert!(!told.contains("bytes are not logged"), "{told}");
        }
    }
}

#[test]
fn json_and_nginx_s_format_say_the_same() {
    let run = pair(Server::Polite, Habit::Close);
    let nginx = report(run, [Log::Ends, Log::Opens]);
    let json = report(run, [Log::JsonEnds, Log::JsonOpens]);
    assert_eq!(nginx, json);
    assert!(nginx["streams"]["ended"].as_u64() >= Some(5));
}

#[test]
fn without_the_openings_the_leak_is_not_in_the_log() {
    let run = pair(Server::Silent, Habit::Abandon);
    let ends = Log::Ends.text(run, None);
    assert!(!ends.contains("subscriptions/listen"), "{ends}");
    let opens = Log::Opens.text(run, None);
    assert_eq!(opens.lines().count(), streams(run).len());
}

#[test]
fn who_ended_a_stream_is_in_the_log() {
    let ended = |server, habit| {
        let report = report(pair(server, habit), [Log::Ends, Log::Opens]);
        let by = &report["streams"]["ended_by"];
        (by["client"].as_u64() > Some(0), by["server"].as_u64() > Some(0))
    };
    assert_eq!(ended(Server::Silent, Habit::Close), (true, false));
    assert_eq!(ended(Server::Cutting, Habit::Close), (false, true));
    assert_eq!(ended(Server::Capped, Habit::Abandon), (false, true));
    assert_eq!(ended(Server::Hardened, Habit::Storm), (false, true));
}

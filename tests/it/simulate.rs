//! The simulation: what its servers and clients do on real sockets, and that
//! the analysis of the log they make tells the truth.

use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use streamleak::series::Series;
use streamleak::simulate::{
    Agreement, Entry, Era, Habit, Lacking, Log, Pace, Run, Sample, Server,
    Simulation, Stop,
};

use crate::program::{Folder, command, run};

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
    let cycle = simulation(Server::Silent, Vec::new()).cycle();
    let lasted = (run.until - run.from).as_secs();
    let cycles = lasted / cycle.as_secs_f64();
    let open = *counted(run).last().expect("samples");
    assert_eq!(open as usize, streams(run).len(), "none was ever closed");
    // Threads that share two cores are late by a little each time.
    let expected = cycles * 0.8..=cycles + 1.0;
    assert!(expected.contains(&(open as f64)), "{open} in {cycles} cycles");
    assert!(counted(run).is_sorted());
}

#[test]
fn a_client_that_closes_swings_between_none_and_one() {
    for server in Server::ALL {
        let counted = counted(pair(server, Habit::Close));
        assert!(counted.contains(&0), "{server:?} {counted:?}");
        assert!(counted.contains(&1), "{server:?} {counted:?}");
        assert!(counted.iter().all(|open| *open <= 1), "{server:?}");
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
        let start = streamleak::time::rfc3339(text.as_bytes());
        let number = |name: &str| bin[name].as_u64().expect("a number");
        streamleak::series::Bin {
            start: start.expect("RFC 3339").at,
            opens: number("opens"),
            closes: number("closes"),
            ..Default::default()
        }
    });
    Series { step: streamleak::time::Micros(250_000), bins: bins.collect() }
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

#[test]
fn a_client_that_does_not_wait_is_held_to_one_stream_by_a_hardened_server() {
    // It gives up sooner than a comment comes.
    let impatient = |server| {
        let mut simulation = simulation(server, vec![Habit::Abandon]);
        simulation.pace.silence = Duration::from_millis(40);
        simulation.length = Duration::from_secs(3);
        simulation.every = Duration::from_millis(100);
        let run = simulation.run(&Stop::default(), &mut |_| {});
        counted(&run.expect("a run")).into_iter().max()
    };
    let (polite, hardened) = thread::scope(|scope| {
        let polite = scope.spawn(|| impatient(Server::Polite));
        let hardened = impatient(Server::Hardened);
        (polite.join().expect("a run"), hardened)
    });
    assert!(polite >= Some(5), "max-hold alone bounds it: {polite:?}");
    assert_eq!(hardened, Some(1));
}

/// Runs a server without clients, and a client of ours against it.
fn against<T: Send>(
    server: Server,
    client: impl FnOnce(SocketAddr) -> T + Send,
) -> (T, Run) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let listener = listener.expect("a port");
    let address = listener.local_addr().expect("an address");
    let simulation = simulation(server, Vec::new());
    let stop = Stop::default();
    thread::scope(|scope| {
        let stopped = stop.clone();
        let client = scope.spawn(move || {
            let done = client(address);
            stopped.stop();
            done
        });
        let run = simulation.run_on(listener, &stop, &mut |_| {});
        (client.join().expect("the client ends"), run.expect("a run"))
    })
}

/// Sends this and reads what comes until the end.
fn all(address: SocketAddr, request: &str) -> String {
    let mut socket = TcpStream::connect(address).expect("the server");
    socket.write_all(request.as_bytes()).expect("a request");
    let mut text = Vec::new();
    socket.read_to_end(&mut text).expect("an answer");
    String::from_utf8(text).expect("UTF-8")
}

/// A request for a stream with this id.
fn listen(id: &str) -> String {
    let body = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"subscriptions/listen","params":{{"notifications":{{"toolsListChanged":true}}}}}}"#
    );
    format!(
        "POST /mcp HTTP/1.1\r\nHost: x\r\nmcp-method: subscriptions/listen\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    )
}

#[test]
fn a_polite_server_says_when_to_come_back_and_ends_in_order() {
    let (text, run) =
        against(Server::Polite, |address| all(address, &listen("\"a\"")));
    let (head, body) = text.split_once("\r\n\r\n").expect("a head");
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    assert!(head.contains("Content-Type: text/event-stream"), "{head}");
    let said: Vec<&str> =
        body.split("\r\n").skip(1).step_by(2).map(str::trim).collect();
    assert_eq!(said[..2], [": open", "retry: 150"]);
    let event = said[2].strip_prefix("event: message\ndata: ");
    let event: serde_json::Value =
        serde_json::from_str(event.expect("an event")).expect("JSON");
    assert_eq!(event["method"], "notifications/subscriptions/acknowledged");
    let meta = &event["params"]["_meta"];
    assert_eq!(meta["io.modelcontextprotocol/subscriptionId"], "a");
    assert!(said[3..].iter().filter(|s| **s == ": keepalive").count() >= 7);
    let result = said.iter().rfind(|text| !text.is_empty());
    let result = result.expect("a result");
    assert!(result.contains("\"resultType\":\"complete\""), "{result}");
    assert!(body.ends_with("\r\n0\r\n\r\n"), "{body:?}");
    let held = |e: &&Entry| e.closed.map(|closed| closed - e.opened);
    let held = streams(&run).iter().find_map(held).expect("one stream");
    assert!((0.5..0.6).contains(&held.as_secs()), "{held:?}");
}

#[test]
fn a_cutting_server_ends_in_the_middle_of_the_body() {
    let (text, _) =
        against(Server::Cutting, |address| all(address, &listen("1")));
    assert!(!text.contains("retry:"), "{text}");
    assert!(text.ends_with(": keepalive\n\n\r\n"), "{text:?}");
}

#[test]
fn a_silent_server_never_closes_and_sees_its_client_leave() {
    let (_, run) = against(Server::Silent, |address| {
        let mut socket = TcpStream::connect(address).expect("the server");
        socket.write_all(listen("1").as_bytes()).expect("a request");
        let longer = pace().ceiling + pace().silence;
        let until = Instant::now() + longer;
        socket.set_read_timeout(Some(pace().silence)).expect("a timeout");
        let mut block = [0; 4096];
        let mut heard = 0;
        while let Ok(count) = socket.read(&mut block) {
            assert_ne!(count, 0, "it was closed");
            heard += 1;
            assert!(Instant::now() < until, "it is never silent");
        }
        assert!(heard >= 8, "{heard}");
        drop(socket);
        // The next is answered once the server has seen the last go.
        while !all(address, "GET /healthz HTTP/1.1\r\n\r\n").contains("ok") {}
    });
    let ended = streams(&run)[0];
    assert_eq!(ended.ended_by, streamleak::format::EndedBy::Client);
}

#[test]
fn requests_for_other_things_are_answered_and_are_no_streams() {
    let discover = "POST /mcp HTTP/1.1\r\nMcp-Method: server/discover\r\n\
                    Content-Length: 8\r\n\r\n{\"id\":7}";
    let ((found, lost), run) = against(Server::Capped, |address| {
        let lost = "GET /\u{1b}[31m\"x HTTP/1.1\r\n\r\n";
        (all(address, discover), all(address, lost))
    });
    assert!(found.contains("\"supportedVersions\":[\"2026-07-28\"]"));
    assert!(found.contains("\"id\":7"), "{found}");
    assert!(lost.is_empty() || lost.starts_with("HTTP/1.1 404"), "{lost}");
    assert!(streams(&run).is_empty());
    let text = Log::Ends.text(&run, None);
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{text}");
}

#[test]
fn an_older_client_asks_by_path_and_is_capped_by_its_session() {
    let mut simulation = simulation(Server::Capped, vec![Habit::Abandon; 2]);
    simulation.era = Era::Legacy;
    simulation.length = Duration::from_secs(2);
    let run = simulation.run(&Stop::default(), &mut |_| {}).expect("a run");
    let first = streams(&run)[0];
    assert_eq!((&*first.verb, &*first.path), ("GET", "/subscriptions/listen"));
    assert_eq!(first.session, "abandon-1");
    assert!(counted(&run).iter().all(|open| *open <= 2));
    assert!(streams(&run).len() > 3);
    assert!(Log::Ends.text(&run, None).contains("mm=\"-\" sid=\"abandon-1\""));
}

/// The connections of a server that the system says are established.
fn established(port: u16) -> usize {
    let table = fs::read_to_string("/proc/net/tcp").expect("a table");
    let local = format!(":{port:04X}");
    let of = |line: &&str| {
        let mut fields = line.split_whitespace().skip(1);
        let ours = fields.next().is_some_and(|at| at.ends_with(&local));
        ours && fields.nth(1) == Some("01")
    };
    table.lines().filter(of).count()
}

/// What server and system counted at the same time, again and again.
fn counted_twice(clients: Vec<Habit>) -> Vec<(usize, usize)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let listener = listener.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let mut simulation = simulation(Server::Silent, clients);
    simulation.length = Duration::from_secs(3);
    let mut pairs = Vec::new();
    let mut watch = |sample: &Sample| {
        pairs.push((sample.open as usize, established(port)));
    };
    simulation.run_on(listener, &Stop::default(), &mut watch).expect("a run");
    pairs
}

#[test]
#[cfg(target_os = "linux")]
fn what_the_server_counts_the_system_counts_too() {
    let (abandoned, closed) = thread::scope(|scope| {
        let closed = scope.spawn(|| counted_twice(vec![Habit::Close]));
        let abandoned = counted_twice(vec![Habit::Abandon; 7]);
        (abandoned, closed.join().expect("a run"))
    });
    // Of streams that are never closed the system, asked later, can only
    // know more, and no more than the server counts the next time.
    for pair in abandoned.windows(2) {
        let [(before, between), (after, _)] = pair else { continue };
        assert!(before <= between && between <= after, "{abandoned:?}");
    }
    assert!(abandoned.last() >= Some(&(20, 20)), "{abandoned:?}");
    // One that is closed is gone for both, but for a moment.
    let same = closed.iter().filter(|(one, other)| one == other).count();
    assert!(same * 4 >= closed.len() * 3, "{closed:?}");
    assert!(closed.contains(&(0, 0)) && closed.contains(&(1, 1)));
}

#[test]
fn too_many_streams_are_refused_and_counted() {
    let mut simulation = simulation(Server::Silent, vec![Habit::Abandon; 150]);
    simulation.pace.ceiling = Duration::from_millis(60);
    simulation.pace.silence = Duration::from_millis(60);
    simulation.length = Duration::from_secs(2);
    let run = simulation.run(&Stop::default(), &mut |_| {}).expect("a run");
    assert_eq!(counted(&run).into_iter().max(), Some(400));
    let Lacking { refused, refused_from, .. } = run.lacking;
    assert!(refused > 0 && refused_from > Some(run.from));
    let answered = streams(&run).into_iter().filter(|e| e.status == 503);
    assert!((1..=refused).contains(&(answered.count() as u64)));
    let report = report(&run, [Log::Ends, Log::Opens]);
    let findings = report["findings"].as_array().expect("findings");
    let found = findings.iter().find(|finding| finding["code"] == "refused");
    assert_eq!(found.expect("a finding")["evidence"]["status"], 503);
}

#[test]
fn the_table_stands_beside_what_the_log_says() {
    let folder = Folder::new();
    let dir = folder.path("made");
    let dir = dir.to_str().expect("UTF-8");
    let ran = run(&[
        "simulate",
        "--seconds",
        "8",
        "--time-scale",
        "100",
        "--log-dir",
        dir,
    ]);
    assert_eq!((ran.status, &*ran.err), (0, ""), "{}", ran.out);
    let out = &ran.out;
    assert!(out.contains("second  abandon  close"), "{out}");
    let row = |second: &str| {
        let row = out.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            (words.next() == Some(second)).then(|| words.collect::<Vec<_>>())
        });
        row.unwrap_or_else(|| panic!("no row {second}: {out}"))
    };
    let open = |second: &str| row(second)[0].parse::<u64>().expect("a count");
    assert!(open("8") >= open("1") + 5, "{out}");
    assert_eq!(out.matches("CLIMBING:").count(), 2, "{out}");
    assert!(out.contains("of the clients that close\nFLAT:"), "{out}");
    assert!(out.contains("greatest difference 0 at"), "{out}");
    assert!(out.contains("opens.log"), "{out}");
    for log in Log::ALL {
        assert!(folder.path("made").join(log.name()).exists(), "{log:?}");
    }
    let samples = fs::read_to_string(folder.path("made/samples.csv"));
    let samples = samples.expect("samples");
    assert!(samples.starts_with("t,open,abandon,close,storm\n"));
    assert_eq!(samples.lines().count(), 9);
}

#[test]
fn a_log_that_no_simulation_wrote_is_left_alone() {
    let alone = [("access.log", None), ("samples.csv", None)];
    let both = [("opens.jsonl", Some("samples.csv"))];
    for (name, other) in alone.into_iter().chain(both) {
        let folder = Folder::new();
        let log = folder.write(name, b"precious\n");
        other.map(|other| folder.write(other, b"t,temperature\n"));
        let dir = folder.path("");
        let dir = dir.to_str().expect("UTF-8");
        let ran = run(&["simulate", "--seconds", "1", "--log-dir", dir]);
        assert_eq!((ran.status, &*ran.out), (2, ""));
        assert!(ran.err.contains("name another --log-dir"), "{}", ran.err);
        assert_eq!(fs::read(log).expect("a log"), b"precious\n");
    }
    let folder = Folder::new();
    let file = folder.write("file", b"precious\n");
    let ran = run(&["simulate", "--seconds", "1", "--log-dir", &file]);
    assert!(ran.err.contains("is not a folder"), "{}", ran.err);
}

#[test]
fn what_was_counted_is_shown_even_if_the_log_cannot_be_written() {
    let folder = Folder::new();
    let dir = folder.path("made");
    fs::create_dir(&dir).expect("a folder");
    // Ours by its samples, but where a log goes there is a folder.
    let head = Log::SAMPLES_HEAD.as_bytes();
    fs::write(dir.join("samples.csv"), head).expect("samples");
    fs::create_dir(dir.join("opens.log")).expect("a folder");
    let dir = dir.to_str().expect("UTF-8");
    let ran = run(&["simulate", "--seconds", "1", "--log-dir", dir]);
    assert_eq!(ran.status, 2);
    assert!(ran.err.contains("opens.log"), "{}", ran.err);
    assert!(ran.out.contains("second  abandon  close"), "{}", ran.out);
}

#[test]
#[cfg(unix)]
fn without_descriptors_it_ends_all_the_same_and_says_so() {
    let folder = Folder::new();
    let dir = folder.path("made");
    let program = env!("CARGO_BIN_EXE_streamleak");
    // More than it needs to start, fewer than its clients need.
    for (limit, told) in [(5, None), (16, Some("Too many open files"))] {
        let shell = format!(
            "ulimit -n {limit}; exec {program} simulate --seconds 2 --clients \
             20 --client storm --log-dir {}",
            dir.display()
        );
        let mut ran = std::process::Command::new("sh");
        let ran = ran.args(["-c", &shell]).output().expect("a shell");
        let out = String::from_utf8_lossy(&ran.stdout);
        let words: Vec<&str> = out.split_whitespace().collect();
        let out = words.join(" ");
        let err = String::from_utf8_lossy(&ran.stderr);
        let told = told.unwrap_or("");
        assert!(out.contains(told), "{limit}: {out}{err}");
        assert!(ran.status.code().is_some(), "{limit}: {err}");
    }
}

#[test]
fn a_client_that_drips_its_request_holds_nothing_up() {
    let (took, _) = against(Server::Silent, |address| {
        let mut socket = TcpStream::connect(address).expect("the server");
        socket.write_all(b"POST /mcp HTTP/1.1\r\nX: ").expect("a start");
        let began = Instant::now();
        let drip = Duration::from_millis(50);
        socket.set_read_timeout(Some(drip)).expect("a timeout");
        // Until it is hung up on: a write or a read says so.
        let mut block = [0; 64];
        while socket.write_all(b"x").is_ok()
            && !matches!(socket.read(&mut block), Ok(0))
        {
            assert!(began.elapsed() < Duration::from_secs(20), "it is held");
        }
        began.elapsed()
    });
    assert!(took < Duration::from_secs(10), "{took:?}");
}

#[test]
fn what_is_out_of_bounds_is_refused_with_what_would_do() {
    let refused = [
        ("--seconds", "0", "--seconds 0: not from 1 to 3600"),
        ("--seconds", "9999", "not from 1 to 3600"),
        ("--clients", "0", "--clients 0: not from 1 to 200"),
        ("--clients", "201", "not from 1 to 200"),
        ("--client", "leak", "\"leak\" is not one of abandon, close, storm"),
        ("--client", "abandon=150,close=150", "more than 200 clients"),
        ("--time-scale", "0", "--time-scale 0: not from 0.01 to 1000"),
        ("--time-scale", "nan", "--time-scale NaN: not from"),
        ("--ceiling", "soon", "--ceiling soon: not a span such as 5s"),
        ("--max-hold", "50s", "--max-hold is for --server polite and"),
        ("--server", "kind", "possible values: silent, cutting, capped"),
    ];
    for (option, value, told) in refused {
        let ran = run(&["simulate", option, value]);
        assert_eq!(ran.status, 2, "{option} {value}");
        assert!(ran.err.contains(told), "{option} {value}: {}", ran.err);
    }
    let polite = ["simulate", "--server", "polite", "--max-hold", "60s"];
    let told = "--max-hold 60s is not below the --ceiling of 60s";
    assert!(run(&polite).err.contains(told));
    let many = ["simulate", "--client", "abandon", "--clients", "50"];
    let told = "450 streams would be open in the end, and 400 can be";
    assert!(run(&many).err.contains(told), "{}", run(&many).err);
}

#[test]
fn a_run_that_is_stopped_has_what_was_gathered() {
    let mut simulation = simulation(Server::Silent, vec![Habit::Close; 3]);
    simulation.length = Duration::from_secs(3600);
    let stop = Stop::default();
    let mut seen = 0;
    let run = simulation.run(&stop, &mut |_| {
        seen += 1;
        if seen == 3 {
            stop.stop();
        }
    });
    let run = run.expect("a run");
    assert_eq!(run.samples.len(), 3);
    assert!((run.until - run.from).as_secs() < 5.0);
    assert!((1..=3).contains(&streams(&run).len()), "one each");
}

#[test]
#[cfg(unix)]
fn ctrl_c_ends_it_cleanly() {
    use rustix::process::{Pid, Signal, kill_process};
    let folder = Folder::new();
    let dir = folder.path("made");
    let long = ["simulate", "--client", "close", "--seconds", "3600"];
    let child = command(&long)
        .arg("--log-dir")
        .arg(&dir)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The folder is made once Ctrl-C is listened to.
    let until = Instant::now() + Duration::from_secs(20);
    while !dir.exists() {
        assert!(Instant::now() < until, "it does not start");
        thread::yield_now();
    }
    let pid = Pid::from_raw(child.id() as i32).expect("a process");
    kill_process(pid, Signal::INT).expect("a signal");
    let ended = child.wait_with_output().expect("it ends");
    assert_eq!(ended.status.code(), Some(0));
    let err = String::from_utf8_lossy(&ended.stderr);
    let files = Log::ALL.map(|log| dir.join(log.name()).exists());
    // On a machine that is busy a second may have passed.
    match err.contains("ended before the first second") {
        true => assert_eq!(files, [false; 5], "{err}"),
        false => assert_eq!(files, [true; 5], "{err}"),
    }
}

//! The command `streamleak simulate`.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use streamleak::internal::simulate::Log;

use crate::program::{Folder, command, run};

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
    // Fewer than it needs to start, and fewer than its clients need.
    for limit in [5, 16] {
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
        let said = format!("{out}{err}");
        assert!(said.contains("Too many open files"), "{limit}: {said}");
        assert!(ran.status.code().is_some(), "{limit}: {err}");
    }
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
    if err.contains("ended before the first second") {
        assert_eq!(files, [false; 5], "{err}");
    } else {
        assert_eq!(files, [true; 5], "{err}");
    }
}

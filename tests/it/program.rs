//! The program run as a user runs it.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// What a run came to.
pub(crate) struct Ran {
    /// The exit status.
    pub(crate) status: i32,
    /// Standard output.
    pub(crate) out: String,
    /// Standard error.
    pub(crate) err: String,
}

/// The program with these arguments.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_streamleak"));
    command.args(args).current_dir(env!("CARGO_MANIFEST_DIR"));
    for name in ["NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG", "TERM"] {
        command.env_remove(name);
    }
    command
}

/// Runs it with nothing on standard input.
pub(crate) fn run(args: &[&str]) -> Ran {
    finished(command(args).stdin(Stdio::null()).output())
}

/// Runs it with this on standard input.
pub(crate) fn run_on(input: &[u8], args: &[&str]) -> Ran {
    let child = command(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("the program starts");
    let mut to = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A program that stops reading early breaks the pipe.
        let _broken = to.write_all(&input);
    });
    let ran = finished(child.wait_with_output());
    writer.join().expect("the writer ends");
    ran
}

fn finished(output: std::io::Result<Output>) -> Ran {
    let output = output.expect("the program runs");
    Ran {
        status: output.status.code().unwrap_or(-1),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

impl Ran {
    /// The report on standard output.
    pub(crate) fn report(&self) -> Value {
        serde_json::from_str(&self.out)
            .unwrap_or_else(|e| panic!("{e}: {}\n{}", self.out, self.err))
    }

    /// The report without what was read, which may differ.
    pub(crate) fn answer(&self) -> Value {
        let mut report = self.report();
        let known = report.as_object_mut().expect("an object");
        known.remove("inputs");
        report
    }
}

/// A folder of its own, removed at the end.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    /// An empty one.
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    /// Writes a file into it and returns its path.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> String {
        let path = self.path(name);
        std::fs::write(&path, bytes).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// The path of a file in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

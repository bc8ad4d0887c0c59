//! The command line: reads what was typed and what the process stands in,
//! runs, and says with its exit status what came out.

use std::io::{self, IsTerminal, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use clap::Parser;
use streamleak::Micros;
use streamleak::internal::app::{Args, Env, Plan, run as run_plan};

/// Usage, input or output went wrong.
const TROUBLE: u8 = 2;
/// What Nagios calls that.
const UNKNOWN: u8 = 3;

fn main() -> ExitCode {
    let nagios = asks_for_nagios();
    let run = panic::catch_unwind(AssertUnwindSafe(|| run(nagios)));
    ExitCode::from(match run {
        Ok(status) => status,
        Err(_) if nagios => UNKNOWN,
        Err(_) => TROUBLE,
    })
}

/// Runs and returns the exit status.
fn run(nagios: bool) -> u8 {
    let trouble = if nagios { UNKNOWN } else { TROUBLE };
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => {
            // Nothing is left to do when even that cannot be written.
            let _closed = error.print();
            return if error.use_stderr() { trouble } else { 0 };
        }
    };
    let done = Plan::resolve(args, &env())
        .and_then(|plan| run_plan(&plan, &mut io::stdout().lock()));
    match done {
        Ok(outcome) => {
            for complaint in &outcome.complaints {
                complain(complaint);
            }
            outcome.exit_code
        }
        Err(error) => {
            complain(&format!("{error:#}"));
            trouble
        }
    }
}

/// Says on standard error what went wrong.
fn complain(text: &str) {
    let mut to = io::stderr().lock();
    // A closed standard error takes the text with it; the status remains.
    let _closed = writeln!(to, "streamleak: {text}");
}

/// Whether a monitoring system reads the exit status. Asked of the bare
/// arguments, because it also decides how a wrong argument is reported.
fn asks_for_nagios() -> bool {
    let args: Vec<String> = std::env::args_os()
        .map(|arg| arg.to_string_lossy().into_owned())
        .collect();
    let joined = ["-onagios", "-o=nagios", "--output=nagios"];
    args.iter().any(|arg| joined.contains(&arg.as_str()))
        || args
            .windows(2)
            .any(|w| matches!(&*w[0], "-o" | "--output") && w[1] == "nagios")
}

/// What the process stands in, read once.
fn env() -> Env {
    let set = |name: &str| std::env::var(name).unwrap_or_default();
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].map(set);
    let locale = locale.iter().find(|value| !value.is_empty());
    let utf8 = |value: &String| {
        let value = value.to_ascii_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    };
    Env {
        stdout_is_terminal: io::stdout().is_terminal(),
        stdin_is_terminal: io::stdin().is_terminal(),
        stderr_is_terminal: io::stderr().is_terminal(),
        width: terminal_size::terminal_size()
            .map(|(width, _)| usize::from(width.0)),
        colors: set("NO_COLOR").is_empty() && set("TERM") != "dumb",
        unicode: locale.is_some_and(utf8) && set("TERM") != "dumb",
        cores: std::thread::available_parallelism()
            .map_or(1, std::num::NonZero::get),
        now: Micros::now(),
    }
}

//! Every command of the README does what it says.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::program::Folder;

/// The commands in the README's shell blocks.
fn commands() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("README.md"));
    let text = text.expect("a README");
    let mut commands = Vec::new();
    let mut shell = false;
    for line in text.lines() {
        match line {
            "```sh" => shell = true,
            "```" => shell = false,
            command if shell => commands.push(command.to_owned()),
            _ => {}
        }
    }
    commands
}

/// Where commands of the README are run: the files they name are there, and
/// what they write stays there.
struct Desk {
    folder: Folder,
    search: String,
}

impl Desk {
    fn new() -> Desk {
        let folder = Folder::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let fixtures = root.join("fixtures");
        std::os::unix::fs::symlink(fixtures, folder.path("fixtures"))
            .expect("a link");
        let program = Path::new(env!("CARGO_BIN_EXE_streamleak"));
        let bin = program.parent().expect("a folder").display();
        let search = std::env::var("PATH").unwrap_or_default();
        Desk { folder, search: format!("{bin}:{search}") }
    }

    /// The command as a shell runs it.
    fn shell(&self, command: &str) -> Command {
        let here = command.replace("cargo run --release --", "streamleak");
        let mut shell = Command::new("sh");
        shell.args(["-c", &here]).current_dir(self.folder.path(""));
        shell.env("PATH", &self.search);
        shell
    }

    /// Runs it, looks at how it ended, and gives what it printed.
    fn run(&self, command: &str) -> String {
        let output = self.shell(command).output().expect("a shell");
        check(command, &output);
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// Whether a command ended as it should, and complained of nothing.
fn check(command: &str, output: &Output) {
    let status = output.status.code();
    let leaks = ["/leak/", "rotated", "/hops/", "/opens.log"];
    let leak = leaks.iter().any(|name| command.contains(name));
    let expected = match () {
        () if command.contains("-o nagios") => 2,
        () if leak => 1,
        // A handful of streams is too few to tell.
        () if command.contains("groundtruth") => 3,
        () if command.contains("events.jsonl") => 3,
        () => 0,
    };
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        status == Some(expected),
        "{command}\nended with {status:?}\n{told}"
    );
    assert_eq!(told, "", "{command}");
}

#[test]
fn every_command_runs() {
    let commands = commands();
    assert!(commands.len() >= 12, "{commands:#?}");
    // Simulations take their time: they have it while the others run.
    let (simulations, others): (Vec<_>, Vec<_>) = commands
        .iter()
        .partition(|command| command.starts_with("streamleak simulate"));
    let (tour, others): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|command| command.contains("simulated/"));
    let started = simulations.into_iter().map(|command| {
        let desk = Desk::new();
        let mut shell = desk.shell(command);
        let shell = shell.stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = shell.spawn().expect("a shell");
        (desk, command, child)
    });
    let started: Vec<_> = started.collect();
    let desk = Desk::new();
    // `cargo test` is what runs now.
    for command in others.iter().filter(|c| !c.ends_with("cargo test")) {
        desk.run(command);
    }
    assert!(desk.folder.path("report.json").exists());
    assert_eq!((started.len(), tour.len()), (2, 2), "{tour:?}");
    let mut desks = Vec::new();
    for (desk, command, child) in started {
        check(command, &child.wait_with_output().expect("it ends"));
        desks.push(desk);
    }
    let answers = tour.iter().map(|command| desks[0].run(command));
    for (answer, verdict) in answers.zip(["FLAT: 6 streams", "CLIMBING:"]) {
        assert!(answer.contains(verdict), "{answer}");
    }
}

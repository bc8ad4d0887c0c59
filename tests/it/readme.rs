//! Every command of the README does what it says.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

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

/// Whether a command belongs to the tour of a simulation.
fn is_of_tour(command: &str) -> bool {
    command.contains("streamleak simulate") || command.contains("simulated/")
}

#[test]
fn every_command_runs() {
    let all = commands();
    // `cargo test` is what runs now.
    let commands: Vec<&String> = all
        .iter()
        .filter(|command| !is_of_tour(command))
        .filter(|command| !command.contains("cargo test"))
        .collect();
    assert!(commands.len() >= 12, "{commands:#?}");
    let wrote = std::thread::scope(|scope| {
        let part = |commands: &[&String]| {
            let desk = Desk::new();
            commands.iter().for_each(|command| drop(desk.run(command)));
            desk.folder.path("report.json").exists()
        };
        let parts = commands.chunks(commands.len().div_ceil(4));
        let parts: Vec<_> =
            parts.map(|own| scope.spawn(move || part(own))).collect();
        parts.into_iter().any(|part| part.join().expect("all of them run"))
    });
    assert!(wrote, "no command wrote report.json");
}

#[test]
fn the_tour_leads_from_a_simulation_to_its_leak() {
    let commands = commands();
    let tour = commands.iter().filter(|command| is_of_tour(command));
    let (simulations, questions): (Vec<&String>, Vec<&String>) =
        tour.partition(|command| command.contains("simulate "));
    assert_eq!((simulations.len(), questions.len()), (2, 2), "{commands:#?}");
    // They take their time: all at once.
    let started: Vec<_> = simulations
        .into_iter()
        .map(|command| {
            let desk = Desk::new();
            let mut shell = desk.shell(command);
            let shell = shell.stdout(Stdio::piped()).stderr(Stdio::piped());
            (shell.spawn().expect("a shell"), command, desk)
        })
        .collect();
    let ended = |(child, command, desk): (Child, &String, Desk)| {
        check(command, &child.wait_with_output().expect("it ends"));
        desk
    };
    let desks: Vec<Desk> = started.into_iter().map(ended).collect();
    let answers = questions.iter().map(|command| desks[0].run(command));
    for (answer, verdict) in answers.zip(["FLAT: ", "CLIMBING:"]) {
        assert!(answer.contains(verdict), "{answer}");
    }
}

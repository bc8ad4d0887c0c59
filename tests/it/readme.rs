//! Every command of the README does what it says.

use std::path::Path;
use std::process::Command;

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

#[test]
fn every_command_runs() {
    let program = Path::new(env!("CARGO_BIN_EXE_streamleak"));
    let folder = Folder::new();
    // The files a command names and may write are in a folder of their own.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::os::unix::fs::symlink(root.join("fixtures"), folder.path("fixtures"))
        .expect("a link");
    let bin = program.parent().expect("a folder").display();
    let search = std::env::var("PATH").unwrap_or_default();
    let commands = commands();
    assert!(commands.len() >= 12, "{commands:#?}");
    for command in commands {
        if command.ends_with("cargo test") {
            // This is what runs now.
            continue;
        }
        let here = command.replace("cargo run --release --", "streamleak");
        let output = Command::new("sh")
            .args(["-c", &here])
            .current_dir(folder.path(""))
            .env("PATH", format!("{bin}:{search}"))
            .output()
            .expect("a shell");
        let status = output.status.code();
        let leaks = ["/leak/", "rotated", "/hops/"];
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
    assert!(folder.path("report.json").exists());
}

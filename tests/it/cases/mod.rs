//! Cases of every row of the table of causes, from public reports and our
//! own: what must be said of each log, whose fault it is, and with which
//! numbers.
//!
//! Each is a log in the format of the server it happened on, written by a
//! small generator with a seed; a comment names the report and which numbers
//! are from it.

mod blind;
mod captured;
mod case;
mod chance;
mod cycling;
mod doubling;
mod healthy;
mod idle;
mod leaking;
mod log;
mod number;
mod refusal;
mod request;
mod restart;
mod servers;
mod session;
mod storm;
mod timeout;
mod traffic;
mod unheard;

use case::{Case, answered};

fn all() -> Vec<Case> {
    [
        healthy::cases(),
        cycling::cases(),
        leaking::cases(),
        unheard::cases(),
        storm::cases(),
        refusal::cases(),
        timeout::cases(),
        idle::cases(),
        session::cases(),
        restart::cases(),
        doubling::cases(),
        blind::cases(),
        captured::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn every_log_is_read_whole_and_shows_the_streams_it_was_written_of() {
    let mut wrong = Vec::new();
    for case in all() {
        for log in &case.logs {
            assert!(log.text.len() < 2_000_000, "{} is large", case.name);
        }
        let misread = case.misread();
        wrong.extend(misread.iter().map(|w| format!("{}: {w}", case.name)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_case_is_answered_with_its_cause_and_its_numbers() {
    let mut wrong = Vec::new();
    for case in all() {
        let ran = case.run();
        if ran.out.is_empty() {
            let error = ran.err.lines().next().unwrap_or_default();
            wrong.push(format!("{}: {error}", case.name));
            continue;
        }
        let misjudged = case.misjudged(&ran);
        let name = case.name;
        let told = |w: &String| format!("{name}: {}: {w}", answered(&ran));
        wrong.extend(misjudged.iter().map(told));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

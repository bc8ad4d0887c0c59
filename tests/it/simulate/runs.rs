//! Runs with more than one client, or with one that is out of the ordinary.

use std::thread;
use std::time::Duration;

use streamleak::internal::simulate::{Era, Habit, Lacking, Log, Server, Stop};
use streamleak::internal::time::Micros;

use super::{counted, report, simulation, streams};

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

#[test]
fn an_older_client_asks_by_path_and_is_capped_by_its_session() {
    let mut simulation = simulation(Server::Capped, vec![Habit::Abandon; 2]);
    simulation.era = Era::Legacy;
    simulation.pace.ceiling = Duration::from_millis(150);
    simulation.length = Duration::from_secs(2);
    let run = simulation.run(&Stop::default(), &mut |_| {}).expect("a run");
    let first = streams(&run)[0];
    assert_eq!((&*first.verb, &*first.path), ("GET", "/subscriptions/listen"));
    assert_eq!(first.session, "abandon-1");
    assert!(counted(&run).iter().all(|open| *open <= 2));
    assert!(streams(&run).len() > 3);
    assert!(Log::Ends.text(&run, None).contains("mm=\"-\" sid=\"abandon-1\""));
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
fn a_run_that_is_stopped_has_what_was_gathered() {
    let mut simulation = simulation(Server::Silent, vec![Habit::Close; 3]);
    simulation.length = Duration::from_secs(3600);
    // No client opens a second stream while this lasts.
    simulation.pace.silence = simulation.length;
    let stop = Stop::default();
    let mut seen = 0;
    let run = simulation.run(&stop, &mut |sample| {
        seen += 1;
        if seen >= 3 && sample.open > 0 {
            stop.stop();
        }
    });
    let run = run.expect("a run");
    assert_eq!(run.samples.len(), seen);
    assert!(run.until - run.from < Micros::from_secs(3600));
    assert!((1..=3).contains(&streams(&run).len()), "one each");
}

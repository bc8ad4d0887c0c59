//! What streams were answered with, and what else their clients asked for.

use clap::Parser;
use streamleak::internal::app::Args;
use streamleak::internal::app::{Env, Plan};
use streamleak::internal::collect::{Answer, Others};
use streamleak::internal::detect::analyse;
use streamleak::internal::streams::Log;
use streamleak::internal::time::Micros;

use crate::program::Folder;

/// The streams of these logs, read with these options.
fn joined(logs: &[&str], options: &[&str]) -> Log {
    let folder = Folder::new();
    let files = logs.iter().enumerate();
    let files = files
        .map(|(n, log)| folder.write(&format!("{n}.log"), log.as_bytes()));
    let options = options.iter().map(|option| (*option).to_owned());
    let args = ["streamleak".to_owned()].into_iter();
    let args = Args::parse_from(args.chain(options).chain(files));
    let env = Env {
        stdout_is_terminal: false,
        stdin_is_terminal: true,
        stderr_is_terminal: false,
        width: None,
        colors: false,
        unicode: false,
        cores: 2,
        now: Micros::from_secs(1_795_959_600),
    };
    let plan = Plan::resolve(args, &env).expect("a plan");
    let Plan::Analyse(plan) = plan else { panic!("an analysis") };
    let found = analyse(&plan.options).expect("an analysis");
    assert!(found.harvests.iter().all(|h| h.error.is_none()));
    found.log
}

/// A line of nginx's set-up: an end with its hold, or the opening that the
/// location of the mirror logs.
fn line(second: i64, id: &str, session: &str, hold: Option<i64>) -> String {
    let at = 1_795_959_600 + second;
    let (sent, what) = match hold {
        Some(hold) => ("200 785", format!("rt={hold}.000 msec={at}.000")),
        None => ("204 0", format!("rt=0.000 msec={at}.000")),
    };
    let event = if hold.is_none() { " ev=open" } else { "" };
    format!(
        "10.0.0.1 - - [29/Nov/2026:13:{:02}:{:02} +0000] \"GET \
         /subscriptions/listen HTTP/1.1\" {sent} \"-\" \"node\" {what} \
         sid=\"{session}\" rid={id}{event}\n",
        second / 60,
        second % 60
    )
}

fn status_and_bytes(answer: Answer) -> (Option<u16>, Option<u32>) {
    (answer.status(), answer.bytes())
}

#[test]
fn a_streams_end_tells_its_answer_and_either_record_its_session() {
    let log = [
        line(0, "aa", "s-1", None),
        line(60, "aa", "-", Some(60)),
        line(70, "bb", "-", None),
        line(130, "bb", "s-1", Some(60)),
        line(140, "cc", "s-2", None),
    ];
    let log = joined(&[&log.concat()], &[]);
    assert!(log.opens_known);
    let answers: Vec<Answer> = log.streams.iter().map(|s| s.answer).collect();
    let [first, second, open] = answers[..] else { panic!("{answers:?}") };
    assert_eq!(status_and_bytes(first), (Some(200), Some(785)));
    assert_eq!(second, first, "one session, whichever record names it");
    assert!(first.session().is_some());
    // The mirror's own answer is not the stream's.
    assert_eq!(status_and_bytes(open), (None, None));
    assert!(open.session().is_some());
    assert_ne!(open.session(), first.session());
}

#[test]
fn of_records_that_count_once_the_fullest_answer_is_kept() {
    // hypercorn writes a second line when the application has noticed.
    let row = |second, status, bytes, hold| {
        format!(
            "[2026-08-01 12:00:{second} +0000] [31] [INFO] 192.0.2.8:40001 - \
             - [01/Aug/2026:12:00:{second} +0000] \"GET \
             /subscriptions/listen 1.1\" {status} {bytes} \"-\" \"a/1\" \
             L={hold}.250000\n"
        )
    };
    let (left, noticed) = (row(45, "-", "-", 35), row(50, "200", "480", 40));
    for log in [[&*left, &noticed], [&*noticed, &left]] {
        let log = joined(&[&log.concat()], &[]);
        assert_eq!((log.streams.len(), log.repeated), (1, 1));
        let answer = status_and_bytes(log.streams[0].answer);
        assert_eq!(answer, (Some(200), Some(480)));
    }
    // nginx logs what it asked itself before under the same id.
    let whole = line(60, "aa", "s-1", Some(60));
    let inner = whole.replace("200 785", "204 0").replace("s-1", "-");
    for logs in [[&*whole, &inner], [&*inner, &whole]] {
        let log = joined(&logs, &[]);
        assert_eq!((log.streams.len(), log.repeated), (1, 1));
        let answer = log.streams[0].answer;
        assert_eq!(status_and_bytes(answer), (Some(200), Some(785)));
        assert!(answer.session().is_some());
    }
}

/// A line of a client's request.
fn asked(client: u32, request: &str, more: &str) -> String {
    format!(
        "10.0.0.{client} - - [29/Nov/2026:13:00:00 +0000] \"{request} \
         HTTP/1.1\" 200 9 \"-\" \"node\" rt=5.000 msec=1795957200.000 {more}\n"
    )
}

/// Of three clients with streams, one asks for nothing else.
fn requests() -> Vec<String> {
    let listen = "GET /subscriptions/listen";
    vec![
        asked(1, listen, "rid=a1"),
        asked(1, "POST /mcp", "rid=a2"),
        asked(1, "POST /mcp", "rid=a3"),
        asked(1, "DELETE /mcp", "rid=a4"),
        // The client ends its session where it listens.
        asked(1, "DELETE /subscriptions/listen", "rid=a5"),
        asked(2, listen, "rid=b1"),
        asked(2, listen, "rid=b2"),
        asked(3, "GET /a", "rid=c1"),
        asked(3, listen, "rid=c2"),
        // One that holds no stream.
        asked(4, "GET /b", "rid=d1"),
    ]
}

/// By address, what each client with streams asked for beside them.
fn others(log: &Log) -> Vec<(String, Others)> {
    assert_eq!(log.other.len(), log.clients.len());
    let addresses = log
        .clients
        .iter()
        .map(|client| String::from_utf8_lossy(&client.address).into_owned());
    addresses.zip(log.other.iter().copied()).collect()
}

const SURVEY: &[&str] = &["--silent-clients"];

#[test]
fn what_clients_ask_for_beside_streams_is_counted_where_it_is_asked_for() {
    let log = requests().concat();
    let told = |client: &str, requests, deletes| {
        (client.to_owned(), Others { requests, deletes })
    };
    let expected = [
        told("10.0.0.1", 4, 2),
        told("10.0.0.2", 0, 0),
        told("10.0.0.3", 1, 0),
    ];
    assert_eq!(others(&joined(&[&log], SURVEY)), expected);
    // Pages alone make nobody a client, and bare counts cost a second look.
    assert_eq!(joined(&[&log], &[]).other, []);
    let pages = asked(4, "GET /b", "rid=d1");
    assert_eq!(joined(&[&pages], &[]).other, []);
    assert_eq!(joined(&[&pages], SURVEY).other, []);
}

#[test]
fn requests_are_counted_alike_in_parts_and_with_their_openings() {
    let requests = requests();
    let whole = others(&joined(&[&requests.concat()], SURVEY));
    let (one, two) = requests.split_at(4);
    let (one, two) = (one.concat(), two.concat());
    assert_eq!(others(&joined(&[&one, &two], SURVEY)), whole);
    assert_eq!(others(&joined(&[&two, &one], SURVEY)), whole);
    // More of them than one chunk of a file holds.
    let many = [&one, &*asked(1, "POST /mcp", "").repeat(20_000)].concat();
    assert!(many.len() > 2 << 20, "two chunks");
    let many = others(&joined(&[&many], SURVEY));
    assert_eq!(many[0].1, Others { requests: 20_003, deletes: 1 });
    let open = |line: &String| line.replace("\n", " ev=open\n");
    let opens: String = requests.iter().map(open).collect();
    let all = requests.concat();
    assert_eq!(others(&joined(&[&all, &opens], SURVEY)), whole);
    assert_eq!(others(&joined(&[&(opens + &all)], SURVEY)), whole);
}

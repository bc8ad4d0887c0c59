//! What streams were answered with, and what else their clients asked for.

use streamleak::answer::Answer;
use streamleak::harvest::Harvest;
use streamleak::input::Input;
use streamleak::join::{Given, Log};

use crate::program::Folder;
use crate::reader::harvester;

/// The streams of these logs; `survey`: with what else was asked for.
fn joined(logs: &[&str], survey: bool) -> Log {
    let folder = Folder::new();
    let files = logs.iter().enumerate().map(|(n, log)| {
        let file = folder.write(&format!("{n}.log"), log.as_bytes());
        Input::File(file.into())
    });
    let files: Vec<Input> = files.collect();
    let mut harvester = harvester();
    harvester.survey = survey;
    let mut harvests: Vec<Harvest> = harvester.read_all(&files);
    assert!(harvests.iter().all(|h| h.error.is_none()));
    Log::join(&mut harvests, &harvester.selector, Given::default())
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
    let log = joined(&[&log.concat()], false);
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
        let log = joined(&[&log.concat()], false);
        assert_eq!((log.streams.len(), log.repeated), (1, 1));
        let answer = status_and_bytes(log.streams[0].answer);
        assert_eq!(answer, (Some(200), Some(480)));
    }
    // nginx logs what it asked itself before under the same id.
    let whole = line(60, "aa", "s-1", Some(60));
    let inner = whole.replace("200 785", "204 0").replace("s-1", "-");
    for logs in [[&*whole, &inner], [&*inner, &whole]] {
        let log = joined(&logs, false);
        assert_eq!((log.streams.len(), log.repeated), (1, 1));
        let answer = log.streams[0].answer;
        assert_eq!(status_and_bytes(answer), (Some(200), Some(785)));
        assert!(answer.session().is_some());
    }
}

//! Rails: two lines a request, one as it starts and one when it has ended.
//!
//! `Started GET "/path" for 192.0.2.7 at 2026-08-01 12:00:00 +0000` and
//! `Completed 200 OK in 60001ms (…)`, which names no path. What joins them
//! is the request id, logged as a tag in brackets; else the process id of
//! Ruby's logger, whose `I, [2026-08-01T12:00:00.123456 #123]  INFO -- : `
//! stands in front, in local time; else the order alone. Of one process
//! with several threads only lines with tags are joined for certain.
//!
//! Action Cable writes `Started GET "/cable" [WebSocket] for …` and, when
//! the socket has closed, `Finished "/cable" [WebSocket] for IP at …`; the
//! client's address joins them, since no tag stands before the second.
//! <https://github.com/rails/rails/blob/main/railties/lib/rails/rack/logger.rb>
//! <https://github.com/rails/rails/blob/main/actioncable/lib/action_cable/connection/base.rb>

use super::About;
use super::cursor::Cursor;
use super::prefix::leading_time;
use crate::format::{Event, Field, Mark, NOT_ACCESS, Parsed, Record, Reject};
use crate::time::{Clock, Micros, Unit};

pub(super) const ABOUT: About = About {
    name: "rails",
    server: "Rails, Action Cable",
    mark: Mark::End,
    duration: "60001ms",
    closers: &["Completed ", "Finished \""],
    ..About::DEFAULT
};

/// What joins lines that neither a tag nor a process id tells apart.
const ORDER: &[u8] = b"order";

/// Reads one line.
pub(super) fn parse(record: &[u8], zone: i64) -> Parsed<Record<'_>> {
    let lead = Lead::of(record, zone);
    let text = &record[lead.end..];
    let mut read = Record { process: lead.pid.into(), ..Record::default() };
    let id = [lead.tag, lead.pid, ORDER].into_iter().find(|t| !t.is_empty());
    read.request_id = id.unwrap_or_default().into();
    let outcome = if text.starts_with(b"Started ") {
        started(text, lead.clock, &mut read)
    } else if text.starts_with(b"Completed ") {
        completed(text, lead.clock, &mut read)
    } else if text.starts_with(b"Finished \"") {
        finished(text, lead.clock, &mut read)
    } else if lead.clock.is_some() || is_within(text) {
        Err(Reject::shape(0, NOT_ACCESS))
    } else {
        Err(Reject::shape(0, "Started, Completed or Finished"))
    };
    outcome.map_err(|reject| match reject.expected {
        NOT_ACCESS => reject,
        _ => Reject { at: reject.at + lead.end, ..reject },
    })?;
    Ok(read)
}

/// What stands before a message.
#[derive(Clone, Copy, Debug, Default)]
struct Lead<'a> {
    /// The time of Ruby's logger.
    clock: Option<Clock>,
    /// The process id of Ruby's logger.
    pid: &'a [u8],
    /// The tag that names the request.
    tag: &'a [u8],
    /// Where the message begins.
    end: usize,
}

impl<'a> Lead<'a> {
    /// Reads `I, [time #pid]  INFO -- : [tag] `, both parts if there are any.
    fn of(record: &'a [u8], zone: i64) -> Lead<'a> {
        let mut lead = Lead::logger(record, zone).unwrap_or_default();
        while let Some((tag, end)) = bracketed(&record[lead.end..]) {
            if is_id(tag) {
                lead.tag = tag;
            }
            lead.end += end;
        }
        lead
    }

    /// Reads what Ruby's `Logger::Formatter` writes.
    fn logger(record: &'a [u8], zone: i64) -> Option<Lead<'a>> {
        let rest = match record {
            [severity, b',', b' ', rest @ ..]
                if b"DIWEFA".contains(severity) =>
            {
                Some(rest)
            }
            _ => None,
        }?;
        let (clock, _) = leading_time(rest, zone)?;
        let close = memchr::memchr(b']', rest)?;
        let pid = memchr::memchr(b'#', &rest[..close])?;
        let colon = memchr::memmem::find(&rest[close..], b": ")?;
        let pid = &rest[pid + 1..close];
        let end = 3 + close + colon + 2;
        Some(Lead { clock: Some(clock), pid, tag: b"", end })
    }
}

/// The text in brackets a message begins with, and where it goes on.
fn bracketed(text: &[u8]) -> Option<(&[u8], usize)> {
    let rest = text.strip_prefix(b"[")?;
    let close = memchr::memchr(b']', rest)?;
    let gap = rest.get(close + 1) == Some(&b' ');
    gap.then(|| (&rest[..close], close + 3))
}

/// Whether a tag is a request's id: not an address, a host or a word.
fn is_id(tag: &[u8]) -> bool {
    tag.len() >= 8
        && tag.iter().any(u8::is_ascii_digit)
        && !tag.iter().any(|b| matches!(b, b'.' | b':' | b' '))
}

/// Reads `Started GET "/path" for 192.0.2.7 at 2026-08-01 12:00:00 +0000`.
fn started<'a>(
    text: &'a [u8],
    fine: Option<Clock>,
    read: &mut Record<'a>,
) -> Parsed<()> {
    let mut at = Cursor::new(text);
    at.literal("Started ")?;
    read.method = at.word("a method")?.into();
    read.target = at.quoted("a quoted path")?.into();
    let socket = at.accept("[WebSocket] ");
    let plain = !socket && at.accept("[non-WebSocket] ");
    let clock = from_and_at(&mut at, read)?;
    if socket {
        read.request_id = read.address.clone();
    } else if plain || read.target.ends_with(b"/cable") {
        // Action Cable writes a line of its own.
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    read.event = Event::Open;
    read.offer_start(aligned(clock, fine));
    Ok(())
}

/// Reads `Finished "/cable" [WebSocket] for 192.0.2.7 at …`.
fn finished<'a>(
    text: &'a [u8],
    fine: Option<Clock>,
    read: &mut Record<'a>,
) -> Parsed<()> {
    let mut at = Cursor::new(text);
    at.literal("Finished ")?;
    read.target = at.quoted("a quoted path")?.into();
    if !at.accept("[WebSocket] ") {
        return Err(Reject::shape(0, NOT_ACCESS));
    }
    let clock = from_and_at(&mut at, read)?;
    read.request_id = read.address.clone();
    read.event = Event::Close;
    read.offer_end(aligned(clock, fine));
    Ok(())
}

/// Reads `for 192.0.2.7 at 2026-08-01 12:00:00 +0000`.
fn from_and_at<'a>(
    at: &mut Cursor<'a>,
    read: &mut Record<'a>,
) -> Parsed<Clock> {
    at.literal("for ")?;
    let place = at.at();
    let address = at.word("an address")?;
    Field::Address.put(read, address.into(), place)?;
    at.literal("at ")?;
    let rest = at.rest().trim_ascii_end();
    let time = leading_time(rest, 0).filter(|(_, end)| *end == rest.len());
    let time = time.map(|(clock, _)| clock);
    time.ok_or_else(|| Reject::time(at.at(), "a time with its zone"))
}

/// Reads `Completed 200 OK in 60001ms (…)`.
fn completed<'a>(
    text: &'a [u8],
    clock: Option<Clock>,
    read: &mut Record<'a>,
) -> Parsed<()> {
    let mut at = Cursor::new(text);
    at.literal("Completed ")?;
    let place = at.at();
    let status = at.until(b' ', "a status")?;
    Field::Status.put(read, status.into(), place)?;
    if read.status == 0 && !status.is_empty() {
        return Err(Reject::shape(place, "a status of three digits"));
    }
    while !at.accept("in ") {
        // A status without a name leaves two blanks.
        at.until(b' ', "in and a duration")?;
    }
    let place = at.at();
    let duration = at.word("a duration")?;
    let duration = duration.strip_suffix(b"ms");
    let duration =
        duration.ok_or_else(|| Reject::duration(place, "60001ms"))?;
    Field::Duration(Unit::Millis).put(read, duration.into(), place)?;
    read.event = Event::Close;
    read.end = clock;
    Ok(())
}

/// The finer clock of Ruby's logger, moved by whole quarters of an hour to
/// the zone that the message shows.
fn aligned(clock: Clock, fine: Option<Clock>) -> Clock {
    const QUARTER: i64 = 900_000_000;
    let Some(fine) = fine.filter(|fine| fine.grain < clock.grain) else {
        return clock;
    };
    let apart = (fine.at - clock.at).0;
    let quarters = (apart + QUARTER / 2).div_euclid(QUARTER);
    let at = fine.at - Micros(quarters * QUARTER);
    // The logger writes the line within the moment the message names.
    let near = Micros((at - clock.at).0.abs()) <= Micros(2_000_000);
    if near { Clock { at, ..fine } } else { clock }
}

/// Whether this is one of the lines Rails writes between the two.
fn is_within(text: &[u8]) -> bool {
    const BEGINNINGS: [&[u8]; 9] = [
        b"Processing by ",
        b"  Parameters: ",
        b"  Render",
        b"Redirected to ",
        b"Filter chain halted",
        b"Successfully upgraded to WebSocket",
        b"Failed to upgrade to WebSocket",
        b"  \xe2\x86\xb3 ",
        b"Sent file ",
    ];
    BEGINNINGS.iter().any(|known| text.starts_with(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "0c2b3f1e-5d6a-4b8c-9d0e-1f2a3b4c5d6e";
    const STARTED: &str = "Started GET \"/subscriptions/listen?d=60\" for \
                           192.0.2.7 at 2026-08-01 14:00:00 +0200";
    const COMPLETED: &str =
        "Completed 200 OK in 60001ms (Views: 0.1ms | ActiveRecord: 0.0ms)";

    fn read(line: &str) -> Record<'_> {
        parse(line.as_bytes(), 0).unwrap_or_else(|e| panic!("{line}: {e:?}"))
    }

    fn at(clock: Option<Clock>) -> Option<String> {
        clock.map(|clock| clock.at.to_rfc3339())
    }

    #[test]
    fn a_start_is_an_opening_with_its_path() {
        let open = read(STARTED);
        assert_eq!(open.event, Event::Open);
        assert_eq!(at(open.start).as_deref(), Some("2026-08-01T12:00:00Z"));
        assert_eq!(*open.method, *b"GET");
        assert_eq!(*open.target, *b"/subscriptions/listen?d=60");
        assert_eq!(*open.address, *b"192.0.2.7");
    }

    #[test]
    fn a_completion_closes_what_carries_its_tag() {
        let open = format!("[{ID}] {STARTED}");
        let close = format!("[192.0.2.7] [{ID}] {COMPLETED}");
        let (open, close) = (read(&open), read(&close));
        assert_eq!((close.event, close.status), (Event::Close, 200));
        assert_eq!(close.duration, Some(Micros(60_001_000)));
        assert_eq!((close.target.len(), close.end), (0, None));
        assert_eq!(*close.request_id, *ID.as_bytes());
        assert_eq!(close.request_id, open.request_id);
        let has = |text: &&str| COMPLETED.contains(text);
        assert!(ABOUT.closers.iter().any(has));
    }

    #[test]
    fn rubys_logger_gives_the_finer_time_and_the_process() {
        let lead = "I, [2026-08-01T14:00:00.123456 #123]  INFO -- : ";
        let open = format!("{lead}{STARTED}");
        let open = read(&open);
        // The message shows the zone that the logger does not.
        let start = at(open.start);
        assert_eq!(start.as_deref(), Some("2026-08-01T12:00:00.123456Z"));
        let lead = "I, [2026-08-01T14:01:00.124456 #123]  INFO -- app: ";
        let line = format!("{lead}{COMPLETED}");
        let close = parse(line.as_bytes(), 7_200).unwrap();
        let end = at(close.end);
        assert_eq!(end.as_deref(), Some("2026-08-01T12:01:00.124456Z"));
        assert_eq!(*close.request_id, *b"123");
        assert_eq!(
            (open.request_id, open.process),
            (close.request_id, close.process)
        );
    }

    #[test]
    fn every_status_of_a_completion_is_read() {
        for (text, status) in [
            ("Completed 401 Unauthorized in 2ms", 401),
            ("Completed 500 Internal Server Error in 7ms (x)", 500),
            ("Completed  in 7ms", 0),
            ("Completed 299  in 7ms", 299),
        ] {
            assert_eq!(read(text).status, status, "{text}");
        }
        for text in
            ["Completed in 7ms", "Completed 200 OK", "Completed 200 OK in x"]
        {
            assert!(parse(text.as_bytes(), 0).is_err(), "{text}");
        }
    }

    #[test]
    fn a_socket_is_joined_by_its_address() {
        let open = "Started GET \"/cable\" [WebSocket] for 192.0.2.7 at \
                    2026-08-01 12:00:00 +0000";
        let close = "Finished \"/cable\" [WebSocket] for 192.0.2.7 at \
                     2026-08-01 12:01:00 +0000";
        let tagged = format!("[{ID}] {open}");
        let (open, close) = (read(&tagged), read(close));
        assert_eq!((open.event, close.event), (Event::Open, Event::Close));
        assert_eq!(*close.target, *b"/cable");
        assert_eq!(at(close.end).as_deref(), Some("2026-08-01T12:01:00Z"));
        assert_eq!(*open.request_id, *b"192.0.2.7");
        assert_eq!(open.request_id, close.request_id);
        // The line of the request that was upgraded opens nothing more.
        let plain = tagged.replace(" [WebSocket]", "");
        let refused = parse(plain.as_bytes(), 0).unwrap_err();
        assert_eq!(refused.expected, NOT_ACCESS);
    }

    #[test]
    fn lines_between_are_not_access_and_others_are_refused() {
        for line in [
            "Processing by McpController#listen as */*",
            "  Rendered home/x.html.slim (10.0ms)",
            "I, [2026-08-01T14:00:00.123456 #123]  INFO -- : hello",
            &format!("[{ID}]   Parameters: {{\"d\"=>\"60\"}}"),
        ] {
            let refused = parse(line.as_bytes(), 0).unwrap_err();
            assert_eq!(refused.expected, NOT_ACCESS, "{line}");
        }
        for line in [
            "Completed in 3ms (View: 0, DB: 0) | 200 OK [http://x/]",
            "Started worker 7",
            "[GIN] 2026/08/01 - 12:01:00 | 200 | 1m0s | x | GET \"/\"",
            "192.0.2.7 - - [29/Nov/2026:13:44:23 +0000] \"GET / HTTP/1.1\" 200 8",
        ] {
            let refused = parse(line.as_bytes(), 0).unwrap_err();
            assert_ne!(refused.expected, NOT_ACCESS, "{line}");
        }
    }

    #[test]
    fn no_part_of_a_line_makes_it_panic() {
        let lead = "I, [2026-08-01T14:00:00.123456 #123]  INFO -- : ";
        for line in
            [format!("{lead}[{ID}] {STARTED}"), format!("{lead}{COMPLETED}")]
        {
            for end in 0..line.len() {
                let _read = parse(&line.as_bytes()[..end], 0);
                let _read = parse(&line.as_bytes()[end..], 0);
            }
        }
    }
}

//! The common log format and its many longer forms, read by hand: nginx
//! `combined` and ingress-nginx, Apache `common`, `combined` and
//! `vhost_combined`, with whatever fields people append.
//!
//! The head is fixed: address, two names, `[time]`, `"request"`, status,
//! bytes, then perhaps `"referrer" "user agent"`. What follows is looked at
//! once, on the first lines ([`Clf::detect`]), to find the duration, the
//! finer clock, the request id and who ended the request.
//!
//! The head's time is the END for nginx, lighttpd, Tomcat and gunicorn and
//! the START for Apache, Varnish and Traefik. Only nginx and gunicorn write
//! decimal seconds, and only Traefik a number with `ms`; every other tail
//! leaves the meaning to the order of the file.

mod quote;
mod tail;

use std::borrow::Cow;

use super::field;
use super::record::{Record, Reject};
use crate::time::{self, Unit};

use quote::{past, quoted};
use tail::Tail;

/// A form of the common log format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clf {
    lead: Lead,
    tail: Tail,
}

/// What stands before the address.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Lead {
    /// Nothing.
    #[default]
    Nothing,
    /// A virtual host and its port.
    Vhost,
    /// What syslog puts before a message, up to a colon and a blank.
    Syslog,
}

impl Lead {
    /// What most of these lines begin with.
    fn of(lines: &[&[u8]]) -> Lead {
        let most = |is: fn(&[u8]) -> bool| {
            lines.iter().filter(|line| is(line)).count() * 2 > lines.len()
        };
        if most(starts_with_syslog) {
            Lead::Syslog
        } else if most(starts_with_vhost) {
            Lead::Vhost
        } else {
            Lead::Nothing
        }
    }

    /// Where the address starts.
    fn end(self, line: &[u8]) -> Result<usize, Reject> {
        match self {
            Lead::Nothing => Ok(0),
            Lead::Vhost => past_blank(line, 0),
            Lead::Syslog => memchr::memmem::find(line, b": ")
                .map(|at| at + 2)
                .ok_or_else(|| Reject::shape(0, "a syslog header")),
        }
    }
}

impl Clf {
    /// The form of these lines, if most of them have one.
    pub fn detect(lines: &[&[u8]]) -> Option<Clf> {
        let lead = Lead::of(lines);
        let tails = lines.iter().filter_map(|line| {
            let end = head(line, lead, &mut Record::default()).ok()?;
            Some(&line[end..])
        });
        let tails: Vec<&[u8]> = tails.collect();
        if tails.is_empty() || tails.len() * 10 < lines.len() {
            return None;
        }
        Some(Clf { lead, tail: Tail::detect(&tails) })
    }

    /// Takes this unit for a bare duration.
    pub fn with_unit(mut self, unit: Unit) -> Clf {
        self.tail.set_unit(unit);
        self
    }

    /// The likeliest unit of a bare whole number that may be of several.
    pub fn guessed_unit(&self) -> Option<Unit> {
        self.tail.guessed_unit()
    }

    /// Whether it has a duration or both ends.
    pub fn has_hold(&self) -> bool {
        self.tail.has_hold()
    }

    /// The unit of its bare durations.
    pub fn unit(&self) -> Option<Unit> {
        self.tail.unit()
    }

    /// What the head's time marks, as far as the tail tells.
    pub fn mark(&self) -> field::Mark {
        match self.tail.has_both_ends() {
            true => field::Mark::End,
            false => self.tail.mark(),
        }
    }

    /// What it is called, with the fields found behind the head.
    pub fn name(&self) -> String {
        let head = match self.lead {
            Lead::Nothing => "combined",
            Lead::Vhost => "vhost_combined",
            Lead::Syslog => "syslog: combined",
        };
        format!("{head}{}", self.tail.describe())
    }

    /// Reads one line.
    ///
    /// # Errors
    ///
    /// A [`Reject`] with the byte at which the line leaves the form.
    pub fn parse<'a>(&self, line: &'a [u8]) -> Result<Record<'a>, Reject> {
        let mut record = Record::default();
        let end = head(line, self.lead, &mut record)?;
        self.tail.read(&line[end..], end, &mut record)?;
        match self.tail.mark() {
            // Both ends stand in the tail, and are finer.
            _ if record.start.is_some() && record.end.is_some() => {
                record.stamp = None;
            }
            field::Mark::Start => record.start = record.stamp.take(),
            field::Mark::End => {
                if let Some(clock) = record.stamp.take() {
                    record.offer_end(clock);
                }
            }
            field::Mark::Either => {}
        }
        Ok(record)
    }
}

/// Whether four fields stand before the time, the first of them a host and
/// its port: Apache's `vhost_combined`.
fn starts_with_vhost(line: &[u8]) -> bool {
    let Some(open) = memchr::memchr(b'[', line) else { return false };
    let mut fields = line[..open].trim_ascii().split(|&b| b == b' ');
    let port = fields.next().and_then(|host| {
        host.iter().rposition(|&b| b == b':').map(|at| &host[at + 1..])
    });
    fields.count() >= 3
        && port.is_some_and(|port| port.iter().all(u8::is_ascii_digit))
}

/// Whether a line begins as syslog writes it: with a priority, or with a
/// time of RFC 3164 or RFC 3339, and has a tag's colon before the address.
fn starts_with_syslog(line: &[u8]) -> bool {
    let month = |line: &[u8]| {
        line.get(..3).and_then(time::month).is_some()
            && line.get(3) == Some(&b' ')
    };
    let date = |line: &[u8]| {
        line.get(..19).is_some_and(|date| {
            let zoned = [date, b"Z"].concat();
            time::rfc3339(&zoned).is_some()
        })
    };
    let begins = match line {
        [b'<', b'0'..=b'9', ..] => true,
        line => month(line) || date(line),
    };
    begins && memchr::memmem::find(line, b": ").is_some()
}

/// Reads the head of a line and returns where it ends.
fn head<'a>(
    line: &'a [u8],
    lead: Lead,
    record: &mut Record<'a>,
) -> Result<usize, Reject> {
    let start = lead.end(line)?;
    let after = past_blank(line, start)?;
    record.address = field::address(&line[start..after - 1]).into();
    let open = stamp(line, after, record)?;
    let (request, end) = quoted(line, open)?;
    record.set_request(Cow::Borrowed(request));
    let status = past(line, end, b' ', "a blank and the status")?;
    let bytes = past_blank(line, status)?;
    record.status = field::status(&line[status..bytes - 1]);
    if record.status == 0 && &line[status..bytes - 1] != b"-" {
        return Err(Reject::shape(status, "a status of three digits"));
    }
    let end = token_end(line, bytes);
    Ok(agents(line, end, record).unwrap_or(end))
}

/// Reads `[time] "` and returns the place of the quote. The two names before
/// it may have blanks in them.
fn stamp(
    line: &[u8],
    from: usize,
    record: &mut Record<'_>,
) -> Result<usize, Reject> {
    const LENGTH: usize = 26;
    let open = memchr::memchr(b'[', &line[from..])
        .map(|at| from + at + 1)
        .ok_or_else(|| Reject::shape(line.len(), "a time in brackets"))?;
    let close = open + LENGTH;
    match line.get(close..close + 3) {
        Some(b"] \"") => {}
        _ => return Err(Reject::shape(open, "a time and a quoted request")),
    }
    let clock = time::clf(&line[open..close]).ok_or_else(|| {
        Reject::time(open, "a time such as 29/Nov/2026:13:44:23 +0000")
    })?;
    record.stamp = Some(clock);
    Ok(close + 2)
}

/// Reads ` "referrer" "user agent"` and returns where it ends.
fn agents<'a>(
    line: &'a [u8],
    from: usize,
    record: &mut Record<'a>,
) -> Option<usize> {
    let first = past(line, from, b' ', "").ok()?;
    let (_, end) = quoted(line, first).ok()?;
    let second = past(line, end, b' ', "").ok()?;
    let (agent, end) = quoted(line, second).ok()?;
    if agent != b"-" {
        record.agent = Cow::Borrowed(agent);
    }
    Some(end)
}

/// The place behind the next blank.
fn past_blank(line: &[u8], from: usize) -> Result<usize, Reject> {
    let end = token_end(line, from);
    past(line, end, b' ', "a field and a blank")
}

/// The end of the bare field that starts here.
fn token_end(line: &[u8], from: usize) -> usize {
    memchr::memchr(b' ', &line[from..]).map_or(line.len(), |at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::EndedBy;
    use crate::time::Micros;

    const HEAD: &str = "127.0.0.1 - - [29/Nov/2026:13:44:23 +0000] \
        \"GET /subscriptions/listen?d=60 HTTP/1.1\" 200 785";
    const AGENT: &str = " \"-\" \"truth-client/1.0 (S)\"";

    /// Detects on the tails and parses the first line.
    fn parsed(tails: &[&str]) -> (Clf, Record<'static>) {
        let lines: Vec<String> =
            tails.iter().map(|tail| format!("{HEAD}{AGENT}{tail}")).collect();
        let bytes: Vec<&[u8]> = lines.iter().map(|l| l.as_bytes()).collect();
        let clf = Clf::detect(&bytes).expect("the form is known");
        let line: &'static [u8] = lines[0].clone().leak().as_bytes();
        let record = clf.parse(line).expect("the line fits its own form");
        (clf, record)
    }

    #[test]
    fn the_head_is_read() {
        let (clf, record) = parsed(&[""]);
        assert_eq!(*record.address, *b"127.0.0.1");
        assert_eq!(*record.verb, *b"GET");
        assert_eq!(*record.target, *b"/subscriptions/listen?d=60");
        assert_eq!(record.status, 200);
        assert_eq!(*record.agent, *b"truth-client/1.0 (S)");
        let at = record.stamp.map(|clock| clock.at.to_rfc3339());
        assert_eq!(at.as_deref(), Some("2026-11-29T13:44:23Z"));
        assert_eq!((record.hold, clf.unit()), (None, None));
    }

    #[test]
    fn common_without_agents_is_read() {
        let clf = Clf::detect(&[HEAD.as_bytes()]).unwrap();
        let record = clf.parse(HEAD.as_bytes()).unwrap();
        assert_eq!((record.status, record.agent.len()), (200, 0));
    }

    #[test]
    fn the_duration_is_found_where_people_put_it() {
        let minute = Some(Micros(60_002_000));
        for tail in [
            " rt=60.002 uct=\"0.000\" uht=\"0.000\" urt=\"60.002\"",
            " request_time=60.002",
            " rt=\"60.002\"",
            " 60.002",
            " 60.002 60.002 .",
            " \"60.002\"",
            " 164 60.002 [mcp-gw-svc-80] [] 127.0.0.1:19099, \
                127.0.0.1:19000 0, 160 0.001, 20.001 502, 200 \
                7933a8cbe94ae85be570dfcac3f953d0",
            " 4711 \"mcp@docker\" \"http://172.17.0.3:80\" 60002ms",
            " 60002000",
            " 60 60002 60002000 X -",
            " T=60 D=60002000 begin=1795959803668 X=-",
            " D=60002000 T=60",
        ] {
            let (clf, record) = parsed(&[tail]);
            assert_eq!(record.hold, minute, "{tail} as {}", clf.name());
        }
    }

    #[test]
    fn byte_counts_are_no_duration() {
        for tail in [" 164 480", " \"-\"", " -", " [a] 7f00"] {
            assert_eq!(parsed(&[tail]).1.hold, None, "{tail}");
        }
    }

    #[test]
    fn decimal_seconds_are_written_at_the_end_and_the_rest_is_open() {
        let (_, nginx) = parsed(&[" 60.002"]);
        assert!(nginx.end.is_some() && nginx.stamp.is_none());
        let (clf, apache) = parsed(&[" 60002000"]);
        assert!(apache.stamp.is_some() && apache.end.is_none());
        assert_eq!(clf.guessed_unit(), Some(Unit::Micros));
        let (_, traefik) = parsed(&[" 7 \"r\" \"s\" 60002ms"]);
        assert!(traefik.start.is_some() && traefik.end.is_none());
    }

    #[test]
    fn the_fields_of_the_set_up_are_read_by_name() {
        let (_, record) = parsed(&[" rt=60.002 msec=1795959863.164 rc=\"\" \
                mm=\"subscriptions/listen\" sid=\"5f3c\" rid=79 ev=open"]);
        let end = record.end.unwrap();
        assert_eq!(end.at, Micros(1_795_959_863_164_000));
        assert_eq!(record.ended_by, EndedBy::Client);
        assert_eq!(*record.mcp_method, *b"subscriptions/listen");
        assert_eq!(
            (&*record.session, &*record.request_id),
            (&b"5f3c"[..], &b"79"[..])
        );
        assert_eq!(record.event, crate::format::Event::Open);
    }

    #[test]
    fn apaches_x_says_who_ended_it() {
        let (_, record) = parsed(&[" 16 16014 16014745 X", " 0 0 97 +"]);
        assert_eq!(record.ended_by, EndedBy::Client);
        assert_eq!(parsed(&[" 97 -"]).1.ended_by, EndedBy::Unknown);
    }

    #[test]
    fn a_virtual_host_in_front_is_no_address() {
        let line = format!("mcp.example.com:443 {HEAD}{AGENT}");
        let clf = Clf::detect(&[line.as_bytes()]).unwrap();
        let record = clf.parse(line.as_bytes()).unwrap();
        assert_eq!(*record.address, *b"127.0.0.1");
        // A user name with a blank is none either.
        let line = HEAD.replace("- -", "- john doe");
        let clf = Clf::detect(&[line.as_bytes()]).unwrap();
        assert_eq!(
            *clf.parse(line.as_bytes()).unwrap().address,
            *b"127.0.0.1"
        );
    }

    #[test]
    fn what_syslog_puts_in_front_is_no_address() {
        for lead in [
            "<190>Nov 29 13:43:34 vm nginx: ",
            "<134>Nov 29 16:42:57 haproxy[3607]: ",
            "Nov  9 13:43:34 vm nginx: ",
            "2026-11-29T13:43:34.123456+00:00 vm haproxy[12]: ",
        ] {
            let line = format!("{lead}{HEAD}{AGENT} rt=60.002");
            let clf = Clf::detect(&[line.as_bytes()]).unwrap();
            let record = clf.parse(line.as_bytes()).unwrap();
            assert_eq!(*record.address, *b"127.0.0.1", "{lead}");
            assert_eq!(record.hold, Some(Micros(60_002_000)), "{lead}");
        }
    }

    #[test]
    fn both_ends_in_the_tail_need_no_other_time() {
        let (clf, record) =
            parsed(&[" D=60002000 begin=1795959803668 end=1795959863670"]);
        assert_eq!(clf.mark(), field::Mark::End);
        let (start, end) = (record.start.unwrap(), record.end.unwrap());
        assert_eq!((end.at - start.at).0, 60_002_000);
        assert_eq!(record.stamp, None);
    }

    #[test]
    fn haproxys_set_up_is_read() {
        let (clf, record) =
            parsed(&[" Ta=1252 ts=CD mm=\"subscriptions/listen\""]);
        assert_eq!(clf.mark(), field::Mark::Start);
        assert_eq!(record.hold, Some(Micros(1_252_000)));
        assert_eq!(record.ended_by, EndedBy::Client);
    }

    #[test]
    fn quotes_inside_quotes_do_not_end_them() {
        let line = "::1 - - [29/Nov/2026:13:43:33 +0000] \"GET \
            /subscriptions/listen?x=\\\"q\\\"\\\\z HTTP/1.1\" 200 24 \"-\" \
            \"Evil \\\"quoted\\\" \\\\back\\\\ {br|pipe} \\xc3\\xa9 # end\" 3002906";
        let clf = Clf::detect(&[line.as_bytes()]).unwrap();
        let record = clf.parse(line.as_bytes()).unwrap();
        assert_eq!(*record.address, *b"::1");
        assert!(record.target.ends_with(b"\\\"q\\\"\\\\z"));
        assert!(record.agent.ends_with(b"# end"));
        assert_eq!(record.hold, Some(Micros(3_002_906)));
    }

    #[test]
    fn a_reject_says_where_and_what() {
        let good = format!("{HEAD}{AGENT} 60.002");
        let clf = Clf::detect(&[good.as_bytes()]).unwrap();
        let reject = |line: &str| clf.parse(line.as_bytes()).unwrap_err();
        let bad_time = good.replace("29/Nov", "31/Nov");
        assert_eq!(reject(&bad_time).reason, crate::format::Reason::Time);
        assert_eq!(reject(&bad_time).at, 15);
        let bad_hold = good.replace("60.002", "-1.000");
        assert_eq!(reject(&bad_hold).reason, crate::format::Reason::Duration);
        assert_eq!(reject(&bad_hold).at, good.len() - 6);
        assert_eq!(
            reject("what is this").reason,
            crate::format::Reason::Shape
        );
        assert_eq!(reject("127.0.0.1 - -").at, 13);
    }
}

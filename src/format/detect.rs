//! Which formats records have: whichever read the most of them.

use super::{Clf, Format, Json, NOT_ACCESS, Preset, Server, W3c};

/// How many of the records every format is tried on before those that read
/// none of them are left out.
const PROBES: usize = 24;

/// How many formats one log may have at its start.
const MOST: usize = 4;

/// The formats of some records.
#[derive(Clone, Debug, Default)]
pub struct Detected {
    /// The one most of them have first.
    pub formats: Vec<Format>,
    /// How that was told, in a sentence.
    pub reason: String,
    /// Whether enough of the records have them for these to be their log.
    pub enough: bool,
}

/// A format and how it does on the records.
#[derive(Clone, Debug)]
struct Candidate {
    format: Format,
    /// How many of them it reads.
    read: usize,
    /// How many it knows for sound records that are no requests.
    passed_over: usize,
}

/// The formats these records have, beside those already known.
///
/// The first is the one that reads most of them; of two that read as many,
/// the one that asks more of a record. What it does not read is looked at
/// again, for logs of two servers in one file.
pub(super) fn detect(records: &[&[u8]], known: &[Format]) -> Detected {
    let mut detected = Detected::default();
    let mut left = records.to_vec();
    let mut known_of = 0;
    while detected.formats.len() < MOST && !left.is_empty() {
        let mut ranked = ranking(&left);
        let there = [known, &detected.formats].concat();
        ranked.retain(|candidate| candidate.adds_to(&there));
        let Some(best) = ranked.first().filter(|best| best.read > 0) else {
            break;
        };
        // A few odd lines make no second format.
        if !detected.formats.is_empty()
            && best.read * 50 < records.len().max(100)
        {
            break;
        }
        known_of += best.read + best.passed_over;
        detected.say(&ranked, left.len());
        left.retain(|record| best.format.verdict(record) == Fit::No);
        detected.formats.push(best.format.clone());
    }
    // What is known to be no request tells of its server too: an app may
    // print much beside them. Lines of the common log format are not
    // mistaken for anything else.
    let share = match detected.formats.first() {
        Some(Format::Clf(_)) => 10,
        _ => 2,
    };
    detected.enough = known_of * share >= records.len();
    detected
}

impl Detected {
    /// Nothing, if too few of the records have these formats.
    #[must_use]
    pub fn if_enough(self) -> Detected {
        if self.enough { self } else { Detected::default() }
    }

    /// Adds why the first of these was taken.
    fn say(&mut self, ranked: &[Candidate], of: usize) {
        let (best, rivals) = ranked.split_at(1);
        let best = &best[0];
        let text = format!(
            "{} reads {} of the first {of} records",
            best.format.name(),
            best.read
        );
        let text = match rivals.iter().find(|rival| rival.read > 0) {
            None => text,
            Some(rival) if rival.read == best.read => format!(
                "{text}; {} reads them too and asks less of a record",
                rival.format.name()
            ),
            Some(rival) => format!(
                "{text}, {} {} of them",
                rival.format.name(),
                rival.read
            ),
        };
        if !self.reason.is_empty() {
            self.reason.push_str("; of the rest ");
        }
        self.reason.push_str(&text);
    }
}

/// What a format makes of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    Yes,
    /// It is this server's and no request.
    PassedOver,
    No,
}

impl Format {
    /// What this format makes of a record, when it is to be recognised.
    fn verdict(&self, record: &[u8]) -> Fit {
        let fits = match self {
            Format::Json(json) => json.fits(record),
            _ => false,
        };
        match self.parse(record, 0) {
            _ if fits => Fit::Yes,
            Err(reject) if reject.expected == NOT_ACCESS => Fit::PassedOver,
            Ok(_) if !matches!(self, Format::Json(_)) => Fit::Yes,
            _ => Fit::No,
        }
    }
}

impl Candidate {
    /// How a format does on records.
    fn of(format: Format, records: &[&[u8]]) -> Candidate {
        let mut candidate = Candidate { format, read: 0, passed_over: 0 };
        for record in records {
            match candidate.format.verdict(record) {
                Fit::Yes => candidate.read += 1,
                Fit::PassedOver => candidate.passed_over += 1,
                Fit::No => {}
            }
        }
        candidate
    }

    /// Whether it can read what these do not: a common log format without
    /// durations only reads the broken lines of one that has them.
    fn adds_to(&self, there: &[Format]) -> bool {
        let is_clf = |format: &Format| matches!(format, Format::Clf(_));
        self.format.has_duration()
            || !is_clf(&self.format)
            || !there.iter().any(is_clf)
    }
}

/// Every format with how it does on these records, the best first; of equal
/// ones, the one that asks more of a record.
fn ranking(records: &[&[u8]]) -> Vec<Candidate> {
    let step = records.len().div_ceil(PROBES).max(1);
    let probes: Vec<&[u8]> = records.iter().step_by(step).copied().collect();
    let servers =
        Server::ALL.iter().map(|server| Format::Preset(Preset::from(*server)));
    let objects = Json::all().into_iter().map(Format::Json);
    let fits = |format: &Format| {
        probes.iter().any(|probe| format.verdict(probe) != Fit::No)
    };
    let known = servers.chain(objects).filter(fits);
    let known = known.map(|format| format.learn(records));
    let text = Clf::detect(records).map(Format::Clf);
    let columns = W3c::detect(records).map(Box::new).map(Format::W3c);
    let mut all: Vec<Candidate> = known
        .chain(columns)
        .chain(text)
        .map(|format| Candidate::of(format, records))
        .collect();
    all.sort_by_key(|candidate| std::cmp::Reverse(candidate.read));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const NGINX: &[u8] = br#"192.0.2.1 - - [29/Nov/2026:13:44:23 +0000] "GET /a HTTP/1.1" 200 7 "-" "ua" rt=60.002"#;
    const CADDY: &[u8] = br#"{"level":"info","ts":1795960053.4,"logger":"http.log.access","msg":"handled request","request":{"remote_ip":"192.0.2.1","proto":"HTTP/1.1","method":"GET","host":"h","uri":"/a"},"duration":60.0,"size":7,"status":200}"#;

    fn names(records: &[&[u8]]) -> Vec<String> {
        detect(records, &[])
            .if_enough()
            .formats
            .iter()
            .map(Format::name)
            .collect()
    }

    #[test]
    fn two_formats_in_one_log_are_both_told_the_commoner_first() {
        let mut records = vec![NGINX; 30];
        records.extend([CADDY; 10]);
        let nginx = "combined + named duration (s)";
        assert_eq!(names(&records), [nginx, "caddy"]);
        let reason = detect(&records, &[]).reason;
        assert!(reason.contains("reads 30 of the first 40"), "{reason}");
        assert!(reason.contains("of the rest caddy reads 10"), "{reason}");
        records.reverse();
        assert_eq!(names(&records), [nginx, "caddy"]);
    }

    #[test]
    fn an_app_may_print_much_beside_what_its_server_logs() {
        let id = "f08bb4c8-d6b2-4f05-ac17-af7e2ba005fb";
        let said = format!("2026-08-01T12:00:00.1Z\t{id}\tDEBUG\tready");
        let report = format!("REPORT RequestId: {id}\tDuration: 6.1 ms");
        let [said, report] = [&said, &report].map(|text| text.as_bytes());
        let own = &b"{\"gauge\":1}"[..];
        assert_eq!(names(&[said, said, own, own, own, report]), ["lambda"]);
        assert!(names(&[said, own, own, own, report]).is_empty());
        assert!(names(&[said, said, said]).is_empty());
    }

    #[test]
    fn a_stray_line_makes_no_second_format() {
        let mut records = vec![NGINX; 300];
        records.push(CADDY);
        assert_eq!(names(&records), ["combined + named duration (s)"]);
        assert!(names(&[b"no log at all"]).is_empty());
        assert!(names(&[]).is_empty());
    }
}

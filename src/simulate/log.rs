//! The access log of the simulated server: the lines that nginx writes with
//! the formats that `streamleak setup nginx` prints, and the same as JSON.

use serde_json::json;

use super::{Entry, Habit, Run};
use crate::format::EndedBy;
use crate::time::Micros;

/// One file of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Log {
    /// What is written when requests end, in nginx's format.
    Ends,
    /// What is written when streams open, in nginx's format.
    Opens,
    /// What is written when requests end, as JSON.
    JsonEnds,
    /// What is written when streams open, as JSON.
    JsonOpens,
    /// How many streams were open, as CSV: what the log is to show.
    Samples,
}

impl Log {
    /// All of them.
    pub const ALL: [Log; 5] =
        [Log::Ends, Log::Opens, Log::JsonEnds, Log::JsonOpens, Log::Samples];

    /// What the samples begin with.
    pub const SAMPLES_HEAD: &str = "t,open,abandon,close,storm\n";

    /// The name of its file.
    pub fn name(self) -> &'static str {
        match self {
            Log::Ends => "access.log",
            Log::Opens => "opens.log",
            Log::JsonEnds => "access.jsonl",
            Log::JsonOpens => "opens.jsonl",
            Log::Samples => "samples.csv",
        }
    }

    /// What stands in it; with a habit, of its clients' streams alone.
    pub fn text(self, run: &Run, only: Option<Habit>) -> String {
        let of = |entry: &&Entry| {
            !entry.stream || only.is_none() || entry.habit == only
        };
        let entries = run.entries.iter().enumerate();
        let entries = entries.filter(|(_, entry)| of(entry));
        let line = |(number, entry): (usize, &Entry), at: Micros, open| {
            let line = Line { entry, at, open, id: id(run, number) };
            match self {
                Log::Ends | Log::Opens => line.nginx(),
                _ => line.json(),
            }
        };
        match self {
            Log::Samples => samples(run),
            Log::Opens | Log::JsonOpens => entries
                .filter(|(_, entry)| entry.stream)
                .map(|(number, e)| line((number, e), e.opened, true))
                .collect(),
            Log::Ends | Log::JsonEnds => {
                let mut ends: Vec<_> = entries
                    .filter_map(|entry| Some((entry.1.closed?, entry)))
                    .collect();
                ends.sort_by_key(|(closed, _)| *closed);
                ends.into_iter()
                    .map(|(closed, entry)| line(entry, closed, false))
                    .collect()
            }
        }
    }
}

/// A line of a log.
struct Line<'a> {
    entry: &'a Entry,
    /// When it is written.
    at: Micros,
    /// Whether it is written at the opening.
    open: bool,
    /// What both lines of a stream bear.
    id: String,
}

impl Line<'_> {
    /// In the formats of `streamleak setup nginx`.
    fn nginx(&self) -> String {
        let Line { entry, at, open, id } = self;
        let (time, msec) = (at.to_clf(), seconds(millis(*at)));
        let Entry { verb, path, agent, .. } = entry;
        let (status, bytes, held) = self.answer();
        let completion = match (open, entry.ended_by) {
            (true, _) => String::new(),
            (_, EndedBy::Client) => " rc=\"\"".to_owned(),
            _ => " rc=\"OK\"".to_owned(),
        };
        let method = or_dash(&entry.mcp_method);
        let session = or_dash(&entry.session);
        let event = if *open { " ev=open" } else { "" };
        format!(
            "127.0.0.1 - - [{time}] \"{verb} {path} HTTP/1.1\" {status} \
             {bytes} \"-\" \"{agent}\" rt={held} msec={msec}{completion} \
             mm=\"{method}\" sid=\"{session}\" rid={id}{event}\n"
        )
    }

    /// With the names of nginx's variables as keys.
    fn json(&self) -> String {
        let Line { entry, at, open, id } = self;
        let (status, bytes, held) = self.answer();
        let mut line = json!({
            "msec": seconds(millis(*at)),
            "remote_addr": "127.0.0.1",
            "request_method": entry.verb,
            "request_uri": entry.path,
            "status": status,
            "body_bytes_sent": bytes,
            "request_time": held,
            "http_user_agent": entry.agent,
            "http_mcp_method": entry.mcp_method,
            "http_mcp_session_id": entry.session,
            "request_id": id,
        });
        match (open, entry.ended_by) {
            (true, _) => line["event"] = json!("open"),
            (_, EndedBy::Client) => line["request_completion"] = json!(""),
            _ => line["request_completion"] = json!("OK"),
        }
        format!("{line}\n")
    }

    /// Status, bytes, and seconds held; those of nginx's `return 204` at an
    /// opening.
    fn answer(&self) -> (u16, u64, String) {
        if self.open {
            (204, 0, seconds(0))
        } else {
            let held = millis(self.at) - millis(self.entry.opened);
            (self.entry.status, self.entry.bytes, seconds(held))
        }
    }
}

/// Whole milliseconds: as fine as nginx's clock.
fn millis(at: Micros) -> i64 {
    at.0.div_euclid(1000)
}

/// Milliseconds as seconds with three decimals.
fn seconds(millis: i64) -> String {
    format!("{}.{:03}", millis.div_euclid(1000), millis.rem_euclid(1000))
}

/// What nginx writes for a header that was not sent.
fn or_dash(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

/// A request's id: no two runs share one.
fn id(run: &Run, number: usize) -> String {
    format!("{:016x}{number:016x}", run.from.0)
}

/// The samples, one a line.
fn samples(run: &Run) -> String {
    let rows = run.samples.iter().map(|sample| {
        let [abandon, close, storm] = sample.by_habit;
        let (at, open) = (sample.at.to_rfc3339(), sample.open);
        format!("{at},{open},{abandon},{close},{storm}\n")
    });
    format!("{}{}", Log::SAMPLES_HEAD, rows.collect::<String>())
}

//! How the first records of a log were read, field by field: what to look at
//! when a report surprises.

use crate::collect::{
    Dialect, Harvest, Harvester, Marked, ReadOptions, Reading, When,
};
use crate::format::{EndedBy, Event, Message, Record, Reject};
use crate::input::{Chunk, Input, Line, forward};
use crate::report::terminal;
use crate::streams::{reading, unit_of};
use crate::time::{Clock, Micros, Unit};

/// How many records of each input are shown.
const SHOWN: usize = 5;

/// How much of a record is shown, in characters.
const WIDEST: usize = 300;

/// The first records of every input, and how they are read.
///
/// # Errors
///
/// An input cannot be read.
pub fn explain(read: &ReadOptions, unicode: bool) -> anyhow::Result<String> {
    let harvester = read.harvester(true);
    let mut text = String::new();
    for input in &read.inputs {
        let sample = harvester.first_bytes(input)?;
        let page = Page { read, unicode, harvester: &harvester, input };
        text.push_str(&page.of(&sample));
    }
    Ok(text)
}

/// What one input's part is written from.
struct Page<'a> {
    read: &'a ReadOptions,
    unicode: bool,
    harvester: &'a Harvester,
    input: &'a Input,
}

impl Page<'_> {
    /// The part of an input that starts with this.
    fn of(&self, sample: &[u8]) -> String {
        let name = self.show(&self.input.name());
        if sample.is_empty() {
            return format!("{name}: empty\n");
        }
        let (harvest, _) = self.harvester.read_sample(self.input, sample);
        let Some(layout) = &harvest.layout else {
            let error = harvest.error.unwrap_or_default();
            return format!("{name}: {}\n", self.show(&error));
        };
        let mut text = format!(
            "{name}: {}\n  detected by: {}\n",
            self.show(&layout.name()),
            self.show(&layout.reason)
        );
        for dialect in &harvest.found.dialects {
            text.push_str(&self.times(dialect));
        }
        let lines = forward(sample, layout.framing).take(SHOWN).enumerate();
        for (number, line) in lines {
            text.push_str(&self.record(number + 1, line, sample, &harvest));
        }
        text
    }

    /// What the times and durations of a format mean, and why.
    fn times(&self, dialect: &Dialect) -> String {
        let reading = reading(dialect, self.read.overrides);
        let unit = dialect.format.unit().map(|_| reading.unit.name());
        let unit = unit.map(|unit| format!("; durations in {unit}"));
        let lacks = dialect.format.lacks();
        let lacks = lacks.map(|lacks| format!("\n  but {lacks}"));
        format!(
            "  {}: its time is the {} ({}){}{}\n",
            self.show(&dialect.format.name()),
            reading.marked.word(),
            reading.reason,
            unit.unwrap_or_default(),
            lacks.unwrap_or_default()
        )
    }

    /// One record.
    fn record(
        &self,
        number: usize,
        line: Line<'_>,
        sample: &[u8],
        harvest: &Harvest,
    ) -> String {
        let Some(layout) = &harvest.layout else { return String::new() };
        let shown = self.show(&String::from_utf8_lossy(line.bytes));
        let short: String = shown.chars().take(WIDEST).collect();
        let cut = if short.len() < shown.len() { "…" } else { "" };
        let head = format!(
            "\nrecord {number}, byte {}\n  {short}{cut}\n",
            line.offset
        );
        let sample = Chunk::whole(sample);
        let rows = match layout.first_piece(line, sample, |_| false) {
            Some(first) => {
                let begins = first.offset;
                let text = format!("a piece of the record at byte {begins}");
                vec![("read as", text)]
            }
            None => {
                let message = layout.message(line, sample);
                self.read(&message, line.offset, harvest)
            }
        };
        rows.iter().fold(head, |text, (name, value)| {
            text + &format!("  {name:<12} {}\n", self.show(value))
        })
    }

    /// What a record was read as: in the formats its input began with, or
    /// in one found behind them.
    fn read(
        &self,
        message: &Message<'_>,
        offset: u64,
        harvest: &Harvest,
    ) -> Vec<(&'static str, String)> {
        let dialects = &harvest.found.dialects;
        let formats = dialects.iter().map(|dialect| &dialect.format);
        let read = message.read(formats, offset, |number, record| {
            let dialect = &dialects[number];
            let reading = reading(dialect, self.read.overrides);
            let reading = Some((reading, unit_of(dialect)));
            self.fields(&dialect.format.name(), record, message, reading)
        });
        read.unwrap_or_else(|reject| vec![("read as", rejected(reject))])
    }

    /// The fields of a record that was read.
    fn fields(
        &self,
        format: &str,
        record: &Record<'_>,
        message: &Message<'_>,
        reading: Option<(Reading, Unit)>,
    ) -> Vec<(&'static str, String)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let time = |clock: Option<Clock>| clock.map(clock_text);
        let wrapper = message.written.map(clock_text);
        let bare = match &reading {
            Some((Reading { marked: Marked::Start, .. }, _)) => "time (start)",
            _ => "time (end)",
        };
        let hold = record.duration.map(|hold| match &reading {
            Some((reading, was)) if record.stamp.is_some() => {
                reading.rescale(hold, *was)
            }
            _ => hold,
        });
        let all = [
            ("read as", Some(format.to_owned())),
            ("wrapped at", wrapper),
            ("start", time(record.start)),
            ("end", time(record.end)),
            (bare, time(record.stamp)),
            ("hold", hold.map(|hold| format!("{} s", hold.as_secs()))),
            ("method", Some(text(&record.method))),
            ("target", Some(text(&record.target))),
            ("mcp method", Some(text(&record.mcp_method))),
            ("address", Some(text(&record.address))),
            ("user agent", Some(text(&record.agent))),
            ("session", Some(text(&record.session))),
            ("request id", Some(text(&record.request_id))),
            ("process", Some(text(&record.process))),
            ("status", Some(record.status.to_string())),
            ("sent", record.bytes.map(|bytes| format!("{bytes} bytes"))),
            ("ended by", Some(ended_by(record.ended_by).to_owned())),
            ("record kind", Some(record_kind(record.event).to_owned())),
            ("so it is", Some(self.outcome(record, reading.as_ref()))),
        ];
        let known = |(name, value): (&'static str, Option<String>)| {
            let value = value.filter(|v| !v.is_empty() && *v != "0")?;
            Some((name, value))
        };
        all.into_iter().filter_map(known).collect()
    }

    /// What becomes of a record.
    fn outcome(
        &self,
        record: &Record<'_>,
        reading: Option<&(Reading, Unit)>,
    ) -> String {
        if record.event == Event::Close {
            return "joined to its opening".to_owned();
        }
        if !self.read.selector.picks(record) {
            return "not selected".to_owned();
        }
        let when = When::of(record, None);
        let when = when.map(|when| match reading {
            Some((reading, was)) => when.read(reading, *was),
            None => when,
        });
        match when {
            None => "selected, but it has no time".to_owned(),
            Some(When::Held(end, hold)) => format!(
                "a stream from {} to {}",
                (end - hold).to_rfc3339(),
                end.to_rfc3339()
            ),
            Some(When::Opened(at)) => {
                format!("a stream opened at {}", at.to_rfc3339())
            }
            Some(_) => "a stream of unknown length".to_owned(),
        }
    }

    /// A text no terminal obeys.
    fn show(&self, text: &str) -> String {
        terminal(text, self.unicode).into_owned()
    }
}

/// Why a record was not read.
fn rejected(reject: Option<Reject>) -> String {
    match reject {
        None => "no request: passed over".to_owned(),
        Some(reject) => {
            format!(
                "nothing: byte {} of it: expected {}",
                reject.at, reject.expected
            )
        }
    }
}

/// An instant and the step of its clock.
fn clock_text(clock: Clock) -> String {
    let at = clock.at.to_rfc3339();
    match clock.grain {
        Micros(1) => at,
        grain => format!("{at}, in steps of {} s", grain.as_secs()),
    }
}

fn ended_by(who: EndedBy) -> &'static str {
    match who {
        EndedBy::Unknown => "not told",
        EndedBy::Client => "client",
        EndedBy::Server => "server",
    }
}

/// Which part of a request a record logs.
fn record_kind(event: Event) -> &'static str {
    match event {
        Event::Whole => "the whole request",
        Event::Open => "its opening",
        Event::Close => "its close",
    }
}

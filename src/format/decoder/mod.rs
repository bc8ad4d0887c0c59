//! How the records of an input are read: how they follow each other, what
//! is wrapped around them, and the formats they have.

mod message;

use crate::format::{
    Choice, Detected, Format, Record, Reject, wrap::Wrapping,
};
use crate::input::{
    Chunk, Framing, Line, Literal, Prefilter, backward, forward,
};
use crate::time::{Micros, Unit};

pub use message::Message;

/// How many of the first records are looked at.
const RECORDS: usize = 400;

/// How the records of an input are read.
#[derive(Clone, Debug)]
pub struct Layout {
    /// How they follow each other.
    pub framing: Framing,
    /// What is wrapped around them.
    pub wrapping: Wrapping,
    /// Their formats, the one most of them have first.
    pub formats: Vec<Format>,
    /// How that was told, in a sentence.
    pub reason: String,
    choice: Choice,
    given: DecodeOptions,
}

/// What the user says of how bare values are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct DecodeOptions {
    /// The unit of bare durations.
    pub unit: Option<Unit>,
    /// Seconds east of UTC of times that show no zone.
    pub zone: i64,
    /// What time it is, for times that show no year.
    pub now: Micros,
}

impl DecodeOptions {
    /// A format that reads bare values so.
    fn applied(self, format: Format) -> Format {
        let format = format.with_zone(self.zone);
        match self.unit {
            Some(unit) => format.with_unit(unit),
            None => format,
        }
    }
}

impl Layout {
    /// The layout of a log that starts with this.
    ///
    /// # Errors
    ///
    /// A sentence that says where reading stopped and what to do.
    pub fn of(
        choice: &Choice,
        given: DecodeOptions,
        sample: &[u8],
    ) -> Result<Layout, String> {
        if sample.starts_with(b"\xff\xfe") || sample.starts_with(b"\xfe\xff") {
            return Err("is UTF-16; convert it first: iconv -f UTF-16 -t \
                        UTF-8"
                .to_owned());
        }
        let framing = Framing::of(sample);
        let lines: Vec<Line<'_>> =
            forward(sample, framing).take(RECORDS).collect();
        let records: Vec<&[u8]> = lines.iter().map(|l| l.bytes).collect();
        let mut layout = Layout {
            framing,
            wrapping: Wrapping::default(),
            formats: Vec::new(),
            reason: String::new(),
            choice: choice.clone(),
            given,
        };
        layout.take(choice.formats(&records));
        layout.unwrap(&lines, Chunk::whole(sample));
        if layout.formats.is_empty() {
            Err(choice.unknown(sample, lines.first().copied()))
        } else {
            Ok(layout)
        }
    }

    /// Takes these formats.
    fn take(&mut self, detected: Detected) {
        let formats = detected.formats.into_iter();
        self.formats = formats.map(|f| self.given.applied(f)).collect();
        self.reason = detected.reason;
    }

    /// The first piece of the message that a record is a later piece of, or
    /// a piece before it that `is_known`, told by where it starts.
    pub fn first_piece<'a>(
        &self,
        line: Line<'_>,
        chunk: Chunk<'a>,
        is_known: impl Fn(u64) -> bool,
    ) -> Option<Line<'a>> {
        let before = &chunk.bytes[..(line.offset - chunk.offset) as usize];
        let lines = backward(before, self.framing);
        let lines = lines
            .map(|line| Line { offset: line.offset + chunk.offset, ..line });
        self.wrapping.first_piece(line.bytes, lines, is_known)
    }

    /// Unwraps the records if more of them can be read without what is wrapped
    /// around them, or as many and the time of more: a reader may pass over
    /// what stands in front, whose time may be the only one there is.
    fn unwrap(&mut self, lines: &[Line<'_>], sample: Chunk<'_>) {
        let records: Vec<&[u8]> = lines.iter().map(|l| l.bytes).collect();
        let wrapping = Wrapping::detect(&records);
        if wrapping.is_empty() {
            return;
        }
        let mut unwrapped = self.clone();
        let DecodeOptions { zone, now, .. } = self.given;
        unwrapped.wrapping = wrapping.with_clock(zone, now);
        let detected = unwrapped.detected(lines, sample, &[]).if_enough();
        unwrapped.take(detected);
        // The common log format is not particular about what is in front.
        let lenient = matches!(self.formats[..], [Format::Clf(_), ..]);
        let bare = (self.known(lines, sample), false);
        if (unwrapped.known(lines, sample), lenient) > bare {
            *self = unwrapped;
        }
    }

    /// How many of these records its formats know, requests or not, and of
    /// how many it has a time.
    fn known(&self, lines: &[Line<'_>], chunk: Chunk<'_>) -> (usize, usize) {
        let (mut known, mut timed) = (0, 0);
        if self.formats.is_empty() {
            return (known, timed);
        }
        for line in lines {
            let message = self.message(*line, chunk);
            let read = self.read(&message, line.offset);
            known += usize::from(!matches!(read, Err(Some(_))));
            timed += usize::from(read.is_ok_and(|(_, r)| r.has_time()));
        }
        (known, timed)
    }

    /// The formats of these records beside some that are known.
    fn detected(
        &self,
        lines: &[Line<'_>],
        chunk: Chunk<'_>,
        known: &[Format],
    ) -> Detected {
        let messages = lines.iter().map(|line| self.message(*line, chunk));
        let messages: Vec<Message<'_>> = messages.collect();
        let texts: Vec<&[u8]> = messages.iter().map(|m| &*m.text).collect();
        self.choice.beside(known, &texts)
    }

    /// What people call it: the wrappers, then the formats.
    pub fn name(&self) -> String {
        let names: Vec<String> =
            self.formats.iter().map(Format::name).collect();
        let names = names.join(", ");
        if self.wrapping.is_empty() {
            names
        } else {
            format!("{} > {names}", self.wrapping.names())
        }
    }

    /// Takes up what stands in these bytes, which begin at byte `offset` of
    /// the input, and tells how the records behind it are laid out.
    pub fn note(&mut self, bytes: &[u8], offset: u64) {
        for format in &mut self.formats {
            format.note(bytes, offset);
        }
    }

    /// What a record must contain to be worth parsing.
    pub fn prefilter(&self, literals: &[Literal]) -> Prefilter {
        let escapes = self.formats.iter().any(Format::escapes);
        let layers = self.wrapping.escapes() + usize::from(escapes);
        let closers = self.formats.iter().flat_map(Format::closers);
        let closers = closers.chain(self.wrapping.hides().iter().copied());
        let closers = closers.map(Literal::anywhere);
        match literals {
            // Without one, everything is.
            [] => Prefilter::none(),
            _ => {
                let all: Vec<Literal> =
                    literals.iter().cloned().chain(closers).collect();
                Prefilter::any_of(&all, layers)
            }
        }
    }

    /// A record of this chunk without its wrappers, or as it stands where it
    /// has none. What was cut in pieces is put together again.
    #[inline]
    pub fn message<'a>(
        &self,
        line: Line<'a>,
        chunk: Chunk<'_>,
    ) -> Message<'a> {
        if self.wrapping.is_empty() {
            return Message::bare(line.bytes);
        }
        let end = (line.offset - chunk.offset) as usize + line.bytes.len();
        let rest = chunk.bytes.get(end..).unwrap_or_default();
        let following = forward(rest, self.framing).map(|line| line.bytes);
        match self.wrapping.joined(line.bytes, following) {
            Some(unwrapped) => Message::of(unwrapped),
            None => Message::bare(line.bytes),
        }
    }

    /// Reads one record with the first of its formats that can, and says
    /// which; see [`Message::read`].
    ///
    /// # Errors
    ///
    /// Where the record leaves the format that follows it furthest; `None`
    /// for a sound record that tells of no client's request.
    pub fn read<'m>(
        &self,
        message: &'m Message<'_>,
        offset: u64,
    ) -> Result<(usize, Record<'m>), Option<Reject>> {
        let read =
            |number, record: &mut Record<'m>| (number, std::mem::take(record));
        message.read(self.formats.iter(), offset, read)
    }

    /// Whether other formats are looked for where these fit no more.
    pub fn is_open(&self) -> bool {
        self.choice.is_open()
    }

    /// Whether any of its formats logs how long requests took.
    pub fn has_duration(&self) -> bool {
        self.formats.iter().any(Format::has_duration)
    }

    /// The formats these records of a chunk have beside those known; those
    /// that only a few of them have too if these are of none known.
    pub fn detect(
        &self,
        lines: &[Line<'_>],
        chunk: Chunk<'_>,
        unrecognised: bool,
    ) -> impl Iterator<Item = Format> {
        let detected = self.detected(lines, chunk, &self.formats);
        let detected =
            if unrecognised { detected } else { detected.if_enough() };
        detected.formats.into_iter().map(|format| self.given.applied(format))
    }

    /// How many of these records a format reads.
    pub fn reads(
        &self,
        format: &Format,
        lines: &[Line<'_>],
        chunk: Chunk<'_>,
    ) -> usize {
        let reads = |line: &&Line<'_>| {
            let message = self.message(**line, chunk);
            format.parse(&message.text, line.offset).is_ok()
        };
        lines.iter().filter(reads).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(log: &str) -> Layout {
        // 2026-11-30, for times that show no year.
        let now = Micros::from_secs(1_796_000_000);
        let given = DecodeOptions { now, ..DecodeOptions::default() };
        Layout::of(&Choice::Auto, given, log.as_bytes()).expect("a log")
    }

    /// Neither reader minds what stands in front of its server's line.
    #[test]
    fn a_shippers_time_is_not_lost_on_lines_that_have_none() {
        const LINES: [&str; 2] = [
            "INFO:     192.0.2.7:40000 - \"GET /a HTTP/1.1\" 200 OK",
            "HTTP GET /a responded 200 in 60001.1234 ms",
        ];
        for (head, wrapper) in [
            ("<134>Nov 29 20:16:52 web app[12]: ", "syslog RFC 3164"),
            ("web-1  | 2026-11-29T20:16:52Z ", "docker compose"),
            ("[pod/web/app] 2026-11-29T20:16:52Z ", "kubectl --prefix"),
        ] {
            for line in LINES {
                let log = format!("{head}{line}\n").repeat(3);
                let layout = layout(&log);
                assert!(layout.name().starts_with(wrapper), "{log}");
                let chunk = Chunk::whole(log.as_bytes());
                let first = forward(chunk.bytes, layout.framing).next();
                let first = first.expect("a line");
                let message = layout.message(first, chunk);
                let (_, record) = layout.read(&message, 0).expect(line);
                let clock = record.start.or(record.end).expect("a time");
                assert_eq!(clock.at.to_rfc3339(), "2026-11-29T20:16:52Z");
            }
        }
    }
}

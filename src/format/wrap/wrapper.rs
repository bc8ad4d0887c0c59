//! The wrappers that are known.

use std::borrow::Cow;

use super::{
    Calendar, Unwrapped, ansi, container, fluent, json, stamp, syslog,
};

/// What a shipper puts around a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// Colours and cursor movements of a terminal (ECMA-48).
    Ansi,
    /// Docker's `json-file`: `{"log":"…\n","stream":"stdout","time":"…"}`.
    DockerJson,
    /// `journalctl -o json`: the message under `MESSAGE`.
    Journald,
    /// An event of `CloudWatch` Logs: `{"id":…,"timestamp":ms,"message":…}`.
    CloudWatchEvent,
    /// An object with the line under `message`, `log`, `line` and so on:
    /// Vector, Fluentd, Fluent Bit, Filebeat, Fly, Loki, Datadog, Splunk.
    Message,
    /// `kubectl logs --prefix`: `[pod/x/c] `.
    KubectlPrefix,
    /// `docker compose logs`: `web-1  | `.
    Compose,
    /// A file of a Kubernetes node: `2026-08-01T12:01:00.1Z stdout F `.
    Cri,
    /// Syslog of RFC 5424: `<34>1 2026-08-01T12:01:00Z host app - - - `.
    Rfc5424,
    /// Syslog of RFC 3164: `<134>Nov 29 13:44:23 host tag[pid]: `.
    Rfc3164,
    /// Syslog with a full time: `2026-08-01T12:01:00+00:00 host tag: `.
    RsyslogFile,
    /// Fluentd's or Fluent Bit's file: `TIME\ttag\t{…}`, `tag: [TIME, {…}]`.
    FluentFile,
    /// `logcli query`: `2026-08-01T12:01:00Z {app="mcp"} `.
    Loki,
    /// `aws logs tail`: a time and the name of a log stream.
    CloudWatchTail,
    /// A time alone: `kubectl logs --timestamps`, `docker logs -t`, a
    /// `CloudWatch` export.
    Stamp,
}

impl Wrapper {
    /// All of them. Of two that fit a log the first is meant: what it shows
    /// is the more peculiar.
    pub const ALL: [Wrapper; 15] = [
        Wrapper::Ansi,
        Wrapper::DockerJson,
        Wrapper::Journald,
        Wrapper::CloudWatchEvent,
        Wrapper::Message,
        Wrapper::KubectlPrefix,
        Wrapper::Compose,
        Wrapper::Cri,
        Wrapper::Rfc5424,
        Wrapper::Rfc3164,
        Wrapper::RsyslogFile,
        Wrapper::FluentFile,
        Wrapper::Loki,
        Wrapper::CloudWatchTail,
        Wrapper::Stamp,
    ];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Wrapper::Ansi => "terminal colours",
            Wrapper::DockerJson => "docker json-file",
            Wrapper::Journald => "journald",
            Wrapper::CloudWatchEvent => "CloudWatch event",
            Wrapper::Message => "JSON message",
            Wrapper::KubectlPrefix => "kubectl --prefix",
            Wrapper::Compose => "docker compose",
            Wrapper::Cri => "CRI",
            Wrapper::Rfc5424 => "syslog RFC 5424",
            Wrapper::Rfc3164 => "syslog RFC 3164",
            Wrapper::RsyslogFile => "syslog with full time",
            Wrapper::FluentFile => "Fluent file",
            Wrapper::Loki => "logcli",
            Wrapper::CloudWatchTail => "aws logs tail",
            Wrapper::Stamp => "time in front",
        }
    }

    /// Whether the message is a JSON string.
    pub(super) fn is_string(self) -> bool {
        matches!(
            self,
            Wrapper::DockerJson
                | Wrapper::Journald
                | Wrapper::CloudWatchEvent
                | Wrapper::Message
        )
    }

    /// What it holds, if this record carries it.
    pub(super) fn strip(
        self,
        record: &[u8],
        calendar: Calendar,
    ) -> Option<Unwrapped<'_>> {
        match self {
            Wrapper::Ansi => Some(ansi::strip(record)),
            Wrapper::DockerJson => json::docker(record),
            Wrapper::Journald => json::journald(record),
            Wrapper::CloudWatchEvent => json::cloudwatch(record),
            Wrapper::Message => json::message(record),
            Wrapper::KubectlPrefix => container::kubectl(record),
            Wrapper::Compose => container::compose(record),
            Wrapper::Cri => container::cri(record),
            Wrapper::Rfc5424 => syslog::rfc5424(record),
            Wrapper::Rfc3164 => syslog::rfc3164(record, calendar),
            Wrapper::RsyslogFile => syslog::full_time(record),
            Wrapper::FluentFile => fluent::strip(record),
            Wrapper::Loki => stamp::loki(record),
            Wrapper::CloudWatchTail => stamp::cloudwatch(record),
            Wrapper::Stamp => stamp::bare(record),
        }
    }

    /// The wrapper most of these records carry.
    pub(super) fn around(records: &[Cow<'_, [u8]>]) -> Option<Wrapper> {
        let carried = |wrapper: &Wrapper| {
            let carriers = records.iter().filter(|r| wrapper.is_on(r));
            let carriers = carriers.count();
            carriers > 0 && carriers * wrapper.fold() >= records.len()
        };
        Wrapper::ALL.into_iter().find(carried)
    }

    /// Whether a record carries it around something whole. Pieces tell
    /// nothing: what lacks only Docker's end of line looks like one.
    fn is_on(self, record: &[u8]) -> bool {
        match self {
            Wrapper::Ansi => ansi::is_coloured(record),
            Wrapper::Stamp if !stamp::is_given(record) => false,
            _ => self.whole(record).is_some(),
        }
    }

    /// How many records there may be for each that carries it. Not every
    /// line is coloured, and to take colours off does no harm.
    fn fold(self) -> usize {
        match self {
            Wrapper::Ansi => 10,
            _ => 2,
        }
    }

    /// What a record holds, if it is something whole.
    pub(super) fn inside<'r>(
        self,
        record: &Cow<'r, [u8]>,
    ) -> Option<Cow<'r, [u8]>> {
        match record {
            Cow::Borrowed(record) => self.whole(record),
            Cow::Owned(record) => {
                self.whole(record).map(|m| Cow::Owned(m.into_owned()))
            }
        }
    }

    fn whole(self, record: &[u8]) -> Option<Cow<'_, [u8]>> {
        let unwrapped = self.strip(record, Calendar::default())?;
        let whole =
            !unwrapped.partial && !unwrapped.message.trim_ascii().is_empty();
        whole.then_some(unwrapped.message)
    }
}

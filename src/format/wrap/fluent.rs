//! The files Fluentd and Fluent Bit write.

use super::Unwrapped;
use super::words::time;
use crate::time::{Clock, epoch};

/// The object of a line: `TIME\ttag\t{…}` (Fluentd's `out_file`), or
/// `tag: [TIME, {…}]` (Fluent Bit's `out_file`), where newer versions write
/// `tag: [[TIME, {}], {…}]`, the second of them metadata.
///
/// <https://docs.fluentd.org/output/file>,
/// <https://docs.fluentbit.io/manual/pipeline/outputs/file>
pub(super) fn strip(line: &[u8]) -> Option<Unwrapped<'_>> {
    tabbed(line).or_else(|| listed(line))
}

fn tabbed(line: &[u8]) -> Option<Unwrapped<'_>> {
    let first = memchr::memchr(b'\t', line)?;
    let (clock, _) = time(&line[..first], 0)?;
    let tag = memchr::memchr(b'\t', &line[first + 1..])?;
    object(line, first + 1 + tag + 1, line.len(), clock)
}

fn listed(line: &[u8]) -> Option<Unwrapped<'_>> {
    let colon = memchr::memmem::find(line, b": [")?;
    let tagged = colon > 0 && memchr::memchr(b' ', &line[..colon]).is_none();
    let end = line.len().checked_sub(1).filter(|&end| line[end] == b']')?;
    if !tagged {
        return None;
    }
    let from = colon + 3;
    let nested = usize::from(line.get(from) == Some(&b'['));
    let comma = memchr::memchr(b',', line.get(from + nested..)?)?;
    let clock = epoch(&line[from + nested..from + nested + comma])?;
    let behind = from + nested + comma;
    let at = match nested {
        0 => behind + 2,
        _ => behind + memchr::memmem::find(&line[behind..], b"}], {")? + 4,
    };
    object(line, at, end, clock)
}

/// The object between these two places.
fn object(
    line: &[u8],
    at: usize,
    end: usize,
    clock: Clock,
) -> Option<Unwrapped<'_>> {
    let object = line.get(at..end)?;
    let whole = object.starts_with(b"{") && object.ends_with(b"}");
    let unwrapped = Unwrapped::from(&line[..end], at)?;
    whole.then_some(Unwrapped { time: Some(clock), ..unwrapped })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_files_hold_an_object() {
        for line in [
            "2026-08-01T12:01:00.123+00:00\tmcp.web\t{\"log\":\"x, y\"}",
            "mcp.web: [1785585660.123, {\"log\":\"x, y\"}]",
            "mcp.web: [[1785585660.123000000, {}], {\"log\":\"x, y\"}]",
            "mcp.web: [[1785585660.123, {\"a\":\"b\"}], {\"log\":\"x, y\"}]",
        ] {
            let unwrapped = strip(line.as_bytes()).unwrap();
            assert_eq!(&*unwrapped.message, b"{\"log\":\"x, y\"}", "{line}");
            assert!(line[unwrapped.at..].starts_with("{\"log"), "{line}");
            let at = unwrapped.time.map(|clock| clock.at.to_rfc3339());
            assert_eq!(at.as_deref(), Some("2026-08-01T12:01:00.123Z"));
        }
    }

    #[test]
    fn other_lines_with_brackets_and_tabs_are_none() {
        for line in [
            "uvicorn: [info] x]",
            "tag: [1785585660.123, \"x\"]",
            "a tag: [1785585660.123, {}]",
            "2026-08-01\t12:01:00\tCDG50-P2\t703",
            "2026-08-01T12:01:00Z\ttag\ttext",
            "x: [[1785585660.1, ]",
            "x: [",
        ] {
            assert_eq!(strip(line.as_bytes()), None, "{line}");
        }
    }
}

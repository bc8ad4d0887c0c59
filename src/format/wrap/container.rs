//! What container runtimes and their command lines put before a line.

use std::borrow::Cow;

use super::words::{is_level, time, word};
use super::{Stream, Unwrapped};

/// A line of a Kubernetes node's log: time, output, `F` or `P`, message. `P`
/// says that the message goes on.
///
/// <https://github.com/kubernetes/design-proposals-archive/blob/main/node/kubelet-cri-logging.md>
pub(super) fn cri(line: &[u8]) -> Option<Unwrapped<'_>> {
    let (clock, at) = time(line, 0)?;
    let (stream, at) = word(line, at)?;
    let stream = Stream::named(stream)?;
    let (tags, at) = word(line, at)?;
    let partial = match tags {
        [b'F'] | [b'F', b':', ..] => false,
        [b'P'] | [b'P', b':', ..] => true,
        _ => return None,
    };
    let time = Some(clock);
    Some(Unwrapped { time, stream, partial, ..Unwrapped::from(line, at)? })
}

/// A line of `kubectl logs --prefix`: `[pod/NAME/CONTAINER] `.
pub(super) fn kubectl(line: &[u8]) -> Option<Unwrapped<'_>> {
    let rest = line.strip_prefix(b"[pod/")?;
    let end = memchr::memchr2(b']', b' ', rest)?;
    let (name, rest) = rest.split_at(end);
    if !rest.starts_with(b"]") || !name.contains(&b'/') {
        return None;
    }
    let at = line.len() - rest.len() + 2;
    let process = Cow::Borrowed(name);
    Some(Unwrapped { process, ..Unwrapped::from(line, at.min(line.len()))? })
}

/// A line of `docker compose logs`: the container's name, padded, a bar, and
/// a blank.
pub(super) fn compose(line: &[u8]) -> Option<Unwrapped<'_>> {
    let blank = memchr::memchr(b' ', line)?;
    let name = &line[..blank];
    let padding = line[blank..].iter().take_while(|&&byte| byte == b' ');
    let bar = blank + padding.count();
    if line.get(bar) != Some(&b'|') || !is_container(name) {
        return None;
    }
    let at = match line.get(bar + 1) {
        Some(b' ') => bar + 2,
        Some(_) => return None,
        None => bar + 1,
    };
    Some(Unwrapped {
        process: Cow::Borrowed(name),
        ..Unwrapped::from(line, at)?
    })
}

/// Whether this may name a container, and is neither an address nor a method
/// nor a level, which some servers' own lines have before a bar. Compose
/// numbers its containers: a host name is none without a number behind it.
fn is_container(name: &[u8]) -> bool {
    let letter = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
    };
    let number = name.iter().rposition(|byte| !byte.is_ascii_digit());
    let numbered = number.is_some_and(|at| {
        at + 1 < name.len() && matches!(name[at], b'-' | b'_')
    });
    name.first().is_some_and(u8::is_ascii_alphanumeric)
        && name.iter().all(letter)
        && name.iter().any(u8::is_ascii_lowercase)
        && (numbered || !name.contains(&b'.'))
        && !is_level(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cris_tags_say_whether_the_message_goes_on() {
        let cri = |line: &'static str| cri(line.as_bytes());
        let line = "2026-08-01T13:01:00.123456789+01:00 stderr P half";
        let unwrapped = cri(line).unwrap();
        assert_eq!((&*unwrapped.message, unwrapped.at), (&b"half"[..], 45));
        assert!(unwrapped.partial && unwrapped.stream == Stream::Err);
        let at = unwrapped.time.map(|clock| clock.at.to_rfc3339());
        assert_eq!(at.as_deref(), Some("2026-08-01T12:01:00.123456Z"));
        let whole = cri("2026-08-01T12:01:00Z stdout F:x y").unwrap();
        assert!(!whole.partial && *whole.message == *b"y");
        let empty = cri("2026-08-01T12:01:00Z stdout F").unwrap();
        assert_eq!(empty.message.len(), 0);
        for line in [
            "2026-08-01T12:01:00Z stdin F y",
            "2026-08-01T12:01:00Z stdout X y",
            "2026-08-01T12:01:00Z stdout",
            "2026-08-01 12:01:00Z stdout F y",
        ] {
            assert_eq!(cri(line), None, "{line}");
        }
    }

    #[test]
    fn a_pod_and_a_compose_container_name_the_process() {
        let unwrapped = kubectl(b"[pod/mcp-7d/web] a  b").unwrap();
        assert_eq!(
            (&*unwrapped.process, &*unwrapped.message),
            (&b"mcp-7d/web"[..], &b"a  b"[..])
        );
        let unwrapped = compose(b"web-1  |  * Serving").unwrap();
        assert_eq!(
            (&*unwrapped.process, &*unwrapped.message, unwrapped.at),
            (&b"web-1"[..], &b" * Serving"[..], 9)
        );
        assert_eq!(compose(b"nginx |").unwrap().message.len(), 0);
    }

    #[test]
    fn bars_of_servers_are_none_of_compose() {
        for line in [
            "[GIN] 2026/08/01 - 12:01:00 | 200 | 1m0s |",
            "192.0.2.7 | GET /",
            "GET | /",
            "info  | listening",
            "www.example.com | 192.0.2.7",
            "a b | c",
            "web-1 |x",
        ] {
            assert_eq!(compose(line.as_bytes()), None, "{line}");
        }
        assert!(compose(b"my.app-12 | x").is_some());
    }
}

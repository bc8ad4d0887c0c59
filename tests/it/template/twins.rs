//! Format strings against the same formats written as regular expressions.

use proptest::prelude::*;
use proptest::sample::Index;
use streamleak::internal::format::{Pattern, Template};
use streamleak::internal::time::Unit;

use super::mixed::MIXED;
use crate::fixture;

/// A quoted value in which a quote is always escaped.
const QUOTED: &str = r#""(?:[^"\\]|\\.)*""#;

/// A format as a template and as a regular expression, and lines of it.
struct Twins {
    template: Template,
    pattern: Pattern,
    lines: Vec<Vec<u8>>,
}

impl Twins {
    fn new(template: Template, pattern: &str, logs: [&str; 2]) -> Twins {
        let pattern = pattern
            .replace("QUOTED", QUOTED)
            .replace("INNER", QUOTED.trim_matches('"'))
            // Up to a blank and a bracket.
            .replace("BRACKET", r"(?:[^ ]| +[^ \[])* *");
        let pattern = Pattern::new(&pattern).expect("it compiles");
        let lines = logs
            .iter()
            .flat_map(|log| {
                let text = fixture::read(log);
                let lines = text.lines().map(|line| line.as_bytes().to_vec());
                lines.collect::<Vec<_>>()
            })
            .collect();
        let pattern = pattern.with_unit(Unit::Seconds);
        Twins { template, pattern, lines }
    }

    fn nginx() -> Twins {
        let (_, _, format) = MIXED[1];
        let template = Template::nginx(format).expect("it compiles");
        let pattern = r#"(?s)^(?P<client>[^ ]*) - BRACKET \[(?P<end>.*?)\] "(?P<request>INNER)" (?P<status>[^ ]*) (?P<bytes>[^ ]*) QUOTED "(?P<agent>INNER)" rt=(?P<duration>[^ ]*) uct=QUOTED uht=QUOTED urt=QUOTED$"#;
        let logs =
            ["groundtruth/nginx/timed.log", "real-logs/mixed/nginx-rt.log"];
        Twins::new(template, pattern, logs)
    }

    fn apache() -> Twins {
        let (_, _, format) = MIXED[6];
        let template = Template::apache(format).expect("it compiles");
        let pattern = r#"(?s)^(?P<client>[^ ]*) [^ ]* BRACKET \[(?P<start>.*?)\] "(?P<request>INNER)" (?P<status>[^ ]*) (?P<bytes>[^ ]*) QUOTED "(?P<agent>INNER)" (?P<duration_us>[^ ]*)$"#;
        let logs = [
            "groundtruth/apache/combined_D.log",
            "real-logs/mixed/apache-combined-us.log",
        ];
        Twins::new(template, pattern, logs)
    }

    /// Both reject a line, or both read the same from it.
    #[track_caller]
    fn assert_alike(&self, line: &[u8]) -> bool {
        let template = self.template.parse(line);
        let pattern = self.pattern.parse(line);
        let text = String::from_utf8_lossy(line);
        match (&template, &pattern) {
            (Err(_), Err(_)) => {}
            _ => assert_eq!(template.as_ref(), pattern.as_ref(), "{text}"),
        }
        template.is_ok()
    }
}

#[test]
fn template_and_pattern_read_the_same_from_every_line() {
    for twins in [Twins::nginx(), Twins::apache()] {
        assert!(twins.lines.len() > 24);
        for line in &twins.lines {
            assert!(twins.assert_alike(line));
        }
    }
}

/// A change of one line: what to do, where, and with which byte.
fn edit() -> impl Strategy<Value = (u8, Index, u8)> {
    let telling = &b" \"\\[]-:.,=0129Zx\xff\n"[..];
    let byte = prop_oneof![
        4 => proptest::sample::select(telling),
        1 => any::<u8>(),
    ];
    (0..4_u8, any::<Index>(), byte)
}

fn edited(line: &[u8], edits: &[(u8, Index, u8)]) -> Vec<u8> {
    let mut line = line.to_vec();
    for (kind, index, byte) in edits {
        let at = index.index(line.len() + 1);
        match kind {
            0 => line.insert(at, *byte),
            1 if at < line.len() => line[at] = *byte,
            2 if at < line.len() => drop(line.remove(at)),
            // Cutting is for the last few bytes: elsewhere little is left.
            3 => line.truncate(line.len() - line.len().min(at % 16)),
            _ => {}
        }
    }
    line
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn template_and_pattern_agree_about_damaged_lines(
        apache in any::<bool>(),
        which in any::<Index>(),
        edits in proptest::collection::vec(edit(), 1..4),
    ) {
        thread_local! {
            static TWINS: [Twins; 2] = [Twins::nginx(), Twins::apache()];
        }
        TWINS.with(|twins| {
            let twins = &twins[usize::from(apache)];
            let line = edited(&twins.lines[which.index(twins.lines.len())], &edits);
            twins.assert_alike(&line);
        });
    }
}

//! What a simulation came to, in sentences.

use std::path::Path;
use std::time::Duration;

use crate::app::plan::Simulated;
use crate::report::counted;
use crate::simulate::{
    Agreement, Era, Habit, Lacking, Log, MOST, MOST_OPEN, Run, Simulation,
};

/// What was run.
pub(super) fn title(plan: &Simulated, run: &Run) -> String {
    let Simulation { server, clients, pace, era, length, .. } =
        &plan.simulation;
    let count = |habit: Habit| {
        let count = clients.iter().filter(|each| **each == habit).count();
        (count > 0).then(|| format!("{count} {}", habit.name()))
    };
    let clients: Vec<String> =
        Habit::ALL.into_iter().filter_map(count).collect();
    let asked = match era {
        Era::Modern => "POST /mcp with Mcp-Method: subscriptions/listen",
        Era::Legacy => "GET /subscriptions/listen with Mcp-Session-Id",
    };
    let whole = length.as_secs();
    let lasted = match run.samples.len() as u64 {
        all if all == whole => format!("{whole} s"),
        part => format!("{part} of {whole} s"),
    };
    let [ceiling, silence, backoff] =
        [pace.ceiling, pace.silence, pace.backoff].map(seconds);
    format!(
        "a {} server; clients: {}; {lasted} at {} times the speed of life: \
         ceiling {ceiling}, silence {silence}, backoff {backoff}; {asked}",
        server.name(),
        clients.join(", "),
        plan.scale,
    )
}

/// A span in seconds, with no more decimals than it needs.
fn seconds(span: Duration) -> String {
    let text = format!("{:.3}", span.as_secs_f64());
    format!("{} s", text.trim_end_matches('0').trim_end_matches('.'))
}

/// Whether log and server agree.
pub(super) fn agreed(agreement: &Agreement) -> String {
    let Agreement { samples, worst, in_flight } = agreement;
    let allowed = match in_flight {
        0 => String::new(),
        some => {
            format!(", {} in flight allowed for", counted(*some, "stream"))
        }
    };
    format!(
        "the streams rebuilt from the log against those the server counted: \
         greatest difference {worst} at {samples} full seconds{allowed}"
    )
}

/// What held the run down that no server of its kind would; a line each.
pub(super) fn lacking(run: &Run) -> Vec<String> {
    let Lacking { refused, refused_from, failed, reason } = &run.lacking;
    let mut lines = Vec::new();
    if let Some(from) = refused_from {
        let second = (*from - run.from).as_secs();
        lines.push(format!(
            "{}, from second {second:.0} on: a simulation holds {MOST_OPEN} \
             at once and {MOST} in all. What the log shows since is that \
             limit; take fewer --clients or --seconds",
            counted(*refused, "stream"),
        ));
    }
    if *failed > 0 {
        lines.push(format!(
            "{} could not be opened, the first because of: {reason}. The log \
             shows that limit, too",
            counted(*failed, "stream"),
        ));
    }
    lines
}

/// What to type to see more, as a shell reads it.
pub(super) fn command(folder: &Path) -> String {
    let file = |log: Log| quoted(&folder.join(log.name()));
    let (bin, ends, opens) =
        (Simulated::BIN, file(Log::Ends), file(Log::Opens));
    format!("streamleak --bin {bin} {ends} {opens}")
}

/// A path as a shell reads it, and as no option.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let text = if text.starts_with('-') { format!("./{text}") } else { text };
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@=".contains(c);
    if text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_quoted_where_a_shell_would_break_it() {
        let quoted = |path: &str| quoted(Path::new(path));
        assert_eq!(quoted("simulated/access.log"), "simulated/access.log");
        assert_eq!(quoted("-dash/a.log"), "./-dash/a.log");
        assert_eq!(quoted("my logs/a.log"), "'my logs/a.log'");
        assert_eq!(quoted("it's/$(x)"), r"'it'\''s/$(x)'");
    }
}

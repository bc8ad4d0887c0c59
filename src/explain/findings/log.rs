//! Findings on how the log was read and what it leaves out.

use serde_json::json;

use super::finding;
use crate::collect::{Harvest, Reading, Request, Tally};
use crate::detect::Found;
use crate::report::{Finding, Severity, count, counted, instant, rate, span};
use crate::streams::Stream;
use crate::time::Micros;

/// Streams of which the log does not say how long they were open.
pub(super) fn no_durations(found: &Found) -> Option<Finding> {
    let bare = &found.log.unheld;
    let (first, last) = (bare.first()?, bare.last()?);
    let minutes = (*last - *first).as_secs() / 60.0;
    let per_minute = bare.len() as f64 / minutes.max(1.0);
    let what = if found.log.streams.is_empty() {
        "this log has no durations, only one time for each stream".to_owned()
    } else {
        format!(
            "{} logged without a duration, only with one time, and not \
             counted as open",
            counted(bare.len() as u64, "stream")
        )
    };
    finding(
        "no-durations",
        Severity::Warning,
        format!(
            "{what}: {} a minute, which says nothing of how many are \
             open. Log the duration: `streamleak setup nginx` (or caddy, \
             apache, haproxy, cloudflare) prints the lines to add; \
             --assume-hold 60s shows what a duration of 60 s would mean",
            rate(per_minute)
        ),
        [("streams", json!(bare.len())), ("per_minute", json!(per_minute))],
    )
}

/// Requests were read and none is a stream.
pub(super) fn nothing_selected(found: &Found) -> Option<Finding> {
    let Tally { parsed, selected, .. } = Tally::of(&found.harvests);
    if parsed == 0 || selected > 0 {
        return None;
    }
    let longest = found.requests.longest(5);
    let frequent = found.requests.most_frequent(5);
    let select = longest.first().or(frequent.first()).map(select_hint);
    let longest_text = if longest.is_empty() {
        String::new()
    } else {
        format!(" Held longest: {}.", listed(&longest, duration_and_count))
    };
    finding(
        "nothing-selected",
        Severity::Warning,
        format!(
            "no request was a stream by its path or its Mcp-Method.\
             {longest_text} Most frequent: {}{}",
            listed(&frequent, count_seen),
            select.unwrap_or_default()
        ),
        [
            ("longest", json!(names(&longest))),
            ("most_frequent", json!(names(&frequent))),
        ],
    )
}

/// A request by its method and path.
type Named<'a> = (&'a [u8], Request);

/// The requests in a row, with what is said of each.
fn listed(all: &[Named<'_>], say: fn(&Request) -> String) -> String {
    let one = |(name, request): &Named<'_>| {
        format!("{} ({})", String::from_utf8_lossy(name), say(request))
    };
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn names(all: &[Named<'_>]) -> Vec<String> {
    let name = |(n, _): &Named<'_>| String::from_utf8_lossy(n).into_owned();
    all.iter().map(name).collect()
}

fn count_seen(request: &Request) -> String {
    format!("seen {}", request.count)
}

fn duration_and_count(request: &Request) -> String {
    let longest = request.longest.unwrap_or_default();
    format!("{}, {}", span(longest), count_seen(request))
}

/// How to select a request's path.
fn select_hint((name, _): &Named<'_>) -> String {
    let path = name.split(|b| *b == b' ').nth(1).unwrap_or(name);
    format!(
        ". If that is where your streams are, --path {} selects them; \
         --min-hold 5s leaves short ones out",
        String::from_utf8_lossy(path)
    )
}

/// Records that could not be read.
pub(super) fn rejected(found: &Found) -> Option<Finding> {
    let Tally { shape, time, duration, long, .. } = Tally::of(&found.harvests);
    let all = shape + time + duration + long;
    if all == 0 {
        return None;
    }
    let parts: Vec<String> = [
        (shape, "of another shape"),
        (time, "without a readable time"),
        (duration, "without a readable duration"),
        (long, "longer than 1 MiB"),
    ]
    .iter()
    .filter(|(number, _)| *number > 0)
    .map(|(number, why)| format!("{} {why}", count(*number)))
    .collect();
    finding(
        "rejected-records",
        Severity::Warning,
        format!(
            "{} could not be read and left out: {}",
            counted(all, "record"),
            parts.join(", ")
        ),
        [
            ("shape", json!(shape)),
            ("time", json!(time)),
            ("duration", json!(duration)),
            ("long", json!(long)),
        ],
    )
}

/// Inputs of which neither format nor order tells what the time marks.
pub(super) fn undecided(found: &Found) -> Option<Finding> {
    let names = inputs_where(found, Reading::is_undecided);
    if names.is_empty() || found.log.streams.is_empty() {
        return None;
    }
    finding(
        "undecided-time",
        Severity::Warning,
        format!(
            "neither the format nor the order of the records tells whether \
             the time in {} is the start or the end of a request; \
             --timestamp start or end decides, a wrong guess shifts every \
             stream by its duration",
            names.join(", ")
        ),
        [("inputs", json!(names))],
    )
}

/// Inputs whose bare durations are in the likeliest unit.
pub(super) fn guessed_unit(found: &Found) -> Option<Finding> {
    let names = inputs_where(found, |reading| reading.guessed);
    if names.is_empty() || found.log.streams.is_empty() {
        return None;
    }
    finding(
        "assumed-unit",
        Severity::Info,
        format!(
            "the unit of the bare durations in {} is the likeliest one; \
             --duration-unit decides",
            names.join(", ")
        ),
        [("inputs", json!(names))],
    )
}

/// Logs of one stream in two layers, or two copies of a log.
pub(super) fn same_streams(found: &Found) -> Option<Finding> {
    let pairs: Vec<[String; 2]> = found
        .log
        .layered
        .iter()
        .map(|pair| pair_names(found, *pair))
        .collect();
    let [out, kept] = pairs.first()?;
    let more = match pairs.len() - 1 {
        0 => String::new(),
        more => format!(" (and {} more)", counted(more as u64, "pair")),
    };
    finding(
        "same-streams",
        Severity::Warning,
        format!(
            "{out} duplicates {kept}{more}: its streams are counted once, by \
             {kept}; analyse one layer at a time to compare them"
        ),
        [("inputs", json!(pairs))],
    )
}

/// The names of two logs of the same streams; in one file only their formats
/// differ.
fn pair_names(found: &Found, pair: [(usize, u16); 2]) -> [String; 2] {
    let harvest = |input: usize| &found.harvests[input];
    let same = pair[0].0 == pair[1].0;
    pair.map(|(input, dialect)| {
        let name = harvest(input).input.name();
        if !same {
            return name;
        }
        let dialect = &harvest(input).found.dialects[usize::from(dialect)];
        format!("{name} ({})", dialect.format.name())
    })
}

/// Logs that hold only some of the requests.
pub(super) fn sampled(found: &Found) -> Option<Finding> {
    let is = |h: &&Harvest| h.found.sampled > 1;
    let sampled = found.harvests.iter().filter(is);
    let most = sampled.clone().map(|h| h.found.sampled).max()?;
    let names: Vec<String> = sampled.map(|h| h.input.name()).collect();
    finding(
        "sampled",
        Severity::Warning,
        format!(
            "{} holds a sample, up to 1 request in {most}: more streams were \
             open than it shows, and a stream's reopening is often missing, \
             so an absence of a climb says little; log every request",
            names.join(", ")
        ),
        [("inputs", json!(names)), ("one_in", json!(most))],
    )
}

/// Formats that cannot answer by themselves.
pub(super) fn lacking(found: &Found) -> Option<Finding> {
    let dialects = found.harvests.iter().flat_map(|h| &h.found.dialects);
    if found.log.streams.iter().any(|stream| stream.closed.is_some()) {
        return None;
    }
    let none = Tally::of(&found.harvests).selected == 0;
    let dialects = dialects.filter(|d| none || d.selected > 0);
    let why = dialects.filter_map(|dialect| {
        Some((dialect.format.name(), dialect.format.lacks()?))
    });
    let mut why: Vec<(String, &str)> = why.collect();
    why.sort();
    why.dedup();
    let (name, lacks) = why.first()?;
    finding(
        "format-lacks",
        Severity::Warning,
        format!("{name}: {lacks}"),
        [("formats", json!(why))],
    )
}

/// Durations that end long before the client opens the next stream: many servers
/// log the time to the response's head and call it the response's.
pub(super) fn short_holds(found: &Found) -> Option<Finding> {
    let streams: Vec<&Stream> =
        found.log.streams.iter().filter(|s| !s.answer.refused()).collect();
    let durations = streams.iter().filter_map(|stream| stream.hold());
    let gaps: Vec<Micros> = streams
        .windows(2)
        .filter(|two| two[0].key == two[1].key)
        .map(|two| two[1].opened - two[0].opened)
        .collect();
    if gaps.len() < 10 {
        return None;
    }
    let duration = lower_median(durations.collect())?;
    let gap = lower_median(gaps)?;
    if duration > Micros::SECOND || gap < Micros(duration.0.saturating_mul(10))
    {
        return None;
    }
    finding(
        "short-holds",
        Severity::Warning,
        format!(
            "half of the streams are logged as held for no more than {}, yet \
             their clients open the next one only {} later: the duration may \
             be the time to the response's head and not the stream's \
             (morgan's :response-time, an upstream's response time); log the \
             total time",
            span(duration),
            span(gap)
        ),
        [
            ("median_hold_s", json!(duration.as_secs())),
            ("median_gap_s", json!(gap.as_secs())),
        ],
    )
}

/// Records dated far from the others of their log.
pub(super) fn outliers(found: &Found) -> Option<Finding> {
    let first = found.log.astray.first()?;
    let streams: u64 = found.log.astray.iter().map(|a| a.streams).sum();
    let name = found.harvests.get(first.input)?.input.name();
    let dated = if first.first == first.last {
        instant(first.first)
    } else {
        format!("{} to {}", instant(first.first), instant(first.last))
    };
    let with = match streams {
        0 => String::new(),
        some => format!(", with {}", counted(some, "stream")),
    };
    let more = match found.log.astray.len() {
        1 => String::new(),
        inputs => {
            format!(", and in {} more", counted(inputs as u64 - 1, "log"))
        }
    };
    finding(
        "astray-times",
        Severity::Warning,
        format!(
            "records of {name} are dated {dated}{more}: outlier timestamps \
             ignored{with}; a clock was wrong then, or the line is damaged"
        ),
        [("streams", json!(streams)), ("first", json!(first.first))],
    )
}

/// Streams that were held for less than was asked for.
pub(super) fn below_min_hold(found: &Found) -> Option<Finding> {
    let short = found.log.brief;
    if short == 0 {
        return None;
    }
    let all = short + found.log.streams.len() as u64;
    finding(
        "below-min-hold",
        Severity::Info,
        format!(
            "left out as held for less than --min-hold: {} of {}; \
             streams that end at once and are reopened, a storm, would be \
             among them",
            count(short),
            counted(all, "stream")
        ),
        [("streams", json!(short)), ("of", json!(all))],
    )
}

/// Requests logged more than once.
pub(super) fn repeated(found: &Found) -> Option<Finding> {
    let repeated = found.log.repeated;
    if repeated == 0 {
        return None;
    }
    finding(
        "repeated-records",
        Severity::Info,
        format!(
            "{} of a stream that another record told of (same request id \
             and times); each stream counts once",
            counted(repeated, "record")
        ),
        [("records", json!(repeated))],
    )
}

/// Streams whose duration was assumed.
pub(super) fn assumed(found: &Found) -> Option<Finding> {
    let assumed = found.log.assumed;
    if assumed == 0 {
        return None;
    }
    finding(
        "assumed-hold",
        Severity::Warning,
        format!(
            "{} with a duration that is assumed, not logged: a leak cannot be \
             seen this way",
            counted(assumed, "stream")
        ),
        [("streams", json!(assumed))],
    )
}

/// The middle one of these, the lower of two.
fn lower_median(mut spans: Vec<Micros>) -> Option<Micros> {
    let middle = spans.len().checked_sub(1)? / 2;
    Some(*spans.select_nth_unstable(middle).1)
}

/// The names of the inputs this is true of.
fn inputs_where(found: &Found, is: impl Fn(&Reading) -> bool) -> Vec<String> {
    let inputs = found.harvests.iter().zip(&found.log.inputs);
    inputs
        .filter(|(harvest, times)| {
            let dialects = harvest.found.dialects.iter();
            let mut read = dialects.zip(&times.readings);
            read.any(|(dialect, reading)| dialect.selected > 0 && is(reading))
        })
        .map(|(harvest, _)| harvest.input.name())
        .collect()
}

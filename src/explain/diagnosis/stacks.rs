//! Streams that are left open: by their client, or because nobody told the
//! server that it had left.

use std::collections::BTreeSet;

use super::clusters::{Sizes, who_ended};
use super::{Context, median_duration, texts};
use crate::collect::KeyId;
use crate::detect::Branching;
use crate::explain::known::{Defect, known_defect, shared_network};
use crate::report::{
    Cause, Confidence, Fault, Side, count, counted, mean, share, span,
};
use crate::stats::median;
use crate::streams::{Enders, Standing, Stream};
use crate::time::Micros;

/// From so many clients on, all of them leaking is no more likely than a hop
/// that does not tell that they left.
const SEVERAL: usize = 10;

/// What is left open, and by whom.
pub(super) fn fault(context: &Context<'_>) -> Fault {
    let branching = context.detection.branchings.first();
    if let Some(found) = branching.filter(|found| found.children >= 1.5) {
        return doubling(context, found);
    }
    let suspects = suspects(context);
    let stack = Stack::of(context, &suspects);
    let mut evidence = stack.evidence();
    if let Some(found) = branching {
        evidence.push(format!(
            "{} of its {} opens beyond one for one came within 5 s after an \
             end of its own",
            found.after_end, found.surplus
        ));
    }
    if stack.shared {
        return shared(&stack, evidence);
    }
    if stack.is_everybodys() && !stack.enders.clients() {
        return nobodys(&stack, evidence);
    }
    // A server that writes notices when nobody is there; on a silent stream
    // nobody does.
    let alive = stack.sizes == Sizes::Vary;
    let mut next = Vec::new();
    if let Some(defect) = stack.defect() {
        next.push(format!(
            "update the client: the defect is fixed in {} {}",
            defect.name(),
            defect.fixed_in()
        ));
    }
    if !alive {
        next.extend(cannot_tell(stack.sizes));
    }
    next.extend(texts([
        "on the client: close the old stream before opening the next, and \
         open none because of silence alone",
        "on the server, whatever the client does: at most one listen stream \
         for each client or session (the newest wins), an end of its own \
         after some minutes, and a comment every 15 s, so that the dead are \
         noticed",
    ]));
    Fault {
        side: Side::Client,
        cause: Cause::AbandonAndReopen,
        confidence: match (alive, stack.defect().is_some()) {
            (true, _) => Confidence::High,
            (false, true) => Confidence::Medium,
            (false, false) if stack.enders.known() => Confidence::Medium,
            (false, false) => Confidence::Low,
        },
        evidence,
        next,
    }
}

/// Streams overlap in a log that does not climb, and no client ended them:
/// a leak too small or too short-lived to tell.
pub(super) fn doubt(context: &Context<'_>) -> Option<Fault> {
    let all = Overlaps::of(context.found.standings.iter());
    let Overlaps { opened, overlapping, most } = all;
    let enders = Enders::of(context.streams().iter());
    let ended = enders.server + enders.unknown;
    let analysis = context.detection.analysis();
    let compared = analysis.is_some_and(|a| a.reference.old.is_some());
    let few = compared || overlapping < 20.0 || overlapping < 0.1 * opened;
    if few || enders.client > 0 || ended == 0 {
        return None;
    }
    Some(Fault {
        side: Side::Unknown,
        cause: Cause::Undetermined,
        confidence: Confidence::Low,
        evidence: vec![
            format!(
                "{} of {} openings ({}) came while the client's last stream \
                 was open; one client had {most} at once",
                count(overlapping.round() as u64),
                count(opened as u64),
                share(overlapping / opened)
            ),
            format!(
                "of {} none is known to have been ended by its client",
                counted(ended as u64, "stream")
            ),
        ],
        next: texts([
            "this log cannot tell several streams of one client, each wanted, \
             from streams whose client is gone: send a comment every 15 s and \
             look again; streams that are dead then end soon",
            "or compare with the log of the hop before: --front FILE --back \
             FILE",
        ]),
    })
}

/// How many openings of some clients came while the one before was open.
struct Overlaps {
    /// Openings after a client's first.
    opened: f64,
    overlapping: f64,
    /// The most that one client had open.
    most: u64,
}

impl Overlaps {
    fn of<'a>(standings: impl Iterator<Item = &'a Standing>) -> Overlaps {
        let none = Overlaps { opened: 0.0, overlapping: 0.0, most: 0 };
        standings.fold(none, |sum, standing| {
            let opened = standing.streams.saturating_sub(1) as f64;
            let share = standing.overlaps.unwrap_or(0.0);
            Overlaps {
                opened: sum.opened + opened,
                overlapping: sum.overlapping + opened * share,
                most: sum.most.max(standing.max_open),
            }
        })
    }
}

/// The clients that leave streams open, the worst first.
fn suspects(context: &Context<'_>) -> Vec<KeyId> {
    let detection = context.detection;
    let flagged = detection.flagged().into_iter();
    let flagged = flagged.map(|it| KeyId(it.evidence.unit));
    let branching = detection.branchings.iter().map(|b| b.key);
    let mut all: Vec<KeyId> = branching.chain(flagged).collect();
    if all.is_empty() {
        // Old streams of many clients: those that hold most of them.
        let held = |standing: &&Standing| standing.superseded >= 0.25;
        let standings = context.found.standings.iter().filter(held);
        all.extend(standings.map(|standing| standing.key));
    }
    let mut seen = BTreeSet::new();
    all.retain(|key| seen.insert(*key));
    all
}

/// The streams of the suspects.
struct Stack<'s, 'a> {
    context: &'s Context<'a>,
    keys: &'s [KeyId],
    streams: Vec<&'a Stream>,
    enders: Enders,
    sizes: Sizes,
    shared: bool,
}

impl<'s, 'a> Stack<'s, 'a> {
    fn of(context: &'s Context<'a>, keys: &'s [KeyId]) -> Stack<'s, 'a> {
        let streams: Vec<&Stream> =
            keys.iter().flat_map(|key| context.of_key(*key)).collect();
        // What a restart closed, nobody chose to end.
        let own =
            streams.iter().copied().filter(|s| context.ended_by_itself(s));
        Stack {
            context,
            keys,
            enders: Enders::of(own),
            sizes: Sizes::of(
                streams.iter().copied().filter(|s| s.closed.is_some()),
            ),
            shared: is_shared(context, keys),
            streams,
        }
    }

    /// Whether all of several clients leave their streams open, of which
    /// nothing tells a client that leaks from a hop that does not tell.
    fn is_everybodys(&self) -> bool {
        let clients = self.context.found.standings.len();
        clients >= SEVERAL && self.keys.len() * 10 >= clients * 9
    }

    fn standings(&self) -> impl Iterator<Item = &Standing> {
        let keys: BTreeSet<KeyId> = self.keys.iter().copied().collect();
        let all = self.context.found.standings.iter();
        all.filter(move |standing| keys.contains(&standing.key))
    }

    fn evidence(&self) -> Vec<String> {
        let mut evidence = Vec::new();
        let all = Overlaps::of(self.standings());
        let Overlaps { opened, overlapping, most } = all;
        evidence.push(format!(
            "{} of {} openings of {} ({}) came while its last stream was \
             open; {most} at once at most",
            count(overlapping.round() as u64),
            count(opened as u64),
            counted(self.keys.len() as u64, "client"),
            share(overlapping / f64::max(opened, 1.0)),
        ));
        evidence.extend(self.pace());
        match self.enders {
            _ if self.sizes == Sizes::Pending => {}
            Enders { client: 0, server: 0, unknown: 0 } => {
                let text = "none of them ended but by a restart";
                evidence.push(text.to_owned());
            }
            enders => evidence.push(who_ended(enders)),
        }
        evidence.push(self.sizes.clause());
        evidence.extend(self.sessions());
        evidence.extend(self.defect().map(|defect| {
            format!("its user agent is that of a known defect: {defect}")
        }));
        evidence
    }

    /// How often the worst opens one, and how long it is held.
    fn pace(&self) -> Option<String> {
        let first = self.context.of_key(*self.keys.first()?);
        let gaps = first.windows(2).map(|two| two[1].opened - two[0].opened);
        let period = median(gaps.map(|gap| gap.as_secs()).collect())?;
        let duration = median_duration(first.iter());
        let at_once = duration.filter(|_| period > 0.0).map_or_else(
            || "and none has ended".to_owned(),
            |duration| format!("and one is held for {}", span(duration)),
        );
        let opened = counted(first.len() as u64, "stream");
        Some(format!(
            "the worst opened {opened}, another every {}, {at_once}",
            span(Micros::from_secs_f64(period))
        ))
    }

    fn sessions(&self) -> Option<String> {
        let sessions = self.streams.iter().filter_map(|s| s.answer.session());
        let sessions: BTreeSet<u32> = sessions.collect();
        (sessions.len() > self.keys.len()).then(|| {
            format!(
                "they carry {}: a new session at each opening is what --key \
                 session would take for new clients",
                counted(sessions.len() as u64, "session id")
            )
        })
    }

    fn defect(&self) -> Option<&'static Defect> {
        let agents = self.keys.iter().map(|key| self.context.client(*key));
        agents.into_iter().find_map(|client| known_defect(&client.agent))
    }
}

/// Whether the suspects are likely many people: several kinds of client
/// behind one address, or an address that is known to serve many.
fn is_shared(context: &Context<'_>, keys: &[KeyId]) -> bool {
    let clients = keys.iter().map(|key| context.client(*key));
    let pairs: BTreeSet<(&[u8], &[u8])> =
        clients.map(|c| (&*c.address, &*c.agent)).collect();
    // In order, so that the agents of one address stand together.
    let pairs: Vec<(&[u8], &[u8])> = pairs.into_iter().collect();
    let mut addresses = pairs.chunk_by(|one, two| one.0 == two.0);
    addresses.any(|agents| agents.len() >= 3)
        || pairs.iter().any(|(a, _)| shared_network(a).is_some())
}

/// One name for many clients.
fn shared(stack: &Stack<'_, '_>, mut evidence: Vec<String>) -> Fault {
    evidence.push(format!(
        "the clients share one address: {} of {}",
        counted(stack.streams.len() as u64, "stream"),
        counted(stack.keys.len() as u64, "user agent"),
    ));
    Fault {
        side: Side::Unknown,
        cause: Cause::Undetermined,
        confidence: Confidence::Low,
        evidence,
        next: texts([
            "this log cannot tell many people behind a shared address, each \
             with a stream that is wanted, from one client that closes none: \
             run again with --key session, or log a key that tells them apart \
             (an account, a token's hash)",
            "send a comment every 15 s: streams whose client is gone end then",
        ]),
    }
}

/// All clients leave their streams open, or none does and a hop between does
/// not tell: growing bytes prove only that the next hop reads.
fn nobodys(stack: &Stack<'_, '_>, mut evidence: Vec<String>) -> Fault {
    evidence.push(format!(
        "all of {} do so: clients that leak look like that, and so does a \
         proxy that does not tell the server that they left",
        counted(stack.keys.len() as u64, "client"),
    ));
    Fault {
        side: Side::Unknown,
        cause: Cause::Undetermined,
        confidence: Confidence::Low,
        evidence,
        next: texts([
            "compare with the log of the hop before: --front FILE --back FILE",
            "on the client: close the old stream before opening the next",
            "on the server: send a comment every 15 s, end streams after \
             some minutes, and allow one for each client or session",
        ]),
    }
}

/// What a silent stream does not tell, and what would.
fn cannot_tell(sizes: Sizes) -> Vec<String> {
    let why = match sizes {
        Sizes::Unknown => {
            "the log has no bytes sent, so that it cannot tell whether the \
             streams were alive"
        }
        Sizes::Pending => {
            "none of these streams has ended, so that the log does not tell \
             yet whether they were alive"
        }
        _ => {
            "on a silent stream this log cannot tell a client that left it \
             open from one that closed it without the proxy or the server \
             noticing"
        }
    };
    vec![format!(
        "{why}: compare with the log of the hop before (--front FILE --back \
         FILE), or send a comment (ping) every 15 s and measure again"
    )]
}

/// More than one comes back for each that ended.
fn doubling(context: &Context<'_>, found: &Branching) -> Fault {
    let client = context.client(found.key);
    let name = String::from_utf8_lossy(&client.agent);
    Fault {
        side: Side::Client,
        cause: Cause::ReconnectDoubling,
        confidence: Confidence::High,
        evidence: vec![
            format!(
                "{} streams were opened for each that ended, within 5 s",
                mean(found.children)
            ),
            format!(
                "{} of {} opens beyond one for one came right after an end of \
                 its own; it had {} at once",
                found.after_end, found.surplus, found.most
            ),
            format!(
                "the client is {} {name}",
                String::from_utf8_lossy(&client.address)
            ),
        ],
        next: texts([
            "on the client: let one place reconnect; two handlers of the same \
             error (close and error, or the transport and its user) each open \
             a stream",
            "on the server: at most one listen stream for each client or \
             session",
        ]),
    }
}

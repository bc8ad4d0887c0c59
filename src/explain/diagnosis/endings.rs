//! Where streams end: a client's timeout, an idle cut, a ceiling.

use super::Context;
use super::clusters::{Pile, Sizes, agents, piles, who_ended};
use crate::explain::known::{Kind, Limit, limits, own};
use crate::report::{Cause, Confidence, Fault, Side, percent, share, span};
use crate::streams::{Enders, Stream};
use crate::time::Micros;

/// This share of the streams must end at a few holds.
const PINNED: f64 = 0.7;

pub(super) fn fault(context: &Context<'_>) -> Option<Fault> {
    let streams =
        context.streams().iter().filter(|s| context.ended_by_itself(s));
    let streams: Vec<&Stream> = streams.collect();
    let piles = piles(&streams);
    let pinned: Vec<&Stream> =
        piles.iter().flat_map(|pile| pile.streams.iter().copied()).collect();
    let part = pinned.len() as f64 / streams.len().max(1) as f64;
    let first = piles.first()?;
    if part < PINNED || context.detection.reopenings.share() < 0.5 {
        return None;
    }
    let ends = Ends {
        context,
        piles: &piles,
        first,
        sizes: first.sizes(),
        enders: enders(context, &pinned),
        all: streams.len(),
    };
    Some(if ends.by_client() { ends.client_timeout() } else { ends.cut() })
}

/// Who ended these streams; where this log does not tell, as the hop before
/// saw it.
fn enders(context: &Context<'_>, streams: &[&Stream]) -> Enders {
    let own = Enders::of(streams.iter().copied());
    match context.front.filter(|_| !own.known()) {
        Some(front) => Enders::of(front.log.streams.iter()),
        None => own,
    }
}

/// What to do when a client gives up that was told nothing at all.
const NOTHING_SENT: [&str; 2] = [
    "nothing reached the client: check that the proxy passes the head and the \
     first event on at once (nginx: proxy_buffering off; or the header \
     X-Accel-Buffering: no), and that no gateway reads the whole body first",
    "then on the server: send the acknowledgement at once, and a comment every \
     15 s",
];

/// What to do when a client gives up a stream that went silent.
const SILENT: [&str; 2] = [
    "on the server: send a comment (`: keepalive`) well within that time, such \
     as every 15 s; the client gives up because it hears nothing",
    "then on the client: raise the timeout of silent bodies for streams",
];

struct Ends<'s, 'a> {
    context: &'s Context<'a>,
    piles: &'s [Pile<'a>],
    first: &'s Pile<'a>,
    sizes: Sizes,
    enders: Enders,
    all: usize,
}

impl Ends<'_, '_> {
    /// Whether clients end them: it is logged, or only some user agents'
    /// streams end there while others are held longer.
    fn by_client(&self) -> bool {
        self.enders.clients() || (!self.enders.known() && self.one_kind())
    }

    fn one_kind(&self) -> bool {
        let clients = &self.context.found.log.clients;
        let here = self.first.agents(clients);
        let longer = self.context.streams().iter().filter(|stream| {
            stream.hold().is_some_and(|h| h.0 > self.first.hold.0 * 2)
        });
        let longer = agents(longer.map(|s| s.key), clients);
        !longer.is_empty() && longer.is_disjoint(&here)
    }

    /// The piles, who ended them, how they come back.
    fn evidence(&self) -> Vec<String> {
        let pile = |pile: &Pile<'_>| {
            let share = percent(pile.streams.len(), self.all);
            format!("{share} at {}", span(pile.hold))
        };
        let piles: Vec<String> = self.piles.iter().map(pile).collect();
        let reopenings = self.context.detection.reopenings;
        vec![
            format!(
                "of {} streams that ended by themselves: {}",
                self.all,
                piles.join(", ")
            ),
            who_ended(self.enders),
            self.sizes.clause(),
            format!(
                "{} of the closed streams were opened again within 35 s, {} \
                 after the end",
                share(reopenings.share()),
                span(Micros::from_secs_f64(reopenings.gap))
            ),
        ]
    }

    fn client_timeout(&self) -> Fault {
        let mut evidence = self.evidence();
        let hold = self.first.hold;
        let limit = of_side(limits(hold, Kind::Idle, ""), Side::Client);
        evidence.extend(limit.as_ref().map(limit_clause));
        let nothing_sent = self.sizes == Sizes::None;
        let silent = self.enders.known() && self.sizes.is_silent();
        let sure = silent && (limit.is_some() || nothing_sent);
        let next =
            if nothing_sent { NOTHING_SENT.iter() } else { SILENT.iter() };
        // A client may close by plan, if it was told anything and no client
        // is known for that limit.
        let by_plan = (!sure).then(|| {
            let hold = span(hold);
            format!("a client that closes by plan after {hold} does no harm")
        });
        Fault {
            side: if nothing_sent { Side::Proxy } else { Side::Server },
            cause: Cause::ClientTimeout,
            confidence: Confidence::high_if(sure),
            evidence,
            next: next.map(|&text| text.to_owned()).chain(by_plan).collect(),
        }
    }

    /// Something on the server's side ends them.
    fn cut(&self) -> Fault {
        let (hold, format) = (self.first.hold, self.context.format.as_str());
        let idle = limits(hold, Kind::Idle, format);
        let total = limits(hold, Kind::Total, format);
        let all = |limits: &[Limit]| {
            limits.first().is_some_and(|l| is_own(l, format))
        };
        // On a platform with a limit of its own that one is the likeliest.
        let is_idle = self.sizes.is_silent()
            && !idle.is_empty()
            && (all(&idle) || !all(&total) || own(format).is_none());
        if is_idle { self.idle_cut(&idle) } else { self.ceiling(&total) }
    }

    fn idle_cut(&self, limits: &[Limit]) -> Fault {
        let mut evidence = self.evidence();
        let limit = &limits[0];
        evidence.push(limit_clause(limit));
        let is_own = is_own(limit, &self.context.format);
        let half = Micros::from_secs_f64((limit.secs / 2.0).floor());
        let mut next = vec![format!(
            "on the server: send a comment (`: keepalive`) every 15 s, at \
             least every {}, so that nothing in between takes the stream \
             for dead",
            span(half)
        )];
        if let Some(lines) = setting(limit.name) {
            next.push(lines.to_owned());
        }
        next.push(
            "to tell an idle cut from a ceiling: with the comments in place \
             streams are held longer if it was one"
                .to_owned(),
        );
        Fault {
            side: match limit.side {
                Side::Client => Side::Proxy,
                side => side,
            },
            cause: Cause::IdleCut,
            confidence: Confidence::high_if(is_own),
            evidence,
            next,
        }
    }

    fn ceiling(&self, limits: &[Limit]) -> Fault {
        let mut evidence = self.evidence();
        let limit = limits.first();
        evidence.push(limit.map_or_else(
            || {
                "no platform is known for that limit: likely the server's own"
                    .to_owned()
            },
            limit_clause,
        ));
        let secs = self.first.hold.as_secs();
        Fault {
            side: limit.map_or(Side::Server, |limit| limit.side),
            cause: Cause::CeilingCycling,
            confidence: if self.enders.known() || limit.is_some() {
                Confidence::Medium
            } else {
                Confidence::Low
            },
            evidence,
            next: vec![
                format!(
                    "nothing leaks: each client costs one stream all the time \
                     and {:.0} requests an hour; count that, or do not offer \
                     the stream on this platform",
                    3600.0 / secs.max(1.0)
                ),
                format!(
                    "on the server: end the stream yourself a little before \
                     {}, with its result, so that it is a clean end",
                    span(self.first.hold)
                ),
            ],
        }
    }
}

fn of_side(limits: Vec<Limit>, side: Side) -> Option<Limit> {
    limits.into_iter().find(|limit| limit.side == side)
}

fn is_own(limit: &Limit, format: &str) -> bool {
    let format = format.to_ascii_lowercase();
    !limit.format.is_empty() && format.contains(limit.format)
}

fn limit_clause(limit: &Limit) -> String {
    let kind = match limit.kind {
        Kind::Idle => "without a byte",
        Kind::Total => "in all",
    };
    format!(
        "{} is {} {kind}",
        limit.name,
        span(Micros::from_secs_f64(limit.secs))
    )
}

/// The lines that change a limit.
fn setting(name: &str) -> Option<&'static str> {
    Some(match name {
        "nginx's proxy_read_timeout" => {
            "in nginx, for that location: proxy_read_timeout 1h; \
             proxy_buffering off;"
        }
        "HAProxy's timeout server" => {
            "in HAProxy, for that backend: timeout server 1h (timeout tunnel \
             does not apply to event streams)"
        }
        "Envoy's stream_idle_timeout" => {
            "in Envoy, for that route: idle_timeout: 0s"
        }
        "an AWS load balancer's idle timeout" => {
            "on the load balancer: idle_timeout.timeout_seconds = 4000"
        }
        _ => return None,
    })
}

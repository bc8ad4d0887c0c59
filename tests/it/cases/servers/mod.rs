//! Lines as servers write them.

mod app;
mod caddy;
mod cloudflare;
mod google;
mod haproxy;
mod heroku;
mod nginx;
mod railway;
mod vercel;

use streamleak::internal::time::Micros;

use super::request::Request;

pub(super) use app::OPTIONS as APP;
pub(super) use nginx::opening;

/// Who writes a log. Times and holds are cut to what its clock shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Server {
    /// nginx with the format that `streamleak setup nginx` prints.
    Nginx,
    /// nginx `combined` with `rt=$request_time` behind it: the end is known
    /// to the second, and nobody who ended it.
    NginxTimed,
    /// nginx `combined`: no holds.
    NginxCombined,
    /// nginx, JSON.
    NginxJson,
    /// Caddy.
    Caddy,
    /// `HAProxy` `httplog`.
    Haproxy,
    /// Cloudflare Logpush.
    Cloudflare,
    /// Heroku's router.
    Heroku,
    /// Vercel's log drain.
    Vercel,
    /// Google Cloud Run.
    CloudRun,
    /// Railway.
    Railway,
    /// An app that logs its streams in JSON of its own.
    App,
}

impl Server {
    /// What it writes of a request when that has ended, line feed included.
    pub(super) fn line(self, request: &Request) -> String {
        match self {
            Server::Nginx => nginx::line(request),
            Server::NginxTimed => nginx::timed(request),
            Server::NginxCombined => nginx::combined(request),
            Server::NginxJson => nginx::json(request),
            Server::Caddy => caddy::line(request),
            Server::Haproxy => haproxy::line(request),
            Server::Cloudflare => cloudflare::line(request),
            Server::Heroku => heroku::line(request),
            Server::Vercel => vercel::line(request),
            Server::CloudRun => google::line(request),
            Server::Railway => railway::line(request),
            Server::App => app::line(request),
        }
    }

    /// When a stream was open, as far as its line tells.
    pub(super) fn seen(self, request: &Request) -> (Micros, Micros) {
        let hold = Micros(request.millis() * 1_000);
        match self {
            Server::Caddy => (request.opened, request.closed),
            Server::NginxTimed | Server::NginxCombined => {
                let closed = cut(request.closed, 1_000_000);
                (closed - hold, closed)
            }
            Server::Heroku => (request.closed - hold, request.closed),
            _ => (cut(request.opened, 1_000), cut(request.closed, 1_000)),
        }
    }
}

/// An instant, cut to a clock's step in microseconds.
fn cut(at: Micros, step: i64) -> Micros {
    Micros(at.0.div_euclid(step) * step)
}

/// An instant in whole milliseconds.
fn millis(at: Micros) -> i64 {
    at.0.div_euclid(1_000)
}

/// An instant as `chrono` writes it.
fn written(at: Micros, pattern: &str) -> String {
    let at = chrono::DateTime::from_timestamp_micros(at.0);
    at.expect("a time").format(pattern).to_string()
}

/// A text, or the dash that stands for none.
fn dashed(text: &str) -> &str {
    if text.is_empty() { "-" } else { text }
}

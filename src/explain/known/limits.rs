//! Limits that platforms, proxies and clients are known to have.

use crate::report::Side;
use crate::time::Micros;

/// What a limit counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Time without a byte: only silent streams end there.
    Idle,
    /// All the time since the request: every stream ends there.
    Total,
}

/// A limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// Whose, as a person knows it.
    pub name: &'static str,
    /// A word of the log formats it writes, empty if it writes none.
    pub format: &'static str,
    /// At how many seconds streams are seen to end.
    pub secs: f64,
    /// What it counts.
    pub kind: Kind,
    /// Which side it is on.
    pub side: Side,
}

const fn limit(
    name: &'static str,
    format: &'static str,
    secs: f64,
    kind: Kind,
    side: Side,
) -> Limit {
    Limit { name, format, secs, kind, side }
}

use Kind::{Idle, Total};
use Side::{Client, Platform, Proxy, Server};

/// From the documentation of each, and where a value is seen to differ from
/// it, as seen in public reports.
const LIMITS: [Limit; 34] = [
    limit("Cloudflare's proxy read timeout", "cloudflare", 120.0, Idle, Proxy),
    // The 120 s and what it takes to notice, as measured by its users.
    limit("Cloudflare's proxy read timeout", "cloudflare", 125.4, Idle, Proxy),
    limit("Cloudflare's idle limit of Workers", "workers", 300.0, Idle, Proxy),
    limit("API Gateway's integration timeout", "api", 29.0, Total, Platform),
    limit("API Gateway's streaming limit", "api", 900.0, Total, Platform),
    limit("API Gateway's idle limit", "api", 300.0, Idle, Platform),
    limit("AWS Lambda's default timeout", "lambda", 30.0, Total, Platform),
    limit("AWS Lambda's longest timeout", "lambda", 900.0, Total, Platform),
    limit("an AWS load balancer's idle timeout", "alb", 60.0, Idle, Proxy),
    limit("CloudFront's origin read timeout", "cloudfront", 30.0, Idle, Proxy),
    limit("Cloud Run's default timeout", "gcp", 300.0, Total, Platform),
    limit("Cloud Run's longest timeout", "gcp", 3_600.0, Total, Platform),
    limit("Google's backend timeout", "gcp", 30.0, Total, Platform),
    limit("Azure's load balancer", "azure", 230.0, Idle, Platform),
    limit("Azure Container Apps' ingress", "azure", 240.0, Idle, Platform),
    limit("Vercel's function timeout", "vercel", 300.0, Total, Platform),
    limit("Vercel's function timeout", "vercel", 800.0, Total, Platform),
    limit("Vercel's old function timeout", "vercel", 60.0, Total, Platform),
    limit("Netlify's function timeout", "", 60.0, Total, Platform),
    limit("Heroku's router", "heroku", 55.0, Idle, Platform),
    limit(
        "Heroku's router before a first byte",
        "heroku",
        30.0,
        Idle,
        Platform,
    ),
    limit("Fly.io's idle timeout", "", 60.0, Idle, Platform),
    limit("Railway's idle limit", "railway", 300.0, Idle, Platform),
    limit("Railway's longest request", "railway", 900.0, Total, Platform),
    limit("ngrok's idle limit", "", 300.0, Idle, Proxy),
    limit("nginx's proxy_read_timeout", "nginx", 60.0, Idle, Proxy),
    limit("HAProxy's timeout server", "haproxy", 30.0, Idle, Proxy),
    limit("HAProxy's timeout server", "haproxy", 60.0, Idle, Proxy),
    limit("Envoy's stream_idle_timeout", "envoy", 300.0, Idle, Proxy),
    limit("Envoy's route timeout", "envoy", 15.0, Total, Proxy),
    limit("gunicorn's worker timeout", "gunicorn", 30.0, Total, Server),
    limit("Claude Code's wait for a first event", "", 25.0, Idle, Client),
    limit("Node's body timeout", "", 300.5, Idle, Client),
    limit("Cursor's idle timeout", "", 305.0, Idle, Client),
];

impl Limit {
    /// Whether streams that are held so long end at it: up to 0.5 s early,
    /// by clocks of whole seconds, and up to 2 % and 1 s late.
    fn fits(&self, hold: Micros) -> bool {
        let over = hold.as_secs() - self.secs;
        (-0.6..=1.0 + 0.02 * self.secs).contains(&over)
    }
}

/// The limits of this kind that end streams held so long, those of the
/// log's own server or platform first, then the nearest.
pub fn limits(hold: Micros, kind: Kind, format: &str) -> Vec<Limit> {
    let format = format.to_ascii_lowercase();
    let fitting = LIMITS.iter().filter(|l| l.kind == kind && l.fits(hold));
    let mut all: Vec<Limit> = fitting.copied().collect();
    let own = |l: &Limit| !l.format.is_empty() && format.contains(l.format);
    let off = |l: &Limit| (hold.as_secs() - l.secs).abs();
    all.sort_by(|a, b| own(b).cmp(&own(a)).then(off(a).total_cmp(&off(b))));
    all
}

/// Whether the log is one of a platform that has limits of its own.
pub fn own(format: &str) -> Option<Side> {
    let format = format.to_ascii_lowercase();
    let of = LIMITS.iter().find(|l| {
        !l.format.is_empty() && l.side == Platform && format.contains(l.format)
    });
    of.map(|limit| limit.side)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(secs: f64, kind: Kind, format: &str) -> Vec<&'static str> {
        let hold = Micros::from_secs_f64(secs);
        limits(hold, kind, format).iter().map(|l| l.name).collect()
    }

    #[test]
    fn a_platforms_own_limit_comes_first() {
        assert_eq!(
            names(301.4, Total, "vercel")[0],
            "Vercel's function timeout"
        );
        assert_eq!(names(300.4, Idle, "railway")[0], "Railway's idle limit");
        assert_eq!(names(55.0, Idle, "heroku")[0], "Heroku's router");
        let nginx = names(60.003, Idle, "nginx combined with $request_time");
        assert_eq!(nginx[0], "nginx's proxy_read_timeout");
    }

    #[test]
    fn what_nobody_is_known_for_has_no_name() {
        assert_eq!(names(180.0, Idle, "nginx"), [""; 0]);
        assert_eq!(names(7.0, Total, ""), [""; 0]);
    }
}

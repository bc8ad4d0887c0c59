//! Servers whose records have one shape: a file each, and a line in the list
//! below.
//!
//! A file gives `ABOUT`, what the table of `streamleak formats` and the
//! readers need to know, and `parse`, which takes one record apart. `parse`
//! refuses what another server wrote: that is how a log is recognised. A
//! sound record of this server that tells of no client's request it refuses
//! with [`NOT_ACCESS`](super::NOT_ACCESS).

mod about;
mod actix;
mod alb;
mod api_gateway;
mod aspnet;
mod azure_front_door;
mod azure_gateway;
mod capture;
mod cloudfront_json;
mod cursor;
mod elb;
mod envoy;
mod envoy_json;
mod gcp;
mod gin;
mod haproxy;
mod haproxy_json;
mod heroku;
mod hypercorn;
mod kong;
mod kubernetes_audit;
mod lambda;
mod lambda_json;
mod mcp_portal;
mod morgan;
mod nlb;
mod object;
mod pino;
mod prefix;
mod rails;
mod railway;
mod squid;
mod tower_http;
mod traefik;
mod uvicorn;
mod uwsgi;
mod vercel;
mod websocket_analytics;
mod workers_logs;

#[cfg(test)]
mod tests;

pub use about::About;

use super::{Parsed, Record};
use crate::time::{Micros, Unit};

/// Lists the servers: a name in the code, and the file that knows it.
macro_rules! servers {
    ($($name:ident => $file:ident,)*) => {
        /// The servers, each with a file of its own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Server {
            $(
                #[doc = concat!("See `preset/", stringify!($file), ".rs`.")]
                $name,
            )*
        }

        impl Server {
            /// All of them; of two that fit a log equally the first is
            /// taken.
            pub const ALL: &'static [Server] = &[$(Server::$name),*];

            /// What it says of itself.
            pub fn about(self) -> &'static About {
                match self {
                    $(Server::$name => &$file::ABOUT,)*
                }
            }

            fn read<'a>(
                self,
                record: &'a [u8],
                zone: i64,
            ) -> Parsed<Record<'a>> {
                match self {
                    $(Server::$name => $file::parse(record, zone),)*
                }
            }
        }
    };
}

servers! {
    Gin => gin,
    Gcp => gcp,
    AzureGateway => azure_gateway,
    AzureFrontDoor => azure_front_door,
    Vercel => vercel,
    Railway => railway,
    WorkersLogs => workers_logs,
    WebsocketAnalytics => websocket_analytics,
    McpPortal => mcp_portal,
    KubernetesAudit => kubernetes_audit,
    ApiGateway => api_gateway,
    Alb => alb,
    Elb => elb,
    Nlb => nlb,
    CloudFront => cloudfront_json,
    Heroku => heroku,
    Lambda => lambda,
    LambdaJson => lambda_json,
    Pino => pino,
    Morgan => morgan,
    Uvicorn => uvicorn,
    Hypercorn => hypercorn,
    Actix => actix,
    Uwsgi => uwsgi,
    Rails => rails,
    AspNet => aspnet,
    Haproxy => haproxy,
    HaproxyJson => haproxy_json,
    Envoy => envoy,
    EnvoyJson => envoy_json,
    Traefik => traefik,
    Kong => kong,
    TowerHttp => tower_http,
    Squid => squid,
}

/// A server's format, with what the user says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    server: Server,
    zone: i64,
    unit: Option<Unit>,
}

impl From<Server> for Preset {
    fn from(server: Server) -> Preset {
        Preset { server, zone: 0, unit: None }
    }
}

impl Preset {
    /// What it says of itself.
    pub fn about(&self) -> &'static About {
        self.server.about()
    }

    /// Whether a stream that its client ended has a second record, written
    /// when the application noticed.
    pub fn repeats_aborts(&self) -> bool {
        self.server == Server::Hypercorn
    }

    /// Reads one record.
    ///
    /// # Errors
    ///
    /// A rejection that says where the record is not this server's.
    pub fn parse<'a>(&self, record: &'a [u8]) -> Parsed<Record<'a>> {
        let mut record = self.server.read(record, self.zone)?;
        if let (Some(given), Some(own)) = (self.unit, self.about().unit) {
            let rescale = |duration: Micros| duration.rescaled(own, given);
            record.duration = record.duration.map(rescale);
        }
        Ok(record)
    }

    /// The unit of its bare durations.
    pub fn unit(&self) -> Option<Unit> {
        self.unit.or(self.about().unit)
    }

    /// The same format with its bare durations in this unit.
    #[must_use]
    pub fn with_unit(self, unit: Unit) -> Preset {
        Preset { unit: Some(unit), ..self }
    }

    /// The same format with times that show no zone taken to be this many
    /// seconds east of UTC.
    #[must_use]
    pub fn with_zone(self, zone: i64) -> Preset {
        Preset { zone, ..self }
    }
}

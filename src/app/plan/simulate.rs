//! What a simulation is to be, settled.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};

use super::text::span;
use super::{Analysis, Env, Plan, colored};
use crate::app::cli::{Args, Simulate, SimulatedServer};
use crate::detect::Options;
use crate::report::Style;
use crate::simulate::{
    Era, LONGEST, Log, MOST_CLIENTS, MOST_OPEN, Mix, Pace, Server, Simulation,
};

/// A simulation, and what is made of its log.
pub struct Simulated {
    /// What is run.
    pub simulation: Simulation,
    /// How many times faster than life it is.
    pub scale: f64,
    /// Where its log is written.
    pub folder: PathBuf,
    /// How the log is analysed: by the second, with its openings.
    pub options: Options,
    /// How the result is printed.
    pub style: Style,
    /// Whether a bar shows how far it is.
    pub bar: bool,
}

impl Simulated {
    /// The bins its log is analysed in: as long as streams are counted.
    pub const BIN: &str = "1s";

    /// Settles what was typed.
    ///
    /// # Errors
    ///
    /// A text that cannot be read, or a number out of bounds, with what to
    /// change.
    pub(super) fn read(typed: Simulate, env: &Env) -> anyhow::Result<Self> {
        let simulation = simulation(&typed)?;
        let folder = typed.log_dir;
        let logs = [Log::Ends, Log::Opens].map(|log| folder.join(log.name()));
        let Analysis { options, print } = analysis(&logs, env)?;
        Ok(Simulated {
            simulation,
            scale: typed.time_scale,
            style: Style {
                color: colored(typed.color, env.stdout_is_terminal, env),
                plot: !typed.no_plot,
                ..print.style
            },
            options,
            bar: env.stderr_is_terminal,
            folder,
        })
    }
}

/// How a simulation's log is analysed.
fn analysis(logs: &[PathBuf], env: &Env) -> anyhow::Result<Analysis> {
    match Plan::resolve(Args::in_bins(Simulated::BIN, logs)?, env)? {
        Plan::Analyse(analysis) => Ok(*analysis),
        _ => bail!("a log is analysed and nothing else"),
    }
}

fn simulation(typed: &Simulate) -> anyhow::Result<Simulation> {
    let mix: Mix = typed
        .client
        .parse()
        .map_err(anyhow::Error::msg)
        .with_context(|| format!("--client {}", typed.client))?;
    let clients = mix.clients(clients(typed.clients)?);
    if clients.len() > MOST_CLIENTS {
        bail!("--client {}: more than {MOST_CLIENTS} clients", typed.client);
    }
    let length = Duration::from_secs(typed.seconds);
    if length.is_zero() || length > LONGEST {
        bail!(
            "--seconds {}: not from 1 to {}",
            typed.seconds,
            LONGEST.as_secs()
        );
    }
    let simulation = Simulation {
        server: server(typed.server),
        clients,
        pace: pace(typed)?,
        era: if typed.legacy { Era::Legacy } else { Era::Modern },
        length,
        every: Duration::from_secs(1),
    };
    let most = simulation.most_open();
    if most > MOST_OPEN {
        bail!(
            "{most} streams would be open in the end, and {MOST_OPEN} can be: \
             take fewer --clients or --seconds, or a smaller --time-scale"
        );
    }
    Ok(simulation)
}

/// How many clients are asked for.
fn clients(typed: Option<usize>) -> anyhow::Result<Option<usize>> {
    match typed {
        Some(count) if !(1..=MOST_CLIENTS).contains(&count) => {
            bail!("--clients {count}: not from 1 to {MOST_CLIENTS}")
        }
        count => Ok(count),
    }
}

/// The spans as they were typed, divided by the scale.
fn pace(typed: &Simulate) -> anyhow::Result<Pace> {
    let scale = typed.time_scale;
    if !(0.01..=1000.0).contains(&scale) {
        bail!("--time-scale {scale}: not from 0.01 to 1000");
    }
    let scaled = |name: &str, text: &str| -> anyhow::Result<Duration> {
        let life = span(name, text)?;
        let scaled = Duration::from_micros(life.0.unsigned_abs())
            .div_f64(scale)
            .max(Duration::from_millis(1));
        Ok(scaled)
    };
    let ceiling = scaled("--ceiling", &typed.ceiling)?;
    let max_hold = match &typed.max_hold {
        None => ceiling.mul_f64(5.0 / 6.0),
        Some(text) => {
            max_hold(typed, text, scaled("--max-hold", text)?, ceiling)?
        }
    };
    Ok(Pace {
        ceiling,
        max_hold,
        keepalive: scaled("--keepalive", &typed.keepalive)?,
        silence: scaled("--silence", &typed.silence)?,
        backoff: scaled("--backoff", &typed.backoff)?,
    })
}

/// When streams are closed that a server closes before their ceiling.
fn max_hold(
    typed: &Simulate,
    text: &str,
    scaled: Duration,
    ceiling: Duration,
) -> anyhow::Result<Duration> {
    let closing = [SimulatedServer::Polite, SimulatedServer::Hardened];
    if !closing.contains(&typed.server) {
        bail!("--max-hold is for --server polite and hardened");
    }
    if scaled >= ceiling {
        bail!(
            "--max-hold {text} is not below the --ceiling of {}",
            typed.ceiling
        );
    }
    Ok(scaled)
}

fn server(server: SimulatedServer) -> Server {
    match server {
        SimulatedServer::Silent => Server::Silent,
        SimulatedServer::Cutting => Server::Cutting,
        SimulatedServer::Capped => Server::Capped,
        SimulatedServer::Polite => Server::Polite,
        SimulatedServer::Hardened => Server::Hardened,
    }
}

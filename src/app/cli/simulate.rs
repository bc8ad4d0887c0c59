//! What may be typed after `streamleak simulate`.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};

use super::{Args, Color};

/// The leak in miniature.
#[derive(Debug, clap::Args)]
#[allow(missing_docs, reason = "each field's text is its help")]
pub struct Simulate {
    /// How the server treats streams that are held long
    #[arg(long, value_name = "KIND", default_value = "silent")]
    pub server: SimulatedServer,

    /// What clients do when their stream goes quiet: abandon (open another
    /// and keep the old), close (close it, wait, open another), storm (the
    /// same without waiting), or a mix such as abandon=1,close=3
    #[arg(long, value_name = "MIX", default_value = "abandon,close")]
    pub client: String,

    /// How many clients, shared out as the mix says [default: as many as it
    /// names]
    #[arg(long, value_name = "N")]
    pub clients: Option<usize>,

    /// How long it runs, in real seconds
    #[arg(long, value_name = "S", default_value_t = 30)]
    pub seconds: u64,

    /// How many times faster than life; the spans below are divided by it
    #[arg(long, value_name = "X", default_value_t = 20.0)]
    pub time_scale: f64,

    /// How long a stream works until the server goes silent or cuts it
    #[arg(long, value_name = "DUR", default_value = "60s")]
    pub ceiling: String,

    /// How long a client hears nothing until it gives a stream up
    #[arg(long, value_name = "DUR", default_value = "15s")]
    pub silence: String,

    /// How long a client that closes waits before the next stream; polite
    /// servers ask for it with `retry:`
    #[arg(long, value_name = "DUR", default_value = "15s")]
    pub backoff: String,

    /// When polite servers close a stream [default: five sixths of the
    /// ceiling]
    #[arg(long, value_name = "DUR")]
    pub max_hold: Option<String>,

    /// How often servers send a comment while a stream works
    #[arg(long, value_name = "DUR", default_value = "5s")]
    pub keepalive: String,

    /// Ask with GET /subscriptions/listen and Mcp-Session-Id, as before MCP
    /// 2026-07-28
    #[arg(long)]
    pub legacy: bool,

    /// Where the access log is written
    #[arg(long, value_name = "DIR", default_value = "simulated")]
    pub log_dir: PathBuf,

    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,

    /// Leave the plot out
    #[arg(long)]
    pub no_plot: bool,
}

/// The servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SimulatedServer {
    /// Goes silent at the ceiling and never closes
    Silent,
    /// Cuts streams at the ceiling, as platforms do
    Cutting,
    /// Goes silent, but a client's new stream closes its old one
    Capped,
    /// Closes streams before the ceiling and says when to come back
    Polite,
    /// Polite, and one stream a client
    Hardened,
}

impl Args {
    /// The command line that analyses logs in bins of this length.
    ///
    /// # Errors
    ///
    /// None is known: every file's name can be typed after `--`.
    pub(crate) fn in_bins(
        bin: &str,
        files: &[PathBuf],
    ) -> anyhow::Result<Args> {
        let words = ["streamleak", "--bin", bin, "--"].map(PathBuf::from);
        Ok(Args::try_parse_from(words.iter().chain(files))?)
    }
}

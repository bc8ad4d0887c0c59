//! What may be typed on the command line; nothing is derived here.

mod simulate;

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

pub use simulate::{Simulate, SimulatedServer};

/// Finds the streams that were never closed, in the access log a server
/// already writes.
#[derive(Debug, Parser)]
#[command(
    name = "streamleak",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_precedence_over_arg = true,
    after_help = "Exit status: 0 no climb, 1 a leak or a storm, 2 usage, \
        input or output error, 3 cannot tell.\n\n\
        Examples:\n  \
        streamleak /var/log/nginx/access.log*\n  \
        kubectl logs deploy/gateway | streamleak -\n  \
        streamleak -q --limit 500 access.log || mail -s leak ops"
)]
#[allow(missing_docs, reason = "each field's text is its help")]
pub struct Args {
    #[command(subcommand)]
    pub command: Option<Command>,

    /// Logs to read, in any order; `-` is standard input. gzip, zstd, bzip2
    /// and xz are recognised by their content
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub which: Which,

    #[command(flatten)]
    pub how: How,

    #[command(flatten)]
    pub judge: Judge,

    #[command(flatten)]
    pub print: Print,
}

/// Which requests are streams.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Which requests")]
#[allow(missing_docs, reason = "each field's text is its help")]
pub struct Which {
    /// Pick requests with this path, also below a prefix [default:
    /// /subscriptions/listen]
    #[arg(long, value_name = "PATH")]
    pub path: Vec<String>,

    /// Also pick requests whose decoded path matches
    #[arg(long, value_name = "RE")]
    pub path_regex: Option<String>,

    /// Pick requests with this Mcp-Method where one is logged; empty to go
    /// by path alone
    #[arg(long, value_name = "NAME", default_value = "subscriptions/listen")]
    pub mcp_method: String,

    /// Only requests with this HTTP method
    #[arg(long, value_name = "VERB")]
    pub method: Option<String>,

    /// Only streams held at least this long, such as 5s
    #[arg(long, value_name = "DUR")]
    pub min_hold: Option<String>,
}

/// How the log is read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How to read")]
#[allow(missing_docs, reason = "each field's text is its help")]
pub struct How {
    /// A format by name, a format string of nginx or Apache, a
    /// regex with named groups, or @FILE for a server's configuration
    /// (@FILE#NAME picks one) [default: auto]
    #[arg(short = 'f', long, value_name = "FORMAT")]
    pub log_format: Option<String>,

    /// Read any JSON: the keys of its fields, such as
    /// `time=ts,duration=took_ms,path=req.url,client=ip`
    #[arg(long, value_name = "NAME=KEY", conflicts_with = "log_format")]
    pub field: Vec<String>,

    /// With --field event=KEY: the value that marks an opening
    #[arg(long, value_name = "WORD", requires = "field")]
    pub open_event: Option<String>,

    /// With --field event=KEY: the value that marks an end
    #[arg(long, value_name = "WORD", requires = "field")]
    pub end_event: Option<String>,

    /// The key of the id that an opening and its end share
    #[arg(long, value_name = "KEY", requires = "field")]
    pub id_field: Option<String>,

    /// What a bare time in the log marks [default: inferred]
    #[arg(long, value_name = "WHICH")]
    pub timestamp: Option<Timestamp>,

    /// The unit of a bare duration: s, ms, us or ns
    #[arg(long, value_name = "UNIT")]
    pub duration_unit: Option<String>,

    /// Assume this duration where none is logged
    #[arg(long, value_name = "DUR")]
    pub assume_hold: Option<String>,

    /// When records come from a live pipe, take their arrival for the end
    #[arg(long)]
    pub arrival: bool,

    /// Show how the first records were read, field by field, and stop
    #[arg(long)]
    pub explain: bool,

    /// Print the numbers behind the verdict instead of the report, so that it
    /// can be redone by hand; with -o json, by a script
    #[arg(long, conflicts_with = "explain")]
    pub why: bool,

    /// The zone of times without one, such as +02:00 [default: UTC]
    #[arg(long, value_name = "ZONE", allow_hyphen_values = true)]
    pub tz: Option<String>,

    /// Leave out records written before: RFC 3339, epoch seconds, or -3h
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub since: Option<String>,

    /// Leave out records written after
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub until: Option<String>,

    /// Threads [default: one a core]
    #[arg(short = 'j', long, value_name = "N")]
    pub threads: Option<usize>,

    /// Whether files are mapped into memory
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub mmap: Mmap,
}

/// How the series is judged.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "How to judge")]
#[allow(missing_docs, reason = "each field's text is its help")]
pub struct Judge {
    /// The length of a bin
    #[arg(long, value_name = "DUR", default_value = "1m")]
    pub bin: String,

    /// Who a stream belongs to
    #[arg(long, value_name = "FIELD", default_value = "client")]
    pub key: Key,

    /// Compare with a healthy log, or with a stretch of the given ones; what
    /// follows the stretch is judged
    #[arg(long, value_name = "FILE|FROM..TO", allow_hyphen_values = true)]
    pub baseline: Option<PathBuf>,

    /// Accepted false-alarm rate
    #[arg(long, value_name = "P", default_value_t = 0.01)]
    pub alpha: f64,

    /// The least rise that counts, in streams
    #[arg(long, value_name = "N", default_value_t = 3.0)]
    pub min_rise: f64,

    /// Say when this many open streams will be reached
    #[arg(long, value_name = "N")]
    pub limit: Option<f64>,

    /// Front hop's log; with --back, checks whether disconnects are propagated
    #[arg(long, value_name = "FILE", requires = "back")]
    pub front: Option<PathBuf>,

    /// The log of the same traffic one hop behind; it is the one analysed
    #[arg(
        long,
        value_name = "FILE",
        requires = "front",
        conflicts_with = "files"
    )]
    pub back: Option<PathBuf>,

    /// What a stream costs an hour, to say what the superseded ones cost
    #[arg(long, value_name = "P", allow_negative_numbers = true)]
    pub price_per_hour: Option<f64>,

    /// Also count clients that made requests and finished no stream; reads
    /// every record
    #[arg(long)]
    pub silent_clients: bool,
}

/// What is printed.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What to print")]
#[allow(missing_docs, reason = "each field's text is its help")]
pub struct Print {
    /// How the result is printed
    #[arg(short, long, value_name = "HOW", default_value = "table")]
    pub output: OutputArg,

    /// Write the result to this file, atomically
    #[arg(long, value_name = "FILE")]
    pub output_file: Option<PathBuf>,

    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: Color,

    /// Print nothing unless the exit status is not 0
    #[arg(short, long)]
    pub quiet: bool,

    /// Exit 0 when no stream is found
    #[arg(long)]
    pub none_ok: bool,

    /// Leave the plot out
    #[arg(long)]
    pub no_plot: bool,

    /// How many clients to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub top: usize,
}

/// The commands besides the analysis.
#[derive(Debug, Subcommand)]
#[allow(missing_docs, reason = "each field's text is its help")]
pub enum Command {
    /// Print the lines to add to a server's configuration so that its log
    /// can answer
    Setup {
        /// The server
        server: ServerArg,
    },
    /// Print every format that is read, and what its time and duration mean
    Formats,
    /// Run a server and clients that leak, or do not, on this machine, and
    /// analyse the access log they make
    Simulate(Box<Simulate>),
}

/// Servers there are set-up lines for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum ServerArg {
    Nginx,
    Caddy,
    Apache,
    Haproxy,
    Cloudflare,
}

/// What a bare time marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Timestamp {
    Start,
    End,
}

/// When files are mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Mmap {
    Auto,
    Always,
    Never,
}

/// What makes a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Key {
    /// Address and user agent
    Client,
    /// Address alone
    Address,
    /// User agent alone
    Agent,
    /// Session
    Session,
}

/// The renderers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputArg {
    /// A plot and tables for people
    Table,
    /// One JSON document
    Json,
    /// The series
    Csv,
    /// One line for a monitoring system
    Nagios,
}

/// When colours are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[allow(missing_docs, reason = "the names say all there is")]
pub enum Color {
    Auto,
    Always,
    Never,
}

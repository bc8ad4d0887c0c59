//! What was typed made into what is done: every default, every
//! contradiction, every text with a unit is settled here, once.

mod healthy;
mod simulate;
mod text;

use std::path::PathBuf;

use anyhow::{Context, bail};

use crate::app::cli::{
    self, Args, Color, Command, How, Key, Mmap, OutputArg, ServerArg,
    Timestamp, Which,
};
use crate::app::setup::Server;
use crate::collect::{KeyField, Marked, Overrides, ReadOptions, Selector};
use crate::detect::{ClimbRule, JudgeOptions, Options, Settings};
use crate::format::json::Fields;
use crate::format::{Choice, Format};
use crate::input::{Input, MmapChoice, file_id};
use crate::report::{Output, Style};
use crate::time::Micros;

use healthy::healthy;
pub use simulate::Simulated;
use text::{instant, span, unit, zone};

/// What the process stands in.
#[derive(Clone, Copy, Debug)]
pub struct Env {
    /// Whether standard output is a terminal.
    pub stdout_is_terminal: bool,
    /// Whether standard input is a terminal.
    pub stdin_is_terminal: bool,
    /// Whether standard error is a terminal.
    pub stderr_is_terminal: bool,
    /// How wide the terminal is, in columns.
    pub width: Option<usize>,
    /// Whether the terminal understands colours (`NO_COLOR` is not set,
    /// `TERM` is not `dumb`).
    pub colors: bool,
    /// Whether it can show more than ASCII.
    pub unicode: bool,
    /// How many cores there are.
    pub cores: usize,
    /// What time it is.
    pub now: Micros,
}

/// What is to be done.
pub enum Plan {
    /// Analyse logs.
    Analyse(Box<Analysis>),
    /// Show how the first records of logs are read.
    Explain(Box<Analysis>),
    /// Analyse logs, and print the numbers behind the verdict.
    Why(Box<Analysis>),
    /// Print a server's set-up lines.
    Setup(Server),
    /// Print the formats, in so many columns if they are limited.
    Formats(Option<usize>),
    /// Run a simulation and analyse its log.
    Simulate(Box<Simulated>),
}

/// An analysis, and how its result is printed.
pub struct Analysis {
    /// The analysis.
    pub options: Options,
    /// How the result is printed.
    pub print: Print,
}

/// How a result is printed.
pub struct Print {
    /// How it looks.
    pub style: Style,
    /// Where to; standard output if not given.
    pub output_file: Option<PathBuf>,
    /// Whether a result that asks for exit status 0 is printed.
    pub quiet: bool,
    /// Whether a log without any stream is no failure.
    pub none_ok: bool,
}

impl Plan {
    /// What a command does that analyses no log given.
    fn of_command(command: Command, env: &Env) -> anyhow::Result<Plan> {
        Ok(match command {
            Command::Setup { server } => Plan::Setup(server_of(server)),
            Command::Formats => {
                let room = env.width.filter(|_| env.stdout_is_terminal);
                Plan::Formats(room)
            }
            Command::Simulate(typed) => {
                Plan::Simulate(Box::new(Simulated::read(*typed, env)?))
            }
        })
    }

    /// Settles what was typed.
    ///
    /// # Errors
    ///
    /// A text that cannot be read, or options that contradict each other,
    /// with what to change.
    pub fn resolve(mut args: Args, env: &Env) -> anyhow::Result<Plan> {
        if let Some(command) = args.command.take() {
            return Plan::of_command(command, env);
        }
        let (explains, why) = (args.how.explain, args.how.why);
        let paged =
            matches!(args.print.output, OutputArg::Table | OutputArg::Json);
        if why && !paged {
            bail!("--why is printed with --output table or json only");
        }
        let print = print(&args.print, env);
        let options = options(args, env)?;
        let analysis = Box::new(Analysis { options, print });
        Ok(match (explains, why) {
            (true, _) => Plan::Explain(analysis),
            (_, true) => Plan::Why(analysis),
            _ => Plan::Analyse(analysis),
        })
    }
}

/// The analysis that was asked for.
fn options(args: Args, env: &Env) -> anyhow::Result<Options> {
    let Args { files, which, how, judge, print, .. } = args;
    let files = files.into_iter().chain(judge.back.clone());
    let inputs = inputs(files.collect(), env)?;
    no_old_arrivals(&how, &inputs)?;
    let zone = zone(how.tz.as_deref())?;
    let baseline = judge.baseline.clone();
    let baseline =
        baseline.map(|typed| healthy(typed, &inputs, zone, env.now));
    Ok(Options {
        front: judge.front.clone().map(Input::from_arg),
        judge: JudgeOptions {
            settings: settings(&judge)?,
            baseline: baseline.transpose()?,
            limit: judge.limit,
        },
        price: price(judge.price_per_hour)?,
        top: print.top,
        read: ReadOptions {
            inputs,
            selector: selector(which)?,
            format: choice(&how)?,
            zone,
            now: env.now,
            key: key_of(judge.key),
            overrides: overrides(&how, zone, env.now)?,
            unit: how.duration_unit.as_deref().map(unit).transpose()?,
            arrivals: how.arrival,
            mmap: mmap_of(how.mmap),
            threads: threads(&how, env)?,
            silent_clients: judge.silent_clients,
        },
    })
}

/// Refuses to take the time at which a file is read for that of its records.
fn no_old_arrivals(how: &How, inputs: &[Input]) -> anyhow::Result<()> {
    let is_file = |input: &&Input| file_id(input).is_some();
    match inputs.iter().find(is_file) {
        Some(file) if how.arrival => bail!(
            "--arrival is for a live pipe; the records of {} came long ago",
            file.name()
        ),
        _ => Ok(()),
    }
}

/// How the result is printed.
fn print(typed: &cli::Print, env: &Env) -> Print {
    Print {
        style: style(typed, env),
        output_file: typed.output_file.clone(),
        quiet: typed.quiet,
        none_ok: typed.none_ok,
    }
}

/// The format, or how to tell it.
fn choice(how: &How) -> anyhow::Result<Choice> {
    if how.field.is_empty() {
        return Choice::from_arg(how.log_format.as_deref());
    }
    let id = how.id_field.as_ref().map(|key| format!("id={key}"));
    let spec: Vec<String> = how.field.iter().cloned().chain(id).collect();
    let fields = Fields::new(&spec)?
        .with_events(how.open_event.as_deref(), how.end_event.as_deref())?;
    Ok(Choice::Given(Box::new(Format::Fields(Box::new(fields)))))
}

/// The inputs, each file once whatever it is called.
fn inputs(files: Vec<PathBuf>, env: &Env) -> anyhow::Result<Vec<Input>> {
    if files.is_empty() {
        if env.stdin_is_terminal {
            bail!(
                "no log given: name files, or pipe a log in \
                 (streamleak --help shows examples)"
            );
        }
        return Ok(vec![Input::Stdin]);
    }
    let mut inputs: Vec<Input> = Vec::new();
    let mut seen = Vec::new();
    for file in files {
        let input = Input::from_arg(file);
        let id = file_id(&input);
        let twice = match id {
            Some(id) => seen.contains(&id),
            None => inputs.contains(&input),
        };
        if !twice {
            inputs.push(input);
            seen.extend(id);
        }
    }
    // The order of the command line must not show in the result.
    inputs.sort();
    Ok(inputs)
}

fn selector(which: Which) -> anyhow::Result<Selector> {
    let hold = which.min_hold.as_deref();
    let hold = hold.map(|text| span("--min-hold", text)).transpose()?;
    let paths = if which.path.is_empty() && which.path_regex.is_none() {
        vec!["/subscriptions/listen".to_owned()]
    } else {
        which.path
    };
    let selector = Selector::new(&paths, &which.mcp_method)
        .only_verb(which.method)
        .min_hold(hold);
    match which.path_regex {
        None => Ok(selector),
        Some(text) => selector
            .or_pattern(&text)
            .with_context(|| format!("--path-regex {text}")),
    }
}

fn overrides(how: &How, zone: i64, now: Micros) -> anyhow::Result<Overrides> {
    let instant = |name, text: &Option<String>| {
        let text = text.as_deref();
        text.map(|text| instant(name, text, zone, now)).transpose()
    };
    let hold = how.assume_hold.as_deref();
    let overrides = Overrides {
        marked: how.timestamp.map(|timestamp| match timestamp {
            Timestamp::Start => Marked::Start,
            Timestamp::End => Marked::End,
        }),
        assumed_hold: hold
            .map(|text| span("--assume-hold", text))
            .transpose()?,
        since: instant("--since", &how.since)?,
        until: instant("--until", &how.until)?,
    };
    match (overrides.since, overrides.until) {
        (Some(since), Some(until)) if since >= until => {
            bail!("--since is not before --until")
        }
        _ => Ok(overrides),
    }
}

fn settings(judge: &cli::Judge) -> anyhow::Result<Settings> {
    if !(judge.alpha > 0.0 && judge.alpha < 0.5) {
        bail!("--alpha {} is not between 0 and 0.5", judge.alpha);
    }
    if !(judge.min_rise > 0.0 && judge.min_rise.is_finite()) {
        bail!("--min-rise {} is no number above 0", judge.min_rise);
    }
    if judge.limit.is_some_and(|limit| !(limit > 0.0 && limit.is_finite())) {
        bail!("--limit is no number above 0");
    }
    let bin = span("--bin", &judge.bin)?;
    let settings = Settings::default();
    Ok(Settings {
        climb: ClimbRule { bin, least_rise: judge.min_rise, ..settings.climb },
        alpha: judge.alpha,
        ..settings
    })
}

/// What a stream costs an hour.
fn price(given: Option<f64>) -> anyhow::Result<Option<f64>> {
    match given {
        Some(price) if !(price >= 0.0 && price.is_finite()) => {
            bail!("--price-per-hour {price} is no number from 0 on")
        }
        price => Ok(price),
    }
}

fn style(print: &cli::Print, env: &Env) -> Style {
    let to_terminal = env.stdout_is_terminal && print.output_file.is_none();
    Style {
        output: match print.output {
            OutputArg::Table => Output::Table,
            OutputArg::Json => Output::Json,
            OutputArg::Csv => Output::Csv,
            OutputArg::Nagios => Output::Nagios,
        },
        color: colored(print.color, to_terminal, env),
        unicode: env.unicode,
        width: env.width.unwrap_or(80).clamp(40, 200),
        plot: !print.no_plot,
        top: print.top,
        ..Style::default()
    }
}

/// Whether colours are written.
fn colored(typed: Color, to_terminal: bool, env: &Env) -> bool {
    match typed {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => to_terminal && env.colors,
    }
}

fn threads(how: &How, env: &Env) -> anyhow::Result<usize> {
    match how.threads {
        Some(0) => bail!("--threads 0 would do nothing; name at least 1"),
        Some(threads) => Ok(threads.min(256)),
        None => Ok(env.cores),
    }
}

fn key_of(key: Key) -> KeyField {
    match key {
        Key::Client => KeyField::Client,
        Key::Address => KeyField::Address,
        Key::Agent => KeyField::Agent,
        Key::Session => KeyField::Session,
    }
}

fn mmap_of(mmap: Mmap) -> MmapChoice {
    match mmap {
        Mmap::Auto => MmapChoice::Auto,
        Mmap::Always => MmapChoice::Always,
        Mmap::Never => MmapChoice::Never,
    }
}

fn server_of(server: ServerArg) -> Server {
    match server {
        ServerArg::Nginx => Server::Nginx,
        ServerArg::Caddy => Server::Caddy,
        ServerArg::Apache => Server::Apache,
        ServerArg::Haproxy => Server::Haproxy,
        ServerArg::Cloudflare => Server::Cloudflare,
    }
}

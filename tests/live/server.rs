//! One server: started, waited for, stopped.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::place::{Place, Program, modules};
use crate::{client, sink};

/// How often something that is waited for is looked at.
const POLL: Duration = Duration::from_millis(20);

/// How long one may take to stop before it is killed.
const STOP: Duration = Duration::from_secs(3);

/// How a server is started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spec {
    pub(crate) name: &'static str,
    pub(crate) program: Program,
    /// Files put into its folder, filled in by [`Place::fill`].
    pub(crate) conf: &'static [&'static str],
    /// Parted by blanks, then filled in.
    pub(crate) args: &'static str,
    pub(crate) output: Output,
    /// The program that writes its log, where that is another one, and its
    /// arguments.
    pub(crate) logger: Option<(Program, &'static str)>,
    /// The signal that has it write what it keeps of its log.
    pub(crate) flush: Option<Signal>,
}

/// What becomes of what a server prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Output {
    /// Kept to tell why it did not start.
    Kept,
    /// Its log, kept as by a container runtime.
    Container,
    /// As [`Output::Kept`]; its log comes in syslog datagrams.
    Syslog,
}

/// The name of most servers' log.
pub(crate) const LOG: &str = "access.log";

/// The name of a log that comes in syslog datagrams, once more as kept by a
/// container runtime.
pub(crate) const WRAPPED: &str = "wrapped.log";

/// A server that runs.
pub(crate) struct Server {
    pub(crate) spec: &'static Spec,
    pub(crate) place: Place,
    children: Vec<Child>,
}

impl Server {
    /// Starts it; does not wait for it.
    ///
    /// # Errors
    ///
    /// A file cannot be written or the program not be run.
    pub(crate) fn start(
        spec: &'static Spec,
        program: &Path,
        mut place: Place,
    ) -> std::io::Result<Server> {
        std::fs::create_dir_all(&place.folder)?;
        if spec.output == Output::Syslog {
            let [log, wrapped] = [LOG, WRAPPED].map(|n| place.folder.join(n));
            place.syslog = sink::syslog(&log, &wrapped)?;
        }
        for conf in spec.conf {
            place.write_conf(conf)?;
        }
        let mut command = command(program, spec.args, &place);
        if spec.output == Output::Container {
            command.stdout(Stdio::piped());
        }
        command.stderr(kept(&place, "stderr")?);
        let mut child = command.spawn()?;
        let printed = child.stdout.take();
        let children = vec![child];
        let server = Server { spec, place, children };
        if let Some(printed) = printed {
            sink::container(printed, &server.log(LOG))?;
        }
        Ok(server)
    }

    /// Waits until it answers and logs.
    ///
    /// # Errors
    ///
    /// It does not in time, or has ended.
    pub(crate) fn wait(&mut self, until: Instant) -> Result<(), String> {
        let answers = |own: &Server| client::answers(own.place.address());
        self.wait_for(until, "it does not answer", answers)?;
        let Some((program, args)) = self.spec.logger else { return Ok(()) };
        let mut logger = command(&program.find()?, args, &self.place);
        let started = kept(&self.place, "logger")
            .and_then(|errors| logger.stderr(errors).spawn());
        self.children.push(started.map_err(|e| self.fault(&e.to_string()))?);
        while self.records(LOG, client::OTHER) == 0 {
            self.check(until, "its requests are not logged")?;
            client::answers(self.place.address());
        }
        Ok(())
    }

    /// Waits until this is so of it.
    ///
    /// # Errors
    ///
    /// It is not in time, or the server has ended.
    pub(crate) fn wait_for(
        &mut self,
        until: Instant,
        or_else: &str,
        is_so: impl Fn(&Server) -> bool,
    ) -> Result<(), String> {
        while !is_so(self) {
            self.check(until, or_else)?;
        }
        Ok(())
    }

    /// Waits until it has ended by itself.
    ///
    /// # Errors
    ///
    /// It has not in time, or says that it failed.
    pub(crate) fn ended(&mut self, until: Instant) -> Result<(), String> {
        loop {
            let states = self.children.iter_mut().map(Child::try_wait);
            let states: std::io::Result<Vec<_>> = states.collect();
            let states = states.map_err(|e| self.fault(&e.to_string()))?;
            let ended = states.iter().flatten().filter(|s| s.success());
            if ended.count() == states.len() {
                return Ok(());
            }
            let failed = states.iter().flatten().any(|s| !s.success());
            if failed || Instant::now() > until {
                return Err(self.fault(&format!("not ended: {states:?}")));
            }
            std::thread::sleep(POLL);
        }
    }

    /// Waits until so many records of streams are in a log.
    ///
    /// # Errors
    ///
    /// There are fewer for too long, or the server has ended.
    pub(crate) fn logged(
        &mut self,
        log: &str,
        records: usize,
        until: Instant,
    ) -> Result<PathBuf, String> {
        loop {
            if let Some(signal) = self.spec.flush {
                self.send(signal);
            }
            let here = self.records(log, client::PATH);
            if here >= records {
                return Ok(self.log(log));
            }
            let fault = format!("{here} records of {records} in {log}");
            self.check(until, &fault)?;
        }
    }

    /// Sleeps for a moment.
    ///
    /// # Errors
    ///
    /// It is too late, or a process of it has ended.
    fn check(&mut self, until: Instant, what: &str) -> Result<(), String> {
        let ended = self.children.iter_mut().find_map(|child| {
            child.try_wait().ok().flatten().map(|status| status.to_string())
        });
        match ended {
            Some(status) => Err(self.fault(&format!("it ended: {status}"))),
            None if Instant::now() > until => Err(self.fault(what)),
            None => {
                std::thread::sleep(POLL);
                Ok(())
            }
        }
    }

    /// What is wrong, with all the server has printed.
    fn fault(&self, what: &str) -> String {
        let said = ["stdout", "stderr", "logger", "error.log"].map(|name| {
            std::fs::read_to_string(self.log(name)).unwrap_or_default()
        });
        format!("{}: {what}\n{}", self.spec.name, said.concat())
    }

    /// A file of it.
    pub(crate) fn log(&self, name: &str) -> PathBuf {
        self.place.folder.join(name)
    }

    /// How many whole lines of a log hold this.
    pub(crate) fn records(&self, log: &str, text: &str) -> usize {
        let text = text.as_bytes();
        let bytes = std::fs::read(self.log(log)).unwrap_or_default();
        bytes
            .split_inclusive(|&b| b == b'\n')
            .filter(|line| line.ends_with(b"\n"))
            .filter(|line| memchr::memmem::find(line, text).is_some())
            .count()
    }

    /// Sends a signal to each of its processes that was started here.
    pub(crate) fn send(&self, signal: Signal) {
        for child in &self.children {
            let _ended = kill_process(Pid::from_child(child), signal);
        }
    }
}

impl Drop for Server {
    /// Stops it, also when a test panics; kills what does not stop in time.
    fn drop(&mut self) {
        self.send(Signal::TERM);
        let until = Instant::now() + STOP;
        for child in &mut self.children {
            while Instant::now() < until
                && matches!(child.try_wait(), Ok(None))
            {
                std::thread::sleep(POLL);
            }
            let _ended = child.kill();
            let _ended = child.wait();
        }
    }
}

/// A command in a server's folder. Its clock is UTC, for some logs show no
/// zone.
fn command(program: &Path, args: &str, place: &Place) -> Command {
    let mut command = Command::new(program);
    command
        .args(args.split_whitespace().map(|arg| place.fill(arg)))
        .current_dir(&place.folder)
        .env("HOME", &place.folder)
        .env("TZ", "UTC")
        .env("NODE_PATH", modules())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .stdout(kept(place, "stdout").unwrap_or_else(|_| Stdio::null()));
    command
}

/// A file that keeps what is printed.
fn kept(place: &Place, name: &str) -> std::io::Result<Stdio> {
    Ok(Stdio::from(File::create(place.folder.join(name))?))
}

//! Running an executable in the folder and environment that it expects.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use benchgate_core::policy::Measure;
use benchgate_core::schedule::Nuisance;

use crate::HostError;
use crate::cargo::command::{OF_ONE_FOLDER, clean_command};
use crate::cargo::start::Start;
use crate::sides::Executable;
use crate::system::files::{self, Scratch};
use crate::system::process::{self, Finished, TAIL};

/// The variable whose length is drawn.
pub(super) const PADDING: &str = "BENCHGATE_PADDING";

/// How long an executable may at least take to say what it is.
pub(super) const ASKING: Duration = Duration::from_secs(60);

/// How long one may that seems to be of no harness: it may do all its work whatever it is asked.
const ASKING_OTHERS: Duration = Duration::from_secs(5);

/// The start of the names of benchgate's own protocols.
pub(super) const PROTOCOLS: &str = "benchgate.";

/// Something that gave no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The problem.
    pub reason: String,
    /// The last lines of its output.
    pub output: String,
    /// Whether it was stopped because the time that it was given had passed.
    pub is_stopped: bool,
}

impl Failure {
    /// One without output.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), output: String::new(), is_stopped: false }
    }

    /// One of a process that ended well and gave nothing of use.
    pub(super) fn of(done: &Finished, reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), output: done.tail(TAIL), is_stopped: done.status.is_none() }
    }
}

/// How long an executable may take to answer a question.
pub(super) fn patience(measure: &Measure) -> Duration {
    measure.timeout.max(ASKING)
}

/// Asks for `--help`, as every harness of a bench target is asked; `None` of one that seems to be of none, for it has
/// none of these marks, and does not answer.
pub(super) fn help(
    executable: &Executable,
    marks: impl IntoIterator<Item = &'static str>,
    measure: &Measure,
    scratch: &Path,
) -> Result<Option<Finished>, HostError> {
    let home = Scratch::new(scratch.join("asked"))?;
    let is_marked = marks.into_iter().any(|mark| holds(executable, mark).unwrap_or(true));
    let patience = if is_marked { patience(measure) } else { ASKING_OTHERS };
    let done = run(executable, home.path(), ["--bench", "--help"], patience)?;
    Ok((is_marked || done.status.is_some()).then_some(done))
}

/// Whether the file of an executable holds a text.
pub(super) fn holds(executable: &Executable, text: &str) -> Result<bool, HostError> {
    let bytes = files::read(&executable.path)?;
    Ok(files::holds(&bytes, text.as_bytes()))
}

/// Runs an executable with these arguments behind its own.
pub(super) fn run(
    executable: &Executable,
    home: &Path,
    arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
    timeout: Duration,
) -> Result<Finished, HostError> {
    let mut command = started(executable, home);
    command.args(arguments);
    run_command(executable, Some(home), command, timeout)
}

/// Runs a command of an executable in its sandbox, with a separate folder for short-lived files. The output of one that
/// fails ends with what it was denied.
pub(crate) fn run_command(
    executable: &Executable,
    home: Option<&Path>,
    command: Command,
    timeout: Duration,
) -> Result<Finished, HostError> {
    run_judged(executable, home, command, timeout, Finished::failed_by_itself)
}

/// The same for one that may have failed without an exit code of it.
pub(super) fn run_judged(
    executable: &Executable,
    home: Option<&Path>,
    command: Command,
    timeout: Duration,
    is_failure: impl FnOnce(&Finished) -> bool,
) -> Result<Finished, HostError> {
    let sandbox = executable.sandbox.writing(home.map(Path::to_owned));
    let _temporary =
        sandbox.temporary().map(|folder| Scratch::new(folder.to_owned())).transpose()?;
    let mut command = sandbox.command(command)?;
    let mut done = process::run(&mut command, Some(timeout), &mut |_| {})?;
    if is_failure(&done) {
        // With the last lines of a failure; a harness reads its answers elsewhere.
        done.stderr = sandbox.explained(&command, &done.stderr, timeout)?;
    }
    Ok(done)
}

/// An executable with its own arguments, and the drawn length of a variable that nobody reads: it moves the
/// stack and the heap of what is measured.
pub(super) fn padded(executable: &Executable, home: &Path, nuisance: &Nuisance) -> Command {
    let mut command = started(executable, home);
    command.env(PADDING, padding(nuisance));
    command
}

/// As many characters as were drawn.
pub(super) fn padding(nuisance: &Nuisance) -> String {
    "-".repeat(nuisance.padding as usize)
}

/// Benchmarks by id; one that is listed twice cannot be asked for.
pub(super) fn unique(
    ids: impl IntoIterator<Item = String>,
) -> BTreeMap<String, Result<(), Failure>> {
    let mut benchmarks = BTreeMap::new();
    for id in ids {
        let twice = Failure::new("two benchmarks of this suite have this id");
        benchmarks.entry(id).and_modify(|entry| *entry = Err(twice)).or_insert(Ok(()));
    }
    benchmarks
}

/// An executable with its own arguments, behind its runner if it has one.
fn started(executable: &Executable, home: &Path) -> Command {
    let mut command = match executable.start.as_ref().and_then(Start::runner) {
        Some((runner, arguments)) => {
            let mut command = command(runner, executable, home);
            command.args(arguments).arg(&executable.path);
            command
        }
        None => command(&executable.path, executable, home),
    };
    command.args(&executable.arguments);
    command
}

/// A program in the folder and environment that an executable expects.
pub(crate) fn command(program: impl AsRef<OsStr>, executable: &Executable, home: &Path) -> Command {
    if let Some(start) = &executable.start {
        let mut command = start.command(program);
        command.env("CRITERION_HOME", home);
        return command;
    }
    let mut command = clean_command(program);
    command.current_dir(&executable.folder).env("CRITERION_HOME", home);
    if executable.declared.is_some() {
        for name in OF_ONE_FOLDER {
            command.env_remove(name);
        }
    } else {
        // What cargo would set and benches read at run time.
        command
            .env("CARGO_MANIFEST_DIR", &executable.folder)
            .env("CARGO_PKG_NAME", &executable.key.package);
    }
    command
}

/// Why a time cannot have passed in a process; `None` where it can. A harness may add up the times of its threads, and a
/// measurement of its own may count something that happens a few times in a nanosecond.
pub(crate) fn outlasting(ns: f64, seconds: f64) -> Option<String> {
    /// More than cores have, or instructions in a nanosecond.
    const MOST_AT_ONCE: f64 = 100.0;
    (ns > seconds * 1e9 * MOST_AT_ONCE).then(|| {
        format!(
            "it says that it measured for {:.0} s, which is more than {MOST_AT_ONCE} times as long as it ran",
            ns / 1e9
        )
    })
}

/// Why a process counts as failed; `None` when it ended with exit code 0 in time.
pub(super) fn ended_badly(done: &Finished, timeout: Duration) -> Option<Failure> {
    let reason = match done.status {
        Some(status) if status.success() => return None,
        Some(status) => format!("it ended with {status}"),
        None => format!("it was stopped after {} s", timeout.as_secs_f64()),
    };
    Some(Failure::of(done, reason))
}

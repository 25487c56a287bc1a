//! One executable: whether it is Criterion's, what it holds, and one round of it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use benchgate_core::adapters::allocations::{self, Counts};
use benchgate_core::adapters::criterion::{self, Identity};
use benchgate_core::adapters::criterion_cli::{self, LIST, Options, titles};
use benchgate_core::policy::Measure;
use benchgate_core::schedule::Nuisance;
use fs_err as fs;

use crate::cargo::clean_command;
use crate::files::Scratch;
use crate::process::{self, Finished};
use crate::sides::Executable;
use crate::{HostError, files};

/// Lines of a failed process's output that are kept.
const TAIL: usize = 30;

/// What every Criterion executable holds somewhere: the name of an option.
const MARK: &[u8] = b"measurement-time";

/// How long an executable may at least take to say what it is.
const ASKING: Duration = Duration::from_secs(60);

/// Something that gave no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What happened.
    pub reason: String,
    /// The last lines of its output.
    pub output: String,
}

/// An executable that is Criterion's.
#[derive(Clone, Debug)]
pub struct Suite {
    executable: Executable,
    options: Options,
    /// The titles of its benchmarks, in its order.
    titles: Vec<String>,
}

/// What asking an executable came to.
pub enum Asked {
    /// It is Criterion's.
    Criterion(Suite),
    /// It counts allocations; this is what it counted, twice.
    Allocations([Counts; 2]),
    /// It is something else.
    Other(String),
    /// It could not say.
    Failed(Failure),
}

/// What a round of one benchmark gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Which benchmark Criterion says it was.
    pub identity: Identity,
    /// Nanoseconds per iteration.
    pub value: f64,
    /// Wall seconds of its process.
    pub seconds: f64,
}

impl Suite {
    /// Asks an executable what it is and which benchmarks it holds.
    ///
    /// # Errors
    /// When it cannot be started, and when interrupted.
    pub fn ask(
        executable: Executable,
        measure: &Measure,
        scratch: &Path,
    ) -> Result<Asked, HostError> {
        let home = Scratch::new(scratch.join("asked"))?;
        let patience = measure.timeout.max(ASKING);
        let help = run(&executable, home.path(), &["--bench".into(), "--help".into()], patience)?;
        if help.stdout.contains(allocations::PROTOCOL) {
            return count_twice(&executable, home.path(), measure.timeout);
        }
        let list_with = |more: &[&str]| {
            let arguments: Vec<String> =
                LIST.iter().chain(more).map(|word| (*word).to_owned()).collect();
            run(&executable, home.path(), &arguments, patience)
        };
        let lists = |done: &Finished| done.succeeded() && !titles(&done.stdout).is_empty();
        let options = match Options::from_help(&help.stdout) {
            Some(options) => Some(options),
            None if !lists(&list_with(&[])?) => None,
            None => Options::from_answers(|more| list_with(more).map(|done| lists(&done)))?,
        };
        let Some(options) = options else {
            // One that ends before Criterion reads its arguments cannot say what it is.
            if let Some(failure) = ended_badly(&help, patience)
                && files::read(&executable.path)?.windows(MARK.len()).any(|bytes| bytes == MARK)
            {
                let reason = format!("`--help` and `--list`: {}", failure.reason);
                return Ok(Asked::Failed(Failure { reason, ..failure }));
            }
            return Ok(Asked::Other(
                "it is not Criterion's: it takes no --measurement-time, by its --help or its --list"
                    .into(),
            ));
        };
        let list = list_with(&[])?;
        if let Some(failure) = ended_badly(&list, patience) {
            let reason = format!("`--list`: {}", failure.reason);
            return Ok(Asked::Failed(Failure { reason, ..failure }));
        }
        let titles = titles(&list.stdout);
        if titles.is_empty() {
            return Ok(Asked::Failed(Failure {
                reason: "it lists no benchmark".into(),
                output: list.tail(TAIL),
            }));
        }
        Ok(Asked::Criterion(Self { executable, options, titles }))
    }

    /// The executable.
    pub fn executable(&self) -> &Executable {
        &self.executable
    }

    /// What it understands.
    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn command_of(&self, program: &str, home: &Path) -> Command {
        command_of(program, &self.executable, home)
    }

    /// The ids of its benchmarks, each with the title to ask for it; or why a title has no id of its
    /// own.
    ///
    /// # Errors
    /// When interrupted.
    pub fn benchmarks(
        &self,
        measure: &Measure,
        scratch: &Path,
    ) -> Result<BTreeMap<String, Result<String, Failure>>, HostError> {
        let mut found: BTreeMap<String, Result<String, Failure>> = BTreeMap::new();
        for title in &self.titles {
            // A title that Criterion cut is not the id; only a run tells that.
            let id = if title.len() >= criterion_cli::TITLE_LIMIT && title.ends_with("...") {
                match self.round(title, measure, Nuisance::default(), scratch)? {
                    Ok(round) => round.identity.full_id,
                    Err(failure) => {
                        found.insert(title.clone(), Err(failure));
                        continue;
                    }
                }
            } else {
                title.clone()
            };
            let twice = Failure {
                reason: "two benchmarks of this suite have this id: one would overwrite the other"
                    .into(),
                output: String::new(),
            };
            found.entry(id).and_modify(|entry| *entry = Err(twice)).or_insert(Ok(title.clone()));
        }
        // Criterion tells a second benchmark of the same id apart by its title only.
        let doubles: Vec<(String, String)> = found
            .keys()
            .filter_map(|id| Some((id.clone(), id.rsplit_once(" #")?)))
            .filter(|(_, (start, number))| {
                number.parse::<u32>().is_ok() && found.contains_key(*start)
            })
            .map(|(id, (start, _))| (id.clone(), start.to_owned()))
            .collect();
        for (id, start) in doubles {
            let failure = Failure {
                reason: format!("`{start}` is the id of two benchmarks of this suite"),
                output: String::new(),
            };
            found.remove(&id);
            found.insert(start, Err(failure));
        }
        Ok(found)
    }

    /// Measures one benchmark in one process with a Criterion home of its own, under settings that
    /// should not matter.
    ///
    /// # Errors
    /// When interrupted, or when files of our own cannot be used; whatever the bench does wrong is a
    /// [`Failure`].
    pub fn round(
        &self,
        title: &str,
        measure: &Measure,
        nuisance: Nuisance,
        scratch: &Path,
    ) -> Result<Result<Round, Failure>, HostError> {
        // Equal on both sides of a pair: the length of this path moves the heap of what is measured.
        let longer = "-".repeat(nuisance.longer_path as usize);
        let home = Scratch::new(scratch.join(format!("round{longer}")))?;
        let samples = measure.sample_size.saturating_add(nuisance.more_samples);
        let measure = Measure { sample_size: samples, ..measure.clone() };
        let arguments = self.options.round(title, &measure);
        let started = Instant::now();
        let done = run(&self.executable, home.path(), &arguments, measure.timeout)?;
        let seconds = started.elapsed().as_secs_f64();
        if let Some(failure) = ended_badly(&done, measure.timeout) {
            return Ok(Err(failure));
        }
        let fail = |reason: String| Failure { reason, output: done.tail(TAIL) };
        if let Some(error) = criterion_cli::reported_error(&done.stdout) {
            return Ok(Err(fail(format!(
                "Criterion reported an error and exited with 0: {error}"
            ))));
        }
        let mut rounds = Vec::new();
        for folder in result_folders(home.path())? {
            match read_round(&folder) {
                Ok((identity, value)) if is_titled(&identity, title) => {
                    rounds.push(Round { identity, value, seconds });
                }
                Ok(_) => {}
                Err(problem) => return Ok(Err(fail(problem))),
            }
        }
        Ok(match rounds.len() {
            1 => rounds.pop().ok_or_else(|| fail(String::new())),
            0 => Err(fail("`--list` names it, but it wrote no result".into())),
            _ => Err(fail("two benchmarks of this suite have this id".into())),
        })
    }
}

fn count_twice(
    executable: &Executable,
    home: &Path,
    timeout: Duration,
) -> Result<Asked, HostError> {
    let arguments = allocations::ARGUMENTS.map(str::to_owned);
    let count = || -> Result<Result<Counts, Failure>, HostError> {
        let done = run(executable, home, &arguments, timeout)?;
        if let Some(failure) = ended_badly(&done, timeout) {
            return Ok(Err(failure));
        }
        let fail = |reason: String| Failure { reason, output: done.tail(TAIL) };
        Ok(match allocations::read(&done.stdout) {
            Ok(counts) if counts.is_empty() => Err(fail("it counted no benchmark".into())),
            Ok(counts) => Ok(counts),
            Err(error) => Err(fail(error.to_string())),
        })
    };
    let (first, second) = match (count()?, count()?) {
        (Ok(first), Ok(second)) => (first, second),
        (Err(failure), _) | (_, Err(failure)) => return Ok(Asked::Failed(failure)),
    };
    if !first.keys().eq(second.keys()) {
        let reason = "it counted other benchmarks the second time".to_owned();
        return Ok(Asked::Failed(Failure { reason, output: String::new() }));
    }
    Ok(Asked::Allocations([first, second]))
}

fn is_titled(identity: &Identity, title: &str) -> bool {
    identity.title == title || identity.full_id == title
}

fn run(
    executable: &Executable,
    home: &Path,
    arguments: &[String],
    timeout: Duration,
) -> Result<Finished, HostError> {
    let mut command = command_of(&executable.path, executable, home);
    command.args(arguments);
    process::run(&mut command, Some(timeout), &mut |_| {})
}

/// A program in the folder and environment that a bench expects.
fn command_of(
    program: impl AsRef<std::ffi::OsStr>,
    executable: &Executable,
    home: &Path,
) -> Command {
    let mut command = clean_command(program);
    command
        .current_dir(&executable.package_dir)
        .env("CRITERION_HOME", home)
        // What cargo would set and benches read at run time.
        .env("CARGO_MANIFEST_DIR", &executable.package_dir)
        .env("CARGO_PKG_NAME", &executable.package);
    command
}

fn ended_badly(done: &Finished, timeout: Duration) -> Option<Failure> {
    let reason = match done.status {
        Some(status) if status.success() => return None,
        Some(status) => format!("it ended with {status}"),
        None => format!("it was stopped after {} s", timeout.as_secs_f64()),
    };
    Some(Failure { reason, output: done.tail(TAIL) })
}

/// Folders of one benchmark's results: those named `new` that hold a `benchmark.json`.
fn result_folders(home: &Path) -> Result<Vec<std::path::PathBuf>, HostError> {
    let mut found = Vec::new();
    let mut left = vec![home.to_owned()];
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                let path = entry.path();
                if entry.file_name() == "new" && path.join("benchmark.json").is_file() {
                    found.push(path.clone());
                }
                left.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn read_round(folder: &Path) -> Result<(Identity, f64), String> {
    let read = |name: &str| {
        let path = folder.join(name);
        files::read(&path).map_err(|error| format!("{name}: {error}"))
    };
    let identity =
        Identity::parse(&read("benchmark.json")?).map_err(|e| format!("benchmark.json: {e}"))?;
    let value =
        criterion::round_value(&read("sample.json")?).map_err(|e| format!("sample.json: {e}"))?;
    Ok((identity, value))
}

//! How cargo starts a bench: with which runner, where, and with which variables.
//!
//! Benches depend on `[env]`, on what build scripts say, on the paths of native libraries, and on variables
//! that each release of cargo adds to. So cargo starts every bench once, with benchgate itself as the runner:
//! it notes what it was started with, and ends. The binary is called in this way by itself only.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use benchgate_core::model::SuiteKey;
use serde::{Deserialize, Serialize};

use crate::building::{Building, Built};
use crate::cargo::BenchTarget;
use crate::command::{clean_command, failed};
use crate::files::{self, Scratch};
use crate::{HostError, platform, process};

/// The first argument that makes the binary note how it was started.
pub const WORD: &str = "__note";

/// Evens out the variables of both sides.
const FILLER: &str = "BENCHGATE_FILLER";

/// The runner, folder and variables with which cargo starts a bench.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// The program before the executable, and its arguments; empty without a runner.
    runner: Vec<String>,
    folder: PathBuf,
    /// All variables of the process.
    variables: BTreeMap<OsString, OsString>,
}

/// A [`Start`] without the variables that cargo itself was started with: they may hold secrets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Additions {
    runner: Vec<String>,
    folder: String,
    variables: BTreeMap<String, Added>,
}

/// A variable that cargo sets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Added {
    is: String,
    /// SHA-256 of the value that it replaces.
    was: Option<String>,
}

/// The variables that cargo is started with.
fn inherited() -> BTreeMap<OsString, OsString> {
    let mut all: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
    for (name, value) in clean_command("cargo").get_envs() {
        if value.is_none() {
            all.remove(name);
        }
    }
    all
}

impl Start {
    /// A program in this folder with these variables.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).envs(&self.variables);
        // One by one: a command does not say whether it clears what it inherits, and the sandbox must know.
        for (name, _) in std::env::vars_os().filter(|(name, _)| !self.variables.contains_key(name))
        {
            command.env_remove(name);
        }
        command
    }

    /// The command line that the executable of a bench is behind.
    pub(crate) fn runner(&self) -> Option<(&String, &[String])> {
        self.runner.split_first()
    }

    /// The same with a variable as we have it ourselves: cargo was given another one.
    fn with_inherited(mut self, name: &str) -> Self {
        let name = OsStr::new(name);
        match std::env::var_os(name) {
            Some(value) => self.variables.insert(name.to_owned(), value),
            None => self.variables.remove(name),
        };
        self
    }

    fn size(&self) -> usize {
        self.variables.iter().map(|(name, value)| name.len() + value.len()).sum()
    }

    /// Makes the variables of both sides take the same room: where they end is where the stack of what is
    /// measured begins, and a version may have a digit more.
    pub fn even_out(&mut self, other: &mut Self) {
        let (own, others) = (self.size(), other.size());
        for (start, missing) in
            [(&mut *self, others.saturating_sub(own)), (other, own.saturating_sub(others))]
        {
            start.variables.insert(FILLER.into(), "-".repeat(missing).into());
        }
    }

    /// Returns the start with only the variables that cargo adds or changes; `None` where one of them is not UTF-8.
    pub(crate) fn additions(&self) -> Option<Additions> {
        let inherited = inherited();
        let text = |value: &OsStr| value.to_str().map(str::to_owned);
        let added =
            self.variables.iter().filter(|(name, value)| inherited.get(*name) != Some(*value));
        let variables = added
            .map(|(name, value)| {
                let was = inherited
                    .get(name)
                    .map(|value| text(value))
                    .map_or(Some(None), |value| value.map(Some))?;
                Some((
                    text(name)?,
                    Added {
                        is: text(value)?,
                        was: was.map(|was| files::digest_of(was.as_bytes())),
                    },
                ))
            })
            .collect::<Option<BTreeMap<String, Added>>>()?;
        Some(Additions {
            runner: self.runner.clone(),
            folder: self.folder.to_str()?.to_owned(),
            variables,
        })
    }

    /// How cargo would start it with the variables of now; the name of a variable that it builds on and that has
    /// another value than then, where there is one.
    pub(crate) fn with(additions: &Additions) -> Result<Self, String> {
        let mut variables = inherited();
        for (name, Added { is, was }) in &additions.variables {
            let now = variables
                .get(OsStr::new(name))
                .map(|value| files::digest_of(value.as_encoded_bytes()));
            if now != *was {
                return Err(name.clone());
            }
            variables.insert(name.into(), is.into());
        }
        let Additions { runner, folder, .. } = additions;
        Ok(Self { runner: runner.clone(), folder: folder.into(), variables })
    }

    fn read(note: &[u8], runner: &[String]) -> Option<Self> {
        let mut parts = note.split(|byte| *byte == 0);
        let folder = PathBuf::from(platform::os_string(parts.next()?));
        let pair = |entry: &[u8]| {
            let at = entry.iter().skip(1).position(|byte| *byte == b'=')? + 1;
            let owned = platform::os_string;
            Some((owned(&entry[..at]), owned(&entry[at + 1..])))
        };
        let variables = parts.filter_map(pair).collect();
        Some(Self { runner: runner.to_vec(), folder, variables })
    }
}

/// Notes folder and variables of this process in a file; the arguments are a folder for it and the
/// executable that it is named after.
pub fn note(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let (Some(folder), Some(program)) = (arguments.next(), arguments.next()) else {
        return ExitCode::from(2);
    };
    let name = Path::new(&program).file_name().unwrap_or_default();
    let mut note =
        std::env::current_dir().unwrap_or_default().into_os_string().into_encoded_bytes();
    for (name, value) in std::env::vars_os() {
        note.push(0);
        note.extend([name.as_encoded_bytes(), b"=", value.as_encoded_bytes()].concat());
    }
    // Where there is no note, the side that waits for it says so.
    match fs_err::write(Path::new(&folder).join(name), note) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// How cargo starts the benches that were built, by suite; `recorder` is the program that notes it. A suite
/// of which cargo does not say is not there.
///
/// # Errors
/// When cargo fails to start them.
pub(crate) fn record(
    building: &Building<'_>,
    targets: &[&BenchTarget],
    built: &Built,
    recorder: &Path,
) -> Result<BTreeMap<SuiteKey, Start>, HostError> {
    let mut starts = BTreeMap::new();
    let targets: Vec<&BenchTarget> =
        targets.iter().copied().filter(|t| built.executables.contains_key(&t.key())).collect();
    for of_package in targets.chunk_by(|a, b| a.package_id == b.package_id) {
        let Some(first) = of_package.first() else { continue };
        let answer = building.questions.ask(&first.package_dir, building.sandbox)?;
        let Some(runner) = answer.runner else { continue };
        let notes = Scratch::new(building.questions.scratch.join("notes"))?;
        let words = [recorder.as_os_str(), OsStr::new(WORD), notes.path().as_os_str()];
        let words = words.map(|word| word.to_string_lossy().into_owned());
        let mut command = building.command(of_package, &["bench", "--quiet", "--no-fail-fast"])?;
        let variable = runner_variable(&runner.target);
        set_runner(&mut command, &variable, &runner.target, &words);
        let done = process::run(&mut building.sandbox.command(command)?, None, &mut |_| {})?;
        if !done.succeeded() {
            return Err(failed("start the benches", &done));
        }
        for target in of_package {
            let name = built.executables.get(&target.key()).and_then(|path| path.file_name());
            let note = notes.path().join(name.unwrap_or_default());
            if note.symlink_metadata().is_ok() {
                let start = Start::read(&files::read_written(&note)?, &runner.words);
                let start = start.map(|start| start.with_inherited(&variable));
                starts.extend(start.map(|start| (target.key(), start)));
            }
        }
    }
    Ok(starts)
}

/// The variable of cargo that names the runner of a target.
fn runner_variable(target: &str) -> String {
    let name = target.to_uppercase().replace(['-', '.'], "_");
    format!("CARGO_TARGET_{name}_RUNNER")
}

/// Makes cargo start executables of a target with other words than its configuration says. A variable replaces a
/// runner of any type, and `--config` only a list by a list: cargo merges no two types. But cargo splits a variable at
/// every space.
fn set_runner(command: &mut Command, variable: &str, target: &str, words: &[String]) {
    if words.iter().any(|word| word.contains(char::is_whitespace)) || target.contains('.') {
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        let setting = format!("target.{}.runner=[{}]", quoted(target), words.join(","));
        command.args(["--config", &setting]);
    } else {
        command.env(variable, words.join(" "));
    }
}

/// A text as TOML has it, also as a key: `thumbv8m.main` has a dot.
fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(note: &[u8]) -> Start {
        Start::read(note, &[]).unwrap()
    }

    #[test]
    fn a_note_is_read_with_values_that_hold_anything() {
        let read = start(b"/a b\0X=1=2\0EMPTY=\0ODD=\xff\n");
        assert_eq!(read.folder, Path::new("/a b"));
        let values: Vec<&[u8]> =
            read.variables.values().map(|value| value.as_encoded_bytes()).collect();
        assert_eq!(values, [&b""[..], b"\xff\n", b"1=2"]);
    }

    #[test]
    fn both_sides_are_started_with_as_many_bytes_of_variables() {
        let (mut base, mut head) = (start(b"/\0V=0.1.9"), start(b"/\0V=0.1.10"));
        base.even_out(&mut head);
        assert_eq!(base.size(), head.size());
        assert_eq!(base.variables[OsStr::new(FILLER)], "-");
        assert_eq!(head.variables[OsStr::new(FILLER)], "");
    }
}

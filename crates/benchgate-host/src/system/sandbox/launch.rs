//! Restricts a process and makes it another program. The binary is called in this way by itself only: a hidden
//! first argument, before anything else is read or allocated.
//!
//! The program gets its variables from a process that is restricted already: some of them, such as `LD_PRELOAD`,
//! are orders to the loader of every program, and a bench may have any. On their way they have a prefix.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::system::platform;

/// The first argument that makes the binary restrict itself.
pub const WORD: &str = "__confine";

/// The first argument that makes the binary watch one that restricts itself.
pub const WATCH: &str = "__watch";

const READ: &str = "--read";
const WRITE: &str = "--write";
const NETWORK: &str = "--network";
const FILTER: &str = "--filter";
const WATCHED: &str = "--watched";
const FREE: &str = "--free";
const PROGRAM: &str = "--";

/// Before the name of each variable.
const PREFIX: &str = "+";

/// Exit codes of a shell for a program that cannot be run, and for one that is not there.
const NOT_RUN: u8 = 126;
const NOT_FOUND: u8 = 127;

/// Paths that a process may read and write, and whether it has the network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) read: Vec<PathBuf>,
    pub(super) write: Vec<PathBuf>,
    pub(super) has_network: bool,
    /// Whether the kernel filters system calls.
    pub(super) has_filter: bool,
}

/// The command that restricts itself and becomes `inner` with these variables.
pub(super) fn command(
    launcher: &Path,
    access: &Access,
    inner: &Command,
    variables: &BTreeMap<OsString, OsString>,
) -> Command {
    let mut command = Command::new(launcher);
    command.arg(WORD);
    for (option, paths) in [(READ, &access.read), (WRITE, &access.write)] {
        command.args(paths.iter().flat_map(|path| [OsStr::new(option), path.as_os_str()]));
    }
    if access.has_network {
        command.arg(NETWORK);
    }
    if access.has_filter {
        command.arg(FILTER);
    }
    become_inner(&mut command, inner, variables);
    command
}

/// The same with no restriction.
pub(super) fn free(launcher: &Path, inner: &Command) -> Command {
    let mut command = Command::new(launcher);
    command.args([WORD, FREE]);
    become_inner(&mut command, inner, &variables(inner, std::env::vars_os().collect()));
    command
}

fn become_inner(command: &mut Command, inner: &Command, variables: &BTreeMap<OsString, OsString>) {
    command.arg(PROGRAM).arg(inner.get_program()).args(inner.get_args());
    if let Some(folder) = inner.get_current_dir() {
        command.current_dir(folder);
    }
    command.env_clear();
    for (name, value) in variables {
        command.env(prefixed(name), value);
    }
}

/// The name of a variable on its way.
pub(super) fn prefixed(name: &OsStr) -> OsString {
    let mut prefixed = OsString::from(PREFIX);
    prefixed.push(name);
    prefixed
}

/// The same for a command that restricts itself, watched by another process of the launcher, which writes to `report`.
pub(super) fn watched(launcher: &Path, report: &Path, confined: &Command) -> Command {
    let mut command = Command::new(launcher);
    command.arg(WATCH).arg(report).arg(confined.get_program());
    let mut arguments = confined.get_args();
    command.args(arguments.next()).arg(WATCHED).args(arguments);
    if let Some(folder) = confined.get_current_dir() {
        command.current_dir(folder);
    }
    command.env_clear();
    command.envs(confined.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command
}

/// The program that a command becomes which restricts itself.
pub(super) fn program(confined: &Command) -> Option<&Path> {
    let program = confined.get_args().skip_while(|it| *it != PROGRAM).nth(1);
    program.map(Path::new)
}

/// The variables that a command has: its own, and those of this process that it inherits.
pub(super) fn variables(
    command: &Command,
    inherited: BTreeMap<OsString, OsString>,
) -> BTreeMap<OsString, OsString> {
    let mut variables = inherited;
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => variables.insert(name.to_owned(), value.to_owned()),
            None => variables.remove(name),
        };
    }
    variables
}

/// Restricts this process as the arguments say and becomes the program that they name.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let mut access = Access::default();
    let (mut is_watched, mut is_free) = (false, false);
    loop {
        let Some(option) = arguments.next() else { return ExitCode::from(2) };
        match option.to_str() {
            Some(PROGRAM) => break,
            Some(WATCHED) => is_watched = true,
            Some(FREE) => is_free = true,
            Some(NETWORK) => access.has_network = true,
            Some(FILTER) => access.has_filter = true,
            Some(READ) => access.read.extend(arguments.next().map(PathBuf::from)),
            Some(WRITE) => access.write.extend(arguments.next().map(PathBuf::from)),
            _ => return ExitCode::from(2),
        }
    }
    let Some(program) = arguments.next() else { return ExitCode::from(2) };
    // Before it is restricted: by another domain it may not be watched.
    if is_watched && let Err(error) = platform::be_watched() {
        return failed(&format!("`{}` cannot be watched: {error}", program.display()), NOT_RUN);
    }
    // Nothing runs without what it was to be restricted by.
    let restricted = if is_free { platform::begin_session() } else { restrict(&access) };
    if let Err(error) = restricted {
        return failed(&format!("cannot restrict `{}`: {error}", program.display()), NOT_RUN);
    }
    let mut command = Command::new(&program);
    command.args(arguments).env_clear();
    for (name, value) in std::env::vars_os() {
        if let Some(name) = stripped(&name) {
            command.env(name, value);
        }
    }
    let error = platform::replace(&mut command);
    let code = if error.kind() == std::io::ErrorKind::NotFound { NOT_FOUND } else { NOT_RUN };
    failed(&format!("cannot run `{}`: {error}", program.display()), code)
}

fn restrict(access: &Access) -> std::io::Result<()> {
    let Access { read, write, has_network, has_filter } = access;
    platform::begin_session()?;
    platform::restrict(read, write, *has_network)?;
    if *has_filter { platform::filter(*has_network) } else { Ok(()) }
}

fn stripped(name: &OsStr) -> Option<OsString> {
    let bytes = name.as_encoded_bytes().strip_prefix(PREFIX.as_bytes())?;
    Some(platform::os_string(bytes))
}

#[expect(clippy::print_stderr, reason = "the gate shows it as what the program said")]
fn failed(problem: &str, code: u8) -> ExitCode {
    eprintln!("benchgate: {problem}");
    ExitCode::from(code)
}

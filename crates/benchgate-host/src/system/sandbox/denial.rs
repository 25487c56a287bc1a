//! What a process could not do. The process that watches it is not in its sandbox: the binary is called in this way by
//! itself only, with a hidden first argument.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde::{Deserialize, Serialize};

use super::places::is_lock_of_cargo;
use crate::system::platform::{self, Act, Refused};

/// Of a session that has one.
const TERMINAL: &str = "/dev/tty";

/// Something that a process was denied, and that the user may do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Denial {
    /// To read a file or folder, or to start a program.
    Read(PathBuf),
    /// To make, change or remove a file or folder.
    Write(PathBuf),
    /// A socket.
    Network,
    /// A system call of this number.
    Call(i64),
    /// A variable of the gate's environment, which the process has a name for.
    Variable(String),
    /// To find a file: no sandbox's work, but perhaps that of a checkout that lacks it.
    Find(PathBuf),
}

impl fmt::Display for Denial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // In one line, whatever a bench calls its files.
        let shown = |path: &Path| path.to_string_lossy().escape_debug().to_string();
        match self {
            Self::Read(path) => write!(f, "to read `{}`", shown(path)),
            Self::Write(path) => write!(f, "to write `{}`", shown(path)),
            Self::Network => write!(f, "a socket"),
            Self::Call(number) => write!(f, "the system call {number}"),
            Self::Variable(name) => write!(f, "the variable `{name}`"),
            Self::Find(path) => write!(f, "to find `{}`", shown(path)),
        }
    }
}

impl Denial {
    /// What the sandbox refused; `None` of what the user may not do, either.
    fn of(Refused { act, path }: Refused) -> Option<Self> {
        // What is no text stands in no policy.
        path.to_str()?;
        // Shells try the terminal first, and cargo its locks; both go on without.
        if path == Path::new(TERMINAL) || is_lock_of_cargo(&path) {
            return None;
        }
        // What is to be made is not there, and its folder decides.
        let place = if path.exists() { Some(&*path) } else { path.parent() };
        let is_of_user = || place.is_some_and(|place| platform::is_permitted(place, act));
        match act {
            Act::Read => is_of_user().then_some(Self::Read(path)),
            Act::Write => is_of_user().then_some(Self::Write(path)),
            Act::Find => Some(Self::Find(path)),
            Act::Network => Some(Self::Network),
            Act::Call(number) => Some(Self::Call(number)),
        }
    }
}

/// Watches the program that the arguments name after a file, and writes to that what it was denied.
pub fn watch(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let (Some(report), Some(program)) = (arguments.next(), arguments.next()) else {
        return ExitCode::from(2);
    };
    let mut command = Command::new(program);
    command.args(arguments);
    let Ok(Some(refused)) = platform::watch(&mut command) else { return ExitCode::FAILURE };
    let denials: Vec<Denial> = refused.into_iter().filter_map(Denial::of).collect();
    let text = serde_json::to_vec(&denials).unwrap_or_default();
    match fs_err::write(Path::new(&report), text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

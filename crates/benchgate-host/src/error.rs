//! What can go wrong outside, in words that say what was not done and what to type next.

use std::path::PathBuf;

use thiserror::Error;

/// Something outside did not do what was asked.
#[derive(Debug, Error)]
pub enum HostError {
    /// The user pressed Ctrl-C, or the system asked to stop.
    #[error("interrupted; nothing was judged")]
    Interrupted,
    /// A file or folder could not be used. The source names the path.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// A file's content cannot be used.
    #[error("{}: {problem}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, with the key.
        problem: String,
    },
    /// A program is not there.
    #[error("cannot run `{program}`: {source}")]
    Start {
        /// The program.
        program: String,
        /// Why.
        source: std::io::Error,
    },
    /// git said no.
    #[error("git could not {what}: {message}")]
    Git {
        /// What it was asked for.
        what: String,
        /// The end of what it said.
        message: String,
    },
    /// What the user named cannot be used.
    #[error("{message}")]
    Usage {
        /// What was not done, and why.
        message: String,
        /// What to type next.
        help: String,
    },
    /// cargo said no: the side does not build.
    #[error("cargo could not {what}")]
    Cargo {
        /// What it was asked for.
        what: String,
        /// The end of what it said.
        output: String,
    },
    /// Another run uses the same checkouts.
    #[error("another benchgate run is at work on this repository (it holds {})", lock.display())]
    Busy {
        /// The lock.
        lock: PathBuf,
    },
}

impl HostError {
    /// A usage error.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), help: help.into() }
    }

    /// What to do about it, where that can be said.
    pub fn help(&self) -> Option<&str> {
        match self {
            Self::Usage { help, .. } => Some(help),
            Self::Busy { .. } => Some("wait for it, or stop it"),
            Self::Start { .. } => Some("install it, or put its folder on PATH"),
            _ => None,
        }
    }
}

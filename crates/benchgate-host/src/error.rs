//! Errors of the host: they state what was not done and what to do next.

use std::path::PathBuf;

use thiserror::Error;

/// An error of the system, of another program or of a file.
#[derive(Debug, Error)]
pub enum HostError {
    /// The user pressed Ctrl-C, or the system sent a signal to stop.
    #[error("interrupted; nothing was judged")]
    Interrupted,
    /// A file or folder could not be used. The source names the path.
    #[error("{0}")]
    File(#[from] std::io::Error),
    /// A file does not have its format.
    #[error("{}: {source}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// The parser's error.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A file's content cannot be used, for a reason other than its format.
    #[error("{}: {problem}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The problem, with the key if there is one.
        problem: String,
    },
    /// A program could not be started.
    #[error("cannot run `{program}`: {source}")]
    Start {
        /// The program.
        program: String,
        /// The reason.
        source: std::io::Error,
    },
    /// git failed.
    #[error("git could not {what}: {message}")]
    Git {
        /// The action, as in "could not read".
        what: String,
        /// The end of its output.
        message: String,
    },
    /// An argument of the user cannot be used.
    #[error("{message}")]
    Usage {
        /// The action that was not done, and the reason.
        message: String,
        /// The next step.
        help: String,
    },
    /// cargo failed: the side does not build.
    #[error("cargo could not {what}")]
    Cargo {
        /// The action, as in "could not build".
        what: String,
        /// The end of its output.
        output: String,
    },
    /// A command of the policy failed before a side was built.
    #[error("`{command}` of {key} in benchgate.toml {how}")]
    Before {
        /// The command.
        command: String,
        /// The key of the policy.
        key: &'static str,
        /// How it ended.
        how: String,
        /// The end of its output.
        output: String,
    },
    /// Another run uses the same checkouts.
    #[error("another benchgate run is at work on this repository (it holds {})", lock.display())]
    Busy {
        /// The lock file.
        lock: PathBuf,
    },
}

impl HostError {
    /// The error of a file that could not be parsed.
    pub fn format(
        path: impl Into<PathBuf>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::Format { path: path.into(), source: source.into() }
    }

    /// A usage error.
    pub fn usage(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), help: help.into() }
    }

    /// The next step, where one is known to help.
    pub fn help(&self) -> Option<&str> {
        match self {
            Self::Usage { help, .. } => Some(help),
            Self::Busy { .. } => Some("wait for it, or stop it"),
            Self::Start { .. } => Some("install it, or put its folder on PATH"),
            _ => None,
        }
    }
}

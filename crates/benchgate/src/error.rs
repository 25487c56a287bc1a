//! Errors of commands, and how they are reported.

use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use benchgate_core::policy::PolicyError;
use benchgate_host::HostError;
use thiserror::Error;

/// The error of a command.
#[derive(Debug, Error)]
pub(crate) enum CommandError {
    #[error(transparent)]
    Host(#[from] HostError),
    #[error("{}:{}:{}: {}", path.display(), error.line, error.column, error.message)]
    Policy { path: PathBuf, error: PolicyError },
    #[error("{0}")]
    Unmeasured(String),
    /// The files of a result. The error names the file.
    #[error("the result is not written: {error}")]
    Unwritten { error: HostError, help: String },
}

impl CommandError {
    /// Prints it on stderr: the error, then the next step.
    pub(crate) fn report(&self) {
        let red: Style = AnsiColor::Red.on_default().bold();
        let cyan: Style = AnsiColor::Cyan.on_default();
        anstream::eprintln!("{red}error{red:#}: {self}");
        match self {
            Self::Host(HostError::Cargo { output, .. } | HostError::Before { output, .. })
                if !output.is_empty() =>
            {
                for line in output.lines() {
                    anstream::eprintln!("    | {line}");
                }
            }
            Self::Policy { error, .. } => {
                for line in error.excerpt().lines() {
                    anstream::eprintln!("{line}");
                }
            }
            _ => {}
        }
        let help = match self {
            Self::Host(error) => error.help(),
            Self::Policy { .. } => Some("fix the line; nothing was done"),
            Self::Unmeasured(_) => None,
            Self::Unwritten { help, .. } => Some(help.as_str()),
        };
        if let Some(help) = help {
            anstream::eprintln!("{cyan}help{cyan:#}: {help}");
        }
    }
}

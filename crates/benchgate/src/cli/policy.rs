//! The arguments of `benchgate policy`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum PolicyCommand {
    /// Check a policy file; an error shows the line and the place in it
    Check {
        /// Policy file [default: benchgate.toml of the working tree]
        file: Option<PathBuf>,
    },
    /// Show every setting, with the line that sets it or as a default
    Show(PolicyShowArgs),
}

#[derive(Debug, Args)]
pub(crate) struct PolicyShowArgs {
    /// Policy file, instead of that of a commit
    pub(crate) file: Option<PathBuf>,
    /// The commit whose policy is shown: `check` follows that of the base
    #[arg(long, value_name = "REVISION", default_value = "HEAD", conflicts_with = "file")]
    pub(crate) revision: String,
    /// Output format
    #[arg(long, value_enum, default_value = "toml")]
    pub(crate) format: PolicyFormat,
}

/// How a policy is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PolicyFormat {
    /// A policy file with a comment behind each value
    Toml,
    /// An object of settings, and a list of entries
    Json,
}

//! The arguments of `benchgate history`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct HistoryArgs {
    #[command(subcommand)]
    pub(crate) command: Option<HistoryCommand>,
    /// Benchmarks: a part of the id, as for `cargo bench`; with `*` or `?` a glob over the whole id [default: all]
    #[arg(value_name = "BENCHMARK")]
    pub(crate) benchmarks: Vec<String>,
    /// Only benchmarks of suites whose name matches; `*` stands for any characters; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) suite: Vec<String>,
    /// The branch whose commits are shown, in the order of its first parents
    #[arg(long, value_name = "REVISION", default_value = "HEAD")]
    pub(crate) head: String,
    /// Only runs of commits after this one
    #[arg(long, value_name = "REVISION")]
    pub(crate) since: Option<String>,
    /// Write a folder of pages, with an index and a page for each benchmark at a stable address
    #[arg(long, value_name = "FOLDER")]
    pub(crate) site: Option<PathBuf>,
    /// Format on stdout
    #[arg(long, value_enum, default_value = "terminal")]
    pub(crate) format: HistoryFormat,
}

/// How a history is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HistoryFormat {
    /// Lines for a terminal
    Terminal,
    /// Runs, points and changes (benchgate.chains/1)
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HistoryCommand {
    /// Print the record of a result, for another program to store
    Record {
        /// A result.json of two commits
        result: PathBuf,
    },
    /// Add a result of the default branch to the branch benchgate-history
    Append {
        /// A result.json of two commits
        result: PathBuf,
        #[command(flatten)]
        to: HistoryRemote,
    },
    /// Combine the files of each past month into one
    Compact {
        #[command(flatten)]
        to: HistoryRemote,
    },
}

#[derive(Debug, Args)]
pub(crate) struct HistoryRemote {
    /// Push to this remote [default: write the branch of this repository]
    #[arg(long, value_name = "REMOTE")]
    pub(crate) remote: Option<String>,
}

//! The arguments of `benchgate explain`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::cargo::CargoArgs;

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Benchmarks: a part of the id, as for `cargo bench`; with `*` or `?` a glob over the whole id [default: what the last
    /// `check` flagged]
    #[arg(value_name = "BENCHMARK")]
    pub(crate) benchmarks: Vec<String>,
    /// Benchmarks whose whole id matches; `*` stands for any characters; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) filter: Vec<String>,
    /// Compare with the commit where the head forked from this revision [default: that of the last `check` where no
    /// benchmark is named, or else the parent commit, or the last commit if there are uncommitted changes]
    #[arg(long, value_name = "REVISION")]
    pub(crate) base: Option<String>,
    /// Revision to explain [default: the working tree, with uncommitted changes]
    #[arg(long, value_name = "REVISION")]
    pub(crate) head: Option<String>,
    /// Policy file [default: benchgate.toml of the base commit]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Only benchmarks of suites whose name matches; `*` stands for any characters; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) suite: Vec<String>,
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
    /// Folder of the last check's result.json, into which the explanations go [default: benchgate in the target folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    /// Format on stdout
    #[arg(long, value_enum, default_value = "terminal")]
    pub(crate) format: ExplainFormat,
    /// As `--format json`
    #[arg(long, hide = true, conflicts_with = "format")]
    pub(crate) json: bool,
}

/// How explanations are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExplainFormat {
    /// Tables for a terminal
    Terminal,
    /// Every function and site (benchgate.explanations/2)
    Json,
}

impl ExplainArgs {
    /// Whether JSON is printed.
    pub(crate) fn is_json(&self) -> bool {
        self.json || self.format == ExplainFormat::Json
    }
}

//! The arguments of `benchgate cache`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::cargo::CargoArgs;

#[derive(Debug, Subcommand)]
pub(crate) enum CacheCommand {
    /// List the entries: commit, suite, size, last use; the default
    Show,
    /// Print the folder, which CI may keep between runs
    Path,
    /// Build the benches of a commit as a base, and keep them; no bench is run
    Fill(FillArgs),
    /// Remove the least recently used entries
    Prune {
        /// Maximum number of MiB that are kept; 0 removes everything
        #[arg(long, value_name = "MIB", default_value_t = benchgate_host::store::bases::LARGEST >> 20)]
        max_size: u64,
    },
}

#[derive(Debug, Args)]
pub(crate) struct FillArgs {
    /// The commit that later runs are compared with
    #[arg(default_value = "HEAD")]
    pub(crate) revision: String,
    /// Policy file [default: benchgate.toml of that commit]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Only suites whose name matches; `*` stands for any characters; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) suite: Vec<String>,
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
}

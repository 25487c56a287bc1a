//! The arguments of `benchgate bisect`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::cargo::CargoArgs;

#[derive(Debug, Args)]
pub(crate) struct BisectArgs {
    /// Benchmarks: a part of the id, as for `cargo bench`; with `*` or `?` a glob over the whole id
    #[arg(value_name = "BENCHMARK", required_unless_present_any = ["resume", "filter"])]
    pub(crate) benchmarks: Vec<String>,
    /// Benchmarks whose whole id matches; `*` stands for any characters; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) filter: Vec<String>,
    /// Commit without the slowdown: one of the first parents of the bad one
    #[arg(long, value_name = "REVISION", required_unless_present = "resume")]
    pub(crate) good: Option<String>,
    /// Commit with the slowdown
    #[arg(long, value_name = "REVISION", default_value = "HEAD")]
    pub(crate) bad: String,
    /// Policy file [default: benchgate.toml of the bad commit]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Half of the maximum number of rounds of one step [default: from the policy]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) pairs: Option<u32>,
    /// Only benchmarks of suites whose name matches; `*` stands for any characters; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) suite: Vec<String>,
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
    /// Maximum time, such as 1h; a slowdown not found by then is reported as a range [default: no limit]
    #[arg(long, value_name = "DURATION")]
    pub(crate) budget: Option<humantime::Duration>,
    /// Resume the last search: same commits, benchmarks and seed
    #[arg(long, conflicts_with_all = ["good", "bad", "benchmarks", "filter", "seed"])]
    pub(crate) resume: bool,
    /// Seed of the order of rounds [default: drawn, and recorded]
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Folder for bisect.json, bisect.md and bisect.log [default: benchgate in the target folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    /// Format of the report on stdout
    #[arg(long, value_enum, default_value = "terminal")]
    pub(crate) format: BisectFormat,
}

/// How a bisection is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BisectFormat {
    /// Lines for a terminal
    Terminal,
    /// Markdown for a comment
    Markdown,
    /// Every step (benchgate.bisect/1)
    Json,
}

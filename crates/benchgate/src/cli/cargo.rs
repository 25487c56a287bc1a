//! The arguments of cargo that benchgate takes too.

use std::path::PathBuf;

use benchgate_core::policy::Runtime;
use clap::{Args, ValueEnum};

/// Options that cargo also has.
#[derive(Clone, Debug, Args)]
pub(crate) struct CargoArgs {
    /// Only suites of packages whose name matches; `*` stands for any characters; may be repeated
    #[arg(long, short, value_name = "GLOB", help_heading = "Cargo options")]
    pub(crate) package: Vec<String>,
    /// No suites of packages whose name matches; may be repeated
    #[arg(long, value_name = "GLOB", help_heading = "Cargo options")]
    pub(crate) exclude: Vec<String>,
    /// Features to enable, in addition to the policy's: `feature` or `package/feature`, separated by commas or spaces
    #[arg(
        long,
        short = 'F',
        value_name = "FEATURES",
        value_delimiter = ',',
        help_heading = "Cargo options"
    )]
    pub(crate) features: Vec<String>,
    /// What measures the benchmarks of Criterion [default: from the policy]
    #[arg(long, value_name = "RUNTIME")]
    pub(crate) runtime: Option<RuntimeName>,
    /// Do not enable the features that packages have by default
    #[arg(long, help_heading = "Cargo options")]
    pub(crate) no_default_features: bool,
    /// Enable all features
    #[arg(long, help_heading = "Cargo options")]
    pub(crate) all_features: bool,
    /// Cargo.toml of the workspace, or of a package of it [default: that of this folder or of one above it]
    #[arg(long, value_name = "FILE", help_heading = "Cargo options")]
    pub(crate) manifest_path: Option<PathBuf>,
    /// Maximum number of parallel jobs of a build [default: cargo's own, one for each processor]
    #[arg(
        long,
        short,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u32).range(1..),
        help_heading = "Cargo options"
    )]
    pub(crate) jobs: Option<u32>,
    /// Fail if a Cargo.lock would have to change
    #[arg(long, help_heading = "Cargo options")]
    pub(crate) locked: bool,
    /// Build without a network
    #[arg(long, help_heading = "Cargo options")]
    pub(crate) offline: bool,
}

/// What measures the benchmarks of Criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RuntimeName {
    /// Benchgate's own, which leads both sides in lockstep
    Lockstep,
    /// Criterion itself, in a process for each benchmark
    Criterion,
}

impl From<RuntimeName> for Runtime {
    fn from(name: RuntimeName) -> Self {
        match name {
            RuntimeName::Lockstep => Self::Lockstep,
            RuntimeName::Criterion => Self::Criterion,
        }
    }
}

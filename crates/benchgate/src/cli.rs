//! The command line. Doc comments here are the help text.

#![expect(rustdoc::invalid_html_tags, reason = "a help text names places as <place>")]

use std::path::PathBuf;

use benchgate_core::model::Level;
use benchgate_core::report::RunUrl;
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::exit::Exit;

/// A performance-regression gate for Rust repositories with Criterion benchmarks.
///
/// Red means proven slower, green means measured, and "not proven" is said as such.
#[derive(Debug, Parser)]
#[command(name = "benchgate", version, after_help = Exit::table(), max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build base and head, measure them in alternating rounds, judge, report
    Check(CheckArgs),
    /// Judge two recorded results: exports, baselines, Criterion homes, result.json files
    Compare(CompareArgs),
    /// Committed baselines: save, list, show, verify, diff
    #[command(subcommand)]
    Baseline(BaselineCommand),
    /// Render a result.json again
    Report(ReportArgs),
    /// Say what about this machine makes results noisy, and how to mend it
    Doctor(DoctorArgs),
    /// Show what the gate can see on this machine: copies must be unchanged, canaries seen
    Selftest(SelftestArgs),
    /// Set up another repository: policy, workflow, hook; nothing is overwritten
    Init(InitArgs),
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// What to compare with: the commit where the head forked from this revision. Without it: the
    /// parent commit, or with uncommitted changes the last commit
    #[arg(long, value_name = "REVISION")]
    pub(crate) base: Option<String>,
    /// What to judge, instead of the working tree as it is
    #[arg(long, value_name = "REVISION")]
    pub(crate) head: Option<String>,
    /// Measure the head only and judge it against this machine's committed baseline
    #[arg(long, conflicts_with = "head")]
    pub(crate) baseline: bool,
    /// Only benchmarks that the policy marks as sensitive
    #[arg(long)]
    pub(crate) sensitive: bool,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    /// The level from which on the gate is red for every benchmark, instead of the policy's
    #[arg(long, value_name = "LEVEL", value_enum)]
    pub(crate) fail_on: Option<FailOn>,
    /// Measure suites too whose executables are the same machine code on both sides
    #[arg(long)]
    pub(crate) measure_identical: bool,
    /// The most time for the whole run, such as 10m; what it was too short for is named
    #[arg(long, value_name = "DURATION")]
    pub(crate) budget: Option<humantime::Duration>,
    /// Seed of the order of rounds; without it a fresh one is drawn and recorded
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Folder for result.json and report.md [default: benchgate in the target folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct MeasureArgs {
    /// Policy file, instead of the base commit's benchgate.toml
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// The most first pairs per benchmark, instead of the policy's; of fresh ones twice as many
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) pairs: Option<u32>,
    /// Only benchmarks whose id matches, `*` standing for any characters; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) filter: Vec<String>,
    /// Only benchmarks of the suites whose name matches, `*` standing for any characters; may be
    /// repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) suite: Vec<String>,
    /// Name of this machine, instead of one made of its CPU, cores and memory
    #[arg(long, value_name = "NAME")]
    pub(crate) machine: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Base: a critcmp export, a baseline file or folder, a result.json, or HOME:NAME
    pub(crate) base: String,
    /// Head: the same kinds. Without it, the base is a result.json: both of its sides are judged again,
    /// and the exit code is that of the run
    pub(crate) head: Option<String>,
    /// Decide by the estimates alone, as critcmp's threshold does, without proof
    #[arg(long, requires = "head")]
    pub(crate) estimates: bool,
    /// Policy file [default: benchgate.toml in this folder, if there is one]
    #[arg(long, value_name = "FILE", requires = "head")]
    pub(crate) policy: Option<PathBuf>,
    /// Format of what is printed
    #[arg(long, value_enum, default_value_t = Format::Terminal)]
    pub(crate) format: Format,
    /// Write the result.json here too
    #[arg(long, value_name = "FILE", requires = "head")]
    pub(crate) result: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// A result.json
    pub(crate) result: PathBuf,
    /// Format of what is printed
    #[arg(long, value_enum, default_value_t = Format::Terminal)]
    pub(crate) format: Format,
    /// Only this suite; for a critcmp export, which tells benchmarks apart by their ids alone
    #[arg(long, value_name = "PACKAGE.SUITE")]
    pub(crate) suite: Option<String>,
    /// The most bytes of a report in Markdown; failing rows are kept before all others
    #[arg(long, value_name = "BYTES", default_value_t = benchgate_core::report::GITHUB_COMMENT_LIMIT)]
    pub(crate) max_bytes: usize,
    /// Where GitHub shows the run, for a link in the comment
    #[arg(long, value_name = "URL")]
    pub(crate) run_url: Option<RunUrl>,
    /// Refuse a result whose head is another commit than this one
    #[arg(long, value_name = "COMMIT")]
    pub(crate) head: Option<String>,
}

/// The level from which on the gate is red.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Note, warning and critical
    Note,
    /// Warning and critical
    Warning,
    /// Critical only
    Critical,
}

impl FailOn {
    /// The name that the policy and the command line have for it.
    pub(crate) fn name(self) -> &'static str {
        Level::from(self).name()
    }
}

impl From<FailOn> for Level {
    fn from(level: FailOn) -> Self {
        match level {
            FailOn::Note => Self::Note,
            FailOn::Warning => Self::Warning,
            FailOn::Critical => Self::Critical,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Exit with 101 when a point is blocking
    #[arg(long)]
    pub(crate) check: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// A check whose blocking state is answered for: it becomes advice; may be repeated
    #[arg(long, value_name = "CHECK")]
    pub(crate) allow: Vec<String>,
    /// Read below this folder, as of another machine
    #[arg(long, value_name = "FOLDER", default_value = "/")]
    pub(crate) root: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct SelftestArgs {
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    /// The most time for building and comparing with copies, such as 10m
    #[arg(long, value_name = "DURATION")]
    pub(crate) budget: Option<humantime::Duration>,
    /// Only compare this repository's benchmarks with copies of themselves
    #[arg(long)]
    pub(crate) no_canaries: bool,
    /// Only run the gate on changes of known effect, which are shipped with it
    #[arg(long, conflicts_with = "no_canaries")]
    pub(crate) canaries_only: bool,
    /// Seed of the order of rounds; without it a fresh one is drawn and recorded
    #[arg(long)]
    pub(crate) seed: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Install the pre-commit hook too
    #[arg(long)]
    pub(crate) hook: bool,
    /// Write .github/workflows/benchgate.yml too
    #[arg(long)]
    pub(crate) workflows: bool,
    /// The repository that holds the action, for the workflow
    #[arg(long, value_name = "OWNER/NAME", requires = "workflows")]
    pub(crate) action_repository: Option<String>,
    /// The full commit SHA of that repository to pin the action to
    #[arg(long, value_name = "SHA", requires = "workflows")]
    pub(crate) action_sha: Option<String>,
}

/// Format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table for a terminal
    Terminal,
    /// Markdown for a step summary
    Markdown,
    /// The comment on a pull request
    Github,
    /// The verdict in one line, for a commit status
    Line,
    /// The result itself
    Json,
    /// The head's times as a critcmp export
    Critcmp,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BaselineCommand {
    /// Measure the head commit and write baselines/<machine>/<package>.<suite>.json
    Save(SaveArgs),
    /// List the baselines of the workspace
    List,
    /// Show the values of one baseline file
    Show {
        /// A file below baselines/
        file: PathBuf,
    },
    /// Read every baseline file and say what is wrong
    Verify,
    /// Show how the baselines differ from those of a commit
    Diff {
        /// Commit to compare with
        #[arg(default_value = "HEAD")]
        revision: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SaveArgs {
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    /// Save although the working tree holds changes that are not in the commit
    #[arg(long)]
    pub(crate) allow_dirty: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn the_help_names_every_command_and_every_exit_code() {
        Cli::command().debug_assert();
        insta::assert_snapshot!(Cli::command().term_width(100).render_long_help());
    }
}

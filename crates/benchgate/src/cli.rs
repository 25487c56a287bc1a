//! The command line. Doc comments here are the help text.

#![expect(rustdoc::invalid_html_tags, reason = "a help text names places as <place>")]

mod bisect;
mod cache;
mod cargo;
mod examples;
mod explain;
mod history;
mod output;
mod policy;

use std::path::PathBuf;

use benchgate_core::judge::lacks_something;
use benchgate_core::model::{Level, Shard, Verdict};
use benchgate_core::policy::Thresholds;
use benchgate_core::report::WebAddress;
use benchgate_core::result::RunResult;
use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use self::bisect::{BisectArgs, BisectFormat};
pub(crate) use self::cache::{CacheCommand, FillArgs};
pub(crate) use self::cargo::CargoArgs;
pub(crate) use self::explain::ExplainArgs;
pub(crate) use self::history::{HistoryArgs, HistoryCommand, HistoryFormat};
pub(crate) use self::output::{Format, OutputArgs};
pub(crate) use self::policy::{PolicyCommand, PolicyFormat, PolicyShowArgs};
use crate::exit::Exit;
use crate::show::TERMINAL;

/// A performance-regression gate for Rust repositories with Criterion benchmarks.
///
/// It also gates divan, JMH, whole programs and exact counts.
///
/// Red means proven slower, green means measured, and "not proven" is reported as such.
#[derive(Debug, Parser)]
#[command(name = "benchgate", version, after_help = Exit::table(), max_term_width = 100)]
pub(crate) struct Cli {
    /// Without one: what to type in this folder.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build base and head, measure them in alternating rounds, judge, report
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Judge two recorded results: exports, baselines, Criterion homes, result.json files
    #[command(after_help = examples::COMPARE)]
    Compare(CompareArgs),
    /// Name the functions and lines in which base and head differ
    ///
    /// Counts the instructions of one iteration on both sides with valgrind's callgrind.
    #[command(after_help = examples::EXPLAIN)]
    Explain(ExplainArgs),
    /// Find the commit that made a benchmark slower, or the smallest range that contains it
    ///
    /// Proves the slowdown first, and does not search if none is proven.
    #[command(after_help = examples::BISECT)]
    Bisect(BisectArgs),
    /// Show how benchmarks changed from merge to merge, or write it as a folder of pages
    ///
    /// Runs are recorded on the branch benchgate-history; without any, the committed baselines are shown.
    #[command(after_help = examples::HISTORY)]
    History(HistoryArgs),
    /// Save, list, show, verify or diff committed baselines
    #[command(subcommand, after_help = examples::BASELINE)]
    Baseline(BaselineCommand),
    /// Make one result from all shards of a run; requires every shard exactly once
    #[command(after_help = examples::MERGE)]
    Merge(MergeArgs),
    /// Show, fill or prune the store of built bases
    #[command(after_help = examples::CACHE)]
    Cache {
        #[command(subcommand)]
        command: Option<CacheCommand>,
    },
    /// Render a result.json or a bisect.json again
    #[command(after_help = examples::REPORT)]
    Report(ReportArgs),
    /// List what makes results noisy on this machine, and how to fix it
    #[command(after_help = examples::DOCTOR)]
    Doctor(DoctorArgs),
    /// Show what the gate can detect on this machine: copies must be unchanged, canaries detected
    #[command(after_help = examples::SELFTEST)]
    Selftest(SelftestArgs),
    /// Show a red report: a throw-away repository whose last commit is slower, and the gate on it
    ///
    /// Everything is below benchgate/demo in the user's cache folder. Criterion comes from crates.io, through cargo.
    #[command(after_help = examples::DEMO)]
    Demo,
    /// Set up this repository: policy, workflow, hook; nothing is overwritten
    #[command(after_help = examples::INIT)]
    Init(InitArgs),
    /// Check the policy, or show the value of every setting and where it comes from
    #[command(subcommand, after_help = examples::POLICY)]
    Policy(PolicyCommand),
    /// Print a script that completes commands and flags in a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page of benchgate or of one of its commands
    #[command(after_help = examples::MAN)]
    Man {
        /// The command [default: benchgate itself]
        command: Option<String>,
    },
}

/// Heading of the options that few people need.
const ADVANCED: &str = "Advanced";

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Only these benchmarks: a part of the id, as for `cargo bench`; with `*` or `?` a glob over the whole id
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Compare with the commit where the head forked from this revision [default: the parent commit,
    /// or the last commit if there are uncommitted changes of files that git tracks]
    #[arg(long, value_name = "REVISION")]
    pub(crate) base: Option<String>,
    /// Compare with --base itself, not with the commit where the head forked from it
    #[arg(long, requires = "base")]
    pub(crate) exact_base: bool,
    /// Compare with a release, to detect many small slowdowns that each pass alone; uses the head's policy
    /// [default: the last tag before the head]
    #[arg(long, value_name = "TAG", num_args = 0..=1, conflicts_with_all = ["base", "baseline"])]
    pub(crate) anchor: Option<Option<String>>,
    /// Revision to judge [default: the working tree, with uncommitted changes]
    #[arg(long, value_name = "REVISION")]
    pub(crate) head: Option<String>,
    /// Measure the head only and compare it with this machine's committed baseline
    #[arg(long, conflicts_with = "head")]
    pub(crate) baseline: bool,
    /// Only benchmarks that the policy marks as sensitive
    #[arg(long)]
    pub(crate) sensitive: bool,
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    /// Lowest level that makes the gate red, for every benchmark [default: from the policy]
    #[arg(long, value_name = "LEVEL", value_enum)]
    pub(crate) fail_on: Option<FailOn>,
    /// Percent slower, proven, for note, warning and critical, such as 2,5,10 [default: from the policy]
    #[arg(long, value_name = "LEVELS")]
    pub(crate) levels: Option<Thresholds>,
    /// Also build and measure suites that the change cannot reach, and those with the same machine code on both
    /// sides
    #[arg(long, help_heading = ADVANCED)]
    pub(crate) measure_identical: bool,
    /// Build the base even if `benchgate cache` has it
    #[arg(long, help_heading = ADVANCED)]
    pub(crate) rebuild: bool,
    /// Maximum time for the whole run, such as 10m; benchmarks that did not fit are named [default: no limit]
    #[arg(long, value_name = "DURATION")]
    pub(crate) budget: Option<humantime::Duration>,
    /// Build and measure one part of the suites, such as 2/4, with its share of the error; `benchgate merge` makes
    /// one result of all parts
    #[arg(long, value_name = "NUMBER/OF", conflicts_with_all = ["baseline", "dry_run", "list"])]
    pub(crate) shard: Option<Shard>,
    /// result.json of an earlier run, whose seconds balance the shards; the same file for all of them [default: the
    /// benchmarks that the base commit has baselines of, 1.5 s each and 30 s to build a suite]
    #[arg(long, value_name = "FILE", requires = "shard", help_heading = ADVANCED)]
    pub(crate) durations: Option<PathBuf>,
    /// Resume the interrupted run: same code, seed and plan; pairs already measured count
    #[arg(long, conflicts_with = "seed")]
    pub(crate) resume: bool,
    /// result.json of an earlier attempt on the same base and head: its pairs count, and pairs are added to
    /// benchmarks that it left undecided or found slower
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "shard", "dry_run", "list"])]
    pub(crate) earlier: Option<PathBuf>,
    /// Seed of the order of rounds [default: drawn, and recorded in the result]
    #[arg(long, help_heading = ADVANCED)]
    pub(crate) seed: Option<u64>,
    /// Folder for result.json, report.md and report.html [default: benchgate in the target folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    /// Format of the report on stdout
    #[arg(long, value_parser = Format::parser(), default_value = TERMINAL)]
    pub(crate) format: Format,
    /// Open report.html when it is written, with `xdg-open` or `open`
    #[arg(long, conflicts_with_all = ["dry_run", "list", "explain_affected"])]
    pub(crate) open: bool,
    /// Only list what would be built and measured, with the expected time; builds nothing
    #[arg(long, conflicts_with_all = ["list", "format"])]
    pub(crate) dry_run: bool,
    /// Only list the benchmarks that would be measured; builds the head
    #[arg(long, conflicts_with_all = ["format", "baseline"])]
    pub(crate) list: bool,
    /// Only list the suites, with the changed file that reaches each; builds nothing
    #[arg(long, conflicts_with_all = ["format", "list", "dry_run"])]
    pub(crate) explain_affected: bool,
}

impl CheckArgs {
    /// Returns the preview that is shown instead of a run of the gate; `None` for a run.
    pub(crate) fn preview(&self) -> Option<Preview> {
        let dry_run = self.dry_run.then_some(Preview::DryRun);
        let list = self.list.then_some(Preview::List);
        dry_run.or(list).or_else(|| self.explain_affected.then_some(Preview::Affected))
    }
}

/// A preview that `check` shows instead of running the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preview {
    /// The suites that would be built and measured, and how long it takes.
    DryRun,
    /// The benchmarks that would be measured.
    List,
    /// The suites that the change can reach, and why.
    Affected,
}

#[derive(Debug, Args)]
pub(crate) struct MeasureArgs {
    /// Policy file [default: benchgate.toml of the base commit]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Maximum number of screening pairs per benchmark, with twice as many confirmation pairs
    /// [default: from the policy]
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) pairs: Option<u32>,
    /// Only benchmarks whose whole id matches; `*` stands for any characters; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) filter: Vec<String>,
    /// Only benchmarks of suites whose name matches; `*` stands for any characters; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub(crate) suite: Vec<String>,
    /// Name of this machine [default: derived from its CPU, cores and memory]
    #[arg(long, value_name = "NAME", help_heading = ADVANCED)]
    pub(crate) machine: Option<String>,
    #[command(flatten)]
    pub(crate) cargo: CargoArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// Base: a critcmp export, a baseline file or folder, a result.json, JSON of hyperfine, google/benchmark, JMH or
    /// cargo-criterion, text of bencher or libtest, or HOME:NAME
    pub(crate) base: String,
    /// Head: the same kinds. Without it, BASE is a result.json: its two sides are judged again, and the
    /// exit code is that of the run
    pub(crate) head: Option<String>,
    /// Decide by the estimates alone, as critcmp's threshold does, without proof
    #[arg(long, requires = "head")]
    pub(crate) estimates: bool,
    /// Policy file [default: benchgate.toml in this folder, if there is one]
    #[arg(long, value_name = "FILE", requires = "head")]
    pub(crate) policy: Option<PathBuf>,
    /// Output format
    #[arg(long, value_parser = Format::parser(), default_value = TERMINAL)]
    pub(crate) format: Format,
    /// Also write the result.json to this file
    #[arg(long, value_name = "FILE", requires = "head")]
    pub(crate) result: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The result.json of every shard
    #[arg(required = true)]
    pub(crate) results: Vec<PathBuf>,
    /// Policy file, if the shards were run with one [default: benchgate.toml of the base commit]
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Lowest level that makes the gate red, if the shards were run with one
    #[arg(long, value_name = "LEVEL", value_enum)]
    pub(crate) fail_on: Option<FailOn>,
    /// Percent slower, proven, for note, warning and critical, if the shards were run with them
    #[arg(long, value_name = "LEVELS")]
    pub(crate) levels: Option<Thresholds>,
    /// Folder for result.json, report.md and report.html [default: benchgate in the target folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) output: Option<PathBuf>,
    /// Format of the report on stdout
    #[arg(long, value_parser = Format::parser(), default_value = TERMINAL)]
    pub(crate) format: Format,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// A result.json, or a bisect.json
    pub(crate) result: PathBuf,
    /// Output format
    #[arg(long, value_parser = Format::parser(), default_value = TERMINAL)]
    pub(crate) format: Format,
    /// Only this suite; for a critcmp export, which distinguishes benchmarks by their ids alone
    #[arg(long, value_name = "PACKAGE.SUITE")]
    pub(crate) suite: Option<String>,
    /// Maximum size of a Markdown report; failing rows are kept before all others
    #[arg(long, help_heading = ADVANCED, value_name = "BYTES", default_value_t = benchgate_core::report::GITHUB_COMMENT_LIMIT)]
    pub(crate) max_bytes: usize,
    /// Address of the run on GitHub, for a link in the comment
    #[arg(long, value_name = "URL", help_heading = ADVANCED)]
    pub(crate) run_url: Option<WebAddress>,
    /// Address of the HTML report, for a link in the comment
    #[arg(long, value_name = "URL", help_heading = ADVANCED)]
    pub(crate) page_url: Option<WebAddress>,
    /// Refuse a result whose head is not this commit
    #[arg(long, value_name = "COMMIT", help_heading = ADVANCED)]
    pub(crate) head: Option<String>,
}

/// The lowest level that makes the gate red.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Note, warning and critical
    Note,
    /// Warning and critical
    Warning,
    /// Critical only
    Critical,
    /// None: findings are reported, and the command exits with 0
    Never,
}

impl FailOn {
    /// The level; `None` where none makes the gate red.
    pub(crate) fn level(self) -> Option<Level> {
        match self {
            Self::Note => Some(Level::Note),
            Self::Warning => Some(Level::Warning),
            Self::Critical => Some(Level::Critical),
            Self::Never => None,
        }
    }

    /// The name on the command line.
    pub(crate) fn name(self) -> &'static str {
        self.level().map_or("never", Level::name)
    }

    /// The exit code of a result.
    pub(crate) fn exit(asked: Option<Self>, result: &RunResult) -> Exit {
        Self::exit_of(asked, result.verdict, lacks_something(result))
    }

    /// Where no level makes the gate red, what was found is no failure; what could not be measured is one, also where
    /// something else was found.
    fn exit_of(asked: Option<Self>, verdict: Verdict, lacks_something: bool) -> Exit {
        match (asked, verdict) {
            (Some(Self::Never), Verdict::Regression) if lacks_something => Exit::Incomplete,
            (Some(Self::Never), Verdict::Regression | Verdict::Inconclusive) => Exit::Pass,
            (_, verdict) => verdict.into(),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArgs {
    /// Exit with 101 if a check is blocking
    #[arg(long)]
    pub(crate) check: bool,
    /// Format on stdout
    #[arg(long, value_enum, default_value = "terminal")]
    pub(crate) format: DoctorFormat,
    /// As `--format json`
    #[arg(long, hide = true, conflicts_with = "format")]
    pub(crate) json: bool,
    /// Report this blocking check as advice; may be repeated
    #[arg(long, value_name = "CHECK")]
    pub(crate) allow: Vec<String>,
    /// Read the files of another machine below this folder
    #[arg(long, value_name = "FOLDER", default_value = "/", help_heading = ADVANCED)]
    pub(crate) root: PathBuf,
}

/// How a diagnosis is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DoctorFormat {
    /// Lines for a terminal
    Terminal,
    /// Every check (benchgate.doctor/2)
    Json,
}

impl DoctorArgs {
    /// Whether JSON is printed.
    pub(crate) fn is_json(&self) -> bool {
        self.json || self.format == DoctorFormat::Json
    }
}

#[derive(Debug, Args)]
pub(crate) struct SelftestArgs {
    #[command(flatten)]
    pub(crate) measure: MeasureArgs,
    /// Maximum time for building and comparing with copies, such as 10m [default: no limit]
    #[arg(long, value_name = "DURATION")]
    pub(crate) budget: Option<humantime::Duration>,
    /// Only compare this repository's benchmarks with copies of themselves
    #[arg(long)]
    pub(crate) no_canaries: bool,
    /// Only run the gate on the built-in changes of known effect
    #[arg(long, conflicts_with = "no_canaries")]
    pub(crate) canaries_only: bool,
    /// Seed of the order of rounds [default: drawn, and recorded in the result]
    #[arg(long, help_heading = ADVANCED)]
    pub(crate) seed: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// Also install the pre-commit hook
    #[arg(long)]
    pub(crate) hook: bool,
    /// Also write the workflows that measure, report, save baselines and compare with the last release, to
    /// .github/workflows
    #[arg(long, group = "written")]
    pub(crate) workflows: bool,
    /// Update workflows that an earlier version wrote, keep their runner, and show the difference
    #[arg(long, group = "written", conflicts_with = "hook")]
    pub(crate) update: bool,
    /// Repository that holds the actions, for the workflows [default: the one that this program comes from]
    #[arg(long, value_name = "OWNER/NAME", requires = "written")]
    pub(crate) action_repository: Option<String>,
    /// Full commit SHA of that repository to pin the actions to [default: the commit that this program was built from]
    #[arg(long, value_name = "SHA", requires = "written")]
    pub(crate) action_sha: Option<String>,
    /// Labels of the runner that measures, separated by commas [default: ubuntu-24.04, which GitHub hosts]
    #[arg(long, value_name = "LABELS", requires = "written")]
    pub(crate) runs_on: Option<String>,
    /// The runner is a machine of one's own, as scripts/runner/setup-manjaro.sh sets it up
    #[arg(long, requires = "written", conflicts_with = "runs_on")]
    pub(crate) own_machine: bool,
    /// Pull requests of forks: auto measures them on machines that GitHub hosts, refuse nowhere [default: auto on such
    /// a machine]
    #[arg(long, value_name = "WHAT", value_parser = ["auto", "refuse"], requires = "written")]
    pub(crate) forks: Option<String>,
    /// Pull requests of bots: measure at once, or refuse until somebody with write access has run them again
    /// [default: measure on a machine that GitHub hosts]
    #[arg(long, value_name = "WHAT", value_parser = ["measure", "refuse"], requires = "written")]
    pub(crate) bots: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BaselineCommand {
    /// Measure the head commit and write baselines/<machine>/<package>.<suite>.json
    Save(SaveArgs),
    /// List the baselines of the workspace
    List,
    /// Show the values of a baseline file
    Show {
        /// File below baselines/
        file: PathBuf,
    },
    /// Read every baseline file and report errors
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
    /// Save even if the working tree has uncommitted changes
    #[arg(long)]
    pub(crate) allow_dirty: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn where_no_level_fails_what_is_found_is_no_failure_and_what_was_not_measured_is_one() {
        for (verdict, lacks, fails, never) in [
            (Verdict::Pass, false, Exit::Pass, Exit::Pass),
            (Verdict::Regression, false, Exit::Regression, Exit::Pass),
            (Verdict::Regression, true, Exit::Regression, Exit::Incomplete),
            (Verdict::Inconclusive, false, Exit::Inconclusive, Exit::Pass),
            (Verdict::Incomplete, true, Exit::Incomplete, Exit::Incomplete),
        ] {
            assert_eq!(FailOn::exit_of(None, verdict, lacks), fails);
            assert_eq!(FailOn::exit_of(Some(FailOn::Note), verdict, lacks), fails);
            assert_eq!(FailOn::exit_of(Some(FailOn::Never), verdict, lacks), never);
        }
    }

    #[test]
    fn the_help_names_every_command_and_every_exit_code() {
        Cli::command().debug_assert();
        insta::assert_snapshot!(Cli::command().term_width(100).render_long_help());
    }
}

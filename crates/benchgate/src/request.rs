//! Requests as plain values: the types of the command line end here.

mod flags;

use std::path::PathBuf;
use std::time::Duration;

use benchgate_core::model::Shard;
use benchgate_core::policy::{Runtime, Thresholds};

use crate::cli::{CargoArgs, CheckArgs, FailOn, FillArgs, MeasureArgs, SelftestArgs};

/// The benchmarks that the command line selects. Globs that are empty select all.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Selection {
    /// Globs over ids.
    pub(crate) filter: Vec<String>,
    /// Globs over suites.
    pub(crate) suites: Vec<String>,
    /// Globs over packages.
    pub(crate) packages: Vec<String>,
    /// Globs over packages to exclude.
    pub(crate) exclude: Vec<String>,
    /// Whether only benchmarks that the policy marks as sensitive are measured.
    pub(crate) sensitive: bool,
}

/// Returns the globs of benchmarks, in the same way for every command: those of `--filter`, and those of names. A name is a
/// part of the id, as `cargo bench` takes it, and with `*` or `?` a glob over the whole id.
pub(crate) fn globs_of(filter: &[String], names: &[String]) -> Vec<String> {
    let glob = |name: &String| {
        if name.contains(['*', '?']) { name.clone() } else { format!("*{name}*") }
    };
    filter.iter().cloned().chain(names.iter().map(glob)).collect()
}

/// The selection of benchmarks, and how they are measured.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MeasureRequest {
    /// The selection of benchmarks.
    pub(crate) selection: Selection,
    /// Policy file, instead of the base commit's.
    pub(crate) policy: Option<PathBuf>,
    /// Maximum number of screening pairs per benchmark, instead of the policy's.
    pub(crate) pairs: Option<u32>,
    /// Name of this machine, instead of the derived one.
    pub(crate) machine: Option<String>,
    /// Features in addition to the policy's.
    pub(crate) features: Vec<String>,
    /// What measures the benchmarks of Criterion, instead of the policy's.
    pub(crate) runtime: Option<Runtime>,
    /// Whether the features that packages have by default are not enabled.
    pub(crate) no_default_features: bool,
    /// Whether all features are enabled.
    pub(crate) all_features: bool,
    /// Options of cargo for every build.
    pub(crate) cargo_options: Vec<&'static str>,
    /// Maximum number of parallel jobs of a build, instead of cargo's own.
    pub(crate) jobs: Option<u32>,
    /// `Cargo.toml` of the workspace, instead of that around the current folder.
    pub(crate) manifest_path: Option<PathBuf>,
}

/// The revision that the head is compared with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Base {
    /// The commit where it forked from this revision.
    Fork(String),
    /// This revision itself.
    Exact(String),
    /// This release.
    Release(String),
    /// The last release before it.
    LastRelease,
}

impl Base {
    /// Whether it is a release, and not the origin of a change.
    pub(crate) fn is_release(&self) -> bool {
        matches!(self, Self::Release(_) | Self::LastRelease)
    }
}

impl CheckRequest {
    /// Whether it is compared with a release.
    pub(crate) fn is_anchored(&self) -> bool {
        self.base.as_ref().is_some_and(Base::is_release)
    }
}

/// A run of the gate.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CheckRequest {
    /// The revision that the head is compared with; `None` for its parent or the last commit.
    pub(crate) base: Option<Base>,
    /// The revision that is judged; `None` for the working tree.
    pub(crate) head: Option<String>,
    /// Whether the committed baseline decides.
    pub(crate) baseline: bool,
    /// The selection of benchmarks, and how they are measured.
    pub(crate) measure: MeasureRequest,
    /// The lowest level that makes the gate red, instead of the policy's.
    pub(crate) fail_on: Option<FailOn>,
    /// The sizes of the levels, instead of the policy's.
    pub(crate) levels: Option<Thresholds>,
    /// Whether suites with the same machine code on both sides are measured too.
    pub(crate) measure_identical: bool,
    /// Maximum time for the whole run.
    pub(crate) budget: Option<Duration>,
    /// Seed of the order of rounds.
    pub(crate) seed: Option<u64>,
    /// Whether the base is built, even if it was before.
    pub(crate) rebuild: bool,
    /// The part of the run that is built and measured.
    pub(crate) shard: Option<Shard>,
    /// A result whose seconds balance the shards.
    pub(crate) durations: Option<PathBuf>,
    /// Whether the interrupted run is resumed.
    pub(crate) resume: bool,
    /// The result of an earlier attempt, whose pairs count.
    pub(crate) earlier: Option<PathBuf>,
    /// Folder for the result.
    pub(crate) output: Option<PathBuf>,
    /// Whether the page is opened.
    pub(crate) open: bool,
}

/// A self-test.
#[derive(Clone, Debug, Default)]
pub(crate) struct SelftestRequest {
    /// The selection of benchmarks.
    pub(crate) measure: MeasureRequest,
    /// Maximum time for building and comparing with copies.
    pub(crate) budget: Option<Duration>,
    /// Whether copies are compared.
    pub(crate) copies: bool,
    /// Whether the gate is run on canaries.
    pub(crate) canaries: bool,
    /// Seed of the order of rounds.
    pub(crate) seed: Option<u64>,
}

impl From<MeasureArgs> for MeasureRequest {
    fn from(arguments: MeasureArgs) -> Self {
        let MeasureArgs { policy, pairs, filter, suite, machine, cargo } = arguments;
        let mut request = Self { policy, pairs, machine, ..(&cargo).into() };
        request.selection = Selection { filter, suites: suite, ..request.selection };
        request
    }
}

impl From<&CargoArgs> for MeasureRequest {
    fn from(arguments: &CargoArgs) -> Self {
        let CargoArgs { package: packages, exclude, features, locked, offline, .. } =
            arguments.clone();
        let &CargoArgs { no_default_features, all_features, runtime, jobs, .. } = arguments;
        // As cargo takes them: separated by spaces, too.
        let features =
            features.iter().flat_map(|names| names.split_whitespace().map(str::to_owned));
        let features = features.collect();
        let options = [("--locked", locked), ("--offline", offline)];
        let cargo_options = options.into_iter().filter(|(_, given)| *given).map(|(name, _)| name);
        Self {
            selection: Selection { packages, exclude, ..Selection::default() },
            features,
            runtime: runtime.map(Runtime::from),
            no_default_features,
            all_features,
            cargo_options: cargo_options.collect(),
            jobs,
            manifest_path: arguments.manifest_path.clone(),
            ..Self::default()
        }
    }
}

impl From<FillArgs> for MeasureRequest {
    fn from(arguments: FillArgs) -> Self {
        let FillArgs { policy, suite, cargo, .. } = arguments;
        let (pairs, filter, machine) = (None, Vec::new(), None);
        MeasureArgs { policy, pairs, filter, suite, machine, cargo }.into()
    }
}

impl From<CheckArgs> for CheckRequest {
    fn from(arguments: CheckArgs) -> Self {
        let CheckArgs { base, anchor, head, baseline, sensitive, measure, fail_on, .. } = arguments;
        let CheckArgs { levels, measure_identical, budget, seed, resume, output, .. } = arguments;
        let CheckArgs { shard, durations, rebuild, earlier, exact_base, names, open, .. } =
            arguments;
        let named = if exact_base { Base::Exact } else { Base::Fork };
        let mut measure = MeasureRequest::from(measure);
        measure.selection.sensitive = sensitive;
        measure.selection.filter = globs_of(&measure.selection.filter, &names);
        let release = |tag: Option<String>| tag.map_or(Base::LastRelease, Base::Release);
        Self {
            base: anchor.map(release).or(base.map(named)),
            head,
            baseline,
            measure,
            fail_on,
            levels,
            measure_identical,
            rebuild,
            budget: budget.map(Duration::from),
            seed,
            shard,
            durations,
            resume,
            earlier,
            output,
            open,
        }
    }
}

impl From<SelftestArgs> for SelftestRequest {
    fn from(arguments: SelftestArgs) -> Self {
        let SelftestArgs { measure, budget, no_canaries, canaries_only, seed } = arguments;
        Self {
            measure: measure.into(),
            budget: budget.map(Duration::from),
            copies: !canaries_only,
            canaries: !no_canaries,
            seed,
        }
    }
}

//! State that is shared by the commands that build: repository, workspace, machine, built sides.

mod selection;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use benchgate_core::judge::{Match, match_sides};
use benchgate_core::model::{BenchmarkKey, Finding, Machine, Side, Sides, SkipReason, SuiteKey};
use benchgate_core::policy::{Policy, Sandbox};
use benchgate_core::result::{ShardReport, SuiteReport};
use benchgate_host::cargo::Workspace;
use benchgate_host::git::{Repository, Revision};
use benchgate_host::measure::Inventory;
use benchgate_host::sandbox::Kernel;
use benchgate_host::sides::{BuildDir, BuiltSide, Executable};
use benchgate_host::{HostError, Progress, machine, platform};

use crate::error::CommandError;
use crate::request::MeasureRequest;

/// Everything known before something is built.
pub(crate) struct Session {
    pub(crate) repository: Repository,
    pub(crate) workspace: Workspace,
    pub(crate) machine: Machine,
    /// Restrictions that the kernel supports for builds and rounds.
    pub(crate) kernel: Kernel,
    /// Whether only what the policy marks as sensitive is measured.
    pub(crate) sensitive: bool,
    /// The part of the run that is built and measured, and what each other one builds.
    pub(crate) shard: Option<ShardReport>,
    filter: Vec<String>,
    suites: Vec<String>,
    packages: Vec<String>,
    exclude: Vec<String>,
    cargo_options: Vec<&'static str>,
}

/// One side that was built and asked; or the report of why it could not be.
pub(crate) struct Prepared {
    pub(crate) built: Option<BuiltSide>,
    pub(crate) inventory: Inventory,
}

impl Session {
    pub(crate) fn open(request: &MeasureRequest) -> Result<Self, CommandError> {
        platform::require()?;
        let here = std::env::current_dir().map_err(HostError::from)?;
        let repository = Repository::around(&here)?;
        let kernel = kernel()?;
        let workspace = around(&here, &kernel)?;
        let machine = machine::fingerprint(request.machine.as_deref())?;
        Ok(Self {
            repository,
            workspace,
            machine,
            kernel,
            sensitive: false,
            shard: None,
            filter: request.filter.clone(),
            suites: request.suites.clone(),
            packages: request.packages.clone(),
            exclude: request.exclude.clone(),
            cargo_options: request.cargo_options.clone(),
        })
    }

    /// The folders of a run, and the sandbox that the policy asks for.
    pub(crate) fn build_dir(&self, policy: &Policy) -> Result<BuildDir, HostError> {
        let sandbox = self.kernel.sandbox(&policy.sandbox);
        BuildDir::open(&self.repository, &self.workspace, sandbox)
    }

    /// The working tree, or the revision that the user named.
    pub(crate) fn head(&self, named: Option<&str>) -> Result<Revision, CommandError> {
        Ok(match named {
            Some(name) => self.repository.commit(name)?,
            None => self.repository.working_tree(&self.workspace.target_dir)?,
        })
    }

    /// Builds a side and asks its executables.
    pub(crate) fn prepare(
        &self,
        side: Side,
        revision: &Revision,
        build_dir: &BuildDir,
        policy: &Policy,
        progress: &dyn Progress,
    ) -> Result<Prepared, CommandError> {
        let built = self.build(side, revision, build_dir, policy, progress)?;
        ask(side, built, |_| true, build_dir, policy, progress)
    }

    /// Builds a side. One that does not build is a finding, not an error: the report says so.
    pub(crate) fn build(
        &self,
        side: Side,
        revision: &Revision,
        build_dir: &BuildDir,
        policy: &Policy,
        progress: &dyn Progress,
    ) -> Result<Result<BuiltSide, SuiteReport>, CommandError> {
        match build_dir.build(side, &self.repository, revision, &policy.build, progress) {
            Ok(mut built) => {
                benchgate_host::suites::build(
                    build_dir,
                    side,
                    &mut built,
                    &policy.suites,
                    progress,
                )?;
                Ok(Ok(built))
            }
            Err(HostError::Cargo { what, output }) => {
                progress.done();
                let reason = format!("cargo could not {what}");
                Ok(Err(SuiteReport::failed(SuiteKey::of_all(), reason, output)))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Matches the benchmarks of both sides, without suites that failed; left-out benchmarks are skipped.
    pub(crate) fn matches(
        &self,
        keys: impl Fn(&Inventory) -> BTreeSet<BenchmarkKey>,
        inventories: Sides<&Inventory>,
        policy: &Policy,
        declared: Option<&Policy>,
    ) -> Vec<Match> {
        let Sides { base, head } = inventories;
        let failed: Vec<SuiteKey> = base
            .suites_left_out
            .iter()
            .chain(&head.suites_left_out)
            .filter(|suite| suite.finding == Finding::Failed)
            .map(SuiteReport::key)
            .collect();
        // Of a suite that failed as a whole there is one report, not one for each of its benchmarks.
        let keys = |inventory: &Inventory| {
            let mut keys = keys(inventory);
            keys.retain(|key| !failed.iter().any(|suite| key.is_of(suite)));
            keys
        };
        match_sides(&keys(base), &keys(head), policy, declared)
            .into_iter()
            .map(|matched| match self.left_out(matched.key(), policy) {
                Some(reason) => Match::Skipped(matched.key().clone(), reason.to_owned()),
                None => matched,
            })
            .collect()
    }
}

/// Detects the restrictions that the kernel supports; this program applies them.
fn kernel() -> Result<Kernel, HostError> {
    Ok(Kernel::here(std::env::current_exe()?))
}

/// The workspace around the folder in which the user called us.
pub(crate) fn workspace() -> Result<Workspace, HostError> {
    around(&std::env::current_dir()?, &kernel()?)
}

/// The workspace around a folder, which may name the cargo that reads it: on a runner it is a pull request's.
fn around(here: &Path, kernel: &Kernel) -> Result<Workspace, HostError> {
    let top = Repository::around(here).map_or_else(|_| here.to_owned(), |it| it.top().to_owned());
    Workspace::around_in(here, &kernel.sandbox(&Sandbox::default()).of_checkout(&top)?)
}

/// Asks those executables of a side that are `wanted`.
pub(crate) fn ask(
    side: Side,
    built: Result<BuiltSide, SuiteReport>,
    wanted: impl Fn(&Executable) -> bool,
    build_dir: &BuildDir,
    policy: &Policy,
    progress: &dyn Progress,
) -> Result<Prepared, CommandError> {
    let mut inventory = Inventory::default();
    let built = match built {
        Ok(built) => built,
        Err(failed) => {
            inventory.suites_left_out.push(failed);
            return Ok(Prepared { built: None, inventory });
        }
    };
    progress.phase(&format!("asking {} what it holds", side.name()));
    let executables = built.executables.iter().filter(|executable| wanted(executable));
    inventory = Inventory::of(executables, &policy.measure, &scratch(build_dir), progress)?;
    inventory.suites_left_out.extend(built.left_out.iter().cloned());
    progress.done();
    Ok(Prepared { built: Some(built), inventory })
}

/// Suites that were not measured, each once; a failure says on which side.
pub(crate) fn suites(base: Option<&Inventory>, head: &Inventory) -> Vec<SuiteReport> {
    let mut all: Vec<SuiteReport> = Vec::new();
    let sides = [(Side::Head, Some(head)), (Side::Base, base)];
    // Of a suite that registers benchmarks on one side alone, those are missing or new.
    let is_elsewhere = |side, suite: &SuiteReport| {
        let other = if side == Side::Head { base } else { Some(head) };
        suite.skip == Some(SkipReason::NoBenchmarks)
            && other.is_some_and(|other| other.has(&suite.key()))
    };
    for (side, inventory) in sides {
        for suite in inventory.map(|i| i.suites_left_out.as_slice()).unwrap_or_default() {
            let mut suite = suite.clone();
            if matches!(suite.finding, Finding::Failed | Finding::Inconclusive) {
                suite.reason = format!("{}: {}", side.name(), suite.reason);
            } else if all.iter().any(|s| s.key() == suite.key()) || is_elsewhere(side, &suite) {
                continue;
            }
            all.push(suite);
        }
    }
    all.sort_by_key(SuiteReport::key);
    all
}

/// The folder of short-lived files of rounds.
pub(crate) fn scratch(build_dir: &BuildDir) -> PathBuf {
    build_dir.work.join("run")
}

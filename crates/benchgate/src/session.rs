//! What `check`, `baseline save` and `selftest` share: repository, workspace, machine, built sides.

use std::collections::BTreeSet;
use std::path::PathBuf;

use benchgate_core::judge::{Match, match_sides};
use benchgate_core::model::{BenchmarkKey, Finding, Machine, Side, Sides, SkipReason, SuiteKey};
use benchgate_core::policy::{Policy, Selector};
use benchgate_core::result::SuiteReport;
use benchgate_host::cargo::Workspace;
use benchgate_host::git::{Repository, Revision};
use benchgate_host::measure::Inventory;
use benchgate_host::sides::{BuildDir, BuiltSide, Executable};
use benchgate_host::{HostError, Progress, machine};

use crate::error::CommandError;
use crate::request::MeasureRequest;

/// Everything known before something is built.
pub(crate) struct Session {
    pub(crate) repository: Repository,
    pub(crate) workspace: Workspace,
    pub(crate) machine: Machine,
    /// Whether only what the policy marks as sensitive is measured.
    pub(crate) sensitive: bool,
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
        let here = std::env::current_dir().map_err(HostError::from)?;
        let repository = Repository::around(&here)?;
        let workspace = Workspace::around(&here)?;
        let machine = machine::fingerprint(request.machine.as_deref())?;
        Ok(Self {
            repository,
            workspace,
            machine,
            sensitive: false,
            filter: request.filter.clone(),
            suites: request.suites.clone(),
            packages: request.packages.clone(),
            exclude: request.exclude.clone(),
            cargo_options: request.cargo_options.clone(),
        })
    }

    /// The working tree, or the revision that the user named.
    pub(crate) fn head(&self, named: Option<&str>) -> Result<Revision, CommandError> {
        Ok(match named {
            Some(name) => self.repository.commit(name)?,
            None => self.repository.working_tree(&self.workspace.target_dir)?,
        })
    }

    /// Has only those suites built that hold what is asked for, and none that the policy skips; says
    /// whether some are not asked for.
    pub(crate) fn narrow(&self, build_dir: &mut BuildDir, policy: &Policy) -> bool {
        build_dir.cargo_options.clone_from(&self.cargo_options);
        let selectors = |globs: &[String], of: fn(&str) -> Selector| -> Vec<Selector> {
            globs.iter().map(|glob| of(glob)).collect()
        };
        let named = selectors(&self.suites, Selector::suite);
        let packages = selectors(&self.packages, Selector::package);
        let exclude = selectors(&self.exclude, Selector::package);
        let sensitive = self.sensitive.then(|| policy.sensitive_selectors());
        let skips = policy.clone();
        build_dir.leave_out(move |package, suite| {
            let is_in = |selectors: &[Selector]| {
                selectors.iter().any(|selector| selector.is_about_suite(package, suite))
            };
            let left_out_by = if !named.is_empty() && !is_in(&named) {
                Some("--suite")
            } else if !packages.is_empty() && !is_in(&packages) {
                Some("--package")
            } else if is_in(&exclude) {
                Some("--exclude")
            } else if sensitive.as_deref().is_some_and(|sensitive| !is_in(sensitive)) {
                Some("--sensitive")
            } else {
                None
            };
            if let Some(option) = left_out_by {
                let reason = format!("left out by {option}: it is not built");
                return Some((SkipReason::NotSelected, reason));
            }
            let reason = skips.suite_skip_reason(package, suite)?;
            Some((SkipReason::Policy, format!("left out by `[[skip]]`, and not built: {reason}")))
        });
        let globs = [&self.suites, &self.packages, &self.exclude];
        self.sensitive || globs.iter().any(|globs| !globs.is_empty())
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
                Ok(Err(SuiteReport {
                    package: String::new(),
                    suite: String::new(),
                    finding: Finding::Failed,
                    skip: None,
                    reason: format!("cargo could not {what}"),
                    output,
                }))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// What is to be done with every benchmark of either side.
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
        let benchmarks: Vec<_> = self.filter.iter().map(|glob| Selector::benchmark(glob)).collect();
        let suites: Vec<_> = self.suites.iter().map(|glob| Selector::suite(glob)).collect();
        let packages: Vec<_> = self.packages.iter().map(|glob| Selector::package(glob)).collect();
        let exclude: Vec<_> = self.exclude.iter().map(|glob| Selector::package(glob)).collect();
        let is_in = |selectors: &[Selector], key: &BenchmarkKey| {
            selectors.iter().any(|selector| selector.matches(key))
        };
        let wanted = |selectors: &[Selector], key: &BenchmarkKey| {
            selectors.is_empty() || is_in(selectors, key)
        };
        match_sides(&keys(base), &keys(head), policy, declared)
            .into_iter()
            .map(|matched| {
                let key = matched.key();
                if !wanted(&suites, key) {
                    Match::Skipped(key.clone(), "left out by --suite".to_owned())
                } else if !wanted(&packages, key) {
                    Match::Skipped(key.clone(), "left out by --package".to_owned())
                } else if is_in(&exclude, key) {
                    Match::Skipped(key.clone(), "left out by --exclude".to_owned())
                } else if !wanted(&benchmarks, key) {
                    Match::Skipped(key.clone(), "left out by --filter".to_owned())
                } else if self.sensitive && !policy.limits_for(key).sensitive {
                    Match::Skipped(key.clone(), "left out by --sensitive".to_owned())
                } else {
                    matched
                }
            })
            .collect()
    }
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
    for (side, inventory) in sides {
        for suite in inventory.map(|i| i.suites_left_out.as_slice()).unwrap_or_default() {
            let mut suite = suite.clone();
            if matches!(suite.finding, Finding::Failed | Finding::Inconclusive) {
                suite.reason = format!("{}: {}", side.name(), suite.reason);
            } else if all.iter().any(|s| s.key() == suite.key()) {
                continue;
            }
            all.push(suite);
        }
    }
    all.sort_by_key(SuiteReport::key);
    all
}

/// Where Criterion homes and other short-lived things are.
pub(crate) fn scratch(build_dir: &BuildDir) -> PathBuf {
    build_dir.work.join("run")
}

//! Builds sides, and asks what their executables hold.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use benchgate_core::model::{Finding, Side, Sides, SuiteKey};
use benchgate_core::policy::{FILE_NAME, Policy};
use benchgate_core::result::SuiteReport;
use benchgate_host::cargo::choice::Choice;
use benchgate_host::git::{Repository, Revision};
use benchgate_host::measure::Inventory;
use benchgate_host::sides::{BuildDir, BuiltSide, Executable};
use benchgate_host::{HostError, Progress};

use crate::error::CommandError;

/// Where and how the sides of a run are built, and which suites.
pub(crate) struct Building<'a> {
    pub(crate) repository: &'a Repository,
    pub(crate) build_dir: &'a BuildDir,
    pub(crate) policy: &'a Policy,
    pub(crate) choice: Choice<'a>,
    pub(crate) progress: &'a dyn Progress,
}

/// A side that was built and listed; or the report of why it could not be.
#[derive(Default)]
pub(crate) struct Prepared {
    pub(crate) built: Option<BuiltSide>,
    pub(crate) inventory: Inventory,
    /// Whether it was not built for a reason of before cargo's build: no other way of building helps.
    failed_before_cargo: bool,
}

/// Why a side is not built.
pub(crate) struct NotBuilt {
    pub(crate) report: SuiteReport,
    failed_before_cargo: bool,
}

impl NotBuilt {
    fn new(reason: String, output: String, failed_before_cargo: bool) -> Self {
        let report = SuiteReport::failed(SuiteKey::of_all(), reason, output);
        Self { report, failed_before_cargo }
    }
}

impl Building<'_> {
    /// Builds a side and asks its executables.
    pub(crate) fn prepare(
        &self,
        side: Side,
        revision: &Revision,
    ) -> Result<Prepared, CommandError> {
        let prepare = || self.ask(side, self.build(side, revision)?, |_| true);
        let prepared = prepare()?;
        let alone = match side {
            Side::Base => Sides { base: Some(&prepared), head: None },
            Side::Head => Sides { base: None, head: Some(&prepared) },
        };
        let refused = refused(alone, self.policy, self.build_dir);
        if refused.is_empty() {
            return Ok(prepared);
        }
        // Its checkout goes before the new one takes its place.
        drop(prepared);
        self.build_dir.build_as_cargo_does(refused.keys().cloned());
        let mut prepared = prepare()?;
        let notice = notice(&refused, &BTreeMap::new(), [&prepared]);
        if let Some(built) = &mut prepared.built {
            built.notices.extend(notice);
        }
        Ok(prepared)
    }

    /// Builds both sides, the base first: the head's checkout comes after it, see `benchgate_host::sides`.
    pub(crate) fn both(
        &self,
        revisions: Sides<&Revision>,
    ) -> Result<Sides<Result<BuiltSide, NotBuilt>>, CommandError> {
        let mut built = revisions.try_map(|side, revision| self.build(side, revision))?;
        if let Sides { base: Ok(base), head: Ok(head) } = &built
            && let Some(failed) = filtered_differently(Sides::new(base, head))
        {
            built.head = Err(failed);
        }
        Ok(built)
    }

    /// Builds the bench targets of a side.
    pub(crate) fn bench_targets(
        &self,
        side: Side,
        revision: &Revision,
    ) -> Result<BuiltSide, HostError> {
        let Self { repository, build_dir, policy, choice, progress } = self;
        build_dir.build(side, repository, revision, &policy.build, choice, *progress)
    }

    /// Builds a side. A side that does not build is a finding of the report, not an error.
    pub(crate) fn build(
        &self,
        side: Side,
        revision: &Revision,
    ) -> Result<Result<BuiltSide, NotBuilt>, CommandError> {
        let Self { build_dir, policy, choice, progress, .. } = self;
        match self.bench_targets(side, revision) {
            Ok(mut built) => {
                let suites = &policy.suites;
                benchgate_host::harness::suites::build(
                    build_dir, side, &mut built, suites, choice, *progress,
                )?;
                Ok(Ok(built))
            }
            Err(HostError::Cargo { what, output }) => {
                progress.done();
                let reason = format!("cargo could not {what}");
                Ok(Err(NotBuilt::new(reason, output, false)))
            }
            Err(HostError::Before { command, key, how, output }) => {
                progress.done();
                let reason = format!("`{command}` of {key} in {FILE_NAME} {how}");
                Ok(Err(NotBuilt::new(reason, output, true)))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Asks those executables of a side that are `wanted`.
    pub(crate) fn ask(
        &self,
        side: Side,
        built: Result<BuiltSide, NotBuilt>,
        wanted: impl Fn(&Executable) -> bool,
    ) -> Result<Prepared, CommandError> {
        let mut inventory = Inventory::default();
        let built = match built {
            Ok(built) => built,
            Err(NotBuilt { report, failed_before_cargo }) => {
                inventory.suites_left_out.push(report);
                return Ok(Prepared { built: None, inventory, failed_before_cargo });
            }
        };
        self.progress.phase(&format!("asking {} what it holds", side.name()));
        let executables = built.executables.iter().filter(|executable| wanted(executable));
        let scratch = scratch(self.build_dir);
        inventory = Inventory::of(executables, &self.policy.measure, &scratch, self.progress)?;
        inventory.suites_left_out.extend(built.left_out.iter().cloned());
        self.progress.done();
        Ok(Prepared { built: Some(built), inventory, failed_before_cargo: false })
    }
}

/// Sides of which one alone has large files, and the other what the commit has for them: they read other data.
fn filtered_differently(sides: Sides<&BuiltSide>) -> Option<NotBuilt> {
    let failures = sides.map(BuiltSide::filter_failures);
    if failures.base.len() == failures.head.len() {
        return None;
    }
    let [side, other] = match failures.base.len() > failures.head.len() {
        true => [Side::Base, Side::Head],
        false => [Side::Head, Side::Base],
    };
    let reason = format!(
        "a filter of git failed for the {} and not for the {}: get the files, as with `git lfs fetch --all`, and \
         check again",
        side.name(),
        other.name()
    );
    Some(NotBuilt::new(reason, failures[side].join("\n"), true))
}

/// The folder of short-lived files of rounds.
pub(crate) fn scratch(build_dir: &BuildDir) -> PathBuf {
    build_dir.work.join("run")
}

/// The suites of sides that were to be led and cannot be, and why.
pub(crate) fn refused(
    sides: Sides<Option<&Prepared>>,
    policy: &Policy,
    build_dir: &BuildDir,
) -> BTreeMap<SuiteKey, String> {
    let mut refused = BTreeMap::new();
    if !build_dir.has_stand_ins() {
        return refused;
    }
    for (side, prepared) in sides.iter() {
        let Some(prepared) = prepared else { continue };
        let by_runtime = |suite: &&SuiteReport| {
            prepared.may_fail_led(suite, policy) && !build_dir.is_broken_without(side, &suite.key())
        };
        for suite in prepared.failed().filter(by_runtime) {
            let reason = format!("{}: {}", side.name(), suite.reason);
            refused.entry(suite.key()).or_insert(reason);
        }
    }
    if let Some(sides) = sides.both() {
        let is_led = sides.map(|prepared| {
            let executables = prepared.built.iter().flat_map(|built| &built.executables);
            executables.map(|executable| (executable.key.clone(), executable.is_led)).collect()
        });
        let Sides::<BTreeMap<SuiteKey, bool>> { base, head } = is_led;
        for (suite, of_base) in base {
            if head.get(&suite).is_some_and(|of_head| *of_head != of_base) {
                refused
                    .entry(suite)
                    .or_insert_with(|| "it can be led on one side alone".to_owned());
            }
        }
    }
    refused.retain(|suite, _| build_dir.may_be_led(suite));
    refused
}

impl Prepared {
    /// The suites that failed. A base that does not build where the head does is inconclusive.
    fn failed(&self) -> impl Iterator<Item = &SuiteReport> {
        let is_failed =
            |suite: &&SuiteReport| matches!(suite.finding, Finding::Failed | Finding::Inconclusive);
        self.inventory.suites_left_out.iter().filter(is_failed)
    }

    /// Whether the runtime may be why a suite failed: it is in it, or the suite was not built.
    fn may_fail_led(&self, suite: &SuiteReport, policy: &Policy) -> bool {
        let key = suite.key();
        let executables = self.built.iter().flat_map(|built| &built.executables);
        let of_suite = executables.into_iter().find(|executable| executable.key == key);
        let is_declared = policy.suites.iter().any(|declared| declared.name == key.suite);
        let is_led = of_suite.map_or(!is_declared, |executable| executable.is_led);
        is_led && !self.failed_before_cargo
    }
}

/// A notice about suites that are measured, but not led; none of those that fail without the runtime, too, and of those
/// that `are_same` and need no measuring.
pub(crate) fn notice<'a>(
    refused: &BTreeMap<SuiteKey, String>,
    are_same: &BTreeMap<SuiteKey, String>,
    sides: impl IntoIterator<Item = &'a Prepared>,
) -> Option<String> {
    let still: BTreeSet<SuiteKey> =
        sides.into_iter().flat_map(Prepared::failed).map(SuiteReport::key).collect();
    let named: Vec<String> = refused
        .iter()
        .filter(|(suite, _)| !still.contains(suite) && !still.contains(&SuiteKey::of_all()))
        .filter(|(suite, _)| !are_same.contains_key(suite))
        .map(|(suite, reason)| format!("`{suite}` ({reason})"))
        .collect();
    (!named.is_empty()).then(|| {
        format!(
            "measured by Criterion itself, because it could not be led in lockstep: {}",
            named.join("; ")
        )
    })
}

//! Which suites of a side are built with the gate's own runtime in Criterion's place.

use std::collections::BTreeSet;
use std::path::Path;

use benchgate_core::model::{Side, SuiteKey};
use benchgate_core::policy::{Build, Runtime};
use cargo_metadata::PackageId;

use super::BuildDir;
use crate::cargo::building::{Building, Built, Folders};
use crate::cargo::dependencies::Dependencies;
use crate::cargo::stand_ins::StandIns;
use crate::cargo::start::{self, Start};
use crate::cargo::{BenchTarget, Workspace};
use crate::system::files;
use crate::{HostError, Progress};

/// What was built of a side, and how cargo starts it.
pub(super) type BuiltAndStarts = (Built, std::collections::BTreeMap<SuiteKey, Start>);

impl BuildDir {
    /// Builds these suites on both sides as cargo builds them, beginning now; [`SuiteKey::of_all`] is every suite.
    pub fn build_as_cargo_does(&self, suites: impl IntoIterator<Item = SuiteKey>) {
        self.as_cargo_does.borrow_mut().extend(suites);
    }

    /// Whether crates took others' places on a side that was built last.
    pub fn has_stand_ins(&self) -> bool {
        self.stand_ins.borrow().values().any(|of_side| !of_side.is_empty())
    }

    /// Whether a suite is built with the runtime, where its crate has a stand-in.
    pub fn may_be_led(&self, suite: &SuiteKey) -> bool {
        let plain = self.as_cargo_does.borrow();
        !plain.contains(suite) && !plain.contains(&SuiteKey::of_all())
    }

    /// Whether a suite of a side, or the side as a whole, is known not to build without the runtime either.
    pub fn is_broken_without(&self, side: Side, suite: &SuiteKey) -> bool {
        self.broken_without.borrow().get(&side).is_some_and(|suites| suites.contains(suite))
    }

    /// Writes the stand-ins of a side. None if the dependencies are not those of the lock file: then the build
    /// reports the fault.
    pub(super) fn stand_in(
        &self,
        side: Side,
        root: &Path,
        build: &Build,
        is_fetched: bool,
    ) -> Result<StandIns, HostError> {
        let stand_ins = match files::read_written(&root.join("Cargo.lock")) {
            Ok(lock_file) if build.runtime == Runtime::Lockstep && is_fetched => {
                StandIns::of(&String::from_utf8_lossy(&lock_file), &self.runtime())?
            }
            _ => StandIns::default(),
        };
        self.stand_ins.borrow_mut().insert(side, stand_ins.clone());
        Ok(stand_ins)
    }

    /// Builds targets, with the runtime those that may be led, and has cargo start each once.
    pub(super) fn build_targets(
        &self,
        side: Side,
        folders: &Folders,
        workspace: &Workspace,
        build: &Build,
        wanted: &[&BenchTarget],
        progress: &dyn Progress,
    ) -> Result<BuiltAndStarts, HostError> {
        let (led, others): (Vec<&BenchTarget>, Vec<&BenchTarget>) =
            wanted.iter().partition(|target| self.may_be_led(&target.key()));
        let building = folders.building(workspace, build, progress);
        let (mut built, mut starts) = self.build_and_start(&building, &led)?;
        let broken = broken_without(&building, &built)?;
        self.broken_without.borrow_mut().insert(side, broken);
        if !others.is_empty() {
            let plain = StandIns::default();
            let building =
                Building { stand_ins: &plain, ..folders.building(workspace, build, progress) };
            let (of_others, more) = self.build_and_start(&building, &others)?;
            built.add(of_others);
            starts.extend(more);
        }
        Ok((built, starts))
    }

    fn build_and_start(
        &self,
        building: &Building<'_>,
        targets: &[&BenchTarget],
    ) -> Result<BuiltAndStarts, HostError> {
        let _lock_file = building.lock_file();
        let built = building.attempt(targets)?;
        let starts = match &self.recorder {
            Some(recorder) => start::record(building, targets, &built, recorder)?,
            None => std::collections::BTreeMap::new(),
        };
        Ok((built, starts))
    }
}

/// What does not build for errors that the compiler has of code which no Criterion comes near.
fn broken_without(building: &Building<'_>, built: &Built) -> Result<BTreeSet<SuiteKey>, HostError> {
    if building.stand_ins.is_empty() || built.refused.values().all(BTreeSet::is_empty) {
        return Ok(BTreeSet::new());
    }
    // If cargo cannot say, the suites are built without the runtime to see.
    let dependencies = match Dependencies::ask(building) {
        Ok(dependencies) => dependencies,
        Err(HostError::Cargo { .. }) => return Ok(BTreeSet::new()),
        Err(error) => return Err(error),
    };
    let is_apart = |refused: &BTreeSet<PackageId>| {
        !refused.is_empty() && dependencies.are_apart_from_criterion(refused)
    };
    let refused = built.refused.iter().filter(|(_, packages)| is_apart(packages));
    let mut broken: BTreeSet<SuiteKey> = refused.map(|(suite, _)| suite.clone()).collect();
    if built.executables.is_empty() && broken.len() == built.broken.len() {
        broken.insert(SuiteKey::of_all());
    }
    Ok(broken)
}

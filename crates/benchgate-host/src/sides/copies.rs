//! Copies of a side's executables, which are measured: a later build may replace what cargo built.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use benchgate_core::identity::libraries;
use benchgate_core::model::{Side, SuiteKey};
use benchgate_core::result::SuiteReport;
use fs_err as fs;

use super::BuildDir;
use super::built::{Executable, executable, gather, has_neighbours, is_led, is_named};
use super::kept::Kept;
use crate::HostError;
use crate::cargo::BenchTarget;
use crate::cargo::building::Built;
use crate::cargo::choice::DOES_NOT_BUILD;
use crate::cargo::start::Start;
use crate::cargo::{neighbours, written};
use crate::system::links::{self, Link};
use crate::system::{files, platform};

impl BuildDir {
    /// Copies the executables of targets to where they are run, and returns the reports of those that did not build.
    pub(super) fn copy_out(
        &self,
        side: Side,
        targets: &[&BenchTarget],
        kept: &mut Kept,
        mut built: Built,
        mut starts: BTreeMap<SuiteKey, Start>,
    ) -> Result<(Vec<Executable>, Vec<SuiteReport>), HostError> {
        let bin = self.work.join("bin").join(side.name());
        files::remove_dir(&bin)?;
        fs::create_dir_all(&bin)?;
        let sandbox = self.of_rounds(side)?;
        let target_dir = self.target_dir(side);
        let beside = written::beside_cargo(&target_dir, &built.artifacts)?;
        let (mut executables, mut left_out) = (Vec::new(), Vec::new());
        for target in targets {
            if let Some(restored) = kept.restored.remove(&target.key()) {
                let has_neighbours = !restored.neighbours.is_empty();
                let path = neighbours::place(&bin, &target.key(), has_neighbours);
                put(&restored.bytes, restored.link.as_ref(), &path)?;
                let next = neighbours::put(&restored.neighbours, &path)?;
                let is_led = is_led(&restored.bytes);
                let start = restored.start;
                let sandbox = self.of_generated(&sandbox, side, start.as_ref());
                let restored = executable(target, path, start, Vec::new(), next, &sandbox);
                executables.push(Executable { is_led, ..restored });
                continue;
            }
            let Some(from) = built.executables.remove(&target.key()) else {
                let output = built.broken.remove(&target.key()).unwrap_or_default();
                left_out.push(SuiteReport::failed(target.key(), DOES_NOT_BUILD, output));
                continue;
            };
            let has_neighbours = has_neighbours(&built, &target.package, &from);
            let path = neighbours::place(&bin, &target.key(), has_neighbours);
            // A build may have left a link to any file, which rounds could read when it is copied.
            let bytes = files::read_written(&from)?;
            let link = links::read(&from);
            put(&bytes, link.as_ref(), &path)?;
            let is_led = is_led(&bytes);
            let mut start = starts.remove(&target.key());
            let next = gather(&built, &target.package, [&from, &path], &mut start)?;
            let mut names = named(&built, &bytes, &path, &next, start.as_ref())?;
            names.extend(loaded(&bytes, start.as_ref(), [&self.work, &target_dir])?);
            names.extend(beside.iter().cloned().chain(temporary(&bytes, &target_dir)?));
            let sandbox = self.of_generated(&sandbox, side, start.as_ref());
            let executable = executable(target, path, start, names, next, &sandbox);
            let executable = Executable { is_led, ..executable };
            if self.may_be_led(&executable.key) {
                kept.keep(&executable, link.as_ref())?;
            }
            executables.push(executable);
        }
        Ok((executables, left_out))
    }
}

/// What of its target folder an executable names, or finds by a variable that cargo gives it; so may the programs next to it.
fn named(
    built: &Built,
    bytes: &[u8],
    path: &Path,
    neighbours: &BTreeSet<PathBuf>,
    start: Option<&Start>,
) -> Result<Vec<PathBuf>, HostError> {
    let mut names = Vec::new();
    for found in &built.read_at_run_time {
        let variables = start.map(|start| start.variables_to(found)).unwrap_or_default();
        let has_one = |bytes: &[u8]| variables.iter().any(|name| files::holds(bytes, name));
        let is_found = is_named(found, bytes)
            || has_one(bytes)
            // Programs are read only where a variable may lead them somewhere.
            || (!variables.is_empty()
                && neighbours::read(path, neighbours)?.values().any(|bytes| has_one(bytes)));
        if is_found {
            names.push(found.clone());
            names.extend(beside_output(found)?);
        }
    }
    Ok(names)
}

/// The folder for benches of a target folder, if an executable names it: from there it may find whatever was built last, which
/// is of another commit when the executable is used again.
fn temporary(bytes: &[u8], target_dir: &Path) -> Result<Option<PathBuf>, HostError> {
    let folder = target_dir.join(written::TEMPORARY);
    if !is_named(&folder, bytes) {
        return Ok(None);
    }
    fs::create_dir_all(&folder)?;
    Ok(Some(folder))
}

/// What cargo itself keeps next to the folder for the output of a build script.
const OF_CARGO: [&str; 5] = ["invoked.timestamp", "out", "output", "root-output", "stderr"];

/// What a build script wrote next to the folder for its output: who knows that one finds it.
fn beside_output(path: &Path) -> Result<Vec<PathBuf>, HostError> {
    let folder = path.parent().unwrap_or(path);
    let is_of_build = folder.parent().is_some_and(|build| build.ends_with("build"));
    if !(path.ends_with("out") && is_of_build) {
        return Ok(Vec::new());
    }
    let mut names = files::names(folder)?;
    names.retain(|name| !OF_CARGO.iter().any(|known| name.as_os_str() == *known));
    Ok(names.iter().map(|name| folder.join(name)).collect())
}

/// The libraries in a target folder that an executable loads, or another of them that lies in a folder of ours: the build of
/// another commit may put others there.
fn loaded(
    executable: &[u8],
    start: Option<&Start>,
    [work, target_dir]: [&Path; 2],
) -> Result<Vec<PathBuf>, HostError> {
    let folders = start.map(Start::library_folders).unwrap_or_default();
    let mut names = BTreeSet::new();
    let mut pending = libraries(executable);
    while let Some(name) = pending.pop() {
        let mut places = folders.iter().map(|folder| folder.join(&name));
        let place = places.find(|place| place.is_file());
        if let Some(place) = place.filter(|place| place.starts_with(work))
            && names.insert(place.clone())
        {
            pending.extend(libraries(&files::read(&place)?));
        }
    }
    Ok(names.into_iter().filter(|place| place.starts_with(target_dir)).collect())
}

/// Writes an executable where it is run, and what it was linked from next to it.
fn put(executable: &[u8], link: Option<&Link>, path: &Path) -> Result<(), HostError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, executable)?;
    platform::make_executable(path)?;
    link.map_or(Ok(()), |link| links::write(link, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_build_script_wrote_next_to_its_output_is_found_and_what_cargo_did_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("build/p-1");
        fs::create_dir_all(script.join("out")).unwrap();
        for name in ["output", "root-output", "stderr", "invoked.timestamp", "speed.txt"] {
            fs::write(script.join(name), "").unwrap();
        }
        let files = |path: &Path| beside_output(path).unwrap();
        assert_eq!(files(&script.join("out")), [script.join("speed.txt")]);
        assert!(files(&script.join("other")).is_empty());
        assert!(files(&folder.path().join("x/out")).is_empty());
    }
}

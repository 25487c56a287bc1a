//! Committed baselines: `baselines/<machine>/<package>.<suite>.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use benchgate_core::adapters::critcmp::{self, BASELINE_SCHEMA, BaselineBenchmark, BaselineMeta};
use benchgate_core::model::{Machine, Recorded, SuiteKey, Toolchain};
use fs_err as fs;

use crate::HostError;
use crate::git::Repository;
use crate::system::files;

/// The folder of all baselines, below the workspace's root.
pub const FOLDER: &str = "baselines";

/// When, where and with what a set of baseline files was measured.
pub struct BaselineContext<'a> {
    /// Full id of the measured commit.
    pub commit: &'a str,
    /// End of the measurement, RFC 3339 in UTC.
    pub time: &'a str,
    /// The machine that measured.
    pub machine: &'a Machine,
    /// The toolchain that built the suites.
    pub toolchain: &'a Toolchain,
}

/// Writes one file per suite and returns their paths. Files of suites that were not measured stay.
///
/// # Errors
/// Names the file that could not be written.
pub fn save(
    root: &Path,
    context: &BaselineContext<'_>,
    suites: BTreeMap<SuiteKey, Vec<BaselineBenchmark>>,
) -> Result<Vec<PathBuf>, HostError> {
    let folder = root.join(FOLDER).join(&context.machine.name);
    let mut written = Vec::with_capacity(suites.len());
    for (SuiteKey { package, suite }, benchmarks) in suites {
        let path = folder.join(format!("{package}.{suite}.json"));
        let meta = BaselineMeta {
            schema: BASELINE_SCHEMA.to_owned(),
            package,
            suite,
            commit: context.commit.to_owned(),
            time: context.time.to_owned(),
            machine: context.machine.clone(),
            toolchain: context.toolchain.clone(),
            rounds: BTreeMap::new(),
        };
        // The column that critcmp prints: with one name for two machines, one column would hide the other.
        let name = context.machine.name.clone();
        files::write_atomically(&path, critcmp::write(&name, meta, &benchmarks).as_bytes())?;
        written.push(path);
    }
    Ok(written)
}

/// All baseline files below a workspace's root, in the order of their paths.
///
/// # Errors
/// When a folder cannot be read.
pub fn list(root: &Path) -> Result<Vec<PathBuf>, HostError> {
    let folder = root.join(FOLDER);
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut baselines = Vec::new();
    for machine in fs::read_dir(&folder)? {
        let machine = machine?.path();
        if machine.is_dir() {
            baselines.extend(json_files(&machine)?);
        }
    }
    baselines.sort();
    Ok(baselines)
}

/// The `.json` files of a folder, in the order of their names.
///
/// # Errors
/// When it cannot be read.
pub fn json_files(folder: &Path) -> Result<Vec<PathBuf>, HostError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Reads a baseline or an export.
///
/// # Errors
/// Names the file and the key.
pub fn read(path: &Path) -> Result<Recorded, HostError> {
    parse(path, &files::read(path)?)
}

/// Like `read`, of a file that was read.
pub(crate) fn parse(path: &Path, bytes: &[u8]) -> Result<Recorded, HostError> {
    critcmp::read(bytes).map_err(|error| HostError::format(path, error))
}

/// The baseline files of a machine in a commit, each with its name. Never those of the working tree: a
/// change must not bring its own baseline.
///
/// # Errors
/// Names the file and the key.
pub fn committed(
    repository: &Repository,
    commit: &str,
    root: &Path,
    machine: &str,
) -> Result<Vec<(String, Recorded)>, HostError> {
    let folder = root.join(FOLDER).join(machine);
    let inside = folder.strip_prefix(repository.top()).unwrap_or(&folder);
    let mut all = Vec::new();
    for name in repository.files_at(commit, &inside.to_string_lossy())? {
        if !name.ends_with(".json") {
            continue;
        }
        let Some(text) = repository.file_at(commit, &name)? else { continue };
        let record = parse(Path::new(&name), text.as_bytes())?;
        all.push((name, record));
    }
    Ok(all)
}

/// The machines that a commit has baselines of.
///
/// # Errors
/// When git cannot be run.
pub fn machines(
    repository: &Repository,
    commit: &str,
    root: &Path,
) -> Result<BTreeSet<String>, HostError> {
    let folder = root.join(FOLDER);
    let inside = folder.strip_prefix(repository.top()).unwrap_or(&folder).to_owned();
    let machine = |name: String| {
        let below = Path::new(&name).strip_prefix(&inside).ok()?.to_owned();
        Some(below.components().next()?.as_os_str().to_string_lossy().into_owned())
    };
    let names = repository.files_at(commit, &inside.to_string_lossy())?;
    Ok(names.into_iter().filter_map(machine).collect())
}

/// The records of several suites as one; machine and toolchain are the first's.
pub fn merged(records: Vec<(String, Recorded)>) -> Option<Recorded> {
    let mut records = records.into_iter().map(|(_, record)| record);
    let mut all = records.next()?;
    records.for_each(|record| all.benchmarks.extend(record.benchmarks));
    Some(all)
}

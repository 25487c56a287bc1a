//! Committed baselines: `baselines/<machine>/<package>.<suite>.json`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use benchgate_core::adapters::critcmp::{self, BASELINE_SCHEMA, BaselineBenchmark, BaselineMeta};
use benchgate_core::model::{Machine, Recorded, Toolchain};
use fs_err as fs;

use crate::git::Repository;
use crate::{HostError, files};

/// The folder of all baselines, below the workspace's root.
pub const FOLDER: &str = "baselines";

/// What a set of baseline files has in common.
pub struct Occasion<'a> {
    /// Commit that was measured.
    pub commit: &'a str,
    /// When.
    pub time: &'a str,
    /// Where.
    pub machine: &'a Machine,
    /// With what.
    pub toolchain: &'a Toolchain,
}

/// Writes one file per suite and gives their paths. Files of suites that were not measured stay.
///
/// # Errors
/// Names the file that could not be written.
pub fn save(
    root: &Path,
    occasion: &Occasion<'_>,
    suites: BTreeMap<(String, String), Vec<BaselineBenchmark>>,
) -> Result<Vec<PathBuf>, HostError> {
    let folder = root.join(FOLDER).join(&occasion.machine.name);
    let mut written = Vec::with_capacity(suites.len());
    for ((package, suite), benchmarks) in suites {
        let path = folder.join(format!("{package}.{suite}.json"));
        let meta = BaselineMeta {
            schema: BASELINE_SCHEMA.to_owned(),
            package,
            suite,
            commit: occasion.commit.to_owned(),
            time: occasion.time.to_owned(),
            machine: occasion.machine.clone(),
            toolchain: occasion.toolchain.clone(),
            rounds: BTreeMap::new(),
        };
        // The column that critcmp prints: two machines' files must not share a name, or one wins.
        let name = occasion.machine.name.clone();
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
    let mut found = Vec::new();
    for machine in fs::read_dir(&folder)? {
        let machine = machine?.path();
        if machine.is_dir() {
            found.extend(json_files(&machine)?);
        }
    }
    found.sort();
    Ok(found)
}

/// The `.json` files of a folder, in the order of their names.
///
/// # Errors
/// When it cannot be read.
pub fn json_files(folder: &Path) -> Result<Vec<PathBuf>, HostError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "json") && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Reads a baseline or an export.
///
/// # Errors
/// Names the file and the key.
pub fn read(path: &Path) -> Result<Recorded, HostError> {
    parse(path, &files::read(path)?)
}

fn parse(path: &Path, bytes: &[u8]) -> Result<Recorded, HostError> {
    critcmp::read(bytes)
        .map_err(|error| HostError::Content { path: path.to_owned(), problem: error.to_string() })
}

/// The baseline files of a machine as a commit holds them, each with its name. Never those of the working
/// tree: a change does not bring its own measure.
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

/// The records of several suites as one; what they were measured with is the first's.
pub fn merged(records: Vec<(String, Recorded)>) -> Option<Recorded> {
    let mut records = records.into_iter().map(|(_, record)| record);
    let mut all = records.next()?;
    records.for_each(|record| all.benchmarks.extend(record.benchmarks));
    Some(all)
}

//! Benches that set where their results go (`Criterion::output_directory`): the variable of the gate does not count
//! there, so that place is made a link to where the gate reads.

use std::path::{Path, PathBuf};

use benchgate_core::adapters::criterion;
use benchgate_core::adapters::criterion_cli::reported_error;
use fs_err as fs;

use crate::sides::Executable;
use crate::{HostError, files, platform};

/// How deep below a package results are looked for.
const DEEPEST: usize = 8;

/// The place below its checkout where a process that wrote no result has written some, or could not; `None` where there
/// is none.
pub(super) fn place_of(
    executable: &Executable,
    stdout: &str,
) -> Result<Option<PathBuf>, HostError> {
    let Some(checkout) = executable.own_folders.first() else { return Ok(None) };
    if let Some(path) = reported_error(stdout).and_then(|error| error.split('"').nth(1)) {
        let path: PathBuf = executable.folder.join(path).components().collect();
        // The first folder that is not there yet: it could not be created.
        let missing = path.ancestors().filter(|path| path.symlink_metadata().is_err()).last();
        return Ok(missing.filter(|path| path.starts_with(checkout)).map(Path::to_owned));
    }
    let Some(found) = written_below(&executable.folder, DEEPEST)? else { return Ok(None) };
    files::remove_dir(&found)?;
    Ok(Some(found))
}

/// The folder of results below a folder: `report` of `report/group/function/new/benchmark.json`.
fn written_below(folder: &Path, depth: usize) -> Result<Option<PathBuf>, HostError> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        if !entry.file_type()?.is_dir() || depth == 0 || name == ".git" {
            continue;
        }
        let identity = path.join("benchmark.json");
        if name == "new" && identity.symlink_metadata().is_ok() {
            let identity = files::read_result(&identity).map(|bytes| criterion::identity(&bytes));
            let Ok(Ok(identity)) = identity else { continue };
            let depth = Path::new(&identity.directory_name).components().count();
            return Ok(path.ancestors().nth(depth + 1).map(Path::to_owned));
        }
        if let Some(found) = written_below(&path, depth - 1)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// A link from the place of a bench to the folder of one round; removed when dropped.
pub(super) struct Redirected(PathBuf);

impl Redirected {
    pub(super) fn to(home: &Path, place: &Path) -> Result<Self, HostError> {
        if place.is_symlink() {
            fs::remove_file(place)?;
        }
        platform::link_folder(home, place)?;
        Ok(Self(place.to_owned()))
    }
}

impl Drop for Redirected {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

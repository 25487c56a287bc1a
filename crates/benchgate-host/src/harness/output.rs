//! Benches that set where their results go (`Criterion::output_directory`): the variable of the gate does not count
//! there, so that place is made a link to where the gate reads.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use benchgate_core::adapters::criterion;
use benchgate_core::adapters::criterion_cli::reported_error;
use fs_err as fs;

use crate::HostError;
use crate::sides::Executable;
use crate::system::{files, platform};

/// How deep below a package results are looked for.
const DEEPEST: usize = 8;

/// The place below its checkout where a process that wrote no result has written some, or could not; `None` where there
/// is none.
pub(super) fn place_of(
    executable: &Executable,
    stdout: &str,
    since: SystemTime,
) -> Result<Option<PathBuf>, HostError> {
    let Some(checkout) = executable.own_folders.first() else { return Ok(None) };
    if let Some(path) = reported_error(stdout).and_then(|error| error.split('"').nth(1)) {
        let path: PathBuf = executable.folder.join(path).components().collect();
        // The first folder that is not there yet: it could not be created.
        let missing = path.ancestors().filter(|path| path.symlink_metadata().is_err()).last();
        return Ok(missing.filter(|path| files::leads_into(path, checkout)).map(Path::to_owned));
    }
    let found = written_below(&executable.folder, DEEPEST, since)?;
    // What the process wrote names the folder: it may be any.
    let found = found.filter(|found| files::leads_into(found, &executable.folder));
    if let Some(found) = &found {
        files::remove_dir(found)?;
    }
    Ok(found)
}

/// A time that no file which is written from now on is older than: files have the time of the clock's last tick.
pub(super) fn now() -> SystemTime {
    SystemTime::now() - Duration::from_millis(100)
}

/// The folder of results below a folder that were written since then: `report` of
/// `report/group/function/new/benchmark.json`.
fn written_below(
    folder: &Path,
    depth: usize,
    since: SystemTime,
) -> Result<Option<PathBuf>, HostError> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        if !entry.file_type()?.is_dir() || depth == 0 || name == ".git" {
            continue;
        }
        let identity = path.join("benchmark.json");
        let is_written = |file: &Path| {
            let modified = file.symlink_metadata().and_then(|metadata| metadata.modified());
            modified.is_ok_and(|modified| modified >= since)
        };
        if name == "new" && is_written(&identity) {
            let identity = files::read_result(&identity).map(|bytes| criterion::identity(&bytes));
            let Ok(Ok(identity)) = identity else { continue };
            let depth = Path::new(&identity.directory_name).components().count();
            let found = path.ancestors().nth(depth + 1);
            let is_of = |found: &&Path| found.join(&identity.directory_name).join("new") == path;
            if let Some(found) = found.filter(is_of) {
                return Ok(Some(found.to_owned()));
            }
            continue;
        }
        if let Some(found) = written_below(&path, depth - 1, since)? {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes what Criterion writes of a benchmark.
    fn write(top: &Path, place: &str, directory_name: &str) {
        let folder = top.join(place).join("new");
        fs::create_dir_all(&folder).unwrap();
        let identity = format!(
            r#"{{"group_id":"g","function_id":"f","value_str":null,"throughput":null,"full_id":"g/f",
                "directory_name":"{directory_name}","title":"g/f"}}"#
        );
        fs::write(folder.join("benchmark.json"), identity).unwrap();
    }

    #[test]
    fn results_are_found_where_their_own_name_leads_and_where_this_process_wrote_them() {
        let now = SystemTime::now() - Duration::from_secs(1);
        for (place, name, expected) in [
            ("report/g/f", "g/f", Some("report")),
            ("report/g/f", "a/b/c/d/e", None),
            ("report/g/f", "../f", None),
            ("g/f", "g/f", Some("")),
        ] {
            let folder = tempfile::tempdir().unwrap();
            write(folder.path(), place, name);
            let found = written_below(folder.path(), DEEPEST, now).unwrap();
            assert_eq!(found, expected.map(|at| folder.path().join(at)), "{place} {name}");
            let later = now + Duration::from_secs(60);
            assert_eq!(written_below(folder.path(), DEEPEST, later).unwrap(), None, "{place}");
        }
    }

    #[test]
    fn nothing_leads_out_of_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().join("top");
        fs::create_dir_all(top.join("in")).unwrap();
        platform::link_folder(folder.path(), &top.join("out")).unwrap();
        for (path, expected) in [
            ("in/new", true),
            ("in", true),
            ("new/newer", true),
            ("", false),
            ("../new", false),
            ("in/../../new", false),
            ("out/new", false),
            ("out/new/newer", false),
        ] {
            assert_eq!(files::leads_into(&top.join(path), &top), expected, "{path}");
        }
        assert!(!files::leads_into(folder.path(), &top));
    }
}

//! What processes read of a checkout, by the access times of its files: set far back before, newer afterwards.
//!
//! A watch (inotify) would be told of every access, and a bench that opens files in its iterations takes three times as
//! long by it, on the side that is watched alone (9 and 26 µs for each file that is opened, read and closed). An access
//! time is set once, by the first read. What asks for the name, the size or the times of a file alone sets none.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use benchgate_core::affected::Observed;
use fs_err as fs;

use crate::Availability;
use crate::system::platform;

/// What is set, in seconds: whole and even, for file systems that keep no more.
const LONG_AGO: u64 = 1_000_000_000;

/// Maximum number of files, links and folders: two passes over that number take about a second.
const MOST: usize = 50_000;

/// A checkout whose files have access times that are long ago.
pub struct AccessTimes {
    top: PathBuf,
}

/// A file, link or folder of a checkout.
struct Item {
    path: PathBuf,
    kind: std::fs::FileType,
    accessed: Option<SystemTime>,
}

impl AccessTimes {
    /// Sets the access times of a checkout back, and finds out whether a read sets them; or why that is not observed.
    pub fn set_back(top: &Path) -> Availability<Self> {
        set_all_back(top).map(|()| Self { top: top.to_owned() }).into()
    }

    /// What was read since they were set back.
    pub fn reads(&self) -> Availability<Observed> {
        let mut observed = Observed::default();
        let walked = walk(&self.top, &mut |item| {
            if item.accessed == Some(long_ago()) {
                return Ok(());
            }
            let inside = item.path.strip_prefix(&self.top).unwrap_or(&item.path);
            let parts = inside.components().map(|part| part.as_os_str().to_string_lossy());
            let inside = parts.collect::<Vec<_>>().join("/");
            let of = match item.kind.is_dir() {
                true => &mut observed.folders,
                false => &mut observed.files,
            };
            of.insert(inside);
            Ok(())
        });
        walked.map(|()| observed).into()
    }
}

fn long_ago() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(LONG_AGO)
}

fn set_all_back(top: &Path) -> Result<(), String> {
    let (mut file, mut link) = (None, None);
    let mut folders = Vec::new();
    walk(top, &mut |item| {
        if item.kind.is_dir() {
            // To list it is to read it.
            folders.push(item.path);
            return Ok(());
        }
        set_back(&item.path)?;
        if item.kind.is_file() && file.is_none() {
            file = Some(item.path);
        } else if item.kind.is_symlink() && link.is_none() {
            link = Some(item.path);
        }
        Ok(())
    })?;
    folders.iter().try_for_each(|folder| set_back(folder))?;
    probe(top, file.as_deref(), link.as_deref())
}

/// Reads a file, follows a link and lists a folder, and finds out whether their access times say so.
fn probe(top: &Path, file: Option<&Path>, link: Option<&Path>) -> Result<(), String> {
    let Some(file) = file else { return Err("the checkout has no file".to_owned()) };
    is_noted(file, &|path| drop(fs::read(path)))?;
    is_noted(top, &|path| drop(fs::read_dir(path).map(Iterator::count)))?;
    // Where it leads to is not read.
    link.map_or(Ok(()), |link| is_noted(link, &|path| drop(path.metadata())))
}

/// Whether the access time of a path, which was set far back, says that it was read.
fn is_noted(path: &Path, read: &dyn Fn(&Path)) -> Result<(), String> {
    if accessed(path)? != Some(long_ago()) {
        return Err("its file system does not keep the access times that are set".to_owned());
    }
    read(path);
    if accessed(path)? == Some(long_ago()) {
        return Err("its file system notes no access times (`noatime`)".to_owned());
    }
    set_back(path)
}

fn accessed(path: &Path) -> Result<Option<SystemTime>, String> {
    let metadata = path.symlink_metadata().map_err(|error| unreadable(path, &error))?;
    Ok(metadata.accessed().ok())
}

fn set_back(path: &Path) -> Result<(), String> {
    let set = platform::set_accessed(path, LONG_AGO);
    set.map_err(|error| format!("the access time of `{}` cannot be set: {error}", path.display()))
}

/// Visits what a checkout has, each folder before what is in it: to list it changes it. Not what is git's.
fn walk(top: &Path, visit: &mut dyn FnMut(Item) -> Result<(), String>) -> Result<(), String> {
    let mut pending = vec![top.to_owned()];
    let mut number = 0_usize;
    while let Some(path) = pending.pop() {
        number += 1;
        if number > MOST {
            return Err(format!("the checkout has more than {MOST} files"));
        }
        let metadata = path.symlink_metadata().map_err(|error| unreadable(&path, &error))?;
        let (kind, accessed) = (metadata.file_type(), metadata.accessed().ok());
        visit(Item { path: path.clone(), kind, accessed })?;
        if kind.is_dir() {
            for entry in fs::read_dir(&path).map_err(|error| error.to_string())? {
                let entry = entry.map_err(|error| unreadable(&path, &error))?;
                if entry.file_name() != ".git" {
                    pending.push(entry.path());
                }
            }
        }
    }
    Ok(())
}

fn unreadable(path: &Path, error: &std::io::Error) -> String {
    format!("`{}` cannot be read: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `None` if this file system does not note access times.
    fn observing(top: &Path) -> Option<AccessTimes> {
        AccessTimes::set_back(top).available()
    }

    /// As where a file system notes nothing: what was read would count as not read.
    #[test]
    fn a_read_that_leaves_no_trace_and_a_time_that_is_not_kept_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "1").unwrap();
        let not_kept = is_noted(&file, &|path| drop(fs::read(path)));
        assert!(not_kept.is_err_and(|reason| reason.contains("does not keep")));
        if set_back(&file).is_ok() {
            let not_noted = is_noted(&file, &|_| ());
            assert!(not_noted.is_err_and(|reason| reason.contains("notes no access times")));
        }
    }

    #[test]
    fn what_is_read_listed_and_followed_is_observed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        for file in ["read", "empty", "other", "by_child", "f/in", "f/deep/in", "g/in", ".git/HEAD"]
        {
            fs::create_dir_all(top.join(file).parent().unwrap()).unwrap();
            fs::write(top.join(file), if file == "empty" { "" } else { "1" }).unwrap();
        }
        platform::link_folder(Path::new("f/deep"), &top.join("link")).unwrap();
        platform::link_folder(Path::new("g"), &top.join("unused")).unwrap();
        let Some(times) = observing(top) else { return };
        assert_eq!(times.reads(), Availability::Available(Observed::default()));
        // To look changes the times of folders.
        let times = observing(top).unwrap();
        for file in ["read", "empty", "link/in"] {
            fs::read(top.join(file)).unwrap();
        }
        let cat = |path: &Path| std::process::Command::new("cat").arg(path).output().unwrap();
        assert!(cat(&top.join("by_child")).status.success());
        assert_eq!(fs::read_dir(top.join("f")).unwrap().count(), 2);
        // A size is not a read.
        assert_eq!(top.join("other").metadata().unwrap().len(), 1);
        let expected = Observed {
            files: ["read", "empty", "by_child", "link", "f/deep/in"].map(str::to_owned).into(),
            folders: ["f".to_owned()].into(),
            ..Observed::default()
        };
        assert_eq!(times.reads(), Availability::Available(expected));
        // Modification times are cargo's.
        let modified = top.join("read").metadata().unwrap().modified().unwrap();
        assert!(modified > long_ago() + Duration::from_secs(LONG_AGO / 4));
    }

    #[test]
    fn what_cannot_be_observed_has_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let reason = AccessTimes::set_back(folder.path()).into_result().err().unwrap();
        assert_eq!(reason, "the checkout has no file");
        assert!(AccessTimes::set_back(Path::new("/proc/self/task")).into_result().is_err());
    }
}

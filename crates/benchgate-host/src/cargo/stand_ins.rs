//! Crates that take Criterion's place in the gate's builds, through cargo's command line: nothing of the repository is
//! changed but the lock file of the gate's own checkout, which is put back.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fs_err as fs;

use crate::HostError;
use crate::system::files;

/// The package whose place is taken.
pub(crate) const PACKAGE: &str = "criterion";

/// Where cargo gets crates from unless a lock file names another registry.
const CRATES_IO: [&str; 2] =
    ["registry+https://github.com/rust-lang/crates.io-index", "sparse+https://index.crates.io/"];

/// Options that keep cargo from changing a lock file, as it must where a crate takes another one's place.
const OF_LOCK_FILE: [&str; 2] = ["--locked", "--frozen"];

/// The stand-ins of a side; none if it is built as cargo builds it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StandIns {
    /// Settings of cargo, as `--config` takes them.
    settings: Vec<String>,
    /// Why a package has none.
    without: Vec<String>,
}

/// A Criterion of a lock file.
#[derive(Debug, PartialEq, Eq)]
struct Locked {
    version: String,
    /// The table of `patch`; or the source of a package that is not from a registry.
    registry: Result<String, String>,
}

impl StandIns {
    /// Writes the stand-ins of the packages of a lock file below `folder`: at the same path, with the same content, for both
    /// sides.
    ///
    /// # Errors
    /// When they cannot be written.
    pub(crate) fn of(lock_file: &str, folder: &Path) -> Result<Self, HostError> {
        let mut stand_ins = Self::default();
        for (number, Locked { version, registry }) in locked(lock_file).into_iter().enumerate() {
            let published = registry.map_err(|source| {
                let what = format!("no stand-in for criterion {version} of `{source}`");
                format!("{what}: it may not be what was published")
            });
            let made = published.and_then(|registry| {
                let package = benchgate_runtime::criterion(&version);
                package.map(|package| (registry, package)).map_err(|reason| reason.to_string())
            });
            let (registry, package) = match made {
                Ok(made) => made,
                Err(reason) => {
                    stand_ins.without.push(reason);
                    continue;
                }
            };
            let texts: String = package
                .files
                .iter()
                .map(|file| format!("{}\0{}\0", file.path, file.content))
                .collect();
            // By content: another benchgate's is another path, and nothing that was built of it is taken for fresh.
            let digest = files::digest_of(texts.as_bytes());
            let target = folder.join(format!("{PACKAGE}-{version}-{}", &digest[..16]));
            // A kept base is believed by this path. A file that was changed here would be in every base.
            if !is_written(&target, &package.files) {
                // cargo goes by times. The path says what is there, so a build of it from the store is up to date.
                let time = if target.is_dir() { SystemTime::now() } else { WRITTEN };
                files::remove_dir(&target)?;
                let making = folder.join(format!("making-{}", std::process::id()));
                files::remove_dir(&making)?;
                for file in &package.files {
                    let path = making.join(&file.path);
                    fs::create_dir_all(path.parent().unwrap_or(&making))?;
                    fs::write(&path, &file.content)?;
                    fs::OpenOptions::new().append(true).open(path)?.file().set_modified(time)?;
                }
                fs::rename(&making, &target)?;
            }
            let key = format!("patch.{registry}.{PACKAGE}-{number}");
            let path = toml::Value::from(target.to_string_lossy().as_ref());
            stand_ins.settings.push(format!("{key}.package=\"{PACKAGE}\""));
            stand_ins.settings.push(format!("{key}.path={path}"));
        }
        Ok(stand_ins)
    }

    /// Why suites are measured by Criterion itself, where a Criterion has no stand-in.
    pub(crate) fn notice(&self) -> Option<String> {
        let reasons = self.without.join("; ");
        (!reasons.is_empty()).then(|| format!("measured by Criterion itself: {reasons}"))
    }

    /// Whether cargo builds everything as the lock file says.
    pub(crate) fn is_empty(&self) -> bool {
        self.settings.is_empty()
    }

    /// The arguments of cargo that put them in place, after `options` without those that they contradict.
    pub(crate) fn arguments(&self, options: &[&'static str]) -> Vec<String> {
        let is_kept = |option: &&&str| self.is_empty() || !OF_LOCK_FILE.contains(*option);
        let mut arguments: Vec<String> =
            options.iter().filter(is_kept).map(|option| (*option).to_owned()).collect();
        if options.contains(&"--frozen") && !self.is_empty() {
            arguments.push("--offline".to_owned());
        }
        for setting in &self.settings {
            arguments.extend(["--config".to_owned(), setting.clone()]);
        }
        arguments
    }
}

/// The lock file of a checkout, put back when dropped.
pub(crate) struct LockFile {
    path: PathBuf,
    before: Option<Vec<u8>>,
}

impl LockFile {
    /// The one below a workspace's root.
    pub(crate) fn of(root: &Path) -> Self {
        let path = root.join("Cargo.lock");
        Self { before: files::read_written(&path).ok(), path }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // If a lock file cannot be written, cargo could not change it either.
        if let Some(before) = &self.before
            && files::read_written(&self.path).ok().as_ref() != Some(before)
        {
            let _ = fs::write(&self.path, before);
        }
    }
}

/// The time of the files of a stand-in: before any build of it, on each machine.
const WRITTEN: SystemTime = SystemTime::UNIX_EPOCH;

/// Whether a folder has these files, as they are, and nothing else: cargo would run a `build.rs`.
fn is_written(folder: &Path, files: &[benchgate_runtime::File]) -> bool {
    let is_same = |file: &benchgate_runtime::File| {
        fs::read(folder.join(&file.path)).is_ok_and(|found| found == file.content.as_bytes())
    };
    files.iter().all(is_same) && count(folder).is_ok_and(|found| found == files.len())
}

/// The files below a folder.
fn count(folder: &Path) -> std::io::Result<usize> {
    let mut files = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        files += if entry.file_type()?.is_dir() { count(&entry.path())? } else { 1 };
    }
    Ok(files)
}

/// Each Criterion that is not of the repository itself, by version.
fn locked(lock_file: &str) -> Vec<Locked> {
    let parsed: toml::Table = lock_file.parse().unwrap_or_default();
    let packages = parsed.get("package").and_then(toml::Value::as_array);
    let text = |package: &toml::Value, key: &str| {
        package.get(key).and_then(toml::Value::as_str).map(str::to_owned)
    };
    let locked = |package: &toml::Value| {
        let source = text(package, "source")?;
        text(package, "name").filter(|name| name == PACKAGE)?;
        let registry = match source.strip_prefix("registry+") {
            _ if CRATES_IO.contains(&&*source) => Ok("crates-io".to_owned()),
            Some(address) => Ok(toml::Value::from(address).to_string()),
            None if source.starts_with("sparse+") => Ok(toml::Value::from(&*source).to_string()),
            None => Err(source),
        };
        Some(Locked { version: text(package, "version")?, registry })
    };
    packages.into_iter().flatten().filter_map(locked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = r#"
version = 4
[[package]]
name = "criterion"
version = "0.5.1"
source = "registry+https://github.com/rust-lang/crates.io-index"
[[package]]
name = "criterion"
version = "0.8.2"
source = "sparse+https://index.crates.io/"
[[package]]
name = "criterion"
version = "0.4.0"
source = "sparse+https://registry.example/index/"
[[package]]
name = "criterion"
version = "0.5.2"
source = "git+https://forge.example/criterion"
[[package]]
name = "criterion-plot"
version = "0.5.0"
source = "registry+https://github.com/rust-lang/crates.io-index"
[[package]]
name = "own"
version = "0.1.0"
"#;

    #[test]
    fn every_criterion_of_a_registry_has_a_stand_in() {
        let names: Vec<(String, String)> = locked(LOCK)
            .into_iter()
            .filter_map(|locked| Some((locked.version, locked.registry.ok()?)))
            .collect();
        let expected = [
            ("0.5.1", "crates-io"),
            ("0.8.2", "crates-io"),
            ("0.4.0", "\"sparse+https://registry.example/index/\""),
        ];
        assert_eq!(names, expected.map(|(version, key)| (version.to_owned(), key.to_owned())));
        assert_eq!(locked("no lock file"), []);
    }

    #[test]
    fn stand_ins_are_put_in_place_by_arguments_of_cargo() {
        let folder = tempfile::tempdir().unwrap();
        let stand_ins = StandIns::of(LOCK, folder.path()).unwrap();
        assert_eq!(StandIns::of(LOCK, folder.path()).unwrap(), stand_ins);
        let arguments = stand_ins.arguments(&["--locked", "--offline"]);
        assert_eq!(arguments[0], "--offline");
        assert_eq!(
            arguments[1..3],
            ["--config", "patch.crates-io.criterion-0.package=\"criterion\""]
        );
        let written: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().collect();
        assert_eq!(written.len(), 3);
        for entry in written {
            assert!(entry.path().join("src/lib.rs").is_file(), "{entry:?}");
        }
        assert_eq!(StandIns::default().arguments(&["--locked"]), ["--locked"]);
    }

    #[test]
    fn what_somebody_changed_in_a_stand_in_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let written = || -> Vec<PathBuf> {
            StandIns::of(LOCK, folder.path()).unwrap();
            let all = std::fs::read_dir(folder.path()).unwrap().flatten();
            all.map(|entry| entry.path().join("src/lib.rs")).collect()
        };
        let path = &written()[0];
        let time = || std::fs::metadata(path).unwrap().modified().unwrap();
        let before = std::fs::read(path).unwrap();
        assert_eq!(time(), WRITTEN);
        std::fs::write(path, "loops less").unwrap();
        assert_eq!(written().len(), 3);
        assert_eq!(std::fs::read(path).unwrap(), before);
        assert!(time() > WRITTEN, "what was built of the other text is not up to date");
        let more = path.parent().unwrap().with_file_name("build.rs");
        std::fs::write(&more, "fn main() {}").unwrap();
        written();
        assert!(!more.exists());
    }

    #[test]
    fn a_version_without_a_stand_in_and_one_of_no_registry_are_named() {
        let lock = LOCK.replace("0.8.2", "9.0.0");
        let folder = tempfile::tempdir().unwrap();
        let stand_ins = StandIns::of(&lock, folder.path()).unwrap();
        let expected = "measured by Criterion itself: no stand-in for criterion 9.0.0: expected 0.3 to 0.8; \
            no stand-in for criterion 0.5.2 of `git+https://forge.example/criterion`: it may not be what was published";
        assert_eq!(stand_ins.notice().as_deref(), Some(expected));
        assert_eq!(StandIns::default().notice(), None);
    }

    #[test]
    fn a_lock_file_that_a_build_changed_is_put_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Cargo.lock");
        std::fs::write(&path, "before").unwrap();
        {
            let _kept = LockFile::of(folder.path());
            std::fs::write(&path, "after").unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap(), "before");
    }
}

//! Dependencies of bases, kept between runs: where the suites of a base are from the store, the head is still built, and
//! on a runner that starts clean most of that is dependencies.
//!
//! An entry is what cargo has built of one lock file that is not of the repository, in one way. cargo finds out by itself
//! what of it is fresh; this is about the files being those that it wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use fs_err as fs;
use serde::{Deserialize, Serialize};

use super::identity::Identity;
use super::inputs::{Inputs, Variables};
use super::record::{self, Sealed};
use crate::cargo::share::{self, Large};
use crate::system::files;
use crate::system::files::Scratch;
use crate::{Availability, HostError};

/// The folder of an entry within that of its identity: no suite has this name, for each has a point in it.
pub(super) const NAME: &str = "dependencies";

/// The name of the record: another one than that of a suite.
pub(super) const RECORD: &str = "dependencies.json";

/// Value of the key `schema`.
const SCHEMA: &str = "benchgate.dependencies/1";

/// The folder of the files.
const BUILT: &str = "built";

/// Maximum number of bytes of the files: half of what the store keeps at all.
const LARGEST: u64 = 1 << 30;

/// What is known of an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Dependencies {
    schema: String,
    identity: Identity,
    inputs: Inputs,
    /// By path.
    files: BTreeMap<String, Built>,
    /// SHA-256 of the record with this value empty.
    digest: String,
}

/// A file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Built {
    sha256: String,
    bytes: u64,
    /// When it was written, in nanoseconds since 1970: by these times cargo knows what is fresh.
    written: u64,
}

impl Sealed for Dependencies {
    fn digest(&mut self) -> &mut String {
        &mut self.digest
    }

    fn to_json(&self) -> String {
        // Thousands of files: without line ends. Serializing cannot fail here either.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Dependencies {
    fn read(place: &Path) -> Result<Self, String> {
        let bytes = record::read(&place.join(RECORD), record::LARGEST)?;
        let record: Self = serde_json::from_slice(&bytes)
            .map_err(|error| format!("its record cannot be read: {error}"))?;
        if record.schema != SCHEMA {
            return Err(format!("its record is `{}`, and not `{SCHEMA}`", record.schema));
        }
        if !record.is_as_written() {
            return Err("its record has another digest".to_owned());
        }
        Ok(record)
    }
}

/// Keeps what a target folder has of other packages than these, or says why it is not kept. Where there is nothing,
/// nothing is lost.
///
/// # Errors
/// Names the file that cannot be written.
pub(super) fn keep(
    place: &Path,
    identity: &Identity,
    target_dir: &Path,
    own: &BTreeSet<String>,
    known: &[PathBuf],
    given: &Variables,
) -> Result<Availability<()>, HostError> {
    match share::size(target_dir, own)? {
        0 => return Ok(Availability::Available(())),
        1..=LARGEST => {}
        bytes => return unavailable(&too_large("they are", bytes, LARGEST)),
    }
    // An entry appears as a whole.
    let making = Scratch::new(place.with_extension("making"))?;
    let built = making.path().join(BUILT);
    share::take_over(target_dir, &built, own, Large::Copied)?;
    let inputs = match Inputs::of(&built, known, &BTreeSet::new(), given)?.into_result() {
        Ok(inputs) => inputs,
        Err(reason) => return unavailable(&reason),
    };
    let Some(files) = written(&built)? else { return unavailable(LINKED) };
    let record = Dependencies {
        schema: SCHEMA.to_owned(),
        identity: identity.clone(),
        inputs,
        files,
        digest: String::new(),
    };
    let json = record.sealed().to_json();
    let bytes = json.len() as u64;
    if bytes > record::LARGEST {
        return unavailable(&too_large("the record of their files has", bytes, record::LARGEST));
    }
    files::write_atomically(&making.path().join(RECORD), json.as_bytes())?;
    fs::rename(making.path(), place)?;
    Ok(Availability::Available(()))
}

const LINKED: &str = "there is a link among their files";

fn unavailable(reason: &str) -> Result<Availability<()>, HostError> {
    Ok(Availability::Unavailable(reason.to_owned()))
}

fn too_large(what: &str, bytes: u64, most: u64) -> String {
    let mib = |bytes: u64| bytes.div_ceil(1 << 20);
    format!("{what} {} MiB, and at most {} MiB are kept", mib(bytes), mib(most))
}

/// Reads an entry.
///
/// # Errors
/// Why it is not what was written.
pub(super) fn verify(
    place: &Path,
    identity: &Identity,
    given: &Variables,
) -> Result<Dependencies, String> {
    let record = Dependencies::read(place)?;
    if let Some(name) = identity.difference(&record.identity) {
        return Err(format!("they were built with another {name}"));
    }
    if let Some(what) = record.inputs.changed(given) {
        return Err(what);
    }
    let there = written(&place.join(BUILT)).map_err(|error| error.to_string())?;
    let there = there.ok_or_else(|| LINKED.to_owned())?;
    let mut paths = record.files.keys().chain(there.keys());
    let is_other = |path: &&String| match (record.files.get(*path), there.get(*path)) {
        (Some(noted), Some(found)) => noted.sha256 != found.sha256 || noted.bytes != found.bytes,
        _ => true,
    };
    match paths.find(is_other) {
        Some(path) => Err(format!("its {path} is not what was written")),
        None => Ok(record),
    }
}

impl Dependencies {
    /// Puts what was verified into a target folder.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub(super) fn copy(&self, place: &Path, target_dir: &Path) -> Result<(), HostError> {
        share::take_over(&place.join(BUILT), target_dir, &BTreeSet::new(), Large::Copied)?;
        // As if they were written now, in their order: cargo compares with when this machine unpacked the sources, which the
        // lock file names. An archive may have rounded them.
        let newest = self.files.values().map(|file| file.written).max().unwrap_or_default();
        let now = SystemTime::now();
        for (path, Built { written, .. }) in &self.files {
            let time = now - Duration::from_nanos(newest - written);
            fs::File::open(target_dir.join(path))?.file().set_modified(time)?;
        }
        Ok(())
    }
}

/// Returns the files below a folder; `None` if there is something else among them, or a name that is not text.
fn written(folder: &Path) -> Result<Option<BTreeMap<String, Built>>, HostError> {
    let mut files = BTreeMap::new();
    let mut pending = vec![PathBuf::new()];
    while let Some(below) = pending.pop() {
        let here = folder.join(&below);
        if !here.is_dir() {
            continue;
        }
        for entry in fs::read_dir(here)? {
            let entry = entry?;
            let (path, kind) = (below.join(entry.file_name()), entry.file_type()?);
            if kind.is_dir() {
                pending.push(path);
                continue;
            }
            let (true, Some(name)) = (kind.is_file(), path.to_str()) else { return Ok(None) };
            let metadata = entry.metadata()?;
            let age = metadata.modified()?.duration_since(SystemTime::UNIX_EPOCH);
            let written = age.unwrap_or_default().as_nanos();
            let file = Built {
                sha256: files::digest(&folder.join(&path))?,
                bytes: metadata.len(),
                written: u64::try_from(written).unwrap_or_default(),
            };
            files.insert(name.to_owned(), file);
        }
    }
    Ok(Some(files))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::sandbox::Sandbox;
    use benchgate_core::policy::Policy;
    use std::os::unix::fs::symlink;

    /// An entry of one library, and a target folder to restore it into.
    struct Kept {
        folder: tempfile::TempDir,
        identity: Identity,
    }

    const LIBRARY: &str = "release/deps/libserde-1.rlib";

    impl Kept {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let stored = Self { identity: identity(folder.path(), "a lock file"), folder };
            let target = stored.folder.path().join("target");
            for unit in [LIBRARY, "release/.fingerprint/serde-1/lib", "release/deps/speed-2"] {
                let path = target.join(unit);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "built").unwrap();
            }
            assert_eq!(stored.keep(), Availability::Available(()));
            stored
        }

        fn keep(&self) -> Availability<()> {
            let names = BTreeSet::from(["speed".to_owned()]);
            let target = self.folder.path().join("target");
            files::remove_dir(&self.place()).unwrap();
            let known = std::slice::from_ref(&target);
            let given = Variables::new();
            keep(&self.place(), &self.identity, &target, &names, known, &given).unwrap()
        }

        fn place(&self) -> PathBuf {
            self.folder.path().join(NAME)
        }

        fn library(&self) -> PathBuf {
            self.place().join(BUILT).join(LIBRARY)
        }

        fn restored(&self) -> PathBuf {
            self.folder.path().join("restored")
        }

        fn restore(&self) -> Result<(), String> {
            let verified = verify(&self.place(), &self.identity, &Variables::new())?;
            verified.copy(&self.place(), &self.restored()).map_err(|error| error.to_string())
        }
    }

    fn identity(folder: &Path, lock_file: &str) -> Identity {
        let (policy, sandbox) = (Policy::default(), Sandbox::default());
        let identity = Identity::of("c", folder, folder, folder, &policy.build, &sandbox).unwrap();
        identity.of_dependencies(lock_file.to_owned(), String::new())
    }

    /// On another machine the sources were unpacked after they were built here.
    #[test]
    fn what_is_not_of_the_repository_is_restored_as_if_it_was_built_now_in_the_same_order() {
        const LATER: &str = "release/.fingerprint/serde-1/lib";
        let stored = Kept::new();
        let target = stored.folder.path().join("target");
        let set = |path: PathBuf, seconds: u64| {
            let file = fs::OpenOptions::new().append(true).open(path).unwrap();
            file.file()
                .set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
                .unwrap();
        };
        set(target.join(LIBRARY), 1_000_000);
        set(target.join(LATER), 1_000_007);
        stored.keep();
        // As an archive does it that knows no times.
        set(stored.library(), 0);
        let unpacked = SystemTime::now();
        stored.restore().unwrap();
        let modified = |path: &str| stored.restored().join(path).metadata().unwrap().modified();
        let [library, later] = [LIBRARY, LATER].map(|path| modified(path).unwrap());
        assert!(later >= unpacked);
        assert_eq!(later.duration_since(library).unwrap(), Duration::from_secs(7));
        assert!(!stored.restored().join("release/deps/speed-2").exists());
    }

    #[test]
    fn nothing_is_kept_where_there_are_no_dependencies_or_a_link_is_among_them() {
        let stored = Kept::new();
        let units = stored.folder.path().join("target/release");
        symlink("/etc/hostname", units.join("deps/libserde-3.so")).unwrap();
        assert_eq!(stored.keep(), Availability::Unavailable(LINKED.to_owned()));
        assert!(!stored.place().exists());
        fs::remove_dir_all(&units).unwrap();
        assert_eq!(stored.keep(), Availability::Available(()));
        assert!(!stored.place().exists());
    }

    #[test]
    fn what_is_larger_than_the_store_keeps_is_named_with_its_size() {
        let stored = Kept::new();
        let library = stored.folder.path().join("target").join(LIBRARY);
        // A file with a hole takes no room.
        fs::OpenOptions::new().write(true).open(library).unwrap().set_len(LARGEST).unwrap();
        let reason = "they are 1025 MiB, and at most 1024 MiB are kept".to_owned();
        assert_eq!(stored.keep(), Availability::Unavailable(reason));
        assert!(!stored.place().exists());
    }

    type Edit = dyn Fn(&mut Kept);

    #[test]
    fn what_is_poisoned_truncated_foreign_or_stale_is_refused_by_name_and_nothing_is_restored() {
        let edits: [(&str, &Edit); 9] = [
            ("other code", &|k| fs::write(k.library(), "bu1lt").unwrap()),
            ("less code", &|k| fs::write(k.library(), "bu").unwrap()),
            ("no code", &|k| fs::remove_file(k.library()).unwrap()),
            ("one more file", &|k| {
                fs::write(k.place().join(BUILT).join("release/deps/libx-1.rlib"), "x").unwrap();
            }),
            ("a link to the same", &|k| {
                fs::rename(k.library(), k.folder.path().join("there")).unwrap();
                symlink(k.folder.path().join("there"), k.library()).unwrap();
            }),
            ("no record", &|k| fs::remove_file(k.place().join(RECORD)).unwrap()),
            ("the beginning of a record", &|k| {
                let bytes = fs::read(k.place().join(RECORD)).unwrap();
                fs::write(k.place().join(RECORD), &bytes[..20]).unwrap();
            }),
            ("a forged digest", &|k| {
                fs::write(k.library(), "bu1lt").unwrap();
                let text = fs::read_to_string(k.place().join(RECORD)).unwrap();
                let [from, to] = ["built", "bu1lt"].map(|text| files::digest_of(text.as_bytes()));
                fs::write(k.place().join(RECORD), text.replace(&from, &to)).unwrap();
            }),
            ("another lock file", &|k| k.identity = identity(k.folder.path(), "another")),
        ];
        let table: String = edits
            .iter()
            .map(|(what, edit)| {
                let mut stored = Kept::new();
                edit(&mut stored);
                let refused = stored.restore().unwrap_err();
                assert!(!stored.restored().exists(), "{what}");
                format!("{what}: {refused}\n")
            })
            .collect();
        insta::assert_snapshot!(table);
    }
}

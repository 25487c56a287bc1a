//! What a build writes into its checkout and beside what cargo leaves in its target folder: nothing else says that a bench
//! reads it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fs_err as fs;

use crate::HostError;
use crate::cargo::share::VENDORED;
use crate::system::{files, platform};

/// The files of a checkout, as they were before a build.
pub(crate) struct Listing(BTreeMap<PathBuf, (Option<SystemTime>, u64)>);

impl Listing {
    /// Lists a checkout. git is not asked after a build: that may have written what git obeys.
    pub(crate) fn of(top: &Path) -> Result<Self, HostError> {
        let mut all = BTreeMap::new();
        let mut pending = vec![top.to_owned()];
        while let Some(folder) = pending.pop() {
            for entry in fs::read_dir(&folder)? {
                let entry = entry?;
                if entry.file_name() == ".git" {
                    continue;
                }
                let (path, metadata) = (entry.path(), entry.metadata()?);
                if metadata.is_dir() {
                    pending.push(path);
                } else {
                    all.insert(path, (metadata.modified().ok(), metadata.len()));
                }
            }
        }
        Ok(Self(all))
    }

    /// A digest of the paths and sizes, but for this file. A checkout of one commit has others where a filter, a line ending
    /// or a submodule of git was another one.
    pub(crate) fn digest(&self, top: &Path, but: &Path) -> String {
        let own = self.0.iter().filter(|(path, _)| *path != but);
        let own = own.map(|(path, (_, size))| (path.strip_prefix(top).unwrap_or(path), size));
        files::digest_of(format!("{:?}", own.collect::<Vec<_>>()).as_bytes())
    }

    /// The files that are new, other or gone since then, but for this one; by path from the top, with the SHA-256 of each.
    pub(crate) fn since(
        &self,
        top: &Path,
        but: &Path,
    ) -> Result<BTreeMap<String, Option<String>>, HostError> {
        let now = Self::of(top)?;
        let paths = self.0.keys().chain(now.0.keys());
        let other = paths.filter(|path| self.0.get(*path) != now.0.get(*path) && **path != *but);
        let written = other.map(|path| {
            let inside = path.strip_prefix(top).unwrap_or(path).to_string_lossy().into_owned();
            // Of what is no file, such as a link, only that it was written is known.
            let digest = files::read_written(path).ok().map(|bytes| files::digest_of(&bytes));
            (inside, digest)
        });
        Ok(written.collect())
    }
}

/// What cargo and the gate keep at the top of a target folder. The folder for benches that is a constant of them is emptied
/// before.
const OF_TARGET: [&str; 8] = [
    "CACHEDIR.TAG",
    ".rustc_info.json",
    ".rustdoc_fingerprint.json",
    ".future-incompat-report.json",
    "doc",
    "package",
    TEMPORARY,
    VENDORED,
];

/// The folder that cargo names `CARGO_TARGET_TMPDIR` to benches.
pub(crate) const TEMPORARY: &str = "tmp";

/// What cargo keeps in the folder of a profile, besides what its messages name.
const OF_PROFILE: [&str; 5] = [BUILD, DEPS, "examples", "incremental", FINGERPRINTS];
const BUILD: &str = "build";
const DEPS: &str = "deps";

/// What cargo keeps in the folder of a build script, besides the script itself.
const OF_SCRIPT: [&str; 6] =
    ["invoked.timestamp", "out", "output", "root-output", "stderr", "stdout"];
const SCRIPTS: [&str; 2] = ["build-script", "build_script"];

const FINGERPRINTS: &str = ".fingerprint";

/// The files and folders in a target folder that cargo did not put there, whose messages name these artifacts: a build script
/// did, and every bench finds them from where it lies.
pub(crate) fn beside_cargo(
    target_dir: &Path,
    artifacts: &BTreeSet<PathBuf>,
) -> Result<Vec<PathBuf>, HostError> {
    let mut beside = Vec::new();
    let mut pending = vec![target_dir.to_owned()];
    while let Some(folder) = pending.pop() {
        if is_profile(&folder) {
            beside.extend(in_profile(&folder, artifacts)?);
            continue;
        }
        for (path, name) in entries(&folder)? {
            if OF_TARGET.contains(&&*name) || is_lock(&name) {
                continue;
            }
            let below = if has_profiles(&path) { &mut pending } else { &mut beside };
            below.push(path);
        }
    }
    beside.sort();
    Ok(beside)
}

/// The same in the folder of a profile, and in those of cargo below it: what cargo puts there has a digest in its name, is
/// named by a message, or is a link of one that is.
fn in_profile(profile: &Path, artifacts: &BTreeSet<PathBuf>) -> Result<Vec<PathBuf>, HostError> {
    let (here, deps) = (entries(profile)?, entries(&profile.join(DEPS))?);
    let is_library_of_cargo =
        |(path, name): &(PathBuf, String)| is_library(name) && platform::has_other_names(path);
    let of_cargo = |entry: &&(PathBuf, String)| has_digest(&entry.1) || is_library_of_cargo(entry);
    let linked: BTreeSet<_> =
        deps.iter().filter(of_cargo).filter_map(|(path, _)| platform::file_id(path)).collect();
    let is_noted = |(path, name): &(PathBuf, String), all: &[(PathBuf, String)]| {
        artifacts.contains(path) || is_notes_of_one(name, all)
    };
    let of_deps = deps.iter().filter(|entry| !of_cargo(entry) && !is_noted(entry, &deps));
    let of_profile = here.iter().filter(|entry| {
        let (path, name) = entry;
        // Of a build before: cargo links what it puts here.
        let is_linked = || platform::file_id(path).is_some_and(|id| linked.contains(&id));
        !OF_PROFILE.contains(&&**name) && !is_lock(name) && !is_noted(entry, &here) && !is_linked()
    });
    let mut beside: Vec<PathBuf> =
        of_deps.chain(of_profile).map(|(path, _)| path.clone()).collect();
    for (path, name) in entries(&profile.join(BUILD))? {
        match has_digest(&name) {
            true => {
                let others = entries(&path)?.into_iter().filter(|(_, name)| !is_of_script(name));
                beside.extend(others.map(|(path, _)| path));
            }
            false => beside.push(path),
        }
    }
    Ok(beside)
}

/// What is in a folder, with names; nothing of one that is not there.
fn entries(folder: &Path) -> Result<Vec<(PathBuf, String)>, HostError> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let names = files::names(folder)?.into_iter();
    Ok(names.map(|name| (folder.join(&name), name.to_string_lossy().into_owned())).collect())
}

/// Whether cargo holds a file while it builds.
fn is_lock(name: &str) -> bool {
    name.starts_with(".cargo-")
}

/// Whether cargo keeps a file of this name in the folder of a build script.
fn is_of_script(name: &str) -> bool {
    OF_SCRIPT.contains(&name) || SCRIPTS.iter().any(|script| name.starts_with(script))
}

/// Whether a name has `-` and the sixteen hexadecimal digits that cargo tells units apart by.
fn has_digest(name: &str) -> bool {
    name.split('-').skip(1).any(|part| {
        let digits = part.split('.').next().unwrap_or_default();
        digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

/// Whether a name is that of a library, which has no digest where others link it by its name.
fn is_library(name: &str) -> bool {
    name.starts_with("lib") || name.ends_with(".dll") || name.ends_with(".wasm")
}

/// Whether a file is what cargo notes of the sources of an artifact beside it.
fn is_notes_of_one(name: &str, all: &[(PathBuf, String)]) -> bool {
    let Some(stem) = name.strip_suffix(".d") else { return false };
    let is_of_stem = |(_, name): &(PathBuf, String)| {
        let name = name.strip_prefix("lib").filter(|_| !stem.starts_with("lib")).unwrap_or(name);
        let ending = name.strip_prefix(stem);
        ending.is_some_and(|ending| ending.is_empty() || ending.starts_with('.') && ending != ".d")
    };
    all.iter().any(is_of_stem)
}

fn is_profile(folder: &Path) -> bool {
    folder.join(FINGERPRINTS).is_dir()
}

/// Whether a folder is a profile's, or that of a target with several.
fn has_profiles(folder: &Path) -> bool {
    let below = files::names(folder).unwrap_or_default();
    !folder.is_symlink()
        && (is_profile(folder) || below.iter().any(|name| is_profile(&folder.join(name))))
}

/// The first file that builds of two sides wrote differently.
pub(crate) fn difference<'a>(
    base: &'a BTreeMap<String, Option<String>>,
    head: &'a BTreeMap<String, Option<String>>,
) -> Option<&'a str> {
    let names = base.keys().chain(head.keys());
    let is_other = |name: &&String| {
        let [old, new] = [base, head].map(|side| side.get(*name).cloned().flatten());
        old.is_none() || old != new
    };
    names.into_iter().find(is_other).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_a_build_script_puts_into_the_target_folder_is_found_and_what_cargo_puts_there_is_not() {
        let target = tempfile::tempdir().unwrap();
        let at = |path: &str| target.path().join(path);
        for path in [
            "CACHEDIR.TAG",
            "vendored",
            "tmp/cached",
            "release/.fingerprint/x",
            "release/deps/tool-0123456789abcdef",
            "release/deps/libtool-0123456789abcdef.rlib",
            "release/deps/tool-0123456789abcdef.d",
            "release/deps/libshared.so",
            "release/deps/shared.d",
            "release/deps/table.bin",
            "release/build/p-0123456789abcdef/out/table",
            "release/build/p-0123456789abcdef/output",
            "release/build/p-0123456789abcdef/table",
            "release/build/p-0123456789abcdef/build-script-build",
            "release/build/p-0123456789abcdef/build_script_build-0123456789abcdef",
            "release/build/table",
            "release/table.d",
            "release/.cargo-lock",
            "release/tool.d",
            "release/libp.rlib",
            "release/assets.bin",
            "release/data/one",
            "x86_64-unknown-linux-gnu/release/.fingerprint/x",
            "x86_64-unknown-linux-gnu/release/other.bin",
            "assets.bin",
            "data/one",
        ] {
            fs::create_dir_all(at(path).parent().unwrap()).unwrap();
            fs::write(at(path), "1").unwrap();
        }
        // An older commit's.
        fs::hard_link(at("release/deps/tool-0123456789abcdef"), at("release/tool")).unwrap();
        fs::hard_link(at("release/deps/libshared.so"), at("release/libshared.so")).unwrap();
        fs::hard_link(at("release/build/p-0123456789abcdef/out/table"), at("release/hard.bin"))
            .unwrap();
        let artifacts = [at("release/libp.rlib")].into();
        let beside = beside_cargo(target.path(), &artifacts).unwrap();
        let expected = [
            "assets.bin",
            "data",
            "release/assets.bin",
            "release/build/p-0123456789abcdef/table",
            "release/build/table",
            "release/data",
            "release/deps/table.bin",
            "release/hard.bin",
            "release/table.d",
            "x86_64-unknown-linux-gnu/release/other.bin",
        ];
        assert_eq!(beside, expected.map(at));
    }

    #[test]
    fn what_is_new_other_or_gone_was_written() {
        let top = tempfile::tempdir().unwrap();
        for name in ["same", "other", "gone", "lock"] {
            fs::write(top.path().join(name), "1").unwrap();
        }
        let before = Listing::of(top.path()).unwrap();
        fs::write(top.path().join("other"), "22").unwrap();
        fs::write(top.path().join("lock"), "22").unwrap();
        fs::remove_file(top.path().join("gone")).unwrap();
        fs::create_dir(top.path().join("new")).unwrap();
        fs::write(top.path().join("new/file"), "1").unwrap();
        let written = before.since(top.path(), &top.path().join("lock")).unwrap();
        assert_eq!(written.keys().collect::<Vec<_>>(), ["gone", "new/file", "other"]);
        let mut remaining = written.clone();
        remaining.remove("gone");
        assert_eq!(difference(&remaining, &remaining), None);
        assert_eq!(difference(&remaining, &BTreeMap::new()), Some("new/file"));
        // Of a file that is gone, or a link, nothing proves that it is the same.
        assert_eq!(difference(&written, &written), Some("gone"));
    }
}

//! Two target folders, one build of the dependencies.
//!
//! Each side has a separate target folder: what build scripts generate, binaries and libraries of both
//! sides are there at the same time. What is not the repository's own is the same on both sides, and building
//! it is most of the time; so each side takes over what the other one has built of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::HostError;
use crate::system::{files, platform};

/// Folders below a profile's that hold build output, in this order: cargo goes by the last.
const UNITS: [&str; 3] = ["deps", "build", ".fingerprint"];

/// The file in a target folder that names the state of the vendored packages that it was built with.
pub(crate) const VENDORED: &str = "vendored";

/// How deep profiles are: `release`, or `x86_64-unknown-linux-gnu/release`.
const DEEPEST: usize = 2;

/// How large files are taken over that are replaced and never written to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Large {
    /// As the same file.
    Linked,
    /// As a copy: one side must not be able to change the other's.
    Copied,
}

/// Gives `to` all that `from` has and it lacks, except the output of these packages and targets.
///
/// # Errors
/// Names the file that cannot be copied.
pub(crate) fn take_over(
    from: &Path,
    to: &Path,
    own: &BTreeSet<String>,
    large: Large,
) -> Result<(), HostError> {
    if from.is_dir() { take_profiles(from, to, own, large, DEEPEST) } else { Ok(()) }
}

fn take_profiles(
    from: &Path,
    to: &Path,
    own: &BTreeSet<String>,
    large: Large,
    deeper: usize,
) -> Result<(), HostError> {
    without_link(to)?;
    for kind in UNITS.iter().filter(|kind| from.join(kind).is_dir()) {
        take_units(&from.join(kind), &to.join(kind), own, large)?;
    }
    if deeper == 0 {
        return Ok(());
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let is_unit = UNITS.iter().any(|kind| entry.file_name() == *kind);
        if entry.file_type()?.is_dir() && !is_unit {
            let name = entry.file_name();
            take_profiles(&from.join(&name), &to.join(&name), own, large, deeper - 1)?;
        }
    }
    Ok(())
}

fn take_units(
    from: &Path,
    to: &Path,
    own: &BTreeSet<String>,
    large: Large,
) -> Result<(), HostError> {
    without_link(to)?;
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name();
        let (source, target) = (from.join(&name), to.join(&name));
        if target.exists() || is_own(&name.to_string_lossy(), own) {
            continue;
        }
        // A run that is killed here leaves no half of a unit.
        let taking = to.join(".taking");
        files::remove_dir(&taking)?;
        files::remove_file(&taking)?;
        copy(&source, &taking, large)?;
        fs::rename(&taking, &target)?;
    }
    Ok(())
}

/// Removes what build scripts of these packages left in a target folder, and has cargo run them: a script that finds the
/// files of an older commit may keep them.
///
/// # Errors
/// Names what cannot be removed.
pub(crate) fn empty_generated(target_dir: &Path, own: &BTreeSet<String>) -> Result<(), HostError> {
    for folder in folders(target_dir, DEEPEST)? {
        let [_, generated, known] = UNITS.map(|kind| folder.join(kind));
        // A build may have left a link to anywhere.
        if !is_folder(&generated) || known.is_symlink() {
            continue;
        }
        for unit in files::names(&generated)? {
            if is_own(&unit.to_string_lossy(), own) {
                let generated = generated.join(&unit);
                files::remove_dir(&known.join(&unit))?;
                match is_folder(&generated) {
                    true => files::remove_dir(&generated)?,
                    false => files::remove_file(&generated)?,
                }
            }
        }
    }
    Ok(())
}

/// A folder, and those below it to this depth that are no units.
fn folders(folder: &Path, deeper: usize) -> Result<Vec<PathBuf>, HostError> {
    let mut all = vec![folder.to_owned()];
    if deeper == 0 || !folder.is_dir() {
        return Ok(all);
    }
    for name in files::names(folder)? {
        let path = folder.join(&name);
        let is_unit = UNITS.iter().any(|kind| name == *kind);
        if is_folder(&path) && !is_unit {
            all.extend(folders(&path, deeper - 1)?);
        }
    }
    Ok(all)
}

/// Whether a path is a folder, and no link to one.
fn is_folder(path: &Path) -> bool {
    path.is_dir() && !path.is_symlink()
}

/// The size of what [`take_over`] would take of a target folder.
///
/// # Errors
/// Names the folder that cannot be read.
pub(crate) fn size(from: &Path, own: &BTreeSet<String>) -> Result<u64, HostError> {
    let mut bytes = 0;
    for folder in folders(from, DEEPEST)? {
        for units in UNITS.map(|kind| folder.join(kind)).iter().filter(|it| is_folder(it)) {
            for unit in files::names(units)? {
                if !is_own(&unit.to_string_lossy(), own) {
                    bytes += files::size(&units.join(&unit))?;
                }
            }
        }
    }
    Ok(bytes)
}

/// Whether cargo has built nothing in a target folder.
pub(crate) fn is_empty(target_dir: &Path) -> bool {
    let is_empty = |folder: &Path| UNITS.iter().all(|kind| !folder.join(kind).exists());
    let below = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect::<Vec<_>>()
    };
    below(target_dir)
        .iter()
        .all(|profile| is_empty(profile) && below(profile).iter().all(|it| is_empty(it)))
}

/// Removes a link in place of a folder: a build may have left a link to anywhere.
pub(crate) fn without_link(folder: &Path) -> Result<(), HostError> {
    if folder.is_symlink() { files::remove_file(folder) } else { Ok(()) }
}

/// Whether a unit, such as `libserde-0123456789abcdef.rlib`, is of one of these names.
fn is_own(unit: &str, own: &BTreeSet<String>) -> bool {
    let Some((name, _)) = unit.rsplit_once('-') else { return true };
    let name = plain(name);
    own.contains(&name) || name.strip_prefix("lib").is_some_and(|name| own.contains(name))
}

/// A name as crates and packages both write it.
pub(crate) fn plain(name: &str) -> String {
    name.replace('-', "_")
}

/// Copies with modification times, by which cargo knows what is fresh.
fn copy(from: &Path, to: &Path, large: Large) -> Result<(), HostError> {
    let metadata = fs::symlink_metadata(from)?;
    if metadata.is_symlink() {
        return Ok(platform::link_folder(&fs::read_link(from)?, to)?);
    }
    if metadata.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            copy(&from.join(&name), &to.join(&name), large)?;
        }
        return Ok(());
    }
    // rustc replaces libraries and never writes into one: those, which are large, can be the same file.
    let is_library = from.extension().is_some_and(|kind| kind == "rlib" || kind == "rmeta");
    if is_library && large == Large::Linked && fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    fs::copy(from, to)?;
    Ok(fs::File::open(to)?.file().set_modified(metadata.modified()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_of_the_repository_is_taken_over_whole_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let [from, to] = ["base", "head"].map(|side| folder.path().join(side));
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        for unit in ["deps/libserde-1.rlib", "build/serde-2/out/x", ".fingerprint/serde-1/lib"] {
            write(&format!("base/release/{unit}"), "built");
            write(&format!("base/triple/release/{unit}"), "built");
        }
        write("base/release/deps/libmy_lib-3.rlib", "own");
        write("base/release/build/my-lib-4/out/x", "own");
        write("base/release/my-lib", "own");
        write("head/release/build/serde-2/out/y", "there already");
        let own = BTreeSet::from(["my_lib".to_owned()]);
        take_over(&from, &to, &own, Large::Linked).unwrap();
        let has = |path: &str| to.join(path).exists();
        assert!(has("release/deps/libserde-1.rlib") && has("release/.fingerprint/serde-1/lib"));
        assert!(has("triple/release/build/serde-2/out/x"));
        assert!(!has("release/build/serde-2/out/x"), "half of the other side's");
        assert!(!has("release/deps/libmy_lib-3.rlib") && !has("release/build/my-lib-4"));
        assert!(!has("release/my-lib"));
        let modified = |path: &Path| path.metadata().unwrap().modified().unwrap();
        let fingerprint = "release/.fingerprint/serde-1/lib";
        assert_eq!(modified(&from.join(fingerprint)), modified(&to.join(fingerprint)));
    }

    #[test]
    fn a_library_that_was_copied_is_not_the_same_file() {
        use std::os::unix::fs::MetadataExt as _;
        let folder = tempfile::tempdir().unwrap();
        let library = |side: &str| folder.path().join(side).join("release/deps/libserde-1.rlib");
        std::fs::create_dir_all(library("base").parent().unwrap()).unwrap();
        std::fs::write(library("base"), "built").unwrap();
        for (side, large, is_same) in
            [("linked", Large::Linked, true), ("copied", Large::Copied, false)]
        {
            let [from, to] = ["base", side].map(|side| folder.path().join(side));
            take_over(&from, &to, &BTreeSet::new(), large).unwrap();
            let inode = |side: &str| library(side).metadata().unwrap().ino();
            assert_eq!(inode("base") == inode(side), is_same, "{side}");
        }
    }
}

//! Compares the machine code of the suites of both sides, and what else of their target folders they use.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use benchgate_core::identity::{Comparison, compare, libraries};
use benchgate_core::model::SuiteKey;

use crate::HostError;
use crate::cargo::start::Start;
use crate::cargo::{neighbours, written};
use crate::sides::{BuiltSide, Executable};
use crate::system::files;

/// The folders of both sides that executables name: checkouts and target folders.
pub(crate) fn folders<'a>(base: &'a BuiltSide, head: &'a BuiltSide) -> [[&'a [u8]; 2]; 2] {
    let bytes = |path: &'a Path| path.as_os_str().as_encoded_bytes();
    [
        [bytes(base.folder()), bytes(head.folder())],
        [bytes(&base.target_dir), bytes(&head.target_dir)],
    ]
}

/// Compares the executables of every suite that both sides have, and what else of their sides a run of them takes in.
/// `may_start` says whether a suite may start a program of a name.
///
/// # Errors
/// When an executable cannot be read.
pub fn identities(
    base: &BuiltSide,
    head: &BuiltSide,
    may_start: impl Fn(&SuiteKey, &str) -> bool,
) -> Result<BTreeMap<SuiteKey, Comparison>, HostError> {
    let folders = folders(base, head);
    let mut identities = BTreeMap::new();
    // Declared suites are compared by the files that they are built from, not by their machine code.
    for old in base.executables.iter().filter(|old| old.declared.is_none()) {
        let Some(new) = head.executables.iter().find(|new| new.key == old.key) else { continue };
        let mut comparison = compare(&files::read(&old.path)?, &files::read(&new.path)?, &folders);
        if comparison.is_same_code()
            && let Some(other) = other_input([(base, old), (head, new)], &may_start, &folders)?
        {
            comparison = other;
        }
        identities.insert(old.key.clone(), comparison);
    }
    Ok(identities)
}

/// The first input besides the machine code that differs.
fn other_input(
    [(base, old), (head, new)]: [(&BuiltSide, &Executable); 2],
    may_start: impl Fn(&SuiteKey, &str) -> bool,
    folders: &[[&[u8]; 2]],
) -> Result<Option<Comparison>, HostError> {
    let may_start = |program: &str| may_start(&old.key, program);
    let file = match other_file([(base, old), (head, new)], folders)? {
        Some(file) => Some(file),
        None => other_neighbour(old, new, may_start, folders)?,
    };
    if let Some(file) = file {
        return Ok(Some(Comparison::OtherFile(file)));
    }
    if let Some(file) = written::difference(&base.written, &head.written) {
        return Ok(Some(Comparison::OtherFile(file.to_owned())));
    }
    let places = [
        [base.folder(), head.folder()],
        [&base.target_dir, &head.target_dir],
        [&old.path, &new.path].map(|path| path.parent().and_then(Path::parent).unwrap_or(path)),
    ];
    let starts = [old, new].map(|of| of.start.as_ref());
    Ok(Start::difference_of(starts, &places).map(Comparison::OtherVariable))
}

/// The first that differs of the neighbours that two executables may start or load; `may_start` decides on programs by
/// their names.
pub(crate) fn other_neighbour(
    old: &Executable,
    new: &Executable,
    may_start: impl Fn(&str) -> bool,
    folders: &[[&[u8]; 2]],
) -> Result<Option<String>, HostError> {
    let [before, after] = [old, new].map(|of| neighbours::by_name(&of.path, &of.neighbours));
    let loaded = loaded(new, after.values().flatten())?;
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    for name in names {
        let file = name.rsplit('/').next().unwrap_or(name);
        let stem = file.split('.').next().unwrap_or(file).trim_end_matches('-');
        let is_program = may_start(stem) || stem.strip_prefix("lib").is_some_and(&may_start);
        if !is_program && !loaded.contains(file) {
            continue;
        }
        let [old, new] =
            [&before, &after].map(|side| side.get(name).map_or(&[][..], Vec::as_slice));
        if !are_same(old, new, folders)? {
            return Ok(Some(name.clone()));
        }
    }
    Ok(None)
}

/// Whether each file of one side is the same code as one of the other side, in pairs.
fn are_same(old: &[PathBuf], new: &[PathBuf], folders: &[[&[u8]; 2]]) -> Result<bool, HostError> {
    let mut contents = new.iter().map(|path| files::read(path)).collect::<Result<Vec<_>, _>>()?;
    for path in old {
        let bytes = files::read(path)?;
        let same = contents.iter().position(|new| compare(&bytes, new, folders).is_same_code());
        let Some(same) = same else { return Ok(false) };
        contents.swap_remove(same);
    }
    Ok(contents.is_empty())
}

/// The libraries that an executable, and what it may start, loads when it starts.
fn loaded<'a>(
    executable: &Executable,
    neighbours: impl Iterator<Item = &'a PathBuf>,
) -> Result<BTreeSet<String>, HostError> {
    let mut all: BTreeSet<String> =
        libraries(&files::read(&executable.path)?).into_iter().collect();
    for neighbour in neighbours {
        all.extend(libraries(&files::read(neighbour)?));
    }
    Ok(all.into_iter().map(|name| neighbours::plain(&name)).collect())
}

/// In place of a name, if each side names its own files.
const OTHERS: &str = "its target folder";

/// The first that differs of what two executables name in their target folders.
fn other_file(
    [(base, old), (head, new)]: [(&BuiltSide, &Executable); 2],
    folders: &[[&[u8]; 2]],
) -> Result<Option<String>, HostError> {
    let inside = |side: &BuiltSide, executable: &Executable| -> Vec<PathBuf> {
        let inside = |path: &PathBuf| path.strip_prefix(&side.target_dir).ok().map(Path::to_owned);
        executable.names.iter().filter_map(inside).collect()
    };
    let named = inside(base, old);
    if named != inside(head, new) {
        return Ok(Some(OTHERS.to_owned()));
    }
    let owns = |[of_base, of_head]: [&Path; 2]| base.owns(of_base) && head.owns(of_head);
    other_below([&base.target_dir, &head.target_dir], named, owns, folders)
}

/// The first that differs of what two target folders have at some paths, and of what is in folders there; `owns` says whether
/// each of two files belongs to its side.
fn other_below(
    target_dirs: [&Path; 2],
    mut left: Vec<PathBuf>,
    owns: impl Fn([&Path; 2]) -> bool,
    folders: &[[&[u8]; 2]],
) -> Result<Option<String>, HostError> {
    while let Some(path) = left.pop() {
        let [of_base, of_head] = target_dirs.map(|folder| folder.join(&path));
        let is_same = if !owns([&of_base, &of_head]) {
            false
        } else if of_base.is_dir() && of_head.is_dir() {
            let [names, others] = [files::names(&of_base)?, files::names(&of_head)?];
            left.extend(names.iter().map(|name| path.join(name)));
            names == others
        } else {
            of_base.is_file()
                && of_head.is_file()
                && compare(&files::read(&of_base)?, &files::read(&of_head)?, folders).is_same_code()
        };
        if !is_same {
            return Ok(Some(path.display().to_string()));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of two builds with their texts, and the path that differs, whichever of the two is the head.
    #[test]
    fn what_is_new_gone_or_other_in_a_folder_that_an_executable_names_differs() {
        for (base, head, expected) in [
            (&["out/a=1", "out/b=2"][..], &["out/a=1", "out/b=2"][..], None),
            (&["out/a=1"], &["out/a=2"], Some("out/a")),
            (&["out/a=1"], &["out/a=1", "out/new=1"], Some("out")),
            (&["out/a=1"], &["out/b=1"], Some("out")),
            (&["out/a=1"], &["out/a=1", "out/deep/new=1"], Some("out")),
            (&["out/deep/a=1"], &["out/deep/a=1", "out/deep/new=1"], Some("out/deep")),
            (&["out/deep/a=1"], &["out/deep/a=2"], Some("out/deep/a")),
            (&["out/a=1"], &["out/a/b=1"], Some("out/a")),
            (&["out=1"], &["out=1"], None),
            (&["out=1"], &["out=2"], Some("out")),
            // What no executable names.
            (&["out/a=1"], &["out/a=1", "other/new=1"], None),
        ] {
            let made = [base, head].map(|files| {
                let folder = tempfile::tempdir().unwrap();
                for (path, text) in files.iter().map(|file| file.split_once('=').unwrap()) {
                    let path = folder.path().join(path);
                    fs_err::create_dir_all(path.parent().unwrap()).unwrap();
                    fs_err::write(path, text).unwrap();
                }
                folder
            });
            let [of_base, of_head] = made.each_ref().map(tempfile::TempDir::path);
            for sides in [[of_base, of_head], [of_head, of_base]] {
                let different =
                    |owns| other_below(sides, vec!["out".into()], |_| owns, &[]).unwrap();
                assert_eq!(different(true).as_deref(), expected, "{base:?} {head:?}");
                // A link to a file of the other side is the same, and says nothing.
                assert_eq!(different(false).as_deref(), Some("out"));
            }
        }
    }
}

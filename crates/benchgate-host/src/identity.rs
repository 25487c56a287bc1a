//! Compares the machine code of the suites of both sides, and what else of their target folders they use.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use benchgate_core::identity::{Comparison, compare};
use benchgate_core::model::SuiteKey;

use crate::sides::{BuiltSide, Executable};
use crate::{HostError, files};

/// The folders of both sides that executables name: checkouts and target folders.
pub(crate) fn folders<'a>(base: &'a BuiltSide, head: &'a BuiltSide) -> [[&'a [u8]; 2]; 2] {
    let bytes = |path: &'a Path| path.as_os_str().as_encoded_bytes();
    [
        [bytes(base.folder()), bytes(head.folder())],
        [bytes(&base.target_dir), bytes(&head.target_dir)],
    ]
}

/// Compares the executables of every suite that both sides have.
///
/// # Errors
/// When an executable cannot be read.
pub fn identities(
    base: &BuiltSide,
    head: &BuiltSide,
) -> Result<BTreeMap<SuiteKey, Comparison>, HostError> {
    let folders = folders(base, head);
    let mut identities = BTreeMap::new();
    // Declared suites are compared by the files that they are built from, not by their machine code.
    for old in base.executables.iter().filter(|old| old.declared.is_none()) {
        let Some(new) = head.executables.iter().find(|new| new.key == old.key) else { continue };
        let mut comparison = compare(&files::read(&old.path)?, &files::read(&new.path)?, &folders);
        if comparison.is_same_code()
            && let Some(name) = other_file([(base, old), (head, new)], &folders)?
        {
            comparison = Comparison::OtherFile(name);
        }
        identities.insert(old.key.clone(), comparison);
    }
    Ok(identities)
}

/// In place of a name, where each side names files of its own.
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
    let mut left = inside(base, old);
    if left != inside(head, new) {
        return Ok(Some(OTHERS.to_owned()));
    }
    while let Some(path) = left.pop() {
        let [of_base, of_head] = [base, head].map(|side| side.target_dir.join(&path));
        let is_same = if !base.owns(&of_base) || !head.owns(&of_head) {
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

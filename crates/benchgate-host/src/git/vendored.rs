//! Packages that a repository vendors.

use std::collections::BTreeSet;

use super::Repository;
use crate::{HostError, files};

/// The file that marks the folder of a vendored package.
const MARK: &str = ".cargo-checksum.json";

impl Repository {
    /// Names the state of the packages that a commit vendors, those with a `.cargo-checksum.json`; empty where
    /// there is none.
    ///
    /// # Errors
    /// When git cannot be run or the commit is unknown.
    pub fn vendored(&self, commit: &str) -> Result<String, HostError> {
        let list = self.run("list files", &["ls-tree", "-r", "-z", "--full-tree", commit])?;
        Ok(state(&list))
    }
}

fn state(list: &str) -> String {
    let entries = || list.split('\0').filter_map(|line| Some((line, line.split_once('\t')?.1)));
    let folders: BTreeSet<&str> =
        entries().filter_map(|(_, path)| path.strip_suffix(MARK)).collect();
    if folders.is_empty() {
        return String::new();
    }
    let is_vendored =
        |path: &str| path.match_indices('/').any(|(end, _)| folders.contains(&path[..=end]));
    let lines: String = entries()
        .filter(|(_, path)| is_vendored(path))
        .flat_map(|(line, _)| [line, "\0"])
        .collect();
    files::digest_of(lines.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_of_vendored_packages_are_their_state() {
        let list = |more: &str| {
            state(&format!("100644 blob 1\tvendor/x/{MARK}\0100644 blob 2\tsrc/lib.rs\0{more}"))
        };
        assert_eq!(state("100644 blob 2\tsrc/lib.rs\0"), "");
        assert_eq!(list(""), list("100644 blob 3\tvendor/README.md\0"));
        assert_ne!(list(""), list("100644 blob 3\tvendor/x/src/lib.rs\0"));
    }
}

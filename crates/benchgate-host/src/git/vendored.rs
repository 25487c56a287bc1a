//! Packages that a repository vendors.

use std::collections::BTreeSet;

use super::Repository;
use crate::HostError;
use crate::system::files;

/// The file that marks the folder of a vendored package.
const MARK: &str = ".cargo-checksum.json";

impl Repository {
    /// Names the state of the packages that a commit vendors, those with a `.cargo-checksum.json`; empty where
    /// there is none.
    ///
    /// # Errors
    /// When git cannot be run or the commit is unknown.
    pub fn vendored(&self, commit: &str) -> Result<String, HostError> {
        Ok(state(&self.files_of(commit)?))
    }

    /// Names the state of everything of a commit that decides how the packages of others are built, its lock file aside:
    /// vendored packages, submodules, manifests, cargo's configuration and the toolchain's name.
    ///
    /// # Errors
    /// As [`vendored`](Self::vendored).
    pub(crate) fn builds_dependencies_by(&self, commit: &str) -> Result<String, HostError> {
        Ok(state_of_builds(&self.files_of(commit)?))
    }

    fn files_of(&self, commit: &str) -> Result<String, HostError> {
        self.run("list files", &["ls-tree", "-r", "-z", "--full-tree", commit])
    }
}

fn state_of_builds(list: &str) -> String {
    const NAMES: [&str; 3] = ["Cargo.toml", "rust-toolchain", "rust-toolchain.toml"];
    const SUBMODULE: &str = "160000 ";
    let decides = |line: &&str| {
        let path = line.split_once('\t').map_or("", |(_, path)| path);
        let mut parts = path.rsplit('/');
        let is_named = parts.next().is_some_and(|name| NAMES.contains(&name));
        line.starts_with(SUBMODULE) || is_named || parts.any(|folder| folder == ".cargo")
    };
    let lines: String = list.split('\0').filter(decides).flat_map(|line| [line, "\0"]).collect();
    files::digest_of(format!("{lines}{}", state(list)).as_bytes())
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
    fn what_decides_how_others_packages_are_built_is_their_state_and_code_is_not() {
        let list = |more: &str| state_of_builds(&format!("100644 blob 1\tCargo.toml\0{more}"));
        for other in ["src/lib.rs", "docs/.cargo.md", "x/Cargo.toml.md", "Cargo.lock"] {
            assert_eq!(list(""), list(&format!("100644 blob 2\t{other}\0")), "{other}");
        }
        let vendored = format!("vendor/x/{MARK}");
        let deciding = ["a/Cargo.toml", "rust-toolchain.toml", ".cargo/config.toml", &vendored];
        for other in deciding {
            assert_ne!(list(""), list(&format!("100644 blob 2\t{other}\0")), "{other}");
        }
        assert_ne!(list(""), list("160000 commit 2\tsubmodule\0"));
    }

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

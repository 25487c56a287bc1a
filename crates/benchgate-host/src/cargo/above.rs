//! Files above a repository by which cargo and rustup build it, and which are not above its checkouts.

use std::path::{Path, PathBuf};

use fs_err as fs;

use crate::cargo::command::cargo_home;

const NAMES: [&str; 4] =
    [".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain"];

/// Returns a notice for each file above a repository that nothing reads for checkouts below `trees`.
pub(crate) fn notices(top: &Path, trees: &Path) -> Vec<String> {
    // As `trees` is.
    let top = fs::canonicalize(top).unwrap_or_else(|_| top.to_owned());
    let described = |file: PathBuf| {
        format!(
            "`{}` is not read: base and head are checked out below {} (to have it read, set XDG_CACHE_HOME to a folder \
             below its own)",
            file.display(),
            trees.display()
        )
    };
    unread(&top, trees, cargo_home().as_deref()).into_iter().map(described).collect()
}

/// The files above `top` that nothing reads for a checkout below `trees`. That of `cargo_home` is always read.
fn unread(top: &Path, trees: &Path, cargo_home: Option<&Path>) -> Vec<PathBuf> {
    let is_home = |file: &Path| cargo_home.is_some_and(|home| file.starts_with(home));
    top.ancestors()
        .skip(1)
        .take_while(|folder| !trees.starts_with(folder))
        .flat_map(|folder| NAMES.map(|name| folder.join(name)))
        .filter(|file| file.is_file() && !is_home(file))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_unread_unless_the_checkouts_are_below_it_too_or_it_is_cargos_own() {
        let outside = tempfile::tempdir().unwrap();
        let [work, top] = ["work", "work/repo"].map(|name| outside.path().join(name));
        std::fs::create_dir_all(top.join(".cargo")).unwrap();
        std::fs::create_dir_all(work.join(".cargo")).unwrap();
        let file = work.join(".cargo/config.toml");
        for file in [&file, &top.join(".cargo/config.toml"), &outside.path().join("rust-toolchain")]
        {
            std::fs::write(file, "").unwrap();
        }
        let elsewhere = outside.path().join("cache");
        assert_eq!(unread(&top, &elsewhere, None), [file]);
        assert_eq!(unread(&top, &work.join("cache"), None), Vec::<PathBuf>::new());
        assert_eq!(unread(&top, &elsewhere, Some(&work.join(".cargo"))), Vec::<PathBuf>::new());
    }
}

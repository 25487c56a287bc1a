//! Packages next to the repository that it depends on by path: its checkouts have them next to them, too.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use fs_err as fs;

use crate::HostError;
use crate::git::Repository;
use crate::system::{files, platform};

/// Names of a run's own in the folder of the checkouts.
const OWN: [&str; 4] = ["base", "head", "lock", "data"];

/// The file by which a folder is known to be a package of cargo.
const MANIFEST: &str = "Cargo.toml";

/// Files of cargo's configuration.
const CONFIGURATIONS: [&str; 2] = [".cargo/config.toml", ".cargo/config"];

/// Maximum number of bytes of a manifest.
const LARGEST: u64 = 4 << 20;

/// Tables of a manifest that name packages, each with its path.
const DEPENDENCIES: [&str; 4] =
    ["dependencies", "dev-dependencies", "build-dependencies", "replace"];

/// What lies outside of a repository and is built with it.
#[derive(Default)]
pub(super) struct Siblings {
    /// Folders that a build reads: packages, or the workspaces that they are in.
    folders: RefCell<BTreeSet<PathBuf>>,
    notices: RefCell<BTreeSet<String>>,
}

impl Siblings {
    pub(super) fn folders(&self) -> Vec<PathBuf> {
        self.folders.borrow().iter().cloned().collect()
    }

    pub(super) fn notices(&self) -> Vec<String> {
        self.notices.borrow().iter().cloned().collect()
    }

    pub(super) fn are_none(&self) -> bool {
        self.folders.borrow().is_empty()
    }

    /// Links what a checkout of the repository at `top` depends on into the folder of its checkouts, where it looks for it.
    pub(super) fn link(&self, checkout: &Path, top: &Path, trees: &Path) -> Result<(), HostError> {
        let Some(above) = top.parent() else { return Ok(()) };
        for path in outside(checkout, top)? {
            let inside = path.strip_prefix(above).ok().and_then(|path| path.components().next());
            let name = match inside {
                Some(Component::Normal(name)) if OWN.iter().all(|own| name != *own) => name,
                _ => {
                    let notice = format!(
                        "it depends on `{}` by path, which is not next to the repository: the gate's checkouts do not find \
                         it; depend on it by `git = \"file://{}\"`",
                        path.display(),
                        path.display()
                    );
                    self.notices.borrow_mut().insert(notice);
                    continue;
                }
            };
            let (folder, link) = (above.join(name), trees.join(name));
            if fs::read_link(&link).ok().as_ref() != Some(&folder) {
                if link.is_symlink() {
                    fs::remove_file(&link)?;
                }
                platform::link_folder(&folder, &link)?;
            }
            self.notices.borrow_mut().insert(format!(
                "`../{}` is outside of the repository: base and head are both built with it as it is now",
                path.strip_prefix(above).unwrap_or(&path).display()
            ));
            self.folders.borrow_mut().insert(path);
        }
        Ok(())
    }
}

/// The packages outside of a repository that a checkout of it depends on by path, and what those depend on, as if the
/// checkout were in `top`. Of a package in a workspace it is the workspace's folder.
///
/// # Errors
/// When git cannot be run.
pub fn outside(checkout: &Path, top: &Path) -> Result<BTreeSet<PathBuf>, HostError> {
    let manifests = Repository::around(checkout)?.manifests()?;
    let mut siblings = BTreeSet::new();
    let mut pending: Vec<PathBuf> = Vec::new();
    for inside in manifests {
        pending.extend(named_by(&checkout.join(&inside), &top.join(&inside)));
        // `[patch]` and `paths` of a configuration are relative to the folder that `.cargo` is in.
        let folder = Path::new(&inside).parent().unwrap_or(Path::new(""));
        for name in CONFIGURATIONS {
            let path = checkout.join(folder).join(name);
            pending.extend(named_by(&path, &top.join(folder).join(MANIFEST)));
        }
    }
    let mut read = BTreeSet::new();
    while let Some(path) = pending.pop() {
        // Not any folder: a manifest may name one of the user's that has nothing to do with cargo.
        if path.starts_with(top) || !path.join(MANIFEST).is_file() || !read.insert(path.clone()) {
            continue;
        }
        let is_manifest = |folder: &&Path| {
            folder.join(MANIFEST).is_file() && !top.starts_with(folder) && folder.parent().is_some()
        };
        let outermost = path.ancestors().filter(is_manifest).last().unwrap_or(&path);
        for folder in [&path, outermost] {
            let manifest = folder.join(MANIFEST);
            pending.extend(named_by(&manifest, &manifest));
        }
        siblings.insert(outermost.to_owned());
    }
    Ok(siblings)
}

/// The folders that a manifest names, as if it were at `place`.
fn named_by(manifest: &Path, place: &Path) -> Vec<PathBuf> {
    // A commit may have a link there, or a device, or a gigabyte.
    let is_small = manifest.symlink_metadata().is_ok_and(|it| it.is_file() && it.len() <= LARGEST);
    let text = is_small.then(|| fs::read_to_string(manifest).ok()).flatten();
    let table = text.and_then(|text| text.parse::<toml::Table>().ok());
    let mut paths = Vec::new();
    if let Some(table) = &table {
        of_table(table, &mut paths);
    }
    let folder = place.parent().unwrap_or(place);
    paths.iter().map(|path| files::without_dots(&folder.join(path))).collect()
}

/// The paths of all dependencies of a table, and of those below it: of the workspace, of platforms, and `[patch]`.
fn of_table(table: &toml::Table, paths: &mut Vec<String>) {
    let tables = |table: &toml::Table, key: &str| -> Vec<toml::Table> {
        let below = table.get(key).and_then(toml::Value::as_table).into_iter().flatten();
        below.filter_map(|(_, value)| value.as_table().cloned()).collect()
    };
    for key in DEPENDENCIES {
        let named = tables(table, key).into_iter();
        paths.extend(named.filter_map(|it| it.get("path")?.as_str().map(str::to_owned)));
    }
    for registry in tables(table, "patch") {
        let named = registry.values().filter_map(|it| it.get("path")?.as_str());
        paths.extend(named.map(str::to_owned));
    }
    for platform in tables(table, "target") {
        of_table(&platform, paths);
    }
    let overrides = table.get("paths").and_then(toml::Value::as_array).into_iter().flatten();
    paths.extend(overrides.filter_map(|path| path.as_str().map(str::to_owned)));
    if let Some(workspace) = table.get("workspace").and_then(toml::Value::as_table) {
        of_table(workspace, paths);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_names_packages_in_every_table_that_cargo_reads() {
        let text = "[dependencies]\na = { path = \"../a\" }\nserde = \"1\"\n\
                    [target.'cfg(unix)'.dev-dependencies.b]\npath = \"../b\"\n\
                    [workspace.dependencies]\nc = { path = \"../c/inner\", version = \"1\" }\n\
                    [patch.crates-io]\nd = { path = \"/d\" }\n\
                    [[bench]]\nname = \"x\"\npath = \"../e.rs\"\n";
        let text = format!("paths = [\"../f\"]\n{text}");
        let folder = tempfile::tempdir().unwrap();
        let manifest = folder.path().join(MANIFEST);
        fs::write(&manifest, text).unwrap();
        let named = named_by(&manifest, Path::new("/above/top/Cargo.toml"));
        let expected =
            ["/above/a", "/d", "/above/b", "/above/c/inner", "/above/f"].map(PathBuf::from);
        assert_eq!(BTreeSet::from_iter(named), BTreeSet::from(expected));
    }
}

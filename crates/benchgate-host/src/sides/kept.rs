//! Suites of a side that need not be built, because they were built before.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use benchgate_core::affected::{Way, Ways};
use benchgate_core::model::{Side, SuiteKey};
use benchgate_core::policy::Build;
use fs_err as fs;

use super::{BuildDir, Executable};
use crate::cargo::BenchTarget;
use crate::cargo::building::Folders;
use crate::cargo::{neighbours, share};
use crate::git::{self, Repository, Revision};
use crate::store::bases::{self, BaseStore, Built, Identity, Inputs, Place, Restored};
use crate::system::files;
use crate::system::links::Link;
use crate::{Availability, HostError};

/// Maximum number of bytes of programs and libraries that are kept with a suite.
const MOST_NEIGHBOURS: usize = 64 << 20;

/// The suites of a side that are in the store, and where those that are built are kept.
#[derive(Default)]
pub(super) struct Kept {
    /// The store, and what the side is known by; `None` where nothing is kept.
    place: Option<Place>,
    target_dir: PathBuf,
    /// Where the stand-ins are: the identity has the digest of what they are made from.
    runtime: PathBuf,
    /// The digest of the lock file that the repository or the user brings.
    lock_file: Option<String>,
    /// The lock file that cargo resolved, if there was none.
    resolved: Option<String>,
    inputs: Option<Inputs>,
    /// Whether dependencies are kept, too.
    keeps_dependencies: bool,
    /// The state of what decides how they are built.
    built_by: String,
    /// Whether nothing was built in the target folder before: what is there afterwards is of this lock file alone.
    is_fresh: bool,
    pub(super) restored: BTreeMap<SuiteKey, Restored>,
    found: usize,
    added: usize,
    notices: Vec<String>,
}

impl BuildDir {
    /// Opens the store for the suites of a side: only bases are kept, because they are measured again and again.
    pub(super) fn kept(
        &self,
        side: Side,
        revision: &Revision,
        top: &Path,
        root: &Path,
        folders: &Folders,
        build: &Build,
    ) -> Result<Kept, HostError> {
        let lock_file = files::digest(&root.join("Cargo.lock")).ok();
        // A restored suite brings a lock file where the repository has none, and `--locked` asks for none to be made.
        let may_bring_lock_file =
            lock_file.is_some() || !self.options.cargo_options.contains(&"--locked");
        let is_base = side == Side::Base && !revision.dirty;
        // What a command generates, data that no commit has, and packages next to the repository are not known by the
        // commit.
        let is_of_commit = build.before.is_empty()
            && self.options.data.paths.is_empty()
            && self.siblings.are_none();
        let is_kept = is_base && may_bring_lock_file && is_of_commit;
        let store = self.options.store.clone().filter(|_| is_kept);
        let store = store.map(|store| store.of_builds_in(&folders.sandbox));
        let target_dir = folders.target_dir.clone();
        let place = match store {
            None => None,
            Some(store) => {
                let commit = &revision.checkout;
                Some((
                    store,
                    Identity::of(commit, top, root, &target_dir, build, &folders.sandbox)?,
                ))
            }
        };
        let is_fresh = share::is_empty(&target_dir);
        let keeps_dependencies = self.options.keeps_dependencies;
        Ok(Kept {
            place,
            target_dir,
            runtime: self.runtime(),
            lock_file,
            is_fresh,
            keeps_dependencies,
            ..Kept::default()
        })
    }
}

impl BuildDir {
    /// What runs of the base's suites of earlier runs were observed to read, before it is built; its checkout was read.
    ///
    /// # Errors
    /// When a tool cannot be run.
    pub fn observed<'k>(
        &self,
        revision: &Revision,
        build: &Build,
        keys: impl Iterator<Item = &'k SuiteKey>,
    ) -> Result<Ways, HostError> {
        let top = self.checkout(Side::Base);
        let root = top.join(&self.inside);
        self.lend_lock_file(&root)?;
        let folders = self.folders(Side::Base)?;
        let restored = self.kept(Side::Base, revision, &top, &root, &folders, build)?;
        let place = restored.place.as_ref();
        let place = place.map(|(store, identity)| (store, identity, store.under()));
        let way = |key: &SuiteKey| match &place {
            None => Way::Names("bases are not kept in the store".to_owned()),
            Some(_) if !self.may_be_led(key) => Way::default(),
            Some((store, identity, under)) => match store.observed(identity, key, under) {
                Ok(observed) => Way::Observed(observed),
                Err(why) => Way::Names(why.to_owned()),
            },
        };
        Ok(keys.map(|key| (key.clone(), way(key))).collect())
    }
}

impl Kept {
    /// Neither restores nor keeps anything: the checkout is not as its commit says.
    pub(super) fn keep_nothing(&mut self) {
        self.place = None;
    }

    /// Restores what there is; returns what remains to be built. If the repository brings no lock file, both sides
    /// get the lock file of the restored builds.
    pub(super) fn restore<'a>(
        &mut self,
        targets: &[&'a BenchTarget],
        root: &Path,
    ) -> Result<Vec<&'a BenchTarget>, HostError> {
        let Some((store, identity)) = &self.place else { return Ok(targets.to_vec()) };
        let mut resolved: Option<String> = None;
        for target in targets {
            match store.restore(identity, &target.key()) {
                Ok(Some(restored)) => {
                    // Of two resolutions one is another build.
                    if resolved.is_none() || resolved == restored.lock_file {
                        resolved.clone_from(&restored.lock_file);
                        self.restored.insert(target.key(), restored);
                    }
                }
                Ok(None) => {}
                Err(refused) => self.notices.push(refused),
            }
        }
        // A program next to an executable is built with the suites of its package: all, or none.
        let has_neighbours = self.restored.values().any(|of| !of.neighbours.is_empty());
        if has_neighbours && self.restored.len() < targets.len() {
            self.restored.clear();
            resolved = None;
        }
        if let (None, Some(resolved)) = (&self.lock_file, &resolved) {
            fs::write(root.join("Cargo.lock"), resolved)?;
        }
        self.found = self.restored.len();
        let is_left = |target: &&&BenchTarget| !self.restored.contains_key(&target.key());
        Ok(targets.iter().filter(is_left).copied().collect())
    }

    /// Puts dependencies where nothing was built yet: the base needs them if it is not restored as a whole, and the head
    /// takes them over.
    pub(super) fn restore_dependencies(
        &mut self,
        repository: &Repository,
        revision: &Revision,
        root: &Path,
    ) -> Result<(), HostError> {
        if self.place.is_none() || !self.is_fresh {
            return Ok(());
        }
        self.built_by = repository.builds_dependencies_by(&revision.checkout)?;
        let Some((store, identity)) = self.dependencies(root) else { return Ok(()) };
        match store.restore_dependencies(&identity, &self.target_dir) {
            Ok(is_restored) => self.is_fresh = !is_restored,
            Err(refused) => self.notices.push(refused),
        }
        Ok(())
    }

    /// Keeps the dependencies that were built with all suites, but for these packages. A run does not end because it could
    /// not.
    pub(super) fn keep_dependencies(&mut self, top: &Path, root: &Path, own: &BTreeSet<String>) {
        // Of a part of the suites they would be a part.
        if !self.keeps_dependencies || self.found > 0 || self.inputs.is_none() {
            return;
        }
        let Some((store, identity)) = self.dependencies(root) else { return };
        let lock_file = fs::read_to_string(root.join("Cargo.lock")).unwrap_or_default();
        let own = own.iter().cloned().chain(local_packages(&lock_file)).collect();
        let known = self.known(top);
        let stored = store.keep_dependencies(&identity, &self.target_dir, &own, &known);
        let reason = match stored {
            Ok(Availability::Available(())) => return,
            Ok(Availability::Unavailable(reason)) => reason,
            Err(error) => error.to_string(),
        };
        self.notices.push(format!("the dependencies of the base are not kept: {reason}"));
    }

    /// Where dependencies are kept, and what they are known by; `None` where something else was built in the same folder.
    fn dependencies(&self, root: &Path) -> Option<(BaseStore, Identity)> {
        let (store, identity) = self.place.as_ref().filter(|_| self.is_fresh)?;
        let lock_file = files::digest(&root.join("Cargo.lock")).ok()?;
        Some((store.clone(), identity.of_dependencies(lock_file, self.built_by.clone())))
    }

    /// Finds out the inputs of the builds; if they are unknown, nothing is kept.
    pub(super) fn look_for_inputs(
        &mut self,
        top: &Path,
        root: &Path,
        own: &BTreeSet<String>,
        written: &BTreeMap<String, Option<String>>,
    ) -> Result<(), HostError> {
        let Some((store, _)) = &self.place else { return Ok(()) };
        if let Some(file) = written.keys().next() {
            // A bench may read it, and the next checkout would not have it.
            let notice =
                format!("nothing of the base is kept: its build writes `{file}` into the checkout");
            self.notices.push(notice);
            return Ok(());
        }
        let path = root.join("Cargo.lock");
        let is_other = self.lock_file.is_some() && files::digest(&path).ok() != self.lock_file;
        if is_other || !self.target_dir.is_dir() {
            return Ok(());
        }
        if self.lock_file.is_none() {
            self.resolved = fs::read_to_string(&path).ok();
        }
        match Inputs::of(&self.target_dir, &self.known(top), own, &store.given())? {
            Availability::Available(inputs) => self.inputs = Some(inputs),
            Availability::Unavailable(reason) if self.keeps_dependencies => {
                self.notices.push(format!("neither suites nor dependencies are kept: {reason}"));
            }
            Availability::Unavailable(_) => {}
        }
        Ok(())
    }

    /// Paths that the commit, the lock file, the gate itself and the toolchain describe.
    fn known(&self, top: &Path) -> Vec<PathBuf> {
        let own = vec![top.to_owned(), self.target_dir.clone(), self.runtime.clone()];
        [own, git::own_files(top), bases::homes()].concat()
    }

    /// Keeps the builds, unless they may read files of its target folder when it runs.
    pub(super) fn keep(
        &mut self,
        built: &Executable,
        link: Option<&Link>,
    ) -> Result<(), HostError> {
        let (Some((store, identity)), Some(inputs)) = (&self.place, &self.inputs) else {
            return Ok(());
        };
        if !built.names.is_empty() {
            return Ok(());
        }
        let start = built.start.as_ref();
        let neighbours = &neighbours::read(&built.path, &built.neighbours)?;
        if neighbours.values().map(Vec::len).sum::<usize>() > MOST_NEIGHBOURS {
            return Ok(());
        }
        let lock_file = self.resolved.as_deref();
        let suite = Built { executable: &built.path, neighbours, link, start, inputs, lock_file };
        self.added += usize::from(store.keep(identity, &built.key, &suite)?);
        Ok(())
    }

    /// Makes room, and reports which of this number of suites were not built.
    pub(super) fn finish(
        self,
        suites: usize,
    ) -> Result<(Vec<String>, usize, Option<Place>), HostError> {
        if let Some((store, _)) = &self.place {
            store.prune(bases::LARGEST)?;
        }
        let mut notices = self.notices;
        if self.found > 0 {
            let number = self.found;
            notices.push(format!(
                "{number} of {suites} suites of the base were built before: they are from the store (`benchgate cache`)"
            ));
        }
        Ok((notices, self.found + self.added, self.place))
    }
}

/// The packages of a lock file that come from no registry and no other repository: they are in the checkout, and may be
/// others in the next one.
fn local_packages(lock_file: &str) -> Vec<String> {
    let of = |package: &str| {
        let value = |key: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(key))?;
            Some(line.trim_matches('"').to_owned())
        };
        let is_local = value("source = ").is_none();
        is_local.then(|| value("name = ")).flatten().map(|name| share::plain(&name))
    };
    lock_file.split("[[package]]").filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use benchgate_core::policy::Policy;

    use super::*;
    use crate::system::sandbox::Sandbox;

    /// In the next run those files may be another commit's, or not there.
    #[test]
    fn a_suite_that_names_files_of_its_target_folder_is_not_kept() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path();
        fs::write(top.join("Cargo.lock"), "version = 4").unwrap();
        fs::write(top.join("speed"), "the code").unwrap();
        for (names, expected) in [(&["target/release/tool", "target/out"][..], 0), (&[], 1)] {
            let (build, sandbox) = (Policy::default().build, Sandbox::default());
            let identity = Identity::of("c1", top, top, top, &build, &sandbox).unwrap();
            let mut empty = Kept {
                place: Some((BaseStore::below(top), identity)),
                inputs: Some(Inputs::default()),
                ..Kept::default()
            };
            let names = names.iter().map(|name| top.join(name)).collect();
            let built = Executable {
                key: SuiteKey::new("p", "speed"),
                path: top.join("speed"),
                arguments: Vec::new(),
                folder: top.to_owned(),
                declared: None,
                start: None,
                names,
                is_led: false,
                neighbours: BTreeSet::new(),
                sandbox: Sandbox::default(),
                own_folders: Vec::new(),
            };
            empty.keep(&built, None).unwrap();
            assert_eq!(empty.added, expected);
        }
    }

    #[test]
    fn a_package_without_a_source_is_one_of_the_checkout() {
        let lock_file = "version = 4\n\n[[package]]\nname = \"my-lib\"\nversion = \"0.1.0\"\n\n\
                         [[package]]\nname = \"serde\"\nversion = \"1.0.0\"\n\
                         source = \"registry+https://github.com/rust-lang/crates.io-index\"\n";
        assert_eq!(local_packages(lock_file), ["my_lib"]);
    }
}
